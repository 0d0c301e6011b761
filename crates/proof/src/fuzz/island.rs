//! WORLD.WDB.

use worldview::island::{Contents, Database, DatabaseDescription, Library, Scope};
use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, PartsSpec, TextureSpec, WorldSpec};
use worldview_corpus::sink::Count;
use worldview_export::model::{glb, png};
use worldview_inspect::Root;

use super::{LONGEST, holds, sink, turn};

/// A whole file, from its directory to its meshes.
pub fn island(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    holds(crate::island::agree(data));
    holds(crate::island::lossy_keeps_its_word(data));
    match turn(data, 3) {
        0 => holds(crate::island::names_agree(data)),
        1 => holds(crate::island::poses_agree(data)),
        _ => {}
    }
    outputs(data);
}

/// A blob and nothing else: that of a model, or behind an odd first byte that of parts.
///
/// It lies in a file of one world that refers to it; what a model of that file may look for by name is there as well.
pub fn island_blob(data: &[u8]) {
    let Some((&kind, blob)) = data.split_first().filter(|_| data.len() <= LONGEST) else { return };
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

fn outputs(data: &[u8]) {
    let Ok(database) = Database::parse_lossy(data, &mut |_| {}) else { return };
    let contents = Contents::read_lossy(&database, &mut |_| {});
    let len = data.len();
    let export = |what, run: &mut dyn FnMut(&mut Count) -> worldview_export::Result<()>| {
        sink::export(what, len, (len, len), |out| run(out));
    };
    let library = Library::new(&database, &contents);
    let described = DatabaseDescription::new(&database, &contents);
    let root = Root::new("world", database.source(), &described);
    match turn(data, 5) {
        turn @ 0..3 => sink::inspect(&root, turn, (len, len)),
        3 => {
            for world in 0..database.worlds().len().min(3) {
                let names = library.world_names(world);
                let options = glb::Options::default();
                export("world", &mut |out| glb::world(&library, world, &names, &options, out).map(drop));
            }
        }
        _ => {
            for (blob, content) in contents.blobs.iter().enumerate().take(3) {
                let options = glb::Options::default().lods(glb::LodChoice::Level(1));
                export("model", &mut |out| {
                    glb::model(&library, blob, Scope::Blob(blob), None, &options, out).map(drop)
                });
                if let Ok(content) = content {
                    for texture in content.textures().iter().take(2) {
                        export("texture", &mut |out| png::image(texture.image, out));
                    }
                }
            }
        }
    }
}
