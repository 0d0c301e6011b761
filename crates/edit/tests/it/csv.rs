//! Edited CSV: what an editor or a spreadsheet changes in meaning becomes a change, and nothing else does.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{Shape, edge_cases, schema_cases, small_table, table as large_table};
use worldview_corpus::samples;
use worldview_edit::plan::csv::{Options, records};
use worldview_edit::{Change, Changes, wpd};
use worldview_export::csv::CsvStyle;
use worldview_export::table::{Selection, csv};
use worldview_wpd::Table;

/// The CSV of a table, as `export` writes it; none if its text exceeds the bounds of an export.
fn export(table: &Table<'_>, style: CsvStyle, sheet: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    style.write(&mut out, |out| csv::records(table, &Selection::ALL.sheet(sheet), out)).ok()?;
    Some(out)
}

/// Every table of the corpus: samples, all generations, odd ones.
fn tables() -> Vec<(String, Vec<u8>)> {
    let small = (0..200).map(|seed| (format!("seed {seed}"), build_table(&small_table(seed)).bytes));
    let shapes = (0..).zip(Shape::all()).flat_map(|(seed, shape)| {
        let named = shape.clone().embedded();
        [shape, named].map(|shape| (format!("shape {seed}"), large_table(seed, 1 << 15, &shape)))
    });
    let samples = samples().into_iter().map(|(name, file)| (name.to_owned(), file));
    let schemas = schema_cases().into_iter().map(|(name, file, _)| (name, file));
    small.chain(shapes).chain(samples).chain(edge_cases()).chain(schemas).collect()
}

/// Rows and cells of CSV with commas, by a reader that shares nothing with ours.
fn cells(csv: &[u8]) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// A number as a spreadsheet shows it, if a cell is one.
fn shown(cell: &str) -> String {
    let is_number = cell.starts_with(|char: char| char.is_ascii_digit() || char == '-')
        && cell.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'e' | b'E'));
    match cell.parse::<f64>().ok().filter(|number| is_number && number.is_finite()) {
        // Fifteen digits, and an exponent for what is long.
        Some(number) if number != 0.0 && !(1e-5..1e15).contains(&number.abs()) => {
            let text = format!("{number:.14E}");
            let (mantissa, exponent) = text.split_once('E').unwrap();
            let exponent: i32 = exponent.parse().unwrap();
            format!("{}E{exponent:+03}", mantissa.trim_end_matches('0').trim_end_matches('.'))
        }
        Some(number) => number.to_string(),
        None => cell.to_owned(),
    }
}

/// A sheet as a spreadsheet saves it that was set to another separator: other quotes and line breaks, numbers in its own form, and
/// without empty cells at the end of rows.
fn saved(csv: &[u8], separator: char, drops: bool) -> String {
    let mut out = String::new();
    for mut row in cells(csv) {
        while drops && row.len() > 1 && row.last().is_some_and(String::is_empty) {
            row.pop();
        }
        for (nth, cell) in row.iter().enumerate() {
            let text = shown(cell).replace("\r\n", "\n").replace('\r', "\n");
            out.extend((nth > 0).then_some(separator));
            let is_quoted = text != *cell || text.contains([separator, '"', '\n']) || nth == 0;
            let text = if is_quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text };
            out.push_str(&text);
        }
        out.push_str("\r\n");
    }
    out
}

#[test]
fn what_was_not_edited_is_no_change() {
    let mut count = 0;
    for (name, file) in tables() {
        let Ok(table) = Table::parse(&file) else { continue };
        for style in [CsvStyle::default(), CsvStyle::default().safe(true).bom(true)] {
            let Some(csv) = export(&table, style, count % 2 == 0) else { continue };
            let options = Options::default().safe(style.safe);
            let changes = records(&table, &csv, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(changes, Changes::new(), "{name}");
            for (separator, drops) in [(',', false), (';', true), ('\t', true)] {
                let csv = saved(csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&csv), separator, drops);
                let changes =
                    records(&table, csv.as_bytes(), &options).unwrap_or_else(|error| panic!("{name}: {error}\n{csv}"));
                assert_eq!(changes, Changes::new(), "{name} {csv}");
            }
            count += 1;
        }
    }
    assert!(count > 400, "{count} sheets");
}
