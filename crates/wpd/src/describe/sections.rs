use core::fmt;

use worldview_core::Source;
use worldview_core::describe::{Describe, Field, FieldValue, Flow, List, Part, PartKey, Role, Span, Stored, Visit};
use zerocopy::FromBytes as _;

use super::{Indexed, bytes, entry_span, is_missing, named, place, rename_entry, tails, text};
use crate::archive::Member;
use crate::raw::Entry;
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
        let source = archive.source();
        let section = Section { table: self.table, member, known: self.known, source };
        let part = Part::new(index, PartKey::Name(member.name()), &section).summary(&section);
        let data = member.source();
        let beside = Span::new(data.base(), data.len(), data.space());
        visit(&part.at(entry_span(member.entry(), &archive)).beside(beside))
    }

    fn is_editable(&self) -> bool {
        !self.known
    }

    /// The bytes of an entry, followed by those of the section.
    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let source = Source::new(bytes, self.table.archive().source().space());
        let (Ok((entry, _)), Ok(data)) = (Entry::ref_from_prefix(bytes), source.tail(Entry::SIZE, "section")) else {
            return;
        };
        let section = Section { table: self.table, member: Member::alone(entry, data), known: self.known, source };
        let part = Part::new(0, PartKey::Name(&[]), &section).at(Span::new(0, Entry::SIZE, source.space()));
        visit(&part.beside(Span::new(data.base(), data.len(), data.space())));
    }

    fn set_name(&self, bytes: &mut [u8], name: &[u8]) -> Result<(), &'static str> {
        let (entry, _) = Entry::mut_from_prefix(bytes).map_err(|_| "there is no entry to name")?;
        rename_entry(entry, name)?;
        let is_section = self.table.is_section(entry) && !KNOWN.contains(&name);
        if is_section { Ok(()) } else { Err("this is no name of an unknown section") }
    }
}

struct Section<'t, 'a> {
    table: &'t Table<'a>,
    member: Member<'a>,
    known: bool,
    /// What has the entry.
    source: Source<'a>,
}

impl fmt::Display for Section<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.member.data().len())
    }
}

impl Describe for Section<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let (entry, source) = (self.member.entry(), self.source);
        visitor.field(&named("name", &entry.name, source).role(Role::Storage))?;
        if !entry.extension.is_empty() || visitor.wants_places() {
            let extension = text("extension", entry.extension.as_bytes(), source).role(Role::Reserved);
            visitor.field(&extension.stored(Stored::Text(8)))?;
        }
        place(entry, source, visitor)?;
        tails(entry, source, visitor)?;
        if is_missing(&self.member) {
            return visitor.field(&Field::new("missing", FieldValue::Bool(true)).role(Role::Derived));
        }
        let pool = self.table.sections().string.map(|pool| pool.index());
        if self.known && pool == Some(self.member.index()) {
            // The list of strings has all of it.
            return Flow::Continue(());
        }
        let role = if self.known { Role::Storage } else { Role::Data };
        visitor.array(&bytes("bytes", self.member.source(), role))
    }
}
