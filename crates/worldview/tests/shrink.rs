//! Files that shrink between parsing and reading: the data that is read is wrong, but this is reported, and nothing
//! worse happens.
#![cfg(test)]
#![cfg(unix)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use worldview::island::{Contents, Database};
use worldview::wpd::Archive;
use worldview::wwd::Level;
use worldview::{Bytes, Finding, Loader, guard, island, wpd, wwd};
use worldview_corpus::ff13::generate::{self, Shape};
use worldview_corpus::wwd::generate as levels;

/// Maps a file, calls `look` with it, and calls `look` again while the file is shortened.
fn shorten(bytes: &[u8], look: impl Fn(&Bytes<'static>, &dyn Fn())) {
    guard::install().unwrap();
    #[expect(unsafe_code, reason = "mapping asks for a promise")]
    // SAFETY: violated on purpose: the files shrink while they are read. Nothing relies on reading the same byte twice.
    let load = unsafe { Loader::mmap() }.map_from(0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for part in [0, 1, 5, 9, 15] {
        fs::write(&path, bytes).unwrap();
        let file = load.open(&path).unwrap();
        assert!(file.is_guarded());
        look(&file, &|| ());
        file.check().unwrap();
        look(&file, &|| set_len(&path, bytes.len() / 16 * part));
        let error = file.check().unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::UnexpectedEof, "shrank while being read"));
    }
}

fn set_len(path: &Path, len: usize) {
    File::options().write(true).open(path).unwrap().set_len(len as u64).unwrap();
}

fn ignore<K>(_: Finding<'_, K>) {}

#[test]
fn a_table_may_shrink_while_it_is_read() {
    let shape = Shape::monster();
    shorten(&generate::table(1, 600_000, &shape), |file, shorten| {
        let archive = Archive::parse(file).unwrap();
        let table = archive.table().unwrap();
        shorten();
        wpd::check_archive(&archive, &mut ignore);
        wpd::check_table(&table, &mut ignore);
        assert!(table.by_name(b"nobody").is_none());
    });
}

#[test]
fn a_level_may_shrink_while_it_is_read() {
    let shape = levels::Shape::sized(600_000);
    let level = worldview_corpus::wwd::build::build(&levels::level(2, &shape)).bytes;
    shorten(&level, |file, shorten| {
        let image = wwd::unpack(file).unwrap();
        let level = Level::parse(&image).unwrap();
        shorten();
        for plane in level.planes() {
            let _ = plane.objects().iter().map_while(Result::ok).count();
            let _ = plane.image_sets().iter().map_while(Result::ok).count();
        }
        wwd::check(&image, &level, &mut ignore);
    });
}

#[test]
fn a_database_may_shrink_while_it_is_read() {
    let database = worldview_corpus::island::generate::database(3, 600_000);
    shorten(&database, |file, shorten| {
        let database = Database::parse(file).unwrap();
        let contents = Contents::read(&database);
        shorten();
        island::check(&database, &contents, &mut ignore);
        for blob in database.blobs() {
            let _ = blob.read();
        }
    });
}
