//! Archives and pictures, on bytes assembled from the format notes.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a slip fails the test")]

mod archive;
mod describe;
mod hostile;
mod pictures;
#[path = "../../../../tests/tree.rs"]
mod tree;

/// Returns the bytes of little-endian words.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns the header of an archive whose root directory has this position and size.
fn header(root: usize, size: usize) -> Vec<u8> {
    let mut out = b"\r\n".to_vec();
    out.extend([b' '; 60]);
    out.extend(b"\r\n");
    out.extend([b' '; 60]);
    out.extend(b"\r\n\x1A");
    let word = |value: usize| u32::try_from(value).unwrap();
    // Version, root, its time, the end of the data, time, and four lengths.
    out.extend(words(&[1, word(root), word(size), 0x0040_C9D8, word(root), 0x33CA_6851, 0, 10, 10, 0]));
    out.push(1);
    assert_eq!(out.len(), 168);
    out
}

/// Returns the entry of a directory.
fn directory(pos: usize, size: usize, name: &[u8]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap();
    [&words(&[1, word(pos), word(size), 7])[..], name, b"\0"].concat()
}

/// Returns the entry of a file without a comment and keys; the extension is as stored.
fn file(pos: usize, size: usize, name: &[u8], extension: [u8; 4]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap();
    let extension = u32::from_le_bytes(extension);
    [&words(&[0, word(pos), word(size), 7, 10_000_000, extension, 0])[..], name, b"\0\0"].concat()
}

/// Returns a PID file with these flags, sides and stream.
fn pid(flags: u32, width: u32, height: u32, stream: &[u8]) -> Vec<u8> {
    [&words(&[10, flags, width, height, 0, 0, 0, 0])[..], stream].concat()
}
