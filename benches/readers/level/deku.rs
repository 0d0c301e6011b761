use deku::ctx::{Endian, Limit};
use deku::no_std_io::{Cursor, Seek, SeekFrom};
use deku::reader::Reader;
use deku::{DekuError, DekuRead, DekuReader as _};

use crate::readers::{Sum as _, bytes};

pub(super) fn digest(bytes: &[u8]) -> Option<u32> {
    let level = level(bytes).ok()?;
    let mut sum = 0_u32;
    for plane in &level.planes {
        sum = sum.wrapping_add(plane.tiles.sum());
        for object in &plane.objects {
            sum = sum.wrapping_add(object.sum());
        }
    }
    for attribute in &level.attributes {
        sum = sum.wrapping_add(attribute.sum());
    }
    Some(sum)
}

struct Level {
    planes: Vec<Plane>,
    attributes: Vec<Attribute>,
}

struct Plane {
    tiles: Vec<u32>,
    objects: Vec<Object>,
}

#[derive(DekuRead)]
#[deku(endian = "little")]
struct Header {
    #[deku(seek_from_current = "732")]
    plane_count: u32,
    planes_offset: u32,
    attributes_offset: u32,
}

#[derive(DekuRead)]
#[deku(endian = "little")]
struct PlaneHeader {
    #[deku(seek_from_current = "96")]
    columns: u32,
    rows: u32,
    #[deku(seek_from_current = "24")]
    object_count: u32,
    tiles_offset: u32,
    #[deku(seek_from_current = "4")]
    objects_offset: u32,
}

fn seek(reader: &mut Reader<Cursor<&[u8]>>, offset: u32) -> Result<(), DekuError> {
    reader.seek(SeekFrom::Start(offset.into())).map(|_| ()).map_err(|error| DekuError::Io(error.kind()))
}

fn level(bytes: &[u8]) -> Result<Level, DekuError> {
    let reader = &mut Reader::new(Cursor::new(bytes));
    let header = Header::from_reader_with_ctx(reader, ())?;
    let mut planes = Vec::new();
    for i in 0..header.plane_count {
        seek(reader, header.planes_offset + 160 * i)?;
        let header = PlaneHeader::from_reader_with_ctx(reader, ())?;
        seek(reader, header.tiles_offset)?;
        let count = header.columns as usize * header.rows as usize;
        let tiles = Vec::from_reader_with_ctx(reader, (Limit::new_count(count), Endian::Little))?;
        let mut objects = Vec::new();
        if header.objects_offset != 0 {
            seek(reader, header.objects_offset)?;
            objects = Vec::from_reader_with_ctx(reader, Limit::new_count(header.object_count as usize))?;
        }
        planes.push(Plane { tiles, objects });
    }
    let mut attributes = Vec::new();
    if header.attributes_offset != 0 {
        seek(reader, header.attributes_offset + 8)?;
        let count = u32::from_reader_with_ctx(reader, Endian::Little)?;
        seek(reader, header.attributes_offset + 32)?;
        attributes = Vec::from_reader_with_ctx(reader, Limit::new_count(count as usize))?;
    }
    Ok(Level { planes, attributes })
}

#[derive(DekuRead)]
#[deku(endian = "little")]
struct Object {
    id: u32,
    lengths: [u32; 4],
    place: [u32; 4],
    flags: [u32; 4],
    numbers: [u32; 6],
    rects: [[u32; 4]; 6],
    user: [u32; 8],
    bounds: [u32; 4],
    speeds: [u32; 4],
    size: [u32; 4],
    turns: [u32; 4],
    types: [u32; 2],
    steps: [u32; 2],
    #[deku(seek_from_current = "lengths.iter().map(|&length| i64::from(length)).sum::<i64>()")]
    _strings: (),
}

impl Object {
    fn sum(&self) -> u32 {
        let head = [self.id, self.lengths.sum(), self.place.sum(), self.flags.sum(), self.numbers.sum()];
        let middle = [self.rects.sum(), self.user.sum(), self.bounds.sum(), self.speeds.sum()];
        let rest = [self.size.sum(), self.turns.sum(), self.types.sum(), self.steps.sum()];
        head.sum().wrapping_add(middle.sum()).wrapping_add(rest.sum())
    }
}

#[derive(DekuRead)]
#[deku(id_type = "u32", endian = "little")]
enum Attribute {
    #[deku(id = 1)]
    Single { reserved: u32, size: [u32; 2], attribute: u32 },
    #[deku(id = 2)]
    Double { reserved: u32, size: [u32; 2], attributes: [u32; 2], rect: [u32; 4] },
    #[deku(id = 3)]
    Mask {
        reserved: u32,
        size: [u32; 2],
        #[deku(count = "size[0] as usize * size[1] as usize")]
        pixels: Vec<u8>,
    },
}

impl Attribute {
    fn sum(&self) -> u32 {
        match self {
            Self::Single { reserved, size, attribute } => [1, *reserved, size.sum(), *attribute].sum(),
            Self::Double { reserved, size, attributes, rect } => {
                [2, *reserved, size.sum(), attributes.sum(), rect.sum()].sum()
            }
            Self::Mask { reserved, size, pixels } => [3, *reserved, size.sum(), bytes(pixels)].sum(),
        }
    }
}
