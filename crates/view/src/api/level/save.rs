//! Levels as files: a Tiled map with its pictures, or one picture.

use std::collections::HashSet;
use std::io::{self, Write};

use worldview_export::level::png::{self, Allowance, Options};
use worldview_export::level::tiled;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use crate::answer::Failed;
use crate::levels::Session;
use crate::state::State;
use crate::work::Sender;

/// Writes the picture of a level, as `worldview export` does.
pub(in crate::api) fn png(state: &State, at: &str, out: &mut Sender) -> Result<(), Failed> {
    let session = state.level(at)?;
    let options = options(&session);
    let mut allowance = Allowance::new(&options);
    Ok(png::level(session.level(), &options, &mut allowance, out)?)
}

/// Writes the maps of a level, their tilesets and the pictures of objects as a ZIP archive.
pub(in crate::api) fn tmx(state: &State, at: &str, out: &mut Sender) -> Result<(), Failed> {
    let session = state.level(at)?;
    let (level, options) = (session.level(), options(&session));
    let maps = match session.pictures() {
        Some(pictures) => tiled::plan_with_game(level, state.encoding, pictures)?,
        None => tiled::plan(level, state.encoding)?,
    };
    let mut allowance = Allowance::new(&options);
    let mut archive = Archive(ZipWriter::new_stream(out));
    archive.file("level.tiled-project", |out| tiled::write_project(&maps, out))?;
    // Maps share the pictures of objects.
    let mut drawn = HashSet::new();
    for map in &maps {
        for picture in map.pictures().iter().filter(|picture| drawn.insert(picture.path())) {
            archive.file(picture.path(), |out| picture.write_png(out))?;
        }
        archive.file(&format!("{}.tmx", map.stem()), |out| map.write_tmx(out))?;
        for tileset in map.tilesets() {
            archive.file(tileset.picture(), |out| png::sheet(tileset.sheet(), &options, &mut allowance, out))?;
        }
    }
    archive.0.finish().map_err(io::Error::from)?;
    Ok(())
}

fn options(session: &Session) -> Options<'_> {
    Options::default().game(session.pictures())
}

/// A ZIP archive that is sent while it is made.
struct Archive<W: Write>(ZipWriter<StreamWriter<W>>);

impl<W: Write> Archive<W> {
    fn file(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> worldview_export::Result<()>,
    ) -> Result<(), Failed> {
        // Pictures and the layers of maps are compressed already.
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.0.start_file(name, options).map_err(io::Error::from)?;
        Ok(write(&mut self.0)?)
    }
}
