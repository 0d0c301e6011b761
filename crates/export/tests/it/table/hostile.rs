//! Tables whose records, arrays and strings share the same bytes: exports stop with a limit error.

use worldview_core::ErrorKind;
use worldview_corpus::sink::Count;
use worldview_export::table::{self, Selection};
use worldview_export::{Error, Result};
use worldview_wpd::Table;

use super::support::{Data, archive, table};

type Export = fn(&Table<'_>, &mut Count) -> Result<()>;

fn exports() -> Vec<(&'static str, Export)> {
    vec![
        #[cfg(feature = "csv")]
        ("csv", |table, out| table::csv::records(table, &Selection::ALL, out)),
        #[cfg(feature = "json")]
        ("ndjson", |table, out| table::json::records(table, &Selection::ALL, out)),
        #[cfg(feature = "arrow")]
        ("arrow", |table, out| table::arrow::records(table, &Selection::ALL, out)),
        #[cfg(feature = "parquet")]
        ("parquet", |table, out| table::parquet::records(table, &Selection::ALL, out)),
    ]
}

fn array_exports() -> Vec<(&'static str, Export)> {
    vec![
        #[cfg(feature = "csv")]
        ("csv", |table, out| table::csv::arrays(table, out)),
        #[cfg(feature = "json")]
        ("ndjson", |table, out| table::json::arrays(table, out)),
        #[cfg(feature = "arrow")]
        ("arrow", |table, out| table::arrow::arrays(table, out)),
        #[cfg(feature = "parquet")]
        ("parquet", |table, out| table::parquet::arrays(table, out)),
    ]
}

/// Checks that each export stops with a limit error after at most `most` bytes.
#[track_caller]
fn all_stop(exports: Vec<(&'static str, Export)>, bytes: &[u8], most: u64) {
    let table = Table::parse(bytes).unwrap();
    for (name, export) in exports {
        let mut count = Count::default();
        let error = export(&table, &mut count).map_err(|error| match error {
            Error::Format(error) => error.kind,
            other => panic!("{name}: {other}"),
        });
        assert!(matches!(error, Err(ErrorKind::Limit { .. })), "{name}: {error:?} after {}", count.0);
        assert!(count.0 <= most, "{name} wrote {}", count.0);
    }
}

#[test]
fn records_that_are_one() {
    // A record of 4 KiB, 5000 times: 20 MB from a file of 170 KB. No record is written.
    let types = [0; 1024];
    let names: String = (0..1024).map(|index| format!("i{index:c>5}\0")).map(|name| name.replace('c', "x")).collect();
    let records = (0..5000).map(|index| if index == 0 { Data::Own(vec![0; 4096]) } else { Data::Of(0) });
    let bytes = table(b"", &types, &names.replace("i0", "iz0"), records);
    all_stop(exports(), &bytes, 300_000);
}

#[test]
fn strings_that_are_one() {
    // A string of 1 MiB, 200 times.
    let mut pool = vec![b'x'; 1 << 20];
    pool.push(0);
    let bytes = table(&pool, &[2], "sOne\0", (0..200).map(|_| Data::Own(vec![0; 4])));
    all_stop(exports(), &bytes, 40 << 20);
}

#[test]
fn names_that_every_record_repeats() {
    // A field whose name has 1 MiB, and 200 records.
    let name = format!("i{}\0", "x".repeat(1 << 20));
    let bytes = table(b"", &[0], &name, (0..200).map(|_| Data::Own(vec![0; 4])));
    let repeats = |(name, _): &(&str, Export)| *name == "ndjson";
    all_stop(exports().into_iter().filter(repeats).collect(), &bytes, 0);
    let table = Table::parse(&bytes).unwrap();
    for (name, export) in exports().into_iter().filter(|export| !repeats(export)) {
        let mut count = Count::default();
        export(&table, &mut count).unwrap();
        assert!(count.0 < 10 << 20, "{name}");
    }
}

/// A table with `fields` string arrays. Every other one is the whole of an `!!strArray` with `words` words.
fn with_arrays(fields: usize, words: usize, pool: &[u8]) -> Vec<u8> {
    let mut names: String = (0..fields).map(|index| format!("s1a{index}\0")).collect();
    names.pop();
    let starts = (0..fields).flat_map(|index| if index % 2 == 0 { 0 } else { u32::MAX }.to_be_bytes());
    let own = |name: &str, bytes: Vec<u8>| (name.to_owned(), Data::Own(bytes));
    archive(&[
        own("!!strArray", vec![0; 4 * words]),
        own("!!strArrayInfo", vec![0, 0, 2, 16]),
        own("!!strArrayList", starts.collect()),
        own("!!string", pool.to_vec()),
        own("!!strtypelistb", vec![0; fields.div_ceil(32)]),
        own("!structitem", names.into_bytes()),
    ])
}

#[test]
fn arrays_that_are_one() {
    let bytes = with_arrays(1000, 4096, b"a\0");
    assert!(Table::parse(&bytes).unwrap().arrays_refused().is_none());
    all_stop(array_exports(), &bytes, 100 << 20);
}

#[test]
fn elements_that_are_one() {
    let pool = [&[b'x'; 60_000][..], &[0]].concat();
    all_stop(array_exports(), &with_arrays(1, 4096, &pool), 30 << 20);
}

#[test]
fn more_columns_than_anybody_has() {
    let names: String = (0..65_536).map(|index| format!("i{index:_>6}\0")).collect();
    let bytes = table(b"", &[0; 65_536], &names, [Data::Own(vec![1; 4 * 65_536])]);
    let table = Table::parse(&bytes).unwrap();
    let is_columnar = |name: &str| ["arrow", "parquet"].contains(&name);
    for (name, export) in exports().into_iter().filter(|(name, _)| !is_columnar(name)) {
        let mut count = Count::default();
        export(&table, &mut count).unwrap();
        assert!(count.0 < 60 << 20, "{name} wrote {}", count.0);
    }
    // The memory for columns is limited by their number.
    let columnar = || exports().into_iter().filter(|(name, _)| is_columnar(name));
    all_stop(columnar().collect(), &bytes, 0);
    let names: String = (0..4096).map(|index| format!("i{index:_>6}\0")).collect();
    let bytes = self::table(b"", &[0; 4096], &names, [Data::Own(vec![1; 4 * 4096])]);
    let table = Table::parse(&bytes).unwrap();
    for (name, export) in columnar() {
        let mut count = Count::default();
        export(&table, &mut count).unwrap();
        assert!(count.0 > 4 * 4096 && count.0 < 60 * bytes.len() as u64, "{name} wrote {}", count.0);
    }
}

/// A short name for each bit of a record. The output stops before all names have been written.
#[test]
fn bits_that_all_have_a_name() {
    let names: String = (0..32 * 512).map(|index| format!("u1_{index:x}\0")).collect();
    let bytes = table(b"", &[0; 512], &names, (0..200).map(|_| Data::Own(vec![0; 4 * 512])));
    all_stop(exports().into_iter().filter(|(name, _)| *name == "ndjson").collect(), &bytes, 30 << 20);
}

/// Even adding up the lengths of an array's elements would take too long, because they all refer to the same string.
#[test]
fn elements_are_paid_for_one_by_one() {
    let pool = [&vec![b'x'; 4 << 20][..], &[0]].concat();
    // 400,000 elements of four megabytes each.
    all_stop(array_exports(), &with_arrays(1, 200_000, &pool), 160 << 20);
}
