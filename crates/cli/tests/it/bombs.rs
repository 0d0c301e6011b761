//! Files that ask for far more than they hold, through the command: under limits that would kill a runaway.

use std::os::unix::process::ExitStatusExt as _;

use crate::support::Folder;
use worldview_corpus::bombs;

/// Bytes of each file.
const SIZE: usize = 30_000;
/// Bytes that a run may have in its address space, in KiB for the shell: the stacks and arenas of all threads, the command
/// itself, and what is held of a file or two.
const SPACE: u64 = 3 << 20;
/// Seconds that a run may take of the processor, over all files: a hundred times what it does.
const SECONDS: u64 = 300;

/// A folder of all bombs, in the folder `left` and, of another size, in the folder `right`; how many bytes `left` has.
fn folder() -> (Folder, u64) {
    let folder = Folder::in_memory();
    let mut all = 0;
    for (number, (file, bomb)) in bombs::all().enumerate() {
        for (side, size) in [("left", SIZE), ("right", SIZE + 1000)] {
            let bytes = bomb.bytes(size);
            all += if side == "left" { bytes.len() as u64 } else { 0 };
            folder.put(&format!("{side}/{number:02}/{file}"), &bytes);
        }
    }
    (folder, all)
}

/// Runs the command on the folder; its exit code must be among these, and its output so long at the most.
fn run(folder: &Folder, args: &str, codes: &[i32], most: u64) {
    let output = folder.shell(&format!("ulimit -v {SPACE}; ulimit -t {SECONDS}; exec \"$0\" {args} --quiet > said"));
    let told = String::from_utf8_lossy(&output.stderr);
    let last: String = told.lines().rev().take(5).collect::<Vec<_>>().join(" | ");
    assert_eq!(output.status.signal(), None, "{args}: {last}");
    assert!(output.status.code().is_some_and(|code| codes.contains(&code)), "{args}: {:?}, {last}", output.status);
    assert!(!told.contains("panicked"), "{args}: {told}");
    let said = std::fs::metadata(folder.path("said")).unwrap().len();
    assert!(said <= most, "{args}: {said} bytes said");
}

#[test]
fn every_verb_ends() {
    let (folder, all) = folder();
    let count = bombs::all().count() as u64;
    // What one file may be as text, and as a list of findings, hits or differences of some hundred bytes each.
    let most = 32 * all + count * (4 << 20);
    // 3 is that some inputs failed, as they should; 1 that something was found.
    run(&folder, "list left --format json", &[0, 3], most);
    run(&folder, "check left --format ndjson", &[1, 3], most);
    run(&folder, "show left", &[3], most);
    run(&folder, "show left --format json --full", &[3], most);
    run(&folder, "find '*' left --format csv", &[3], 100_000 * 300 * count);
    run(&folder, "diff left right --format ndjson", &[3], 300 * 5 * all + count * (64 << 20));
}

/// Thousands of pictures of one pixel: each took a deflate state that was never used again.
#[test]
fn small_pictures_take_little_memory() {
    let folder = Folder::in_memory();
    let (file, bomb) = bombs::all().find(|(_, bomb)| bomb.name == "textures of one pixel").unwrap();
    folder.put(file, &bomb.bytes(160_000));
    let args = "export . -o out --to png --max-files 10000 --threads 1 --quiet";
    let output = folder.shell(&format!("ulimit -v {}; exec \"$0\" {args}", 1 << 20));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(folder.files("out").len(), 8001);
}

/// All kinds of outputs and the page, of no more files and no more bytes than there may be.
#[test]
fn every_output_is_bounded() {
    let (folder, all) = folder();
    let kinds = "csv,glb,json,members,ndjson,parquet,arrow,png,preview,text,tmj,tmx";
    let bounds = "--max-files 300 --max-output 20000000 --max-pixels 1000000";
    run(&folder, &format!("export left -o out --to {kinds} --html {bounds}"), &[3], 0);
    let files = folder.files("out");
    let count = bombs::all().count();
    // With the list of each, and the page.
    assert!(files.len() <= 301 * count + 1, "{}", files.len());
    let mut bytes = vec![0; count];
    let mut most = vec![0; count];
    let mut previews = vec![0; count];
    for file in files.iter().filter(|file| !file.ends_with("manifest.json")) {
        let Some(number) = file.split('/').nth(1).and_then(|number| number.parse::<usize>().ok()) else { continue };
        bytes[number] += std::fs::metadata(folder.path("out").join(file)).unwrap().len();
        most[number] += 1;
        previews[number] += usize::from(file.contains("/previews/"));
    }
    assert!(bytes.iter().all(|&bytes| bytes <= 20_000_000), "{bytes:?}");
    assert!(most.iter().max() == Some(&300), "some stop at the bound on files: {most:?}");
    let drawn = 64 + SIZE / 1024;
    assert!(previews.iter().all(|&count| count <= drawn + 1), "of {drawn} at most: {previews:?}");
    assert!(previews.iter().any(|&count| count + 2 >= drawn), "and some stop there: {previews:?}");
    assert!(bytes.iter().sum::<u64>() > all, "and most are made: {bytes:?}");
}
