use winnow::binary::{le_i32, le_u16, le_u32, length_repeat, length_take, u8};
use winnow::combinator::{repeat, seq};
use winnow::error::EmptyError;
use winnow::token::take;
use winnow::{Parser, Result};

use super::{Blob, distinct};
use crate::readers::{Sum, bytes};

pub(super) fn digest(bytes: &[u8]) -> Option<u32> {
    let (directory, parts, models) = database(bytes).ok()?;
    Some([directory.sum(), parts.sum(), models.sum()].sum())
}

fn database(bytes: &[u8]) -> Result<(Directory, Vec<Parts>, Vec<Model>), EmptyError> {
    let directory = directory(&mut &*bytes)?;
    let (mut parts, mut models) = (Vec::new(), Vec::new());
    for Blob { offset, length, is_model } in distinct(directory.blobs()) {
        let blob = take(length as usize).parse_next(&mut from(bytes, offset)?)?;
        if is_model {
            models.push(model(blob)?);
        } else {
            parts.push(self::parts(blob)?);
        }
    }
    Ok((directory, parts, models))
}

/// Returns the input starting at an offset.
fn from(bytes: &[u8], offset: u32) -> Result<&[u8], EmptyError> {
    bytes.get(offset as usize..).ok_or(EmptyError)
}

fn name<'a>(input: &mut &'a [u8]) -> Result<&'a [u8], EmptyError> {
    length_take(le_u32).parse_next(input)
}

fn words<const N: usize>(input: &mut &[u8]) -> Result<[u32; N], EmptyError> {
    let mut out = [0; N];
    for word in &mut out {
        *word = le_u32.parse_next(input)?;
    }
    Ok(out)
}

/// Reads many words: takes a slice first, and then splits it into numbers.
fn many_words<'a>(count: u32) -> impl Parser<&'a [u8], Vec<u32>, EmptyError> {
    let words = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    take(4 * count as usize).map(words)
}

struct Directory {
    worlds: Vec<World>,
    textures: Vec<Texture>,
    parts: Parts,
}

fn directory(input: &mut &[u8]) -> Result<Directory, EmptyError> {
    let worlds = length_repeat(le_u32, world).parse_next(input)?;
    let (mut textures, parts) = (length_take(le_u32), length_take(le_u32)).parse_next(input)?;
    let textures = length_repeat(le_u32, texture(false)).parse_next(&mut textures)?;
    Ok(Directory { worlds, textures, parts: self::parts(parts)? })
}

struct World {
    parts: Vec<Reference>,
    models: Vec<ModelReference>,
}

fn world(input: &mut &[u8]) -> Result<World, EmptyError> {
    seq! {World {
        _: name,
        parts: length_repeat(le_u32, reference),
        models: length_repeat(le_u32, model_reference),
    }}
    .parse_next(input)
}

struct Reference {
    length: u32,
    offset: u32,
}

fn reference(input: &mut &[u8]) -> Result<Reference, EmptyError> {
    seq! {Reference { _: name, length: le_u32, offset: le_u32 }}.parse_next(input)
}

struct ModelReference {
    reference: Reference,
    place: [u32; 9],
    visible: u8,
}

fn model_reference(input: &mut &[u8]) -> Result<ModelReference, EmptyError> {
    seq! {ModelReference { reference: reference, _: name, place: words, visible: u8 }}.parse_next(input)
}

struct Texture {
    images: Vec<Image>,
}

fn texture(has_pairs: bool) -> impl FnMut(&mut &[u8]) -> Result<Texture, EmptyError> {
    move |input| {
        let is_pair = name(input)?.starts_with(b"^") && has_pairs;
        let count = if is_pair { 2_usize } else { 1 };
        Ok(Texture { images: repeat(count, image).parse_next(input)? })
    }
}

struct Image {
    width: u32,
    height: u32,
    colors: u32,
    palette: Vec<u8>,
    pixels: Vec<u8>,
}

fn image(input: &mut &[u8]) -> Result<Image, EmptyError> {
    let (width, height, colors) = (le_u32, le_u32, le_u32).parse_next(input)?;
    let palette = take(3 * colors as usize).map(<[u8]>::to_vec).parse_next(input)?;
    let pixels = take(width as usize * height as usize).map(<[u8]>::to_vec).parse_next(input)?;
    Ok(Image { width, height, colors, palette, pixels })
}

/// The global parts or a part blob; offsets count from the first byte.
struct Parts {
    parts: Vec<Part>,
    textures: Vec<Texture>,
}

fn parts<'a>(chunk: &'a [u8]) -> Result<Parts, EmptyError> {
    let input = &mut &*chunk;
    let textures = le_u32.parse_next(input)?;
    let parts = length_repeat(le_u32, |input: &mut &'a [u8]| part(input, chunk)).parse_next(input)?;
    let textures = length_repeat(le_u32, texture(true)).parse_next(&mut from(chunk, textures)?)?;
    Ok(Parts { parts, textures })
}

struct Part {
    lods: Vec<Lod>,
}

fn part<'a>(input: &mut &'a [u8], chunk: &'a [u8]) -> Result<Part, EmptyError> {
    let (_, count) = (name, le_u32).parse_next(input)?;
    Ok(Part { lods: lods(input, count, chunk)? })
}

/// Reads levels of detail, after the word that gives their end.
fn lods<'a>(input: &mut &'a [u8], count: u32, chunk: &'a [u8]) -> Result<Vec<Lod>, EmptyError> {
    let end = le_u32.parse_next(input)?;
    let lods = repeat(count as usize, lod).parse_next(input)?;
    *input = from(chunk, end)?;
    Ok(lods)
}

#[derive(Default)]
struct Lod {
    positions: Vec<u32>,
    normals: Vec<u32>,
    uvs: Vec<u32>,
    meshes: Vec<Mesh>,
}

fn lod(input: &mut &[u8]) -> Result<Lod, EmptyError> {
    if le_u32.parse_next(input)? & 4 != 0 {
        return Ok(Lod::default());
    }
    let mesh_count = le_u32.parse_next(input)?;
    if mesh_count == 0 {
        return Ok(Lod::default());
    }
    let (counts, uv_count) = (le_u32, le_i32).parse_next(input)?;
    let positions = many_words(3 * (counts & 0x7FFF)).parse_next(input)?;
    let normals = many_words(3 * (counts >> 17)).parse_next(input)?;
    let uvs = many_words(2 * uv_count.max(0).unsigned_abs()).parse_next(input)?;
    let meshes = repeat(mesh_count as usize, mesh).parse_next(input)?;
    Ok(Lod { positions, normals, uvs, meshes })
}

struct Mesh {
    corners: Vec<u32>,
    uv_indices: Vec<u32>,
}

fn mesh(input: &mut &[u8]) -> Result<Mesh, EmptyError> {
    let (triangles, _) = (le_u16, le_u16).parse_next(input)?;
    let corners = many_words(3 * u32::from(triangles)).parse_next(input)?;
    let has_uvs = le_u32.parse_next(input)? != 0;
    let uv_indices = many_words(if has_uvs { 3 * u32::from(triangles) } else { 0 }).parse_next(input)?;
    // The surface properties, and the names of texture and material.
    (take(11_usize), name, name).parse_next(input)?;
    Ok(Mesh { corners, uv_indices })
}

struct Model {
    root_node: Node,
    root: Roi,
    textures: Vec<Texture>,
}

fn model(blob: &[u8]) -> Result<Model, EmptyError> {
    let input = &mut &*blob;
    let (_, textures, _) = (le_u32.verify(|&version| version == 19), le_u32, le_u32).parse_next(input)?;
    length_repeat::<_, _, (), _, _, _, _>(le_u32, actor).parse_next(input)?;
    // The duration follows the actors.
    let (_, root_node) = (le_u32, node).parse_next(input)?;
    let root = roi(input, blob)?;
    let input = &mut from(blob, textures)?;
    let (count, _) = (le_u32, le_u32).parse_next(input)?;
    Ok(Model { root_node, root, textures: repeat(count as usize, texture(true)).parse_next(input)? })
}

fn actor(input: &mut &[u8]) -> Result<(), EmptyError> {
    if !name(input)?.is_empty() {
        le_u32.parse_next(input)?;
    }
    Ok(())
}

struct Node {
    translations: Vec<u32>,
    rotations: Vec<u32>,
    scales: Vec<u32>,
    morphs: Vec<Morph>,
    children: Vec<Node>,
}

/// Reads a count, and as many keys of `words` words each.
fn keys(words: u32) -> impl FnMut(&mut &[u8]) -> Result<Vec<u32>, EmptyError> {
    move |input| {
        let count = le_u16.parse_next(input)?;
        many_words(words * u32::from(count)).parse_next(input)
    }
}

fn node(input: &mut &[u8]) -> Result<Node, EmptyError> {
    seq! {Node {
        _: name,
        translations: keys(4),
        rotations: keys(5),
        scales: keys(4),
        morphs: length_repeat(le_u16, morph),
        children: length_repeat(le_u32, node),
    }}
    .parse_next(input)
}

struct Morph {
    time: u32,
    visible: u8,
}

fn morph(input: &mut &[u8]) -> Result<Morph, EmptyError> {
    seq! {Morph { time: le_u32, visible: u8 }}.parse_next(input)
}

struct Roi {
    bounds: [u32; 10],
    lods: Vec<Lod>,
    children: Vec<Roi>,
}

fn roi<'a>(input: &mut &'a [u8], blob: &'a [u8]) -> Result<Roi, EmptyError> {
    let (_, bounds, _, shared) = (name, words, name, u8).parse_next(input)?;
    let lod_count = if shared == 0 { le_u32.parse_next(input)? } else { 0 };
    let lods = if lod_count == 0 { Vec::new() } else { lods(input, lod_count, blob)? };
    let children = length_repeat(le_u32, |input: &mut &'a [u8]| roi(input, blob)).parse_next(input)?;
    Ok(Roi { bounds, lods, children })
}

impl Directory {
    fn blobs(&self) -> Vec<Blob> {
        let parts = self.worlds.iter().flat_map(|world| &world.parts).map(|reference| (reference, false));
        let models = self.worlds.iter().flat_map(|world| &world.models).map(|model| (&model.reference, true));
        let blob = |(reference, is_model): (&Reference, bool)| Blob {
            offset: reference.offset,
            length: reference.length,
            is_model,
        };
        parts.chain(models).map(blob).collect()
    }
}

impl Sum for Directory {
    fn sum(&self) -> u32 {
        [self.worlds.sum(), self.textures.sum(), self.parts.sum()].sum()
    }
}

impl Sum for World {
    fn sum(&self) -> u32 {
        self.parts.sum().wrapping_add(self.models.sum())
    }
}

impl Sum for Reference {
    fn sum(&self) -> u32 {
        self.length.wrapping_add(self.offset)
    }
}

impl Sum for ModelReference {
    fn sum(&self) -> u32 {
        [self.reference.sum(), self.place.sum(), u32::from(self.visible)].sum()
    }
}

impl Sum for Texture {
    fn sum(&self) -> u32 {
        self.images.sum()
    }
}

impl Sum for Image {
    fn sum(&self) -> u32 {
        [self.width, self.height, self.colors, bytes(&self.palette), bytes(&self.pixels)].sum()
    }
}

impl Sum for Parts {
    fn sum(&self) -> u32 {
        self.parts.sum().wrapping_add(self.textures.sum())
    }
}

impl Sum for Part {
    fn sum(&self) -> u32 {
        self.lods.sum()
    }
}

impl Sum for Lod {
    fn sum(&self) -> u32 {
        [self.positions.sum(), self.normals.sum(), self.uvs.sum(), self.meshes.sum()].sum()
    }
}

impl Sum for Mesh {
    fn sum(&self) -> u32 {
        self.corners.sum().wrapping_add(self.uv_indices.sum())
    }
}

impl Sum for Model {
    fn sum(&self) -> u32 {
        [self.root_node.sum(), self.root.sum(), self.textures.sum()].sum()
    }
}

impl Sum for Node {
    fn sum(&self) -> u32 {
        let moves = [self.translations.sum(), self.rotations.sum(), self.scales.sum()];
        [moves.sum(), self.morphs.sum(), self.children.sum()].sum()
    }
}

impl Sum for Morph {
    fn sum(&self) -> u32 {
        self.time.wrapping_add(self.visible.into())
    }
}

impl Sum for Roi {
    fn sum(&self) -> u32 {
        [self.bounds.sum(), self.lods.sum(), self.children.sum()].sum()
    }
}
