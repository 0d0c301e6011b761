use worldview_core::{ErrorKind, Limit, Recover, Result, Source};
use zerocopy::FromBytes as _;
use zerocopy::big_endian::U32;

use crate::archive::{Archive, Member};
use crate::raw::Entry;
use crate::refusal::MAX_WORDS;

/// The sections that make an archive a table.
const TYPE_LISTS: [&[u8]; 4] = [b"!!typelist", b"!!strtypelist", b"!!strtypelistb", b"__typelist"];

/// Which kind of table it is, by the sections that are there. `docs/formats/wpd.md`, Table.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generation {
    /// XIII-1, a leftover: `__string`, `__typelist`.
    G0,
    /// XIII-1: one word a field, no list of word types.
    G1,
    /// XIII-1: packed words, no names.
    G2,
    /// XIII-2 and Lightning Returns: names inside, word types in bytes.
    G3,
    /// XIII-2 and Lightning Returns: names inside, word types in words as in XIII-1.
    G3Prime,
}

impl Generation {
    /// The generation's short name: `G0` to `G3` and `G3'`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::G0 => "G0",
            Self::G1 => "G1",
            Self::G2 => "G2",
            Self::G3 => "G3",
            Self::G3Prime => "G3'",
        }
    }

    /// Whether every field has a word of its own.
    pub const fn is_unpacked(self) -> bool {
        matches!(self, Self::G0 | Self::G1)
    }
}

/// What a word of a record holds, as the list of word types says it, a number a word.
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
    /// An offset into the strings.
    pub const STRING: u32 = 2;
    /// An unsigned integer.
    pub const UINT: u32 = 3;

    /// How many words a record has.
    #[inline]
    pub const fn len(&self) -> usize {
        if self.long { self.bytes.len() / 4 } else { self.bytes.len() }
    }

    /// Whether records have no words.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the word number `word`.
    #[inline]
    pub fn get(&self, word: usize) -> Option<u32> {
        if self.long {
            longs(self.bytes).get(word).map(|word| word.get())
        } else {
            self.bytes.get(word).map(|&byte| byte.into())
        }
    }

    /// The types, a word after the other.
    pub fn iter(&self) -> WordTypesIter<'a> {
        WordTypesIter::new(*self)
    }
}

worldview_core::index_iter! {
    /// An iterator over [`WordTypes`].
    pub struct WordTypesIter['a] over WordTypes<'a> => u32;
}

impl<'a> IntoIterator for WordTypes<'a> {
    type Item = u32;
    type IntoIter = WordTypesIter<'a>;

    #[inline]
    fn into_iter(self) -> WordTypesIter<'a> {
        self.iter()
    }
}

/// The sections of a table, each as it lies in the archive; the first of those that share a name.
#[derive(Clone, Copy, Debug)]
pub struct Sections<'a> {
    /// `!!string`: the pool of strings.
    pub string: Option<Member<'a>>,
    /// `!!typelist`: a word a field.
    pub typelist: Option<Member<'a>>,
    /// `!!strtypelist`: a word a word.
    pub strtypelist: Option<Member<'a>>,
    /// `!!strtypelistb`: a byte a word.
    pub strtypelistb: Option<Member<'a>>,
    /// `!!version`: tells the layout.
    pub version: Option<Member<'a>>,
    /// `!!sheetname`.
    pub sheetname: Option<Member<'a>>,
    /// `!!strArray`: the packed elements of string arrays.
    pub str_array: Option<Member<'a>>,
    /// `!!strArrayInfo`: how they are packed.
    pub str_array_info: Option<Member<'a>>,
    /// `!!strArrayList`: where each array begins.
    pub str_array_list: Option<Member<'a>>,
    /// `!structitem`: field names.
    pub structitem: Option<Member<'a>>,
    /// `!structitemnum`: their number.
    pub structitemnum: Option<Member<'a>>,
    generation: Generation,
}

impl<'a> Sections<'a> {
    /// Finds the sections.
    ///
    /// # Errors
    ///
    /// No list of types: the archive is no table.
    pub(crate) fn of(archive: &Archive<'a>) -> Result<Self> {
        let get = |name: &str| archive.by_name(name);
        let mut sections = Self {
            string: get("!!string"),
            typelist: get("!!typelist"),
            strtypelist: get("!!strtypelist"),
            strtypelistb: get("!!strtypelistb"),
            version: get("!!version"),
            sheetname: get("!!sheetname"),
            str_array: get("!!strArray"),
            str_array_info: get("!!strArrayInfo"),
            str_array_list: get("!!strArrayList"),
            structitem: get("!structitem"),
            structitemnum: get("!structitemnum"),
            generation: Generation::G2,
        };
        sections.generation = match sections {
            Self { strtypelistb: Some(_), .. } => Generation::G3,
            Self { strtypelist: Some(_), structitem: Some(_), .. } => Generation::G3Prime,
            Self { strtypelist: Some(_), .. } => Generation::G2,
            Self { typelist: Some(_), .. } => Generation::G1,
            _ => {
                sections.typelist = get("__typelist");
                sections.string = get("__string");
                Generation::G0
            }
        };
        if sections.typelist.is_none() && sections.generation == Generation::G0 {
            let kind = ErrorKind::Corrupt {
                why: "expected a list of types (!!typelist or another) among the members, found none: this archive is no table",
            };
            return Err(archive.source().error(kind, "table", 0));
        }
        Ok(sections)
    }

    /// The generation that these sections make.
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// Whether an entry is a section, and not a record.
    #[inline]
    pub(crate) fn has(generation: Generation, entry: &Entry) -> bool {
        let name = entry.name.raw();
        name.starts_with(b"!") || (generation == Generation::G0 && name.starts_with(b"__"))
    }

    /// The types of a record's words.
    ///
    /// # Errors
    ///
    /// A list of 32-bit numbers that ends inside one, which `recover` may overlook; more than [`MAX_WORDS`].
    pub(crate) fn words(&self, archive: &Archive<'_>, recover: Recover<'_>) -> Result<WordTypes<'a>> {
        let whole = |list: Option<Member<'a>>, what, recover: Recover<'_>| {
            let Some(list) = list else { return Ok(&[][..]) };
            let odd = list.data().len() % 4;
            if odd != 0 {
                let found = list.data().len() as u64;
                let at = list.number();
                recover(list.source().error(ErrorKind::NotWhole { found, unit: 4 }, what, 0).with_index(at))?;
            }
            Ok(list.data().get(..list.data().len().saturating_sub(odd)).unwrap_or(&[]))
        };
        let typelist = whole(self.typelist, "size of the data of entry", recover)?;
        let strtypelist = whole(self.strtypelist, "size of the data of entry", recover)?;
        let words = match self.strtypelistb {
            Some(list) => WordTypes { bytes: list.data(), long: false },
            None if self.strtypelist.is_some() => WordTypes { bytes: strtypelist, long: true },
            None => WordTypes { bytes: typelist, long: true },
        };
        if words.len() > MAX_WORDS {
            let kind = ErrorKind::Limit { of: Limit::Capacity, need: words.len() as u64, limit: MAX_WORDS as u64 };
            let list = self.type_list().map_or(archive.source(), |list| list.source());
            return Err(list.error(kind, "words of a record, by the list of types", 0));
        }
        Ok(words)
    }

    /// The section that tells the types of the words.
    pub(crate) fn type_list(&self) -> Option<Member<'a>> {
        self.strtypelistb.or(self.strtypelist).or(self.typelist)
    }

    /// The kinds of the fields as `!!typelist` tells them, in the order of the sheet's columns.
    pub fn kinds(&self) -> Option<&'a [U32]> {
        self.typelist.filter(|_| !self.generation.is_unpacked()).map(|list| longs(list.data()))
    }

    /// `!!version`.
    pub fn layout_version(&self) -> Option<u32> {
        self.version.and_then(|section| word(section.source()))
    }

    /// `!structitemnum`.
    pub fn announced_fields(&self) -> Option<u32> {
        self.structitemnum.and_then(|section| word(section.source()))
    }

    /// `!!sheetname`, without its NUL.
    pub fn sheet_name(&self) -> Option<&'a [u8]> {
        let name = self.sheetname?.data();
        name.split(|&byte| byte == 0).next()
    }

    /// The names of `!structitem`; where the last has no NUL, it counts all the same.
    pub fn item_names(&self) -> Option<impl Iterator<Item = &'a [u8]> + use<'a>> {
        let names = self.structitem?.data();
        let names = names.strip_suffix(&[0]).map_or(names, |names| names);
        let empty = self.structitem?.data().is_empty();
        Some(names.split(|&byte| byte == 0).filter(move |_| !empty))
    }
}

impl Archive<'_> {
    /// Whether this is a table: one of its members is a list of types.
    pub fn is_table(&self) -> bool {
        TYPE_LISTS.iter().any(|name| self.by_name(name).is_some())
    }
}

/// Bytes as 32-bit words; what is left over at the end is not in it.
pub(crate) fn longs(bytes: &[u8]) -> &[U32] {
    let (words, _) = <[U32]>::ref_from_prefix_with_elems(bytes, bytes.len() / 4).unwrap_or((&[], &[]));
    words
}

fn word(source: Source<'_>) -> Option<u32> {
    source.view::<U32>(0, "word").ok().map(|word| word.get())
}

worldview_core::display_by_name!(Generation);
