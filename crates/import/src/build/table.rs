use serde_json::{Map, Value as Json};
use worldview_edit::{EditError, Planned, Result, wpd};
use worldview_export::Encoding;
use worldview_export::table::WORDS;
use worldview_inspect::Root;
use worldview_wpd::edit::new::{self, Fields, TABLE_ALIGNMENT};
use worldview_wpd::raw::{ArchiveHeader, Entry};
use worldview_wpd::{Archive, Generation, Schema, Table, TableOptions, is_field_name};
use zerocopy::FromZeros as _;

use super::archive::{padded, too_large};
use super::{Built, Comparison, hex, list, object, own_fields, text_bytes};
use crate::csv::{self, Options};
use crate::json::{check_format, parse, records_of, whole};

/// What a sheet does not say of a table.
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
    described(parse(document, None)?, records)
}

/// Makes a table from the members of a document.
pub(super) fn described(mut document: Map<String, Json>, records: Option<(&[u8], &Options)>) -> Result<Built> {
    check_format(&mut document, "wdb")?;
    let names =
        list(&document, "fields")?.iter().map(|field| text_bytes(object(field, "a field")?, "name", Encoding::UTF_8));
    let names = names.collect::<Result<Vec<_>>>()?;
    let sections = match list(&document, "sections")? {
        [] => made(&document, &names)?,
        given => sections(&document, given)?,
    };
    let own = own_fields(ArchiveHeader::FIELDS, &document, Encoding::UTF_8)?;
    let empty = wpd::apply(&empty(&sections)?, &own)?.to_vec();
    let is_named = document.get("names").and_then(Json::as_str) == Some("schema");
    let schema = is_named.then(|| {
        let name = document.get("schema").and_then(Json::as_str).unwrap_or_default();
        Schema::new(name, names.iter().map(|name| String::from_utf8_lossy(name)))
    });
    // Tables have their records in the order of their names.
    if let Some(Json::Array(list)) = document.get_mut("records") {
        list.sort_by(|left, right| name_of(left).cmp(&name_of(right)));
    }
    // A document with records is whole.
    let records = records.filter(|_| !document.contains_key("records"));
    fill(&empty, schema.as_ref(), &mut document, |table, document| match records {
        Some((sheet, options)) => csv::records(table, sheet, &Options { is_new: true, ..*options }),
        None => records_of(table, list(document, "records")?),
    })
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
    fill(&empty, Some(&schema).filter(|_| !generation.has_field_names()), &mut Map::new(), |table, _| {
        csv::records(table, sheet, &Options { is_new: true, ..*options })
    })
}

/// The name of a record; what is no record is refused later.
fn name_of(record: &Json) -> Option<&str> {
    record.get("record")?.as_str()
}

/// The name and data of each section.
type Sections = Vec<(Vec<u8>, Vec<u8>)>;

/// Returns the sections that a document lists.
fn sections(document: &Map<String, Json>, given: &[Json]) -> Result<Sections> {
    let mut all = Sections::new();
    for section in given.iter().chain(list(document, "unknown_sections")?) {
        let section = object(section, "a section")?;
        let name = text_bytes(section, "name", Encoding::UTF_8)?;
        let data = match hex(section, "bytes")? {
            Some(data) => data,
            None if name.ends_with(b"string") => pool(document)?,
            None => {
                let why = format!("the section {} lacks its `bytes`", name.escape_ascii());
                return Err(EditError::malformed(None, why));
            }
        };
        all.push((name, data));
    }
    Ok(all)
}

/// Returns the pool of strings that a document lists.
fn pool(document: &Map<String, Json>) -> Result<Vec<u8>> {
    let mut pool = Vec::new();
    for string in list(document, "strings")? {
        let text = string.as_str().ok_or_else(|| EditError::malformed(None, "expected texts as `strings`"))?;
        pool.extend_from_slice(text.as_bytes());
        pool.push(0);
    }
    Ok(pool)
}

/// Returns the sections that follow from the names of fields.
fn made(document: &Map<String, Json>, names: &[Vec<u8>]) -> Result<Sections> {
    let generation = document.get("generation").and_then(Json::as_str).unwrap_or("G3");
    let found = Generation::ALL.into_iter().find(|known| known.name() == generation);
    let generation = found.ok_or_else(|| EditError::malformed(None, format!("unknown generation `{generation}`")))?;
    let version = match document.get("layout_version") {
        None | Some(Json::Null) => Ok(0),
        Some(version) => whole(version, (0, u32::MAX.into())),
    };
    let version = version.map_err(|why| EditError::malformed(None, format!("`layout_version`: {why}")))?;
    let sheet_name = Some(text_bytes(document, "sheet_name", Encoding::UTF_8)?).filter(|name| !name.is_empty());
    let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    let version = u32::try_from(version).unwrap_or(0);
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

/// Adds the records that `plan` finds to a table without them, and compares the result with the document.
fn fill(
    empty: &[u8],
    schema: Option<&Schema>,
    document: &mut Map<String, Json>,
    plan: impl Fn(&Table<'_>, &Map<String, Json>) -> Result<Planned>,
) -> Result<Built> {
    let options = schema.map_or(TableOptions::new(), |schema| TableOptions::new().schema(schema));
    let Planned { changes, mut account } = plan(&options.table(Archive::parse(empty)?)?, document)?;
    let file = wpd::apply_with(empty, &changes, options)?.to_vec();
    account.done = changes.len() as u64;
    if account.refused() == 0 {
        let table = options.table(Archive::parse(&file[..])?)?;
        if let Some(change) = plan(&table, document)?.changes.iter().next() {
            return Err(EditError::inconsistent(change.path(), "the new table has not what the source says"));
        }
        add_strings(document, &table);
        account.append(Comparison::of(&Root::new("wdb", table.archive().source(), &table), document, Encoding::UTF_8)?);
    }
    Ok(Built { file, account })
}

/// Adds the texts that records brought to the pool of a table, behind those that a document lists.
fn add_strings(document: &mut Map<String, Json>, table: &Table<'_>) {
    let (Some(Json::Array(list)), Some(section)) = (document.get_mut("strings"), table.sections().string()) else {
        return;
    };
    let pool = section.data().strip_suffix(b"\0").unwrap_or(section.data());
    let new: Vec<_> = pool.split(|byte| *byte == 0).skip(list.len()).map(String::from_utf8_lossy).collect();
    list.extend(new.into_iter().map(Json::from));
}
