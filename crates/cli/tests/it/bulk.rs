//! Tests with a folder of thousands of mixed files, some of them broken: the outputs, the messages, and the effect
//! of a second run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{
    Folder, Thing, code, digest, document, failures, manifest, slashed, snapshot, snapshot_of_files, stderr, stdout,
    without_times,
};
use serde_json::{Value, json};
use worldview_corpus::ff13::naive::archive;
use worldview_corpus::tree::{self, Options, Planted};

/// All kinds of outputs.
const ALL_KINDS: &str = "tmx,tmj,glb,png,csv,ndjson,parquet,arrow,json,text,members";

/// Creates a tree in the folder `in`. The planted paths are relative to its parent.
fn plant(files: usize, broken_per_mille: u32, seed: u64) -> (Folder, Planted) {
    let folder = Folder::in_memory();
    let mut planted = tree::write(&folder.path("in"), &Options { files, broken_per_mille, seed }).unwrap();
    let root = folder.path("");
    let Planted { good, broken, foreign, containers, .. } = &mut planted;
    let paths = good.iter_mut().chain(broken.iter_mut().map(|(path, _)| path)).chain(foreign).chain(containers);
    for path in paths {
        *path = path.strip_prefix(&root).unwrap().to_path_buf();
    }
    (folder, planted)
}

/// Runs the command in the folder, and parses its summary.
fn export(folder: &Folder, args: &[&str]) -> (Output, Value) {
    let output = folder.run(&[&["export"], args, &["--format", "json"]].concat());
    let document = document(&output);
    (output, document)
}

fn number(document: &Value, path: &str) -> u64 {
    document.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path} of {document}"))
}

/// Returns what reveals whether a file was written: its time and, on Unix, its inode.
fn stamps(folder: &Path) -> BTreeMap<PathBuf, String> {
    let stamp = |path: &Path| {
        let metadata = fs::metadata(folder.join(path)).unwrap();
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let inode = 0;
        format!("{:?} {inode} {}", metadata.modified().unwrap(), metadata.len())
    };
    snapshot(folder)
        .into_keys()
        .map(|path| (path.clone(), stamp(&path)))
        .filter(|(path, _)| folder.join(path).is_file())
        .collect()
}

/// Returns the paths whose stamps changed, disappeared or appeared.
fn touched(before: &BTreeMap<PathBuf, String>, after: &BTreeMap<PathBuf, String>) -> BTreeSet<PathBuf> {
    before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

/// Checks that a valid file has all the outputs expected from its contents.
fn check_good(folder: &Folder, path: &Path) {
    let bytes = fs::read(folder.path("").join(path)).unwrap();
    let out = folder.path("out").join(path);
    let manifest = manifest(&out);
    let at = slashed(path);
    assert_eq!(manifest["complete"], true, "{at}");
    assert_eq!(manifest["source"], at.as_str());
    assert_eq!(manifest["length"], bytes.len() as u64, "{at}");
    assert_eq!(manifest["sha256"], digest(&bytes).as_str(), "{at}");
    let files = manifest["files"].as_array().unwrap();
    let names: BTreeSet<_> = files.iter().map(|entry| entry["file"].as_str().unwrap()).collect();
    let has = |wanted: &[&str]| assert!(wanted.iter().all(|name| names.contains(name)), "{at}: {names:?}");
    if !bytes.starts_with(b"WPD\0") {
        return if bytes.starts_with(&1524_u32.to_le_bytes()) {
            has(&["level.json", "objects.csv", "attributes.csv"]);
        } else {
            has(&["world.json"]);
        };
    }
    let read = archive(&bytes).unwrap();
    // Only tables declare the types of their fields.
    if read.members.iter().any(|member| member.name.windows(8).any(|part| part == b"typelist")) {
        return has(&["table.json", "records.csv"]);
    }
    for (index, member) in read.members.iter().enumerate() {
        let is_it = |entry: &&Value| {
            let from = &entry["from"][0];
            entry["kind"] == "member" && from["index"] == index && from.get("inside").is_none()
        };
        let mine: Vec<_> = files.iter().filter(is_it).collect();
        assert_eq!(mine.len(), 1, "{at}: member {index}");
        let written = fs::read(out.join(mine[0]["file"].as_str().unwrap())).unwrap();
        assert!(written == member.data, "{at}: member {index}");
    }
}

/// Checks that each broken file is reported, and nothing else is, both on standard error and in the document.
fn check_printed(planted: &Planted, all_printed: &str, failed: &[Value]) {
    let text = |failure: &Value, field: &str| failure[field].as_str().unwrap().to_owned();
    let broken_at = |path: &Path| planted.broken.iter().find(|(broken, _)| path.starts_with(broken));
    let (mut named, mut placed) = (BTreeSet::new(), BTreeSet::new());
    for failure in failed {
        let path = PathBuf::from(text(failure, "path"));
        let (broken, what) = broken_at(&path).unwrap_or_else(|| panic!("{failure} is about a good file"));
        named.insert(broken);
        if failure["offset"].is_u64() && failure["space"].is_string() {
            placed.insert(broken);
        }
        assert_eq!(path != *broken, *what == "nested", "{failure}");
    }
    let broken: BTreeSet<_> = planted.broken.iter().map(|(path, _)| path).collect();
    assert_eq!(named, broken);
    assert_eq!(placed, broken, "of each it is said where");
    // One line per failure, in the order of the paths, and a note for each container.
    let lines: Vec<_> = all_printed.lines().filter(|line| line.starts_with("worldview: in/")).collect();
    let (notes, printed): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| {
        planted.containers.iter().any(|path| line.starts_with(&format!("worldview: {}: is ", slashed(path))))
    });
    // Failures of one cause are one line, which says how many.
    let all: BTreeSet<_> =
        failed.iter().map(|it| format!("worldview: {}: {}", text(it, "path"), text(it, "message"))).collect();
    let count =
        |line: &&str| match line.strip_suffix(" more for the same reason)").and_then(|line| line.rsplit_once(" (and "))
        {
            Some((line, more)) => (line.to_owned(), 1 + more.parse::<usize>().unwrap()),
            None => ((*line).to_owned(), 1),
        };
    // Of more than three files with one cause, the others are counted at the end.
    let more =
        |line: &str| line.strip_prefix("worldview: ")?.split_once(" more for the same reason")?.0.parse::<usize>().ok();
    let is_note = |line: &&str| line.contains("is an InstallShield cabinet") || line.contains("is an SI file");
    let rest: usize = all_printed.lines().filter(|line| !is_note(line)).filter_map(more).sum();
    let more_notes: usize = all_printed.lines().filter(is_note).filter_map(more).sum();
    let printed: Vec<_> = printed.iter().map(count).collect();
    assert!(printed.iter().all(|(line, _)| all.contains(line)), "{printed:?}");
    assert_eq!(printed.iter().map(|(_, count)| count).sum::<usize>() + rest, failed.len());
    assert_eq!(notes.len() + more_notes, planted.containers.len());
    let order: Vec<_> = failed.iter().map(|failure| PathBuf::from(text(failure, "path"))).collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn of_five_thousand_files_all_good_ones_are_done_and_all_bad_ones_named() {
    let (folder, planted) = plant(5000, 10, 1);
    assert_eq!(planted.broken.len(), 50);
    let args = ["in", "-o", "out", "--to", "csv,json,members"];
    let (output, document) = export(&folder, &args);
    assert_eq!(code(&output), 3);
    check_printed(&planted, &stderr(&output), &failures(&document));
    let (good, broken) = (planted.good.len() as u64, planted.broken.len() as u64);
    assert_eq!(number(&document, "/totals/files"), good + broken);
    assert_eq!(number(&document, "/totals/failed") + number(&document, "/totals/partial"), broken);
    assert_eq!(number(&document, "/totals/skipped"), (planted.foreign.len() + planted.containers.len()) as u64);
    planted.good.iter().for_each(|path| check_good(&folder, path));
    for (path, what) in &planted.broken {
        let out = folder.path("out").join(path);
        // The readable parts were exported, and the manifest says that it is incomplete.
        if out.exists() {
            assert_eq!(manifest(&out)["complete"], false, "{what}");
        }
    }
    for path in planted.foreign.iter().chain(&planted.containers) {
        assert!(!folder.path("out").join(path).exists(), "{}", path.display());
    }
    // A second run does nothing.
    let before = stamps(&folder.path("out"));
    assert_eq!(number(&document, "/outputs/written"), before.len() as u64);
    let (again, document) = export(&folder, &args);
    assert_eq!(code(&again), 3);
    assert_eq!(number(&document, "/outputs/written"), 0);
    assert_eq!(number(&document, "/outputs/unchanged"), before.len() as u64);
    assert_eq!(touched(&before, &stamps(&folder.path("out"))), BTreeSet::new());
    check_printed(&planted, &stderr(&again), &failures(&document));
}

#[test]
fn what_was_lost_is_written_again_and_what_was_changed_only_if_that_is_asked_for() {
    let (folder, _) = plant(150, 20, 2);
    let args = ["in", "-o", "out", "--to", "csv,json,members"];
    assert_eq!(code(&export(&folder, &args).0), 3);
    let out = folder.path("out");
    let (before, whole) = (stamps(&out), snapshot(&out));
    // Every tenth file is damaged: removed, emptied, truncated, extended by a byte, or changed in one byte.
    let (mut lost, mut edited) = (BTreeSet::new(), 0);
    let outputs = before.keys().filter(|path| !path.ends_with("manifest.ndjson"));
    for (number, path) in outputs.step_by(10).enumerate() {
        let at = out.join(path);
        let mut bytes = fs::read(&at).unwrap();
        match number % 5 {
            0 => {
                fs::remove_file(&at).unwrap();
                lost.insert(path.clone());
                continue;
            }
            1 => drop(File::create(&at).unwrap()),
            2 => fs::write(&at, &bytes[..bytes.len() / 2]).unwrap(),
            3 => fs::write(&at, [&bytes[..], b"x"].concat()).unwrap(),
            _ => {
                let last = bytes.len() - 1;
                bytes[last] ^= 1;
                fs::write(&at, &bytes).unwrap();
            }
        }
        edited += 1;
    }
    assert!(lost.len() > 5 && edited > 20, "{} {edited}", lost.len());
    let (hurt_stamps, mut expected) = (stamps(&out), snapshot(&out));
    expected.extend(lost.iter().map(|path| (path.clone(), whole[path].clone())));
    let (output, document) = export(&folder, &args);
    assert_eq!(code(&output), 3);
    assert!(snapshot(&out) == expected);
    assert_eq!(touched(&hurt_stamps, &stamps(&out)), lost);
    assert_eq!(number(&document, "/outputs/written"), lost.len() as u64);
    assert_eq!(number(&document, "/outputs/edited"), edited);
    assert_eq!(number(&document, "/outputs/unchanged"), before.len() as u64 - lost.len() as u64 - edited);
    assert_eq!(code(&export(&folder, &[&args[..], &["--overwrite", "always"]].concat()).0), 3);
    assert!(snapshot(&out) == whole, "all is as it was");
}

#[test]
fn an_input_that_changed_is_done_again() {
    let (folder, planted) = plant(40, 0, 3);
    let args = ["in", "-o", "out", "--to", "csv,json,members"];
    assert_eq!(code(&export(&folder, &args).0), 0);
    let before = stamps(&folder.path("out"));
    let is_table = |path: &&PathBuf| path.extension().is_some_and(|end| end == "wdb") && !path.ends_with("WORLD.WDB");
    let mut tables = planted.good.iter().filter(is_table);
    let (one, other) = (tables.next().unwrap(), tables.next().unwrap());
    fs::copy(folder.path("").join(other), folder.path("").join(one)).unwrap();
    let (output, _) = export(&folder, &args);
    assert_eq!(code(&output), 0);
    check_good(&folder, one);
    let touched = touched(&before, &stamps(&folder.path("out")));
    assert!(!touched.is_empty() && touched.iter().all(|path| path.starts_with(one)), "{touched:?}");
}

#[test]
fn never_leaves_what_is_there_and_always_writes_it_anew() {
    let (folder, _) = plant(60, 0, 4);
    let args = ["in", "-o", "out", "--to", "csv,json,members"];
    assert_eq!(code(&export(&folder, &args).0), 0);
    let out = folder.path("out");
    let whole = snapshot(&out);
    let files: Vec<_> =
        whole.iter().filter(|(path, thing)| **thing != Thing::Folder && !path.ends_with("manifest.ndjson")).collect();
    let (altered, gone) = (files[3].0, files[40].0);
    fs::write(out.join(altered), b"mine").unwrap();
    fs::remove_file(out.join(gone)).unwrap();
    let before = stamps(&out);
    let (output, document) = export(&folder, &[&args[..], &["--overwrite", "never"]].concat());
    assert_eq!(code(&output), 0);
    assert_eq!(fs::read(out.join(altered)).unwrap(), b"mine");
    let mut expected = whole.clone();
    expected.insert(altered.clone(), Thing::File(4, digest(b"mine")));
    let now = snapshot(&out);
    assert_eq!(now.get(gone), whole.get(gone));
    // The manifests are updated to match their files.
    let differ: Vec<_> = now.iter().filter(|(path, thing)| expected.get(*path) != Some(thing)).map(|it| it.0).collect();
    assert!(differ.iter().all(|path| path.ends_with("manifest.ndjson")) && differ.len() <= 2, "{differ:?}");
    let touched = touched(&before, &stamps(&out));
    assert!(touched.contains(gone) && touched.len() <= 3, "{touched:?}");
    assert_eq!(number(&document, "/outputs/written"), touched.len() as u64);
    // Manifests are updated regardless of --overwrite: some are written, the others are unchanged.
    let kept = number(&document, "/outputs/kept") + number(&document, "/outputs/unchanged");
    assert_eq!(kept, (before.len() + 1 - touched.len()) as u64);
    let (output, document) = export(&folder, &[&args[..], &["--overwrite", "always"]].concat());
    assert_eq!(code(&output), 0);
    assert_eq!(number(&document, "/outputs/written"), before.len() as u64 + 1);
    assert_eq!(number(&document, "/outputs/unchanged") + number(&document, "/outputs/kept"), 0);
    assert!(snapshot(&out) == whole);
}

/// Returns the paths and sizes that a document says would be written, starting with `out`.
fn planned(document: &Value) -> BTreeMap<PathBuf, u64> {
    let planned = document["files"].as_array().map_or(&[][..], Vec::as_slice);
    planned.iter().map(|it| (it["file"].as_str().unwrap().into(), it["size"].as_u64().unwrap())).collect()
}

#[test]
fn a_dry_run_makes_nothing_and_says_what_the_real_one_makes() {
    let (folder, _) = plant(120, 50, 5);
    let args = ["in", "-o", "out/deep", "--to", ALL_KINDS, "--scale", "2"];
    let dry_args = [&args[..], &["--dry-run"]].concat();
    let before = snapshot(&folder.path(""));
    let (dry, dry_document) = export(&folder, &dry_args);
    let in_words = folder.run(&[&["export"], &dry_args[..]].concat());
    assert!(snapshot(&folder.path("")) == before, "a dry run wrote something");
    let (real, document) = export(&folder, &args);
    assert_eq!((code(&dry), code(&real), code(&in_words)), (3, 3, 3));
    let sizes: BTreeMap<_, _> = snapshot(&folder.path("out/deep"))
        .into_iter()
        .filter_map(|(path, thing)| match thing {
            Thing::File(size, _) => Some((Path::new("out/deep").join(path), size)),
            _ => None,
        })
        .collect();
    assert!(sizes.len() > 500, "{}", sizes.len());
    assert_eq!(planned(&dry_document), sizes);
    assert_eq!(dry_document["outputs"], document["outputs"]);
    assert_eq!(failures(&dry_document), failures(&document));
    let lines: BTreeSet<_> = stdout(&in_words).lines().map(str::to_owned).collect();
    assert_eq!(lines, sizes.iter().map(|(path, size)| format!("{}  {size}", slashed(path))).collect());
    // Files that already exist would not be written.
    let lost = sizes.iter().nth(sizes.len() / 2).unwrap();
    fs::remove_file(folder.path("").join(lost.0)).unwrap();
    let before = stamps(&folder.path("out"));
    let (_, dry_document) = export(&folder, &dry_args);
    assert_eq!(planned(&dry_document), [(lost.0.clone(), *lost.1)].into());
    assert_eq!(touched(&before, &stamps(&folder.path("out"))), BTreeSet::new());
}

#[test]
fn threads_make_no_difference() {
    let (folder, _) = plant(150, 50, 6);
    let run = |threads: &str| {
        let args = ["export", "in", "-o", "out", "--to", ALL_KINDS, "--scale", "2", "--verbose"];
        let output = folder.run(&[&args[..], &["--threads", threads]].concat());
        assert_eq!(code(&output), 3);
        let files = snapshot(&folder.path("out"));
        fs::remove_dir_all(folder.path("out")).unwrap();
        (files, without_times(&stderr(&output)))
    };
    let (one, four) = (run("1"), run("4"));
    assert!(one.0.len() > 500 && one.1.lines().count() > 150);
    assert!(one.0 == four.0, "the files differ");
    assert_eq!(one.1, four.1);
}

#[test]
fn outputs_among_the_inputs_are_not_read_again() {
    let (folder, planted) = plant(60, 0, 7);
    for _ in 0..2 {
        let (output, document) = export(&folder, &["in", "-o", "in/lego/out", "--to", "members,csv"]);
        assert_eq!(code(&output), 0);
        assert_eq!(number(&document, "/totals/files"), planted.good.len() as u64);
        assert!(!folder.path("in/lego/out/in/lego/out").exists());
    }
    // By another path to the same folder, and by a pattern.
    for args in [["in/../in", "-o", "in/./lego/out"], ["in", "-o", "in/claw/../lego/out"]] {
        let (_, document) = export(&folder, &[&args[..], &["--to", "members,csv"]].concat());
        assert_eq!(number(&document, "/totals/files"), planted.good.len() as u64, "{args:?}");
    }
    let (_, document) = export(&folder, &["in/**/*", "-o", "in/lego/out", "--to", "members,csv"]);
    assert_eq!(number(&document, "/totals/files"), planted.good.len() as u64, "a pattern");
}

#[test]
fn a_second_run_for_other_kinds_keeps_the_first_ones_listed() {
    let (folder, planted) = plant(60, 0, 8);
    for kinds in ["csv,members", "json"] {
        assert_eq!(code(&export(&folder, &["in", "-o", "out", "--to", kinds]).0), 0);
    }
    // Checks that the manifests have outputs of both kinds, and list every file.
    planted.good.iter().for_each(|path| check_good(&folder, path));
}

/// Returns the sources of the inputs that have outputs.
fn done(folder: &Folder, out: &str) -> BTreeSet<PathBuf> {
    let files = snapshot_of_files(&folder.path(out));
    let parents = files.keys().filter(|path| path.ends_with("manifest.ndjson")).filter_map(|path| path.parent());
    parents.map(Path::to_path_buf).collect()
}

#[test]
fn only_what_is_asked_for_is_exported() {
    let (folder, planted) = plant(300, 0, 9);
    let start = |path: &Path| fs::read(folder.path("").join(path)).unwrap()[..4].to_vec();
    let levels: BTreeSet<_> =
        planted.good.iter().filter(|path| start(path) == 1524_u32.to_le_bytes()).cloned().collect();
    let worlds: BTreeSet<_> = planted.good.iter().filter(|path| path.ends_with("WORLD.WDB")).cloned().collect();
    let packs: BTreeSet<_> = planted.good.iter().filter(|path| path.starts_with("in/xiii-2/pack")).cloned().collect();
    assert!(levels.len() > 30 && worlds.len() == 2 && packs.len() > 10);
    let only = |out: &str, only: &str| {
        let (output, _) =
            export(&folder, &["in", "-o", out, "--only", only, "--to", "csv,json,members,png", "--scale", "1"]);
        assert_eq!(code(&output), 0, "{only}: {}", stderr(&output));
        done(&folder, out)
    };
    assert_eq!(only("levels", "kind=level"), levels);
    let named = |prefix: &str| -> BTreeSet<PathBuf> {
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().to_lowercase();
        planted.good.iter().filter(|path| name(path).starts_with(prefix)).cloned().collect()
    };
    assert!(!named("level").is_empty() && named("level") != levels);
    assert_eq!(only("names", "LEVEL*"), named("level"));
    assert_eq!(only("both", "Level*,kind=level,d0*"), named("level").union(&named("d0")).cloned().collect());
    assert_eq!(only("worlds", "kind=texture"), worlds);
    // A member by its name, which occurs in every pack.
    assert_eq!(only("members", "pack.bin"), packs);
    let (output, _) = export(&folder, &["in", "-o", "none", "--only", "no such name"]);
    assert_eq!((code(&output), done(&folder, "none")), (2, BTreeSet::new()));
    assert!(stderr(&output).contains("--only"), "{}", stderr(&output));
}

#[test]
fn patterns_are_expanded_by_the_command_itself() {
    let (folder, planted) = plant(200, 0, 10);
    // Whatever the case.
    let ends = |path: &&PathBuf, end: &str| path.to_str().unwrap().to_lowercase().ends_with(end);
    let expected =
        |end: &str| -> BTreeSet<PathBuf> { planted.good.iter().filter(|path| ends(path, end)).cloned().collect() };
    let run = |out: &str, pattern: &str| {
        let (output, _) = export(&folder, &[pattern, "-o", out, "--to", "csv,json"]);
        assert_eq!(code(&output), 0, "{pattern}: {}", stderr(&output));
        done(&folder, out)
    };
    let below = |folder: &str| -> BTreeSet<PathBuf> {
        let is_one = |path: &&PathBuf| path.starts_with(folder) && ends(path, ".wwd");
        planted.good.iter().filter(is_one).cloned().collect()
    };
    assert_eq!(run("all", "in/**/*.wwd"), expected(".wwd"));
    assert!(!below("in/claw/retail").is_empty() && !below("in/get medieval").is_empty());
    assert_eq!(run("large", "in/claw/*/LEVEL??????.WWD"), below("in/claw/retail"));
    assert_eq!(run("dungeons", "in/get medieval/dungeon[0-9]*/d*.[Ww]wd"), below("in/get medieval"));
    let (output, _) = export(&folder, &["in/**/*.nothing", "-o", "none"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("*.nothing"), "{}", stderr(&output));
}

#[test]
fn manifests_record_the_options_of_each_file() {
    let items = worldview_corpus::sample("items.wdb");
    let folder = Folder::new();
    folder.put("items.wdb", &items);
    let args = ["items.wdb", "-o", "out", "--to"];
    assert_eq!(code(&export(&folder, &[&args[..], &["json"]].concat()).0), 0);
    let spreadsheet = ["csv", "--csv-safe", "--csv-bom", "--sheet", "--encoding", "windows-1250"];
    assert_eq!(code(&export(&folder, &[&args[..], &spreadsheet].concat()).0), 0);
    let manifest = manifest(&folder.path("out").join("items.wdb"));
    let with = |file: &str| {
        let files = manifest["files"].as_array().unwrap();
        files.iter().find(|entry| entry["file"] == file).unwrap()["with"].clone()
    };
    assert_eq!(with("table.json"), Value::Null);
    let expected = json!({"encoding": "windows-1250", "csv_safe": true, "csv_bom": true, "sheet": true});
    assert_eq!(with("records.csv"), expected);
}
