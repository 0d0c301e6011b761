//! Every path that a file can take through the libraries, run one at a time, with a tally of the bytes written and the
//! items reported.
//!
//! A file of any format, or of none, goes through everything that its format offers: the steps from bytes to views, and
//! everything that walks over views. [`Tally::check`] holds the requirements for every path; the tests of bombs also
//! measure the memory of each path.

pub(crate) mod island;
pub mod rez;
pub(crate) mod wpd;
pub(crate) mod wwd;

use std::io::{self, Write};

use worldview::describe::List;
use worldview::{Format, OffsetBase};
use worldview_export::Error;
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options, Root, Select, diff, json, text};

/// Maximum bytes written per byte of the file and its image: text outputs stop at 32, maps at 28, and hits have paths of 32 and
/// texts of as much.
const WRITTEN: u64 = 64;
/// Additional allowance: maps may have about a million tiles in any level, at ten bytes each, bounded text and the paths of hits
/// may have 4 MiB, and texts of hits 20 MiB.
const WRITTEN_BESIDES: u64 = 24 << 20;
/// Maximum findings, hits and differences per byte; walks cover a file at most four times.
const SAID: u64 = 4;
/// Additional allowance: a walk over any file may cover 1 MiB.
const SAID_BESIDES: u64 = 1 << 20;

/// The tally of a path.
#[derive(Debug, Default)]
pub struct Tally {
    /// Bytes written, including the paths of hits and differences.
    pub written: u64,
    /// Number of findings, hits, differences, members and so on.
    pub items: u64,
    /// The error that stopped the path, if any.
    pub stopped: Option<Error>,
}

/// A callback that runs one path, given its name and its body.
pub type Each<'e> = &'e mut dyn FnMut(&'static str, &mut dyn FnMut(&mut Tally));

impl Tally {
    /// Counts one item.
    fn item(&mut self) {
        self.items += 1;
    }

    /// Records the result of the path.
    fn end<E: Into<Error>>(&mut self, result: Result<(), E>) {
        self.stopped = result.err().map(Into::into);
    }

    /// Checks what every path must guarantee: output proportional to the file and its image, and no error other than a limit,
    /// nothing to write, or a format error with an offset inside the bytes. Panics if a guarantee is broken.
    pub fn check(&self, what: &str, (file, image): (usize, u64)) {
        let Self { written, items, stopped } = self;
        let size = file as u64 + image;
        let most = WRITTEN * size + WRITTEN_BESIDES;
        assert!(*written <= most, "{what}: {written} bytes written of {size}, with {items} items");
        assert!(*items <= SAID * size + SAID_BESIDES, "{what}: {items} items of {size} bytes");
        match stopped {
            None | Some(Error::Limit { .. } | Error::Nothing { .. }) => {}
            Some(Error::Format(error)) => {
                let space = if error.space() == OffsetBase::Image && image > 0 { image } else { file as u64 };
                assert!(error.at <= space, "{what}: outside {space} bytes: {error}");
            }
            Some(error) => assert_eq!(Some(error.to_string()), None, "{what}"),
        }
    }
}

impl Write for Tally {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Selects a single list of a description.
struct Only(&'static str);

impl Select for Only {
    fn list(&self, list: &List) -> bool {
        list.name == self.0
    }
}

/// Runs everything that works on a description: search, comparison with itself, and text and JSON, both with and
/// without bulk data. `names` are the names of these paths, and `file` is the size of the file in bytes.
fn inspect(names: [&'static str; 6], root: &Root<'_>, file: usize, each: Each<'_>) {
    let [find, diff, text, text_full, json, json_full] = names;
    each(find, &mut |tally| {
        let found = find::search(root, &Pattern::new("*"), &Options::default(), &mut |hit| {
            let space = if hit.space == OffsetBase::File { file as u64 } else { root.source.len() };
            assert!(hit.at <= space, "a hit outside {space} bytes: {hit}");
            tally.items += 1;
            tally.written += (hit.path.to_string().len() + hit.text.len()) as u64;
        });
        tally.end(found.map(drop));
    });
    each(diff, &mut |tally| {
        compare(root, root, tally);
        assert_eq!(tally.items, 0, "a file differs from itself");
    });
    for (text, json, full) in [(text, json, false), (text_full, json_full, true)] {
        let options = Options { full, ..Options::default() };
        write(text, each, &|out| text::write(root, &options, out));
        write(json, each, &|out| json::write(root, &options, out));
    }
}

/// Compares two descriptions.
fn compare(left: &Root<'_>, right: &Root<'_>, tally: &mut Tally) {
    let differs = diff::compare(left, right, &diff::DiffOptions::default(), &mut |difference| {
        tally.items += 1;
        tally.written += difference.path.to_string().len() as u64;
    });
    tally.end(differs);
}

/// Runs a path that writes output.
fn write(name: &'static str, each: Each<'_>, write: &dyn Fn(&mut Tally) -> worldview_inspect::Result<()>) {
    each(name, &mut |tally| {
        let written = write(tally);
        tally.end(written);
    });
}

/// Passes every path of a format to `each`, which must run it. Returns the size of the image if the file is a packed
/// level, since its tallies may be proportional to that as well.
pub fn all(format: Format, bytes: &[u8], max_inflate: u64, each: Each<'_>) -> u64 {
    each("sniff", &mut |tally| tally.items = u64::from(Format::sniff(bytes).is_some()));
    match format {
        Format::Wwd => wwd::all(bytes, max_inflate, each),
        Format::Wpd => {
            wpd::all(bytes, each);
            0
        }
        Format::Island => {
            island::all(bytes, each);
            0
        }
        _ => 0,
    }
}
