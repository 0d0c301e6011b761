//! `--game`: where the pictures of levels come from.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use worldview::rez::Rez;
use worldview::wwd::Level;
use worldview::{Bytes, Loader};
use worldview_export::level::game::{Assets, GamePaths, LevelPictures};

use crate::inputs;
use crate::open::Visit;
use crate::report::{Error, Result};
use crate::run::Run;
use crate::table;

/// The files of a game.
#[derive(Debug, Default)]
pub(crate) struct GameFiles {
    paths: GamePaths,
    archives: Vec<(PathBuf, Bytes<'static>)>,
}

impl GameFiles {
    /// Opens a REZ archive, or those in a game's folder. If it cannot be used, it is a failed input.
    pub(crate) fn open(path: Option<&Path>, loader: Loader) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let failed = |error: &dyn Display| Error::failed("--game", &format_args!("{}: {error}", table::path(path)));
        let paths = GamePaths::of(path).map_err(|error| failed(&error))?;
        let mut game = Self { paths, archives: Vec::new() };
        for path in game.paths.archives.clone() {
            let bytes = loader.open(&path).map_err(|error| failed(&error))?;
            Rez::parse_lossy(&bytes, &mut |_| {}).map_err(|error| failed(&error))?;
            game.archives.push((path, bytes));
        }
        Ok(game)
    }

    /// Opens the archives, with what can be read of them.
    pub(crate) fn opened(&self) -> Vec<Rez<'_>> {
        let bytes = self.archives.iter().map(|(_, bytes)| &bytes[..]);
        bytes.filter_map(|bytes| Rez::parse_lossy(bytes, &mut |_| {}).ok()).collect()
    }

    /// Reports an archive that shrank during the run. What was drawn from it may be wrong.
    pub(crate) fn still_there(&self, run: &mut Run<'_>) {
        for (path, bytes) in &self.archives {
            if let Err(error) = bytes.check() {
                run.failed("--game", &format_args!("{}: {error}", table::path(path)));
            }
        }
    }
}

/// Returns the [folder of a level](inputs::level_folder), or where it would be. A level in an archive has none.
pub(crate) fn folder_of(visit: &Visit<'_, '_>) -> worldview_export::Result<Option<PathBuf>> {
    if visit.file.is_some() {
        return Ok(None);
    }
    let path = &visit.input.path;
    let found = inputs::level_folder(path).map_err(|why| worldview_export::Error::Picture { why })?;
    Ok(Some(found.unwrap_or_else(|| path.with_extension(""))))
}

/// A game whose archives are open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game<'g> {
    files: &'g GameFiles,
    archives: &'g [Rez<'g>],
}

impl<'g> Game<'g> {
    pub(crate) const fn new(files: &'g GameFiles, archives: &'g [Rez<'g>]) -> Self {
        Self { files, archives }
    }

    /// Returns the pictures of a level: those of the archive that contains it, and those of the game. Returns `None` if
    /// there is neither.
    pub(crate) fn pictures<'p>(
        &self,
        visit: &'p Visit<'_, '_>,
        level: &Level<'_>,
    ) -> worldview_export::Result<Option<LevelPictures<'p>>>
    where
        'g: 'p,
    {
        let Some(assets) = self.assets(visit) else { return Ok(None) };
        LevelPictures::of(&assets, level, folder_of(visit)?.as_deref()).map(Some)
    }

    /// Returns what there is of the game for a level, if there is anything.
    pub(crate) fn assets<'p>(&self, visit: &'p Visit<'_, '_>) -> Option<Assets<'p>>
    where
        'g: 'p,
    {
        let own = visit.file.as_ref().map(|file| file.parent().archive());
        let assets = self.files.paths.assets(own, self.archives);
        (!assets.is_empty()).then_some(assets)
    }
}
