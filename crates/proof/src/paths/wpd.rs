use worldview::wpd::{Archive, Nesting, Table, TableOptions, check_archive, check_table};
use worldview::{Opener, Source, Space};
use worldview_export::diff;
use worldview_export::find::{self, Pattern};
use worldview_export::{Result, wdb};

use super::{Each, Tally};

pub(super) fn all(bytes: &[u8], each: Each<'_>) {
    let source = Source::new(bytes, Space::File);
    each("wpd parse", &mut |tally| tally.end(Archive::parse(bytes).map(drop)));
    each("wpd recover", &mut |tally| {
        let recovered = Archive::recover(source, &mut |_| tally.items += 1).map(drop);
        tally.end(recovered);
    });
    let mut parsed = None;
    each("wpd parse_lossy", &mut |tally| parsed = Archive::parse_lossy(source, &mut |_| tally.item()).ok());
    let Some(archive) = &parsed else { return };
    each("wpd opener", &mut |tally| {
        for lossy in [true, false] {
            Opener::new().lossy(lossy).open(bytes, "table.wdb", &mut Vec::new(), &mut |_| tally.item());
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
    archives(bytes, archive, each);
}

fn archives(bytes: &[u8], archive: &Archive<'_>, each: Each<'_>) {
    each("wpd nesting", &mut |tally| {
        let mut nesting = Nesting::new(archive);
        let entered = enter(&mut nesting, archive, 0, tally);
        tally.end(entered);
    });
    each("wpd check", &mut |tally| check_archive(archive, &mut |_| tally.item()));
    each("wpd find", &mut |tally| {
        let found = find::archive(archive, &Pattern::new("*"), &find::Options::default(), &mut |_| tally.items += 1);
        tally.end(found);
    });
    each("wpd diff", &mut |tally| {
        let differs = diff::archives(archive, archive, &diff::Options::default(), &mut |_| tally.items += 1);
        tally.end(differs);
    });
    each("wpd diff another", &mut |tally| {
        let other = changed(bytes, archive.entries().len());
        let Ok(right) = Archive::parse_lossy(Source::new(&other, Space::File), &mut |_| {}) else { return };
        let differs = diff::archives(archive, &right, &diff::Options::default(), &mut |_| tally.items += 1);
        tally.end(differs);
    });
    each("wpd text", &mut |tally| {
        let written = wdb::text::archive(archive, &mut *tally);
        tally.end(written);
    });
}

fn enter(nesting: &mut Nesting, archive: &Archive<'_>, depth: u32, tally: &mut Tally) -> worldview::Result<()> {
    for member in archive.members() {
        tally.item();
        if let Some(inner) = nesting.enter(&member, depth, &mut |_| {})? {
            enter(nesting, &inner, depth + 1, tally)?;
        }
    }
    Ok(())
}

/// The same file with other bytes behind its directory.
fn changed(bytes: &[u8], entries: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.iter_mut().skip(16 + 32 * entries).step_by(5).for_each(|byte| *byte ^= 1);
    bytes
}

fn tables(bytes: &[u8], table: &Table<'_>, each: Each<'_>) {
    each("wdb look", &mut |tally| {
        let most = bytes.len() as u64;
        for row in table.rows() {
            tally.items += row.values().count() as u64;
            if tally.items > most {
                return;
            }
        }
    });
    each("wdb check", &mut |tally| check_table(table, &mut |_| tally.item()));
    each("wdb find", &mut |tally| {
        let found = find::table(table, &Pattern::new("*"), &mut |_| tally.items += 1);
        tally.end(found);
    });
    each("wdb diff", &mut |tally| {
        let differs = diff::tables(table, table, &mut |_| tally.items += 1);
        tally.end(differs);
    });
    each("wdb diff another", &mut |tally| {
        let other = changed(bytes, table.archive().entries().len());
        let Ok(right) = Archive::parse_lossy(Source::new(&other, Space::File), &mut |_| {}) else { return };
        let Ok(right) = TableOptions::new().table_lossy(right, &mut |_| {}) else { return };
        let differs = diff::tables(table, &right, &mut |_| tally.items += 1);
        tally.end(differs);
    });
    let mut write = |name, write: &dyn Fn(&mut Tally) -> Result<()>| {
        each(name, &mut |tally| {
            let written = write(tally);
            tally.end(written);
        });
    };
    let all = wdb::Selection::ALL;
    write("wdb text", &|out| wdb::text::table(table, out));
    write("wdb plan.txt", &|out| wdb::text::plan(table, out));
    write("wdb json", &|out| wdb::json::table(table, &all, out));
    write("wdb plan.json", &|out| wdb::json::plan(table, out));
    write("wdb schema", &|out| wdb::schema_file(table, out));
    write("wdb ndjson", &|out| wdb::json::records(table, &all, out));
    write("wdb csv", &|out| wdb::csv::table(table, &all, out));
    write("wdb arrow", &|out| wdb::arrow::table(table, &all, out));
    write("wdb parquet", &|out| wdb::parquet::table(table, &all, out));
    if !table.string_arrays().is_empty() {
        write("wdb arrays.txt", &|out| wdb::text::arrays(table, out));
        write("wdb arrays.ndjson", &|out| wdb::json::arrays(table, out));
        write("wdb arrays.csv", &|out| wdb::csv::arrays(table, out));
        write("wdb arrays.arrow", &|out| wdb::arrow::arrays(table, out));
        write("wdb arrays.parquet", &|out| wdb::parquet::arrays(table, out));
    }
}
