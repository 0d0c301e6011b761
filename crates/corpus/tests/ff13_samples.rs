//! The samples of tables and archives: small, read by the naive reader to the last cell, and with something of everything.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeSet;

use worldview_corpus::ff13::naive::{NaiveNames, NaiveTable, NaiveValue, archive, table};
use worldview_corpus::ff13::samples::samples;
use worldview_corpus::ff13::spec::Generation;

/// The public sheet `Item` of XIII-1.
const ITEM: [&str; 21] = [
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

fn sample(name: &str) -> Vec<u8> {
    samples().into_iter().find(|(sample, _)| *sample == name).unwrap().1
}

fn texts(table: &NaiveTable) -> Vec<&[u8]> {
    let mut texts = Vec::new();
    for value in table.rows.iter().flat_map(|row| &row.values) {
        if let NaiveValue::Text(text) = value {
            texts.push(text.as_deref().unwrap());
        }
    }
    texts
}

fn is_sound(table: &NaiveTable) {
    assert!(table.rows.is_sorted_by(|a, b| a.name < b.name), "records are sorted, and no name is there twice");
    assert!(table.rows.iter().all(|row| row.name.len() < 16));
    assert!(texts(table).iter().all(|text| std::str::from_utf8(text).is_ok()));
}

#[test]
fn names_and_sizes() {
    let samples = samples();
    let names: Vec<_> = samples.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["items.wdb", "bestiary.wdb", "wdbpack.bin", "effects.bin"]);
    assert!(samples.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 40_000);
    assert_eq!(worldview_corpus::samples().len(), 8);
}

#[test]
fn items() {
    let items = table(&sample("items.wdb"), Some(&ITEM)).unwrap();
    is_sound(&items);
    assert_eq!((items.generation, items.names, items.version), (Generation::G2, NaiveNames::Schema, Some(0x85E6_2C73)));
    // Nine words, as the layout of that version has.
    assert_eq!((items.word_types.len(), items.fields.len(), items.rows.len()), (9, 21, 40));
    let texts = texts(&items);
    let empty = texts.iter().filter(|text| text.is_empty()).count();
    assert!(empty * 4 > texts.len() && empty * 2 < texts.len(), "{empty} of {}", texts.len());
    let oil = items.rows.iter().find(|row| row.name == b"lamp_oil").unwrap();
    assert_eq!(oil.values[3], NaiveValue::U32(20));
    let chart = items.rows.iter().find(|row| row.name == b"chart_torn").unwrap();
    assert_eq!((&chart.values[7], &chart.values[19]), (&NaiveValue::I32(-4), &NaiveValue::I32(-1)));
}

#[test]
fn bestiary() {
    let file = sample("bestiary.wdb");
    let beasts = table(&file, None).unwrap();
    is_sound(&beasts);
    assert_eq!((beasts.generation, beasts.names), (Generation::G3, NaiveNames::Embedded));
    assert_eq!((beasts.rows.len(), beasts.arrays.len(), beasts.field_count), (60, 3, Some(22)));
    assert_eq!(beasts.sheet_name.as_deref(), Some(&b"Bestiary"[..]));
    let fox = beasts.rows.iter().find(|row| row.name == b"fog_fox_c").unwrap();
    assert_eq!(fox.values[0], NaiveValue::Text(Some("大王霧狐".into())));
    assert_eq!(fox.values[1], NaiveValue::Text(Some("Nebelfuchs-König".into())));
    assert_eq!(fox.values[11], NaiveValue::Text(Some(b"mice".to_vec())));
    // The name of the grown one is the tail of its king's and is stored once.
    let name = "霧狐".as_bytes();
    assert_eq!(file.windows(name.len()).filter(|window| *window == name).count(), 2);
    let shy: BTreeSet<_> = beasts.rows.iter().map(|row| format!("{:?}", row.values[21])).collect();
    assert_eq!(shy.len(), 2);
}

#[test]
fn pack() {
    let pack = archive(&sample("wdbpack.bin")).unwrap();
    let tables: Vec<_> = pack.members.iter().map(|member| table(&member.data, None).unwrap()).collect();
    tables.iter().for_each(is_sound);
    let generations: Vec<_> = tables.iter().map(|table| table.generation).collect();
    assert_eq!(generations, [Generation::G1, Generation::G3Prime, Generation::G3]);
    assert_eq!(tables[2].rows[3].values[5], NaiveValue::U64(0x0000_0003_0000_0762));
}

#[test]
fn effects() {
    let effects = archive(&sample("effects.bin")).unwrap();
    assert!(!effects.members.is_sorted_by_key(|member| &member.name));
    assert!(effects.members.iter().filter(|member| member.name.len() == 16).count() >= 9);
    assert!(effects.members.iter().all(|member| member.offset % 128 == 0));
    let extensions: BTreeSet<_> = effects.members.iter().map(|member| &member.extension[..]).collect();
    assert_eq!(extensions.len(), 5);
    assert!(sample("effects.bin").len().is_multiple_of(128));
}
