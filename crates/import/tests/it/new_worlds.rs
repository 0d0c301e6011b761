//! New WORLD.WDB and `.tex` files, made from the exports of others.

use worldview_corpus::island::build::{build, build_textures};
use worldview_corpus::island::generate::{self, deep_nodes, deep_rois, edge_cases, small};
use worldview_corpus::island::naive::{Place, textures};
use worldview_corpus::island::spec::{ImageSpec, TextureSpec};
use worldview_corpus::island::versions::{content, list_of_textures};
use worldview_corpus::sample;
use worldview_corpus::trial::say_the_same;
use worldview_edit::Result;
use worldview_export::Encoding;
use worldview_export::model::png;
use worldview_import::build::{self as import, Beside, Built, NewMember};
use worldview_inspect::{Options, Root, json};
use worldview_island::{Contents, Database, DatabaseDescription, TextureFile};

const CODE_PAGE: Encoding = Encoding::WINDOWS_1252;

/// The full JSON of a database; `None` if it cannot be opened, or has something that cannot be read.
fn exported(file: &[u8]) -> Option<Vec<u8>> {
    let database = Database::parse(file).ok()?;
    let contents = Contents::read(&database);
    contents.textures.as_ref().ok()?;
    contents.parts.as_ref().ok()?;
    if contents.blobs.iter().any(|blob| blob.is_err()) {
        return None;
    }
    let described = DatabaseDescription::new(&database, &contents);
    written(&Root::new("world", database.source(), &described))
}

fn written(root: &Root<'_>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    json::write(root, &Options { full: true, encoding: CODE_PAGE, ..Options::default() }, &mut out).ok()?;
    Some(out)
}

fn made(document: &[u8]) -> Built {
    import::document(document, &Beside::default(), CODE_PAGE).unwrap()
}

/// Makes a database again, and returns whether it has the same bytes.
fn is_again(name: &str, file: &[u8]) -> bool {
    let document = exported(file).unwrap();
    let again = made(&document);
    let refused: Vec<_> = again.account.entries().map(|entry| format!("{:?} {}", entry.place, entry.message)).collect();
    let again = again.complete().unwrap_or_else(|error| panic!("{name}: {error} {refused:?}"));
    say_the_same(name, &content(&again), &content(file));
    // What it says, it says again.
    assert!(made(&exported(&again).unwrap()).file == again, "{name}");
    again == file
}

/// What is refused.
fn refusals(built: Result<Built>) -> String {
    match built {
        Err(error) => error.to_string(),
        Ok(built) => built.account.entries().map(|entry| format!("{:?}: {}\n", entry.code, entry.message)).collect(),
    }
}

#[test]
fn databases_are_made_of_their_exports() {
    assert!(is_again("world.wdb", &sample("world.wdb")));
    let count = (0..40).filter(|seed| is_again(&format!("seed {seed}"), &build(&small(*seed)).bytes)).count();
    println!("{count} of 40 databases have the same bytes");
    is_again("large", &generate::database(1, 1 << 18));
    // As deep as a file is long.
    for file in [deep_nodes(3000), deep_rois(3000)] {
        assert!(is_again("deep", &file));
    }
}

#[test]
fn edge_cases_are_made_again() {
    let (mut count, mut same) = (0, 0);
    for (name, file) in edge_cases() {
        let Some(document) = exported(&file) else { continue };
        let again = made(&document).complete().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(content(&again) == content(&file), "{name}");
        (count, same) = (count + 1, same + u32::from(again == file));
    }
    println!("{count} edge cases, {same} with the same bytes");
    assert!(count > 200 && same > 190, "{count}, {same}");
}

#[test]
fn texture_files_are_made_of_documents_and_pictures() {
    let files = (0..6).map(list_of_textures).chain([sample("pennant.tex"), vec![0; 4]]);
    for (number, file) in files.enumerate() {
        let read = TextureFile::parse(&file[..]).unwrap();
        let document = written(&Root::new("tex", read.source(), &read)).unwrap();
        assert!(made(&document).complete().unwrap() == file, "{number}");
        // Without colors and pixels, which are in pictures.
        let mut stripped: serde_json::Value = serde_json::from_slice(&document).unwrap();
        let mut taken = worldview_export::names::Taken::default();
        let mut pictures = Vec::new();
        for (index, texture) in read.textures().iter().enumerate() {
            let image = stripped["textures"][index]["images"][0].as_object_mut().unwrap();
            image.retain(|name, _| !["palette", "pixels"].contains(&name.as_str()));
            let name = worldview_export::names::file_name(texture.real_name());
            let path = taken.take(format!("textures/{}.png", worldview_export::names::texture_stem(&name)));
            let mut picture = Vec::new();
            png::image(texture.image, &mut picture).unwrap();
            pictures.push((path, picture));
        }
        let members = || pictures.iter().map(|(path, data)| NewMember { path, data });
        let stripped = stripped.to_string().into_bytes();
        let (all, extra) = (members().collect::<Vec<_>>(), NewMember { path: "textures/new.png", data: &[] });
        assert!(import::textures(&stripped, &all, CODE_PAGE).unwrap().complete().unwrap() == file, "{number}");
        assert!(import::textures(&document, &all, CODE_PAGE).unwrap().complete().unwrap() == file, "{number}");
        if let Some((_, fewer)) = all.split_last() {
            let error = refusals(import::textures(&stripped, fewer, CODE_PAGE));
            assert!(error.contains("has neither `pixels` nor the picture textures/"), "{error}");
            let more: Vec<_> = members().chain([extra]).collect();
            assert!(refusals(import::textures(&stripped, &more, CODE_PAGE)).contains("picture-not-used"));
            // The picture is newer than the document.
            let painted = ImageSpec::drawn(3, 2, vec![[1, 2, 3], [4, 5, 6]], |x, _| u8::from(x == 1));
            let painted = build_textures(&[TextureSpec::new("x", painted)], b"").bytes;
            let mut other = Vec::new();
            png::image(TextureFile::parse(&painted[..]).unwrap().textures().iter().next().unwrap().image, &mut other)
                .unwrap();
            let mut newer = all.clone();
            newer[0].data = &other;
            let made = import::textures(&document, &newer, CODE_PAGE).unwrap().complete().unwrap();
            let image = |file: &[u8]| textures(file, Place::whole(file)).unwrap()[0].image.clone();
            let (made, expected) = (image(&made), image(&painted));
            assert_eq!((made.width, made.height), (3, 2), "{number}");
            let colors = |image: &worldview_corpus::island::naive::NaiveImage| -> Vec<_> {
                image.pixels.iter().map(|pixel| image.palette[usize::from(*pixel)]).collect()
            };
            assert_eq!(colors(&made), colors(&expected), "{number}");
        }
    }
}

/// Levels of detail, blobs and whole documents, and why they are refused. A number is no length.
const REFUSED: &str = r#"lod {"positions": [[0, 0]], "meshes": [{}]} => `positions`: expected 3 numbers
lod {"positions": 7, "meshes": [{}]} => `positions`: expected a list, found 7
lod {"positions": {many}, "meshes": [{}]} => blob#0/roi#0/lod#0: its numbers
lod {"positions": [[0, 0, 0]]} => `positions` has 0 bytes here, not 12
lod {"meshes": [{"corners": [1, 2]}]} => blob#0/roi#0/lod#0/mesh#0: its numbers
lod {"meshes": [{"corners": [0, 1, 4294967296]}]} => `corners`: 4294967296 does not fit
lod {"meshes": [{"triangle_count": 65535}]} => cannot be stored: expected 0, found 65535
lod {"meshes": [{"vertex_count": 65536}]} => its numbers
lod {"meshes": [{"color": "red"}]} => color
lod {"meshes": [{"tint": 1}]} => unknown member `tint`
lod {"meshes": [3]} => expected an object, found 3
lod {fine} => follows from other members, and is not read
blob "nodes": [{}, {"parent": 1}] => its `parent` is not the number of the element before it
blob "nodes": [{}, {"parent": 0}, {"parent": 0}, {"parent": 1}] => its `parent` is not the number
blob "nodes": [{}, {}] => its `parent` is not the number
blob "nodes": [{"parent": 0}] => its `parent` is not the number
blob "nodes": [] => cannot be stored: expected a list of 1, found a list of 0
blob "nodes": [{"translations": [{"time": 16777216}]}] => `time`: 16777216 does not fit
blob "nodes": [{"name": "a\u0000b"}] => cannot be stored
blob "nodes": [{"name": "\u0434"}] => windows-1252
blob "textures": [{"images": []}] => texture#0: its numbers
blob "textures": [{"name": "a", "images": [{}, {}]}] => texture#0: its numbers
blob "textures": [{"images": [{"width": 4294967295, "height": 4294967295}]}] => has neither `pixels`
blob "textures": [{"images": [{"width": 65536, "height": 65536, "pixels": []}]}] => image#0: its numbers
blob "kind": "parts" => cannot be stored: expected "model", found "parts"
blob "model_version": 20 => cannot be stored: expected 19, found 20
all {"format": "world", "worlds": [{"models": [{"blob": 1}]}], "blobs": [{}]} => its `blob` is not
all {"format": "world", "worlds": [{"models": [{}]}]} => world#0/model#0: its `blob` is not
all {"format": "world", "blobs": [{}]} => blob#0: no reference of a world leads to this blob
all {"format": "world", "worlds": [{"parts": [{"blob": 0}], "models": [{"blob": 0}]}], "blobs": [{}]} => a model for one reference, and parts for another
all {"format": "world", "global_parts": [{}, {}]} => cannot be stored
all {"format": "tex", "textures": 3} => expected a list
all {"format": "tex", "trailing_bytes": 100000000000000} => unknown member `trailing_bytes`
blob "textures": [{"images": [{"width": 65536, "height": 65536, "pixels": 4294967296}]}] => image#0: its numbers
all {"format": "tex", "trailing_bytes": "0000"} => length of the file"#;

#[test]
fn what_no_database_says_is_refused() {
    let lod = |inside: &str| {
        format!(
            r#"{{"format": "world", "worlds": [{{"name": "A", "models": [{{"name": "m", "blob": 0}}]}}], "blobs": [{{
                "nodes": [{{"name": "m"}}], "rois": [{{"name": "m", "lods": [{inside}]}}]}}]}}"#
        )
    };
    let blob = |inside: &str| {
        format!(r#"{{"format": "world", "worlds": [{{"models": [{{"blob": 0}}]}}], "blobs": [{{{inside}}}]}}"#)
    };
    let fine = r##"{"positions": [[0, 0, 0]], "normals": [[0, 1, 0]], "meshes": [
        {"triangle_count": 1, "vertex_count": 1, "corners": [2147483648, 0, 0], "color": "#ff8000", "material": "red"}]}"##;
    let complete = import::document(lod(fine).as_bytes(), &Beside::default(), CODE_PAGE).and_then(Built::complete);
    let complete = complete.unwrap();
    let content = content(&complete).concat();
    assert!(content.contains("[255, 128, 0]") && content.contains("2147483648"), "{content}");
    let many = format!("[{}]", ["[0, 0, 0]"; 40_000].join(","));
    let mixed = fine.replace("\"material\"", "\"positions\": 5, \"material\"");
    for case in REFUSED.lines() {
        let (document, why) = case.split_once(" => ").unwrap();
        let document = match document.split_once(' ').unwrap() {
            ("lod", text) => lod(&text.replace("{many}", &many).replace("{fine}", &mixed)),
            ("blob", text) => blob(text),
            (_, text) => text.to_owned(),
        };
        let error = refusals(import::document(document.as_bytes(), &Beside::default(), CODE_PAGE));
        assert!(error.contains(why), "{document:.300}\n{error}\nexpected: {why}");
    }
}
