//! The rows of many files as one stream. `cargo test -p worldview --features arrow` runs this.

use std::error::Error;
use std::sync::{Arc, Mutex};

use worldview::bulk::{self, BatchReader, FilePart};
use worldview::export::arrow::arrow_array::RecordBatchReader as _;
use worldview::export::arrow::arrow_array::cast::AsArray as _;
use worldview::export::arrow::with_file;
use worldview::export::table::arrow::{BatchOptions, TableBatches as _};
use worldview::{Asset, Loader, Opened, Options};

/// Starts to read a folder, and returns the names of the files that fail, too.
fn start(folder: std::path::PathBuf, threads: usize) -> (Option<BatchReader>, Arc<Mutex<Vec<String>>>) {
    let failed = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&failed);
    let rows = |part: &FilePart, opened: &Opened<'_>| {
        let Asset::Table(table) = &opened.asset else { return None };
        assert!(!part.path.ends_with("panics.wdb"), "as asked");
        let file = part.path.file_name().unwrap().to_string_lossy();
        let batches = table.record_batches(&BatchOptions::default().max_rows(7));
        Some(batches.and_then(|batches| with_file(batches, &file).read_all()))
    };
    let failed_part = move |part: &FilePart, error: &(dyn Error + 'static)| {
        let name = part.path.file_name().unwrap().to_string_lossy().into_owned();
        list.lock().unwrap().push(format!("{name}: {error}"));
    };
    (BatchReader::start(bulk::walk(folder), (Loader::read(), Options::new(), threads), None, rows, failed_part), failed)
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn tables_with_the_columns_of_the_first_follow_each_other_and_the_others_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let add = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let items = sample("items.wdb");
    for number in 0..100 {
        add(&format!("{number:03}.wdb"), &items);
    }
    add("007.wdb", &items[..100]);
    add("050.wdb", &sample("bestiary.wdb"));
    add("060.wwd", &sample("harbour.wwd"));
    for threads in [1, 2] {
        let (reader, failed) = start(folder.path().into(), threads);
        let reader = reader.unwrap();
        assert_eq!(reader.schema().field(0).name(), "file");
        let mut files = Vec::new();
        for batch in reader {
            let batch = batch.unwrap();
            assert!(batch.num_rows() <= 7);
            files.extend(batch.column(0).as_string::<i32>().iter().map(|file| file.unwrap().to_owned()));
        }
        let want = (0..100).filter(|number| ![7, 50].contains(number));
        // The sample has 40 records.
        let want = want.flat_map(|number| std::iter::repeat_n(format!("{number:03}.wdb"), 40));
        assert_eq!(files, want.collect::<Vec<_>>());
        let failed = failed.lock().unwrap();
        assert!(failed[0].starts_with("007.wdb: ") && failed.len() == 2, "{failed:?}");
        assert_eq!(failed[1], "050.wdb: the columns differ from those of the first file");
    }
    // Dropped before its end, a reader does not wait for the other files.
    assert_eq!(start(folder.path().into(), 2).0.unwrap().next().unwrap().unwrap().num_rows(), 7);
}

#[test]
fn without_rows_there_is_no_reader_and_a_panic_is_not_an_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("level.wwd"), sample("harbour.wwd")).unwrap();
    assert!(start(folder.path().into(), 1).0.is_none());
    std::fs::write(folder.path().join("items.wdb"), sample("items.wdb")).unwrap();
    std::fs::write(folder.path().join("panics.wdb"), sample("items.wdb")).unwrap();
    let mut reader = start(folder.path().into(), 1).0.unwrap();
    let rows = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reader.by_ref().count()));
    assert!(rows.is_err());
}
