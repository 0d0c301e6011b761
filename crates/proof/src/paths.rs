//! Every path that a file can take through the libraries, one by one, each told what it wrote and how many things it said.
//!
//! A file of any format, or of none, goes through all that its format offers: the steps from bytes to views, and
//! everything that walks over views. What every path has to keep to is [`Tally::check`]; the tests of bombs measure the
//! memory of each path as well.

mod island;
mod wpd;
mod wwd;

use std::io::{self, Write};

pub(crate) use wpd::tables;

use worldview::describe::List;
use worldview::{Format, Space};
use worldview_export::Error;
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options, Root, Select, diff, json, text};

/// Bytes written for one of the file and its image: text outputs stop at 32 times, maps at 28 times.
const WRITTEN: u64 = 32;
/// And besides: maps have a megabyte of tiles in any level, at ten bytes each; a text that is bounded has four megabytes.
const WRITTEN_BESIDES: u64 = 16 << 20;
/// Findings, hits and differences for one byte; walks go over a file four times at most.
const SAID: u64 = 4;
/// And besides: a walk over any file has a megabyte.
const SAID_BESIDES: u64 = 1 << 20;

/// What a path did.
#[derive(Debug, Default)]
pub struct Tally {
    /// Bytes that it wrote, paths of hits and differences among them.
    pub written: u64,
    /// Findings, hits, differences, members and so on.
    pub items: u64,
    /// Why it stopped, if it did.
    pub stopped: Option<Error>,
}

/// Runs one path: its name, and what it does.
pub type Each<'e> = &'e mut dyn FnMut(&'static str, &mut dyn FnMut(&mut Tally));

impl Tally {
    /// One thing more that was said.
    fn item(&mut self) {
        self.items += 1;
    }

    /// Ends the path.
    fn end<E: Into<Error>>(&mut self, result: Result<(), E>) {
        self.stopped = result.err().map(Into::into);
    }

    /// Holds the path to what all of them promise: output in proportion to the file and its image, and no other reason
    /// to stop than a limit, nothing to write, or an error with an offset inside the bytes.
    ///
    /// # Panics
    ///
    /// Panics if it broke a promise.
    pub fn check(&self, what: &str, (file, image): (usize, u64)) {
        let Self { written, items, stopped } = self;
        let size = file as u64 + image;
        assert!(*written <= WRITTEN * size + WRITTEN_BESIDES, "{what}: {written} bytes written of {size}");
        assert!(*items <= SAID * size + SAID_BESIDES, "{what}: {items} items of {size} bytes");
        match stopped {
            None | Some(Error::Limit { .. } | Error::Nothing { .. }) => {}
            Some(Error::Format(error)) => {
                let space = if error.space() == Space::Image && image > 0 { image } else { file as u64 };
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

/// Only one list of a description.
struct Only(&'static str);

impl Select for Only {
    fn list(&self, list: &List) -> bool {
        list.name == self.0
    }
}

/// Takes a description through everything that goes over one; `names` are those of the paths: search, comparison with
/// itself, text and JSON, both without and with bulk. `file` is how many bytes the file has.
fn inspect(names: [&'static str; 6], root: &Root<'_>, file: usize, each: Each<'_>) {
    let [find, diff, text, text_full, json, json_full] = names;
    each(find, &mut |tally| {
        let found = find::search(root, &Pattern::new("*"), &Options::default(), &mut |hit| {
            let space = if hit.space == Space::File { file as u64 } else { root.source.len() };
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

/// A path that writes.
fn write(name: &'static str, each: Each<'_>, write: &dyn Fn(&mut Tally) -> worldview_inspect::Result<()>) {
    each(name, &mut |tally| {
        let written = write(tally);
        tally.end(written);
    });
}

/// Takes a file through every path of a format, and hands each to `each`, which must run it; the bytes of the image if
/// the file is a packed level, which they are measured by as well.
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
