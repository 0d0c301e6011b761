use std::collections::BTreeSet;

use worldview_core::FindingCode as _;
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{Shape, small_table, table as large_table};
use worldview_corpus::ff13::naive::{NaiveField, NaiveTable, NaiveType, NaiveValue, table as naive};
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_corpus::rng::Rng;
use worldview_corpus::sample;
use worldview_corpus::trial::rounds;
use worldview_edit::{Change, Changes, Position, Value, wpd};
use worldview_inspect::Root;
use worldview_inspect::diff::{DiffOptions, compare};
use worldview_wpd::{Table, check_archive};

use crate::kinds::TABLE;
use crate::paths::are_resolved;
use crate::twice::are_done;
use crate::{change, list};

/// The path of a part of a table.
fn path(parts: &[&[u8]]) -> worldview_core::Path {
    let mut path = worldview_core::Path::new();
    parts.iter().for_each(|part| path.push_name(part));
    path
}

fn as_value(value: &NaiveValue) -> Value {
    match value {
        NaiveValue::I32(number) => (*number).into(),
        NaiveValue::U32(number) => (*number).into(),
        NaiveValue::U64(number) => (*number).into(),
        NaiveValue::F32(bits) => f32::from_bits(*bits).into(),
        NaiveValue::Text(text) => Value::from_bytes(text.as_deref().unwrap()),
    }
}

/// A value that fits a field: often the ends of its range, and texts that pools hold, or their tails, or neither.
fn random_value(rng: &mut Rng, field: &NaiveField) -> NaiveValue {
    let width = field.width.min(32);
    let ends = [0, 1, u64::MAX, rng.next_u64()];
    let bits = *rng.pick(&ends).unwrap();
    let unsigned = u32::try_from(bits & (u64::MAX >> (64 - width))).unwrap();
    match field.value {
        NaiveType::U32 => NaiveValue::U32(unsigned),
        NaiveType::I32 => NaiveValue::I32((unsigned << (32 - width)).cast_signed() >> (32 - width)),
        NaiveType::F32 => NaiveValue::F32(u32::try_from(bits >> 32).unwrap()),
        NaiveType::U64 => NaiveValue::U64(bits),
        NaiveType::Text => {
            let text =
                *rng.pick(&["", "m300", "0", "lamp_m300", "a new text", "text", "\u{304b}\u{3051}", "$key"]).unwrap();
            NaiveValue::Text(Some(text.as_bytes().to_vec()))
        }
    }
}

/// Whether a field's array can hold all other texts without overflowing the field that selects from it.
fn is_roomy(table: &NaiveTable, field: &NaiveField) -> bool {
    field.array.is_none_or(|array| table.arrays[array].len() + 16 < 1 << field.width)
}

/// The kinds of what `check` reports about where the members of a table lie. The data of a renamed record stays where it was,
/// although its entry moves.
fn layout_findings(table: &Table<'_>) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    check_archive(&table.archive(), &mut |finding| {
        kinds.extend((finding.kind.code() != "order").then(|| finding.kind.code()))
    });
    kinds
}

/// Applies random changes to a table and to what the naive reader makes of it, which must then be the same.
fn edit_at_random(rng: &mut Rng, file: &[u8], name: &str) -> usize {
    let mut model = naive(file, None).unwrap();
    let mut names: Vec<_> = model.rows.iter().map(|row| row.name.clone()).collect();
    names.dedup();
    let is_sorted = names.len() == model.rows.len() && names.is_sorted();
    if !is_sorted || model.rows.is_empty() {
        return 0;
    }
    let mut changes = Changes::new();
    let originals = model.clone();
    let roomy = || originals.fields.iter().enumerate().filter(|(_, field)| is_roomy(&originals, field));
    for index in (0..originals.rows.len()).rev() {
        let row = &originals.rows[index];
        match rng.below(8) {
            0 => {
                changes.push(Change::remove(path(&[&row.name])));
                model.rows.remove(index);
            }
            1 => {
                let to = format!("{:02x}{}", rng.below(256), rng.below(1 << 20)).into_bytes();
                if model.rows.iter().chain(&originals.rows).all(|row| row.name != to) {
                    changes.push(Change::Rename { path: path(&[&row.name]), to: Value::from_bytes(&to) });
                    model.rows[index].name = to;
                }
            }
            2 => {
                let new = format!("{:02x}+{}", rng.below(256), rng.below(1 << 20)).into_bytes();
                let mut added = row.clone();
                let mut fields = Vec::new();
                for (number, field) in roomy() {
                    if rng.one_in(2) {
                        added.values[number] = random_value(rng, field);
                        fields.push((String::from_utf8(field.name.clone()).unwrap(), as_value(&added.values[number])));
                    }
                }
                if model.rows.iter().chain(&originals.rows).all(|row| row.name != new) {
                    added.name = new.clone();
                    model.rows.push(added);
                    let (path, like) = (path(&[&new]), Some(path(&[&row.name])));
                    changes.push(Change::Add { path, like, position: Position::Natural, fields, data: None });
                }
            }
            _ => {
                for (number, field) in roomy() {
                    if rng.one_in(2) {
                        let value = random_value(rng, field);
                        changes.push(Change::set(path(&[&row.name, &field.name]), as_value(&value)));
                        model.rows[index].values[number] = value;
                    }
                }
            }
        }
    }
    model.rows.sort_by(|left, right| left.name.cmp(&right.name));
    let edited = wpd::apply(file, &changes).unwrap_or_else(|error| panic!("{name}: {error}")).to_vec();
    are_resolved(changes.len() as u64, &changes, &edited, |changes| wpd::apply(file, changes));
    are_done(name, &changes, &edited, wpd::apply(&edited, &changes));
    let read = naive(&edited, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    let content =
        |table: &NaiveTable| table.rows.iter().map(|row| (row.name.clone(), row.values.clone())).collect::<Vec<_>>();
    assert_eq!(content(&read), content(&model), "{name}");
    assert_eq!((&read.sheet_name, read.version), (&model.sheet_name, model.version), "{name}");
    // Without a record, nothing tells whether a table without names ends with a 64-bit field.
    if model.rows.is_empty() {
        return changes.len();
    }
    assert_eq!(read.fields, model.fields, "{name}");
    let (before, after) = (Table::parse(file).unwrap(), Table::parse(&edited).unwrap());
    assert!(layout_findings(&after).is_subset(&layout_findings(&before)), "{name}: {:?}", layout_findings(&after));
    TABLE.becomes(name, file, &edited);
    changes.len()
}

#[test]
fn random_edits_do_what_they_say() {
    let mut count = 0;
    for seed in 0..rounds(1000) {
        let file = build_table(&small_table(seed)).bytes;
        count += edit_at_random(&mut Rng::new(seed), &file, &format!("seed {seed}"));
    }
    println!("tables: {count} changes");
    assert!(count > 3000, "{count} changes");
    for (seed, shape) in (0..).zip(Shape::all()) {
        let file = large_table(seed, 1 << 16, &shape.embedded());
        assert!(edit_at_random(&mut Rng::new(seed), &file, "large table") > 100);
    }
}

#[test]
fn a_number_changes_its_bits_and_no_others() {
    let file = sample("items.wdb");
    let changes = list(r#"{"set":"apple_dried/uPurchasePrice","to":16909060}"#);
    let edited = wpd::apply(&file, &changes).unwrap().to_vec();
    let differing: Vec<usize> = (0..file.len()).filter(|&at| edited[at] != file[at]).collect();
    let start = differing[0] & !3;
    assert_eq!(edited[start..start + 4], [1, 2, 3, 4]);
    assert!(edited.len() == file.len() && differing.iter().all(|&at| (start..start + 4).contains(&at)));
}

#[test]
fn a_text_that_finds_no_place_is_refused_with_the_nearest_one() {
    let mut file = sample("bestiary.wdb");
    let errors = (0..40).find_map(|number| {
        let changes = [Change::set("chalk_snail_a/s5Food0".parse().unwrap(), format!("food {number}"))];
        let edited = wpd::apply(&file, &changes.into_iter().collect()).map(|edited| edited.to_vec());
        edited.map(|edited| file = edited).err()
    });
    let error = errors.unwrap().to_string();
    let (limit, nearest) = error.split_once("; the nearest is \"").unwrap_or_else(|| panic!("{error}"));
    assert!(limit.ends_with("s5Food0 has 5 bits and selects one of at most 32 strings"), "{error}");
    assert!(nearest.starts_with("food "), "{error}");
}

#[test]
fn what_cannot_be_done_is_refused() {
    let file = sample("items.wdb");
    let refused = |changes: &[Change], expected: &str| {
        let error = wpd::apply(&file, &changes.iter().cloned().collect()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let set = |path: &str, to: Value| Change::set(path.parse().unwrap(), to);
    let from = |path: &str, from: Value| Change::Set { path: path.parse().unwrap(), from: Some(from), to: 1.into() };
    let price = "apple_dried/uPurchasePrice";
    let why = "apple_dried/uPurchasePrice: -1 does not fit: uPurchasePrice has 32 bits, 0 to 4294967295";
    refused(&[set(price, (-1).into())], why);
    refused(&[set(price, "text".into())], "expected an integer, found \"text\"");
    refused(&[set("no_such/uPurchasePrice", 1.into())], "no_such: not found in this file");
    refused(&[set("apple_dried/uNothing", 1.into())], "apple_dried/uNothing: the table has no field of this name");
    refused(&[from(price, 123_456.into())], "expected 123456, but the file has");
    let twice = "apple_dried/uPurchasePrice: conflicts with another change of the same place";
    refused(&[set(price, 1.into()), set(price, 2.into())], twice);
    refused(&[set(price, 1.into()), set("", 2.into())], "a whole file cannot be set");
    refused(&[set(price, 1.into()), Change::remove("apple_dried".parse().unwrap())], "conflicts");
    let long = change(r#"{"rename":"apple_dried","to":"a name of 17 byte"}"#);
    refused(&[long], "names have at most 16 bytes");
    refused(&[change(r#"{"add":"apple_dried","like":"apple_dried"}"#)], "apple_dried: this name exists already");
}

/// A sample table with bytes behind the NUL of a record's name, and behind that of its extension.
fn with_tails() -> Vec<u8> {
    let mut file = sample("items.wdb");
    let entry = file.chunks(16).position(|name| name == b"anchor_pin\0\0\0\0\0\0").unwrap() * 16;
    file[entry + 12..entry + 14].copy_from_slice(&[7, 9]);
    file[entry + 24..entry + 28].copy_from_slice(&[0, 1, 0, 2]);
    file
}

#[test]
fn bytes_behind_names_are_in_the_changes() {
    let (file, other) = (sample("items.wdb"), with_tails());
    let changes = wpd::diff(&file, &other).unwrap().changes;
    let set = |field: &str, from: &[u8], to: &[u8]| Change::Set {
        path: path(&[b"anchor_pin", field.as_bytes()]),
        from: Some(Value::Bytes(from.to_vec())),
        to: Value::Bytes(to.to_vec()),
    };
    let expected = [set("name_tail", &[], &[0, 7, 9]), set("extension_tail", &[], &[1, 0, 2])];
    assert_eq!(changes.iter().cloned().collect::<Vec<_>>(), expected);
    assert_eq!(wpd::apply(&file, &changes).unwrap().to_vec(), other);
    assert_eq!(wpd::apply(&other, &changes.invert().unwrap()).unwrap().to_vec(), file);
    let long = list(r#"{"set":"anchor_pin/name_tail","to":{"bytes":"010101010101"}}"#);
    let error = wpd::apply(&file, &long).unwrap_err().to_string();
    assert!(error.ends_with("name_tail has room for 5 bytes"), "{error}");
    // They are what people see, too, and go and come with their records.
    let (left, right) = (Table::parse(&file).unwrap(), Table::parse(&other).unwrap());
    let mut seen = Vec::new();
    let [one, two] = [&left, &right].map(|table| Root::new("wpd", table.archive().source(), table));
    compare(&one, &two, &DiffOptions::default(), &mut |difference| seen.push(difference.to_string())).unwrap();
    assert_eq!(seen, ["~ anchor_pin: name_tail: none -> 000709", "~ anchor_pin: extension_tail: none -> 010002"]);
    let without = wpd::apply(&other, &list(r#"{"remove":"anchor_pin"}"#)).unwrap().to_vec();
    let added = wpd::diff(&without, &other).unwrap().changes;
    let added = wpd::apply(&without, &added).unwrap().to_vec();
    assert_eq!(wpd::diff(&added, &other).unwrap().changes, Changes::new());
    // A renamed record keeps what the new name does not reach.
    let renamed = wpd::apply(&other, &list(r#"{"rename":"anchor_pin","to":"anchor"}"#)).unwrap().to_vec();
    let back = list(r#"{"rename":"anchor","to":"anchor_pin"}"#);
    assert_eq!(wpd::apply(&renamed, &back).unwrap().to_vec(), other);
}

#[test]
fn words_of_a_table_itself_are_set_and_compared() {
    let file = sample("bestiary.wdb");
    let table = Table::parse(&file).unwrap();
    let name = table.sheet_name().unwrap().to_vec();
    for (to, version) in [("x", 0x0500_0000_u32), ("a name that is longer than the one before it, by far", 5)] {
        let set = |field: &str, to: Value| Change::set(format!("@{field}").parse().unwrap(), to);
        let changes =
            [set("sheet_name", to.into()), set("reserved_08", 9.into()), set("layout_version", version.into())];
        let edited = wpd::apply(&file, &changes.into_iter().collect()).unwrap().to_vec();
        let read = naive(&edited, None).unwrap();
        assert_eq!(read.sheet_name.as_deref(), Some(to.as_bytes()));
        assert_eq!((read.version, edited[11]), (Some(version), 9));
        assert_eq!(Table::parse(&edited).unwrap().sections().version().unwrap().data(), version.to_be_bytes());
        assert_eq!(read.rows, naive(&file, None).unwrap().rows);
        let back = wpd::diff(&edited, &file).unwrap().changes;
        assert_eq!(back.len(), 3);
        let back = wpd::apply(&edited, &back).unwrap().to_vec();
        let back = Table::parse(&back).unwrap();
        assert_eq!((back.sheet_name(), back.layout_version()), (Some(&name[..]), table.layout_version()));
    }
}

#[test]
fn sections_without_a_meaning_are_added_changed_and_removed() {
    let file = sample("items.wdb");
    let add = |name: &str| list(&format!(r#"{{"add":"unknown_section:{name}","data":{{"bytes":"010203"}}}}"#));
    let added = wpd::apply(&file, &add("!!more")).unwrap().to_vec();
    let find = |file: &[u8], name: &[u8]| {
        let members = worldview_corpus::ff13::naive::archive(file).unwrap().members;
        members.into_iter().find(|member| member.name == name).map(|member| member.data)
    };
    assert_eq!(find(&added, b"!!more"), Some(vec![1, 2, 3]));
    assert_eq!(naive(&added, None).unwrap().rows, naive(&file, None).unwrap().rows);
    let set = list(r#"{"set":"unknown_section:!!more","to":{"bytes":"040404040404040404"}}"#);
    let other = wpd::apply(&added, &set).unwrap().to_vec();
    assert_eq!(find(&other, b"!!more"), Some(vec![4; 9]));
    for (from, to) in [(&file, &added), (&added, &other), (&other, &file), (&file, &other)] {
        let changes = wpd::diff(from, to).unwrap().changes;
        assert_eq!(changes.len(), 1);
        let edited = wpd::apply(from, &changes).unwrap().to_vec();
        assert_eq!(find(&edited, b"!!more"), find(to, b"!!more"));
        let back = wpd::apply(&edited, &changes.invert().unwrap()).unwrap().to_vec();
        assert_eq!(find(&back, b"!!more"), find(from, b"!!more"));
    }
    for name in ["!!string", "record"] {
        let error = wpd::apply(&file, &add(name)).unwrap_err().to_string();
        assert!(error.ends_with("this is not the name of an unknown section"), "{error}");
    }
    let error = wpd::apply(&file, &list(r#"{"rename":"anchor_pin","to":"!!more"}"#)).unwrap_err().to_string();
    assert!(error.ends_with("this is a name of sections"), "{error}");
    // In a nested table, too.
    let pack = sample("wdbpack.bin");
    let edited = wpd::apply(&pack, &list(r#"{"set":"r_lamps.wdb/@reserved_0c","to":3}"#)).unwrap().to_vec();
    let differing: Vec<usize> = (0..pack.len()).filter(|&at| edited[at] != pack[at]).collect();
    let start = pack.windows(4).enumerate().filter(|(_, bytes)| *bytes == b"WPD\0").nth(2).unwrap().0;
    assert_eq!(differing, [start + 15]);
    assert_eq!(wpd::diff(&pack, &edited).unwrap().changes.to_json().unwrap().matches("@reserved_0c").count(), 1);
}

/// A record whose name the game takes for a section could never be removed again: `!` begins those of the later games only.
#[test]
fn no_record_is_named_like_a_section() {
    for (generation, taken, free) in [
        (Generation::G1, "!!string", "!new"),
        (Generation::G2, "!!new", "!new"),
        (Generation::G3, "!new", "new!"),
        (Generation::G3Prime, "!new", "new!"),
    ] {
        let spec = TableSpec::new(generation, &["iA"]).row("a", [CellSpec::Int(1)]).row("b", [CellSpec::Int(2)]);
        let file = build_table(&spec).bytes;
        let names =
            |file: &[u8]| -> Vec<Vec<u8>> { naive(file, None).unwrap().rows.into_iter().map(|row| row.name).collect() };
        let first = String::from_utf8(names(&file)[0].clone()).unwrap();
        let add = |name: &str| list(&format!(r#"{{"add":"{name}","like":"{first}"}}"#));
        let rename = |name: &str| list(&format!(r#"{{"rename":"{first}","to":"{name}"}}"#));
        for changes in [add(taken), rename(taken)] {
            let error = wpd::apply(&file, &changes).unwrap_err().to_string();
            assert!(error.contains("this is a name of sections"), "{generation:?}: {error}");
        }
        for changes in [add(free), rename(free)] {
            let edited = wpd::apply(&file, &changes).unwrap().to_vec();
            assert!(names(&edited).contains(&free.as_bytes().to_vec()), "{generation:?}");
            assert!(Table::parse(&edited).unwrap().by_name(free).is_some(), "{generation:?}");
        }
    }
}
