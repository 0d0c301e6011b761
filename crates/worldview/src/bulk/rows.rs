use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};

use worldview_export::arrow::arrow_array::{RecordBatch, RecordBatchReader};
use worldview_export::arrow::arrow_schema::{ArrowError, SchemaRef};
use worldview_map::Loader;

use super::{Bulk, FilePart, Input};
use crate::{Opened, Options};

/// The maximum number of batches that wait to be taken, and of files processed ahead of them.
const AHEAD: usize = 64;

/// The rows of many files as one stream of Arrow record batches with the same schema, which are read on other threads on demand.
///
/// It goes to whatever takes a [`RecordBatchReader`]: writers of Parquet, query engines, the C stream interface. Dropping it stops the
/// threads.
///
/// ```
/// use worldview::bulk::{self, BatchReader};
/// use worldview::export::arrow::arrow_array::RecordBatchReader as _;
/// use worldview::export::arrow::with_file;
/// use worldview::export::table::arrow::{BatchOptions, TableBatches as _};
/// use worldview::{Asset, Loader, Options};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/items.wdb");
/// let reader = BatchReader::start(
///     bulk::walk(folder),
///     (Loader::read(), Options::new(), 0),
///     None,
///     |part, opened| match &opened.asset {
///         Asset::Table(table) => {
///             let file = part.to_string();
///             Some(table.record_batches(&BatchOptions::default()).and_then(|rows| with_file(rows, &file).read_all()))
///         }
///         _ => None,
///     },
///     |file, error| eprintln!("{file}: {error}"),
/// );
/// let reader = reader.expect("there is a table");
/// assert_eq!(reader.schema().field(0).name(), "file");
/// assert_eq!(reader.map(|rows| rows.map_or(0, |rows| rows.num_rows())).sum::<usize>(), 40);
/// ```
pub struct BatchReader {
    schema: SchemaRef,
    batches: Receiver<RecordBatch>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BatchReader {
    /// Starts to read files. Without a schema, waits for the first rows, whose schema is that of all; returns `None` if there are
    /// none.
    ///
    /// `rows` is called on any thread with each part of each file, as by [`Bulk::each`], and returns its batches and their schema, or
    /// `None` if it has no rows. `failed` receives each part that cannot be read, and each whose columns are not those of the schema;
    /// the others follow in the order of the files. 0 threads are all threads of the machine.
    ///
    /// # Panics
    ///
    /// A panic in `rows` or `failed` is propagated by the call of [`next`](Iterator::next) that would return the end.
    pub fn start<I, R, F>(
        inputs: I,
        (loader, options, threads): (Loader, Options, usize),
        schema: Option<SchemaRef>,
        rows: R,
        failed: F,
    ) -> Option<Self>
    where
        I: IntoIterator<Item: Into<Input<'static>>> + Send + 'static,
        R: Fn(&FilePart, &Opened<'_>) -> Option<worldview_export::Result<(SchemaRef, Vec<RecordBatch>)>>
            + Send
            + Sync
            + 'static,
        F: Fn(&FilePart, &(dyn Error + 'static)) + Send + 'static,
    {
        let (send_schema, receive_schema) = sync_channel(1);
        let (send, batches) = sync_channel(AHEAD);
        let stop = Arc::new(AtomicBool::new(false));
        let (cancel, known) = (Arc::clone(&stop), schema.clone());
        let thread = thread::spawn(move || {
            let mut common = known;
            let bulk = Bulk::new(loader).options(&options).threads(threads).window(AHEAD).cancel(&cancel);
            bulk.each(inputs, rows, |part, result| {
                let (schema, rows) = match result {
                    Ok(Some(Ok(rows))) => rows,
                    Ok(None) => return,
                    Ok(Some(Err(error))) => return failed(&part, &error),
                    Err(error) => return failed(&part, &error),
                };
                match &common {
                    Some(common) if common.fields() != schema.fields() => {
                        let error: Box<dyn Error> = "the columns differ from those of the first file".into();
                        return failed(&part, &*error);
                    }
                    Some(_) => {}
                    None => {
                        // There is room for one.
                        let _ = send_schema.send(Arc::clone(&schema));
                        common = Some(schema);
                    }
                }
                if rows.into_iter().any(|batch| send.send(batch).is_err()) {
                    cancel.store(true, Ordering::Relaxed);
                }
            });
        });
        let Some(schema) = schema.or_else(|| receive_schema.recv().ok()) else {
            ended(thread);
            return None;
        };
        Some(Self { schema, batches, stop, thread: Some(thread) })
    }
}

/// Waits for a thread that is about to end.
fn ended(thread: JoinHandle<()>) {
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

impl Iterator for BatchReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.recv();
        if batch.is_err() {
            self.thread.take().into_iter().for_each(ended);
        }
        batch.ok().map(Ok)
    }
}

impl RecordBatchReader for BatchReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for BatchReader {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

worldview_core::debug_summary!("BatchReader", BatchReader, |this| columns: this.schema.fields().len());
