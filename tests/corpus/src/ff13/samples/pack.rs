//! An archive with three small tables of the lighthouse, each of a different generation.

use crate::ff13::build::{build_archive, build_table};
use crate::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};

pub(super) fn archive() -> Vec<u8> {
    let members = [("r_bells.wdb", bells()), ("r_lamps.wdb", lamps()), ("r_tides.wdb", tides())];
    let members = members.map(|(name, table)| MemberSpec::new(name, build_table(&table).bytes)).to_vec();
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

/// Bell-ringing times: no names in the file, one word per field.
fn bells() -> TableSpec {
    let mut spec = TableSpec::new(Generation::G1, &["sSound", "fDelay", "iTone", "uFlags"]);
    for (n, name) in (0_i16..).zip(["bell_east", "bell_fog", "bell_noon", "bell_storm", "bell_west"]) {
        let sound = if n % 2 == 0 { "ring_slow" } else { "slow" };
        let delay = f32::from(n) * 1.5 + 0.25;
        let tone = i64::from(n) * 3 - 7;
        spec = spec.row(name, [sound.into(), delay.into(), CellSpec::Int(tone), CellSpec::Int(1 << n)]);
    }
    spec
}

/// Lamp brightness: the type lists of XIII-1 with the embedded names of XIII-2.
fn lamps() -> TableSpec {
    let fields = ["fHeight", "sKeeper", "u8Brightness", "u1IsLit", "i7Angle", "u16Hours"];
    let mut spec = TableSpec { sheet_name: Some(b"Lamps".to_vec()), ..TableSpec::new(Generation::G3Prime, &fields) };
    for (n, name) in (0_i16..).zip(["gate", "lantern", "pier", "quay", "stairs", "tower", "window"]) {
        let keeper = ["", "M\u{fc}ller", "\u{706f}\u{53f0}\u{5b88}"][usize::from(n.unsigned_abs()) % 3];
        let n = i64::from(n);
        let packed = [n * 36, i64::from(n != 3), n * 21 - 64, n * n * 900].map(CellSpec::Int);
        let [brightness, is_lit, angle, hours] = packed;
        let height = CellSpec::from(2.5_f32);
        spec = spec.row(&format!("lamp_{name}"), [height, keeper.into(), brightness, is_lit, angle, hours]);
    }
    spec
}

/// High-water times: packed numbers and a string array.
fn tides() -> TableSpec {
    let fields = ["iMinute", "u11Height", "s3Moon", "i9Change", "u1IsSpring", "u64Stamp"];
    let mut spec = TableSpec { sheet_name: Some(b"Tides".to_vec()), ..TableSpec::new(Generation::G3, &fields) };
    for n in 0..10_i64 {
        let moon = ["new", "waxing", "full", "waning", ""][usize::try_from(n).unwrap_or(0) % 5];
        let values = [
            CellSpec::Int(n * 373 - 60),
            CellSpec::Int(2000 - n * n * 19),
            moon.into(),
            CellSpec::Int((n % 2 * 2 - 1) * n * 25),
            CellSpec::Int(i64::from(n % 5 == 0)),
            CellSpec::Int(0x0000_0001_0000_0000 * n + 1890),
        ];
        spec = spec.row(&format!("tide_{n:02}"), values);
    }
    spec
}
