//! The rows of many tables in one file for each sheet, or in one workbook.

mod workbook;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use worldview::wpd::Table;
use worldview_export::arrow::arrow_array::{ArrayRef, RecordBatch, StringArray, new_null_array};
use worldview_export::arrow::arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use worldview_export::arrow::{BatchFormat, BatchWriter};
use worldview_export::table::arrow::TableBatches as _;
use worldview_export::table::{self, Selection};
use worldview_export::{Error, Result, hex};

use crate::args::{ExportArgs, Kind, MergeBy};
use crate::open::Visit;
use crate::output::{Entry, OutputTree, Taken, Tally, TopFile, With, file_name};
use crate::run::Run;
use crate::table::path as shown;
use workbook::{Book, Worksheet};

/// The name of files with tables that belong to no sheet.
const LAYOUT: &str = "layout";

/// The rows of a table.
#[derive(Clone, Debug)]
pub(super) enum Rows {
    /// The records, or the string arrays, with a column for the file that they come from.
    Batches {
        /// The name of the sheet, or of the file if the table has none; for string arrays with `.arrays` behind it.
        name: String,
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
    },
    /// The records.
    Worksheet(Worksheet),
}

impl Rows {
    /// Reads a table.
    pub(super) fn of(table: &Table<'_>, visit: &Visit<'_, '_>, args: &ExportArgs) -> Result<Vec<Self>> {
        if args.merge == Some(MergeBy::Workbook) {
            return Ok(vec![Self::Worksheet(Worksheet::of(table, visit, args)?)]);
        }
        let path = visit.path;
        let name = match table::sheet(table) {
            Some(name) => name.into_owned(),
            None if args.merge == Some(MergeBy::Layout) => LAYOUT.to_owned(),
            None => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let file = shown(path);
        let records = table.record_batches(&Selection::ALL.sheet(args.sheet).into())?;
        let mut all = vec![Self::new(name.clone(), &file, records)?];
        if !table.string_arrays().is_empty() {
            all.push(Self::new(format!("{name}.arrays"), &file, table.array_batches())?);
        }
        Ok(all)
    }

    fn new(name: String, file: &str, batches: worldview_export::arrow::RecordBatches<'_>) -> Result<Self> {
        // What the metadata says differs from file to file.
        let first = Arc::new(Field::new("file", DataType::Utf8, false));
        let fields: Fields = std::iter::once(first).chain(batches.schema().fields().iter().cloned()).collect();
        let schema = Arc::new(Schema::new(fields));
        let labeled = |batch: Result<RecordBatch>| {
            let batch = batch?;
            let files = StringArray::from_iter_values(std::iter::repeat_n(file, batch.num_rows()));
            let columns = std::iter::once(Arc::new(files) as ArrayRef).chain(batch.columns().iter().cloned());
            RecordBatch::try_new(Arc::clone(&schema), columns.collect()).map_err(|error| io::Error::other(error).into())
        };
        let batches = batches.map(labeled).collect::<Result<_>>()?;
        Ok(Self::Batches { name, schema, batches })
    }
}

/// The files of a sheet.
struct Sheet {
    /// The name of the sheet, and that of the files without an extension.
    name: String,
    stem: String,
    schema: SchemaRef,
    /// Rows that are not written yet, and the memory that they take.
    held: Vec<RecordBatch>,
    size: usize,
    /// One for each format, once rows were written; `None` for a file that is kept.
    files: Option<Vec<Option<BatchWriter<TopFile>>>>,
}

/// All sheets.
pub(super) struct Merge<'m> {
    tree: &'m OutputTree,
    formats: Vec<(&'static str, BatchFormat)>,
    sheets: Vec<Sheet>,
    book: Book,
    /// The sheet of tables with these fields. Those of different games have different ones.
    index: HashMap<(String, Fields), usize>,
    taken: Taken,
    size: usize,
    with: With,
}

/// What was written, or would be, with its size, and counts.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) written: Vec<(PathBuf, u64)>,
    pub(super) tally: Tally,
    pub(super) files: Vec<Entry>,
}

/// Whether the outputs of a kind are merged.
pub(super) const fn merges(by: MergeBy, kind: Kind) -> bool {
    match by {
        MergeBy::Workbook => matches!(kind, Kind::Xlsx),
        MergeBy::Sheet | MergeBy::Layout => format(kind).is_some(),
    }
}

/// The format of a kind whose rows are merged.
const fn format(kind: Kind) -> Option<(&'static str, BatchFormat)> {
    match kind {
        Kind::Parquet => Some(("parquet", BatchFormat::Parquet)),
        Kind::Arrow => Some(("arrow", BatchFormat::Arrow)),
        _ => None,
    }
}

impl<'m> Merge<'m> {
    /// The maximum memory of rows that wait, in bytes. A sheet that fits is compressed as a whole.
    const HELD: usize = 64 << 20;

    pub(super) fn new(tree: &'m OutputTree, args: &ExportArgs) -> Self {
        let formats = super::kinds(&args.to).filter_map(format).collect();
        let (sheets, book, index, taken) = (Vec::new(), Book::default(), HashMap::new(), Taken::default());
        Self { tree, formats, sheets, book, index, taken, size: 0, with: super::with(args) }
    }

    /// Adds rows to their sheet.
    ///
    /// # Errors
    ///
    /// Returns an error, with the path of the file, if it cannot be written.
    pub(super) fn add(&mut self, rows: Rows) -> std::result::Result<(), (String, Error)> {
        let (name, schema, batches) = match rows {
            Rows::Batches { name, schema, batches } => (name, schema, batches),
            Rows::Worksheet(sheet) => return self.book.add(&sheet),
        };
        // A table without rows adds nothing, and a sheet of such tables no file.
        if batches.iter().all(|batch| batch.num_rows() == 0) {
            return Ok(());
        }
        let Self { index, sheets, taken, .. } = self;
        let index = *index.entry((name, schema.fields().clone())).or_insert_with_key(|(name, fields)| {
            // As long as nothing is written, a sheet can get more columns.
            let open = |sheet: &Sheet| sheet.name == *name && sheet.files.is_none() && *name != LAYOUT;
            let joined = |sheet: &Sheet| open(sheet).then(|| union(sheet.schema.fields(), fields)).flatten();
            if let Some((index, fields)) =
                sheets.iter().enumerate().find_map(|(index, sheet)| Some((index, joined(sheet)?)))
            {
                sheets[index].schema = Arc::new(Schema::new(fields));
                return index;
            }
            let stem = taken.take(file_name(name.as_bytes()));
            sheets.push(Sheet { name: name.clone(), stem, schema, held: Vec::new(), size: 0, files: None });
            sheets.len() - 1
        });
        let sheet = &mut self.sheets[index];
        let size: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
        sheet.size += size;
        self.size += size;
        sheet.held.extend(batches);
        while self.size > Self::HELD
            && let Some(largest) = self.sheets.iter_mut().max_by_key(|sheet| sheet.size)
        {
            self.size -= largest.size;
            largest.write(self.tree, &self.formats)?;
        }
        Ok(())
    }

    /// Writes what is left.
    pub(super) fn finish(self, run: &mut Run) -> Merged {
        let mut merged = Merged::default();
        for mut sheet in self.sheets {
            if let Err((path, error)) = sheet.write(self.tree, &self.formats) {
                run.broken(&path, &error);
                continue;
            }
            for (file, (extension, _)) in sheet.files.into_iter().flatten().zip(&self.formats) {
                let Some(file) = file else {
                    merged.tally.kept += 1;
                    continue;
                };
                let name = named(&sheet.stem, extension);
                match file.finish() {
                    Ok(file) => merged.take(file, (name, &sheet.name), &self.with, run),
                    Err(error) => run.broken(&shown(&self.tree.path(&name)), &error),
                }
            }
        }
        match self.book.write(self.tree) {
            Ok(None) => {}
            Ok(Some(None)) => merged.tally.kept += 1,
            Ok(Some(Some(file))) => merged.take(file, (Book::FILE.to_owned(), "tables"), &self.with, run),
            Err(error) => run.broken(&shown(&self.tree.path(Book::FILE)), &error),
        }
        merged
    }
}

impl Merged {
    /// Gives a complete file its name, and counts it. `names` are those of the file and of what it has.
    fn take(&mut self, file: TopFile, names: (String, &str), with: &With, run: &mut Run) {
        let path = shown(&file.path);
        let (path, (size, sha256), is_same) = match file.finish_with_digest() {
            Ok(finished) => finished,
            Err(error) => return run.broken(&path, &error),
        };
        if is_same {
            self.tally.unchanged += 1;
        } else {
            self.tally.written += 1;
            self.tally.bytes_written += size;
            self.written.push((path, size));
        }
        let (file, name) = names;
        let (kind, name, name_bytes) = ("merged".to_owned(), name.to_owned(), hex(name.as_bytes()));
        self.files.push(Entry {
            file,
            kind,
            name,
            name_bytes,
            from: Vec::new(),
            size,
            sha256,
            of: None,
            with: with.clone(),
        });
    }
}

impl Sheet {
    /// Writes the rows that wait, as a row group.
    fn write(
        &mut self,
        tree: &OutputTree,
        formats: &[(&'static str, BatchFormat)],
    ) -> std::result::Result<(), (String, Error)> {
        let widened = |batch| widened(batch, &self.schema).map_err(|error| (self.stem.clone(), error));
        let held: Vec<_> = std::mem::take(&mut self.held).iter().map(widened).collect::<std::result::Result<_, _>>()?;
        self.size = 0;
        let is_begun = self.files.is_some();
        let files = self.files.get_or_insert_default();
        for (index, (extension, format)) in formats.iter().enumerate() {
            let name = named(&self.stem, extension);
            let mut write = || {
                if !is_begun {
                    let top = tree.top(&name)?;
                    let begin = |out| BatchWriter::new(*format, &self.schema, &held, out);
                    files.push(top.map(begin).transpose()?);
                }
                let Some(file) = &mut files[index] else { return Ok(()) };
                held.iter().try_for_each(|batch| file.write(batch))?;
                file.flush()
            };
            write().map_err(|error: Error| (shown(&tree.path(&name)), error))?;
        }
        Ok(())
    }
}

/// Returns the columns of both tables of a sheet, or `None` if they are those of different games: if a column has another type,
/// or if they share less than half of the columns of the smaller one.
fn union(one: &Fields, other: &Fields) -> Option<Fields> {
    let of_one = |field: &Arc<Field>| one.iter().find(|same| same.name() == field.name());
    let is_other = |field: &Arc<Field>| of_one(field).is_some_and(|same| same.data_type() != field.data_type());
    let shared = other.iter().filter(|field| of_one(field).is_some()).count();
    // All have the columns `file` and `record`.
    let of_their_own = |count: usize| count.saturating_sub(2);
    if other.iter().any(is_other) || 2 * of_their_own(shared) < of_their_own(one.len().min(other.len())) {
        return None;
    }
    // What one table lacks is null there.
    let nullable = |field: &Arc<Field>| Arc::new(field.as_ref().clone().with_nullable(true));
    let is_shared = |field: &Arc<Field>| other.iter().any(|same| same.name() == field.name());
    let kept = one.iter().map(|field| if is_shared(field) { Arc::clone(field) } else { nullable(field) });
    let added = other.iter().filter(|field| of_one(field).is_none()).map(nullable);
    Some(kept.chain(added).collect())
}

/// Returns a batch with all columns of its sheet.
fn widened(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let column = |field: &Arc<Field>| match batch.column_by_name(field.name()) {
        Some(column) => Arc::clone(column),
        None => new_null_array(field.data_type(), batch.num_rows()),
    };
    let columns = schema.fields().iter().map(column).collect();
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| io::Error::other(error).into())
}

fn named(stem: &str, extension: &str) -> String {
    format!("{stem}.{extension}")
}
