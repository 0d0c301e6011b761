//! What the naive reader has read of archives and tables, as trees.

use worldview_corpus::ff13::naive::{NaiveArchive, NaiveField, NaiveNames, NaiveRow, NaiveTable, NaiveType, NaiveValue};
use worldview_corpus::ff13::spec::Generation;

use crate::tree::{Leaf, Tree};

/// The members of an archive, with their bytes.
pub(super) fn archive(archive: &NaiveArchive) -> Tree {
    let members = archive.members.iter().enumerate().map(|(index, member)| {
        let tree = Tree::default()
            .with("name", member.name.as_slice())
            .with("extension", member.extension.as_slice())
            .with("offset", member.offset)
            .with("size", member.size);
        // What is nested is held against its own archive.
        let is_nested = member.data.starts_with(b"WPD\0");
        if archive.lost.contains(&index) || is_nested { tree.unjudged(&["bytes"]) } else { tree.with("bytes", member.data.as_slice()) }
    });
    reserved(Tree::default(), archive).list("members", members)
}

fn reserved(tree: Tree, archive: &NaiveArchive) -> Tree {
    let word = |at: usize| archive.reserved[at..at + 4].iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
    tree.with("reserved_08", word(0)).with("reserved_0c", word(4))
}

/// The sections whose content the description has elsewhere.
const KNOWN: [&str; 13] = [
    "!!string", "!!typelist", "!!strtypelist", "!!strtypelistb", "!!version", "!!sheetname", "!!strArray",
    "!!strArrayInfo", "!!strArrayList", "!structitem", "!structitemnum", "__string", "__typelist",
];

/// All of a table, which is also an archive.
pub(super) fn table(table: &NaiveTable, archive: &NaiveArchive) -> Tree {
    let (generation, odd) = match table.generation {
        Generation::G0 => ("G0", "__"),
        Generation::G1 => ("G1", "!"),
        Generation::G2 => ("G2", "!"),
        Generation::G3 => ("G3", "!"),
        Generation::G3Prime => ("G3'", "!"),
    };
    let names = match table.names {
        NaiveNames::Embedded => "embedded",
        NaiveNames::Schema => "schema",
        NaiveNames::Generated => "generated",
    };
    let is_section = |name: &[u8]| name.starts_with(b"!") || name.starts_with(odd.as_bytes());
    let sections = || archive.members.iter().filter(|member| is_section(&member.name));
    let is_known = |name: &[u8]| KNOWN.iter().any(|known| known.as_bytes() == name);
    let place = |member: &worldview_corpus::ff13::naive::NaiveMember| {
        Tree::default().with("name", member.name.as_slice()).with("offset", member.offset).with("size", member.size)
    };
    reserved(Tree::default(), archive)
        .with("generation", generation)
        .with("layout_version", table.version)
        .with("names", names)
        .with("record_size", table.record_size as u64)
        // Held against the naive reader up to its NUL, below.
        .unjudged(&["sheet_name"])
        .list("sections", sections().filter(|member| is_known(&member.name)).map(place))
        .list(
            "unknown_sections",
            sections().filter(|member| !is_known(&member.name)).map(|member| place(member).with("bytes", member.data.as_slice())),
        )
        .list("fields", table.fields.iter().map(field))
        .list("string_arrays", table.arrays.iter().map(|array| {
            let element = |text: &Option<Vec<u8>>| Tree::default().with("element", text.as_deref());
            Tree::default().list("elements", array.iter().map(element))
        }))
        .list("records", table.rows.iter().map(|row| record(table, row)))
        .unchecked("strings")
        .unchecked("refused_names")
}

fn field(field: &NaiveField) -> Tree {
    let kind = match (field.packed, field.value, field.letter) {
        (true, _, Some(b'i')) => Some("bits-int"),
        (true, _, Some(b'u')) => Some("bits-uint"),
        (true, _, Some(b'f')) => Some("bits-fixed"),
        (true, _, Some(b's')) => Some("string-array"),
        (false, NaiveType::I32, _) => Some("int"),
        (false, NaiveType::F32, _) => Some("float"),
        (false, NaiveType::U64, _) => Some("uint64"),
        (false, NaiveType::Text, _) => Some("string"),
        // An unsigned integer, or a word that nobody knows.
        _ => None,
    };
    let tree = Tree::default()
        .with("name", field.name.as_slice())
        .with("word", field.word as u64)
        .with("bit", field.shift)
        .with("width", field.width);
    match kind {
        Some(kind) => tree.with("kind", kind).unjudged(&["stored_name"]),
        None => tree.unjudged(&["kind", "stored_name"]),
    }
}

fn record(table: &NaiveTable, row: &NaiveRow) -> Tree {
    let value = |value: &NaiveValue| match value {
        NaiveValue::I32(value) => Leaf::from(*value),
        NaiveValue::U32(value) => Leaf::from(*value),
        NaiveValue::F32(bits) => Leaf::Float(*bits),
        NaiveValue::U64(value) => Leaf::from(*value),
        NaiveValue::Text(text) => text.as_deref().into(),
    };
    let name = |field: &NaiveField| field.name.escape_ascii().to_string();
    let values = table.fields.iter().zip(&row.values).map(|(field, found)| (name(field), value(found)));
    Tree::default().with("record", row.name.as_slice()).with_all(values).with_all(unowned(table, row))
}

/// The bits that no field has and that are not 0, word by word: from the lowest that is free, for fields fill a word from
/// its low end.
fn unowned(table: &NaiveTable, row: &NaiveRow) -> Vec<(String, Leaf)> {
    let mut free = Vec::new();
    for (word, bytes) in row.data.chunks_exact(4).enumerate() {
        let bits = bytes.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        let packed = table.fields.iter().filter(|field| field.packed && field.word == word);
        let Some(low) = packed.map(|field| field.shift + field.width).max().filter(|&low| low < 32) else { continue };
        if bits >> low != 0 {
            free.push((format!("word{word}_bits{low}_31"), (bits >> low).into()));
        }
    }
    free
}
