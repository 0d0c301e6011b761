use std::io::{self, Write};

use serde::Serialize;
use worldview::{Format, Loader};

use crate::archives::{Archives, Part, Reach};
use crate::args::{FormatChoice, ListArgs};
use crate::describe::world::DatabaseEntry;
use crate::describe::{ArchiveInfo, ListEntry, TableInfo, VERSION};
use crate::exit::{Failure, Outcome};
use crate::{databases, inputs, table};

#[derive(Serialize)]
struct Document<'o> {
    version: u32,
    failed: &'o [Failure],
    levels: Vec<ListEntry>,
    tables: Vec<TableInfo>,
    archives: Vec<ArchiveInfo>,
    databases: Vec<DatabaseEntry>,
}

pub(crate) fn list(args: &ListArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let mut scratch = Vec::new();
    let unpacker = super::unpacker(&args.input);
    let Some(archives) = Archives::new(&args.input, outcome) else { return Ok(()) };
    let (mut levels, mut tables, mut containers) = (Vec::new(), Vec::new(), Vec::new());
    let mut worlds = Vec::new();
    inputs::each(&args.input, loader, outcome, &mut |input, format, bytes, outcome| {
        if format == Format::Island {
            return databases::look(input, bytes, outcome, |opened, outcome| {
                opened.say_left_out(input, outcome);
                opened.only(&args.input.only, input, outcome);
                worlds.push(DatabaseEntry::of(super::name(&input.path), opened));
                Ok(())
            });
        }
        if format == Format::Wpd {
            return archives.look(input, bytes, Reach::Nested, outcome, &mut |visit, outcome| {
                visit.say_left_out(outcome);
                let path = super::name(visit.path);
                match visit.part {
                    Part::Table(table) | Part::Record(table, _) => tables.push(TableInfo::of(path, table)),
                    Part::Archive(archive) => containers.push(ArchiveInfo::of(path, archive, false)),
                    Part::Data(_) => outcome.input_failed(visit.path, &"is a member of no known format"),
                }
                Ok(())
            });
        }
        match unpacker.outline(bytes, &mut scratch) {
            Ok(outline) => {
                let entry = ListEntry::of(super::name(&input.path), bytes, &outline, args.input.encoding.into());
                levels.push(entry);
            }
            Err(error) => outcome.input_failed(&input.path, &error),
        }
        Ok(())
    })?;
    let mut out = super::stdout();
    if args.format == FormatChoice::Json {
        let failed = outcome.failures();
        let document = Document { version: VERSION, failed, levels, tables, archives: containers, databases: worlds };
        super::json(&mut out, &document)?;
        return out.flush();
    }
    // A table of its own for each kind of file; they share no columns but the first.
    let lists: [(&[&str], Vec<Vec<String>>); 4] = [
        (
            &["file", "game", "name", "author", "birth", ">bytes", ">planes", ">tiles", ">objects"],
            levels.iter().map(row).collect(),
        ),
        (
            &["file", "kind", "sheet", ">bytes", ">records", ">fields", ">record size", "names"],
            tables.iter().map(table_row).collect(),
        ),
        (&["file", "kind", ">bytes", ">members", ">tables", ">archives"], containers.iter().map(archive_row).collect()),
        (
            &["file", "kind", ">bytes", ">worlds", ">part blobs", ">model blobs", ">global parts", ">global textures"],
            worlds.iter().map(database_row).collect(),
        ),
    ];
    let mut first = true;
    for (columns, rows) in lists.iter().filter(|(_, rows)| !rows.is_empty()) {
        if !first {
            writeln!(out)?;
        }
        first = false;
        table::write(&mut out, columns, rows)?;
    }
    out.flush()
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
        heading.file_length.to_string(),
        entry.planes.to_string(),
        entry.tiles.to_string(),
        entry.objects.to_string(),
    ]
}
