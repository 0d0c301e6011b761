//! Creatures that live around the three places: a table in the style of XIII-2, with embedded field names and string
//! arrays.

use crate::ff13::build::build_table;
use crate::ff13::spec::{CellSpec, Generation, PoolSpec, TableSpec};

const FIELDS: [&str; 22] = [
    "sNameJa",
    "sNameDe",
    "sHabitat",
    "sLeafId",
    "fScale",
    "fYaw",
    "fOffsetY",
    "uNightFlags",
    "iFirstSeen",
    "u7Race",
    "u9SortId",
    "s5Food0",
    "s5Food1",
    "s3Fear",
    "u1IsKing",
    "u2Size",
    "u20Life",
    "i12Temper",
    "f16Speed",
    "i5Cold",
    "u10Sightings",
    "i1Shy",
];

/// Record name, Japanese name, German name, habitat, and food.
const BEASTS: [(&str, &str, &str, &str, [&str; 2]); 20] = [
    ("bell_jelly", "鐘クラゲ", "Glockenqualle", "harbour_deep", ["light", ""]),
    ("brine_goose", "塩ガチョウ", "Salzgans", "harbour_wall", ["grass", "crumbs"]),
    ("candle_moth", "ろうそく蛾", "Kerzenmotte", "cellar_shelf", ["wax", "wool"]),
    ("cellar_toad", "地下の蛙", "Kellerkröte", "cellar_well", ["flies", "moths"]),
    ("chalk_snail", "白墨のかたつむり", "Kreideschnecke", "garden_wall", ["moss", "chalk"]),
    ("coal_mouse", "石炭ねずみ", "Kohlenmaus", "cellar_shelf", ["crumbs", "wax"]),
    ("fog_fox", "霧狐", "Nebelfuchs", "garden_hedge", ["mice", "berries"]),
    ("glass_eel", "硝子うなぎ", "Glasaal", "harbour_deep", ["shrimp", ""]),
    ("hedge_owl", "生垣ふくろう", "Heckenkauz", "garden_hedge", ["mice", "moths"]),
    ("ink_heron", "墨のサギ", "Tintenreiher", "harbour_wall", ["fish", "shrimp"]),
    ("iron_beetle", "鉄の甲虫", "Eisenkäfer", "cellar_well", ["rust", ""]),
    ("lamp_crab", "提灯蟹", "Laternenkrabbe", "harbour_wall", ["lamp oil", "wicks"]),
    ("moss_boar", "苔猪", "Moosschwein", "garden_hedge", ["moss", "roots"]),
    ("pear_wasp", "梨の蜂", "Birnenwespe", "garden_wall", ["pears", ""]),
    ("rope_worm", "縄の虫", "Tauwurm", "harbour_deep", ["rope", "tar"]),
    ("rust_rat", "錆ねずみ", "Rostratte", "cellar_well", ["crumbs", "rust"]),
    ("sail_bat", "帆こうもり", "Segelfledermaus", "harbour_wall", ["flies", "moths"]),
    ("stone_hen", "石のめんどり", "Steinhuhn", "garden_wall", ["grain", "gravel"]),
    ("tide_hare", "潮うさぎ", "Gezeitenhase", "harbour_wall", ["grass", "salt"]),
    ("well_newt", "井戸のいもり", "Brunnenmolch", "cellar_well", ["flies", ""]),
];

/// Rank, record suffix, Japanese prefix and German suffix for the king, adult and young of each kind.
///
/// Kings come first in the sheet, so that the other names can be tails of theirs.
const AGES: [(i64, &str, &str, &str); 3] = [(2, "_c", "大王", "-König"), (1, "_b", "", ""), (0, "_a", "子", " (jung)")];

const FEARS: [&str; 5] = ["", "light", "bells", "salt", "brooms"];

pub(super) fn table() -> Vec<u8> {
    let spec = TableSpec::new(Generation::G3, &FIELDS);
    let mut spec = TableSpec {
        sheet_name: Some(b"Bestiary".to_vec()),
        version: Some(0x5EA5_0007),
        pool: PoolSpec { leading_nul: true, ..spec.pool.clone() },
        ..spec
    };
    for (n, (id, japanese, german, habitat, food)) in (0_i64..).zip(BEASTS) {
        for (age, letter, before, behind) in AGES {
            let number = CellSpec::Int;
            let text = |text: String| CellSpec::Text(text.into_bytes());
            let steps = |value: i64, step: f32| CellSpec::from(f32::from(i16::try_from(value).unwrap_or(0)) * step);
            let is_king = age == 2;
            let values = [
                text(format!("{before}{japanese}")),
                text(format!("{german}{behind}")),
                text(habitat.into()),
                text(if is_king { format!("$leaf_{id}") } else { String::new() }),
                steps(4 + 2 * age + n % 3, 0.125),
                steps(n * 36 - 180, 0.5),
                steps(-(n % 5), 0.25),
                number(1 << (n % 8) | age << 28),
                number(if age == 0 { -1 } else { 1890 + n * 3 }),
                number(n * 5),
                number(n * 3 + age),
                text(food[0].into()),
                text(food[1].into()),
                text(FEARS[usize::try_from(n * 2 + age).unwrap_or(0) % FEARS.len()].into()),
                number(is_king.into()),
                number(age + n % 2),
                number((n * n * 40 + 25) * (age * age * 9 + 1)),
                number((n * 197) % 2000 - 1000 - age * 20),
                number(160 * (3 - age) - n * 4),
                number(n % 9 - 6 + age),
                number(1000 >> (age * 3) | n),
                number(-i64::from(n % 3 == 0)),
            ];
            spec = spec.row(&format!("{id}{letter}"), values);
        }
    }
    build_table(&spec).bytes
}
