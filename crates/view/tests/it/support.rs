//! What tests of tables, comparisons and changes share.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use worldview_verbs::options::ViewOptions;

use crate::client::{Answer, Viewer};

/// A folder of files to look at.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::Builder::new().prefix("view-").tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The name of the folder, with which addresses of what is in it begin.
    pub fn at(&self) -> &str {
        self.path().file_name().unwrap().to_str().unwrap()
    }
}

impl Viewer {
    /// Starts a viewer for several paths.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self::start(paths, &ViewOptions::default())
    }

    /// Asks for JSON, which must be there.
    pub fn json(&self, path: &str) -> Value {
        self.get(path).ok().json()
    }

    /// Asks for lines of JSON, which must be there.
    pub fn lines(&self, path: &str) -> Vec<Value> {
        self.get(path).ok().lines()
    }
}

impl Answer {
    /// Fails the test if this is not what was asked for.
    pub fn ok(self) -> Self {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// Returns the sentence that says why there is no answer.
    pub fn error(&self) -> String {
        assert!(self.status >= 400, "{}", self.status);
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

/// Writes a value as a part of an address.
pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
