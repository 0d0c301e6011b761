//! The words for keys such as `$atar_ttl_010`, which tables have instead of texts.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use worldview::wpd::{Table, ValueType};
use worldview_export::table::WORDS;

use crate::output::bounded;
use crate::run::Run;
use crate::table::{self, counted};
use crate::text;

/// What separates a key from its words in the files of ZTRtool and chronostasis.
const SEPARATOR: &str = "|:|";

/// Maximum size of a file of words.
const MAX_SIZE: u64 = 1 << 28;

/// Words by their keys.
#[derive(Debug, Default)]
pub(crate) struct Texts(HashMap<String, String>);

impl Texts {
    /// Reads a file of lines `key |:| words`. One that cannot be read is a failed input.
    pub(crate) fn read(path: &Path, run: &mut Run) -> Option<Self> {
        let bytes = match bounded(path, MAX_SIZE) {
            Ok(bytes) => bytes,
            Err(error) => {
                run.failed(&table::path(path), &error);
                return None;
            }
        };
        let (mut words, mut others, mut doubled) = (HashMap::new(), 0, 0);
        for line in text::decode(&bytes).lines().filter(|line| !line.trim().is_empty()) {
            match line.split_once(SEPARATOR) {
                Some((key, text)) => {
                    doubled += u64::from(words.insert(key.trim().to_owned(), text.trim().to_owned()).is_some());
                }
                None => others += 1,
            }
        }
        if words.is_empty() {
            run.failed(&table::path(path), &format_args!("has no line `key {SEPARATOR} words`"));
            return None;
        }
        if others > 0 {
            let lines = counted(others, "line");
            run.note(&table::path(path), &format_args!("{lines} without `{SEPARATOR}` skipped"));
        }
        if doubled > 0 {
            let lines = counted(doubled, "line");
            run.note(
                &table::path(path),
                &format_args!("{lines} with a key that is there already; the last words count"),
            );
        }
        Some(Self(words))
    }

    /// Returns the words for a key.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Returns the keys whose words match.
    pub(crate) fn keys(&self, matches: impl Fn(&str) -> bool) -> HashSet<String> {
        self.0.iter().filter(|(_, words)| matches(words)).map(|(key, _)| key.clone()).collect()
    }

    /// Returns the records of a table as CSV, with a column of words behind each column of texts in which there is a key.
    pub(crate) fn beside(&self, table: &Table<'_>, csv: &[u8]) -> std::io::Result<Vec<u8>> {
        let is_text =
            |name: &str| table.field(name.as_bytes()).is_some_and(|field| field.kind().value_type() == ValueType::Text);
        let rows = || ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv).into_records();
        let (mut texts, mut has_key) = (Vec::<bool>::new(), Vec::<bool>::new());
        for (row, number) in rows().zip(0..) {
            let row = row?;
            if number == 0 {
                texts = row.iter().map(is_text).collect();
                has_key.resize(texts.len(), false);
            } else {
                let columns = row.iter().zip(&texts).zip(&mut has_key);
                columns.for_each(|((cell, is_text), has)| *has |= *is_text && self.get(cell).is_some());
            }
        }
        let mut out = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        for (row, number) in rows().zip(0..) {
            let row = row?;
            for (cell, has_key) in row.iter().zip(&has_key) {
                out.write_field(cell)?;
                if *has_key && number == 0 {
                    out.write_field(format!("{cell}{WORDS}"))?;
                } else if *has_key {
                    out.write_field(self.get(cell).unwrap_or(""))?;
                }
            }
            out.write_record(None::<&[u8]>)?;
        }
        out.into_inner().map_err(|error| std::io::Error::other(error.to_string()))
    }
}
