use worldview_core::Source;
use worldview_core::describe::{
    Describe, Each, Field, FieldValue, Flow, Items, List, Part, PartKey, Role, Stored, Visit,
};

use super::{bytes, entry_span, is_missing, named, place, span_of, tails, text};
use crate::archive::Member;
use crate::sections::KNOWN;
use crate::table::Table;

/// The sections of a table, either the known or the unknown ones.
pub(crate) struct Sections<'t, 'a> {
    pub(crate) table: &'t Table<'a>,
    pub(crate) known: bool,
}

impl Sections<'_, '_> {
    pub(super) fn visit(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { table, known } = *self;
        let archive = table.archive();
        let is_listed = |member: &Member<'_>| {
            table.is_section(member.entry()) && KNOWN.contains(&member.entry().name.as_bytes()) == known
        };
        let members: Vec<_> = archive.members().filter(is_listed).collect();
        let list = if known {
            List::new("sections", "section").role(Role::Storage)
        } else {
            List::new("unknown_sections", "unknown_section")
        };
        let part = |index, member: &Member<'_>, visit: Each<'_>| {
            let (data, at) = (member.source(), entry_span(member.entry(), &archive));
            let body = Section { table, member: *member, known, source: archive.source() };
            let part = Part::new(index, PartKey::Name(member.name()), &body).at(at).beside(span_of(data));
            visit(Ok(&part.summary(&format_args!("{} bytes", data.len()))))
        };
        visitor.parts(&Items::slice(list, &members, part).editable(self))
    }
}

pub(crate) struct Section<'t, 'a> {
    pub(crate) table: &'t Table<'a>,
    pub(crate) member: Member<'a>,
    pub(crate) known: bool,
    /// The element with the entry.
    pub(crate) source: Source<'a>,
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
        let pool = self.table.sections().string().map(|pool| pool.index());
        if self.known && pool == Some(self.member.index()) {
            // The list of strings has all of it.
            return Flow::Continue(());
        }
        let role = if self.known { Role::Storage } else { Role::Data };
        visitor.array(&bytes("bytes", self.member.source(), role))
    }
}
