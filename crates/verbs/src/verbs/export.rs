use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

use serde::Serialize;
use worldview::island::TextureFile;
use worldview::wpd::Table;
use worldview::{Asset, Format, rez, wpd};
use worldview_export::hex;
use worldview_export::level::png;
use worldview_export::model::glb;
use worldview_export::outputs::{self, Item, OutputKind as Kind};
use worldview_export::table::Selection;

use crate::game::{Game, GameFiles};
use crate::inputs::{self, Inputs, OpenInput};
use crate::open::{Files, Reach};
use crate::options::{ExportOptions, Layout, MergeBy, Tiles};
use crate::output::{Folders, InputDigest, Manifest, Output, OutputTree, With, check_folder};
use crate::report::{Error, Report, Result, Status};
use crate::run::Run;
use crate::selected::{Cells, Worlds};
use crate::table;
use crate::texts;
use crate::world::World;
use done::Done;
use manifests::{options, with};
use merge::{Merge, Merged, Rows};
use sink::{AssetFiles, report_failed_write, writes_nothing};

mod done;
mod levels;
mod manifests;
mod merge;
mod missing;
mod sink;

pub use crate::output::{Counts, Tally, WrittenFile};

/// Maximum pixels of a picture by default.
const MAX_PIXELS: u64 = 1 << 28;

/// Maximum number of bytes written per input by default.
const MAX_OUTPUT: u64 = 1 << 32;

/// State shared by all inputs.
struct Shared<'s> {
    inputs: Inputs<'s>,
    args: &'s ExportOptions,
    files: Files<'s>,
    tree: OutputTree,
    game: Game<'s>,
    outputs: outputs::Options<'s>,
    /// A digest of all options that affect the outputs; `None` if it cannot be determined.
    options: Option<String>,
    /// Their form in manifests.
    with: With,
    /// Whether the rows of all inputs were merged by an earlier run.
    is_merged: bool,
}

/// The results of `export`.
#[derive(Clone, Debug, Serialize)]
pub struct ExportReport {
    /// The output folder.
    pub out: String,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The inputs that were exported.
    pub exported: Counts,
    /// Counts of files that were written or already existed.
    pub outputs: Tally,
    /// Outputs whose inputs are gone.
    pub stale: Vec<String>,
    /// The files that were written, or would be by a dry run.
    pub files: Vec<WrittenFile>,
    /// The outputs that a person would open first: a map, a model, and a sheet or a picture.
    #[serde(skip)]
    pub highlights: Vec<String>,
}

impl ExportReport {
    /// Returns whether there is no output, neither new nor old.
    pub const fn is_empty(&self) -> bool {
        self.outputs.count() == 0
    }
}

/// Converts files to what the option `to` names, in a folder. Files get their names when they are complete, so a run that ends early leaves no
/// partial file; another run goes on where it was.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if the folder cannot be written to.
pub fn export(paths: &[PathBuf], args: &ExportOptions, run: &mut Run<'_>) -> Result<Report<ExportReport>> {
    check_folder(&args.out)?;
    if let Some(tiles) = args.tiles.as_ref().and_then(Tiles::folder)
        && let Err(error) = std::fs::read_dir(tiles)
    {
        return Err(Error::failed("--tiles", &format_args!("{}: {error}", table::path(tiles))));
    }
    if let Some(by) = args.merge.filter(|by| !args.to.iter().any(|kind| merge::merges(*by, *kind))) {
        let why = match by {
            MergeBy::Workbook => "needs --to xlsx",
            MergeBy::Sheet | MergeBy::Layout => "needs --to parquet or --to arrow",
        };
        return Err(Error::refused("--merge", &why));
    }
    let inputs = Inputs { paths, open: &args.open };
    let files = Files::new(&args.open, inputs.threads_inside(run))?;
    let game_files = GameFiles::open(args.game.as_deref(), run.loader_for(args.open.mmap))?;
    let archives = game_files.opened();
    let words = texts::read(&args.words, run)?;
    let shown_out = table::path(&args.out);
    let not_written = |error: io::Error| Error::broken(&shown_out, &format_args!("cannot be written to: {error}"));
    let waits = || run.note(&shown_out, &"waiting for another run that writes to this folder");
    let mut tree = OutputTree::new(&args.out, args.overwrite, args.preview.dry_run, waits).map_err(not_written)?;
    (tree.is_flat, tree.prune) = (args.layout == Layout::Flat, args.prune);
    if args.merge.is_some() {
        // Rows are held back until all earlier files are finished.
        run.window = Some(8);
    }
    // If the output folder is among the inputs, it is not read.
    run.exclude = args.out.canonicalize().ok();
    let options = options(args);
    let mut merged = options.as_deref().filter(|_| args.merge.is_some()).and_then(|options| {
        let digest = || Manifest::digest_of(&inputs::digests(inputs, run)).1;
        tree.merged(options).filter(|merged| merged.sha256 == digest())
    });
    let encoding = args.open.encoding;
    let outputs = outputs::Options {
        encoding,
        full: args.full,
        csv: args.csv.style(true),
        selection: Selection::ALL.sheet(args.sheet).words(words.as_ref()),
        pictures: png::Options::default()
            .scale(args.scale)
            .max_pixels(args.open.limits.of(args.max_pixels, MAX_PIXELS))
            .marks(args.marks_objects(false))
            .objects(args.draws_objects())
            .tile_colors(args.tiles == Some(Tiles::Colors)),
        models: glb::Options::default().lods(args.lod).visible_only(args.visible_only).encoding(encoding),
    };
    let (game, with, is_merged) = (Game::new(&game_files, &archives), with(args), merged.is_some());
    let shared = Shared { inputs, args, files, tree, game, outputs, options, with, is_merged };
    let mut folders = Folders::default();
    let mut visited = HashSet::new();
    let mut all = Done::default();
    // The manifest is written to a temporary file while the inputs are processed.
    let mut lines = shared.lines().map_err(not_written)?;
    let mut merge = args.merge.filter(|_| merged.is_none()).map(|_| Merge::new(&shared.tree, args));
    // An input that cannot be opened is reported by every run, and has no digest.
    let (mut digests, mut all_whole) = (Vec::new(), true);
    inputs::each(
        inputs,
        run,
        |input| {
            let folder = folders.folder(&input.source);
            visited.insert(folder.clone());
            let flat = shared.tree.is_flat.then(|| folders.flat(&input.source, &folder));
            (folder, flat)
        },
        |look, place| shared.one(look, place),
        |mut done, run| {
            let is_done = done.made.tally.count() > 0 || !done.rows.is_empty() || shared.is_merged;
            run.count_done(is_done);
            all.add(&mut done);
            digests.extend(done.digest.take());
            all_whole &= done.is_whole;
            if let Some(sheets) = &mut merge
                && let Err((path, error)) = done.rows.drain(..).try_for_each(|rows| sheets.add(rows))
            {
                run.broken(&path, &error);
                merge = None;
            }
            if shared.lists_inputs()
                && let Some(list) = &mut lines
                && let Err(error) = list.add_input(&run.report.inputs, done.line.as_ref())
            {
                run.broken(Manifest::NAME, &error);
                lines = None;
            }
            Ok(())
        },
    )?;
    game_files.still_there(run);
    // What was merged of some files only gets no name.
    let merge = merge.filter(|_| !run.is_canceled());
    if let Some(old) = &merged {
        all.made.tally.unchanged += old.files.len() as u64;
        all.counts = old.exported;
    } else if let Some(merge) = merge {
        let failures = run.report.failures.len();
        let Merged { made, files } = merge.finish(run);
        let kept = made.tally.kept;
        all.made.append(made);
        let is_complete =
            all_whole && kept == shared.tree.edited().len() as u64 && run.report.failures.len() == failures;
        let mut manifest = Manifest::merged(&digests, all.counts, files);
        manifest.complete = is_complete;
        manifest.options.extend(shared.options.clone());
        shared.tree.finish_merged(&mut manifest, &mut all.made.stale);
        merged = Some(manifest);
    }
    if let Some(manifest) = &mut merged {
        manifest.why = run.report.failures.first().cloned();
        manifest.status = if manifest.why.is_none() { Status::Ok } else { Status::Partial };
    }
    done::say_edited(&shared.tree.edited(), |what| run.note(&shown_out, what));
    let mut report = all.report(args);
    if !report.is_empty() {
        shared.finish_manifests(lines, merged.as_ref(), &visited, run, &mut all);
        report = all.report(args);
    }
    Ok(run.end("export", report))
}

impl Shared<'_> {
    /// Whether the rows of a kind of output are merged with those of other inputs.
    fn merges(&self, kind: Kind) -> bool {
        self.args.merge.is_some_and(|by| merge::merges(by, kind))
    }

    fn one(&self, mut look: OpenInput<'_>, (folder, flat): (PathBuf, Option<String>)) -> Done {
        let bytes = look.bytes;
        let mut done = Done::default();
        if self.is_merged && look.format == Format::Wpd && self.args.to.iter().all(|kind| self.merges(*kind)) {
            look.outcome.wanted = true;
            return done;
        }
        let mut output = Output::new(&self.tree, folder, &look.input.path, bytes);
        // Maps refer to the pictures beside them.
        let has_map = self.args.to.iter().any(|kind| matches!(kind, Kind::Tmx | Kind::Tmj));
        output.stem.clone_from(&flat);
        output.flat = flat.filter(|_| !(has_map && look.format == Format::Wwd));
        // An entry of an archive takes 32 bytes, so a small file can have a lower limit.
        let of_small = (1 << 10) + bytes.len() as u64 / 16;
        // A game's archive has tens of thousands of files.
        let of_large = if look.format == Format::Rez { 1 << 17 } else { 1 << 14 };
        let limits = self.args.open.limits;
        output.most = limits.of(self.args.max_files, of_small.min(of_large));
        output.largest = limits.of(self.args.max_output, MAX_OUTPUT);
        output.with.clone_from(&self.with);
        output.lists = self.args.lists;
        // The outputs of a part are not those of the whole file.
        let inside: String = look.input.inside.iter().map(|inside| format!(" {inside}")).collect();
        let options = self.options.as_ref().map(|options| format!("{options}{}", hex(inside.as_bytes())));
        let counts = output.is_done(options.as_deref());
        if self.args.merge.is_some() && !self.is_merged {
            let (source, length) = (table::path(&look.input.path), bytes.len() as u64);
            done.digest = Some(InputDigest { source, length, sha256: output.digest().clone() });
        }
        if counts.is_some() || self.is_merged {
            // What was exported before was found then.
            look.input.inside.iter().for_each(|pattern| pattern.mark_found());
        }
        if let Some(counts) = counts
            && (self.args.merge.is_none() || self.is_merged)
        {
            look.outcome.wanted = true;
            done.counts = counts;
            done.take(&mut output, look.outcome);
            return done;
        }
        // Outputs that already exist are not written again, but still merged.
        let to = if counts.is_some() { &[] } else { &self.args.to[..] };
        self.look(&mut look, &mut output, to, &mut done);
        if counts.is_none()
            && let Err(error) = output.finish(options.as_deref().unwrap_or_default(), look.outcome, done.counts)
        {
            let path = output.folder().join(Manifest::NAME);
            report_failed_write(&look.input.path, Manifest::NAME, &path, Err(error), look.outcome);
        }
        if let Some(other) = &output.replaces {
            let what = format!("replaces the output of {other}, which has the same folder");
            look.outcome.note(&look.input.path, &what);
        }
        done.is_whole = look.outcome.is_complete();
        done.take(&mut output, look.outcome);
        done
    }

    fn look(&self, look: &mut OpenInput<'_>, output: &mut Output<'_>, to: &[Kind], done: &mut Done) {
        let mut members = sink::budget(look.bytes.len() as u64);
        // The levels in it are opened on several threads.
        let (format, is_named) = (look.format, look.input.named);
        let reach = if format == Format::Rez { Reach::EXPORT_REZ } else { Reach::EXPORT };
        self.files.each(look, reach, &mut |visit, outcome| {
            let (prefix, threads, members) = (String::new(), self.files.threads, Some(&mut members));
            if is_named
                && visit.inside.as_os_str().is_empty()
                && let Some(why) = writes_nothing(visit.part.kind(visit.at), format, to)
            {
                outcome.note(visit.path, &why);
            }
            let mut files = AssetFiles { visit, prefix, threads, members, output, outcome };
            match visit.part {
                Asset::Database(_) => self.world(to, done, files),
                Asset::Level(..) => {
                    if visit.file.is_some() {
                        files.prefix = levels::level_folder(files.output, visit.inside);
                    }
                    self.level(to, done, files);
                }
                _ if files.output.is_full() => {}
                Asset::Rez(_) => {
                    self.rez(to, done, &mut files);
                    self.levels(to, done, files);
                }
                Asset::Textures(file) => self.textures(file, to, done, files),
                Asset::Picture(_) => self.rez(to, done, &mut files),
                _ => self.archive(to, done, files),
            }
        });
    }

    fn world(&self, to: &[Kind], done: &mut Done, mut files: AssetFiles<'_, '_, '_, '_>) {
        let visit = files.visit;
        let Some(world) = visit.world() else { return };
        let Some(only) = visit.only(world, files.outcome) else { return };
        visit.say_left_out(files.outcome);
        let World { database, contents } = world;
        let wants = |item: Item, name: &[u8]| only.wants(database, item, name);
        // The same selection as in `show`, but always complete.
        let select = Worlds { only: &only, database };
        let before = files.mark();
        outputs::world((database, contents), &wants, &select, to, &self.outputs, &mut files);
        done.counts.databases += u64::from(files.has_outputs(before));
    }

    fn textures(&self, file: &TextureFile<'_>, to: &[Kind], done: &mut Done, mut files: AssetFiles<'_, '_, '_, '_>) {
        files.visit.say_left_out(files.outcome);
        let before = files.mark();
        outputs::textures(file, to, &self.outputs, &mut files);
        done.counts.textures += u64::from(files.has_outputs(before));
    }

    fn rez(&self, to: &[Kind], done: &mut Done, files: &mut AssetFiles<'_, '_, '_, '_>) {
        let visit = files.visit;
        visit.say_left_out(files.outcome);
        let (mut folders, length) = (std::mem::take(&mut files.output.folders), files.output.length());
        if let Some(directory) = visit.directory() {
            let wants = |file: &rez::File<'_, '_>| visit.wants_file(file);
            let before = files.mark();
            outputs::directory(directory, &wants, to, &self.outputs, &mut folders, files);
            done.counts.archives += u64::from(files.has_exported(before));
        }
        if let Asset::Picture(picture) = visit.part {
            let before = files.mark();
            if to.contains(&Kind::Png) {
                outputs::picture(*picture, visit.file, length, &self.outputs, &mut folders, files);
            }
            done.counts.pictures += u64::from(files.has_outputs(before));
        }
        files.output.folders = folders;
    }

    /// Exports the records and fields of a table that a path selects.
    fn cells(&self, table: &Table<'_>, inside: &str, to: &[Kind], files: &mut AssetFiles<'_, '_, '_, '_>) {
        let visit = files.visit;
        let mut refuse = |why: &str| files.outcome.input_failed(visit.path, &why);
        if self.args.merge.is_some() {
            return refuse("only whole tables are merged; export the selected records without --merge");
        }
        if to.iter().any(|kind| matches!(kind, Kind::Json | Kind::Text)) {
            refuse("a document has a whole table; --to csv, xlsx, ndjson, parquet or arrow writes selected records");
        }
        if visit.selects_besides_entries() {
            refuse("only records and fields of them are exported; `worldview show` prints what else the path selects");
        }
        let [group] = &Cells::of(table, visit.selected)[..] else {
            return refuse("an export has the same fields of all records; export the records with other fields apart");
        };
        let fields: Option<Vec<_>> = group.fields.as_ref().map(|fields| fields.iter().map(Vec::as_slice).collect());
        let mut options = self.outputs;
        (options.selection.rows, options.selection.fields) = (Some(&group.rows[..]), fields.as_deref());
        let to: Vec<_> = to.iter().copied().filter(|kind| !matches!(kind, Kind::Json | Kind::Text)).collect();
        // Nobody may take what was not selected for removed.
        files.output.with.parts = visit.input.inside.iter().map(ToString::to_string).collect();
        outputs::table(table, inside, &to, &options, files);
        files.output.with.parts.clear();
    }

    fn archive(&self, to: &[Kind], done: &mut Done, mut files: AssetFiles<'_, '_, '_, '_>) {
        let (visit, inside) = (files.visit, files.visit.inner());
        visit.say_left_out(files.outcome);
        files.prefix = files.output.folders.below(visit.inside);
        match visit.part {
            Asset::Table(table) => {
                if self.args.open.recover {
                    let note = &mut |finding: wpd::Finding<'_>| files.outcome.note(visit.path, &finding);
                    wpd::check_overwritten(table, note);
                }
                let to: Vec<_> = to.iter().copied().filter(|kind| !self.merges(*kind)).collect();
                let (before, is_whole) = (files.mark(), visit.selected.is_all());
                match is_whole {
                    true => outputs::table(table, &inside, &to, &self.outputs, &mut files),
                    false => self.cells(table, &inside, &to, &mut files),
                }
                done.counts.tables += u64::from(files.has_exported(before));
                if is_whole && self.args.merge.is_some() && !self.is_merged {
                    match Rows::of(table, visit, self.args) {
                        Ok(rows) => done.rows.extend(rows),
                        Err(error) => files.outcome.input_failed(visit.path, &error),
                    }
                }
            }
            Asset::Archive(archive) => {
                let before = files.mark();
                if to.contains(&Kind::Members) {
                    outputs::archive(archive, &inside, &|member| visit.wants(member), &mut files);
                }
                done.counts.archives += u64::from(files.has_exported(before));
            }
            _ => {
                let why = "is neither a table nor an archive; export the archive that contains it";
                files.outcome.input_failed(visit.path, &why);
            }
        }
    }
}
