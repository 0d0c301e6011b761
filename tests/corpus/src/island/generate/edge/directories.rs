//! The directory, the chunks after it, and the positions of blobs.

use super::{Cases, base};
use crate::island::build::build;
use crate::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, PlaceSpec, WorldSpec, with_nul};

pub(super) fn whole(cases: &mut Cases) {
    cases.database("database", &base());
    cases.database("database without worlds", &DatabaseSpec::default());
    let empty = DatabaseSpec { worlds: vec![WorldSpec::new("EMPTY"); 3], ..DatabaseSpec::default() };
    cases.database("worlds without references", &empty);
    let mut names = base();
    names.worlds[0].name = b"HILL\0behind\0".to_vec();
    names.worlds[1].name = Vec::new();
    names.worlds[0].parts[0].name = b"Leg".to_vec();
    names.worlds[0].models[0].name = with_nul("x".repeat(300));
    names.worlds[1].parts[0].name = with_nul("a part whose name is longer than the buffer of the game".repeat(4));
    names.worlds[1].models[0].presenter = Vec::new();
    names.worlds[1].models[0].name = b"\0".to_vec();
    cases.database("names of the directory with and without NULs", &names);
    let mut presenters = base();
    presenters.worlds[1].models[0].presenter = with_nul("LegoActorPresenter");
    presenters.worlds[1].models[1].presenter = with_nul("legoentitypresenter");
    presenters.worlds[1].models[1].visible = 0xFF;
    presenters.worlds[1].models[0].visible = 0;
    cases.database("presenters and visibilities", &presenters);
    let mut same = base();
    same.worlds[1].name = with_nul("hill");
    cases.database("two worlds of one name", &same);
}

pub(super) fn places(cases: &mut Cases) {
    let at = |offset, length| PlaceSpec::Bytes { offset, length };
    let built = build(&base());
    let end = u32::try_from(built.bytes.len()).unwrap_or(0);
    let model = u32::try_from(built.at("blob[1]").unwrap_or(0)).unwrap_or(0);
    for (name, place) in [
        ("a model of no bytes at the end", at(end, 0)),
        ("a model of no bytes behind the end", at(end + 1, 0)),
        ("a model that ends one byte behind the end", at(model, end - model + 1)),
        ("offset and length that overflow 32 bits", at(u32::MAX, 2)),
        ("largest offset and length", at(u32::MAX, u32::MAX)),
        ("a model over the whole file", at(0, end)),
        ("a model that is the blob of parts", PlaceSpec::Blob(0)),
        ("a model that lacks its last byte", at(model, end - model - 1)),
        ("a model of 19 bytes", at(model, 19)),
        ("a model of 3 bytes", at(model, 3)),
    ] {
        let mut spec = base();
        spec.worlds[1].models[1].place = place;
        cases.database(name, &spec);
    }
    for (name, offset, length) in
        [("parts of no bytes", 0, 0), ("parts of 11 bytes", 0, 11), ("parts over the whole file", 0, end)]
    {
        let mut spec = base();
        spec.worlds[0].parts[0].place = at(offset, length);
        cases.database(name, &spec);
    }
    let mut spec = base();
    spec.worlds[0].parts[0].place = PlaceSpec::Blob(1);
    cases.database("a blob of parts that is the model", &spec);

    let mut order = base();
    order.blobs.swap(0, 1);
    for world in &mut order.worlds {
        world.parts[0].place = PlaceSpec::Blob(1);
        world.models.iter_mut().for_each(|model| model.place = PlaceSpec::Blob(0));
    }
    cases.database("blobs that are out of order", &order);
    let mut gaps = base();
    gaps.blobs[0].gap = vec![0xAA; 5];
    gaps.blobs[1].gap = vec![0; 1];
    gaps.trailing = b"behind".to_vec();
    cases.database("gaps between blobs and bytes behind them", &gaps);
    let mut raw = base();
    raw.blobs.push(BlobSpec::raw([7; 40]));
    raw.worlds[0] = raw.worlds[0].clone().model(ModelRefSpec::new("junk", 2)).part("junk", 2);
    cases.database("a blob of junk beside sound ones", &raw);
}

pub(super) fn chunks(cases: &mut Cases) {
    let mut spec = base();
    spec.textures_trailing = vec![1, 2, 3];
    cases.database("bytes behind the global textures", &spec);
    for (name, label, value) in [
        ("a texture chunk of one byte more", "textures.size", 0),
        ("no global texture", "textures.texture_count", 0),
        ("no global part", "parts.part_count", 0),
    ] {
        let spec = base();
        let size = build(&spec).read_u32_le("textures.size").unwrap_or(0) + 1;
        let value = if name.ends_with("byte more") { size } else { value };
        cases.patched(name, &spec, &[(label, value)]);
    }
    for size in 0..4 {
        // The following words and bytes are then read as the chunk of parts, or are missing.
        cases.patched(&format!("a texture chunk of {size} bytes"), &base(), &[("textures.size", size)]);
    }
}
