//! Databases as parsed by the naive reader, converted to trees.

use std::collections::BTreeSet;

use worldview_corpus::island::naive::{
    self, Kind, NaiveContent, NaiveDatabase, NaiveDirectory, NaiveError, NaiveImage, NaiveKey, NaiveLod, NaiveMesh,
    NaiveModel, NaiveName, NaiveParts, NaiveTexture, Place, Real,
};

use super::wide;
use crate::tree::{Leaf, Tree};

/// Converts a whole file.
pub(super) fn database(database: &NaiveDatabase) -> Tree {
    let blobs = database.blobs.iter().map(|blob| read_or_broken(&blob.content, content));
    // Bytes after the textures have no meaning.
    let textures = read_or_broken(&database.textures, |list| textures(Tree::default(), list));
    let parts = read_or_broken(&database.parts, parts);
    file(&database.directory, textures.unjudged(&["trailing_bytes"]), parts, blobs)
}

/// Converts a directory whose chunks and blobs were not read.
pub(super) fn directory(directory: &NaiveDirectory) -> Tree {
    file(directory, Tree::unread(), Tree::unread(), directory.blobs().iter().map(|_| Tree::default()))
}

/// Combines a directory with the contents of the chunks and blobs.
fn file(directory: &NaiveDirectory, textures: Tree, parts: Tree, contents: impl Iterator<Item = Tree>) -> Tree {
    let blobs = directory.blobs();
    // The names under which each blob is referenced, and the number of references.
    let mut names = vec![BTreeSet::new(); blobs.len()];
    let mut references = vec![0_u32; blobs.len()];
    let mut reference = |name: &NaiveName, place: Place, kind: Kind| {
        let blob = blobs.binary_search(&(place, kind)).ok();
        if let Some(blob) = blob {
            names[blob].insert(name.text());
            references[blob] += 1;
        }
        at(place).with("name", name).with("blob", blob.map(wide))
    };
    let mut worlds = Vec::new();
    for world in &directory.worlds {
        let parts: Vec<_> = world.parts.iter().map(|part| reference(&part.name, part.place, Kind::Parts)).collect();
        let models = world.models.iter().map(|model| {
            reference(&model.name, model.place, Kind::Model)
                .with("presenter", &model.presenter)
                .with("location", reals(&model.location))
                .with("direction", reals(&model.direction))
                .with("up", reals(&model.up))
                .with("visible", model.visible)
        });
        worlds.push(Tree::default().with("name", &world.name).list("parts", parts).list("models", models));
    }
    let blobs = blobs.iter().zip(contents).enumerate().map(|(index, (&(place, kind), content))| {
        let called = names[index].iter().map(|name| Tree::default().with("name", name.as_slice()));
        let kind = match kind {
            Kind::Parts => "parts",
            Kind::Model => "model",
        };
        content
            .with("kind", kind)
            .with("offset", place.offset)
            .with("length", place.length)
            .with("references", references[index])
            .list("names", called)
    });
    Tree::default()
        .with("directory_end", directory.end)
        .list("texture_chunk", [at(directory.textures)])
        .list("parts_chunk", [at(directory.parts)])
        .list("worlds", worlds)
        .list("global_textures", [textures])
        .list("global_parts", [parts])
        .list("blobs", blobs)
}

fn at(place: Place) -> Tree {
    Tree::default().with("offset", place.offset).with("length", place.length)
}

/// Converts a result; an error becomes an unread part.
fn read_or_broken<T>(read: &Result<T, NaiveError>, tree: impl Fn(&T) -> Tree) -> Tree {
    read.as_ref().map_or_else(|_| Tree::unread(), tree)
}

/// Converts the content of a blob.
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

fn textures(tree: Tree, list: &[NaiveTexture]) -> Tree {
    tree.list(
        "textures",
        list.iter().map(|texture| {
            let images = [Some(&texture.image), texture.second.as_ref()];
            Tree::default().with("name", &texture.name).list("images", images.into_iter().flatten().map(image))
        }),
    )
}

fn image(image: &NaiveImage) -> Tree {
    let color = |&[red, green, blue]: &[u8; 3]| u32::from_be_bytes([0, red, green, blue]);
    Tree::default()
        .with("at", image.at)
        .with("width", image.width)
        .with("height", image.height)
        .with("palette", Leaf::Words(image.palette.iter().map(color).collect()))
        .with("pixels", image.pixels.as_slice())
}

fn parts(list: &NaiveParts) -> Tree {
    let part = |part: &naive::NaivePart| {
        lods(&part.lods, part.lods_end).with("at", part.at).with("name", &part.name).with("end", part.end_offset)
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
    // The two bits between the counts.
    let unused = lod.counts.map_or(0, |counts| counts & 0x0001_8000);
    Tree::default()
        .with("at", lod.at)
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
    let Ok(rebuilt) = naive::decode(lod, mesh) else { return Tree::unread() };
    let corners = (!mesh.corners.is_empty()).then_some(("corners at".to_owned(), mesh.corners_at));
    let indices = (!mesh.uv_indices.is_empty()).then_some(("uv_indices at".to_owned(), mesh.uv_indices_at));
    tree.with_all(corners)
        .with_all(indices)
        .with("at", mesh.at)
        .with("triangle_count", mesh.triangles)
        .with("vertex_count", mesh.vertices)
        .with("uv_index_count", mesh.uv_index_count)
        .with("has_uv_indices", u8::from(mesh.uv_index_count != 0))
        .with("color", mesh.color.as_slice())
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

fn model(model: &NaiveModel) -> Tree {
    let parent = |parent: Option<usize>| parent.map(wide);
    let actor = |actor: &naive::NaiveActor| Tree::default().with("name", &actor.name).with("type", actor.kind);
    let node = |node: &naive::NaiveNode| {
        Tree::default()
            .with("at", node.at)
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
            .with("at", roi.at)
            .with("parent", parent(roi.parent))
            .with("name", &roi.name)
            .with("center", reals(&roi.center))
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
