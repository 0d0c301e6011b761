use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use worldview_core::Path;
use worldview_core::describe::Describe;
use worldview_island::{Contents, Database, DatabaseDescription};

use super::edit::Editor;
use super::file::File;
use super::refs::Targets;
use super::shape::{Offset, Offsets, TANGLED, is_orderly};
use super::sizes;
use crate::checked::{Checked as _, Number as _, index, indices, sized};
use crate::image::{Image, Stored, Target};
use crate::resolve::Names;
use crate::tree::Tree;
use crate::{Change, Changes, EditError, Patches, Result};

/// Applies changes to a database.
///
/// | path | what it names |
/// |---|---|
/// | `world:ACT1/model:bird/location` | a field of a reference to a model: `name`, `presenter`, `location`, `direction`, `up`, `visible` |
/// | `world:ACT1/part:Cap` | a reference to a part; references can be added, removed, renamed and moved |
/// | `world:ACT1/model:bird/blob` | the blob of a reference: bytes, or the path of a reference whose blob it shares |
/// | `world:ACT1/model:bird/blob/…` | something in the blob of this reference; if others share the blob, it gets a copy, in which changes of `blob:bird/…` are, too |
/// | `blob:bird/…`, `global_parts/…`, `global_textures/…` | something in a blob, for all of its references, or in a chunk; blobs have the name of their first reference, or a number, `blob#3` |
/// | `…/texture:dog.gif/image#0/pixel:3,5` | a pixel; also `width`, `height`, `palette`, `pixels`, `color#7` |
/// | `…/roi:body/color_name` | a field of an object: `name`, `center`, `radius`, `minimum`, `maximum`, `color_name`, `shared` |
/// | `…/roi:body/lod#0/mesh#1/color` | a field of a mesh: `color`, `alpha`, `shading`, `specular`, `unknown`, `alias`, `texture`, `material` |
/// | `…/part:leg/lod#0/position#7` | a point of a level's pools; also `normal#7`, `uv#7`, and the fields `flags` and `unused_bits` |
/// | `…/node:body/translation:500/value` | a field of a key: `time`, `flags`, `value`; also of a `rotation`, `scale` and `morph` |
/// | `…/duration`, `…/skip`, `…/actor:x/type` | other fields of models |
///
/// Elements of lists can be added (with `data`, or `like` another one), removed, and moved, except that objects and nodes cannot
/// move, and that images cannot be added or removed. An added object or node goes beside another one, or to the end of what is below its
/// `parent`, given as a field. Blobs, parts, objects, nodes, levels, meshes, textures, images, actors and keys can be set as a whole,
/// to bytes in which offsets count from the first byte.
///
/// # Errors
///
/// Returns an error if the file is not a database, or if any change cannot be applied; nothing is written then. What can be
/// opened only in part is patched in place, and refuses changes of length.
pub fn apply<'a>(file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    let mut is_lossy = false;
    let database = Database::parse_lossy(file, &mut |_| is_lossy = true)?;
    let contents = Contents::read_lossy(&database, &mut |_| {});
    let description = DatabaseDescription::new(&database, &contents);
    let file = File::new(file, &database, &description, is_lossy);
    let shared = |changes: &Changes| by_all_paths(&file, changes);
    let names = Names { has_parents: true, shared: Some(&shared), ..Names::of(&description) };
    let (edited, mut account) = names.apply(changes, |_| false, |tree| edit(&file, tree))?;
    if !edited.is_empty() {
        account.append(sizes::changed(&contents, &edited.to_vec()));
    }
    Ok(edited.counted(account))
}

/// Returns the changes of blobs that others reach through references by the paths of those references, too: a blob of one reference
/// is edited in place, and a copy of a shared one has what all references get.
fn by_all_paths(file: &File<'_, '_>, changes: &Changes) -> Option<Vec<(usize, Change)>> {
    let is_through = |path: &Path| {
        path.len() > 3 && path.segments().nth(2).is_some_and(|link| link.kind.is_none() && *link.key == *b"blob")
    };
    let mut through: HashMap<usize, BTreeSet<Path>> = HashMap::new();
    for change in changes.iter().filter(|change| is_through(change.path())) {
        let Ok(reference) = file.reference(&change.path().first(2)) else { continue };
        if let Some(blob) = reference.blob {
            through.entry(blob).or_default().insert(change.path().first(3));
        }
    }
    if through.is_empty() {
        return None;
    }
    let numbers: HashMap<Path, usize> = file.blob_paths().into_iter().zip(0..).collect();
    let mut all = Vec::new();
    for (number, change) in changes.iter().enumerate() {
        let blob = numbers.get(&change.path().first(1)).copied();
        let others = blob.and_then(|blob| through.get(&blob));
        for other in others.into_iter().flatten() {
            let moved = |path: Path| other.joined(&path.parts().skip(1).collect());
            let mut change = change.clone().with_paths(moved);
            change.map_parent(moved);
            all.push((number, change));
        }
        let is_shared = |blob: usize| file.database.blobs().get(blob).is_some_and(|blob| blob.references > 1);
        if others.is_none() || blob.is_some_and(is_shared) {
            all.push((number, change.clone()));
        }
    }
    Some(all)
}

/// Applies the changes of a tree to a database.
fn edit<'a>(file: &File<'_, 'a>, tree: &Tree<'_>) -> Result<Patches<'a>> {
    let mut editor = Editor { file, targets: Targets::default() };
    let mut image = Image::new(file.bytes, Path::new());
    editor.inside(file.description, ("file", None), tree, &mut image)?;
    let Targets { changed, appended, .. } = editor.targets;
    let stored = words(file, &image, &changed, !appended.is_empty())?;
    image.finish(stored, appended)
}

/// Returns the words of the file that follow from the places of other things, as far as those may move.
pub(super) fn words(
    file: &File<'_, '_>,
    image: &Image<'_>,
    changed: &[(usize, Target)],
    is_longer: bool,
) -> Result<Vec<Stored>> {
    let mut words: Vec<_> =
        changed.iter().map(|(at, target)| Stored::Blob { at: *at, target: target.clone() }).collect();
    let mut resized: Vec<_> = image.resized().map(|(range, path)| (range.clone(), path)).collect();
    if resized.is_empty() && !is_longer {
        return Ok(words);
    }
    let path = resized.first().map_or(&image.path, |(_, path)| *path);
    if file.is_lossy {
        let why = "a part of the file is missing, so that only changes that keep all lengths can be made";
        return Err(EditError::unsupported(path, why));
    }
    resized.sort_by_key(|(range, _)| (range.start, range.end));
    let database = file.database;
    let directory = 0..index(database.directory_end())?;
    let chunks = [database.texture_chunk(), database.parts_chunk()];
    let [textures, parts] = chunks.map(|chunk| indices(&sized(chunk.base(), chunk.len())?));
    let chunks = [textures?, parts?];
    let blobs = (0..database.blobs().len()).map(|number| file.blob_range(number)).collect::<Result<Vec<_>>>()?;
    let mut regions: Vec<_> = std::iter::once(directory).chain(chunks.iter().cloned()).chain(blobs).collect();
    regions.sort_by_key(|region| (region.start, region.end));
    let mut end = 0;
    for region in &regions {
        let shared = region.start..region.end.min(end);
        let first = resized.partition_point(|(range, _)| range.end <= shared.start);
        let is_shared =
            |range: &Range<usize>| range.start < shared.end || (range.is_empty() && range.start == shared.end);
        if let Some((_, path)) = resized.get(first).filter(|(range, _)| is_shared(range))
            && !shared.is_empty()
        {
            return Err(EditError::unsupported(path, "blobs overlap here, so that no length can change"));
        }
        end = end.max(region.end);
    }
    let has_other: HashSet<usize> = changed.iter().map(|(at, _)| *at).collect();
    for range in &chunks {
        words.push(Stored::Length { at: range.start.minus(4)?, range: range.clone() });
    }
    for reference in file.references() {
        let at = reference.at.checked()?;
        if let Some(blob) = reference.blob.filter(|_| !has_other.contains(&at)) {
            words.push(Stored::Blob { at, target: Target::Kept(file.blob_range(blob)?) });
        }
    }
    let is_resized = |range: &Range<usize>| {
        let first = resized.partition_point(|(other, _)| other.end <= range.start);
        resized.get(first).filter(|(other, _)| other.start < range.end || *other == (range.end..range.end))
    };
    let mut add = |body: &dyn Describe, range: &Range<usize>| {
        let Some((_, path)) = is_resized(range).filter(|(resized, _)| resized != range) else { return Ok(()) };
        let found = Offsets::of(body);
        if found.is_broken || !is_orderly(body) {
            return Err(EditError::unsupported(path, TANGLED));
        }
        words.extend(found.all.into_iter().map(Offset::stored));
        Ok(())
    };
    for (name, range) in ["global_textures", "global_parts"].into_iter().zip(&chunks) {
        let found = crate::list::of_kind(file.description, name, |parts| {
            crate::list::with(parts, 0, 0, |part| add(part.body, range))
        });
        // In a chunk that cannot be read nothing changes.
        found.unwrap_or(Ok(()))?;
    }
    for number in 0..database.blobs().len() {
        let range = file.blob_range(number)?;
        if is_resized(&range).is_some() {
            file.blob(number, |part| add(part.body, &range))?;
        }
    }
    Ok(words)
}
