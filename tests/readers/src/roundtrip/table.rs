//! Archives and tables.

use arbitrary::Arbitrary;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, PoolSpec, RowSpec, TableSpec};
use worldview_corpus::trial::Trial;
use worldview_wpd::{Archive, Schema, TableOptions, Value};

use super::RULE;
use crate::holds;

pub(super) fn archive(mut spec: ArchiveSpec) {
    let alignments = [&mut spec.align, &mut spec.first_align];
    alignments.into_iter().chain(spec.members.iter_mut().map(|member| &mut member.slot)).for_each(|size| *size %= 256);
    let file = build_archive(&spec).bytes;
    holds(crate::wpd::archives_agree(&file));
    holds(crate::wpd::lossy_keeps_its_word(&file));
    let found = Archive::parse(&file).map(|archive| {
        archive
            .members()
            .map(|found| (found.name().to_vec(), found.extension().to_vec(), found.data().to_vec()))
            .collect()
    });
    // A name has up to 16 bytes and an extension up to 8, each ending at its first NUL.
    let field = |text: &[u8], size| text.iter().copied().take(size).take_while(|&byte| byte != 0).collect();
    let expected: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)> = spec
        .members
        .iter()
        .map(|member| (field(&member.name, 16), field(&member.extension, 8), member.data.clone()))
        .collect();
    assert_eq!(found, Ok(expected));
}

/// A table: the letter and width of each field, and for each record a name and the numbers that its values are made
/// from.
#[derive(Arbitrary, Debug)]
pub(super) struct Plan {
    generation: Generation,
    fields: Vec<(u8, u8)>,
    rows: Vec<(Vec<u8>, Vec<u64>)>,
    sheet: Option<Vec<u8>>,
    version: u32,
    leading_nul: bool,
    share_tails: bool,
    empties: u8,
    align: u8,
}

/// Strings that share tails, are empty, or are not valid text.
const TEXTS: [&[u8]; 8] =
    [b"", b"lamp_m300", b"m300", b"0", b"\xE7\x81\xAB", b"\xFF\xFE", b"a, \"b\"", b"$key_000_005h"];

pub(super) fn described(plan: Plan) {
    let with_names = matches!(plan.generation, Generation::G3 | Generation::G3Prime);
    let mut spec = TableSpec::new(plan.generation, &[]);
    spec.fields = fields(&plan, with_names);
    if with_names {
        spec.sheet_name = plan.sheet.map(|name| name.into_iter().filter(|&byte| byte != 0).take(40).collect());
    }
    if plan.generation != Generation::G0 {
        spec.version = Some(plan.version);
    }
    let empties = usize::from(plan.empties % 4);
    spec.pool =
        PoolSpec { leading_nul: plan.leading_nul, share_tails: plan.share_tails, empties, ..PoolSpec::default() };
    spec.align = usize::from(plan.align);
    for (name, numbers) in plan.rows.into_iter().take(60) {
        // The prefix keeps a record name from being empty or equal to that of a section.
        let letters = name.iter().take(14).map(|&byte| b'a' + byte % 26);
        let name = std::iter::once(b'r').chain(letters).collect();
        let number = |at: usize| {
            numbers
                .get(at % numbers.len().max(1))
                .map_or(0, |number| number.rotate_left(u32::try_from(at % 64).unwrap_or(0)))
        };
        let values = spec.fields.iter().enumerate().map(|(at, field)| cell(field, number(at))).collect();
        spec.rows.push(RowSpec { name, values, data: None });
    }
    table(&spec);
}

fn fields(plan: &Plan, with_names: bool) -> Vec<String> {
    let one_word_a_field = matches!(plan.generation, Generation::G0 | Generation::G1);
    let mut fields: Vec<String> = Vec::new();
    for &(letter, width) in plan.fields.iter().take(40) {
        let letter = char::from(b"iufs"[usize::from(letter % 4)]);
        // Only tables with embedded names have indices into string arrays.
        let is_full = one_word_a_field || (letter == 's' && !with_names);
        let width = if is_full { 0 } else { width % 33 };
        let width = if width == 0 { String::new() } else { width.to_string() };
        fields.push(format!("{letter}{width}Field{}", fields.len()));
    }
    if plan.fields.first().is_none_or(|field| field.0 > 200) {
        fields.push("u64Last".into());
    }
    fields
}

/// Returns a value that the field can hold.
fn cell(field: &str, number: u64) -> CellSpec {
    let digits: String = field[1..].chars().take_while(char::is_ascii_digit).collect();
    let width: u32 = digits.parse().unwrap_or(0);
    let bits = if width == 0 { 32 } else { width };
    let low = (number & (u64::MAX >> (64 - bits))).cast_signed();
    let text = |count: u64| CellSpec::Text(TEXTS[usize::try_from(number % count).unwrap_or(0)].to_vec());
    match (&field[..1], width) {
        ("u", 64) => CellSpec::Int(number.cast_signed()),
        ("u", _) => CellSpec::Int(low),
        ("f", 0) => CellSpec::Float(u32::try_from(number & 0xFFFF_FFFF).unwrap_or(0)),
        ("s", 0) => text(8),
        // A field cannot refer to more strings than it has indices.
        ("s", width) => text(1 << width.min(3)),
        _ => CellSpec::Int(low - ((low >> (bits - 1)) << bits)),
    }
}

/// Builds a table, which both readers must read alike, with everything that the description says.
///
/// # Panics
///
/// Panics on the first difference.
pub fn table(spec: &TableSpec) {
    let file = build_table(spec).bytes;
    let _trial = Trial::new(RULE, "a table", &file);
    let names: Vec<&str> = spec.fields.iter().map(String::as_str).collect();
    holds(crate::wpd::tables_agree(&file, Some(&names)));
    holds(crate::wpd::lossy_keeps_its_word(&file));
    let schema = Schema::new("described", spec.fields.iter().cloned());
    let table = Archive::parse(&file).and_then(|archive| TableOptions::new().schema(&schema).table(archive));
    let table = match table {
        Ok(table) => table,
        Err(error) => return assert_eq!(Some(error), None, "a described table fails to open"),
    };
    let found: Vec<_> = table.fields().iter().map(|field| String::from_utf8_lossy(field.name()).into_owned()).collect();
    assert_eq!(found, spec.fields);
    assert_eq!((table.sheet_name(), table.layout_version()), (spec.sheet_name.as_deref(), spec.version));
    let mut rows: Vec<_> = spec.rows.iter().collect();
    rows.sort_by_key(|row| &row.name);
    assert_eq!(table.len(), rows.len());
    for (found, row) in table.rows().zip(rows) {
        assert_eq!(found.name(), row.name);
        for ((field, value), cell) in found.values().zip(&row.values) {
            let is_same = match (value, cell) {
                (Value::I32(value), CellSpec::Int(cell)) => i64::from(value) == *cell,
                (Value::U32(value), CellSpec::Int(cell)) => i64::from(value) == *cell,
                (Value::U64(value), CellSpec::Int(cell)) => value == cell.cast_unsigned(),
                (Value::F32(value), CellSpec::Float(cell)) => value.to_bits() == *cell,
                (Value::Text(value), CellSpec::Text(cell)) => value == Some(cell),
                _ => false,
            };
            assert!(is_same, "{}: {value:?} is not {cell:?}", field.name().escape_ascii());
        }
    }
}
