//! From the paths on the command line to the bytes of files with a known format, in parallel.

mod walk;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use worldview::bulk::{self, Bulk, BulkError};
use worldview::{Bytes, Container, Format, Loader, OpenError};
use worldview_import::nearest;
use worldview_inspect::PathPattern;

use crate::only::Term;
use crate::options::OpenOptions;
use crate::outcome::{KNOWN, Outcome};
use crate::output::InputDigest;
use crate::read::digest_of;
use crate::report::{self, Error, Failure, Result};
use crate::run::{Message, Run};
use crate::table;
use walk::WalkEvent;

pub(crate) use walk::Input;

/// The inputs of a verb: the paths that were given, and how their files are opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs<'i> {
    pub(crate) paths: &'i [PathBuf],
    pub(crate) open: &'i OpenOptions,
}

impl Inputs<'_> {
    /// Returns whether the paths name a single file.
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.paths, [path] if !is_many(path))
    }

    /// Returns the number of threads for the parts of a file: all of them for a single file, otherwise those that also process the
    /// files.
    pub(crate) fn threads_inside(&self, run: &Run<'_>) -> usize {
        within(run.threads, self.is_one())
    }
}

/// Returns whether a path is a folder, or a pattern that can lead to several files.
pub(crate) fn is_many(path: &Path) -> bool {
    walk::Argument::of(path).is_many
}

/// Returns whether a path is a folder, which may be written in another case.
pub(crate) fn is_folder(path: &Path) -> bool {
    walk::Argument::of(path).is_folder()
}

/// Returns the folder whose files [`set`](crate::set) and [`apply`](crate::apply) edit: the path, or the part of it before a pattern,
/// which may be empty. Returns `None` if the path is that of a single file.
pub fn folder(path: &Path) -> Option<PathBuf> {
    let walk::Argument { base, is_many, .. } = walk::Argument::of(path);
    is_many.then_some(base)
}

/// Returns the files and folders that a path leads to, each with the path inside it, without opening them.
///
/// # Errors
///
/// Returns an error if the path leads nowhere, if it is a pattern inside a file, or if a folder cannot be read.
pub fn places(path: &Path) -> Result<Vec<(PathBuf, worldview::Path)>> {
    if path.exists() {
        return Ok(vec![(path.into(), worldview::Path::new())]);
    }
    let shown = table::path(path);
    let found = walk::Files::of(&[path], None, &[]).map_err(|(_, why)| Error::refused(&shown, &why))?;
    let mut places = Vec::new();
    for (event, _) in found.events {
        match event {
            WalkEvent::File(input) => {
                let why = "leads to several parts of a file; give one";
                let inside = input.literal().ok_or_else(|| Error::refused(&shown, &why))?;
                places.push((input.path, inside));
            }
            WalkEvent::Missing(path, names) => return Err(Error::failed(&shown, &missing(&path, names))),
            WalkEvent::Unreadable(path, error) => return Err(Error::failed(&table::path(&path), &error)),
            WalkEvent::Unwanted(_) | WalkEvent::Output(_) => {}
        }
    }
    Ok(places)
}

/// Returns whether a path leads to a file, a folder or standard input, or is a pattern in a folder that exists.
pub fn leads(path: &Path) -> bool {
    walk::Argument::of(path).leads()
}

/// Checks that a path is not a name that several files have in another case, of which a verb that writes would have to choose one.
///
/// # Errors
///
/// Returns an error with two of them.
pub(crate) fn check_case(path: &Path) -> Result<()> {
    let Some([one, other]) = walk::Argument::of(path).alike else { return Ok(()) };
    Err(Error::refused(&table::path(path), &say_alike(&one, &other)))
}

/// Returns the message about a name that several files have in another case.
pub(crate) fn say_alike(one: &Path, other: &Path) -> String {
    let (one, other) = (table::path(one), table::path(other));
    format!("several files have this name in another case, such as {one} and {other}; write one exactly")
}

/// Returns the file or folder that a path names, as the file system spells it; the path itself if there is none.
pub(crate) fn spelled(path: &Path) -> PathBuf {
    walk::Argument::of(path).whole().unwrap_or_else(|| path.into())
}

/// Returns the folder beside a level that a player made, with the pictures, sounds and scripts of that level: it has the level's name,
/// which may be in another case.
///
/// # Errors
///
/// Returns an error with two of them if several folders have the name in another case.
pub fn level_folder(level: &Path) -> std::result::Result<Option<PathBuf>, String> {
    let found = walk::Argument::of(&level.with_extension(""));
    match &found.alike {
        Some([one, other]) => {
            let (one, other) = (table::path(one), table::path(other));
            Err(format!("the level has several folders, such as {one} and {other}; rename all but one"))
        }
        None => Ok(found.whole().filter(|folder| folder.is_dir())),
    }
}

/// An open file, and the outcome to which problems are added.
pub(crate) struct OpenInput<'l> {
    pub(crate) input: &'l Input,
    pub(crate) format: Format,
    pub(crate) bytes: &'l Bytes<'l>,
    pub(crate) outcome: &'l mut Outcome,
}

/// The result of one step through the paths.
enum Step<T> {
    /// A file was processed. The result is `None` if the file could not be opened.
    Looked(String, u64, Outcome, Option<T>),
    /// The file has no known format.
    PassedOver(String, Option<Container>),
    StdinFailed(io::Error),
    /// Anything but a file to open.
    Other(WalkEvent),
}

/// Opens every input and calls `look` with those of a known format, on any thread. Passes the results to `sink` in
/// the order of the inputs, and reports problems with the others.
///
/// Files that are named on the command line must have a known format. Files found in folders are skipped if their
/// format is unknown, unless their names suggest otherwise. `prepare` is called for each file in order, before any
/// thread processes it. A file that shrinks while it is being processed is a failure, and its result does not reach
/// `sink`.
pub(crate) fn each<P: Send, T: Send>(
    inputs: Inputs<'_>,
    run: &mut Run<'_>,
    mut prepare: impl FnMut(&Input) -> P,
    look: impl Fn(OpenInput<'_>, P) -> T + Sync,
    mut sink: impl FnMut(T, &mut Run<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let Inputs { paths, open } = inputs;
    let (exclude, loader) = (run.exclude.clone(), run.loader_for(open.mmap));
    let terms = &open.only[..];
    let found = match walk::Files::of(paths, exclude.as_deref(), terms) {
        Ok(found) => found,
        Err((path, why)) => {
            run.refused(&table::path(&path), &why);
            return Ok(());
        }
    };
    let count = found.count();
    let mut has_any: Vec<bool> = found.arguments.iter().map(|argument| argument.is_shared).collect();
    let prepared = found.events.into_iter().map(|(found, argument)| {
        let prepared = if let WalkEvent::File(input) = &found { Some(prepare(input)) } else { None };
        (found, prepared, argument)
    });
    // A single file has no other files to run in parallel with, but its parts may be processed in parallel.
    let threads = if inputs.is_one() { 1 } else { run.threads };
    let (mut broken, mut unwanted) = (None, Vec::new());
    run.begin(count);
    // `sink` borrows the run while the workers use its stop flag.
    let stop = Arc::clone(&run.stop);
    let bulk = Bulk::new(loader).threads(threads).cancel(&stop);
    run.window.map_or(bulk, |files| bulk.window(files)).ordered(
        prepared,
        Vec::new,
        |(found, prepared, argument), buffer| (argument, step((found, prepared), loader, open, buffer, &look)),
        |(argument, step)| {
            has_any[argument] |= !matches!(step, Step::PassedOver(..));
            match step {
                Step::Looked(path, bytes, outcome, made) => {
                    if !outcome.has_failed() {
                        run.observer.message(&Message::Done(&path));
                    }
                    run.absorb(&path, outcome, bytes);
                    if let Some(made) = made
                        && broken.is_none()
                        && let Err(error) = sink(made, run)
                    {
                        stop.store(true, Ordering::Relaxed);
                        broken = Some(error);
                    }
                }
                Step::PassedOver(path, container) => {
                    run.passed_over(&path, container.map(|container| container.advice()))
                }
                Step::Other(WalkEvent::Unwanted(path)) => {
                    run.observer.message(&Message::Unwanted(&table::path(&path)));
                    unwanted.push(last_name(&path));
                }
                Step::Other(WalkEvent::Output(path)) => {
                    run.note(&table::path(&path), &"is the output folder and is skipped");
                }
                Step::StdinFailed(error) => run.broken("standard input", &error),
                Step::Other(WalkEvent::Unreadable(path, error)) => {
                    let mut outcome = Outcome { nothing_done: true, ..Outcome::default() };
                    // What was found and is gone is no mistake of the command line.
                    outcome.input_failed(&path, &Failure::coded(report::SYSTEM, error.to_string()));
                    run.absorb(&table::path(&path), outcome, 0);
                }
                Step::Other(WalkEvent::Missing(path, names)) => {
                    let mut outcome = Outcome { nothing_done: true, ..Outcome::default() };
                    outcome.input_failed(&path, &missing(&path, names));
                    run.absorb(&table::path(&path), outcome, 0);
                }
                Step::Other(WalkEvent::File(_)) => {}
            }
        },
    );
    if let Some(error) = broken {
        return Err(error);
    }
    if run.is_canceled() {
        return Ok(());
    }
    for (argument, has_any) in found.arguments.iter().zip(has_any) {
        let path = table::path(&argument.path);
        if argument.is_many && !has_any {
            let why = format!("contains no file in a known format ({KNOWN})");
            run.failed(&path, &Failure::coded(report::NO_INPUTS, why));
        } else if argument.is_many && has_any && !argument.has_whole {
            for pattern in argument.unmatched() {
                run.failed(&path, &unmatched_anywhere(pattern));
            }
        }
    }
    run.wanted_any(terms, &unwanted);
    Ok(())
}

/// Returns why nothing is found for a path.
fn missing(path: &Path, names: Option<(String, Vec<String>)>) -> Failure {
    let meant = names.and_then(|(name, names)| meant(&name, &names)).unwrap_or_default();
    let why = match path.metadata() {
        Err(error) if !walk::is_pattern(&path.to_string_lossy()) => error.to_string(),
        _ => "nothing matches this path".to_owned(),
    };
    Failure::coded(report::MISSING, format!("{why}{meant}"))
}

/// Returns the error about a file that has nothing that a pattern selects.
pub fn leads_nowhere(path: &Path, pattern: &PathPattern) -> Error {
    Error::failed(&table::path(path), &unmatched(pattern))
}

/// Returns why a file has nothing that a pattern selects.
pub(crate) fn unmatched(pattern: &PathPattern) -> Failure {
    Failure::coded(report::MISSING, format!("has no part with the path {pattern}{}", nearest_to(pattern)))
}

/// Returns why no file has anything that a pattern selects.
pub(crate) fn unmatched_anywhere(pattern: &PathPattern) -> Failure {
    let why = format!("no file has a part with the path {pattern}{}", nearest_to(pattern));
    Failure::coded(report::MISSING, why)
}

/// Returns `; did you mean NAME?` if a name is similar to one in a pattern that selects nothing.
pub(crate) fn nearest_to(pattern: &PathPattern) -> String {
    let (wanted, names) = pattern.unmatched();
    meant(&wanted, &names).unwrap_or_default()
}

/// Returns `; did you mean NAME?` if one of the names is similar.
fn meant(wanted: &str, names: &[String]) -> Option<String> {
    let wanted = wanted.replace(['*', '?'], "");
    let meant = nearest::meant(&wanted, names.iter().map(String::as_str))?;
    Some(format!("; did you mean {meant}?"))
}

/// Returns the digests of all inputs that can be opened, in order, without reporting anything.
pub(crate) fn digests(inputs: Inputs<'_>, run: &Run<'_>) -> Vec<InputDigest> {
    let Inputs { paths, open: options } = inputs;
    let loader = run.loader_for(options.mmap);
    let found = walk::Files::of(paths, run.exclude.as_deref(), &options.only).unwrap_or_default();
    let files = found.events.into_iter().filter_map(|(found, _)| match found {
        WalkEvent::File(input) => Some(input),
        _ => None,
    });
    let mut all = Vec::new();
    Bulk::new(loader).threads(run.threads).cancel(&run.stop).ordered(
        files,
        Vec::new,
        |input, buffer| match open(loader, &input, options, buffer, &mut Outcome::default()) {
            Opened::Ours(_, bytes) => {
                let (length, sha256) = digest_of(&bytes);
                Some(InputDigest { source: table::path(&input.path), length, sha256 })
            }
            _ => None,
        },
        |digest| all.extend(digest),
    );
    all
}

/// Returns the number of threads for the parts of a file, given whether it is the only file. 0 stands for the thread
/// pool of the caller.
pub(crate) const fn within(threads: usize, is_one: bool) -> usize {
    if is_one || threads == 1 { threads } else { 0 }
}

fn step<P, T>(
    found: (WalkEvent, Option<P>),
    loader: Loader,
    open_args: &OpenOptions,
    buffer: &mut Vec<u8>,
    look: &(impl Fn(OpenInput<'_>, P) -> T + Sync),
) -> Step<T> {
    let (input, prepared) = match found {
        (WalkEvent::File(input), Some(prepared)) => (input, prepared),
        (other, _) => return Step::Other(other),
    };
    let shown = table::path(&input.path);
    let mut outcome = Outcome::default();
    let opened = open(loader, &input, open_args, buffer, &mut outcome);
    let (length, made) = match opened {
        Opened::Ours(format, bytes) => {
            let look_at = OpenInput { input: &input, format, bytes: &bytes, outcome: &mut outcome };
            let made = look(look_at, prepared);
            (bytes.len() as u64, still_there(&input, &bytes, &mut outcome).then_some(made))
        }
        Opened::Theirs(container) => return Step::PassedOver(shown, container),
        Opened::StdinFailed(error) => return Step::StdinFailed(error),
        Opened::Failed(length) => {
            outcome.nothing_done = true;
            (length, None)
        }
    };
    Step::Looked(shown, length, outcome, made)
}

/// The result of opening a file.
pub(crate) enum Opened<'b> {
    Ours(Format, Bytes<'b>),
    /// The format is unknown, and the file was found rather than named. Contains the kind of container if files of a
    /// known format may be in it.
    Theirs(Option<Container>),
    /// The failure has been reported. Contains the number of bytes read.
    Failed(u64),
    StdinFailed(io::Error),
}

/// Opens a file, unless it was only found and has no known format.
pub(crate) fn open<'b>(
    loader: Loader,
    input: &Input,
    args: &OpenOptions,
    buffer: &'b mut Vec<u8>,
    outcome: &mut Outcome,
) -> Opened<'b> {
    let path = &input.path;
    let loaded = if path.as_os_str() == "-" {
        match loader.stream(io::stdin().lock()) {
            Ok(bytes) => Ok(bytes),
            Err(error) => return Opened::StdinFailed(error),
        }
    } else if input.named {
        bulk::load(loader, path, buffer)
    } else {
        bulk::load_found(loader, path, buffer)
    };
    let mut length = 0;
    let opened = loaded.and_then(|bytes| {
        length = bytes.len() as u64;
        args.to_options().format(&bytes, &last_name(path)).map(|format| (format, bytes)).map_err(BulkError::Open)
    });
    match opened {
        Ok((format, bytes)) => return Opened::Ours(format, bytes),
        Err(BulkError::Open(OpenError::Unknown)) if !input.named && length == 0 => return Opened::Theirs(None),
        Err(BulkError::Open(OpenError::Container(found))) if !input.named => return Opened::Theirs(Some(found)),
        Err(BulkError::Open(error)) => outcome.input_failed(path, &error),
        Err(BulkError::Io(error)) if input.named => outcome.input_failed(path, &error),
        Err(error) => outcome.input_failed(path, &Failure::coded(report::SYSTEM, error.to_string())),
    }
    Opened::Failed(length)
}

/// Returns whether a file still has its original length. If not, that becomes the only failure, because everything
/// else refers to bytes that no longer exist.
pub(crate) fn still_there(input: &Input, bytes: &Bytes<'_>, outcome: &mut Outcome) -> bool {
    let Err(error) = bytes.check() else { return true };
    outcome.forget();
    outcome.input_failed(&input.path, &error);
    false
}

/// Returns all files of a path by their paths relative to the folder or before the pattern, without those that the terms of `--only`
/// exclude by name. Folders that cannot be searched become failed inputs.
pub(crate) fn files(path: &Path, terms: &[Term], outcome: &mut Outcome) -> BTreeMap<PathBuf, Input> {
    let found = match walk::Files::of(&[path], None, terms) {
        Ok(found) => found,
        Err((path, why)) => {
            outcome.input_failed(&path, &why);
            return BTreeMap::new();
        }
    };
    let mut files = BTreeMap::new();
    let base = found.arguments.first().map(|argument| argument.base.clone()).unwrap_or_default();
    for (event, _) in found.events {
        match event {
            WalkEvent::File(input) => {
                let relative = input.path.strip_prefix(&base).unwrap_or(&input.path).to_path_buf();
                files.insert(relative, input);
            }
            WalkEvent::Unreadable(path, error) => outcome.input_failed(&path, &error),
            WalkEvent::Missing(path, names) => outcome.input_failed(&path, &missing(&path, names)),
            WalkEvent::Output(_) | WalkEvent::Unwanted(_) => {}
        }
    }
    files
}

/// Whether a file name has this extension, ignoring case.
pub(crate) fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// Returns the last name of a path, for hints; empty for standard input.
pub(crate) fn last_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
