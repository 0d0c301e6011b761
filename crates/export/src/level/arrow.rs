//! Exports objects, tile attributes and planes of levels as Arrow record batches and Arrow IPC files. The columns
//! are listed in [Columns](worldview_wwd::format#columns).
//!
//! The schema metadata identifies the origin of the columns: `worldview.format`, `worldview.name`, and
//! `worldview.game` if it is known.

use std::io::Write;

use arrow_array::RecordBatch;
use worldview_wwd::Level;

use super::batch;
use crate::arrow::RecordBatches;
use crate::columns::{Division, ipc};
use crate::{Encoding, Result};

/// Options for record batches of a level.
///
/// ```
/// use worldview_export::Encoding;
/// use worldview_export::level::arrow::BatchOptions;
///
/// let options = BatchOptions::default().encoding(Encoding::WINDOWS_1250);
/// assert_eq!(options.max_rows, None);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchOptions<'o> {
    /// The code page of names.
    pub encoding: Encoding,
    /// Maximum number of rows in a batch. The default, which is also the upper limit, is 8,192. Does not apply to
    /// methods that return a single batch.
    pub max_rows: Option<usize>,
    /// The index of the plane whose objects are wanted; `None` for those of all planes.
    pub plane: Option<usize>,
    /// The names of the columns of objects that are wanted; `None` for all. Others are not decoded, and names of no column are
    /// ignored.
    pub columns: Option<&'o [&'o str]>,
}

impl<'o> BatchOptions<'o> {
    worldview_core::setters! {
        /// Sets the code page of names.
        pub const fn encoding(encoding: Encoding) => encoding = encoding;

        /// Sets the maximum number of rows in a batch.
        pub fn max_rows(rows: impl Into<Option<usize>>) => max_rows = rows.into();

        /// Sets the plane whose objects are wanted.
        pub fn plane(index: impl Into<Option<usize>>) => plane = index.into();

        /// Sets the columns of objects that are wanted.
        pub fn columns(names: impl Into<Option<&'o [&'o str]>>) => columns = names.into();
    }
}

impl From<Encoding> for BatchOptions<'_> {
    fn from(encoding: Encoding) -> Self {
        Self::default().encoding(encoding)
    }
}

/// Converts the parts of a level to Arrow record batches.
///
/// The methods that return a single batch fail if its strings, masks and tiles take more than 512 MiB. The others
/// divide the rows into batches of at most 8,192 rows and about 4 MiB; after an error, the iterator ends.
///
/// ```
/// use worldview_export::arrow::arrow_array::{cast::AsArray as _, types::{Int32Type, UInt32Type}};
/// use worldview_export::level::arrow::{BatchOptions, LevelBatches as _};
/// use worldview_wwd::{Level, unpack};
///
/// # let file = &worldview_corpus::sample("harbour.wwd");
/// let image = unpack(file)?;
/// let level = Level::parse(&image)?;
/// let options = BatchOptions::default();
///
/// let objects = level.object_batch(&options)?;
/// let x = objects["x"].as_primitive::<Int32Type>();
/// let first = level.planes().iter().find_map(|plane| plane.objects().iter().next()).unwrap()?;
/// assert_eq!(x.value(0), first.x.get());
///
/// let planes = level.plane_batch(&options)?;
/// let tiles = planes["tiles"].as_list::<i32>().value(0);
/// assert_eq!(tiles.as_primitive::<UInt32Type>().len(), level.planes()[0].tiles().len());
/// # use worldview_export::arrow::arrow_array::Array as _;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LevelBatches: sealed::Sealed {
    /// Returns the objects of all planes as one batch. It has the columns of `csv::objects`, with the metadata as
    /// bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if an object is truncated, or if the batch is too large.
    fn object_batch(&self, options: &BatchOptions<'_>) -> Result<RecordBatch>;

    /// Returns the objects of all planes as batches.
    fn object_batches(&self, options: &BatchOptions<'_>) -> RecordBatches<'_>;

    /// Returns the tile attributes as one batch. It has the columns of `csv::attributes`, with the mask as bytes, and
    /// nulls for values that do not apply to a kind.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch is too large.
    fn attribute_batch(&self, options: &BatchOptions<'_>) -> Result<RecordBatch>;

    /// Returns the tile attributes as batches.
    fn attribute_batches(&self, options: &BatchOptions<'_>) -> RecordBatches<'_>;

    /// Returns the planes as one batch. Its columns are `plane`, the number of the plane, the fields of the plane
    /// header, and the lists `image_sets` and `tiles`. Tiles are the words of the file in row order, `tiles_wide` per
    /// row.
    ///
    /// # Errors
    ///
    /// Returns an error if the name of an image set is truncated, or if the batch is too large.
    fn plane_batch(&self, options: &BatchOptions<'_>) -> Result<RecordBatch>;

    /// Returns the planes as batches.
    fn plane_batches(&self, options: &BatchOptions<'_>) -> RecordBatches<'_>;
}

impl LevelBatches for Level<'_> {
    fn object_batch(&self, options: &BatchOptions<'_>) -> Result<RecordBatch> {
        batch::objects(self, options, Division::One).only()
    }

    fn object_batches(&self, options: &BatchOptions<'_>) -> RecordBatches<'_> {
        batch::objects(self, options, Division::many(options.max_rows))
    }

    fn attribute_batch(&self, options: &BatchOptions<'_>) -> Result<RecordBatch> {
        batch::attributes(self, options.encoding, Division::One).only()
    }

    fn attribute_batches(&self, options: &BatchOptions<'_>) -> RecordBatches<'_> {
        batch::attributes(self, options.encoding, Division::many(options.max_rows))
    }

    fn plane_batch(&self, options: &BatchOptions<'_>) -> Result<RecordBatch> {
        batch::planes(self, options.encoding, Division::One).only()
    }

    fn plane_batches(&self, options: &BatchOptions<'_>) -> RecordBatches<'_> {
        batch::planes(self, options.encoding, Division::many(options.max_rows))
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for worldview_wwd::Level<'_> {}
}

/// Writes the objects of all planes as an Arrow IPC file, one object per row.
///
/// # Errors
///
/// Returns an error if an object is truncated, or if writing to `out` fails.
pub fn objects(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    ipc::write(level.object_batches(&encoding.into()), out)
}

/// Writes the tile attributes as an Arrow IPC file, one attribute per row.
///
/// # Errors
///
/// Returns an error if writing to `out` fails.
pub fn attributes(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    ipc::write(level.attribute_batches(&encoding.into()), out)
}

/// Writes the planes with their tiles as an Arrow IPC file, one plane per row.
///
/// # Errors
///
/// Returns an error if the name of an image set is truncated, or if writing to `out` fails.
pub fn planes(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    ipc::write(level.plane_batches(&encoding.into()), out)
}
