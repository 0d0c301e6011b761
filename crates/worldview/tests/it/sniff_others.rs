//! Files of other formats are not recognized.

use worldview::{Container, Format};
use worldview_corpus::rng::Rng;

/// Asserts that the bytes are neither a known format nor a container.
fn assert_unknown(bytes: &[u8], what: &str) {
    let start = bytes.get(..Format::SNIFF_LEN).unwrap_or(bytes);
    for bytes in [bytes, start] {
        assert_eq!((Format::sniff(bytes), Container::sniff(bytes)), (None, None), "{what}: {}", start.escape_ascii());
    }
}

fn fill(rng: &mut Rng, bytes: &mut [u8]) {
    for chunk in bytes.chunks_mut(8) {
        chunk.copy_from_slice(&rng.next_u64().to_le_bytes()[..chunk.len()]);
    }
}

#[test]
fn a_million_random_prefixes() {
    let mut rng = Rng::new(5);
    let mut bytes = [0; 64];
    for _ in 0..1_000_000 {
        fill(&mut rng, &mut bytes);
        let len = 1 + rng.below(64) as usize;
        assert_unknown(&bytes[..len], "random");
    }
}

#[test]
fn a_million_that_begin_with_a_small_number() {
    let mut rng = Rng::new(6);
    let mut bytes = [0; 64];
    for _ in 0..1_000_000 {
        fill(&mut rng, &mut bytes);
        // The first word of a WORLD.WDB, or the header size of a level, followed by junk.
        let first = if rng.one_in(4) { 1524 } else { 1 + rng.below(20) };
        bytes[..4].copy_from_slice(&first.to_le_bytes());
        // With enough junk after 1524, the rest decides. A shorter file would count as a truncated level.
        assert_unknown(&bytes[..24 + rng.below(41) as usize], "a small number");
    }
}

/// Returns the first bytes of files of other kinds, according to their specifications.
fn others() -> Vec<(&'static str, Vec<u8>)> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let mut tar = b"level.wwd".to_vec();
    tar.resize(100, 0);
    tar.extend(b"0000644\x000001000\x000001000\x0000000001524\x0014371233612\x00012345\x00 0");
    tar.resize(257, 0);
    tar.extend(b"ustar\x0000");
    let mut quake = words(&[29]);
    quake.extend((0..15).flat_map(|lump| words(&[124 + 1000 * lump, 1000])));
    let mut sqlite = b"SQLite format 3\0".to_vec();
    sqlite.extend([0x10, 0, 1, 1, 0, 64, 32, 32]);
    vec![
        ("PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x03\0\0\0".to_vec()),
        ("GIF", b"GIF89a\x40\x01\xc8\0\xf7\0\0".to_vec()),
        ("JPEG", b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01".to_vec()),
        ("BMP", b"BM\x36\x04\x01\0\0\0\0\0\x36\x04\0\0\x28\0\0\0".to_vec()),
        ("PCX", b"\x0a\x05\x01\x08\0\0\0\0\x3f\x01\xc7\0".to_vec()),
        ("TGA", b"\0\x01\x01\0\0\0\x01\x18\0\0\0\0\x40\0\x40\0\x08\0".to_vec()),
        ("ICO", b"\0\0\x01\0\x01\0\x20\x20\x10\0\x01\0\x04\0\xe8\x02\0\0\x16\0\0\0".to_vec()),
        ("DDS", [b"DDS ".to_vec(), words(&[124, 0x1007, 256, 256, 1024])].concat()),
        ("PID of Claw", words(&[10, 0, 64, 64, 0, 0, 0, 0])),
        ("ELF", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".to_vec()),
        ("PE", [b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0".to_vec(), vec![0; 44], words(&[0x80])].concat()),
        ("Java", b"\xca\xfe\xba\xbe\0\0\0\x34\0\x1d".to_vec()),
        ("WAV", b"RIFF\x24\x08\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0".to_vec()),
        ("AVI", b"RIFF\x24\x08\0\0AVI LIST\x10\0\0\0hdrl".to_vec()),
        ("RIFF of nothing", b"RIFF\0\0\0\0".to_vec()),
        ("RIFX of OMNI", b"RIFX\0\0\0\x10OMNI".to_vec()),
        ("MIDI", b"MThd\0\0\0\x06\0\x01\0\x10\0\x60MTrk".to_vec()),
        ("XMIDI", b"FORM\0\0\0\x0eXDIRINFO\0\0\0\x02\x01\0CAT ".to_vec()),
        ("Ogg", b"OggS\0\x02\0\0\0\0\0\0\0\0".to_vec()),
        ("Smacker", [b"SMK2".to_vec(), words(&[320, 240, 100])].concat()),
        ("zlib", b"\x78\x9c\xed\xdd\x7f\x70\x1c\xe5".to_vec()),
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03level.wwd\0".to_vec()),
        ("bzip2", b"BZh91AY&SY".to_vec()),
        ("xz", b"\xfd7zXZ\0\0\x04".to_vec()),
        ("zstd", b"\x28\xb5\x2f\xfd\x04\x58".to_vec()),
        ("tar", tar),
        ("PDF", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj".to_vec()),
        ("SQLite", sqlite),
        ("text", b"WPD, WWD and WORLD.WDB are three formats.\n".repeat(30)),
        ("text that begins like a magic", b"WPD is short for something.\n".to_vec()),
        ("script", b"#!/bin/sh\nexec worldview \"$@\"\n".to_vec()),
        ("XML", b"\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".to_vec()),
        ("UTF-16", b"\xff\xfeW\0P\0D\0\0\0".to_vec()),
        ("JSON", b"{\"worlds\": [{\"name\": \"ACT1\"}]}".to_vec()),
        ("glTF", [b"glTF".to_vec(), words(&[2, 1000, 900]), b"JSON{".to_vec()].concat()),
        ("Quake BSP", quake),
        ("Quake II BSP", [b"IBSP".to_vec(), words(&[38, 160, 2000])].concat()),
        ("Doom WAD", [b"IWAD".to_vec(), words(&[1264, 4_175_796])].concat()),
        ("Quake WAD", [b"WAD2".to_vec(), words(&[12, 5000])].concat()),
        ("Quake PAK", [b"PACK".to_vec(), words(&[100_000, 6400])].concat()),
        ("Quake MDL", [b"IDPO".to_vec(), words(&[6])].concat()),
        ("ZTR of XIII", b"\0\0\0\x01\0\0\0\x02\0\0\x01\0\0\0\0\x05".to_vec()),
        ("IMGB of XIII", vec![0xAA; 4096]),
        ("zeros", vec![0; 4096]),
        ("ones", vec![0xFF; 4096]),
        ("PK that is no ZIP", b"PK\x01\x02 and so on".to_vec()),
        ("Rar! of another time", b"Rar!\x1a\x08\0".to_vec()),
        ("WAVE in a RIFF that names OMNI later", b"RIFF\x24\x08\0\0WAVEOMNI".to_vec()),
    ]
}

#[test]
fn files_of_other_kinds() {
    let mut rng = Rng::new(7);
    for (what, start) in others() {
        assert_unknown(&start, what);
        for behind in 0..30 {
            let mut file = start.clone();
            file.resize(start.len() + 2000, 0);
            if behind > 0 {
                fill(&mut rng, &mut file[start.len()..]);
            }
            assert_unknown(&file, what);
        }
    }
}

/// Returns a directory that begins with a count, of records or of folders of records. A field of a record is a name
/// with its length in front (with or without a NUL), a NUL-terminated name, a name of fixed size, or a word.
fn directory(rng: &mut Rng, record: &[u32], folders: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let records = |rng: &mut Rng, out: &mut Vec<u8>| {
        let count = 1 + rng.below(20);
        out.extend(count.to_le_bytes());
        for field in (0..count).flat_map(|_| record) {
            let len = 1 + rng.below(20);
            let mut name: Vec<u8> = (0..len).map(|_| b"ABCDEFGhijklmn_.0123"[rng.below(20) as usize]).collect();
            match field {
                0 => out.extend([&len.to_le_bytes()[..], &name].concat()),
                1 | 2 => out.extend([&(len + 1).to_le_bytes()[..], &name, &[0]].concat()),
                3 => out.extend([&name[..], &[0]].concat()),
                4..=6 => {
                    name.resize([8, 32, 56][*field as usize - 4], 0);
                    out.extend(name);
                }
                // An offset or a size, a flag, a float, or anything.
                7 => out.extend(rng.below(1 << 18).to_le_bytes()),
                8 => out.extend(rng.below(3).to_le_bytes()),
                9 => out.extend((rng.range(-900, 900) as f32 / 8.0).to_le_bytes()),
                _ => out.extend(rng.below(u32::MAX).to_le_bytes()),
            }
        }
    };
    if folders {
        let count = 1 + rng.below(20);
        out.extend(count.to_le_bytes());
        for folder in 0..count {
            out.extend([&7_u32.to_le_bytes()[..], format!("DIR{folder:03}\0").as_bytes()].concat());
            records(rng, &mut out);
        }
    } else {
        records(rng, &mut out);
    }
    let start = out.len();
    out.resize(start + rng.below(600) as usize, 0);
    if rng.one_in(2) {
        fill(rng, &mut out[start..]);
    }
    out
}

#[test]
fn directories_of_other_formats() {
    let mut rng = Rng::new(8);
    for _ in 0..200_000 {
        let record: Vec<_> = (0..1 + rng.below(6)).map(|_| rng.below(11)).collect();
        let folders = rng.one_in(3);
        if folders && matches!(record[..], [1 | 2, 7 | 8 | 10, 7 | 8 | 10]) {
            // This is the exact layout of a WORLD.WDB without models.
            continue;
        }
        let file = directory(&mut rng, &record, folders);
        assert_unknown(&file, &format!("{record:?}, in folders: {folders}"));
    }
}
