//! New archives, and new tables without records.

use zerocopy::{FromZeros as _, IntoBytes as _};

use crate::MAX_WORDS;
use crate::plan::Name;
use crate::raw::{ArchiveHeader, Entry};
use crate::sections::{Generation, WordTypes};

/// The alignment of the data in tables, in bytes.
pub const TABLE_ALIGNMENT: usize = 4;

/// The bytes that the data of `!!sheetname` occupies are a multiple of this.
const SHEET_NAME_ALIGNMENT: usize = 16;

/// Returns an archive with these members, in this order.
///
/// The data of each begins at a multiple of `align`, and so does the end of the archive. Only the texts of the entries are taken.
/// Returns `None` if the archive would be larger than 4 GiB.
///
/// ```
/// use worldview_wpd::raw::Entry;
/// use worldview_wpd::{Archive, edit::new};
/// use zerocopy::FromZeros as _;
///
/// let mut entry = Entry::new_zeroed();
/// entry.name = zerocopy::transmute!(*b"dust\0\0\0\0\0\0\0\0\0\0\0\0");
/// let file = new::archive(&[(entry, b"grey")], 128).expect("it is small");
/// let archive = Archive::parse(&file[..])?;
/// assert_eq!(archive.by_name("dust").map(|member| member.data()), Some(&b"grey"[..]));
/// assert_eq!(file.len(), 256);
/// # Ok::<(), worldview_wpd::Error>(())
/// ```
pub fn archive(members: &[(Entry, &[u8])], align: usize) -> Option<Vec<u8>> {
    let mut header = ArchiveHeader::new_zeroed();
    header.magic = zerocopy::transmute!(ArchiveHeader::MAGIC);
    header.count.set(u32::try_from(members.len()).ok()?);
    let (mut entries, mut data) = (header.as_bytes().to_vec(), Vec::new());
    let start = size_of::<Entry>().checked_mul(members.len())?.checked_add(size_of::<ArchiveHeader>())?;
    let pad = |data: &mut Vec<u8>, align: usize| {
        let end = start.checked_add(data.len())?.checked_next_multiple_of(align)?;
        data.resize(end.checked_sub(start)?, 0);
        u32::try_from(end).ok()
    };
    for (entry, bytes) in members {
        let mut entry = *entry;
        entry.offset.set(pad(&mut data, align)?);
        entry.size.set(u32::try_from(bytes.len()).ok()?);
        entries.extend_from_slice(entry.as_bytes());
        data.extend_from_slice(bytes);
        if entry.name.as_bytes() == b"!!sheetname" {
            pad(&mut data, SHEET_NAME_ALIGNMENT)?;
        }
    }
    pad(&mut data, align)?;
    entries.append(&mut data);
    Some(entries)
}

/// The name and the data of a section.
pub type NewSection = (&'static [u8], Vec<u8>);

/// The sections of a table that say which fields its records have.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'n> {
    /// The generation of the table.
    pub generation: Generation,
    /// The number in `!!version`, which identifies the layout.
    pub version: u32,
    /// The name of the sheet; tables of XIII-1 have none.
    pub sheet_name: Option<&'n [u8]>,
    /// The names of the fields, in record order.
    pub names: &'n [&'n [u8]],
}

impl Fields<'_> {
    /// Returns the sections as pairs of a name and data, in the order of the names.
    ///
    /// The pool of strings is empty, and so is each array of strings. The order of `!!typelist` is that of the names, for nothing
    /// else is known of it.
    ///
    /// # Errors
    ///
    /// Returns the index of the first name that is not one of a field, or that the generation cannot store: in the oldest ones each
    /// field has a word of its own.
    pub fn sections(&self) -> core::result::Result<Vec<NewSection>, usize> {
        let (kinds, words, arrays) = self.types()?;
        let long = |list: &[u32]| list.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>();
        let bytes = || words.iter().map(|word| u8::try_from(*word).unwrap_or(0)).collect::<Vec<u8>>();
        let mut all: Vec<NewSection> = match self.generation {
            Generation::G0 => return Ok(vec![(b"__string", Vec::new()), (b"__typelist", long(&words))]),
            Generation::G1 => vec![(b"!!typelist", long(&words))],
            Generation::G2 => vec![(b"!!strtypelist", long(&words)), (b"!!typelist", long(&kinds))],
            Generation::G3 => vec![(b"!!strtypelistb", bytes())],
            Generation::G3Prime => vec![(b"!!strtypelist", long(&words)), (b"!!typelist", long(&kinds))],
        };
        all.push((b"!!string", vec![0]));
        all.push((b"!!version", self.version.to_be_bytes().to_vec()));
        if self.generation.has_field_names() {
            let names: Vec<u8> = self.names.iter().flat_map(|name| name.iter().chain(&[0])).copied().collect();
            let count = u32::try_from(self.names.len()).map_err(|_| MAX_WORDS)?;
            all.extend([(&b"!structitem"[..], names), (b"!structitemnum", count.to_be_bytes().to_vec())]);
            if let Some(name) = self.sheet_name {
                all.push((b"!!sheetname", [name, &[0]].concat()));
            }
            if arrays > 0 {
                // 32 offsets of one bit are in a word; there is none yet.
                all.push((b"!!strArray", Vec::new()));
                all.push((b"!!strArrayInfo", vec![0, 0, 32, 1]));
                all.push((b"!!strArrayList", long(&vec![0; arrays])));
            }
        }
        all.sort_unstable();
        Ok(all)
    }

    /// Returns the kind of each field, the type of each word, and the number of arrays.
    fn types(&self) -> core::result::Result<(Vec<u32>, Vec<u32>, usize), usize> {
        let (mut kinds, mut words, mut arrays, mut left) = (Vec::new(), Vec::new(), 0_usize, 0_u8);
        for (index, name) in self.names.iter().enumerate() {
            let name = Name::of(name).filter(|_| words.len() < MAX_WORDS).ok_or(index)?;
            // The kinds of fields have the numbers of the words that they would fill.
            kinds.push(name.word_type());
            match name.width {
                0 | 64 => {
                    left = 0;
                    words.push(name.word_type());
                }
                width @ 1..=32 if !self.generation.is_unpacked() => {
                    if width > left {
                        left = 32;
                        words.push(WordTypes::BITS);
                    }
                    left = left.saturating_sub(width);
                    arrays = arrays.saturating_add(usize::from(name.letter == b's'));
                }
                _ => return Err(index),
            }
        }
        Ok((kinds, words, arrays))
    }
}
