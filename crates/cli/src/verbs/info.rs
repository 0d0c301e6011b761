use std::io::{self, Write};

use worldview::{Asset, Loader};

use crate::args::{FormatChoice, InfoArgs};
use crate::describe::catalogue::{Catalogue, Counts, Row, finish};
use crate::describe::document::{Document, Info};
use crate::describe::rez;
use crate::describe::world::{BlobInfo, DatabaseInfo};
use crate::describe::{ArchiveInfo, LevelInfo, MemberInfo, TableInfo};
use crate::inputs::{self, OpenInput};
use crate::open::{Files, NestingScope, Visit};
use crate::outcome::Outcome;
use crate::report::Head;
use crate::run::Run;
use crate::sheet;
use crate::table;

type PartInfo = Info<LevelInfo, DatabaseInfo>;

/// The result for one input.
#[derive(Default)]
struct InputResult {
    /// The output for the `table` format.
    text: Vec<u8>,
    /// The data for all other formats.
    infos: Vec<PartInfo>,
    rows: Vec<Row>,
}

pub(crate) fn info(args: &InfoArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let threads = inputs::threads_inside(&args.input, run);
    let Some(files) = Files::new(&args.input.open, threads, run) else { return Ok(()) };
    let format = args.format;
    let look = |look: OpenInput<'_>, ()| one(args, &files, look);
    let mut out = run.rows_out(args.csv, args.format);
    let mut sheet = Catalogue::new();
    let mut all = Vec::new();
    let take = |made: io::Result<InputResult>, _: &mut Run| {
        let InputResult { text, infos, rows } = made?;
        match format {
            FormatChoice::Table => out.write_all(&text),
            FormatChoice::Json => {
                all.extend(infos);
                Ok(())
            }
            FormatChoice::Ndjson => infos.iter().try_for_each(|info| sheet::json_line(&mut out, info)),
            FormatChoice::Csv => rows.iter().try_for_each(|row| sheet.write(row, &mut out)),
        }
    };
    inputs::each(&args.input, loader, run, |_| (), look, take)?;
    if format == FormatChoice::Json {
        sheet::json(&mut out, &Document::new(all, Head::of("info", run)))?;
    }
    finish(format, run.inputs(), &mut sheet, &mut out)?;
    out.flush()
}

fn one(args: &InfoArgs, files: &Files<'_>, mut look: OpenInput<'_>) -> io::Result<InputResult> {
    let mut made = InputResult::default();
    let (bytes, encoding) = (look.bytes, args.input.open.encoding);
    let is_table = args.format == FormatChoice::Table;
    files.look(&mut look, NestingScope::Named, &mut |visit, outcome| {
        let only = match visit.world() {
            Some(world) => match visit.only(world, outcome) {
                None => return Ok(()),
                only => only.map(|only| (world, only)),
            },
            None => None,
        };
        visit.say_left_out(outcome);
        match (visit.part, only) {
            (_, Some((world, only))) => {
                let info = DatabaseInfo::of(table::path(visit.path), world, &only, encoding);
                if is_table {
                    return print_database(&info, &mut made.text);
                }
                made.rows.push(Row::of_database(&info.entry));
                made.infos.push(Info::Database(info));
            }
            (Asset::Level(level, file), _) => {
                let bytes = visit.file.map_or(&bytes[..], |file| file.data());
                let info = LevelInfo::of(table::path(visit.path), bytes, file, level, encoding);
                if is_table {
                    return print(&info, &mut made.text);
                }
                made.rows.push(Row::of_level(&info.heading, &Counts::of(level)));
                made.infos.push(Info::Level(info));
            }
            _ if is_table => return print_part(visit, &mut made.text),
            _ => made.note(visit, outcome),
        }
        Ok(())
    })?;
    Ok(made)
}

impl InputResult {
    fn note(&mut self, visit: &Visit<'_, '_>, outcome: &mut Outcome) {
        match Info::of(table::path(visit.path), visit, true) {
            Some(info) => {
                self.rows.push(info.row());
                self.infos.push(info);
            }
            None => outcome.input_failed(visit.path, &"is neither a table nor an archive; use `worldview show`"),
        }
    }
}

fn print_part(visit: &Visit<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", table::shown(&table::path(visit.path)))?;
    let mut lines = |lines: &[(&str, String)]| table::lines(lines, out);
    match visit.part {
        Asset::Table(table) if visit.row().is_none() => {
            let info = TableInfo::of(String::new(), table);
            let version = info.layout_version.map_or("none".into(), |version| format!("{version:#010x}"));
            // As in `list`; a schema names the sheet of tables that do not.
            let sheet = info.sheet_name.or_else(|| info.schema.clone()).unwrap_or_else(|| "none".into());
            let schema = info.schema.map_or(String::new(), |schema| format!(", {schema}"));
            let records = format!("{} of {} bytes", info.records, info.record_size);
            lines(&[
                ("format", format!("WDB table, {}", info.generation)),
                ("sheet", sheet),
                ("layout version", version),
                ("size", format!("{} bytes", info.length)),
                ("records", records),
                ("fields", format!("{} ({} names{schema})", info.fields, info.names)),
                ("strings", format!("{} bytes", info.string_bytes)),
                ("string arrays", info.string_arrays.to_string()),
            ])?;
            if info.recovered {
                lines(&[("header", "overwritten; the entries were recovered".into())])?;
            }
        }
        Asset::Archive(archive) => {
            let info = ArchiveInfo::of(String::new(), archive, true);
            lines(&[
                ("format", "WPD archive".into()),
                ("size", format!("{} bytes", info.length)),
                ("members", {
                    let nested = [(info.tables, "table"), (info.archives, "archive")];
                    let nested = nested.map(|(count, what)| table::counted(count as u64, what)).join(", ");
                    format!("{} ({nested})", info.count)
                }),
            ])?;
            if info.recovered {
                lines(&[("header", "overwritten; the entries were recovered".into())])?;
            }
            // All rows are held in memory to determine the column widths.
            const SHOWN: usize = 1000;
            let rows: Vec<_> = info.members.iter().flatten().take(SHOWN).map(member_row).collect();
            table::write(out, &["  ", ">member", "name", "extension", ">offset", ">bytes", "content"], &rows)?;
            if info.count > SHOWN {
                writeln!(out, "    and {} more; `worldview show` lists all of them", info.count - SHOWN)?;
            }
        }
        Asset::Rez(archive) => {
            let directory = visit.directory().unwrap_or_else(|| archive.root());
            let info = ArchiveInfo::of_rez(String::new(), directory, false);
            let nested = [(info.levels.unwrap_or(0), "level"), (info.pictures.unwrap_or(0), "picture")];
            let nested = nested.map(|(count, what)| table::counted(count as u64, what)).join(", ");
            let written = rez::written(directory.archive()).unwrap_or_else(|| "unknown".into());
            lines(&[
                ("format", "REZ archive".into()),
                ("size", format!("{} bytes", info.length)),
                ("created", written),
                ("files", format!("{} ({nested})", info.count)),
            ])?;
            // All rows are held in memory to determine the column widths.
            const SHOWN: usize = 1000;
            let rows: Vec<_> = rez::rows(directory).take(SHOWN).collect();
            table::write(out, &["  ", "entry", "content", ">files", ">bytes"], &rows)?;
            if directory.len() > SHOWN {
                writeln!(out, "    and {} more; `worldview show` lists all of them", directory.len() - SHOWN)?;
            }
        }
        Asset::Table(table) => {
            if let Some(row) = visit.row() {
                lines(&[
                    ("format", "record of a WDB table".into()),
                    ("row", format!("{} of {}", row.index(), table.len())),
                    ("size", format!("{} bytes", row.data().len())),
                ])?;
            }
        }
        Asset::Data(source) => lines(&[
            ("format", "archive member, not in a known format".into()),
            ("offset", source.base().to_string()),
            ("size", format!("{} bytes", source.len())),
        ])?,
        _ => {
            if let Some(info) = PartInfo::of(String::new(), visit, true) {
                info.print(out)?;
            }
        }
    }
    Ok(())
}

fn member_row(member: &MemberInfo) -> Vec<String> {
    vec![
        String::new(),
        member.index.to_string(),
        member.name.clone(),
        member.extension.clone(),
        member.offset.to_string(),
        member.size.to_string(),
        member.content.into(),
    ]
}

/// How often blobs are referred to.
fn references(references: usize, blobs: usize) -> String {
    let counted = |count: usize, what| table::counted(count as u64, what);
    format!("{} to {}", counted(references, "reference"), counted(blobs, "blob"))
}

fn print_database(info: &DatabaseInfo, out: &mut impl Write) -> io::Result<()> {
    let DatabaseInfo { entry, worlds, blobs } = info;
    writeln!(out, "{}", table::shown(&entry.path))?;
    for (label, value) in [
        ("format", "WORLD.WDB of LEGO Island".to_owned()),
        ("size", format!("{} bytes, {} of them the directory", entry.length, entry.directory_length)),
        ("worlds", entry.world_count.to_string()),
        ("parts", references(entry.part_references, entry.part_blobs)),
        ("models", references(entry.model_references, entry.model_blobs)),
        ("global textures", entry.global_textures.to_string()),
        ("global parts", of_stored(entry.global_parts, entry.global_parts_stored)),
    ] {
        writeln!(out, "  {label:<17} {value}")?;
    }
    // All rows are held in memory to determine the column widths.
    const SHOWN: usize = 1000;
    if !worlds.is_empty() {
        let rows: Vec<_> = worlds.iter().take(SHOWN).map(world_row).collect();
        table::write(out, &["  ", ">world", "name", ">parts", ">models", ">initially visible"], &rows)?;
    }
    if !blobs.is_empty() {
        let columns = [
            "  ",
            ">blob",
            "kind",
            "name",
            ">offset",
            ">bytes",
            ">references",
            ">parts or objects",
            ">LODs",
            ">best triangles",
            ">textures",
            ">animated nodes",
            "",
        ];
        let rows: Vec<_> = blobs.iter().take(SHOWN).map(blob_row).collect();
        table::write(out, &columns, &rows)?;
    }
    for (what, count) in [("worlds", worlds.len()), ("blobs", blobs.len())] {
        if count > SHOWN {
            writeln!(out, "    and {} more {what}; `worldview show` lists all of them", count - SHOWN)?;
        }
    }
    Ok(())
}

/// How many there are, and of how many if some cannot be read.
fn of_stored(count: usize, stored: u32) -> String {
    if count == stored as usize {
        count.to_string()
    } else {
        format!("{count} of {stored} (the others cannot be read)")
    }
}

fn world_row(world: &crate::describe::world::WorldInfo) -> Vec<String> {
    vec![
        String::new(),
        world.index.to_string(),
        world.name.clone(),
        world.parts.to_string(),
        world.models.to_string(),
        world.visible_models.to_string(),
    ]
}

fn blob_row(blob: &BlobInfo) -> Vec<String> {
    let mut row = vec![
        String::new(),
        blob.index.to_string(),
        blob.kind.into(),
        blob.name.clone(),
        blob.offset.to_string(),
        blob.length.to_string(),
        blob.references.to_string(),
    ];
    match &blob.content {
        Some(content) => row.extend([
            content.elements.to_string(),
            content.lods.to_string(),
            content.triangles.to_string(),
            content.textures.to_string(),
            content.animated_nodes.to_string(),
            blob.error.as_ref().map_or("", |_| "in part").to_owned(),
        ]),
        None => {
            row.extend(std::iter::repeat_n(String::new(), 5));
            row.push("unreadable".into());
        }
    }
    row
}

fn print(info: &LevelInfo, out: &mut impl Write) -> io::Result<()> {
    let heading = &info.heading;
    let packed = if heading.packed {
        format!("{} bytes, {} inflated", heading.length, info.image_length)
    } else {
        format!("{} bytes, not compressed", heading.length)
    };
    let rules = if info.checksum.rules.is_empty() { "no known rule".into() } else { info.checksum.rules.join(", ") };
    let attributes = info.tile_attributes.as_ref().map_or("none".into(), |attributes| {
        let total = attributes.single + attributes.double + attributes.mask;
        format!("{total} ({} single, {} double, {} mask)", attributes.single, attributes.double, attributes.mask)
    });
    let number = info.level_number.map_or("none".into(), |number| number.to_string());
    let trailing = match (info.trailing_bytes, info.trailer) {
        (0, _) => "none".into(),
        (bytes, true) => format!("{bytes}, with a WapMap trailer"),
        (bytes, false) => bytes.to_string(),
    };
    writeln!(out, "{}", table::shown(&heading.path))?;
    for (label, value) in [
        ("format", format!("WWD level, {}", heading.game.unwrap_or("unknown game"))),
        ("name", heading.name.clone()),
        ("author", heading.author.clone()),
        ("created", heading.birth.clone()),
        ("level number", number),
        ("size", packed),
        ("tiles from", info.image_dir.clone()),
        ("palette", info.palette.clone()),
        ("start", format!("{}, {}", info.start[0], info.start[1])),
        ("checksum", format!("{:#010x} ({rules})", info.checksum.stored)),
        ("tile attributes", attributes),
        ("trailing bytes", trailing),
    ] {
        writeln!(out, "{}", format!("  {label:<17} {}", table::shown(&value)).trim_end())?;
    }
    let rows: Vec<_> = info.planes.iter().map(row).collect();
    let columns = [
        "  ",
        ">plane",
        "name",
        ">columns",
        ">rows",
        "tile",
        "scroll speed %",
        ">z",
        ">objects",
        "image sets",
        "flags",
    ];
    table::write(out, &columns, &rows)
}

fn row(plane: &crate::describe::PlaneInfo) -> Vec<String> {
    let mut flags = plane.flags.join(" ");
    if plane.unknown_flags != 0 {
        flags.push_str(&format!(" {:#x}", plane.unknown_flags));
    }
    vec![
        String::new(),
        plane.index.to_string(),
        plane.name.clone(),
        plane.columns.to_string(),
        plane.rows.to_string(),
        format!("{}x{}", plane.tile_width, plane.tile_height),
        format!("{}, {}", plane.movement_percent[0], plane.movement_percent[1]),
        plane.z_coord.to_string(),
        plane.objects.to_string(),
        plane.image_sets.join(" "),
        flags,
    ]
}
