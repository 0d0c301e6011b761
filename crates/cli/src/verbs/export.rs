use std::io;
use std::path::Path;
use std::time::Instant;

use worldview::{Format, Loader};
use worldview_export::png::{self, Allowance, TileImages};
use worldview_export::{Error, Result, glb};

use crate::archives::{Archives, Part, Reach};
use crate::args::{ExportArgs, Kind};
use crate::exit::Outcome;
use crate::output::OutputTree;
use crate::{databases, inputs};

mod archive;
mod level;
mod world;

pub(crate) fn export(args: &ExportArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let start = Instant::now();
    let images = match args.tiles.as_deref().map(TileImages::open).transpose() {
        Ok(images) => images,
        Err(error) => {
            outcome.input_failed(Path::new("--tiles"), &error);
            return Ok(());
        }
    };
    let Some(archives) = Archives::new(&args.input, outcome) else { return Ok(()) };
    let options =
        png::Options { scale: args.scale, max_pixels: args.max_pixels, tiles: images.as_ref(), marks: !args.no_marks };
    let mut tree = OutputTree::new(&args.out);
    let (mut levels, mut tables, mut containers, mut worlds) = (0_u64, 0_u64, 0_u64, 0_u64);
    let models = glb::Options { lods: args.lod, encoding: args.input.encoding.into() };
    let kinds = || Kind::ALL.into_iter().filter(|kind| args.to.contains(kind));
    inputs::each(&args.input, loader, outcome, &mut |input, format, bytes, outcome| {
        if format == Format::Island {
            let folder = tree.folder(&input.source);
            return databases::look(input, bytes, outcome, |opened, outcome| {
                opened.say_left_out(input, outcome);
                worlds += 1;
                let only = opened.only(&args.input.only, input, outcome);
                let mut export = world::Export {
                    opened,
                    only: &only,
                    options: &models,
                    encoding: args.input.encoding.into(),
                    input,
                    folder: &folder,
                    tree: &mut tree,
                    outcome,
                };
                export.write(&args.to);
                Ok(())
            });
        }
        if format == Format::Wpd {
            let folder = tree.folder(&input.source);
            return archives.look(input, bytes, Reach::Nested, outcome, &mut |visit, outcome| {
                visit.say_left_out(outcome);
                let folder = &tree.below(&folder, visit.inside);
                let mut job = archive::Job { visit, folder, tree: &mut tree, outcome };
                match visit.part {
                    Part::Table(table) => {
                        tables += 1;
                        job.table(table, kinds());
                    }
                    Part::Archive(archive) => {
                        containers += 1;
                        if args.to.contains(&Kind::Members) {
                            job.members(archive);
                        }
                    }
                    Part::Record(..) | Part::Data(_) => {
                        job.outcome.input_failed(visit.path, &"is neither table nor archive; export what it lies in");
                    }
                }
                Ok(())
            });
        }
        super::look(input, bytes, &args.input, outcome, |file, level, outcome| {
            let folder = tree.folder(&input.source);
            levels += 1;
            let mut job = level::Job {
                file,
                level,
                encoding: args.input.encoding.into(),
                options: &options,
                allowance: Allowance::of(level, &options),
                input,
                folder: &folder,
                tree: &mut tree,
                outcome,
            };
            for kind in kinds() {
                job.write(kind, args.to.contains(&Kind::Tmx));
            }
            Ok(())
        })
    })?;
    let done: Vec<_> = [(levels, "level"), (tables, "table"), (containers, "archive"), (worlds, "database")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}{}", if count == 1 { "" } else { "s" }))
        .collect();
    outcome.summary(&format!(
        "exported to {}: {}, {} files, {} bytes, {:.2} s",
        args.out.display(),
        if done.is_empty() { "nothing".to_owned() } else { done.join(", ") },
        tree.files,
        tree.bytes,
        start.elapsed().as_secs_f64()
    ));
    Ok(())
}

/// Sorts out whose fault it is if a file could not be written.
fn settle(input: &Path, name: &str, path: &Path, written: Result<()>, outcome: &mut Outcome) {
    match written {
        Ok(()) => {}
        Err(Error::Io(error)) => outcome.cannot_write(path, &error),
        // A level without a main plane, a plane without tiles: nothing to draw, and nothing wrong with the rest.
        Err(nothing @ Error::Nothing { .. }) => outcome.note(input, &format_args!("no {name}: {nothing}")),
        Err(error) => outcome.input_failed(input, &format_args!("no {name}: {error}")),
    }
}
