//! A second reader for levels: reads one byte at a time, is table-driven, returns owned values, and shares no code with
//! the real reader.

use std::collections::BTreeSet;
use std::fmt;

mod checks;
mod parts;
mod tables;
mod trailer;
mod unpack;

pub use checks::{Rule, checksum_rules};
pub use parts::{read_attributes, read_header, read_image_sets, read_objects, read_plane_headers, read_tiles};
pub use trailer::{NaiveBlock, NaiveContent, find_trailer, trailer};
pub use unpack::{NaiveFile, unpack};

/// Named fields in file order.
pub type Fields = Vec<(&'static str, NaiveValue)>;

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NaiveValue {
    /// An integer, signed or unsigned as the format says.
    Int(i64),
    /// All bytes of a text field, including those after the first NUL.
    Text(Vec<u8>),
    /// Left, top, right, bottom.
    Rect([i32; 4]),
}

/// The first error found: where in the file or image, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveError {
    /// Offset in the image, or in the file for errors of unpacking.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
}

/// A fully parsed level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveLevel {
    /// Fields of the file header.
    pub header: Fields,
    /// The planes.
    pub planes: Vec<NaivePlane>,
    /// The tile-attribute table, if there is one.
    pub attribute_table: Option<NaiveTable>,
    /// The header and the unpacked main block.
    pub image: Vec<u8>,
    /// The bytes after the stored main block.
    pub trailing: Vec<u8>,
    /// The checksum rules that the stored word satisfies.
    pub checksum_rules: BTreeSet<Rule>,
}

/// The parts that can be read from an image alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveImage {
    /// Fields of the file header.
    pub header: Fields,
    /// The planes.
    pub planes: Vec<NaivePlane>,
    /// The tile-attribute table, if there is one.
    pub attribute_table: Option<NaiveTable>,
}

/// A plane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaivePlane {
    /// Fields of the plane header.
    pub fields: Fields,
    /// The grid, row by row.
    pub tiles: Vec<u32>,
    /// Names of the image sets.
    pub image_sets: Vec<Vec<u8>>,
    /// Objects.
    pub objects: Vec<NaiveObject>,
}

/// An object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveObject {
    /// The fields of its fixed-size part of 284 bytes.
    pub fields: Fields,
    /// Name, including any bytes after a NUL.
    pub name: Vec<u8>,
    /// Logic.
    pub logic: Vec<u8>,
    /// Image set.
    pub image_set: Vec<u8>,
    /// Animation or sound.
    pub animation: Vec<u8>,
}

/// The tile-attribute table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveTable {
    /// The eight words of its header.
    pub head: Vec<u32>,
    /// The records.
    pub records: Vec<NaiveAttribute>,
}

/// A record of the tile-attribute table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveAttribute {
    /// The fields of its kind.
    pub fields: Fields,
    /// The bytes of a mask; empty for other kinds.
    pub mask: Vec<u8>,
}

impl NaivePlane {
    /// The keys by which paths name the objects: their ids, with a number if several have one.
    pub fn keys(&self) -> Vec<String> {
        let ids: Vec<_> = self.objects.iter().map(|object| int(&object.fields, "id")).collect();
        let key = |(index, id): (usize, &Option<i64>)| {
            let [before, all] = [&ids[..index], &ids].map(|ids| ids.iter().filter(|other| *other == id).count());
            let id = id.unwrap_or_default();
            if all > 1 { format!("{id}#{before}") } else { id.to_string() }
        };
        ids.iter().enumerate().map(key).collect()
    }
}

impl NaiveError {
    pub(crate) fn new(offset: u64, what: impl Into<String>) -> Self {
        Self { offset, what: what.into() }
    }
}

impl fmt::Display for NaiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.what, self.offset)
    }
}

impl std::error::Error for NaiveError {}

/// Returns the integer in the field `name`, or `None`.
pub fn int(fields: &[(&'static str, NaiveValue)], name: &str) -> Option<i64> {
    fields.iter().find_map(|(field, value)| match value {
        NaiveValue::Int(value) if *field == name => Some(*value),
        _ => None,
    })
}

/// Returns an integer field that its table declares unsigned, so that the conversion cannot fail.
pub(crate) fn unsigned(fields: &[(&'static str, NaiveValue)], name: &str) -> u32 {
    int(fields, name).and_then(|value| u32::try_from(value).ok()).unwrap_or(0)
}

/// Returns an integer field that its table declares signed, so that the conversion cannot fail.
pub(crate) fn signed(fields: &[(&'static str, NaiveValue)], name: &str) -> i32 {
    int(fields, name).and_then(|value| i32::try_from(value).ok()).unwrap_or(0)
}

/// Parses a file, or returns the first error in it.
pub fn read(file: &[u8]) -> Result<NaiveLevel, NaiveError> {
    let NaiveFile { image, stored, trailing } = unpack(file)?;
    let NaiveImage { header, planes, attribute_table } = read_image(&image)?;
    let checksum_rules = checksum_rules(unsigned(&header, "checksum"), &stored, &image);
    Ok(NaiveLevel { header, planes, attribute_table, image, trailing, checksum_rules })
}

/// Parses all parts of an image, whether or not its header has the packed flag.
pub fn read_image(image: &[u8]) -> Result<NaiveImage, NaiveError> {
    let header = read_header(image)?;
    let mut budget = Budget::new(image);
    let mut planes = Vec::new();
    for fields in read_plane_headers(image, &header)? {
        planes.push(read_plane(image, fields, &mut budget)?);
    }
    let attribute_table = match unsigned(&header, "tile_attribs_offset") {
        0 => None,
        offset => match read_attributes(image, offset) {
            (table, None) => Some(table),
            (_, Some(error)) => return Err(error),
        },
    };
    Ok(NaiveImage { header, planes, attribute_table })
}

fn read_plane(image: &[u8], fields: Fields, budget: &mut Budget) -> Result<NaivePlane, NaiveError> {
    let offset = unsigned(&fields, "tiles_offset");
    let (wide, high) = (signed(&fields, "tiles_wide"), signed(&fields, "tiles_high"));
    let tiles = read_tiles(image, offset, wide, high)?;
    budget.spend(offset, tiles.len() * 4)?;

    let offset = unsigned(&fields, "image_sets_offset");
    let (image_sets, error) = read_image_sets(image, offset, unsigned(&fields, "num_image_sets"));
    if let Some(error) = error {
        return Err(error);
    }
    // An owned name costs more than its bytes.
    budget.spend(offset, image_sets.iter().map(|name| name.len() + 32).sum())?;

    let offset = unsigned(&fields, "objects_offset");
    // Offset 0 means no objects, whatever the count.
    let count = if offset == 0 { 0 } else { unsigned(&fields, "num_objects") };
    let (objects, error) = read_objects(image, offset, count);
    if let Some(error) = error {
        return Err(error);
    }
    budget.spend(offset, objects.len() * super::OBJECT_SIZE)?;
    Ok(NaivePlane { fields, tiles, image_sets, objects })
}

/// Limits how much planes with shared parts can make the reader copy.
struct Budget {
    left: usize,
}

impl Budget {
    fn new(image: &[u8]) -> Self {
        Self { left: image.len().saturating_mul(2).saturating_add(16 << 20) }
    }

    fn spend(&mut self, offset: u32, bytes: usize) -> Result<(), NaiveError> {
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or_else(|| NaiveError::new(offset.into(), "budget: parts shared by too many planes"))?;
        Ok(())
    }
}
