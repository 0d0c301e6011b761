//! Every path that a file can take through the libraries, one by one, each told what it wrote and how many things it said.
//!
//! A file of any format, or of none, goes through all that its format offers: the steps from bytes to views, and
//! everything that walks over views. The tests of the bombs measure each path alone.

mod island;
mod wpd;
mod wwd;

use std::io::{self, Write};

use worldview::Format;

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
