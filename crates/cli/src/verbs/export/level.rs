//! The export of one level.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use worldview::ErrorKind;
use worldview::wwd::{Level, LevelDescription, Unpacked};
use worldview_export::csv::CsvStyle;
use worldview_export::level::game::LevelPictures;
use worldview_export::level::png::{self, Allowance, TileReport};
use worldview_export::level::{arrow, csv, parquet, preview, tiled};
use worldview_export::xlsx::Workbook;
use worldview_export::{Encoding, Error, Result};
use worldview_inspect::{Options, Root, json, text};

use super::failed_write::report_failed_write;
use crate::args::Kind;
use crate::open::Visit;
use crate::outcome::Outcome;
use crate::output::{Label, Origin, Output, safe_name};
use crate::table;

/// The export of one level.
pub(super) struct Job<'j, 't> {
    pub(super) csv: CsvStyle,
    pub(super) file: &'j Unpacked<'j>,
    pub(super) level: &'j Level<'j>,
    pub(super) encoding: Encoding,
    pub(super) options: &'j png::Options<'j>,
    /// Whether maps have every property.
    pub(super) full: bool,
    /// The limit on all pictures of the level together.
    pub(super) allowance: Allowance,
    /// The folder of a level in an archive, with a trailing `/`; empty for a file.
    pub(super) prefix: String,
    pub(super) visit: &'j Visit<'j, 'j>,
    pub(super) output: &'j mut Output<'t>,
    pub(super) outcome: &'j mut Outcome,
}

impl<'j> Job<'j, '_> {
    pub(super) fn write(&mut self, kind: Kind, tmx_too: bool) {
        let (level, encoding) = (self.level, self.encoding);
        let described = LevelDescription::new(self.file, level);
        let root = Root::new("wwd", level.image(), &described).besides(self.file.trailing().len() as u64);
        let all = Options { encoding, full: true, ..Options::default() };
        match kind {
            Kind::Tmx => self.maps(|map, out| map.write_tmx(out), "tmx", true),
            // Both forms of a map share their tileset pictures and project.
            Kind::Tmj => self.maps(|map, out| map.write_tmj(out), "tmj", !tmx_too),
            Kind::Png => self.pictures(),
            Kind::Preview => {
                let png::Options { tiles, game, tile_colors, .. } = *self.options;
                let options = preview::Options::default().tiles(tiles).game(game).tile_colors(tile_colors);
                self.put("preview.png", |out| preview::level(level, &options, out));
            }
            Kind::Csv => {
                let style = self.csv;
                self.put("objects.csv", |out| style.write(out, |out| csv::objects(level, encoding, out)));
                self.put("attributes.csv", |out| style.write(out, |out| csv::attributes(level, out)));
            }
            Kind::Xlsx => self.put("level.xlsx", |out| {
                let mut book = Workbook::new();
                book.objects("objects", level, encoding)?;
                book.attributes("attributes", level)?;
                book.write(out)
            }),
            Kind::Ndjson => {
                self.put("objects.ndjson", |out| Ok(json::lines(&root, &["planes", "objects"], &all, out)?));
                self.put("attributes.ndjson", |out| {
                    Ok(json::lines(&root, &["tile_attributes", "records"], &all, out)?)
                });
            }
            Kind::Parquet => {
                self.put("objects.parquet", |out| parquet::objects(level, encoding, out));
                self.put("attributes.parquet", |out| parquet::attributes(level, encoding, out));
                self.put("planes.parquet", |out| parquet::planes(level, encoding, out));
            }
            Kind::Arrow => {
                self.put("objects.arrow", |out| arrow::objects(level, encoding, out));
                self.put("attributes.arrow", |out| arrow::attributes(level, encoding, out));
                self.put("planes.arrow", |out| arrow::planes(level, encoding, out));
            }
            Kind::Json => self.put("level.json", |out| Ok(json::write(&root, &all, out)?)),
            Kind::Text => self.put("level.txt", |out| Ok(text::write(&root, &all, out)?)),
            // These kinds only apply to tables, archives and databases.
            Kind::Glb | Kind::Bmp | Kind::Members => {}
        }
    }

    fn maps(
        &mut self,
        write: impl Fn(&tiled::Map<'_>, &mut dyn io::Write) -> Result<()>,
        extension: &str,
        pictures: bool,
    ) {
        let planned = match self.options.game.filter(|_| self.options.objects) {
            Some(game) => tiled::plan_with_game(self.level, self.encoding, game),
            None => tiled::plan(self.level, self.encoding),
        };
        let maps = match planned {
            Ok(maps) => maps.into_iter().map(|map| map.full(self.full)).collect::<Vec<_>>(),
            Err(error) => return self.outcome.input_failed(self.visit.path, &error),
        };
        let options = self.options;
        if pictures && !self.full {
            self.put("level.tiled-project", |out| tiled::write_project(&maps, out));
        }
        // Maps share the pictures of objects.
        let mut drawn = HashSet::new();
        for map in &maps {
            for picture in map.pictures().iter().filter(|picture| pictures && drawn.insert(picture.path().to_owned())) {
                self.put(picture.path(), |out| picture.write_png(out));
            }
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
            let text = self.encoding.decode(plane.name()).into_owned();
            let name = format!("planes/{:02}-{}.png", plane.index(), safe_name(&text));
            let from = Origin {
                index: Some(plane.index()),
                offset: plane.offset(),
                space: Some(level.image().space().name().to_owned()),
                inside: self.origin().inside,
                ..Origin::default()
            };
            let label = Label { kind: "plane", name: plane.name(), text, from: vec![from] };
            if !self.draw_as(&name, label, |left, out| png::plane(level, plane, options, left, out)) {
                // Thousands of planes may follow, and would all report the same error.
                break;
            }
        }
    }

    fn draw(&mut self, name: &str, fill: impl FnOnce(&mut Allowance, &mut dyn io::Write) -> Result<()>) -> bool {
        self.draw_as(name, self.label(), fill)
    }

    /// Writes one picture, if the allowance permits. Returns whether it did.
    fn draw_as(
        &mut self,
        name: &str,
        label: Label<'_>,
        fill: impl FnOnce(&mut Allowance, &mut dyn io::Write) -> Result<()>,
    ) -> bool {
        let name = &format!("{}{name}", self.prefix);
        let written = self.output.write(name, label, |out| fill(&mut self.allowance, out));
        let goes_on = match &written {
            Err(Error::Limit { .. }) => false,
            Err(Error::Format(error)) => !matches!(error.kind, ErrorKind::Limit { .. }),
            _ => true,
        };
        report_failed_write(self.visit.path, name, &self.output.path_of(name), written, self.outcome);
        goes_on
    }

    /// Writes one file.
    fn put(&mut self, name: &str, fill: impl FnOnce(&mut (dyn io::Write + Send)) -> Result<()>) {
        let name = &format!("{}{name}", self.prefix);
        let written = self.output.write(name, self.label(), |out| fill(out));
        report_failed_write(self.visit.path, name, &self.output.path_of(name), written, self.outcome);
    }

    /// Returns the location of the level in the input.
    fn origin(&self) -> Origin {
        match self.visit.file {
            None => Origin { length: Some(self.output.length()), ..Origin::default() },
            Some(file) => {
                let (inside, data) = (file.path().to_string(), file.source());
                Origin { inside, offset: data.base(), length: Some(data.len()), ..Origin::default() }
            }
        }
    }

    /// Returns the description of outputs that represent the whole level.
    fn label(&self) -> Label<'j> {
        let name: &'j [u8] = self.level.header().name.as_bytes();
        Label { kind: "level", name, text: self.encoding.decode(name).into_owned(), from: vec![self.origin()] }
    }
}

/// Says how much of a level its game has no pictures for.
pub(super) fn report_game(game: &LevelPictures<'_>, level: &Level<'_>, path: &Path, outcome: &mut Outcome) {
    // A level that cannot be walked has been reported by its pictures.
    let Ok(report) = game.resolve(level) else { return };
    let (tiles, objects) = report.missing();
    if tiles + objects > 0 {
        let [tiles, objects] = [(tiles, "tile"), (objects, "object")].map(|(count, what)| table::counted(count, what));
        let what = format!("the game has no picture for {tiles} and {objects}; `worldview check --game` lists them");
        outcome.note(path, &what);
    }
    if let Some(first) = report.lights.first() {
        let count = table::counted(report.lights.len() as u64, "picture");
        let what = format!("{count} of light, such as {first}, not drawn: they have strengths instead of colors");
        outcome.note(path, &what);
    }
    for (picture, why) in &report.broken {
        outcome.input_failed(path, &format_args!("the picture {picture} is left out: {why}"));
    }
}

/// Says which tiles have no picture of those that they should have.
pub(super) fn report_tiles(report: &TileReport, encoding: Encoding, path: &Path, outcome: &mut Outcome) {
    /// Frames that are named.
    const NAMED: usize = 8;

    for (image_set, frames) in &report.missing {
        let named: Vec<_> = frames.iter().take(NAMED).map(u16::to_string).collect();
        let more = frames.len().saturating_sub(NAMED);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let plural = if frames.len() == 1 { "" } else { "s" };
        let set = encoding.visible(image_set);
        outcome.note(path, &format_args!("no picture for frame{plural} {}{more} of {set}", named.join(", ")));
    }
    for why in report.broken.values() {
        outcome.input_failed(path, &format_args!("a tile keeps its flat color: {why}"));
    }
}
