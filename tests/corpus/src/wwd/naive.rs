//! A second reader for levels: reads one byte at a time, is table-driven, returns owned values, and shares no code with
//! the real reader.

use std::collections::BTreeSet;

mod checks;
mod parts;
mod tables;
mod trailer;
mod unpack;

pub use crate::naive::NaiveError;
use crate::naive::Result;
pub use checks::{Rule, checksum_rules};
use parts::read_header;
pub use parts::read_image;
pub use trailer::{NaiveBlock, find_trailer, trailer};
pub use unpack::{NaiveFile, adler32, unpack};

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
pub fn read(file: &[u8]) -> Result<NaiveLevel> {
    let NaiveFile { image, stored, trailing } = unpack(file)?;
    let NaiveImage { header, planes, attribute_table } = read_image(&image)?;
    let checksum_rules = checksum_rules(unsigned(&header, "checksum"), &stored, &image);
    Ok(NaiveLevel { header, planes, attribute_table, image, trailing, checksum_rules })
}
