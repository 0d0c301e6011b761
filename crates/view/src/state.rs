//! What all requests share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::StatusCode;
use worldview_export::table::Words;
use worldview_inspect::Encoding;

use crate::answer::Failed;
use crate::catalog::Catalog;
use crate::files::{Files, Opened};
use crate::levels::{PictureSources, Session, Sessions};
use crate::library::Library;
use crate::names::Names;

/// What all requests share.
pub(crate) type Shared = Arc<State>;

/// What all requests share.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) library: Library,
    pub(crate) files: Files,
    pub(crate) compares: bool,
    pub(crate) game: Option<PathBuf>,
    pub(crate) encoding: Encoding,
    /// The words for keys in tables.
    pub(crate) words: Option<Words>,
    /// The pictures of levels.
    pub(crate) levels: Sessions,
    /// The names inside of files.
    pub(crate) names: Names,
}

impl State {
    /// Opens the part that an address leads to. Returns an error if the address leads nowhere or to a folder, or if the part cannot
    /// be opened.
    pub(crate) fn open(&self, at: &str) -> Result<Arc<Opened>, Failed> {
        let (path, inside) = self.library.file(at)?;
        self.open_file(&path, &inside)
    }

    /// Opens a file, or the part that names lead to. A file in no known format is data.
    pub(crate) fn open_file(&self, path: &Path, inside: &[u8]) -> Result<Arc<Opened>, Failed> {
        Ok(self.files.open(path, inside)?)
    }

    /// Returns the catalog of a file whose parts have paths but no addresses. Returns an error if it has no such parts.
    pub(crate) fn catalog(&self, opened: &Arc<Opened>) -> Result<Arc<Catalog>, Failed> {
        opened.made(|opened| {
            Catalog::of(&opened.handle, self.encoding).ok_or_else(|| Failed::invalid("has no parts with paths"))
        })
    }

    /// Returns what the requests for a level share. Returns an error if the address does not lead to a level.
    pub(crate) fn level(&self, at: &str) -> Result<Arc<Session>, Failed> {
        self.levels.get(self.surroundings(), &self.open(at)?)
    }

    /// Returns what the requests for an edited level share; without the name of edits, for the level as it is. Returns an error if the
    /// edits are no longer known.
    pub(crate) fn edited_level(&self, at: &str, edits: Option<&str>) -> Result<Arc<Session>, Failed> {
        let Some(edits) = edits else { return self.level(at) };
        let gone = || Failed::new(StatusCode::GONE, "these edits are no longer known");
        self.levels.edited(edits).ok_or_else(gone)
    }

    /// Keeps an edited level, whose file these bytes are, under the name of the edits.
    pub(crate) fn keep_edited_level(&self, at: &str, edits: &str, bytes: Vec<u8>) -> Result<(), Failed> {
        let opened = Arc::new(self.open(at)?.with_contents(bytes)?);
        self.levels.keep_edited(self.surroundings(), edits, &opened)
    }

    fn surroundings(&self) -> PictureSources<'_> {
        PictureSources { files: &self.files, library: &self.library, game: self.game.as_deref() }
    }
}
