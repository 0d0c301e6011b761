//! WORLD.WDB, and texture files.

use worldview::Format;
use worldview::island::TextureFile;
use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, PartsSpec, TextureSpec, WorldSpec};

use worldview_edit::{Changes, FileOptions, apply, diff};
use worldview_inspect::{Options, Root, json};

use super::{outputs, turn};
use crate::paths;
use worldview_readers::{MAX_LEN, holds};

/// Reads a whole file, from its directory to its meshes.
pub fn island(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    holds(worldview_readers::island::agree(data));
    holds(worldview_readers::island::lossy_keeps_its_word(data));
    match turn(data, 3) {
        0 => holds(worldview_readers::island::names_agree(data)),
        1 => holds(worldview_readers::island::poses_agree(data)),
        _ => {}
    }
    outputs(data, |each| paths::all(Format::Island, data, 0, each));
}

/// Reads a single blob: a model, or parts if the first byte is odd.
///
/// The blob is wrapped in a file with one world that refers to it, and with the names that a model may look up.
pub fn island_blob(data: &[u8]) {
    let Some((&kind, blob)) = data.split_first().filter(|_| data.len() <= MAX_LEN) else { return };
    let model = ModelRefSpec::new("model", 0).at([1.0, 2.0, 3.0]).facing([0.0, 0.6, 0.8]);
    let world = WorldSpec::new("W");
    let world =
        if kind & 1 == 0 { world.model(model) } else { world.part("parts", 0).model(ModelRefSpec::new("m", 1)) };
    let textures = vec![TextureSpec { name: b"brick.gif".to_vec(), ..TextureSpec::default() }];
    let blobs = vec![BlobSpec::raw(blob), BlobSpec::raw(blob)];
    let spec =
        DatabaseSpec { worlds: vec![world], textures, parts: PartsSpec::default(), blobs, ..DatabaseSpec::default() };
    island(&build(&spec).bytes);
}

/// Reads a texture file, prints it, and edits it.
pub fn textures(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    holds(worldview_readers::island::textures_agree(data));
    let Ok(file) = TextureFile::parse_lossy(data, &mut |_| {}) else { return };
    let root = Root::new("tex", file.source(), &file);
    // What is printed is bounded by the file, whatever its counts say.
    let (options, mut text) = (Options { full: true, ..Options::default() }, Vec::new());
    let _ = json::write(&root, &options, &mut text);
    assert!(text.len() <= 32 * data.len() + (4 << 20), "{} bytes of JSON", text.len());
    if TextureFile::parse(data).is_err() {
        return;
    }
    let options = FileOptions::default();
    let edit = |changes: &Changes| apply(Format::Tex, data, changes, &options).map(|edited| edited.to_vec());
    assert_eq!(edit(&Changes::new()).ok().as_deref(), Some(data));
    // A file without its last texture, and the changes that remove it.
    let textures: Vec<_> = file.textures().iter().collect();
    let Some(last) = textures.last().and_then(|last| usize::try_from(last.at).ok()) else { return };
    let mut shorter = data[..last].to_vec();
    shorter[..4].copy_from_slice(&u32::try_from(textures.len() - 1).unwrap_or(0).to_le_bytes());
    if let Ok(planned) = diff(Format::Tex, data, &shorter, &options)
        && let Ok(edited) = edit(&planned.changes)
    {
        let count = TextureFile::parse(&edited).map(|file| file.textures().len());
        assert_eq!(count, Ok(textures.len() - 1));
    }
}
