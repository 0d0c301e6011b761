//! From the paths on the command line to bytes of a known format, many files side by side.

mod walk;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use worldview::bulk::Bulk;
use worldview::{Bytes, Container, Format, Loader, Source, Space, wpd};

use crate::args::{InputArgs, OpenArgs};
use crate::hint;
use crate::outcome::{At, Outcome};
use crate::run::Run;
use crate::table;
use walk::{Found, promised_of};

pub(crate) use walk::KNOWN;

/// A file that is to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The path, as it is opened and named in messages; `-` for standard input.
    pub(crate) path: PathBuf,
    /// The source path: where the file's outputs go below the output folder.
    pub(crate) source: PathBuf,
    /// The names of a member in nested archives, separated by `/`, where the path goes on inside the file.
    pub(crate) inner: Option<Vec<u8>>,
    named: bool,
}

impl Input {
    /// The path as text, with the names inside the file.
    pub(crate) fn shown(&self) -> String {
        match &self.inner {
            Some(inner) => format!("{}/{}", table::path(&self.path), String::from_utf8_lossy(inner)),
            None => table::path(&self.path),
        }
    }

    /// Whether the path was given, and not found in a folder.
    pub(crate) const fn is_named(&self) -> bool {
        self.named
    }
}

/// A file that is open, and where to say what is wrong with it.
pub(crate) struct Look<'l> {
    pub(crate) input: &'l Input,
    pub(crate) format: Format,
    pub(crate) bytes: &'l Bytes<'l>,
    pub(crate) outcome: &'l mut Outcome,
}

/// What became of one step of the way through the paths.
enum Step<T> {
    /// A file was looked at; what came of it, unless it could not be opened.
    Looked(String, u64, Outcome, Option<T>),
    /// Nothing for us.
    PassedOver(String, Option<Container>),
    /// The folder that is written to was given as an input.
    Output(PathBuf),
    /// All of a path was seen.
    End(PathBuf),
    StdinFailed(io::Error),
}

/// Opens every input, lets `look` have those of a known format on some thread, and gives `sink` what it makes of them in
/// the order of the inputs; says what is wrong with the others.
///
/// Files that were named must be of a known format; of those found in folders, the ones that are not are passed over,
/// unless their name says that they should be. `prepare` sees each file in order before any thread does. A file that
/// shrank while it was looked at failed, and nothing of it gets to the sink.
pub(crate) fn each<P: Send, T: Send>(
    args: &InputArgs,
    loader: Loader,
    run: &mut Run,
    mut prepare: impl FnMut(&Input) -> P + Send,
    look: impl Fn(Look<'_>, P) -> T + Sync,
    mut sink: impl FnMut(T, &mut Run) -> io::Result<()>,
) -> io::Result<()> {
    let exclude = run.exclude.clone();
    let found = args.paths.iter().flat_map(|path| walk::path(path, &exclude));
    let prepared = found.map(|found| found.prepared(&mut prepare));
    // One file has nothing to be side by side with; its own parts may be.
    let threads = if is_one(args) { 1 } else { run.threads };
    let open = &args.open;
    let (mut any, mut broken) = (false, None);
    // The sink has the run while the workers have its flag.
    let stop = std::mem::take(&mut run.stop);
    let bulk = Bulk::new(loader).threads(threads).cancel(&stop);
    run.window.map_or(bulk, |files| bulk.window(files)).ordered(
        prepared,
        Vec::new,
        |found, buffer| step(found, loader, open, buffer, &look),
        |step| match step {
            Step::Looked(path, bytes, outcome, made) => {
                any = true;
                if !outcome.has_failed() {
                    run.done(&path);
                }
                run.absorb(outcome, bytes);
                if let Some(made) = made
                    && broken.is_none()
                    && let Err(error) = sink(made, run)
                {
                    stop.store(true, Ordering::Relaxed);
                    broken = Some(error);
                }
            }
            Step::PassedOver(path, None) => run.passed_over(&path),
            Step::PassedOver(path, Some(container)) => {
                run.passed_over(&path);
                run.note(&path, &container.advice());
            }
            Step::Output(path) => {
                any = true;
                run.note(&table::path(&path), &"is where the output goes, and is not read");
            }
            Step::StdinFailed(error) => {
                any = true;
                run.broken("standard input", &error);
            }
            Step::End(path) => {
                if !std::mem::take(&mut any) {
                    run.failed(&table::path(&path), &format_args!("holds no file of a known format ({KNOWN})"));
                }
            }
        },
    );
    if let Some(error) = broken {
        return Err(error);
    }
    run.wanted_any(!open.only.is_empty());
    Ok(())
}

/// Whether the paths are one file.
fn is_one(args: &InputArgs) -> bool {
    matches!(&args.paths[..], [path] if !path.is_dir() && !walk::is_glob(path))
}

/// How many threads the parts of one file are for: all that the command was given, or those that the files are on.
pub(crate) fn threads_inside(args: &InputArgs, run: &Run) -> usize {
    within(run.threads, is_one(args))
}

/// The same where it is known whether the file is the only one; 0 are those of the pool that the caller is on.
pub(crate) const fn within(threads: usize, is_one: bool) -> usize {
    if is_one || threads == 1 { threads } else { 0 }
}

fn step<P, T>(
    found: Found<(Input, P)>,
    loader: Loader,
    open_args: &OpenArgs,
    buffer: &mut Vec<u8>,
    look: &(impl Fn(Look<'_>, P) -> T + Sync),
) -> Step<T> {
    let (input, prepared) = match found {
        Found::File(prepared) => prepared,
        Found::End(path) => return Step::End(path),
        Found::Output(path) => return Step::Output(path),
        Found::Unreadable(path, error) => {
            let mut outcome = Outcome::default();
            outcome.input_failed(&path, &error);
            return Step::Looked(table::path(&path), 0, outcome, None);
        }
    };
    let shown = table::path(&input.path);
    let mut outcome = Outcome::default();
    let opened = open(loader, &input, open_args, buffer, &mut outcome);
    let (length, made) = match opened {
        Opened::Ours(format, bytes) => {
            let look_at = Look { input: &input, format, bytes: &bytes, outcome: &mut outcome };
            let made = look(look_at, prepared);
            (bytes.len() as u64, still_there(&input, &bytes, &mut outcome).then_some(made))
        }
        Opened::Theirs(container) => return Step::PassedOver(shown, container),
        Opened::StdinFailed(error) => return Step::StdinFailed(error),
        Opened::Failed(length) => (length, None),
    };
    Step::Looked(shown, length, outcome, made)
}

/// What came of opening a file.
pub(crate) enum Opened<'b> {
    Ours(Format, Bytes<'b>),
    /// Nothing for us, and only found; what it is if files of ours may be in it.
    Theirs(Option<Container>),
    /// It is said why; how many bytes it has, as far as was read.
    Failed(u64),
    StdinFailed(io::Error),
}

/// Opens a file, unless it was only found and is nothing for us.
pub(crate) fn open<'b>(
    loader: Loader,
    input: &Input,
    args: &OpenArgs,
    buffer: &'b mut Vec<u8>,
    outcome: &mut Outcome,
) -> Opened<'b> {
    if input.path.as_os_str() == "-" {
        return match loader.stream(io::stdin().lock()) {
            Ok(bytes) => with_format(input, bytes, args, outcome),
            Err(error) => Opened::StdinFailed(error),
        };
    }
    let bytes = match first_look(loader, input) {
        Ok(First::Ours) => loader.open_in(&input.path, buffer),
        Ok(First::Theirs) => return Opened::Theirs(None),
        Ok(First::Container(container)) if !input.named => return Opened::Theirs(Some(container)),
        Ok(First::Container(container)) => {
            outcome.input_failed(&input.path, &container.advice());
            return Opened::Failed(0);
        }
        Err(error) => Err(error),
    };
    match bytes {
        // One mapping too many for the guard would end the run if its file shrank.
        Ok(bytes) if bytes.is_mapped() && !bytes.is_guarded() && cfg!(unix) => {
            drop(bytes);
            match Loader::read().open(&input.path) {
                Ok(bytes) => with_format(input, bytes, args, outcome),
                Err(error) => {
                    outcome.input_failed(&input.path, &error);
                    Opened::Failed(0)
                }
            }
        }
        Ok(bytes) => with_format(input, bytes, args, outcome),
        Err(error) => {
            outcome.input_failed(&input.path, &error);
            Opened::Failed(0)
        }
    }
}

fn with_format<'b>(input: &Input, bytes: Bytes<'b>, args: &OpenArgs, outcome: &mut Outcome) -> Opened<'b> {
    match format_of(input, &bytes, args, outcome) {
        Some(format) => Opened::Ours(format, bytes),
        None => Opened::Failed(bytes.len() as u64),
    }
}

/// Whether a file is still as long as it was; if not, that is all there is to say of it, for whatever was found is about
/// bytes that are not there.
pub(crate) fn still_there(input: &Input, bytes: &Bytes<'_>, outcome: &mut Outcome) -> bool {
    let Err(error) = bytes.check() else { return true };
    outcome.forget();
    outcome.input_failed(&input.path, &error);
    false
}

/// What the first bytes and the name of a file say.
enum First {
    Ours,
    Theirs,
    /// Files of ours may be in it.
    Container(Container),
}

/// Whether a file is worth opening: it was named, it is called like one of ours, or begins like one. A large file of
/// somebody else's is not read for that.
fn first_look(loader: Loader, input: &Input) -> io::Result<First> {
    // A pipe has no first bytes to spare; a folder or nothing at all gets its error from being opened. What is called
    // like one of ours is opened in any case.
    if walk::has_our_name(&input.path) || (input.named && !input.path.is_file()) {
        return Ok(First::Ours);
    }
    let mut start = [0; Format::SNIFF_LEN];
    let start = loader.prefix(&input.path, &mut start)?;
    if Format::sniff(start).is_some() {
        return Ok(First::Ours);
    }
    let name = last_name(&input.path);
    let mut long = Vec::new();
    let container = Container::sniff(start).or_else(|| Container::of_file_name(&name)).or_else(|| {
        // Only an image of a disc shows itself so late.
        let is_disc = [".iso", ".bin", ".img", ".mdf"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
        if !is_disc && !input.named {
            return None;
        }
        long.resize(Container::SNIFF_LEN, 0);
        Container::sniff(loader.prefix(&input.path, &mut long).ok()?)
    });
    Ok(match container {
        Some(container) => First::Container(container),
        None if input.named => First::Ours,
        None => First::Theirs,
    })
}

/// The format that a file is read as; none if it is of none, which is said.
fn format_of(input: &Input, bytes: &[u8], args: &OpenArgs, outcome: &mut Outcome) -> Option<Format> {
    // What is called one of ours is read as that: the error then says what is wrong with it.
    let format = Format::sniff(bytes).or_else(|| promised_of(&input.path, bytes));
    let recoverable = || wpd::Archive::recover(Source::new(bytes, Space::File), &mut |_| {}).is_ok();
    match format {
        // A file of an unknown kind that was named may be an archive without its header.
        None if args.recover && input.named && recoverable() => Some(Format::Wpd),
        None => {
            let (what, hint) = match () {
                () if bytes.is_empty() => ("is empty".into(), hint::EMPTY),
                () if !args.recover && recoverable() => {
                    (format!("is of no known format ({KNOWN})"), hint::MAY_BE_ARCHIVE)
                }
                () => (format!("is of no known format ({KNOWN})"), hint::UNKNOWN),
            };
            outcome.input_failed(&input.path, &At::hinted(format_args!("{what}"), hint));
            None
        }
        Some(Format::Wpd) if !args.recover && !bytes.starts_with(&wpd::raw::Header::MAGIC) && recoverable() => {
            let text = format_args!("the header of this WPD archive is overwritten, as a common extractor leaves it");
            let place = Some((0, Space::File.name()));
            outcome.input_failed(&input.path, &At { text, place, hint: Some(hint::RECOVER) });
            None
        }
        format => format,
    }
}

/// All files of a path, each with its way from there; what cannot be searched is a failed input.
pub(crate) fn files(path: &Path, outcome: &mut Outcome) -> BTreeMap<PathBuf, Input> {
    let mut files = BTreeMap::new();
    for found in walk::plain(path, &None) {
        match found {
            Found::File(input) => {
                let way = input.path.strip_prefix(path).unwrap_or(&input.path).to_path_buf();
                files.insert(way, input);
            }
            Found::Unreadable(path, error) => outcome.input_failed(&path, &error),
            Found::Output(_) | Found::End(_) => {}
        }
    }
    files
}

/// The last name of a path, for hints; of standard input there is none.
pub(crate) fn last_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
