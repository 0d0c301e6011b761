//! What a file is, by its bytes alone.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview::Format;
use worldview_corpus::island::{generate, naive, samples, spec};
use worldview_corpus::rng::Rng;

#[test]
fn every_sample_is_known_whole_and_by_its_first_bytes() {
    for (name, file) in worldview_corpus::samples() {
        let expected = match name {
            "world.wdb" => Format::Island,
            name if name.ends_with(".wwd") => Format::Wwd,
            _ => Format::Wpd,
        };
        assert_eq!(Format::sniff(&file), Some(expected), "{name}");
        let start = file.get(..Format::SNIFF_LEN).unwrap_or(&file);
        assert_eq!(Format::sniff(start), Some(expected), "{name}");
    }
}

#[test]
fn generated_databases_are_known_whole_and_by_their_first_bytes() {
    let mut files: Vec<_> = (0..50).map(|seed| generate::database(seed, 100_000)).collect();
    files.push(samples::samples().remove(0).1);
    for file in files {
        assert_eq!(Format::sniff(&file), Some(Format::Island));
        assert_eq!(Format::sniff(&file[..Format::SNIFF_LEN]), Some(Format::Island));
    }
}

#[test]
fn a_file_of_no_worlds_is_never_claimed() {
    let empty = worldview_corpus::island::build::build(&spec::DatabaseSpec::default()).bytes;
    assert!(naive::directory(&empty).unwrap().worlds.is_empty(), "it is a database all the same");
    assert_eq!(Format::sniff(&empty), None);
    assert_eq!(Format::sniff(&[0; 4096]), None);
    assert_eq!(Format::sniff(&[]), None);
}

#[test]
fn random_bytes_and_other_files_are_not_claimed() {
    let mut rng = Rng::new(11);
    for _ in 0..20_000 {
        let mut bytes: Vec<u8> = (0..32).flat_map(|_| rng.next_u64().to_le_bytes()).collect();
        // Small counts, as other formats begin with.
        bytes[0] = bytes[0].max(1);
        bytes[1..4].fill(0);
        assert_eq!(Format::sniff(&bytes), None);
    }
    for start in
        [&b"RIFF\0\0\0\0WAVEfmt "[..], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"PK\x03\x04", b"glTF\x02\0\0\0", b"\x7fELF"]
    {
        assert_eq!(Format::sniff(start), None, "{}", start.escape_ascii());
    }
}

#[test]
fn a_name_that_is_no_text_is_none_of_a_database() {
    let good = samples::samples().remove(0).1;
    // The first letter of the first world's name.
    for byte in [0, 7, 0x80, 0xFF] {
        let mut bad = good.clone();
        bad[8] = byte;
        assert_eq!(Format::sniff(&bad), None, "{byte}");
    }
    // The NUL at its end.
    let mut bad = good.clone();
    let len = u32::from_le_bytes(good[4..8].try_into().unwrap()) as usize;
    bad[7 + len] = b'!';
    assert_eq!(Format::sniff(&bad), None);
}
