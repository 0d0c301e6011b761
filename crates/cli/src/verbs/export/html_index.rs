//! The contents of the `--html` page for each input.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use worldview::rez::{Directory, Picture as RezPicture};
use worldview::wpd::{Archive, Table};
use worldview::wwd::{Level, Unpacked};
use worldview_export::html::{self, Model, Page};
use worldview_export::table::{Selection, csv as table_csv, label};
use worldview_export::{Encoding, level, utf8};

use crate::describe::density;
use crate::describe::world::DatabaseEntry;
use crate::inputs::last_name;
use crate::open::Visit;
use crate::outcome::Failure;
use crate::output::{Entry, MEMBERS, Output, TopFile};
use crate::run::size;
use crate::table;

/// An entry of the page.
#[derive(Clone, Debug, Default)]
pub(super) struct Card {
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) facts: Vec<(&'static str, String)>,
    /// A PNG file.
    pub(super) picture: Option<Vec<u8>>,
    pub(super) model: Option<Model>,
    /// Names and colors of the tile attributes in the picture.
    pub(super) legend: Vec<(&'static str, [u8; 3])>,
    pub(super) rows: Option<Rows>,
    /// Labels, and paths relative to the output folder.
    pub(super) links: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
pub(super) struct Rows {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    total: u64,
}

impl Card {
    /// Sets the links to the outputs of a level with this prefix.
    pub(super) fn link(&mut self, output: &Output<'_>, prefix: &str) {
        self.links = links(output, output.entries(), |entry| entry.file.starts_with(prefix));
    }
}

/// Maximum number of entries per input. A broken database can have a million parts.
pub(super) const MAX_CARDS: usize = 4000;

/// Maximum number of rows of a table on the page.
const ROWS: usize = 300;

/// Maximum number of columns of a table on the page. The widest known tables have 203 fields.
const COLUMNS: usize = 256;

/// The page being written.
pub(super) struct Sheet {
    page: Page<BufWriter<TopFile>>,
}

impl Sheet {
    pub(super) fn new(file: TopFile, title: &str) -> worldview_export::Result<Self> {
        Ok(Self { page: Page::new(BufWriter::new(file), title)? })
    }

    pub(super) fn add(&mut self, card: &Card) -> worldview_export::Result<()> {
        let Card { kind, title, source, facts, picture, model, legend, rows, links } = card;
        let columns: Vec<&str> = rows.iter().flat_map(|rows| rows.columns.iter().map(String::as_str)).collect();
        let links: Vec<_> = links.iter().map(|(label, to)| (label.as_str(), to.as_str())).collect();
        let picture = picture.as_ref().map(|png| html::Picture::new(png).pixelated(true));
        let rows = rows.as_ref().map(|rows| html::Rows::new(&columns, &rows.rows, rows.total));
        let entry = html::Entry::new(kind, title, source).facts(facts).picture(picture).model(model.as_ref());
        self.page.entry(&entry.legend(legend).rows(rows).links(&links))
    }

    /// Adds the failures and moves the page to its final path. Returns the path, and the size unless the same page was
    /// already there.
    pub(super) fn finish(
        mut self,
        failures: &[Failure],
        summary: &[(&str, String)],
    ) -> worldview_export::Result<(PathBuf, Option<u64>)> {
        for failure in failures.iter().take(MAX_CARDS) {
            let mut facts = vec![("error", failure.error.clone())];
            if let Some(offset) = failure.offset {
                facts.push(("offset", offset.to_string()));
            }
            let title = failure.path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
            self.add(&Card { kind: "failed", title, source: failure.path.clone(), facts, ..Card::default() })?;
        }
        let out = self.page.finish(summary)?;
        Ok(out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?)
    }
}

/// Returns the selected outputs as links, limited to the first few.
pub(super) fn links(output: &Output<'_>, entries: &[Entry], wanted: impl Fn(&Entry) -> bool) -> Vec<(String, String)> {
    const LINKS: usize = 40;
    // Every part of an archive searches all outputs.
    const LOOKED: usize = 20_000;
    let entries = entries.get(..entries.len().min(LOOKED)).unwrap_or_default();
    let path = |entry: &Entry| link_to(output, &entry.file);
    entries.iter().filter(|entry| wanted(entry)).take(LINKS).map(path).collect()
}

/// Returns a link to an output.
pub(super) fn link_to(output: &Output<'_>, name: &str) -> (String, String) {
    (name.to_owned(), output.below_tree(name))
}

pub(super) fn level(
    (file, level): (&Unpacked<'_>, &Level<'_>),
    encoding: Encoding,
    pictures: &level::png::Options<'_>,
    visit: &Visit<'_, '_>,
    prefix: &str,
    output: &Output<'_>,
) -> Card {
    let header = level.header();
    let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
    let tiles: u64 = level.planes().iter().map(|plane| plane.tiles().len() as u64).sum();
    let objects: u64 = level.planes().iter().map(|plane| u64::from(plane.objects().count())).sum();
    let mut facts = vec![
        ("game", level.game().map_or("unknown", worldview::wwd::Game::name).to_owned()),
        ("author", text(header.author.as_bytes())),
        ("created", text(header.birth.as_bytes())),
        ("size", size(visit.file.map_or(output.length(), |file| file.source().len()))),
        ("inflated", size(file.len() as u64)),
        ("planes", level.planes().len().to_string()),
        ("tiles", tiles.to_string()),
        ("objects", objects.to_string()),
    ];
    if let Some(density) = density(objects, tiles) {
        facts.push(("objects per 1000 tiles", format!("{density:.1}")));
    }
    facts.retain(|(_, value)| !value.is_empty());
    let mut png = Vec::new();
    let options =
        level::preview::Options::default().tiles(pictures.tiles).game(pictures.game).tile_colors(pictures.tile_colors);
    // A level without a main plane has no picture.
    let legend = level::preview::level(level, &options, &mut png).ok();
    let name = text(header.name.as_bytes());
    let file_name = last_name(visit.path);
    Card {
        kind: "level",
        title: if name.is_empty() { file_name } else { name },
        source: table::path(visit.path),
        facts,
        picture: legend.is_some().then_some(png),
        legend: legend.unwrap_or_default(),
        rows: head(objects, |out| level::csv::objects(level, encoding, out)),
        links: links(output, output.entries(), |entry| entry.file.starts_with(prefix)),
        ..Card::default()
    }
}

pub(super) fn table(table: &Table<'_>, path: &std::path::Path, prefix: &str, output: &Output<'_>) -> Card {
    let source = table.archive().source();
    let sheet = table.sheet_name().map(|name| utf8(name).into_owned());
    Card {
        kind: "table",
        title: sheet.filter(|name| !name.is_empty()).unwrap_or_else(|| last_name(path)),
        source: table::path(path),
        facts: vec![
            ("generation", table.generation().name().to_owned()),
            ("size", size(source.len())),
            ("records", table.len().to_string()),
            ("record size", format!("{} bytes", table.record_size())),
            ("fields", table.fields().len().to_string()),
            ("names", table.name_origin().name().to_owned()),
        ],
        rows: head(table.len() as u64, |out| table_csv::records(table, &Selection::ALL, out)),
        links: links(output, output.entries(), |entry| is_of(entry, prefix)),
        ..Card::default()
    }
}

pub(super) fn archive(archive: &Archive<'_>, path: &std::path::Path, prefix: &str, output: &Output<'_>) -> Card {
    let members = archive.members();
    let total = members.len() as u64;
    let rows = members
        .take(ROWS)
        .map(|member| vec![label(&member), member.source().base().to_string(), member.data().len().to_string()]);
    Card {
        kind: "archive",
        title: last_name(path),
        source: table::path(path),
        facts: vec![("size", size(archive.source().len())), ("members", total.to_string())],
        rows: Some(Rows {
            columns: ["member", "offset", "bytes"].map(str::to_owned).to_vec(),
            rows: rows.collect(),
            total,
        }),
        links: links(output, output.entries(), |entry| is_of(entry, prefix)),
        ..Card::default()
    }
}

pub(super) fn rez(directory: Directory<'_, '_>, path: &std::path::Path, output: &Output<'_>) -> Card {
    let total = directory.len() as u64;
    let rows = crate::describe::rez::rows(directory).take(ROWS).map(|row| row.into_iter().skip(1).collect());
    let columns = ["entry", "content", "files", "bytes"].map(str::to_owned).to_vec();
    Card {
        kind: "archive",
        title: last_name(path),
        source: table::path(path),
        facts: vec![
            ("size", size(directory.archive().source().len())),
            ("files", directory.all_files().count().to_string()),
        ],
        rows: Some(Rows { columns, rows: rows.collect(), total }),
        links: links(output, output.entries(), |entry| entry.kind == "picture"),
        ..Card::default()
    }
}

pub(super) fn picture(picture: &RezPicture<'_>, path: &std::path::Path, output: &Output<'_>) -> Card {
    let mut png = Vec::new();
    let is_drawn = worldview_export::rez::png(picture, None, 1 << 20, &mut png).is_ok();
    Card {
        kind: "picture",
        title: last_name(path),
        source: table::path(path),
        facts: vec![("pixels", format!("{} x {}", picture.width(), picture.height()))],
        picture: is_drawn.then_some(png),
        links: links(output, output.entries(), |_| true),
        ..Card::default()
    }
}

/// Returns whether a file belongs to the table or archive with this prefix, rather than to one nested in it.
fn is_of(entry: &Entry, prefix: &str) -> bool {
    entry.file.strip_prefix(prefix).is_some_and(|rest| !rest.contains('/') || rest.split('/').next() == Some(MEMBERS))
}

pub(super) fn database(entry: &DatabaseEntry, rows: Vec<Vec<String>>, output: &Output<'_>) -> Card {
    let total = rows.len() as u64;
    Card {
        kind: "database",
        title: last_name(output.source()),
        source: table::path(output.source()),
        facts: vec![
            ("size", size(entry.length)),
            ("worlds", entry.world_count.to_string()),
            ("models", format!("{} references to {} blobs", entry.model_references, entry.model_blobs)),
            ("parts", format!("{} references to {} blobs", entry.part_references, entry.part_blobs)),
            ("global textures", entry.global_textures.to_string()),
        ],
        rows: Some(Rows {
            columns: ["world", "parts", "models", "initially visible"].map(str::to_owned).to_vec(),
            rows: rows.into_iter().take(ROWS).collect(),
            total,
        }),
        links: links(output, output.entries(), |entry| !entry.file.contains('/') || entry.kind == "world"),
        ..Card::default()
    }
}

/// Returns the first rows of CSV output.
fn head(total: u64, write: impl FnOnce(&mut dyn Write) -> worldview_export::Result<()>) -> Option<Rows> {
    let mut out = Head { bytes: Vec::new(), is_quoted: false, left: ROWS + 1 };
    // Ends with an error once there are enough rows, or where the file is broken.
    let _ = write(&mut out);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&out.bytes[..]);
    let mut rows: Vec<Vec<String>> = reader
        .byte_records()
        .flatten()
        .map(|row| row.iter().take(COLUMNS).map(|cell| String::from_utf8_lossy(cell).into_owned()).collect())
        .collect();
    if rows.len() < 2 {
        return None;
    }
    let columns = rows.remove(0);
    Some(Rows { columns, rows, total })
}

/// A writer that accepts lines of CSV until there are enough, or too many bytes for a page.
struct Head {
    bytes: Vec<u8>,
    is_quoted: bool,
    left: usize,
}

impl Write for Head {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const MAX_BYTES: usize = 1 << 18;
        for &byte in bytes {
            if self.left == 0 || self.bytes.len() >= MAX_BYTES {
                return Err(io::Error::other("enough"));
            }
            self.is_quoted ^= byte == b'"';
            self.left -= usize::from(byte == b'\n' && !self.is_quoted);
            self.bytes.push(byte);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
