//! One comparison for each structure of the format.

use worldview::island::raw::{Bounds, Rgb, TimeFlags, Vec3};
use worldview::island::{
    BlobKind, Content, Database, Geometry, Image, Lod, Lods, Mesh, Model, ModelRef, Name, Node, Parts, Roi, Shading,
    Texture, Textures,
};
use worldview_corpus::island::naive::{
    self, Kind, NaiveDirectory, NaiveImage, NaiveKey, NaiveLod, NaiveMesh, NaiveModel, NaiveModelRef, NaiveName,
    NaiveNode, NaiveParts, NaiveRoi, NaiveTexture, Place, Real,
};

use super::wide;
use crate::equal;

/// Compares every value of a directory, and the places of chunks and blobs.
///
/// # Errors
///
/// The first difference, in words.
pub fn directory(database: &Database<'_>, naive: &NaiveDirectory) -> Result<(), String> {
    equal("worlds", &database.worlds().len(), &naive.worlds.len())?;
    let blobs = naive.blobs();
    let number = |place: Place, kind: Kind| blobs.binary_search(&(place, kind)).ok();
    let mut references = vec![0; blobs.len()];
    for (world, naive) in database.worlds().zip(&naive.worlds) {
        name("name of a world", world.name, &naive.name)?;
        equal("parts of a world", &world.parts.len(), &naive.parts.len())?;
        for (part, naive) in world.parts.iter().zip(&naive.parts) {
            name("name of a part reference", part.name, &naive.name)?;
            equal("place of a part reference", &place_of(part.range), &naive.place)?;
            let blob = number(naive.place, Kind::Parts);
            equal("blob of a part reference", &part.blob(), &blob)?;
            blob.into_iter().for_each(|blob| references[blob] += 1);
        }
        equal("models of a world", &world.models.len(), &naive.models.len())?;
        for (model, naive) in world.models.iter().zip(&naive.models) {
            reference(model, naive)?;
            let blob = number(naive.place, Kind::Model);
            equal("blob of a model reference", &model.blob(), &blob)?;
            blob.into_iter().for_each(|blob| references[blob] += 1);
        }
        equal("the world by number", &database.world(world.index).map(|found| found.at), &Some(world.at))?;
    }
    equal("a world behind the last", &database.world(naive.worlds.len()).is_some(), &false)?;
    equal("end of the directory", &database.directory_end(), &naive.end)?;
    let window = |source: worldview::Source<'_>| Place { offset: source.base(), length: source.len() };
    equal("global texture chunk", &window(database.texture_chunk()), &naive.textures)?;
    equal("global parts chunk", &window(database.parts_chunk()), &naive.parts)?;
    equal("blobs", &database.blobs().len(), &blobs.len())?;
    for (index, (blob, naive)) in database.blobs().iter().zip(&blobs).enumerate() {
        equal("number of a blob", &blob.index(), &index)?;
        let kind = match blob.kind {
            BlobKind::Parts => Kind::Parts,
            BlobKind::Model => Kind::Model,
        };
        equal("place and kind of a blob", &(window(blob.source), kind), naive)?;
        equal("references to a blob", &blob.references, &references[index])?;
    }
    Ok(())
}

fn place_of(range: &worldview::island::raw::Range) -> Place {
    Place { offset: range.offset.get().into(), length: range.length.get().into() }
}

fn reference(model: &ModelRef<'_>, naive: &NaiveModelRef) -> Result<(), String> {
    name("name of a model reference", model.name, &naive.name)?;
    equal("place of a model reference", &place_of(model.range), &naive.place)?;
    name("presenter", model.presenter, &naive.presenter)?;
    equal("location", &point(model.placement.location), &naive.location)?;
    equal("direction", &point(model.placement.direction), &naive.direction)?;
    equal("up", &point(model.placement.up), &naive.up)?;
    equal("visible", &model.placement.visible, &naive.visible)
}

/// Counted bytes, text and key.
fn name(what: &str, views: Name<'_>, naive: &NaiveName) -> Result<(), String> {
    equal(what, views.counted(), naive.0.as_slice())?;
    equal("text of a name", views.text(), naive.text().as_slice())?;
    equal("key of a name", &views.text().to_ascii_lowercase(), &naive.key())?;
    equal("a name is itself in other letters", &views.is(&naive.key().to_ascii_uppercase()), &true)?;
    equal("absence of a name", &views.is_absent(), &naive.is_absent())?;
    // The text, its NUL if there is one, and the rest are all bytes.
    let nul = &[0][..usize::from(views.text().len() < views.counted().len())];
    equal("name in pieces", &[views.text(), nul, views.tail()].concat(), &naive.0)
}

/// Floats by their bits.
fn bits<const N: usize>(floats: [f32; N]) -> [Real; N] {
    floats.map(Real::from)
}

fn point(vector: Vec3) -> [Real; 3] {
    bits(vector.get())
}

pub(super) fn textures(views: Textures<'_>, naive: &[NaiveTexture]) -> Result<(), String> {
    equal("textures", &views.len(), &naive.len())?;
    equal("textures there are", &views.iter().count(), &naive.len())?;
    equal("no textures", &views.is_empty(), &naive.is_empty())?;
    for (index, (views, naive)) in views.iter().zip(naive).enumerate() {
        texture(&views, naive).map_err(|why| format!("texture {index}: {why}"))?;
    }
    Ok(())
}

fn texture(views: &Texture<'_>, naive: &NaiveTexture) -> Result<(), String> {
    name("name", views.name, &naive.name)?;
    equal("real name", &views.real_name().to_ascii_lowercase(), &naive.key)?;
    image(&views.image, &naive.image)?;
    image(&views.low(), &naive.image)?;
    image(&views.high(), naive.best())?;
    equal("second image", &views.second.is_some(), &naive.second.is_some())?;
    // The name lies right before the image.
    equal("offset", &(views.at + 4 + wide(naive.name.0.len())), &naive.image.at)
}

fn image(views: &Image<'_>, naive: &NaiveImage) -> Result<(), String> {
    equal("offset of an image", &views.at, &naive.at)?;
    equal("size of an image", &(views.width, views.height), &(naive.width, naive.height))?;
    let palette: Vec<_> = views.palette.iter().copied().map(Rgb::get).collect();
    equal("palette", &palette, &naive.palette)?;
    equal("pixels", views.pixels, naive.pixels.as_slice())?;
    let mut rgb = Vec::new();
    views.rgb_into(&mut rgb);
    let color = |&pixel: &u8| naive.palette.get(usize::from(pixel)).copied().unwrap_or([0; 3]);
    equal("colours of the pixels", &rgb, &naive.pixels.iter().flat_map(color).collect::<Vec<_>>())?;
    let colors: Vec<_> = (0..=u8::MAX).map(|index| views.color(index)).collect();
    equal("colours", &colors, &(0..=u8::MAX).map(|index| color(&index)).collect::<Vec<_>>())
}

pub(super) fn parts(views: &Parts<'_>, naive: &NaiveParts) -> Result<(), String> {
    equal("offset of the textures", &views.texture_offset, &naive.texture_offset)?;
    textures(views.textures, &naive.textures)?;
    equal("end of the textures", &views.textures.end(), &naive.textures_end)?;
    equal("parts", &views.len(), &naive.parts.len())?;
    equal("parts there are", &views.iter().count(), &naive.parts.len())?;
    for (index, (part, naive)) in views.iter().zip(&naive.parts).enumerate() {
        let same = || {
            equal("offset", &part.at, &naive.at)?;
            name("name", part.name, &naive.name)?;
            equal("end offset", &part.end_offset, &naive.end_offset)?;
            lods(part.lods, &naive.lods, naive.lods_end)
        };
        same().map_err(|why| format!("part {index}: {why}"))?;
    }
    equal("end of the parts", &views.end(), &naive.parts_end)
}

fn lods(views: Lods<'_>, naive: &[NaiveLod], end: u64) -> Result<(), String> {
    equal("levels", &views.len(), &naive.len())?;
    equal("levels there are", &views.iter().count(), &naive.len())?;
    for (index, (views, naive)) in views.iter().zip(naive).enumerate() {
        lod(&views, naive).map_err(|why| format!("level {index}: {why}"))?;
    }
    equal("end of the levels", &views.end(), &end)
}

fn lod(views: &Lod<'_>, naive: &NaiveLod) -> Result<(), String> {
    equal("offset", &views.at, &naive.at)?;
    equal("flags", &views.flags, &naive.flags)?;
    equal("is extra", &views.is_extra(), &naive.is_extra())?;
    let counts = views.counts.map(|counts| (counts.counts.get(), counts.uvs.get()));
    equal("counts", &counts, &naive.counts.zip(naive.uv_count))?;
    equal("positions", &points(views.positions), &naive.vertices)?;
    equal("normals", &points(views.normals), &naive.normals)?;
    equal("texture coordinates", &views.uvs.iter().map(|uv| bits(uv.get())).collect::<Vec<_>>(), &naive.uvs)?;
    equal("meshes", &views.meshes.len(), &naive.meshes.len())?;
    equal("meshes there are", &views.meshes.iter().count(), &naive.meshes.len())?;
    equal("meshes told", &views.meshes.len(), &(naive.mesh_count.unwrap_or(0) as usize))?;
    equal("order of the meshes", &views.draw_order(), &naive::mesh_order(naive))?;
    let triangles = naive.meshes.iter().map(|mesh| u64::from(mesh.triangles)).sum::<u64>();
    equal("triangles", &views.triangles(), &triangles)?;
    for (index, (views, naive_mesh)) in views.meshes.iter().zip(&naive.meshes).enumerate() {
        mesh(&views, naive_mesh)
            .and_then(|()| geometry(&views, naive, naive_mesh))
            .map_err(|why| format!("mesh {index}: {why}"))?;
    }
    Ok(())
}

fn points(views: &[Vec3]) -> Vec<[Real; 3]> {
    views.iter().copied().map(point).collect()
}

fn mesh(views: &Mesh<'_>, naive: &NaiveMesh) -> Result<(), String> {
    equal("offset", &views.at, &naive.at)?;
    equal("counts", &(views.triangles, views.vertices), &(naive.triangles, naive.vertices))?;
    equal("offset of the corners", &views.corners_at, &naive.corners_at)?;
    equal("corners", &views.corners.iter().map(|corner| corner.get()).collect::<Vec<_>>(), &naive.corners)?;
    equal("number of UV indices", &views.uv_index_count, &naive.uv_index_count)?;
    equal("offset of the UV indices", &views.uv_indices_at(), &naive.uv_indices_at)?;
    equal("UV indices", &views.uv_indices.iter().map(|index| index.get()).collect::<Vec<_>>(), &naive.uv_indices)?;
    let surface = views.surface;
    equal("colour", &[surface.red, surface.green, surface.blue], &naive.colour)?;
    equal("alpha", &Real::from(surface.alpha.get()), &naive.alpha)?;
    let flags = [surface.shading, surface.specular, surface.unknown, surface.alias];
    equal("flags", &flags, &[naive.shading, naive.specular, naive.unknown, naive.alias])?;
    name("texture", views.texture, &naive.texture)?;
    name("material", views.material, &naive.material)?;
    equal("inherits", &views.inherits(), &naive::is_inherited(naive))?;
    let objects: [&[u8]; 8] =
        [b"", b"\0", b"Lego BLUE", b"lego lt grey fla\0", b"pink", b"T_moss.gif", b"t_", b"t_x\0junk"];
    objects.iter().try_for_each(|object| material(views, naive, object))
}

/// What the mesh looks like on an object of that colour or texture.
fn material(views: &Mesh<'_>, naive: &NaiveMesh, object: &[u8]) -> Result<(), String> {
    let views = views.material(Name::new(object));
    let naive = naive::material(naive, &NaiveName(object.to_vec()));
    let what = || format!("material on \"{}\"", object.escape_ascii());
    let shading = match naive.surface {
        naive::Surface::Flat => Shading::Flat,
        naive::Surface::Smooth => Shading::Smooth,
        naive::Surface::Wireframe => Shading::Wireframe,
    };
    equal(&what(), &(views.color, views.shading, views.shines), &(naive.colour, shading, naive.shines))?;
    equal(&what(), &views.opacity.to_bits(), &naive.opacity.to_bits())?;
    equal(&what(), &views.texture.map(<[u8]>::to_ascii_lowercase), &naive.texture)
}

/// The mesh as both rebuild it.
fn geometry(views: &Mesh<'_>, lod: &NaiveLod, mesh: &NaiveMesh) -> Result<(), String> {
    let mut decoded = Geometry { indices: vec![7; 9], ..Geometry::default() };
    match (views.decode_into(&mut decoded), naive::decode(lod, mesh)) {
        (Err(error), Err(_)) => {
            let end = mesh.uv_indices_at + 4 * wide(mesh.uv_indices.len());
            let is_inside = (mesh.at..=end).contains(&error.at);
            if is_inside { Ok(()) } else { Err(format!("lies outside the mesh: {error}")) }
        }
        (Err(error), Ok(_)) => Err(format!("only the views refuse: {error}")),
        (Ok(()), Err(error)) => Err(format!("only the naive reader refuses: {error}")),
        (Ok(()), Ok(naive)) => {
            equal("decoded positions", &all_bits(&decoded.positions), &naive.positions)?;
            equal("decoded normals", &all_bits(&decoded.normals), &naive.normals)?;
            equal("decoded texture coordinates", &all_bits(&decoded.uvs), &naive.uvs)?;
            let indices: Vec<u32> = decoded.indices.iter().copied().map(u32::from).collect();
            equal("decoded indices", &indices, &naive.indices)
        }
    }
}

fn all_bits<const N: usize>(list: &[[f32; N]]) -> Vec<[Real; N]> {
    list.iter().copied().map(bits).collect()
}

pub(super) fn model(views: &Model<'_>, naive: &NaiveModel) -> Result<(), String> {
    equal("offset of the textures", &views.texture_offset, &naive.texture_offset)?;
    equal("number of objects", &views.roi_count, &naive.roi_count)?;
    equal("skip word", &views.skip_textures, &naive.skip_textures)?;
    textures(views.textures, &naive.textures)?;
    equal("end of the textures", &views.textures.end(), &naive.textures_end)?;
    let own = if naive.skip_textures == 0 { naive.textures.len() } else { 0 };
    equal("own textures", &views.own_textures().len(), &own)?;
    let animation = &views.animation;
    equal("duration", &animation.duration, &naive.duration)?;
    equal("actors", &animation.actor_count(), &naive.actors.len())?;
    equal("actors there are", &animation.actors().count(), &naive.actors.len())?;
    for (actor, naive) in animation.actors().zip(&naive.actors) {
        name("name of an actor", actor.name, &naive.name)?;
        equal("type of an actor", &actor.kind, &naive.kind)?;
    }
    equal("nodes", &animation.nodes.len(), &naive.nodes.len())?;
    equal("nodes there are", &animation.nodes.iter().count(), &naive.nodes.len())?;
    for (index, (views, naive)) in animation.nodes.iter().zip(&naive.nodes).enumerate() {
        node(&views, naive).map_err(|why| format!("node {index}: {why}"))?;
        equal("parent of a node", &animation.nodes.parent(index), &naive.parent)?;
        equal("node by number", &animation.nodes.get(index).map(|node| node.at), &Some(naive.at))?;
    }
    equal("keys", &animation.has_keys(), &animation.nodes.iter().any(|node| node.key_count() > 0))?;
    equal("objects", &views.rois.len(), &naive.rois.len())?;
    equal("objects there are", &views.rois.iter().count(), &naive.rois.len())?;
    for (index, (views_roi, naive)) in views.rois.iter().zip(&naive.rois).enumerate() {
        roi(&views_roi, naive).map_err(|why| format!("object {index}: {why}"))?;
        equal("parent of an object", &views.rois.parent(index), &naive.parent)?;
        equal("object by number", &views.rois.get(index).map(|roi| roi.at), &Some(naive.at))?;
    }
    equal("an object behind the last", &views.rois.get(naive.rois.len()).is_some(), &false)?;
    equal("end of the objects", &views.rois.end(), &naive.tree_end)
}

fn node(views: &Node<'_>, naive: &NaiveNode) -> Result<(), String> {
    equal("offset", &views.at, &naive.at)?;
    name("name", views.name, &naive.name)?;
    let vectors = views.translations.iter().map(|key| key_of(key.when, point(key.value)));
    equal("translations", &vectors.collect::<Vec<_>>(), &naive.translations)?;
    let turns = views.rotations.iter().map(|key| key_of(key.when, bits(key.get())));
    equal("rotations", &turns.collect::<Vec<_>>(), &naive.rotations)?;
    let vectors = views.scales.iter().map(|key| key_of(key.when, point(key.value)));
    equal("scales", &vectors.collect::<Vec<_>>(), &naive.scales)?;
    let morphs = views.morphs.iter().map(|key| key_of(key.when, key.visible));
    equal("morphs", &morphs.collect::<Vec<_>>(), &naive.morphs)?;
    let keys = naive.translations.len() + naive.rotations.len() + naive.scales.len() + naive.morphs.len();
    equal("keys", &views.key_count(), &keys)?;
    equal("children", &views.child_count, &naive.child_count)
}

fn key_of<T>(when: TimeFlags, value: T) -> NaiveKey<T> {
    NaiveKey { time: when.time(), flags: when.flags(), value }
}

fn roi(views: &Roi<'_>, naive: &NaiveRoi) -> Result<(), String> {
    equal("offset", &views.at, &naive.at)?;
    name("name", views.name, &naive.name)?;
    let Bounds { centre, radius, minimum, maximum } = *views.bounds;
    equal("centre", &point(centre), &naive.centre)?;
    equal("radius", &Real::from(radius.get()), &naive.radius)?;
    equal("box", &(point(minimum), point(maximum)), &(naive.minimum, naive.maximum))?;
    name("colour", views.color, &naive.texture)?;
    equal("shared", &views.shared, &naive.shared)?;
    equal("is shared", &views.is_shared(), &(naive.shared != 0))?;
    equal("is drawn", &views.is_drawn(), &naive.is_drawn())?;
    equal("name of the list", &views.list_name().to_ascii_lowercase(), &naive.list_key())?;
    equal("end offset", &views.end_offset, &naive.end_offset)?;
    equal("children", &views.child_count, &naive.child_count)?;
    lods(views.lods, &naive.lods, naive.lods_end)
}

/// All levels of a blob or chunk.
pub(super) fn levels<'a>(content: &Content<'a>) -> Vec<Lods<'a>> {
    match content {
        Content::Parts(parts) => parts.iter().map(|part| part.lods).collect(),
        Content::Model(model) => model.rois.iter().map(|roi| roi.lods).collect(),
    }
}

/// All meshes of a blob or chunk.
pub fn meshes<'a>(content: &Content<'a>) -> impl Iterator<Item = Mesh<'a>> {
    levels(content).into_iter().flat_map(|lods| lods.iter()).flat_map(|lod| lod.meshes.iter())
}
