//! Searches and checks of everything in a place, whose results are sent as they are found.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use worldview::bulk::Bulk;
use worldview::{Failure, Handle, Note, OpenError, Severity};
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options, locate};

use super::children;
use crate::answer::{Failed, check_pattern};
use crate::library::{self, Location};
use crate::places::{Node, kind_of};
use crate::state::State;
use crate::work::{CancelToken, Sender};

/// The maximum number of hits, and of findings, that are sent. What is more is counted.
const MAX: u64 = 20_000;

/// The maximum number of hits, and of findings, of one file.
const MAX_IN_FILE: usize = 5_000;

/// The maximum number of files that are sent because of their names. The tree's filter finds all.
const MAX_NAMES: u64 = 500;

/// A file of a place.
struct Input {
    at: String,
    path: PathBuf,
    /// The names of the members that lead to the place, joined by `/`.
    inside: Vec<u8>,
    /// Why a folder could not be listed, which then is the input.
    unreadable: Option<std::io::ErrorKind>,
}

/// Lists the files of a place. Links are not followed: what they lead to is listed where it is.
fn inputs(state: &State, at: &str, cancel: &CancelToken) -> Result<Vec<Input>, Failed> {
    let mut inputs = Vec::new();
    let mut add = |at: &str, place: &Path, inside: Vec<u8>| {
        if place.is_file() {
            inputs.push(Input { at: at.to_owned(), path: place.to_owned(), inside, unreadable: None });
        }
        for entry in library::walk(place) {
            cancel.check()?;
            let (path, unreadable) = match &entry {
                Ok(entry) if entry.file_type().is_file() => (entry.path(), None),
                Ok(_) => continue,
                // A folder that cannot be read hides nothing else.
                Err(error) => (error.path().unwrap_or(place), error.io_error().map(std::io::Error::kind)),
            };
            let at = library::below(at, place, path).unwrap_or_default();
            inputs.push(Input { at, path: path.to_owned(), inside: Vec::new(), unreadable });
        }
        Ok::<_, Failed>(())
    };
    match state.library.locate(at)? {
        Location::File(path, inside) => add(at, &path, inside)?,
        Location::Folder(path) => add(at, &path, Vec::new())?,
        Location::Overview => {
            state.library.roots.iter().try_for_each(|root| add(&root.at, &root.path, Vec::new()))?;
        }
    }
    Ok(inputs)
}

/// Opens everything in a file, and passes each part to `look` with its address.
fn visit(state: &State, input: &Input, look: &mut dyn FnMut(&str, Result<Handle, Failure>)) {
    if let Some(kind) = input.unreadable {
        return look(&input.at, Err(Failure::Io(kind.into())));
    }
    let opened = state.files.load(&input.path);
    let opened = match opened.and_then(|file| Handle::of(&file, &input.inside, state.files.options())) {
        Ok(opened) => opened,
        Err(failure) => return look(&input.at, Err(failure)),
    };
    look(&input.at, Ok(opened.clone()));
    let within = opened.path_in_file().len();
    // Everything in a directory or an archive, and nothing else of the file.
    for part in opened.walk() {
        let inside = match &part {
            Ok(handle) => handle.path_in_file(),
            Err(failure) => failure.path_in_file().to_vec(),
        };
        let rest = inside.iter().skip(within).map(|name| library::encode(name.as_bytes()));
        let at = rest.fold(input.at.clone(), |at, name| library::join(&at, &name));
        look(&at, part);
    }
}

#[derive(Deserialize)]
pub(super) struct Find {
    q: String,
    #[serde(default)]
    at: String,
}

/// A line of the answer to a search.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum Found {
    Hit(Hit),
    /// A file whose name matches.
    Name(Node),
    /// A file that could not be searched, or not all of it.
    Unsearched {
        at: String,
        unsearched: String,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(super) struct Hit {
    at: String,
    path: String,
    #[cfg_attr(test, ts(type = "Kind"))]
    kind: &'static str,
    what: String,
    text: String,
    /// The words for it, if it is a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    offset: u64,
    #[cfg_attr(test, ts(type = "Space"))]
    space: &'static str,
}

#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "SearchDone", optional_fields))]
pub(super) struct Done {
    done: bool,
    files: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<u64>,
    more: u64,
    failed: u64,
}

/// What was found in a file.
struct FileHits<T> {
    rows: Vec<T>,
    more: u64,
    is_ours: bool,
    /// What could not be looked at, which is sent however much else there is.
    failed: Vec<T>,
}

impl<T> FileHits<T> {
    fn push(&mut self, row: impl FnOnce() -> T) {
        if self.rows.len() < MAX_IN_FILE {
            self.rows.push(row());
        } else {
            self.more += 1;
        }
    }
}

/// Opens everything in files beside each other, and sends in their order what `look` finds, and `failed` of what cannot be opened.
fn each<T: Serialize + Send>(
    state: &State,
    inputs: Vec<Input>,
    out: &mut Sender,
    look: impl Fn(&str, &Handle, &mut FileHits<T>) + Sync,
    failed: impl Fn(&str, &Failure) -> T + Sync,
) -> Result<(Done, u64), Failed> {
    let cancel = out.cancel().clone();
    let (mut done, mut sent, mut broken) = (Done { done: true, ..Done::default() }, 0, None);
    Bulk::new(state.files.loader()).window(8).cancel(cancel.flag()).ordered(
        inputs,
        || (),
        |input, ()| {
            let mut found = FileHits { rows: Vec::new(), more: 0, is_ours: false, failed: Vec::new() };
            visit(state, &input, &mut |at, opened| match opened {
                _ if cancel.is_cancelled() => {}
                Ok(handle) => {
                    found.is_ours = true;
                    look(at, &handle, &mut found);
                }
                // A file that is none of ours.
                Err(Failure::Open(OpenError::Unknown, _)) => {}
                Err(failure) => found.failed.push(failed(at, &failure)),
            });
            found
        },
        |found| {
            done.files += u64::from(found.is_ours);
            done.failed += found.failed.len() as u64;
            done.more += found.more;
            for row in &found.failed {
                broken = broken.take().or_else(|| out.line(row).err());
            }
            for row in &found.rows {
                if sent >= MAX {
                    done.more += 1;
                } else if broken.is_none() {
                    sent += 1;
                    broken = out.line(row).err();
                }
            }
        },
    );
    cancel.check()?;
    broken.map_or(Ok((done, sent)), |error| Err(error.into()))
}

/// Searches everything in a place.
pub(super) fn find(state: &State, query: &Find, out: &mut Sender) -> Result<(), Failed> {
    check_pattern(&query.q).map_err(Failed::invalid)?;
    let wanted = Wanted::new(&query.q);
    let pattern = match &state.words {
        Some(words) => wanted.longest.clone().or_any_of(words.keys(|words| wanted.matches(words))),
        None => wanted.longest.clone(),
    };
    let cancel = out.cancel().clone();
    let inputs = inputs(state, query.at.trim_end_matches('/'), &cancel)?;
    let (named, unnamed) = names(state, &inputs, &wanted, out)?;
    let unsearched = |at: &str, why: &dyn Display| {
        let (at, unsearched) = (at.to_owned(), why.to_string());
        Found::Unsearched { at, unsearched }
    };
    let look = |at: &str, handle: &Handle, found: &mut FileHits<Found>| {
        let kind = kind_of(handle);
        let options = Options { encoding: state.encoding, ..Options::default() };
        let mut note = |hit: &find::Hit<'_>| {
            let words = state.words.as_ref().and_then(|words| words.get(hit.text));
            if !wanted.matches(hit.text) && !words.is_some_and(|words| wanted.matches(words)) {
                return;
            }
            found.push(|| {
                Found::Hit(Hit {
                    at: at.to_owned(),
                    path: hit.path.to_string(),
                    kind,
                    what: hit.what.to_owned(),
                    text: hit.text.to_owned(),
                    words: words.map(str::to_owned),
                    offset: hit.at,
                    space: hit.space.name(),
                })
            });
        };
        match handle.describe(|root| find::search(root, &pattern, &options, &mut note)) {
            Some(Ok(Some(error))) => found.failed.push(unsearched(at, &error)),
            Some(Err(error)) => found.failed.push(unsearched(at, &error)),
            Some(Ok(None)) | None => {}
        }
    };
    let (mut done, sent) = each(state, inputs, out, look, |at, failure| unsearched(at, failure))?;
    done.hits = Some(sent + named);
    done.more += unnamed;
    Ok(out.line(&done)?)
}

/// What is searched for: a pattern with `*` or `?`, or words in any order.
struct Wanted {
    /// The word that leaves least to look at.
    longest: Pattern,
    others: Vec<Pattern>,
}

impl Wanted {
    fn new(text: &str) -> Self {
        let whole = Pattern::new(text);
        let mut words: Vec<_> = if whole.is_glob() { Vec::new() } else { text.split_whitespace().collect() };
        words.sort_by_key(|word| word.len());
        let longest = words.pop().map_or(whole, Pattern::new);
        Self { longest, others: words.into_iter().map(Pattern::new).collect() }
    }

    fn matches(&self, text: &str) -> bool {
        self.longest.matches(text) && self.others.iter().all(|word| word.matches(text))
    }
}

/// Sends the files and folders whose names, or the titles of levels, match, before their contents are searched. Returns how many were sent, and
/// how many more there are.
fn names(state: &State, inputs: &[Input], wanted: &Wanted, out: &mut Sender) -> Result<(u64, u64), Failed> {
    let (mut sent, mut more) = (0, 0);
    let mut send = |node: &dyn Fn() -> Node| {
        if sent < MAX_NAMES {
            sent += 1;
            return out.line(&Found::Name(node()));
        }
        more += 1;
        Ok(())
    };
    let mut folder = "";
    for input in inputs.iter().filter(|input| input.inside.is_empty()) {
        let (above, name) = input.at.rsplit_once('/').unwrap_or(("", &input.at));
        let is_match = |name: &str| wanted.matches(&library::shown(name));
        if above != folder {
            folder = above;
            let name = above.rsplit('/').next().unwrap_or(above);
            if is_match(name) {
                send(&|| Node::folder(above.to_owned(), library::shown(name)))?;
            }
        }
        let node = || children::node(state, input.at.clone(), &library::shown(name), &input.path);
        let is_titled =
            || node().title.is_some_and(|title| wanted.matches(&format!("{} {title}", library::shown(name))));
        if is_match(name) || is_titled() {
            send(&node)?;
        }
    }
    Ok((sent, more))
}

#[derive(Deserialize)]
pub(super) struct Check {
    #[serde(default)]
    at: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Finding {
    at: String,
    #[cfg_attr(test, ts(type = "'fatal' | 'suspicious' | 'curious'"))]
    severity: &'static str,
    code: &'static str,
    message: String,
    offset: u64,
    #[cfg_attr(test, ts(type = "Space"))]
    space: &'static str,
    path: String,
}

/// Checks everything in a place.
pub(super) fn check(state: &State, query: &Check, out: &mut Sender) -> Result<(), Failed> {
    let cancel = out.cancel().clone();
    let inputs = inputs(state, query.at.trim_end_matches('/'), &cancel)?;
    let (mut done, sent) = each(state, inputs, out, check_part, failed)?;
    done.findings = Some(sent + done.failed);
    Ok(out.line(&done)?)
}

fn check_part(at: &str, handle: &Handle, found: &mut FileHits<Finding>) {
    let mut notes: Vec<Note> = handle.findings();
    let mut more = 0;
    handle.check(&mut |note| {
        if notes.len() < MAX_IN_FILE { notes.push(note) } else { more += 1 }
    });
    found.more += more;
    let offsets: Vec<_> = notes.iter().map(|note| (note.offset, note.space)).collect();
    let paths = if offsets.is_empty() { None } else { handle.describe(|root| locate(root, &offsets)) };
    let mut paths = paths.and_then(Result::ok).unwrap_or_default().into_iter();
    for note in notes {
        let path = paths.next().unwrap_or_default().to_string();
        found.push(|| Finding {
            at: at.to_owned(),
            severity: note.severity.name(),
            code: note.code,
            message: note.message,
            offset: note.offset,
            space: note.space.name(),
            path,
        });
    }
}

/// A part that cannot be opened, as a finding.
fn failed(at: &str, failure: &Failure) -> Finding {
    let (offset, space) = failure.error().map_or((0, "file"), |error| (error.at, error.space().name()));
    Finding {
        at: at.to_owned(),
        severity: Severity::Fatal.name(),
        code: "cannot-open",
        message: failure.to_string(),
        offset,
        space,
        path: String::new(),
    }
}
