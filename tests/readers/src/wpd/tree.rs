//! Archives and tables as parsed by the naive reader, converted to trees.

use worldview_corpus::ff13::naive::{
    NaiveArchive, NaiveField, NaiveMember, NaiveNames, NaiveRow, NaiveTable, NaiveType, NaiveValue,
};
use worldview_corpus::ff13::spec::Generation;

use crate::tree::{Leaf, Tree};

/// Converts the members of an archive, with their bytes.
pub(super) fn archive(archive: &NaiveArchive) -> Tree {
    let members = (0..).zip(&archive.members).map(|(index, member)| {
        let tree = place(member).with("extension", member.extension.as_slice());
        if archive.lost.contains(&index) { tree } else { tree.with("bytes", member.data.as_slice()) }
    });
    reserved(Tree::default(), archive).list("members", members)
}

/// The name of a member and the place of its data.
fn place(member: &NaiveMember) -> Tree {
    let place = Tree::default().with("name", member.name.as_slice());
    place.with("offset", member.offset).with("size", member.size).with_all(tails(&member.tails))
}

/// The bytes behind the NULs of a name and an extension, if there are any.
fn tails(tails: &[Vec<u8>; 2]) -> impl Iterator<Item = (String, &[u8])> {
    let names = ["name_tail", "extension_tail"].map(str::to_owned);
    names.into_iter().zip(tails.iter().map(Vec::as_slice)).filter(|(_, tail)| !tail.is_empty())
}

fn reserved(tree: Tree, archive: &NaiveArchive) -> Tree {
    let word = |at: usize| archive.reserved[at..at + 4].iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
    tree.with("reserved_08", word(0)).with("reserved_0c", word(4))
}

/// Sections whose content is elsewhere in the description.
const KNOWN: [&str; 13] = [
    "!!string",
    "!!typelist",
    "!!strtypelist",
    "!!strtypelistb",
    "!!version",
    "!!sheetname",
    "!!strArray",
    "!!strArrayInfo",
    "!!strArrayList",
    "!structitem",
    "!structitemnum",
    "__string",
    "__typelist",
];

/// Converts a table, which is also an archive.
pub(super) fn table(table: &NaiveTable, archive: &NaiveArchive) -> Tree {
    let (generation, odd) = match table.generation {
        Generation::G0 => ("G0", "__"),
        Generation::G1 => ("G1", "!!"),
        Generation::G2 => ("G2", "!!"),
        Generation::G3 => ("G3", "!"),
        Generation::G3Prime => ("G3'", "!"),
    };
    let names = match table.names {
        NaiveNames::Embedded => "embedded",
        NaiveNames::Schema => "schema",
        NaiveNames::Generated => "generated",
    };
    let is_section = |name: &[u8]| {
        let is_old = table.generation == Generation::G0 && name.starts_with(b"!");
        name.starts_with(odd.as_bytes()) || name.starts_with(b"!structitem") || is_old
    };
    // Most sections have no extension, and an empty one is not described.
    let place = |member: &NaiveMember| {
        let extension = Some(("extension".to_owned(), member.extension.as_slice()));
        place(member).with_all(extension.filter(|(_, extension)| !extension.is_empty()))
    };
    let sections = || archive.members.iter().filter(|member| is_section(&member.name));
    let is_known = |name: &[u8]| KNOWN.iter().any(|known| known.as_bytes() == name);
    let tree = reserved(Tree::default(), archive)
        .with("generation", generation)
        .with("layout_version", table.version)
        .with("names", names)
        .with("record_size", table.record_size as u64)
        // Compared up to its NUL elsewhere.
        .unjudged(&["sheet_name"])
        .list("sections", sections().filter(|member| is_known(&member.name)).map(place))
        .list(
            "unknown_sections",
            sections()
                .filter(|member| !is_known(&member.name))
                .map(|member| place(member).with("bytes", member.data.as_slice())),
        )
        .list("fields", table.fields.iter().map(field))
        .list(
            "string_arrays",
            table.arrays.iter().map(|array| {
                let element = |text: &Option<Vec<u8>>| Tree::default().with("string", text.as_deref());
                Tree::default().list("elements", array.iter().map(element))
            }),
        )
        .list("records", table.rows.iter().map(|row| record(table, row)))
        .unchecked("refused_names");
    strings(tree, table, archive)
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
        // An unsigned integer or an unknown word.
        _ => None,
    };
    let types = match field.value {
        NaiveType::I32 => "i32",
        NaiveType::U32 => "u32",
        NaiveType::F32 => "f32",
        NaiveType::U64 => "u64",
        NaiveType::Text => "utf8",
    };
    let array = field.array.map(|array| ("string_array".to_owned(), array as u64));
    let tree = Tree::default()
        .with_all(array)
        .with("type", types)
        .with("name", field.name.as_slice())
        .with("word", field.word as u64)
        .with("bit", field.shift)
        .with("width", field.width);
    match kind {
        Some(kind) => tree.with("kind", kind).unjudged(&["stored_name"]),
        None => tree.unjudged(&["kind", "stored_name"]),
    }
}

/// Adds all strings of a table, in order.
fn strings(tree: Tree, table: &NaiveTable, archive: &NaiveArchive) -> Tree {
    let name: &[u8] = if table.generation == Generation::G0 { b"__string" } else { b"!!string" };
    let Some(pool) = archive.members.iter().find(|member| member.name == name) else { return tree };
    let mut strings: Vec<_> = pool.data.split(|&byte| byte == 0).collect();
    // Bytes after the last NUL are a string only if there are any.
    strings.pop_if(|last| last.is_empty());
    tree.list("strings", strings.into_iter().map(|string| Tree::default().with("string", string)))
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
    let extra = row.data.get(table.record_size..).filter(|extra| !extra.is_empty());
    let extra = extra.map(|extra| ("extra".to_owned(), extra));
    let extension =
        Some(("extension".to_owned(), row.extension.as_slice())).filter(|(_, extension)| !extension.is_empty());
    let record = Tree::default().with("record", row.name.as_slice()).with_all(extension).with_all(tails(&row.tails));
    record.with_all(values).with_all(unowned(table, row)).with_all(extra)
}

/// Returns the nonzero bits of each word that belong to no field. They are at the high end, because fields fill a word
/// from its low end.
fn unowned(table: &NaiveTable, row: &NaiveRow) -> Vec<(String, Leaf)> {
    let mut free = Vec::new();
    let mut ends = vec![None; table.record_size / 4];
    for field in table.fields.iter().filter(|field| field.packed) {
        ends[field.word] = ends[field.word].max(Some(field.shift + field.width));
    }
    for (word, (bytes, end)) in row.data.chunks_exact(4).zip(ends).enumerate() {
        let bits = bytes.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        let Some(low) = end.filter(|&low| low < 32) else { continue };
        if bits >> low != 0 {
            free.push((format!("word{word}_bits{low}_31"), (bits >> low).into()));
        }
    }
    free
}
