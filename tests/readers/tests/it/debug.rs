//! Checks what `{:?}` prints for views.

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use worldview_island::{Contents, Database, Library};
use worldview_wpd::{Archive, Schemas, Table};
use worldview_wwd::{self as wwd, Level};

fn is_short(view: &impl Debug) {
    let text = format!("{view:?}");
    assert!(text.len() < 600, "{} bytes: {text:.900}", text.len());
}

/// `{:?}` summarizes a view instead of printing the file's contents.
#[test]
fn debug_is_a_summary() {
    let read = |name| fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap();
    let file = read("items.wdb");
    let table = Table::parse(&file).unwrap();
    is_short(&table);
    is_short(&table.archive());
    is_short(&table.archive().get(0));
    is_short(&table.strings());
    is_short(&table.string_arrays());
    is_short(&table.words());
    is_short(&table.get(0));
    is_short(&table.column::<u32>("uPurchasePrice"));
    is_short(&Schemas::builtin());
    let file = read("wdbpack.bin");
    is_short(&Archive::parse(&file));

    let file = read("harbour.wwd");
    let unpacked = wwd::unpack(&file).unwrap();
    is_short(&unpacked);
    let level = Level::parse(&unpacked).unwrap();
    is_short(&level.image());
    is_short(&level.attributes());
    level.planes().iter().for_each(|plane| {
        is_short(plane);
        is_short(&plane.objects());
        is_short(&plane.image_sets());
    });
    is_short(&wwd::outline(&file, &mut Vec::new()));

    let file = read("world.wdb");
    let database = Database::parse(&file).unwrap();
    is_short(&database);
    database.worlds().for_each(|world| is_short(&world));
    let contents = Contents::read(&database);
    is_short(&contents);
    is_short(&Library::new(&database, &contents));
    for content in contents.blobs.iter().flatten() {
        is_short(&content.textures());
        for roi in content.model().iter().flat_map(|model| model.rois.iter()) {
            is_short(&roi.lods);
            roi.lods.iter().for_each(|lod| {
                is_short(&lod);
                lod.meshes.iter().for_each(|mesh| is_short(&mesh));
            });
        }
        content.textures().iter().for_each(|texture| is_short(&texture));
    }
}
