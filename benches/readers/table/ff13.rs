//! Tables of XIII-1 as its game has them, 500 files of six megabytes in all, read by the crate `ff13-formats` and by
//! ours: every field of every record, and all of it as JSON.
//!
//! The field names come from lists that both have, looked up by the name of the file. The digest is the count of
//! records, and of all fields the [sum](super) that the other tables have.

use std::io::{Result as IoResult, Write};

use serde_json::Value as Json;
use worldview::wpd::{Archive, Schema, Schemas, Table, TableOptions};
use worldview_corpus::ff13::generate::{Shape, table_of_rows};
use worldview_corpus::ff13::spec::Generation;
use worldview_inspect::{Options, Root, json};

use super::ours::columns;
use crate::inputs::SEED;

/// A file of XIII-1.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name without `.wdb`, by which the names of its fields are found.
    pub name: &'static str,
    /// A table.
    pub bytes: Vec<u8>,
}

/// What a reader made of all files: equal for all readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// How many records there are.
    pub records: usize,
    /// All fields, added up.
    pub sum: u32,
}

/// How many files there are in the game's folder of tables, or nearly.
pub const FILES: usize = 500;
/// Bytes of a file, so that there are 94,000 records in 500 of them.
const SIZE: usize = 12_000;
/// Bytes of the strings of a file.
const STRINGS: usize = 1000;

/// So many tables of 12,000 bytes, one sheet after the other of those that have names.
pub fn files(count: usize) -> Vec<File> {
    // But for one of the PS3, whose records are longer than its types tell, all of them.
    let is_usual = |sheet: &&Schema| !sheet.fields().iter().any(|name| name.starts_with("u64"));
    let sheets: Vec<_> = Schemas::builtin().sheets().iter().filter(is_usual).collect();
    let file = |(i, sheet): (usize, &&'static Schema)| {
        // Zones are many files, of a letter and three digits.
        let name = sheet.files().first().map_or("", |name| if name == "z*" { "z000" } else { name });
        let shape = Shape { generation: Generation::G2, sheet: "", fields: sheet.fields().to_vec() };
        let head = table_of_rows(0, 0, STRINGS, &shape).len();
        let rows = SIZE.saturating_sub(head) / (32 + shape.record_size());
        File { name, bytes: table_of_rows(SEED + i as u64, rows, STRINGS, &shape) }
    };
    sheets.iter().cycle().enumerate().take(count).map(file).collect()
}

/// A table with the names that its file's name leads to.
fn open(file: &File) -> Option<Table<'_>> {
    TableOptions::new().file_name(file.name).table(Archive::parse(&file.bytes).ok()?).ok()
}

impl Digest {
    fn add(&mut self, value: u32) {
        self.sum = self.sum.wrapping_add(value);
    }
}

/// Every field of every record by ours.
pub fn ours(files: &[File]) -> Option<Digest> {
    let mut digest = Digest::default();
    for file in files {
        let table = open(file)?;
        digest.records += table.len();
        digest.add(columns(&table)?);
    }
    Some(digest)
}

/// All tables as JSON text by ours, one after the other.
///
/// # Errors
///
/// Those of writing; a table that cannot be read.
pub fn ours_as_json(files: &[File], mut out: impl Write) -> IoResult<()> {
    for file in files {
        let table = open(file).ok_or_else(|| std::io::Error::other("no table"))?;
        let root = Root::new("wdb", table.archive().source(), &table);
        json::write(&root, &Options::default(), &mut out).map_err(std::io::Error::other)?;
    }
    Ok(())
}

/// Every field of every record by `ff13-formats`, which knows no other way than a tree of JSON values.
pub fn theirs(files: &[File]) -> Option<Digest> {
    let mut digest = Digest::default();
    for file in files {
        digest.add_document(&ff13_formats::wdb::to_json(&file.bytes, Some(file.name)).ok()?)?;
    }
    Some(digest)
}

/// All tables as JSON text by `ff13-formats`, one after the other.
///
/// # Errors
///
/// Those of writing; a table that cannot be read.
pub fn theirs_as_json(files: &[File], mut out: impl Write) -> IoResult<()> {
    for file in files {
        let document = ff13_formats::wdb::to_json(&file.bytes, Some(file.name)).map_err(std::io::Error::other)?;
        serde_json::to_writer(&mut out, &document)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// The digest of JSON documents, whoever wrote them.
pub fn digest_of_json(text: &[u8]) -> Option<Digest> {
    let mut digest = Digest::default();
    for document in serde_json::Deserializer::from_slice(text).into_iter::<Json>() {
        digest.add_document(&document.ok()?)?;
    }
    Some(digest)
}

impl Digest {
    /// Adds the records of a document: that of `ff13-formats` and ours have them under the same names.
    fn add_document(&mut self, document: &Json) -> Option<()> {
        let records = document.get("records")?.as_array()?;
        self.records += records.len();
        for record in records {
            for (name, value) in record.as_object()? {
                // Where a record lies is no field of it.
                if name != "record" && name != "at" {
                    self.add(number(value)?);
                }
            }
        }
        Some(())
    }
}

/// What a value adds to the digest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low words are meant")]
fn number(value: &Json) -> Option<u32> {
    match value {
        Json::String(text) => Some(text.len() as u32),
        Json::Number(number) => number.as_i64().map(|number| number as u32).or_else(|| {
            // It was a float of 32 bits before it was a number of JSON.
            Some((number.as_f64()? as f32).to_bits())
        }),
        _ => None,
    }
}
