use std::collections::HashSet;

use worldview_core::{Budget, Limit};
use worldview_wpd::{Field, Names, Row, Table, Value, WordTypes};

use super::pairs::Pairs;
use super::report::{Report, floats};
use super::{Side, archive};
use crate::Result;
use crate::place::{Quoted, Short};
use crate::wdb::write::{byte_cost, utf8};

/// The sections whose meaning is compared, and not their bytes.
const KNOWN: &[&[u8]] = &[
    b"!!string",
    b"!!typelist",
    b"!!strtypelist",
    b"!!strtypelistb",
    b"!!version",
    b"!!sheetname",
    b"!!strArray",
    b"!!strArrayInfo",
    b"!!strArrayList",
    b"!structitem",
    b"!structitemnum",
    b"__string",
    b"__typelist",
];

/// What is compared of two records.
enum Column<'t, 'l, 'r> {
    /// A field that both tables have.
    Fields(&'t Field<'l>, &'t Field<'r>),
    /// A word of one type, where the fields of one of the tables have no names.
    Word(usize, u32),
}

/// Compares two tables.
pub(super) fn compare(left: &Table<'_>, right: &Table<'_>, report: &mut Report<'_>) -> Result<()> {
    if left.archive().source().bytes() == right.archive().source().bytes() && left.fields() == right.fields() {
        return Ok(());
    }
    report.within(format_args!("table"), |report| about(left, right, report));
    let columns =
        if is_named(left) == is_named(right) { fields(left, right, report) } else { words(left, right, report) };
    sections(left, right, report)?;
    records(left, right, &columns, report)
}

fn is_named(table: &Table<'_>) -> bool {
    table.names() != Names::Generated
}

fn about(left: &Table<'_>, right: &Table<'_>, report: &mut Report<'_>) {
    archive::header(&left.archive(), &right.archive(), report);
    report.value("generation", left.generation().name(), right.generation().name());
    let version = |table: &Table<'_>| table.layout_version().map_or("none".into(), |version| format!("{version:#x}"));
    report.value("version", version(left), version(right));
    match (left.sheet_name(), right.sheet_name()) {
        (Some(left), Some(right)) => report.utf8("sheet_name", left, right),
        (None, None) => {}
        (left, right) => {
            let shown = |name: Option<&[u8]>| name.map_or("none".into(), |name| Quoted(&utf8(name)).to_string());
            report.value("sheet_name", shown(left), shown(right));
        }
    }
}

/// Compares the fields; gives those whose values can be compared.
fn fields<'t, 'l, 'r>(left: &'t Table<'l>, right: &'t Table<'r>, report: &mut Report<'_>) -> Vec<Column<'t, 'l, 'r>> {
    let (left, right) = (left.fields(), right.fields());
    let mut pairs = Pairs::new(left.len(), right.len());
    pairs.by(|index| Some(left[index].name()), |index| Some(right[index].name()));
    let mut columns = Vec::new();
    for pair in pairs.iter() {
        match pair {
            (Some(first), Some(second)) => {
                let (first, second) = (&left[first], &right[second]);
                if (first.kind(), first.width()) != (second.kind(), second.width()) {
                    report.within(format_args!("{}", shown(first)), |report| {
                        report.value("kind", first.kind().name(), second.kind().name());
                        report.value("width", first.width(), second.width());
                    });
                }
                if first.kind().value_type() == second.kind().value_type() {
                    columns.push(Column::Fields(first, second));
                }
            }
            (Some(first), None) => {
                report.removed(format_args!("{}", shown(&left[first])), Some(&summary(&left[first])))
            }
            (None, Some(second)) => {
                report.added(format_args!("{}", shown(&right[second])), Some(&summary(&right[second])));
            }
            (None, None) => {}
        }
    }
    report.order("fields", &pairs, |index| shown(&left[index]), |index| shown(&right[index]));
    columns
}

/// A field as part of a place.
fn shown(field: &Field<'_>) -> String {
    format!("field {}", Short(&utf8(field.name())))
}

fn summary(field: &Field<'_>) -> String {
    format!("{}, {} bits", field.kind().name(), field.width())
}

/// Compares the types of words; gives those that are of one type on both sides.
fn words<'t, 'l, 'r>(left: &Table<'_>, right: &Table<'_>, report: &mut Report<'_>) -> Vec<Column<'t, 'l, 'r>> {
    let (left, right) = (left.words(), right.words());
    let name = |kind: Option<u32>| match kind {
        Some(WordTypes::BITS) => "bits".into(),
        Some(WordTypes::FLOAT) => "float".into(),
        Some(WordTypes::STRING) => "string".into(),
        Some(WordTypes::UINT) => "uint".into(),
        Some(other) => other.to_string(),
        None => "none".into(),
    };
    report.within(format_args!("table"), |report| report.value("words", left.len(), right.len()));
    let mut columns = Vec::new();
    for word in 0..left.len().min(right.len()) {
        match (left.get(word), right.get(word)) {
            (Some(first), Some(second)) if first == second => columns.push(Column::Word(word, first)),
            (first, second) => {
                report.within(format_args!("word {word}"), |report| report.value("type", name(first), name(second)));
            }
        }
    }
    columns
}

/// Compares the sections that nobody knows.
fn sections(left: &Table<'_>, right: &Table<'_>, report: &mut Report<'_>) -> Result<()> {
    let known: HashSet<&[u8]> = KNOWN.iter().copied().collect();
    let is_one = |table: &Table<'_>, member: &worldview_wpd::Member<'_>| {
        table.is_section(member.entry()) && !known.contains(member.name())
    };
    let of_left: Vec<_> = left.archive().members().filter(|member| is_one(left, member)).collect();
    let of_right: Vec<_> = right.archive().members().filter(|member| is_one(right, member)).collect();
    let mut budget = archive::budget(&left.archive(), &right.archive());
    archive::members((&of_left, &of_right), "section", report, &mut |left, right, report| {
        archive::data(left, right, &mut budget, report)
    })
}

/// Compares the records, and their values.
fn records(left: &Table<'_>, right: &Table<'_>, columns: &[Column<'_, '_, '_>], report: &mut Report<'_>) -> Result<()> {
    let of_left: Vec<_> = left.rows().map(|row| row.name()).collect();
    let of_right: Vec<_> = right.rows().map(|row| row.name()).collect();
    let mut pairs = Pairs::new(of_left.len(), of_right.len());
    pairs.by(|index| Some(of_left[index]), |index| Some(of_right[index]));
    let (first, second) = (left.archive().source(), right.archive().source());
    let both = first.len().saturating_add(second.len());
    let mut bytes = archive::budget(&left.archive(), &right.archive());
    // As an export has it: references to few strings are many in sane tables.
    let limit = both.saturating_mul(16).saturating_add(16 << 20);
    let mut strings = Budget::new(limit, Limit::Work, "comparison of strings that are referred to again and again");
    let byte = byte_cost(left).max(byte_cost(right));
    let place = |index: usize, name: &[u8]| format!("record {index} {}", Short(&utf8(name)));
    for pair in pairs.iter() {
        match pair {
            (Some(one), Some(other)) => {
                let (Some(row), Some(against)) = (left.row_at(one), right.row_at(other)) else { continue };
                let size = row.data().len().saturating_add(against.data().len()) as u64;
                bytes.spend(size, first.base(), first.space())?;
                let mut spend =
                    |bytes: u64| Ok(strings.spend(bytes.saturating_mul(byte), first.base(), first.space())?);
                record((left, &row), (right, &against), columns, &mut spend, report)?;
            }
            (Some(one), None) => report.removed(format_args!("{}", place(one, of_left[one])), None),
            (None, Some(other)) => report.added(format_args!("{}", place(other, of_right[other])), None),
            (None, None) => {}
        }
    }
    report.order("records", &pairs, |index| place(index, of_left[index]), |index| place(index, of_right[index]));
    Ok(())
}

fn record(
    (left_table, left): (&Table<'_>, &Row<'_, '_>),
    (right_table, right): (&Table<'_>, &Row<'_, '_>),
    columns: &[Column<'_, '_, '_>],
    spend: &mut dyn FnMut(u64) -> Result<()>,
    report: &mut Report<'_>,
) -> Result<()> {
    let within = |report: &mut Report<'_>, say: &mut dyn FnMut(&mut Report<'_>)| {
        report.within(format_args!("record {} {}", left.index(), Short(&utf8(left.name()))), |report| say(report));
    };
    for column in columns {
        let (first, second) = match column {
            Column::Fields(first, second) => (left.value(first), right.value(second)),
            Column::Word(word, kind) => {
                (value(left_table, left, *word, *kind), value(right_table, right, *word, *kind))
            }
        };
        if let (Some(Value::Text(first)), Some(Value::Text(second))) = (first, second) {
            spend((first.map_or(0, <[u8]>::len) + second.map_or(0, <[u8]>::len)) as u64)?;
        }
        if same(first, second) {
            continue;
        }
        let name = match column {
            Column::Fields(field, _) => {
                // Names of usual length are part of what a value takes.
                spend(field.name().len().saturating_sub(64) as u64)?;
                utf8(field.name()).into_owned()
            }
            Column::Word(word, _) => format!("word{word}"),
        };
        within(report, &mut |report| match (first, second) {
            (Some(Value::Text(Some(first))), Some(Value::Text(Some(second)))) => report.utf8(&name, first, second),
            _ => put(&name, first, second, report),
        });
    }
    if left.extra() != right.extra() {
        within(report, &mut |report| {
            report.within(format_args!("extra bytes"), |report| {
                report.bytes(left.extra(), right.extra());
            })
        });
    }
    Ok(())
}

/// The value of a word, by its type.
fn value<'a>(table: &Table<'a>, row: &Row<'_, 'a>, word: usize, kind: u32) -> Option<Value<'a>> {
    let word = row.words().get(word)?.get();
    Some(match kind {
        WordTypes::FLOAT => Value::F32(f32::from_bits(word)),
        WordTypes::STRING => Value::Text(table.strings().get(word)),
        _ => Value::U32(word),
    })
}

/// Whether two values are the same; floats by their bits.
fn same(left: Option<Value<'_>>, right: Option<Value<'_>>) -> bool {
    match (left, right) {
        (Some(Value::F32(left)), Some(Value::F32(right))) => left.to_bits() == right.to_bits(),
        _ => left == right,
    }
}

fn put(name: &str, left: Option<Value<'_>>, right: Option<Value<'_>>, report: &mut Report<'_>) {
    let (mut of_left, mut of_right) = (String::new(), String::new());
    let (left, right) = (side(left, &mut of_left), side(right, &mut of_right));
    report.changed(name, left, right);
}

fn side<'s>(value: Option<Value<'_>>, text: &'s mut String) -> Side<'s> {
    *text = match value {
        None => "none".into(),
        Some(Value::I32(value)) => value.to_string(),
        Some(Value::U32(value)) => value.to_string(),
        Some(Value::U64(value)) => value.to_string(),
        Some(Value::F32(value)) => floats(&[value]),
        Some(Value::Text(None)) => "dangling".into(),
        Some(Value::Text(Some(string))) => {
            *text = utf8(string).into_owned();
            return Side::Text(text);
        }
    };
    Side::Value(text)
}
