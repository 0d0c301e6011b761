//! Recognizing files by their bytes alone.

use worldview::Format;
use worldview_corpus::island::{generate, naive, samples, spec};

#[test]
fn every_sample_is_known_whole_and_by_its_first_bytes() {
    for (name, file) in worldview_corpus::samples() {
        let expected = match name {
            // Only its name and its first bytes together are enough.
            name if name.ends_with(".tex") => {
                assert_eq!((Format::sniff(&file), Format::of_file(name, &file)), (None, Some(Format::Tex)));
                continue;
            }
            "world.wdb" => Format::Island,
            name if name.ends_with(".wwd") => Format::Wwd,
            name if name.ends_with(".rez") => Format::Rez,
            _ => Format::Wpd,
        };
        assert_eq!(Format::sniff(&file), Some(expected), "{name}");
        let start = file.get(..Format::SNIFF_LEN).unwrap_or(&file);
        assert_eq!(Format::sniff(start), Some(expected), "{name}");
    }
}

#[test]
fn archives_are_known_by_what_the_engine_checks() {
    // Two titles of 60 bytes, each between line ends, a 0x1A, and the version.
    let mut rez = b"\r\nRezMgr Version 1 Copyright (C) 1995 MONOLITH INC.".to_vec();
    rez.resize(62, b' ');
    rez.extend(b"\r\n");
    rez.resize(124, b' ');
    rez.extend(b"\r\n\x1a\x01\0\0\0");
    for len in [64, 100, 126, 127, 129, rez.len()] {
        assert_eq!(Format::sniff(&rez[..len]), Some(Format::Rez), "{len}");
    }
    assert_eq!(Format::sniff(&rez[..63]), None);
    for at in [0, 1, 63, 126, 127, 130] {
        let mut other = rez.clone();
        other[at] ^= 0x40;
        assert_eq!(Format::sniff(&other), None, "{at}");
    }
    // No reader checks the titles.
    rez[2..62].fill(b'x');
    assert_eq!(Format::sniff(&rez), Some(Format::Rez));
    for (name, format) in
        [("A.PID", Format::Pid), ("a.pcx", Format::Pcx), ("a.Rid", Format::Rid), ("GAME.VRZ", Format::Rez)]
    {
        assert_eq!(Format::of_file_name(name), Some(format));
    }
}

#[test]
fn documents_of_tex_are_no_textures() {
    let texture = b"\x01\0\0\0\x08\0\0\0wing.gif";
    assert_eq!(Format::of_file("WING.TEX", texture), Some(Format::Tex));
    assert_eq!(Format::of_file("wing.gif", texture), None);
    for text in
        [&b"\\documentclass{article}"[..], b"% a comment", b"", b"\0\0\0\0\x01\0\0\0x", b"\x01\0\0\0\x01\0\0\0\0"]
    {
        assert_eq!(Format::of_file("paper.tex", text), None, "{}", text.escape_ascii());
    }
    assert_eq!(Format::of_file_name("paper.tex"), Some(Format::Tex));
}

#[test]
fn each_format_has_its_own_name_and_extensions() {
    for (index, format) in Format::ALL.iter().enumerate() {
        assert!(Format::ALL[..index].iter().all(|other| other.name() != format.name()), "{format}");
    }
    // docs/command.md lists the kinds.
    let kinds: Vec<_> = Format::ALL.iter().map(|format| format.kind().name()).collect();
    assert_eq!(kinds, ["archive", "archive", "level", "database", "picture", "picture", "picture", "textures"]);
}

#[test]
fn generated_databases_are_known_whole_and_by_their_first_bytes() {
    let mut files: Vec<_> = (0..50).map(|seed| generate::database(seed, 100_000)).collect();
    files.push(samples().remove(0).1);
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

/// If one field of a header or one reference is odd, the file is still recognized, and its reader reports the fault.
#[test]
fn odd_files_are_known_all_the_same() {
    let levels = worldview_corpus::wwd::generate::edge_cases();
    for (name, level) in &levels {
        let file = worldview_corpus::wwd::build::build(level).bytes;
        let is_level = file.len() >= 4 && file[..4] == 1524_u32.to_le_bytes();
        let expected = is_level.then_some(Format::Wwd);
        assert_eq!(Format::sniff(&file), expected, "{name}");
    }
    let mut unknown = Vec::new();
    for (name, file) in generate::edge_cases() {
        match Format::sniff(&file) {
            Some(format) => assert_eq!(format, Format::Island, "{name}"),
            None if naive::directory(&file).is_ok() => unknown.push(name),
            None => {}
        }
    }
    // Exceptions: no worlds; names without a NUL, and longer than the game's buffer.
    assert_eq!(unknown, ["database without worlds", "names of the directory with and without NULs"]);
}

#[test]
fn a_level_cut_anywhere_is_a_level() {
    let (_, file) = worldview_corpus::wwd::samples().remove(0);
    for len in 4..file.len().min(3000) {
        assert_eq!(Format::sniff(&file[..len]), Some(Format::Wwd), "{len}");
    }
    for len in 0..4 {
        assert_eq!(Format::sniff(&file[..len]), None, "{len}");
    }
}

#[test]
fn a_database_is_known_from_its_first_reference_on() {
    let (_, file) = samples().remove(0);
    // A count, the world's name, two more counts, and a reference with a name and 16 or 53 more bytes.
    let known = (0..file.len().min(3000)).find(|&len| Format::sniff(&file[..len]).is_some()).unwrap();
    let directory = naive::directory(&file).unwrap();
    let world = &directory.worlds[0];
    let first = 4 + 4 + world.name.0.len() + 4 + 4 + world.parts[0].name.0.len() + 8;
    assert_eq!(known, first);
    for len in known..file.len().min(3000) {
        assert_eq!(Format::sniff(&file[..len]), Some(Format::Island), "{len}");
    }
}

#[test]
fn a_name_that_is_no_text_is_none_of_a_database() {
    let good = samples().remove(0).1;
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
