//! The outputs of a level.

#[cfg(feature = "tiled")]
use std::collections::HashSet;
use std::io::Write;

use worldview_core::ErrorKind;
use worldview_inspect::{self as inspect, Root, json, text};
use worldview_wwd::{Level, LevelDescription, Unpacked};

use super::{Options, Origin, Output, OutputKind, Sink};
use crate::level::png::{self, Allowance};
#[cfg(feature = "tiled")]
use crate::level::tiled;
use crate::{Error, Result};

/// Passes the outputs of a level to a sink. `from` is where the level is.
pub fn level(
    file: &Unpacked<'_>,
    level: &Level<'_>,
    from: &Origin,
    kinds: &[OutputKind],
    options: &Options<'_>,
    sink: &mut dyn Sink,
) {
    let described = LevelDescription::new(file, level);
    let root = Root::new("wwd", level.image(), &described).besides(file.trailing().len() as u64);
    let encoding = options.encoding;
    let all = inspect::Options { encoding, full: true, ..inspect::Options::default() };
    let mut outputs =
        Outputs { level, from, kind: OutputKind::Text, options, allowance: Allowance::new(&options.pictures), sink };
    for kind in OutputKind::sorted(kinds) {
        outputs.kind = kind;
        match kind {
            #[cfg(feature = "tiled")]
            OutputKind::Tmx => outputs.maps(true, |map, out| map.write_tmx(out)),
            // Both forms of a map share their pictures and the project.
            #[cfg(feature = "tiled")]
            OutputKind::Tmj => outputs.maps(!kinds.contains(&OutputKind::Tmx), |map, out| map.write_tmj(out)),
            OutputKind::Png => outputs.pictures(),
            OutputKind::Preview => {
                use crate::level::preview;
                let png::Options { tiles, game, tile_colors, .. } = options.pictures;
                let small = preview::Options::default().tiles(tiles).game(game).tile_colors(tile_colors);
                outputs.put("preview.png", |out| preview::level(level, &small, out));
            }
            #[cfg(feature = "csv")]
            OutputKind::Csv => {
                use crate::level::csv;
                let style = options.csv;
                outputs.put("objects.csv", |out| style.write(out, |out| csv::objects(level, encoding, out)));
                outputs.put("attributes.csv", |out| style.write(out, |out| csv::attributes(level, out)));
            }
            #[cfg(feature = "xlsx")]
            OutputKind::Xlsx => outputs.put("level.xlsx", |out| {
                let mut book = crate::xlsx::Workbook::new();
                book.objects("objects", level, encoding)?;
                book.attributes("attributes", level)?;
                book.write(out)
            }),
            OutputKind::Ndjson => {
                let lists = [("objects", ["planes", "objects"]), ("attributes", ["tile_attributes", "records"])];
                for (name, list) in lists {
                    outputs.put(&format!("{name}.ndjson"), |out| Ok(json::lines(&root, &list, &all, out)?));
                }
            }
            #[cfg(feature = "parquet")]
            OutputKind::Parquet => {
                use crate::level::parquet;
                outputs.put("objects.parquet", |out| parquet::objects(level, encoding, out));
                outputs.put("attributes.parquet", |out| parquet::attributes(level, encoding, out));
                outputs.put("planes.parquet", |out| parquet::planes(level, encoding, out));
            }
            #[cfg(feature = "arrow")]
            OutputKind::Arrow => {
                use crate::level::arrow;
                outputs.put("objects.arrow", |out| arrow::objects(level, encoding, out));
                outputs.put("attributes.arrow", |out| arrow::attributes(level, encoding, out));
                outputs.put("planes.arrow", |out| arrow::planes(level, encoding, out));
            }
            OutputKind::Json => outputs.put("level.json", |out| Ok(json::write(&root, &all, out)?)),
            OutputKind::Text => outputs.put("level.txt", |out| Ok(text::write(&root, &all, out)?)),
            // Of other assets, or of features that are off.
            _ => {}
        }
    }
}

struct Outputs<'l, 's> {
    level: &'l Level<'l>,
    from: &'l Origin,
    kind: OutputKind,
    options: &'l Options<'l>,
    /// The limit on all pictures of the level together.
    allowance: Allowance,
    sink: &'s mut dyn Sink,
}

impl<'l> Outputs<'l, '_> {
    /// Returns an output that shows the whole level.
    fn whole(&self, name: &str) -> Output<'l> {
        let raw = self.level.header().name.as_bytes();
        Output::new(self.kind, name, "level", self.from.clone()).called(raw, self.options.encoding.decode(raw))
    }

    fn put(&mut self, name: &str, mut fill: impl FnMut(&mut (dyn Write + Send)) -> Result<()>) {
        self.sink.one(self.whole(name), &mut fill);
    }

    #[cfg(feature = "tiled")]
    fn maps(&mut self, has_pictures: bool, write: impl Fn(&tiled::Map<'_>, &mut dyn Write) -> Result<()>) {
        let (level, encoding, full) = (self.level, self.options.encoding, self.options.full);
        let planned = match self.options.pictures.game.filter(|_| self.options.pictures.objects) {
            Some(game) => tiled::plan_with_game(level, encoding, game),
            None => tiled::plan(level, encoding),
        };
        let maps = match planned {
            Ok(maps) => maps.into_iter().map(|map| map.full(full)).collect::<Vec<_>>(),
            Err(error) => return self.sink.note(super::Note::Failed("", error)),
        };
        if has_pictures && !full {
            self.put("level.tiled-project", |out| tiled::write_project(&maps, out));
        }
        // Maps share the pictures of objects.
        let mut drawn = HashSet::new();
        for map in &maps {
            for picture in map.pictures().iter().filter(|picture| has_pictures && drawn.insert(picture.path())) {
                self.put(picture.path(), |out| picture.write_png(out));
            }
            self.put(&format!("{}.{}", map.stem(), self.kind.name()), |out| write(map, out));
            for tileset in map.tilesets().iter().filter(|_| has_pictures) {
                let output = self.whole(tileset.picture());
                if !self.draw(output, |options, left, out| png::sheet(tileset.sheet(), options, left, out)) {
                    break;
                }
            }
        }
    }

    fn pictures(&mut self) {
        let level = self.level;
        self.draw(self.whole("level.png"), |options, left, out| png::level(level, options, left, out));
        self.draw(self.whole("attributes.png"), |options, left, out| png::attributes(level, options, left, out));
        for plane in level.planes() {
            let text = self.options.encoding.decode(plane.name()).into_owned();
            let name = format!("planes/{:02}-{}.png", plane.index(), crate::names::safe_name(&text));
            let from = Origin {
                index: Some(plane.index()),
                offset: plane.offset(),
                space: Some(level.image().space().name().to_owned()),
                inside: self.from.inside.clone(),
                ..Origin::default()
            };
            let output = Output::new(self.kind, name, "plane", from).called(plane.name(), text);
            if !self.draw(output, |options, left, out| png::plane(level, plane, options, left, out)) {
                // Thousands of planes may follow, and would all report the same error.
                break;
            }
        }
    }

    /// Passes on a picture. Returns whether the allowance permits it, and more are wanted.
    fn draw(
        &mut self,
        output: Output<'_>,
        mut fill: impl FnMut(&png::Options<'_>, &mut Allowance, &mut dyn Write) -> Result<()>,
    ) -> bool {
        let mut is_over = false;
        let is_wanted = self.sink.one(output, &mut |out| {
            let drawn = fill(&self.options.pictures, &mut self.allowance, out);
            is_over = match &drawn {
                Err(Error::Limit { .. }) => true,
                Err(Error::Format(error)) => matches!(error.kind, ErrorKind::Limit { .. }),
                _ => false,
            };
            drawn
        });
        is_wanted && !is_over
    }
}
