//! Models: their first words, and their object tree.

use super::{Cases, base, image, lod, model, padded};
use crate::island::build::build;
use crate::island::generate::{deep_nodes, deep_rois, wide_nodes};
use crate::island::spec::{BlobSpec, LodSpec, LodsSpec, ModelSpec, PlaceSpec, RoiSpec, TextureSpec};

pub(super) fn heads(cases: &mut Cases) {
    for version in [0, 18, 20, 0x1300_0000, u32::MAX] {
        cases.model(&format!("a model of version {version}"), ModelSpec { version, ..model() });
    }
    for roi_count in [0, 2, u32::MAX] {
        cases.model(&format!("a model with an ROI count of {roi_count}"), ModelSpec { roi_count, ..model() });
    }
    let gaps = ModelSpec { before_textures: vec![5; 9], trailing: vec![6; 3], ..model() };
    cases.model("bytes around the textures of a model", gaps);
    cases.model("a model without textures", ModelSpec { textures: Vec::new(), ..model() });
    let padded = padded();
    let built = build(&padded);
    let length = u32::try_from(built.bytes.len() - built.at("blob[1]").unwrap_or(0)).unwrap_or(0);
    for (name, label, value) in [
        ("textures of a model at 11", "texture_offset", 11),
        // The offset 12 points into the tree; it is not a texture list, but it is the lowest valid
        // offset.
        ("textures of a model at 12", "texture_offset", 12),
        ("textures of a model at the last two words", "texture_offset", length - 8),
        ("textures of a model behind the last two words", "texture_offset", length - 7),
        ("no texture of a model", "texture_count", 0),
    ] {
        cases.patched(name, &padded, &[(&format!("blob[1].{label}"), value)]);
    }
    let mut alone = base();
    alone.blobs.truncate(1);
    alone.blobs.push(BlobSpec::model(ModelSpec { version: 18, ..model() }));
    alone.blobs.push(BlobSpec::model(model()));
    alone.worlds[1].models[1].place = PlaceSpec::Blob(2);
    cases.database("a model of another version beside a sound one", &alone);
    inside(cases);
}

/// Adds models whose texture list is inside the padding bytes at the end of an object.
fn inside(cases: &mut Cases) {
    let list = [&1_u32.to_le_bytes()[..], &[0; 4], &2_u32.to_le_bytes(), b"in"].concat();
    let list = [&list[..], &1_u32.to_le_bytes(), &1_u32.to_le_bytes(), &[0; 4], &[7]].concat();
    let mut spec = model();
    spec.roi.children[0].lods = LodsSpec::Own { lods: vec![lod()], before_end: list.clone() };
    let mut file = base();
    file.blobs[1] = BlobSpec::model(spec);
    let built = build(&file);
    let end = built.read_u32_le("blob[1].roi.child[0].end_offset").unwrap_or(0);
    let at = end - u32::try_from(list.len()).unwrap_or(0);
    cases.patched("textures inside the tree of objects", &file, &[("blob[1].texture_offset", at)]);
}

pub(super) fn objects(cases: &mut Cases) {
    let with = |child: RoiSpec| {
        let mut model = model();
        model.roi.children.push(child);
        model
    };
    cases.model("an object without levels", with(RoiSpec::new("none", Vec::new())));
    cases.model("an object of no name", with(RoiSpec::new("", vec![lod()])));
    let mut parent = RoiSpec::new("parent", vec![lod()]);
    parent.children = vec![RoiSpec::new("deeper", vec![lod()]).child(RoiSpec::new("deepest", Vec::new()))];
    cases.model("levels of an object with objects below", with(parent));
    let mut shared = RoiSpec::shared("hat7");
    shared.children = vec![RoiSpec::new("brim", vec![lod()])];
    cases.model("a shared object with objects below", with(shared.clone()));
    shared.lods = LodsSpec::Shared(0xFF);
    cases.model("a shared object by another value", with(shared));
    let mut before = RoiSpec::new("padded", vec![lod(), LodSpec::empty(4)]);
    before.lods = LodsSpec::Own { lods: vec![lod(), LodSpec::empty(4)], before_end: vec![3; 11] };
    cases.model("bytes before the end of an object", with(before));
    let mut odd = RoiSpec::new("odd", Vec::new());
    (odd.center, odd.radius) = ([f32::NAN; 3], -1.0);
    (odd.minimum, odd.maximum) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    cases.model("bounds that are no numbers", with(odd));
    cases.model("a root that is shared", ModelSpec { roi: RoiSpec::shared("leg1"), ..model() });

    // With the wrong flag, the count of levels is read as the count of children, or vice versa.
    cases.spliced("an object whose flag is set by mistake", &base(), "blob[1].roi.child[0].shared", &[1]);
    cases.spliced("a shared object whose flag is missing", &base(), "blob[1].roi.child[1].shared", &[0]);
    cases.bytes("nodes that are 2000 deep", deep_nodes(2000));
    cases.bytes("objects that are 2000 deep", deep_rois(2000));
    cases.bytes("fifty nodes that look for the last of fifty objects", wide_nodes(50));
    let mut many = model().texture(TextureSpec::new("brick.gif", image()));
    many.roi.children.extend((0..40).map(|i| RoiSpec::new(&format!("part{i}"), vec![LodSpec::empty(0)])));
    cases.model("many objects", many);
}
