//! The export of one level.

use std::io;
use std::path::Path;

use worldview::ErrorKind;
use worldview::wwd::{Level, Unpacked};
use worldview_export::png::{self, Allowance};
use worldview_export::{Encoding, Error, Result, csv, json, text, tiled};

use super::settle;
use crate::args::Kind;
use crate::exit::Outcome;
use crate::inputs::Input;
use crate::output::{OutputTree, safe_name};

/// The export of one level.
pub(super) struct Job<'j> {
    pub(super) file: &'j Unpacked<'j>,
    pub(super) level: &'j Level<'j>,
    pub(super) encoding: Encoding,
    pub(super) options: &'j png::Options<'j>,
    /// What all pictures of the level may take together.
    pub(super) allowance: Allowance,
    pub(super) input: &'j Input,
    pub(super) folder: &'j Path,
    pub(super) tree: &'j mut OutputTree,
    pub(super) outcome: &'j mut Outcome,
}

impl Job<'_> {
    pub(super) fn write(&mut self, kind: Kind, tmx_too: bool) {
        let (file, level, encoding) = (self.file, self.level, self.encoding);
        match kind {
            Kind::Tmx => self.maps(|map, out| map.write_tmx(out), "tmx", true),
            // Both forms of a map share their tileset pictures.
            Kind::Tmj => self.maps(|map, out| map.write_tmj(out), "tmj", !tmx_too),
            Kind::Png => self.pictures(),
            Kind::Csv => {
                self.put("objects.csv", |out| csv::objects(level, encoding, out));
                self.put("attributes.csv", |out| csv::attributes(level, out));
            }
            Kind::Ndjson => {
                self.put("objects.ndjson", |out| json::objects(level, encoding, out));
                self.put("attributes.ndjson", |out| json::attributes(level, out));
            }
            Kind::Json => self.put("level.json", |out| json::level(file, level, encoding, out)),
            Kind::Text => self.put("level.txt", |out| text::level(file, level, encoding, &[], out)),
            // Of tables, archives and databases.
            Kind::Glb | Kind::Parquet | Kind::Arrow | Kind::Members => {}
        }
    }

    fn maps(
        &mut self,
        write: impl Fn(&tiled::Map<'_>, &mut dyn io::Write) -> Result<()>,
        extension: &str,
        pictures: bool,
    ) {
        let maps = match tiled::plan(self.level, self.encoding) {
            Ok(maps) => maps,
            Err(error) => return self.outcome.input_failed(&self.input.path, &error),
        };
        let options = self.options;
        for map in &maps {
            self.put(&format!("{}.{extension}", map.stem()), |out| write(map, out));
            for tileset in map.tilesets().iter().filter(|_| pictures) {
                if !self.draw(tileset.picture(), |left, out| png::sheet(tileset.sheet(), options, left, out)) {
                    break;
                }
            }
        }
    }

    fn pictures(&mut self) {
        let (level, options) = (self.level, self.options);
        self.draw("level.png", |left, out| png::level(level, options, left, out));
        self.draw("attributes.png", |left, out| png::attributes(level, options, left, out));
        for plane in level.planes() {
            let name = safe_name(&self.encoding.decode(plane.name()));
            let name = format!("planes/{:02}-{name}.png", plane.index());
            let goes_on = self.draw(&name, |left, out| png::plane(level, plane, options, left, out));
            if !goes_on {
                // Thousands of planes may follow, and would all be told the same.
                break;
            }
        }
    }

    /// Writes one picture, as far as the pictures before it have left something; answers whether they have.
    fn draw(&mut self, name: &str, fill: impl FnOnce(&mut Allowance, &mut dyn io::Write) -> Result<()>) -> bool {
        let path = self.folder.join(name);
        let written = self.tree.write(&path, |out| fill(&mut self.allowance, out));
        let goes_on = match &written {
            Err(Error::Limit { .. }) => false,
            Err(Error::Format(error)) => !matches!(error.kind, ErrorKind::Limit { .. }),
            _ => true,
        };
        settle(&self.input.path, name, &path, written, self.outcome);
        goes_on
    }

    /// Writes one file.
    fn put(&mut self, name: &str, fill: impl FnOnce(&mut dyn io::Write) -> Result<()>) {
        let path = self.folder.join(name);
        let written = self.tree.write(&path, |out| fill(out));
        settle(&self.input.path, name, &path, written, self.outcome);
    }
}
