//! The comparison of the two files or folders that were given.

mod pairs;
mod place;

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use worldview::describe::FieldValue;
use worldview::{Asset, File};
use worldview_inspect::diff::{self, Change, Difference, Side};

use crate::answer::Failed;
use crate::files::Opened;
use crate::places::Node;
use crate::state::State;
use crate::work::{CancelToken, Sender};

use pairs::{Pair, pairs};

/// The maximum number of differences that are sent for a pair of files. The others are counted.
const MAX: u64 = 10_000;

#[derive(Deserialize)]
pub(super) struct All {
    /// The number of pairs that the page has already.
    #[serde(default)]
    from: usize,
}

/// Two files with the same name; one of them may be missing.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "PairLine", optional_fields))]
pub(super) struct PairLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<Node>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<Node>,
    #[cfg_attr(test, ts(type = "PairChange"))]
    change: &'static str,
    /// The number of differences, if the files could be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Default, Serialize)]
struct AllDone {
    done: bool,
    same: u64,
    changed: u64,
    added: u64,
    removed: u64,
    error: u64,
}

/// Compares all files of both folders, or the two files.
pub(super) fn all(state: &State, query: &All, out: &mut Sender) -> Result<(), Failed> {
    let [left, right] = &state.library.roots[..] else {
        return Err(Failed::invalid("two files or two folders are compared; give both to `worldview view`"));
    };
    if !state.compares {
        return Err(Failed::invalid("a file cannot be compared with a folder"));
    }
    let cancel = out.cancel().clone();
    let mut done = AllDone { done: true, ..AllDone::default() };
    for Pair { left, right } in pairs(state, left, right, &cancel)?.skip(query.from) {
        cancel.check()?;
        let mut line = PairLine { left, right, change: "same", count: None, error: None };
        let (change, total) = match (&line.left, &line.right) {
            (Some(left), Some(right)) => {
                let mut count = 0;
                match compare(state, (&left.at, &right.at), &cancel, &mut |_, _| count += 1) {
                    Ok(()) if count == 0 => ("same", &mut done.same),
                    Ok(()) => {
                        line.count = Some(count);
                        ("changed", &mut done.changed)
                    }
                    Err(failed) => {
                        cancel.check()?;
                        line.error = Some(failed.message);
                        ("error", &mut done.error)
                    }
                }
            }
            (Some(_), None) => ("removed", &mut done.removed),
            _ => ("added", &mut done.added),
        };
        *total += 1;
        line.change = change;
        out.line(&line)?;
    }
    Ok(out.line(&done)?)
}

/// Returns a file in no known format.
fn unknown(state: &State, at: &str) -> Result<Option<Arc<File>>, Failed> {
    let (path, inside) = state.library.file(at)?;
    let file = state.files.load(&path)?;
    Ok((inside.is_empty() && state.files.format(&file).is_none()).then_some(file))
}

#[derive(Deserialize)]
pub(super) struct Two {
    left: String,
    right: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DifferenceLine", optional_fields))]
pub(super) struct Line<'l> {
    #[cfg_attr(test, ts(type = "Change"))]
    change: &'static str,
    /// The part that differs, from the compared files.
    path: &'l str,
    /// The field of the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<String>,
    /// Where the part is, if it is part of a member that has an address of its own.
    #[serde(rename = "leftAt", skip_serializing_if = "Option::is_none")]
    left_at: Option<String>,
    #[serde(rename = "leftPath", skip_serializing_if = "Option::is_none")]
    left_path: Option<String>,
    #[serde(rename = "rightAt", skip_serializing_if = "Option::is_none")]
    right_at: Option<String>,
    #[serde(rename = "rightPath", skip_serializing_if = "Option::is_none")]
    right_path: Option<String>,
    /// The number of elements that differ, of which this is the first.
    #[serde(skip_serializing_if = "is_one")]
    #[cfg_attr(test, ts(as = "Option<u64>"))]
    count: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_one(count: &u64) -> bool {
    *count == 1
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CompareDone"))]
pub(super) struct TwoDone {
    done: bool,
    /// The number of differences, with those that are not sent.
    count: u64,
    /// The number of parts, such as records, that differ.
    parts: u64,
    more: u64,
}

/// Compares two files, or two parts of files.
pub(super) fn two(state: &State, query: &Two, out: &mut Sender) -> Result<(), Failed> {
    let (left_at, right_at) = (query.left.trim_end_matches('/'), query.right.trim_end_matches('/'));
    let mut done = TwoDone { done: true, count: 0, parts: 0, more: 0 };
    let mut part = None;
    let cancel = out.cancel().clone();
    let mut failed: Option<io::Error> = None;
    let compared = compare(state, (left_at, right_at), &cancel, &mut |difference, parts| {
        done.count += 1;
        // The differences of a part follow each other.
        let own = part_of(difference);
        if part.as_ref() != Some(&own) {
            part = Some(own);
            done.parts += 1;
        }
        let sides = parts.map(|(left, right)| ((left, left_at), (right, right_at)));
        if done.count > MAX {
            done.more += 1;
        } else if failed.is_none()
            && let Err(error) = out.line(&line(difference, sides.unzip()))
        {
            cancel.flag().store(true, Ordering::Relaxed);
            failed = Some(error);
        }
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    compared?;
    Ok(out.line(&done)?)
}

/// Returns the path of the part that differs, as a whole or in a field.
fn part_of(difference: &Difference<'_>) -> worldview::Path {
    let is_value = difference.left.is_some() || difference.right.is_some();
    if difference.field.is_some() || !is_value {
        return difference.path.clone();
    }
    let mut above = worldview::Path::new();
    let parts: Vec<_> = difference.path.parts().collect();
    parts.split_last().into_iter().flat_map(|(_, above)| above).for_each(|part| above.append(part));
    above
}

/// An opened part and its address.
type Addressed<'s> = (&'s Opened, &'s str);

fn line<'l>(difference: &'l Difference<'_>, (left, right): (Option<Addressed<'_>>, Option<Addressed<'_>>)) -> Line<'l> {
    let place = |(opened, at): Addressed<'_>| {
        let place = place::of(&opened.handle, difference.path);
        let at = (!place.inside.is_empty()).then(|| format!("{at}/{}", place.inside));
        (at, Some(place.path.to_string()))
    };
    let (left_at, left_path) = left.filter(|_| difference.change != Change::Added).map(place).unwrap_or_default();
    let (right_at, right_path) = right.filter(|_| difference.change != Change::Removed).map(place).unwrap_or_default();
    Line {
        change: difference.change.name(),
        path: difference.path.as_str(),
        what: difference.field,
        left: difference.left.map(shown),
        right: difference.right.map(shown),
        left_at,
        left_path,
        right_at,
        right_path,
        count: difference.count,
    }
}

/// Returns a side as the command prints it, without the quotes of texts.
fn shown(side: Side<'_>) -> String {
    if let FieldValue::Text(_) = side.value
        && let Ok(serde_json::Value::String(text)) = serde_json::to_value(side)
    {
        return text;
    }
    side.to_string()
}

/// Takes a difference, and the parts that differ unless they are files in no known format.
type Note<'n> = &'n mut dyn FnMut(&Difference<'_>, Option<(&Opened, &Opened)>);

/// Compares two files, or two parts of files, and passes on their differences.
fn compare(
    state: &State,
    (left_at, right_at): (&str, &str),
    cancel: &CancelToken,
    note: Note<'_>,
) -> Result<(), Failed> {
    let (left, right) = match (state.open(left_at), state.open(right_at)) {
        (Ok(left), Ok(right)) => (left, right),
        (Err(failed), Err(_)) => {
            let (Some(left), Some(right)) = (unknown(state, left_at)?, unknown(state, right_at)?) else {
                return Err(state.library.naming(left_at, failed));
            };
            data(left.bytes(), right.bytes(), state, &mut |difference| note(difference, None));
            return Ok(());
        }
        (Err(failed), _) => return Err(state.library.naming(left_at, failed)),
        (_, Err(failed)) => return Err(state.library.naming(right_at, failed)),
    };
    // Equal bytes are found much faster than equal contents. The parts of directories are their archives.
    if left.handle.part().bytes() == right.handle.part().bytes()
        && left.handle.path_in_file() == right.handle.path_in_file()
    {
        return Ok(());
    }
    let note = &mut |difference: &Difference<'_>| note(difference, Some((&left, &right)));
    let options =
        diff::DiffOptions { encoding: state.encoding, cancel: Some(cancel.flag()), ..diff::DiffOptions::default() };
    if let (Asset::Data(left), Asset::Data(right)) = (left.handle.asset(), right.handle.asset()) {
        data(left.bytes(), right.bytes(), state, note);
        return Ok(());
    }
    let compared = left.handle.compare(&right.handle, |left, right| diff::compare(left, right, &options, note));
    match compared {
        Some(compared) => compared?,
        None => {
            let (left, right) = (left.handle.kind(), right.handle.kind());
            return Err(Failed::broken(format_args!("a {left} cannot be compared with a {right}")));
        }
    }
    // Never differences that came from pages that were not there.
    left.handle.part().file().check()?;
    Ok(right.handle.part().file().check()?)
}

/// Compares data in no known format: by its length, and by the first byte that differs.
fn data(left: &[u8], right: &[u8], state: &State, note: &mut dyn FnMut(&Difference<'_>)) {
    let side = |value: u64| Side {
        value: FieldValue::Uint(value),
        notation: worldview::describe::Notation::Decimal,
        encoding: state.encoding,
    };
    let first = left.iter().zip(right).position(|(left, right)| left != right);
    let mut tell = |path: &worldview::Path, field, left: u64, right: u64| {
        let (left, right) = (Some(side(left)), Some(side(right)));
        note(&Difference { change: Change::Changed, path, field: Some(field), left, right, count: 1 });
    };
    if left.len() != right.len() {
        tell(&worldview::Path::new(), "length", left.len() as u64, right.len() as u64);
    }
    if let Some(at) = first {
        tell(&worldview::Path::new(), &format!("byte {at}"), left[at].into(), right[at].into());
    }
}
