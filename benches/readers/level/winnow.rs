use winnow::binary::le_u32;
use winnow::combinator::{dispatch, fail, repeat, seq};
use winnow::error::EmptyError;
use winnow::token::take;
use winnow::{Parser, Result};

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

/// Returns the input starting at an offset.
fn from(bytes: &[u8], offset: u32) -> Result<&[u8], EmptyError> {
    bytes.get(offset as usize..).ok_or(EmptyError)
}

fn words<const N: usize>(input: &mut &[u8]) -> Result<[u32; N], EmptyError> {
    let mut out = [0; N];
    for word in &mut out {
        *word = le_u32.parse_next(input)?;
    }
    Ok(out)
}

/// Returns the numbers of a slice.
fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

struct Level {
    planes: Vec<Plane>,
    attributes: Vec<Attribute>,
}

fn level(bytes: &[u8]) -> Result<Level, EmptyError> {
    let (_, count, planes, attributes) = (take(732_usize), le_u32, le_u32, le_u32).parse_next(&mut &*bytes)?;
    let planes =
        repeat(count as usize, |input: &mut &[u8]| plane(input, bytes)).parse_next(&mut from(bytes, planes)?)?;
    let attributes = match attributes {
        0 => Vec::new(),
        offset => table(&mut from(bytes, offset)?)?,
    };
    Ok(Level { planes, attributes })
}

struct Plane {
    tiles: Vec<u32>,
    objects: Vec<Object>,
}

fn plane(input: &mut &[u8], bytes: &[u8]) -> Result<Plane, EmptyError> {
    let (_, columns, rows) = (take(96_usize), le_u32, le_u32).parse_next(input)?;
    let (_, count, tiles) = (take(24_usize), le_u32, le_u32).parse_next(input)?;
    let (_, objects, _) = (take(4_usize), le_u32, take(16_usize)).parse_next(input)?;
    let tiles = take(4 * columns as usize * rows as usize).map(numbers).parse_next(&mut from(bytes, tiles)?)?;
    let objects = match objects {
        0 => Vec::new(),
        offset => repeat(count as usize, object).parse_next(&mut from(bytes, offset)?)?,
    };
    Ok(Plane { tiles, objects })
}

struct Object {
    id: u32,
    lengths: [u32; 4],
    place: [u32; 4],
    flags: [u32; 4],
    numbers: [u32; 6],
    rects: [u32; 24],
    user: [u32; 8],
    bounds: [u32; 4],
    speeds: [u32; 4],
    size: [u32; 4],
    turns: [u32; 4],
    types: [u32; 2],
    steps: [u32; 2],
}

fn object(input: &mut &[u8]) -> Result<Object, EmptyError> {
    let object = seq! {Object {
        id: le_u32,
        lengths: words,
        place: words,
        flags: words,
        numbers: words,
        rects: words,
        user: words,
        bounds: words,
        speeds: words,
        size: words,
        turns: words,
        types: words,
        steps: words,
    }}
    .parse_next(input)?;
    take(object.lengths.iter().map(|&length| length as usize).sum::<usize>()).void().parse_next(input)?;
    Ok(object)
}

impl Object {
    fn sum(&self) -> u32 {
        let head = [self.id, self.lengths.sum(), self.place.sum(), self.flags.sum(), self.numbers.sum()];
        let middle = [self.rects.sum(), self.user.sum(), self.bounds.sum(), self.speeds.sum()];
        let rest = [self.size.sum(), self.turns.sum(), self.types.sum(), self.steps.sum()];
        head.sum().wrapping_add(middle.sum()).wrapping_add(rest.sum())
    }
}

enum Attribute {
    Single { reserved: u32, size: [u32; 2], attribute: u32 },
    Double { reserved: u32, size: [u32; 2], attributes: [u32; 2], rect: [u32; 4] },
    Mask { reserved: u32, size: [u32; 2], pixels: Vec<u8> },
}

fn table(input: &mut &[u8]) -> Result<Vec<Attribute>, EmptyError> {
    let (_, count, _) = (take(8_usize), le_u32, take(20_usize)).parse_next(input)?;
    repeat(count as usize, attribute).parse_next(input)
}

fn attribute(input: &mut &[u8]) -> Result<Attribute, EmptyError> {
    dispatch! {le_u32;
        1 => seq! {Attribute::Single { reserved: le_u32, size: words, attribute: le_u32 }},
        2 => seq! {Attribute::Double { reserved: le_u32, size: words, attributes: words, rect: words }},
        3 => mask,
        _ => fail,
    }
    .parse_next(input)
}

fn mask(input: &mut &[u8]) -> Result<Attribute, EmptyError> {
    let (reserved, size) = (le_u32, words::<2>).parse_next(input)?;
    let pixels = take(size[0] as usize * size[1] as usize).map(<[u8]>::to_vec).parse_next(input)?;
    Ok(Attribute::Mask { reserved, size, pixels })
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
