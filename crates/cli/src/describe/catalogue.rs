//! Files of all formats in one sheet. Columns that do not apply to a format are empty.

use std::io::{self, Write};

use serde::Serialize;

use super::rez::PictureInfo;
use super::world::DatabaseEntry;
use super::{ArchiveInfo, Heading, TableInfo, density};
use crate::args::FormatChoice;
use crate::report::{InputReport, Status};

pub(crate) use crate::sheet::Sheet as Catalogue;

/// A row of the sheet. The columns are part of the command's public interface, like the members of the JSON output.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    path: String,
    kind: &'static str,
    game: Option<&'static str>,
    name: Option<String>,
    author: Option<String>,
    /// The date stored in a level.
    birth: Option<String>,
    /// The modification time of the file, in UTC.
    modified: Option<String>,
    bytes: u64,
    planes: Option<usize>,
    /// The size of a level's main plane, in tiles.
    columns: Option<i32>,
    rows: Option<i32>,
    tiles: Option<u64>,
    objects: Option<u64>,
    /// Objects per thousand tiles.
    density: Option<f64>,
    records: Option<usize>,
    fields: Option<usize>,
    members: Option<usize>,
    worlds: Option<usize>,
    models: Option<usize>,
    parts: Option<usize>,
    textures: Option<usize>,
}

/// Writes the inputs that could not be read as rows or lines, so that a sheet has every input, and the columns if there are no rows.
pub(crate) fn finish(
    format: FormatChoice,
    inputs: &[InputReport],
    sheet: &mut Catalogue,
    out: &mut dyn Write,
) -> io::Result<()> {
    for input in inputs.iter().filter(|input| input.status == Status::Failed) {
        match (format, &input.why) {
            (FormatChoice::Ndjson, _) => crate::sheet::json_line(out, &Failed { kind: "failed", input })?,
            (FormatChoice::Csv, Some(why)) => {
                let row = Row { name: Some(why.code.to_owned()), ..Row::of_kind("failed", None, &input.path, 0, None) };
                sheet.write(&row, out)?;
            }
            _ => {}
        }
    }
    if format == FormatChoice::Csv { sheet.finish(&Row::default(), out) } else { Ok(()) }
}

/// An input that could not be read, as a line.
#[derive(Serialize)]
struct Failed<'i> {
    kind: &'static str,
    #[serde(flatten)]
    input: &'i InputReport,
}

/// Counts of the contents of a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) planes: usize,
    /// The size of the main plane, if there is one.
    pub(crate) grid: Option<[i32; 2]>,
    pub(crate) tiles: u64,
    pub(crate) objects: u64,
}

impl Row {
    pub(crate) fn of_level(heading: &Heading, counts: &Counts) -> Self {
        let some = |text: &String| Some(text.clone());
        Self {
            path: heading.path.clone(),
            kind: "level",
            game: heading.game,
            name: some(&heading.name),
            author: some(&heading.author),
            birth: some(&heading.birth),
            bytes: heading.length as u64,
            planes: Some(counts.planes),
            columns: counts.grid.map(|[columns, _]| columns),
            rows: counts.grid.map(|[_, rows]| rows),
            tiles: Some(counts.tiles),
            objects: Some(counts.objects),
            density: density(counts.objects, counts.tiles),
            ..Self::default()
        }
    }

    pub(crate) fn of_table(info: &TableInfo) -> Self {
        Self {
            path: info.path.clone(),
            kind: "table",
            game: Some(info.game),
            name: info.sheet_name.clone().or_else(|| info.schema.clone()),
            bytes: info.length,
            records: Some(info.records),
            fields: Some(info.fields),
            ..Self::default()
        }
    }

    pub(crate) fn of_archive(info: &ArchiveInfo) -> Self {
        let members = Some(info.count);
        Self { path: info.path.clone(), kind: "archive", bytes: info.length, members, ..Self::default() }
    }

    pub(crate) fn of_picture(info: &PictureInfo) -> Self {
        Self::of_kind("picture", None, &info.path, info.length, None)
    }

    pub(crate) fn of_database(entry: &DatabaseEntry) -> Self {
        Self {
            path: entry.path.clone(),
            kind: "database",
            game: Some("LEGO Island"),
            bytes: entry.length,
            worlds: Some(entry.world_count),
            models: Some(entry.model_references),
            parts: Some(entry.part_references),
            textures: Some(entry.global_textures),
            ..Self::default()
        }
    }

    /// Creates the row of a file of a kind with few columns.
    pub(crate) fn of_kind(
        kind: &'static str,
        game: Option<&'static str>,
        path: &str,
        bytes: u64,
        textures: Option<usize>,
    ) -> Self {
        Self { path: path.to_owned(), kind, game, bytes, textures, ..Self::default() }
    }

    pub(crate) fn modified(self, modified: &Option<String>) -> Self {
        Self { modified: modified.clone(), ..self }
    }
}
