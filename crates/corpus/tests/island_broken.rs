//! Whatever is done to a file, the naive reader ends with values or an error, and with the one that the rules say.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeMap;

use worldview_corpus::builder::Built;
use worldview_corpus::island::build::{build, build_model, build_parts};
use worldview_corpus::island::generate::{deep_nodes, deep_rois, edge_cases, small, wide_nodes};
use worldview_corpus::island::naive::{
    Kind, NaiveContent, NaiveDatabase, NaiveError, NaiveLod, Place, database, decode, directory, model, parts, placed,
    unresolved,
};
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, ModelRefSpec, ModelSpec, PartsSpec, PlaceSpec, TextureSpec, WorldSpec,
};
use worldview_corpus::rng::Rng;

/// The files that a reader of the directory refuses.
const DIRECTORY: &[&str] = &[
    "no bytes",
    "cut in the world count",
    "cut in a name of the directory",
    "cut behind the directory",
    "cut in the size of the textures",
    "cut in the textures",
    "cut behind the textures",
    "cut in the parts",
    "cut in the first blob",
    "cut in the last blob",
    "world count -1",
    "one world too many",
    "largest world count",
    "world name of -1 bytes",
    "world name of the largest size",
    "part count -1",
    "part count of half the range",
    "largest part count",
    "model count -1",
    "largest model count",
    "part name of the largest size",
    "model name of the largest size",
    "presenter of the largest size",
    "a model of no bytes behind the end",
    "a model that ends one byte behind the end",
    "offset and length that overflow 32 bits",
    "largest offset and length",
    "a texture chunk of the largest size",
    "a part chunk of the largest size",
    "a texture chunk of 1 bytes",
    "a texture chunk of 2 bytes",
    "a texture chunk of 3 bytes",
    "a texture chunk of one byte more",
];

/// The files of which the global textures are refused.
const TEXTURES: &[&str] = &[
    "world count 0 before worlds",
    "a texture chunk of 0 bytes",
    "one model too many",
    "one global texture too many",
    "most global textures",
    "global texture of a long name",
    "most colours",
    "an image of 257 colours among the global textures",
    "an image that lacks a row among the global textures",
    "an image of the largest size among the global textures",
    "an image whose size is 0 in 32 bits among the global textures",
];

/// The files of which the global parts are refused.
const PARTS: &[&str] = &["world count 0 before worlds", "one global part too many"];

/// The files of which a part blob is refused.
const PART_BLOB: &[&str] = &[
    "parts of no bytes",
    "parts of 11 bytes",
    "parts over the whole file",
    "a blob of parts that is the model",
    "a blob of junk beside sound ones",
    "a pair that lacks its second image",
    "one part too many",
    "most parts",
    "a part with a level too many",
    "a part with most levels",
    "a part that ends at its levels",
    "a part that ends before its levels",
    "a part that ends at 0",
    "a part that ends inside its levels",
    "a part that ends behind the blob",
    "a part that ends at the largest offset",
    "textures of parts at 8",
    "textures of parts at 7",
    "textures of parts behind the last word",
    "textures of parts at the largest offset",
    "one texture of parts too many",
    "most textures of parts",
    "a texture of parts whose name is longest",
    "a part whose name is longest",
];

/// The files of which a model is refused.
const MODEL: &[&str] = &[
    "a model of no bytes at the end",
    "a model over the whole file",
    "a model that is the blob of parts",
    "a model that lacks its last byte",
    "a model of 19 bytes",
    "a model of 3 bytes",
    "a blob of junk beside sound ones",
    "an image of 257 colours in a model",
    "an image that lacks a row in a model",
    "an image of the largest size in a model",
    "an image whose size is 0 in 32 bits in a model",
    "a model of version 0",
    "a model of version 18",
    "a model of version 20",
    "a model of version 318767104",
    "a model of version 4294967295",
    "textures of a model at 11",
    "textures of a model behind the last two words",
    "textures of a model at the largest offset",
    "one texture of a model too many",
    "most textures of a model",
    "a model of another version beside a sound one",
    "one mesh too many",
    "most meshes",
    "more positions than there are",
    "more normals than there are",
    "most texture coordinates",
    "texture coordinates that overflow 32 bits",
    "a texture name of the largest size",
    "a material name of the largest size",
    "indices that are not there",
    "most triangles",
    "a triangle too many",
    "a triangle too few",
    "an object with a level too many",
    "an object with most levels",
    "an object that ends at its levels",
    "an object that ends before its levels",
    "an object that ends at 0",
    "an object that ends inside its levels",
    "an object that ends at the end of the blob",
    "an object that ends behind the blob",
    "an object that ends at the largest offset",
    "one object too many",
    "most objects",
    "an object of the longest name",
    "an object of the longest texture",
    "an object whose flag is set by mistake",
    "a shared object whose flag is missing",
    "one actor too many",
    "most actors",
    "one node too many",
    "most nodes",
    "a node of the longest name",
    "one translation keys that are not there",
    "most translation keys that are not there",
    "most rotation keys that are not there",
    "most scale keys that are not there",
    "one morph keys that are not there",
    "most morph keys that are not there",
];

/// The files of which all can be read, but a mesh cannot be rebuilt.
const MESH: &[&str] = &[
    "a mesh without triangles that tells of vertices",
    "a vertex too many",
    "a vertex too few",
    "a first corner that goes back",
    "a corner that goes back to itself",
    "a corner that goes forward",
    "a corner that goes back by its high half only",
    "a position too many",
    "a position whose 16th bit is set",
    "a normal too many",
    "the largest position and normal",
    "a texture coordinate too many",
    "the largest texture coordinate",
    "corners without positions",
    "corners without normals",
    "a mesh that goes back into the one before",
];

/// Each level of detail of a file, with the error of rebuilding its meshes if there is one.
fn shapes(found: &NaiveDatabase) -> Vec<Result<(), NaiveError>> {
    let mut lods: Vec<&NaiveLod> = Vec::new();
    let blobs = found.blobs.iter().filter_map(|blob| blob.content.as_ref().ok());
    for content in blobs {
        match content {
            NaiveContent::Parts(parts) => lods.extend(parts.parts.iter().flat_map(|part| &part.lods)),
            NaiveContent::Model(model) => lods.extend(model.rois.iter().flat_map(|roi| &roi.lods)),
        }
    }
    lods.iter().flat_map(|lod| lod.meshes.iter().map(|mesh| decode(lod, mesh).map(drop))).collect()
}

/// Everything that reads, on bytes that may be anything; says which part is the first that is refused.
fn read_all(bytes: &[u8]) -> Option<&'static [&'static str]> {
    let Ok(found) = database(bytes) else {
        return Some(DIRECTORY);
    };
    let _ = unresolved(&found);
    for world in &found.directory.worlds {
        for reference in &world.models {
            let model = found.find(reference.place, Kind::Model).and_then(|blob| found.model_of(blob));
            for time in [0.0, 450.0] {
                let _ = model.map(|model| placed(model, reference, time));
            }
        }
    }
    let of = |kind| found.blobs.iter().any(|blob| blob.kind == kind && blob.content.is_err());
    if found.textures.is_err() {
        Some(TEXTURES)
    } else if found.parts.is_err() {
        Some(PARTS)
    } else if of(Kind::Parts) {
        Some(PART_BLOB)
    } else if of(Kind::Model) {
        Some(MODEL)
    } else {
        shapes(&found).iter().any(Result::is_err).then_some(MESH)
    }
}

#[test]
fn what_is_refused() {
    let mut refused: BTreeMap<&[&str], Vec<String>> = BTreeMap::new();
    for (name, bytes) in edge_cases() {
        let found = read_all(&bytes);
        if let Some(list) = found {
            refused.entry(list).or_default().push(name);
        }
    }
    for (list, what) in [
        (DIRECTORY, "directory"),
        (TEXTURES, "global textures"),
        (PARTS, "global parts"),
        (PART_BLOB, "part blob"),
        (MODEL, "model"),
        (MESH, "mesh"),
    ] {
        let mut found = refused.remove(list).unwrap_or_default();
        let mut expected: Vec<_> = list.iter().map(|&name| name.to_owned()).collect();
        // Each file is told by the first of its parts that is refused.
        expected.retain(|name| list == TEXTURES || name != "world count 0 before worlds");
        expected.retain(|name| list == PART_BLOB || name != "a blob of junk beside sound ones");
        found.sort_unstable();
        expected.sort_unstable();
        let missing: Vec<_> = expected.iter().filter(|name| !found.contains(name)).collect();
        let too_many: Vec<_> = found.iter().filter(|name| !expected.contains(name)).collect();
        assert!(missing.is_empty() && too_many.is_empty(), "{what}: not refused {missing:#?}, refused {too_many:#?}");
    }
}

#[test]
fn one_bad_blob_leaves_the_others_whole() {
    let case = |name: &str| edge_cases().into_iter().find(|(case, _)| case == name).unwrap().1;
    for (name, sound) in [("a blob of junk beside sound ones", 2), ("a model of another version beside a sound one", 2)]
    {
        let found = database(&case(name)).unwrap();
        assert_eq!(found.blobs.iter().filter(|blob| blob.content.is_ok()).count(), sound, "{name}");
    }
    let found = database(&case("one global texture too many")).unwrap();
    assert!(found.textures.is_err() && found.parts.is_ok() && found.blobs.iter().all(|blob| blob.content.is_ok()));
}

#[test]
fn every_cut_of_a_blob_is_an_error() {
    let spec = small(3);
    let bytes = build_parts(&PartsSpec { trailing: Vec::new(), ..spec.parts }).bytes;
    for end in 0..bytes.len() {
        assert!(parts(&bytes[..end], Place::whole(&bytes[..end])).is_err(), "cut at {end}");
    }
    let spec = ModelSpec::new("a", Vec::new()).texture(TextureSpec::new("t", ImageSpec::plain(2, 2, [1; 3])));
    let bytes = build_model(&spec).bytes;
    for end in 0..bytes.len() {
        assert!(model(&bytes[..end], Place::whole(&bytes[..end])).is_err(), "cut at {end}");
    }
}

#[test]
fn the_directory_is_read_without_the_rest() {
    let mut rng = Rng::new(5);
    for seed in 0..20 {
        let built = build(&small(seed));
        let mut copy = built.bytes.clone();
        let (textures, parts) = (built.at("textures.size").unwrap(), built.at("parts.size").unwrap());
        for (at, byte) in copy.iter_mut().enumerate() {
            if at >= textures + 4 && !(parts..parts + 4).contains(&at) {
                *byte = rng.next_u64().to_le_bytes()[0];
            }
        }
        assert_eq!(directory(&copy), directory(&built.bytes));
    }
}

#[test]
fn every_label_set_to_odd_values() {
    for seed in 0..6 {
        let built: Built = build(&small(seed));
        // A part of them, another one for each seed.
        for label in built.labels.keys().skip(usize::try_from(seed * 3).unwrap()).step_by(18) {
            for value in [0, 1, 17, 0x8000_0000, u32::MAX] {
                let mut broken = built.clone();
                // The last labels are the end of the file and have no bytes.
                if broken.patch_u32_le(label, value) {
                    read_all(&broken.bytes);
                }
            }
        }
    }
}

#[test]
fn random_bytes() {
    let mut rng = Rng::new(1);
    for seed in 0..60 {
        let whole = build(&small(seed)).bytes;
        for _ in 0..6 {
            let mut broken = whole.clone();
            for _ in 0..20 {
                let at = usize::try_from(rng.below(u32::try_from(broken.len()).unwrap())).unwrap();
                broken[at] = rng.next_u64().to_le_bytes()[0];
            }
            read_all(&broken);
        }
    }
}

#[test]
fn trees_of_any_depth() {
    let depth = 600_000;
    let bytes = deep_nodes(depth);
    let found = database(&bytes).unwrap();
    let reference = &found.directory.worlds[0].models[0];
    let tree = found.model_of(0).unwrap();
    assert_eq!(tree.nodes.len(), depth);
    assert!(placed(tree, reference, 0.0).is_ok());
    let bytes = deep_rois(depth);
    let found = database(&bytes).unwrap();
    let tree = found.model_of(0).unwrap();
    assert_eq!((tree.rois.len(), tree.rois[depth - 1].parent), (depth, Some(depth - 2)));
    assert!(placed(tree, &found.directory.worlds[0].models[0], 0.0).is_ok());
    // A tree that is cut at its deepest.
    let cut = &bytes[..bytes.len() - 20];
    let at = found.blobs[0].place;
    assert!(model(cut, Place { length: at.length - 20, ..at }).is_err());
}

#[test]
fn what_overlaps_or_looks_too_long_runs_out_of_budget() {
    // A thousand models that are all nearly the whole of a large blob.
    let image = ImageSpec::plain(512, 512, [1; 3]);
    let blob = BlobSpec::model(ModelSpec::new("large", Vec::new()).texture(TextureSpec::new("t", image)));
    let mut world = WorldSpec::new("W");
    for i in 0..1000 {
        let model = ModelRefSpec::new("m", 0);
        world = world.model(ModelRefSpec { place: PlaceSpec::Bytes { offset: i, length: 200_000 }, ..model });
    }
    let spec = DatabaseSpec { worlds: vec![world], blobs: vec![blob], ..DatabaseSpec::default() };
    assert!(database(&build(&spec).bytes).unwrap_err().is_budget());

    let found = database(&wide_nodes(20_000)).unwrap();
    let reference = &found.directory.worlds[0].models[0];
    assert!(placed(found.model_of(0).unwrap(), reference, 0.0).unwrap_err().is_budget());

    // Many references to a blob in which many names lead nowhere.
    let mut spec = small(1);
    let first = spec.worlds[1].models[0].clone();
    spec.worlds[1].models.resize(200_000, first);
    let found = database(&build(&spec).bytes).unwrap();
    assert!(unresolved(&found).unwrap_err().is_budget());
}
