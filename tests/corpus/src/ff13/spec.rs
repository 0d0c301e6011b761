//! Archives and tables as plain data. The builder writes exactly what a spec says, valid or not.

use super::{ENTRY_SIZE, EXTENSION_SIZE, MAGIC, NAME_SIZE};
use crate::builder::count;
use crate::spec::{elsewhere, spec, text};

/// An archive with more members gets no member labels, since they would take more memory than the archive itself.
pub(super) const LABELED_MEMBERS: usize = 10_000;

spec! {
    /// Spec of an archive: header, entries, then the data of the members in order.
    pub struct ArchiveSpec |archive, b| {
        /// The members, in the order of the entries and of their data.
        pub members: Vec<MemberSpec> => elsewhere,
        magic: MAGIC,
        count: count(archive.members.len()).to_be_bytes(),
        /// Bytes 8 to 16 of the header.
        pub reserved: [u8; 8],
        @ {
            let mut places = Vec::new();
            let mut end = (b.len() + ENTRY_SIZE * archive.members.len()).next_multiple_of(archive.first_align.max(1));
            for member in &archive.members {
                end = end.next_multiple_of(archive.align.max(1));
                places.push(end);
                end += member.data.len().next_multiple_of(member.slot.max(1));
            }
            b.silent = archive.members.len() > LABELED_MEMBERS;
            for (i, (member, &place)) in archive.members.iter().zip(&places).enumerate() {
                b.field(&format!("entry {i}"));
                text::<NAME_SIZE>(&member.name, b, &format!("entry {i} name"));
                b.field(&format!("entry {i} offset")).put(count(place).to_be_bytes());
                b.field(&format!("entry {i} size")).put(count(member.data.len()).to_be_bytes());
                text::<EXTENSION_SIZE>(&member.extension, b, &format!("entry {i} extension"));
            }
            b.label("data");
            for (i, (member, &place)) in archive.members.iter().zip(&places).enumerate() {
                b.zeros(place - b.len()).field(&format!("data {i}")).bytes(&member.data);
            }
            let end = if archive.pad_end { end.next_multiple_of(archive.align.max(1)) } else { end };
            b.silent = false;
            b.zeros(end - b.len()).label("end");
        }
        /// Alignment of each member's data; 0 and 1 mean no padding.
        pub align: usize = 4 => elsewhere,
        /// Additional alignment of the first member's data.
        pub first_align: usize = 4 => elsewhere,
        /// Whether the file is padded to a multiple of `align`.
        pub pad_end: bool => elsewhere,
    }

    /// A member of an archive.
    pub struct MemberSpec {
        /// Name, cut at 16 bytes; bytes after a NUL are written unchanged.
        pub name: Vec<u8>,
        /// Extension without a dot, cut at 8 bytes.
        pub extension: Vec<u8>,
        pub data: Vec<u8>,
        /// The space reserved for the data is rounded up to a multiple of this.
        pub slot: usize = 1,
    }

    /// Spec of a table.
    pub struct TableSpec {
        pub generation: Generation,
        /// Name of the sheet, written with a NUL after it.
        pub sheet_name: Option<Vec<u8>>,
        pub version: Option<u32> = Some(0x0102_0304),
        /// Names of the fields, which determine the kind, width and place of each.
        pub fields: Vec<String>,
        pub rows: Vec<RowSpec>,
        pub pool: PoolSpec,
        pub arrays: ArraysSpec,
        /// Whether members keep the order sections, records, others instead of being sorted by name.
        pub keep_order: bool,
        /// Sections that are overridden with given bytes or left out.
        pub sections: Vec<SectionSpec>,
        /// Additional members that do not follow from the other fields.
        pub others: Vec<MemberSpec>,
        /// Alignment of each member's data.
        pub align: usize = 4,
        /// The space reserved for the sheet name is rounded up to a multiple of this.
        pub sheet_slot: usize = 16,
        /// Bytes 8 to 16 of the header.
        pub reserved: [u8; 8],
    }

    /// A record of a table.
    pub struct RowSpec {
        pub name: Vec<u8>,
        /// One value per field; missing ones are 0.
        pub values: Vec<CellSpec>,
        /// Raw bytes that replace the values.
        pub data: Option<Vec<u8>>,
    }

    /// Options of the string pool.
    pub struct PoolSpec {
        /// Whether the pool begins with a NUL.
        pub leading_nul: bool,
        /// Whether a string that is the tail of an existing one points into it, as in the original tool.
        ///
        /// For small pools only, since every tail of every string is remembered.
        pub share_tails: bool = true,
        /// Number of dedicated positions for empty strings; 0 makes them point to the first NUL.
        pub empties: usize,
        /// Strings stored first, whether or not a record refers to them.
        pub first: Vec<Vec<u8>>,
        /// Whether the final NUL of the pool is missing.
        pub open_end: bool,
    }

    /// Options of the string arrays.
    pub struct ArraysSpec {
        /// Offsets per word; `None` packs as many as fit.
        pub per_word: Option<u8>,
        /// Bits per offset; `None` uses the width of the largest offset.
        pub bits: Option<u8>,
        /// Strings stored first in each array, whether or not a record refers to them.
        pub first: Vec<Vec<Vec<u8>>>,
    }

    /// An override for a section.
    pub struct SectionSpec {
        pub name: Vec<u8>,
        /// The bytes, or `None` to leave the section out.
        pub data: Option<Vec<u8>>,
    }
}

/// Which sections a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// `__string` and `__typelist`, one word per field.
    G0,
    /// `!!string` and `!!typelist`, one word per field.
    G1,
    /// `!!string`, `!!strtypelist` and `!!typelist`: nearly all of XIII-1.
    #[default]
    G2,
    /// `!!strtypelistb` and embedded names: XIII-2 and Lightning Returns.
    G3,
    /// Embedded names, and the type lists of `G2`.
    G3Prime,
}

/// The value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellSpec {
    /// The low bits of this number. In a string field, this is the offset or the index into the field's array.
    Int(i64),
    /// The bits of a float.
    Float(u32),
    /// A string, added to the pool and to the field's array as needed.
    Text(Vec<u8>),
}

impl MemberSpec {
    /// Creates a member without an extension.
    pub fn new(name: impl Into<Vec<u8>>, data: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), data: data.into(), ..Self::default() }
    }
}

impl TableSpec {
    /// Creates a table with these fields and no records.
    pub fn new(generation: Generation, fields: &[&str]) -> Self {
        let fields = fields.iter().map(|&name| name.into()).collect();
        let version = if generation == Generation::G0 { None } else { Self::default().version };
        Self { generation, fields, version, ..Self::default() }
    }

    /// Adds a record.
    #[must_use]
    pub fn row(mut self, name: &str, values: impl IntoIterator<Item = CellSpec>) -> Self {
        self.rows.push(RowSpec { name: name.into(), values: values.into_iter().collect(), data: None });
        self
    }

    /// Adds a record with the given bytes.
    #[must_use]
    pub fn raw_row(mut self, name: &str, data: &[u8]) -> Self {
        self.rows.push(RowSpec { name: name.into(), values: Vec::new(), data: Some(data.to_vec()) });
        self
    }

    /// Overrides the bytes of a section, or leaves the section out.
    #[must_use]
    pub fn section(mut self, name: &str, data: Option<&[u8]>) -> Self {
        self.sections.push(SectionSpec { name: name.into(), data: data.map(<[u8]>::to_vec) });
        self
    }

    /// Overrides a section with big-endian words.
    #[must_use]
    pub fn words(self, name: &str, words: &[u32]) -> Self {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        self.section(name, Some(&bytes))
    }

    /// Adds a member that does not follow from the other fields.
    #[must_use]
    pub fn other(mut self, name: &str, data: &[u8]) -> Self {
        self.others.push(MemberSpec::new(name, data));
        self
    }
}

impl From<i64> for CellSpec {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f32> for CellSpec {
    fn from(value: f32) -> Self {
        Self::Float(value.to_bits())
    }
}

impl From<&str> for CellSpec {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}
