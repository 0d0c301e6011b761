//! Where outputs go that nobody reads.

use worldview::Space;
use worldview_corpus::sink::Count;
use worldview_export::{Encoding, Error, Result};
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options, Root, diff, json, text};

/// Bytes that an output may take for each of its input, and besides: what the bounds of the walks and of repeated
/// strings come to when everything is escaped.
const PER_BYTE: u64 = 400;
const BESIDES: u64 = 96 << 20;

/// Runs an export into nowhere, which must stay in proportion to `input` bytes and fail only as exports may.
///
/// `spaces` are the lengths of the file and of its image, in which an error's offset must lie.
pub(super) fn export<T>(
    what: &str,
    input: usize,
    spaces: (usize, usize),
    run: impl FnOnce(&mut Count) -> Result<T>,
) -> Option<T> {
    let mut count = Count(0);
    let result = run(&mut count);
    let bound = PER_BYTE * input as u64 + BESIDES;
    assert!(count.0 <= bound, "{what}: {} bytes of {input}", count.0);
    match result {
        Ok(value) => Some(value),
        Err(Error::Format(error)) => {
            let space = if error.space() == Space::File { spaces.0 } else { spaces.1 };
            assert!(error.at <= space as u64, "{what}: outside {space} bytes: {error}");
            None
        }
        Err(Error::Limit { .. } | Error::Nothing { .. }) => None,
        Err(error) => {
            let error = Some(error.to_string());
            assert_eq!(error, None, "{what}");
            None
        }
    }
}

/// Writes a description as text and as JSON, searches it and compares it with itself: one of these by `turn`.
pub(super) fn inspect(root: &Root<'_>, turn: usize, spaces: (usize, usize)) {
    let options = Options { encoding: Encoding::Windows1252, full: true, ..Options::default() };
    let input = usize::try_from(root.source.len()).unwrap_or(usize::MAX).max(spaces.0);
    let run = |what, run: &mut dyn FnMut(&mut Count) -> worldview_inspect::Result<()>| {
        export(what, input, spaces, |out| Ok(run(out)?));
    };
    match turn {
        0 => run("text", &mut |out| text::write(root, &options, out)),
        1 => run("JSON", &mut |out| json::write(root, &options, out)),
        _ => {
            run("search", &mut |_| {
                let found = find::search(root, &Pattern::new("*"), &options, &mut |hit| {
                    let space = if hit.space == Space::File { spaces.0 } else { spaces.1 };
                    assert!(hit.at <= space as u64, "a hit outside {space} bytes: {hit}");
                });
                found.map(drop)
            });
            run("difference", &mut |_| {
                diff::compare(root, root, &diff::DiffOptions::default(), &mut |difference| {
                    let difference = Some(difference.to_string());
                    assert_eq!(difference, None, "a file differs from itself");
                })
            });
        }
    }
}
