//! Changes that the user made in the page: checked, written as a changes file, or applied to a copy.
//!
//! The viewer keeps none of them, and never writes a file.

mod draft;

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body as Response;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Json, State as Extract};
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use worldview::wpd::{Schemas, TableOptions};
use worldview::{File, Format, Options, Path};
use worldview_edit::{Changes, EditError, FileOptions, Patches, Value, check_path};
use worldview_export::names::file_name;

use crate::answer::{Answer, Failed};
use crate::library::Location;
use crate::state::{Shared, State};
use crate::work::{self, CancelToken, Stream};

use draft::{Applied, Draft, apply_drafts, value_at};

/// The maximum number of changes in a request.
const MAX: usize = 10_000;

/// The greatest integer that the page can represent exactly.
const MAX_INTEGER: u128 = (1 << 53) - 1;

/// Changes of a file or of a part of one.
#[derive(Deserialize)]
pub(super) struct Body {
    pub(super) at: String,
    changes: Vec<Line>,
}

/// A change, as changes files have it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Line {
    set: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<serde_json::Value>,
    to: serde_json::Value,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EditCheck"))]
pub(super) struct Document {
    results: Vec<Checked>,
    account: Counts,
    /// What there is to say about all of them together.
    notes: Vec<String>,
}

/// What becomes of the changes, as `worldview apply` counts it.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EditCounts"))]
pub(super) struct Counts {
    done: u64,
    equal: u64,
    refused: u64,
}

/// What is said about a change.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CheckedEdit", optional_fields))]
pub(super) struct Checked {
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<crate::types::Value>"))]
    from: Option<ForPage>,
    /// The new value, as the type that the field has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(as = "Option<crate::types::Value>"))]
    to: Option<ForPage>,
    /// The address of the outermost file.
    file: String,
    /// The path from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A value for the page, which has large integers as texts.
struct ForPage(Value);

impl Serialize for ForPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Value::Integer(integer) if integer.unsigned_abs() > MAX_INTEGER => serializer.collect_str(integer),
            value => value.serialize(serializer),
        }
    }
}

/// The outermost file of a part, which is what can be edited.
pub(super) struct Original<'s> {
    /// The address of the file.
    at: String,
    file: Arc<File>,
    format: Format,
    /// The path of the part.
    prefix: Path,
    schemas: Option<&'s Schemas>,
}

impl<'s> Original<'s> {
    fn open(state: &'s State, at: &str) -> Result<Self, Failed> {
        let (at, path, prefix) = split(state, at)?;
        let file = state.files.load(&path)?;
        let format = Options::new()
            .format(file.bytes(), file.name())
            .map_err(|_| Failed::broken("is not in a known format, so it cannot be edited"))?;
        Ok(Self { at, file, format, prefix, schemas: state.files.options().schemas.as_deref() })
    }

    /// Opens a part as if it were a file of its own.
    fn part(state: &'s State, at: &str) -> Result<Self, Failed> {
        let opened = state.open(at)?;
        let part = opened.handle.part();
        let file = File::from_bytes(part.bytes().to_vec(), part.name());
        let format =
            Options::new().format(file.bytes(), file.name()).map_err(|_| Failed::broken("cannot be edited"))?;
        Ok(Self {
            at: at.to_owned(),
            file,
            format,
            prefix: Path::new(),
            schemas: state.files.options().schemas.as_deref(),
        })
    }

    /// Applies changes, whose paths begin at the file.
    fn apply(&self, changes: &Changes) -> Result<Patches<'_>, EditError> {
        let tables = TableOptions::new().file_name(self.file.name());
        let tables = match self.schemas {
            Some(schemas) => tables.schemas(schemas),
            None => tables,
        };
        worldview_edit::apply(
            self.format,
            self.file.bytes(),
            changes,
            &FileOptions { tables, ..FileOptions::default() },
        )
    }

    /// Reads the changes of a request, and makes their paths begin at the file.
    fn drafts(&self, lines: &[Line]) -> Result<Vec<Result<Draft, String>>, Failed> {
        if lines.len() > MAX {
            return Err(Failed::invalid(format_args!("has more than {MAX} changes")));
        }
        let draft = |line: &Line| {
            let own: Path = line.set.parse().map_err(|error| format!("{}: {error}", line.set))?;
            let mut path = self.prefix.clone();
            path.append(&own);
            check_path(&path).map_err(|error| error.to_string())?;
            let value = |json: &serde_json::Value| {
                serde_json::from_value::<Value>(json.clone()).map_err(|error| format!("{path}: {error}"))
            };
            let from = line.from.as_ref().map(value).transpose()?;
            let to = value(&line.to)?;
            Ok(Draft::new(path, from, to))
        };
        Ok(lines.iter().map(draft).collect())
    }

    /// Reads the changes of a request, and applies them all.
    ///
    /// # Errors
    ///
    /// Returns an error that names the change, if one of them cannot be read or applied.
    fn apply_drafts(&self, lines: &[Line], cancel: &CancelToken) -> Result<Applied<'_>, Failed> {
        let drafts = self.drafts(lines)?.into_iter().collect::<Result<Vec<_>, _>>().map_err(Failed::broken)?;
        apply_drafts(self, drafts, cancel)?.map_err(Failed::broken)
    }
}

/// Splits an address into that of the outermost file and the path in it. Returns the path of the file, too.
fn split(state: &State, at: &str) -> Result<(String, PathBuf, Path), Failed> {
    let at = at.trim_end_matches('/');
    let ends = at.match_indices('/').map(|(end, _)| end).chain([at.len()]);
    for end in ends {
        if let Location::File(path, _) = state.library.locate(&at[..end])? {
            let mut prefix = Path::new();
            let names = at[end..].split('/').skip(1);
            names.for_each(|name| prefix.push_name(&percent_encoding::percent_decode_str(name).collect::<Vec<_>>()));
            return Ok((at[..end].to_owned(), path, prefix));
        }
    }
    Err(Failed::invalid("is a folder, which has no fields"))
}

/// Checks changes, each alone and then all together.
pub(super) fn check(state: &State, body: &Body, cancel: &CancelToken) -> Result<Answer, Failed> {
    let original = Original::open(state, &body.at)?;
    let mut results = Vec::new();
    let mut good = Vec::new();
    for draft in original.drafts(&body.changes)? {
        cancel.check()?;
        let draft = match draft {
            Ok(draft) => draft,
            Err(error) => {
                results.push(original.refused(None, error));
                continue;
            }
        };
        let path = draft.path.clone();
        let from = value_at(&original, &path);
        match apply_drafts(&original, vec![draft.clone()], cancel)? {
            Ok(applied) => {
                let to = applied.drafts.first().map(|draft| ForPage(draft.to().clone()));
                good.push((results.len(), draft));
                let from = from.ok().or_else(|| applied.drafts.into_iter().next()?.from).map(ForPage);
                let (file, path) = (original.at.clone(), Some(path.to_string()));
                results.push(Checked { ok: Some(true), from, to, file, path, error: None });
            }
            Err(error) => results.push(original.refused(Some(&path), error.to_string())),
        }
    }
    // Each of them alone may be possible, but not all together.
    let (mut account, mut notes) = (Counts::default(), Vec::new());
    let drafts = good.iter().map(|(_, draft)| draft.clone()).collect();
    match apply_drafts(&original, drafts, cancel)? {
        Ok(applied) => {
            let made = applied.patches.account();
            (account.done, account.equal) = (made.done, made.equal);
            notes.extend(made.entries().map(|entry| format!("{}: {}.", entry.path, entry.message)));
        }
        Err(error) => {
            let wrong = good.iter().rfind(|(_, draft)| draft.path == error.path).or(good.last());
            if let Some((index, draft)) = wrong {
                results[*index] = original.refused(Some(&draft.path), error.to_string());
            }
        }
    }
    account.refused = results.iter().filter(|result| result.error.is_some()).count() as u64;
    Answer::json(&Document { results, account, notes })
}

impl Original<'_> {
    fn refused(&self, path: Option<&Path>, error: String) -> Checked {
        let path = path.map(Path::to_string);
        Checked { ok: None, from: None, to: None, file: self.at.clone(), path, error: Some(error) }
    }
}

/// Returns a name for the changes, the same for the same ones, and the part as the changes make it.
pub(super) fn edited(state: &State, body: &Body, cancel: &CancelToken) -> Result<(String, Vec<u8>), Failed> {
    let changes = serde_json::to_vec(&body.changes).map_err(Failed::internal)?;
    let digest = Sha256::new().chain_update(&body.at).chain_update([0]).chain_update(changes).finalize();
    let original = Original::part(state, &body.at)?;
    let mut bytes = Vec::new();
    original.apply_drafts(&body.changes, cancel)?.patches.write_to(&mut bytes)?;
    Ok((worldview_inspect::hex(&digest[..16]).replace(' ', ""), bytes))
}

/// Makes a changes file.
pub(super) fn changes(state: &State, body: &Body, cancel: &CancelToken) -> Result<Answer, Failed> {
    let original = Original::open(state, &body.at)?;
    let mut drafts = original.apply_drafts(&body.changes, cancel)?.drafts;
    for draft in drafts.iter_mut().filter(|draft| draft.from.is_none()) {
        cancel.check()?;
        draft.from = value_at(&original, &draft.path).ok();
    }
    let changes: Changes = drafts.iter().map(Draft::change).collect();
    let json = changes.to_json().map_err(Failed::broken)?;
    let file = format!("{}.changes.json", file_name(original.file.name().as_bytes()));
    Ok(Answer::new("application/json", json.into_bytes()).attachment(&file))
}

/// Sends an edited copy of the outermost file.
pub(super) async fn apply(
    Extract(shared): Extract<Shared>,
    body: Result<Json<Body>, JsonRejection>,
) -> Result<axum::http::Response<Response>, Failed> {
    let Json(body) = body?;
    let (_, path, _) = split(&shared, &body.at)?;
    let file = file_name(path.file_name().unwrap_or_default().as_encoded_bytes());
    work::stream(Stream::File, ("application/octet-stream", Some(file)), move |out| {
        let original = Original::open(&shared, &body.at)?;
        let applied = original.apply_drafts(&body.changes, &out.cancel().clone())?;
        applied.patches.write_to(out)?;
        // Never a file whose end came from pages that were not there.
        Ok(original.file.check()?)
    })
    .await
}
