//! Helpers shared by the tests of the command: a temporary folder, and ways to run the command in it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::LevelSpec;

/// The arguments of a run: a list, or words with a space between them.
pub(crate) trait Words {
    fn words(&self) -> Vec<&str>;
}

impl Words for str {
    fn words(&self) -> Vec<&str> {
        self.split(' ').collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<&str> {
        self.split(' ').collect()
    }
}

impl Words for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const COUNT: usize> Words for [&str; COUNT] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Words for Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.clone()
    }
}

/// The path of the command.
pub(crate) const WORLDVIEW: &str = env!("CARGO_BIN_EXE_worldview");

pub(crate) struct Folder(TempDir);

impl Folder {
    /// Creates an empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Creates an empty folder in memory, if the system has enough space there. Thousands of files take long on a disk.
    pub(crate) fn in_memory() -> Self {
        let shared = "/dev/shm";
        let has_room = || {
            let said = Command::new("df").args(["-Pk", shared]).output().ok()?;
            let said = String::from_utf8(said.stdout).ok()?;
            let free: u64 = said.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
            Some(free > 2_000_000)
        };
        if has_room() == Some(true) {
            return Self(tempfile::tempdir_in(shared).unwrap());
        }
        Self::new()
    }

    /// Creates a folder with these files.
    pub(crate) fn with(below: &str, files: Vec<(&'static str, Vec<u8>)>) -> Self {
        let folder = Self::new();
        files.iter().for_each(|(name, bytes)| folder.put(&format!("{below}{name}"), bytes));
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Runs the command in the folder.
    pub(crate) fn run(&self, args: &(impl Words + ?Sized)) -> Output {
        self.run_with(args, b"")
    }

    /// Runs the command in a subfolder.
    pub(crate) fn run_in(&self, below: &str, args: &[&str]) -> Output {
        Command::new(WORLDVIEW).current_dir(self.path(below)).args(args).stdin(Stdio::null()).output().unwrap()
    }

    pub(crate) fn run_with(&self, args: &(impl Words + ?Sized), stdin: &[u8]) -> Output {
        let mut input = tempfile::tempfile().unwrap();
        input.write_all(stdin).unwrap();
        input.rewind().unwrap();
        Command::new(WORLDVIEW).current_dir(self.0.path()).args(args.words()).stdin(input).output().unwrap()
    }

    /// Runs the command in the folder, and returns the exit code, standard output and standard error.
    pub(crate) fn said(&self, args: &(impl Words + ?Sized)) -> (i32, String, String) {
        let output = self.run(args);
        (code(&output), stdout(&output), stderr(&output))
    }

    /// Runs the command, which must succeed, and returns what it prints.
    #[track_caller]
    pub(crate) fn ok(&self, args: &(impl Words + ?Sized)) -> String {
        let (code, out, err) = self.said(args);
        assert_eq!(code, 0, "{:?}: {err}", args.words());
        out
    }

    /// Runs the command, which must end with this exit code, and returns its messages.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, args: &(impl Words + ?Sized)) -> String {
        let (found, _, err) = self.said(args);
        assert_eq!(found, code, "{:?}: {err}", args.words());
        err
    }

    /// Runs the command, which must end with this exit code and have all this in its messages.
    #[track_caller]
    pub(crate) fn says(&self, code: i32, args: &(impl Words + ?Sized), parts: &[&str]) {
        let err = self.fails(code, args);
        parts.iter().for_each(|part| assert!(err.contains(part), "{:?}: no {part:?} in {err}", args.words()));
    }

    /// Runs the command, which must end with this exit code and print all this.
    #[track_caller]
    pub(crate) fn prints(&self, code: i32, args: &(impl Words + ?Sized), parts: &[&str]) {
        let (found, out, err) = self.said(args);
        assert_eq!(found, code, "{:?}: {err}", args.words());
        parts.iter().for_each(|part| assert!(out.contains(part), "{:?}: no {part:?} in {out}", args.words()));
    }

    pub(crate) fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    pub(crate) fn bytes(&self, file: &str) -> Vec<u8> {
        fs::read(self.path(file)).unwrap()
    }

    /// Creates a folder with the samples in `game/`.
    pub(crate) fn samples() -> Self {
        Self::with("game/", worldview_corpus::samples())
    }

    /// Runs the command in the folder, and parses the JSON document that it prints.
    pub(crate) fn json(&self, args: &(impl Words + ?Sized)) -> Value {
        serde_json::from_str(&self.said(args).1).unwrap()
    }

    /// Runs a shell script in the folder, with the command as `$0`.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Output {
        let mut command = Command::new("sh");
        command.current_dir(self.path("")).args(["-c", script, WORLDVIEW]).stdin(Stdio::null()).output().unwrap()
    }

    /// Returns the relative paths of all files in a subfolder.
    pub(crate) fn files(&self, below: &str) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, files: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, files);
                } else {
                    files.push(slashed(path.strip_prefix(root).unwrap()));
                }
            }
        }
        let mut files = Vec::new();
        walk(&self.path(below), &self.path(below), &mut files);
        files.sort();
        files
    }
}

/// Returns a path as the command prints it.
pub(crate) fn slashed(path: &Path) -> String {
    let text = path.to_str().unwrap();
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

/// The error of the system for a file that does not exist, as its message ends on every system.
pub(crate) const MISSING: &str = "(os error 2)";

/// A small level with unique ids, whose findings are curious, except for those caused by `change`.
pub(crate) fn clean_level(change: impl FnOnce(&mut LevelSpec)) -> Vec<u8> {
    let mut spec = level(1, &Shape::small());
    for (id, object) in (1..).zip(spec.planes.iter_mut().flat_map(|plane| &mut plane.objects)) {
        object.id = id;
    }
    change(&mut spec);
    build(&spec).bytes
}

/// Returns the JSON of a GLB.
pub(crate) fn json_of(glb: &[u8]) -> Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + length]).unwrap()
}

/// Returns a GLB with other JSON.
pub(crate) fn with_json(glb: &[u8], json: &Value) -> Vec<u8> {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let (mut text, rest) = (serde_json::to_vec(json).unwrap(), &glb[20 + length..]);
    text.resize(text.len().next_multiple_of(4), b' ');
    let [size, length] = [20 + text.len() + rest.len(), text.len()].map(|size| u32::try_from(size).unwrap());
    [&glb[..8], &size.to_le_bytes(), &length.to_le_bytes(), &glb[16..20], &text, rest].concat()
}

/// Compares a text with a file of `tests/golden`, or writes the file if `UPDATE_GOLDEN` is set.
pub(crate) fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    let differs = expected.lines().zip(text.lines()).find(|(expected, found)| expected != found);
    assert!(expected == text, "UPDATE_GOLDEN=1 writes {} anew: {differs:#?}", path.display());
}

/// Removes the elapsed time, which is printed only for slow runs.
pub(crate) fn without_times(printed: &str) -> String {
    let is_time = |rest: &str| rest.starts_with(|char: char| char.is_ascii_digit());
    let line = |line: &str| match line.split_once(" in ").zip(line.split_once("/s)")) {
        Some(((start, rest), (_, end))) if line.starts_with("worldview: ") && is_time(rest) => format!("{start}{end}"),
        _ => line.to_owned(),
    };
    printed.split_inclusive('\n').map(line).collect()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("ended by a signal: {}", stderr(output)))
}

/// Parses the JSON document that a run printed.
pub(crate) fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

/// The item at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Folder,
    /// The size, and the SHA-256 of the bytes.
    File(u64, String),
    Link(PathBuf),
    Other,
}

/// Returns everything in a folder by its relative path, without following links.
pub(crate) fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Thing> {
    let (mut things, mut folders) = (BTreeMap::new(), vec![PathBuf::new()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(folder.join(&next)).unwrap() {
            let entry = entry.unwrap();
            let (path, below) = (entry.path(), next.join(entry.file_name()));
            let kind = fs::symlink_metadata(&path).unwrap().file_type();
            let thing = if kind.is_dir() {
                folders.push(below.clone());
                Thing::Folder
            } else if kind.is_symlink() {
                Thing::Link(fs::read_link(&path).unwrap())
            } else if kind.is_file() {
                let bytes = fs::read(&path).unwrap();
                Thing::File(bytes.len() as u64, digest(&bytes))
            } else {
                Thing::Other
            };
            things.insert(below, thing);
        }
    }
    things
}

/// Returns all files in a folder by their relative paths.
pub(crate) fn snapshot_of_files(folder: &Path) -> BTreeMap<PathBuf, Thing> {
    snapshot(folder).into_iter().filter(|(_, thing)| *thing != Thing::Folder).collect()
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the manifest of an output folder, after checking that it lists all files and that every entry is correct.
pub(crate) fn manifest(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("manifest.ndjson"));
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    // The last line counts, and a killed run may have left a part of one.
    let mut lines = text.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let manifest = lines.next().unwrap_or_else(|| panic!("{}: {text}", folder.display()));
    let mut listed: Vec<_> = manifest["files"].as_array().unwrap().iter().map(entry).collect();
    let mut found: Vec<_> = snapshot_of_files(folder).into_iter().collect();
    found.retain(|(path, _)| path != Path::new("manifest.ndjson"));
    listed.sort_by(|one, two| one.0.cmp(&two.0));
    assert_eq!(listed, found, "{}", folder.display());
    manifest
}

fn entry(entry: &Value) -> (PathBuf, Thing) {
    let text = |field: &str| entry[field].as_str().unwrap().to_owned();
    (text("file").into(), Thing::File(entry["size"].as_u64().unwrap(), text("sha256")))
}

/// The inputs of a report of which something was not done.
pub(crate) fn failed(document: &serde_json::Value) -> Vec<&serde_json::Value> {
    let inputs = document["inputs"].as_array().expect("a report has inputs");
    inputs.iter().filter(|input| input["status"] != "ok").collect()
}

/// Everything that failed, as a path, a message and a place: inputs of which nothing was done, and parts of the others.
pub(crate) fn failures(document: &serde_json::Value) -> Vec<serde_json::Value> {
    let mut all = Vec::new();
    for input in failed(document) {
        if input["status"] == "failed" {
            all.push(input.clone());
        }
        for entry in input["account"]["entries"].as_array().into_iter().flatten() {
            let mut entry = entry.clone();
            entry["path"] = entry["place"]["file"].clone();
            all.push(entry);
        }
    }
    all
}
