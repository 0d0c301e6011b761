//! `build`: what a file is made of, made into a file again. The naive readers say whether it is the same.

use worldview_corpus::ff13::{self, generate as tables, naive::NaiveTable};
use worldview_corpus::island::naive::Real;
use worldview_corpus::rez::naive::{NaiveArchive, NaiveEntry};
use worldview_corpus::wwd::generate::Shape;
use worldview_corpus::wwd::naive::{NaiveLevel, NaiveValue};
use worldview_corpus::{rez, sample, wwd};

use crate::support::Folder;

/// Whether a field of a level follows from how the content is stored.
fn is_layout(field: &str) -> bool {
    field.ends_with("_offset") || ["main_block_length", "checksum"].contains(&field)
}

/// Returns a level without what follows from how its content is stored.
fn level(file: &[u8]) -> NaiveLevel {
    let mut level = wwd::naive::read(file).unwrap();
    let keep = |fields: &mut Vec<(&'static str, NaiveValue)>| fields.retain(|(name, _)| !is_layout(name));
    keep(&mut level.header);
    level.planes.iter_mut().for_each(|plane| keep(&mut plane.fields));
    level.image.clear();
    level
}

/// Returns an archive without places, in the order of its entries.
fn directories(file: &[u8]) -> NaiveArchive {
    let mut read = rez::naive::archive(file).unwrap();
    read.header.retain(|(name, _)| !["root_dir_pos", "root_dir_size", "next_write_pos", "is_sorted"].contains(name));
    // The longest names may be those of files that are gone.
    read.header.retain(|(name, _)| !name.starts_with("largest"));
    for directory in &mut read.directories {
        directory.words[..2].fill(0);
        for entry in &mut directory.entries {
            if let NaiveEntry::File(found) = entry {
                // The data itself instead of its place.
                found.comment.extend_from_slice(&file[found.data.clone()]);
                (found.data, found.words[0]) = (0..0, 0);
            }
        }
    }
    read
}

/// Returns a table without its names and strings being anywhere in particular.
fn table(file: &[u8]) -> NaiveTable {
    let mut table = ff13::naive::table(file, None).unwrap();
    table.rows.iter_mut().for_each(|row| row.data.clear());
    table
}

/// Writes a file, exports or shows it, and makes it again.
fn again(folder: &Folder, name: &str, file: &[u8]) -> Vec<u8> {
    folder.put(name, file);
    let source = if name.ends_with(".rez") || name.ends_with(".bin") {
        folder.ok(&format!("export {name} --to members -o out --overwrite always"));
        format!("out/{name}")
    } else {
        let document = folder.ok(&format!("show --full --format json {name}"));
        folder.put("document.json", document.as_bytes());
        "document.json".to_owned()
    };
    let (code, _, err) = folder.said(&["build", &source, "-o", "made", "--overwrite", "always"]);
    assert_eq!(code, 0, "{name}: {err}");
    folder.bytes("made")
}

#[test]
fn samples_are_built_from_their_exports() {
    let folder = Folder::new();
    for name in ["bestiary.wdb", "items.wdb", "effects.bin", "wdbpack.bin", "garden.wwd", "world.wdb", "pennant.tex"] {
        assert!(again(&folder, name, &sample(name)) == sample(name), "{name} has other bytes");
    }
    for name in ["harbour.wwd", "cellar.wwd"] {
        assert!(level(&again(&folder, name, &sample(name))) == level(&sample(name)), "{name} is another level");
    }
    assert!(directories(&again(&folder, "harbour.rez", &sample("harbour.rez"))) == directories(&sample("harbour.rez")));
}

#[test]
fn worlds_are_built_from_documents_and_pictures() {
    let folder = Folder::new();
    folder.put("world.wdb", &sample("world.wdb"));
    assert_eq!(folder.said(&["export", "world.wdb", "--to", "json,png,glb", "-o", "out"]).0, 0);
    let (code, _, err) = folder.said(&["build", "out/world.wdb", "-o", "same.wdb"]);
    assert!(code == 0 && !err.contains("not read"), "{err}");
    assert!(folder.bytes("same.wdb") == sample("world.wdb"));
    // Pictures are newer than the document, and one that nothing uses is named.
    let [from, to] = ["rock.png", "new.png"].map(|name| folder.path(&format!("out/world.wdb/textures/{name}")));
    std::fs::copy(folder.path("out/world.wdb/textures/sand.png"), &from).unwrap();
    std::fs::copy(from, to).unwrap();
    folder.says(0, "build out/world.wdb -o new.wdb", &["no image for this picture"]);
    let read = worldview_corpus::island::naive::database(&folder.bytes("new.wdb")).unwrap();
    let mut textures = Vec::new();
    for number in 0..read.blobs.len() {
        textures.extend(read.parts_of(number).map(|parts| parts.textures.clone()).unwrap_or_default());
        textures.extend(read.model_of(number).map(|model| model.textures.clone()).unwrap_or_default());
    }
    let image = |name: &str| {
        let found = textures.iter().find(|texture| texture.key.starts_with(name.as_bytes()));
        let texture = found.unwrap();
        let image = texture.second.as_ref().unwrap_or(&texture.image);
        image.pixels.iter().map(|pixel| image.palette[usize::from(*pixel)]).collect::<Vec<_>>()
    };
    assert_eq!(image("rock"), image("sand"));
}

#[test]
fn edits_beside_a_document_are_taken_or_named() {
    let folder = Folder::new();
    for name in ["world.wdb", "cellar.wwd"] {
        folder.put(name, &sample(name));
        assert_eq!(folder.said(&["export", name, "--to", "json,csv,glb", "-o", "out"]).0, 0);
    }
    // Somebody moves a model of a world.
    let edit = |file: &str, from: &[u8], to: &[u8]| {
        let mut bytes = folder.bytes(file);
        let at = bytes.windows(from.len()).position(|bytes| bytes == from).unwrap();
        bytes[at..at + from.len()].copy_from_slice(to);
        folder.put(file, &bytes);
    };
    edit("out/world.wdb/worlds/BAY.glb", b"\"translation\":[-13", b"\"translation\":[-17");
    let (code, _, err) = folder.said(&["build", "out/world.wdb", "-o", "new.wdb"]);
    assert!(code == 0 && !err.contains("world.json"), "{err}");
    let [before, after] = [sample("world.wdb"), folder.bytes("new.wdb")].map(|file| {
        let read = worldview_corpus::island::naive::database(&file).unwrap();
        read.directory.worlds.into_iter().flat_map(|world| world.models).collect::<Vec<_>>()
    });
    let moved: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
    assert!(matches!(moved[..], [(one, _)] if one.name.text() == b"lighthouse"), "{moved:?}");
    assert_eq!(moved[0].1.location, [17.0_f32, 2.890625, -9.0].map(|at| Real(at.to_bits())));
    // Both files say something about the world.
    edit("out/world.wdb/world.json", b"\"location\":[13", b"\"location\":[19");
    folder.says(0, "build out/world.wdb -o again.wdb", &["world.json: was also edited"]);
    assert_eq!(folder.bytes("again.wdb"), folder.bytes("new.wdb"));

    edit("out/cellar.wwd/objects.csv", b"AniCycle", b"Animated");
    let (code, out, _) = folder.said(&["build", "out/cellar.wwd", "-o", "new.wwd", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let entry = &report["inputs"][0]["account"]["entries"][0];
    assert_eq!((code, &entry["column"], &entry["code"]), (0, &"left_out".into(), &"edit-not-read".into()), "{out}");
    assert_eq!(entry["place"]["file"], "out/cellar.wwd/objects.csv");

    // The games show no PNG.
    folder.put("game/ART/OLD.TXT", b"text");
    assert_eq!(folder.said(&["build", "game", "-o", "old.rez"]).0, 0);
    folder.put("game/ART/NEW.PNG", b"picture");
    assert_eq!(folder.said(&["export", "old.rez", "--to", "members", "-o", "out"]).0, 0);
    folder.put("out/old.rez/members/ART/NEW.PNG", b"picture");
    for (verb, source) in [("build", &["game"][..]), ("apply", &["old.rez", "out/old.rez/members/ART/NEW.PNG"])] {
        let (code, _, err) = folder.said(&[&[verb], source, &["-o", &format!("{verb}.rez")]].concat());
        assert!(code == 0 && err.contains("ART/NEW.PNG: is added as a PNG"), "{err}");
    }
}

#[test]
fn a_level_from_nothing() {
    let folder = Folder::new();
    // The sample has the planes, directories and tile attributes of a retail level.
    folder.put("CLAW.REZ", &sample("harbour.rez"));
    folder.says(0, "build blank:claw:40x20 --game CLAW.REZ -o my.wwd", &["my.wwd ("]);
    folder.prints(0, "check --all my.wwd --game CLAW.REZ", &["my.wwd: nothing found"]);
    let (made, like) = (level(&folder.bytes("my.wwd")), level(&sample("harbour.wwd")));
    assert_eq!(made.attribute_table, like.attribute_table);
    let text = |text: &str, room: usize| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(room, 0);
        NaiveValue::Text(bytes)
    };
    let field = |fields: &[(&'static str, NaiveValue)], name: &str| {
        fields.iter().find(|(field, _)| *field == name).unwrap_or_else(|| panic!("{name}")).1.clone()
    };
    // Measured on the 14 retail levels of Claw: these in 14 of them, but for the flags of the background (7), those of the front plane
    // (13), the backslash of these directories (8 and 14), and z of the background (9).
    let expected = [
        ("name", text("Claw - Level 1", 64)),
        ("image_dir", text(r"LEVEL1\TILES", 128)),
        ("pal_rez", text(r"LEVEL1\PALETTES\MAIN.PAL", 128)),
        ("image_set_dir_1", text(r"LEVEL1\IMAGES", 128)),
        ("image_set_dir_2", text(r"GAME\IMAGES", 128)),
        ("image_set_prefix_1", text("LEVEL", 32)),
        ("image_set_prefix_2", text("GAME", 32)),
        ("flags", NaiveValue::Int(3)),
        ("start_x", NaiveValue::Int(20 * 64)),
        ("start_y", NaiveValue::Int(10 * 64)),
    ];
    expected.iter().for_each(|(name, value)| assert_eq!(field(&made.header, name), *value, "{name}"));
    let planes = [
        ("Background", [0xC, 24, 24, 50, 50, -999]),
        ("Action", [1, 40, 20, 100, 100, 0]),
        ("Front", [4, 24, 24, 150, 125, 9000]),
    ];
    assert_eq!(made.planes.len(), planes.len());
    for (plane, (name, numbers)) in made.planes.iter().zip(planes) {
        assert_eq!(field(&plane.fields, "name"), text(name, 64));
        let names = ["flags", "tiles_wide", "tiles_high", "movement_x_percent", "movement_y_percent", "z_coord"];
        assert_eq!(names.map(|name| field(&plane.fields, name)), numbers.map(NaiveValue::Int), "{name}");
        let tiles = usize::try_from(numbers[1] * numbers[2]).unwrap();
        assert_eq!(plane.tiles, vec![u32::MAX; tiles], "{name}");
        assert!(plane.objects.is_empty());
    }
    // The level itself is in an archive that gives its attributes to others.
    folder.put("src/LEVEL2/WORLDS/WORLD.WWD", &sample("cellar.wwd"));
    folder.ok("build src -o B.REZ");
    folder.ok("build blank:claw:3x2:level2 --game B.REZ -o two.wwd");
    let two = level(&folder.bytes("two.wwd"));
    assert_eq!(two.attribute_table, level(&sample("cellar.wwd")).attribute_table);
    // Without the game, or a level with these tiles, there are none, and `check` says so.
    let none = "no level of the game has tile attributes for LEVEL3\\TILES";
    folder.says(0, "build blank:claw:3x2:LEVEL3 --game CLAW.REZ -o three.wwd", &[none]);
    folder.says(
        0,
        "build blank:gruntz:50x30:AREA2 -o gruntz.wwd",
        &["with --game, they are copied from a level with the same tiles"],
    );
    for (file, name) in [("three.wwd", "Claw - Level 3"), ("gruntz.wwd", "Gruntz - Level 5")] {
        folder.prints(0, &format!("check --all {file}"), &["0 suspicious, 1 curious", "[no-attributes]"]);
        assert_eq!(field(&level(&folder.bytes(file)).header, "name"), text(name, 64));
    }
    for (source, why) in [
        ("blank:risk:4x4", "claw and gruntz"),
        ("blank:claw", "1 to 4096 columns and rows"),
        ("blank:claw:0x4", "1 to 4096 columns and rows"),
        ("blank:claw:4096x4096", "at most 2097152 tiles"),
        ("blank:claw:4x4:AREA1", "LEVEL1 to LEVEL999"),
        ("blank:claw:4x4:LEVEL1:2", "such as blank:claw:40x20"),
    ] {
        folder.says(2, &["build", source, "-o", "no.wwd"], &[why]);
    }
    folder.says(2, "build my.wwd --game CLAW.REZ -o no.wwd", &["--game: only an empty level"]);
}

#[test]
fn maps_are_levels() {
    let folder = Folder::new();
    for name in ["harbour.wwd", "garden.wwd"] {
        folder.put(name, &sample(name));
        for map in ["tmx", "tmj"] {
            assert_eq!(folder.said(&["export", name, "--to", map, "-o", "out"]).0, 0);
            folder.ok(&format!("build out/{name}/map.{map} -o made --overwrite always"));
            let (mut made, mut expected) = (level(&folder.bytes("made")), level(&sample(name)));
            // A map does not say whether the level is packed, and by which rule its checksum is computed.
            for level in [&mut made, &mut expected] {
                level.header.retain(|(name, _)| *name != "flags");
                level.checksum_rules.clear();
            }
            assert!(made == expected, "{name}, {map}");
        }
    }
    // The second map of this level is for its plane with other tiles, and masks have no shape in Tiled.
    folder.put("cellar.wwd", &sample("cellar.wwd"));
    assert_eq!(folder.said(&["export", "cellar.wwd", "--to", "tmx", "-o", "out"]).0, 0);
    folder.says(3, "build out/cellar.wwd/map.tmx -o cellar", &["a map does not have the pixels of a mask"]);
    assert!(!folder.path("cellar").exists());
    assert_eq!(folder.said(&["build", "out/cellar.wwd/map.tmx", "-o", "cellar", "--skip-refused"]).0, 3);
    let made = level(&folder.bytes("cellar"));
    assert_eq!(made.planes.len(), 1);
    assert_eq!(made.planes[0].objects.len(), level(&sample("cellar.wwd")).planes[1].objects.len());
}

#[test]
fn edited_maps_are_levels() {
    let folder = Folder::new();
    folder.put("harbour.wwd", &sample("harbour.wwd"));
    assert_eq!(folder.said(&["export", "harbour.wwd", "--to", "tmx", "-o", "out"]).0, 0);
    let map = folder.text("out/harbour.wwd/map.tmx");
    let object = |from: usize| {
        let start = map[from..].find("<object id=\"2\"").unwrap() + from;
        start..start + map[start..].find("</object>").unwrap() + "</object>".len()
    };
    let objects = map.find("<objectgroup id").unwrap();
    let end = map.rfind("</objectgroup>").unwrap();
    let new = "<object id=\"900\" name=\"new\" type=\"Sign\" x=\"64\" y=\"96\"><point/></object>";
    let edits = [
        map.replace("name=\"Front\" visible", "name=\"Fore\" visible"),
        [&map[..object(objects).start], &map[object(objects).end..]].concat(),
        [&map[..end], new, &map[end..]].concat(),
    ];
    let read = |edit: &str| {
        folder.put("edited.tmx", edit.as_bytes());
        folder.ok("build edited.tmx -o new.wwd --overwrite always");
        level(&folder.bytes("new.wwd"))
    };
    let old = read(&map);
    assert_eq!(folder.said(&["export", "harbour.wwd", "--to", "tmx", "--full", "-o", "full"]).0, 0);
    assert!(read(&folder.text("full/harbour.wwd/map.tmx")) == old);
    let name = |level: &NaiveLevel| format!("{:?}", level.planes.last().unwrap().fields);
    let counts = |level: &NaiveLevel| level.planes.iter().map(|plane| plane.objects.len()).collect::<Vec<_>>();
    let [renamed, removed, added] = edits.map(|edit| read(&edit));
    assert!(name(&old) != name(&renamed) && renamed.planes[0] == old.planes[0]);
    let main = counts(&old).iter().position(|count| *count > 2).unwrap();
    assert_eq!(counts(&removed)[main] + 1, counts(&old)[main]);
    assert_eq!(removed.planes[main].objects[0], old.planes[main].objects[0]);
    assert_eq!(removed.planes[main].objects[1], old.planes[main].objects[2]);
    assert_eq!(counts(&added).iter().sum::<usize>(), counts(&old).iter().sum::<usize>() + 1);
}

#[test]
fn generated_files_are_built_from_their_exports() {
    let folder = Folder::new();
    for seed in 0..6 {
        for (name, file) in tables::folder(seed, 3) {
            let name = name.replace('/', "_");
            assert!(table(&again(&folder, &name, &file)) == table(&file), "{name} of {seed}");
        }
        for file in [tables::pack(seed, 3), tables::generic(seed, 5)] {
            let members = |file: &[u8]| {
                let mut read = ff13::naive::archive(file).unwrap();
                read.members.iter_mut().for_each(|member| member.offset = 0);
                read
            };
            assert!(members(&again(&folder, "pack.bin", &file)) == members(&file), "archive {seed}");
        }
        let shape = Shape::small();
        let file = wwd::build::build(&wwd::generate::level(seed, &shape)).bytes;
        assert!(level(&again(&folder, "small.wwd", &file)) == level(&file), "level {seed}");
        let file = rez::build::build(&rez::generate::small(seed)).bytes;
        assert!(directories(&again(&folder, "small.rez", &file)) == directories(&file), "archive {seed}");
    }
}

#[test]
fn a_new_text_joins_the_strings_of_a_table() {
    let folder = Folder::new();
    folder.put("bestiary.wdb", &sample("bestiary.wdb"));
    let (_, text, _) = folder.said(&["show", "bestiary.wdb", "--full", "--format", "json"]);
    let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
    document["records"][0]["sNameDe"] = "Neu".into();
    folder.put("edited.json", document.to_string().as_bytes());
    folder.ok("build edited.json -o new.wdb");
    let name = document["records"][0]["record"].as_str().unwrap();
    let change = folder.said(&["diff", "bestiary.wdb", "new.wdb"]).1;
    assert_eq!(change.matches(" -> \"Neu\"").count(), 1, "{change}");
    assert!(change.contains(&format!("~ {name}: sNameDe: ")) && change.lines().count() == 2, "{change}");
}

#[test]
fn a_sheet_is_a_table_and_a_folder_an_archive() {
    let folder = Folder::new();
    folder.put("lamps.csv", b"record,sName,u8Color,i4Size,fWeight\nlamp,Gate,12,-3,1.5\nbell,,1,2,3\n");
    let (code, ..) = folder.said(&["build", "lamps.csv", "-o", "lamps.wdb", "--sheet-name", "Lamps"]);
    assert_eq!(code, 0);
    let made = ff13::naive::table(&folder.bytes("lamps.wdb"), None).unwrap();
    assert_eq!((made.generation, made.sheet_name.as_deref()), (ff13::spec::Generation::G3, Some(&b"Lamps"[..])));
    let names: Vec<_> = made.rows.iter().map(|row| String::from_utf8_lossy(&row.name)).collect();
    assert_eq!(names, ["bell", "lamp"]);
    // Word types of a text, of packed bits and of a float; -3 in four bits above 12 in eight.
    assert_eq!(made.word_types, [2, 0, 1]);
    assert_eq!(made.rows[1].data[4..], [0, 0, 0x0d, 0x0c, 0x3f, 0xc0, 0, 0]);

    // Records come in any order.
    let rows = r#"{"record": "b", "uX": 2}, {"record": "a10", "uX": 1}, {"record": "a2", "uX": 0}"#;
    let document = format!(r#"{{"format": "wdb", "fields": [{{"name": "uX"}}], "records": [{rows}]}}"#);
    folder.put("rows.json", document.as_bytes());
    assert_eq!(folder.said(&["build", "rows.json", "-o", "rows.wdb"]).0, 0);
    let made = ff13::naive::table(&folder.bytes("rows.wdb"), None).unwrap();
    let data: Vec<_> = made.rows.iter().map(|row| (&row.name[..], row.data[3])).collect();
    assert_eq!(data, [(&b"a10"[..], 1), (b"a2", 0), (b"b", 2)]);

    folder.put("Item.schema", b"sheet Item\n version 0x85e62c73\n sName u8Color i4Size fWeight\n");
    let (code, ..) = folder.said(&["build", "lamps.csv", "-o", "item.wdb", "--schema", "Item.schema"]);
    assert_eq!(code, 0);
    let fields = ["sName", "u8Color", "i4Size", "fWeight"];
    let made = ff13::naive::table(&folder.bytes("item.wdb"), Some(&fields)).unwrap();
    assert_eq!((made.generation, made.version), (ff13::spec::Generation::G2, Some(0x85e6_2c73)));
    assert_eq!(made.typelist, Some(vec![2, 3, 0, 1]));

    folder.put("game/LEVEL1/TILES/001.PID", b"one");
    folder.put("game/LEVEL1/TILES/A%2FB.PID", b"two");
    folder.put("game/README.TXT", b"three");
    assert_eq!(folder.said(&["build", "game", "-o", "game.REZ"]).0, 0);
    let made = folder.bytes("game.REZ");
    let read = rez::naive::archive(&made).unwrap();
    let files: Vec<_> =
        read.files().into_iter().map(|(path, file)| (path, &made[file.data.clone()], file.words[3])).collect();
    let expected: [(&[u8], &[u8], u32); 3] = [
        (b"LEVEL1/TILES/001.PID", b"one", 1),
        (b"LEVEL1/TILES/A/B.PID", b"two", 10_000_000),
        (b"README.TXT", b"three", 10_000_000),
    ];
    assert_eq!(files, expected.map(|(path, data, id)| (path.to_vec(), data, id)));
    folder.says(3, "build game -o game.bin", &["LEVEL1/TILES/001.PID is in a folder"]);
}

#[test]
fn what_cannot_be_built_is_named_and_nothing_is_written() {
    let folder = Folder::new();
    folder.put("old.wwd", b"old");
    for (name, text, why) in [
        ("a.json", r#"{"format": "wwd", "planes": [{"name": "A", "tiles": [[1]], "tint": 1}]}"#, "`tint`"),
        (
            "b.json",
            r#"{"format": "wwd", "planes": [{"name": "A", "tiles": [[1, 2], [3]]}]}"#,
            "rows of one length, found 2 and 1",
        ),
        ("c.json", r#"{"format": "wwd", "planes": [{"name": "A", "x": 1, "tiles": [[-1]]}]}"#, "-1 does not fit"),
        ("d.json", r#"{"format": "pal"}"#, "format \"pal\""),
        ("e.json", r#"{"format": "wpd", "members": [{"name": "a", "extension": "b"}]}"#, "a.b: the source has no file"),
        ("f.json", r#"{"format": "wdb", "fields": [{"name": "xName"}]}"#, "`xName` is not the name of a field"),
        ("g.csv", "record,uPrice\na,-1\n", "-1"),
        ("i.json", r#"{"format": "wwd", "planes": [{"name": "A"}], "planes": []}"#, "the member `planes` occurs twice"),
        ("j.csv", "record,sName,uPrice\na,x,1\nb,\"oops,2\nc,y,3\n", "it ends inside a quoted cell"),
        ("k.json", r#"{"format": "wwd", "tile_attributes": {"records": [{"frame": 1}]}}"#, "has the frame 1"),
        ("h.json", r#"{"format": "wwd", "planes": [{"tiles_wide": 99999, "tiles_high": 99999}]}"#, "rows of"),
    ] {
        folder.put(name, text.as_bytes());
        folder.says(3, &format!("build {name} -o new"), &[why]);
        assert!(!folder.path("new").exists(), "{name}");
    }
    // Sheets are read as they were written.
    folder.put("formula.csv", b"record,sName\na,=1+1\n");
    assert_eq!(folder.said(&["build", "formula.csv", "-o", "formula.wdb"]).0, 0);
    let to = ["export", "formula.wdb", "-o", "out", "--to", "csv", "--csv-safe"];
    assert_eq!(folder.said(&to).0, 0);
    assert_eq!(folder.said(&["build", "out/formula.wdb", "-o", "again.wdb"]).0, 0);
    assert_eq!(folder.bytes("again.wdb"), folder.bytes("formula.wdb"));
    // Edits beside what the file is made from are named, and an output is no part of its source.
    folder.put("pack.bin", &sample("wdbpack.bin"));
    assert_eq!(folder.said(&["export", "pack.bin", "-o", "out"]).0, 0);
    let (code, _, err) = folder.said(&["build", "out/pack.bin", "-o", "packed.bin"]);
    assert!(code == 0 && err.contains("made from members; not read: r_bells.wdb, r_lamps.wdb, r_tides.wdb"), "{err}");
    let into = ["build", "out/pack.bin", "-o", "out/pack.bin/archive.json", "--overwrite", "always"];
    assert_eq!(folder.said(&into).0, 3);
    folder.put("world.wdb", &sample("world.wdb"));
    assert_eq!(folder.said(&["export", "world.wdb", "-o", "out"]).0, 0);
    folder.says(3, "build out/world.wdb -o new", &["is an export without a document"]);
    folder.put("level.json", br#"{"format": "wwd", "planes": [{"name": "A", "tiles": [[1]]}]}"#);
    assert_eq!(folder.said(&["build", "level.json", "-o", "old.wwd"]).0, 4);
    assert_eq!(folder.said(&["build", "level.json", "-o", "new", "--dry-run"]).0, 0);
    assert_eq!(folder.said(&["build", "level.json", "-o", "level.json", "--overwrite", "always"]).0, 3);
    assert!(!folder.path("new").exists() && folder.bytes("old.wwd") == b"old");
}

#[test]
fn what_check_finds_in_a_new_file_is_said() {
    let folder = Folder::new();
    folder.put("game/A.TXT", b"1");
    folder.put("game/a.txt", b"2");
    folder.put("nameless.json", br#"{"format": "wpd", "members": [{"name": "", "extension": "", "bytes": "41"}]}"#);
    folder.put("nameless.csv", b"record,uPrice\n,1\n");
    for file in 0..25 {
        folder.put(&format!("many/\u{e4}{file}.TXT"), b"1");
    }
    for (source, out, finding) in [
        ("game", "game.rez", "the game finds only the first [name-duplicate]"),
        ("nameless.json", "new.bin", "entry 0: has no name [name-empty]"),
        ("nameless.csv", "new.wdb", "entry 0: has no name [name-empty]"),
        ("many", "many.rez", "the new file has a problem: 5 more, which `worldview check` lists"),
    ] {
        let (code, _, err) = folder.said(&["build", source, "-o", out]);
        assert_eq!(code, 0, "{source}: {err}");
        assert!(err.contains(&format!("worldview: {source}: the new file has a problem: ")), "{source}: {err}");
        assert!(err.contains(finding), "{source}: {err}");
    }
}

#[test]
fn names_of_files_are_stored_in_the_code_page() {
    let folder = Folder::new();
    folder.put("game/\u{141}.TXT", b"1");
    folder.put("game/README.TXT", b"2");
    folder.says(3, "build game -o game.rez", &["a character is not in windows-1252"]);
    folder.says(0, "build game -o game.rez --encoding windows-1250", &["[name-not-ascii]"]);
    let names = |file: &str| {
        let read = rez::naive::archive(&folder.bytes(file)).unwrap();
        read.files().into_iter().map(|(path, _)| path).collect::<Vec<_>>()
    };
    // Ł is A3 in Windows-1250, and É is C9.
    assert_eq!(names("game.rez"), [&b"README.TXT"[..], b"\xA3.TXT"]);
    let to = ["export", "game.rez", "--to", "members", "-o", "page", "--encoding", "windows-1250"];
    assert_eq!(folder.said(&to).0, 0);
    let (code, _, err) = folder.said(&["build", "page/game.rez", "-o", "again.rez"]);
    assert_eq!((code, names("again.rez")), (0, names("game.rez")), "{err}");
    let rename = ["set", "game.rez", "README.TXT/@name=\u{c9}", "-o", "renamed.rez"];
    folder.says(0, &rename, &["a new problem", "[name-not-ascii]"]);
    assert_eq!(names("renamed.rez"), [&b"\xC9.TXT"[..], b"\xA3.TXT"]);
    assert_eq!(folder.said(&["export", "game.rez", "--to", "members", "-o", "out"]).0, 0);
    folder.put("out/game.rez/members/\u{c9}.TXT", b"3");
    folder.says(0, "apply game.rez out/game.rez -o added.rez", &["[name-not-ascii]"]);
    assert_eq!(names("added.rez")[2], b"\xC9.TXT");
}

#[test]
fn a_field_that_cannot_be_read_is_all_that_is_refused() {
    let folder = Folder::new();
    folder.put("lamps.csv", b"record,sName,u8Color\nlamp_a,Gate,300\nlamp_b,Hall,4\n");
    folder.put(
        "lamps.json",
        br#"{"format": "wdb", "fields": [{"name": "sName"}, {"name": "u8Color"}], "records": [
            {"record": "lamp_a", "sName": "Gate", "u8Color": 300}, {"record": "lamp_b", "sName": "Hall", "u8Color": 4}]}"#,
    );
    folder.put(
        "level.json",
        br#"{"format": "wwd", "planes": [{"name": "Action", "tile_width": 64, "tile_height": 64, "tiles": [[1]],
            "objects": [{"id": 7, "logic": "Coin", "x": "far", "y": 32}]}]}"#,
    );
    for (source, field) in [("lamps.csv", "lamp_a/u8Color"), ("lamps.json", "lamp_a/u8Color"), ("level.json", "x")] {
        let (code, _, err) = folder.said(&["build", source, "-o", "made"]);
        assert_eq!((code, err.contains(field), folder.path("made").exists()), (3, true, false), "{source}: {err}");
        folder.says(3, &format!("build {source} -o made --skip-refused"), &[field]);
        if source == "level.json" {
            let made = level(&folder.bytes("made"));
            let object = format!("{:?}", made.planes[0].objects[0]);
            let fields = ["(\"id\", Int(7))", "(\"x\", Int(0))", "(\"y\", Int(32))"];
            assert!(fields.iter().all(|field| object.contains(field)), "{object}");
        } else {
            let shown = folder.said(&["show", "made", "--format", "csv"]).1;
            assert_eq!(shown, "record,sName,u8Color\nlamp_a,Gate,0\nlamp_b,Hall,4\n", "{source}");
        }
        std::fs::remove_file(folder.path("made")).unwrap();
    }
}

#[test]
fn an_edited_sheet_beside_a_document_with_records_is_named() {
    let folder = Folder::samples();
    folder.ok("export game/items.wdb -o out --to csv,json");
    let sheet = folder.text("out/items.wdb/records.csv");
    folder.put("out/items.wdb/records.csv", sheet.replacen("bread_rye,", "bread_oat,", 1).as_bytes());
    let why = "records.csv: was edited, but the file is made from table.json, and this edit is not read";
    folder.says(0, "build out/items.wdb -o made.wdb", &[why]);
    assert_eq!(folder.bytes("made.wdb"), folder.bytes("game/items.wdb"));
}
