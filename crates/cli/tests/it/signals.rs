//! Ctrl-C and SIGTERM: a real process gets a real signal.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::{Folder, WORLDVIEW, code, manifest, snapshot_of_files, stderr};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::Packing;

fn has_files(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.path().is_file() || has_files(&entry.path()))
}

#[test]
fn an_interrupted_export_leaves_whole_files_and_says_so() {
    let folder = Folder::in_memory();
    let shape = Shape { tiles_wide: 700, tiles_high: 700, packing: Packing::Raw, ..Shape::small() };
    let big = build(&level(7, &shape)).bytes;
    // Far more work than anybody waits for: a run that is not stopped does not end with the code that is asked for.
    for number in 0..40 {
        folder.put(&format!("in/{number:02}.wwd"), &big);
    }
    for (inputs, signal, expected) in
        [(&["in"][..], "-INT", 130), (&["in/00.wwd", "in/01.wwd", "in/02.wwd"], "-INT", 130), (&["in"], "-TERM", 143)]
    {
        let _ = fs::remove_dir_all(folder.path("out"));
        let mut command = Command::new(WORLDVIEW);
        command.current_dir(folder.path("")).arg("export").args(inputs);
        command.args(["-o", "out", "--to", "text,json,tmx,png,csv"]).stdin(Stdio::null());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !has_files(&folder.path("out")) {
            sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let printed = stderr(&output);
        assert_eq!(code(&output), expected, "{printed}");
        assert_eq!(printed.lines().count(), 1, "{printed}");
        assert!(printed.contains("interrupted"), "{printed}");
        let files = snapshot_of_files(&folder.path("out"));
        let is_temporary = |path: &Path| path.to_string_lossy().contains(".worldview-");
        assert!(!files.keys().any(|path| is_temporary(path)), "{:?}", files.keys());
        // A list that is there is right, and says whether that is all.
        for list in files.keys().filter(|path| path.ends_with("manifest.ndjson")) {
            manifest(folder.path("out").join(list).parent().unwrap());
        }
    }
}
