//! `manifest.json`, which records the origin of every file in an output folder, and what became of its input. A line of
//! `manifest.ndjson` does the same for files that lie beside those of other inputs.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use worldview_export::hex;
use worldview_export::outputs::Origin;

use crate::outcome::Outcome;
use crate::read::{Room, SourceKind, digest, is_inside};
use crate::report::{AccountReport, InputReport, Reason, Status};
use crate::table;

/// The outputs of one input, or of the rows of many, described in docs/json.md.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The version of this format.
    pub(crate) manifest: u32,
    /// The tool and its version. Another version may create different files for the same input.
    pub(crate) tool: String,
    /// In a line, the folder that the input has to itself, relative to the manifest; it need not exist.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) folder: String,
    /// The input's path as named or found, its length in bytes, and its SHA-256; the last two only if it could be read.
    pub(crate) source: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) length: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) sha256: String,
    /// Digests of the options that affect the outputs, for each run that added outputs.
    pub(crate) options: Vec<String>,
    /// What became of the input, as the report says it.
    #[serde(default)]
    pub(crate) status: Status,
    #[serde(flatten, skip_deserializing)]
    pub(crate) why: Option<Reason>,
    #[serde(skip_deserializing, skip_serializing_if = "AccountReport::is_empty")]
    pub(crate) account: AccountReport,
    /// Whether everything succeeded.
    pub(crate) complete: bool,
    /// Once a run replaces files, those that somebody had edited. A run that is finished has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replacing: Option<Vec<String>>,
    /// What the input contains.
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

/// What inputs contain.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Counts {
    pub(crate) levels: u64,
    pub(crate) tables: u64,
    pub(crate) archives: u64,
    pub(crate) databases: u64,
    pub(crate) pictures: u64,
    pub(crate) textures: u64,
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
    #[serde(default, skip_serializing_if = "With::is_default")]
    pub(crate) with: With,
}

impl Entry {
    /// Returns whether the file differs from what the export wrote. One that is missing does not, and one that cannot be read does.
    pub(crate) fn is_edited(&self, folder: &Path) -> bool {
        let path = folder.join(&self.file);
        let is_same = || digest(&path).is_ok_and(|(size, sha256)| size == self.size && sha256 == self.sha256);
        is_inside(&self.file) && path.exists() && !is_same()
    }
}

/// The options of an export that are needed to read an edited output back; only those that differ from the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct With {
    /// The code page of texts, as `--encoding` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) encoding: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) csv_safe: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) csv_bom: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) sheet: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) full: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) visible_only: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) recover: bool,
    /// The levels of detail, as `--lod` names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lod: Option<String>,
    /// The SHA-256 of the file of `--schema`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) schema: Option<String>,
}

impl With {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_zero(length: &u64) -> bool {
    *length == 0
}

/// The tool and its version, because another version may produce different outputs.
const TOOL: &str = concat!("worldview ", env!("CARGO_PKG_VERSION"));

impl Manifest {
    const VERSION: u32 = 3;
    pub(crate) const NAME: &'static str = "manifest.json";
    /// The manifest of a run, with a line for each input.
    pub(crate) const LINES: &'static str = "manifest.ndjson";

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

    /// Reads the manifest in a folder, or returns `None` if there is none of a known version.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let path = folder.join(Self::NAME);
        if !fs::symlink_metadata(&path).ok()?.is_file() {
            return None;
        }
        Self::parse(&Room::default().read(&path, SourceKind::List).ok()?)
    }

    /// Returns the lines of the manifest of a run in a folder; none if there is no such manifest. Returns an error if it cannot be
    /// read.
    pub(crate) fn lines(folder: &Path) -> io::Result<Vec<String>> {
        let path = folder.join(Self::LINES);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
        let bytes = if is_file { Room::default().read(&path, SourceKind::List) } else { Ok(Vec::new()) };
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let text = text.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", Self::LINES)))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Parses a manifest or a line. Version 2 had no `status` and less after it.
    pub(crate) fn parse(json: &[u8]) -> Option<Self> {
        let manifest: Self = serde_json::from_slice(json).ok()?;
        matches!(manifest.manifest, 2 | Self::VERSION).then_some(manifest)
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
