//! `manifest.json`, which records the origin of every file in an output folder.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use worldview_export::hex;

/// The outputs of one input, described in docs/json.md.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The version of this format.
    pub(crate) manifest: u32,
    /// The tool and its version. Another version may create different files for the same input.
    pub(crate) tool: String,
    /// The input's path as named or found, its length in bytes, and its SHA-256.
    pub(crate) source: String,
    pub(crate) length: u64,
    pub(crate) sha256: String,
    /// Digests of the options that affect the outputs, for each run that added outputs.
    pub(crate) options: Vec<String>,
    /// Whether everything succeeded.
    pub(crate) complete: bool,
    pub(crate) files: Vec<Entry>,
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
    /// The options it was written with.
    #[serde(default, skip_serializing_if = "With::is_default")]
    pub(crate) with: With,
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

/// A range of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The names of the enclosing archives, joined by `/`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) inside: String,
    /// For WORLD.WDB: `directory`, `global textures`, `global parts` or `blob`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) part: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) blob: Option<usize>,
    /// The index in its list of worlds, parts, textures, planes or members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<usize>,
    /// The offset in bytes from the start of the file, or of the image if `space` says so.
    pub(crate) offset: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) length: Option<u64>,
    /// Of a table, the schema that its field names come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) schema: Option<String>,
    /// `image` if the offset refers to the unpacked level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) space: Option<String>,
}

impl Manifest {
    pub(crate) const VERSION: u32 = 2;
    pub(crate) const NAME: &'static str = "manifest.json";

    /// Reads the manifest in a folder, or returns `None` if there is none of this version.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let path = folder.join(Self::NAME);
        if !fs::symlink_metadata(&path).ok()?.is_file() {
            return None;
        }
        let manifest: Self = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        (manifest.manifest == Self::VERSION).then_some(manifest)
    }
}

/// Returns whether a path in a manifest stays inside its folder. Manifests are not trusted, because anybody can
/// write one.
pub(crate) fn is_inside(file: &str) -> bool {
    !file.is_empty() && Path::new(file).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// Returns the size and SHA-256 of a file that is not a link.
pub(crate) fn digest(path: &Path) -> io::Result<(u64, String)> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    let mut file = File::open(path)?;
    let (mut sha256, mut size, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((size, hex(&sha256.finalize()))),
            Ok(len) => {
                sha256.update(&buffer[..len]);
                size += len as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
