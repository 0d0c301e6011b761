use deku::ctx::Endian;
use deku::no_std_io::{Cursor, Seek as _};
use deku::reader::Reader;
use deku::{DekuError, DekuRead, DekuReader as _, deku_derive};

use super::{Blob, distinct};
use crate::readers::{Sum, bytes};

pub(super) fn digest(bytes: &[u8]) -> Option<u32> {
    let (directory, parts, models) = database(bytes).ok()?;
    Some([directory.sum(), parts.sum(), models.sum()].sum())
}

fn database(bytes: &[u8]) -> Result<(Directory, Vec<Parts>, Vec<Model>), DekuError> {
    let reader = &mut Reader::new(Cursor::new(bytes));
    let head = Head::from_reader_with_ctx(reader, ())?;
    let position = reader.stream_position().map_err(|error| DekuError::Io(error.kind()))?;
    let textures = GlobalTextures::from_reader_with_ctx(reader, ())?.textures;
    // The parts come after the textures and the word with the parts' own size.
    let start = position + u64::from(head.textures_size) + 4;
    let directory = Directory { worlds: head.worlds, textures, parts: Parts::from_reader_with_ctx(reader, start)? };
    let (mut parts, mut models) = (Vec::new(), Vec::new());
    for blob in distinct(directory.blobs()) {
        let start = blob.offset.into();
        if blob.is_model {
            models.push(Model::from_reader_with_ctx(reader, start)?);
        } else {
            parts.push(Parts::from_reader_with_ctx(reader, start)?);
        }
    }
    Ok((directory, parts, models))
}

struct Directory {
    worlds: Vec<World>,
    textures: Vec<Texture>,
    parts: Parts,
}

#[deku_derive(DekuRead)]
#[deku(endian = "little")]
struct Head {
    #[deku(temp)]
    world_count: u32,
    #[deku(count = "world_count")]
    worlds: Vec<World>,
    textures_size: u32,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct World {
    #[deku(temp)]
    name_length: u32,
    #[deku(temp, seek_from_current = "*name_length")]
    part_count: u32,
    #[deku(count = "part_count")]
    parts: Vec<Reference>,
    #[deku(temp)]
    model_count: u32,
    #[deku(count = "model_count")]
    models: Vec<ModelReference>,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct Reference {
    #[deku(temp)]
    name_length: u32,
    #[deku(seek_from_current = "*name_length")]
    length: u32,
    offset: u32,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct ModelReference {
    reference: Reference,
    #[deku(temp)]
    presenter_length: u32,
    #[deku(seek_from_current = "*presenter_length")]
    place: [u32; 9],
    visible: u8,
}

#[deku_derive(DekuRead)]
#[deku(endian = "little")]
struct GlobalTextures {
    #[deku(temp)]
    count: u32,
    #[deku(count = "count", ctx = "false")]
    textures: Vec<Texture>,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian, has_pairs: bool")]
struct Texture {
    #[deku(temp)]
    name_length: u32,
    #[deku(temp, count = "name_length")]
    name: Vec<u8>,
    #[deku(count = "if has_pairs && name.starts_with(b\"^\") { 2 } else { 1 }")]
    images: Vec<Image>,
}

#[derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct Image {
    width: u32,
    height: u32,
    colors: u32,
    #[deku(count = "3 * *colors")]
    palette: Vec<u8>,
    #[deku(count = "*width as usize * *height as usize")]
    pixels: Vec<u8>,
}

/// The global parts or a part blob; offsets count from the first byte.
#[deku_derive(DekuRead)]
#[deku(endian = "little", ctx = "start: u64")]
struct Parts {
    #[deku(temp, seek_from_start = "start")]
    textures_offset: u32,
    #[deku(temp)]
    count: u32,
    #[deku(count = "count", ctx = "start")]
    parts: Vec<Part>,
    #[deku(temp, seek_from_start = "start + u64::from(*textures_offset)")]
    texture_count: u32,
    #[deku(count = "texture_count", ctx = "true")]
    textures: Vec<Texture>,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian, start: u64")]
struct Part {
    #[deku(temp)]
    name_length: u32,
    #[deku(temp, seek_from_current = "*name_length")]
    lod_count: u32,
    #[deku(ctx = "start, *lod_count")]
    lods: Lods,
}

/// Levels of detail, after the word that gives their end.
#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian, start: u64, count: u32")]
struct Lods {
    #[deku(temp)]
    end: u32,
    #[deku(count = "count")]
    lods: Vec<Lod>,
    #[deku(seek_from_start = "start + u64::from(*end)")]
    _end: (),
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct Lod {
    #[deku(temp)]
    flags: u32,
    #[deku(temp, cond = "*flags & 4 == 0")]
    mesh_count: u32,
    #[deku(cond = "*mesh_count != 0", ctx = "*mesh_count")]
    content: Option<LodContent>,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian, mesh_count: u32")]
struct LodContent {
    #[deku(temp)]
    counts: u32,
    #[deku(temp)]
    uv_count: i32,
    #[deku(count = "3 * (*counts & 0x7FFF)")]
    positions: Vec<u32>,
    #[deku(count = "3 * (*counts >> 17)")]
    normals: Vec<u32>,
    #[deku(count = "2 * (*uv_count).max(0)")]
    uvs: Vec<u32>,
    #[deku(count = "mesh_count")]
    meshes: Vec<Mesh>,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct Mesh {
    #[deku(temp)]
    triangles: u16,
    #[deku(seek_from_current = "2", count = "3 * u32::from(*triangles)")]
    corners: Vec<u32>,
    #[deku(temp)]
    uv_index_count: u32,
    #[deku(count = "if *uv_index_count == 0 { 0 } else { 3 * u32::from(*triangles) }")]
    uv_indices: Vec<u32>,
    #[deku(temp, seek_from_current = "11")]
    texture_length: u32,
    #[deku(temp, seek_from_current = "*texture_length")]
    material_length: u32,
    #[deku(seek_from_current = "*material_length")]
    _end: (),
}

#[deku_derive(DekuRead)]
#[deku(endian = "little", ctx = "start: u64")]
struct Model {
    #[deku(temp, seek_from_start = "start + 4")]
    textures_offset: u32,
    #[deku(temp, seek_from_current = "4")]
    actor_count: u32,
    #[deku(temp, count = "actor_count")]
    actors: Vec<Actor>,
    #[deku(seek_from_current = "4")]
    root_node: Node,
    #[deku(ctx = "start")]
    root: Roi,
    #[deku(temp, seek_from_start = "start + u64::from(*textures_offset)")]
    texture_count: u32,
    #[deku(seek_from_current = "4", count = "texture_count", ctx = "true")]
    textures: Vec<Texture>,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct Actor {
    #[deku(temp)]
    name_length: u32,
    // Not a temporary field, since the library skips reading structures without a size.
    #[deku(seek_from_current = "*name_length", cond = "*name_length != 0")]
    _kind: u32,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct Node {
    #[deku(temp)]
    name_length: u32,
    #[deku(temp, seek_from_current = "*name_length")]
    translation_count: u16,
    #[deku(count = "4 * u32::from(*translation_count)")]
    translations: Vec<u32>,
    #[deku(temp)]
    rotation_count: u16,
    #[deku(count = "5 * u32::from(*rotation_count)")]
    rotations: Vec<u32>,
    #[deku(temp)]
    scale_count: u16,
    #[deku(count = "4 * u32::from(*scale_count)")]
    scales: Vec<u32>,
    #[deku(temp)]
    morph_count: u16,
    #[deku(count = "morph_count")]
    morphs: Vec<Morph>,
    #[deku(temp)]
    child_count: u32,
    #[deku(count = "child_count")]
    children: Vec<Node>,
}

#[derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct Morph {
    time: u32,
    visible: u8,
}

#[deku_derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian, start: u64")]
struct Roi {
    #[deku(temp)]
    name_length: u32,
    #[deku(seek_from_current = "*name_length")]
    bounds: [u32; 10],
    #[deku(temp)]
    color_length: u32,
    #[deku(temp, seek_from_current = "*color_length")]
    shared: u8,
    #[deku(temp, cond = "*shared == 0")]
    lod_count: u32,
    #[deku(cond = "*lod_count != 0", ctx = "start, *lod_count")]
    lods: Option<Lods>,
    #[deku(temp)]
    child_count: u32,
    #[deku(count = "child_count", ctx = "start")]
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
        self.lods.lods.sum()
    }
}

impl Sum for Lod {
    fn sum(&self) -> u32 {
        self.content.as_ref().map_or(0, Sum::sum)
    }
}

impl Sum for LodContent {
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
        let lods = self.lods.as_ref().map_or(0, |list| list.lods.sum());
        [self.bounds.sum(), lods, self.children.sum()].sum()
    }
}
