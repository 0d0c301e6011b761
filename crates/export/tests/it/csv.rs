//! CSV for spreadsheets.

use std::io::Write as _;

use worldview_export::csv::CsvStyle;

fn written(style: CsvStyle, text: &str, piece: usize) -> String {
    let mut out = style.writer(Vec::new());
    text.as_bytes().chunks(piece).for_each(|piece| out.write_all(piece).unwrap());
    String::from_utf8(out.finish().unwrap()).unwrap()
}

fn cells(csv: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv.as_bytes());
    reader.records().flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn what_a_spreadsheet_would_run_is_text() {
    let safe = CsvStyle::default().safe(true);
    let long = format!("-{}", "1".repeat(100));
    let long_after = format!("\"'{long}\"");
    for (before, after) in [
        ("=1+1", "\"'=1+1\""),
        ("+1+1", "\"'+1+1\""),
        ("-1-1", "\"'-1-1\""),
        ("@SUM(A1)", "\"'@SUM(A1)\""),
        ("\tx", "\"'\tx\""),
        ("'quoted", "\"'\'quoted\""),
        ("\"=HYPERLINK(\"\"x\"\",1)\"", "\"'=HYPERLINK(\"\"x\"\",1)\""),
        ("\"-1,5\"", "\"'-1,5\""),
        ("\"\r=x\"", "\"'\r=x\""),
        ("-Infinity", "\"'-Infinity\""),
        ("-", "\"'-\""),
        ("+", "\"'+\""),
        (&long, &long_after),
        // Numbers, and text that no spreadsheet runs.
        ("-5", "-5"),
        ("-0.25", "-0.25"),
        ("-1e-45", "-1e-45"),
        ("+7", "+7"),
        ("", ""),
        ("\"\"", "\"\""),
        ("\"\"\"=x\"\"\"", "\"\"\"=x\"\"\""),
        ("a=b", "a=b"),
        (" =1", " =1"),
        ("\"a,\n=b\"", "\"a,\n=b\""),
    ] {
        for (start, end) in [("", "\n"), ("", ""), ("a,", ",b\n"), ("\"x\",", "\r\n"), ("h\n", "\n")] {
            for piece in [1, 2, 7, 1000] {
                let found = written(safe, &format!("{start}{before}{end}"), piece);
                assert_eq!(found, format!("{start}{after}{end}"), "{before} {piece}");
            }
        }
    }
}

/// One apostrophe less at the start of a cell is the text again.
#[test]
fn guarded_cells_can_be_read_back() {
    let texts = ["=1", "'=1", "''", "-x", "plain", "\t", "\n", "a\"b", "=\"\"", "-5", "@,"];
    let mut out = Vec::new();
    csv::Writer::from_writer(&mut out).write_record(texts).unwrap();
    let safe = written(CsvStyle::default().safe(true), std::str::from_utf8(&out).unwrap(), 5);
    let back: Vec<_> = cells(&safe).iter().map(|cell| cell.strip_prefix('\'').unwrap_or(cell).to_owned()).collect();
    assert_eq!(back, texts);
}

#[test]
fn the_byte_order_mark_comes_once_and_first() {
    let bom = CsvStyle::default().bom(true);
    assert_eq!(written(bom, "a,=b\nc,d\n", 3), "\u{feff}a,=b\nc,d\n");
    assert_eq!(written(bom.safe(true), "a,=b\n", 1), "\u{feff}a,\"'=b\"\n");
    assert_eq!(written(bom, "", 1), "");
    assert_eq!(written(CsvStyle::default(), "=a\n", 1), "=a\n");
}
