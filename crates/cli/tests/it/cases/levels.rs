//! Levels.

use super::case;

#[test]
fn a_tile_without_an_attribute() {
    let folder = case("20-tile-without-attribute");
    let (code, out, _) = folder.said(&["check", "l.wwd"]);
    assert_eq!(code, 1);
    assert!(out.contains("[tile-attribute-missing]") && out.contains("1 tile (0x00000028, column"), "{out}");
    folder.ok("export l.wwd -o out --to tmx,png");
}

#[test]
fn the_trailer_of_wapmap() {
    let folder = case("21-wapmap-2026-trailer");
    let shown = folder.ok(&["show", "l.wwd"]);
    assert!(shown.contains("object 8 (row 1) at 0x8d7  name \"\"  metadata 04"), "{shown}");
    assert!(["meta-info", "guides", "favourites", "id 9"].iter().all(|text| shown.contains(text)), "{shown}");
    assert_eq!(folder.codes("l.wwd"), ["trailer-block-unknown"]);
    folder.ok("set l.wwd plane:Action/object:8/x=12 -o new.wwd");
    let shown_new = folder.ok(&["show", "new.wwd"]);
    let trailer = |text: &str| {
        let lines = text.lines().skip_while(|line| !line.starts_with("trailer"));
        lines.skip(2).map(|line| line.split(" at ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(trailer(&shown), trailer(&shown_new));
    assert!(shown_new.contains("name \"\"  metadata 04"), "{shown_new}");
}

#[test]
fn two_main_planes_or_none() {
    let folder = case("22-main-planes");
    assert_eq!(folder.codes("two.wwd"), ["several-main-planes"]);
    assert_eq!(folder.codes("none.wwd"), ["no-main-plane"]);
    folder.fails(1, "check none.wwd");
}

#[test]
fn planes_without_tiles() {
    let folder = case("23-empty-plane");
    for file in ["zero.wwd", "zero5.wwd", "tile0.wwd", "wrap.wwd"] {
        folder.ok(&format!("export {file} -o out --to tmx,png,json"));
    }
    folder.says(3, "export neg.wwd -o out --to tmx,png,json", &["plane 0, tiles_wide at offset 1620", "found -3"]);
    assert!(folder.text("out/neg.wwd/map.tmx").contains("name=\"Action\""));
}

#[test]
fn cells_of_many_bits() {
    let folder = case("24-tiles-above-65535-negative");
    let shown = folder.ok(&["show", "l.wwd"]);
    // 0x10005, 0x2ffff, 70000 and 0xeeeeee00: the high half is the image set.
    assert!(shown.contains("    0 1*3 1:5 2:65535 1:4464 61166:60928 1\n"), "{shown}");
    assert!(folder.edited("l.wwd", "tmx", "map.tmx", &[]).is_empty());
    assert_eq!(folder.bytes("edited"), folder.bytes("l.wwd"));
    let changes = folder.edited(
        "l.wwd",
        "tmx",
        "map.tmx",
        &[("name=\"start_x\" type=\"int\" value=\"-32\"", "name=\"start_x\" type=\"int\" value=\"-33\"")],
    );
    assert_eq!(changes, [r#"{"set":"header/start_x","from":-32,"to":-33}"#]);
    assert!(folder.ok(&["show", "edited"]).contains("1:5 2:65535 1:4464 61166:60928"));
}

#[test]
fn a_level_in_another_code_page() {
    let folder = case("25-russian-level");
    let page = ["--encoding", "windows-1251"];
    let author = |file: &str| {
        let shown = folder.json(&[&["show", file, "--format", "json"], &page[..]].concat());
        shown["header"]["author"].as_str().unwrap().to_owned()
    };
    let count = |text: &str, file: &str| folder.said(&[&["find", "-c", text, file], &page[..]].concat()).1;
    assert_eq!(author("l.wwd"), "Уровень");
    // Other edits keep the bytes, in any code page.
    folder.ok("set l.wwd header/start_x=3 -o moved.wwd");
    assert_eq!(author("moved.wwd"), "Уровень");
    let name = "plane:Action/object:1/name";
    folder
        .ok(&[&["set", "l.wwd", "header/author=Мир", &format!("{name}|=s/вен/Х/"), "-o", "new.wwd"], &page[..]]
            .concat());
    assert_eq!(author("new.wwd"), "Мир");
    assert_eq!(count("УроХь", "new.wwd"), "new.wwd:1\n");
    let err = folder.fails(2, &[&["set", "l.wwd", "header/author=日", "-o", "no.wwd"], &page[..]].concat());
    assert!(err.contains("a character is not in windows-1251"), "{err}");
    // An edited sheet is read in the code page of its export.
    folder.ok(&[&["export", "l.wwd", "-o", "out", "--to", "csv"], &page[..]].concat());
    let sheet = "out/l.wwd/objects.csv";
    folder.put(sheet, folder.text(sheet).replace("Уровень", "Ночь").as_bytes());
    folder.ok(&format!("apply l.wwd {sheet} -o sheet.wwd"));
    assert_eq!(count("Ночь", "sheet.wwd"), "sheet.wwd:1\n");
}

#[test]
fn checksums_by_rule() {
    let folder = case("27-checksums");
    for (file, rule) in [("zero", "zero"), ("wapmap", "wapmap"), ("editor", "editor"), ("lvl1", "editor")] {
        let rule_of = |file: &str| {
            let shown = folder.ok(&["show", file]);
            shown.lines().find(|line| line.starts_with("checksum_rules")).unwrap().to_owned()
        };
        assert_eq!(rule_of(&format!("{file}.wwd")), format!("checksum_rules {rule}"), "{file}");
        let new = format!("{file}-new.wwd");
        folder.ok(&format!("set {file}.wwd header/start_x=3 -o {new}"));
        assert_eq!(rule_of(&new), format!("checksum_rules {rule}"), "{file}");
    }
    folder.prints(0, "check wrong.wwd", &["suspicious [checksum]"]);
    assert_eq!(folder.codes("raw.wwd"), ["plain-length"]);
}

#[test]
fn maps_as_tiled_saves_them() {
    let folder = case("28-tiled-variants");
    folder.ok("export l.wwd -o out --to tmx --full");
    let map = "out/l.wwd/map.tmx";
    let text = folder.text(map);
    let start = text.find("<data encoding=\"csv\">").unwrap();
    let end = start + text[start..].find("</data>").unwrap();
    let cells: Vec<u32> = {
        let csv = &text[start + "<data encoding=\"csv\">".len()..end];
        csv.split(',').map(|cell| cell.trim().parse().unwrap()).collect()
    };
    let with = |data: &str| format!("{}{data}{}", &text[..start], &text[end + "</data>".len()..]);
    let tiles: String = cells.iter().map(|cell| format!("<tile gid=\"{cell}\"/>")).collect();
    let flipped = format!("<data encoding=\"csv\">{}", text[start + 21..end].trim_start());
    let first = cells[0].to_string();
    let flipped = flipped.replacen(&first, &(cells[0] | 0x8000_0000).to_string(), 1) + "</data>";
    folder.put(map, with(&format!("<data>{tiles}</data>")).as_bytes());
    let out = folder.ok(&["apply", "l.wwd", map, "--dry-run"]);
    assert!(!out.contains("\"set\""), "{out}");
    folder.put(map, with(&flipped).as_bytes());
    folder.says(3, &format!("apply l.wwd {map} --dry-run"), &["flip"]);
    folder.put(map, text.replacen("name=\"elev\"", "name=\"elev\" rotation=\"45\"", 1).as_bytes());
    folder.says(3, &format!("apply l.wwd {map} --dry-run"), &["rotat"]);
    folder.put(map, text.replacen("</map>", "<imagelayer id=\"99\" name=\"sketch\"/></map>", 1).as_bytes());
    folder.says(0, &format!("apply l.wwd {map} --dry-run"), &["sketch"]);
}

#[test]
fn pictures_of_objects_that_are_aligned() {
    let folder = case("60-tiled-objectalignment");
    folder.ok("build map.tmx -o l.wwd");
    // The center of a picture of 9 by 7 pixels, whose upper left corner is at 200, 194, and which is 4, -3 from its object.
    let places = folder.ok(&["show", "l.wwd", "--full", "--format", "json"]);
    let object = &serde_json::from_str::<serde_json::Value>(&places).unwrap()["planes"][0]["objects"][0];
    assert_eq!((&object["x"], &object["y"]), (&serde_json::json!(200), &serde_json::json!(200)));
    folder.ok("export l.wwd -o out --to tmx");
    let (saved, map) = (folder.text("map.tmx"), "out/l.wwd/map.tmx");
    let alignment = "objectalignment=\"topleft\"";
    let apply = |aligned: &str, [x, y]: [&str; 2]| {
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"9\"");
        let text = saved.replace("x=\"200\" y=\"194\" width=\"9\"", &place);
        assert!(saved.contains(alignment) && text.contains(&place), "{text}");
        folder.put(map, text.replace(alignment, aligned).as_bytes());
        folder.said(&format!("apply l.wwd {map} --dry-run"))
    };
    // One place on the screen.
    for (aligned, place) in [
        ("topleft", ["200", "194"]),
        ("top", ["204.5", "194"]),
        ("topright", ["209", "194"]),
        ("left", ["200", "197.5"]),
        ("center", ["204.5", "197.5"]),
        ("right", ["209", "197.5"]),
        ("bottomleft", ["200", "201"]),
        ("unspecified", ["200", "201"]),
        ("bottom", ["204.5", "201"]),
        ("bottomright", ["209", "201"]),
    ] {
        let (code, out, err) = apply(&format!("objectalignment=\"{aligned}\""), place);
        assert!(code == 0 && out.contains("\"changes\":[]"), "{aligned}: {out}{err}");
    }
    let (_, out, _) = apply("objectalignment=\"center\"", ["214.5", "197.5"]);
    assert!(out.contains("\"from\":200,\"to\":210"), "{out}");
    let (code, _, err) = apply("objectalignment=\"middle\"", ["200", "194"]);
    assert!(code == 3 && err.contains("the unknown object alignment \"middle\""), "{err}");
    let offset = saved.replacen("columns=\"0\">", "columns=\"0\"><tileoffset x=\"0\" y=\"7\"/>", 1);
    folder.put(map, offset.as_bytes());
    let err = folder.fails(3, &["apply", "l.wwd", map, "--dry-run"]);
    assert!(err.contains("\"pictures of objects\" is drawn beside the places of its objects"), "{err}");
}

#[test]
fn a_plane_far_above_retail() {
    let folder = case("29-huge-plane");
    folder.ok("set big.wwd plane:Action/tile:1,1=5 -o new.wwd");
    let size = folder.bytes("new.wwd").len();
    assert!(size < 2 * 48_307, "{size}");
    folder.ok("export big.wwd -o out --to preview");
}

#[test]
fn oddities_are_found_and_exported() {
    let folder = case("32-level-oddities");
    for (file, codes) in [
        ("icesword", &["checksum-zero", "offset-of-nothing"][..]),
        ("noattr", &["no-attributes"]),
        ("nosets", &["no-image-set"]),
        ("emptysets", &["several-image-sets", "image-set-empty", "image-set-empty"]),
        ("dupplanes", &["plane-name-duplicate"]),
        ("rawtrailer", &[]),
        ("manyplanes", &[]),
        ("mask", &["attribute-size", "mask-size"]),
        ("long", &["object-string-long"]),
    ] {
        assert_eq!(folder.codes(&format!("{file}.wwd")), codes, "{file}");
        folder.ok(&format!("export {file}.wwd -o out --to csv,tmx"));
    }
    for file in ["cutobj", "cutz", "flaglie", "adler"] {
        assert!(folder.codes(&format!("{file}.wwd")).contains(&"broken".to_owned()), "{file}");
        folder.fails(3, &format!("export {file}.wwd -o out --to csv"));
    }
    assert_eq!(folder.text("out/cutobj.wwd/objects.csv").lines().count(), 5, "four objects before the cut");
    assert!(folder.ok(&["show", "long.wwd"]).contains(&"n".repeat(1100)));
}

#[test]
fn objects_in_a_spreadsheet() {
    let folder = case("36-objects-sheet");
    folder.ok("export l.wwd -o out --to csv");
    let sheet = "out/l.wwd/objects.csv";
    let text = folder.text(sheet);
    let mut rows: Vec<Vec<String>> = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    let column = |name: &str| rows[0].iter().position(|cell| cell == name).unwrap();
    let (object, x, id, flags) = (column("object"), column("x"), column("id"), column("draw_flags"));
    let count = rows.len() - 1;
    let mut added = rows[1].clone();
    (added[object], added[id], added[x]) = (String::new(), String::new(), "77".to_owned());
    rows[1][flags] = "0x2".to_owned();
    rows[2][x] = "21".to_owned();
    let removed = rows.remove(3)[object].clone();
    rows.push(added);
    let lines: Vec<_> = rows.iter().map(|row| row.join(",")).collect();
    folder.put(sheet, (lines.join("\n") + "\n").as_bytes());
    let changes = folder.ok(&["apply", "l.wwd", sheet, "--dry-run"]);
    let kinds = |text: &str, kind: &str| text.matches(&format!("{{\"{kind}\"")).count();
    assert_eq!((kinds(&changes, "set"), kinds(&changes, "add"), kinds(&changes, "remove")), (2, 1, 0), "{changes}");
    assert!(changes.contains(&format!("{{\"add\":\"plane:Action/object:{}\"", count + 1)), "a free id: {changes}");
    let changes = folder.ok(&["apply", "l.wwd", sheet, "--dry-run", "--remove-missing"]);
    assert!(changes.contains(&format!("{{\"remove\":\"plane:Action/object:{removed}\"")), "{changes}");
}

#[test]
fn the_number_of_another_area() {
    let folder = case("63-level-number-area");
    assert_eq!(folder.codes("mismatch.wwd"), ["tile-directory"]);
    folder.prints(0, "check mismatch.wwd", &["level 5 belongs to AREA2, but the tiles are those of AREA1"]);
    // Levels 1 to 4 of an area share it, and 37 begins again.
    for (number, codes) in [(1, 0), (4, 0), (5, 1), (36, 1), (37, 0), (40, 0), (41, 1)] {
        let name = format!("header/name=Gruntz - Level {number}");
        folder.ok(&["set", "mismatch.wwd", &name, "-o", "level.wwd", "--overwrite", "always"]);
        assert_eq!(folder.codes("level.wwd").len(), codes, "{number}");
    }
}

#[test]
fn the_folder_of_a_level() {
    let folder = case("64-custom-folder");
    let check = |level: &str| folder.said(&["check", "--all", level, "--game", "C.REZ"]).1;
    let found = check("MyLevel.wwd");
    for said in [
        "[image-set-missing] plane 0 \"Action\", object 2 (plane:Action/object:3)",
        "no image set CUSTOM_NOPE",
        "[logic-missing] plane 0 \"Action\", object 2 (plane:Action/object:3)",
        "has no LOGICS/gone.lua",
        "no sound or animation CUSTOM_NOSOUND",
    ] {
        assert!(found.contains(said), "{said}: {found}");
    }
    for known in ["CUSTOM_FOO", "CUSTOM_ENEMY", "CUSTOM_HIT", "boss", "frame 900"] {
        assert!(!found.contains(known), "{known}: {found}");
    }
    // Without the folder, all of its kinds are missing.
    let found = check("snd.wwd");
    assert!(["GAME_NOSOUND", "CUSTOM_NOSOUND", "LEVEL_NO"].iter().all(|key| found.contains(key)), "{found}");
    if cfg!(target_os = "linux") {
        folder.put("mylevel/SOUNDS/OTHER.WAV", b"");
        let (code, _, err) = folder.said("check MyLevel.wwd --game C.REZ");
        assert!(code == 3 && err.contains("MYLEVEL and mylevel"), "{code}: {err}");
    }
}
