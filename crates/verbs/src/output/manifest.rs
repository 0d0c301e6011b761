//! `manifest.ndjson`, which records where the files beside and below it come from, and what became of their inputs: a line for each
//! input. The last line of an input counts.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use worldview_edit::account::Account;
use worldview_export::hex;
use worldview_export::outputs::Origin;

use super::lines;
use crate::outcome::Outcome;
use crate::read::{digest, is_inside};
use crate::report::{Failure, InputReport, Status};
use crate::table;

/// The outputs of one input, or of the rows of many, described in docs/json.md.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The version of this format.
    pub(crate) manifest: u32,
    /// The tool and its version. Another version may create different files for the same input.
    pub(crate) tool: String,
    /// The folder that the input has to itself, relative to the manifest, if other inputs have lines in it; it need not exist.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) folder: String,
    /// The input's path as named or found, its length in bytes, and its SHA-256; the last two only if it could be read.
    pub(crate) source: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) length: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) sha256: String,
    /// Digests of the options that affect the outputs, for each run that added outputs.
    pub(crate) options: Vec<String>,
    /// The status of the input, as in the report.
    #[serde(default)]
    pub(crate) status: Status,
    #[serde(flatten, skip_deserializing)]
    pub(crate) why: Option<Failure>,
    #[serde(skip_deserializing, skip_serializing_if = "Account::is_empty")]
    pub(crate) account: Account,
    /// Whether everything succeeded.
    pub(crate) complete: bool,
    /// Once a run replaces files, those that somebody had edited. A run that is finished has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replacing: Option<Vec<String>>,
    /// The contents of the input.
    #[serde(default)]
    pub(crate) exported: Counts,
    pub(crate) files: Vec<Entry>,
    /// Outputs of inputs, or of versions of them, that are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) stale: Vec<Entry>,
}

/// An input that was merged with others.
#[derive(Clone, Debug)]
pub(crate) struct InputDigest {
    pub(crate) source: String,
    pub(crate) length: u64,
    pub(crate) sha256: String,
}

/// The contents of inputs.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Levels.
    pub levels: u64,
    /// Tables.
    pub tables: u64,
    /// Archives.
    pub archives: u64,
    /// WORLD.WDB files.
    pub databases: u64,
    /// Pictures.
    pub pictures: u64,
    /// Files of textures.
    pub textures: u64,
}

impl Counts {
    pub(crate) const fn add(&mut self, other: &Self) {
        let Self { levels, tables, archives, databases, pictures, textures } = *other;
        self.levels += levels;
        self.tables += tables;
        self.archives += archives;
        self.databases += databases;
        self.pictures += pictures;
        self.textures += textures;
    }
}

/// An output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The path relative to the folder of the manifest, separated by `/`.
    pub(crate) file: String,
    /// The kind: `world`, `model`, `part`, `texture`, `member`, `table`, `level`, `plane` and so on.
    pub(crate) kind: String,
    /// The name in the input, as text, and as hexadecimal bytes because the text may be ambiguous.
    pub(crate) name: String,
    pub(crate) name_bytes: String,
    /// The origins; more than one if the input contains the same thing several times.
    pub(crate) from: Vec<Origin>,
    /// The size of the output in bytes, and its SHA-256.
    pub(crate) size: u64,
    pub(crate) sha256: String,
    /// If somebody edited the output of another version of the input, the SHA-256 of that version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<String>,
    /// The options it was written with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) with: With,
}

impl Entry {
    /// Returns whether the file differs from what the export wrote. One that is missing does not, and one that cannot be read does.
    pub(crate) fn is_edited(&self, folder: &Path) -> bool {
        let path = folder.join(&self.file);
        is_inside(&self.file) && path.exists() && !digest(&path).is_ok_and(|found| self.is(&found))
    }

    /// Returns whether the file has this size and SHA-256.
    pub(crate) fn is(&self, (size, sha256): &(u64, String)) -> bool {
        self.size == *size && self.sha256 == *sha256
    }
}

/// The options of an export that decide how an output looks, and are needed to read an edited one back; only those that differ from
/// the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct With {
    /// The code page of texts, as `--encoding` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) encoding: Option<String>,
    /// The paths that select the records of the table, if not all are in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) csv_safe: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) csv_bom: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) sheet: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) full: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) visible_only: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) recover: bool,
    /// The levels of detail, as `--lod` names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lod: Option<String>,
    /// The SHA-256 of the file of `--schema`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) schema: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tiles: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The tool and its version, because another version may produce different outputs.
const TOOL: &str = concat!("worldview ", env!("CARGO_PKG_VERSION"));

impl Manifest {
    const VERSION: u32 = 4;
    pub(crate) const NAME: &'static str = "manifest.ndjson";

    /// Creates the manifest of an input, without its bytes and files.
    pub(crate) fn new(report: InputReport) -> Self {
        let InputReport { path, status, why, account, .. } = report;
        let (manifest, tool, complete) = (Self::VERSION, TOOL.to_owned(), status == Status::Ok);
        Self { manifest, tool, source: path, status, why, account, complete, ..Self::default() }
    }

    /// Creates the manifest of an input of which nothing more is known than its outcome.
    pub(crate) fn of(source: &Path, outcome: &Outcome) -> Self {
        Self::new(outcome.report_of(&table::path(source)))
    }

    /// Creates the manifest of the merged rows of inputs, which has no source.
    pub(crate) fn merged(inputs: &[InputDigest], exported: Counts, files: Vec<Entry>) -> Self {
        let (length, sha256) = Self::digest_of(inputs);
        Self { manifest: Self::VERSION, tool: TOOL.to_owned(), length, sha256, exported, files, ..Self::default() }
    }

    /// Returns the length and SHA-256 of all inputs together.
    pub(crate) fn digest_of(inputs: &[InputDigest]) -> (u64, String) {
        let mut all = Sha256::new();
        for InputDigest { source, length, sha256 } in inputs {
            all.update(format!("{length} {sha256} {source}\n"));
        }
        (inputs.iter().map(|input| input.length).sum(), hex(&all.finalize()))
    }

    /// Reads the line of the input whose own folder this is, or returns `None` if there is none of a known version.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let lines = Self::lines(folder).ok()?;
        lines.iter().rev().filter_map(|line| Self::parse(line)).find(Self::is_of_folder)
    }

    /// Whether the folder of the manifest is that of the input.
    pub(super) fn is_of_folder(&self) -> bool {
        lines::is_of_folder(&self.folder, &self.source, !(self.files.is_empty() && self.stale.is_empty()))
    }

    /// Returns the lines of the manifest in a folder; none if there is no manifest. Returns an error if it cannot be read.
    pub(super) fn lines(folder: &Path) -> io::Result<Vec<String>> {
        lines::read(folder, Self::NAME)
    }

    /// Returns the line, with its end.
    pub(super) fn line(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    /// Adds a line to the manifest in a folder.
    pub(super) fn append(folder: &Path, line: &str) -> io::Result<()> {
        Self::open(folder)?.map_or(Ok(()), |mut file| file.write_all(line.as_bytes()))
    }

    /// Opens the manifest in a folder, to add lines. The end of the run replaces a link.
    pub(super) fn open(folder: &Path) -> io::Result<Option<File>> {
        lines::open(&folder.join(Self::NAME))
    }

    /// Parses a line.
    pub(super) fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().filter(|manifest: &Self| manifest.manifest == Self::VERSION)
    }

    /// Returns whether it was written by this version of the tool, for these bytes and with these options, and completely.
    pub(super) fn is_current(&self, options: &str, length: u64, sha256: &str) -> bool {
        self.complete
            && (self.manifest, &*self.tool) == (Self::VERSION, TOOL)
            && self.options.iter().any(|done| done == options)
            && (self.length, &*self.sha256) == (length, sha256)
    }

    /// Returns whether a file that differs was edited. It may also be what a killed run has left.
    pub(super) fn vouches_for(&self, entry: &Entry) -> bool {
        self.replacing.as_ref().is_none_or(|edited| edited.contains(&entry.file))
    }

    /// Returns the options of all runs whose results are still valid for the same input.
    pub(super) fn valid_options(&self) -> &[String] {
        if self.complete && self.tool == TOOL { &self.options } else { &[] }
    }
}
