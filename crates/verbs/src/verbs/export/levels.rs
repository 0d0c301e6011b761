//! The export of levels: also of those in REZ archives, on all threads.

use std::cell::RefCell;
use std::path::Path;

use worldview::Asset;
use worldview::wwd::Level;
use worldview_export::level::game::LevelPictures;
use worldview_export::level::png::{TileImages, TileReport};
use worldview_export::outputs;
use worldview_export::{Encoding, Error};

use super::sink::AssetFiles;
use super::{Done, Shared};
use crate::interrupt;
use crate::options::Tiles;
use crate::outcome::Outcome;
use crate::output::{Origin, Output};
use crate::report::Failure;
use crate::table;
use worldview_export::outputs::OutputKind as Kind;

impl Shared<'_> {
    /// Exports a level.
    pub(super) fn level(&self, to: &[Kind], done: &mut Done, mut files: AssetFiles<'_, '_, '_, '_>) {
        let visit = files.visit;
        let Asset::Level(level, file) = visit.part else { return };
        let before = files.mark();
        visit.say_left_out(files.outcome);
        let outcome = &mut *files.outcome;
        let mut failed = |option, error: Error| {
            outcome.input_failed(visit.path, &Failure::of(&error, format!("{option}: {error}")));
        };
        let images = self.args.tiles.as_ref().and_then(Tiles::folder).and_then(|dir| {
            let found = TileImages::of_level(dir, level.header().image_dir.as_bytes());
            found.map_err(|error| failed("--tiles", error)).ok()
        });
        let game = self.game.pictures(visit, level).map_err(|error| failed("--game", error)).ok();
        let is_searched = self.args.game.is_some() && game.is_some();
        let game = game.flatten().filter(|game| !game.is_empty());
        let mut pictures = self.outputs.pictures.tiles(images.as_ref());
        if let Some(game) = &game {
            // The pictures of objects show where they are.
            pictures = pictures.game(game).marks(self.args.marks_objects(true));
        }
        let options = outputs::Options { pictures, ..self.outputs };
        let from = match visit.file {
            None => Origin { length: Some(files.output.length()), ..Origin::default() },
            Some(file) => {
                let (inside, data) = (file.path().to_string(), file.source());
                Origin { inside, offset: data.base(), length: Some(data.len()), ..Origin::default() }
            }
        };
        outputs::level(file, level, &from, to, &options, &mut files);
        done.counts.levels += u64::from(files.has_outputs(before));
        let draws = [Kind::Png, Kind::Tmx, Kind::Tmj, Kind::Preview].iter().any(|kind| to.contains(kind));
        match &game {
            Some(game) if draws => report_game(game, level, visit.path, files.outcome),
            None if draws && is_searched => {
                files.outcome.note(visit.path, &"the game has no pictures for this level, so none are drawn");
            }
            _ => {}
        }
        if let Some(images) = &images {
            report_tiles(&images.report(), self.outputs.encoding, visit.path, files.outcome);
        }
    }

    /// Exports the levels in an archive, on all threads.
    pub(super) fn levels(&self, to: &[Kind], done: &mut Done, files: AssetFiles<'_, '_, '_, '_>) {
        let AssetFiles { visit, threads, output, outcome, .. } = files;
        if visit.directory().is_none() {
            return;
        }
        let branch = output.branch();
        let output = RefCell::new(output);
        self.files.levels(
            visit,
            |inside| level_folder(&mut output.borrow_mut(), inside),
            |prefix, visit, outcome| {
                let (mut branch, mut done) = (branch.branch(), Done::default());
                if interrupt::is_interrupted() {
                    outcome.is_cut = true;
                } else {
                    let (prefix, output) = (prefix.clone(), &mut branch);
                    self.level(to, &mut done, AssetFiles { visit, prefix, threads, members: None, output, outcome });
                }
                (branch, done)
            },
            |part, made, once| {
                let output = &mut **output.borrow_mut();
                let Some((prefix, (branch, mut part_done))) = made else { return outcome.append(part) };
                if let Some(failed) = output.join(branch) {
                    done.add(&mut part_done);
                    outcome.append(part);
                    failed.iter().for_each(|(path, error)| outcome.cannot_write(path, error));
                    return;
                }
                outcome.append(once(&mut |visit, outcome| {
                    let (prefix, output) = (prefix.clone(), &mut *output);
                    self.level(to, done, AssetFiles { visit, prefix, threads, members: None, output, outcome });
                    Ok(())
                }));
            },
        );
    }
}

/// Assigns a folder to a level in an archive.
pub(super) fn level_folder(output: &mut Output<'_>, inside: &Path) -> String {
    if let Some(directory) = inside.parent() {
        output.folders.folder_of(directory);
    }
    output.folders.below(inside)
}

/// Says how much of a level its game has no pictures for.
fn report_game(game: &LevelPictures<'_>, level: &Level<'_>, path: &Path, outcome: &mut Outcome) {
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
fn report_tiles(report: &TileReport, encoding: Encoding, path: &Path, outcome: &mut Outcome) {
    for (image_set, frames) in &report.missing {
        let plural = if frames.len() == 1 { "" } else { "s" };
        let set = encoding.visible(image_set);
        outcome.note(path, &format_args!("no picture for frame{plural} {} of {set}", table::numbers(frames.iter())));
    }
    for why in report.broken.values() {
        outcome.input_failed(path, &format_args!("a tile keeps its flat color: {why}"));
    }
}
