use std::fs;
use std::io::Write;
use std::path::PathBuf;

use worldview_corpus::{ff13, island, wwd};
use worldview_export::html::{Entry, Model, Page, Picture, Rows};
use worldview_export::model::{glb, png};
use worldview_export::{Result, level, table};
use worldview_island::{Contents, Database, Library, LodsAt, Scope};
use worldview_wpd::Table;

use super::escape::HOSTILE;
use super::support::entries;

/// Writes the pages for `tools/sheet/test.mjs` to the folder in `WORLDVIEW_HTML_OUT`, if it is set.
#[test]
fn pages() {
    for (name, page, count) in
        [("sample", sample(), 8 + in_database()), ("many", many(5_000), 5_000), ("hostile", hostile(), 14)]
    {
        assert_eq!(entries(std::str::from_utf8(&page).unwrap()).len(), count, "{name}");
        if let Some(folder) = std::env::var_os("WORLDVIEW_HTML_OUT").map(PathBuf::from) {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(format!("{name}.html")), page).unwrap();
        }
    }
}

/// Returns the number of items that the naive reader finds in the sample database.
fn in_database() -> usize {
    let naive = island::naive::database(&island::samples().remove(0).1).unwrap();
    let blobs = (0..naive.blobs.len()).map(|blob| match (naive.model_of(blob), naive.parts_of(blob)) {
        (Some(model), _) => 1 + model.textures.len(),
        (None, Some(parts)) => parts.parts.len() + parts.textures.len(),
        _ => 0,
    });
    naive.directory.worlds.len() + blobs.sum::<usize>() + naive.textures.as_ref().unwrap().len()
}

/// A page with everything in the samples.
fn sample() -> Vec<u8> {
    let mut page = Page::new(Vec::new(), "Samples of everything").unwrap();
    for (name, file) in wwd::samples() {
        level(&mut page, name, &file);
    }
    for (name, file) in island::samples() {
        database(&mut page, name, &file);
    }
    for (name, file) in ff13::samples() {
        table(&mut page, name, &file);
    }
    let facts = [("bytes in the file", "4".to_owned())];
    page.entry(&Entry::new("model", "No GLB", "broken").facts(&facts).model(&Model::pack(b"glTF"))).unwrap();
    page.finish(&[("files", "8".into()), ("of them broken", "0".into()), ("taking", "1.2 MB".into())]).unwrap()
}

fn rows_of(csv: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(csv);
    let columns = reader.headers().unwrap().iter().map(str::to_owned).collect();
    (columns, reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect())
}

fn level(page: &mut Page<Vec<u8>>, name: &str, file: &[u8]) {
    let image = worldview_wwd::unpack(file).unwrap();
    let level = worldview_wwd::Level::parse(&image).unwrap();
    let (mut png, mut csv) = (Vec::new(), Vec::new());
    let legend = level::preview::level(&level, &level::preview::Options::default(), &mut png).unwrap();
    level::csv::objects(&level, Default::default(), &mut csv).unwrap();
    let (columns, rows) = rows_of(&csv);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let facts = [("planes", level.planes().len().to_string()), ("objects", rows.len().to_string())];
    let to = format!("{name}/level.tmx");
    page.entry(
        &Entry::new("level", name, name)
            .facts(&facts)
            .picture(Picture::new(&png).pixelated(true))
            .legend(&legend)
            .rows(Rows::new(&columns, &rows, rows.len() as u64))
            .links(&[("Tiled map", &to), ("picture", "level.png")]),
    )
    .unwrap();
}

/// Writes a model.
type Make<'d> = &'d dyn Fn(&mut Vec<u8>) -> Result<glb::Report>;

fn database(page: &mut Page<Vec<u8>>, name: &str, file: &[u8]) {
    let database = Database::parse(file).unwrap();
    let contents = Contents::read(&database);
    let library = Library::new(&database, &contents);
    let whole = glb::Options::default();
    let mut add = |kind, title: &[u8], make: Make<'_>| {
        let mut glb = Vec::new();
        let report = make(&mut glb).unwrap();
        let model = Model::pack(&glb);
        let facts = [("materials", report.materials.to_string())];
        let links = [("GLB", "world.wdb/model.glb")];
        let title = &String::from_utf8_lossy(title);
        page.entry(&Entry::new(kind, title, name).facts(&facts).model(&model).links(&links)).unwrap();
    };
    for (world, view) in database.worlds().enumerate() {
        let names = library.world_names(world);
        add("world", view.name.text(), &|out| glb::world(&library, world, &names, &whole, out));
    }
    for blob in 0..database.blobs().len() {
        if let Some(model) = library.model(blob) {
            let (name, scope) = (model.rois.get(0).unwrap().name.text(), Scope::Blob(blob));
            add("model", name, &|out| glb::model(&library, blob, scope, None, &whole, out));
        }
        for (part, view) in library.parts(blob).into_iter().flat_map(|parts| parts.iter()).enumerate() {
            let at = LodsAt::Part { blob, part };
            add("part", view.name.text(), &|out| glb::part(&library, at, None, &whole, out));
        }
    }
    let textures = contents.blobs.iter().flatten().flat_map(|content| content.textures().iter());
    for texture in textures.chain(contents.textures.as_ref().unwrap().iter()) {
        let mut bytes = Vec::new();
        png::image(texture.high(), &mut bytes).unwrap();
        let title = String::from_utf8_lossy(texture.real_name()).into_owned();
        let picture = Some(Picture::new(&bytes).pixelated(true));
        page.entry(&Entry::new("texture", &title, name).picture(picture)).unwrap();
    }
}

fn table(page: &mut Page<Vec<u8>>, name: &str, file: &[u8]) {
    let Ok(table) = Table::parse(file) else {
        page.entry(&Entry::new("archive", name, name)).unwrap();
        return;
    };
    let mut csv = Vec::new();
    table::csv::records(&table, &table::Selection::ALL, &mut csv).unwrap();
    let (columns, rows) = rows_of(&csv);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let facts = [("records", rows.len().to_string()), ("fields", columns.len().to_string())];
    let rows = Some(Rows::new(&columns, &rows, rows.len() as u64));
    page.entry(&Entry::new("table", name, name).facts(&facts).rows(rows)).unwrap();
}

/// A page with `count` entries, every third of which has a picture.
fn many(count: u32) -> Vec<u8> {
    let mut page = Page::new(Vec::new(), "Very many").unwrap();
    let picture = squares();
    for number in 0..count {
        let kind = ["model", "level", "table"][number as usize % 3];
        let title = format!("{kind} number {number}");
        let source = format!("folder {}/file{number}.dat", number % 97);
        let facts = [("number", number.to_string())];
        let columns = ["key", "value"];
        let rows: Vec<_> = (0..250).map(|row| vec![format!("key{row}"), (row * 37 % 250).to_string()]).collect();
        let rows = (kind == "table").then_some(Rows::new(&columns, &rows, 100_000));
        let picture = (kind == "model").then_some(Picture::new(&picture));
        page.entry(&Entry::new(kind, &title, &source).facts(&facts).picture(picture).rows(rows)).unwrap();
    }
    page.finish(&[("files", count.to_string())]).unwrap()
}

/// Four squares: red, green, blue, white.
fn squares() -> Vec<u8> {
    const SIDE: usize = 16;
    let row: Vec<u8> =
        [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255; 3]].into_iter().flat_map(|color| color.repeat(SIDE)).collect();
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, 64, 16);
    encoder.set_color(::png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.stream_writer().unwrap().write_all(&row.repeat(SIDE)).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A page with names that must be treated as nothing but text.
fn hostile() -> Vec<u8> {
    let mut page = Page::new(Vec::new(), HOSTILE[0]).unwrap();
    for name in HOSTILE {
        let facts = [(name, name.to_owned())];
        let columns = [name];
        let rows = [vec![name.to_owned()]];
        let rows = Some(Rows::new(&columns, &rows, 1));
        let links = [(name, name)];
        page.entry(&Entry::new(name, name, name).facts(&facts).rows(rows).links(&links)).unwrap();
    }
    page.finish(&[(HOSTILE[2], HOSTILE[0].to_owned())]).unwrap()
}
