//! Edited exports.

use std::sync::LazyLock;

use worldview::Path;
use worldview::island::{Contents, Database, Library, LodsAt, Scope};
use worldview::rez::{Picture, PictureKind, Rez};
use worldview::wpd::{Archive, Table};
use worldview::wwd::{Level, LevelDescription, Unpacked, unpack};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::small_table;
use worldview_corpus::island::build::build as build_database;
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, PartSpec, PartsSpec, TextureSpec,
    WorldSpec,
};
use worldview_corpus::rez::generate;
use worldview_corpus::rez::picture::{PALETTE, SKIP_RUNS};
use worldview_corpus::rng::Rng;
use worldview_corpus::workbook::{rows, workbook};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Planned, Value, island};
use worldview_export::Encoding;
use worldview_export::csv::{CsvStyle, CsvWriter};
use worldview_export::level::{csv as level_csv, tiled};
use worldview_export::model::{glb, png};
use worldview_export::rez;
use worldview_export::table::Selection;
use worldview_import::build::{self, Built};
use worldview_import::csv::{self, Options as Sheet};
use worldview_import::json;
use worldview_import::xlsx::Workbook;
use worldview_inspect::json::{lines as write_lines, write};
use worldview_inspect::{Options, Root};

use super::edit::Kind;
use worldview_readers::MAX_LEN;

/// Makes changes of an edited export and applies them: a byte that selects the planner, then the export.
pub fn edit_plan(data: &[u8]) {
    let Some((&first, export)) = data.split_first().filter(|_| data.len() <= MAX_LEN) else { return };
    let Some(planner) = PLANNERS.get(usize::from(first) % PLANNERS.len()) else { return };
    let Planner(name, file, plan, _) = planner;
    built(name, export);
    let Ok(changes) = plan(file, export).and_then(Planned::complete) else { return };
    let text = changes.to_json();
    assert!(text.is_ok(), "changes of an export cannot be written: {text:?}");
    let text = text.unwrap_or_default();
    assert_eq!(Changes::from_json(text.as_bytes()).ok().as_ref(), Some(&changes), "{text}");
    if let Some(kind) = Kind::of(file) {
        kind.applies(file, &changes);
    }
}

/// Makes a new file of an export that says everything. It must be one that can be read.
fn built(name: &str, export: &[u8]) {
    let file = match name {
        // The only format without a planner for its document.
        "glb" if export.starts_with(b"{") => build::document(export, &build::Beside::default(), PAGE),
        "table-json" | "level-json" => build::document(export, &build::Beside::default(), PAGE),
        "tmx" | "tmj" => build::map(export, PAGE),
        "records-csv" => {
            let generation = worldview::wpd::Generation::G3;
            let layout = build::Layout { generation, version: 1, sheet_name: None, fields: Vec::new() };
            build::sheet(export, &layout, &Sheet::default())
        }
        _ => return,
    };
    let Ok(file) = file.and_then(Built::complete) else { return };
    let is_read = match &file[..] {
        // Such a document is of any format, and `build` reads what it has made.
        _ if name == "glb" => true,
        archive if archive.starts_with(b"WPD\0") => Archive::parse(archive).is_ok(),
        archive if Rez::sniff(archive) => Rez::parse(archive).is_ok(),
        level => exported_level(level, |_, _| Some(())).is_some(),
    };
    assert!(is_read, "a new file cannot be read");
}

type Result = std::result::Result<Planned, EditError>;

const PAGE: Encoding = Encoding::WINDOWS_1252;

/// One kind of export: its name, the file whose export is edited, the planner, and what exports the original, for the seeds;
/// `None` if it cannot be exported.
struct Planner(&'static str, &'static LazyLock<Vec<u8>>, fn(&[u8], &[u8]) -> Result, fn(&[u8]) -> Option<Vec<u8>>);

/// A table with string arrays, in the format of the second game.
static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let has_all =
        |file: &Vec<u8>| Table::parse(file).is_ok_and(|table| table.len() > 2 && !table.string_arrays().is_empty());
    let tables = (0..100).map(|seed| build_table(&small_table(seed)).bytes);
    tables.into_iter().find(has_all).unwrap_or_default()
});

static LEVEL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let shape = Shape { tiles_wide: 5, tiles_high: 3, objects: 2, attributes: 4, ..Shape::small() };
    build(&level(1, &Shape { planes: 2, ..shape })).bytes
});

/// A database with a texture, a part and a model, both with two triangles.
static DATABASE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let picture = || ImageSpec::drawn(4, 2, vec![[10, 20, 30], [200, 100, 50], [1, 1, 1]], |x, _| u8::from(x % 2 == 1));
    let lod = || {
        let corners =
            [MeshSpec::pack([(0, 0, 0), (1, 0, 1), (2, 0, 2)]), MeshSpec::pack([(1, 0, 1), (3, 0, 3), (2, 0, 2)])];
        LodSpec {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]],
            uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
            meshes: vec![MeshSpec::textured(corners.concat(), "dog.gif")],
            ..LodSpec::default()
        }
    };
    let model = ModelSpec::new("bird", vec![lod()]).texture(TextureSpec::new("dog.gif", picture()));
    build_database(&DatabaseSpec {
        textures: vec![TextureSpec::new("dog.gif", picture())],
        parts: PartsSpec { parts: vec![PartSpec::new("leg", vec![lod()])], ..PartsSpec::default() },
        worlds: vec![WorldSpec::new("ACT1").model(ModelRefSpec::new("bird", 0))],
        blobs: vec![BlobSpec::model(model)],
        ..DatabaseSpec::default()
    })
    .bytes
});

/// A picture with skipped runs and a palette.
static PID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let pictures = (0..100).map(|seed| generate::pid(&mut Rng::new(seed)));
    let mut found = pictures.filter(|picture| picture.flags & (SKIP_RUNS | PALETTE) == SKIP_RUNS | PALETTE);
    found.next().map(|picture| picture.build()).unwrap_or_default()
});

/// A picture with three color planes.
static PCX: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut pictures = (0..100).map(|seed| generate::pcx(&mut Rng::new(seed)));
    pictures.find(|picture| picture.planes == 3).map(|picture| picture.build()).unwrap_or_default()
});

/// The planners, by the first byte of an input.
static PLANNERS: [Planner; 17] = [
    Planner(
        "records-csv",
        &TABLE,
        |file, export| csv::records(&Table::parse(file)?, export, &Sheet::default()),
        table_csv,
    ),
    Planner(
        "table-json",
        &TABLE,
        |file, export| json::table(&Table::parse(file)?, export, true),
        |file| table_json(file, &[]),
    ),
    Planner(
        "records-ndjson",
        &TABLE,
        |file, export| json::records(&Table::parse(file)?, export, true),
        |file| table_json(file, &["records"]),
    ),
    Planner(
        "objects-csv",
        &LEVEL,
        |file, export| with_level(file, |_, level| csv::objects(level, export, &Sheet::default())),
        |file| exported_level(file, |_, level| sheet(|out| level_csv::objects(level, PAGE, out))),
    ),
    Planner(
        "attributes-csv",
        &LEVEL,
        |file, export| with_level(file, |_, level| csv::attributes(level, export, &Sheet::default())),
        |file| exported_level(file, |_, level| sheet(|out| level_csv::attributes(level, out))),
    ),
    Planner(
        "level-json",
        &LEVEL,
        |file, export| with_level(file, |file, level| json::level(file, level, export, PAGE)),
        |file| level_json(file, &[]),
    ),
    Planner(
        "objects-ndjson",
        &LEVEL,
        |file, export| with_level(file, |_, level| json::objects(level, export, PAGE, true)),
        |file| level_json(file, &["planes", "objects"]),
    ),
    Planner(
        "attributes-ndjson",
        &LEVEL,
        |file, export| with_level(file, |_, level| json::attributes(level, export, PAGE)),
        |file| level_json(file, &["tile_attributes", "records"]),
    ),
    Planner("tmx", &LEVEL, of_map, |file| map(file, |map, out| map.write_tmx(out))),
    Planner("tmj", &LEVEL, of_map, |file| map(file, |map, out| map.write_tmj(out))),
    Planner(
        "png",
        &DATABASE,
        |file, export| {
            let database = Database::parse(file)?;
            let textures = database.textures()?;
            let texture = textures.iter().next().ok_or_else(no_such_part)?;
            let mut path = part("global_textures");
            path.push("texture", texture.name.text(), None);
            path.push_nth(b"image", 0);
            Ok(worldview_import::png(&texture.image, export)?.prefixed(&path))
        },
        texture_png,
    ),
    Planner(
        "glb",
        &DATABASE,
        |file, export| {
            let database = Database::parse(file)?;
            let content = database.blobs().first().ok_or_else(no_such_part)?.read()?;
            let mut path = Path::new();
            path.push_nth(b"blob", 0);
            let exported = model_glb(file).ok_or_else(no_such_part)?;
            let model = content.model().ok_or_else(no_such_part)?;
            let again = again(file, &path, model_glb);
            Ok(worldview_import::glb(model, &exported, export, &again)?.prefixed(&path))
        },
        model_glb,
    ),
    Planner(
        "part-glb",
        &DATABASE,
        |file, export| {
            let database = Database::parse(file)?;
            let parts = database.parts()?;
            let first = parts.iter().next().ok_or_else(no_such_part)?;
            let mut path = part("global_parts");
            path.push("part", first.name.text(), None);
            let exported = part_glb(file).ok_or_else(no_such_part)?;
            let again = again(file, &path, part_glb);
            Ok(worldview_import::glb_part(&first, parts.textures, &exported, export, &again)?.prefixed(&path))
        },
        part_glb,
    ),
    Planner(
        "world-glb",
        &DATABASE,
        |file, export| {
            let database = Database::parse(file)?;
            let world = database.world(0).ok_or_else(no_such_part)?;
            let mut path = Path::new();
            path.push("world", world.name.text(), None);
            let exported = world_glb(file).ok_or_else(no_such_part)?;
            let again = again(file, &path, world_glb);
            Ok(worldview_import::glb_world(&world, &exported, export, &again)?.prefixed(&path))
        },
        world_glb,
    ),
    Planner(
        "records-workbook",
        &TABLE,
        // The export is the rows of a worksheet: an archive with a checksum would not survive a change.
        |file, export| {
            let rows = String::from_utf8_lossy(export);
            let book = Workbook::open(&workbook(&[("records", &rows)]))?;
            worldview_import::xlsx::table(&Table::parse(file)?, &book, &Sheet::default())
        },
        |file| {
            let lines = String::from_utf8(table_csv(file)?).ok()?;
            let cells: Vec<Vec<String>> = lines.lines().map(|line| line.split(',').map(typed).collect()).collect();
            let cells: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            Some(rows(cells.iter().map(Vec::as_slice)).into_bytes())
        },
    ),
    Planner(
        "pid-png",
        &PID,
        |file, png| picture(PictureKind::Pid, file, png),
        |file| picture_png(PictureKind::Pid, file),
    ),
    Planner(
        "pcx-png",
        &PCX,
        |file, png| picture(PictureKind::Pcx, file, png),
        |file| picture_png(PictureKind::Pcx, file),
    ),
];

/// Returns a cell of a workbook: a number, or text.
fn typed(cell: &str) -> String {
    if cell.parse::<f64>().is_ok() { cell.to_owned() } else { format!("'{cell}") }
}

/// Returns the exports of the originals, as the target reads them: for the seeds.
pub(super) fn exports() -> Vec<(String, Vec<u8>)> {
    let seed = |(number, planner): (u8, &Planner)| {
        let Planner(name, original, _, export) = planner;
        Some((format!("{number:03}-{name}"), [&[number], &export(original)?[..]].concat()))
    };
    (0..).zip(&PLANNERS).filter_map(seed).collect()
}

/// Exports a file after changes below a path.
fn again(
    file: &[u8],
    path: &Path,
    export: fn(&[u8]) -> Option<Vec<u8>>,
) -> impl Fn(&Changes) -> std::result::Result<Vec<u8>, EditError> {
    move |changes| {
        let new = island::apply(file, &changes.clone().prefixed(path))?.to_vec();
        export(&new).ok_or_else(no_such_part)
    }
}

fn no_such_part() -> EditError {
    EditError { path: Path::new(), kind: EditErrorKind::NotFound }
}

fn part(name: &str) -> Path {
    let mut path = Path::new();
    path.push_name(name.as_bytes());
    path
}

fn with_level(file: &[u8], plan: impl FnOnce(&Unpacked<'_>, &Level<'_>) -> Result) -> Result {
    let unpacked = unpack(file)?;
    plan(&unpacked, &Level::parse(&unpacked)?)
}

fn exported_level<T>(file: &[u8], export: impl FnOnce(&Unpacked<'_>, &Level<'_>) -> Option<T>) -> Option<T> {
    let unpacked = unpack(file).ok()?;
    export(&unpacked, &Level::parse(&unpacked).ok()?)
}

/// Plans an edited map.
fn of_map(file: &[u8], export: &[u8]) -> Result {
    with_level(file, |_, level| worldview_import::tiled::level(level, export, PAGE))
}

fn table_csv(file: &[u8]) -> Option<Vec<u8>> {
    let table = Table::parse(file).ok()?;
    sheet(|out| worldview_export::table::csv::records(&table, &Selection::ALL, out))
}

fn sheet(fill: impl FnOnce(&mut CsvWriter<&mut Vec<u8>>) -> worldview_export::Result<()>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    CsvStyle::default().write(&mut out, fill).ok().map(|()| out)
}

/// A document, or the elements of one of its lists.
fn document(root: &Root<'_>, lists: &[&str]) -> Option<Vec<u8>> {
    let (options, mut out) = (Options { full: true, ..Options::default() }, Vec::new());
    let done =
        if lists.is_empty() { write(root, &options, &mut out) } else { write_lines(root, lists, &options, &mut out) };
    done.ok().map(|()| out)
}

fn table_json(file: &[u8], lists: &[&str]) -> Option<Vec<u8>> {
    let table = Table::parse(file).ok()?;
    document(&Root::new("wdb", table.archive().source(), &table), lists)
}

fn level_json(file: &[u8], lists: &[&str]) -> Option<Vec<u8>> {
    exported_level(file, |file, level| {
        let described = LevelDescription::new(file, level);
        document(&Root::new("wwd", level.image(), &described).besides(file.trailing().len() as u64), lists)
    })
}

fn map(file: &[u8], write: impl Fn(&tiled::Map<'_>, &mut Vec<u8>) -> worldview_export::Result<()>) -> Option<Vec<u8>> {
    exported_level(file, |_, level| {
        let maps = tiled::plan(level, PAGE).ok()?;
        let mut out = Vec::new();
        write(maps.first()?, &mut out).ok().map(|()| out)
    })
}

fn texture_png(file: &[u8]) -> Option<Vec<u8>> {
    let database = Database::parse(file).ok()?;
    let texture = database.textures().ok()?.iter().next()?;
    let mut out = Vec::new();
    png::image(texture.image, &mut out).ok().map(|_| out)
}

/// Plans the pixels of a picture, whose file must be one again.
fn picture(kind: PictureKind, file: &[u8], export: &[u8]) -> Result {
    let planned = worldview_import::picture(&Picture::parse(kind, file)?, None, export)?;
    let is_picture = |change: &Change| matches!(change, Change::Set { to: Value::Bytes(new), .. } if Picture::parse(kind, &new[..]).is_ok());
    assert!(planned.changes.iter().all(is_picture), "a new picture cannot be read");
    Ok(planned)
}

fn picture_png(kind: PictureKind, file: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    rez::png(&Picture::parse(kind, file).ok()?, None, u64::MAX, &mut out).ok().map(|_| out)
}

fn model_glb(file: &[u8]) -> Option<Vec<u8>> {
    let database = Database::parse(file).ok()?;
    let contents = Contents::read(&database);
    let (library, mut out) = (Library::new(&database, &contents), Vec::new());
    let report = glb::model(&library, 0, Scope::Blob(0), None, &glb::Options::default(), &mut out).ok()?;
    (report.meshes > 0).then_some(out)
}

fn part_glb(file: &[u8]) -> Option<Vec<u8>> {
    let database = Database::parse(file).ok()?;
    let contents = Contents::read(&database);
    let (library, mut out) = (Library::new(&database, &contents), Vec::new());
    glb::part(&library, LodsAt::Global { part: 0 }, None, &glb::Options::default(), &mut out).ok().map(|_| out)
}

fn world_glb(file: &[u8]) -> Option<Vec<u8>> {
    let database = Database::parse(file).ok()?;
    let contents = Contents::read(&database);
    let (library, mut out) = (Library::new(&database, &contents), Vec::new());
    let names = library.world_names(0);
    glb::world(&library, 0, &names, &glb::Options::default(), &mut out).ok().map(|_| out)
}
