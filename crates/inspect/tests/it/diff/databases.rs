use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, PartSpec, PartsSpec, PlaceSpec, TextureSpec, WorldSpec, with_nul,
};

use super::blobs::{image, lod, model, parts};
use super::support::{databases, edited};

/// Two worlds that share a model; one of them has a blob of parts.
pub(crate) fn database() -> DatabaseSpec {
    let worlds = vec![
        WorldSpec::new("ACT1")
            .part("trees", 0)
            .model(ModelRefSpec::new("Bike", 1))
            .model(ModelRefSpec::new("tower", 2)),
        WorldSpec::new("HOSP").model(ModelRefSpec::new("bike", 1)),
    ];
    DatabaseSpec {
        worlds,
        textures: vec![TextureSpec::new("water.gif", image())],
        parts: PartsSpec { parts: vec![PartSpec::new("leg", vec![lod()])], ..PartsSpec::default() },
        blobs: vec![
            BlobSpec::parts(parts()),
            BlobSpec::model(model()),
            BlobSpec::model(ModelSpec::new("tower", vec![lod()])),
        ],
        ..DatabaseSpec::default()
    }
}

fn differences(edit: impl FnOnce(&mut DatabaseSpec)) -> Vec<String> {
    let database = database();
    databases(&database, &edited(&database, edit))
}

/// Compares with the database after an edit.
#[track_caller]
fn gives(expected: &str, edit: impl FnOnce(&mut DatabaseSpec)) {
    assert_eq!(differences(edit).join("\n"), expected);
}

#[test]
fn where_blobs_lie_is_no_difference() {
    for edit in [
        (|_| {}) as fn(&mut DatabaseSpec),
        |database| database.trailing = b"behind".to_vec(),
        |database| database.textures_trailing = b"behind".to_vec(),
        |database| database.blobs[1].gap = b"before".to_vec(),
        |database| database.parts.before_textures = b"between".to_vec(),
        |database| database.blobs.push(BlobSpec::raw(b"nobody's")),
        // The blobs in reverse order.
        |database| {
            database.blobs.reverse();
            for world in &mut database.worlds {
                let places = world.parts.iter_mut().map(|part| &mut part.place);
                for place in places.chain(world.models.iter_mut().map(|model| &mut model.place)) {
                    let PlaceSpec::Blob(blob) = place else { panic!() };
                    *blob = 2 - *blob;
                }
            }
        },
        // A copy of a blob instead of the same blob.
        |database| {
            database.blobs.push(database.blobs[1].clone());
            database.worlds[1].models[0].place = PlaceSpec::Blob(3);
        },
    ] {
        assert_eq!(differences(edit), [""; 0]);
    }
}

#[test]
fn worlds_by_name() {
    gives("- world:ACT1", |database| _ = database.worlds.remove(0));
    gives("+ world:NEW", |database| database.worlds.push(WorldSpec::new("NEW")));
    gives("~ worlds: order: world:ACT1 -> world:HOSP", |database| database.worlds.swap(0, 1));
    gives("~ world:ACT1: name: \"ACT1\" -> \"act1\"", |database| database.worlds[0].name = with_nul("act1"));
    gives("~ world:ACT1: name_bytes: 4143543100 -> 41435431007800", |database| {
        database.worlds[0].name = b"ACT1\0x\0".to_vec()
    });
}

#[test]
fn references_by_name() {
    gives("- world:ACT1/part:trees", |database| _ = database.worlds[0].parts.pop());
    gives("- world:ACT1/model:Bike", |database| _ = database.worlds[0].models.remove(0));
    gives("+ world:HOSP/model:tower", |database| database.worlds[1].models.push(ModelRefSpec::new("tower", 2)));
    gives("~ world:ACT1/models: order: model:Bike -> model:tower", |database| database.worlds[0].models.swap(0, 1));
    type Edit = fn(&mut ModelRefSpec);
    let fields: [(Edit, &str); 7] = [
        (|model| model.presenter = Vec::new(), "presenter: \"LegoEntityPresenter\" -> none"),
        (|model| model.presenter = with_nul("Other"), "presenter: \"LegoEntityPresenter\" -> \"Other\""),
        (|model| model.location[1] = 2.5, "location: 0.0 0.0 0.0 -> 0.0 2.5 0.0"),
        (|model| model.direction[2] = -1.0, "direction: 0.0 0.0 1.0 -> 0.0 0.0 -1.0"),
        (|model| model.up[0] = -0.0, "up: 0.0 1.0 0.0 -> -0.0 1.0 0.0"),
        (|model| model.visible = 0, "visible: 1 -> 0"),
        (|model| model.place = PlaceSpec::Bytes { offset: 1 << 30, length: 5 }, "blob: blob:tower -> none"),
    ];
    for (edit, field) in fields {
        let differences = differences(|database| edit(&mut database.worlds[0].models[1]));
        assert_eq!(differences, [format!("~ world:ACT1/model:tower: {field}")]);
    }
}

#[test]
fn a_name_of_no_text_is_not_an_absent_one() {
    let with =
        |presenter: &[u8]| edited(&database(), |database| database.worlds[0].models[1].presenter = presenter.to_vec());
    let differences = databases(&with(b""), &with(b"\0"));
    assert_eq!(differences, ["~ world:ACT1/model:tower: presenter: none -> \"\""]);
    assert_eq!(databases(&with(b"Other"), &with(b"Other\0")), [""; 0]);
}

#[test]
fn what_is_in_a_blob_is_reported_once_by_the_first_that_refers_to_it() {
    let differences =
        differences(|database| database.blobs[1] = BlobSpec::model(edited(&model(), |model| model.roi_count = 9)));
    assert_eq!(differences, ["~ blob:Bike: roi_count: 1 -> 9"]);
}

#[test]
fn global_parts_and_textures() {
    gives("+ global_parts/part:arm", |database| database.parts.parts.push(PartSpec::new("arm", vec![])));
    gives("+ global_parts/texture:x", |database| database.parts.textures.push(TextureSpec::new("x", image())));
    gives("~ global_textures/texture:water.gif/image#0/pixel:1,1: 0 -> 1", |database| {
        database.textures[0].image.pixels[5] = 1
    });
    gives("- global_textures/texture:water.gif", |database| _ = database.textures.pop());
}

#[test]
fn a_blob_that_does_not_open() {
    let broken = |bytes: &[u8]| edited(&database(), |database| database.blobs[2] = BlobSpec::raw(bytes));
    let differences = databases(&database(), &broken(&[18, 0, 0, 0, 1, 2, 3]));
    assert_eq!(differences, ["~ blob:tower: content: whole -> broken: version of the model: expected 19, found 18"]);
    let differences = databases(&broken(&[17, 0, 0, 0]), &broken(&[18, 0, 0, 0]));
    assert_eq!(
        differences,
        ["~ blob:tower: content: broken: version of the model: expected 19, found 17 -> \
          broken: version of the model: expected 19, found 18"]
    );
}
