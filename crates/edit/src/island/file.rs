use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use worldview_core::describe::{Describe, List, Part};
use worldview_core::{Path, field_name};
use worldview_island::{BlobKind, Database, DatabaseDescription, Element, raw};

use super::shape::{Own, Shape, range_of};
use crate::changes::place;
use crate::checked::{Checked as _, indices, sized};
use crate::fields;
use crate::list::{each_with_path, element_key, of_kind, paths, with};
use crate::{EditError, EditErrorKind, Result};

/// A database that is read as far as it can be.
pub(super) struct File<'d, 'a> {
    pub(super) bytes: &'a [u8],
    pub(super) database: &'d Database<'a>,
    pub(super) description: &'d DatabaseDescription<'d, 'a>,
    /// Whether a blob or chunk is not inside the file.
    pub(super) is_lossy: bool,
    references: OnceCell<Vec<Reference>>,
    numbers: OnceCell<HashMap<Path, usize>>,
}

/// A reference of the original to a blob.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) path: Path,
    /// The number of its world.
    pub(super) world: u32,
    pub(super) name: Vec<u8>,
    pub(super) kind: BlobKind,
    /// The bytes of the reference.
    pub(super) range: Range<usize>,
    /// Where the length and offset of the blob are.
    pub(super) at: Option<usize>,
    /// The number of the blob; `None` if it is outside the file.
    pub(super) blob: Option<usize>,
}

impl<'d, 'a> File<'d, 'a> {
    pub(super) fn new(
        bytes: &'a [u8],
        database: &'d Database<'a>,
        description: &'d DatabaseDescription<'d, 'a>,
        is_lossy: bool,
    ) -> Self {
        Self { bytes, database, description, is_lossy, references: OnceCell::new(), numbers: OnceCell::new() }
    }

    /// Returns all references, in file order.
    pub(super) fn references(&self) -> &[Reference] {
        self.references.get_or_init(|| references(self.description))
    }

    /// Returns the bytes of a blob. One that is not in the file has none.
    pub(super) fn blob_bytes(&self, number: usize) -> &'a [u8] {
        self.database.blobs().get(number).map_or(&[], |blob| blob.source.bytes())
    }

    /// Returns the range of a blob.
    pub(super) fn blob_range(&self, number: usize) -> Result<Range<usize>> {
        let blob = self.database.blobs().get(number).checked()?;
        indices(&sized(blob.source.base(), blob.source.len())?)
    }

    /// Returns what a blob is.
    pub(super) fn shape(&self, number: usize) -> Shape<'static> {
        Shape::Element(match self.database.blobs().get(number).map(|blob| blob.kind) {
            Some(BlobKind::Parts) => Element::Parts,
            _ => Element::Model,
        })
    }

    /// Calls `then` with a blob.
    pub(super) fn blob<T>(&self, number: usize, then: impl FnOnce(&Part<'_>) -> Result<T>) -> Result<T> {
        let found = of_kind(self.description, "blob", |parts| with(parts, number, 0, then));
        found.unwrap_or_else(|| Err(EditError::not_found(&Path::new())))
    }

    /// Returns the reference at a path.
    pub(super) fn reference(&self, path: &Path) -> Result<&Reference> {
        let all = self.references();
        let numbers = || all.iter().map(|reference| place(&reference.path).into_owned()).zip(0..).collect();
        let found = self.numbers.get_or_init(numbers).get(&*place(path)).and_then(|number| all.get(*number));
        let found = found.ok_or_else(|| EditError::not_found(path))?;
        // One of several has to be numbered.
        let mut pairs = found.path.segments().zip(path.segments());
        if pairs.all(|(found, named)| found.nth.is_none() || named.nth.is_some()) {
            return Ok(found);
        }
        let is_alike = |other: &&Reference| {
            let mut pairs = other.path.segments().zip(path.segments());
            pairs.all(|(other, named)| (other.kind, other.key) == (named.kind, named.key))
        };
        Err(EditError::new(path, EditErrorKind::Ambiguous { count: all.iter().filter(is_alike).count() }))
    }

    /// Returns the reference whose bytes start at an offset.
    pub(super) fn reference_at(&self, at: usize) -> Option<&Reference> {
        let number = self.references().binary_search_by_key(&at, |reference| reference.range.start);
        self.references().get(number.ok()?)
    }

    /// Returns the paths of all blobs.
    pub(super) fn blob_paths(&self) -> Vec<Path> {
        of_kind(self.description, "blob", |parts| paths(parts, &Path::new())).unwrap_or_default()
    }
}

/// Returns what the blobs are to which the elements of a list of a world refer.
pub(super) fn blob_kind(list: &List) -> BlobKind {
    if list.kind == "part" { BlobKind::Parts } else { BlobKind::Model }
}

fn references(description: &dyn Describe) -> Vec<Reference> {
    let mut all = Vec::new();
    of_kind(description, "world", |worlds| {
        each_with_path(worlds, &Path::new(), &mut |world, path| {
            fields::lists(world.body, &mut |parts| {
                let kind = blob_kind(&parts.list());
                each_with_path(parts, &path, &mut |part, path| {
                    let own = Own::of(part.body);
                    all.push(Reference {
                        path,
                        world: world.index,
                        name: element_key(part.key).unwrap_or_default(),
                        kind,
                        range: range_of(part.at),
                        at: own.place(field_name!(raw::Range, length)),
                        blob: own.link.flatten().map(|blob| blob as usize),
                    });
                });
            });
        });
    });
    all
}
