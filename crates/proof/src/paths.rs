//! Every path that a file can take through the libraries, one by one, each told what it wrote and how many things it said.
//!
//! A file of any format, or of none, goes through all that its format offers: the steps from bytes to views, and
//! everything that walks over views. The tests of the bombs measure each path alone.

mod island;
mod wpd;
mod wwd;

use std::io::{self, Write};

use worldview::Format;
use worldview::describe::List;
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options, Root, Select, diff, json, text};

/// What a path did.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Bytes that it wrote.
    pub written: u64,
    /// Findings, hits, differences, members and so on.
    pub items: u64,
    /// Why it stopped, if it did.
    pub stopped: Option<String>,
}

/// Runs one path: its name, and what it does.
pub type Each<'e> = &'e mut dyn FnMut(&'static str, &mut dyn FnMut(&mut Tally));

impl Tally {
    /// One thing more that was said.
    fn item(&mut self) {
        self.items += 1;
    }

    /// Ends the path.
    fn end<E: std::fmt::Display>(&mut self, result: Result<(), E>) {
        if let Err(error) = result {
            self.stopped = Some(error.to_string());
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
/// itself, text and JSON, both without and with bulk.
fn inspect(names: [&'static str; 6], root: &Root<'_>, each: Each<'_>) {
    let [find, diff, text, text_full, json, json_full] = names;
    each(find, &mut |tally| {
        let found = find::search(root, &Pattern::new("*"), &Options::default(), &mut |_| tally.items += 1);
        tally.end(found.map(drop));
    });
    each(diff, &mut |tally| compare(root, root, tally));
    for (text, json, full) in [(text, json, false), (text_full, json_full, true)] {
        let options = Options { full, ..Options::default() };
        write(text, each, &|out| text::write(root, &options, out));
        write(json, each, &|out| json::write(root, &options, out));
    }
}

/// Compares two descriptions.
fn compare(left: &Root<'_>, right: &Root<'_>, tally: &mut Tally) {
    let differs = diff::compare(left, right, &diff::DiffOptions::default(), &mut |_| tally.items += 1);
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
