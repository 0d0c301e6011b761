//! Containers that must be unpacked first, by their signatures and by their names.

use worldview::{Container, Format, OpenError, Options};

const ALL: [Container; 16] = [
    Container::Cab,
    Container::Clb,
    Container::Disc,
    Container::EncryptedRez,
    Container::FileList,
    Container::Imgb,
    Container::InstallShield,
    Container::Ltar,
    Container::Rar,
    Container::Scd,
    Container::SevenZip,
    Container::Si,
    Container::Trb,
    Container::WhiteImg,
    Container::Zip,
    Container::Ztr,
];

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns the header of a filelist with this many files and chunks, and its first two entries.
fn file_list(files: u32, chunks: u32) -> Vec<u8> {
    let table = 12 + 8 * files;
    words(&[table, table + 12 * chunks, files, 0x0100_0800, 0, 0x0100_0900, 0x0020_0000])
}

fn iso() -> Vec<u8> {
    let mut iso = vec![0; 0x8000];
    iso.extend(b"\x01CD001\x01\0LEGO ISLAND");
    iso.resize(0x9000, 0);
    iso
}

/// Returns an encrypted filelist: a seed of sixteen bytes, a size in the other byte order, the tag, two zeros, junk.
fn encrypted() -> Vec<u8> {
    [vec![0xA7; 16], vec![0, 0, 0x40, 0], words(&[501_232_760, 0, 0]), vec![0xC3; 64]].concat()
}

#[test]
fn containers_are_known_by_their_first_bytes() {
    let raw_sector = [&[0][..], &[0xFF; 10], &[0, 0, 2, 0, 1]].concat();
    for (bytes, expected) in [
        (b"RIFF\x00\x10\x20\x00OMNIMxHd\x0c\0\0\0".to_vec(), Container::Si),
        (file_list(17_178, 200), Container::FileList),
        (file_list(1, 1), Container::FileList),
        (encrypted(), Container::FileList),
        (b"PK\x03\x04\x14\0\0\0\x08\0".to_vec(), Container::Zip),
        (b"PK\x05\x06\0\0\0\0".to_vec(), Container::Zip),
        (b"PK\x07\x08PK\x03\x04".to_vec(), Container::Zip),
        (b"Rar!\x1a\x07\0\xcf\x90\x73".to_vec(), Container::Rar),
        (b"Rar!\x1a\x07\x01\0\x33\x92".to_vec(), Container::Rar),
        (b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), Container::SevenZip),
        (b"MSCF\0\0\0\0\x10\x27\0\0".to_vec(), Container::Cab),
        (b"ISc(\x0c\x60\0\x01".to_vec(), Container::InstallShield),
        (b"LTAR\x03\0\0\0".to_vec(), Container::Ltar),
        (b"SEDBSSCF\0\0\0\x03".to_vec(), Container::Scd),
        (b"SEDBRES \0\0\x01\0".to_vec(), Container::Trb),
        (iso(), Container::Disc),
        (raw_sector, Container::Disc),
    ] {
        assert_eq!(Container::sniff(&bytes), Some(expected));
        assert_eq!(Format::sniff(&bytes), None, "{expected:?}");
        let start = bytes.get(..Container::SNIFF_LEN).unwrap_or(&bytes);
        assert_eq!(Container::sniff(start), Some(expected));
        if expected != Container::Disc {
            let start = bytes.get(..Format::SNIFF_LEN).unwrap_or(&bytes);
            assert_eq!(Container::sniff(start), Some(expected));
        }
    }
}

#[test]
fn what_lacks_a_part_of_its_signature_is_none() {
    let mut late = iso();
    late.insert(0, 0);
    let mut other = iso();
    other[0x8006] = 2;
    for (why, bytes) in [
        ("a sector that begins late", late),
        ("an ISO 9660 of another version", other),
        ("cut in CD001", iso()[..0x8006].to_vec()),
        ("no files", file_list(0, 1)),
        ("no chunks", file_list(9, 0)),
        ("more chunks than files", file_list(9, 10)),
        ("cut in the first file", file_list(9, 1)[..18].to_vec()),
        ("a first path that is not the first", words(&[84, 96, 9, 7, 1])),
        ("a table that is not whole", words(&[84, 97, 9, 7, 0])),
        ("chunks before the files end", words(&[83, 95, 9, 7, 0])),
        ("another tag", [&encrypted()[..20], &[0x79], &encrypted()[21..]].concat()),
    ] {
        assert_eq!(Container::sniff(&bytes), None, "{why}");
    }
}

#[test]
fn our_own_files_are_no_containers() {
    for (name, file) in worldview_corpus::samples() {
        assert_eq!(Container::sniff(&file), None, "{name}");
    }
}

#[test]
fn what_has_no_signature_is_known_by_its_name() {
    for (name, expected) in [
        ("white_imga.win32.bin", Some(Container::WhiteImg)),
        ("WHITE_IMGU.WIN32.BIN", Some(Container::WhiteImg)),
        ("white_scru.ps3.bin", Some(Container::WhiteImg)),
        ("filelista.win32.bin", Some(Container::FileList)),
        ("filelist_scrc.x360.bin", Some(Container::FileList)),
        ("t1.white.win32.bin", None),
        ("c000.win32.CLB", Some(Container::Clb)),
        ("c201.win32.imgb", Some(Container::Imgb)),
        ("txtres_us.ztr", Some(Container::Ztr)),
        (".ztr", None),
        ("white_imga.txt", None),
        ("white_", None),
        (".bin", None),
        ("bin", None),
        ("", None),
        ("wdbpack.bin", None),
        // The prefix ends in the middle of a character.
        ("whit\u{e9}_x.bin", None),
        ("white_x\u{1f3b2}", None),
    ] {
        assert_eq!(Container::of_file_name(name), expected, "{name}");
    }
}

#[test]
fn archives_with_the_extension_of_ours_are_recognized_by_their_bytes() {
    let options = Options::new();
    let noise: Vec<u8> = (0..100_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    let format = |bytes: &[u8]| options.format(bytes, "GAME.REZ");
    assert_eq!(format(b"LTAR\x03\0\0\0\x01\0\0\0"), Err(OpenError::Container(Container::Ltar)));
    assert_eq!(format(&noise), Err(OpenError::Container(Container::EncryptedRez)));
    // A damaged archive is one.
    let mut damaged = worldview_corpus::sample("harbour.rez");
    damaged[..20].fill(0xFF);
    assert_eq!(format(&damaged), Ok(Format::Rez));
    assert_eq!(format(b"short"), Ok(Format::Rez));
}

#[test]
fn each_says_in_one_sentence_what_to_unpack() {
    for container in ALL {
        let (name, advice) = (container.name(), container.advice());
        assert!(
            (advice.starts_with("is ") || advice.starts_with("has "))
                && !advice.ends_with('.')
                && !advice.contains("  "),
            "{advice}"
        );
        assert!(["unpack", "mount", "convert", "decrypt"].iter().any(|verb| advice.contains(verb)), "{advice}");
        assert_eq!(ALL.iter().filter(|other| other.name() == name || other.advice() == advice).count(), 1);
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{name}");
    }
}
