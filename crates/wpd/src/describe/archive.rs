use core::cell::{OnceCell, RefCell};

use worldview_core::describe::{
    Describe, Each, Field, FieldValue, Flow, Items, List, ListFlag, Part, PartKey, Role, Shortcuts, Sorting, Visit,
};
use worldview_core::{Budget, Source};

use super::{bytes, directory, entry_span, header, is_missing, named, own, place, span_of, tails};
use crate::archive::{Archive, Member};
use crate::nesting::Nesting;
use crate::raw::ArchiveHeader;
use crate::schema::Schemas;
use crate::table::TableOptions;

/// Describes everything an archive contains: its members, and what is nested in them.
///
/// Nested archives and tables are opened lossily when the walk reaches them. An archive that cannot be opened, is
/// nested too deeply or would take too long is described as an error and its bytes. [`Archive`] implements [`Describe`]
/// with the default options.
#[derive(Clone, Copy, Debug)]
pub struct ArchiveDescription<'d, 'a> {
    archive: &'d Archive<'a>,
    options: TableOptions<'d, 'd>,
    max_depth: u32,
}

impl<'d, 'a> ArchiveDescription<'d, 'a> {
    /// Describes `archive`, with nested archives down to [`Nesting::MAX_DEPTH`].
    pub const fn new(archive: &'d Archive<'a>) -> Self {
        Self { archive, options: TableOptions::new(), max_depth: Nesting::MAX_DEPTH }
    }

    /// Sets schemas for nested tables, which are tried before the built-in ones.
    #[must_use]
    pub const fn schemas(mut self, schemas: &'d Schemas) -> Self {
        self.options = self.options.schemas(schemas);
        self
    }

    worldview_core::setters! {
        /// Sets how nested tables are opened. They are named by their members.
        pub const fn options(options: TableOptions<'d, 'd>) => options = options;

        /// Sets the depth to which nested archives are described; with 0, members are only listed.
        pub const fn max_depth(depth: u32) => max_depth = depth;
    }
}

impl Describe for Archive<'_> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        ArchiveDescription::new(self).describe(visitor)
    }
}

impl Describe for ArchiveDescription<'_, '_> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { archive, options, max_depth } = *self;
        let len = archive.source().len();
        let walk = ArchiveWalk {
            options,
            max_depth,
            nesting: RefCell::new(Nesting::new(archive).deepest(max_depth)),
            peeks: RefCell::new(Budget::for_bytes(len, "listing of overlapping archives")),
        };
        Body { archive, walk: &walk, depth: 0 }.describe(visitor)
    }
}

/// State shared by all archives of a walk.
pub(crate) struct ArchiveWalk<'w> {
    options: TableOptions<'w, 'w>,
    max_depth: u32,
    nesting: RefCell<Nesting>,
    /// The budget for directories that are only read to classify a member.
    peeks: RefCell<Budget>,
}

/// An archive at a nesting depth.
pub(crate) struct Body<'w, 'a> {
    pub(crate) archive: &'w Archive<'a>,
    pub(crate) walk: &'w ArchiveWalk<'w>,
    pub(crate) depth: u32,
}

impl Describe for Body<'_, '_> {
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let count = FieldValue::Uint(self.archive.entries().len() as u64);
        visitor.field(&Field::new("member_count", count).role(Role::Storage))?;
        header(self.archive, visitor)?;
        let entries = self.archive.entries();
        // A name with a dot may equal another member's name and extension.
        let is_plain = entries.iter().all(|entry| entry.extension.is_empty())
            || entries.iter().all(|entry| !entry.name.as_bytes().contains(&b'.'));
        let unique = self.archive.is_sorted() && is_plain;
        let sorting = if self.archive.is_sorted() { Sorting::Usual } else { Sorting::None };
        let list = List::new("members", "member").with(&[ListFlag::Main, ListFlag::Members]);
        let list = list.with_if(unique, ListFlag::Unique);
        let part = |index, visit: Each<'_>| {
            let member = usize::try_from(index).ok().and_then(|index| self.archive.get(index));
            member.map_or(Flow::Continue(()), |member| {
                let (key, at) = (member.label(), entry_span(member.entry(), self.archive));
                let (data, source) = (member.source(), self.archive.source());
                let body = MemberBody { member, within: self, source, nested: OnceCell::new() };
                let part = Part::new(index, PartKey::Name(&key), &body).at(at).beside(span_of(data));
                visit(Ok(&part.summary(&format_args!("{} bytes", data.len()))))
            })
        };
        visitor.parts(&Items::indexed(list.sorting(sorting), entries.len(), part).shortcuts(self).editable(self))
    }
}

impl Shortcuts for Body<'_, '_> {
    fn context(&self, _: &mut dyn FnMut(&[u8])) -> bool {
        true
    }

    fn own<'s>(&'s self, part: &Part<'_>) -> [&'s [u8]; 3] {
        let member = usize::try_from(part.index).ok().and_then(|index| self.archive.get(index));
        member.filter(|member| !is_missing(member)).map_or([&[]; 3], |member| own(member.entry(), member.data()))
    }
}

pub(crate) struct MemberBody<'b, 'w, 'a> {
    pub(crate) member: Member<'a>,
    pub(crate) within: &'b Body<'w, 'a>,
    /// The element with the entry.
    pub(crate) source: Source<'a>,
    /// The member as an archive. It is opened and charged once, however often it is described.
    pub(crate) nested: OnceCell<worldview_core::Result<Option<Archive<'a>>>>,
}

impl Describe for MemberBody<'_, '_, '_> {
    /// A nested archive or table has a main list.
    fn has_main_list(&self) -> bool {
        true
    }

    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let (member, source) = (&self.member, self.source);
        let entry = member.entry();
        visitor.field(&named("name", &entry.name, source))?;
        visitor.field(&named("extension", &entry.extension, source))?;
        place(entry, source, visitor)?;
        tails(entry, source, visitor)?;
        let content = match self.within.content(member) {
            Ok(content) => FieldValue::Word(content),
            Err(error) => {
                visitor.broken(&error)?;
                FieldValue::Absent
            }
        };
        visitor.field(&Field::new("content", content).role(Role::Derived))?;
        if is_missing(member) {
            return Flow::Continue(());
        }
        let walk = self.within.walk;
        if walk.max_depth > 0 {
            let open = || walk.nesting.borrow_mut().enter(member, self.within.depth, &mut |_| {});
            match self.nested.get_or_init(open) {
                Ok(Some(nested)) => return self.nested(nested, visitor),
                Ok(None) => {}
                Err(error) => visitor.broken(error)?,
            }
        }
        visitor.array(&bytes("bytes", member.source(), Role::Data))
    }
}

impl Body<'_, '_> {
    /// Returns the kind of a member's content, according to its own directory.
    fn content(&self, member: &Member<'_>) -> worldview_core::Result<&'static str> {
        if is_missing(member) {
            return Ok("missing");
        }
        if !member.is_archive() {
            return Ok("data");
        }
        // The directory may be as long as the member, and many members may share it.
        let source = member.source();
        let count = source.view::<ArchiveHeader>(0, "header").map_or(0, |header| header.count.get());
        let len = crate::archive::entry_at(count).min(source.len());
        self.walk.peeks.borrow_mut().spend(len, source.base(), source.space())?;
        Ok(match member.archive() {
            Ok(archive) if archive.is_table() => "table",
            Ok(_) => "archive",
            Err(_) => "broken archive",
        })
    }
}

impl<'a> MemberBody<'_, '_, 'a> {
    /// Visits the contents of a nested archive.
    fn nested(&self, archive: &Archive<'a>, visitor: &mut dyn Visit) -> Flow {
        let walk = self.within.walk;
        let at = Some(directory(archive));
        if !archive.is_table() {
            let body = Body { archive, walk, depth: self.within.depth.saturating_add(1) };
            return visitor.parts(&Items::single("archive", Some(&body), at));
        }
        let label = self.member.label();
        let file = String::from_utf8_lossy(&label);
        match walk.options.file_name(&file).table_lossy(*archive, &mut |_| {}) {
            Ok(table) => visitor.parts(&Items::single("table", Some(&table), at)),
            Err(error) => {
                visitor.broken(&error)?;
                visitor.array(&bytes("bytes", self.member.source(), Role::Data))
            }
        }
    }
}
