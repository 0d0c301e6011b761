use core::cell::{OnceCell, RefCell};
use core::fmt;

use worldview_core::describe::{
    Describe, Field, FieldValue, Flow, List, OnePart, Part, PartKey, Role, Sorting, Span, Visit,
};
use worldview_core::{Budget, Source};
use zerocopy::FromBytes as _;

use super::{
    Counted, Indexed, bytes, directory, entry_span, header, is_missing, named, place, rename, rename_entry, tails,
};
use crate::archive::{Archive, Member};
use crate::nesting::Nesting;
use crate::raw::{ArchiveHeader, Entry};
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

    /// Sets how nested tables are opened. They are named by their members.
    #[must_use]
    pub const fn options(mut self, options: TableOptions<'d, 'd>) -> Self {
        self.options = options;
        self
    }

    /// Sets the depth to which nested archives are described; with 0, members are only listed.
    #[must_use]
    pub const fn max_depth(mut self, depth: u32) -> Self {
        self.max_depth = depth;
        self
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
struct ArchiveWalk<'w> {
    options: TableOptions<'w, 'w>,
    max_depth: u32,
    nesting: RefCell<Nesting>,
    /// The budget for directories that are only read to classify a member.
    peeks: RefCell<Budget>,
}

/// An archive at a nesting depth.
struct Body<'w, 'a> {
    archive: &'w Archive<'a>,
    walk: &'w ArchiveWalk<'w>,
    depth: u32,
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
        visitor.parts(&Counted(Members { body: self, unique: self.archive.is_sorted() && is_plain }))
    }
}

struct Members<'b, 'w, 'a> {
    body: &'b Body<'w, 'a>,
    unique: bool,
}

impl Indexed for Members<'_, '_, '_> {
    fn list(&self) -> List {
        let sorting = if self.body.archive.is_sorted() { Sorting::Usual } else { Sorting::None };
        List { main: true, unique: self.unique, sorting, ..List::new("members", "member") }
    }

    fn len(&self) -> usize {
        self.body.archive.entries().len()
    }

    fn with(&self, index: u32, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let archive = self.body.archive;
        let Some(member) = usize::try_from(index).ok().and_then(|index| archive.get(index)) else {
            return Flow::Continue(());
        };
        let body = MemberBody { member, within: self.body, source: archive.source(), nested: OnceCell::new() };
        let (key, data) = (member.label(), member.source());
        let part = Part::new(index, PartKey::Name(&key), &body).at(entry_span(member.entry(), archive));
        visit(&part.beside(Span::new(data.base(), data.len(), data.space())).summary(&body))
    }

    fn is_editable(&self) -> bool {
        true
    }

    fn context(&self, _: &mut dyn FnMut(&[u8])) -> bool {
        true
    }

    fn entry(&self, index: usize) -> Option<(&Entry, &[u8])> {
        self.body.archive.get(index).filter(|member| !is_missing(member)).map(|member| (member.entry(), member.data()))
    }

    /// The bytes of an entry, followed by those of the member.
    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let source = Source::new(bytes, self.body.archive.source().space());
        let (Ok((entry, _)), Ok(data)) = (Entry::ref_from_prefix(bytes), source.tail(Entry::SIZE, "member")) else {
            return;
        };
        let member = Member::alone(entry, data);
        let within = Body { archive: self.body.archive, walk: self.body.walk, depth: u32::MAX };
        let body = MemberBody { member, within: &within, source, nested: OnceCell::from(Ok(None)) };
        let part = Part::new(0, PartKey::Name(&[]), &body).at(Span::new(0, Entry::SIZE, source.space()));
        visit(&part.beside(Span::new(data.base(), data.len(), data.space())));
    }

    fn set_name(&self, bytes: &mut [u8], name: &[u8]) -> Result<(), &'static str> {
        let (entry, _) = Entry::mut_from_prefix(bytes).map_err(|_| "there is no entry to name")?;
        // Without extensions, dots in names mean nothing. The first member may have one. A dot at the end is part of the name.
        let entries = self.body.archive.entries();
        let has_extensions = entries.is_empty() || entries.iter().any(|entry| !entry.extension.is_empty());
        // Nor is one at the start the beginning of an extension: every new member has a name.
        if name.is_empty() {
            return Err("members have names");
        }
        let dot = name.iter().rposition(|&byte| byte == b'.');
        let dot = dot.filter(|&dot| has_extensions && dot > 0 && dot.saturating_add(1) < name.len());
        let (name, extension) = match dot.and_then(|dot| name.split_at_checked(dot)) {
            Some((name, extension)) => (name, extension.strip_prefix(b".").unwrap_or(extension)),
            None => (name, &[][..]),
        };
        rename_entry(entry, name)?;
        rename(&mut entry.extension, extension).ok_or("extensions have at most 8 bytes")
    }
}

struct MemberBody<'b, 'w, 'a> {
    member: Member<'a>,
    within: &'b Body<'w, 'a>,
    /// What has the entry.
    source: Source<'a>,
    /// The member as an archive. It is opened and charged once, however often it is described.
    nested: OnceCell<worldview_core::Result<Option<Archive<'a>>>>,
}

impl fmt::Display for MemberBody<'_, '_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.member.data().len())
    }
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
            return visitor.parts(&OnePart { name: "archive", body: Some(&body), at });
        }
        let label = self.member.label();
        let file = String::from_utf8_lossy(&label);
        match walk.options.file_name(&file).table_lossy(*archive, &mut |_| {}) {
            Ok(table) => visitor.parts(&OnePart { name: "table", body: Some(&table), at }),
            Err(error) => {
                visitor.broken(&error)?;
                visitor.array(&bytes("bytes", self.member.source(), Role::Data))
            }
        }
    }
}
