use std::io::{Cursor, SeekFrom};

use binrw::{BinRead, binread};

use crate::readers::{Digest, Sum, bytes, sums};

pub(super) fn digest(bytes: &[u8]) -> Digest {
    Ok(Level::read(&mut Cursor::new(bytes))?.sum())
}

#[binread]
#[br(little)]
struct Level {
    #[br(temp, pad_before = 732)]
    plane_count: u32,
    #[br(temp)]
    planes_offset: u32,
    #[br(temp)]
    attributes_offset: u32,
    #[br(seek_before = SeekFrom::Start(planes_offset.into()), count = plane_count)]
    planes: Vec<Plane>,
    #[br(if(attributes_offset != 0), seek_before = SeekFrom::Start(attributes_offset.into()))]
    attributes: Option<Attributes>,
}

#[binread]
#[br(little)]
struct Plane {
    #[br(temp, pad_before = 96)]
    columns: u32,
    #[br(temp)]
    rows: u32,
    #[br(temp, pad_before = 24)]
    object_count: u32,
    #[br(temp)]
    tiles_offset: u32,
    #[br(temp, pad_before = 4, pad_after = 16)]
    objects_offset: u32,
    #[br(
        seek_before = SeekFrom::Start(tiles_offset.into()),
        restore_position,
        count = columns as usize * rows as usize
    )]
    tiles: Vec<u32>,
    #[br(
        if(objects_offset != 0),
        seek_before = SeekFrom::Start(objects_offset.into()),
        restore_position,
        count = object_count
    )]
    objects: Vec<Object>,
}

#[derive(BinRead)]
#[br(little)]
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
    #[br(pad_after = lengths.iter().map(|&length| i64::from(length)).sum::<i64>())]
    steps: [u32; 2],
}

sums! {
    Level: planes, attributes;
    Plane: tiles, objects;
    Object: id, lengths, place, flags, numbers, rects, user, bounds, speeds, size, turns, types, steps;
    Attributes: records;
}

#[binread]
#[br(little)]
struct Attributes {
    #[br(temp, pad_before = 8, pad_after = 20)]
    count: u32,
    #[br(count = count)]
    records: Vec<Attribute>,
}

#[derive(BinRead)]
#[br(little)]
enum Attribute {
    #[br(magic = 1_u32)]
    Single { reserved: u32, size: [u32; 2], attribute: u32 },
    #[br(magic = 2_u32)]
    Double { reserved: u32, size: [u32; 2], attributes: [u32; 2], rect: [u32; 4] },
    #[br(magic = 3_u32)]
    Mask {
        reserved: u32,
        size: [u32; 2],
        #[br(count = size[0] as usize * size[1] as usize)]
        pixels: Vec<u8>,
    },
}

impl Sum for Attribute {
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
