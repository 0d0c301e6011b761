//! Objects, tile attributes and planes of levels as Arrow record batches and Arrow IPC files. `docs/formats/wwd.md`, Columns,
//! has the columns.
//!
//! The schema says where the columns come from: `worldview.format`, `worldview.name`, and `worldview.game` where it is known.

use std::io::Write;

use arrow_array::RecordBatch;
use worldview_wwd::Level;

use super::batch;
use crate::columns::{Division, ipc};
use crate::{Encoding, RecordBatches, Result};

/// Options for record batches of a level.
///
/// ```
/// use worldview_export::Encoding;
/// use worldview_export::level::BatchOptions;
///
/// let options = BatchOptions::default().encoding(Encoding::Windows1250);
/// assert_eq!(options.max_rows, None);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchOptions {
    /// The code page of names.
    pub encoding: Encoding,
    /// Rows of a batch, at most; the default, and the limit, is 8,192. Does not apply to a single batch of everything.
    pub max_rows: Option<usize>,
}

impl BatchOptions {
    /// Sets the code page of names.
    #[must_use]
    pub const fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// Sets how many rows a batch has at most.
    #[must_use]
    pub fn max_rows(mut self, rows: impl Into<Option<usize>>) -> Self {
        self.max_rows = rows.into();
        self
    }
}

impl From<Encoding> for BatchOptions {
    fn from(encoding: Encoding) -> Self {
        Self::default().encoding(encoding)
    }
}

/// Returns the parts of levels as Arrow record batches.
///
/// The methods that return a single batch fail if its strings, masks and tiles take more than 512 MiB; the others divide rows
/// into batches of at most 8,192 rows and about 4 MiB, and an iterator returns an error where it cannot go on.
///
/// ```
/// use worldview_export::arrow_array::{cast::AsArray as _, types::{Int32Type, UInt32Type}};
/// use worldview_export::level::{BatchOptions, LevelBatches as _};
/// use worldview_wwd::{Level, unpack};
///
/// # let samples = worldview_corpus::samples();
/// # let file = &samples.iter().find(|(name, _)| *name == "harbour.wwd").unwrap().1;
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
/// # use worldview_export::arrow_array::Array as _;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LevelBatches: sealed::Sealed {
    /// Returns the objects of all planes as one batch: the columns of `csv::objects`, with the metadata
    /// as bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if an object is truncated, overlapping planes exceed the bound on the work, or the batch is too large.
    fn object_batch(&self, options: &BatchOptions) -> Result<RecordBatch>;

    /// Returns the objects of all planes as batches.
    fn object_batches(&self, options: &BatchOptions) -> RecordBatches<'_>;

    /// Returns the tile attributes as one batch: the columns of `csv::attributes`, with the mask as bytes
    /// and null for what does not apply to a kind.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch is too large.
    fn attribute_batch(&self, options: &BatchOptions) -> Result<RecordBatch>;

    /// Returns the tile attributes as batches.
    fn attribute_batches(&self, options: &BatchOptions) -> RecordBatches<'_>;

    /// Returns the planes as one batch: a column `plane` with the plane's number, the fields of its header, and `image_sets`
    /// and `tiles`, which are lists. Tiles are the words of the file, row after row; a row has `tiles_wide` of them.
    ///
    /// # Errors
    ///
    /// Returns an error if the name of an image set is truncated, planes overlap so much that they exceed the bound on the work, or
    /// the batch is too large.
    fn plane_batch(&self, options: &BatchOptions) -> Result<RecordBatch>;

    /// Returns the planes as batches.
    fn plane_batches(&self, options: &BatchOptions) -> RecordBatches<'_>;
}

impl LevelBatches for Level<'_> {
    fn object_batch(&self, options: &BatchOptions) -> Result<RecordBatch> {
        batch::objects(self, options.encoding, Division::One).only()
    }

    fn object_batches(&self, options: &BatchOptions) -> RecordBatches<'_> {
        batch::objects(self, options.encoding, Division::many(options.max_rows))
    }

    fn attribute_batch(&self, options: &BatchOptions) -> Result<RecordBatch> {
        batch::attributes(self, options.encoding, Division::One).only()
    }

    fn attribute_batches(&self, options: &BatchOptions) -> RecordBatches<'_> {
        batch::attributes(self, options.encoding, Division::many(options.max_rows))
    }

    fn plane_batch(&self, options: &BatchOptions) -> Result<RecordBatch> {
        batch::planes(self, options.encoding, Division::One).only()
    }

    fn plane_batches(&self, options: &BatchOptions) -> RecordBatches<'_> {
        batch::planes(self, options.encoding, Division::many(options.max_rows))
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for worldview_wwd::Level<'_> {}
}

/// Writes the objects of all planes as an Arrow IPC file, one per row.
///
/// # Errors
///
/// Returns an error if an object is truncated, overlapping planes exceed the bound on the work, or writing to `out` fails.
pub fn objects(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    ipc::write(level.object_batches(&encoding.into()), out)
}

/// Writes the tile attributes as an Arrow IPC file, one per row.
///
/// # Errors
///
/// Returns an error if writing to `out` fails.
pub fn attributes(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    ipc::write(level.attribute_batches(&encoding.into()), out)
}

/// Writes the planes with their tiles as an Arrow IPC file, one per row.
///
/// # Errors
///
/// Returns an error if the name of an image set is truncated, overlapping planes exceed the bound on the work, or writing to `out`
/// fails.
pub fn planes(level: &Level<'_>, encoding: Encoding, out: impl Write) -> Result<()> {
    ipc::write(level.plane_batches(&encoding.into()), out)
}
