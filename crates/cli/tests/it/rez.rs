//! Tests of the command with REZ archives, and with levels drawn with the pictures of their game, as a process.

use std::collections::BTreeMap;
use std::fs;

use worldview_corpus::rez::build::build;
use worldview_corpus::rez::naive;
use worldview_corpus::rez::spec::{ArchiveSpec, DirectorySpec, EntrySpec};
use worldview_corpus::sample;
use worldview_verbs::Run;
use worldview_verbs::options::{ExportOptions, Options as _};

use crate::support::{Folder, manifest};

const LEVEL: &str = "LEVEL1/WORLDS/WORLD.WWD";

/// Returns an archive with the files of the sample, to be changed.
fn archive() -> ArchiveSpec {
    let sample = sample("harbour.rez");
    let mut root = DirectorySpec::default();
    for (path, file) in naive::archive(&sample).unwrap().files() {
        root.add(str::from_utf8(&path).unwrap(), sample[file.data.clone()].to_vec());
    }
    ArchiveSpec { root, ..ArchiveSpec::default() }
}

/// Returns the files of a directory by their paths, as described in the spec.
fn files(directory: &DirectorySpec) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![(String::new(), directory)];
    while let Some((above, directory)) = open.pop() {
        for entry in &directory.entries {
            match entry {
                EntrySpec::Directory(child) => {
                    open.push((format!("{above}{}/", String::from_utf8_lossy(&child.name)), child));
                }
                EntrySpec::File(file) => {
                    let [name, extension] = [&file.name, &file.extension].map(|text| String::from_utf8_lossy(text));
                    files.insert(format!("{above}{name}.{extension}"), file.data.clone());
                }
            }
        }
    }
    files
}

/// Removes the entry with this path, which is a directory or a file without its extension.
fn remove(directory: &mut DirectorySpec, path: &str) {
    if let Some((first, rest)) = path.split_once('/') {
        return remove(directory.child(first), rest);
    }
    let before = directory.entries.len();
    directory.entries.retain(|entry| match entry {
        EntrySpec::Directory(child) => child.name != path.as_bytes(),
        EntrySpec::File(file) => file.name != path.as_bytes(),
    });
    assert_eq!(directory.entries.len() + 1, before, "{path}");
}

fn with(name: &str, archive: &ArchiveSpec) -> Folder {
    let folder = Folder::new();
    folder.put(name, &build(archive).bytes);
    folder
}

/// Returns the width and height in the header of a PNG.
fn size(png: &[u8]) -> [u32; 2] {
    let word = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(&png[12..16], b"IHDR");
    [word(16), word(20)]
}

#[test]
fn an_export_has_the_files_of_an_archive_and_its_pictures() {
    let folder = with("harbour.rez", &archive());
    folder.ok("export harbour.rez -o out --scale 4");
    for (path, data) in files(&archive().root) {
        let read = |path: &str| folder.bytes(&format!("out/harbour.rez/{path}"));
        assert_eq!(read(&format!("members/{path}")), data, "{path}");
        if let Some(stem) = path.strip_suffix(".PID") {
            let word = |at: usize| u32::from_le_bytes(data[at..at + 4].try_into().unwrap());
            assert_eq!(size(&read(&format!("{stem}.png"))), [word(8), word(12)], "{path}");
        }
    }
    // The screen has its size in the last column and row.
    let screen = &files(&archive().root)["CLAW/SCREENS/TITLE.PCX"];
    let side = |at: usize| u32::from(u16::from_le_bytes([screen[at], screen[at + 1]])) + 1;
    let png = folder.bytes("out/harbour.rez/CLAW/SCREENS/TITLE.png");
    assert_eq!(size(&png), [side(8), side(10)]);
    for name in ["map.tmx", "level.png", "objects.csv", "planes/01-Action.png"] {
        assert!(folder.path(&format!("out/harbour.rez/{LEVEL}/{name}")).is_file(), "{name}");
    }
    // A second run has nothing to do.
    let (_, _, said) = folder.said(&["export", "harbour.rez", "-o", "out", "--scale", "4"]);
    assert!(said.contains("1 level, 1 archive; 0 files (0 bytes) written to out"), "{said}");
}

#[test]
fn levels_are_in_order_and_within_limits_on_any_number_of_threads() {
    let mut spec = archive();
    let level = files(&spec.root)[LEVEL].clone();
    let folders: Vec<_> = (1..=6).map(|number| format!("LEVEL{number}/WORLDS/WORLD.WWD")).collect();
    for path in &folders[1..] {
        spec.root.add(path, level.clone());
    }
    let folder = with("GAME.REZ", &spec);
    let expected: Vec<_> =
        folders.iter().flat_map(|level| ["objects", "attributes"].map(|name| format!("{level}/{name}.csv"))).collect();
    // Programs set the numbers that --limits multiplies.
    let export = |threads: usize, limit: Option<(&str, u64)>| {
        let out = format!("out{threads}{}", limit.map_or("", |(name, _)| name));
        let mut options = ExportOptions { out: folder.path(&out), ..ExportOptions::default() };
        options.set("to", &"csv".into()).unwrap();
        limit.iter().for_each(|(name, number)| options.set(name, &(*number).into()).unwrap());
        let (mut nobody, paths) = ((), [folder.path("GAME.REZ")]);
        let report = worldview_verbs::export(&paths, &options, &mut Run::new(&mut nobody).threads(threads)).unwrap();
        let said: Vec<_> = report.failures.iter().map(ToString::to_string).collect();
        let files = manifest(&folder.path(&format!("{out}/GAME.REZ")))["files"].as_array().unwrap().clone();
        for file in &files {
            assert!(folder.path(&format!("{out}/GAME.REZ/{}", file["file"].as_str().unwrap())).is_file(), "{file}");
        }
        // Nothing else is there, such as files past the limit or temporary ones.
        assert_eq!(folder.files(&out).len(), files.len() + 1, "{said:?}");
        let size = |file: &serde_json::Value| file["size"].as_u64().unwrap();
        let sizes: Vec<_> = files.iter().map(size).collect();
        let names: Vec<_> = files.iter().map(|file| file["file"].as_str().unwrap().to_owned()).collect();
        (names, sizes, said)
    };
    let (_, sizes, _) = export(1, None);
    let bytes = sizes[..7].iter().sum::<u64>() + 10;
    for (limit, count) in [(None, 12), (Some(("max_files", 5)), 5), (Some(("max_output", bytes)), 7)] {
        let one = export(1, limit);
        assert_eq!((one.2.is_empty(), &one.0[..]), (limit.is_none(), &expected[..count]), "{:?}", one.2);
        assert_eq!(export(4, limit), one);
    }
}

#[test]
fn a_path_leads_to_the_files_and_directories_of_an_archive() {
    let folder = with("GAME.REZ", &archive());
    folder.put("WORLD.WWD", &files(&archive().root)[LEVEL]);
    let inside = format!("GAME.REZ/{}", LEVEL.to_lowercase());
    for verb in [&["show", "--format", "json", "--full"][..], &["find", "gull"], &["check", "--format", "csv"]] {
        let said = |path: &str| {
            folder.said(&[verb, &[path]].concat()).1.replace(path, "").replace(&format!("GAME.REZ/{LEVEL}"), "")
        };
        assert_eq!(said(&inside), said("WORLD.WWD"), "{verb:?}");
    }
    let info = folder.json(&["info", "GAME.REZ/LEVEL1", "--format", "json"]);
    let below: Vec<_> = files(&archive().root).into_keys().filter(|path| path.starts_with("LEVEL1/")).collect();
    let mut listed: Vec<_> = info["archives"][0]["members"].as_array().unwrap().iter().collect();
    listed.sort_by_key(|member| member["path"].as_str());
    assert_eq!(listed.iter().map(|member| member["path"].as_str().unwrap()).collect::<Vec<_>>(), below);
    assert_eq!(info["archives"][0]["levels"], 1);
    folder.says(2, "info GAME.REZ/LEVEL2", &["GAME.REZ: has no part with the path LEVEL2; did you mean LEVEL1?"]);

    let picked = |only: &str| {
        let list = folder.json(&["list", "GAME.REZ", "--only", only, "--format", "json"]);
        let paths = |kind: &str| list[kind].as_array().unwrap().iter().map(|entry| entry["path"].to_string()).collect();
        [paths("levels"), paths("pictures")].map(|paths: Vec<String>| paths.len())
    };
    let pictures = |start: &str| {
        let is_picture = |path: &&String| path.ends_with(".PID") || path.ends_with(".PCX");
        files(&archive().root).keys().filter(|path| path.starts_with(start)).filter(is_picture).count()
    };
    assert_eq!(picked("LEVEL1"), [1, pictures("LEVEL1/")]);
    let inside = folder.json(&["list", "GAME.REZ/level1/tiles/act*", "--format", "json"]);
    assert_eq!(inside["pictures"].as_array().unwrap().len(), pictures("LEVEL1/TILES/ACTION/"));
    assert_eq!(picked("kind=picture"), [0, pictures("")]);
    assert_eq!(picked("*.pcx"), [0, 1]);
}

#[test]
fn what_a_path_selects_is_exported_once() {
    let folder = with("GAME.REZ", &archive());
    let picture = files(&archive().root).into_keys().find(|path| path.ends_with(".PID")).unwrap();
    let level = LEVEL.to_lowercase();
    let (stem, (_, name)) = (level.trim_end_matches(".wwd"), level.rsplit_once('/').unwrap());
    let paths = [(&*level, 1), (stem, 1), (&format!("**/{name}"), 1), (&picture, 0)];
    for (number, (path, levels)) in paths.into_iter().enumerate() {
        let out = format!("out{number}");
        let report =
            folder.json(&["export", &format!("GAME.REZ/{path}"), "-o", &out, "--to", "csv,png", "--format", "json"]);
        assert_eq!(report["exported"]["levels"], levels, "{path}: {report}");
        let written = folder.files(&out).len();
        assert_eq!(
            (report["outputs"]["written"].as_u64(), written > 1),
            (Some(written as u64), true),
            "{path}: {report}"
        );
    }
}

#[test]
fn a_level_shows_the_same_wherever_the_pictures_of_its_game_are() {
    let folder = with("game/GAME.REZ", &archive());
    folder.put("harbour.wwd", &sample("harbour.wwd"));
    for (path, data) in files(&archive().root) {
        folder.put(&format!("unpacked/{}", path.to_lowercase()), &data);
    }
    let drawn = |input: &str, out: &str, game: &[&str]| {
        let args = [&["export", input, "-o", out, "--to", "png", "--scale", "8"], game].concat();
        folder.ok(&args);
        let level = folder.files(out).into_iter().find(|file| file.ends_with("level.png")).unwrap();
        folder.bytes(&format!("{out}/{level}"))
    };
    let inside = drawn(&format!("game/GAME.REZ/{LEVEL}"), "a", &[]);
    // The level is 160 by 60 tiles.
    assert_eq!(size(&inside), [160 * 8, 60 * 8]);
    for (out, game) in [("b", "game/GAME.REZ"), ("c", "game"), ("d", "unpacked")] {
        assert!(drawn("harbour.wwd", out, &["--game", game]) == inside, "{game}");
    }
    assert!(drawn("harbour.wwd", "e", &[]) != inside);
    assert!(drawn("harbour.wwd", "f", &["--game", "game", "--objects", "none"]) != inside);
    // A file in the folder `Assets` replaces that of the archive.
    let [wide, other] = [("LEVEL1/TILES/ACTION/028.PID"), ("LEVEL1/TILES/ACTION/050.PID")]
        .map(|path| files(&archive().root)[path].clone());
    folder.put("game/Assets/LEVEL1/TILES/ACTION/028.PID", &other);
    assert!(wide != other && drawn("harbour.wwd", "g", &["--game", "game"]) != inside);
    folder.says(2, "export harbour.wwd -o h --game nowhere.rez", &["nowhere.rez"]);
    let mut other = archive();
    other.root.entries.retain(|entry| !matches!(entry, EntrySpec::Directory(_)));
    other.root.add("README.TXT", b"no pictures".to_vec());
    folder.put("OTHER.REZ", &build(&other).bytes);
    let none = "harbour.wwd: the game has no pictures for this level, so none are drawn";
    folder.says(0, "export harbour.wwd -o i --to png --game OTHER.REZ", &[none]);
}

#[test]
fn check_names_what_a_level_lacks_in_its_game() {
    let mut spec = archive();
    let found = |spec: &ArchiveSpec| {
        let folder = with("GAME.REZ", spec);
        let all = folder.json(&["check", &format!("GAME.REZ/{LEVEL}"), "--format", "json"]);
        let findings = all["files"][0]["findings"].as_array().unwrap().clone();
        let said = |finding: &serde_json::Value| {
            format!("{}: {}", finding["code"].as_str().unwrap(), finding["message"].as_str().unwrap())
        };
        findings.iter().map(said).collect::<Vec<_>>()
    };
    assert_eq!(found(&spec), [""; 0]);
    // The sample has sounds only. With animations beside them, it is known what is missing.
    let mut animated = spec.clone();
    animated.root.add("GAME/ANIS/FLAG/WAVE.ANI", Vec::new());
    let cycle = |speed, objects| {
        format!("sound-missing: the game has no sound or animation GAME_CYCLE{speed} ({objects} objects without it)")
    };
    assert_eq!(found(&animated), [cycle(100, 5), cycle(50, 19)]);
    remove(&mut spec.root, "GAME/IMAGES/CHEST");
    remove(&mut spec.root, "LEVEL1/TILES/ACTION/028");
    let broken = spec.root.child("LEVEL1").child("TILES").child("ACTION");
    for entry in &mut broken.entries {
        if let EntrySpec::File(file) = entry
            && file.name == b"050"
        {
            file.data.truncate(40);
        }
    }
    let said = found(&spec).join("\n");
    for expected in [
        "image-set-missing: the game has no image set GAME_CHEST (",
        "frame-missing: the game has no frame 28 of ACTION (",
        "picture-broken: ",
    ] {
        assert!(said.contains(expected), "{expected} in {said}");
    }
    // The path is that of the first tile or object that lacks a picture.
    let folder = with("GAME.REZ", &spec);
    let all = folder.json(&["check", &format!("GAME.REZ/{LEVEL}"), "--format", "json"]);
    let findings = all["files"][0]["findings"].as_array().unwrap();
    let chest = findings.iter().find(|found| found["code"] == "image-set-missing").unwrap();
    let object =
        folder.json(&["show", &format!("GAME.REZ/{LEVEL}/{}", chest["place"].as_str().unwrap()), "--format", "json"]);
    assert_eq!(object["planes"][0]["objects"][0]["image_set"], "GAME_CHEST", "{chest} {object}");
    // A picture of light has no colors where the level has no palette.
    remove(&mut spec.root, "LEVEL1/PALETTES/MAIN");
    for entry in &mut spec.root.child("GAME").child("IMAGES").child("COINS").entries {
        let EntrySpec::File(file) = entry else { continue };
        file.data[4] |= 0x40;
    }
    let said = found(&spec);
    let lights: Vec<_> = said.iter().filter(|said| said.contains("IMAGES/COINS")).collect();
    assert!(!lights.is_empty() && lights.iter().all(|said| said.starts_with("picture-light: ")), "{said:?}");
    // Without the game there is nothing to say about it.
    let folder = Folder::new();
    folder.put("WORLD.WWD", &files(&spec.root)[LEVEL]);
    assert_eq!(folder.said(&["check", "WORLD.WWD", "--format", "csv"]).1.lines().count(), 1, "only the columns");
}

#[test]
fn paths_that_lead_through_a_file_can_be_shown() {
    let folder = with("GAME.REZ", &archive());
    let shown = |path: &str| folder.ok(&["show", &format!("GAME.REZ/{path}"), "--format", "json"]);
    let name = format!("{LEVEL}/plane:Action/name");
    // The document has the path as it was given.
    assert_eq!(shown(&name.replace("/plane", "/@level/plane")).replace("/@level", ""), shown(&name));
    assert!(shown(&format!("{LEVEL}/@name")).contains("\"name\":\"WORLD\""));
    folder.fails(2, &format!("show GAME.REZ/{LEVEL}/@nothing"));
}

#[test]
fn a_diff_names_what_differs_inside_an_archive() {
    let folder = with("old.rez", &archive());
    let mut spec = archive();
    for entry in &mut spec.root.child("GAME").child("IMAGES").child("COINS").entries {
        if let EntrySpec::File(file) = entry
            && file.name == b"FRAME001"
        {
            // The offset to the right.
            file.data[16] ^= 1;
        }
    }
    remove(spec.root.child("LEVEL1").child("WORLDS"), "WORLD");
    spec.root.add(LEVEL, sample("garden.wwd"));
    folder.put("new.rez", &build(&spec).bytes);
    let (code, said, failed) = folder.said(&["diff", "old.rez", "new.rez"]);
    assert_eq!((code, &failed[..failed.len().min(19)]), (1, "worldview: compared"), "{failed}");
    assert!(said.contains("~ GAME/IMAGES/COINS/FRAME001.PID/@picture: offset_x: 0 -> 1\n"), "{said}");
    assert!(said.contains("LEVEL1/WORLDS/WORLD.WWD/@level/"), "{said}");
    let (code, said, _) = folder.said(&["diff", "old.rez", "old.rez"]);
    assert_eq!((code, said.as_str()), (0, ""));
}

#[test]
fn a_damaged_archive_keeps_what_can_be_read() {
    let folder = Folder::new();
    let mut bytes = build(&archive()).bytes;
    // The entry of the first file in the root directory is the last one; its data now ends past the end of the file.
    let at = bytes.windows(7).rposition(|window| window == b"README\0").unwrap();
    bytes[at - 20..at - 16].copy_from_slice(&u32::MAX.to_le_bytes());
    folder.put("cut.rez", &bytes);
    folder.says(3, "export cut.rez -o out --to members", &["data of entry"]);
    let mut kept = files(&archive().root);
    kept.remove("README.TXT");
    let written = folder.files("out/cut.rez/members");
    assert_eq!(written, kept.into_keys().collect::<Vec<_>>());
}

/// Returns a picture with the red, green, blue and opacity of these pixels.
fn rgba(width: u32, pixels: &[[u8; 4]]) -> Vec<u8> {
    let mut out = Vec::new();
    let height = u32::try_from(pixels.len()).unwrap() / width;
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(pixels.as_flattened()).unwrap();
    out
}

/// The flags and the stream of a picture, the pixels of the edit, and the stream that it makes, or what is said.
type Case<'c> = (u32, &'c [u8], Vec<[u8; 4]>, Result<&'c [u8], &'c str>);

#[test]
fn an_edited_png_becomes_a_picture() {
    const WHITE: [u8; 4] = [0xFF; 4];
    const CLEAR: [u8; 4] = [1, 2, 3, 0];
    let gray = |shade| [shade, shade, shade, 0xFF];
    let header = |flags: u32| [10, flags, 4, 1, 3, -2_i32 as u32, 0, 7].map(u32::to_le_bytes).concat();
    let folder = Folder::new();
    let cases: [Case; 12] = [
        (0, &[5, 0xC3, 6], vec![gray(5), gray(6), gray(6), gray(6)], Ok(&[5, 0xC3, 6])),
        (0, &[5, 0xC3, 6], vec![gray(5), gray(6), gray(7), gray(0xF0)], Ok(&[5, 6, 7, 0xC1, 0xF0])),
        (0, &[5, 0xC3, 6], vec![gray(5), gray(6), [90, 90, 93, 0xFF], gray(6)], Ok(&[5, 6, 91, 6])),
        (
            0,
            &[5, 0xC3, 6],
            vec![gray(5), CLEAR, gray(6), gray(6)],
            Err("1 pixel: transparent, but this picture has no"),
        ),
        (0, &[5, 0xC3, 6], vec![gray(5), [0, 0, 0, 9], gray(6), gray(6)], Err("1 pixel: partly transparent")),
        // Index 0 is transparent, so an opaque black is the next darkest.
        (1, &[0, 0xC3, 6], vec![CLEAR, gray(0), CLEAR, gray(6)], Ok(&[0, 1, 0, 6])),
        (0x20, &[0x81, 3, 6, 6, 6], vec![CLEAR, gray(0), CLEAR, gray(6)], Ok(&[0x81, 1, 0, 0x81, 1, 6])),
        (0x60, &[0x81, 3, 6, 6, 6], vec![CLEAR, [0xFF, 0xFF, 0xFF, 9], CLEAR, WHITE], Ok(&[0x81, 1, 9, 0x81, 1, 0xFF])),
        (
            0x60,
            &[0x81, 3, 6, 6, 6],
            vec![CLEAR, [0xFF, 0, 0, 9], CLEAR, WHITE],
            Err("1 pixel: a color, but in a picture of light"),
        ),
        (0x20, &[0x81, 3, 6, 6, 6], vec![gray(6); 9], Ok(&[9, 6, 6, 6, 6, 6, 6, 6, 6, 6])),
        (0, &[5, 0xC3, 6], vec![gray(6); 9], Err("whose width is a multiple of 4, not 9")),
        (0, &[5, 0xC3, 6], vec![gray(6); 8], Ok(&[0xC8, 6])),
    ];
    for (number, (flags, stream, pixels, expected)) in cases.into_iter().enumerate() {
        let file = [&header(flags)[..], stream].concat();
        folder.put("a.pid", &file);
        folder.put("a.png", &rgba(u32::try_from(pixels.len()).unwrap(), &pixels));
        let (code, _, err) = folder.said(&["apply", "a.pid", "a.png", "-o", "b.pid", "--overwrite", "always"]);
        match expected {
            Ok(stream) => {
                let made = folder.bytes("b.pid");
                let mut header = header(flags);
                header[8] = u8::try_from(pixels.len()).unwrap();
                assert_eq!((code, made), (0, [&header[..], stream].concat()), "{number}: {err}");
            }
            Err(why) => assert!(code == 3 && err.contains(why), "{number}: {err}"),
        }
        assert_eq!(err.contains("1 pixel has a color that the palette lacks"), matches!(number, 2 | 5), "{err}");
    }
    // In its archive, and there with the palette of its level.
    folder.put("GAME.REZ", &sample("harbour.rez"));
    assert_eq!(folder.said(&["export", "GAME.REZ/LEVEL1/TILES", "-o", "out", "--to", "png"]).0, 0);
    let tile = folder.files("out").into_iter().find(|file| file.contains("TILES") && file.ends_with(".png")).unwrap();
    let decoder =
        png::Decoder::new(fs::File::open(folder.path(&format!("out/{tile}"))).map(std::io::BufReader::new).unwrap());
    let mut reader = decoder.read_info().unwrap();
    let mut indices = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut indices).unwrap();
    let info = reader.info();
    let (width, palette) = (info.width, info.palette.as_ref().unwrap().to_vec());
    let color = |index: &u8| [0, 1, 2].map(|part| palette[3 * usize::from(*index) + part]);
    let mut pixels: Vec<[u8; 4]> =
        indices.iter().map(color).map(|[red, green, blue]| [red, green, blue, 0xFF]).collect();
    let other = *pixels.iter().find(|pixel| **pixel != pixels[0]).unwrap();
    pixels[0] = other;
    folder.put(&format!("out/{tile}"), &rgba(width, &pixels));
    folder.says(0, &format!("apply GAME.REZ out/{tile} -o NEW.REZ"), &["1 change;"]);
    let (_, said, _) = folder.said(&["diff", "GAME.REZ", "NEW.REZ"]);
    assert!(said.contains("@picture") && said.lines().count() < 10, "{said}");
    // Applied twice, and to a copy as a list.
    let (_, list, _) = folder.said(&["diff", "GAME.REZ", "NEW.REZ", "--format", "changes"]);
    folder.put("mod.json", list.as_bytes());
    assert_eq!(folder.said(&["apply", "GAME.REZ", "mod.json", "-o", "AGAIN.REZ"]).0, 0);
    assert_eq!(folder.bytes("AGAIN.REZ"), folder.bytes("NEW.REZ"));
    let (_, list, _) = folder.said(&["diff", "a.pid", "b.pid", "--format", "changes"]);
    folder.put("pid.json", list.as_bytes());
    for from in ["a.pid", "b.pid"] {
        folder.ok(&format!("apply {from} pid.json -o c.pid --overwrite always"));
        assert_eq!(folder.bytes("c.pid"), folder.bytes("b.pid"));
    }
}

#[test]
fn a_new_png_becomes_a_picture_like_its_neighbor() {
    // The neighbors have different flags; the one with the nearest lower number counts.
    let gray = |shade| [shade, shade, shade, 0xFF];
    let pid = |flags: u32, offset: u32, stream: &[u8]| {
        let header = [10, flags, 4, 1, offset, 0, 0, 7].map(u32::to_le_bytes).concat();
        [&header[..], stream].concat()
    };
    let folder = Folder::new();
    folder.put("game/ART/SET/001.PID", &pid(0, 5, &[5, 0xC3, 6]));
    folder.put("game/ART/SET/004.PID", &pid(0x20, 6, &[0x81, 3, 6, 6, 6]));
    folder.put("game/ART/SET/009.PID", &pid(0, 7, &[5, 0xC3, 6]));
    folder.put("game/ART/NOTE.TXT", b"text");
    folder.ok("build game -o GAME.REZ");
    folder.ok("export GAME.REZ -o out --to png,members");
    let clear = [1, 2, 3, 0];
    let new = rgba(5, &[gray(9), clear, clear, gray(7), [90, 90, 93, 0xFF]]);
    let expected = {
        let header = [10, 0x20, 5, 1, 6, 0, 0, 7].map(u32::to_le_bytes).concat();
        [&header[..], &[1, 9, 0x82, 2, 7, 91]].concat()
    };
    let said = "ART/SET/FRAME7.PID: is a new picture, with the flags, offset and palette of 004.PID";
    // Beside the members, or the pictures; alone, or with the folder.
    for (number, (place, source)) in [
        ("members/ART/SET", "out/GAME.REZ"),
        ("members/ART/SET", "out/GAME.REZ/members/ART/SET/frame7.png"),
        ("ART/SET", "out/GAME.REZ"),
        ("ART/SET", "out/GAME.REZ/ART/SET/frame7.png"),
    ]
    .into_iter()
    .enumerate()
    {
        let png = format!("out/GAME.REZ/{place}/frame7.png");
        folder.put(&png, &new);
        let (code, _, err) = folder.said(&["apply", "GAME.REZ", source, "-o", "NEW.REZ", "--overwrite", "always"]);
        assert!(code == 0 && err.contains(said) && err.contains("1 change;"), "{number}: {err}");
        assert!(err.contains("1 pixel has a color that the palette lacks"), "{number}: {err}");
        let read = naive::archive(&folder.bytes("NEW.REZ")).unwrap();
        let files: Vec<_> = read.directories.iter().flat_map(|directory| &directory.entries).collect();
        assert_eq!(files.len(), 2 + 5, "{number}");
        folder.ok("export NEW.REZ -o new --to members --overwrite always");
        assert_eq!(folder.bytes("new/NEW.REZ/members/ART/SET/FRAME7.PID"), expected, "{number}");
        fs::remove_file(folder.path(&png)).unwrap();
    }
    // Once more, to the new archive: the picture is there, with these pixels.
    folder.ok("export NEW.REZ -o again --to png,members");
    let png = "again/NEW.REZ/members/ART/SET/frame7.png";
    folder.put(png, &rgba(5, &[gray(9), clear, clear, gray(7), gray(91)]));
    folder.says(0, &format!("apply NEW.REZ {png} -o AGAIN.REZ"), &["nothing edited"]);
    // A third one, which is like the second, and other pixels for that.
    folder.put("again/NEW.REZ/members/ART/SET/FRAME8.png", &rgba(4, &[gray(6); 4]));
    folder.put(png, &rgba(4, &[gray(6); 4]));
    folder.says(0, "apply NEW.REZ again/NEW.REZ -o AGAIN.REZ --overwrite always", &["2 changes;", "of FRAME7.PID"]);
    folder.ok("export AGAIN.REZ -o new --to members");
    let both = ["FRAME7.PID", "FRAME8.PID"].map(|name| folder.bytes(&format!("new/AGAIN.REZ/members/ART/SET/{name}")));
    assert!(both[0] == both[1] && both[0] == pid(0x20, 6, &[4, 6, 6, 6, 6]), "{both:?}");
    // What the neighbor cannot store is refused, and what looks like a copy is left out.
    let set = "out/GAME.REZ/ART/SET";
    folder.put(&format!("{set}/002.png"), &rgba(9, &[gray(6); 9]));
    folder.says(3, "apply GAME.REZ out/GAME.REZ -o no.rez", &["ART/SET/002.PID: ", "multiple of 4, not 9"]);
    folder.put(&format!("{set}/002.png"), &rgba(4, &[clear; 4]));
    folder.says(3, "apply GAME.REZ out/GAME.REZ -o no.rez", &["ART/SET/002.PID: 4 pixels: transparent"]);
    fs::remove_file(folder.path(&format!("{set}/002.png"))).unwrap();
    folder.put(&format!("{set}/001 - Copy.png"), b"no picture");
    folder.says(0, "apply GAME.REZ out/GAME.REZ -o left.rez", &["has the name of a copy, so it is added only"]);
    // A directory without pictures has nothing that it could be like.
    folder.put("out/GAME.REZ/members/ART/new.png", &new);
    folder.says(0, "apply GAME.REZ out/GAME.REZ/members/ART/new.png -o png.rez", &["which the games do not show"]);
}

/// The picture, the pixels of the edit, and the file that it makes, or what is said.
type Screen<'s> = (usize, Vec<[u8; 4]>, Result<Vec<u8>, &'s str>);

#[test]
fn an_edited_png_becomes_a_screen() {
    // Header, size, the lengths of lines, and the marked palette of gray.
    let file = |planes: u8, width: u8, line: u8, stream: &[u8]| {
        let mut file = vec![0; 128];
        file[..4].copy_from_slice(&[10, 5, 1, 8]);
        [file[8], file[65], file[66], file[70]] = [width - 1, planes, line, 0x5A];
        file.extend_from_slice(stream);
        if planes == 1 {
            file.push(12);
            file.extend((0..=u8::MAX).flat_map(|shade| [shade; 3]));
        }
        file
    };
    let gray = |shade| [shade, shade, shade, 0xFF];
    let folder = Folder::new();
    let old = [file(1, 4, 4, &[5, 0xC3, 6]), file(3, 2, 2, &[1, 0xC1, 0xC1, 0xC2, 3, 4, 5])];
    let color = [[1, 3, 4, 0xFF], [0xC1, 3, 5, 0xFF], [9, 9, 8, 0xFF]];
    let cases: [Screen; 8] = [
        (0, [5, 6, 6, 6].map(gray).to_vec(), Ok(old[0].clone())),
        (0, [5, 6, 7, 0xF0].map(gray).to_vec(), Ok(file(1, 4, 4, &[5, 6, 7, 0xC1, 0xF0]))),
        (0, vec![gray(6); 9], Ok(file(1, 9, 10, &[0xC9, 6, 0]))),
        (0, vec![gray(6), gray(5), [6, 6, 6, 0], gray(6)], Err("1 pixel: transparent, but this picture has no")),
        (1, color[..2].to_vec(), Ok(old[1].clone())),
        (1, vec![color[2], color[0], color[1]], Ok(file(3, 3, 4, &[9, 1, 0xC1, 0xC1, 0, 9, 0xC2, 3, 0, 8, 4, 5, 0]))),
        (1, vec![color[0], [0; 4]], Err("1 pixel: transparent, but this picture has no")),
        // An eraser may keep the color.
        (1, vec![[1, 3, 4, 0], color[1]], Err("1 pixel: transparent, but this picture has no")),
    ];
    for (number, (from, pixels, expected)) in cases.into_iter().enumerate() {
        folder.put("a.pcx", &old[from]);
        folder.put("a.png", &rgba(u32::try_from(pixels.len()).unwrap(), &pixels));
        let (code, _, err) = folder.said(&["apply", "a.pcx", "a.png", "-o", "b.pcx", "--overwrite", "always"]);
        match expected {
            Ok(made) => assert_eq!((code, folder.bytes("b.pcx")), (0, made), "{number}: {err}"),
            Err(why) => assert!(code == 3 && err.contains(why), "{number}: {err}"),
        }
    }
}

#[test]
fn an_edited_png_becomes_a_bitmap() {
    // Two rows of three pixels from the bottom, in four colors.
    let bitmap = |rows: [[u8; 4]; 2]| {
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        let head = [&b"BM"[..], &words(&[78, 0, 70, 40, 3, 2]), &[1, 0, 8, 0], &words(&[0, 0, 0, 0, 4, 0])].concat();
        let colors = words(&[0xFF_FFFF, 0xFF_0000, 0x00_FF00, 0x00_00FF]);
        [&head[..], &colors, rows.as_flattened()].concat()
    };
    let [white, red, green, blue] = [[255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255]]
        .map(|[red, green, blue]: [u8; 3]| [red, green, blue, 0xFF]);
    let folder = Folder::new();
    folder.put("game/ART/A.BMP", &bitmap([[3, 2, 1, 0x5A], [0, 1, 2, 0x5B]]));
    assert_eq!(folder.said(&["build", "game", "-o", "GAME.REZ"]).0, 0);
    assert_eq!(folder.said(&["export", "GAME.REZ", "-o", "out", "--to", "png"]).0, 0);
    let png = "out/GAME.REZ/ART/A.png";
    let apply = |pixels: [[u8; 4]; 6]| {
        folder.put(png, &rgba(3, &pixels));
        let (code, _, err) = folder.said(&["apply", "GAME.REZ", png, "-o", "NEW.REZ", "--overwrite", "always"]);
        let members = ["export", "NEW.REZ", "-o", "new", "--to", "members", "--overwrite", "always"];
        assert_eq!(folder.said(&members).0, 0);
        (code, err, folder.bytes("new/NEW.REZ/members/ART/A.BMP"))
    };
    // A color that nothing has is the nearest of the four, not one behind them.
    let (code, err, made) = apply([blue, red, [9, 9, 8, 0xFF], blue, green, white]);
    assert_eq!((code, made), (0, bitmap([[3, 2, 0, 0x5A], [3, 1, 1, 0x5B]])), "{err}");
    assert!(err.contains("1 pixel has a color that the palette lacks"), "{err}");
    let (code, err, _) = apply([blue, red, [0; 4], blue, green, white]);
    assert!(code == 3 && err.contains("1 pixel: transparent, but this picture has no transparency"), "{err}");
}

#[test]
fn a_file_has_the_name_of_a_directory() {
    let mut root = DirectorySpec::default();
    for (path, data) in [("A.TXT", "outer"), ("A.TXT/A.TXT", "inner"), ("a.txt/B/C.TXT", "deep"), ("A.TXT/b", "flat")] {
        root.add(path, data.into());
    }
    let folder = with("G.REZ", &ArchiveSpec { root, ..ArchiveSpec::default() });
    folder.ok("export G.REZ -o out --to members");
    let mut members: Vec<_> = folder.files("out/G.REZ/members");
    members.sort();
    assert_eq!(members, ["A.TXT/A.TXT", "A.TXT/b~2", "A~2.TXT", "a.txt/B/C.TXT"]);
    assert_eq!(folder.text("out/G.REZ/members/A~2.TXT"), "outer");
    // Which of the two an edit is of cannot be said by a path without a number.
    folder.put("out/G.REZ/members/A~2.TXT", b"edited");
    folder.says(3, "apply G.REZ out/G.REZ -o NEW.REZ", &["A.TXT: 2 elements have this name"]);
    folder.put("out/G.REZ/members/A~2.TXT", b"outer");
    folder.put("out/G.REZ/members/a.txt/B/C.TXT", b"edited");
    folder.ok("apply G.REZ out/G.REZ -o NEW.REZ");
    folder.ok("export NEW.REZ -o new --to members");
    assert_eq!(folder.text("new/NEW.REZ/members/a.txt/B/C.TXT"), "edited");
}
