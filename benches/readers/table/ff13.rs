//! XIII-1 tables like those of the game, 500 files of six megabytes in total, read by the crate `ff13-formats` and by
//! our reader: every field of every record, and all records as JSON.
//!
//! The field names come from schemas that both have, looked up by file name. The digest is the number of records, and
//! the same [sum](super) of all fields as for the other tables.

use std::io::{Result as IoResult, Write};

use serde_json::Value as Json;
use worldview::wpd::{Archive, NameOrigin, Schema, Schemas, Table, TableOptions};
use worldview_corpus::ff13::generate::{Shape, table_of_rows};
use worldview_corpus::ff13::spec::Generation;
use worldview_export::table::{Selection, json};

use super::ours::columns;
use crate::inputs::SEED;
use crate::readers::ReadError;

/// A file of XIII-1.
#[derive(Clone, Debug)]
pub struct File {
    /// Name without `.wdb`, which selects the names of the fields.
    pub name: &'static str,
    /// The table.
    pub bytes: Vec<u8>,
}

/// The result of reading all files, which is equal for all readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// Number of records.
    pub records: usize,
    /// The sum of all fields.
    pub sum: u32,
}

/// Approximate number of files in the game's folder of tables.
pub const FILES: usize = 500;
/// Size of a file in bytes, so that 500 files have 94,000 records.
const SIZE: usize = 12_000;
/// Size of a file's strings in bytes.
const STRINGS: usize = 1000;

/// Generates `count` tables of 12,000 bytes, cycling through the sheets with known field names.
pub fn files(count: usize) -> Vec<File> {
    // All sheets except one of the PS3, whose records are longer than its types say.
    let is_usual = |sheet: &&Schema| !sheet.fields().iter().any(|name| name.starts_with("u64"));
    let sheets: Vec<_> = Schemas::builtin().sheets().iter().filter(is_usual).collect();
    let file = |(i, sheet): (usize, &&'static Schema)| {
        // Zones are many files, named with a letter and three digits.
        let name = sheet.files().first().map_or("", |name| if name == "z*" { "z000" } else { name });
        let shape = Shape { generation: Generation::G2, sheet: "", fields: sheet.fields().to_vec() };
        let head = table_of_rows(0, 0, STRINGS, &shape).len();
        let rows = SIZE.saturating_sub(head) / (32 + shape.record_size());
        File { name, bytes: table_of_rows(SEED + i as u64, rows, STRINGS, &shape) }
    };
    sheets.iter().cycle().enumerate().take(count).map(file).collect()
}

/// Opens a table with the field names that its version or its file name selects.
fn open<'a>(name: &'a str, bytes: &'a [u8]) -> Result<Table<'a>, ReadError> {
    let table = TableOptions::new().file_name(name).table(Archive::parse(bytes)?)?;
    match table.name_origin() {
        NameOrigin::Generated => Err(UNNAMED.into()),
        _ => Ok(table),
    }
}

/// Says why not every field of a table can be read.
const UNNAMED: &str = "the names of its fields are unknown";

/// Reads all files, and adds up the digests.
pub fn all(files: &[File], read: impl Fn(&str, &[u8]) -> Result<Digest, ReadError>) -> Result<Digest, ReadError> {
    files.iter().try_fold(Digest::default(), |mut all, file| {
        let digest = read(file.name, &file.bytes)?;
        all.records += digest.records;
        all.add(digest.sum);
        Ok(all)
    })
}

/// Reads every field of every record of a table with our reader.
pub fn ours(name: &str, bytes: &[u8]) -> Result<Digest, ReadError> {
    let table = open(name, bytes)?;
    Ok(Digest { records: table.len(), sum: columns(&table)? })
}

/// Writes the records of all tables as JSON with our reader, one per line.
pub fn ours_as_json(files: &[File], mut out: impl Write) -> IoResult<()> {
    for file in files {
        let table = open(file.name, &file.bytes).map_err(std::io::Error::other)?;
        json::records(&table, &Selection::ALL, &mut out).map_err(std::io::Error::other)?;
    }
    Ok(())
}

/// Reads every field of every record of a table with `ff13-formats`, which only offers a tree of JSON values.
#[cfg(feature = "readers")]
pub fn theirs(name: &str, bytes: &[u8]) -> Result<Digest, ReadError> {
    let document = ff13_formats::wdb::to_json(bytes, Some(name))?;
    if document.get("isKnown") != Some(&Json::Bool(true)) {
        return Err(UNNAMED.into());
    }
    let mut digest = Digest::default();
    digest.add_document(&document).ok_or("a value is neither a number nor a text")?;
    Ok(digest)
}

/// Writes each table as a JSON document of its records with `ff13-formats`.
#[cfg(feature = "readers")]
pub fn theirs_as_json(files: &[File], mut out: impl Write) -> IoResult<()> {
    for file in files {
        let document = ff13_formats::wdb::to_json(&file.bytes, Some(file.name)).map_err(std::io::Error::other)?;
        serde_json::to_writer(&mut out, &document)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Returns the digest of what either reader has written.
pub fn digest_of_json(text: &[u8]) -> Option<Digest> {
    let mut digest = Digest::default();
    for document in serde_json::Deserializer::from_slice(text).into_iter::<Json>() {
        let document = document.ok()?;
        match document.get("records") {
            Some(_) => digest.add_document(&document)?,
            None => digest.add_record(&document)?,
        }
    }
    Some(digest)
}

impl Digest {
    fn add(&mut self, value: u32) {
        self.sum = self.sum.wrapping_add(value);
    }

    /// Adds the records of a document; both readers use the same member names for them.
    fn add_document(&mut self, document: &Json) -> Option<()> {
        document.get("records")?.as_array()?.iter().try_for_each(|record| self.add_record(record))
    }

    fn add_record(&mut self, record: &Json) -> Option<()> {
        self.records += 1;
        for (name, value) in record.as_object()? {
            // The name of a record is not one of its fields.
            if name != "record" {
                self.add(number(value)?);
            }
        }
        Some(())
    }
}

/// Returns what a value adds to the digest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "only the low word counts")]
fn number(value: &Json) -> Option<u32> {
    match value {
        Json::String(text) => Some(text.len() as u32),
        Json::Number(number) => number.as_i64().map(|number| number as u32).or_else(|| {
            // It was a 32-bit float before it became a JSON number.
            Some((number.as_f64()? as f32).to_bits())
        }),
        _ => None,
    }
}
