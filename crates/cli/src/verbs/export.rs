use std::io;
use std::path::Path;
use std::time::Instant;

use worldview::wwd::{Level, Unpacked};
use worldview::{ErrorKind, Loader};
use worldview_export::png::{self, Allowance, TileImages};
use worldview_export::{Encoding, Error, Result, csv, json, text, tiled};

use crate::args::{ExportArgs, Kind};
use crate::exit::Outcome;
use crate::inputs::{self, Input};
use crate::output::{OutputTree, safe_name};

pub(crate) fn export(args: &ExportArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let start = Instant::now();
    let images = match args.tiles.as_deref().map(TileImages::open).transpose() {
        Ok(images) => images,
        Err(error) => {
            outcome.input_failed(Path::new("--tiles"), &error);
            return Ok(());
        }
    };
    let options =
        png::Options { scale: args.scale, max_pixels: args.max_pixels, tiles: images.as_ref(), marks: !args.no_marks };
    let mut tree = OutputTree::new(&args.out);
    let mut levels = 0_u64;
    inputs::each(&args.input, loader, outcome, |input, bytes, outcome| {
        super::look(input, bytes, &args.input, outcome, |file, level, outcome| {
            let folder = tree.folder(&input.source);
            levels += 1;
            let encoding = args.input.encoding.into();
            let mut job = Job {
                file,
                level,
                encoding,
                options: &options,
                allowance: Allowance::of(level, &options),
                input,
                folder: &folder,
                tree: &mut tree,
                outcome,
            };
            for kind in Kind::ALL.into_iter().filter(|kind| args.to.contains(kind)) {
                job.write(kind, args.to.contains(&Kind::Tmx));
            }
            Ok(())
        })
    })?;
    outcome.summary(&format!(
        "exported to {}: {levels} level{}, {} files, {} bytes, {:.2} s",
        args.out.display(),
        if levels == 1 { "" } else { "s" },
        tree.files,
        tree.bytes,
        start.elapsed().as_secs_f64()
    ));
    Ok(())
}

/// The export of one level.
struct Job<'j> {
    file: &'j Unpacked<'j>,
    level: &'j Level<'j>,
    encoding: Encoding,
    options: &'j png::Options<'j>,
    /// What all pictures of the level may take together.
    allowance: Allowance,
    input: &'j Input,
    folder: &'j Path,
    tree: &'j mut OutputTree,
    outcome: &'j mut Outcome,
}

impl Job<'_> {
    fn write(&mut self, kind: Kind, tmx_too: bool) {
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
        self.settle(name, &path, written);
        goes_on
    }

    /// Writes one file.
    fn put(&mut self, name: &str, fill: impl FnOnce(&mut dyn io::Write) -> Result<()>) {
        let path = self.folder.join(name);
        let written = self.tree.write(&path, fill);
        self.settle(name, &path, written);
    }

    /// Sorts out whose fault it is if a file could not be written.
    fn settle(&mut self, name: &str, path: &Path, written: Result<()>) {
        match written {
            Ok(()) => {}
            Err(Error::Io(error)) => self.outcome.cannot_write(path, &error),
            // A level without a main plane, a plane without tiles: nothing to draw, and nothing wrong with the rest.
            Err(nothing @ Error::Nothing { .. }) => {
                self.outcome.note(&self.input.path, &format_args!("no {name}: {nothing}"));
            }
            Err(error) => self.outcome.input_failed(&self.input.path, &format_args!("no {name}: {error}")),
        }
    }
}
