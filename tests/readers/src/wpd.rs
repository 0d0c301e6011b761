//! WPD and WDB: compares the views with the naive reader.

use std::collections::HashMap;

use worldview_core::{Error, OffsetBase, Source};
use worldview_corpus::ff13::naive::{self, NaiveArchive, NaiveTable, NaiveValue};
use worldview_wpd::{
    self as wpd, Archive, ArchiveDescription, Column, ColumnType, Element, FieldKind, Nesting, Row, Schema, Table,
    TableOptions, Value,
};

use crate::tree::Tree;
use crate::{Verdict, equal, inside, judge};

mod random;
mod tree;

pub use random::random_table;

/// Reads a file as an archive with the views and with the naive reader, and compares every member.
pub fn archives_agree(file: &[u8]) -> Result<Verdict, String> {
    let same = |archive, naive| same_members(&archive, &naive);
    judge(Archive::parse(file), naive::archive(file), |error| refused(file, error), same)
}

/// Opens an archive with a damaged header with both readers, and compares every member.
pub fn recoveries_agree(file: &[u8]) -> Result<Verdict, String> {
    let mut lost = Vec::new();
    let views = Archive::recover(Source::new(file, OffsetBase::File), &mut |finding| {
        lost.extend(finding.place.part.index.map(|index| index as usize));
    });
    judge(
        views,
        naive::recover(file),
        |error| refused(file, error),
        |archive, naive| {
            same_members(&archive, &naive)?;
            equal("recovered", &archive.is_recovered(), &naive.recovered)?;
            equal("members that are not inside", &lost, &naive.lost)
        },
    )
}

/// Reads a file as a table with both readers, and compares every value. If the file has no names, those of the schema
/// are used for both; without a schema, a built-in one for the table's version.
pub fn tables_agree(file: &[u8], names: Option<&[&str]>) -> Result<Verdict, String> {
    let schema = names.map(|names| Schema::new("given", names.iter().copied()));
    let mut options = TableOptions::new();
    if let Some(schema) = &schema {
        options = options.schema(schema);
    }
    let views = Archive::parse(file).and_then(|archive| options.table(archive));
    // The naive reader has no built-in schemas, so it gets the one that the views found for the table's version.
    let built_in: Option<Vec<&str>> = match views.as_ref().map(Table::name_origin) {
        Ok(wpd::NameOrigin::Schema(schema)) if names.is_none() => {
            Some(schema.fields().iter().map(String::as_str).collect())
        }
        _ => None,
    };
    let naive = naive::table(file, names.or(built_in.as_deref()));
    judge(
        views,
        naive,
        |error| refused(file, error),
        |table, naive| {
            let archive = naive::archive(file).map_err(|error| format!("a table that is no archive: {error}"))?;
            Tree::of(&table).same(&tree::table(&naive, &archive))?;
            same_table(&table, &naive)?;
            for (index, field) in table.fields().iter().enumerate() {
                let name = field.name().escape_ascii();
                same_column(&table, field, &naive, index).map_err(|why| format!("column {name}: {why}"))?;
            }
            Ok(())
        },
    )
}

/// Parses a file leniently, including nested archives, checks it, and verifies the promises of both: findings lie inside the
/// file, and one that parses strictly has neither findings nor missing parts.
pub fn lossy_keeps_its_word(file: &[u8]) -> Result<(), String> {
    let mut findings = Vec::new();
    let source = Source::new(file, OffsetBase::File);
    let archive = match Archive::parse_lossy(source, &mut |finding| findings.push(finding)) {
        Ok(archive) => archive,
        Err(error) => return refused(file, &error),
    };
    if Archive::parse(file).is_ok() {
        equal("findings of lossy parsing", &findings.len(), &0)?;
    }
    findings.iter().try_for_each(|finding| inside(file, finding.at, finding))?;
    // Deep enough for realistic files; an archive that contains itself ends here as well.
    look(file, &archive, &mut Nesting::new(&archive).deepest(4), 0)
}

fn look(file: &[u8], archive: &Archive<'_>, nesting: &mut Nesting, depth: u32) -> Result<(), String> {
    let mut result = Ok(());
    let mut note = |finding: wpd::Finding<'_>| {
        result = result.clone().and(inside(file, finding.at, finding));
    };
    wpd::check_archive(archive, &mut note);
    if archive.is_table() {
        let mut lossy = 0_u32;
        let table = TableOptions::new().table_lossy(*archive, &mut |finding| {
            lossy += 1;
            note(finding);
        });
        match table {
            Ok(table) => {
                if archive.table().is_ok() {
                    equal("findings of the lossy table", &lossy, &0)?;
                }
                wpd::check_table(&table, &mut note);
                for row in table.rows() {
                    equal("values of a row", &row.values().count(), &table.fields().len())?;
                }
            }
            Err(error) => return refused(file, &error),
        }
    }
    result?;
    for member in archive.members() {
        let mut result = Ok(());
        let entered = nesting.enter(&member, depth, &mut |finding| {
            result = result.clone().and(inside(file, finding.at, finding));
        });
        result?;
        match entered {
            Ok(Some(nested)) => look(file, &nested, nesting, depth + 1)?,
            Ok(None) => {}
            Err(error) => refused(file, &error)?,
        }
    }
    Ok(())
}

/// Checks that an error lies within the file.
fn refused(file: &[u8], error: &Error) -> Result<(), String> {
    inside(file, error.at, error)
}

fn same_members(archive: &Archive<'_>, naive: &NaiveArchive) -> Result<(), String> {
    Tree::of(&ArchiveDescription::new(archive).max_depth(0)).same(&tree::archive(naive))?;
    let sorted = naive.members.is_sorted_by(|one, next| one.name < next.name);
    // Bytes after a NUL can make the views report unsorted where the naive reader sees sorted names; that is allowed.
    if archive.is_sorted() && !sorted {
        return Err("the views report the members as sorted".to_owned());
    }
    for member in archive.members() {
        equal("member by number", &archive.get(member.index()).map(|found| found.index()), &Some(member.index()))?;
    }
    let names = || naive.members.iter().map(|member| &member.name[..]);
    let first = first_of(names());
    // Some of the names in large archives, since a lookup without sorted names takes time in proportion to their number.
    for name in names().step_by(1 + naive.members.len() / 1000) {
        let found = archive.by_name(name).map(|found| found.index());
        equal("member by name", &found, &first.get(name).copied())?;
    }
    // A name that is unlikely to exist.
    let other = b"no such member";
    equal("unknown name", &archive.by_name(other).map(|found| found.index()), &first.get(&other[..]).copied())
}

/// Returns the number of the first element with each name.
fn first_of<'n>(names: impl DoubleEndedIterator<Item = &'n [u8]> + ExactSizeIterator) -> HashMap<&'n [u8], usize> {
    names.enumerate().rev().map(|(index, name)| (name, index)).collect()
}

fn same_table(table: &Table<'_>, naive: &NaiveTable) -> Result<(), String> {
    equal("sheet name", &table.sheet_name(), &naive.sheet_name.as_deref())?;
    equal("announced fields", &table.sections().announced_fields(), &naive.field_count)?;
    equal("word types", &table.words().iter().collect::<Vec<_>>(), &naive.word_types)?;
    let first = first_of(naive.rows.iter().map(|row| &row.name[..]));
    let archive = Some(table.archive()).filter(Archive::is_sorted);
    let unverified = archive.and_then(|archive| Archive::parse_unverified(archive.source()).ok()?.table().ok());
    for (row, naive_row) in table.rows().zip(&naive.rows) {
        let values: Vec<_> = row.values().map(|(_, value)| plain(value)).collect();
        equal(&format!("row {}", row.name().escape_ascii()), &values, &naive_row.values)?;
        let found = table.by_name(&naive_row.name).map(|row| row.index());
        equal("row by name", &found, &first.get(&naive_row.name[..]).copied())?;
        if let Some(unverified) = &unverified {
            let data = |table: &Table<'_>| table.by_name(&naive_row.name).map(|row| row.data().to_vec());
            equal("unverified row by name", &data(unverified), &data(table))?;
        }
    }
    Ok(())
}

/// Compares a column, in every way to read it, with the values of the naive reader.
fn same_column(table: &Table<'_>, field: &wpd::Field<'_>, naive: &NaiveTable, index: usize) -> Result<(), String> {
    let expected: Vec<_> = naive.rows.iter().map(|row| row.values[index].clone()).collect();
    match field.kind() {
        FieldKind::Int | FieldKind::BitsInt | FieldKind::BitsFixed => {
            by_every_way(table, field, &expected, 0_i32, NaiveValue::I32)
        }
        FieldKind::Uint | FieldKind::BitsUint | FieldKind::Raw => {
            by_every_way(table, field, &expected, 0_u32, NaiveValue::U32)
        }
        FieldKind::Float => by_every_way(table, field, &expected, 0_f32, |value| NaiveValue::F32(value.to_bits())),
        FieldKind::Uint64 => by_every_way(table, field, &expected, 0_u64, NaiveValue::U64),
        FieldKind::String => {
            let text = |value: Option<&[u8]>| NaiveValue::Text(value.map(<[u8]>::to_vec));
            by_every_way(table, field, &expected, None, text)?;
            let or_empty: Vec<_> = expected.iter().map(|value| NaiveValue::Text(Some(text_of(value)))).collect();
            by_every_way(table, field, &or_empty, &[][..], |value: &[u8]| NaiveValue::Text(Some(value.to_vec())))
        }
        FieldKind::Element => {
            let none = Element { index: 0, text: None };
            by_every_way(table, field, &expected, none, |value: Element<'_>| {
                NaiveValue::Text(value.text.map(<[u8]>::to_vec))
            })
        }
        kind => Err(format!("a kind that this comparison does not know: {kind:?}")),
    }
}

fn text_of(value: &NaiveValue) -> Vec<u8> {
    match value {
        NaiveValue::Text(Some(text)) => text.clone(),
        _ => Vec::new(),
    }
}

fn by_every_way<'t, 'a, T: ColumnType<'a>>(
    table: &'t Table<'a>,
    field: &wpd::Field<'_>,
    expected: &Vec<NaiveValue>,
    blank: T,
    plain: impl Fn(T) -> NaiveValue,
) -> Result<(), String> {
    let name = std::str::from_utf8(field.name()).unwrap_or("");
    // A name that is not text cannot be looked up, and looking up each of 65,536 names takes too long.
    let column: Column<'t, 'a, T> = if name.is_empty() || table.fields().len() > 1000 {
        table.column_of(field).ok_or("the field has another type")?
    } else {
        table.column(name).map_err(|error| error.to_string())?
    };
    let mut by_next = Vec::new();
    for value in column.iter() {
        by_next.push(plain(value));
    }
    equal("next", &by_next, expected)?;
    equal("fold", &column.iter().map(&plain).collect::<Vec<_>>(), expected)?;
    let by_number = (0..column.len()).filter_map(|row| column.get(row)).map(&plain).collect::<Vec<_>>();
    equal("get", &by_number, expected)?;
    equal("get past the end", &column.get(column.len()).is_none(), &true)?;
    let mut copied = vec![blank; expected.len() + 1];
    equal("copy_to", &column.copy_to(&mut copied), &expected.len())?;
    equal("copied", &copied[..expected.len()].iter().map(|&value| plain(value)).collect::<Vec<_>>(), expected)
}

fn plain(value: Value<'_>) -> NaiveValue {
    match value {
        Value::I32(value) => NaiveValue::I32(value),
        Value::U32(value) => NaiveValue::U32(value),
        Value::F32(value) => NaiveValue::F32(value.to_bits()),
        Value::U64(value) => NaiveValue::U64(value),
        Value::Text(text) => NaiveValue::Text(text.map(<[u8]>::to_vec)),
    }
}

/// Reads every value of a table row by row, and returns a digest of all of them.
pub fn visit(table: &Table<'_>) -> u64 {
    let value = |value: Value<'_>| match value {
        Value::I32(value) => u64::from(value.cast_unsigned()),
        Value::U32(value) => value.into(),
        Value::F32(value) => value.to_bits().into(),
        Value::U64(value) => value,
        Value::Text(text) => text.map_or(1, |text| text.iter().map(|&byte| u64::from(byte)).sum()),
    };
    let row =
        |row: Row<'_, '_>| row.values().fold(row.name().len() as u64, |all, (_, one)| all.wrapping_add(value(one)));
    table.rows().map(row).fold(0, u64::wrapping_add)
}
