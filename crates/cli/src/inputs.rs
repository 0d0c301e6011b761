//! From the paths on the command line to bytes of a known format, one file after the other.

use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;
use worldview::{Bytes, Format, Loader};

use crate::args::InputArgs;
use crate::exit::Outcome;

/// A file that is to be looked at.
#[derive(Debug)]
pub(crate) struct Input {
    /// The path, as it is opened and named in messages; `-` for standard input.
    pub(crate) path: PathBuf,
    /// The source path: where the file's outputs go below the output folder.
    pub(crate) source: PathBuf,
    named: bool,
}

/// Opens every input in turn and hands over those that are levels; says what is wrong with the others.
///
/// Files that were named must be levels; of those found in folders, the ones that are not are passed over, unless
/// their name says that they should be.
pub(crate) fn each(
    args: &InputArgs,
    loader: Loader,
    outcome: &mut Outcome,
    mut look: impl FnMut(&Input, &[u8], &mut Outcome) -> io::Result<()>,
) -> io::Result<()> {
    let mut scratch = Vec::new();
    for path in &args.paths {
        if path.as_os_str() == "-" {
            let input = Input { path: "-".into(), source: "stdin".into(), named: true };
            match loader.stream(io::stdin().lock()) {
                Ok(bytes) => hand_over(&input, &bytes, outcome, &mut look)?,
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
                    hand_over(&input, &bytes, outcome, &mut look)?;
                }
                Ok(None) => {}
                Err(Unreadable { path, error }) => {
                    found = true;
                    outcome.input_failed(&path, &error);
                }
            }
        }
        if !found {
            outcome.input_failed(path, &"holds no file of a known format (WWD levels)");
        }
    }
    Ok(())
}

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

fn hand_over(
    input: &Input,
    bytes: &[u8],
    outcome: &mut Outcome,
    look: &mut impl FnMut(&Input, &[u8], &mut Outcome) -> io::Result<()>,
) -> io::Result<()> {
    match Format::sniff(bytes) {
        Some(Format::Wwd) => look(input, bytes, outcome),
        // What is called a level is read as one: the error then says what is wrong with it.
        None if has_our_name(&input.path) => look(input, bytes, outcome),
        _ => {
            let what = if bytes.is_empty() { "is empty" } else { "is of no known format (WWD levels are)" };
            outcome.input_failed(&input.path, &what);
            Ok(())
        }
    }
}

fn has_our_name(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).and_then(Format::of_extension).is_some()
}

/// The files of a path: itself, or all below a folder in the order of their names.
fn expand(path: &Path) -> Box<dyn Iterator<Item = Result<Input, Unreadable>> + '_> {
    // The last name of the path; none for `.`, `..` and a root, whose content then lies at the top of the output.
    let name = path.components().next_back().and_then(|last| match last {
        Component::Normal(name) => Some(PathBuf::from(name)),
        _ => None,
    });
    if !path.is_dir() {
        let source = name.unwrap_or_else(|| "input".into());
        return Box::new(std::iter::once(Ok(Input { path: path.into(), source, named: true })));
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
        Some(Ok(Input { source: base.join(below), path: entry.path().into(), named: false }))
    }))
}
