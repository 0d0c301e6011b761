use worldview_core::Path;
use worldview_edit::{EditError, Planned, Result, wpd};
use worldview_export::Encoding;
use worldview_export::table::WORDS;
use worldview_wpd::edit::new::{self, Fields, TABLE_ALIGNMENT};
use worldview_wpd::raw::Entry;
use worldview_wpd::{Archive, Generation, Schema, Table, TableOptions, is_field_name};
use zerocopy::FromZeros as _;

use super::Built;
use super::archive::{padded, too_large};
use crate::csv::{self, Options};
use crate::doc::{Doc, Members, parse, word};
use crate::planner::{Mode, Owner, Planner};

/// The properties of a table that a sheet does not have.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The generation.
    pub generation: Generation,
    /// The number in `!!version`, which identifies the layout.
    pub version: u32,
    /// The name of the sheet; tables of XIII-1 have none.
    pub sheet_name: Option<Vec<u8>>,
    /// The names of the fields in record order; those of the sheet's columns if there are none.
    pub fields: Vec<String>,
}

/// Makes a table from a document, as `table.json` and the full JSON of `show` have it.
///
/// The `sections` are taken as they are, and the pool of strings from `strings`. Without sections, they are made from the names of the
/// `fields`, for the `generation`, `G3` if none is given. Records come from `records`, or from a sheet with them.
///
/// # Errors
///
/// Returns an error if the text is not such a document, or if what it says is no table.
pub fn table(document: &[u8], records: Option<(&[u8], &Options)>) -> Result<Built> {
    let mut members = parse(document, None)?;
    members.check_whole("wdb")?;
    let names = members.objects_of("fields")?;
    let names = names.iter().map(|field| field.text_of("name", Encoding::UTF_8)).collect::<Result<Vec<_>>>()?;
    let sections = match &*members.objects_of("sections")? {
        [] => made(&members, &names)?,
        given => sections(&members, given)?,
    };
    let text = |name: &str| members.get(name).and_then(Doc::text);
    let schema = (text("names").as_deref() == Some("schema")).then(|| {
        let names = names.iter().map(|name| String::from_utf8_lossy(name));
        Schema::new(&*text("schema").unwrap_or_default(), names)
    });
    // A document with records is whole.
    let records = records.filter(|_| members.get("records").is_none());
    fill(&empty(&sections)?, schema.as_ref(), records, || parse(document, None))
}

/// Makes a table from a sheet, as `records.csv` has it: a column for each field, and a row for each record.
///
/// # Errors
///
/// Returns an error if the text is not such a sheet, or if what it says is no table.
pub fn sheet(sheet: &[u8], layout: &Layout, options: &Options) -> Result<Built> {
    let columns;
    let names: Vec<&[u8]> = if layout.fields.is_empty() {
        columns = csv::columns(sheet, options)?;
        // Columns of words for keys, and of the names of sheets, are the command's own.
        let is_field = |name: &&String| is_field_name(name.as_bytes()) && *name != "sheet" && !name.ends_with(WORDS);
        columns.iter().filter(is_field).map(|name| name.as_bytes()).collect()
    } else {
        layout.fields.iter().map(|name| name.as_bytes()).collect()
    };
    let &Layout { generation, version, ref sheet_name, .. } = layout;
    let fields = Fields { generation, version, sheet_name: sheet_name.as_deref(), names: &names };
    let empty = empty(&generated(&fields)?)?;
    let schema = Schema::new("", names.iter().map(|name| String::from_utf8_lossy(name)));
    let schema = Some(&schema).filter(|_| !generation.has_field_names());
    fill(&empty, schema, Some((sheet, options)), || Ok(Members::default()))
}

/// The name and data of each section.
type Sections = Vec<(Vec<u8>, Vec<u8>)>;

/// Returns the sections that a document lists.
fn sections(document: &Members<'_>, given: &[Members<'_>]) -> Result<Sections> {
    let mut all = Sections::new();
    for section in given.iter().chain(&document.objects_of("unknown_sections")?) {
        let name = section.text_of("name", Encoding::UTF_8)?;
        let data = match section.bytes_of("bytes")? {
            Some(data) => data,
            None if name.ends_with(b"string") => {
                let texts =
                    document.list_of("strings")?.into_iter().map(|string| Some(string.text()?.into_owned() + "\0"));
                let pool = texts.collect::<Option<String>>();
                pool.ok_or_else(|| EditError::malformed(None, "expected texts as `strings`"))?.into_bytes()
            }
            None => {
                let why = format!("the section {} lacks its `bytes`", name.escape_ascii());
                return Err(EditError::malformed(None, why));
            }
        };
        all.push((name, data));
    }
    Ok(all)
}

/// Returns the sections that follow from the names of fields.
fn made(document: &Members<'_>, names: &[Vec<u8>]) -> Result<Sections> {
    let generation = document.get("generation").and_then(Doc::text).unwrap_or("G3".into());
    let found = Generation::ALL.into_iter().find(|known| known.name() == generation);
    let generation = found.ok_or_else(|| EditError::malformed(None, format!("unknown generation `{generation}`")))?;
    let version = document.get("layout_version").filter(|version| !version.is_null()).map(|version| {
        let version = version.json().and_then(|version| word(&version));
        version.map_err(|why| EditError::malformed(None, format!("`layout_version`: {why}")))
    });
    let version = version.transpose()?.unwrap_or(0);
    let sheet_name = Some(document.text_of("sheet_name", Encoding::UTF_8)?).filter(|name| !name.is_empty());
    let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    generated(&Fields { generation, version, sheet_name: sheet_name.as_deref(), names: &names })
}

fn generated(fields: &Fields<'_>) -> Result<Sections> {
    let sections = fields.sections().map_err(|index| {
        let name = fields.names.get(index).map(|name| name.escape_ascii().to_string()).unwrap_or_default();
        let generation = fields.generation.name();
        EditError::malformed(None, format!("`{name}` is not the name of a field that tables of {generation} can have"))
    })?;
    Ok(sections.into_iter().map(|(name, data)| (name.to_vec(), data)).collect())
}

/// Returns a table without records.
fn empty(sections: &Sections) -> Result<Vec<u8>> {
    let mut entries = Vec::with_capacity(sections.len());
    for (name, data) in sections {
        let mut entry = Entry::new_zeroed();
        entry.name = padded(name).ok_or_else(|| {
            let why = format!("the name of the section {} has more than 16 bytes", name.escape_ascii());
            EditError::malformed(None, why)
        })?;
        entries.push((entry, data.as_slice()));
    }
    entries.sort_by(|(left, _), (right, _)| left.name.raw().cmp(right.name.raw()));
    new::archive(&entries, TABLE_ALIGNMENT).ok_or_else(too_large)
}

/// Gives a table without records what a document has, and the records of a sheet, and compares the result with both.
fn fill<'d>(
    empty: &[u8],
    schema: Option<&Schema>,
    records: Option<(&[u8], &Options)>,
    document: impl Fn() -> Result<Members<'d>>,
) -> Result<Built> {
    let options = schema.map_or(TableOptions::new(), |schema| TableOptions::new().schema(schema));
    let plan = |mode: Mode, table: &Table<'_>| {
        let (mut members, mut planner) = (document()?, Planner::new(mode, Encoding::UTF_8));
        members.check_whole("wdb")?;
        planner.old(table, Owner::at(&Path::new()), None, &mut members);
        let mut planned = planner.finish();
        if let Some((sheet, options)) = records {
            planned.append(csv::records(table, sheet, &Options { is_new: mode == Mode::Fill, ..*options })?);
        }
        Ok::<_, EditError>(planned)
    };
    let Planned { changes, mut account } = plan(Mode::Fill, &options.table(Archive::parse(empty)?)?)?;
    let file = wpd::apply_with(empty, &changes, options)?.to_vec();
    account.done = changes.len() as u64;
    if account.refused() == 0 {
        let again = plan(Mode::Compare, &options.table(Archive::parse(&file[..])?)?)?;
        if let Some(change) = again.changes.iter().next() {
            return Err(EditError::inconsistent(change.path(), "the new table does not have what the source says"));
        }
        account.append(again.account);
    }
    Ok(Built { file, account })
}
