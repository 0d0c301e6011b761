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

#[cfg(feature = "arrow")]
pub use arrow::{BatchOptions, LevelBatches};
pub use sheet::{Cell, Sheet};

/// Converts the index of a plane or object to the 32-bit width used in outputs, which is that of the counts in the
/// file.
#[cfg(any(feature = "arrow", feature = "png", feature = "tiled"))]
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
