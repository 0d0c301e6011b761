//! Each file of `samples/` has a source in `tests/samples`, which people can read and edit: what the command exports of the
//! file. `UPDATE_GOLDEN=1` rewrites the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs, io, str};

use worldview::Loader;
use worldview_cli::{Command, Streams};
use worldview_corpus::{rez, sample, samples};
use worldview_readers::golden;

use super::verbs::Said;

/// The exports that make up the source of each sample.
const EXPORTS: [(&str, &str); 11] = [
    ("bestiary.wdb", "--to csv,json"),
    ("cellar.wwd", "--to json"),
    ("effects.bin", "--to members"),
    ("garden.wwd", "--to json"),
    ("harbour.rez", "--to png --only kind=picture"),
    ("harbour.rez", "--to members --only *.pal --only *.txt --only *.wav"),
    ("harbour.wwd", "--to json"),
    ("items.wdb", "--to csv,json"),
    ("pennant.tex", "--to json,png"),
    ("wdbpack.bin", "--to csv,json"),
    ("world.wdb", "--to json,png"),
];

/// The level in `harbour.rez`. It is `harbour.wwd`, so it has no source of its own.
const LEVEL: &str = "LEVEL1/WORLDS/WORLD.WWD";

/// Members of JSON documents that are left out of a source, because another file of it has them: records are in
/// `records.csv`, and colors and pixels in pictures.
const ELSEWHERE: [(&str, &[&str]); 3] =
    [("table.json", &["records"]), ("textures.json", &["palette", "pixels"]), ("world.json", &["palette", "pixels"])];

/// A longer part of a JSON document is broken into lines if it contains other parts.
const WIDTH: usize = 120;

/// Files by their path, separated by `/`.
type Files = BTreeMap<String, Vec<u8>>;

/// Returns a folder of the repository.
fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)
}

/// Returns the names in a folder of the repository.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(repository(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Adds the files in a folder.
fn read(folder: &Path, above: &str, files: &mut Files) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{above}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            read(&path, &format!("{name}/"), files);
        } else {
            files.insert(name, fs::read(path).unwrap());
        }
    }
}

/// Runs the command in this process and returns its standard output.
fn run(words: &[&str]) -> String {
    let (out, err) = (Said::default(), Said::default());
    let command = Command::new(["worldview"].iter().chain(words).copied()).unwrap();
    let code = command.run(Loader::read, Streams::new(out.clone(), err.clone()));
    let text = |said: &Said| String::from_utf8(said.0.lock().unwrap().clone()).unwrap();
    assert_eq!(code, 0, "{words:?}: {}", text(&err));
    text(&out)
}

/// Returns the source of a sample.
fn source(name: &str) -> Files {
    let path = repository("samples").join(name);
    let path = path.to_str().unwrap();
    let mut files = Files::new();
    for (_, words) in EXPORTS.iter().filter(|export| export.0 == name) {
        let folder = tempfile::tempdir().unwrap();
        let words: Vec<_> =
            ["export", path, "-o", folder.path().to_str().unwrap()].into_iter().chain(words.split(' ')).collect();
        run(&words);
        read(&folder.path().join(name), "", &mut files);
    }
    // The document of the table has the arrays as well.
    files.retain(|path, _| !path.ends_with("manifest.ndjson") && !path.ends_with("arrays.csv"));
    if name == "wdbpack.bin" {
        files.insert("archive.json".to_owned(), run(&["show", "--format", "json", path]).into_bytes());
    }
    if name.ends_with(".rez") {
        files.insert("pictures.json".to_owned(), pictures(path, &sample(name)).into_bytes());
    }
    for (path, file) in files.iter_mut().filter(|(path, _)| path.ends_with(".json")) {
        let elsewhere = ELSEWHERE.iter().find(|(name, _)| path.ends_with(name)).map_or(&[][..], |found| found.1);
        *file = laid_out(str::from_utf8(file).unwrap().trim_end(), elsewhere).into_bytes();
    }
    files
}

/// Returns what the command shows of each picture in an archive, by its path: all that is not in the PNG.
fn pictures(path: &str, archive: &[u8]) -> String {
    let read = rez::naive::archive(archive).unwrap();
    let names = read.files().into_iter().filter(|(_, file)| matches!(&file.extension[..], b"PID" | b"PCX"));
    let names: Vec<_> = names.map(|(name, _)| String::from_utf8(name).unwrap()).collect();
    let paths: Vec<_> = names.iter().map(|name| format!("{path}/{name}")).collect();
    let words: Vec<_> = ["show", "--format", "json"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    let shown = run(&words);
    assert_eq!(shown.lines().count(), names.len());
    // Without the path of the archive on this machine, which comes first.
    let fields = |shown: &str| shown.find("\"format\":").map(|at| format!("{{{}", &shown[at..])).unwrap();
    let members = names.iter().zip(shown.lines()).map(|(name, shown)| format!("\"{name}\":{}", fields(shown)));
    let members: Vec<_> = members.collect();
    format!("{{{}}}", members.join(","))
}

/// Breaks a JSON document into lines, and leaves out the members with some names.
fn laid_out(json: &str, without: &[&str]) -> String {
    let mut out = String::new();
    lay_out(json, without, 0, &mut out);
    out + "\n"
}

fn lay_out(json: &str, without: &[&str], indent: usize, out: &mut String) {
    let is_nested = json.starts_with(['{', '[']) && json[1..].contains(['{', '[']);
    if !is_nested || json.len() <= WIDTH {
        return out.push_str(json);
    }
    let (open, close) = (&json[..1], &json[json.len() - 1..]);
    let is_kept = |item: &&str| !without.iter().any(|name| item.starts_with(&format!("\"{name}\":")));
    out.push_str(open);
    for (number, item) in items(&json[1..json.len() - 1]).into_iter().filter(is_kept).enumerate() {
        out.push_str(if number == 0 { "\n" } else { ",\n" });
        out.extend(std::iter::repeat_n(' ', indent + 1));
        let value = if open == "{" { item.find("\":").unwrap() + 2 } else { 0 };
        out.push_str(&item[..value]);
        lay_out(&item[value..], without, indent + 1, out);
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
    out.push_str(close);
}

/// Returns the elements or members of an array or object, without its brackets.
fn items(json: &str) -> Vec<&str> {
    let (mut depth, mut is_text, mut is_escaped, mut start, mut items) = (0, false, false, 0, Vec::new());
    for (at, byte) in json.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => {
                items.push(&json[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&json[start..]);
    items
}

/// Size, palette, opacities and pixels of a PNG.
type Decoded = (png::OutputInfo, Option<Vec<u8>>, Option<Vec<u8>>, Vec<u8>);

/// Decodes a PNG, which other compressors write with other bytes.
fn decoded(file: &[u8]) -> Decoded {
    let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let colors = [&reader.info().palette, &reader.info().trns].map(|bytes| bytes.as_ref().map(|bytes| bytes.to_vec()));
    let [palette, opacities] = colors;
    (frame, palette, opacities, pixels)
}

/// Compares a file of a source with the committed one.
fn compare(path: &str, committed: &[u8], exported: &[u8]) {
    if path.ends_with(".png") {
        assert!(decoded(committed) == decoded(exported), "{path} is another picture; UPDATE_GOLDEN=1 writes it anew");
    } else if let (Ok(committed), Ok(exported)) = (str::from_utf8(committed), str::from_utf8(exported)) {
        golden::difference(path, committed, exported).unwrap();
    } else {
        assert!(committed == exported, "{path} has other bytes; UPDATE_GOLDEN=1 writes it anew");
    }
}

#[test]
fn each_sample_is_what_its_source_says() {
    for (name, _) in samples() {
        let exported = source(name);
        let folder = repository("tests/samples").join(name);
        if env::var_os("UPDATE_GOLDEN").is_some() {
            let _ = fs::remove_dir_all(&folder);
            for (path, file) in &exported {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, file).unwrap();
            }
        }
        let mut committed = Files::new();
        read(&folder, "", &mut committed);
        assert!(exported.keys().eq(committed.keys()), "{name}: UPDATE_GOLDEN=1 writes the files of the source anew");
        for ((path, exported), committed) in exported.iter().zip(committed.values()) {
            compare(&format!("{name}/{path}"), committed, exported);
        }
    }
}

/// Samples that are no result of `build`: it cannot make pictures of archives from PNG.
const NOT_BUILT: [&str; 1] = ["harbour.rez"];

/// Samples that get the same content in other bytes: compressors differ, and the editor of one level had no order of its parts.
const SAME_CONTENT: [&str; 2] = ["cellar.wwd", "harbour.wwd"];

#[test]
fn each_sample_is_built_from_its_source() {
    for (name, sample) in samples().into_iter().filter(|(name, _)| !NOT_BUILT.contains(name)) {
        let folder = tempfile::tempdir().unwrap();
        let (source, made) = (repository("tests/samples").join(name), folder.path().join("made"));
        run(&["build", source.to_str().unwrap(), "-o", made.to_str().unwrap()]);
        let made = fs::read(made).unwrap();
        if SAME_CONTENT.contains(&name) {
            let (path, file) = (repository("samples").join(name), folder.path().join(name));
            fs::write(&file, &made).unwrap();
            assert_eq!(run(&["diff", path.to_str().unwrap(), file.to_str().unwrap()]), "", "{name}");
        } else {
            assert!(made == sample, "{name} has other bytes");
        }
    }
}

#[test]
fn each_sample_has_a_source_and_each_source_a_sample() {
    let expected: BTreeSet<_> = samples().into_iter().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(names("samples"), expected);
    assert_eq!(EXPORTS.iter().map(|export| export.0.to_owned()).collect::<BTreeSet<_>>(), expected);
    let mut sources = names("tests/samples");
    assert!(sources.remove("README.md"));
    assert_eq!(sources, expected);
}

#[test]
fn each_file_of_an_archive_has_a_source() {
    let archive = sample("harbour.rez");
    let read = rez::naive::archive(&archive).unwrap();
    let sources = repository("tests/samples/harbour.rez");
    for (path, file) in read.files() {
        let path = String::from_utf8(path).unwrap();
        if path == LEVEL {
            assert!(archive[file.data.clone()] == sample("harbour.wwd"));
        } else {
            let picture = Path::new(&path).with_extension("png");
            assert!(sources.join(picture).exists() || sources.join("members").join(&path).exists(), "{path}");
        }
    }
}
