//! Exports WWD levels as tables, maps and pictures.
//!
//! - `csv` (a feature): objects and tile attributes as CSV.
//! - `arrow` (a feature): objects, tile attributes and planes as record batches (`LevelBatches`) and as Arrow IPC
//!   files.
//! - `parquet` (a feature): the same as Parquet files.
//! - `png` (a feature): pictures of planes, levels, attributes and tilesets, and small pictures of levels (`preview`).
//! - `game` (a feature): the pictures of a level's game, which `png` and `tiled` then show.
//! - `tiled` (a feature): maps for the Tiled editor.
//! - [`palette`]: the colors of pictures.
//!
//! The crate `worldview-inspect` writes levels as JSON and NDJSON.

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "arrow")]
mod batch;
#[cfg(feature = "csv")]
pub mod csv;
#[cfg(feature = "png")]
mod folder;
#[cfg(feature = "game")]
pub mod game;
pub mod palette;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "png")]
pub mod png;
#[cfg(feature = "png")]
pub mod preview;
mod sheet;
#[cfg(feature = "tiled")]
pub mod tiled;

pub use sheet::{Cell, Sheet};

#[cfg(any(feature = "arrow", feature = "csv"))]
use {
    std::borrow::Cow,
    worldview_core::{FieldInfo, field_name},
    worldview_wwd::Attribute,
    worldview_wwd::raw::AttributeHead,
};

/// Returns the names of the image sets of a plane, up to the largest index that tiles can refer to.
#[cfg(feature = "png")]
pub(crate) fn image_sets<'a>(plane: &worldview_wwd::Plane<'a>) -> crate::Result<Vec<&'a [u8]>> {
    Ok(plane.image_sets().iter().take(usize::from(u16::MAX) + 1).collect::<worldview_core::Result<_>>()?)
}

/// Converts the index of a plane or object to the 32-bit width used in outputs, which is that of the counts in the
/// file.
#[cfg(any(feature = "arrow", feature = "tiled"))]
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Returns the fields that any kind of tile attribute has, besides the kind itself, in the order of their columns.
#[cfg(any(feature = "arrow", feature = "csv"))]
pub fn attribute_columns() -> Vec<&'static FieldInfo> {
    let mut columns: Vec<&FieldInfo> = Vec::new();
    for info in (1..=3).filter_map(Attribute::fields_of).flatten() {
        let is_kind = info.name == field_name!(AttributeHead, kind);
        if !is_kind && !columns.iter().any(|known| known.name == info.name) {
            columns.push(info);
        }
    }
    columns
}

/// Returns the names of the columns of such a field: its own, or those of its parts alone, such as `left`.
#[cfg(any(feature = "arrow", feature = "csv"))]
pub fn attribute_cells(info: &'static FieldInfo) -> impl Iterator<Item = Cow<'static, str>> {
    let parts = info.parts.iter().map(|part| Cow::Borrowed(*part));
    parts.chain(info.columns().filter(|_| info.parts.is_empty()))
}

#[cfg(all(test, feature = "arrow", feature = "csv", feature = "tiled"))]
#[path = "../../../tests/every_form.rs"]
mod every;

#[cfg(all(test, feature = "arrow", feature = "csv", feature = "tiled"))]
mod tests {
    use super::every::{EveryForm, VALUES, every_form};
    use crate::Encoding;

    #[test]
    fn every_form_is_a_cell_a_property_and_a_column() {
        let bytes = every_form();
        let fields = || EveryForm::FIELDS.iter().map(|info| (info, info.value(&bytes)));
        let csv = super::csv::row(fields(), Encoding::default()).unwrap();
        assert_eq!(csv, ",-2,3,65535,255,0.1,16909060,7,-8,name,0102ff,47,09090909090909");
        let properties: Vec<_> = super::tiled::properties(fields());
        for (name, value, _) in VALUES {
            // A property is a float of 64 bits.
            let value = if name == "float" { f64::from(0.1_f32).to_string() } else { value.to_owned() };
            assert!(properties.contains(&(name.to_owned(), value)), "{name}: {properties:?}");
        }
        let types = super::batch::columns(fields());
        let expected = [
            "int: Int32",
            "uint: UInt32",
            "short: UInt32",
            "byte: UInt32",
            "float: Float32",
            "unknown: UInt32",
            "several_0: Int32",
            "several_1: Int32",
            "text: Utf8",
            "bytes: Binary",
            "length: UInt32",
            "implied: Binary",
        ];
        assert_eq!(types, expected);
    }
}
