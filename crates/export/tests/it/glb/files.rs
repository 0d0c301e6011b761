use std::fs;
use std::path::PathBuf;

use worldview_corpus::island::generate;
use worldview_export::model::glb::{self, Cache, LodChoice, Options};
use worldview_export::model::png;
use worldview_island::{LodsAt, Scope};

use super::gltf::Glb;
use super::support::{files, options, with};

/// Every file is exported as a GLB with valid accessors.
///
/// If `WORLDVIEW_GLB_OUT` is set, the files are also written to that folder, for `tools/gltf/validate.mjs`.
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

/// Sharing pictures and meshes between files does not change the files. Those of a different database are not used.
#[test]
fn files_with_a_cache() {
    let file = generate::database(7, 100_000);
    // The same textures at the same offsets, but with different colors.
    let mut recolored = file.clone();
    let mut embedded = 0;
    with(&file, |other, _| {
        let strange = Cache::new(other.contents());
        for image in other.contents().textures.as_ref().unwrap().iter().map(|texture| texture.high()) {
            let mut packed = Vec::new();
            png::image(image, &mut packed).unwrap();
            assert_eq!(*strange.png(image).unwrap(), *packed);
            assert_eq!(*strange.png(image).unwrap(), *packed, "again");
            recolored[usize::try_from(image.at).unwrap() + 12] ^= 0xFF;
        }
        with(&recolored, |library, naive| {
            let own = Cache::new(library.contents());
            for world in 0..naive.directory.worlds.len() {
                let names = library.world_names(world);
                let made = |cache| {
                    let mut out = Vec::new();
                    let options = Options::default().cache(cache);
                    glb::world(library, world, &names, &options, &mut out).unwrap();
                    out
                };
                let plain = made(None);
                embedded += Glb::parse(&plain).json["images"].as_array().map_or(0, Vec::len);
                assert!(made(Some(&own)) == plain && made(Some(&strange)) == plain);
            }
        });
    });
    assert!(embedded > 1, "some of them show textures");
}
