//! Tests of the command with closed pipes, unreadable folders, names that are not valid UTF-8, and files of two
//! gigabytes.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Folder, code, document, failed, stderr, stdout};
use worldview_corpus::ff13::samples as tables;
use worldview_corpus::tree::{self, Options};
use worldview_corpus::wwd::samples as levels;

fn command(folder: &Folder, args: &[&str]) -> Command {
    let mut command = Command::new(crate::support::WORLDVIEW);
    command.current_dir(folder.path("")).args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn tree(files: usize, broken_per_mille: u32) -> Folder {
    let folder = Folder::in_memory();
    tree::write(&folder.path("in"), &Options { files, broken_per_mille, seed: 21 }).unwrap();
    folder
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let folder = tree(120, 0);
    for args in [
        &["list", "in"][..],
        &["list", "in", "--format", "ndjson"],
        &["list", "in", "--format", "csv"],
        &["list", "in", "--format", "json"],
        &["show", "in"],
        &["show", "in", "--format", "json"],
        &["info", "in"],
        &["find", "*", "in"],
        &["export", "in", "-o", "out", "--dry-run"],
        &["schema", "in/xiii"],
        &["man"],
        &["completions", "bash"],
        &["export", "--help"],
    ] {
        for lines in [0, 1] {
            let mut child = command(&folder, args).spawn().unwrap();
            let mut out = BufReader::new(child.stdout.take().unwrap());
            let mut line = String::new();
            for _ in 0..lines {
                out.read_line(&mut line).unwrap();
            }
            drop(out);
            let output = child.wait_with_output().unwrap();
            let printed = stderr(&output);
            assert_eq!(code(&output), 0, "{args:?} {lines}: {printed}");
            assert!(!printed.contains("pipe") && !printed.contains("standard output"), "{args:?} {lines}: {printed}");
            assert_eq!(line.is_empty(), lines == 0, "{args:?}");
        }
    }
}

#[test]
fn closed_streams_change_no_exit_code_and_no_output() {
    let folder = tree(60, 100);
    let export = "\"$0\" export in --to members,csv -o";
    assert_eq!(code(&folder.shell(&format!("exec {export} out"))), 3);
    let expected = crate::support::snapshot(&folder.path("out"));
    for (number, streams) in [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full"].into_iter().enumerate() {
        let out = format!("out{number}");
        assert_eq!(code(&folder.shell(&format!("exec {export} {out} {streams}"))), 3, "{streams}");
        assert!(crate::support::snapshot(&folder.path(&out)) == expected, "{streams}");
    }
    let listed = stdout(&folder.run(&["list", "in"]));
    let output = folder.shell("exec \"$0\" list in 2>&-");
    assert_eq!((code(&output), stdout(&output)), (3, listed));
    assert_eq!(code(&folder.shell("exec \"$0\" list in >&-")), 3);
}

#[test]
fn what_may_not_be_read_is_reported_and_hides_nothing() {
    let folder = Folder::new();
    let (name, bytes) = &levels()[0];
    for place in ["in/a", "in/closed", "in/z"] {
        folder.put(&format!("{place}/{name}"), bytes);
    }
    folder.put("in/b.wwd", bytes);
    fs::create_dir(folder.path("out")).unwrap();
    let allow = |path: &str, mode| fs::set_permissions(folder.path(path), fs::Permissions::from_mode(mode)).unwrap();
    allow("", 0o755);
    allow("out", 0o777);
    allow("in/closed", 0);
    allow("in/b.wwd", 0);
    let mut command = command(&folder, &["export", "in", "-o", "out", "--to", "csv", "--format", "json"]);
    if fs::read_dir(folder.path("in/closed")).is_ok() {
        // A user who may read everything runs the command as a user who may not.
        command.uid(65534).gid(65534);
    }
    let output = command.output();
    allow("in/closed", 0o755);
    // Not every system allows changing the user, or running a program from the build folder as another user.
    let Ok(output) = output else { return };
    let document = document(&output);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    let failed: Vec<_> = failed(&document).into_iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(failed, ["in/b.wwd", "in/closed"]);
    assert_eq!(stderr(&output).matches("Permission denied").count(), 2, "{}", stderr(&output));
    assert_eq!(fs::read_dir(folder.path("out/in")).unwrap().count(), 2);
    assert_eq!(document["exported"]["levels"], 2);
}

#[test]
fn an_edit_is_taken_back_where_it_can_be_and_the_rest_is_reported() {
    let folder = Folder::new();
    let (name, bytes) = &levels()[0];
    ["in", "in/closed"].iter().for_each(|place| folder.put(&format!("{place}/{name}"), bytes));
    folder.ok("set in header/start_x=7 --in-place");
    let allow = |path: &str, mode| fs::set_permissions(folder.path(path), fs::Permissions::from_mode(mode)).unwrap();
    for path in ["", "in", "in/.worldview-edits.ndjson"] {
        allow(path, 0o777);
    }
    allow("in/closed", 0);
    let mut command = command(&folder, &["restore", "in", "--dry-run"]);
    if fs::read_dir(folder.path("in/closed")).is_ok() {
        command.uid(65534).gid(65534);
    }
    let output = command.output();
    allow("in/closed", 0o755);
    let Ok(output) = output else { return };
    let said = stderr(&output);
    assert!(code(&output) == 3 && said.contains("in/closed: Permission denied"), "{said}");
    assert!(said.contains(&format!("in/{name}: would be {name}.bak again")), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_listed_and_exported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new();
    fs::create_dir_all(folder.path("in")).unwrap();
    let put = |name: &[u8], bytes: &[u8]| fs::write(folder.path("in").join(OsStr::from_bytes(name)), bytes).unwrap();
    let (_, level) = &levels()[0];
    put(b"\xFFone.wwd", level);
    put(b"\xFEone.wwd", level);
    put(b"cut\xE2\x82.wwd", &level[..100]);
    let output = folder.run(&["list", "in", "--format", "json"]);
    let listed = document(&output);
    assert_eq!((code(&output), listed["levels"].as_array().unwrap().len()), (3, 2));
    // Bytes that are not valid UTF-8 are escaped.
    assert_eq!(failed(&listed)[0]["path"], "in/cut\\xE2\\x82.wwd");
    for format in ["table", "ndjson", "csv"] {
        let output = folder.run(&["list", "in", "--format", format]);
        assert!(code(&output) == 3 && std::str::from_utf8(&output.stdout).is_ok(), "{format}");
    }
    let output = folder.run(&["export", "in", "-o", "out", "--to", "csv", "--format", "json"]);
    assert_eq!(code(&output), 3);
    assert_eq!(document(&output)["exported"]["levels"], 2);
    let mut folders: Vec<_> = fs::read_dir(folder.path("out/in")).unwrap().map(|it| it.unwrap().file_name()).collect();
    folders.sort();
    assert_eq!(folders, ["%FEone.wwd", "%FFone.wwd"]);
    for name in folders {
        crate::support::manifest(&folder.path("out/in").join(name));
    }
    // Also if named on the command line.
    let mut command = command(&folder, &["info", "--format", "json"]);
    let output = command.arg(OsStr::from_bytes(b"in/\xFFone.wwd")).output().unwrap();
    assert_eq!((code(&output), document(&output)["levels"].as_array().unwrap().len()), (0, 1));
}

/// Limits the private memory of a process to 300 MB, which does not include pages of files.
#[cfg(target_os = "linux")]
const LIMIT: &str = "ulimit -d 300000 || exit 99;";

#[cfg(target_os = "linux")]
#[test]
fn files_of_two_gigabytes_take_no_such_memory() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("in")).unwrap();
    let sparse = |name: &str, start: &[u8]| {
        fs::write(folder.path("in").join(name), start).unwrap();
        File::options().write(true).open(folder.path("in").join(name)).unwrap().set_len(1 << 31).unwrap();
    };
    sparse("zeros.wwd", b"");
    sparse("zeros.bin", b"");
    sparse("zeros.wdb", b"");
    sparse("count.wpd", b"WPD\0\x07\xFF\xFF\xFF");
    let (name, level) = &levels()[0];
    folder.put(&format!("in/{name}"), level);
    for verb in ["info in", "list in", "check in", "find x in", "export in -o out --to csv"] {
        for mmap in ["auto", "always", "never"] {
            let output = folder.shell(&format!("{LIMIT} exec \"$0\" {verb} --mmap {mmap} --threads 2"));
            // To `check`, what cannot be read is a finding.
            let is_check = verb.starts_with("check");
            let printed = if is_check { stdout(&output) } else { stderr(&output) };
            // The last lines name what was exported.
            let printed = printed.split("\n  open first").next().unwrap_or_default();
            assert_eq!(code(&output), 3, "{verb} --mmap {mmap}: {printed}");
            for bad in ["zeros.wwd", "zeros.wdb", "count.wpd"] {
                let line = if is_check { format!("fatal: {bad}: ") } else { format!("worldview: in/{bad}: ") };
                assert!(printed.lines().any(|printed| printed.starts_with(&line)), "{verb} --mmap {mmap}: {printed}");
            }
            // A file of unknown name and contents is not even opened, and the valid file is processed.
            assert!(!printed.contains("zeros.bin") && !printed.contains(name), "{printed}");
        }
    }
    assert!(folder.path("out/in").join(name).join("objects.csv").exists());
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn pipes_are_read_when_named_and_passed_over_when_found() {
    let folder = Folder::new();
    let (_, level) = &levels()[0];
    folder.put("in/level.wwd", level);
    fifo(&folder.path("pipe"));
    // Nobody ever writes to this pipe, so opening it would wait forever.
    fifo(&folder.path("in/found.wwd"));
    let pipe = folder.path("pipe");
    for mmap in ["always", "never"] {
        let writer = std::thread::spawn({
            let (pipe, level) = (pipe.clone(), level.clone());
            move || fs::write(pipe, level).unwrap()
        });
        let output = folder.run(&["show", "pipe", "--mmap", mmap]);
        writer.join().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert_eq!(stdout(&output), stdout(&folder.run(&["show", "in/level.wwd"])));
    }
    let output = folder.run(&["list", "in", "--format", "json"]);
    assert_eq!((code(&output), document(&output)["levels"].as_array().unwrap().len()), (0, 1));
    assert_eq!(code(&folder.run(&["export", "in", "-o", "out"])), 0);
    assert_eq!(fs::read_dir(folder.path("out/in")).unwrap().count(), 1);
}

#[test]
fn standard_input_may_be_anything_that_a_file_may() {
    let folder = Folder::new();
    for (name, bytes) in [levels(), tables()].concat() {
        folder.put(name, &bytes);
        let (read, named) = (folder.run_with(&["show", "-"], &bytes), folder.run(&["show", name]));
        assert_eq!(code(&read), 0, "{name}: {}", stderr(&read));
        assert!(!read.stdout.is_empty() && read.stdout == named.stdout, "{name}");
        for verb in ["info", "list", "check", "schema"] {
            let (read, named) = (folder.run_with(&[verb, "-"], &bytes), folder.run(&[verb, name]));
            assert_eq!(code(&read), code(&named), "{verb} {name}: {}", stderr(&read));
        }
    }
    // Unreadable standard input is not a failed input, because there is no input at all.
    let output = folder.shell("exec \"$0\" info - < .");
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    assert!(stderr(&output).contains("standard input: "), "{}", stderr(&output));
}

#[test]
fn sources_and_options_are_regular_files() {
    let folder = Folder::with("game/", tables());
    folder.put("lamps.csv", b"record,iPrice\nlamp,1\n");
    fs::create_dir_all(folder.path("mod/_wdbpack.bin")).unwrap();
    fs::create_dir_all(folder.path("list")).unwrap();
    fs::create_dir_all(folder.path("parts/members")).unwrap();
    for pipe in
        ["pipe", "mod/_wdbpack.bin/r_lamps.wdb", "list/items.wdb.changes.json", "items.wdb.bak", "parts/members/a.wdb"]
    {
        fifo(&folder.path(pipe));
    }
    folder.put("items.wdb", &folder.bytes("game/items.wdb"));
    // Nobody ever writes to these pipes, and the devices have no end.
    for args in [
        "apply game/items.wdb pipe -o new",
        "apply game/items.wdb /dev/zero -o new",
        "apply game mod -o new",
        "apply game list -o new",
        "changes merge pipe pipe",
        "changes invert list",
        "build pipe -o new",
        "build parts -o new",
        "build lamps.csv --schema pipe -o new",
        "restore items.wdb",
        "show items.wdb --schema /dev/zero",
        "set items.wdb bread_rye/uPurchasePrice=1 --schema pipe -o new",
        "export items.wdb --text /dev/zero -o new --dry-run",
        "export items.wdb --schema pipe -o new --dry-run",
    ] {
        let output = folder.shell(&format!("ulimit -v 2000000; exec timeout 60 \"$0\" {args}"));
        let said = stderr(&output);
        assert_eq!(code(&output), 3, "{args}: {said}");
        let is_named = said.contains("is a pipe or a device") || said.contains("is neither a file nor a folder");
        assert!(is_named, "{args}: {said}");
        assert!(!folder.path("new").exists(), "{args}");
    }
}
