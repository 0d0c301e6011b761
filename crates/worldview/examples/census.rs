//! Counts the files in a folder by kind: `cargo run -p worldview --example census -- FOLDER`
use std::collections::BTreeMap;

use worldview::bulk::{self, Bulk, BulkError};
use worldview::{Asset, Loader, OpenError, Opened};

fn main() {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "samples".into());
    let mut counts: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    let look = |_: &bulk::FilePart, opened: &Opened<'_>| {
        let parts = match &opened.asset {
            Asset::Level(level, _) => level.planes().len(),
            Asset::Table(table) => table.len(),
            Asset::Archive(archive) => archive.members().len(),
            Asset::Database(database) => database.blobs().len(),
            _ => 0,
        };
        (opened.kind().name(), parts)
    };
    // Reading files is safe. `unsafe { Loader::mmap() }` maps large ones, if nobody changes them meanwhile.
    let done = Bulk::new(Loader::read()).each(bulk::walk(folder), look, |item, result| match result {
        Ok((kind, parts)) => {
            let (files, sum) = counts.entry(kind).or_default();
            (*files, *sum) = (files.saturating_add(1), sum.saturating_add(parts));
        }
        Err(BulkError::Open(OpenError::Unknown)) => {} // not a known format
        Err(error) => eprintln!("{item}: {error}"),
    });
    for (kind, (count, parts)) in counts {
        println!("{count} of kind {kind}, with {parts} planes, records, members or blobs");
    }
    println!("{} files, {} bytes", done.files, done.bytes);
}
