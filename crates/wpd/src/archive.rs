use std::borrow::Cow;

use worldview_core::{Error, ErrorKind, OnProblem, Place, Result, Source};

use crate::finding::{Finding, FindingKind};
use crate::lookup::find;
use crate::raw::{ArchiveHeader, Entry};
use crate::scan::Scan;

/// A WPD archive: its entries in place, and its members as views. See [Archive](crate::format#archive).
#[derive(Clone, Copy)]
pub struct Archive<'a> {
    source: Source<'a>,
    header: &'a ArchiveHeader,
    entries: &'a [Entry],
    sorted: bool,
    recovered: bool,
    run: Option<usize>,
}

worldview_core::debug_summary!("Archive", Archive<'_>, |this| members: this.len(), at: this.source.base(), sorted: this.sorted, recovered: this.recovered);

impl<'a> Archive<'a> {
    /// Opens an archive, and checks that every member lies inside it.
    ///
    /// Accepts bytes, or the [`Source`] of an archive inside another file; offsets in errors then count in that file.
    ///
    /// # Errors
    ///
    /// Returns an error if the magic number is wrong, or if entries or data are truncated.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
    /// use worldview_wpd::Archive;
    ///
    /// let archive = Archive::parse(file)?;
    /// for member in archive.members() {
    ///     println!("{}: {} bytes", member.name().escape_ascii(), member.data().len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        let source = source.into();
        let header = ArchiveHeader::of(source)?;
        Self::open(source, header, Self::entries_at(source, header.count.get())?, false, &mut Err)
    }

    /// Opens an archive without reading its entries, for a few lookups by name in a large one.
    ///
    /// Each member is checked when it is reached: one that does not lie inside the archive is empty. The names are assumed to
    /// be in ascending order, as the games need them; [`by_name`](Self::by_name) may not find a name that is not. In a table,
    /// all members from the first record on are rows, and a row that is too short has no values.
    ///
    /// # Errors
    ///
    /// Returns an error if the magic number is wrong or the entries are truncated.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// use worldview_wpd::Archive;
    ///
    /// let table = Archive::parse_unverified(file)?.table()?;
    /// let row = table.by_name("apple_dried").expect("the sample has this record");
    /// assert!(row.get("uPurchasePrice").is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse_unverified(source: impl Into<Source<'a>>) -> Result<Self> {
        let source = source.into();
        let header = ArchiveHeader::of(source)?;
        let entries = Self::entries_at(source, header.count.get())?;
        Ok(Self { source, header, entries, sorted: true, recovered: false, run: None })
    }

    /// Opens as much of an archive as possible: a truncated member is empty and reported.
    ///
    /// # Errors
    ///
    /// Returns an error if the magic number is wrong or the entries are truncated.
    pub fn parse_lossy(source: impl Into<Source<'a>>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Self> {
        let source = source.into();
        let header = ArchiveHeader::of(source)?;
        let entries = Self::entries_at(source, header.count.get())?;
        Self::open(source, header, entries, false, &mut on_problem_in(entries, report))
    }

    /// Opens an archive whose first eight bytes were overwritten, as a common extractor leaves them.
    ///
    /// The number of entries follows from the data offset of the first one. Members that do not lie inside the archive
    /// are empty and reported. An archive with an intact header is opened as usual.
    /// See [Damaged headers](crate::format#damaged-headers).
    ///
    /// # Errors
    ///
    /// Returns an error if the first entry's offset cannot be the end of a table of entries, or if the entries are
    /// truncated.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
    /// use worldview_wpd::Archive;
    ///
    /// let mut damaged = file.to_vec();
    /// damaged[..8].fill(0xFF); // as a common extractor leaves it
    /// assert!(Archive::parse(&damaged).is_err());
    /// let archive = Archive::recover(&damaged, &mut |finding| println!("{finding}"))?;
    /// assert!(archive.is_recovered() && archive.len() == 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn recover(source: impl Into<Source<'a>>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Self> {
        let source = source.into();
        if let Ok(header) = ArchiveHeader::of(source)
            && Self::entries_at(source, header.count.get()).is_ok()
        {
            return Self::parse_lossy(source, report);
        }
        let header = source.view(0, ArchiveHeader::WHAT)?;
        let entries = Self::entries_at(source, Self::count_from_first_entry(source)?)?;
        Self::open(source, header, entries, true, &mut on_problem_in(entries, report))
    }

    fn entries_at(source: Source<'a>, count: u32) -> Result<&'a [Entry]> {
        source.counted(ArchiveHeader::SIZE, count, "entries")
    }

    /// Returns the number of entries, assuming that the first one's data follows the last entry.
    fn count_from_first_entry(source: Source<'_>) -> Result<u32> {
        const WHAT: &str = "size of the entries (the first one's data offset less 16)";
        let first: &Entry = source.view(ArchiveHeader::SIZE, "first entry of an archive with a damaged header")?;
        let field = ArchiveHeader::SIZE.saturating_add(core::mem::offset_of!(Entry, offset) as u64);
        let table = u64::from(first.offset.get()).saturating_sub(ArchiveHeader::SIZE);
        let count = table.checked_div(Entry::SIZE).and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
        if !table.is_multiple_of(Entry::SIZE) {
            return Err(source.error(ErrorKind::NotWhole { found: table, unit: Entry::SIZE }, WHAT, field));
        }
        if count == 0 {
            // A header and at least one entry come before any data.
            let kind = ErrorKind::NotWithin { found: first.offset.get(), min: 48, max: source.len() };
            return Err(source.error(kind, "data offset of the first entry", field));
        }
        Ok(count)
    }

    fn open(
        source: Source<'a>,
        header: &'a ArchiveHeader,
        entries: &'a [Entry],
        recovered: bool,
        on_problem: OnProblem<'_>,
    ) -> Result<Self> {
        // All members are nearly always inside, so look for the offender only if not.
        let scan = Scan::of(entries, source.len());
        if !scan.inside {
            for (index, entry) in (0..).zip(entries) {
                Self::inside(source, index, entry).map(drop).or_else(&mut *on_problem)?;
            }
        }
        Ok(Self { source, header, entries, sorted: scan.sorted, recovered, run: Some(scan.run) })
    }

    /// Returns the window of a member's data.
    fn inside(source: Source<'a>, index: u32, entry: &Entry) -> Result<Source<'a>> {
        let (offset, size) = (u64::from(entry.offset.get()), u64::from(entry.size.get()));
        if size == 0 {
            // The offset of an empty member may point anywhere.
            return source.window(offset.min(source.len()), 0, "data of entry");
        }
        if offset > source.len() {
            let kind = ErrorKind::Outside { found: entry.offset.get().into(), end: source.len() };
            let field = core::mem::offset_of!(Entry, offset) as u64;
            let at = entry_at(index).saturating_add(field);
            return Err(source.error(kind, "data offset of entry", at).with_index(index));
        }
        source.window(offset, size, "data of entry").map_err(|error| error.with_index(index))
    }

    /// Returns the header; for a [recovered](Self::is_recovered) archive this is what overwrote it.
    #[inline]
    pub const fn header(&self) -> &'a ArchiveHeader {
        self.header
    }

    /// Returns the entries, in file order.
    #[inline]
    pub const fn entries(&self) -> &'a [Entry] {
        self.entries
    }

    /// Returns the bytes of the archive and their offset in the file.
    #[inline]
    pub const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns whether the entries are in strictly ascending order by name, so that [`by_name`](Self::by_name) can use
    /// a binary search. An [unverified](Self::parse_unverified) archive is assumed to be sorted.
    #[inline]
    pub const fn is_sorted(&self) -> bool {
        self.sorted
    }

    /// Returns whether the number of entries was reconstructed by [`recover`](Self::recover).
    #[inline]
    pub const fn is_recovered(&self) -> bool {
        self.recovered
    }

    /// Returns the index of an entry from which on each member has the same size and follows the one before it, or `None` if
    /// the entries have not been read.
    pub(crate) const fn run(&self) -> Option<usize> {
        self.run
    }

    /// Returns the members, in file order.
    #[inline]
    pub fn members(&self) -> Members<'a> {
        Members::new(*self)
    }

    /// Returns the number of members.
    #[inline]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no members.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the member at `index`, counted from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Member<'a>> {
        self.entries.get(index).map(|entry| Member::new(self.source, index, entry))
    }

    /// Returns the first member with exactly this name: binary search if the names are sorted, linear otherwise.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
    /// let archive = worldview_wpd::Archive::parse(file)?;
    /// let member = archive.by_name("r_lamps.wdb").expect("the sample has this member");
    /// assert_eq!((member.index(), member.data().len()), (1, 684));
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn by_name(&self, name: impl AsRef<[u8]>) -> Option<Member<'a>> {
        self.get(self.index_of(name)?)
    }

    pub(crate) fn index_of(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        find(self.entries, self.sorted, name.as_ref())
    }
}

worldview_core::index_iter! {
    /// An iterator over the members of an [`Archive`], in file order.
    pub struct Members['a] over Archive<'a> => Member<'a>;
}

worldview_core::into_iter!(['a] Archive<'a> => Member<'a>, Members<'a>, members);

/// Returns the offset of an entry in its archive.
pub(crate) fn entry_at(index: u32) -> u64 {
    ArchiveHeader::SIZE.saturating_add(u64::from(index).saturating_mul(Entry::SIZE))
}

/// Returns a handler that reports errors as findings about their entries, and continues.
pub(crate) fn on_problem_in<'a>(
    entries: &'a [Entry],
    report: &mut dyn FnMut(Finding<'a>),
) -> impl FnMut(Error) -> Result<()> {
    move |error| {
        let entry = error.index().and_then(|index| entries.get(usize::try_from(index).ok()?));
        let name = entry.map_or(&[][..], |entry| entry.name.as_bytes());
        report(Finding {
            kind: FindingKind::Broken { kind: error.kind },
            at: error.at,
            space: error.space(),
            place: Place::one(error.what, error.index()).with_name(name),
        });
        Ok(())
    }
}

impl ArchiveHeader {
    const WHAT: &str = "header of a WPD archive";

    /// Returns the header at the start of an archive.
    fn of<'a>(source: Source<'a>) -> Result<&'a Self> {
        // Check the magic first: for a short file of another kind, that is the more useful error.
        if let Ok(&found) = source.view::<[u8; 4]>(0, Self::WHAT)
            && found != Self::MAGIC
        {
            return Err(source.error(ErrorKind::Magic { want: Self::MAGIC, found }, "start of a WPD archive", 0));
        }
        source.view(0, Self::WHAT)
    }
}

/// A member of an archive: a view that knows its offset in the file.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    entry: &'a Entry,
    index: u32,
    data: Source<'a>,
}

worldview_core::debug_summary!("Member", Member<'_>, |this| index: this.index, name: worldview_core::quoted(this.name()), extension: worldview_core::quoted(this.extension()), data: this.data);

impl<'a> Member<'a> {
    fn new(source: Source<'a>, index: usize, entry: &'a Entry) -> Self {
        // The number of entries is a 32-bit word.
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        // A missing member keeps the offset where its data should be.
        let at = u64::from(entry.offset.get()).min(source.len());
        let nothing = || source.window(at, 0, "data of entry").unwrap_or(source);
        let data = Archive::inside(source, index, entry).unwrap_or_else(|_| nothing());
        Self { entry, index, data }
    }

    /// Creates a member of no archive.
    pub(crate) const fn alone(entry: &'a Entry, data: Source<'a>) -> Self {
        Self { entry, index: 0, data }
    }

    /// Returns the name: up to 16 bytes, never trimmed. See [Names](crate::format#names).
    #[inline]
    pub fn name(&self) -> &'a [u8] {
        self.entry.name.as_bytes()
    }

    /// Returns the extension without a dot, up to 8 bytes; empty in tables.
    #[inline]
    pub fn extension(&self) -> &'a [u8] {
        self.entry.extension.as_bytes()
    }

    /// Returns the name that the member has in paths, as [`Entry::label`] does.
    pub fn label(&self) -> Cow<'a, [u8]> {
        self.entry.label()
    }

    /// Returns the data, in place; empty if a lossy parse found it truncated.
    #[inline]
    pub const fn data(&self) -> &'a [u8] {
        self.data.bytes()
    }

    /// Returns the data with its offset in the file, from which a nested archive can be parsed.
    #[inline]
    pub const fn source(&self) -> Source<'a> {
        self.data
    }

    /// Returns the entry in the archive's table.
    #[inline]
    pub const fn entry(&self) -> &'a Entry {
        self.entry
    }

    /// Returns the index of the member in the archive, counted from 0.
    #[inline]
    pub fn index(&self) -> usize {
        usize::try_from(self.index).unwrap_or(usize::MAX)
    }

    /// Returns the index as the 32-bit number used in files.
    pub(crate) const fn number(&self) -> u32 {
        self.index
    }

    /// Returns whether the data begins with the magic number of an archive.
    #[inline]
    pub fn is_archive(&self) -> bool {
        self.data().starts_with(&ArchiveHeader::MAGIC)
    }

    /// Opens the data as an archive. Offsets in errors count in the outermost file.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Archive::parse`].
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
    /// let outer = worldview_wpd::Archive::parse(file)?;
    /// for member in outer.members().filter(|member| member.is_archive()) {
    ///     println!("{} entries", member.archive()?.len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn archive(&self) -> Result<Archive<'a>> {
        Archive::parse(self.data)
    }
}

worldview_core::assert_send_sync!(Archive<'_>, Member<'_>);
