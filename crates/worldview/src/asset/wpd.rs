//! Archives and tables of Final Fantasy XIII.

use worldview_core::AnyFinding;
#[cfg(feature = "inspect")]
use worldview_core::{Source, describe::Describe};
#[cfg(feature = "inspect")]
use worldview_inspect::Root;
use worldview_wpd::{Archive, Member, Refusal, Row, Schema, Table, check_archive, check_table};
#[cfg(feature = "inspect")]
use worldview_wpd::{ArchiveDescription, NameOrigin, TableDescription};

use super::View;
use crate::Kind;
#[cfg(feature = "inspect")]
use crate::Opener;

impl View for Table<'_> {
    fn kind(&self) -> Kind {
        Kind::Table
    }

    fn format(&self) -> Option<&'static str> {
        Some("wdb")
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        then(&Root::new("wdb", self.archive().source(), self));
    }

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        check_table(self, &mut |finding| report(&finding.any()));
    }
}

/// A record, which is described as its whole table, and not checked.
impl View for (&Table<'_>, Row<'_, '_>) {
    fn kind(&self) -> Kind {
        Kind::Record
    }

    fn format(&self) -> Option<&'static str> {
        self.0.format()
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        View::describe(self.0, then);
    }

    fn check(&self, _: &mut dyn FnMut(&AnyFinding<'_, '_>)) {}
}

impl View for Archive<'_> {
    fn kind(&self) -> Kind {
        Kind::Archive
    }

    fn format(&self) -> Option<&'static str> {
        Some("wpd")
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        then(&Root::new("wpd", self.source(), &ArchiveDescription::new(self).max_depth(0)));
    }

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        check_archive(self, &mut |finding| report(&finding.any()));
    }
}

/// Calls `then` with the descriptions of two tables. If only one of them has field names, fields are matched by their
/// words.
#[cfg(feature = "inspect")]
pub(super) fn compare_tables<T>(
    left: &Table<'_>,
    right: &Table<'_>,
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> T {
    let is_nameless = |table: &Table<'_>| table.name_origin() == NameOrigin::Generated;
    let (mut left_body, mut right_body) = (TableDescription::new(left), TableDescription::new(right));
    if is_nameless(left) != is_nameless(right) {
        (left_body, right_body) = (left_body.by_words(), right_body.by_words());
    }
    let (left, right) = (left.archive().source(), right.archive().source());
    then(&whole("wdb", left, &left_body), &whole("wdb", right, &right_body))
}

/// Calls `then` with the descriptions of two archives and of the archives and tables in them.
#[cfg(feature = "inspect")]
pub(super) fn compare_archives<T>(
    left: &Archive<'_>,
    right: &Archive<'_>,
    opener: &Opener<'_>,
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> T {
    let (max_depth, schemas) = opener.nesting();
    let mut left_body = ArchiveDescription::new(left).max_depth(max_depth);
    let mut right_body = ArchiveDescription::new(right).max_depth(max_depth);
    if let Some(schemas) = schemas {
        (left_body, right_body) = (left_body.schemas(schemas), right_body.schemas(schemas));
    }
    let (left, right) = (left.source(), right.source());
    then(&whole("wpd", left, &left_body), &whole("wpd", right, &right_body))
}

/// Returns the root of a description that depends only on the bytes of `source`.
#[cfg(feature = "inspect")]
const fn whole<'r>(format: &'r str, source: Source<'r>, body: &'r dyn Describe) -> Root<'r> {
    Root::new(format, source, body).file(source.bytes())
}

/// Why a table does not use the field names that the caller supplied.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum SchemaNote<'v> {
    /// A schema applies to the table, but does not fit it.
    Refused {
        /// The schema.
        schema: &'v Schema,
        /// What does not fit.
        why: Refusal,
    },
    /// No schema applies to the table, which has no names of its own.
    Unlisted {
        /// The table's layout version, by which a schema could select it.
        layout_version: Option<u32>,
    },
}

/// Returns a member's name and extension, as text.
pub(crate) fn label(member: &Member<'_>) -> String {
    String::from_utf8_lossy(&member.label()).into_owned()
}

worldview_core::assert_send_sync!(SchemaNote<'_>);
