//! Which list, texture or colour a name means.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::sync::LazyLock;

use worldview_corpus::island::generate::edge_cases;
use worldview_corpus::island::naive::{
    ALIASES, Kind, LodSource, NaiveDatabase, NaiveModel, Scope, Surface, TextureSource, database, is_inherited,
    lods_of, material, mesh_order, texture_of, unresolved,
};

static CASES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(edge_cases);

fn read(name: &str) -> NaiveDatabase {
    let found = CASES.iter().find(|(case, _)| case == name);
    database(&found.unwrap_or_else(|| panic!("no case {name}")).1).unwrap()
}

fn blob(db: &NaiveDatabase, world: usize, model: usize) -> usize {
    db.find(db.directory.worlds[world].models[model].place, Kind::Model).unwrap()
}

fn model_of(db: &NaiveDatabase, world: usize, model: usize) -> &NaiveModel {
    db.model_of(blob(db, world, model)).unwrap()
}

/// The lists that the shared objects of a model use.
fn lists(db: &NaiveDatabase, world: usize, model: usize) -> Vec<Option<LodSource>> {
    let objects = model_of(db, world, model).rois.iter().enumerate().filter(|(_, roi)| roi.shared != 0);
    objects.map(|(i, roi)| lods_of(db, Scope::Model { world, model }, i, &roi.list_key())).collect()
}

/// What leads nowhere, by its name.
fn lost(db: &NaiveDatabase) -> Vec<(String, bool)> {
    let text = |key: &[u8]| String::from_utf8_lossy(key).into_owned();
    unresolved(db).unwrap().iter().map(|lost| (text(&lost.key), lost.is_texture)).collect()
}

#[test]
fn lists_of_shared_objects() {
    let db = read("database");
    let world_part = Some(LodSource::Part { blob: 0, part: 0 });
    assert_eq!(lists(&db, 0, 0), [world_part]);
    assert_eq!(lists(&db, 1, 1), [world_part]);
    assert_eq!(lost(&db), []);
    let global = Some(LodSource::Global { part: 0 });
    for (name, expected) in [
        ("a shared object without digits", world_part),
        ("a shared object with many digits", world_part),
        ("a shared object with a NUL", world_part),
        ("a shared object of a global part", global),
        ("a part of the world that is a global one too", global),
    ] {
        assert_eq!(lists(&read(name), 0, 0), [expected], "{name}");
    }
    for (name, key) in [
        ("a shared object with digits in its middle", "l3g"),
        ("a shared object of digits only", ""),
        ("a shared object of no name", ""),
        ("a shared object with a letter behind its digits", "leg1b"),
        ("a shared object that nothing provides", "nobody"),
        ("a shared object of one read behind it", "tree"),
        ("a shared object of one without levels", "tree"),
    ] {
        let db = read(name);
        assert_eq!(lists(&db, 0, 0), [None], "{name}");
        // The model stands three times in two worlds; where it stands twice, the second can use what the first one had.
        let times = if name.ends_with("behind it") { 2 } else { 3 };
        assert_eq!(lost(&db), vec![(key.to_owned(), false); times], "{name}");
    }
    let db = read("a part of no name for objects of digits only");
    assert_eq!(lists(&db, 0, 0), [world_part, None]);
    let db = read("a shared object of one read before it");
    assert_eq!(lists(&db, 0, 0), [Some(LodSource::Roi { blob: blob(&db, 0, 0), roi: 1 }), None]);
    let db = read("a shared object of one whose level is empty");
    assert_eq!(lists(&db, 0, 0), [Some(LodSource::Roi { blob: blob(&db, 0, 0), roi: 1 })]);
    let db = read("a shared object of a model before it, behind it, and in another world");
    let maker = Some(LodSource::Roi { blob: blob(&db, 0, 0), roi: 0 });
    assert_eq!((lists(&db, 0, 1), lists(&db, 1, 0), lists(&db, 2, 0)), (vec![maker], vec![None], vec![None]));
}

#[test]
fn textures_by_name() {
    let own = |db: &NaiveDatabase| Some(TextureSource::Blob { blob: blob(db, 0, 0), texture: 0 });
    let scope = Scope::Model { world: 0, model: 0 };
    for (name, key, expected) in [
        ("a texture of the own list", &b"brick.gif"[..], Some(true)),
        ("a texture of the parts of the world", b"moss.gif", Some(false)),
        ("a texture that nothing provides", b"dummy.gif", None),
        ("a texture whose name is a NUL", b"", None),
        ("a texture whose name has a caret", b"^brick.gif", None),
        ("a texture whose name has a space", b"brick.gif ", None),
    ] {
        let db = read(name);
        let wall = &model_of(&db, 0, 0).rois[1];
        assert_eq!(wall.lods[0].meshes[0].texture.key(), key, "{name}");
        let expected =
            expected.map(|is_own| if is_own { own(&db).unwrap() } else { TextureSource::Blob { blob: 0, texture: 0 } });
        assert_eq!(texture_of(&db, scope, key), expected, "{name}");
        let text = String::from_utf8_lossy(key).into_owned();
        assert_eq!(lost(&db), vec![(text, true); if expected.is_none() { 3 } else { 0 }], "{name}");
    }
}

#[test]
fn the_order_of_the_lists() {
    let in_blob = |blob| Some(TextureSource::Blob { blob, texture: 0 });
    let of = |name: &str| {
        let db = read(name);
        let find = |scope| texture_of(&db, scope, b"x.gif");
        let models = [(0, 0), (1, 0), (2, 0), (2, 1)].map(|(world, model)| find(Scope::Model { world, model }));
        (models, find(Scope::Part { world: 0, part: 0 }), find(Scope::Global), find(Scope::Blob(2)))
    };
    let many = "a texture that many lists have";
    let parts = Some(TextureSource::Parts(0));
    assert_eq!(of(many), ([in_blob(1), in_blob(0), parts, in_blob(1)], in_blob(0), parts, parts));
    let fewer = "a texture that the global parts do not have";
    let global = Some(TextureSource::Global(0));
    assert_eq!(of(fewer), ([in_blob(1), in_blob(0), global, in_blob(1)], in_blob(0), global, global));
    let rest = "a texture that only another blob has";
    let any = in_blob(0);
    assert_eq!(of(rest), ([in_blob(1), any, any, in_blob(1)], any, any, any));
    assert_eq!(of("a texture that only lists which are skipped have"), ([None; 4], None, None, None));
    // The one that is known by a name with a NUL comes first.
    let db = read("a texture with a NUL and one of the same name");
    let found = texture_of(&db, Scope::Model { world: 0, model: 0 }, b"brick.gif");
    assert_eq!(found, Some(TextureSource::Blob { blob: blob(&db, 0, 0), texture: 0 }));
}

#[test]
fn colours_and_what_inherits() {
    const MAGENTA: [u8; 3] = [255, 0, 255];
    const WHITE: [u8; 3] = [255; 3];
    const RED: [u8; 3] = [0xCB, 0x12, 0x20];
    const OWN: [u8; 3] = [9, 8, 7];
    let face = Some(&b"inhface.gif"[..]);
    let brick = Some(&b"brick.gif"[..]);
    let plain = [
        (OWN, None),
        (RED, None),
        ([0x82; 3], None),
        (MAGENTA, None),
        (MAGENTA, None),
        (RED, None),
        (OWN, None),
        (MAGENTA, None),
        (WHITE, face),
        (WHITE, brick),
        (WHITE, brick),
        (OWN, None),
    ];
    let check = |name: &str, coloured: Option<[u8; 3]>, textured: Option<&[u8]>| {
        let db = read(name);
        let mut expected = plain;
        for mesh in [6, 7] {
            expected[mesh].0 = coloured.unwrap_or(expected[mesh].0);
        }
        for mesh in [8, 9] {
            expected[mesh].1 = textured.or(expected[mesh].1);
        }
        for (i, roi) in model_of(&db, 0, 0).rois.iter().enumerate().filter(|(_, roi)| !roi.lods.is_empty()) {
            for (mesh, (colour, texture)) in roi.lods[0].meshes.iter().zip(expected) {
                let found = material(mesh, &roi.texture);
                assert_eq!((found.colour, found.texture.as_deref()), (colour, texture), "{name}, object {i}");
                assert_eq!((found.opacity, found.surface, found.shines), (1.0, Surface::Smooth, false));
            }
            let inherits: Vec<_> = roi.lods[0].meshes.iter().map(is_inherited).collect();
            assert_eq!(inherits.iter().filter(|&&inherits| inherits).count(), 4);
            assert_eq!(mesh_order(&roi.lods[0]), [0, 1, 2, 3, 4, 5, 10, 11, 9, 8, 7, 6]);
        }
    };
    let kinds = "meshes of each kind";
    check(kinds, None, None);
    check(&format!("{kinds} on an object of a colour"), Some([0, 0x54, 0x8C]), None);
    check(&format!("{kinds} on an object of an unknown colour"), Some(MAGENTA), None);
    check(&format!("{kinds} on an object whose colour is a NUL"), Some(MAGENTA), None);
    check(&format!("{kinds} on an object of a texture"), Some(WHITE), Some(b"brick.gif"));
    check(&format!("{kinds} on an object of a texture of no name"), Some(WHITE), Some(b""));
}

#[test]
fn opacity_and_shading() {
    let of = |name: &str| {
        let db = read(name);
        let roi = &model_of(&db, 0, 0).rois[1];
        material(&roi.lods[0].meshes[1], &roi.texture)
    };
    for (alpha, opacity) in [("0.6", 0.6), ("1", 1.0), ("2", 2.0), ("-0.5", 1.0), ("NaN", 1.0)] {
        assert_eq!(of(&format!("alpha {alpha}")).opacity, opacity, "{alpha}");
    }
    for (shading, surface) in [
        (0, Surface::Flat),
        (1, Surface::Smooth),
        (2, Surface::Wireframe),
        (3, Surface::Smooth),
        (255, Surface::Smooth),
    ] {
        assert_eq!(of(&format!("shading {shading}")).surface, surface);
    }
    assert!(of("specular and unknown bytes").shines);
}

#[test]
fn the_table_of_colours() {
    assert!(ALIASES.iter().all(|(name, _)| name.starts_with("lego ") && *name == name.to_ascii_lowercase()));
    let of = |name: &str| ALIASES.iter().find(|(alias, _)| *alias == name).unwrap().1;
    assert_eq!((of("lego blue flat"), of("lego dk grey flt")), ([0, 84, 140], [64; 3]));
    assert_eq!((of("lego yellow"), of("lego white")), ([255, 185, 0], [250; 3]));
}
