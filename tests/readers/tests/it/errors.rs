//! The error tables: named broken files of a format, and the results of strict and lossy parsing for each.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use worldview_core::Error;
use worldview_corpus::builder::Built;
use worldview_readers::golden;

/// Broken files, by name: most are a whole one with something changed.
pub(crate) struct Broken {
    /// What the names of changed files begin with.
    pub(crate) prefix: &'static str,
    pub(crate) whole: Built,
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl Broken {
    pub(crate) fn new(prefix: &'static str, whole: Built) -> Self {
        Self { prefix, whole, files: Vec::new() }
    }

    /// Adds any file.
    pub(crate) fn bytes(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.push((name.into(), bytes.into()));
    }

    /// Adds the whole file with something changed.
    pub(crate) fn change(&mut self, name: &str, change: impl FnOnce(&mut Built)) {
        let mut built = self.whole.clone();
        change(&mut built);
        self.bytes(format!("{}{name}", self.prefix), built.bytes);
    }

    /// Adds a file for each of several values of a number, which ends at the next label or after four bytes.
    pub(crate) fn words(&mut self, label: &str, values: &[u32]) {
        let at = at(&self.whole, label);
        let next = self.whole.labels.values().filter(|&&next| next > at).min().map_or(4, |next| next - at);
        for value in values {
            let bytes = &value.to_le_bytes()[..next.min(4)];
            self.change(&format!("{label} = {value:#x}"), |built| built.patch(label, bytes));
        }
    }

    pub(crate) fn word(&mut self, label: &str, value: u32) {
        self.words(label, &[value]);
    }

    /// Adds a file with a word changed that is some bytes behind a label.
    pub(crate) fn behind(&mut self, label: &str, bytes: usize, value: u32) {
        self.change(&format!("{label} + {bytes} = {value:#x}"), |built| put(built, label, bytes, value));
    }

    /// Adds a file that is cut.
    pub(crate) fn cut(&mut self, name: &str, at: impl FnOnce(&Built) -> usize) {
        self.change(&format!("cut {name}"), |built| {
            let at = at(built);
            built.bytes.truncate(at);
        });
    }
}

/// Returns the position of a label.
pub(crate) fn at(built: &Built, label: &str) -> usize {
    built.at(label).unwrap_or_else(|| panic!("no label {label}"))
}

/// Overwrites a word that is some bytes behind a label.
pub(crate) fn put(built: &mut Built, label: &str, behind: usize, value: u32) {
    let at = at(built, label) + behind;
    built.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// The results of strict and lossy parsing for a broken file.
pub(crate) struct Answers {
    pub(crate) name: String,
    /// The error of strict parsing.
    pub(crate) strict: Option<Error>,
    /// Size in bytes of the space that the error's offset counts in.
    pub(crate) space: u64,
    /// The findings of lossy parsing, and what it could open.
    pub(crate) lossy: Vec<String>,
}

/// Compares the answers with the golden table, and checks that each error is complete. `expected` lists the groups of
/// files that may share a message, each with a reason.
#[track_caller]
pub(crate) fn hold(table: &str, answers: &[Answers], expected: &[&[&str]]) {
    let mut text = String::new();
    let mut printed = Vec::new();
    for Answers { name, strict, space, lossy } in answers {
        let message = strict.map_or_else(|| "no error".to_owned(), |error| error.to_string());
        writeln!(text, "{name}\n  strict: {message}").unwrap();
        lossy.iter().for_each(|line| writeln!(text, "  lossy: {line}").unwrap());
        if let Some(error) = strict {
            assert!(error.at <= *space && !error.what.is_empty(), "{name}: {error}");
            tells_all(&message).unwrap_or_else(|why| panic!("{name}: {why}"));
            printed.push((name.as_str(), message));
        }
    }
    golden::compare(table, &text).unwrap();
    assert!(printed.len() >= 80, "{table}: {} errors", printed.len());
    assert_eq!(alike(printed.iter().map(|(name, message)| (*name, message.as_str()))), expected, "{table}");
}

/// Checks that a message names a part, an offset in decimal and hexadecimal, the space of the offset, and what was
/// expected and found.
fn tells_all(message: &str) -> Result<(), String> {
    let missing = |what: &str| format!("{what}: {message}");
    let (part, rest) = message.split_once(" at offset ").ok_or_else(|| missing("no offset"))?;
    if part.is_empty() || part.ends_with(", ") || !part.is_ascii() {
        return Err(missing("no part"));
    }
    let (decimal, rest) = rest.split_once(" (0x").ok_or_else(|| missing("no offset in hexadecimal"))?;
    let (hexadecimal, rest) = rest.split_once(") of the ").ok_or_else(|| missing("no space"))?;
    let (decimal, hexadecimal) = (decimal.parse::<u64>(), u64::from_str_radix(hexadecimal, 16));
    if decimal.is_err() || decimal != hexadecimal {
        return Err(missing("two offsets"));
    }
    let (space, rest) = rest.split_once(": ").ok_or_else(|| missing("nothing behind the space"))?;
    if !["file", "unpacked image"].contains(&space) {
        return Err(missing("an unknown space"));
    }
    // Pairs of phrases for what was expected and what was found.
    let pairs =
        [("expected ", "found "), ("need", "available"), ("would take ", "the limit is "), ("is packed", "call ")];
    let tells = |(wanted, found)| rest.split_once(wanted).is_some_and(|(_, rest): (_, &str)| rest.contains(found));
    if pairs.into_iter().any(tells) { Ok(()) } else { Err(missing("nothing expected")) }
}

/// Returns the groups of names that share a message.
fn alike<'m>(messages: impl IntoIterator<Item = (&'m str, &'m str)>) -> Vec<Vec<&'m str>> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, message) in messages {
        names.entry(message).or_default().push(name);
    }
    names.into_values().filter(|names| names.len() > 1).collect()
}
