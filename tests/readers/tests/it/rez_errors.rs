//! The error table of broken archives and pictures: the strict error, and what lossy parsing still opens.

use worldview_corpus::builder::Built;
use worldview_corpus::rez::build::build;
use worldview_corpus::rez::picture::{BmpSpec, PALETTE, PcxSpec, PidSpec, SKIP_RUNS};
use worldview_corpus::rez::spec::{ArchiveSpec, DirectorySpec};
use worldview_rez::{Picture, PictureKind, Rez};

use crate::errors::{self, Answers, Broken, at, put};

const MAX: u32 = u32::MAX;

/// An archive with two directories in each other, and files in all of them.
fn whole() -> Built {
    let mut root = DirectorySpec::default();
    root.add("ONE/TWO/B.PID", b"data of b".to_vec());
    root.add("ONE/C.WAV", b"data of c".to_vec()).keys = vec![1, 2];
    root.add("THREE/D", b"data of d".to_vec()).comment = b"a comment".to_vec();
    root.add("A.TXT", b"data of a".to_vec());
    build(&ArchiveSpec { root, ..ArchiveSpec::default() })
}

/// Returns all broken archives by name.
pub(crate) fn broken_archives() -> Vec<(String, Vec<u8>)> {
    let mut broken = Broken::new("", whole());
    broken.bytes("nothing", b"");
    broken.bytes("another signature", b"WPD\0");
    for len in [1, 63, 64, 126, 127, 131, 167] {
        broken.cut(&format!("to {len} bytes"), |_| len);
    }
    for byte in [0, 63, 126] {
        broken.change(&format!("byte {byte} of the signature"), |built| built.bytes[byte] ^= 0x20);
    }
    broken.words("header.format_version", &[0, 2, MAX]);
    broken.words("header.root_dir_pos", &[100_000, MAX, 0]);
    broken.words("header.root_dir_size", &[1, 15, 16, 17, 100, 10_000, MAX]);
    // What is a directory for a file is another entry.
    broken.words("entry[THREE]", &[0, 2]);
    for (label, behind, values) in [
        // Position and size of directories.
        ("entry[ONE]", 4, &[10_000, 600, MAX][..]),
        ("entry[ONE]", 8, &[1, 17, 40, 9000, MAX]),
        ("entry[ONE/TWO]", 4, &[10_001, MAX - 1]),
        ("entry[ONE/TWO]", 8, &[1, 20, 28, 29, 9001, MAX]),
        // Position and size of the data.
        ("entry[ONE/TWO/B.PID]", 4, &[20_000, MAX]),
        ("entry[ONE/TWO/B.PID]", 8, &[20_000, MAX]),
        ("entry[A.TXT]", 4, &[30_000, MAX - 2]),
        ("entry[A.TXT]", 8, &[800, 30_000]),
        // Number of keys.
        ("entry[ONE/C.WAV]", 24, &[3, 4, 0x4000_0000, MAX]),
        ("entry[A.TXT]", 24, &[1, 0x8000_0000]),
    ] {
        for &value in values {
            broken.behind(label, behind, value);
        }
    }
    broken.change("a directory that contains itself", |built| {
        let root = u32::try_from(at(built, "body[]")).unwrap();
        put(built, "entry[ONE]", 4, root);
    });
    broken.change("a directory that contains its parent", |built| {
        let one = u32::try_from(at(built, "body[ONE]")).unwrap();
        put(built, "entry[ONE/TWO]", 4, one);
    });
    broken.change("two entries of one directory", |built| {
        let two = u32::try_from(at(built, "body[ONE/TWO]")).unwrap();
        put(built, "entry[THREE]", 4, two);
        put(built, "entry[THREE]", 8, 38);
    });
    // The name of the last entry of a directory has no NUL before its end.
    for (name, label) in [("ONE/TWO/B.PID", "entry[ONE/TWO/B.PID]"), ("A.TXT", "entry[A.TXT]")] {
        broken.change(&format!("the name of {name} without a NUL"), |built| {
            let at = at(built, label) + 29;
            built.bytes[at..at + 2].fill(b'x');
        });
        broken.change(&format!("no comment after the name of {name}"), |built| {
            let at = at(built, label) + 30;
            built.bytes[at - 1..=at].copy_from_slice(b"x\0");
        });
    }
    broken.cut("in the name of the last entry", |built| built.bytes.len() - 3);
    broken.cut("in the root directory", |built| at(built, "entry[A.TXT]") + 10);
    broken.cut("in the first directory", |built| at(built, "body[ONE/TWO]") + 5);
    broken.cut("in the data", |built| at(built, "data[ONE/TWO/B.PID]") + 5);
    let mut root = DirectorySpec::default();
    root.add(&(vec!["D"; 33].join("/") + "/F.TXT"), b"deep".to_vec());
    broken.bytes("33 directories in each other", build(&ArchiveSpec { root, ..ArchiveSpec::default() }).bytes);
    broken.files
}

/// Returns all broken pictures by name.
pub(crate) fn broken_pictures() -> Vec<(String, PictureKind, Vec<u8>)> {
    let pid = PidSpec { flags: PALETTE, ..PidSpec::new(20, &(0..200).collect::<Vec<u8>>()) };
    let pcx =
        PcxSpec { width: 20, height: 10, planes: 1, pixels: (0..200).collect(), palette: [[1; 3]; 256], padding: 0 };
    let mut table: Vec<(String, PictureKind, Vec<u8>)> = Vec::new();
    let mut add = |name: String, kind: PictureKind, file: Vec<u8>| table.push((format!("{kind}: {name}"), kind, file));
    for kind in [PictureKind::Pid, PictureKind::Rid, PictureKind::Pcx, PictureKind::Bmp] {
        add("nothing".into(), kind, Vec::new());
    }
    let file = pid.build();
    for len in [31, 32, 100, 799] {
        add(format!("cut to {len} bytes"), PictureKind::Pid, file[..len].to_vec());
    }
    // Without room for the palette, its bytes are the last 768, and the pixels before them are too few.
    add("cut by 100 bytes".into(), PictureKind::Pid, file[..file.len() - 100].to_vec());
    for (side, value) in [(8, 0), (12, 0), (8, -1), (12, i32::MIN), (8, i32::MAX), (12, i32::MAX), (8, 1 << 26)] {
        let mut changed = file.clone();
        changed[side..side + 4].copy_from_slice(&value.to_le_bytes());
        let name = if side == 8 { "width" } else { "height" };
        add(format!("{name} = {value}"), PictureKind::Pid, changed);
    }
    let both = PidSpec { width: i32::MAX, height: i32::MAX, ..pid.clone() };
    add("both sides 2^31 - 1".into(), PictureKind::Pid, both.build_with(&[]));
    let skips = PidSpec { flags: SKIP_RUNS, ..pid.clone() };
    add("skips that end early".into(), PictureKind::Pid, skips.build_with(&[0xFF, 0xC7]));
    add("literals that end early".into(), PictureKind::Pid, skips.build_with(&[0xFF, 100, 1, 2]));
    add(
        "repeats that end early".into(),
        PictureKind::Pid,
        PidSpec { flags: 0, ..pid.clone() }.build_with(&[0xFF, 1, 0xFE]),
    );
    add("too few bytes for any picture".into(), PictureKind::Pid, skips.build_with(&[0xFF]));
    let raw = pid.build_rid();
    add("a pixel too few".into(), PictureKind::Rid, raw[..raw.len() - 1].to_vec());
    let file = pcx.build();
    for len in [127, 128, 895] {
        add(format!("cut to {len} bytes"), PictureKind::Pcx, file[..len].to_vec());
    }
    add("cut by 100 bytes".into(), PictureKind::Pcx, file[..file.len() - 100].to_vec());
    for (name, at, bytes) in [
        ("another first byte", 0, &[11][..]),
        ("encoding 0", 2, &[0]),
        ("4 bits", 3, &[4]),
        ("2 planes", 65, &[2]),
        ("4 planes", 65, &[4]),
        ("the last column before the first", 4, &[20]),
        ("the last row before the first", 6, &[10]),
        ("19 bytes per row", 66, &[19]),
        ("more columns than bytes per row", 8, &[100, 0]),
        ("65,536 columns and rows", 8, &[0xFF; 4]),
        ("65,535 bytes per row", 66, &[0xFF; 2]),
    ] {
        let mut changed = file.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        add(name.into(), PictureKind::Pcx, changed);
    }
    let mut huge = file;
    huge[8..12].copy_from_slice(&[0xFE, 0xFF, 0xFE, 0xFF]);
    huge[66..68].fill(0xFF);
    add("more pixels than a picture may have".into(), PictureKind::Pcx, huge);
    let file = BmpSpec { width: 19, height: 10, pixels: (0..190).collect(), colors: vec![[1; 3]; 9] }.build();
    for len in [53, 54, 89, file.len() - 1] {
        add(format!("cut to {len} bytes"), PictureKind::Bmp, file[..len].to_vec());
    }
    for (name, at, word) in [
        ("another signature", 0, 0x4142_u32),
        ("pixels past the end", 10, u32::MAX),
        ("the oldest header", 14, 12),
        ("a header of 2^31 bytes", 14, 1 << 31),
        ("no width", 18, 0),
        ("width = -1", 18, u32::MAX),
        ("no height", 22, 0),
        ("height = -2^31", 22, 1 << 31),
        ("2^31 - 1 columns", 18, i32::MAX.unsigned_abs()),
        ("2 color planes and 8 bits", 26, 8 << 16 | 2),
        ("24 bits", 26, 24 << 16 | 1),
        ("runs", 30, 1),
        ("257 colors", 46, 257),
    ] {
        let mut changed = file.clone();
        changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
        add(name.into(), PictureKind::Bmp, changed);
    }
    table
}

#[test]
fn errors_of_broken_files_match_the_golden_table() {
    let mut answers = Vec::new();
    for (name, file) in broken_archives() {
        let mut lossy = Vec::new();
        let opened = Rez::parse_lossy(&file[..], &mut |finding| lossy.push(finding.to_string())).map(|archive| {
            let bytes: usize = archive.files().map(|file| file.data().len()).sum();
            format!("opens {} files with {bytes} bytes", archive.files().count())
        });
        lossy.push(opened.unwrap_or_else(|error| error.to_string()));
        answers.push(Answers { name, strict: Rez::parse(&file[..]).err(), space: file.len() as u64, lossy });
    }
    for (name, kind, file) in broken_pictures() {
        let picture = Picture::parse(kind, &file[..]);
        let strict = picture.and_then(|picture| match &picture {
            Picture::Pid(pid) => pid.decode_into(&mut vec![0; pid.len()]),
            Picture::Pcx(pcx) => pcx.decode_into(&mut vec![0; pcx.len()]),
            Picture::Bmp(bmp) => bmp.decode_into(&mut vec![0; bmp.len()]),
            _ => Ok(()),
        });
        answers.push(Answers { name, strict: strict.err(), space: file.len() as u64, lossy: Vec::new() });
    }
    let expected = [
        // The header is the same.
        &["PID: nothing", "RID: nothing"][..],
        // Anything but 1 is a file.
        &["entry[THREE] = 0x0", "entry[THREE] = 0x2"],
        // The name begins at the same place, whether it is cut or has lost its NUL.
        &["entry[ONE/TWO] + 8 = 0x1c", "entry[ONE/TWO] + 8 = 0x1d", "the name of ONE/TWO/B.PID without a NUL"],
        &["header.root_dir_size = 0x10", "header.root_dir_size = 0x11"],
    ];
    errors::hold("rez_errors.txt", &answers, &expected);
}
