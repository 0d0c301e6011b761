//! The common part of `set` and `apply`: edited files are written completely, or not at all.

mod findings;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use worldview::bulk::Bulk;
use worldview::wpd::{Schemas, TableOptions};
use worldview::{Bytes, Format, Loader};
use worldview_edit::account::{Account, Entry, SourcePlace};
use worldview_edit::wwd::SWITCH_ID;
use worldview_edit::{Change, Changes, EditError, EditErrorKind, FileOptions, Patches, Planned, Value, folded};

use crate::inputs::{self, Input, OpenInput, Opened};
use crate::interrupt;
use crate::mods::Line;
use crate::open::Files;
use crate::options::{EditOptions, OpenOptions, Replace};
use crate::outcome::Outcome;
use crate::output::{EditLog, Hashing, Held, Target, check_folder, existing, held};
use crate::read::digest_of;
use crate::report::{Error, FAILED, Failure, OutputReport, Result};
use crate::run::Run;
use crate::table;
use findings::new_findings;

pub(super) use findings::{findings, findings_of_new};

/// An open file that is to be edited.
#[derive(Clone, Copy)]
pub(super) struct Original<'o> {
    pub(super) input: &'o Input,
    pub(super) format: Format,
    pub(super) bytes: &'o [u8],
    pub(super) open: &'o OpenOptions,
    pub(super) schemas: Option<&'o Arc<Schemas>>,
    /// The path inside of the file that the input names; empty for the file itself, and for a pattern.
    pub(super) prefix: &'o worldview::Path,
    /// Whether switches that move get other ids.
    pub(super) follow: bool,
}

impl<'o> Original<'o> {
    /// Applies changes whose paths begin at the file.
    pub(super) fn apply(&self, changes: &Changes) -> std::result::Result<Patches<'o>, EditError> {
        let name = inputs::last_name(&self.input.path);
        let tables = options(self.schemas, &name);
        let options = FileOptions { tables, unpacker: self.open.to_options().unpacker(), follow: self.follow };
        worldview_edit::apply(self.format, self.bytes, changes, &options)
    }

    /// Returns the changes that make the file another one, with all old values, if they can say everything.
    pub(super) fn to(&self, edited: &[u8]) -> Option<Planned> {
        let name = inputs::last_name(&self.input.path);
        let planned = between(self.format, (self.bytes, edited), (self.schemas, &name)).ok()?;
        let is_complete = planned.account.entries().len() == 0;
        is_complete.then_some(planned)
    }
}

/// Says which option does more, where it does.
fn hinted(original: &Original<'_>, changes: &Changes, mut account: Account) -> Account {
    let is_switch = |entry: &Entry| entry.code == SWITCH_ID;
    if original.follow || !account.entries().any(is_switch) {
        return account;
    }
    let Ok(patches) = (Original { follow: true, ..*original }).apply(changes) else { return account };
    let also: Vec<_> = patches.also().iter().map(|change| folded(change.path())).collect();
    for entry in account.entries_mut().filter(|entry| is_switch(entry)) {
        if also.iter().any(|path| path.is_within(&folded(&entry.path))) {
            entry.message.push_str("; --follow changes these, too");
        }
    }
    account
}

/// Returns the changes that make one file say what another of the same format says, and the differences that they leave.
pub(super) fn between(
    format: Format,
    (left, right): (&[u8], &[u8]),
    (schemas, name): (Option<&Arc<Schemas>>, &str),
) -> std::result::Result<Planned, EditError> {
    let options = FileOptions { tables: options(schemas, name), ..FileOptions::default() };
    worldview_edit::diff(format, left, right, &options)
}

/// Returns the changes that undo others, which are applied to their original for that.
pub(super) fn undo(path: &Path, changes: &Changes, outcome: &mut Outcome) -> Option<Changes> {
    let (open, mut buffer) = (OpenOptions::default(), Vec::new());
    let input = inputs::files(path, &[], outcome).into_values().next().filter(|_| !inputs::is_many(path));
    let Some(input) = input.filter(|input| input.inside.is_empty()) else {
        outcome.input_failed(path, &"is not a file; give the whole file that the changes are for");
        return None;
    };
    let Opened::Ours(format, bytes) = inputs::open(Loader::read(), &input, &open, &mut buffer, outcome) else {
        return None;
    };
    let prefix = worldview::Path::new();
    let original =
        Original { input: &input, format, bytes: &bytes, open: &open, schemas: None, prefix: &prefix, follow: false };
    let name = inputs::last_name(path);
    let undone =
        original.apply(changes).and_then(|patches| between(format, (&patches.to_vec(), &bytes), (None, &name)));
    let planned = undone.map_err(|error| outcome.input_failed(path, &error)).ok()?;
    for entry in planned.account.entries().filter(|entry| entry.code != worldview_edit::LAYOUT) {
        let text = format!("cannot be undone: {}: {}", entry.path, entry.message);
        outcome.input_failed(path, &Failure::coded(entry.code, text));
    }
    (!outcome.has_failed()).then_some(planned.changes)
}

/// Whether an edit is refused that could be expressed.
pub(super) const fn is_refused(error: &EditError) -> bool {
    matches!(error.kind, EditErrorKind::Refused { .. })
}

/// How tables get their field names.
pub(super) fn options<'n>(schemas: Option<&'n Arc<Schemas>>, name: &'n str) -> TableOptions<'n, 'n> {
    let options = TableOptions::new().file_name(name);
    match schemas {
        Some(schemas) => options.schemas(schemas),
        None => options,
    }
}

/// A file to be edited.
pub(super) struct Job<S> {
    pub(super) input: Input,
    /// The path of the edited file.
    pub(super) out: Option<PathBuf>,
    /// The source of the plan.
    pub(super) source: S,
    /// Whether a file in no known format is an error. Others of a folder are skipped.
    pub(super) is_wanted: bool,
}

/// The changes of a file, and the result if the plan had to apply them.
pub(super) type Plan<'o> = (Planned, Option<Patches<'o>>);

/// A file that was edited, or would be.
#[derive(Clone, Debug, Default)]
pub struct EditedFile {
    /// The path of the input.
    pub input: String,
    /// Its path relative to the folder that was given, with the name of that folder.
    pub source: String,
    /// The file that was written, or would be, if there is one.
    pub out: Option<String>,
    /// How many changes were done in the original already.
    pub there: u64,
    /// The size of the original, in bytes.
    pub before: u64,
    /// The size of the edited file, in bytes.
    pub after: u64,
    /// Where the original is now.
    pub backup: Option<PathBuf>,
    /// In a dry run, the fields that differ in members whose bytes are replaced, if the changes do not have them.
    pub fields: Option<Changes>,
    /// Whether the file is not in a known format.
    is_skipped: bool,
}

/// The results of `set` and `apply`.
#[derive(Clone, Debug, Default)]
pub struct EditReport {
    /// The files that were written, or would be.
    pub files: Vec<EditedFile>,
    /// How many changes were made.
    pub changes: u64,
    /// How many elements were as they should be already.
    pub equal: u64,
    /// How many elements were left out.
    pub left_out: u64,
    /// How many changes were done in the originals already.
    pub there: u64,
    /// The size of these files after the edit.
    pub bytes: u64,
}

/// Hears of each file that a dry run would edit, with the changes, and writes to where the verb does.
pub type Take<'t> = &'t mut dyn FnMut(&EditedFile, &Changes, &mut dyn Write) -> io::Result<()>;

/// Edits files in parallel, by the changes that `plan` gives for each; `folder` has them all, if one was given. What goes to standard output is written to `out`,
/// and `take` hears of a dry run.
pub(super) fn edit<S: Send + Sync>(
    args: &EditOptions,
    (jobs, folder): (Vec<Job<S>>, Option<&Path>),
    run: &mut Run<'_>,
    (out, take): (&mut (dyn Write + Send), Take<'_>),
    plan: impl for<'o> Fn(&S, &Original<'o>, &mut Outcome) -> Option<Plan<'o>> + Sync,
) -> Result<EditReport> {
    let open = &args.open;
    let files = Files::new(open, 1)?;
    let threads = if jobs.len() < 2 { 1 } else { run.threads };
    let (stop, loader) = (Arc::clone(&run.stop), run.loader_for(open.mmap));
    let out = Mutex::new(out);
    let print = |text: &[u8]| out.lock().unwrap_or_else(PoisonError::into_inner).write_all(text);
    let log = folder.filter(|_| args.in_place && !args.preview.dry_run).map(EditLog::new);
    let (mut report, mut broken) = (EditReport::default(), None);
    Bulk::new(loader).threads(threads).window(2 * threads).cancel(&stop).ordered(
        jobs,
        Vec::new,
        |job, buffer| {
            let mut outcome = Outcome::default();
            let (is_folder, log) = (folder.is_some(), log.as_ref());
            let edited = Edited { args, is_folder, log, files: &files, print: &print };
            let done = edited.one(&job, (loader, open), buffer, &plan, &mut outcome);
            if done.is_none() {
                outcome.nothing_done = true;
            }
            (job.input.shown(), done, outcome)
        },
        |(path, done, outcome)| {
            if done.as_ref().is_some_and(|(done, _)| done.is_skipped) {
                return run.passed_over(&path, None);
            }
            let is_changed = outcome.account.done > 0 && done.is_some();
            report.changes += if is_changed { outcome.account.done } else { 0 };
            report.equal += outcome.account.equal;
            report.left_out += outcome.account.left_out();
            run.absorb(&path, outcome, done.as_ref().map_or(0, |(done, _)| done.before));
            run.count_done(is_changed);
            let Some((done, changes)) = done else { return };
            report.there += done.there;
            if broken.is_none()
                && let Some(changes) = changes
                && let Err(error) = take(&done, &changes, &mut **out.lock().unwrap_or_else(PoisonError::into_inner))
            {
                stop.store(true, Ordering::Relaxed);
                broken = Some(error);
            }
            if let Some(backup) = done.backup.as_ref().filter(|_| folder.is_none()) {
                let name = Path::new(backup.file_name().unwrap_or_default());
                run.note(&done.input, &format_args!("the original is now {}", table::path(name)));
            }
            if done.out.is_some() {
                report.bytes += done.after;
                report.files.push(done);
            }
        },
    );
    if let Some(error) = broken {
        return Err(error.into());
    }
    out.into_inner().unwrap_or_else(PoisonError::into_inner).flush()?;
    Ok(report)
}

/// How files are edited.
struct Edited<'e> {
    args: &'e EditOptions,
    is_folder: bool,
    log: Option<&'e EditLog>,
    files: &'e Files<'e>,
    /// Writes to standard output.
    print: &'e (dyn Fn(&[u8]) -> io::Result<()> + Sync),
}

impl Edited<'_> {
    /// Edits one file. Returns `None` if that failed, which has then been reported.
    fn one<S>(
        &self,
        job: &Job<S>,
        (loader, open): (Loader, &OpenOptions),
        buffer: &mut Vec<u8>,
        plan: impl for<'o> Fn(&S, &Original<'o>, &mut Outcome) -> Option<Plan<'o>>,
        outcome: &mut Outcome,
    ) -> Option<(EditedFile, Option<Changes>)> {
        let (input, args) = (&job.input, self.args);
        let (format, bytes) = match inputs::open(loader, input, open, buffer, outcome) {
            Opened::Ours(format, bytes) => (format, bytes),
            Opened::Theirs(_) if !job.is_wanted => {
                return Some((EditedFile { is_skipped: true, ..EditedFile::nothing(input, 0) }, None));
            }
            Opened::Theirs(_) => {
                return outcome.nothing(&input.path, &"is not in a known format, so it cannot be edited");
            }
            Opened::Failed(_) => return None,
            Opened::StdinFailed(error) => return outcome.nothing(Path::new("standard input"), &error),
        };
        let read_digest = (args.in_place && !args.preview.dry_run).then(|| digest_of(&bytes));
        let repaired = if args.open.recover && format == Format::Wpd { worldview::wpd::repair(&bytes) } else { None };
        let read = repaired.as_deref().unwrap_or(&bytes);
        let look = OpenInput { input, format, bytes: &bytes, outcome: &mut *outcome };
        let prefix = self.files.literal(&look);
        let prefix = prefix.map_err(|why| outcome.input_failed(&input.path, &why)).ok()?;
        let schemas = self.files.schemas.as_ref();
        let original = Original { input, format, bytes: read, open, schemas, prefix: &prefix, follow: args.follow };
        let (planned, patches) = plan(&job.source, &original, outcome)?;
        outcome.account.append(planned.account);
        if outcome.has_failed() || outcome.account.refused() > 0 && !args.skip_refused {
            return None;
        }
        // Most exports of a folder are as they were written.
        if planned.changes.is_empty() && self.is_folder && outcome.account.left_out() == 0 {
            return Some((EditedFile::nothing(input, bytes.len() as u64), None));
        }
        let (changes, patches) = match patches {
            Some(patches) => (planned.changes, patches),
            None => self.applied(&original, planned.changes, outcome)?,
        };
        let changes = changes.along(patches.also());
        outcome.account.append(hinted(&original, &changes, patches.account().clone()));
        let nothing = EditedFile::nothing(input, bytes.len() as u64);
        let mut done = EditedFile { there: patches.account().equal, after: patches.len(), ..nothing };
        let found = || new_findings(&original, &patches);
        for finding in if patches.is_empty() { Vec::new() } else { found() } {
            outcome.note(&input.path, &format_args!("the edited file has a new problem: {finding}"));
        }
        let out = if args.in_place { Some(&input.path) } else { job.out.as_ref() };
        if args.preview.dry_run {
            done.out = Some(out.map_or_else(String::new, |out| table::path(out)));
            let changes = self.by_field(&original, changes, &patches, &mut done);
            return inputs::still_there(input, &bytes, outcome).then_some((done, Some(changes)));
        }
        let out = out?;
        if patches.is_empty() && (args.in_place || self.is_folder) {
            let why = if outcome.account.refused() > 0 { "nothing else to change" } else { "already up to date" };
            outcome.note(&input.path, &format_args!("{why}; not written"));
            return Some((done, None));
        }
        // What overwrote the header stays where it is.
        let restored = repaired.as_deref().map(|read| restored(&bytes, read, &patches.to_vec()));
        if let Some(None) = restored {
            let why =
                "the edited file would have another size, which needs a valid header; `worldview repair` writes one";
            return outcome.nothing(&input.path, &why);
        }
        let fill_with = |out: &mut dyn io::Write| match &restored {
            Some(Some(bytes)) => out.write_all(bytes),
            _ => patches.write_to(out),
        };
        let mut edited_digest = None;
        let fill = |out: &mut dyn io::Write| {
            if self.log.is_none() {
                return fill_with(out);
            }
            let mut hashing = Hashing::new(out);
            fill_with(&mut hashing)?;
            let (_, size, sha256) = hashing.finish();
            edited_digest = Some((size, sha256));
            Ok(())
        };
        let put = self.put(out, input, &bytes, fill, outcome)?;
        // Whoever interrupts a run does not want its result.
        if interrupt::is_interrupted() {
            return None;
        }
        // Some systems cannot replace a file that is mapped.
        drop(bytes);
        let finished = match put {
            Some(held) if args.in_place => {
                let logged = match (self.log, &read_digest, edited_digest) {
                    (Some(log), Some(original), Some(edited)) => log.add(&input.path, original.clone(), edited),
                    _ => Ok(()),
                };
                logged.and_then(|()| held.replace(read_digest.as_ref())).map(Some)
            }
            Some(held) => held.release().map(|()| None),
            None => Ok(None),
        };
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::ResourceBusy => {
                let hint = "run the command again; it applies the edit to the file as it is now";
                outcome.input_failed(out, &Failure::hinted(FAILED, error.to_string(), hint));
            }
            _ => outcome.cannot_write(out, &error),
        };
        done.backup = finished.map_err(failed).ok()?;
        done.out = Some(table::path(out));
        outcome.outputs.push(OutputReport::written(table::path(out), done.after));
        Some((done, None))
    }

    /// Returns the changes of a dry run. Where they replace all bytes of a member, they are those of its fields, if these can say everything.
    fn by_field(
        &self,
        original: &Original<'_>,
        changes: Changes,
        patches: &Patches<'_>,
        done: &mut EditedFile,
    ) -> Changes {
        let is_bytes = |change: &Change| matches!(change, Change::Set { to: Value::Bytes(_), .. });
        if !matches!(original.format, Format::Wpd | Format::Rez) || !changes.iter().any(is_bytes) {
            return changes;
        }
        let name = inputs::last_name(&original.input.path);
        match between(original.format, (original.bytes, &patches.to_vec()), (original.schemas, &name)) {
            Ok(Planned { changes, account }) if account.entries().len() == 0 => changes,
            Ok(Planned { changes: fields, .. }) => {
                done.fields = Some(fields);
                changes
            }
            Err(_) => changes,
        }
    }

    /// Applies changes. Those that cannot be applied are refused, if the rest is wanted anyway.
    fn applied<'o>(
        &self,
        original: &Original<'o>,
        mut changes: Changes,
        outcome: &mut Outcome,
    ) -> Option<(Changes, Patches<'o>)> {
        loop {
            let error = match original.apply(&changes) {
                Ok(patches) => return Some((changes, patches)),
                Err(error) => error,
            };
            let before = changes.len();
            if self.args.skip_refused {
                // What concerns an element as a whole is about all changes of it.
                let is_about = |path: &worldview::Path| {
                    let (path, refused) = (folded(path), folded(&error.path));
                    path == refused || is_refused(&error) && !refused.is_empty() && path.is_within(&refused)
                };
                changes = changes.into_iter().filter(|change| !is_about(change.path())).collect();
            }
            if changes.len() == before {
                return outcome.nothing(&original.input.path, &error);
            }
            let mut refused = Planned::default();
            let file = original.input.shown();
            refused.refuse(&error, SourcePlace { file, ..SourcePlace::default() });
            outcome.account.append(refused.account);
        }
    }

    /// Writes an edited file, which gets its name yet, or a stream. Returns `None` if that failed, or if the original is not what it
    /// was.
    fn put(
        &self,
        out: &Path,
        input: &Input,
        bytes: &Bytes<'_>,
        fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
        outcome: &mut Outcome,
    ) -> Option<Option<Held>> {
        let written = if self.args.in_place {
            // A link names the file that it leads to.
            out.canonicalize().and_then(|target| {
                if target.metadata()?.permissions().readonly() {
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, "is read-only"));
                }
                held(&target, fill).map(Some)
            })
        } else {
            match Target::of(out, self.args.out.as_deref().unwrap_or(out), &[&input.path], self.args.overwrite) {
                Ok(Target::File(path)) => held(&path, fill).map(Some),
                Ok(Target::Standard) => {
                    let mut all = Vec::new();
                    fill(&mut all).and_then(|()| (self.print)(&all)).map(|()| None)
                }
                Ok(stream) => stream.write(&mut io::sink(), fill).map(|()| None),
                Err(error) => Err(error),
            }
        };
        if !inputs::still_there(input, bytes, outcome) {
            return None;
        }
        written.map_err(|error| outcome.cannot_write(out, &error)).ok()
    }
}

impl EditedFile {
    /// Returns the line of the file in a mod, with these changes: a path that is relative to the folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the changes cannot be written as JSON.
    pub fn line(&self, changes: &Changes) -> std::result::Result<String, EditError> {
        let (path, size, new_size) = (self.source.clone(), Some(self.before), Some(self.after));
        Line { path, size, new_size, ..Line::default() }.with(changes)
    }

    fn nothing(input: &Input, len: u64) -> Self {
        let source = table::path(&input.source);
        Self { input: input.shown(), source, before: len, after: len, ..Self::default() }
    }
}

/// Returns a damaged file with the bytes that an edit changed in its repaired form; `None` if the size changed.
fn restored(damaged: &[u8], repaired: &[u8], edited: &[u8]) -> Option<Vec<u8>> {
    (repaired.len() == edited.len() && damaged.len() == edited.len()).then(|| {
        let bytes = damaged.iter().zip(repaired).zip(edited);
        bytes.map(|((damaged, repaired), edited)| if repaired == edited { *damaged } else { *edited }).collect()
    })
}

/// Returns the input that a path names, and the files in it by their relative paths if it is a folder. Reports why it cannot be edited.
pub(super) fn inputs_of(
    path: &Path,
    args: &EditOptions,
    run: &mut Run<'_>,
) -> Result<Option<BTreeMap<PathBuf, Input>>> {
    if args.out.is_none() && !args.in_place && !args.preview.dry_run {
        let why = "is missing: `-o OUT` writes edited copies, `--in-place` replaces the files and keeps backups, `--dry-run` only \
                   prints the changes";
        return Err(Error::refused("--out", &why));
    }
    inputs::check_case(path)?;
    let mut outcome = Outcome::default();
    let mut found = inputs::files(path, &[], &mut outcome);
    if args.in_place {
        // A link and its file are one file.
        let mut known = HashSet::new();
        found.retain(|_, input| input.path.canonicalize().map_or(true, |path| known.insert(path)));
    }
    if args.in_place && path.as_os_str() == "-" {
        outcome.input_failed(path, &"standard input cannot be edited in place");
    }
    // A file may be named by a path that continues inside it, and its output by a folder.
    let (folder, single) = (inputs::folder(path), found.values().next());
    let (target, original) = match (&folder, single) {
        (None, Some(input)) => (out_of(args.out.as_deref(), input), input.path.as_path()),
        (folder, _) => (args.out.clone(), folder.as_deref().unwrap_or(path)),
    };
    if folder.is_some()
        && let Some(out) = &args.out
    {
        check_folder(out)?;
    }
    if let Some(out) = target.as_deref()
        && is_same_or_inside(out, original)
    {
        let text = format!("the output would replace the input {}", table::path(path));
        outcome
            .input_failed(out, &Failure::hinted(FAILED, text, "--in-place replaces files, and keeps backups of them"));
    }
    let failed = outcome.has_failed();
    if failed {
        outcome.nothing_done = true;
        run.absorb(&table::path(path), outcome, 0);
    }
    Ok((!failed).then_some(found))
}

/// Writes a new file, which is `named` or in the folder that is. Returns `None` if that failed, which has then been reported.
pub(super) fn put(
    (out, named): (&Path, &Path),
    inputs: &[&Path],
    replace: Replace,
    bytes: &[u8],
    outcome: &mut Outcome,
) -> Option<()> {
    let written = Target::of(out, named, inputs, replace);
    let written = written.and_then(|target| target.write(&mut io::stdout(), |out| out.write_all(bytes)));
    written.map_err(|error| outcome.cannot_write(out, &error)).ok()?;
    outcome.outputs.push(OutputReport::written(table::path(out), bytes.len() as u64));
    Some(())
}

/// Whether an output is the input or lies in it, however they are named.
pub(super) fn is_same_or_inside(out: &Path, input: &Path) -> bool {
    let (Ok(input), Ok(out)) = (input.canonicalize(), existing(out)) else { return false };
    out.starts_with(input)
}

/// Returns the path of the output of a single file: the output itself, or a file in it if it is a folder.
pub(super) fn out_of(out: Option<&Path>, input: &Input) -> Option<PathBuf> {
    let out = out?;
    let is_folder = fs::metadata(out).is_ok_and(|metadata| metadata.is_dir())
        || out.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    Some(if is_folder { out.join(inputs::last_name(&input.path)) } else { out.to_path_buf() })
}
