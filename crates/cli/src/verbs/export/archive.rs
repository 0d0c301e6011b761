//! The export of tables and of the members of archives.

use worldview::wpd::{Archive, ArchiveDescription, Table};
use worldview::{Budget, Limit, Source};
use worldview_export::table::{self, Selection, Words};
use worldview_export::utf8;
use worldview_export::xlsx::{Columns, Workbook};
use worldview_inspect::{Options, Root, json, text};

use super::failed_write::report_failed_write;
use crate::args::{ExportArgs, Kind};
use crate::open::Visit;
use crate::outcome::Outcome;
use crate::output::{Fill, Label, MEMBERS, Origin, Output, Taken, member_name};
use crate::verbs::ARCHIVE;

/// The export of one table or archive.
pub(super) struct Job<'j, 'v, 'a, 't> {
    pub(super) args: &'j ExportArgs,
    /// Words for keys.
    pub(super) words: Option<&'j Words>,
    pub(super) visit: &'j Visit<'v, 'a>,
    /// The path relative to the folder of the input: empty, or folders with a trailing `/` each.
    pub(super) prefix: String,
    pub(super) output: &'j mut Output<'t>,
    /// The budget for the members of all archives in the input.
    pub(super) members: &'j mut Budget,
    pub(super) outcome: &'j mut Outcome,
}

/// Returns the limit on the total size of the members of an input. Members may overlap, within an archive and as
/// nested archives, and thousands of them over the same bytes would fill a disk. The limit allows a nesting depth of
/// sixteen.
pub(super) fn budget(input: u64) -> Budget {
    Budget::new(input.saturating_mul(16).saturating_add(1 << 20), Limit::Overlap, "members that overlap")
}

impl Job<'_, '_, '_, '_> {
    pub(super) fn table(&mut self, table: &Table<'_>, kinds: impl Iterator<Item = Kind>) {
        let (all, style) = (Selection::ALL.sheet(self.args.sheet).words(self.words), self.args.csv.style(true));
        let root = Root::new("wdb", table.archive().source(), table);
        let full = Options { full: true, ..Options::default() };
        let has_arrays = !table.string_arrays().is_empty();
        let schema = table::schema_name(table).map(str::to_owned);
        let from = Origin { schema, ..self.origin(table.archive().source()) };
        let sheet = table.sheet_name().unwrap_or_default();
        let mut put = |name: &str, fill: Fill<'_>| {
            let label = Label { kind: "table", name: sheet, text: utf8(sheet).into_owned(), from: vec![from.clone()] };
            self.put(name, label, fill);
        };
        for kind in kinds {
            match kind {
                Kind::Csv => {
                    put("records.csv", &mut |out| style.write(out, |out| table::csv::records(table, &all, out)))
                }
                Kind::Xlsx => put("table.xlsx", &mut |out| {
                    let mut book = Workbook::new();
                    let mut csv = Vec::new();
                    table::csv::records(table, &all, &mut csv)?;
                    book.add("records", &csv, &Columns::of_records(table, all.sheet))?;
                    if has_arrays {
                        book.arrays("arrays", table)?;
                    }
                    book.write(out)
                }),
                Kind::Ndjson => put("records.ndjson", &mut |out| table::json::records(table, &all, out)),
                Kind::Parquet => put("records.parquet", &mut |out| table::parquet::records(table, &all, out)),
                Kind::Arrow => put("records.arrow", &mut |out| table::arrow::records(table, &all, out)),
                Kind::Json => put("table.json", &mut |out| Ok(json::write(&root, &full, out)?)),
                Kind::Text => put("table.txt", &mut |out| Ok(text::write(&root, &full, out)?)),
                _ => {}
            }
            if !has_arrays {
                continue;
            }
            match kind {
                Kind::Csv => put("arrays.csv", &mut |out| style.write(out, |out| table::csv::arrays(table, out))),
                Kind::Ndjson => put("arrays.ndjson", &mut |out| table::json::arrays(table, out)),
                Kind::Parquet => put("arrays.parquet", &mut |out| table::parquet::arrays(table, out)),
                Kind::Arrow => put("arrays.arrow", &mut |out| table::arrow::arrays(table, out)),
                _ => {}
            }
        }
    }

    /// Writes every selected member unchanged, and what they lack: order, names, extensions and offsets.
    pub(super) fn members(&mut self, archive: &Archive<'_>) {
        let source = archive.source();
        let described = ArchiveDescription::new(archive).max_depth(0);
        let root = Root::new("wpd", source, &described);
        let label = Label { kind: "archive", name: b"", text: String::new(), from: vec![self.origin(source)] };
        self.put(ARCHIVE, label, &mut |out| Ok(json::write(&root, &Options::default(), out)?));
        let mut taken = Taken::default();
        for member in archive.members() {
            if self.output.is_full() {
                break;
            }
            // Members that are not selected are also assigned file names, so that the names of the others do not depend
            // on the selection.
            let file = taken.take(member_name(&member));
            if !self.visit.wants(&member) {
                continue;
            }
            let data = member.data();
            if let Err(error) = self.members.spend(data.len() as u64, member.source().base(), source.space()) {
                self.outcome.input_failed(self.visit.path, &error);
                break;
            }
            let name = format!("{MEMBERS}/{file}");
            let raw = member.label();
            let from = Origin { index: Some(member.index()), ..self.origin(member.source()) };
            let label = Label { kind: "member", name: &raw, text: table::label(&member), from: vec![from] };
            self.put(&name, label, &mut |out| Ok(out.write_all(data)?));
        }
    }

    /// Returns the location of a part of the file.
    fn origin(&self, source: Source<'_>) -> Origin {
        Origin { inside: self.visit.inner(), offset: source.base(), length: Some(source.len()), ..Origin::default() }
    }

    fn put(&mut self, name: &str, label: Label<'_>, fill: Fill<'_>) {
        let name = format!("{}{name}", self.prefix);
        let written = self.output.write(&name, label, fill);
        report_failed_write(self.visit.path, &name, &self.output.path_of(&name), written, self.outcome);
    }
}
