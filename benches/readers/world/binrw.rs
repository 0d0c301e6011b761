use std::io::{Cursor, SeekFrom};

use binrw::{BinRead, BinResult, binread};

use super::{Blob, distinct};
use crate::readers::{Digest, Sum, bytes, sums};

pub(super) fn digest(bytes: &[u8]) -> Digest {
    let (directory, parts, models) = database(bytes)?;
    Ok([directory.sum(), parts.sum(), models.sum()].sum())
}

fn database(bytes: &[u8]) -> BinResult<(Directory, Vec<Parts>, Vec<Model>)> {
    let reader = &mut Cursor::new(bytes);
    let directory = Directory::read(reader)?;
    let (mut parts, mut models) = (Vec::new(), Vec::new());
    for blob in distinct(directory.blobs()) {
        reader.set_position(blob.offset.into());
        if blob.is_model {
            models.push(Model::read(reader)?);
        } else {
            parts.push(Parts::read(reader)?);
        }
    }
    Ok((directory, parts, models))
}

#[binread]
#[br(little)]
struct Directory {
    #[br(temp)]
    world_count: u32,
    #[br(count = world_count)]
    worlds: Vec<World>,
    #[br(temp)]
    textures_size: u32,
    #[br(pad_size_to = textures_size)]
    textures: GlobalTextures,
    #[br(temp)]
    _parts_size: u32,
    parts: Parts,
}

#[binread]
#[br(little)]
struct World {
    #[br(temp)]
    name_length: u32,
    #[br(temp, pad_before = name_length)]
    part_count: u32,
    #[br(count = part_count)]
    parts: Vec<Reference>,
    #[br(temp)]
    model_count: u32,
    #[br(count = model_count)]
    models: Vec<ModelReference>,
}

#[binread]
#[br(little)]
struct Reference {
    #[br(temp)]
    name_length: u32,
    #[br(pad_before = name_length)]
    length: u32,
    offset: u32,
}

#[binread]
#[br(little)]
struct ModelReference {
    reference: Reference,
    #[br(temp)]
    presenter_length: u32,
    #[br(pad_before = presenter_length)]
    place: [u32; 9],
    visible: u8,
}

#[binread]
#[br(little)]
struct GlobalTextures {
    #[br(temp)]
    count: u32,
    #[br(count = count, args { inner: (false,) })]
    textures: Vec<Texture>,
}

#[binread]
#[br(little, import(has_pairs: bool))]
struct Texture {
    #[br(temp)]
    name_length: u32,
    #[br(temp, count = name_length)]
    name: Vec<u8>,
    #[br(count = if has_pairs && name.first() == Some(&b'^') { 2 } else { 1 })]
    images: Vec<Image>,
}

#[derive(BinRead)]
#[br(little)]
struct Image {
    width: u32,
    height: u32,
    colors: u32,
    #[br(count = 3 * colors)]
    palette: Vec<u8>,
    #[br(count = width as usize * height as usize)]
    pixels: Vec<u8>,
}

/// The global parts or a part blob; offsets count from the first byte.
#[binread]
#[br(little, stream = reader)]
struct Parts {
    #[br(temp, try_calc = reader.stream_position())]
    start: u64,
    #[br(temp)]
    textures_offset: u32,
    #[br(temp)]
    count: u32,
    #[br(count = count, args { inner: (start,) })]
    parts: Vec<Part>,
    #[br(temp, seek_before = SeekFrom::Start(start + u64::from(textures_offset)))]
    texture_count: u32,
    #[br(count = texture_count, args { inner: (true,) })]
    textures: Vec<Texture>,
}

#[binread]
#[br(little, import(start: u64))]
struct Part {
    #[br(temp)]
    name_length: u32,
    #[br(temp, pad_before = name_length)]
    lod_count: u32,
    #[br(args(start, lod_count))]
    lods: Lods,
}

/// Levels of detail, after the word that gives their end.
#[binread]
#[br(little, import(start: u64, count: u32))]
struct Lods {
    #[br(temp)]
    end: u32,
    #[br(count = count)]
    lods: Vec<Lod>,
    #[br(temp, seek_before = SeekFrom::Start(start + u64::from(end)))]
    _end: (),
}

#[binread]
#[br(little)]
struct Lod {
    #[br(temp)]
    flags: u32,
    #[br(temp, if(flags & 4 == 0))]
    mesh_count: u32,
    #[br(if(mesh_count != 0), args(mesh_count))]
    content: Option<LodContent>,
}

#[binread]
#[br(little, import(mesh_count: u32))]
struct LodContent {
    #[br(temp)]
    counts: u32,
    #[br(temp)]
    uv_count: i32,
    #[br(count = 3 * (counts & 0x7FFF))]
    positions: Vec<u32>,
    #[br(count = 3 * (counts >> 17))]
    normals: Vec<u32>,
    #[br(count = 2 * uv_count.max(0).unsigned_abs())]
    uvs: Vec<u32>,
    #[br(count = mesh_count)]
    meshes: Vec<Mesh>,
}

#[binread]
#[br(little)]
struct Mesh {
    #[br(temp, pad_after = 2)]
    triangles: u16,
    #[br(count = 3 * u32::from(triangles))]
    corners: Vec<u32>,
    #[br(temp)]
    uv_index_count: u32,
    #[br(count = if uv_index_count == 0 { 0 } else { 3 * u32::from(triangles) })]
    uv_indices: Vec<u32>,
    #[br(temp, pad_before = 11)]
    texture_length: u32,
    #[br(temp, pad_before = texture_length)]
    material_length: u32,
    #[br(temp, pad_before = material_length)]
    _end: (),
}

#[binread]
#[br(little, magic = 19_u32, stream = reader)]
struct Model {
    #[br(temp, try_calc = reader.stream_position())]
    behind_version: u64,
    #[br(temp, pad_after = 4)]
    textures_offset: u32,
    #[br(temp)]
    actor_count: u32,
    #[br(temp, pad_after = 4, count = actor_count)]
    _actors: Vec<Actor>,
    root_node: Node,
    #[br(args(behind_version - 4))]
    root: Roi,
    #[br(temp, seek_before = SeekFrom::Start(behind_version - 4 + u64::from(textures_offset)), pad_after = 4)]
    texture_count: u32,
    #[br(count = texture_count, args { inner: (true,) })]
    textures: Vec<Texture>,
}

#[binread]
#[br(little)]
struct Actor {
    #[br(temp)]
    name_length: u32,
    #[br(temp, pad_before = name_length, if(name_length != 0))]
    _kind: u32,
}

#[binread]
#[br(little)]
struct Node {
    #[br(temp)]
    name_length: u32,
    #[br(temp, pad_before = name_length)]
    translation_count: u16,
    #[br(count = 4 * u32::from(translation_count))]
    translations: Vec<u32>,
    #[br(temp)]
    rotation_count: u16,
    #[br(count = 5 * u32::from(rotation_count))]
    rotations: Vec<u32>,
    #[br(temp)]
    scale_count: u16,
    #[br(count = 4 * u32::from(scale_count))]
    scales: Vec<u32>,
    #[br(temp)]
    morph_count: u16,
    #[br(count = morph_count)]
    morphs: Vec<Morph>,
    #[br(temp)]
    child_count: u32,
    #[br(count = child_count)]
    children: Vec<Node>,
}

#[derive(BinRead)]
#[br(little)]
struct Morph {
    time: u32,
    visible: u8,
}

#[binread]
#[br(little, import(start: u64))]
struct Roi {
    #[br(temp)]
    name_length: u32,
    #[br(pad_before = name_length)]
    bounds: [u32; 10],
    #[br(temp)]
    color_length: u32,
    #[br(temp, pad_before = color_length)]
    shared: u8,
    #[br(temp, if(shared == 0))]
    lod_count: u32,
    #[br(if(lod_count != 0), args(start, lod_count))]
    lods: Option<Lods>,
    #[br(temp)]
    child_count: u32,
    #[br(count = child_count, args { inner: (start,) })]
    children: Vec<Roi>,
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

sums! {
    Directory: worlds, textures, parts;
    World: parts, models;
    Reference: length, offset;
    GlobalTextures: textures;
    Texture: images;
    Parts: parts, textures;
    Part: lods;
    Lods: lods;
    Lod: content;
    LodContent: positions, normals, uvs, meshes;
    Mesh: corners, uv_indices;
    Model: root_node, root, textures;
    Node: translations, rotations, scales, morphs, children;
    Roi: bounds, lods, children;
}

impl Sum for ModelReference {
    fn sum(&self) -> u32 {
        [self.reference.sum(), self.place.sum(), self.visible.into()].sum()
    }
}

impl Sum for Image {
    fn sum(&self) -> u32 {
        [self.width, self.height, self.colors, bytes(&self.palette), bytes(&self.pixels)].sum()
    }
}

impl Sum for Morph {
    fn sum(&self) -> u32 {
        self.time.wrapping_add(self.visible.into())
    }
}
