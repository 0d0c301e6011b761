//! The files of a tree: their contents and paths.

use crate::ff13::build::{build_archive, build_table};
use crate::ff13::generate::{Shape as TableShape, small_table, table_of_rows};
use crate::ff13::spec::{ArchiveSpec, MemberSpec};
use crate::island;
use crate::rng::Rng;
use crate::wwd::build::build;
use crate::wwd::generate::small;
use crate::wwd::spec::Packing;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Level,
    Table,
    Archive,
    Database,
    Foreign,
    Container,
}

impl Kind {
    /// Picks the kind of the file with this number: every 200th is a database; most others are
    /// tables.
    pub(super) fn nth(number: usize, rng: &mut Rng) -> Self {
        match rng.below(100) {
            _ if number % 200 == 3 => Self::Database,
            0..62 => Self::Table,
            62..82 => Self::Level,
            82..89 => Self::Archive,
            89..98 => Self::Foreign,
            _ => Self::Container,
        }
    }

    pub(super) fn bytes(self, rng: &mut Rng) -> Vec<u8> {
        match self {
            Self::Level => level_file(rng, None),
            Self::Table => table(rng),
            Self::Archive => archive(rng, None),
            Self::Database => {
                let size = usize::try_from(rng.range(40_000, 160_000)).unwrap_or(40_000);
                island::generate::database(rng.next_u64(), size)
            }
            Self::Foreign => foreign(rng),
            Self::Container => container(rng),
        }
    }

    /// Returns a path inside the tree. If the kind has several extensions, the first bytes decide.
    pub(super) fn path(self, rng: &mut Rng, bytes: &[u8]) -> String {
        let number = rng.below(1_000_000);
        let part = rng.below(12);
        match self {
            Self::Level => match rng.below(4) {
                0 => format!("claw/retail/LEVEL{number:06}.WWD"),
                1 => format!("claw/custom/{part:02}/La ch\u{e2}teau n\u{b0}{number}.wwd"),
                2 => format!("gruntz/AREA{part}/level {number}.wwd"),
                _ => format!("get medieval/dungeon{part}/d{number:06}.Wwd"),
            },
            Self::Table => match rng.below(4) {
                0 => format!("xiii/db/resident/t{number:06}.wdb"),
                1 => format!("xiii-2/db/{part}/r_{number:06}.WDB"),
                _ => format!("xiii/btscene/wdb/entry/{part:02}/btsc{number:06}.wdb"),
            },
            Self::Archive => {
                let extension = ["bin", "wpd", "xgr", "xfv", "wpk"][usize::try_from(part % 5).unwrap_or(0)];
                format!("xiii-2/pack/{part:02}/pack{number:06}.{extension}")
            }
            Self::Database => format!("lego/{number:06}/LEGO/data/WORLD.WDB"),
            Self::Foreign => {
                let extension = match bytes {
                    [0x89, ..] => "png",
                    [b'{', ..] => "json",
                    [b'W', ..] => "txt",
                    // Extensions used by the games' files and by unrelated programs.
                    _ => ["dat", "bin", "wav", "dds"][usize::try_from(part % 4).unwrap_or(0)],
                };
                format!(
                    "{}/{number:06}.{extension}",
                    ["xiii/misc", "claw/retail", "scans", "lego"][usize::try_from(part % 4).unwrap_or(0)]
                )
            }
            Self::Container if bytes.starts_with(b"RIFF") => format!("lego/{number:06}/SCRIPT{part}.SI"),
            Self::Container => format!("claw/setup/DATA{number:06}.CAB"),
        }
    }
}

/// Generates a small level of any game.
pub(super) fn level_file(rng: &mut Rng, packing: Option<Packing>) -> Vec<u8> {
    let mut level = small(rng);
    level.packing = packing.unwrap_or(level.packing);
    build(&level).bytes
}

/// Generates a table: two out of three are battle-scene tables, the others have any shape and
/// generation.
pub(super) fn table(rng: &mut Rng) -> Vec<u8> {
    let seed = rng.next_u64();
    let rows = usize::try_from(rng.range(6, 25)).unwrap_or(6);
    match rng.below(12) {
        0..8 => table_of_rows(seed, rows, 400, &TableShape::battle_scene()),
        8 => build_table(&small_table(seed)).bytes,
        9 => table_of_rows(seed, rows * 8, 100, &TableShape::flag()),
        10 => table_of_rows(seed, rows, 500, &TableShape::zone().embedded()),
        _ => table_of_rows(seed, rows, 500, &TableShape::monster()),
    }
}

/// Generates an archive of tables, raw bytes, and a nested archive of the same; `inner` replaces a
/// table in the nested one.
pub(super) fn archive(rng: &mut Rng, inner: Option<Vec<u8>>) -> Vec<u8> {
    let mut below: Vec<_> =
        (0..1 + rng.below(3)).map(|i| MemberSpec::new(format!("r_low{i}.wdb"), table(rng))).collect();
    if let Some(bytes) = inner {
        below.push(MemberSpec::new("r_last.wdb", bytes));
    }
    let below = build_archive(&ArchiveSpec { members: below, ..ArchiveSpec::default() }).bytes;
    let mut members = vec![MemberSpec::new("pack.bin", below)];
    for i in 0..1 + rng.below(4) {
        members.push(MemberSpec::new(format!("r_table{i}.wdb"), table(rng)));
    }
    for i in 0..rng.below(4) {
        let size = rng.below(600);
        let data = noise(rng, size);
        members.push(MemberSpec { extension: b"clb".to_vec(), ..MemberSpec::new(format!("script{i}"), data) });
    }
    let align = if rng.one_in(2) { 128 } else { 4 };
    build_archive(&ArchiveSpec { members, align, first_align: align, pad_end: true, ..ArchiveSpec::default() }).bytes
}

/// Generates bytes that match none of our signatures, because the first one is not a letter.
pub(super) fn noise(rng: &mut Rng, size: u32) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..size.div_ceil(8)).flat_map(|_| rng.next_u64().to_le_bytes()).collect();
    if let Some(first) = bytes.first_mut() {
        *first = 0xEE;
    }
    bytes
}

fn foreign(rng: &mut Rng) -> Vec<u8> {
    let size = rng.below(5000);
    match rng.below(4) {
        // An image with one gray pixel and valid checksums.
        0 => [
            b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55".as_slice(),
            b"\0\0\0\x0aIDAT\x78\x9c\x63\x68\0\0\0\x82\0\x81\x77\xcd\x72\xb6\0\0\0\0IEND\xae\x42\x60\x82",
        ]
        .concat(),
        1 => format!("{{\"name\": \"scan {size}\", \"worlds\": []}}\n").into_bytes(),
        2 => b"WPD and WWD are what this folder has most of.\n".repeat(usize::try_from(size / 100).unwrap_or(0) + 1),
        _ => noise(rng, size + 1),
    }
}

/// Generates the start of a container followed by noise.
fn container(rng: &mut Rng) -> Vec<u8> {
    let size = 500 + rng.below(3000);
    let mut bytes = if rng.one_in(2) {
        b"ISc(\x0c\x60\0\x01".to_vec()
    } else {
        [b"RIFF", &(size + 4).to_le_bytes()[..], b"OMNI"].concat()
    };
    bytes.extend(noise(rng, size));
    bytes
}
