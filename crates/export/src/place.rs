use std::fmt::{self, Write as _};

/// Text in quotes, its control characters as `\x00`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quoted<'t>(pub(crate) &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in self.0.chars() {
            match char {
                '"' => f.write_str("\\\"")?,
                char if char.is_control() => write!(f, "\\x{:02x}", u32::from(char))?,
                char => f.write_char(char)?,
            }
        }
        f.write_char('"')
    }
}

/// A name in quotes as part of a place: as much of it as a line can hold.
///
/// Thousands of places can be within one part whose name takes a megabyte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Short<'t>(pub(crate) &'t str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 64;
        match self.0.char_indices().nth(LONGEST) {
            None => Quoted(self.0).fmt(f),
            Some((end, _)) => write!(f, "{}…", Quoted(self.0.get(..end).unwrap_or(self.0))),
        }
    }
}

/// The way to a part of a file as it is walked: `plane 1 "Action", object 4 (id 17)`.
#[derive(Debug, Default)]
pub(crate) struct Way(String);

impl Way {
    /// Adds a part; gives what [`leave`](Self::leave) takes it off with.
    pub(crate) fn enter(&mut self, part: fmt::Arguments<'_>) -> usize {
        let before = self.0.len();
        if before > 0 {
            self.0.push_str(", ");
        }
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(part);
        before
    }

    /// Takes the part off that was added, and all behind it.
    pub(crate) fn leave(&mut self, before: usize) {
        self.0.truncate(before);
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
