use std::collections::{BTreeMap, HashMap, HashSet};

use worldview_core::Path;
use worldview_island::BlobKind;

use super::file::{File, Reference};
use super::tree::partners;

/// Which blobs of two files belong together.
pub(super) struct Blobs {
    /// The blob of the right file by that of the left.
    pub(super) partners: BTreeMap<usize, usize>,
    /// The blob of the left file by that of the right.
    origins: HashMap<usize, usize>,
    /// The first reference that both files have to each blob of the left file and its partner.
    pub(super) still: HashMap<usize, Path>,
    /// Blobs of the left file that are not the same for all references any more, and different from their partners. Changes of such a
    /// blob would be changes of all references, so that each reference has its own.
    pub(super) split: HashSet<usize>,
}

impl Blobs {
    pub(super) fn of(files: &[File<'_, '_>; 2]) -> Self {
        let mut votes: HashMap<(usize, usize), (usize, &Path)> = HashMap::new();
        let lists = files[1].references().chunk_by(is_one_list);
        let lists: HashMap<_, _> = lists.filter_map(|list| Some((list_of(list.first()?), list))).collect();
        for references in files[0].references().chunk_by(is_one_list) {
            let Some(first) = references.first() else { continue };
            let others = lists.get(&list_of(first)).copied().unwrap_or_default();
            let (partners, _) =
                partners(references.iter().map(|one| &*one.name), others.iter().map(|other| &*other.name));
            for (one, other) in references.iter().zip(partners) {
                let other = other.and_then(|other| others.get(other)?.blob);
                if let Some(pair) = one.blob.zip(other) {
                    let (count, _) = votes.entry(pair).or_insert((0, &one.path));
                    *count = count.saturating_add(1);
                }
            }
        }
        let mut all: Vec<_> = votes.into_iter().collect();
        // If a blob is still there as it was, no other one has become it.
        let is_same = |a: usize, b: usize| files[0].blob_bytes(a) == files[1].blob_bytes(b);
        all.sort_by_cached_key(|&((a, b), (count, _))| (std::cmp::Reverse((is_same(a, b), count)), a, b));
        let mut blobs =
            Self { partners: BTreeMap::new(), origins: HashMap::new(), still: HashMap::new(), split: HashSet::new() };
        for ((a, b), (_, path)) in all {
            match blobs.partners.get(&a) {
                None => {
                    blobs.partners.insert(a, b);
                    blobs.origins.entry(b).or_insert(a);
                    blobs.still.insert(a, path.clone());
                }
                Some(partner) if !is_same(a, *partner) => {
                    blobs.split.insert(a);
                    blobs.still.remove(&a);
                }
                Some(_) => {}
            }
        }
        blobs
    }

    /// Returns the path of a reference to the blob that becomes one of the right file.
    pub(super) fn path(&self, right: usize) -> Option<&Path> {
        self.still.get(self.origins.get(&right)?)
    }
}

/// The list of a reference.
const fn list_of(reference: &Reference) -> (u32, BlobKind) {
    (reference.world, reference.kind)
}

fn is_one_list(one: &Reference, other: &Reference) -> bool {
    list_of(one) == list_of(other)
}
