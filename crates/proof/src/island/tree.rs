//! What the naive reader has read of a database, as trees.

use std::collections::BTreeSet;

use worldview_corpus::island::naive::{
    self, Kind, NaiveBlob, NaiveContent, NaiveDatabase, NaiveDirectory, NaiveError, NaiveImage, NaiveKey, NaiveLod,
    NaiveMesh, NaiveModel, NaiveName, NaiveParts, NaiveTexture, Place, Real,
};

use crate::tree::{Leaf, Tree};

/// A whole file.
pub(super) fn database(database: &NaiveDatabase) -> Tree {
    let directory = &database.directory;
    let blobs = directory.blobs();
    let number = |place: Place, kind: Kind| blobs.binary_search(&(place, kind)).ok().map(|blob| blob as u64);
    let mut names: BTreeSet<(u64, Vec<u8>)> = BTreeSet::new();
    let worlds: Vec<_> = directory.worlds.iter().map(|world| {
        let parts = world.parts.iter().map(|part| {
            let blob = number(part.place, Kind::Parts);
            names.extend(blob.map(|blob| (blob, part.name.text())));
            place(part.place).with("name", &part.name).with("blob", blob)
        });
        let parts: Vec<_> = parts.collect();
        let models = world.models.iter().map(|model| {
            let blob = number(model.place, Kind::Model);
            names.extend(blob.map(|blob| (blob, model.name.text())));
            place(model.place)
                .with("name", &model.name)
                .with("blob", blob)
                .with("presenter", &model.presenter)
                .with("location", reals(&model.location))
                .with("direction", reals(&model.direction))
                .with("up", reals(&model.up))
                .with("visible", model.visible)
        });
        Tree::default().with("name", &world.name).list("parts", parts).list("models", models)
    }).collect();
    let blobs = (0..).zip(&database.blobs).map(|(index, blob): (u64, _)| {
        let called = names.iter().filter(|(blob, _)| *blob == index);
        let called = called.map(|(_, name)| Tree::default().with("name", name.as_slice()));
        contents(blob).list("names", called)
    });
    file(directory)
        .list("worlds", worlds)
        .list("global_textures", [opened(&database.textures, |list| textures(Tree::default(), list)).unjudged(&["trailing_bytes"])])
        .list("global_parts", [opened(&database.parts, parts)])
        .list("blobs", blobs)
}

fn file(directory: &NaiveDirectory) -> Tree {
    Tree::default()
        .with("directory_end", directory.end)
        .list("texture_chunk", [place(directory.textures)])
        .list("parts_chunk", [place(directory.parts)])
}

fn place(place: Place) -> Tree {
    Tree::default().with("offset", place.offset).with("length", place.length)
}

/// What was read, or that it could not be.
fn opened<T>(read: &Result<T, NaiveError>, tree: impl Fn(&T) -> Tree) -> Tree {
    read.as_ref().map_or_else(|_| Tree { broken: true, ..Tree::default() }, tree)
}

fn contents(blob: &NaiveBlob) -> Tree {
    opened(&blob.content, |read| content(read).with("kind", match blob.kind {
        Kind::Parts => "parts",
        Kind::Model => "model",
    }))
}

/// What a blob holds.
pub(super) fn content(content: &NaiveContent) -> Tree {
    match content {
        NaiveContent::Parts(list) => parts(list),
        NaiveContent::Model(one) => model(one),
    }
}

impl From<&NaiveName> for Leaf {
    fn from(name: &NaiveName) -> Self {
        if name.is_absent() { Self::Absent } else { name.0.as_slice().into() }
    }
}

fn reals(reals: &[Real]) -> Leaf {
    Leaf::List(reals.iter().map(|real| Leaf::Float(real.0)).collect())
}

fn points<const N: usize>(points: &[[Real; N]]) -> Leaf {
    Leaf::Words(points.iter().flatten().map(|real| real.0).collect())
}

pub(super) fn textures(tree: Tree, list: &[NaiveTexture]) -> Tree {
    tree.list("textures", list.iter().map(|texture| {
        let images = [Some(&texture.image), texture.second.as_ref()];
        Tree::default().with("name", &texture.name).list("images", images.into_iter().flatten().map(image))
    }))
}

fn image(image: &NaiveImage) -> Tree {
    let color = |&[red, green, blue]: &[u8; 3]| u32::from_be_bytes([0, red, green, blue]);
    Tree::default()
        .with("width", image.width)
        .with("height", image.height)
        .with("palette", Leaf::Words(image.palette.iter().map(color).collect()))
        .with("pixels", image.pixels.as_slice())
}

pub(super) fn parts(list: &NaiveParts) -> Tree {
    let part = |part: &naive::NaivePart| {
        lods(&part.lods, part.lods_end).with("name", &part.name).with("end", part.end_offset)
    };
    let tree = Tree::default()
        .with("textures_offset", list.texture_offset)
        .with("parts_end", list.parts_end)
        .with("textures_end", list.textures_end)
        .list("parts", list.parts.iter().map(part));
    textures(tree, &list.textures)
}

fn lods(list: &[NaiveLod], end: u64) -> Tree {
    Tree::default().with("lods_end", end).list("lods", list.iter().map(lod))
}

fn lod(lod: &NaiveLod) -> Tree {
    // The two bits that neither count takes.
    let unused = lod.counts.map_or(0, |counts| counts & 0x8000_8000);
    Tree::default()
        .with("flags", lod.flags)
        .with("counts", lod.counts)
        .with("unused_bits", unused)
        .with("uv_count", lod.uv_count)
        .with("positions", points(&lod.vertices))
        .with("normals", points(&lod.normals))
        .with("uvs", points(&lod.uvs))
        .list("meshes", lod.meshes.iter().map(|one| mesh(lod, one)))
}

fn mesh(lod: &NaiveLod, mesh: &NaiveMesh) -> Tree {
    let tree = Tree::default();
    let Ok(rebuilt) = naive::decode(lod, mesh) else { return Tree { broken: true, ..tree } };
    tree.with("triangle_count", mesh.triangles)
        .with("vertex_count", mesh.vertices)
        .with("uv_index_count", mesh.uv_index_count)
        .with("has_uv_indices", u8::from(mesh.uv_index_count != 0))
        .with("color", mesh.colour.as_slice())
        .with("alpha", Leaf::Float(mesh.alpha.0))
        .with("shading", mesh.shading)
        .with("specular", mesh.specular)
        .with("unknown", mesh.unknown)
        .with("alias", mesh.alias)
        .with("texture", &mesh.texture)
        .with("material", &mesh.material)
        .with("corners", Leaf::Words(mesh.corners.clone()))
        .with("uv_indices", Leaf::Words(mesh.uv_indices.clone()))
        .with("positions", points(&rebuilt.positions))
        .with("normals", points(&rebuilt.normals))
        .with("uvs", points(&rebuilt.uvs))
        .with("triangle_corners", Leaf::Words(rebuilt.indices))
}

pub(super) fn model(model: &NaiveModel) -> Tree {
    let parent = |parent: Option<usize>| parent.map(|parent| parent as u64);
    let actor = |actor: &naive::NaiveActor| Tree::default().with("name", &actor.name).with("type", actor.kind);
    let node = |node: &naive::NaiveNode| {
        Tree::default()
            .with("parent", parent(node.parent))
            .with("name", &node.name)
            .with("child_count", node.child_count)
            .list("translations", node.translations.iter().map(|found| key(found, reals(&found.value))))
            .list("rotations", node.rotations.iter().map(|found| key(found, reals(&found.value))))
            .list("scales", node.scales.iter().map(|found| key(found, reals(&found.value))))
            .list("morphs", node.morphs.iter().map(|found| key(found, found.value.into())))
    };
    let roi = |roi: &naive::NaiveRoi| {
        lods(&roi.lods, roi.lods_end)
            .with("parent", parent(roi.parent))
            .with("name", &roi.name)
            .with("center", reals(&roi.centre))
            .with("radius", Leaf::Float(roi.radius.0))
            .with("minimum", reals(&roi.minimum))
            .with("maximum", reals(&roi.maximum))
            .with("color_name", &roi.texture)
            .with("shared", roi.shared)
            .with("end", roi.end_offset)
            .with("child_count", roi.child_count)
    };
    let tree = Tree::default()
        .with("model_version", 19_u32)
        .with("textures_offset", model.texture_offset)
        .with("roi_count", model.roi_count)
        .with("duration", model.duration)
        .with("rois_end", model.tree_end)
        .with("skip", model.skip_textures)
        .with("textures_end", model.textures_end)
        .list("actors", model.actors.iter().map(actor))
        .list("nodes", model.nodes.iter().map(node))
        .list("rois", model.rois.iter().map(roi));
    textures(tree, &model.textures)
}

fn key<T>(key: &NaiveKey<T>, value: Leaf) -> Tree {
    Tree::default().with("time", key.time).with("flags", key.flags).with("value", value)
}
