//! Archives and pictures that use what no known file does.

use crate::rez::build::build;
use crate::rez::picture::{BmpSpec, KEY, PALETTE, PcxSpec, PidSpec, SKIP_RUNS, TRANSPARENT};
use crate::rez::spec::{ArchiveSpec, DirectorySpec, EntrySpec, FileSpec};

/// Returns archives that are read without an error, each with what is special about it.
pub fn edge_cases() -> Vec<(&'static str, Vec<u8>)> {
    let archive = |root: DirectorySpec| ArchiveSpec { root, ..ArchiveSpec::default() };
    let of = |paths: &[&str]| {
        let mut root = DirectorySpec::default();
        for (index, path) in (1..).zip(paths) {
            root.add(path, vec![b'x'; index]);
        }
        root
    };
    let with = |change: &dyn Fn(&mut FileSpec)| {
        let mut root = of(&["A.TXT", "DIR/B.TXT"]);
        change(root.add("C.TXT", b"text".to_vec()));
        archive(root)
    };
    let twice = |name: &str| {
        let child = of(&[name]);
        EntrySpec::Directory(DirectorySpec { name: b"DIR".to_vec(), ..child })
    };
    let deep = |levels: usize| vec!["D"; levels].join("/") + "/F.TXT";
    let specs = vec![
        ("empty", archive(DirectorySpec::default())),
        ("empty directories", archive(of_empty(&["A", "B", "B/C"]))),
        ("a file in each of 32 directories", archive(of(&[&deep(32)]))),
        ("the same file name twice", archive(of(&["A.TXT", "A.TXT", "a.txt", "A.TX"]))),
        (
            "the same directory name twice",
            archive(DirectorySpec { entries: vec![twice("A.TXT"), twice("B.TXT")], ..DirectorySpec::default() }),
        ),
        ("dots", archive(of(&["A.B.TXT", "A.B", "A.", "A"]))),
        ("extensions of all lengths", archive(of(&["A", "A.B", "A.BC", "A.BCD", "A.BCDE"]))),
        ("unsafe names", archive(of(&["C:D.TXT", "../A.TXT", "A\\B.TXT", "A\u{1}.TXT"]))),
        ("lower case", archive(of(&["level1/tiles/action/001.pid"]))),
        ("a nameless file and directory", archive(of(&["A/.TXT", "B.TXT"]))),
        ("a comment", with(&|file| file.comment = b"a comment".to_vec())),
        ("keys", with(&|file| file.keys = vec![1, 2, 0xFFFF_FFFF])),
        ("gaps", ArchiveSpec { gap: 5, ..with(&|_| {}) }),
        ("no holes", ArchiveSpec { holes: false, ..with(&|_| {}) }),
        ("bytes after the root", ArchiveSpec { trailing: vec![7; 20], ..with(&|_| {}) }),
    ];
    let patched = |label: &str, value: u32| {
        let mut built = build(&with(&|_| {}));
        built.words_le(&[(label, value)]);
        built.bytes
    };
    let file = build(&with(&|_| {}));
    let at = |label: &str| file.at(label).unwrap_or(0);
    let patch = |offset: usize, bytes: &[u8]| {
        let mut file = file.bytes.clone();
        file[offset..offset + bytes.len()].copy_from_slice(bytes);
        file
    };
    let first = u32::try_from(at("data[A.TXT]")).unwrap_or(0);
    let patched_ones = [
        ("a kind that is not 0", patch(at("entry[A.TXT]"), &7_u32.to_le_bytes())),
        ("an empty file at any offset", patch(at("entry[A.TXT]") + 4, &[0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0])),
        ("files that share bytes", patch(at("entry[C.TXT]") + 4, &first.to_le_bytes())),
        ("a directory at 0", patch(at("entry[DIR]") + 4, &[0; 4])),
        ("an extension with a tail", patch(at("entry[A.TXT]") + 20, b"T\0TX")),
        ("the end of the data elsewhere", patched("header.next_write_pos", 168)),
        ("the longest names shorter", patched("header.largest_rez_name", 1)),
        ("the longest directory name shorter", patched("header.largest_dir_name", 1)),
        ("reserved words", patched("header.largest_key_ary", 9)),
        ("a name that is not ASCII", build(&archive(of(&["M\u{dc}LL.TXT"]))).bytes),
    ];
    specs.into_iter().map(|(name, spec)| (name, build(&spec).bytes)).chain(patched_ones).collect()
}

fn of_empty(paths: &[&str]) -> DirectorySpec {
    let mut root = DirectorySpec::default();
    for path in paths {
        let mut at = &mut root;
        for name in path.split('/') {
            at = at.child(name);
        }
    }
    root
}

/// Returns pictures with their extension and what is special about them. All can be opened, but not all have all pixels.
pub fn edge_pictures() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let rows = PidSpec::new(8, &[5; 24]);
    let flags = |flags: u32| PidSpec { flags, ..rows.clone() };
    let literals = |count: usize| [vec![0x80], vec![9; count]].concat();
    let wide = PidSpec { width: 128, height: 1, ..flags(SKIP_RUNS) };
    let mut key = PidSpec { flags: SKIP_RUNS | KEY, key: 0x0102_0307, ..PidSpec::new(4, &[1; 8]) };
    key.pixels[2] = None;
    let mut colors = PidSpec { flags: TRANSPARENT | PALETTE, ..PidSpec::new(4, &[0, 8, 9, 8]) };
    colors.palette[8] = [0xFF, 0x00, 0x84];
    let pcx = |planes| PcxSpec {
        width: 5,
        height: 2,
        planes,
        pixels: (0..10 * planes).collect(),
        palette: [[1, 2, 3]; 256],
        padding: 1,
    };
    let mut marked = pcx(1).build();
    let mark = marked.len() - 769;
    marked[mark] = 0;
    vec![
        ("PID", "repeats", rows.build()),
        ("PID", "a run over the ends of rows", rows.build_with(&[0xD8, 5])),
        (
            "PID",
            "literal runs over the ends of rows",
            flags(SKIP_RUNS).build_with(&[&[20], &[5; 20][..], &[0x84]].concat()),
        ),
        (
            "PID",
            "a picture of Claw with a color key",
            PidSpec { flags: TRANSPARENT, ..PidSpec::new(4, &[0, 1, 2, 0]) }.build(),
        ),
        ("PID", "a picture of Gruntz with a color key", colors.build()),
        ("PID", "the mark of PCX palettes before the palette", PidSpec { trailing: vec![12], ..colors }.build()),
        ("PID", "a key for skipped pixels", key.build()),
        ("PID", "a key that is not valid", PidSpec { flags: SKIP_RUNS, ..key }.build()),
        ("PID", "a run of no pixels", rows.build_with(&[0xC0, 9, 0xD8, 5])),
        ("PID", "a literal as editors write it", rows.build_with(&[0xC0, 0xD7, 5])),
        ("PID", "a skip of no pixels", wide.build_with(&[0x80, 0xFF, 0x81])),
        ("PID", "128 literals as editors write them", wide.build_with(&literals(128))),
        ("PID", "truncated literals", wide.build_with(&literals(50))),
        ("PID", "a truncated stream", rows.build_with(&[0xC5, 5])),
        ("PID", "a run without its index", rows.build_with(&[0xC5, 5, 0xC9])),
        ("PID", "a run that exceeds the picture", rows.build_with(&[0xFF, 5])),
        ("PID", "a skip that exceeds the picture", flags(SKIP_RUNS).build_with(&[0xA8])),
        ("PID", "bytes after the last pixel", rows.build_with(&[0xD8, 5, 1, 2, 3])),
        ("PID", "unknown flags", flags(0x8000_0000).build()),
        ("PID", "a reserved word", PidSpec { user_2: 5, ..rows.clone() }.build()),
        ("PID", "an uneven width", PidSpec::new(3, &[1; 6]).build()),
        ("RID", "raw", flags(TRANSPARENT).build_rid()),
        ("PCX", "one plane", pcx(1).build()),
        ("PCX", "three planes", pcx(3).build()),
        ("PCX", "another mark before the palette", marked),
        (
            "BMP",
            "indices outside the palette",
            BmpSpec { width: 3, height: 1, pixels: vec![1, 2, 255], colors: vec![[1, 2, 3], [4, 5, 6]] }.build(),
        ),
    ]
}
