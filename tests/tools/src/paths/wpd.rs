use worldview::wpd::{Archive, Nesting, Table, TableOptions, check_archive, check_table};
use worldview::{OffsetBase, Options as OpenOptions, Source, Walk, open};
use worldview_export::Result;
use worldview_export::table::{self, Selection};
use worldview_inspect::{Options, Root, json, text};

use super::{Each, Only, Tally};

pub(super) fn all(bytes: &[u8], each: Each<'_>) {
    let source = Source::new(bytes, OffsetBase::File);
    each("wpd parse", &mut |tally| tally.end(Archive::parse(bytes).map(drop)));
    each("wpd recover", &mut |tally| {
        let mut copy = Vec::new();
        let recovered = Archive::recover_in(bytes, &mut copy, &mut |_| tally.items += 1).map(drop);
        tally.end(recovered);
    });
    let mut parsed = None;
    each("wpd parse_lossy", &mut |tally| parsed = Archive::parse_lossy(source, &mut |_| tally.item()).ok());
    let Some(archive) = &parsed else { return };
    each("wpd open", &mut |tally| {
        for lossy in [true, false] {
            let (options, mut image) = (OpenOptions { lossy, ..OpenOptions::new() }, Vec::new());
            let opened = open(bytes, "table.wdb", &mut image, &options);
            tally.item();
            let Ok(opened) = &opened else { continue };
            let (mut walk, mut image) = (Walk::new(&opened.asset, opened.at, &options), Vec::new());
            while walk.next(&mut image).is_some() {
                tally.item();
            }
        }
    });
    if archive.is_table() {
        each("wpd table", &mut |tally| tally.end(Table::parse(bytes).map(drop)));
        let mut table = None;
        each("wpd table_lossy", &mut |tally| {
            table = TableOptions::new().table_lossy(*archive, &mut |_| tally.item()).ok();
        });
        if let Some(table) = &table {
            tables(bytes, table, each);
        }
        return;
    }
    archives(source, archive, each);
}

fn archives(source: Source<'_>, archive: &Archive<'_>, each: Each<'_>) {
    each("wpd nesting", &mut |tally| {
        let mut nesting = Nesting::new(archive);
        let entered = enter(&mut nesting, archive, 0, tally);
        tally.end(entered);
    });
    each("wpd check", &mut |tally| check_archive(archive, &mut |_| tally.item()));
    let root = Root::new("wpd", source, archive);
    let names = ["wpd find", "wpd diff", "wpd text", "wpd text full", "wpd json", "wpd json full"];
    super::inspect(names, &root, source.bytes().len(), each);
    each("wpd diff another", &mut |tally| {
        let other = changed(source.bytes(), archive.entries().len());
        let source = Source::new(&other, OffsetBase::File);
        let Ok(right) = Archive::parse_lossy(source, &mut |_| {}) else { return };
        super::compare(&root, &Root::new("wpd", source, &right), tally);
    });
}

/// Enters all archives in an archive.
pub(crate) fn enter(
    nesting: &mut Nesting,
    archive: &Archive<'_>,
    depth: u32,
    tally: &mut Tally,
) -> worldview::Result<()> {
    for member in archive.members() {
        tally.item();
        if let Some(inner) = nesting.enter(&member, depth, &mut |_| {})? {
            enter(nesting, &inner, depth + 1, tally)?;
        }
    }
    Ok(())
}

/// Returns the same file with changed bytes after its directory.
fn changed(bytes: &[u8], entries: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.iter_mut().skip(16 + 32 * entries).step_by(5).for_each(|byte| *byte ^= 1);
    bytes
}

/// Reads all values. It stops once they outnumber the bytes, since the rest then overlaps.
pub(crate) fn look(bytes: &[u8], table: &Table<'_>, tally: &mut Tally) {
    let most = bytes.len() as u64;
    for row in table.rows() {
        tally.items += row.values().count() as u64;
        if tally.items > most {
            return;
        }
    }
}

pub(crate) fn tables(bytes: &[u8], table: &Table<'_>, each: Each<'_>) {
    each("wdb look", &mut |tally| look(bytes, table, tally));
    each("wdb check", &mut |tally| check_table(table, &mut |_| tally.item()));
    let root = Root::new("wdb", table.archive().source(), table);
    let names = ["wdb find", "wdb diff", "wdb text", "wdb text full", "wdb json", "wdb json full"];
    super::inspect(names, &root, bytes.len(), each);
    each("wdb diff another", &mut |tally| {
        let other = changed(bytes, table.archive().entries().len());
        let source = Source::new(&other, OffsetBase::File);
        let Ok(right) = Archive::parse_lossy(source, &mut |_| {}) else { return };
        let Ok(right) = TableOptions::new().table_lossy(right, &mut |_| {}) else { return };
        super::compare(&root, &Root::new("wdb", source, &right), tally);
    });
    let plan = Options { select: &Only("fields"), ..Options::default() };
    super::write("wdb plan.txt", each, &|out| text::write(&root, &plan, out));
    super::write("wdb plan.json", each, &|out| json::write(&root, &plan, out));
    if !table.string_arrays().is_empty() {
        let arrays = Options { full: true, select: &Only("string_arrays"), ..Options::default() };
        super::write("wdb arrays.txt", each, &|out| text::write(&root, &arrays, out));
    }
    let mut write = |name, write: &dyn Fn(&mut Tally) -> Result<()>| {
        each(name, &mut |tally| {
            let written = write(tally);
            tally.end(written);
        });
    };
    let all = Selection::ALL;
    write("wdb schema", &|out| table::schema_file(table, out));
    write("wdb ndjson", &|out| table::json::records(table, &all, out));
    write("wdb csv", &|out| table::csv::records(table, &all, out));
    #[cfg(feature = "columns")]
    write("wdb arrow", &|out| table::arrow::records(table, &all, out));
    #[cfg(feature = "columns")]
    write("wdb parquet", &|out| table::parquet::records(table, &all, out));
    if !table.string_arrays().is_empty() {
        write("wdb arrays.ndjson", &|out| table::json::arrays(table, out));
        write("wdb arrays.csv", &|out| table::csv::arrays(table, out));
        #[cfg(feature = "columns")]
        write("wdb arrays.arrow", &|out| table::arrow::arrays(table, out));
        #[cfg(feature = "columns")]
        write("wdb arrays.parquet", &|out| table::parquet::arrays(table, out));
    }
}
