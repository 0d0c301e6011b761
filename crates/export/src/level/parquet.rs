//! Exports objects, tile attributes and planes of levels as Parquet files, compressed with LZ4.
//! The columns are listed in [Columns](worldview_wwd::format#columns).

use std::io::Write;

use worldview_wwd::Level;

use super::arrow::LevelBatches as _;
use crate::columns::parquet;
use crate::{Encoding, Result};

/// Writes the objects of all planes as a Parquet file, one object per row.
///
/// # Errors
///
/// Returns an error if an object is truncated, or if writing to `out` fails.
pub fn objects(level: &Level<'_>, encoding: Encoding, out: impl Write + Send) -> Result<()> {
    parquet::write(level.object_batches(&encoding.into()), out)
}

/// Writes the tile attributes as a Parquet file, one attribute per row.
///
/// # Errors
///
/// Returns an error if writing to `out` fails.
pub fn attributes(level: &Level<'_>, encoding: Encoding, out: impl Write + Send) -> Result<()> {
    parquet::write(level.attribute_batches(&encoding.into()), out)
}

/// Writes the planes with their tiles as a Parquet file, one plane per row.
///
/// # Errors
///
/// Returns an error if the name of an image set is truncated, or if writing to `out` fails.
pub fn planes(level: &Level<'_>, encoding: Encoding, out: impl Write + Send) -> Result<()> {
    parquet::write(level.plane_batches(&encoding.into()), out)
}
