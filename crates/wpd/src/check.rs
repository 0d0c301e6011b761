//! The full check of an archive or a table: everything that is broken, suspicious or unusual.

mod fields;
mod layout;
mod records;
mod sections;

use worldview_core::{Budget, Place, Source};

use crate::archive::{Archive, entry_at};
use crate::finding::{Finding, FindingKind};
use crate::raw::Entry;
use crate::table::Table;

/// Checks an archive's header, names and the layout of its members, and reports findings.
///
/// Findings of the parser are not reported again. Members that are archives are not entered; use
/// [`Nesting`](crate::Nesting) to visit them.
///
/// ```
/// # fn main() -> worldview_wpd::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
/// use worldview_wpd::{Archive, check_archive};
///
/// let archive = Archive::parse(file)?;
/// check_archive(&archive, &mut |finding| println!("{finding}"));
/// # Ok(())
/// # }
/// ```
pub fn check_archive<'a>(archive: &Archive<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    let mut checker = Checker::new(archive.source(), report);
    layout::check(archive, false, &mut checker);
}

/// Checks a table and reports findings: everything that [`check_archive`] covers, and sections, field names, strings
/// and every record.
///
/// Findings of the parser are not reported again.
///
/// ```
/// # fn main() -> worldview_wpd::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
/// use worldview_wpd::{Table, check_table};
///
/// let table = Table::parse(file)?;
/// check_table(&table, &mut |finding| println!("{finding}"));
/// # Ok(())
/// # }
/// ```
pub fn check_table<'t>(table: &'t Table<'_>, report: &mut dyn FnMut(Finding<'t>)) {
    let archive = table.archive();
    let mut checker = Checker::new(archive.source(), report);
    layout::check(&archive, true, &mut checker);
    sections::check(table, &mut checker);
    fields::check(table, &mut checker);
    records::check(table, &mut checker);
}

/// Reports records that contain the bytes d8 ad ff 00, with which a common extractor overwrites parts of files. Their values may be
/// wrong. [`check_table`] includes this.
pub fn check_overwritten<'t>(table: &'t Table<'_>, report: &mut dyn FnMut(Finding<'t>)) {
    let mut checker = Checker::new(table.archive().source(), report);
    records::overwritten(table, &mut checker);
}

worldview_core::assert_send_sync!(Finding<'_>);

/// The callback for findings, and the remaining budget of the walk.
struct Checker<'r, 'a> {
    report: &'r mut dyn FnMut(Finding<'a>),
    /// The bytes of the archive, whose offset in the file is added to that of each finding.
    source: Source<'a>,
    budget: Budget,
}

impl<'r, 'a> Checker<'r, 'a> {
    fn new(source: Source<'a>, report: &'r mut dyn FnMut(Finding<'a>)) -> Self {
        Self { report, source, budget: Budget::for_bytes(source.len(), "walk over overlapping parts") }
    }

    /// Reports a finding about the byte at offset `at` of the archive.
    fn report(&mut self, kind: FindingKind, at: u64, place: Place<'a>) {
        // An empty member may point anywhere; its findings are clamped to the end.
        let at = self.source.base().saturating_add(at.min(self.source.len()));
        (self.report)(Finding { kind, at, space: self.source.space(), place });
    }

    /// Reports a finding about an entry.
    fn say_of(&mut self, kind: FindingKind, index: u32, entry: &'a Entry) {
        self.report(kind, entry_at(index), Place::numbered("entry", index, entry.name.as_bytes()));
    }

    /// Charges `bytes` to the budget. If it is exhausted, reports that and returns `false`.
    fn may_visit(&mut self, bytes: u64, at: u64, place: Place<'a>) -> bool {
        match self.budget.spend(bytes, at, self.source.space()) {
            Ok(()) => true,
            Err(error) => {
                self.report(FindingKind::WalkLimit { kind: error.kind }, at, place);
                false
            }
        }
    }
}

/// How often something occurred, and its first occurrence.
#[derive(Clone, Copy, Debug)]
struct Seen<T> {
    count: u64,
    first: Option<T>,
}

impl<T> Seen<T> {
    const NONE: Self = Self { count: 0, first: None };

    fn note(&mut self, what: T) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(what);
    }
}
