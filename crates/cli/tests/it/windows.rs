//! Tests of the command with what only Windows has: long paths, reserved names, files that are open elsewhere.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_corpus::sample;

use crate::support::{Folder, WORLDVIEW, code, manifest, stderr, stdout};

fn with_level() -> Folder {
    let folder = Folder::new();
    folder.put("levels/harbour.wwd", &sample("harbour.wwd"));
    folder
}

/// Runs the command with arguments that need not be valid Unicode.
fn run(folder: &Folder, args: &[OsString]) -> Output {
    Command::new(WORLDVIEW).current_dir(folder.path("")).args(args).output().unwrap()
}

#[test]
fn paths_are_printed_with_slashes() {
    let folder = with_level();
    for path in ["levels", r"levels\", r".\levels", r"levels\*.wwd", r"levels\harbour.wwd"] {
        let (exit, out, err) = folder.said(&["list", path]);
        assert_eq!(exit, 0, "{path}: {err}");
        assert!(out.contains("levels/harbour.wwd") && !out.contains('\\'), "{path}: {out}");
    }
    let whole = folder.path(r"levels\harbour.wwd").to_str().unwrap().to_owned();
    let list = folder.json(&["list", &whole, "--format", "json"]).to_string();
    assert!(list.contains(&whole.replace('\\', "/")), "{list}");
    assert_eq!(code(&folder.run(&["export", r"levels\harbour.wwd", "-o", r"out\deep"])), 0);
    assert_eq!(manifest(&folder.path("out/deep/harbour.wwd"))["source"], "levels/harbour.wwd");
}

#[test]
fn drives_and_verbatim_paths_name_files() {
    let folder = with_level();
    let whole = folder.path(r"levels\harbour.wwd").canonicalize().unwrap().to_str().unwrap().to_owned();
    let plain = whole.strip_prefix(r"\\?\").unwrap();
    for path in [&whole, plain, &plain.replace('\\', "/")] {
        let (exit, out, err) = folder.said(&["info", path]);
        assert!(exit == 0 && out.contains("Harbour"), "{path}: {out}{err}");
    }
    let (exit, _, err) = folder.said(&["export", &whole, "-o", r"\\?\out"]);
    assert!(exit != 0 && !err.is_empty());
}

#[test]
fn long_paths_are_read_and_written() {
    let folder = Folder::new();
    let deep: PathBuf = std::iter::repeat_n("a folder with quite a long name", 12).collect();
    let deep = folder.path("").join(deep);
    fs::create_dir_all(&deep).unwrap();
    assert!(deep.as_os_str().len() > 300);
    let level = deep.join("harbour.wwd");
    fs::write(&level, sample("harbour.wwd")).unwrap();
    let out = deep.join("out");
    let text = |path: &PathBuf| path.to_str().unwrap().to_owned();
    assert_eq!(folder.said(&["info", &text(&level)]).0, 0);
    let (exit, _, err) = folder.said(&["export", &text(&level), "-o", &text(&out)]);
    assert_eq!(exit, 0, "{err}");
    assert!(manifest(&out.join("harbour.wwd"))["files"].as_array().unwrap().len() > 3);
    // A search goes through them as well.
    let (exit, out, err) = folder.said(&["list", ".", "--format", "csv"]);
    assert!(exit == 0 && out.contains("name/harbour.wwd,"), "{out}{err}");
}

#[test]
fn reserved_names_become_files() {
    let folder = Folder::new();
    let names: [&[u8]; 8] = [b"CON", b"nul", b"AUX.txt", b"COM1", b"a:b", b"what?", b"dot.", b"space "];
    let member = |name: &&[u8]| MemberSpec { name: name.to_vec(), extension: Vec::new(), data: name.to_vec(), slot: 1 };
    let members = names.iter().map(member).collect();
    let spec = ArchiveSpec { members, align: 16, first_align: 16, pad_end: true, reserved: [0; 8] };
    folder.put("odd.bin", &build_archive(&spec).bytes);
    let (exit, _, err) = folder.said(&["export", "odd.bin", "-o", "out"]);
    assert_eq!(exit, 0, "{err}");
    let manifest = manifest(&folder.path("out/odd.bin"));
    let files = manifest["files"].as_array().unwrap();
    assert_eq!(files.len(), names.len());
    for (file, name) in files.iter().zip(names) {
        let path = folder.path("out/odd.bin").join(file["file"].as_str().unwrap());
        assert_eq!(fs::read(&path).unwrap(), name, "{}", path.display());
    }
}

#[test]
fn a_file_that_another_program_has_locked_is_an_error_and_hides_nothing() {
    let folder = with_level();
    folder.put("levels/locked.wwd", &sample("cellar.wwd"));
    // Nobody else may open it, not even for reading.
    let lock = OpenOptions::new().read(true).share_mode(0).open(folder.path("levels/locked.wwd")).unwrap();
    let (exit, out, err) = folder.said(&["list", "levels"]);
    assert_eq!(exit, 3, "{out}{err}");
    assert!(out.contains("harbour.wwd") && err.contains("levels/locked.wwd") && err.contains("os error 32"), "{err}");
    drop(lock);
    // A program that reads it and lets others read it is not in the way.
    let reader = File::open(folder.path("levels/locked.wwd")).unwrap();
    assert_eq!(folder.said(&["check", "levels"]).0, 0);
    drop(reader);
}

#[test]
fn a_locked_output_is_an_error_and_keeps_its_bytes() {
    let folder = with_level();
    assert_eq!(code(&folder.run(&["export", "levels", "-o", "out", "--to", "csv"])), 0);
    let csv = folder.files("out").into_iter().find(|file| file.ends_with("objects.csv")).unwrap();
    let path = folder.path("out").join(&csv);
    fs::write(&path, "a spreadsheet has this open").unwrap();
    let lock = OpenOptions::new().read(true).share_mode(1).open(&path).unwrap();
    let (exit, _, err) = folder.said(&["export", "levels", "-o", "out", "--to", "csv", "--overwrite", "always"]);
    assert!(exit != 0 && err.contains("objects.csv"), "{exit}: {err}");
    drop(lock);
    assert_eq!(fs::read(&path).unwrap(), b"a spreadsheet has this open");
    assert!(folder.files("out").iter().all(|file| !file.contains(".part") && !file.contains("tmp")));
}

#[test]
fn a_read_only_original_is_read_and_not_replaced() {
    let folder = with_level();
    let path = folder.path("levels/harbour.wwd");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions.clone()).unwrap();
    assert_eq!(folder.said(&["info", "levels/harbour.wwd"]).0, 0);
    assert_eq!(folder.said(&["set", "levels/harbour.wwd", "header/name=Port", "-o", "new.wwd"]).0, 0);
    assert_eq!(fs::read(&path).unwrap(), sample("harbour.wwd"));
    permissions.set_readonly(false);
    fs::set_permissions(&path, permissions).unwrap();
}

#[test]
fn lines_end_as_on_every_system() {
    let folder = with_level();
    for args in [&["list", "levels"][..], &["show", "levels"], &["check", "levels"], &["info", "levels"], &["--help"]] {
        let output = folder.run(args);
        assert!(!stdout(&output).is_empty() && !stdout(&output).contains('\r'), "{args:?}");
    }
    // Changes that an editor or a shell of Windows wrote.
    let changes = stdout(&folder.run(&["set", "levels/harbour.wwd", "header/name=Port", "--dry-run"]));
    folder.put("changes.json", changes.replace('\n', "\r\n").as_bytes());
    let (exit, _, err) = folder.said(&["apply", "levels/harbour.wwd", "changes.json", "-o", "new.wwd"]);
    assert_eq!(exit, 0, "{err}");
}

#[test]
fn names_in_any_script_and_in_none() {
    let folder = with_level();
    let names = [OsString::from("Größe-日本.wwd"), OsString::from_wide(&[0xD800, 0x2E, 0x77, 0x77, 0x64])];
    // Wine stores names as UTF-8, so it has no file with the second one.
    let written =
        names.iter().filter(|name| fs::write(folder.path("levels").join(name), sample("harbour.wwd")).is_ok());
    let names: Vec<_> = written.cloned().collect();
    assert!(!names.is_empty());
    let output = run(&folder, &["list".into(), "levels".into()]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("levels/Größe-日本.wwd"));
    assert_eq!(stdout(&output).contains(r"\xED\xA0\x80.wwd"), names.len() == 2);
    for name in names {
        let path = OsString::from(PathBuf::from("levels").join(name));
        let output = run(&folder, &["export".into(), path, "-o".into(), "out".into()]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
}
