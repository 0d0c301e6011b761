//! The records of many tables as one workbook, with a worksheet for each.

use worldview::wpd::Table;
use worldview_export::table::{Selection, csv};
use worldview_export::xlsx::{Columns, Workbook};
use worldview_export::{Error, Result};

use crate::open::Visit;
use crate::options::ExportOptions;
use crate::output::{OutputTree, TopFile};
use crate::table::path as shown;

/// The records of a table.
#[derive(Clone, Debug)]
pub(in crate::verbs::export) struct Worksheet {
    name: String,
    /// The source path of the file, and the path of the table in it.
    file: (String, String),
    csv: Vec<u8>,
    columns: Columns,
}

impl Worksheet {
    /// Reads a table.
    pub(super) fn of(table: &Table<'_>, visit: &Visit<'_, '_>, args: &ExportOptions) -> Result<Self> {
        let mut csv = Vec::new();
        csv::records(table, &Selection::ALL.sheet(args.sheet), &mut csv)?;
        let name = visit.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file = (shown(&visit.input.source), visit.inner());
        Ok(Self { name, file, csv, columns: Columns::of_records(table, args.sheet) })
    }
}

/// The workbook, as far as it is filled.
#[derive(Debug, Default)]
pub(super) struct Book(Workbook);

impl Book {
    /// The name of the workbook.
    pub(super) const FILE: &str = "tables.xlsx";

    /// Adds a worksheet. Returns an error, with the path of the file, if the records do not fit into a worksheet.
    pub(super) fn add(&mut self, sheet: &Worksheet) -> std::result::Result<(), (String, Error)> {
        let (file, inside) = &sheet.file;
        let added = self.0.records_of(&sheet.name, (file, inside), &sheet.csv, &sheet.columns);
        added.map_err(|error| (file.clone(), error))
    }

    /// Writes the workbook, if it has a worksheet. Returns `Some(None)` if there is a file to be kept.
    pub(super) fn write(self, tree: &OutputTree) -> Result<Option<Option<TopFile>>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let file = tree.top(Self::FILE)?;
        let write = |mut file| self.0.write(&mut file).map(|()| file);
        file.map(write).transpose().map(Some)
    }
}
