use worldview_core::{ErrorKind, Limit, OnProblem, Result, Source};
use zerocopy::FromBytes as _;
use zerocopy::big_endian::U32;

use crate::archive::{Archive, Member};
use crate::raw::Entry;
use crate::refusal::MAX_WORDS;

/// Sections that identify an archive as a table.
const TYPE_LISTS: [&[u8]; 4] = [b"!!typelist", b"!!strtypelist", b"!!strtypelistb", b"__typelist"];

/// The generation of a table, determined by its sections. See [Table](crate::format#table).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generation {
    /// XIII-1, obsolete: `__string`, `__typelist`.
    G0,
    /// XIII-1: one word per field, no list of word types.
    G1,
    /// XIII-1: packed words, no names.
    G2,
    /// XIII-2 and Lightning Returns: field names included, word types as bytes.
    G3,
    /// XIII-2 and Lightning Returns: field names included, word types as words, as in XIII-1.
    G3Prime,
}

impl Generation {
    /// All generations, the oldest first.
    pub const ALL: [Self; 5] = [Self::G0, Self::G1, Self::G2, Self::G3, Self::G3Prime];

    /// Returns whether tables have the names of their fields.
    pub const fn has_field_names(self) -> bool {
        matches!(self, Self::G3 | Self::G3Prime)
    }

    /// Returns whether an entry with a name is a section, and not a record: `!!` begins the names of sections in XIII-1, `!` in the later
    /// games, and `__` in the obsolete form.
    #[inline]
    pub fn is_section_name(self, name: &[u8]) -> bool {
        match self {
            // Of the one table there is, every `!` was one.
            Self::G0 => name.starts_with(b"__") || name.starts_with(b"!"),
            // A list of fields that is not used is no record either.
            Self::G1 | Self::G2 => name.starts_with(b"!!") || name.starts_with(b"!structitem"),
            Self::G3 | Self::G3Prime => name.starts_with(b"!"),
        }
    }

    /// Returns whether a name sorts after those of all sections.
    pub(crate) const fn is_after_sections(self, [first, ..]: &[u8; 16]) -> bool {
        *first > if matches!(self, Self::G0) { b'_' } else { b'!' }
    }

    /// Returns the short name of the generation: `G0` to `G3`, and `G3'`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::G0 => "G0",
            Self::G1 => "G1",
            Self::G2 => "G2",
            Self::G3 => "G3",
            Self::G3Prime => "G3'",
        }
    }

    /// Returns whether every field has a word of its own.
    pub const fn is_unpacked(self) -> bool {
        matches!(self, Self::G0 | Self::G1)
    }
}

/// The list of word types: one number for each word of a record.
#[derive(Clone, Copy)]
pub struct WordTypes<'a> {
    bytes: &'a [u8],
    long: bool,
}

worldview_core::debug_summary!("WordTypes", WordTypes<'_>, |this| len: this.len());

impl<'a> WordTypes<'a> {
    /// A signed integer, or packed bit fields.
    pub const BITS: u32 = 0;
    /// A float.
    pub const FLOAT: u32 = 1;
    /// An offset into the string pool.
    pub const STRING: u32 = 2;
    /// An unsigned integer.
    pub const UINT: u32 = 3;

    /// Returns the number of words in a record.
    #[inline]
    pub const fn len(&self) -> usize {
        if self.long { self.bytes.len() / 4 } else { self.bytes.len() }
    }

    /// Returns whether records have no words.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the type of the word at index `word`.
    #[inline]
    pub fn get(&self, word: usize) -> Option<u32> {
        if self.long {
            longs(self.bytes).get(word).map(|word| word.get())
        } else {
            self.bytes.get(word).map(|&byte| byte.into())
        }
    }

    /// Returns an iterator over the types, in word order.
    pub fn iter(&self) -> WordTypesIter<'a> {
        WordTypesIter::new(*self)
    }
}

worldview_core::index_iter! {
    /// An iterator over [`WordTypes`].
    pub struct WordTypesIter['a] over WordTypes<'a> => u32;
}

worldview_core::into_iter!(['a] WordTypes<'a> => u32, WordTypesIter<'a>, iter);

macro_rules! sections {
    ($($(#[$doc:meta])* $section:ident = $name:literal;)*) => {
        /// The index of the member with each section, or [`MISSING`].
        #[derive(Clone, Copy, Debug)]
        struct Indexes {
            $($section: u32,)*
        }

        impl Indexes {
            fn of(archive: &Archive<'_>) -> Self {
                let mut indexes = Self { $($section: MISSING,)* };
                for (index, entry) in marked(archive) {
                    let section = match entry.name.as_bytes() {
                        $($name => &mut indexes.$section,)*
                        _ => continue,
                    };
                    *section = index.min(*section);
                }
                indexes
            }
        }

        /// The names of all sections, and those of the obsolete form.
        pub(crate) const KNOWN: &[&[u8]] = &[$($name,)* b"__string", b"__typelist"];

        impl<'a> Sections<'a> {
            $($(#[$doc])*
            pub fn $section(&self) -> Option<Member<'a>> {
                self.member(self.indexes.$section)
            })*

            /// Returns all sections that the table has.
            pub(crate) fn members(&self) -> impl Iterator<Item = Member<'a>> + use<'a> {
                [$(self.$section(),)*].into_iter().flatten()
            }
        }
    };
}

/// No archive has a member with this index.
const MISSING: u32 = u32::MAX;

sections! {
    /// Returns `!!string`: the string pool.
    string = b"!!string";
    /// Returns `!!typelist`: one word per field.
    typelist = b"!!typelist";
    /// Returns `!!strtypelist`: one word per word of a record.
    strtypelist = b"!!strtypelist";
    /// Returns `!!strtypelistb`: one byte per word of a record.
    strtypelistb = b"!!strtypelistb";
    /// Returns `!!version`, which identifies the layout of the records.
    version = b"!!version";
    /// Returns `!!sheetname`: the name of the sheet.
    sheetname = b"!!sheetname";
    /// Returns `!!strArray`: the packed elements of string arrays.
    str_array = b"!!strArray";
    /// Returns `!!strArrayInfo`: how the elements are packed.
    str_array_info = b"!!strArrayInfo";
    /// Returns `!!strArrayList`: the offset of each array.
    str_array_list = b"!!strArrayList";
    /// Returns `!structitem`: field names.
    structitem = b"!structitem";
    /// Returns `!structitemnum`: the number of field names.
    structitemnum = b"!structitemnum";
}

/// Returns the entries whose names begin with `!`, as those of sections do, and their indexes.
fn marked<'a>(archive: &Archive<'a>) -> impl Iterator<Item = (u32, &'a Entry)> + use<'a> {
    let entries = archive.entries();
    let first_byte = |entry: &Entry| entry.name.raw()[0];
    let bounds = if archive.is_sorted() {
        let start = entries.partition_point(|entry| first_byte(entry) < b'!');
        start..entries.partition_point(|entry| first_byte(entry) <= b'!')
    } else {
        0..entries.len()
    };
    let marked = (0..).zip(entries).take(bounds.end).skip(bounds.start);
    marked.filter(move |(_, entry)| first_byte(entry) == b'!')
}

fn index_of(archive: &Archive<'_>, name: &str) -> u32 {
    archive.index_of(name).and_then(|index| u32::try_from(index).ok()).unwrap_or(MISSING)
}

/// The sections of a table, each as a member of the archive. If several share a name, the first one counts.
#[derive(Clone, Copy, Debug)]
pub struct Sections<'a> {
    archive: Archive<'a>,
    indexes: Indexes,
    generation: Generation,
}

impl<'a> Sections<'a> {
    /// Finds the sections. Returns an error if there is no list of types, since the archive is then not a table.
    pub(crate) fn of(archive: Archive<'a>) -> Result<Self> {
        let mut sections = Self { archive, indexes: Indexes::of(&archive), generation: Generation::G2 };
        let has = |index| index != MISSING;
        let Indexes { typelist, strtypelist, strtypelistb, structitem, .. } = sections.indexes;
        sections.generation = if has(strtypelistb) {
            Generation::G3
        } else if has(strtypelist) {
            if has(structitem) { Generation::G3Prime } else { Generation::G2 }
        } else if has(typelist) {
            Generation::G1
        } else {
            sections.indexes.typelist = index_of(&archive, "__typelist");
            sections.indexes.string = index_of(&archive, "__string");
            Generation::G0
        };
        if !has(sections.indexes.typelist) && sections.generation == Generation::G0 {
            let kind = ErrorKind::Corrupt {
                why: "expected a list of types (!!typelist or another) among the members, found none: this archive is not a table",
            };
            return Err(archive.source().error(kind, "table", 0));
        }
        Ok(sections)
    }

    pub(crate) const fn archive(&self) -> Archive<'a> {
        self.archive
    }

    fn member(&self, index: u32) -> Option<Member<'a>> {
        self.archive.get(usize::try_from(index).ok()?)
    }

    /// Returns the generation, determined by which sections exist.
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// Returns whether an entry is a section rather than a record.
    #[inline]
    pub(crate) fn has(generation: Generation, entry: &Entry) -> bool {
        generation.is_section_name(entry.name.raw())
    }

    /// Returns the types of a record's words. Returns an error if the size of a list of 32-bit numbers is not a multiple of four,
    /// unless `on_problem` accepts it, or if there are more than [`MAX_WORDS`].
    pub(crate) fn words(&self, on_problem: OnProblem<'_>) -> Result<WordTypes<'a>> {
        let whole = |list: Option<Member<'a>>, what, on_problem: OnProblem<'_>| {
            let Some(list) = list else { return Ok(&[][..]) };
            let odd = list.data().len() % 4;
            if odd != 0 {
                let found = list.data().len() as u64;
                let at = list.number();
                on_problem(list.source().error(ErrorKind::NotWhole { found, unit: 4 }, what, 0).with_index(at))?;
            }
            Ok(list.data().get(..list.data().len().saturating_sub(odd)).unwrap_or(&[]))
        };
        let typelist = whole(self.typelist(), "size of the data of entry", on_problem)?;
        let strtypelist = whole(self.strtypelist(), "size of the data of entry", on_problem)?;
        let words = match self.strtypelistb() {
            Some(list) => WordTypes { bytes: list.data(), long: false },
            None if self.indexes.strtypelist != MISSING => WordTypes { bytes: strtypelist, long: true },
            None => WordTypes { bytes: typelist, long: true },
        };
        if words.len() > MAX_WORDS {
            let kind = ErrorKind::Limit { of: Limit::Capacity, need: words.len() as u64, limit: MAX_WORDS as u64 };
            let list = self.type_list().map_or(self.archive.source(), |list| list.source());
            return Err(list.error(kind, "words of a record, from the list of types", 0));
        }
        Ok(words)
    }

    /// Returns the section with the types of the words.
    pub(crate) fn type_list(&self) -> Option<Member<'a>> {
        self.strtypelistb().or(self.strtypelist()).or(self.typelist())
    }

    /// Returns the kinds of the fields in `!!typelist`, in the order of the sheet's columns. `None` if each word is a
    /// field.
    pub fn kinds(&self) -> Option<&'a [U32]> {
        self.typelist().filter(|_| !self.generation.is_unpacked()).map(|list| longs(list.data()))
    }

    /// Returns the number in `!!version`.
    pub fn layout_version(&self) -> Option<u32> {
        self.version().and_then(|section| word(section.source()))
    }

    /// Returns the number in `!structitemnum`.
    pub fn announced_fields(&self) -> Option<u32> {
        self.structitemnum().and_then(|section| word(section.source()))
    }

    /// Returns the name in `!!sheetname`, without its NUL.
    pub fn sheet_name(&self) -> Option<&'a [u8]> {
        let name = self.sheetname()?.data();
        name.split(|&byte| byte == 0).next()
    }

    /// Returns the names in `!structitem`, including a last one without a NUL. NULs behind as many names as `!structitemnum`
    /// announces are padding.
    pub fn item_names(&self) -> Option<impl Iterator<Item = &'a [u8]> + use<'a>> {
        let data = self.structitem()?.data();
        let names = data.strip_suffix(&[0]).unwrap_or(data).split(|&byte| byte == 0);
        let announced = self.announced_fields().map_or(usize::MAX, |count| count as usize);
        let is_padded = names.clone().skip(announced).all(<[u8]>::is_empty);
        let limit = if data.is_empty() { 0 } else { usize::MAX };
        Some(names.take(if is_padded { announced.min(limit) } else { limit }))
    }
}

impl Archive<'_> {
    /// Returns whether the archive is a table, which means that one of its members is a list of types.
    pub fn is_table(&self) -> bool {
        TYPE_LISTS.iter().any(|name| self.by_name(name).is_some())
    }
}

/// Returns bytes as 32-bit words, without any remaining bytes.
pub(crate) fn longs(bytes: &[u8]) -> &[U32] {
    let (words, _) = <[U32]>::ref_from_prefix_with_elems(bytes, bytes.len() / 4).unwrap_or((&[], &[]));
    words
}

fn word(source: Source<'_>) -> Option<u32> {
    source.view::<U32>(0, "word").ok().map(|word| word.get())
}

worldview_core::display_by_name!(Generation);
