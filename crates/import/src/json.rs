//! Changes from JSON as `export` wrote it, as one document (`table.json`, `level.json`) or one line for each element (NDJSON), and any
//! tool saved it.
//!
//! Values are compared with those of the original: numbers by value, text as text, or by its bytes where the member with them, as
//! `name_bytes`, was edited. A missing member leaves its part as it is. Members that follow from others, as offsets and counts, cannot be
//! edited, and need not be corrected. What cannot be taken is refused in the account, by its place in the document, and the rest is planned.

use worldview_core::Path;
use worldview_edit::fields::values;
use worldview_edit::{Change, EditError, Planned, Result, Value};
use worldview_export::Encoding;
use worldview_inspect::{Root, utf8};
use worldview_rez::Picture;
use worldview_wpd::Table;
use worldview_wwd::{Level, LevelDescription, Unpacked};

use crate::build::{self, Built};
use crate::doc::{Members, parse};
use crate::planner::rows::Rows;
use crate::planner::{Mode, Owner, Planner};

/// Returns the changes that make a file say what an edited document of it says.
///
/// Records are found by their names, objects of a `level` by their keys, in any order, and all other elements by their place; keys of
/// animations are found by their times if some came or went. Objects of a `level` that the document does not have are removed, and records
/// if `removes` is true, unless the document is only of a part of the file. A record with another name is new, and so is an object without
/// a key, or with that of another one. The other elements can be edited, and image sets added; names of references, nodes and the like
/// become those of the document. A plane gets another size if `tiles_wide` or `tiles_high` and the rows of `tiles` are edited.
///
/// ```
/// use worldview_edit::island;
/// use worldview_export::Encoding;
/// use worldview_import::json;
/// use worldview_inspect::{Options, Root, json::write};
/// use worldview_island::{Contents, Database, DatabaseDescription};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
/// let database = Database::parse(file)?;
/// let contents = Contents::read(&database);
/// let described = DatabaseDescription::new(&database, &contents);
/// let root = Root::new("world", database.source(), &described);
/// let mut document = Vec::new();
/// write(&root, &Options { full: true, ..Options::default() }, &mut document)?;
///
/// let edited = String::from_utf8(document)?.replacen(r#""name":"lighthouse""#, r#""name":"beacon""#, 1);
/// let changes = json::document(&root, None, edited.as_bytes(), Encoding::default(), true)?.complete()?;
/// assert_eq!(changes.len(), 1);
/// let edited = island::apply(file, &changes)?.to_vec();
/// # let database = Database::parse(&edited)?;
/// # assert!(database.model_refs().iter().any(|model| model.name.text() == b"beacon"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error, with the line, if the text is not a document of this format, or if objects of the level cannot be read. Returns an
/// error if `removes` is true and the document is only of a part of the file.
pub fn document(
    root: &Root<'_>,
    level: Option<&Level<'_>>,
    edited: &[u8],
    encoding: Encoding,
    removes: bool,
) -> Result<Planned> {
    let mut edited = parse(edited, None)?;
    edited.check_format(root.format)?;
    let parts = edited.parts()?;
    if let Some(parts) = parts.as_ref().filter(|_| removes) {
        let why = format!("has only what {parts} selects, so the rest would be removed");
        return Err(EditError::malformed(None, why));
    }
    let removes = removes || level.is_some() && parts.is_none();
    let mut planner = Planner::new(Mode::Edit, encoding).level(level).removes(removes);
    planner.old(root.body, Owner::at(&Path::new()), None, &mut edited);
    Ok(planner.finish())
}

/// Returns the changes that make a table say what its edited `table.json` says, as [`document`] does.
///
/// # Errors
///
/// Returns an error as [`document`] does.
pub fn table(original: &Table<'_>, edited: &[u8], removes: bool) -> Result<Planned> {
    document(&Root::new("wdb", original.archive().source(), original), None, edited, Encoding::UTF_8, removes)
}

/// Returns the changes that apply an edited `level.json` to a level, as [`document`] does; `encoding` is the code page of the export.
/// The document is that of the whole level: objects that it lacks are removed.
///
/// # Errors
///
/// Returns an error as [`document`] does.
pub fn level(file: &Unpacked<'_>, original: &Level<'_>, edited: &[u8], encoding: Encoding) -> Result<Planned> {
    let described = LevelDescription::new(file, original);
    document(&Root::new("wwd", original.image(), &described), Some(original), edited, encoding, false)
}

/// Returns the change that makes a picture what an edited document of it says. The document is that of the whole picture.
///
/// # Errors
///
/// Returns an error if the text is not such a document, or lacks a member of the picture, or if what it says is no picture.
pub fn picture(original: &Picture<'_>, edited: &[u8]) -> Result<Planned> {
    let members = parse(edited, None)?;
    if let Some((name, _)) = values(original, None).0.iter().find(|(name, _)| members.get(name).is_none()) {
        let why = format!("`{name}` is missing; the document of a picture must be complete");
        return Err(EditError::malformed(None, why));
    }
    let Built { file, account } = build::picture(edited)?;
    let mut planned = Planned { account, ..Planned::default() };
    planned.account.done = 0;
    let old = original.source().bytes();
    if file != old {
        let (from, to) = (Some(Value::Bytes(old.to_vec())), Value::Bytes(file));
        planned.changes.push(Change::Set { path: Path::new(), from, to });
    }
    Ok(planned)
}

/// Returns the changes that make a table say what its edited `records.ndjson` says, as [`table`] does for `table.json`.
///
/// # Errors
///
/// Returns an error, with the line, if a line is not an object.
pub fn records(original: &Table<'_>, edited: &[u8], removes: bool) -> Result<Planned> {
    let has_sheet = original.fields().iter().any(|field| field.name() == b"sheet");
    let sheet = (!has_sheet).then(|| original.sheet().map(utf8).unwrap_or_default());
    let planner = Planner::new(Mode::Edit, Encoding::UTF_8).removes(removes);
    planner.records(original, sheet, false, |rows, planner| lines(edited, rows, planner))
}

/// Returns the changes that apply an edited `objects.ndjson` to a level, as [`level`] does for `level.json`.
///
/// # Errors
///
/// Returns an error, with the line, if a line is not an object, or if the objects of the level cannot be read.
pub fn objects(original: &Level<'_>, edited: &[u8], encoding: Encoding, removes: bool) -> Result<Planned> {
    let planner = Planner::new(Mode::Edit, encoding).removes(removes);
    planner.objects(original, |rows, planner| lines(edited, rows, planner))
}

/// Returns the changes that apply an edited `attributes.ndjson` to a level, as [`level`] does for `level.json`.
///
/// # Errors
///
/// Returns an error, with the line, if a line is not an object.
pub fn attributes(original: &Level<'_>, edited: &[u8], encoding: Encoding) -> Result<Planned> {
    Planner::new(Mode::Edit, encoding).attributes(original, |rows, planner| lines(edited, rows, planner))
}

/// Takes the lines of a source.
fn lines(edited: &[u8], rows: &mut dyn Rows, planner: &mut Planner<'_>) -> Result<()> {
    for (line, text) in (1..).zip(edited.split(|&byte| byte == b'\n')) {
        if !text.trim_ascii().is_empty() {
            let mut members: Members<'_> = parse(text, Some(line))?;
            planner.place.row = Some(line);
            planner.row(rows, &mut members);
        }
    }
    Ok::<(), EditError>(())
}
