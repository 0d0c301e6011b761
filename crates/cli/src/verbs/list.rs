use std::collections::BTreeMap;
use std::io::{self, Write};

use worldview::{Asset, Loader};

use crate::args::{FormatChoice, ListArgs};
use crate::describe::catalogue::{Catalogue, Counts, Row, finish};
use crate::describe::document::{Cells, Document, Info};
use crate::describe::world::DatabaseEntry;
use crate::describe::{ListEntry, density};
use crate::inputs::{self, OpenInput};
use crate::open::{Files, NestingScope};
use crate::report::Head;
use crate::run::Run;
use crate::sheet;
use crate::table;

type Listed = Info<ListEntry, DatabaseEntry>;

/// The result for one input: its entries, and the same as rows of a catalogue.
#[derive(Default)]
struct InputResult {
    listed: Vec<Listed>,
    rows: Vec<Row>,
}

pub(crate) fn list(args: &ListArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let threads = inputs::threads_inside(&args.input, run);
    let Some(files) = Files::new(&args.input.open, threads, run) else { return Ok(()) };
    let format = args.format;
    let look = |look: OpenInput<'_>, ()| one(args, &files, look);
    let mut out = run.stdout(args.csv.style(args.format == FormatChoice::Csv), args.format == FormatChoice::Table);
    let mut sheet = Catalogue::new();
    let mut all = Vec::new();
    inputs::each(
        &args.input,
        loader,
        run,
        |_| (),
        look,
        |made, _| {
            let InputResult { listed, rows } = made?;
            match format {
                FormatChoice::Table | FormatChoice::Json => {
                    all.extend(listed);
                    Ok(())
                }
                FormatChoice::Ndjson => listed.iter().try_for_each(|listed| sheet::json_line(&mut out, listed)),
                FormatChoice::Csv => rows.iter().try_for_each(|row| sheet.write(row, &mut out)),
            }
        },
    )?;
    match format {
        FormatChoice::Table => print(&all, &mut out)?,
        FormatChoice::Json => {
            sheet::json(&mut out, &Document::new(all, Head::of("list", run)))?;
        }
        FormatChoice::Ndjson | FormatChoice::Csv => {}
    }
    finish(format, run.inputs(), &mut sheet, &mut out)?;
    out.flush()?;
    run.sum_up("listed", "", false);
    Ok(())
}

fn one(args: &ListArgs, files: &Files<'_>, mut look: OpenInput<'_>) -> io::Result<InputResult> {
    let mut made = InputResult::default();
    let (bytes, encoding) = (look.bytes, args.input.open.encoding.into());
    let modified = modified(&look.input.path);
    files.look(&mut look, NestingScope::Catalogue, &mut |visit, outcome| {
        let path = table::path(visit.path);
        let (row, listed) = match visit.part {
            Asset::Outline(outline) => {
                let bytes = visit.file.map_or(&bytes[..], |file| file.data());
                let entry = ListEntry::of(path, bytes, outline, encoding);
                let grid = entry.columns.zip(entry.rows).map(|(columns, rows)| [columns, rows]);
                let counts = Counts { planes: entry.planes, grid, tiles: entry.tiles, objects: entry.objects };
                (Row::of_level(&entry.heading, &counts), Info::Level(entry))
            }
            // An archive can have thousands, so its own are only listed on request.
            Asset::Picture(_) if visit.file.is_some() && args.input.open.only.is_empty() => return Ok(()),
            Asset::World(world) => {
                if visit.only(world, outcome).is_none() {
                    return Ok(());
                }
                let entry = DatabaseEntry::of(path, world);
                (Row::of_database(&entry), Info::Database(entry))
            }
            Asset::Record(..) => {
                outcome.input_failed(visit.path, &"is a record; list the table that contains it");
                return Ok(());
            }
            ref asset => match Info::of(path, asset, false) {
                Some(info) => (info.row(), info),
                None => {
                    outcome.input_failed(visit.path, &"is a member that is not in a known format");
                    return Ok(());
                }
            },
        };
        visit.say_left_out(outcome);
        made.rows.push(row.modified(&modified));
        made.listed.push(listed);
        Ok(())
    })?;
    Ok(made)
}

/// Returns the modification time of a file, in UTC.
fn modified(path: &std::path::Path) -> Option<String> {
    let time = std::fs::metadata(path).ok()?.modified().ok()?;
    Some(humantime::format_rfc3339_seconds(time).to_string())
}

/// Prints a separate table for each kind, because they only share the first column.
fn print(all: &[Listed], out: &mut dyn Write) -> io::Result<()> {
    let mut tables: BTreeMap<u8, (&[&str], Vec<Vec<String>>)> = BTreeMap::new();
    for listed in all {
        let (number, columns, row) = match listed {
            Info::Level(entry) => level_row(entry),
            Info::Database(entry) => database_row(entry),
            info => info.cells(),
        };
        tables.entry(number).or_insert_with(|| (columns, Vec::new())).1.push(row);
    }
    let mut first = true;
    for (columns, rows) in tables.values() {
        if !first {
            writeln!(out)?;
        }
        first = false;
        table::write(out, columns, rows)?;
    }
    Ok(())
}

fn database_row(entry: &DatabaseEntry) -> Cells {
    let columns =
        &["path", "kind", ">bytes", ">worlds", ">part blobs", ">model blobs", ">global parts", ">global textures"];
    let row = vec![
        entry.path.clone(),
        entry.format.into(),
        entry.length.to_string(),
        entry.world_count.to_string(),
        entry.part_blobs.to_string(),
        entry.model_blobs.to_string(),
        entry.global_parts.to_string(),
        entry.global_textures.to_string(),
    ];
    (5, columns, row)
}

fn level_row(entry: &ListEntry) -> Cells {
    let columns = &[
        "path", "game", "name", "author", "birth", ">bytes", ">planes", ">columns", ">rows", ">tiles", ">objects",
        ">density",
    ];
    let heading = &entry.heading;
    let row = vec![
        heading.path.clone(),
        heading.game.unwrap_or("?").into(),
        heading.name.clone(),
        heading.author.clone(),
        heading.birth.clone(),
        heading.length.to_string(),
        entry.planes.to_string(),
        entry.columns.map_or(String::new(), |columns| columns.to_string()),
        entry.rows.map_or(String::new(), |rows| rows.to_string()),
        entry.tiles.to_string(),
        entry.objects.to_string(),
        density(entry.objects, entry.tiles).map_or(String::new(), |density| format!("{density:.1}")),
    ];
    (0, columns, row)
}
