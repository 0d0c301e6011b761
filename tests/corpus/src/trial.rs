//! What a check was about, for the message of its failure.

use std::fmt::Display;
use std::{fs, thread};

/// Returns how many rounds a randomized test runs: `count`, multiplied by the environment variable `ROUNDS` if it is
/// set.
pub fn rounds(count: u64) -> u64 {
    let times = std::env::var("ROUNDS").ok().and_then(|times| times.parse().ok());
    count * times.unwrap_or(1)
}

/// Panics with the first line in which a file does not say what it should.
#[track_caller]
pub fn say_the_same(what: impl Display, found: &[String], wanted: &[String]) {
    for (line, expected) in found.iter().zip(wanted) {
        assert!(line == expected, "{what}:\n{line}\n{expected}");
    }
    assert_eq!(found.len(), wanted.len(), "{what}");
}

/// A rule, and the file that is checked for it. If the check panics, both are printed, with the first byte that was changed, and the
/// file is kept in the folder for temporary files.
#[derive(Debug)]
#[must_use = "the rule is named for as long as this lives"]
pub struct Trial<'t> {
    rule: &'t str,
    file: String,
    bytes: &'t [u8],
    before: Option<&'t [u8]>,
}

impl<'t> Trial<'t> {
    /// Begins to check a file for a rule.
    pub fn new(rule: &'t str, file: impl Display, bytes: &'t [u8]) -> Self {
        Self { rule, file: file.to_string(), bytes, before: None }
    }

    /// Sets the file that this one was made from.
    pub fn before(mut self, before: &'t [u8]) -> Self {
        self.before = Some(before);
        self
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        let Self { rule, ref file, bytes, before } = *self;
        let place = before.map_or_else(String::new, |before| format!(", {}", place(before, bytes)));
        let name = format!("worldview {rule} {file}").replace(|char: char| !char.is_ascii_alphanumeric(), "-");
        let kept = std::env::temp_dir().join(name.get(..100).unwrap_or(&name));
        let kept = match fs::write(&kept, bytes) {
            Ok(()) => format!("kept as {}", kept.display()),
            Err(error) => format!("not kept: {error}"),
        };
        eprintln!("{rule}: not so for {file}{place} ({} bytes, {kept})", bytes.len());
    }
}

/// Returns where a file begins to differ from the one that it was made from.
pub fn place(before: &[u8], after: &[u8]) -> String {
    let at = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    let shown = |bytes: &[u8]| {
        bytes.get(at..).unwrap_or_default().chunks(8).next().unwrap_or_default().escape_ascii().to_string()
    };
    match before == after {
        true => format!("unchanged, {} bytes", after.len()),
        false => format!(
            "changed from byte {at} on, where \"{}\" was \"{}\"; {} bytes, which were {}",
            shown(after),
            shown(before),
            after.len(),
            before.len()
        ),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_changed_file_names_its_first_changed_byte() {
        let place = |after: &[u8]| super::place(b"abc\0", after);
        assert_eq!(
            place(b"abX\0\0"),
            "changed from byte 2 on, where \"X\\x00\\x00\" was \"c\\x00\"; 5 bytes, which were 4"
        );
        assert_eq!(place(b"abc\0"), "unchanged, 4 bytes");
        assert!(place(b"").starts_with("changed from byte 0 on, where \"\" was"));
    }
}
