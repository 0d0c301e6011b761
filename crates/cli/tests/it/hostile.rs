//! Tests with names that cannot be used as file names, and with traps in output folders: nothing is written outside,
//! nothing is lost, and every file name is valid on every system.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Folder, Thing, code, digest, hex, manifest, slashed, snapshot, snapshot_of_files, stderr};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;
use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_corpus::hostile::{self, Hostile, complaint};

/// Returns a path as seen by systems that ignore case and the encoding of accents.
fn folded(path: &str) -> String {
    let upper: String = path.nfd().collect::<String>().to_uppercase();
    upper.nfd().collect::<String>().to_lowercase().nfc().collect()
}

/// Checks that every path below a folder is valid on every system, and that no two paths are equal there.
fn check_names(folder: &Path) {
    let mut seen = BTreeMap::new();
    for (path, thing) in snapshot(folder) {
        let text = &slashed(&path);
        for name in text.split('/') {
            assert_eq!(complaint(name), None, "{name:?} of {text:?}");
        }
        // Folders may be equal on systems that ignore case, as long as the files in them are not.
        if thing != Thing::Folder
            && let Some(other) = seen.insert(folded(text), path.clone())
        {
            panic!("{path:?} and {other:?} are one file to some systems");
        }
    }
    // A file must not be a folder of another path.
    for path in seen.keys() {
        for above in Path::new(path).ancestors().skip(1) {
            assert!(!seen.contains_key(above.to_str().unwrap()), "{above:?} is a file, and a folder of {path:?}");
        }
    }
}

/// A folder `work`, with victims everywhere around the output folder `work/out` that names might lead to.
struct Trap {
    folder: Folder,
    victims: BTreeMap<PathBuf, Thing>,
}

impl Trap {
    fn new() -> Self {
        let folder = Folder::in_memory();
        let victims = ["x", "y", "a/b", "etc/passwd", "evil", "C:\\x", "..\\..\\x", "manifest.ndjson", "victim"];
        for place in ["", "work/"] {
            // On Windows, those with backslashes would themselves be outside.
            for victim in victims.into_iter().filter(|victim| cfg!(unix) || !victim.contains('\\')) {
                folder.put(&format!("{place}{victim}"), format!("the {victim} of {place}").as_bytes());
            }
        }
        fs::create_dir_all(folder.path("work/in")).unwrap();
        let mut trap = Self { folder, victims: BTreeMap::new() };
        trap.arm();
        trap
    }

    /// Records the current state outside the output folder, which must not change.
    fn arm(&mut self) {
        self.victims = self.outside();
    }

    fn outside(&self) -> BTreeMap<PathBuf, Thing> {
        let mut all = snapshot(&self.folder.path(""));
        all.retain(|path, _| !path.starts_with("work/out") && !path.starts_with("work/in"));
        all
    }

    fn out(&self, below: &str) -> PathBuf {
        self.folder.path("work/out").join(below)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        self.folder.put(&format!("work/in/{name}"), bytes);
    }

    /// Exports to `work/out`, and checks that nothing outside changes. Returns the exit code and standard error.
    fn export(&self, args: &[&str]) -> (i32, String) {
        let passwd = fs::read("/etc/passwd").ok();
        let output = self.folder.run_in("work", &[&["export", "-o", "out"], args].concat());
        assert!(self.outside() == self.victims, "something outside was touched: {:?}", self.outside());
        assert!(fs::read("/etc/passwd").ok() == passwd);
        (code(&output), stderr(&output))
    }
}

/// Returns the entries of a kind.
fn entries<'m>(manifest: &'m Value, kind: &str) -> Vec<&'m Value> {
    let files = manifest["files"].as_array().unwrap();
    files.iter().filter(|entry| entry["kind"] == kind).collect()
}

fn file(entry: &Value) -> &str {
    entry["file"].as_str().unwrap()
}

/// Returns a name up to its first NUL.
fn until_nul(name: &[u8]) -> &[u8] {
    name.split(|&byte| byte == 0).next().unwrap()
}

#[test]
fn members_of_archives() {
    let names = hostile::names();
    let trap = Trap::new();
    trap.put("evil.wpd", &hostile::archive(&names));
    let (code, printed) = trap.export(&["in/evil.wpd", "--to", "members,csv,json"]);
    assert_eq!(code, 0, "{printed}");
    check_names(&trap.out(""));
    let manifest = manifest(&trap.out("evil.wpd"));
    let members = entries(&manifest, "member");
    assert_eq!(members.len(), names.len());
    for (number, (name, entry)) in names.iter().zip(members).enumerate() {
        assert_eq!(entry["from"][0]["index"], number);
        let written = fs::read(trap.out("evil.wpd").join(file(entry))).unwrap();
        assert!(written == hostile::content(number, name), "{}: {entry}", name.why);
        // Sixteen bytes of a name and eight of an extension, each up to its NUL.
        let (start, rest) = name.bytes.split_at(name.bytes.len().min(16));
        let mut raw = until_nul(start).to_vec();
        let extension = until_nul(&rest[..rest.len().min(8)]);
        if !extension.is_empty() {
            raw.push(b'.');
            raw.extend(extension);
        }
        assert_eq!(entry["name_bytes"], hex(&raw).as_str(), "{}", name.why);
    }
}

#[test]
fn files_and_directories_of_games() {
    let names = hostile::names();
    for are_directories in [false, true] {
        let trap = Trap::new();
        trap.put("evil.rez", &hostile::rez(&names, are_directories));
        let (code, printed) = trap.export(&["in/evil.rez", "--to", "members,json"]);
        assert_eq!(code, 0, "{printed}");
        check_names(&trap.out(""));
        let manifest = manifest(&trap.out("evil.rez"));
        let found: BTreeMap<_, _> = entries(&manifest, "member")
            .into_iter()
            .map(|entry| (fs::read(trap.out("evil.rez").join(file(entry))).unwrap(), entry["name_bytes"].clone()))
            .collect();
        assert_eq!(found.len(), names.len());
        for (number, name) in names.iter().enumerate() {
            let own = if are_directories { b"IT.TXT" } else { until_nul(&name.bytes) };
            assert_eq!(found[&hostile::content(number, name)], hex(own).as_str(), "{}", name.why);
        }
    }
}

/// Returns the first color of a PNG's palette.
fn first_color(png: &[u8]) -> [u8; 3] {
    let at = png.windows(4).position(|four| four == b"PLTE").unwrap() + 4;
    png[at..at + 3].try_into().unwrap()
}

#[test]
fn worlds_models_parts_and_textures() {
    let names = hostile::names();
    let trap = Trap::new();
    trap.put("WORLD.WDB", &hostile::world(&names));
    let (code, printed) = trap.export(&["in/WORLD.WDB", "--to", "glb,png,json,text", "--quiet"]);
    assert_eq!(code, 0, "{printed}");
    check_names(&trap.out(""));
    let manifest = manifest(&trap.out("WORLD.WDB"));
    let of = |kind: &str, by: &str, first: usize| {
        let found: BTreeMap<u64, &Value> =
            entries(&manifest, kind).into_iter().map(|entry| (entry["from"][0][by].as_u64().unwrap(), entry)).collect();
        let names = names.iter().enumerate().map(|(number, name)| {
            let entry = found[&((number + first) as u64)];
            // The first model is shared with the harmless names.
            let name_bytes = if (kind, number) == ("model", 0) { b"harmless" } else { until_nul(&name.bytes) };
            assert_eq!(entry["name_bytes"], hex(name_bytes).as_str(), "{kind}: {}", name.why);
            (number, entry)
        });
        names.collect::<Vec<_>>()
    };
    // The first world is the harmless one. Blob 0 has the parts, which are the same as the global ones.
    of("world", "index", 1);
    of("model", "blob", 1);
    of("part", "index", 0);
    for (number, entry) in of("texture", "index", 0) {
        let png = fs::read(trap.out("WORLD.WDB").join(file(entry))).unwrap();
        let [red, green, ..] = number.to_le_bytes();
        assert_eq!(first_color(&png), [red, green, 0x40], "{entry}");
    }
    let count = |kind: &str| entries(&manifest, kind).len();
    let n = names.len();
    assert_eq!(["world", "model", "part", "texture"].map(count), [n + 1, n, 2 * n, n]);
    let models: BTreeSet<_> = entries(&manifest, "model").iter().map(|entry| entry["sha256"].to_string()).collect();
    assert_eq!(models.len(), n, "each model has a color of its own");
}

#[test]
fn planes_and_image_sets_of_levels() {
    let names = hostile::names();
    let trap = Trap::new();
    trap.put("evil.wwd", &hostile::level(&names));
    let (code, printed) =
        trap.export(&["in/evil.wwd", "--to", "tmx,tmj,preview,png,csv,ndjson,json,text", "--scale", "1", "--quiet"]);
    assert_eq!(code, 0, "{printed}");
    check_names(&trap.out(""));
    let manifest = manifest(&trap.out("evil.wwd"));
    let planes = entries(&manifest, "plane");
    assert_eq!(planes.len(), names.len());
    for (number, (name, entry)) in names.iter().zip(planes).enumerate() {
        assert_eq!(entry["from"][0]["index"], number);
        let raw = until_nul(&name.bytes[..name.bytes.len().min(64)]);
        assert_eq!(entry["name_bytes"], hex(raw).as_str(), "{}", name.why);
    }
    // The files that a map refers to exist next to it or below it, with names that are valid on every system.
    let map = fs::read_to_string(trap.out("evil.wwd/map.tmx")).unwrap();
    let pictures: Vec<_> = map.split("<image source=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(!pictures.is_empty());
    for picture in pictures {
        assert!(picture.split('/').all(|name| complaint(name).is_none()), "{picture}");
        assert!(trap.out("evil.wwd").join(picture).is_file(), "{picture}");
    }
    // Every object is listed, regardless of its name.
    let objects = fs::read_to_string(trap.out("evil.wwd/objects.ndjson")).unwrap();
    assert_eq!(objects.lines().count(), names.len());
}

/// An archive with one member, whose contents depend on the number.
fn small(number: usize, name: &Hostile) -> Vec<u8> {
    let members = vec![MemberSpec::new("it", hostile::content(number, name))];
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

/// Returns the names that are valid for files on this system.
#[cfg(unix)]
fn possible() -> Vec<(usize, Hostile)> {
    let is_possible = |name: &[u8]| {
        !name.is_empty()
            && name.len() < 256
            && !name.iter().any(|byte| b"/\0".contains(byte))
            && name != b"."
            && name != b".."
    };
    hostile::names().into_iter().enumerate().filter(|(_, name)| is_possible(&name.bytes)).collect()
}

#[cfg(unix)]
#[test]
fn files_and_folders_of_such_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let trap = Trap::new();
    let mut expected = BTreeSet::new();
    for (number, name) in possible() {
        let name_on_disk = OsStr::from_bytes(&name.bytes);
        let folder = trap.folder.path("work/in/folders").join(name_on_disk);
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(trap.folder.path("work/in/files")).unwrap();
        // Not all file systems accept all names.
        if fs::write(trap.folder.path("work/in/files").join(name_on_disk), small(number, &name)).is_ok() {
            expected.insert(hostile::content(number, &name));
        }
        fs::write(folder.join("it.wpd"), small(number + 1000, &name)).unwrap();
        expected.insert(hostile::content(number + 1000, &name));
    }
    assert!(expected.len() > 80, "{}", expected.len());
    let (code, printed) = trap.export(&["in", "--to", "members"]);
    assert_eq!(code, 0, "{printed}");
    check_names(&trap.out(""));
    let outputs: BTreeSet<_> = snapshot_of_files(&trap.out(""))
        .into_keys()
        .filter(|path| !path.ends_with("manifest.ndjson") && !path.ends_with("archive.json"))
        .map(|path| fs::read(trap.out("").join(path)).unwrap())
        .collect();
    assert_eq!(outputs, expected);
    // The same from inside the folder, where no parent folder separates the inputs from the program's own outputs.
    let output = trap.folder.run_in("work/in/files", &["export", ".", "-o", "../../out/top", "--to", "members"]);
    assert_eq!(crate::support::code(&output), 0, "{}", stderr(&output));
    check_names(&trap.out("top"));
    let folders = fs::read_dir(trap.out("top")).unwrap().filter(|it| it.as_ref().unwrap().path().is_dir());
    assert_eq!(folders.count(), possible().len());
}

#[test]
fn an_input_is_never_the_folder_of_another() {
    let names = hostile::names();
    let trap = Trap::new();
    // The outputs of the archive have files where the others need folders.
    let member = MemberSpec::new("a.wpd", small(0, &names[0]));
    trap.put("one/X", &build_archive(&ArchiveSpec { members: vec![member], ..ArchiveSpec::default() }).bytes);
    trap.put("two/x/manifest.ndjson", &small(1, &names[1]));
    trap.put("two/x/members/a.wpd", &small(2, &names[2]));
    trap.put("two/x~2/members/a.wpd", &small(3, &names[3]));
    for order in [["in/one/X", "in/two/x"], ["in/two/x", "in/one/X"]] {
        let _ = fs::remove_dir_all(trap.out(""));
        let args = [&order[..], &["in/two/x~2", "--to", "members"]].concat();
        let (code, printed) = trap.export(&args);
        assert_eq!(code, 0, "{order:?}: {printed}");
        check_names(&trap.out(""));
        let files: Vec<_> = snapshot_of_files(&trap.out("")).into_keys().collect();
        let outputs: BTreeSet<_> = files.iter().map(|path| fs::read(trap.out("").join(path)).unwrap()).collect();
        for (number, name) in names.iter().enumerate().take(4) {
            assert!(outputs.contains(&hostile::content(number, name)), "{order:?}: {number} is lost: {files:?}");
        }
    }
}

/// Returns a trap with an archive in the input folder, and a complete export of it.
fn exported() -> (Trap, BTreeMap<PathBuf, Thing>) {
    let trap = Trap::new();
    trap.put("it.wpd", &small(1, &hostile::names()[1]));
    assert_eq!(trap.export(&["in/it.wpd", "--to", "members"]).0, 0);
    let whole = snapshot(&trap.out("it.wpd"));
    assert_eq!(whole.len(), 4, "a folder, a member, what it lacks and the list");
    (trap, whole)
}

#[cfg(unix)]
#[test]
fn links_in_the_way_lead_nowhere() {
    use std::os::unix::fs::symlink;
    for (at, to) in [
        // Links in place of folders: of the input's folder, and in it; to a folder with files, an empty folder, and a
        // missing one.
        ("it.wpd", "../victims"),
        ("it.wpd", "../../missing"),
        ("it.wpd/members", "../../victims"),
        ("it.wpd/members", "../../missing"),
        ("it.wpd", "."),
        // Links in place of files.
        ("it.wpd/members/it", "../../../victims/it"),
        ("it.wpd/members/it", "../../../victims/missing"),
        ("it.wpd/members/it", "../../../victims"),
        ("it.wpd/members/it", "it"),
        ("it.wpd/manifest.ndjson", "../../victims/manifest.ndjson"),
        ("it.wpd/manifest.ndjson", "../../victims/missing"),
    ] {
        for overwrite in ["changed", "always", "never"] {
            let (mut trap, whole) = exported();
            // The link targets are equal to the outputs, so that the link is the only problem.
            trap.folder.put("work/victims/it", &fs::read(trap.out("it.wpd/members/it")).unwrap());
            trap.folder.put("work/victims/members/it", &fs::read(trap.out("it.wpd/members/it")).unwrap());
            trap.folder.put("work/victims/manifest.ndjson", &fs::read(trap.out("it.wpd/manifest.ndjson")).unwrap());
            trap.arm();
            let place = trap.out(at);
            if place.is_dir() {
                fs::remove_dir_all(&place).unwrap()
            } else {
                fs::remove_file(&place).unwrap()
            }
            symlink(to, &place).unwrap();
            let what = format!("{at} to {to}, {overwrite}");
            let (code, printed) = trap.export(&["in/it.wpd", "--to", "members", "--overwrite", overwrite]);
            let is_folder = !at.ends_with("it") && !at.ends_with("json");
            let is_link = fs::symlink_metadata(&place).unwrap().is_symlink();
            if is_folder {
                assert_eq!((code, is_link), (4, true), "{what}: {printed}");
                assert!(printed.contains("is in the way: it is a link"), "{what}: {printed}");
            } else if overwrite == "never" {
                assert!(is_link, "{what}: a link is not ours to replace");
            } else {
                assert_eq!(code, 0, "{what}: {printed}");
                assert!(snapshot(&trap.out("it.wpd")) == whole, "{what}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_merged_file_leads_nowhere() {
    for to in ["../victim", "../missing", "..", "tables.xlsx"] {
        let (mut trap, _) = exported();
        trap.put("it.wdb", &worldview_corpus::sample("items.wdb"));
        trap.arm();
        std::os::unix::fs::symlink(to, trap.out("tables.xlsx")).unwrap();
        let args = ["in/it.wdb", "--to", "xlsx", "--merge", "workbook"];
        assert_eq!(trap.export(&[&args[..], &["--overwrite", "never"]].concat()).0, 0);
        assert!(fs::symlink_metadata(trap.out("tables.xlsx")).unwrap().is_symlink());
        let (code, printed) = trap.export(&args);
        assert_eq!(code, 0, "{printed}");
        assert!(fs::symlink_metadata(trap.out("tables.xlsx")).unwrap().is_file(), "{to}");
    }
}

#[test]
fn a_list_that_somebody_wrote_is_not_believed() {
    let (mut trap, whole) = exported();
    trap.folder.put("work/victim", b"a victim");
    trap.arm();
    let list = trap.out("it.wpd/manifest.ndjson");
    let honest: Value = serde_json::from_slice(&fs::read(&list).unwrap()).unwrap();
    let absolute = trap.folder.path("work/victim");
    for path in ["../../victim", absolute.to_str().unwrap(), "members/../../../victim", "..", "", "/", "."] {
        for (complete, options) in [(true, honest["options"].clone()), (false, "others".into())] {
            let mut forged = honest.clone();
            let mut entry = forged["files"][0].clone();
            entry["file"] = path.into();
            entry["size"] = 8.into();
            entry["sha256"] = digest(b"a victim").into();
            forged["files"].as_array_mut().unwrap().push(entry);
            forged["complete"] = complete.into();
            forged["options"] = options;
            for overwrite in ["changed", "always", "never"] {
                fs::write(&list, forged.to_string()).unwrap();
                let (code, printed) = trap.export(&["in/it.wpd", "--to", "members", "--overwrite", overwrite]);
                assert_eq!(code, 0, "{path:?}: {printed}");
                if overwrite != "never" {
                    assert!(snapshot(&trap.out("it.wpd")) == whole, "{path:?}, {overwrite}: the list is honest again");
                }
            }
        }
    }
    // Files that are not manifests, despite their name.
    for text in ["", "{", "null", "[1, 2]", &"[".repeat(100_000), "{\"manifest\": 2}", "\u{FEFF}{}"] {
        fs::write(&list, text).unwrap();
        let (code, printed) = trap.export(&["in/it.wpd", "--to", "members"]);
        assert_eq!(code, 0, "{printed}");
        assert!(snapshot(&trap.out("it.wpd")) == whole);
    }
}
