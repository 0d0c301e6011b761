//! What `set` and `apply` have in common: edited files are written completely, or not at all.

use std::fs;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::Serialize;
use worldview::bulk::Bulk;
use worldview::wpd::{Schemas, TableOptions};
use worldview::wwd::Unpacker;
use worldview::{Bytes, Format, Loader};
use worldview_edit::{Changes, EditError, FileOptions, Patches};
use worldview_export::csv::CsvStyle;

use crate::args::{OpenArgs, ToArgs, plain};
use crate::inputs::{self, Input, Opened};
use crate::interrupt;
use crate::open::Files;
use crate::outcome::{At, Outcome};
use crate::output::Single;
use crate::run::{Run, size};
use crate::table::{self, counted};

/// An open file that is to be edited.
#[derive(Clone, Copy)]
pub(super) struct Original<'o> {
    pub(super) input: &'o Input,
    pub(super) format: Format,
    pub(super) bytes: &'o [u8],
    pub(super) open: &'o OpenArgs,
    pub(super) schemas: Option<&'o Schemas>,
}

impl<'o> Original<'o> {
    /// Applies changes whose paths begin at the file.
    pub(super) fn apply(&self, changes: &Changes) -> Result<Patches<'o>, EditError> {
        let name = inputs::last_name(&self.input.path);
        let options = FileOptions { tables: options(self.schemas, &name), unpacker: unpacker(self.open) };
        worldview_edit::apply(self.format, self.bytes, changes, &options)
    }

    /// The path of the member that the input names; empty for the file itself.
    pub(super) fn prefix(&self) -> worldview::Path {
        prefix(self.input.inner.as_deref())
    }
}

/// Returns the changes that make one file say what another of the same format says.
pub(super) fn between(
    format: Format,
    (left, right): (&[u8], &[u8]),
    (schemas, name): (Option<&Schemas>, &str),
) -> Result<Changes, EditError> {
    let options = FileOptions { tables: options(schemas, name), ..FileOptions::default() };
    worldview_edit::diff(format, left, right, &options).map(|planned| planned.changes)
}

/// Returns the changes that undo others, which are applied to their original for that.
pub(super) fn undo(path: &Path, changes: &Changes, outcome: &mut Outcome) -> Option<Changes> {
    let (open, mut buffer) = (plain(), Vec::new());
    let input = inputs::files(path, outcome).into_values().next().filter(|_| !path.is_dir());
    let Some(input) = input.filter(|input| input.inner.is_none()) else {
        outcome.input_failed(path, &"is not a file; give the whole file that the changes are for");
        return None;
    };
    let Opened::Ours(format, bytes) = inputs::open(Loader::read(), &input, &open, &mut buffer, outcome) else {
        return None;
    };
    let original = Original { input: &input, format, bytes: &bytes, open: &open, schemas: None };
    let name = inputs::last_name(path);
    let undone =
        original.apply(changes).and_then(|patches| between(format, (&patches.to_vec(), &bytes), (None, &name)));
    undone.map_err(|error| outcome.input_failed(path, &error)).ok()
}

/// How tables get their field names.
const fn options<'n>(schemas: Option<&'n Schemas>, name: &'n str) -> TableOptions<'n> {
    let options = TableOptions::new().file_name(name);
    match schemas {
        Some(schemas) => options.schemas(schemas),
        None => options,
    }
}

pub(super) fn unpacker(open: &OpenArgs) -> Unpacker {
    open.max_inflate.map_or(Unpacker::new(), |bytes| Unpacker::new().max_inflate(bytes))
}

/// The path that the names of nested members stand for.
pub(super) fn prefix(names: Option<&[u8]>) -> worldview::Path {
    let mut path = worldview::Path::new();
    for name in names.into_iter().flat_map(|names| names.split(|&byte| byte == b'/')) {
        path.push_name(name);
    }
    path
}

/// A file to be edited.
pub(super) struct Job<S> {
    pub(super) input: Input,
    /// The path of the edited file.
    pub(super) out: Option<PathBuf>,
    /// What the plan needs to know.
    pub(super) source: S,
}

/// The changes of a file, and what they give if the plan had to apply them.
pub(super) type Planned<'o> = (Changes, Option<Patches<'o>>);

/// What became of a file.
struct Done {
    input: String,
    /// The file that was written, or would be.
    out: Option<String>,
    changes: u64,
    before: u64,
    after: u64,
    /// What is printed by a dry run.
    summary: String,
    backup: Option<PathBuf>,
}

/// What a dry run prints of one of several files.
#[derive(Serialize)]
struct Line<'l> {
    path: &'l str,
    size: u64,
    new_size: u64,
    changes: serde_json::Value,
}

/// Edits files in parallel, by the changes that `plan` gives for each.
pub(super) fn edit<S: Send + Sync>(
    args: &ToArgs,
    jobs: Vec<Job<S>>,
    is_folder: bool,
    loader: Loader,
    run: &mut Run,
    plan: impl for<'o> Fn(&S, &Original<'o>, &mut Outcome) -> Option<Planned<'o>> + Sync,
) -> io::Result<()> {
    let open = args.open();
    let Some(files) = Files::new(&open, 1, run) else { return Ok(()) };
    let threads = if jobs.len() < 2 { 1 } else { run.threads };
    let stop = Arc::clone(&run.stop);
    let mut out = run.stdout(CsvStyle::default());
    let (mut written, mut changes, mut bytes, mut broken) = (Vec::new(), 0, 0, None);
    Bulk::new(loader).threads(threads).window(2 * threads).cancel(&stop).ordered(
        jobs,
        Vec::new,
        |job, buffer| {
            let mut outcome = Outcome::default();
            let done = one(args, is_folder, &job, (loader, &open, files.schemas()), buffer, &plan, &mut outcome);
            (done, outcome)
        },
        |(done, outcome)| {
            run.absorb(outcome, done.as_ref().map_or(0, |done| done.before));
            let Some(done) = done else { return };
            if broken.is_none()
                && let Err(error) = out.write_all(done.summary.as_bytes())
            {
                stop.store(true, Ordering::Relaxed);
                broken = Some(error);
            }
            changes += done.changes;
            bytes += done.after;
            if let Some(backup) = &done.backup {
                let name = Path::new(backup.file_name().unwrap_or_default());
                run.note(&done.input, &format_args!("the original is now {}", table::path(name)));
            }
            written.extend(done.out.clone().map(|out| (out, done)));
        },
    );
    if let Some(error) = broken {
        return Err(error);
    }
    out.flush()?;
    let would = if args.dry_run { "would be " } else { "" };
    let summary = match &written[..] {
        _ if changes == 0 => String::new(),
        [] => String::new(),
        [(out, Done { before, after, .. })] => {
            let difference = match after.cmp(before) {
                std::cmp::Ordering::Equal => "same size".to_owned(),
                std::cmp::Ordering::Greater => format!("{} larger", size(after - before)),
                std::cmp::Ordering::Less => format!("{} smaller", size(before - after)),
            };
            match &args.out {
                None if args.dry_run => format!(": {}; the file would be {difference}", counted(changes, "change")),
                _ => format!(": {}; {out} {would}written, {difference}", counted(changes, "change")),
            }
        }
        all => {
            let files = counted(all.len() as u64, "file");
            format!(": {}; {files} ({}) {would}written", counted(changes, "change"), size(bytes))
        }
    };
    // What failed has been reported.
    let verb = if summary.is_empty() { "nothing changed in" } else { "edited" };
    run.sum_up(verb, &summary, !written.is_empty());
    Ok(())
}

/// Edits one file. Returns `None` if that failed, which has then been reported.
fn one<S>(
    args: &ToArgs,
    is_folder: bool,
    job: &Job<S>,
    (loader, open, schemas): (Loader, &OpenArgs, Option<&Schemas>),
    buffer: &mut Vec<u8>,
    plan: impl for<'o> Fn(&S, &Original<'o>, &mut Outcome) -> Option<Planned<'o>>,
    outcome: &mut Outcome,
) -> Option<Done> {
    let input = &job.input;
    let (format, bytes) = match inputs::open(loader, input, open, buffer, outcome) {
        Opened::Ours(format, bytes) => (format, bytes),
        Opened::Theirs(_) => {
            outcome.input_failed(&input.path, &"is not in a known format, so it cannot be edited");
            return None;
        }
        Opened::Failed(_) => return None,
        Opened::StdinFailed(error) => {
            outcome.input_failed(Path::new("standard input"), &error);
            return None;
        }
    };
    let original = Original { input, format, bytes: &bytes, open, schemas };
    let (changes, patches) = plan(&job.source, &original, outcome)?;
    if outcome.has_failed() {
        return None;
    }
    // Most exports of a folder are as they were written.
    if changes.is_empty() && is_folder {
        return None;
    }
    let patches = match patches.map_or_else(|| original.apply(&changes), Ok) {
        Ok(patches) => patches,
        Err(error) => {
            outcome.input_failed(&input.path, &error);
            return None;
        }
    };
    let mut done = Done {
        input: input.shown(),
        out: None,
        changes: changes.len() as u64,
        before: bytes.len() as u64,
        after: patches.len(),
        summary: String::new(),
        backup: None,
    };
    let out = if args.in_place { Some(&input.path) } else { job.out.as_ref() };
    if args.dry_run {
        done.summary =
            summary(&changes, &done, is_folder).map_err(|error| outcome.input_failed(&input.path, &error)).ok()?;
        done.out = Some(out.map_or_else(String::new, |out| table::path(out)));
        return inputs::still_there(input, &bytes, outcome).then_some(done);
    }
    let out = out?;
    if patches.is_empty() && (args.in_place || is_folder) {
        outcome.note(&input.path, &"is as the changes want it already, and is not written");
        return Some(done);
    }
    match write(out, args.in_place, &bytes, patches, input, outcome) {
        // Whoever interrupts a run does not want its result.
        Some(Ok(_)) if interrupt::is_interrupted() => return None,
        Some(Ok(single)) => {
            // Some systems cannot replace a file that is mapped.
            drop(bytes);
            let placed = if args.in_place { single.replace().map(Some) } else { single.finish().map(|()| None) };
            done.backup = placed.map_err(|error| outcome.cannot_write(out, &error)).ok()?;
        }
        Some(Err(error)) => {
            outcome.cannot_write(out, &error);
            return None;
        }
        None => return None,
    }
    done.out = Some(table::path(out));
    Some(done)
}

/// Writes an edited file, without its name. Returns `None` if the original is not what it was.
fn write(
    out: &Path,
    in_place: bool,
    bytes: &Bytes<'_>,
    patches: Patches<'_>,
    input: &Input,
    outcome: &mut Outcome,
) -> Option<io::Result<Single>> {
    // A link names the file that it leads to.
    let target = if in_place { out.canonicalize() } else { Ok(out.to_path_buf()) };
    let written = target.and_then(|target| {
        let mut single = BufWriter::with_capacity(1 << 16, Single::new(&target)?);
        patches.write_to(&mut single)?;
        single.into_inner().map_err(io::IntoInnerError::into_error)
    });
    inputs::still_there(input, bytes, outcome).then_some(written)
}

/// What a dry run prints: a document of changes, or of several files a line for each.
fn summary(changes: &Changes, done: &Done, is_folder: bool) -> Result<String, EditError> {
    let json = changes.to_json()?;
    if !is_folder {
        return Ok(json);
    }
    // What was just written is JSON.
    let mut document: serde_json::Value = serde_json::from_str(&json).unwrap_or_default();
    let line = Line { path: &done.input, size: done.before, new_size: done.after, changes: document["changes"].take() };
    Ok(serde_json::to_string(&line).map(|line| line + "\n").unwrap_or_default())
}

/// Returns the input that a path names, and the files in it by their relative paths if it is a folder. Reports why it cannot be edited.
pub(super) fn inputs_of(
    path: &Path,
    args: &ToArgs,
    run: &mut Run,
) -> Option<std::collections::BTreeMap<PathBuf, Input>> {
    let mut outcome = Outcome::default();
    let found = inputs::files(path, &mut outcome);
    if args.in_place && path.as_os_str() == "-" {
        outcome.input_failed(path, &"standard input cannot be edited in place");
    }
    // A file may be named by a path that continues inside it, and its output by a folder.
    let single = found.values().next().filter(|_| !path.is_dir());
    let (target, original) = match single {
        Some(input) => (out_of(args.out.as_deref(), input), input.path.as_path()),
        None => (args.out.clone(), path),
    };
    if let Some(out) = target.as_deref()
        && is_same_or_inside(out, original)
    {
        let text = format!("the output would replace the input {}", table::path(path));
        outcome.input_failed(out, &At::hinted(text, "--in-place replaces files, and keeps backups of them"));
    }
    let failed = outcome.has_failed();
    if failed {
        run.absorb(outcome, 0);
    }
    (!failed).then_some(found)
}

/// Whether an output is the input or lies in it, however they are named.
fn is_same_or_inside(out: &Path, input: &Path) -> bool {
    let (Ok(input), Some(out)) = (input.canonicalize(), existing(out)) else { return false };
    out.starts_with(input)
}

/// Returns a path without links, of which the end may not exist yet.
fn existing(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let found = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let (above, real) = found?;
    Some(real.join(path.strip_prefix(above).ok()?))
}

/// Returns the path of the output of a single file: the output itself, or a file in it if it is a folder.
pub(super) fn out_of(out: Option<&Path>, input: &Input) -> Option<PathBuf> {
    let out = out?;
    let is_folder = fs::metadata(out).is_ok_and(|metadata| metadata.is_dir())
        || out.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    Some(if is_folder { out.join(inputs::last_name(&input.path)) } else { out.to_path_buf() })
}
