//! Files of all formats in one sheet. Columns that do not apply to a format are empty.

use std::io::{self, Write};

use serde::Serialize;
use worldview::wwd::{Level, flags};

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
    generation: Option<&'static str>,
    record_size: Option<u32>,
    /// Where the names of fields come from.
    names: Option<&'static str>,
    tables: Option<usize>,
    archives: Option<usize>,
    levels: Option<usize>,
    pictures: Option<usize>,
    width: Option<u32>,
    height: Option<u32>,
    /// The code of what is wrong, if only a part could be opened.
    problem: Option<&'static str>,
}

/// Returns the names of the columns, and the cells of each row.
pub(crate) fn cells<'r>(rows: impl IntoIterator<Item = &'r Row>) -> io::Result<(Vec<String>, Vec<Vec<String>>)> {
    let (mut sheet, mut csv) = (Catalogue::new(), Vec::new());
    rows.into_iter().try_for_each(|row| sheet.write(row, &mut csv))?;
    sheet.finish(&Row::default(), &mut csv)?;
    let mut reader = csv::Reader::from_reader(&*csv);
    let texts = |row: csv::StringRecord| row.iter().map(str::to_owned).collect::<Vec<_>>();
    let names = reader.headers().cloned().map(texts);
    let rows = reader.into_records().map(|row| row.map(texts)).collect::<Result<_, _>>();
    Ok((names.map_err(io::Error::other)?, rows.map_err(io::Error::other)?))
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
                let row = Row::of_kind("failed", None, &input.path, 0, None);
                sheet.write(&row.problem(Some(why.code)), out)?;
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

impl Counts {
    pub(crate) fn of(level: &Level<'_>) -> Self {
        let planes = level.planes();
        let main = planes.iter().map(|plane| plane.header()).find(|header| header.flags.get() & flags::MAIN != 0);
        Self {
            planes: planes.len(),
            grid: main.map(|main| [main.tiles_wide.get(), main.tiles_high.get()]),
            tiles: planes.iter().map(|plane| plane.tiles().len() as u64).sum(),
            objects: planes.iter().map(|plane| u64::from(plane.objects().count())).sum(),
        }
    }
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
            generation: Some(info.generation),
            record_size: Some(info.record_size),
            names: Some(info.names),
            ..Self::default()
        }
    }

    pub(crate) fn of_archive(info: &ArchiveInfo) -> Self {
        // A REZ archive has no tables and archives.
        let of_wpd = |count| info.levels.is_none().then_some(count);
        Self {
            path: info.path.clone(),
            kind: "archive",
            bytes: info.length,
            members: Some(info.count),
            tables: of_wpd(info.tables),
            archives: of_wpd(info.archives),
            levels: info.levels,
            pictures: info.pictures,
            ..Self::default()
        }
    }

    pub(crate) fn of_picture(info: &PictureInfo) -> Self {
        let (width, height) = (Some(info.width), Some(info.height));
        Self { width, height, ..Self::of_kind("picture", None, &info.path, info.length, None) }
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

    pub(crate) const fn kind(&self) -> &'static str {
        self.kind
    }

    pub(crate) fn problem(self, problem: Option<&'static str>) -> Self {
        Self { problem, ..self }
    }

    pub(crate) fn modified(self, modified: &Option<String>) -> Self {
        Self { modified: modified.clone(), ..self }
    }
}
