//! The rows of many tables in one file for each sheet, or in one workbook.

mod workbook;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs::File;
use std::io::Seek as _;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use worldview::wpd::Table;
use worldview_export::arrow::arrow_array::{RecordBatch, new_null_array};
use worldview_export::arrow::arrow_schema::{ArrowError, Field, Fields, Schema, SchemaRef};
use worldview_export::arrow::{BatchFormat, BatchWriter, RecordBatches, read, with_file};
use worldview_export::outputs::OutputKind as Kind;
use worldview_export::table::arrow::TableBatches as _;
use worldview_export::table::{self, Selection};
use worldview_export::{Error, Result, hex};

use crate::open::Visit;
use crate::options::{ExportOptions, MergeBy};
use crate::output::{Entry, Finished, Made, Origin, OutputTree, Taken, TopFile, With, file_name};
use crate::run::Run;
use crate::table::path as shown;
use workbook::{Book, Worksheet};

/// The name of files with tables that belong to no sheet.
const LAYOUT: &str = "layout";

/// The rows of a table, and where they come from.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    from: Origin,
    kind: RowsKind,
}

#[derive(Clone, Debug)]
enum RowsKind {
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
    pub(super) fn of(table: &Table<'_>, visit: &Visit<'_, '_>, args: &ExportOptions) -> Result<Vec<Self>> {
        let (source, path) = (table.archive().source(), visit.path);
        let from = Origin {
            source: Some(shown(&visit.input.path)),
            rows: Some(table.len() as u64),
            inside: visit.inner(),
            offset: source.base(),
            length: Some(source.len()),
            ..Origin::default()
        };
        if args.merge == Some(MergeBy::Workbook) {
            return Ok(vec![Self { from, kind: RowsKind::Worksheet(Worksheet::of(table, visit, args)?) }]);
        }
        let name = match table::sheet(table) {
            Some(name) => name.into_owned(),
            None if args.merge == Some(MergeBy::Layout) => LAYOUT.to_owned(),
            None => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let file = shown(path);
        let records = table.record_batches(&Selection::ALL.sheet(args.sheet).into())?;
        let mut all = vec![Self::new(name.clone(), &file, &from, records)?];
        if !table.string_arrays().is_empty() {
            all.push(Self::new(format!("{name}.arrays"), &file, &from, table.array_batches())?);
        }
        Ok(all)
    }

    fn new(name: String, file: &str, from: &Origin, batches: RecordBatches<'_>) -> Result<Self> {
        let (schema, batches) = with_file(batches, file).read_all()?;
        let rows = batches.iter().map(|batch| batch.num_rows() as u64).sum();
        Ok(Self {
            from: Origin { rows: Some(rows), ..from.clone() },
            kind: RowsKind::Batches { name, schema, batches },
        })
    }
}

/// The rows of all tables with the same columns and the same name.
#[derive(Debug)]
struct Layout {
    /// The name of the sheet.
    name: String,
    schema: SchemaRef,
    /// Of each table its number among all, the number of its batches, and where it is.
    tables: Vec<(usize, usize, Origin)>,
    /// The first rows, in a temporary file, if memory was short.
    spilled: Option<BatchWriter<File>>,
    /// The other rows, and the memory that they take.
    held: Vec<RecordBatch>,
    size: usize,
}

/// All rows so far.
pub(super) struct Merge<'m> {
    tree: &'m OutputTree,
    formats: Vec<(&'static str, BatchFormat)>,
    layouts: Vec<Layout>,
    book: Book,
    /// The tables of the workbook.
    worksheets: Vec<Origin>,
    index: HashMap<(String, Fields), usize>,
    /// The number of tables.
    count: usize,
    size: usize,
    with: With,
}

/// The result of merging rows.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) made: Made,
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
    /// The maximum memory of rows, in bytes. A file of fewer is compressed as a whole.
    const HELD: usize = 64 << 20;

    pub(super) fn new(tree: &'m OutputTree, args: &ExportOptions) -> Self {
        let formats = Kind::sorted(&args.to).filter_map(format).collect();
        let (layouts, book, worksheets, index) = (Vec::new(), Book::default(), Vec::new(), HashMap::new());
        Self { tree, formats, layouts, book, worksheets, index, count: 0, size: 0, with: super::with(args) }
    }

    /// Adds the rows of a table. Returns an error, with the path of the file, if they cannot be kept.
    pub(super) fn add(&mut self, rows: Rows) -> std::result::Result<(), (String, Error)> {
        let Rows { from, kind } = rows;
        let (name, schema, batches) = match kind {
            RowsKind::Batches { name, schema, batches } => (name, schema, batches),
            RowsKind::Worksheet(sheet) => {
                self.worksheets.push(from);
                return self.book.add(&sheet);
            }
        };
        // A table without rows adds nothing, and a sheet of such tables no file.
        if from.rows == Some(0) {
            return Ok(());
        }
        let layouts = &mut self.layouts;
        let index = *self.index.entry((name, schema.fields().clone())).or_insert_with_key(|(name, _)| {
            let name = name.clone();
            layouts.push(Layout { name, schema, tables: Vec::new(), spilled: None, held: Vec::new(), size: 0 });
            layouts.len() - 1
        });
        let layout = &mut layouts[index];
        layout.tables.push((self.count, batches.len(), from));
        self.count += 1;
        let size: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
        layout.size += size;
        self.size += size;
        layout.held.extend(batches);
        while self.size > Self::HELD
            && let Some(largest) = self.layouts.iter_mut().max_by_key(|layout| layout.size)
        {
            self.size -= largest.size;
            largest.spill(self.tree).map_err(|error| (shown(&self.tree.path("")), error))?;
        }
        Ok(())
    }

    /// Writes the files. Which tables share one, and what it is called, follows from their sheets and columns, whatever their order.
    pub(super) fn finish(mut self, run: &mut Run<'_>) -> Merged {
        let mut merged = Merged::default();
        self.layouts.sort_by_cached_key(Layout::key);
        let mut groups: Vec<Group> = Vec::new();
        for layout in self.layouts {
            let fields = layout.schema.fields().clone();
            let mut of_sheet = groups.iter_mut().filter(|group| group.name == layout.name && layout.name != LAYOUT);
            if let Some((group, fields)) =
                of_sheet.find_map(|group| union(&group.fields, &fields).map(|all| (group, all)))
            {
                group.fields = fields;
                group.layouts.push(layout);
            } else {
                groups.push(Group { name: layout.name.clone(), fields, layouts: vec![layout] });
            }
        }
        let mut sheets: HashMap<_, usize> = HashMap::new();
        groups.iter().for_each(|group| *sheets.entry(group.stem().to_ascii_lowercase()).or_default() += 1);
        let mut taken = Taken::default();
        for group in groups {
            let (mut stem, name) = (group.stem(), group.name.clone());
            if name == LAYOUT || sheets.get(&stem.to_ascii_lowercase()) != Some(&1) {
                stem = format!("{stem}-{}", group.digest());
            }
            let stem = taken.take(stem);
            let path = |extension| named(&stem, extension);
            let from = group.from();
            let files = match group.write(&stem, self.tree, &self.formats) {
                Ok(files) => files,
                Err((path, error)) => {
                    run.broken(&path, &error);
                    continue;
                }
            };
            for (file, (extension, _)) in files.into_iter().zip(&self.formats) {
                match file.map(BatchWriter::finish).transpose() {
                    Ok(file) => merged.take(file, (path(extension), &name), from.clone(), &self.with, run),
                    Err(error) => run.broken(&shown(&self.tree.path(&path(extension))), &error),
                }
            }
        }
        match self.book.write(self.tree) {
            Ok(None) => {}
            Ok(Some(file)) => {
                merged.take(file, (Book::FILE.to_owned(), "tables"), self.worksheets, &self.with, run);
            }
            Err(error) => run.broken(&shown(&self.tree.path(Book::FILE)), &error),
        }
        merged
    }
}

impl Merged {
    /// Gives a complete file its name, and counts it; there is none if one is kept. `names` are those of the file and of what it has.
    fn take(
        &mut self,
        file: Option<TopFile>,
        (file_name, name): (String, &str),
        from: Vec<Origin>,
        with: &With,
        run: &mut Run<'_>,
    ) {
        let Some(file) = file else {
            self.made.tally.kept += 1;
            return;
        };
        let path = shown(&file.path);
        let finished = match file.finish() {
            Ok(finished) => finished,
            Err(error) => return run.broken(&path, &error),
        };
        self.made.finished(&finished);
        let Finished { size, sha256, .. } = finished;
        let (kind, name, name_bytes) = ("merged".to_owned(), name.to_owned(), hex(name.as_bytes()));
        let file = file_name;
        self.files.push(Entry { file, kind, name, name_bytes, from, size, sha256, of: None, with: with.clone() });
    }
}

impl Layout {
    /// The key by which layouts are sorted: the sheet, and the columns, the most of them first.
    fn key(&self) -> (String, Reverse<usize>, String) {
        let fields = self.schema.fields();
        (self.name.clone(), Reverse(fields.len()), columns(fields))
    }

    /// Moves the rows that are held to a temporary file.
    fn spill(&mut self, tree: &OutputTree) -> Result<()> {
        let mut file = match self.spilled.take() {
            Some(file) => file,
            None => BatchWriter::new(BatchFormat::Arrow, &self.schema, &[], tree.spill()?)?,
        };
        self.held.iter().try_for_each(|batch| file.write(batch))?;
        (self.held, self.size, self.spilled) = (Vec::new(), 0, Some(file));
        Ok(())
    }

    fn batches(self) -> Result<impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>> {
        let spilled = self.spilled.map(|file| {
            let mut file = file.finish()?;
            file.rewind()?;
            read(file)
        });
        Ok(spilled.transpose()?.into_iter().flatten().chain(self.held.into_iter().map(Ok)))
    }
}

/// The tables that share a file.
struct Group {
    name: String,
    fields: Fields,
    layouts: Vec<Layout>,
}

impl Group {
    fn stem(&self) -> String {
        file_name(self.name.as_bytes())
    }

    /// Tells the files of a sheet from each other by their columns.
    fn digest(&self) -> String {
        let mut digest = hex(&Sha256::digest(format!("{}\n{}", self.name, columns(&self.fields))));
        digest.truncate(12);
        digest
    }

    /// Returns the tables, in the order of their rows.
    fn from(&self) -> Vec<Origin> {
        let mut tables: Vec<_> = self.layouts.iter().flat_map(|layout| &layout.tables).collect();
        tables.sort_by_key(|(number, ..)| *number);
        tables.into_iter().map(|(.., from)| from.clone()).collect()
    }

    /// Writes the rows, in the order of the tables; `None` for a file that is kept.
    fn write(
        self,
        stem: &str,
        tree: &OutputTree,
        formats: &[(&'static str, BatchFormat)],
    ) -> std::result::Result<Vec<Option<BatchWriter<TopFile>>>, (String, Error)> {
        let schema = Arc::new(Schema::new(self.fields));
        let tables = |(index, layout): (usize, &Layout)| {
            let batches = layout.tables.iter().map(move |(number, batches, _)| (*number, index, *batches));
            batches.collect::<Vec<_>>()
        };
        let mut order: Vec<_> = self.layouts.iter().enumerate().flat_map(tables).collect();
        order.sort_unstable();
        let mut order = order.into_iter().flat_map(|(_, index, batches)| std::iter::repeat_n(index, batches));
        let readers = self.layouts.into_iter().map(Layout::batches).collect::<Result<Vec<_>>>();
        let mut readers = readers.map_err(|error| (stem.to_owned(), error))?;
        let mut files = Vec::new();
        loop {
            let (mut part, mut size) = (Vec::new(), 0);
            while size < Merge::HELD
                && let Some(batch) = order.next().and_then(|index| readers[index].next())
            {
                let batch = batch.and_then(|batch| widened(&batch, &schema));
                part.push(batch.map_err(|error| (stem.to_owned(), error.into()))?);
                size += part.last().map_or(0, RecordBatch::get_array_memory_size);
            }
            if part.is_empty() {
                return Ok(files);
            }
            for (index, (extension, format)) in formats.iter().enumerate() {
                let name = named(stem, extension);
                let mut write = || {
                    if files.len() == index {
                        let begin = |out| BatchWriter::new(*format, &schema, &part, out);
                        files.push(tree.top(&name)?.map(begin).transpose()?);
                    }
                    let Some(file) = &mut files[index] else { return Ok(()) };
                    part.iter().try_for_each(|batch| file.write(batch))?;
                    file.flush()
                };
                write().map_err(|error: Error| (shown(&tree.path(&name)), error))?;
            }
        }
    }
}

/// Returns the names and types of columns, as text.
fn columns(fields: &Fields) -> String {
    fields.iter().map(|field| format!("{:?}: {}\n", field.name(), field.data_type())).collect()
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
fn widened(batch: &RecordBatch, schema: &SchemaRef) -> std::result::Result<RecordBatch, ArrowError> {
    let column = |field: &Arc<Field>| match batch.column_by_name(field.name()) {
        Some(column) => Arc::clone(column),
        None => new_null_array(field.data_type(), batch.num_rows()),
    };
    let columns = schema.fields().iter().map(column).collect();
    RecordBatch::try_new(Arc::clone(schema), columns)
}

fn named(stem: &str, extension: &str) -> String {
    format!("{stem}.{extension}")
}
