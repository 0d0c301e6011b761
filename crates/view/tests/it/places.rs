//! The tree, fields and bytes, the search and the findings. Expected values are those of the notes on the samples and of the
//! builders that made them.

use std::fs;

use serde_json::{Value, json};
use worldview_export::outputs::OutputKind;
use worldview_verbs::options::{ExportOptions, ViewOptions};
use worldview_verbs::{Run, export};
use worldview_view::Server;

use crate::client::Viewer;
use crate::support::{Folder, encoded};

fn names(children: &Value) -> Vec<&str> {
    children["children"].as_array().unwrap().iter().map(|child| child["name"].as_str().unwrap()).collect()
}

/// Starts a viewer of samples, and returns the address that it begins with, without the server and the token.
fn first(paths: &[&str]) -> Result<String, String> {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/");
    let paths = paths.iter().map(|path| format!("{samples}{path}").into());
    let server =
        Server::bind(paths, &ViewOptions::default(), &mut Run::new(&mut ())).map_err(|error| error.to_string())?;
    let address = server.address().unwrap();
    let (start, _) = address.split_once("token=").unwrap();
    Ok(start.splitn(4, '/').nth(3).unwrap().to_owned())
}

#[test]
fn a_path_inside_a_file_is_what_the_page_shows_first() {
    for (paths, page) in [
        (&["items.wdb"][..], "?"),
        (&["items.wdb/bread_rye"], "at/items.wdb?path=bread_rye&"),
        (&["items.wdb/BREAD_RYE/usellprice"], "at/items.wdb?path=bread_rye%2FuSellPrice&"),
        (&["wdbpack.bin/r_bells.wdb"], "at/wdbpack.bin/r_bells.wdb?path=&"),
        (
            &["harbour.rez/LEVEL1/WORLDS/WORLD.WWD/plane:Action"],
            "at/harbour.rez/LEVEL1/WORLDS/WORLD.WWD?path=plane%3AAction&",
        ),
        (&["world.wdb/blob:car/roi:body"], "at/world.wdb?path=blob%3Acar%2Froi%3Abody&"),
        (&["it*.wdb"], "?"),
        // Two files are compared, and the parts of two that are named.
        (&["items.wdb", "bestiary.wdb"], "?"),
        (
            &["items.wdb/bread_rye", "items.wdb"],
            "compare?left=items.wdb&right=items.wdb%2520%25282%2529&path=bread_rye&",
        ),
        (
            &["wdbpack.bin/r_bells.wdb", "wdbpack.bin/r_lamps.wdb"],
            "compare?left=wdbpack.bin%2Fr_bells.wdb&right=wdbpack.bin%2520%25282%2529%2Fr_lamps.wdb&path=&",
        ),
        (&["", "items.wdb", "items.wdb/bread_rye"], "at/items.wdb%20%282%29?path=bread_rye&"),
    ] {
        assert_eq!(first(paths).as_deref(), Ok(page), "{paths:?}");
    }
    for (path, why) in [
        ("nowhere*", "nothing matches this path"),
        ("items.wdb/bread_rey", "items.wdb: has no part with the path bread_rey; did you mean bread_rye?"),
        ("wdbpack.bin/r_bels.wdb", "wdbpack.bin: has no part with the path r_bels.wdb; did you mean r_bells.wdb?"),
        ("garden.wwd/plane:Action/typo", "garden.wwd: has no part with the path plane:Action/typo"),
    ] {
        let error = first(&[path]).unwrap_err();
        assert!(error.contains(why), "{path}: {error}");
    }
}

#[test]
fn a_folder_lists_what_is_in_it_by_kind() {
    let viewer = Viewer::samples();
    let children = viewer.get("/api/children?at=samples").json();
    let kinds = children["children"].as_array().unwrap().iter().map(|child| {
        let open = if child["open"] == true { "+" } else { "" };
        format!("{}: {}{open}", child["name"].as_str().unwrap(), child["kind"].as_str().unwrap())
    });
    let expected = "bestiary.wdb: table, cellar.wwd: level, effects.bin: archive+, garden.wwd: level, harbour.rez: archive+, \
        harbour.wwd: level, items.wdb: table, pennant.tex: textures+, wdbpack.bin: archive+, world.wdb: database+";
    assert_eq!(kinds.collect::<Vec<_>>().join(", "), expected);
    let page = viewer.get("/api/children?at=samples&from=2&limit=2").json();
    assert_eq!((names(&page), &page["total"]), (vec!["effects.bin", "garden.wwd"], &json!(10)));
    assert_eq!(names(&viewer.get("/api/children?at=samples&filter=HARB").json()), ["harbour.rez", "harbour.wwd"]);
}

#[test]
fn archives_and_databases_open_down_to_their_last_part() {
    let viewer = Viewer::samples();
    let open = |at: &str, path: &str| viewer.get(&format!("/api/children?at={at}&path={path}")).json();
    assert_eq!(names(&open("samples/wdbpack.bin", "")), ["r_bells.wdb", "r_lamps.wdb", "r_tides.wdb"]);
    assert!(names(&open("samples/harbour.rez/LEVEL1", "")).contains(&"WORLDS"));
    let worlds = open("samples/world.wdb", "");
    assert_eq!(names(&worlds)[..3], ["BAY", "MEADOW", "TOYBOX"]);
    assert!(names(&open("samples/world.wdb", "world:TOYBOX")).contains(&"car"));
    // The reference, its blob and a part of either belong to the same model.
    for path in
        ["world:TOYBOX/model:car", "blob:car", "blob:car/roi:body/lod%230", "world:TOYBOX/model:car/blob/roi:body"]
    {
        let about = viewer.get(&format!("/api/about?at=samples/world.wdb&path={path}")).json();
        assert_eq!((&about["node"]["kind"], &about["node"]["name"]), (&json!("model"), &json!("car")), "{path}");
    }
}

#[test]
fn textures_of_a_file_are_pictures_with_paths() {
    let viewer = Viewer::samples();
    let all = viewer.get("/api/children?at=samples/pennant.tex").json();
    assert_eq!(names(&all), ["pennant.gif", "wall.gif"]);
    let about = viewer.get("/api/about?at=samples/pennant.tex&path=texture:wall.gif").json();
    assert_eq!((&about["node"]["kind"], &about["parents"][1]["kind"]), (&json!("texture"), &json!("textures")));
    assert_eq!(about["views"], json!(["picture", "fields", "hex"]));
    let png = viewer.get("/api/download?at=samples/pennant.tex&path=texture:wall.gif&to=png");
    assert_eq!((png.status, &png.body[..4]), (200, &b"\x89PNG"[..]));
    let none = viewer.get("/api/download?at=samples/pennant.tex&path=texture:roof.gif&to=png");
    assert_ne!(none.status, 200);
}

#[test]
fn names_that_are_no_text_keep_their_files_reachable() {
    let folder = tempfile::tempdir().unwrap();
    // Windows has no names with some of these characters.
    let markup = if cfg!(windows) { "&lt;img src=x&gt;.bin" } else { "<img src=x onerror=alert(1)>.bin" };
    let query = if cfg!(windows) { "a#b&c=d.bin" } else { "a#b?c&d=e.bin" };
    let odd = ["a b%20c.bin", markup, "ünï.bin", query];
    for name in odd {
        fs::write(folder.path().join(name), name).unwrap();
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"bad\xFFname.bin");
        fs::write(folder.path().join(name), "bad").unwrap();
    }
    let viewer = Viewer::of(folder.path());
    let root = viewer.get("/api/session").json()["roots"][0]["at"].as_str().unwrap().to_owned();
    let children = viewer.get(&format!("/api/children?at={root}")).json();
    for child in children["children"].as_array().unwrap() {
        // The page encodes the address once more, as part of a query.
        let at = child["at"].as_str().unwrap().replace('%', "%25");
        let answer = viewer.get(&format!("/api/bytes?at={at}&len=100"));
        let name = child["name"].as_str().unwrap();
        let expected = if name.starts_with("bad") { "bad" } else { name };
        assert_eq!(String::from_utf8(answer.body).unwrap(), expected);
    }
    assert_eq!(children["total"], odd.len() + usize::from(cfg!(unix)));
}

#[test]
fn fields_open_level_by_level_and_know_their_bytes() {
    let viewer = Viewer::samples();
    let rows =
        |path: &str| viewer.get(&format!("/api/fields?at=samples/harbour.wwd&path={path}")).json()["rows"].clone();
    let find = |rows: &Value, path: &str| {
        rows.as_array().unwrap().iter().find(|row| row["path"] == path).unwrap_or_else(|| panic!("no {path}")).clone()
    };
    let planes = find(&rows(""), "planes*");
    assert_eq!((&planes["kind"], &planes["count"], &planes["open"]), (&json!("list"), &json!(3), &json!(true)));
    let action = find(&rows("planes*"), "plane:Action");
    // The headers of planes begin behind the header of the level: crates/wwd/FORMAT.md, Planes.
    assert_eq!(action["at"], json!([1524 + 160, 160, "image"]));
    let image = viewer.get("/api/bytes?at=samples/harbour.wwd&space=image&from=1684&len=160");
    assert_eq!(image.body[..4], 160_u32.to_le_bytes());
    let name = find(&rows("plane:Action"), "plane:Action/name");
    assert_eq!(name["text"], "\"Action\"");
    let at = name["at"][0].as_u64().unwrap();
    let bytes = viewer.get(&format!("/api/bytes?at=samples/harbour.wwd&space=image&from={at}&len=6"));
    assert_eq!(bytes.body, b"Action");
    let located = viewer.get(&format!("/api/locate?at=samples/harbour.wwd&space=image&offset={at}")).json();
    assert_eq!(located["path"], "plane:Action/name");
    let missing = viewer.get("/api/fields?at=samples/harbour.wwd&path=plane:Nowhere");
    assert_eq!(missing.status, 404);
}

#[test]
fn the_way_to_a_field_can_be_followed() {
    let viewer = Viewer::samples();
    for (at, path) in [
        ("samples/harbour.wwd", "plane:Action/object:12/logic"),
        ("samples/world.wdb", "blob:car/roi:body/lod#0/mesh#0/material"),
        ("samples/items.wdb", "apple_dried/uPurchasePrice"),
        ("samples/harbour.rez", "LEVEL1/@time"),
    ] {
        let encoded = path.replace('#', "%23");
        let way = viewer.get(&format!("/api/fields/way?at={at}&path={encoded}")).json()["way"].clone();
        let way = way.as_array().unwrap();
        let mut next = String::new();
        for step in way {
            assert_eq!(step["path"], next, "{path}: {way:?}");
            let open = next.replace('#', "%23");
            let rows = viewer.get(&format!("/api/fields?at={at}&path={open}&limit=1000")).json()["rows"].clone();
            next = rows[usize::try_from(step["row"].as_u64().unwrap()).unwrap()]["path"].as_str().unwrap().to_owned();
        }
        assert_eq!(next, path);
    }
}

#[test]
fn the_search_finds_names_in_everything() {
    let viewer = Viewer::samples();
    let lines = viewer.get("/api/find?q=lighthouse").lines();
    let (done, hits) = lines.split_last().unwrap();
    assert_eq!((&done["done"], &done["files"], &done["hits"]), (&json!(true), &json!(10), &json!(hits.len())));
    let places: Vec<_> = hits.iter().map(|hit| hit["path"].as_str().unwrap()).collect();
    assert_eq!(
        places,
        [
            "world:BAY/model:lighthouse/name",
            "world:TOYBOX/model:lighthouse/name",
            "blob:lighthouse/node:lighthouse/name",
            "blob:lighthouse/roi:lighthouse/name",
        ]
    );
    let inside = viewer.get("/api/find?q=TreasurePowerup&at=samples/harbour.rez/LEVEL1").lines();
    assert!(inside.len() > 2 && inside[0]["at"] == "samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD", "{:?}", inside[0]);
}

#[test]
fn a_broken_file_has_findings_and_hides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cut.wwd"), &sample("garden.wwd")[..900]).unwrap();
    fs::write(folder.path().join("good.wdb"), sample("items.wdb")).unwrap();
    fs::write(folder.path().join("notes.txt"), b"no game data").unwrap();
    let viewer = Viewer::of(folder.path());
    let root = viewer.get("/api/session").json()["roots"][0]["at"].as_str().unwrap().to_owned();
    let lines = viewer.get("/api/findings?at=").lines();
    let (done, findings) = lines.split_last().unwrap();
    assert_eq!((&done["files"], &done["failed"]), (&json!(1), &json!(1)));
    assert_eq!((&findings[0]["at"], &findings[0]["code"]), (&json!(format!("{root}/cut.wwd")), &json!("cannot-open")));
    let about = viewer.get(&format!("/api/about?at={root}/cut.wwd")).json();
    assert_eq!((&about["node"]["kind"], &about["views"]), (&json!("broken"), &json!(["hex"])));
    assert!(about["node"]["error"].as_str().unwrap().contains("900"), "{about}");
    let about = viewer.get(&format!("/api/about?at={root}/notes.txt")).json();
    assert_eq!((&about["node"]["kind"], &about["views"]), (&json!("data"), &json!(["hex"])));
}

#[test]
fn an_answer_that_the_browser_has_is_not_sent_again() {
    let viewer = Viewer::samples();
    let path = "/api/picture.png?at=samples/world.wdb&path=global_textures/texture:planks.gif";
    let first = viewer.get(path);
    assert!(first.body.starts_with(b"\x89PNG"));
    let tag = first.header("etag").unwrap();
    let again = viewer.send("GET", path, &[("If-None-Match", tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    let other = viewer.send("GET", path, &[("If-None-Match", "\"other\"")], b"");
    assert_eq!((other.status, other.body), (200, first.body));
}

#[test]
fn a_file_that_changed_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let path = folder.path().join("file.bin");
    fs::copy(samples.join("items.wdb"), &path).unwrap();
    let viewer = Viewer::of(&path);
    let kind = || viewer.get("/api/about?at=file.bin").json()["node"]["kind"].clone();
    assert_eq!(kind(), "table");
    fs::copy(samples.join("garden.wwd"), &path).unwrap();
    assert_eq!(kind(), "level");
}

#[test]
fn downloads_are_what_export_writes() {
    let viewer = Viewer::samples();
    let csv = viewer.get("/api/download?at=samples/items.wdb&to=csv");
    let name = csv.header("content-disposition").unwrap();
    assert!(name.starts_with("attachment") && name.contains("items%2Ecsv"), "{name}");
    let rows = csv::Reader::from_reader(&csv.body[..]).into_records().collect::<Result<Vec<_>, _>>().unwrap();
    // README.md: 40 records; samples/README.md: the price of dried apples.
    assert_eq!(rows.len(), 40);
    assert_eq!(rows.iter().find(|row| &row[0] == "apple_dried").map(|row| row[4].to_owned()), Some("6".to_owned()));
    let glb = viewer.get("/api/download?at=samples/world.wdb&path=world:BAY&to=glb");
    let size = u32::try_from(glb.body.len()).unwrap().to_le_bytes();
    assert_eq!(glb.body[..12], [&b"glTF\x02\0\0\0"[..], &size].concat());
    assert_eq!(viewer.get("/api/download?at=samples/items.wdb&to=glb").status, 400);
    let data = viewer.get("/api/download?at=samples/effects.bin&to=csv");
    assert_eq!(data.status, 400);
}

#[test]
fn a_download_is_the_file_that_export_writes() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let out = tempfile::tempdir().unwrap();
    let to = ["members", "glb", "png", "csv", "parquet", "json"].into_iter().filter_map(OutputKind::named).collect();
    let options = ExportOptions { out: out.path().to_owned(), to, ..ExportOptions::default() };
    let files = ["items.wdb", "garden.wwd", "effects.bin", "harbour.rez", "world.wdb", "pennant.tex"];
    let report = export(&files.map(|file| samples.join(file)), &options, &mut Run::new(&mut ())).unwrap();
    assert!(report.failures.is_empty(), "{:?}", report.failures);
    let viewer = Viewer::samples();
    for (file, path, form, name) in [
        ("items.wdb", "", "csv", "records.csv"),
        ("items.wdb", "", "parquet", "records.parquet"),
        ("items.wdb", "", "json", "table.json"),
        ("garden.wwd", "", "png", "level.png"),
        ("garden.wwd", "", "json", "level.json"),
        ("effects.bin", "", "json", "archive.json"),
        ("harbour.rez", "", "json", "archive.json"),
        ("world.wdb", "", "json", "world.json"),
        ("world.wdb", "world:BAY", "glb", "worlds/BAY.glb"),
        ("pennant.tex", "", "json", "textures.json"),
        ("pennant.tex", "texture:wall.gif", "png", "textures/wall.png"),
    ] {
        let saved = viewer.get(&format!("/api/download?at=samples/{file}&path={path}&to={form}"));
        let exported = fs::read(out.path().join(file).join(name)).unwrap();
        assert!((saved.status, &saved.body) == (200, &exported), "{file} {path} {form}");
    }
}

/// What a damaged file lacks is said where its parts are shown, in one way for all formats.
#[test]
fn a_damaged_file_says_that_parts_are_missing() {
    let folder = Folder::new();
    let sample = |name: &str| std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut world = sample("world.wdb");
    // The lengths of names and lists in the blobs behind the directory.
    let half = world.len() / 2;
    world[half..].chunks_mut(64).for_each(|chunk| chunk.fill(0xFF));
    for (name, bytes) in [
        ("world.wdb", world),
        ("garden.wwd", sample("garden.wwd")[..20_000].to_vec()),
        ("items.wdb", sample("items.wdb")[..3_000].to_vec()),
    ] {
        folder.write(name, &bytes);
        folder.write(&format!("whole/{name}"), &sample(name));
    }
    let viewer = Viewer::of(folder.path());
    for name in ["world.wdb", "garden.wwd", "items.wdb"] {
        let about = viewer.json(&format!("/api/about?at={}/{name}", folder.at()));
        let count = about["unreadable"].as_u64().unwrap_or_default();
        let findings = viewer.lines(&format!("/api/findings?at={}/{name}", folder.at()));
        let fatal = findings.iter().filter(|line| line["severity"] == "fatal").count() as u64;
        assert!(count > 0 && count <= fatal, "{name}: {count} of {fatal}");
        let about = viewer.json(&format!("/api/about?at={}/whole/{name}", folder.at()));
        assert_eq!(about.get("unreadable"), None, "{name}");
    }
    let world = viewer.json(&format!("/api/about?at={0}/world.wdb", folder.at()));
    assert_eq!(world["node"]["kind"], "database");
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap()
}

#[test]
fn the_search_finds_files_first_and_names_those_that_it_could_not_search() {
    let folder = Folder::new();
    folder.write("deep/eventflag/other.wdb", &sample("bestiary.wdb"));
    folder.write("deep/eventflag.wdb", &sample("items.wdb"));
    folder.write("deep/cut.wwd", &sample("garden.wwd")[..900]);
    folder.write("notes.txt", b"eventflag");
    let viewer = Viewer::open([folder.path()]);
    let lines = viewer.lines("/api/find?q=EVENTFLAG");
    let [file, inner, failed, done] = &lines[..] else { panic!("{lines:?}") };
    let at = |name: &str| json!(format!("{}/deep/{name}", folder.at()));
    assert_eq!(&file["at"], &at("eventflag.wdb"));
    assert_eq!(file["kind"], "table");
    assert_eq!(file["name"], "eventflag.wdb");
    assert_eq!((&inner["at"], &inner["kind"]), (&at("eventflag"), &json!("folder")));
    assert_eq!((&failed["at"], &done["failed"], &done["hits"]), (&at("cut.wwd"), &json!(1), &json!(2)));
    assert!(failed["unsearched"].as_str().unwrap().contains("900"), "{failed}");
}

#[test]
fn the_filter_of_the_tree_looks_into_closed_folders() {
    let folder = Folder::new();
    folder.write("a/b/c/potion.wdb", &sample("items.wdb"));
    folder.write("a/other.wdb", &sample("items.wdb"));
    folder.write("empty/none.wdb", &sample("items.wdb"));
    let viewer = Viewer::open([folder.path()]);
    let root = viewer.json("/api/children?at=&filter=potion");
    assert_eq!(root["children"][0]["inside"], true);
    let inside = |at: &str| viewer.json(&format!("/api/children?at={}{at}&filter=potion", folder.at()));
    assert_eq!((names(&inside("")), &inside("")["children"][0]["inside"]), (vec!["a"], &json!(true)));
    assert_eq!(names(&inside("/a")), ["b"]);
    assert_eq!(names(&inside("/a/b/c")), ["potion.wdb"]);
    assert_eq!(inside("/a/b/c")["children"][0].get("inside"), None);
    assert!(names(&inside("/empty")).is_empty());
    // A directory of an archive is a folder, too.
    let viewer = Viewer::samples();
    let levels = viewer.json("/api/children?at=samples/harbour.rez&filter=world.wwd");
    assert_eq!((names(&levels), &levels["children"][0]["inside"]), (vec!["LEVEL1"], &json!(true)));
}

#[test]
fn bytes_of_a_member_are_those_of_the_member() {
    let viewer = Viewer::samples();
    let at = "samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD";
    let about = viewer.json(&format!("/api/about?at={at}"));
    let (start, length) = (about["length"]["start"].as_u64().unwrap(), about["length"]["file"].as_u64().unwrap());
    let file = sample("harbour.rez");
    let (from, to) = (start as usize, (start + length) as usize);
    // The header of a level begins with its size.
    assert_eq!(file[from..from + 4], 1524_u32.to_le_bytes());
    let bytes = |query: &str| viewer.get(&format!("/api/bytes?at={at}&{query}")).ok();
    let all = bytes("from=0&len=65536");
    assert_eq!(all.header("x-total-length"), Some(&*length.to_string()));
    assert_eq!(all.body, file[from..to.min(from + 65536)]);
    assert_eq!(bytes(&format!("from={}&len=16", start + length - 8)).body, file[to - 8..to]);
    // Numbers of the tables are stored with the first byte first, those of levels with the last.
    assert_eq!(about["big_endian"], false);
    assert_eq!(viewer.json("/api/about?at=samples/items.wdb")["big_endian"], true);
    assert_eq!(viewer.json("/api/about?at=samples/wdbpack.bin/r_bells.wdb")["big_endian"], true);
    let level = viewer.json("/api/about?at=samples/garden.wwd");
    assert_eq!((&level["node"]["name"], &level["node"]["title"]), (&json!("garden.wwd"), &json!("Garden Set 1")));
}

#[test]
fn damage_is_counted_for_what_is_asked_for() {
    let folder = Folder::new();
    let world = sample("world.wdb");
    folder.write("world.wdb", &world);
    folder.write("cut.wdb", &world[..world.len() / 2]);
    folder.write("noise.wwd", &sample("garden.wwd")[..700]);
    let viewer = Viewer::of(folder.path());
    let place = |name: &str, path: &str| json!({"at": format!("{}/{name}", folder.at()), "path": path});
    let places = [
        place("world.wdb", ""),
        place("cut.wdb", ""),
        place("cut.wdb", "world:BAY"),
        place("cut.wdb", "world:TOYBOX"),
        place("noise.wwd", ""),
    ];
    let damage = viewer.post("/api/damage", &json!({"places": places})).ok().json();
    let parts = |index: usize| damage[index]["unreadable"].as_u64().unwrap_or(0);
    assert_eq!((&damage[0], parts(0)), (&json!({}), 0));
    assert!(parts(1) > 0 && parts(2) + parts(3) > 0 && parts(2) <= parts(1) && parts(3) <= parts(1), "{damage}");
    assert_ne!(parts(2), parts(3), "each world has its own: {damage}");
    assert!(damage[4]["error"].is_string(), "{damage}");
    let about = viewer.json(&format!("/api/about?at={}/cut.wdb&path=world:BAY", folder.at()));
    assert_eq!(about["unreadable"].as_u64().unwrap_or(0), parts(2));
}

#[test]
fn titles_are_found_and_words_in_any_order() {
    let viewer = Viewer::samples();
    let listed = |filter: &str| {
        let children = viewer.json(&format!("/api/children?at=samples&filter={}", encoded(filter)));
        names(&children).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    // The title of garden.wwd is "Garden Set 1".
    assert_eq!(listed("1 garden set"), ["garden.wwd"]);
    // The archive has the level, too.
    assert_eq!(listed("level harbour"), ["harbour.rez", "harbour.wwd"]);
    assert!(listed("level garden").is_empty());
    let found = |q: &str| viewer.lines(&format!("/api/find?at=samples&q={}", encoded(q)));
    let has = |q: &str, name: &str| found(q).iter().any(|line| line["name"] == name);
    assert!(
        has("set garden", "garden.wwd") && has("level harbour", "harbour.wwd") && !has("set harbour", "harbour.wwd")
    );
}

#[test]
fn a_file_and_the_records_that_are_shown_can_be_saved() {
    let viewer = Viewer::samples();
    let whole = viewer.get("/api/download?at=samples/items.wdb&to=file").ok();
    assert_eq!(whole.body, sample("items.wdb"));
    let member = viewer.get("/api/download?at=samples/harbour.rez/LEVEL1/WORLDS/WORLD.WWD&to=file").ok();
    assert_eq!(member.body[..4], [0xF4, 5, 0, 0]);
    let csv = viewer.get("/api/download?at=samples/items.wdb&to=csv&f.0=b*&sort=-0").ok().body;
    let csv = String::from_utf8(csv).unwrap();
    let names: Vec<_> = csv.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names, ["brush_tar", "bread_rye", "blue_marble", "biscuit_hard", "bell_cord", "barnacle_knife"]);
}
