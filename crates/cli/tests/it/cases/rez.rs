//! REZ archives and pictures.

use super::case;

/// The chunks of a PNG.
fn chunk(png: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut rest = &png[8..];
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        if &rest[4..8] == name.as_bytes() {
            return Some(rest[8..8 + length].to_vec());
        }
        rest = &rest[12 + length..];
    }
    None
}

#[test]
fn get_medieval() {
    let folder = case("26-get-medieval");
    let shown = folder.json(&["list", "GM.REZ", "--format", "json"]);
    assert_eq!(shown["levels"][0]["game"], "Get Medieval", "{shown}");
    folder.ok("export GM.REZ -o out");
    let files = folder.files("out/GM.REZ");
    assert!(files.iter().any(|file| file.ends_with("WORLD.WWD/level.png") || file.ends_with("map.tmx")), "{files:?}");
    assert!(!folder.codes("GM.REZ").contains(&"image-set-missing".to_owned()));
}

#[test]
fn pictures_by_their_flags() {
    let folder = case("30-pid-flags");
    let export = |name: &str| {
        folder.ok(&format!("export {name}.pid -o out"));
        folder.bytes(&format!("out/{name}.pid/picture.png"))
    };
    // Transparency: palette entries with an alpha of 0, or none at all.
    for (name, transparent) in [
        ("odd-width", None),
        ("mirror", None),
        ("opaque-own-pal", None),
        ("raw-no-flag-pal", None),
        ("wapmap-80", None),
        ("skip-pal", Some(1)),
        ("skip", Some(1)),
        ("keyed-own-pal", Some(0)),
        ("key5", Some(0)),
        ("no-pal", Some(0)),
    ] {
        let alpha = chunk(&export(name), "tRNS");
        let first = alpha.as_ref().map(|alpha| alpha.iter().position(|alpha| *alpha == 0).unwrap());
        assert_eq!(first, transparent, "{name}");
    }
    // Strengths are opacities of white.
    let light = export("light");
    assert_eq!(chunk(&light, "tRNS").unwrap(), (0..=255).collect::<Vec<u8>>());
    assert_eq!(chunk(&light, "PLTE").unwrap(), [255; 768]);
    // The last pixel is what editors write for 0xC0.
    assert_eq!(folder.codes("editor-c0.pid"), ["editor-tokens"]);
    let own = chunk(&export("opaque-own-pal"), "PLTE").unwrap();
    assert_eq!(own[..6], [0, 255, 0, 1, 254, 7]);
    // Without its flag the palette is no palette.
    assert_eq!(chunk(&export("raw-no-flag-pal"), "PLTE").unwrap()[..6], [0, 0, 0, 1, 1, 1]);
    assert_eq!(folder.codes("raw-no-flag-pal.pid"), ["trailing-bytes"]);
    for (broken, error) in [("short", "needs 64 bytes, but only 20"), ("zero", "expected 1 to 67108864, found 0")] {
        folder.says(3, &format!("export {broken}.pid -o out"), &[error]);
    }
}

#[test]
fn archives_of_other_programs() {
    let folder = case("31-rez-flavours");
    for file in ["plain.rez", "lithtech.rez", "othertitle.rez", "nosort.rez"] {
        let shown = folder.json(&["list", file, "--format", "json"]);
        assert_eq!(shown["archives"][0]["count"], 8, "{file}");
        folder.ok(&format!("export {file} -o out --to members"));
        assert!(folder.files(&format!("out/{file}")).iter().any(|name| name.ends_with("README.HTML")), "{file}");
    }
    assert!(folder.codes("empty.rez").is_empty());
    folder.says(3, "info v2.rez", &["version of a REZ archive", "expected 1, found 2"]);
    for file in ["arch.rez", "encrypted.rez", "cut.rez"] {
        folder.fails(3, &format!("info {file}"));
    }
}

#[test]
fn a_translated_archive() {
    let folder = case("33-rez-translation");
    assert_eq!(folder.codes("C.REZ"), ["frame-missing"]);
    let (_, out, _) = folder.said(&["check", "C.REZ"]);
    assert!(out.contains("frame 9 of LEVEL_A"), "{out}");
    assert!(!out.contains("ARROWSIGN_RIGHT"), "{out}");
    let text = "GAME/TEXT/UNICODE.TXT";
    folder.ok("export C.REZ -o out --to members");
    let member = folder.files("out/C.REZ").into_iter().find(|file| file.ends_with("UNICODE.TXT")).unwrap();
    let path = format!("out/C.REZ/{member}");
    let longer = [&folder.bytes(&path)[..], &[b'!'; 100]].concat();
    folder.put(&path, &longer);
    folder.ok(&format!("apply C.REZ {path} -o new.rez"));
    // Everything else is where it was, byte for byte.
    let changes = folder.said(&["diff", "C.REZ", "new.rez", "--format", "changes", "-o", "changes.json"]);
    assert_eq!(changes.0, 1);
    let changes = folder.text("changes.json");
    assert!(changes.matches("{\"set\"").count() == 1 && changes.contains(text), "{changes}");
}

#[test]
fn logics_and_pictures_of_openclaw() {
    let folder = case("34-openclaw-logic-and-sound");
    assert!(folder.codes("C.REZ").contains(&"object-logic-unknown".to_owned()));
    let (_, out, _) = folder.said(&["check", "--all", "C.REZ"]);
    for said in ["NoSuchLogic", "[elevator-no-path]", "no sound or animation LEVEL_MLF (1 object"] {
        assert!(out.contains(said), "{said}: {out}");
    }
    folder.ok("export C.REZ -o out");
}

#[test]
fn a_lower_case_name_is_said() {
    let folder = case("62-rez-lower-case-name");
    let said = "\"level102\": the name has lower-case letters; the game does not find it [name-lower-case]";
    folder.ok("export G.REZ -o out --to members");
    folder.put("out/G.REZ/members/AREA1/WORLDZ/level102.wwd", &folder.bytes("L1.WWD"));
    assert!(!folder.codes("G.REZ").contains(&"name-lower-case".to_owned()));
    for (verb, new) in [("apply G.REZ", "new.rez"), ("build", "built.rez")] {
        let args: Vec<_> = verb.split(' ').chain(["out/G.REZ", "-o", new]).collect();
        folder.says(0, &args, &[said]);
        assert!(folder.codes(new).contains(&"name-lower-case".to_owned()));
    }
    let (_, out, _) = folder.said(&["check", "new.rez"]);
    assert!(out.contains("suspicious [name-lower-case]"), "{out}");
}

#[test]
fn directories_with_one_name() {
    let folder = case("80-rez-directories");
    for code in ["name-empty", "name-unsafe", "directory-duplicate"] {
        assert!(folder.codes("dirs.rez").contains(&code.to_owned()), "{code}");
    }
    folder.ok("export dirs.rez -o out --to members");
    let files = folder.files("out/dirs.rez");
    for name in ["ONE.TXT", "TWO.TXT", "THREE.TXT", "FOUR.TXT"] {
        assert_eq!(files.iter().filter(|file| file.ends_with(name)).count(), 1, "{name}: {files:?}");
    }
}
