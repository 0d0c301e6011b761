use std::io::{self, Write as _};
use std::path::PathBuf;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use worldview::wpd;
use worldview::{Asset, Budget, Format, Loader, World};
use worldview_export::level::png::{self, Allowance, TileImages};
use worldview_export::model::glb::{self, LodChoice};
use worldview_export::{Encoding, Error, hex};

use crate::args::{ExportArgs, Kind, SummaryFormat};
use crate::game::{Game, GameFiles};
use crate::inputs::{self, OpenInput};
use crate::interrupt;
use crate::open::{Files, NestingScope, Visit};
use crate::outcome::Outcome;
use crate::output::{Folders, Output, OutputTree, Tally, With};
use crate::report::Head;
use crate::run::{Run, size};
use crate::sheet;
use crate::table;
use failed_write::report_failed_write;
use html_index::{Card, Sheet};
use merge::{Merge, Merged, Rows};
use worldview_export::csv::CsvStyle;

mod archive;
mod failed_write;
mod html_index;
mod level;
mod merge;
mod rez;
mod textures;
mod world;

/// State shared by all inputs.
struct Shared<'s> {
    args: &'s ExportArgs,
    files: Files<'s>,
    tree: OutputTree,
    pictures: png::Options<'s>,
    game: Game<'s>,
    models: glb::Options<'static>,
    /// A digest of all options that affect the outputs; `None` if it cannot be determined.
    options: Option<String>,
    /// What manifests say of them.
    with: With,
}

/// The result for one input.
#[derive(Clone, Debug, Default)]
struct Done {
    counts: Counts,
    tally: Tally,
    /// The files that were written, or would be, with their sizes; listed where somebody asks for them.
    written: Vec<(String, u64)>,
    cards: Vec<Card>,
    /// The rows of tables that are merged.
    rows: Vec<Rows>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    levels: u64,
    tables: u64,
    archives: u64,
    databases: u64,
    pictures: u64,
    textures: u64,
}

#[derive(Serialize)]
struct Document<'d> {
    #[serde(flatten)]
    head: Head<'d>,
    out: String,
    dry_run: bool,
    exported: Counts,
    outputs: Tally,
    /// What was written, or would be by a dry run.
    files: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    file: String,
    size: u64,
}

pub(crate) fn export(args: &ExportArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    if let Some(Err(error)) = args.tiles.as_deref().map(std::fs::read_dir) {
        run.failed("--tiles", &format_args!("{}: {error}", table::path(args.tiles.as_deref().unwrap_or(&args.out))));
        return Ok(());
    }
    let threads = inputs::threads_inside(&args.input, run);
    let Some(files) = Files::new(&args.input.open, threads, run) else { return Ok(()) };
    let tree = match OutputTree::new(&args.out, args.overwrite, args.dry_run) {
        Ok(tree) => tree,
        Err(error) => {
            run.broken(&table::path(&args.out), &format_args!("cannot be written to: {error}"));
            return Ok(());
        }
    };
    if args.merge.is_some() && !args.to.iter().any(|kind| merge::format(*kind).is_some()) {
        run.refused("--merge", &"needs --to parquet or --to arrow");
        return Ok(());
    }
    if args.html || args.merge.is_some() {
        // Pictures and rows are held back until all earlier files are finished.
        run.window = Some(8);
    }
    // If the output folder is among the inputs, it is not read.
    run.exclude = args.out.canonicalize().ok();
    let (scale, max_pixels, marks) = (args.scale, args.max_pixels, !args.no_marks);
    let Some(game_files) = GameFiles::open(args.game.as_deref(), loader, run) else { return Ok(()) };
    let archives = game_files.opened();
    let shared = Shared {
        args,
        files,
        tree,
        game: Game::new(&game_files, &archives),
        pictures: png::Options::default()
            .scale(scale)
            .max_pixels(max_pixels)
            .marks(marks)
            .objects(!args.no_objects)
            .tile_colors(args.tile_colors),
        models: glb::Options::default()
            .lods(args.lod)
            .visible_only(args.visible_only)
            .encoding(args.input.open.encoding.into()),
        options: options(args),
        with: with(args),
    };
    let mut folders = Folders::default();
    let mut all = Done::default();
    let mut out = run.stdout(CsvStyle::default(), false);
    // The page is written to a temporary file while the inputs are processed.
    let mut page = if args.html { begin_page(&shared, run, &mut all) } else { None };
    let mut merge = args.merge.map(|_| Merge::new(&shared.tree, args));
    let is_json = args.format == Some(SummaryFormat::Json);
    inputs::each(
        &args.input,
        loader,
        run,
        |input| folders.folder(&input.source),
        |look, folder| shared.one(look, folder),
        |mut done, run| {
            all.add(&done);
            if let Some(sheets) = &mut merge
                && let Err((path, error)) = done.rows.drain(..).try_for_each(|rows| sheets.add(rows))
            {
                run.broken(&path, &error);
                merge = None;
            }
            if let Some(sheet) = &mut page
                && let Err(error) = done.cards.iter().try_for_each(|card| sheet.add(card))
            {
                run.broken(PAGE, &error);
                page = None;
            }
            if is_json {
                all.written.extend(done.written);
                return Ok(());
            }
            done.written.iter().try_for_each(|(file, size)| writeln!(out, "{}  {size}", crate::table::shown(file)))
        },
    )?;
    game_files.still_there(run);
    // What was merged of some files only gets no name.
    let merge = merge.filter(|_| !interrupt::is_interrupted());
    if let Some(Merged { written, tally }) = merge.map(|merge| merge.finish(run)) {
        all.tally.add(&tally);
        for (path, size) in written {
            let path = table::path(&path);
            if is_json {
                all.written.push((path, size));
            } else if args.dry_run {
                writeln!(out, "{}  {size}", table::shown(&path))?;
            }
        }
    }
    let mut opened = None;
    if let Some(sheet) = page {
        let totals = run.totals();
        let summary = [
            ("files", totals.files.to_string()),
            ("size", size(totals.bytes)),
            ("files with errors", (totals.failed + totals.partial).to_string()),
        ];
        match sheet.finish(run.failures(), &summary) {
            Ok((path, None)) => {
                opened = Some(table::path(&path));
                all.tally.unchanged += 1;
            }
            Ok((path, Some(size))) => {
                all.tally.written += 1;
                all.tally.bytes_written += size;
                let path = table::path(&path);
                opened = Some(path.clone());
                if is_json {
                    all.written.push((path, size));
                } else if args.dry_run {
                    writeln!(out, "{}  {size}", table::shown(&path))?;
                }
            }
            Err(error) => run.broken(&table::path(&args.out.join(PAGE)), &error),
        }
    }
    if is_json {
        let files = all.written.iter().map(|(file, size)| Listed { file: file.clone(), size: *size }).collect();
        let document = Document {
            head: Head::of("export", run),
            out: table::path(&args.out),
            dry_run: args.dry_run,
            exported: all.counts,
            outputs: all.tally,
            files,
        };
        sheet::json(&mut out, &document)?;
    }
    out.flush()?;
    let is_empty = all.tally.written + all.tally.unchanged + all.tally.kept == 0;
    let (verb, summary) =
        if is_empty { ("nothing exported from", String::new()) } else { ("exported", all.summary(args)) };
    run.sum_up(verb, &summary, true);
    if let Some(page) = opened.filter(|_| !args.dry_run) {
        run.hint(&format!("open {page} in a browser"));
    }
    Ok(())
}

/// The first of several names.
fn in_short(all: &[String]) -> String {
    let names: Vec<_> = all.iter().take(3).map(String::as_str).collect();
    let more = if all.len() > names.len() { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

/// The name of the page in the output folder.
const PAGE: &str = "index.html";

fn begin_page(shared: &Shared<'_>, run: &mut Run, all: &mut Done) -> Option<Sheet> {
    let inputs: Vec<_> = shared.args.input.paths.iter().map(|path| table::path(path)).collect();
    let sheet = |file: Option<_>| file.map(|file| Sheet::new(file, &inputs.join(", "))).transpose();
    match shared.tree.top(PAGE).map_err(Error::Io).and_then(sheet) {
        Ok(None) => {
            all.tally.kept += 1;
            None
        }
        Ok(sheet) => sheet,
        Err(error) => {
            run.broken(&table::path(&shared.args.out.join(PAGE)), &error);
            None
        }
    }
}

impl Shared<'_> {
    fn one(&self, mut look: OpenInput<'_>, folder: PathBuf) -> Done {
        let bytes = look.bytes;
        let mut done = Done::default();
        let mut output = Output::new(&self.tree, folder, &look.input.path, bytes);
        // An entry of an archive takes 32 bytes, so a small file can have a lower limit.
        let of_small = (1 << 10) + bytes.len() as u64 / 16;
        // A game's archive has tens of thousands of files.
        let of_large = if look.format == Format::Rez { 1 << 17 } else { 1 << 14 };
        output.most = self.args.max_files.unwrap_or(of_small.min(of_large));
        output.largest = self.args.max_output;
        output.with.clone_from(&self.with);
        output.lists = self.args.dry_run || self.args.format.is_some();
        // The outputs of a single member are not those of the whole archive.
        let options = self.options.as_ref().map(|options| match &look.input.inner {
            Some(inner) => format!("{options} {}", hex(inner)),
            None => options.clone(),
        });
        let is_done = options.as_ref().is_some_and(|options| output.is_done(options));
        if is_done && !self.args.html && self.args.merge.is_none() {
            look.outcome.wanted = true;
            done.tally = output.tally;
            return done;
        }
        // Outputs that already exist are not written again, but still shown on the page and merged.
        let to = if is_done { &[] } else { &self.args.to[..] };
        self.look(&mut look, &mut output, to, &mut done);
        if !is_done
            && let Err(error) = output.finish(options.as_deref().unwrap_or_default(), look.outcome.is_complete())
        {
            let path = output.folder().join("manifest.json");
            report_failed_write(&look.input.path, "manifest.json", &path, Err(error), look.outcome);
        }
        if let Some(other) = &output.replaces {
            let what = format!("replaces the output of {other}, which has the same folder");
            look.outcome.note(&look.input.path, &what);
        }
        if !output.stale.is_empty() {
            let count = table::counted(output.stale.len() as u64, "file");
            let what = format!("{count} of an earlier export are left in its folder: {}", in_short(&output.stale));
            look.outcome.note(&look.input.path, &what);
        }
        done.tally = output.tally;
        done.written = std::mem::take(&mut output.listed);
        done
    }

    fn look(&self, look: &mut OpenInput<'_>, output: &mut Output<'_>, to: &[Kind], done: &mut Done) {
        let mut members = archive::budget(look.bytes.len() as u64);
        // The levels in it are opened on several threads.
        let reach = if look.format == Format::Rez { NestingScope::Named } else { NestingScope::Nested };
        let looked = self.files.look(look, reach, &mut |visit, outcome| {
            match visit.part {
                Asset::World(world) => self.world(world, visit, output, to, done, outcome),
                Asset::Level(..) => {
                    let prefix = visit.file.map_or_else(String::new, |_| rez::level_folder(output, visit.inside));
                    self.level(visit, &prefix, output, to, done, outcome);
                }
                _ if output.is_full() => {}
                Asset::Rez(directory) => {
                    self.rez(visit, output, &mut members, to, done, outcome);
                    self.levels(visit, directory, output, to, done, outcome);
                }
                Asset::Textures(file) => self.textures(&file, visit, output, to, done, outcome),
                Asset::Picture(_) => self.rez(visit, output, &mut members, to, done, outcome),
                _ => self.archive(visit, output, &mut members, to, done, outcome),
            }
            Ok(())
        });
        // Nothing is written to standard output here, so no I/O error can occur.
        debug_assert!(looked.is_ok());
    }

    fn world(
        &self,
        opened: World<'_, '_>,
        visit: &Visit<'_, '_>,
        output: &mut Output<'_>,
        to: &[Kind],
        done: &mut Done,
        outcome: &mut Outcome,
    ) {
        let Some(only) = visit.only(opened, outcome) else { return };
        visit.say_left_out(outcome);
        done.counts.databases += 1;
        // The files that already exist.
        let listed = output.entries().iter().map(|entry| entry.file.clone()).collect();
        let mut export = world::Export {
            opened,
            only: &only,
            options: &self.models,
            threads: self.files.threads,
            encoding: self.args.input.open.encoding.into(),
            input: visit.input,
            output,
            outcome,
            cards: self.args.html.then_some(&mut done.cards),
            packed: 0,
            listed,
        };
        export.write(to);
    }

    fn rez(
        &self,
        visit: &Visit<'_, '_>,
        output: &mut Output<'_>,
        members: &mut Budget,
        to: &[Kind],
        done: &mut Done,
        outcome: &mut Outcome,
    ) {
        visit.say_left_out(outcome);
        let (threads, max_pixels) = (self.files.threads, self.args.max_pixels);
        let mut job = rez::Job { visit, output, threads, max_pixels, members, outcome };
        match visit.part {
            Asset::Rez(directory) => {
                done.counts.archives += 1;
                job.directory(directory, to);
                if self.args.html {
                    done.cards.push(html_index::rez(directory, visit.path, output));
                }
            }
            Asset::Picture(picture) => {
                done.counts.pictures += 1;
                if to.contains(&Kind::Png) {
                    job.picture(&picture);
                }
                if self.args.html {
                    done.cards.push(html_index::picture(&picture, visit.path, output));
                }
            }
            _ => {}
        }
    }

    fn archive(
        &self,
        visit: &Visit<'_, '_>,
        output: &mut Output<'_>,
        members: &mut Budget,
        to: &[Kind],
        done: &mut Done,
        outcome: &mut Outcome,
    ) {
        visit.say_left_out(outcome);
        let prefix = output.below(visit.inside);
        let mut job = archive::Job { args: self.args, visit, prefix: prefix.clone(), output, members, outcome };
        let has_card = self.args.html && done.cards.len() < html_index::MAX_CARDS;
        match visit.part {
            Asset::Table(table) => {
                done.counts.tables += 1;
                if self.args.input.open.recover {
                    let note = &mut |finding: wpd::Finding<'_>| job.outcome.note(visit.path, &finding);
                    wpd::check_overwritten(table, note);
                }
                let is_merged = |kind: &Kind| self.args.merge.is_some() && merge::format(*kind).is_some();
                job.table(table, kinds(to).filter(|kind| !is_merged(kind)));
                if self.args.merge.is_some() {
                    match Rows::of(table, visit.path, self.args) {
                        Ok(rows) => done.rows.extend(rows),
                        Err(error) => job.outcome.input_failed(visit.path, &error),
                    }
                }
                if has_card {
                    done.cards.push(html_index::table(table, visit.path, &prefix, output));
                }
            }
            Asset::Archive(archive) => {
                done.counts.archives += 1;
                if to.contains(&Kind::Members) {
                    job.members(archive);
                }
                if has_card {
                    done.cards.push(html_index::archive(archive, visit.path, &prefix, output));
                }
            }
            _ => {
                job.outcome.input_failed(
                    visit.path,
                    &"is neither a table nor an archive; export the archive that contains it",
                );
            }
        }
    }

    fn level(
        &self,
        visit: &Visit<'_, '_>,
        prefix: &str,
        output: &mut Output<'_>,
        to: &[Kind],
        done: &mut Done,
        outcome: &mut Outcome,
    ) {
        let Asset::Level(level, file) = visit.part else { return };
        let encoding: Encoding = self.args.input.open.encoding.into();
        visit.say_left_out(outcome);
        done.counts.levels += 1;
        let images = self.args.tiles.as_deref().map(|dir| {
            let found = TileImages::of_level(dir, level.header().image_dir.as_bytes());
            found.map_err(|error| outcome.input_failed(visit.path, &format_args!("--tiles: {error}"))).ok()
        });
        let images = images.flatten();
        let game = self.game.pictures(visit, level);
        let game = game.map_err(|error| outcome.input_failed(visit.path, &format_args!("--game: {error}"))).ok();
        let game = game.flatten().filter(|game| !game.is_empty());
        let mut pictures = self.pictures.tiles(images.as_ref());
        if let Some(game) = &game {
            // The pictures of objects show where they are.
            pictures = pictures.game(game).marks(self.args.marks);
        }
        let mut job = level::Job {
            csv: self.args.csv.style(true),
            file,
            level,
            encoding,
            options: &pictures,
            full: self.args.full,
            allowance: Allowance::of(level, &pictures),
            prefix: prefix.to_owned(),
            visit,
            output,
            outcome,
        };
        for kind in kinds(to) {
            job.write(kind, to.contains(&Kind::Tmx));
        }
        if self.args.html {
            done.cards.push(html_index::level((file, level), encoding, &pictures, visit, prefix, output));
        }
        let draws = [Kind::Png, Kind::Tmx, Kind::Tmj, Kind::Preview].iter().any(|kind| to.contains(kind));
        if let Some(game) = game.as_ref().filter(|_| draws) {
            level::report_game(game, level, visit.path, outcome);
        }
        if let Some(images) = &images {
            level::report_tiles(&images.report(), encoding, visit.path, outcome);
        }
    }
}

fn kinds(to: &[Kind]) -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| to.contains(kind))
}

/// Returns a digest of all options that affect the outputs, including the contents of a schema file. Returns `None`
/// if an option names a folder of files.
fn options(args: &ExportArgs) -> Option<String> {
    if args.tiles.is_some() || args.game.is_some() {
        return None;
    }
    let ExportArgs { input, scale, max_pixels, lod, visible_only, no_marks, tile_colors, full, sheet, csv, .. } = args;
    let objects = (args.marks, args.no_objects);
    let open = &input.open;
    let schema = match &open.schema {
        Some(path) => std::fs::read(path).ok()?,
        None => Vec::new(),
    };
    let kinds: Vec<_> = kinds(&args.to).collect();
    let bounds = (open.max_inflate, open.max_depth, open.recover, &open.only, open.encoding);
    let all = format!(
        "{kinds:?} {scale:?} {max_pixels} {lod:?} {visible_only} {no_marks} {objects:?} {tile_colors} {full} {sheet} {csv:?} {bounds:?} {}",
        hex(&schema)
    );
    Some(hex(&Sha256::digest(all)))
}

/// Returns the options that are needed to read an edited output back.
fn with(args: &ExportArgs) -> With {
    let ExportArgs { input, lod, visible_only, full, sheet, csv, .. } = args;
    let open = &input.open;
    let style = csv.style(true);
    let schema = open.schema.as_ref().and_then(|path| std::fs::read(path).ok());
    With {
        encoding: match open.encoding.into() {
            Encoding::Windows1252 => None,
            Encoding::Windows1250 => Some("windows-1250".to_owned()),
        },
        csv_safe: style.safe,
        csv_bom: style.bom,
        sheet: *sheet,
        full: *full,
        visible_only: *visible_only,
        recover: open.recover,
        lod: match lod {
            LodChoice::Best => Some("best".to_owned()),
            LodChoice::Level(level) => Some(level.to_string()),
            _ => None,
        },
        schema: schema.map(|schema| hex(&Sha256::digest(schema))),
    }
}

impl Done {
    fn add(&mut self, other: &Self) {
        let Counts { levels, tables, archives, databases, pictures, textures } = other.counts;
        self.counts.textures += textures;
        self.counts.pictures += pictures;
        self.counts.levels += levels;
        self.counts.tables += tables;
        self.counts.archives += archives;
        self.counts.databases += databases;
        self.tally.add(&other.tally);
    }

    /// Returns the summary for people.
    fn summary(&self, args: &ExportArgs) -> String {
        let Counts { levels, tables, archives, databases, pictures, textures } = self.counts;
        let counts = [
            (levels, "level"),
            (tables, "table"),
            (archives, "archive"),
            (databases, "database"),
            (pictures, "picture"),
            (textures, "texture file"),
        ];
        let counts: Vec<_> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| table::counted(count, what))
            .collect();
        let nothing = if self.tally.unchanged > 0 { "nothing new" } else { "nothing" };
        let counts = if counts.is_empty() { nothing.to_owned() } else { counts.join(", ") };
        let Tally { written, bytes_written, unchanged, kept } = self.tally;
        let would = if args.dry_run { "would be " } else { "" };
        let mut line = format!(
            ": {counts}; {} ({}) {would}written to {}",
            table::counted(written, "file"),
            size(bytes_written),
            table::path(&args.out)
        );
        if unchanged > 0 {
            line.push_str(&format!(", {unchanged} unchanged"));
        }
        if kept > 0 {
            line.push_str(&format!(", {kept} kept"));
        }
        line
    }
}
