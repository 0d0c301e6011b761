use worldview::island::{
    Content, Contents, Database, DatabaseDescription, Geometry, Library, LodsAt, Rig, Scope, check,
};
use worldview_export::Result;
use worldview_export::model::glb::{self, Cache};
use worldview_export::model::png;
use worldview_inspect::Root;

use super::{Each, Tally};

/// How many worlds, models, parts and pictures of a file are written one by one. Each has a limit of its own here,
/// while the command has one for all of them.
const SOME: usize = 3;

pub(super) fn all(bytes: &[u8], each: Each<'_>) {
    each("island parse", &mut |tally| {
        let read = |database: Database<'_>| database.blobs().iter().map(|blob| blob.source.len()).sum();
        let parsed = Database::parse(bytes).map(|database| tally.items = read(database));
        tally.end(parsed);
    });
    let mut parsed = None;
    each("island parse_lossy", &mut |tally| parsed = Database::parse_lossy(bytes, &mut |_| tally.item()).ok());
    let Some(database) = &parsed else { return };
    each("island read", &mut |tally| tally.items = Contents::read(database).blobs.len() as u64);
    let mut contents = None;
    each("island read_lossy", &mut |tally| contents = Some(Contents::read_lossy(database, &mut |_| tally.item())));
    if let Some(contents) = &contents {
        walks(bytes, (database, contents), each);
        outputs(database, contents, each);
    }
}

fn walks(bytes: &[u8], (database, contents): (&Database<'_>, &Contents<'_>), each: Each<'_>) {
    each("island decode", &mut |tally| decode(contents, tally));
    each("island check", &mut |tally| check(database, contents, &mut |_| tally.item()));
    let described = DatabaseDescription::new(database, contents);
    let root = Root::new("world", database.source(), &described);
    let names = ["island find", "island diff", "island text", "island text full", "island json", "island json full"];
    super::inspect(names, &root, bytes.len(), each);
    each("island diff another", &mut |tally| {
        let mut other = bytes.to_vec();
        // This changes floats, colors and names, but mostly not counts, whose low bytes are at other offsets.
        let skip = usize::try_from(database.directory_end()).unwrap_or(usize::MAX);
        other.iter_mut().skip(skip + 7).step_by(53).for_each(|byte| *byte ^= 1);
        let Ok(right) = Database::parse_lossy(&other, &mut |_| {}) else { return };
        let second = Contents::read_lossy(&right, &mut |_| {});
        let described = DatabaseDescription::new(&right, &second);
        super::compare(&root, &Root::new("world", right.source(), &described), tally);
    });
    each("island names", &mut |tally| {
        let library = Library::new(database, contents);
        for world in database.worlds().take(SOME) {
            let names = library.world_names(world.index);
            for model in 0..world.models.len().min(SOME) {
                let names = library.names(Scope::Model { world: world.index, model }, Some(&names));
                tally.items += u64::from(names.texture(b"x").is_some()) + u64::from(names.lods(0, b"x").is_some());
            }
        }
    });
    each("island pose", &mut |tally| {
        for content in contents.blobs.iter().flatten() {
            if let Content::Model(model) = content {
                tally.items += Rig::new(model).pose(1.0).len() as u64;
            }
        }
    });
}

/// Decodes all meshes.
pub(crate) fn decode(contents: &Contents<'_>, tally: &mut Tally) {
    let mut geometry = Geometry::default();
    let contents = contents.blobs.iter().flatten().cloned();
    for content in contents {
        for mesh in worldview_readers::island::meshes(&content) {
            tally.items += u64::from(mesh.decode_into(&mut geometry).is_ok());
        }
    }
}

fn outputs<'a>(database: &Database<'a>, contents: &Contents<'a>, each: Each<'_>) {
    let mut write = |name, write: &dyn Fn(&mut Tally) -> Result<()>| {
        each(name, &mut |tally| {
            let written = write(tally);
            tally.end(written);
        });
    };
    let library = Library::new(database, contents);
    let cache = Cache::new(contents);
    let options = glb::Options::default().cache(&cache);
    write("island world.glb", &|out| {
        database.worlds().take(SOME).try_for_each(|world| {
            let names = library.world_names(world.index);
            glb::world(&library, world.index, &names, &options, &mut *out).map(drop)
        })
    });
    let models = || (0..database.blobs().len()).filter(|&blob| library.model(blob).is_some()).take(SOME);
    write("island model.glb", &|out| {
        models().try_for_each(|blob| glb::model(&library, blob, Scope::Blob(blob), None, &options, &mut *out).map(drop))
    });
    let parts = || (0..SOME).map(|part| LodsAt::Global { part }).filter(|&at| library.lods_at(at).is_some());
    write("island part.glb", &|out| {
        parts().try_for_each(|at| glb::part(&library, at, None, &options, &mut *out).map(drop))
    });
    write("island texture.png", &|out| {
        let Ok(textures) = contents.textures else { return Ok(()) };
        textures.iter().take(SOME).try_for_each(|texture| png::image(texture.high(), &mut *out))
    });
}
