//! Names that resolve, resolve to something unexpected, or do not resolve.

use super::{Cases, base, image, lod, model};
use crate::island::spec::{
    BlobSpec, ContentSpec, DatabaseSpec, LodSpec, LodsSpec, MeshSpec, ModelRefSpec, ModelSpec, PartSpec, PartsSpec,
    RoiSpec, TextureSpec, WorldSpec,
};

fn with_objects(objects: Vec<RoiSpec>) -> ModelSpec {
    let mut model = model();
    model.roi.children = objects;
    model
}

pub(super) fn lists(cases: &mut Cases) {
    for (name, object) in [
        ("a shared object without digits", "Leg"),
        ("a shared object with many digits", "LEG000123"),
        ("a shared object of a global part", "hat2"),
        ("a shared object with digits in its middle", "l3g4"),
        ("a shared object of digits only", "123"),
        ("a shared object of no name", ""),
        ("a shared object with a NUL", "leg1\0x9"),
        ("a shared object with a letter behind its digits", "leg1b"),
        ("a shared object that nothing provides", "nobody1"),
    ] {
        cases.model(name, with_objects(vec![RoiSpec::shared(object)]));
    }
    let parts = |name: &str| PartsSpec { parts: vec![PartSpec::new(name, vec![lod()])], ..PartsSpec::default() };
    let mut digits = base();
    digits.blobs[0] = BlobSpec::parts(parts(""));
    digits.blobs[1] = BlobSpec::model(with_objects(vec![RoiSpec::shared("123"), RoiSpec::shared("leg")]));
    cases.database("a part of no name for objects of digits only", &digits);
    let mut both = base();
    both.blobs[0] = BlobSpec::parts(parts("HAT"));
    both.blobs[1] = BlobSpec::model(with_objects(vec![RoiSpec::shared("hat1")]));
    cases.database("a part of the world that is a global one too", &both);
    let before =
        with_objects(vec![RoiSpec::new("Tree", vec![lod()]), RoiSpec::shared("tree1"), RoiSpec::shared("bush1")]);
    cases.model("a shared object of one read before it", before);
    let after = with_objects(vec![RoiSpec::shared("tree1"), RoiSpec::new("Tree", vec![lod()])]);
    cases.model("a shared object of one read behind it", after);
    let hollow = with_objects(vec![RoiSpec::new("tree", Vec::new()), RoiSpec::shared("tree1")]);
    cases.model("a shared object of one without levels", hollow);
    let flat = LodsSpec::Own { lods: vec![LodSpec::empty(4)], before_end: Vec::new() };
    let flat = with_objects(vec![RoiSpec { lods: flat, ..RoiSpec::new("tree", Vec::new()) }, RoiSpec::shared("tree1")]);
    cases.model("a shared object of one whose level is empty", flat);

    let maker = ModelSpec::new("maker", vec![lod()]);
    let user = with_objects(vec![RoiSpec::shared("maker5")]);
    let reference = |name: &str, blob: usize| ModelRefSpec::new(name, blob);
    let world = |name: &str, order: [usize; 2]| {
        WorldSpec::new(name).model(reference("one", order[0])).model(reference("two", order[1]))
    };
    cases.database(
        "a shared object of a model before it, behind it, and in another world",
        &DatabaseSpec {
            worlds: vec![
                world("BEFORE", [0, 1]),
                world("BEHIND", [1, 0]),
                WorldSpec::new("APART").model(reference("two", 1)),
            ],
            textures: base().textures,
            blobs: vec![BlobSpec::model(maker), BlobSpec::model(user)],
            ..DatabaseSpec::default()
        },
    );
}

pub(super) fn textures(cases: &mut Cases) {
    let wanting = |name: &str| {
        let mut lod = lod();
        lod.meshes[0].texture = name.into();
        lod
    };
    let wall = |name: &str| RoiSpec::new("wall", vec![wanting(name)]);
    for (name, texture) in [
        ("a texture of the own list", "BRICK.gif"),
        ("a texture of the parts of the world", "Moss.GIF"),
        ("a texture that nothing provides", "dummy.gif"),
        ("a texture whose name is a NUL", "\0"),
        ("a texture whose name has a caret", "^brick.gif"),
        ("a texture whose name has a space", "brick.gif "),
    ] {
        cases.model(name, with_objects(vec![wall(texture)]));
    }
    let lost = ["a.gif", "b.gif", "c.gif", "d.gif"].map(wall);
    let lost = lost.into_iter().chain([RoiSpec::shared("nobody1")]).collect();
    cases.model("textures and levels that nothing provides", with_objects(lost));
    let list = |name: &str| vec![TextureSpec::new(name, image())];
    let parts = |lods: Vec<LodSpec>, textures| PartsSpec {
        parts: vec![PartSpec::new("leg", lods)],
        textures,
        ..PartsSpec::default()
    };
    let model_of = |wants: &str, has: &str| {
        let mut model = with_objects(vec![wall(wants)]);
        model.textures = list(has);
        model
    };
    // `x.gif` is in five lists; the worlds omit one list after another.
    let spec = DatabaseSpec {
        worlds: vec![
            WorldSpec::new("OWN").part("leg", 0).model(ModelRefSpec::new("own", 1)),
            WorldSpec::new("PARTS").part("leg", 0).model(ModelRefSpec::new("other", 2)),
            WorldSpec::new("GLOBAL").model(ModelRefSpec::new("other", 2)).model(ModelRefSpec::new("own", 1)),
        ],
        textures: list("X.gif"),
        parts: parts(vec![wanting("x.gif")], list("x.GIF")),
        blobs: vec![
            BlobSpec::parts(parts(vec![wanting("x.gif"), wanting("y.gif")], list("x.gif"))),
            BlobSpec::model(model_of("X.GIF", "x.gif")),
            BlobSpec::model(model_of("x.gif", "y.gif")),
        ],
        ..DatabaseSpec::default()
    };
    cases.database("a texture that many lists have", &spec);
    let mut fewer = spec.clone();
    fewer.parts.textures.clear();
    cases.database("a texture that the global parts do not have", &fewer);
    fewer.textures.clear();
    cases.database("a texture that only another blob has", &fewer);
    let mut skipped = fewer;
    for blob in &mut skipped.blobs {
        if let ContentSpec::Model(model) = &mut blob.content {
            model.skip_textures = 1;
        }
    }
    skipped.blobs[0] = BlobSpec::parts(parts(vec![lod()], Vec::new()));
    cases.database("a texture that only lists which are skipped have", &skipped);
}

pub(super) fn materials(cases: &mut Cases) {
    let mesh = |texture: &str, material: &str, alias: u8| {
        let corners = MeshSpec::pack([(0, 0, 0), (1, 0, 1), (2, 0, 2)]);
        let has_uvs = !texture.is_empty();
        let (texture, material) = (texture.into(), material.into());
        MeshSpec { corners, has_uvs, texture, material, alias, color: [9, 8, 7], ..MeshSpec::default() }
    };
    let kinds = [
        mesh("", "lego red", 0),
        mesh("", "Lego RED", 1),
        mesh("", "lego lt grey fla", 255),
        mesh("", "lego pink", 1),
        mesh("", "", 1),
        mesh("", "lego red\0junk", 1),
        mesh("", "inherited", 0),
        mesh("", "INH", 1),
        mesh("inhface.gif", "", 0),
        mesh("brick.gif", "Inh", 0),
        mesh("brick.gif", "in", 0),
        mesh("", "xinh", 0),
    ];
    let lod = LodSpec { meshes: kinds.to_vec(), ..lod() };
    for (name, color) in [
        ("meshes of each kind", ""),
        ("meshes of each kind on an object of a color", "LEGO blue"),
        ("meshes of each kind on an object of an unknown color", "blue"),
        ("meshes of each kind on an object of a texture", "T_brick.gif"),
        ("meshes of each kind on an object of a texture of no name", "t_"),
        ("meshes of each kind on an object of a texture that nothing provides", "t_none.gif"),
        ("meshes of each kind on an object whose color is a NUL", "\0lego red"),
    ] {
        let mut object = RoiSpec::new("wall", vec![lod.clone()]);
        object.texture = color.into();
        // Children do not inherit what their parent inherits.
        let mut parent = RoiSpec::new("above", Vec::new());
        parent.texture = b"lego green".to_vec();
        cases.model(name, with_objects(vec![object.clone(), parent.child(object)]));
    }
}
