//! WORLD.WDB.

use worldview::Format;
use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, PartsSpec, TextureSpec, WorldSpec};

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
