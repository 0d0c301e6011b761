//! Mods as people have them.

use std::io::{Cursor, Write as _};

use super::case;
use crate::support::Folder;

/// Returns a ZIP with these parts.
fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const ARCHIVE: &str = "db/resident/wdbpack.bin";
const MEMBER: &str = "Data/db/resident/_wdbpack.bin/r_item.wdb";

impl Folder {
    /// Applies a mod to the folder `game` and returns the edited archive, and what was said.
    #[track_caller]
    fn modded(&self, pack: &str) -> (Vec<u8>, String) {
        let (code, _, err) = self.said(&["apply", "game", pack, "-o", "out", "--overwrite", "always"]);
        assert_eq!(code, 0, "{pack}: {err}");
        (self.bytes(&format!("out/{ARCHIVE}")), err)
    }
}

#[test]
fn names_in_another_case_are_found() {
    let folder = case("69-mod-folder-case");
    let made = "mod2/DB/Resident/_WDBPACK.BIN/R_ITEM.WDB";
    let (edited, _) = folder.modded("mod2");
    // As with the names of the game, and not as another member.
    folder.put("mod3/db/resident/_wdbpack.bin/r_item.wdb", &folder.bytes(made));
    assert_eq!(edited, folder.modded("mod3").0);
    let changes = folder.said(&["diff", &format!("game/{ARCHIVE}"), &format!("out/{ARCHIVE}"), "--format", "changes"]);
    assert_eq!(changes.0, 1);
    let price = r#"{"set":"r_item.wdb/i1/uPrice","from":1,"to":5}"#;
    assert!(changes.1.contains(price) && !changes.1.contains("R_ITEM"), "{}", changes.1);
    // Of two files, none is chosen.
    if cfg!(target_os = "linux") {
        folder.put("game/db/resident/Wdbpack.bin", &folder.bytes(&format!("game/{ARCHIVE}")));
        folder.says(3, "apply game mod2 -o two", &["game/db/resident/Wdbpack.bin and game/db/resident/wdbpack.bin"]);
        assert_eq!(folder.modded("mod3").0, edited, "one has exactly this name");
    }
}

#[test]
fn packs_of_nova_chrysalia() {
    let folder = case("70-nova-pack-layout");
    let (edited, said) = folder.modded("nm");
    assert!(said.contains("nm/modconfig.ini: x\n"), "{said}");
    assert_eq!(edited, folder.modded("nm/Data").0);
    assert_ne!(edited, folder.bytes(&format!("game/{ARCHIVE}")));

    // The layout of packs that are published, with another price for one language.
    let config =
        b"[ModPackConfig]\r\nName\t\t= Potions\r\nVersion = 1.2\r\nAuthor= N\r\nGameEntry= 2\r\nSummary= Cheaper.\r\n\
                   [NovaChysaliaConfig]\r\nDataPatch= true\r\nENPatch= true\r\n";
    let data = folder.bytes(&format!("nm/{MEMBER}"));
    folder.put("data.wdb", &data);
    folder.ok("set data.wdb i1/uPrice=3 -o english.wdb");
    let english = folder.bytes("english.wdb");
    let parts: [(&str, &[u8]); 6] = [
        ("modconfig.ini", config),
        (MEMBER, &data),
        ("EN-Data/db/resident/_wdbpack.bin/R_ITEM.wdb", &english),
        ("Data/txt/a.ztr", b"text"),
        ("External/install.bat", b"echo"),
        ("run.bat", b"echo"),
    ];
    parts.iter().for_each(|(name, bytes)| folder.put(&format!("pack/{name}"), bytes));
    folder.put("pack.ncmp", &zip(&parts));
    // Programs of Windows write these separators.
    let backslashes: Vec<_> = parts.iter().map(|(name, bytes)| (name.replace('/', "\\"), *bytes)).collect();
    let backslashes: Vec<_> = backslashes.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    folder.put("windows.ncmp", &zip(&backslashes));
    for pack in ["pack", "pack.ncmp", "windows.ncmp"] {
        let (plain, said) = folder.modded(pack);
        assert_eq!(plain, edited, "{pack}");
        for line in [
            format!("{pack}/modconfig.ini: Potions 1.2 by N for Final Fantasy XIII-2: Cheaper."),
            format!("has folders for voice languages: EN-Data; to apply Data and one of them, give {pack}/EN-Data"),
            "not applied: 1 whole file, such as Data/txt/a.ztr".to_owned(),
            "not applied: programs and patches of programs (External)".to_owned(),
            "not applied: 1 other file, such as run.bat".to_owned(),
        ] {
            assert!(said.contains(&line), "{line}: {said}");
        }
        let (both, said) = folder.modded(&format!("{pack}/EN-Data"));
        assert!(!said.contains("voice languages"), "{said}");
        folder.put("both.bin", &both);
        let shown = folder.ok("show both.bin/r_item.wdb/i1/uPrice");
        assert!(shown.trim_end().ends_with(" 3"), "{pack}: {shown}");
        // Twice is once.
        std::fs::create_dir_all(folder.path("again/db/resident")).unwrap();
        folder.put(&format!("again/{ARCHIVE}"), &both);
        let again = folder.said(&["apply", "again", &format!("{pack}/EN-Data"), "--dry-run"]);
        assert!(again.0 == 0 && !again.1.contains("\"set\""), "{}{}", again.1, again.2);
    }
    folder.fails(2, "apply game pack/JP-Data -o out");
    folder.says(3, "apply game pack.ncmp/JP-Data -o out", &["has no folder JP-Data"]);
    folder.says(3, &["apply", &format!("game/{ARCHIVE}"), "pack.ncmp", "-o", "x"], &["only be applied to the folder"]);
}

#[test]
fn packs_from_strangers_are_bounded() {
    let folder = case("70-nova-pack-layout");
    let large = vec![0; (1 << 26) + 1];
    let many: Vec<_> = (0..20_000).map(|number| format!("{number}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let data = folder.bytes(&format!("nm/{MEMBER}"));
    let bad = [
        (zip(&[(MEMBER, &large)]), "its parts take more than 67108864 bytes unpacked; a folder with its files"),
        (zip(&many), "it has more than 16384 parts"),
        (zip(&[("Data/../../_wdbpack.bin/r_item.wdb", &data)]), "does not lead to a file in the folder"),
        (zip(&[("Data/_NUL/../_x/r_item.wdb", &data)]), "does not lead to a file in the folder"),
        (zip(&[("readme.txt", b"")]), "the pack has no members of archives"),
        (zip(&[(MEMBER, &data)])[..100].to_vec(), "cannot be read as a pack"),
        (b"Rar!".to_vec(), "it does not begin with a ZIP header"),
        (Vec::new(), "it does not begin with a ZIP header"),
    ];
    for (bytes, why) in bad {
        folder.put("bad.ncmp", &bytes);
        folder.says(3, "apply game bad.ncmp -o out", &["bad.ncmp", why]);
        assert!(!folder.path("out").exists(), "{why}");
    }
    // A member that is no longer a table is a new problem of the archive.
    folder.put("cut.ncmp", &zip(&[(MEMBER, &data[..40])]));
    let said = folder.modded("cut.ncmp").1;
    assert!(said.contains("the edited file has a new problem: r_item.wdb: "), "{said}");
    // What is not applied is not unpacked.
    folder.put("video.ncmp", &zip(&[(MEMBER, &data), ("preview.png", &large)]));
    folder.modded("video.ncmp");
}
