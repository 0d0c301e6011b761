use core::fmt;

use worldview_core::describe::{Describe, Field, FieldValue, Flow, List, Part, PartKey, Role, Visit};

use super::{Indexed, bytes, entry_span, is_missing, place, tails, text};
use crate::archive::Member;
use crate::table::Table;

/// Sections whose meaning is described elsewhere.
const KNOWN: [&[u8]; 13] = [
    b"!!string",
    b"!!typelist",
    b"!!strtypelist",
    b"!!strtypelistb",
    b"!!version",
    b"!!sheetname",
    b"!!strArray",
    b"!!strArrayInfo",
    b"!!strArrayList",
    b"!structitem",
    b"!structitemnum",
    b"__string",
    b"__typelist",
];

/// The sections of a table, either the known or the unknown ones.
pub(super) struct Sections<'t, 'a> {
    table: &'t Table<'a>,
    /// Their indexes in the archive.
    members: Vec<usize>,
    known: bool,
}

impl<'t, 'a> Sections<'t, 'a> {
    pub(super) fn known(table: &'t Table<'a>) -> Self {
        Self::new(table, true)
    }

    pub(super) fn unknown(table: &'t Table<'a>) -> Self {
        Self::new(table, false)
    }

    fn new(table: &'t Table<'a>, known: bool) -> Self {
        let archive = table.archive();
        let entries = archive.entries().iter().enumerate();
        let sections =
            entries.filter(|(_, entry)| table.is_section(entry) && KNOWN.contains(&entry.name.as_bytes()) == known);
        Self { table, members: sections.map(|(index, _)| index).collect(), known }
    }
}

impl Indexed for Sections<'_, '_> {
    fn list(&self) -> List {
        if self.known {
            List { role: Role::Storage, ..List::new("sections", "section") }
        } else {
            List::new("unknown_sections", "unknown_section")
        }
    }

    fn len(&self) -> usize {
        self.members.len()
    }

    fn with(&self, index: u32, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let archive = self.table.archive();
        let member = usize::try_from(index).ok().and_then(|index| archive.get(*self.members.get(index)?));
        let Some(member) = member else { return Flow::Continue(()) };
        let section = Section { table: self.table, member, known: self.known };
        let part = Part::new(index, PartKey::Name(member.name()), &section).summary(&section);
        visit(&part.at(entry_span(member.entry(), &archive)))
    }
}

struct Section<'t, 'a> {
    table: &'t Table<'a>,
    member: Member<'a>,
    known: bool,
}

impl fmt::Display for Section<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.member.data().len())
    }
}

impl Describe for Section<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let (archive, entry) = (self.table.archive(), self.member.entry());
        visitor.field(&text("name", self.member.name(), archive.source()).role(Role::Storage))?;
        if !entry.extension.is_empty() {
            visitor.field(&text("extension", entry.extension.as_bytes(), archive.source()))?;
        }
        place(&self.member, &archive, visitor)?;
        tails(entry, &archive, visitor)?;
        if is_missing(&self.member) {
            return visitor.field(&Field::new("missing", FieldValue::Bool(true)).role(Role::Derived));
        }
        let pool = self.table.sections().string.map(|pool| pool.index());
        if pool == Some(self.member.index()) {
            // The list of strings has all of it.
            return Flow::Continue(());
        }
        let role = if self.known { Role::Storage } else { Role::Data };
        visitor.array(&bytes("bytes", self.member.source(), role))
    }
}
