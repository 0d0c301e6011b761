//! The outputs of tables, and the members of archives.

use worldview_core::Source;
use worldview_inspect::{self as inspect, Root, json, text, utf8};
use worldview_wpd::{Archive, ArchiveDescription, Member, Table};

use super::{ARCHIVE, Fill, MEMBERS, Options, Origin, Output, OutputKind, Sink};
use crate::names::{Taken, file_name};
use crate::table;

/// Passes the outputs of a table to a sink. `inside` are the names of the archives around it, joined by `/`.
pub fn table(table: &Table<'_>, inside: &str, kinds: &[OutputKind], options: &Options<'_>, sink: &mut dyn Sink) {
    let root = Root::new("wdb", table.archive().source(), table);
    let full = inspect::Options { full: true, ..inspect::Options::default() };
    // The arrays are those of all records.
    let has_arrays = !table.string_arrays().is_empty() && options.selection.rows.is_none();
    let schema = table::schema_name(table).map(str::to_owned);
    let from = Origin { schema, ..origin(inside, table.archive().source()) };
    let raw = table.sheet_name().unwrap_or_default();
    for kind in OutputKind::sorted(kinds) {
        let mut put = |name: &str, fill: Fill<'_>| {
            if has_arrays || !name.starts_with("arrays") {
                sink.one(Output::new(kind, name, "table", from.clone()).called(raw, utf8(raw)), fill);
            }
        };
        match kind {
            #[cfg(feature = "csv")]
            OutputKind::Csv => {
                let style = options.csv;
                put("records.csv", &mut |out| {
                    style.write(out, |out| table::csv::records(table, &options.selection, out))
                });
                put("arrays.csv", &mut |out| style.write(out, |out| table::csv::arrays(table, out)));
            }
            #[cfg(feature = "xlsx")]
            OutputKind::Xlsx => put("table.xlsx", &mut |out| {
                let mut book = crate::xlsx::Workbook::new();
                book.records("records", table, &options.selection)?;
                if has_arrays {
                    book.arrays("arrays", table)?;
                }
                book.write(out)
            }),
            #[cfg(feature = "json")]
            OutputKind::Ndjson => {
                put("records.ndjson", &mut |out| table::json::records(table, &options.selection, out));
                put("arrays.ndjson", &mut |out| table::json::arrays(table, out));
            }
            #[cfg(feature = "parquet")]
            OutputKind::Parquet => {
                put("records.parquet", &mut |out| table::parquet::records(table, &options.selection, out));
                put("arrays.parquet", &mut |out| table::parquet::arrays(table, out));
            }
            #[cfg(feature = "arrow")]
            OutputKind::Arrow => {
                put("records.arrow", &mut |out| table::arrow::records(table, &options.selection, out));
                put("arrays.arrow", &mut |out| table::arrow::arrays(table, out));
            }
            OutputKind::Json => put("table.json", &mut |out| Ok(json::write(&root, &full, out)?)),
            OutputKind::Text => put("table.txt", &mut |out| Ok(text::write(&root, &full, out)?)),
            // Of other assets, or of features that are off.
            _ => {}
        }
    }
}

/// Passes the members of an archive that `wants` selects to a sink, and what they lack: order, names, extensions and offsets.
/// `inside` are the names of the archives around it, joined by `/`.
pub fn archive(archive: &Archive<'_>, inside: &str, wants: &dyn Fn(&Member<'_>) -> bool, sink: &mut dyn Sink) {
    let kind = OutputKind::Members;
    let described = ArchiveDescription::new(archive).max_depth(0);
    let root = Root::new("wpd", archive.source(), &described);
    let output = Output::new(kind, ARCHIVE, "archive", origin(inside, archive.source()));
    let mut goes_on = sink.one(output, &mut |out| Ok(json::write(&root, &inspect::Options::default(), out)?));
    let mut taken = Taken::default();
    for member in archive.members() {
        if !goes_on {
            return;
        }
        // Members that are not selected are also assigned file names, so that the names of the others do not depend on
        // the selection.
        let name = format!("{MEMBERS}/{}", taken.take(file_name(&member.label())));
        if !wants(&member) {
            continue;
        }
        let from = Origin { index: Some(member.index()), ..origin(inside, member.source()) };
        let output = Output::new(kind, name, "member", from).called(member.label(), table::label(&member));
        let output = Output { size: member.source().len(), ..output };
        goes_on = sink.one(output, &mut |out| Ok(out.write_all(member.data())?));
    }
}

/// Returns where a part of the file is.
fn origin(inside: &str, source: Source<'_>) -> Origin {
    Origin { inside: inside.to_owned(), offset: source.base(), length: Some(source.len()), ..Origin::default() }
}
