//! Tables: columns, rows in any order, and the records that values name.

mod columns;
mod filter;
mod links;
mod order;
mod records;

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;

use serde::{Deserialize, Serialize};
use worldview::Path;
use worldview::wpd::{NameOrigin, Table};
use worldview_export::table::{Selection, csv};

use crate::answer::{Answer, Failed, check_pattern};
use crate::state::State;
use crate::work::{CancelToken, Sender};

use columns::{Column, Columns};
use links::Links;
use order::Order;
use records::Records;

/// The maximum number of rows in an answer.
const MAX_ROWS: usize = 500;

/// The maximum number of columns to sort by.
const MAX_SORTS: usize = 8;

/// The maximum number of values of a column that are counted apart.
const MAX_VALUES: usize = 1000;

/// The maximum size of a cell among others, in bytes.
const MAX_TEXT: usize = 512;

/// The maximum size of a cell that is asked for alone, in bytes.
const MAX_LONE_TEXT: usize = 1 << 20;

/// A question about a table.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>")]
pub(super) struct Query {
    at: String,
    path: String,
    from: usize,
    count: Option<usize>,
    row: usize,
    column: usize,
    which: Which,
}

/// Which rows of a table are asked for, in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Which {
    /// The columns that decide about the order, the first one first, and whether each descends.
    sort: Vec<(usize, bool)>,
    /// A text that any cell of a row contains.
    text: String,
    /// Columns, and what their cells have to be.
    filters: Vec<(usize, String)>,
}

impl TryFrom<BTreeMap<String, String>> for Query {
    type Error = String;

    fn try_from(given: BTreeMap<String, String>) -> Result<Self, String> {
        let mut query = Self::default();
        let number =
            |name: &str, value: &str| value.parse().map_err(|_| format!("`{name}` is not a number: {value:?}"));
        for (name, value) in given {
            if !matches!(&*name, "at" | "path") {
                check_pattern(&value)?;
            }
            match &*name {
                "at" => query.at = value,
                "path" => query.path = value,
                "from" => query.from = number(&name, &value)?,
                "count" => query.count = Some(number(&name, &value)?),
                "row" => query.row = number(&name, &value)?,
                "column" => query.column = number(&name, &value)?,
                "sort" => {
                    for column in value.split(',').filter(|column| !column.is_empty()) {
                        let ascending = column.trim_start_matches('-');
                        query.which.sort.push((number(&name, ascending)?, ascending != column));
                    }
                    if query.which.sort.len() > MAX_SORTS {
                        return Err(format!("sorts by more than {MAX_SORTS} columns"));
                    }
                }
                "q" => query.which.text = value,
                _ => {
                    if let Some(column) = name.strip_prefix("f.").filter(|_| !value.is_empty()) {
                        query.which.filters.push((number(&name, column)?, value));
                    }
                }
            }
        }
        Ok(query)
    }
}

impl Query {
    /// Returns whether all records are asked for, in the order of the file.
    pub(super) fn is_whole(&self) -> bool {
        self.which == Which::default()
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Table", optional_fields))]
pub(super) struct Document {
    name: String,
    records: usize,
    columns: Vec<Head>,
    /// Where the names of the fields are from, unless they are the table's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<String>,
    /// What is wrong, or cannot be done here.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// What is above a column.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Column", optional_fields))]
pub(super) struct Head {
    index: usize,
    name: String,
    /// The last segment of the paths of cells.
    path: String,
    r#type: &'static str,
    bits: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<LinkedTable>,
    sortable: bool,
}

/// A table whose records the values of a column name.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct LinkedTable {
    at: String,
    name: String,
    /// How many of the different values are names of its records.
    hits: usize,
    values: usize,
}

/// The columns of a table.
pub(super) fn table(state: &State, query: &Query, cancel: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&query.at)?;
    let columns = Columns::of(state, &opened)?;
    let links = Links::of(state, &opened, cancel)?;
    let sortable = order::is_possible(columns.table());
    let heads = (0..columns.len()).map(|index| {
        let link = links.of_column(&columns, index).map(|link| LinkedTable {
            at: links::address(state, &opened, &link.table, query.at.trim_end_matches('/')),
            name: link.table.name.clone(),
            hits: link.hits,
            values: link.values,
        });
        let mut path = Path::new();
        path.push_name(&columns.name(index));
        Head {
            index,
            name: worldview_inspect::utf8(&columns.name(index)).into_owned(),
            path: path.to_string(),
            r#type: columns.type_name(index),
            bits: columns.bits(index),
            group: columns.group(index),
            link,
            sortable,
        }
    });
    let table = columns.table();
    let name =
        table.sheet_name().filter(|name| !name.is_empty()).map(|name| worldview_inspect::utf8(name).into_owned());
    Answer::json(&Document {
        name: name.unwrap_or_else(|| opened.handle.part().name().to_owned()),
        records: table.len(),
        columns: heads.collect(),
        names: names(table),
        note: note(table, &links),
    })
}

/// Where the names of the fields are from.
fn names(table: &Table<'_>) -> Option<String> {
    match (table.name_origin(), table.schema_mismatch()) {
        (NameOrigin::Schema(schema), _) => {
            Some(format!("The table has no field names; these are from the schema {}.", schema.name()))
        }
        (NameOrigin::Generated, None) => {
            Some("The table has no field names; fields are named by their places.".to_owned())
        }
        _ => None,
    }
}

/// What the reader of a table should know.
fn note(table: &Table<'_>, links: &Links) -> Option<String> {
    let mut notes = Vec::new();
    match (table.name_origin(), table.schema_mismatch()) {
        (NameOrigin::Generated, Some((Some(schema), why))) => {
            notes.push(format!(
                "Fields are named by their places: the schema {} does not fit, because {why}.",
                schema.name()
            ));
        }
        (NameOrigin::Generated, Some((None, why))) => {
            notes.push(format!("Fields are named by their places: the table's own names do not fit, because {why}."));
        }
        _ => {}
    }
    if let Some(why) = table.arrays_refused() {
        notes.push(format!("String arrays are not used: {why}."));
    }
    if !order::is_possible(table) {
        notes.push("The table is too long to be sorted or filtered here.".to_owned());
    }
    if links.is_partial() {
        notes.push("There are more tables beside it than were searched for the names in its fields.".to_owned());
    }
    (!notes.is_empty()).then(|| notes.join(" "))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RowsPage"))]
pub(super) struct RowsDocument {
    total: usize,
    from: usize,
    rows: Vec<RowDocument>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Record"))]
pub(super) struct RowDocument {
    index: usize,
    path: String,
    cells: Vec<String>,
}

/// Some rows of a table, in some order.
pub(super) fn rows(state: &State, query: &Query, cancel: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&query.at)?;
    let columns = Columns::of(state, &opened)?;
    let order = Order::of(&opened, &columns, &query.which, cancel)?;
    let records = Records::of(&opened, columns.table())?;
    let all: Vec<Column<'_, '_>> = (0..columns.len()).filter_map(|index| columns.column(index)).collect();
    let count = query.count.unwrap_or(MAX_ROWS).min(MAX_ROWS);
    let mut rows = Vec::new();
    for index in (query.from..order.len()).take(count).filter_map(|place| order.get(place)) {
        cancel.check()?;
        let cells = all.iter().map(|column| {
            let mut text = String::new();
            column.text(index, MAX_TEXT, &mut text);
            text
        });
        rows.push(RowDocument { index, path: records.path(index).to_string(), cells: cells.collect() });
    }
    let mut out = cancel.buffer();
    serde_json::to_writer(&mut out, &RowsDocument { total: order.len(), from: query.from, rows })
        .map_err(Failed::broken)?;
    Ok(Answer::new("application/json", out.into_bytes()))
}

/// Writes the records that match as CSV, in their order.
pub(super) fn csv(state: &State, query: &Query, out: &mut Sender) -> Result<(), Failed> {
    let opened = state.open(&query.at)?;
    let columns = Columns::of(state, &opened)?;
    let order = Order::of(&opened, &columns, &query.which, &out.cancel().clone())?;
    let rows: Vec<_> = (0..order.len()).filter_map(|place| order.get(place)).collect();
    let mut selection = Selection::ALL.words(state.words.as_ref());
    selection.rows = Some(&rows);
    Ok(csv::records(columns.table(), &selection, out)?)
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct RecordPosition {
    row: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    column: Option<usize>,
}

/// Where a record or cell is in the current order.
pub(super) fn find(state: &State, query: &Query, cancel: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&query.at)?;
    let columns = Columns::of(state, &opened)?;
    let records = Records::of(&opened, columns.table())?;
    let path: Path = query.path.parse().map_err(Failed::invalid)?;
    let mut segments = path.segments();
    let record = segments.next().and_then(|segment| records.index(&segment));
    let Some(record) = record else { return Answer::json(&RecordPosition { row: None, column: None }) };
    let column = segments.next().map_or(Some(0), |segment| columns.index(&segment.key));
    let order = Order::of(&opened, &columns, &query.which, cancel)?;
    let row = order.position(record);
    Answer::json(&RecordPosition { row, column: row.and(column) })
}

/// The numbers of a column, in the order of the file.
pub(super) fn column(state: &State, query: &Query, cancel: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&query.at)?;
    let columns = Columns::of(state, &opened)?;
    let column = columns.column(query.column).ok_or_else(|| Failed::missing("there is no such column"))?;
    let which = Which { sort: Vec::new(), ..query.which.clone() };
    let order = Order::of(&opened, &columns, &which, cancel)?;
    let mut out = std::io::BufWriter::with_capacity(1 << 16, cancel.buffer());
    for row in (0..order.len()).filter_map(|place| order.get(place)) {
        out.write_all(&column.get(row).and_then(|value| value.as_f64()).unwrap_or(f64::NAN).to_le_bytes())?;
    }
    let out = out.into_inner().map_err(|error| Failed::from(error.into_error()))?;
    Ok(Answer::new("application/octet-stream", out.into_bytes()))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Values {
    /// How many different values there are.
    total: usize,
    /// The most frequent ones, and how many records have each.
    values: Vec<(String, usize)>,
}

/// The different values of a column in the records that match, the most frequent first.
pub(super) fn values(state: &State, query: &Query, cancel: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&query.at)?;
    let columns = Columns::of(state, &opened)?;
    if !order::is_possible(columns.table()) {
        return Err(Failed::invalid("the table is too long for its values to be counted".to_owned()));
    }
    let column = columns.column(query.column).ok_or_else(|| Failed::missing("there is no such column"))?;
    let order = Order::of(&opened, &columns, &Which { sort: Vec::new(), ..query.which.clone() }, cancel)?;
    let (mut counts, mut text) = (HashMap::<String, usize>::new(), String::new());
    for (done, row) in (0..order.len()).filter_map(|place| order.get(place)).enumerate() {
        if done % MAX_ROWS == 0 {
            cancel.check()?;
        }
        text.clear();
        column.text(row, MAX_TEXT, &mut text);
        match counts.get_mut(&text) {
            Some(count) => *count += 1,
            None => _ = counts.insert(text.clone(), 1),
        }
    }
    let total = counts.len();
    let mut values: Vec<_> = counts.into_iter().collect();
    values.sort_by(|(one, many), (other, more)| more.cmp(many).then_with(|| one.cmp(other)));
    values.truncate(MAX_VALUES);
    Answer::json(&Values { total, values })
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Cell", optional_fields))]
pub(super) struct CellDocument {
    path: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<crate::types::Span>"))]
    at: Option<(u64, u64, &'static str)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<LinkedRecord>,
}

/// A record that a value names.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct LinkedRecord {
    at: String,
    path: String,
}

/// One cell.
pub(super) fn cell(state: &State, query: &Query, cancel: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&query.at)?;
    let columns = Columns::of(state, &opened)?;
    let missing = || Failed::missing("there is no such cell");
    let column = columns.column(query.column).ok_or_else(missing)?;
    let row = columns.table().get(query.row).ok_or_else(missing)?;
    let mut path = Records::of(&opened, columns.table())?.path(query.row);
    path.push_name(columns.key(query.column));
    let mut text = String::new();
    column.text(query.row, MAX_LONE_TEXT, &mut text);
    let links = Links::of(state, &opened, cancel)?;
    let linked = links.of_column(&columns, query.column).zip(column.bytes(query.row).filter(|name| !name.is_empty()));
    let link = linked.filter(|(link, name)| links::has(state, &opened, &link.table, name)).map(|(link, name)| {
        let mut path = Path::new();
        path.push_name(name);
        let at = links::address(state, &opened, &link.table, query.at.trim_end_matches('/'));
        LinkedRecord { at, path: path.to_string() }
    });
    Answer::json(&CellDocument { path: path.to_string(), text, at: columns.place(query.column, &row), link })
}
