//! The goods of the harbor's chandler: a table in the style of XIII-1, whose field names come from a schema.

use crate::ff13::build::build_table;
use crate::ff13::spec::{CellSpec, Generation, TableSpec};

/// The field names for this version of the sheet `Item`.
const FIELDS: [&str; 21] = [
    "sItemNameStringId",
    "sHelpStringId",
    "sScriptId",
    "uPurchasePrice",
    "uSellPrice",
    "u8MenuIcon",
    "u8ItemCategory",
    "i16ScriptArg0",
    "i16ScriptArg1",
    "u1IsUseBattleMenu",
    "u1IsUseMenu",
    "u1IsDisposable",
    "u1IsSellable",
    "u5Rank",
    "u6Genre",
    "u1IsIgnoreGenre",
    "u16SortAllByKCategory",
    "u16SortCategoryByCategory",
    "u16Experience",
    "i8Mulitplier",
    "u1IsUseItemChange",
];

/// Kinds of goods: name prefix, script, and whether they can be used.
const KINDS: [(&str, &str, bool); 5] = [
    ("food", "eat_one", true),
    ("tool", "", false),
    ("oil", "fill_lamp", true),
    ("rope", "", false),
    ("keep", "remember", true),
];

/// Name, index of the kind, price, script argument, experience.
const GOODS: [(&str, usize, u32, i32, i32); 40] = [
    ("anchor_pin", 1, 140, 0, 12),
    ("apple_dried", 0, 6, 15, 0),
    ("barnacle_knife", 1, 85, 0, 8),
    ("bell_cord", 3, 30, 0, 2),
    ("biscuit_hard", 0, 4, 10, 0),
    ("blue_marble", 4, 0, -1, 100),
    ("bread_rye", 0, 8, 25, 0),
    ("brush_tar", 1, 22, 0, 3),
    ("candle_stub", 2, 3, 5, 0),
    ("chart_torn", 4, 0, -4, 250),
    ("cheese_wheel", 0, 60, 180, 0),
    ("compass_cracked", 4, 15, -2, 40),
    ("eel_smoked", 0, 18, 55, 0),
    ("fender_cork", 3, 26, 0, 1),
    ("fish_oil", 2, 12, 40, 0),
    ("glass_float", 4, 35, -3, 20),
    ("hook_boat", 1, 48, 0, 5),
    ("hook_fine", 1, 9, 0, 1),
    ("key_of_cellar", 4, 0, -9, 500),
    ("lamp_oil", 2, 20, 90, 0),
    ("lamp_oil_fine", 2, 75, 240, 0),
    ("lens_spare", 1, 900, 0, 80),
    ("line_hemp", 3, 14, 0, 1),
    ("line_silk", 3, 210, 0, 15),
    ("mallet", 1, 33, 0, 3),
    ("mussels_pot", 0, 25, 70, 0),
    ("net_landing", 3, 64, 0, 6),
    ("onion", 0, 2, 4, 0),
    ("pear_pickled", 0, 16, 45, 0),
    ("postcard_old", 4, 1, -5, 30),
    ("rope_long", 3, 55, 0, 4),
    ("rope_short", 3, 21, 0, 2),
    ("sail_needle", 1, 7, 0, 1),
    ("salt_box", 0, 11, 3, 0),
    ("seal_oil", 2, 44, 130, 0),
    ("shell_white", 4, 5, -6, 10),
    ("spyglass", 1, 1200, 0, 90),
    ("tea_black", 0, 13, 30, 0),
    ("wick_cotton", 2, 5, 12, 0),
    ("wick_woven", 2, 9, 25, 0),
];

pub(super) fn table() -> Vec<u8> {
    let mut spec = TableSpec { version: Some(0x85E6_2C73), ..TableSpec::new(Generation::G2, &FIELDS) };
    let mut of_kind = [0_i64; KINDS.len()];
    for (i, &(name, kind, price, argument, experience)) in (0_i64..).zip(&GOODS) {
        let (kind_name, script, is_used) = KINDS[kind];
        of_kind[kind] += 1;
        let kind_number = i64::try_from(kind).unwrap_or(0);
        let is_precious = price == 0;
        let number = CellSpec::Int;
        let flag = |flag: bool| CellSpec::Int(flag.into());
        // Goods that cannot be used have neither help text nor script, since real tables contain many empty strings.
        let help = if is_precious || !is_used { String::new() } else { format!("$help_{kind_name}_{i:02}") };
        let values = [
            CellSpec::Text(format!("$name_{name}").into_bytes()),
            CellSpec::Text(help.into_bytes()),
            CellSpec::from(script),
            number(price.into()),
            number((price / 3).into()),
            number(10 + kind_number),
            number(kind_number),
            number(argument.into()),
            number(if is_used { -1 } else { 0 }),
            flag(kind == 0),
            flag(is_used),
            flag(!is_precious),
            flag(!is_precious),
            number(i64::from(price.checked_ilog2().unwrap_or(31))),
            number(of_kind[kind] * 5 % 64),
            flag(is_precious),
            number(i * 10),
            number(of_kind[kind]),
            number(experience.into()),
            number(if kind == 4 { -1 } else { 2 }),
            flag(name.contains("rope") || name.contains("oil")),
        ];
        spec = spec.row(name, values);
    }
    build_table(&spec).bytes
}
