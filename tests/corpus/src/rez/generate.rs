//! Generators of archives and pictures: random small ones, large ones, and those that use what no known file does.

use super::build::build;
use super::picture::{self, BmpSpec, PcxSpec, PidSpec};
use super::spec::{ArchiveSpec, DirectorySpec, EntrySpec, FileSpec};
use crate::rng::Rng;

mod edge;

pub use edge::{edge_cases, edge_pictures};

/// Generates a small archive: random directories with empty and repeated names, dots, comments, keys and pictures.
pub fn small(seed: u64) -> ArchiveSpec {
    let mut rng = Rng::new(seed);
    let mut left = 40;
    let mut spec = ArchiveSpec {
        user_title: b"generated".to_vec(),
        time: 0x33CA_6851,
        root_dir_time: rng.below(0x0050_0000),
        root: directory(&mut rng, 0, &mut left),
        holes: !rng.one_in(4),
        gap: if rng.one_in(5) { 3 } else { 0 },
        trailing: vec![0x5A; if rng.one_in(6) { 7 } else { 0 }],
    };
    if rng.one_in(12) {
        spec.root.entries.clear();
    }
    spec
}

/// Generates an archive with about as many directories and files as the one of Gruntz for `files` = 21,303; the files
/// have a few bytes each.
pub fn large(seed: u64, files: u32) -> ArchiveSpec {
    let mut rng = Rng::new(seed);
    let mut root = DirectorySpec::default();
    for index in 0..files {
        let set = index / 10;
        let path = format!("AREA{}/IMAGEZ/SET{set:05}/FRAME{:03}.PID", set % 8 + 1, index % 10 + 1);
        let mut data = vec![0; 8];
        data.copy_from_slice(&rng.next_u64().to_le_bytes());
        root.add(&path, data).time = 0x366B_0000 + index;
    }
    ArchiveSpec { root, ..ArchiveSpec::default() }
}

fn directory(rng: &mut Rng, depth: u32, left: &mut u32) -> DirectorySpec {
    let mut out = DirectorySpec { name: name(rng, depth > 0), time: rng.below(0x7000_0000), entries: Vec::new() };
    for _ in 0..rng.below(if depth == 0 { 9 } else { 6 }) {
        if *left == 0 {
            break;
        }
        *left -= 1;
        // Usually directories come before files, but no reader relies on that.
        out.entries.push(if depth < 7 && rng.one_in(3) {
            EntrySpec::Directory(directory(rng, depth + 1, left))
        } else {
            EntrySpec::File(file(rng))
        });
    }
    out
}

fn name(rng: &mut Rng, has_one: bool) -> Vec<u8> {
    const NAMES: &[&[u8]] = &[
        b"IMAGES",
        b"images",
        b"FRAME001",
        b"FRAME001.OLD",
        b"A",
        b"ARROWSIGN_RIGHT",
        b"1",
        b"007",
        b".",
        b"..",
        b"A..B",
        b"WITH BLANK",
        b"M\xDCLL",
        b"\xFF\x80",
        b"CON",
        b"A/B",
    ];
    if !has_one || rng.one_in(30) {
        return Vec::new();
    }
    rng.pick(NAMES).copied().unwrap_or_default().to_vec()
}

fn file(rng: &mut Rng) -> FileSpec {
    let kind = rng.below(8);
    let (extension, data): (&[u8], Vec<u8>) = match kind {
        0 | 1 => (b"PID", pid(rng).build()),
        2 => (b"PCX", pcx(rng).build()),
        3 => (b"RID", pid(rng).build_rid()),
        4 => (b"PAL", vec![rng.below(256).to_le_bytes()[0]; if rng.one_in(2) { 768 } else { 5 }]),
        5 => (b"", b"no extension".to_vec()),
        6 => (b"BANK", vec![1; 9]),
        _ => (b"Z", Vec::new()),
    };
    FileSpec {
        name: name(rng, true),
        extension: extension.to_vec(),
        id: rng.below(u32::MAX),
        time: rng.below(u32::MAX),
        comment: if rng.one_in(5) { b"a comment".to_vec() } else { Vec::new() },
        keys: (0..if rng.one_in(5) { rng.below(4) } else { 0 }).collect(),
        data,
    }
}

/// Generates a picture with random runs and flags.
pub fn pid(rng: &mut Rng) -> PidSpec {
    let (width, height) = (rng.range(1, 90), rng.range(1, 40));
    let pixels = runs(rng, width * height, (1, 150), 256, (3, 20));
    let mut palette = [[0; 3]; 256];
    for color in &mut palette {
        let [red, green, blue, _] = rng.below(u32::MAX).to_le_bytes();
        *color = if rng.one_in(9) { [0xFF, 0x00, 0x84] } else { [red, green, blue] };
    }
    let mut flags = 0;
    for flag in [picture::TRANSPARENT, picture::SKIP_RUNS, picture::PALETTE, picture::KEY, 2, 4, 0x40] {
        flags |= if rng.one_in(2) { flag } else { 0 };
    }
    let key = if rng.one_in(3) { rng.below(u32::MAX) } else { 0 };
    let trailing = if rng.one_in(4) { vec![12; usize::try_from(rng.range(1, 4)).unwrap_or(1)] } else { Vec::new() };
    let offset = (rng.range(-200, 200), rng.range(-200, 200));
    PidSpec { id: 10, flags, width, height, offset, key, user_2: 0, pixels, palette, trailing }
}

/// Returns runs of pixels of the first `colors`: skipped ones, some of one color, and one of some `kinds` of runs fewer than
/// `literals` others.
fn runs(
    rng: &mut Rng,
    count: i32,
    (least, most): (i32, i32),
    colors: u32,
    (kinds, literals): (u32, i32),
) -> Vec<Option<u8>> {
    let mut pixels = Vec::new();
    let count = usize::try_from(count).unwrap_or(0);
    while pixels.len() < count {
        let length = rng.range(least, most);
        let [color, ..] = rng.below(colors).to_le_bytes();
        match rng.below(kinds) {
            0 => pixels.extend((0..length).map(|_| None)),
            1 => pixels.extend((0..length).map(|_| Some(color))),
            _ => pixels.extend((0..length % literals).map(|_| Some(rng.below(colors).to_le_bytes()[0]))),
        }
    }
    pixels.truncate(count);
    pixels
}

/// Generates a PCX picture with one or three color planes.
pub fn pcx(rng: &mut Rng) -> PcxSpec {
    let PidSpec { width, height, pixels, palette, .. } = pid(rng);
    let planes = if rng.one_in(2) { 3 } else { 1 };
    let bytes: Vec<_> = pixels.iter().map(|pixel| pixel.unwrap_or(0xC7)).collect();
    let side = |side: i32| u16::try_from(side).unwrap_or(1);
    let repeated = bytes.iter().cycle().take(bytes.len() * usize::from(planes)).copied().collect();
    let padding = if rng.one_in(3) { 5 } else { 0 };
    PcxSpec { width: side(width), height: side(height), planes, pixels: repeated, palette, padding }
}

/// Generates a BMP picture, with rows from the top or from the bottom.
pub fn bmp(rng: &mut Rng) -> BmpSpec {
    let PidSpec { width, height, pixels, palette, .. } = pid(rng);
    let pixels = pixels.iter().map(|pixel| pixel.unwrap_or(0xC7)).collect();
    let count = if rng.one_in(2) { 256 } else { usize::try_from(rng.range(1, 200)).unwrap_or(1) };
    let height = if rng.one_in(2) { -height } else { height };
    BmpSpec { width, height, pixels, colors: palette.iter().take(count).copied().collect() }
}

/// Generates a picture of the size of a large screen, with the runs of painted ones.
pub fn large_pid(seed: u64, flags: u32, width: i32, height: i32) -> Vec<u8> {
    let pixels = runs(&mut Rng::new(seed), width * height, (2, 40), 0xC0, (4, 40));
    let spec = PidSpec::new(1, &[0]);
    PidSpec { flags, width, height, pixels, ..spec }.build()
}

/// Generates the bytes of a small archive.
pub fn archive(seed: u64) -> Vec<u8> {
    build(&small(seed)).bytes
}
