//! Tables of the corpus with their contents, and hand-built tables.

use std::collections::BTreeMap;

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{Shape, edge_cases, schema_cases, small_table, table_of_rows};
use worldview_corpus::ff13::naive::{self, NaiveField, NaiveTable, NaiveType, NaiveValue};
use worldview_wpd::{NameOrigin, Schema, Table};

/// Calls `look` with every table of the corpus that both readers can open, and the result of the naive reader.
pub(crate) fn each_table(mut look: impl FnMut(&str, &Table<'_>, &NaiveTable)) {
    let mut count = 0;
    let mut show = |name: &str, bytes: &[u8], fields: Option<&[String]>| {
        let schema = fields.map(|fields| Schema::new("given", fields));
        let table = match &schema {
            Some(schema) => Table::parse_with(bytes, schema),
            None => Table::parse(bytes),
        };
        let Ok(table) = table else { return };
        let names: Option<Vec<&str>> = match table.name_origin() {
            NameOrigin::Schema(schema) => Some(schema.fields().iter().map(String::as_str).collect()),
            _ => None,
        };
        let Ok(mut naive) = naive::table(bytes, names.as_deref()) else { return };
        add_unowned(&mut naive);
        count += 1;
        look(name, &table, &naive);
    };
    for (name, bytes) in edge_cases() {
        show(&name, &bytes, None);
    }
    for (name, bytes, fields) in schema_cases() {
        show(&name, &bytes, Some(&fields));
    }
    for seed in 0..150 {
        let spec = small_table(seed);
        let bytes = build_table(&spec).bytes;
        show(&format!("small {seed}"), &bytes, None);
        show(&format!("small {seed} with schema"), &bytes, Some(&spec.fields));
    }
    for shape in Shape::all() {
        let bytes = table_of_rows(5, 40, 2000, &shape);
        show(shape.sheet, &bytes, Some(&shape.fields));
        let shape = shape.embedded();
        show(shape.sheet, &table_of_rows(6, 40, 2000, &shape), None);
    }
    assert!(count > 200, "only {count} tables were looked at");
}

/// Adds a field for the bits of each packed word that no field owns, if one of them is set in some record.
fn add_unowned(naive: &mut NaiveTable) {
    // The lowest bit above the fields of each packed word. One pass, since some tables have very many fields.
    let mut above = BTreeMap::<_, u32>::new();
    for field in naive.fields.iter().filter(|field| field.packed) {
        let low = above.entry(field.word).or_default();
        *low = (*low).max(field.shift + field.width);
    }
    for (word, low) in above.into_iter().filter(|&(_, low)| low < 32) {
        let bits = |data: &[u8]| {
            let word = data[4 * word..][..4].iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
            word >> low
        };
        if naive.rows.iter().all(|row| bits(&row.data) == 0) {
            continue;
        }
        let name = if low == 31 { format!("word{word}_bit31") } else { format!("word{word}_bits{low}_31") };
        naive.fields.push(NaiveField {
            name: name.into(),
            letter: None,
            packed: true,
            word,
            shift: low,
            width: 32 - low,
            value: NaiveType::U32,
            array: None,
        });
        for row in &mut naive.rows {
            row.values.push(NaiveValue::U32(bits(&row.data)));
        }
    }
}

/// Returns text as the exporters write it: valid characters unchanged, and every byte that does not start one as
/// `\xNN`.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let (mut text, mut rest) = (String::new(), bytes);
    while let Some(&first) = rest.first() {
        let char = (1..=rest.len().min(4)).find_map(|len| std::str::from_utf8(&rest[..len]).ok());
        match char {
            Some(char) => text.push_str(char),
            None => text.push_str(&format!("\\x{first:02x}")),
        }
        rest = &rest[char.map_or(1, str::len)..];
    }
    text
}

/// Returns the bits of a float, given its text.
pub(crate) fn float_bits(text: &str) -> u32 {
    match text {
        "NaN" => 0x7fc0_0000,
        "Infinity" => 0x7f80_0000,
        "-Infinity" => 0xff80_0000,
        _ => match text.strip_prefix("NaN:0x") {
            Some(bits) => {
                let bits = u32::from_str_radix(bits, 16).unwrap();
                assert!(f32::from_bits(bits).is_nan() && bits != 0x7fc0_0000);
                bits
            }
            None => text.parse::<f32>().unwrap().to_bits(),
        },
    }
}

/// The location of a member's data.
pub(crate) enum Data {
    /// After the data of the previous member.
    Own(Vec<u8>),
    /// At the data of the member with this index.
    Of(usize),
}

/// Builds an archive: header, entries, data.
pub(crate) fn archive(members: &[(String, Data)]) -> Vec<u8> {
    let long = |value: usize| u32::try_from(value).unwrap().to_be_bytes();
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut data = Vec::new();
    for (_, member) in members {
        match member {
            Data::Own(bytes) => {
                places.push((16 + 32 * members.len() + data.len(), bytes.len()));
                data.extend_from_slice(bytes);
            }
            Data::Of(other) => places.push(places[*other]),
        }
    }
    let mut out = b"WPD\0".to_vec();
    out.extend(long(members.len()));
    out.extend([0; 8]);
    for ((name, _), (offset, size)) in members.iter().zip(places) {
        let mut field = [0; 16];
        field[..name.len()].copy_from_slice(name.as_bytes());
        out.extend(field);
        out.extend(long(offset));
        out.extend(long(size));
        out.extend([0; 8]);
    }
    out.extend(data);
    out
}

/// Builds a table that includes its field names, from the pool, the type of each word, the names, and the records. A
/// record may share the bytes of another.
pub(crate) fn table(pool: &[u8], types: &[u8], names: &str, records: impl IntoIterator<Item = Data>) -> Vec<u8> {
    let own = |name: &str, bytes: &[u8]| (name.to_owned(), Data::Own(bytes.to_vec()));
    let mut members = vec![
        own("!!string", pool),
        own("!!strtypelistb", types),
        own("!!version", &[0, 0, 1, 2]),
        own("!structitem", names.as_bytes()),
    ];
    for (index, data) in records.into_iter().enumerate() {
        let data = match data {
            // Here the index is that of a record.
            Data::Of(record) => Data::Of(record + 4),
            own => own,
        };
        members.push((format!("r{index:06}"), data));
    }
    archive(&members)
}
