//! Files of all kinds, read and mapped.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::fs;
use std::io::{self, Read};

use worldview_map::{Loader, MAP_FROM};

/// Returns the loaders, which must all return the same bytes.
fn loaders() -> [Loader; 3] {
    #[expect(unsafe_code, reason = "mapping asks for a promise")]
    // SAFETY: the files are in folders used only by these tests, and nothing changes them while they are open.
    let map = unsafe { Loader::mmap() };
    [Loader::read(), map, map.map_from(0)]
}

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| u8::try_from(at % 251).unwrap()).collect()
}

#[test]
fn every_loader_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let large = usize::try_from(MAP_FROM).unwrap();
    for len in [0, 1, 4095, 4096, large - 1, large, large + 1] {
        let path = folder.path().join(len.to_string());
        let content = pattern(len);
        fs::write(&path, &content).unwrap();
        let mut scratch = vec![9; 100];
        for load in loaders() {
            assert!(*load.open(&path).unwrap() == content, "{load:?}, {len} bytes");
            assert!(*load.open_in(&path, &mut scratch).unwrap() == content, "{load:?}, {len} bytes, scratch");
        }
    }
}

#[test]
fn small_files_are_read_and_large_ones_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let large = usize::try_from(MAP_FROM).unwrap();
    let [read, map, always] = loaders();
    for (len, mapped) in [(0, [false, false, false]), (large - 1, [false, false, true]), (large, [false, true, true])] {
        let path = folder.path().join(len.to_string());
        fs::write(&path, pattern(len)).unwrap();
        let found = [read, map, always].map(|load| load.open(&path).unwrap().is_mapped());
        assert_eq!(found, mapped, "{len} bytes");
    }
}

#[test]
fn a_scratch_buffer_is_filled_anew_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (long, short) = (folder.path().join("long"), folder.path().join("short"));
    fs::write(&long, pattern(5000)).unwrap();
    fs::write(&short, b"short").unwrap();
    let mut scratch = Vec::new();
    let load = Loader::read();
    assert_eq!(load.open_in(&long, &mut scratch).unwrap().len(), 5000);
    let capacity = scratch.capacity();
    assert_eq!(&*load.open_in(&short, &mut scratch).unwrap(), b"short");
    assert_eq!(scratch.capacity(), capacity);
}

#[test]
fn folders_and_missing_files_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    for load in loaders() {
        let error = load.open(folder.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert_eq!(error.to_string(), "is a folder, not a file");
        let missing = load.open(folder.path().join("missing")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn streams_are_read_to_their_limit() {
    let load = Loader::read().stream_limit(10);
    assert_eq!(&*load.stream(&b"ten bytes!"[..]).unwrap(), b"ten bytes!");
    let error = load.stream(&b"eleven byte"[..]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    let endless = load.stream(io::repeat(0)).unwrap_err();
    assert_eq!(endless.kind(), io::ErrorKind::FileTooLarge);
    let broken = load.stream(Broken).unwrap_err();
    assert_eq!(broken.to_string(), "the line went dead");
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the line went dead"))
    }
}

#[test]
fn a_prefix_is_what_there_is_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, b"0123456789").unwrap();
    let mut buffer = [0; 4];
    assert_eq!(Loader::read().prefix(&path, &mut buffer).unwrap(), b"0123");
    let mut buffer = [0; 40];
    assert_eq!(Loader::read().prefix(&path, &mut buffer).unwrap(), b"0123456789");
    assert_eq!(Loader::read().prefix(folder.path(), &mut buffer).unwrap_err().kind(), io::ErrorKind::IsADirectory);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::process::Command;
    use std::thread;

    #[test]
    fn a_named_pipe_is_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        for load in loaders() {
            let writer = thread::spawn({
                let path = path.clone();
                move || fs::write(path, b"through the pipe").unwrap()
            });
            let bytes = load.open(&path).unwrap();
            assert_eq!(&*bytes, b"through the pipe");
            assert!(!bytes.is_mapped());
            writer.join().unwrap();
        }
    }

    #[test]
    fn a_device_without_an_end_is_refused() {
        for load in loaders() {
            let error = load.stream_limit(1 << 16).open("/dev/zero").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        }
        assert!(Loader::read().open("/dev/null").unwrap().is_empty());
    }
}

/// Elsewhere a mapped file can be shortened; `guard.rs` has those tests.
#[test]
#[cfg(windows)]
fn windows_does_not_shorten_a_mapped_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    let content = pattern(usize::try_from(MAP_FROM).unwrap() * 2);
    fs::write(&path, &content).unwrap();
    let [_, map, _] = loaders();
    let bytes = map.open(&path).unwrap();
    assert!(bytes.is_mapped());
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    // ERROR_USER_MAPPED_FILE.
    assert_eq!(file.set_len(10).unwrap_err().raw_os_error(), Some(1224));
    assert!(*bytes == content);
    drop(bytes);
    file.set_len(10).unwrap();
}
