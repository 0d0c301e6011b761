//! Workbooks with the tables of many files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use worldview::Asset;
use worldview_edit::{EditError, Planned};
use worldview_import::csv;
use worldview_import::xlsx::{self, Workbook};

use super::{Rules, kind_of, not_applicable, part};
use crate::inputs::Input;
use crate::mods::for_input;
use crate::read::{Room, SourceKind};
use crate::table;
use crate::verbs::edit::Original;
use worldview_export::outputs::OutputKind as Kind;

/// The worksheets that are of one file.
pub(in crate::verbs::apply) struct Worksheets {
    pub(super) path: PathBuf,
    book: Arc<Workbook>,
    /// The name of each, and the path of its table in the file.
    sheets: Vec<(String, String)>,
}

/// Returns the worksheets of a workbook by the files that they come from, or `None` if the path is that of something else.
fn by_file(path: &Path) -> Option<Result<BTreeMap<PathBuf, Worksheets>, EditError>> {
    if kind_of(path) != Some(Kind::Xlsx) {
        return None;
    }
    let book =
        Room::default().read(path, SourceKind::Packed).map_err(|error| EditError::malformed(None, error.to_string()));
    let book = match book.and_then(|bytes| Workbook::open(&bytes)) {
        Ok(book) => Arc::new(book),
        Err(error) => return Some(Err(error)),
    };
    let mut files = BTreeMap::<PathBuf, Worksheets>::new();
    for xlsx::SheetFile { sheet, file, inside } in book.files() {
        let of_file = files.entry(file.into());
        let new = || Worksheets { path: path.into(), book: Arc::clone(&book), sheets: Vec::new() };
        of_file.or_insert_with(new).sheets.push((sheet.clone(), inside.clone()));
    }
    (!files.is_empty()).then_some(Ok(files))
}

/// Returns the worksheets of each file, for a folder. `None` if the path is not that of a workbook of several files.
pub(super) fn of_folder(path: &Path) -> Option<Result<Vec<(PathBuf, Worksheets)>, EditError>> {
    by_file(path).map(|files| Ok(files?.into_iter().collect()))
}

/// Returns the worksheets of a file. `None` if the path is not that of a workbook of several files.
pub(super) fn of_input(path: &Path, input: &Input) -> Option<Result<Worksheets, String>> {
    let files = by_file(path)?.map_err(|error| error.to_string());
    Some(files.and_then(|files| for_input(files, input)))
}

impl Worksheets {
    /// Returns messages about worksheets that belong to no file.
    pub(super) fn others(&self) -> Vec<String> {
        self.book
            .others()
            .map(|name| format!("the worksheet {} belongs to no file and is not applied", table::shown(name)))
            .collect()
    }

    /// Passes the changes of each worksheet.
    pub(super) fn changes(
        &self,
        original: &Original<'_>,
        rules: Rules<'_>,
        found: &mut dyn FnMut(&Path, Result<Planned, EditError>),
    ) {
        let options = csv::Options::default().remove_missing(rules.remove_missing);
        for (name, inside) in &self.sheets {
            let Some(book) = self.book.only(name) else {
                let why = format!("the worksheet {name} is missing; its records stay");
                found(&self.path, Ok(super::export::left_out(super::NOT_OF_EXPORT, &why)));
                continue;
            };
            let planned = part(inside.as_bytes(), original, |opened| match opened.asset {
                Asset::Table(table) => xlsx::table(table, &book, &options),
                _ => Err(not_applicable()),
            });
            found(&self.path, planned);
        }
    }
}

impl fmt::Debug for Worksheets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worksheets").field("path", &self.path).field("sheets", &self.sheets).finish_non_exhaustive()
    }
}
