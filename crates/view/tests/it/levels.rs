//! Levels: facts, pictures of the pyramid, objects, cells, and maps to save.

use std::io::{Cursor, Read as _};

use serde_json::{Value, json};
use worldview_verbs::options::ViewOptions;

use crate::client::{Answer, Viewer};

/// A level with the pictures of its game.
const STORED: &str = "samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD";
/// The same level, which is served without them.
const BARE: &str = "harbour.wwd";

fn bare() -> Viewer {
    Viewer::of(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/harbour.wwd"))
}

fn level(viewer: &Viewer, at: &str) -> Value {
    viewer.get(&format!("/api/level?at={at}")).json()
}

fn tile(viewer: &Viewer, at: &str, query: &str) -> Answer {
    viewer.get(&format!("/api/level/tile.png?at={at}&{query}"))
}

#[test]
fn a_level_says_what_its_planes_are() {
    let viewer = Viewer::samples();
    let level = level(&viewer, STORED);
    assert_eq!((&level["game"], &level["main"], &level["attributes"]), (&json!("Claw"), &json!(1), &json!(true)));
    assert_eq!((&level["pictures"]["found"], &level["pictures"]["from"]), (&json!(true), &json!("harbour.rez")));
    // 10,240 x 3,840 pixels, of which 64 are one in the last picture.
    assert_eq!((&level["zooms"], &level["after"]), (&json!(7), &json!([1])));
    let main = &level["planes"][1];
    let expected = json!({
        "index": 1, "path": "plane:Action", "name": "Action", "main": true, "drawn": true,
        "columns": 160, "rows": 60, "tile": [64, 64], "width": 10240, "height": 3840,
        "wrap": main["wrap"], "move": [100, 100], "z": main["z"], "objects": main["objects"], "fill": main["fill"],
    });
    assert_eq!(main, &expected);
    let legend = level["legend"].as_array().unwrap();
    assert!(legend.contains(&json!(["death", "#d63e3a"])), "{legend:?}");
    let bare = self::level(&bare(), BARE);
    assert_eq!((&bare["pictures"], &bare["after"]), (&json!({"found": false, "missing": 0}), &json!([])));
    assert_eq!(bare["planes"][1]["fill"], Value::Null);
}

#[test]
fn pictures_of_the_pyramid_are_there_or_not() {
    let viewer = Viewer::samples();
    let bare = bare();
    let levels = [(&viewer, STORED, &["tiles", "objects", "attributes"][..]), (&bare, BARE, &["tiles", "attributes"])];
    for (viewer, at, layers) in levels {
        for layer in layers {
            let whole = tile(viewer, at, &format!("plane=1&layer={layer}&zoom=6&x=0&y=0"));
            assert_eq!((whole.status, whole.header("content-type")), (200, Some("image/png")), "{at}, {layer}");
            // Width and height.
            assert_eq!(whole.body[16..24], [0, 0, 1, 0, 0, 0, 1, 0]);
            let outside = tile(viewer, at, &format!("plane=1&layer={layer}&zoom=6&x=1&y=0"));
            assert_eq!((outside.status, outside.body.len()), (204, 0));
        }
    }
    assert_eq!(tile(&bare, BARE, "plane=1&layer=objects&zoom=6&x=0&y=0").status, 204);
    // Only the main plane has attributes.
    assert_eq!(tile(&bare, BARE, "plane=0&layer=attributes&zoom=0&x=0&y=0").status, 204);
    let objects = |after: i32| tile(&viewer, STORED, &format!("plane=1&layer=objects&zoom=6&x=0&y=0&after={after}"));
    assert_eq!([-1, 0, 1, 2].map(|after| objects(after).status), [204, 204, 200, 204]);
    let known = objects(1);
    let again = viewer.send(
        "GET",
        &format!("/api/level/tile.png?at={STORED}&plane=1&layer=objects&zoom=6&x=0&y=0"),
        &[("If-None-Match", known.header("etag").unwrap())],
        b"",
    );
    assert_eq!(again.status, 304);
}

#[test]
fn what_is_not_there_is_an_error() {
    let (viewer, bare) = (Viewer::samples(), bare());
    for (query, status) in [
        ("plane=3&layer=tiles&zoom=0&x=0&y=0", 404),
        ("plane=1&layer=clouds&zoom=0&x=0&y=0", 400),
        ("plane=1&layer=tiles&zoom=32&x=0&y=0", 422),
        ("plane=-1&layer=tiles&zoom=0&x=0&y=0", 400),
        ("plane=1&layer=tiles&zoom=31&x=18446744073709551615&y=0", 204),
    ] {
        assert_eq!(tile(&bare, BARE, query).status, status, "{query}");
    }
    for (path, status) in [
        ("/api/level?at=samples/items.wdb", 400),
        ("/api/level?at=samples", 400),
        ("/api/level/objects?at=samples/harbour.wwd&plane=9", 404),
        ("/api/level/object?at=samples/harbour.wwd&plane=1&index=99999", 404),
        ("/api/level/cell?at=samples/harbour.wwd&plane=1&column=160&row=0", 404),
    ] {
        let answer = viewer.get(path);
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.json()["error"].is_string());
    }
}

#[test]
fn objects_have_rectangles_and_fields() {
    let viewer = Viewer::samples();
    let bytes = viewer.get(&format!("/api/level/objects?at={STORED}&plane=1")).body;
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(&bytes[..4], b"WVO1");
    let (count, length) = (word(4) as usize, word(8) as usize);
    assert_eq!(bytes.len(), 12 + 11 * 4 * count + length);
    assert_eq!(json!(count), level(&viewer, STORED)["planes"][1]["objects"]);
    let strings: Vec<String> = serde_json::from_slice(&bytes[bytes.len() - length..]).unwrap();
    let column = |number: usize, index: usize| word(12 + 4 * (number * count + index));
    let mut pictures = 0;
    for index in 0..count {
        let [id, x, y, _, left, top, right, bottom] =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|number| column(number, index).cast_signed());
        assert!(left < right && top < bottom);
        let object = viewer.get(&format!("/api/level/object?at={STORED}&plane=1&index={index}")).json();
        let rows = object["rows"].as_array().unwrap();
        let text = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap()["text"].as_str().unwrap();
        assert_eq!([text("id"), text("x"), text("y")], [id, x, y].map(|value| value.to_string()));
        assert_eq!(text("logic"), format!("{:?}", strings[column(9, index) as usize]));
        let path = object["path"].as_str().unwrap();
        assert!(path.starts_with(&format!("plane:Action/object:{id}")), "{path}");
        assert!(rows.iter().all(|row| row["path"].as_str().unwrap().starts_with(path)));
        // The path leads back, also that of a field.
        let path = path.replace('#', "%23");
        let found = viewer.get(&format!("/api/level/at?at={STORED}&path={path}/x")).json();
        assert_eq!(found, json!({"plane": 1, "index": index}));
        if let Some(at) = object["picture"]["at"].as_str() {
            pictures += 1;
            if pictures < 5 {
                assert_eq!(viewer.get(&format!("/api/picture.png?at={at}")).status, 200, "{at}");
            }
        }
    }
    assert!(pictures > 10);
}

#[test]
fn cells_have_their_attribute_and_picture() {
    let viewer = Viewer::samples();
    let cell = |column: u32, row: u32| {
        viewer.get(&format!("/api/level/cell?at={STORED}&plane=1&column={column}&row={row}")).json()
    };
    let mut kinds = std::collections::BTreeSet::new();
    for (column, row) in (0..160).step_by(5).flat_map(|column| (0..60).step_by(4).map(move |row| (column, row))) {
        let cell = cell(column, row);
        assert_eq!(cell["path"], format!("plane:Action/tile:{column},{row}"));
        kinds.insert((cell["tile"].is_number(), cell["attribute"].is_object(), cell["picture"].is_object()));
        if let Some(attribute) = cell["attribute"]["path"].as_str() {
            assert_eq!(attribute, format!("tile_attributes/frame#{}", cell["tile"]));
            let rows = cell["attribute"]["rows"].as_array().unwrap();
            assert!(rows.iter().any(|row| row["name"] == "kind"), "{rows:?}");
        }
    }
    assert!(kinds.contains(&(true, true, true)) && kinds.contains(&(false, false, false)), "{kinds:?}");
    let at = |path: &str| viewer.get(&format!("/api/level/at?at={STORED}&path={path}")).json();
    assert_eq!(at("plane:Action/tile:12,5"), json!({"plane": 1, "column": 12, "row": 5}));
    assert_eq!(at("plane:Action/tile:160,5"), json!({"plane": 1}));
    assert_eq!(at("plane:Front/header"), json!({"plane": 2}));
    assert_eq!(at("header/name"), json!({}));
    assert_eq!(viewer.get(&format!("/api/level/at?at={STORED}&path=a%23b")).status, 400);
}

#[test]
fn a_saved_map_has_its_pictures() {
    let viewer = Viewer::samples();
    let bare = bare();
    for (viewer, at, has_pictures) in [(&viewer, STORED, true), (&bare, BARE, false)] {
        let answer = viewer.get(&format!("/api/download?at={at}&to=tmx"));
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/zip")));
        let mut archive = zip::ZipArchive::new(Cursor::new(answer.body)).unwrap();
        let names: Vec<_> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        let mut map = String::new();
        archive.by_name("map.tmx").unwrap().read_to_string(&mut map).unwrap();
        assert!(map.starts_with("<?xml") && names.iter().any(|name| name == "level.tiled-project"));
        let sources: Vec<_> = map.split("source=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert!(!sources.is_empty());
        for source in sources {
            let mut bytes = Vec::new();
            archive.by_name(source).unwrap().read_to_end(&mut bytes).unwrap();
            assert!(bytes.starts_with(b"\x89PNG"), "{source}");
        }
        assert_eq!(names.len() > 10, has_pictures, "{names:?}");
        let picture = viewer.get(&format!("/api/download?at={at}&to=png"));
        assert_eq!(picture.status, 200);
        assert!(picture.body.starts_with(b"\x89PNG"));
    }
}

#[test]
fn a_level_of_its_own_takes_the_pictures_of_a_game() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let with_game = |game: &str| {
        let options = ViewOptions { game: Some(samples.join(game)), ..ViewOptions::default() };
        Viewer::start([samples.join("harbour.wwd")], &options)
    };
    let viewer = with_game("harbour.rez");
    let found = level(&viewer, "harbour.wwd");
    assert_eq!((&found["pictures"]["found"], &found["pictures"]["from"]), (&json!(true), &json!("harbour.rez")));
    assert_eq!(tile(&viewer, "harbour.wwd", "plane=1&layer=objects&zoom=6&x=0&y=0").status, 200);
    // An archive that is served has them, too, but not for another game.
    let viewer = Viewer::samples();
    assert_eq!(level(&viewer, "samples/harbour.wwd")["pictures"]["from"], json!("harbour.rez"));
    assert_eq!(level(&viewer, "samples/garden.wwd")["pictures"]["found"], json!(false));
    // What cannot be used is said, and hides nothing else.
    let viewer = with_game("items.wdb");
    let found = level(&viewer, "harbour.wwd");
    assert_eq!(found["pictures"]["found"], json!(false));
    assert!(found["pictures"]["error"].as_str().unwrap().ends_with("items.wdb: is not a REZ archive"));
    assert_eq!(tile(&viewer, "harbour.wwd", "plane=1&layer=tiles&zoom=6&x=0&y=0").status, 200);
}

/// The first object of the main plane: its number in paths, and its place, as the page gets them.
fn first_object(viewer: &Viewer, edits: &str) -> [i32; 3] {
    let bytes = viewer.get(&format!("/api/level/objects?at={STORED}&plane=1{edits}")).ok().body;
    let number = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let count = usize::try_from(number(4)).unwrap();
    [0, 1, 2].map(|column| number(12 + 4 * count * column))
}

#[test]
fn an_edited_level_is_drawn_and_its_objects_keep_their_numbers() {
    let viewer = Viewer::samples();
    let [id, x, y] = first_object(&viewer, "");
    let path = |field: &str| format!("plane:Action/object:{id}/{field}");
    let body = json!({"at": STORED, "changes": [
        {"set": path("x"), "to": x + 500}, {"set": path("id"), "to": 4711},
    ]});
    let edits = viewer.post("/api/level/edits", &body).ok().json()["edits"].as_str().unwrap().to_owned();
    assert_eq!(
        viewer.post("/api/level/edits", &body).json()["edits"],
        json!(edits),
        "the same edits have the same name"
    );
    let edits = format!("&edits={edits}");
    assert_eq!(first_object(&viewer, &edits), [id, x + 500, y]);
    assert_eq!(first_object(&viewer, ""), [id, x, y]);
    let picture = |edits: &str| {
        let place = format!("plane=1&layer=objects&after=1&zoom=0&x={}&y={}{edits}", (x + 500) / 256, y / 256);
        tile(&viewer, STORED, &place).body
    };
    assert_ne!(picture(&edits), picture(""), "the object is drawn at its new place");
    // Edits of another run of the viewer, or of long ago.
    assert_eq!(tile(&viewer, STORED, "plane=1&layer=tiles&zoom=6&x=0&y=0&edits=00").status, 410);
    let wrong = json!({"at": STORED, "changes": [{"set": path("x"), "to": "word"}]});
    assert_eq!(viewer.post("/api/level/edits", &wrong).status, 422);
}

#[test]
fn a_small_picture_shows_all_tiles() {
    let viewer = Viewer::samples();
    let size = |at: &str| {
        let png = viewer.get(&format!("/api/level/thumbnail.png?at={at}"));
        assert_eq!((png.status, &png.body[1..4]), (200, &b"PNG"[..]), "{at}");
        let number = |at: usize| u32::from_be_bytes(png.body[at..at + 4].try_into().unwrap());
        (number(16), number(20))
    };
    // 48 columns and 40 rows of 32 pixels, of which all are tiles, are halved until no side is longer than 256.
    assert_eq!(size("samples/garden.wwd"), (192, 160));
    // What is no level that can be read has no picture.
    assert_eq!(viewer.get("/api/level/thumbnail.png?at=samples/items.wdb").status, 204);
}
