use std::collections::HashSet;
use std::ops::Range;

use worldview_core::Path;
use worldview_island::{Contents, DatabaseDescription};

use super::alone::{is_orderly, stored};
use super::edit::Editor;
use super::files::Files;
use super::files::Reference;
use super::image::{Image, Stored, Target};
use super::refs::{Targets, kept, range_at};
use super::select::Index;
use super::step::TANGLED;
use super::view::{View, index, place};
use crate::resolve::Names;
use crate::tree::{Tree, unexpected};
use crate::{Changes, EditError, EditErrorKind, Patches, Result};

/// Applies changes to a database.
///
/// | path | what it names |
/// |---|---|
/// | `world:ACT1/model:bird/location` | a field of a reference to a model: `name`, `presenter`, `location`, `direction`, `up`, `visible` |
/// | `world:ACT1/part:Cap` | a reference to a part; references can be added, removed, renamed and moved |
/// | `world:ACT1/model:bird/blob` | the blob of a reference: bytes, or the path of a reference whose blob it shares |
/// | `world:ACT1/model:bird/blob/…` | something in the blob of this reference; if others share the blob, it gets a copy |
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
    let files = Files::open(file)?;
    let contents = Contents::read_lossy(&files.database, &mut |_| {});
    let names = DatabaseDescription::new(&files.database, &contents);
    let names = Names { has_parents: true, ..Names::of(&names) };
    names.apply(changes, |_| false, |tree| edit(&files, tree))
}

/// Applies the changes of a tree to a database.
fn edit<'a>(files: &Files<'a>, tree: &Tree<'_>) -> Result<Patches<'a>> {
    let mut editor = Editor { files, targets: Targets::new() };
    let mut image = Image::new(files.bytes, Path::new());
    let worlds = files.worlds();
    let (names, blobs) = (Index::of(&worlds), Index::of_keys(files.blob_keys()));
    for (name, node) in &tree.children {
        let Some(segment) = name.segments().next() else { continue };
        let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
        let missing = || EditError::new(&path, EditErrorKind::NotFound);
        let view = match (segment.kind, &*segment.key, segment.nth) {
            (Some("world"), ..) => {
                if let Some(change) = node.change.filter(|change| !matches!(change, crate::Change::Rename { .. })) {
                    return Err(unexpected(change));
                }
                worlds.get(names.find(&segment, &path)?).cloned().ok_or_else(missing)?
            }
            (None, b"global_textures", None) => files.textures()?,
            (None, b"global_parts", None) => files.parts()?,
            (Some("blob"), ..) | (None, b"blob", Some(_)) => files.blob(blobs.find(&segment, &path)?, &path)?,
            _ => return Err(missing()),
        };
        editor.element(&view, node, &mut image)?;
    }
    let Targets { changed, appended, .. } = editor.targets;
    let stored = words(files, &image, &changed, !appended.is_empty())?;
    image.finish(stored, appended)
}

/// Returns the words of the file that follow from the places of other things, as far as those may move.
fn words(files: &Files<'_>, image: &Image<'_>, changed: &[(usize, Target)], is_longer: bool) -> Result<Vec<Stored>> {
    let mut words: Vec<_> =
        changed.iter().map(|(at, target)| Stored::Blob { at: *at, target: target.clone() }).collect();
    let mut resized: Vec<_> = image.resized().map(|(range, path)| (range.clone(), path)).collect();
    if resized.is_empty() && !is_longer {
        return Ok(words);
    }
    let path = resized.first().map_or(&image.path, |(_, path)| *path);
    if files.is_lossy {
        let why = "a part of the file is missing, so that only changes that keep all lengths can be made";
        return Err(EditError::unsupported(path, why));
    }
    resized.sort_by_key(|(range, _)| (range.start, range.end));
    let database = &files.database;
    let directory = 0..index(database.directory_end());
    let chunks = [database.texture_chunk(), database.parts_chunk()].map(|chunk| place(files.bytes, chunk.bytes()));
    let blobs = database.blobs().iter().map(|blob| place(files.bytes, blob.source.bytes()));
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
    let [_, parts_chunk] = chunks.clone();
    words.extend(chunks.into_iter().map(|range| Stored::Length { at: range.start.saturating_sub(4), range }));
    for view in files.worlds() {
        for reference in ["part", "model"].into_iter().flat_map(|kind| view.items(files.bytes, kind)) {
            let at = range_at(files.bytes, &reference);
            if has_other.contains(&at) {
                continue;
            }
            if let Some(target) = Reference::of(&reference).and_then(|reference| kept(files, reference)) {
                words.push(Stored::Blob { at, target });
            }
        }
    }
    let is_resized = |range: &Range<usize>| {
        let first = resized.partition_point(|(other, _)| other.end <= range.start);
        resized.get(first).filter(|(other, _)| other.start < range.end || *other == (range.end..range.end))
    };
    let mut add = |view: View<'_, '_>, is_broken: bool| {
        let Some((range, path)) = is_resized(&view.range(files.bytes)) else { return Ok(()) };
        if view.range(files.bytes) == *range {
            return Ok(());
        }
        if is_broken || !is_orderly(&view, files.bytes) {
            return Err(EditError::unsupported(path, TANGLED));
        }
        words.extend(stored(&view, files.bytes));
        Ok(())
    };
    if is_resized(&parts_chunk).is_some() {
        add(files.parts()?, false)?;
    }
    for number in 0..database.blobs().len() {
        let range = database.blobs().get(number).map(|blob| place(files.bytes, blob.source.bytes()));
        if range.is_some_and(|range| is_resized(&range).is_some()) {
            add(files.blob(number, path)?, files.is_broken(number))?;
        }
    }
    Ok(words)
}
