//! What a part contains, field by field, and the bytes that it was read from.

use serde::{Deserialize, Serialize};
use worldview::Handle;
use worldview::describe::{Flow, Role, Span};
use worldview::{OffsetBase, describe};
use worldview_inspect::browse::{self, Address};
use worldview_inspect::locate;

use crate::answer::{Answer, Failed};
use crate::places::Place;
use crate::state::State;
use crate::work::CancelToken;

/// The maximum number of rows in an answer.
const MAX_ROWS: u64 = 1000;

/// The maximum number of bytes in an answer.
const MAX_BYTES: u64 = 1 << 16;

#[derive(Deserialize)]
pub(super) struct Query {
    at: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    from: u64,
    limit: Option<u64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Fields", optional_fields))]
pub(super) struct Document {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
    rows: Vec<Row>,
}

/// Something directly inside a part.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(super) struct Row {
    #[cfg_attr(test, ts(type = "'field' | 'array' | 'part' | 'list' | 'link' | 'error'"))]
    kind: &'static str,
    name: String,
    path: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(as = "Option<String>"))]
    text: String,
    #[cfg_attr(test, ts(type = "'data' | 'storage' | 'reserved' | 'derived'"))]
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<crate::types::Span>"))]
    at: Option<(u64, u64, &'static str)>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<bool>"))]
    open: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
}

impl From<&browse::Item<'_>> for Row {
    fn from(row: &browse::Item<'_>) -> Self {
        Self {
            kind: row.kind.name(),
            name: row.name.clone(),
            path: row.address.to_string(),
            text: row.text.clone(),
            role: match row.role {
                Role::Data => "data",
                Role::Storage => "storage",
                Role::Reserved => "reserved",
                Role::Derived => "derived",
            },
            at: row.at.map(span),
            open: row.open,
            count: row.count,
        }
    }
}

const fn span(at: describe::Span) -> (u64, u64, &'static str) {
    let Span { at, len, space } = at;
    (at, len, space.name())
}

/// Returns the rows directly inside a part.
pub(super) fn rows_of(
    handle: &Handle,
    state: &State,
    address: &Address,
    from: u64,
    limit: u64,
) -> Result<Vec<Row>, Failed> {
    let mut rows = Vec::new();
    let mut index = 0;
    let found = handle.describe(|root| {
        browse::rows(root, address, state.encoding, &mut |row| {
            if index >= from {
                rows.push(Row::from(row));
            }
            index += 1;
            if rows.len() as u64 >= limit { Flow::Break(()) } else { Flow::Continue(()) }
        })
    });
    match found {
        Some(Ok(true)) => Ok(rows),
        Some(Err(error)) => Err(error.into()),
        Some(Ok(false)) => Err(Failed::missing(format_args!("there is no {address}"))),
        None => Err(Failed::invalid("has no known fields")),
    }
}

fn address(path: &str) -> Result<Address, Failed> {
    path.parse().map_err(Failed::invalid)
}

/// What is directly inside a part.
pub(super) fn fields(state: &State, query: &Query, _: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&query.at)?;
    let limit = query.limit.unwrap_or(200).clamp(1, MAX_ROWS);
    // One more says whether there are more.
    let mut rows = rows_of(&opened.handle, state, &address(&query.path)?, query.from, limit + 1)?;
    let next = (rows.len() as u64 > limit).then(|| {
        rows.pop();
        query.from + limit
    });
    Answer::json(&Document { path: query.path.clone(), next, rows })
}

#[derive(Serialize)]
struct Way {
    way: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    path: String,
    row: u64,
}

/// What has to be opened to see a part or field.
pub(super) fn way(state: &State, place: &Place, _: &CancelToken) -> Result<Answer, Failed> {
    let opened = state.open(&place.at)?;
    let path = address(&place.path)?.path;
    let steps = opened.handle.describe(|root| browse::way(root, &path)).unwrap_or(Ok(Vec::new()))?;
    let step = |step: browse::Step| Step { path: step.address.to_string(), row: step.row };
    Answer::json(&Way { way: steps.into_iter().map(step).collect() })
}

#[derive(Deserialize)]
pub(super) struct Bytes {
    at: String,
    #[serde(default)]
    space: String,
    #[serde(default)]
    from: u64,
    len: u64,
}

/// Bytes of a part of a file, or of an unpacked level. Offsets count in the file.
pub(super) fn bytes(state: &State, query: &Bytes, _: &CancelToken) -> Result<Answer, Failed> {
    let answer = |all: &[u8], start: u64| {
        let from = query.from.saturating_sub(start).min(all.len() as u64);
        let len = query.len.min(MAX_BYTES).min(all.len() as u64 - from);
        // Both are within the length of the bytes.
        let piece = usize::try_from(from).ok().zip(usize::try_from(len).ok());
        let piece = piece.and_then(|(from, len)| all.get(from..from + len)).unwrap_or_default();
        Answer::new("application/octet-stream", piece.to_vec()).number("x-total-length", all.len() as u64)
    };
    let (path, inside) = state.library.file(&query.at)?;
    if query.space != "image" && inside.is_empty() {
        // Also of files that cannot be opened.
        return Ok(answer(state.files.load(&path)?.bytes(), 0));
    }
    let opened = state.open_file(&path, &inside)?;
    if query.space != "image" {
        let part = opened.handle.part();
        return Ok(answer(part.bytes(), part.offset() as u64));
    }
    match opened.handle.level() {
        Some(level) => Ok(answer(level.image().bytes(), 0)),
        None => Err(Failed::invalid("only a level has an image")),
    }
}

#[derive(Deserialize)]
pub(super) struct Offset {
    at: String,
    #[serde(default)]
    space: String,
    offset: u64,
}

/// The smallest part or field that contains a byte.
pub(super) fn locate_byte(state: &State, query: &Offset, _: &CancelToken) -> Result<Answer, Failed> {
    #[derive(Serialize)]
    struct Document {
        path: String,
    }
    let opened = state.open(&query.at)?;
    let space = if query.space == "image" { OffsetBase::Image } else { OffsetBase::File };
    let found = opened.handle.describe(|root| locate(root, &[(query.offset, space)]));
    let path = found.transpose()?.and_then(|mut paths| paths.pop()).unwrap_or_default();
    Answer::json(&Document { path: path.to_string() })
}
