//! Compares what the views offer beyond their description, structure by structure.

use worldview_corpus::island::naive::{
    self, NaiveContent, NaiveDirectory, NaiveGeometry, NaiveImage, NaiveLod, NaiveMesh, NaiveModel, NaiveName,
    NaiveParts, NaiveTexture, Real,
};
use worldview_island::{
    Content, Contents, Counts, Database, DatabaseDescription, Geometry, Image, Indices, Lod, Lods, Mesh, Model, Name,
    Parts, Shading, Target, Textures, Vertices,
};

use super::{tree, wide};
use crate::equal;
use crate::tree::Tree;

/// Compares every value of a directory, and the places of chunks and blobs.
pub fn directory(database: &Database<'_>, naive: &NaiveDirectory) -> Result<(), String> {
    // The chunks and blobs are left out, since their bytes may be anything.
    let nothing =
        database.source().error(worldview_core::ErrorKind::TooLong { want: 0 }, "contents that are not read", 0);
    let contents = Contents { textures: Err(nothing), parts: Err(nothing), blobs: Vec::new() };
    Tree::of(&DatabaseDescription::new(database, &contents)).same(&tree::directory(naive))?;
    for world in &naive.worlds {
        name("name of a world", &world.name)?;
        world.parts.iter().try_for_each(|part| name("name of a part reference", &part.name))?;
        for model in &world.models {
            name("name of a model reference", &model.name)?;
            name("presenter", &model.presenter)?;
        }
    }
    for world in database.worlds() {
        equal("the world by number", &database.world(world.index).map(|found| found.at), &Some(world.at))?;
    }
    equal("a world behind the last", &database.world(naive.worlds.len()).is_some(), &false)?;
    let numbers: Vec<_> = database.blobs().iter().map(|blob| blob.index()).collect();
    equal("numbers of the blobs", &numbers, &(0..numbers.len()).collect::<Vec<_>>())
}

/// Compares what a name offers besides its bytes.
fn name(what: &str, naive: &NaiveName) -> Result<(), String> {
    let views = Name::new(&naive.0);
    equal(what, views.text(), naive.text().as_slice())?;
    equal("key of a name", &views.text().to_ascii_lowercase(), &naive.key())?;
    equal("a name equals itself in a different case", &views.is(naive.key().to_ascii_uppercase()), &true)?;
    equal("absence of a name", &views.is_absent(), &naive.is_absent())?;
    // The text, its NUL if present, and the rest make up all bytes.
    let nul = &[0][..usize::from(views.text().len() < views.counted().len())];
    equal("name in pieces", &[views.text(), nul, views.tail()].concat(), &naive.0)
}

/// Compares every value of a blob or chunk.
pub fn content(views: &Content<'_>, naive: &NaiveContent) -> Result<(), String> {
    match (views, naive) {
        (Content::Parts(views), NaiveContent::Parts(list)) => {
            Tree::of(views).same(&tree::content(naive))?;
            parts(views, list)
        }
        (Content::Model(views), NaiveContent::Model(one)) => {
            Tree::of(&**views).same(&tree::content(naive))?;
            model(views, one)
        }
        _ => Err("is of another kind".to_owned()),
    }
}

pub(super) fn textures(views: Textures<'_>, naive: &[NaiveTexture]) -> Result<(), String> {
    equal("textures", &views.len(), &naive.len())?;
    equal("no textures", &views.is_empty(), &naive.is_empty())?;
    for (views, naive) in views.iter().zip(naive) {
        name("name of a texture", &naive.name)?;
        equal("real name", &views.real_name().to_ascii_lowercase(), &naive.key)?;
        image(&views.low(), &naive.image)?;
        image(&views.high(), naive.best())?;
        // The name directly precedes the image.
        equal("offset", &(views.at + 4 + wide(naive.name.0.len())), &naive.image.at)?;
    }
    Ok(())
}

fn image(views: &Image<'_>, naive: &NaiveImage) -> Result<(), String> {
    let (sizes, expected) = ((views.at, views.width, views.height), (naive.at, naive.width, naive.height));
    equal("offset and size of an image", &sizes, &expected)?;
    equal("pixels", views.pixels, &naive.pixels[..])?;
    equal("colors of a palette", &views.palette.len(), &naive.palette.len())?;
    let color = |&pixel: &u8| naive.palette.get(usize::from(pixel)).copied().unwrap_or([0; 3]);
    let expected: Vec<_> = naive.pixels.iter().map(color).collect();
    let (mut rgb, mut rgba) = (vec![[9; 3]; expected.len()], vec![[9; 4]; expected.len()]);
    views
        .rgb_into(rgb.as_flattened_mut())
        .and(views.rgba_into(rgba.as_flattened_mut()))
        .map_err(|why| why.to_string())?;
    equal("colors of the pixels", &rgb, &expected)?;
    let opaque: Vec<_> = expected.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
    equal("colors and opacity of the pixels", &rgba, &opaque)?;
    equal("a byte too many is refused", &views.rgb_into(&mut vec![0; 3 * expected.len() + 1]).is_err(), &true)?;
    let colors: Vec<_> = (0..=u8::MAX).map(|index| views.color(index)).collect();
    equal("colors", &colors, &(0..=u8::MAX).map(|index| color(&index)).collect::<Vec<_>>())
}

pub(super) fn parts(views: &Parts<'_>, naive: &NaiveParts) -> Result<(), String> {
    textures(views.textures, &naive.textures)?;
    equal("parts", &views.len(), &naive.parts.len())?;
    for (index, (part, naive)) in views.iter().zip(&naive.parts).enumerate() {
        name("name of a part", &naive.name)?;
        lods(part.lods, &naive.lods).map_err(|why| format!("part {index}: {why}"))?;
    }
    Ok(())
}

fn lods(views: Lods<'_>, naive: &[NaiveLod]) -> Result<(), String> {
    equal("levels", &views.len(), &naive.len())?;
    for (index, (views, naive)) in views.iter().zip(naive).enumerate() {
        lod(&views, naive).map_err(|why| format!("level {index}: {why}"))?;
    }
    Ok(())
}

fn lod(views: &Lod<'_>, naive: &NaiveLod) -> Result<(), String> {
    equal("is extra", &views.is_extra(), &naive.is_extra())?;
    equal("meshes counted", &views.meshes.len(), &(naive.mesh_count.unwrap_or(0) as usize))?;
    equal("order of the meshes", &views.draw_order(), &naive::mesh_order(naive))?;
    let triangles = naive.meshes.iter().map(|mesh| u64::from(mesh.triangles)).sum::<u64>();
    equal("triangles", &views.triangles(), &triangles)?;
    for (index, (views, naive_mesh)) in views.meshes.iter().zip(&naive.meshes).enumerate() {
        mesh(&views, naive, naive_mesh).map_err(|why| format!("mesh {index}: {why}"))?;
    }
    Ok(())
}

fn mesh(views: &Mesh<'_>, lod: &NaiveLod, naive: &NaiveMesh) -> Result<(), String> {
    equal("offset of the UV indices", &views.uv_indices_at(), &naive.uv_indices_at)?;
    name("texture", &naive.texture)?;
    name("material", &naive.material)?;
    equal("inherits", &views.inherits(), &naive::is_inherited(naive))?;
    geometry(views, lod, naive)?;
    let objects: [&[u8]; 8] =
        [b"", b"\0", b"Lego BLUE", b"lego lt grey fla\0", b"pink", b"T_moss.gif", b"t_", b"t_x\0junk"];
    objects.iter().try_for_each(|object| material(views, naive, object))
}

/// Compares the appearance of a mesh on an object with that color or texture name.
fn material(views: &Mesh<'_>, naive: &NaiveMesh, object: &[u8]) -> Result<(), String> {
    let views = views.material(Name::new(object));
    let naive = naive::material(naive, &NaiveName(object.to_vec()));
    let what = || format!("material on \"{}\"", object.escape_ascii());
    let shading = match naive.surface {
        naive::Surface::Flat => Shading::Flat,
        naive::Surface::Smooth => Shading::Smooth,
        naive::Surface::Wireframe => Shading::Wireframe,
    };
    equal(&what(), &(views.color, views.shading, views.shines), &(naive.color, shading, naive.shines))?;
    equal(&what(), &views.opacity.to_bits(), &naive.opacity.to_bits())?;
    equal(&what(), &views.texture.map(<[u8]>::to_ascii_lowercase), &naive.texture)
}

/// Compares decoded meshes. The result must not depend on earlier contents of the buffer, and an error must have a valid
/// offset.
fn geometry(views: &Mesh<'_>, lod: &NaiveLod, mesh: &NaiveMesh) -> Result<(), String> {
    let (mut fresh, mut used) = (Geometry::default(), Geometry { indices: vec![7; 9], ..Geometry::default() });
    let naive = naive::decode(lod, mesh);
    match (views.decode_into(&mut fresh), views.decode_into(&mut used)) {
        (Err(error), Err(_)) => {
            let end = mesh.uv_indices_at + 4 * wide(mesh.uv_indices.len());
            let is_inside = (mesh.at..=end).contains(&error.at);
            if is_inside { Ok(()) } else { Err(format!("lies outside the mesh: {error}")) }
        }
        (one, other) => equal("decoded twice", &(one, used.indices), &(other, fresh.indices)),
    }?;
    shared(views, naive.as_ref().ok())
}

/// Floats that belong to no attribute, and those that no mesh may write to.
const REST: f32 = -7.0;

/// Decodes a mesh twice into one buffer of interleaved vertices with 32-bit indices, with a vertex and an index between, before
/// and after the two, and compares everything in it.
fn shared(views: &Mesh<'_>, naive: Option<&NaiveGeometry>) -> Result<(), String> {
    const STRIDE: usize = 11;
    const GAP: Counts = Counts { vertices: 1, indices: 1 };
    let counts = views.counts();
    let all = GAP + counts + GAP + counts + GAP;
    let (mut values, mut numbers) = (vec![REST; all.vertices * STRIDE], vec![u32::MAX; all.indices]);
    let mut target = Target {
        vertices: Vertices::Interleaved { values: &mut values, stride: STRIDE, position: 6, normal: 1, uv: 9 },
        indices: Indices::U32 { numbers: &mut numbers, base: 1000 },
    };
    let mut decode = || {
        target.take(GAP).map_err(|why| why.to_string())?;
        equal("decoded into memory of the caller", &views.decode_to(&mut target).is_ok(), &naive.is_some())
    };
    decode().and_then(|()| decode())?;
    let gap = [REST.to_bits(); STRIDE];
    let (mut vertices, mut indices) = (vec![gap], vec![u32::MAX]);
    for first in [1001, 1002 + u32::try_from(counts.vertices).unwrap_or(u32::MAX)] {
        for at in 0..counts.vertices {
            let zero = ([Real(0); 3], [Real(0); 3], [Real(0); 2]);
            let ([x, y, z], [a, b, c], [u, v]) =
                naive.map_or(zero, |naive| (naive.positions[at], naive.normals[at], naive.uvs[at]));
            let rest = Real(REST.to_bits());
            vertices.push([rest, a, b, c, rest, rest, x, y, z, u, v].map(|real| real.0));
        }
        indices.extend((0..counts.indices).map(|at| naive.map_or(0, |naive| first + naive.indices[at])));
        vertices.push(gap);
        indices.push(u32::MAX);
    }
    let values: Vec<_> = values.iter().map(|value| value.to_bits()).collect();
    equal("interleaved vertices", &values.as_slice(), &vertices.as_flattened())?;
    equal("32-bit indices", &numbers, &indices)
}

fn model(views: &Model<'_>, naive: &NaiveModel) -> Result<(), String> {
    textures(views.textures, &naive.textures)?;
    let own = if naive.skip_textures == 0 { naive.textures.len() } else { 0 };
    equal("own textures", &views.own_textures().len(), &own)?;
    let animation = &views.animation;
    equal("actors", &animation.actor_count(), &naive.actors.len())?;
    let actors: Vec<_> = animation.actors().map(|actor| (actor.name.counted(), actor.kind)).collect();
    let expected: Vec<_> = naive.actors.iter().map(|actor| (actor.name.0.as_slice(), actor.kind)).collect();
    equal("actors there are", &actors, &expected)?;
    naive.actors.iter().try_for_each(|actor| name("name of an actor", &actor.name))?;
    equal("nodes", &animation.nodes.len(), &naive.nodes.len())?;
    for (index, (views, naive)) in animation.nodes.iter().zip(&naive.nodes).enumerate() {
        name("name of a node", &naive.name)?;
        let keys = naive.translations.len() + naive.rotations.len() + naive.scales.len() + naive.morphs.len();
        equal("keys", &views.key_count(), &keys)?;
        equal("parent of a node", &animation.nodes.parent(index), &naive.parent)?;
        equal("node by number", &animation.nodes.get(index).map(|node| node.at), &Some(naive.at))?;
    }
    equal("keys", &animation.has_keys(), &animation.nodes.iter().any(|node| node.key_count() > 0))?;
    equal("objects", &views.rois.len(), &naive.rois.len())?;
    equal("objects to come", &views.rois.iter().skip(1).len(), &naive.rois.len().saturating_sub(1))?;
    for (index, (roi, naive)) in views.rois.iter().zip(&naive.rois).enumerate() {
        name("name of an object", &naive.name)?;
        name("color", &naive.texture)?;
        equal("is shared", &roi.is_shared(), &(naive.shared != 0))?;
        equal("is drawn", &roi.is_drawn(), &naive.is_drawn())?;
        equal("name of the list", &roi.list_name().to_ascii_lowercase(), &naive.list_key())?;
        lods(roi.lods, &naive.lods).map_err(|why| format!("object {index}: {why}"))?;
        equal("parent of an object", &views.rois.parent(index), &naive.parent)?;
        equal("object by number", &views.rois.get(index).map(|roi| roi.at), &Some(naive.at))?;
    }
    equal("an object behind the last", &views.rois.get(naive.rois.len()).is_some(), &false)
}

/// Returns all meshes of a blob or chunk.
pub fn meshes<'a>(content: &Content<'a>) -> impl Iterator<Item = Mesh<'a>> {
    content.lods().flatten().flat_map(|lod| lod.meshes)
}
