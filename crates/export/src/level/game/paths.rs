use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use worldview_rez::Rez;

use super::assets::Assets;

/// The folders and archives that the path of a game stands for: a REZ archive, the folder of a game, or a folder into
/// which an archive was unpacked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamePaths {
    /// The folder `Assets` beside the archives, whose files replace theirs.
    pub assets: Option<PathBuf>,
    /// The archives, sorted by name.
    pub archives: Vec<PathBuf>,
    /// The folder itself, if it has no archives.
    pub unpacked: Option<PathBuf>,
}

impl GamePaths {
    /// Looks for what the path stands for. No archive is opened.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is a folder that cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        let is_folder = path.is_dir();
        let archives = if is_folder { archives(path)? } else { vec![path.to_owned()] };
        let folder = if is_folder { Some(path) } else { path.parent() };
        Ok(Self {
            assets: folder.map(|folder| folder.join("Assets")).filter(|assets| assets.is_dir()),
            unpacked: (archives.is_empty() && is_folder).then(|| path.to_owned()),
            archives,
        })
    }

    /// Returns what there is for a level: the archive that contains it, if one does, and the game, whose archives were opened.
    pub fn assets<'g>(&self, own: Option<&'g Rez<'g>>, archives: impl IntoIterator<Item = &'g Rez<'g>>) -> Assets<'g> {
        let assets = self.assets.iter().fold(Assets::new(), Assets::folder);
        let assets = own.into_iter().chain(archives).fold(assets, Assets::archive);
        self.unpacked.iter().fold(assets, Assets::folder)
    }
}

/// Returns the REZ archives in a folder, sorted by name.
fn archives(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_archive = |kind: &std::ffi::OsStr| kind.eq_ignore_ascii_case("rez") || kind.eq_ignore_ascii_case("vrz");
        if path.extension().is_some_and(is_archive) && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
