//! Tests of interrupted runs: files that shrink, what killed processes left, a full disk. No incomplete file ever has its
//! final name.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

use crate::support::{Folder, Thing, code, manifest, snapshot, snapshot_of_files, stderr, stdout};
use worldview_corpus::tree::{self, Options};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::Packing;

/// An uncompressed level, with four bytes per tile.
fn plain_level(wide: u32, high: u32) -> Vec<u8> {
    let shape = Shape { planes: 1, tiles_wide: wide, tiles_high: high, packing: Packing::Raw, ..Shape::small() };
    build(&level(7, &shape)).bytes
}

fn spawn(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new(crate::support::WORLDVIEW);
    command.current_dir(folder.path("")).args(args).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn shorten(path: &Path, len: u64) {
    File::options().write(true).open(path).unwrap().set_len(len).unwrap();
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".worldview-"))
}

/// Checks that every file of an output folder equals that of an uninterrupted run.
fn check_whole(out: &Path, expected: &BTreeMap<PathBuf, Thing>, what: &str) {
    if !out.exists() {
        return;
    }
    for (path, thing) in snapshot_of_files(out) {
        let is_list = path.ends_with("manifest.ndjson");
        if is_list && expected.get(&path) != Some(&thing) {
            // A manifest of some of the outputs is valid if it is correct and says that it is incomplete.
            assert_eq!(manifest(out.join(&path).parent().unwrap())["complete"], false, "{what}");
        } else if !is_temporary(&path) {
            assert_eq!(Some(&thing), expected.get(&path), "{what}: {}", path.display());
        }
    }
}

#[test]
fn a_file_that_shrinks_while_it_is_shown_fails_and_the_next_one_is_done() {
    let folder = Folder::new();
    folder.put("big.wwd", &plain_level(1200, 1000));
    folder.put("small.wwd", &plain_level(4, 4));
    for (mmap, fails) in [("always", true), ("auto", true), ("never", false)] {
        folder.put("big.wwd", &plain_level(1200, 1000));
        let mut child = spawn(&folder, &["show", "--format", "json", "--mmap", mmap, "big.wwd", "small.wwd"]);
        let mut out = child.stdout.take().unwrap();
        // The process is running and waits for a reader: a pipe and its buffer hold less than a tenth of the output.
        let mut shown = vec![0; 1000];
        out.read_exact(&mut shown).unwrap();
        shorten(&folder.path("big.wwd"), 5000);
        out.read_to_end(&mut shown).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(shown.len() > 2_000_000, "{}", shown.len());
        let printed = stderr(&output);
        assert_eq!(code(&output), if fails { 3 } else { 0 }, "{mmap}: {printed}");
        let line = "worldview: big.wwd: shrank while being read";
        assert_eq!(printed.lines().filter(|printed| *printed == line).count(), usize::from(fails), "{printed}");
        assert!(!printed.contains("small.wwd"), "{printed}");
        let small = stdout(&folder.run(&["show", "--format", "json", "small.wwd"]));
        // Of several files each says which it is.
        let small = format!("{{\"path\":\"small.wwd\",{}", &small[1..]);
        assert!(small.len() > 500 && shown.ends_with(small.as_bytes()), "{mmap}: the next file is not shown");
    }
}

#[test]
fn a_file_that_shrinks_during_an_export_leaves_nothing_that_is_wrong() {
    let folder = Folder::in_memory();
    let (big, small) = (plain_level(300, 300), plain_level(5, 5));
    let args = |mmap: &'static str| {
        ["export", "in", "-o", "out", "--to", "tmx,csv,png,json,text", "--scale", "2", "--threads", "2", "--mmap", mmap]
    };
    let prepare = || {
        let _ = fs::remove_dir_all(folder.path("out"));
        for (name, bytes) in [("a.wwd", &small), ("b.wwd", &big), ("c.wwd", &small)] {
            folder.put(&format!("in/{name}"), bytes);
        }
    };
    prepare();
    let start = Instant::now();
    assert_eq!(code(&folder.run(&args("always"))), 0);
    let whole_run = start.elapsed();
    let expected = snapshot(&folder.path("out"));
    let (mut failed, mut done) = (0, 0);
    for (mmap, tries) in [("always", 20), ("never", 6)] {
        for number in 0..tries {
            prepare();
            let child = spawn(&folder, &args(mmap));
            sleep(whole_run * number / tries);
            shorten(&folder.path("in/b.wwd"), 0);
            let output = child.wait_with_output().unwrap();
            let (code, printed) = (code(&output), stderr(&output));
            let what = format!("{mmap}, {number} of {tries}: {printed}");
            check_whole(&folder.path("out"), &expected, &what);
            assert!(!snapshot(&folder.path("out")).keys().any(|path| is_temporary(path)), "{what}");
            for other in ["out/in/a.wwd", "out/in/c.wwd"] {
                assert_eq!(manifest(&folder.path(other))["complete"], true, "{what}");
            }
            match code {
                0 => {
                    assert!(snapshot(&folder.path("out")) == expected, "{what}");
                    done += 1;
                }
                3 => {
                    let why = |why: &str| {
                        printed.lines().any(|line| line.starts_with(&format!("worldview: in/b.wwd: {why}")))
                    };
                    // Before it is opened, it is simply an empty file.
                    assert!(why("shrank while being read") || why("is empty"), "{what}");
                    failed += 1;
                }
                _ => panic!("exit code {code}: {what}"),
            }
        }
    }
    assert!(failed > 0, "{done} were done");
}

#[test]
fn what_a_killed_run_left_half_written_is_removed() {
    let folder = Folder::in_memory();
    folder.put("in/level.wwd", &plain_level(5, 5));
    let args = ["export", "in", "-o", "out", "--to", "tmx,png"];
    assert_eq!(code(&folder.run(&args)), 0);
    let whole = snapshot(&folder.path("out"));
    for overwrite in ["changed", "always", "never"] {
        for below in ["", "in/", "in/level.wwd/", "in/level.wwd/planes/", "in/level.wwd/tilesets/"] {
            folder.put(&format!("out/{below}.worldview-Ab12cD.tmp"), b"half");
        }
        // Files of other programs.
        folder.put("out/in/mine.tmp", b"mine");
        folder.put("out/in/level.wwd/.worldview", b"mine");
        let before = snapshot(&folder.path("out"));
        folder.run(&[&args[..], &["--dry-run"]].concat());
        assert!(snapshot(&folder.path("out")) == before, "a dry run removes nothing");
        assert_eq!(code(&folder.run(&[&args[..], &["--overwrite", overwrite]].concat())), 0);
        for mine in ["in/mine.tmp", "in/level.wwd/.worldview"] {
            fs::remove_file(folder.path("out").join(mine)).unwrap();
        }
        assert!(snapshot(&folder.path("out")) == whole, "{overwrite}");
    }
}

#[test]
fn a_full_disk_is_reported_in_few_lines_and_leaves_no_half_file() {
    let folder = Folder::in_memory();
    tree::write(&folder.path("in"), &Options { files: 150, broken_per_mille: 0, seed: 12 }).unwrap();
    let args = ["export", "in", "-o", "out", "--to", "tmx,csv,json,members"];
    assert_eq!(code(&folder.run(&args)), 0);
    let expected = snapshot(&folder.path("out"));
    fs::remove_dir_all(folder.path("out")).unwrap();
    // First no file can be larger than a few kilobytes, then no file can have any contents.
    for blocks in [8, 0] {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {}", args.join(" "));
        let output = folder.shell(&script);
        let printed = stderr(&output);
        assert_eq!(code(&output), 4, "{printed}");
        let lines: Vec<_> = printed.lines().filter(|line| line.starts_with("worldview: out/")).collect();
        assert!(!lines.is_empty() && lines.len() <= 20, "{printed}");
        assert!(lines.iter().all(|line| line.contains(": cannot be written: File too large")), "{printed}");
        assert!(printed.contains(" more outputs cannot be written"), "{printed}");
        assert!(printed.lines().count() < 70, "{printed}");
        check_whole(&folder.path("out"), &expected, "a full disk");
        assert!(!snapshot(&folder.path("out")).keys().any(|path| is_temporary(path)));
    }
    assert_eq!(code(&folder.run(&args)), 0);
    assert!(snapshot(&folder.path("out")) == expected);
}

#[test]
fn an_output_folder_that_cannot_be_had_is_one_line() {
    let folder = Folder::new();
    folder.put("in/level.wwd", &plain_level(5, 5));
    folder.put("in/other.wwd", &plain_level(6, 5));
    folder.put("file", b"in the way");
    let mut places = vec!["file", "file/below"];
    if cfg!(target_os = "linux") {
        places.push("/proc/no such place");
    }
    for out in places {
        let output = folder.run(&["export", "in", "-o", out]);
        let printed = stderr(&output);
        assert_eq!(code(&output), 4, "{printed}");
        assert_eq!(printed.lines().count(), 1, "{printed}");
        assert!(printed.starts_with(&format!("worldview: {out}: cannot be written to: ")), "{printed}");
    }
    // In place of the folder of one of two inputs.
    folder.put("out/in/level.wwd", b"in the way");
    let output = folder.run(&["export", "in", "-o", "out", "--to", "csv,text"]);
    let printed = stderr(&output);
    assert_eq!(code(&output), 4, "{printed}");
    assert!(printed.contains("out/in/level.wwd is in the way: it is a link or a file, not a folder"), "{printed}");
    assert_eq!(folder.bytes("out/in/level.wwd"), b"in the way");
    assert_eq!(manifest(&folder.path("out/in/other.wwd"))["complete"], true);
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_is_one_line() {
    let folder = Folder::new();
    folder.put("in/level.wwd", &plain_level(50, 50));
    for verb in ["info in", "list in", "show in", "export in -o out --dry-run", "find a in", "list in --format ndjson"]
    {
        let output = folder.shell(&format!("exec \"$0\" {verb} > /dev/full"));
        let printed = stderr(&output);
        assert_eq!(code(&output), 4, "{verb}: {printed}");
        let line = "worldview: standard output: No space left on device";
        assert_eq!(printed.lines().filter(|printed| printed.starts_with(line)).count(), 1, "{verb}: {printed}");
    }
}
