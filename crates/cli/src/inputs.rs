//! From the paths on the command line to bytes of a known format, one file after the other.

use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;
use worldview::{Bytes, Format, Loader, Source, Space, island, wpd};

use crate::args::InputArgs;
use crate::exit::Outcome;

/// A file that is to be looked at.
#[derive(Debug)]
pub(crate) struct Input {
    /// The path, as it is opened and named in messages; `-` for standard input.
    pub(crate) path: PathBuf,
    /// The source path: where the file's outputs go below the output folder.
    pub(crate) source: PathBuf,
    /// The names of a member in nested archives, separated by `/`, where the path goes on inside the file.
    pub(crate) inner: Option<Vec<u8>>,
    named: bool,
}

/// Where files go that are opened, by their format.
type Look<'l> = &'l mut dyn FnMut(&Input, Format, &[u8], &mut Outcome) -> io::Result<()>;

/// Opens every input in turn and hands over those of a known format; says what is wrong with the others.
///
/// Files that were named must be of one; of those found in folders, the ones that are not are passed over, unless
/// their name says that they should be.
pub(crate) fn each(args: &InputArgs, loader: Loader, outcome: &mut Outcome, look: Look<'_>) -> io::Result<()> {
    let mut scratch = Vec::new();
    for path in &args.paths {
        if path.as_os_str() == "-" {
            let input = Input { path: "-".into(), source: "stdin".into(), inner: None, named: true };
            match loader.stream(io::stdin().lock()) {
                Ok(bytes) => hand_over(&input, &bytes, args, outcome, look)?,
                Err(error) => outcome.stdin_failed(&error),
            }
            continue;
        }
        let mut found = false;
        for input in expand(path) {
            let opened = input.and_then(|input| open(loader, input, &mut scratch));
            match opened {
                Ok(Some((input, bytes))) => {
                    found = true;
                    hand_over(&input, &bytes, args, outcome, look)?;
                }
                Ok(None) => {}
                Err(Unreadable { path, error }) => {
                    found = true;
                    outcome.input_failed(&path, &error);
                }
            }
        }
        if !found {
            outcome.input_failed(path, &format_args!("holds no file of a known format ({KNOWN})"));
        }
    }
    Ok(())
}

/// The formats, as messages name them.
const KNOWN: &str = "WPD archives, WDB tables, WWD levels, WORLD.WDB";

struct Unreadable {
    path: PathBuf,
    error: io::Error,
}

/// Opens a file, unless it was only found in a folder and is nothing for us.
fn open(loader: Loader, input: Input, scratch: &mut Vec<u8>) -> Result<Option<(Input, Bytes<'_>)>, Unreadable> {
    let failed = |error| Unreadable { path: input.path.clone(), error };
    if !input.named && !has_our_name(&input.path) {
        // A look at the first bytes, before a large file of somebody else's is read.
        let mut start = [0; Format::SNIFF_LEN];
        let start = loader.prefix(&input.path, &mut start).map_err(failed)?;
        if Format::sniff(start).is_none() {
            return Ok(None);
        }
    }
    let bytes = loader.open_in(&input.path, scratch).map_err(failed)?;
    Ok(Some((input, bytes)))
}

fn hand_over(input: &Input, bytes: &[u8], args: &InputArgs, outcome: &mut Outcome, look: Look<'_>) -> io::Result<()> {
    // What is called one of ours is read as that: the error then says what is wrong with it.
    let format = Format::sniff(bytes).or_else(|| promised_of(&input.path, bytes));
    let recoverable = || wpd::Archive::recover(Source::new(bytes, Space::File), &mut |_| {}).is_ok();
    match format {
        // A file of an unknown kind that was named may be an archive without its header.
        None if args.recover && input.named && recoverable() => look(input, Format::Wpd, bytes, outcome),
        None => {
            let what = if bytes.is_empty() { "is empty".into() } else { format!("is of no known format ({KNOWN})") };
            outcome.input_failed(&input.path, &what);
            Ok(())
        }
        Some(Format::Wpd) if !args.recover && !bytes.starts_with(&wpd::raw::Header::MAGIC) && recoverable() => {
            outcome.input_failed(
                &input.path,
                &"the header of this WPD archive is overwritten, as a common extractor leaves it; --recover rebuilds it",
            );
            Ok(())
        }
        Some(format) => look(input, format, bytes, outcome),
    }
}

/// The format that a file's name promises.
fn promised(path: &Path) -> Option<Format> {
    path.extension().and_then(OsStr::to_str).and_then(Format::of_extension)
}

/// The same, where the bytes may tell more: `.wdb` promises two formats.
fn promised_of(path: &Path, bytes: &[u8]) -> Option<Format> {
    let promised = promised(path);
    let is_called_so = || path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("world.wdb"));
    let is_one = || island::Database::parse(bytes).is_ok_and(|database| database.worlds().len() > 0);
    if promised == Some(Format::Wpd) && !bytes.starts_with(&wpd::raw::Header::MAGIC) && (is_called_so() || is_one()) {
        return Some(Format::Island);
    }
    promised
}

fn has_our_name(path: &Path) -> bool {
    promised(path).is_some()
}

/// A path that goes on inside a file, as `pack.bin/items.wdb`, taken apart into the file and the names inside.
fn split(path: &Path) -> (&Path, Option<Vec<u8>>) {
    if path.exists() {
        return (path, None);
    }
    let file = path.ancestors().skip(1).find(|ancestor| ancestor.is_file());
    match file.and_then(|file| Some((file, path.strip_prefix(file).ok()?))) {
        Some((file, inner)) => (file, Some(inner.as_os_str().as_encoded_bytes().to_vec())),
        None => (path, None),
    }
}

/// The files of a path: itself, or all below a folder in the order of their names.
fn expand(path: &Path) -> Box<dyn Iterator<Item = Result<Input, Unreadable>> + '_> {
    // The last name of the path; none for `.`, `..` and a root, whose content then lies at the top of the output.
    let name = path.components().next_back().and_then(|last| match last {
        Component::Normal(name) => Some(PathBuf::from(name)),
        _ => None,
    });
    if !path.is_dir() {
        let (path, inner) = split(path);
        let source = path.file_name().map_or_else(|| "input".into(), PathBuf::from);
        return Box::new(std::iter::once(Ok(Input { path: path.into(), source, inner, named: true })));
    }
    let base = name.unwrap_or_default();
    Box::new(WalkDir::new(path).sort_by_file_name().into_iter().filter_map(move |entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let at = error.path().unwrap_or(path).to_path_buf();
                return Some(Err(Unreadable { path: at, error: error.into() }));
            }
        };
        // Links are followed to files, never to folders; pipes and devices found by the way are left alone.
        if !entry.path().is_file() {
            return None;
        }
        let below = entry.path().strip_prefix(path).unwrap_or(entry.path());
        Some(Ok(Input { source: base.join(below), path: entry.path().into(), inner: None, named: false }))
    }))
}
