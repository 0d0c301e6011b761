//! `manifest.json`: where every file of an output folder comes from.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use worldview_export::hex;

/// The outputs of one input; docs/json.md describes it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Version of this shape.
    pub(crate) manifest: u32,
    /// What made it: a later version may make other files of the same input.
    pub(crate) tool: String,
    /// The input as it was named or found, its length in bytes and the SHA-256 of them.
    pub(crate) source: String,
    pub(crate) length: u64,
    pub(crate) sha256: String,
    /// Digests of the options that change what is made, of each run that added something.
    pub(crate) options: Vec<String>,
    /// Whether all went well.
    pub(crate) complete: bool,
    pub(crate) files: Vec<Entry>,
}

/// One output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Its path below the manifest's folder, with `/`.
    pub(crate) file: String,
    /// `world`, `model`, `part`, `texture`, `member`, `table`, `level`, `plane` and so on.
    pub(crate) kind: String,
    /// What the input calls it, as text and as the bytes in hexadecimal, which the text cannot always tell.
    pub(crate) name: String,
    pub(crate) name_bytes: String,
    /// Where it comes from; several places where the input has the same thing again.
    pub(crate) from: Vec<Origin>,
    /// Bytes of the output, and the SHA-256 of them.
    pub(crate) size: u64,
    pub(crate) sha256: String,
}

/// A range of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The names of the archives in which it lies, joined by `/`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) inside: String,
    /// Of WORLD.WDB: `directory`, `global textures`, `global parts` or `blob`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) part: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) blob: Option<usize>,
    /// The number in its list: of worlds, parts, textures, planes or members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<usize>,
    /// Bytes from the start of the file, or of the image where `space` says so.
    pub(crate) offset: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) length: Option<u64>,
    /// Of a table, the schema that its field names come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) schema: Option<String>,
    /// `image`: the offset is one of the unpacked level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) space: Option<String>,
}

impl Manifest {
    pub(crate) const VERSION: u32 = 2;
    pub(crate) const NAME: &'static str = "manifest.json";

    /// The manifest that is there, if it is one of this version.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let path = folder.join(Self::NAME);
        if !fs::symlink_metadata(&path).ok()?.is_file() {
            return None;
        }
        let manifest: Self = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        (manifest.manifest == Self::VERSION).then_some(manifest)
    }
}

/// Whether a path in a manifest, which anyone can have written, stays in its folder.
pub(super) fn is_inside(file: &str) -> bool {
    !file.is_empty() && Path::new(file).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// Size and SHA-256 of a file that is no link.
pub(super) fn digest(path: &Path) -> io::Result<(u64, String)> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("is no file"));
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
