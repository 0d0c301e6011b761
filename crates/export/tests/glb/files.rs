use std::fs;
use std::path::PathBuf;

use worldview_export::glb::{self, LodChoice, Options};
use worldview_island::{LodsAt, Scope};

use crate::gltf::Glb;
use crate::support::{files, options, with};

/// Everything that there is comes out as a file whose accessors are sound.
///
/// Into the folder that `WORLDVIEW_GLB_OUT` names they are written too, for `tools/gltf/validate.mjs`.
#[test]
fn everything() {
    let folder = std::env::var_os("WORLDVIEW_GLB_OUT").map(PathBuf::from);
    for (name, bytes) in files() {
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let look = |what: String, bytes: Vec<u8>| {
            Glb::parse(&bytes);
            if let Some(folder) = &folder {
                fs::create_dir_all(folder).unwrap();
                fs::write(folder.join(format!("{name}.{what}.glb")), bytes).unwrap();
            }
        };
        with(&bytes, |library, naive| {
            for world in 0..naive.directory.worlds.len() {
                for (lods, kind) in [(LodChoice::All, "all"), (LodChoice::Best, "best"), (LodChoice::Level(1), "low")] {
                    let mut out = Vec::new();
                    glb::world(library, world, &library.world_names(world), &options(lods), &mut out).unwrap();
                    look(format!("world{world}.{kind}"), out);
                }
            }
            let options = Options::default();
            for blob in 0..naive.blobs.len() {
                if naive.model_of(blob).is_some() {
                    let mut out = Vec::new();
                    glb::model(library, blob, Scope::Blob(blob), None, &options, &mut out).unwrap();
                    look(format!("model{blob}"), out);
                }
                for part in 0..naive.parts_of(blob).map_or(0, |parts| parts.parts.len()) {
                    let mut out = Vec::new();
                    glb::part(library, LodsAt::Part { blob, part }, None, &options, &mut out).unwrap();
                    look(format!("part{blob}.{part}"), out);
                }
            }
        });
    }
}
