//! The comparison of readers on files that somebody has.
#![cfg(test)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use worldview_benches::compare::{File, Format, Found, Mismatch, Passes, Reader, Row, compare, report};
use worldview_benches::readers::table::ff13;
use worldview_corpus::sample;

/// As few passes as possible: no test depends on time.
const ONCE: Passes = Passes { least: 1, time: Duration::ZERO };

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples")
}

fn files_of(found: &Found, format: Format) -> Vec<&File> {
    found.files.iter().filter(|file| file.format == format).collect()
}

/// Compares all readers of a format.
fn rows(found: &Found, format: Format) -> Vec<Row> {
    let files = files_of(found, format);
    compare(format, &files, &format.readers(files.len()), ONCE).unwrap()
}

/// Returns the number of files that are measured, and of those that cannot be read.
fn counts(row: &Row) -> (usize, usize) {
    (row.files, row.unreadable)
}

fn plain(name: &str, bytes: &[u8]) -> File {
    File { name: name.into(), format: Format::Level, bytes: Ok(bytes.to_vec()) }
}

/// A reader that returns the first byte of a file, or an error if that is 0.
fn first_byte(name: &str) -> Reader {
    Reader::new(name, |_, bytes| match bytes.first() {
        None | Some(0) => Err("there is no byte".into()),
        Some(&byte) => Ok(byte.into()),
    })
}

#[test]
fn samples_are_sorted_by_format_and_archives_are_searched() {
    let found = Found::load(&[samples()]);
    let names = |format| -> Vec<&str> {
        let files = files_of(&found, format).into_iter();
        files.map(|file| file.name.rsplit_once("samples/").unwrap().1).collect()
    };
    let levels = ["cellar.wwd", "garden.wwd", "harbour.rez/LEVEL1/WORLDS/WORLD.WWD", "harbour.wwd"];
    assert_eq!(names(Format::Level), levels);
    let tables = ["bestiary.wdb", "wdbpack.bin/r_bells.wdb", "wdbpack.bin/r_lamps.wdb", "wdbpack.bin/r_tides.wdb"];
    assert_eq!(names(Format::Table), tables);
    assert_eq!(names(Format::Xiii1), ["items.wdb"]);
    assert_eq!(names(Format::World), ["world.wdb"]);
    assert_eq!(found.left_out, []);
}

#[test]
fn all_readers_agree_on_the_samples() {
    let found = Found::load(&[samples()]);
    let levels = rows(&found, Format::Level);
    assert!(levels.len() >= 3);
    // The size of the images: a header of 1,524 bytes, and what the main block inflates to.
    let image = |name| worldview::wwd::unpack(&std::fs::read(samples().join(name)).unwrap()).unwrap().len();
    let bytes = image("cellar.wwd") + image("garden.wwd") + 2 * image("harbour.wwd");
    assert!(levels.iter().all(|row| (counts(row), row.bytes) == ((4, 0), bytes as u64)), "{levels:?}");
    let world = rows(&found, Format::World);
    assert!(world.len() >= 3);
    assert!(world.iter().all(|row| (counts(row), row.bytes) == ((1, 0), 148_686)), "{world:?}");
    // Tables whose names nobody knows, or whose types are in words, are only read by some.
    let tables = rows(&found, Format::Table);
    for row in &tables {
        let is_able = ["worldview", "naive"].iter().any(|name| row.reader.starts_with(name));
        assert_eq!(counts(row), (2, if is_able { 0 } else { 2 }), "{row:?}");
        assert_eq!(row.bytes, 7708 + 904, "{row:?}");
    }
}

#[test]
fn tables_of_xiii_1_are_read_with_the_names_that_their_file_names_select() {
    let folder = tempfile::tempdir().unwrap();
    for file in ff13::files(3) {
        std::fs::write(folder.path().join(format!("{}.wdb", file.name)), file.bytes).unwrap();
    }
    // The version of the sample selects its names, which nobody else looks up.
    std::fs::write(folder.path().join("renamed.wdb"), sample("items.wdb")).unwrap();
    let found = Found::load(&[folder.path().into()]);
    let rows = rows(&found, Format::Xiii1);
    let theirs = rows.iter().find(|row| row.reader == "ff13-formats");
    assert_eq!(theirs.is_some(), cfg!(feature = "readers"));
    for row in &rows {
        let expected = match theirs {
            Some(theirs) if row.reader == theirs.reader => (3, 1),
            Some(_) => (3, 0),
            None => (4, 0),
        };
        assert_eq!(counts(row), expected, "{row:?}");
    }
}

#[test]
fn broken_files_are_counted_for_every_reader_and_others_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let (level, world) = (sample("cellar.wwd"), sample("world.wdb"));
    put("a.wwd", &level);
    // The header is complete, the packed block is not.
    put("b.wwd", &level[..2000]);
    put("c.wdb", &sample("bestiary.wdb")[..5000]);
    put("d.wdb", &sample("bestiary.wdb"));
    put("world.wdb", &world[..world.len() / 2]);
    put("notes.txt", b"nothing");
    let elsewhere = tempfile::tempdir().unwrap();
    let notes = elsewhere.path().join("more notes.txt");
    std::fs::write(&notes, b"nothing").unwrap();
    let missing = folder.path().join("missing");
    let found = Found::load(&[folder.path().into(), notes.clone(), missing.clone()]);
    for (format, measured, broken) in
        [(Format::Level, 1, "b.wwd"), (Format::Table, 1, "c.wdb"), (Format::World, 0, "world.wdb")]
    {
        for row in rows(&found, format) {
            assert_eq!(counts(&row), (measured, 1), "{row:?}");
            assert_eq!(row.median_ns.is_some(), measured > 0, "{row:?}");
            let (file, error) = row.first_error.unwrap();
            assert!(Path::new(&file).ends_with(broken) && !error.is_empty(), "{file}: {error}");
        }
    }
    // Whatever was named is reported, whatever else is in a folder is not.
    let left_out: Vec<&str> = found.left_out.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left_out, [notes.to_str().unwrap(), missing.to_str().unwrap()]);
}

#[test]
fn a_wrong_digest_is_an_error_that_names_the_file_and_both_digests() {
    let found = Found::load(&[samples().join("cellar.wwd"), samples().join("garden.wwd")]);
    let files = files_of(&found, Format::Level);
    let mut readers = Format::Level.readers(files.len());
    // It agrees on the first file.
    let expected = worldview_benches::readers::level::naive::digest;
    readers.push(Reader::new("wrong", move |file, bytes| {
        expected(bytes).map(|digest| digest ^ u32::from(file.name.ends_with("garden.wwd")))
    }));
    let mismatch = compare(Format::Level, &files, &readers, ONCE).unwrap_err();
    let digest = expected(files[1].bytes.as_ref().unwrap()).unwrap();
    let digests = [("worldview".into(), digest), ("wrong".into(), digest ^ 1)];
    assert_eq!(mismatch, Mismatch { file: files[1].name.clone(), digests });
    let text = mismatch.to_string();
    assert!(
        [&files[1].name, &format!("{digest:#010x}"), &format!("{:#010x}", digest ^ 1)]
            .iter()
            .all(|part| text.contains(*part)),
        "{text}"
    );
}

#[test]
fn a_wrong_digest_is_found_among_readers_that_cannot_read_everything() {
    let files = [plain("a", b"a"), plain("b", b"\0b")];
    let files: Vec<&File> = files.iter().collect();
    let second =
        Reader::new("second", |_, bytes| bytes.get(1).map(|&byte| byte.into()).ok_or_else(|| "too short".into()));
    let third = Reader::new("third", |_, bytes| Ok(u32::try_from(bytes.len()).unwrap()));
    let compared = |readers: &[Reader]| compare(Format::Level, &files, readers, ONCE);
    // They have no file in common.
    let rows = compared(&[first_byte("first"), second]).unwrap();
    assert!(rows.iter().all(|row| counts(row) == (0, 1) && row.median_ns.is_none()), "{rows:?}");
    let mismatch = compared(&[first_byte("first"), third]).unwrap_err();
    assert_eq!(mismatch.digests, [("first".into(), u32::from(b'a')), ("third".into(), 1)]);
}

#[test]
fn readers_are_measured_on_the_files_that_all_can_read() {
    let files = [plain("a", b"a"), plain("b", b"\0b"), plain("c", b"cc")];
    let files: Vec<&File> = files.iter().collect();
    let nobody = Reader::new("nobody", |_, _| Err("never".into()));
    let any = Reader::new("any", |_, bytes| Ok(bytes[0].into()));
    let rows = compare(Format::Level, &files, &[first_byte("first"), nobody, any], ONCE).unwrap();
    let measured: Vec<_> = rows.iter().map(|row| (row.files, row.bytes, row.unreadable)).collect();
    assert_eq!(measured, [(2, 3, 1), (0, 0, 3), (2, 3, 0)]);
    let errors: Vec<_> = rows.into_iter().map(|row| row.first_error).collect();
    let error = |file: &str, error: &str| Some((file.to_owned(), error.to_owned()));
    assert_eq!(errors, [error("b", "there is no byte"), error("a", "never"), None]);
}

#[test]
fn reports_as_text_and_csv() {
    let row = Row {
        format: Format::Table,
        reader: "worldview, 2 threads".into(),
        files: 3,
        bytes: 3_000_000,
        median_ns: Some(2e6),
        times_ours: Some(1.0),
        unreadable: 1,
        first_error: Some(("a.wdb".into(), "is broken, badly".into())),
    };
    let nothing = Row { files: 0, bytes: 0, median_ns: None, times_ours: None, unreadable: 4, ..row.clone() };
    let rows = [row.clone(), Row { reader: "naive reader".into(), ..row }, Row { reader: "binrw".into(), ..nothing }];
    let (mut text, mut csv) = (Vec::new(), Vec::new());
    report::text(&rows, ONCE, &mut text).unwrap();
    report::csv(&rows, &mut csv).unwrap();
    let text = String::from_utf8(text).unwrap();
    let table = text.split_once("\n\n").unwrap().1;
    assert_eq!(
        table,
        "\
format  reader                files    bytes     time  GB/s  times ours  unreadable
table   worldview, 2 threads      3  3000000  2.00 ms  1.50        1.00           1
table   naive reader              3  3000000  2.00 ms  1.50        1.00           1
table   binrw                     0        0        -     -           -           4

table: 1 unreadable, first a.wdb: is broken, badly (worldview, 2 threads; naive reader)
table: 4 unreadable, first a.wdb: is broken, badly (binrw)
"
    );
    assert_eq!(
        String::from_utf8(csv).unwrap(),
        "\
format,reader,files,bytes,seconds,gb_per_s,times_ours,unreadable,first_file,first_error
table,\"worldview, 2 threads\",3,3000000,0.002,1.5,1,1,a.wdb,\"is broken, badly\"
table,naive reader,3,3000000,0.002,1.5,1,1,a.wdb,\"is broken, badly\"
table,binrw,0,0,,,,4,a.wdb,\"is broken, badly\"
"
    );
}

#[test]
fn the_program_says_when_there_is_nothing_to_compare() {
    let run = |arguments: &[&Path]| {
        let output = Command::new(env!("CARGO_BIN_EXE_compare")).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), b"nothing").unwrap();
    let (code, message) = run(&[folder.path()]);
    assert_eq!(code, Some(2));
    assert!(message.contains("nothing to compare"), "{message}");
    for arguments in [&[][..], &[Path::new("--format")], &[Path::new("--format"), Path::new("xml"), folder.path()]] {
        let (code, message) = run(arguments);
        assert_eq!(code, Some(2));
        assert!(message.contains("usage"), "{message}");
    }
}
