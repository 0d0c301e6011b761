use std::io::{self, Write};

use serde::Serialize;
use worldview::{Asset, Loader};

use crate::args::{FormatChoice, ListArgs};
use crate::describe::catalogue::{Catalogue, Counts, Row};
use crate::describe::rez::PictureInfo;
use crate::describe::world::DatabaseEntry;
use crate::describe::{ArchiveInfo, ListEntry, TableInfo, VERSION, density};
use crate::inputs::{self, OpenInput};
use crate::open::{Files, NestingScope};
use crate::outcome::Failure;
use crate::run::{Run, Summary};
use crate::sheet;
use crate::table;

#[derive(Serialize)]
struct Document<'o> {
    version: u32,
    summary: Summary,
    failed: &'o [Failure],
    levels: Vec<ListEntry>,
    tables: Vec<TableInfo>,
    archives: Vec<ArchiveInfo>,
    databases: Vec<DatabaseEntry>,
    pictures: Vec<PictureInfo>,
}

/// The result for one input: its entries, and the same as rows of a catalogue.
#[derive(Default)]
struct InputResult {
    listed: Vec<Listed>,
    rows: Vec<Row>,
}

/// A line of NDJSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Listed {
    Level(ListEntry),
    Table(TableInfo),
    Archive(ArchiveInfo),
    Database(DatabaseEntry),
    Picture(PictureInfo),
}

pub(crate) fn list(args: &ListArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let threads = inputs::threads_inside(&args.input, run);
    let Some(files) = Files::new(&args.input.open, threads, run) else { return Ok(()) };
    let format = args.format;
    let look = |look: OpenInput<'_>, ()| one(args, &files, look);
    let mut out = run.stdout(args.csv.style(args.format == FormatChoice::Csv));
    let mut sheet = Catalogue::new();
    let mut all = Lists::default();
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
                    listed.into_iter().for_each(|listed| all.push(listed));
                    Ok(())
                }
                FormatChoice::Ndjson => listed.iter().try_for_each(|listed| sheet::json_line(&mut out, listed)),
                FormatChoice::Csv => rows.iter().try_for_each(|row| sheet.write(row, &mut out)),
            }
        },
    )?;
    match format {
        FormatChoice::Table => all.print(&mut out)?,
        FormatChoice::Json => {
            let Lists { levels, tables, archives, databases, pictures } = all;
            let failed = run.failures();
            let summary = run.summary();
            let document =
                Document { version: VERSION, summary, failed, levels, tables, archives, databases, pictures };
            sheet::json(&mut out, &document)?;
        }
        FormatChoice::Ndjson | FormatChoice::Csv => {}
    }
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
                let counts = Counts { planes: entry.planes, tiles: entry.tiles, objects: entry.objects };
                (Row::of_level(&entry.heading, &counts), Listed::Level(entry))
            }
            Asset::Table(table) => {
                let info = TableInfo::of(path, table);
                (Row::of_table(&info), Listed::Table(info))
            }
            Asset::Archive(archive) => {
                let info = ArchiveInfo::of(path, archive, false);
                (Row::of_archive(&info), Listed::Archive(info))
            }
            Asset::Rez(directory) => {
                let info = ArchiveInfo::of_rez(path, directory, false);
                (Row::of_archive(&info), Listed::Archive(info))
            }
            // An archive can have thousands, so its own are only listed on request.
            Asset::Picture(_) if visit.file.is_some() && args.input.open.only.is_empty() => return Ok(()),
            Asset::Picture(picture) => {
                let info = PictureInfo::of(path, &picture);
                (Row::of_picture(&info), Listed::Picture(info))
            }
            Asset::World(world) => {
                if visit.only(world, outcome).is_none() {
                    return Ok(());
                }
                let entry = DatabaseEntry::of(path, world);
                (Row::of_database(&entry), Listed::Database(entry))
            }
            Asset::Record(..) => {
                outcome.input_failed(visit.path, &"is a record; list the table that contains it");
                return Ok(());
            }
            _ => {
                outcome.input_failed(visit.path, &"is a member that is not in a known format");
                return Ok(());
            }
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

#[derive(Default)]
struct Lists {
    levels: Vec<ListEntry>,
    tables: Vec<TableInfo>,
    archives: Vec<ArchiveInfo>,
    databases: Vec<DatabaseEntry>,
    pictures: Vec<PictureInfo>,
}

impl Lists {
    fn push(&mut self, listed: Listed) {
        match listed {
            Listed::Level(entry) => self.levels.push(entry),
            Listed::Table(info) => self.tables.push(info),
            Listed::Archive(info) => self.archives.push(info),
            Listed::Database(entry) => self.databases.push(entry),
            Listed::Picture(info) => self.pictures.push(info),
        }
    }

    /// Prints a separate table for each format, because they only share the first column.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let (rez, archives): (Vec<_>, Vec<_>) = self.archives.iter().partition(|archive| archive.format == "rez");
        let lists: [(&[&str], Vec<Vec<String>>); 6] = [
            (
                &[
                    "file",
                    "game",
                    "name",
                    "author",
                    "created",
                    ">bytes",
                    ">planes",
                    ">tiles",
                    ">objects",
                    ">objects/1000 tiles",
                ],
                self.levels.iter().map(row).collect(),
            ),
            (
                &["file", "kind", "sheet", ">bytes", ">records", ">fields", ">record size", "names"],
                self.tables.iter().map(table_row).collect(),
            ),
            (
                &["file", "kind", ">bytes", ">members", ">tables", ">archives"],
                archives.into_iter().map(archive_row).collect(),
            ),
            (&["file", "kind", ">bytes", ">files", ">levels", ">pictures"], rez.into_iter().map(rez_row).collect()),
            (&["file", "kind", ">bytes", ">width", ">height"], self.pictures.iter().map(picture_row).collect()),
            (
                &[
                    "file",
                    "kind",
                    ">bytes",
                    ">worlds",
                    ">part blobs",
                    ">model blobs",
                    ">global parts",
                    ">global textures",
                ],
                self.databases.iter().map(database_row).collect(),
            ),
        ];
        let mut first = true;
        for (columns, rows) in lists.iter().filter(|(_, rows)| !rows.is_empty()) {
            if !first {
                writeln!(out)?;
            }
            first = false;
            table::write(out, columns, rows)?;
        }
        Ok(())
    }
}

fn table_row(table: &TableInfo) -> Vec<String> {
    vec![
        table.path.clone(),
        table.generation.into(),
        table.sheet_name.clone().or_else(|| table.schema.clone()).unwrap_or_default(),
        table.length.to_string(),
        table.records.to_string(),
        table.fields.to_string(),
        table.record_size.to_string(),
        table.names.into(),
    ]
}

fn archive_row(archive: &ArchiveInfo) -> Vec<String> {
    vec![
        archive.path.clone(),
        archive.format.into(),
        archive.length.to_string(),
        archive.count.to_string(),
        archive.tables.to_string(),
        archive.archives.to_string(),
    ]
}

fn rez_row(archive: &ArchiveInfo) -> Vec<String> {
    vec![
        archive.path.clone(),
        archive.format.into(),
        archive.length.to_string(),
        archive.count.to_string(),
        archive.levels.unwrap_or(0).to_string(),
        archive.pictures.unwrap_or(0).to_string(),
    ]
}

fn picture_row(picture: &PictureInfo) -> Vec<String> {
    vec![
        picture.path.clone(),
        picture.format.into(),
        picture.length.to_string(),
        picture.width.to_string(),
        picture.height.to_string(),
    ]
}

fn database_row(entry: &DatabaseEntry) -> Vec<String> {
    vec![
        entry.path.clone(),
        entry.format.into(),
        entry.length.to_string(),
        entry.world_count.to_string(),
        entry.part_blobs.to_string(),
        entry.model_blobs.to_string(),
        entry.global_parts.to_string(),
        entry.global_textures.to_string(),
    ]
}

fn row(entry: &ListEntry) -> Vec<String> {
    let heading = &entry.heading;
    vec![
        heading.path.clone(),
        heading.game.unwrap_or("?").into(),
        heading.name.clone(),
        heading.author.clone(),
        heading.birth.clone(),
        heading.length.to_string(),
        entry.planes.to_string(),
        entry.tiles.to_string(),
        entry.objects.to_string(),
        density(entry.objects, entry.tiles).map_or(String::new(), |density| format!("{density:.1}")),
    ]
}
