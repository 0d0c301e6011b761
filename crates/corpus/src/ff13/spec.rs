//! What an archive or a table should hold, as plain data; the builder writes exactly this, broken or not.

/// An archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveSpec {
    /// The members, in the order of the table and of their data.
    pub members: Vec<MemberSpec>,
    /// Data begins at a multiple of this; 0 and 1 pack it.
    pub align: usize,
    /// The first data begins at a multiple of this as well.
    pub first_align: usize,
    /// Whether the file is padded to a multiple of `align`.
    pub pad_end: bool,
    /// The bytes 8 to 16 of the header.
    pub reserved: [u8; 8],
}

/// One member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberSpec {
    /// Name, cut at 16 bytes; what follows a NUL in it is written as it is.
    pub name: Vec<u8>,
    /// Extension without a dot, cut at 8 bytes.
    pub extension: Vec<u8>,
    /// Data.
    pub data: Vec<u8>,
    /// The space that the data takes is rounded up to a multiple of this.
    pub slot: usize,
}

/// Which sections a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Generation {
    /// `__string` and `__typelist`, one word a field.
    G0,
    /// `!!string` and `!!typelist`, one word a field.
    G1,
    /// `!!string`, `!!strtypelist` and `!!typelist`: nearly all of XIII-1.
    #[default]
    G2,
    /// `!!strtypelistb` and embedded names: XIII-2 and Lightning Returns.
    G3,
    /// Embedded names, and the type lists of `G2`.
    G3Prime,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// Which sections there are.
    pub generation: Generation,
    /// Name of the sheet; written with a NUL behind it.
    pub sheet_name: Option<Vec<u8>>,
    /// The version word.
    pub version: Option<u32>,
    /// Names of the fields, from which kind, width and place of each follow.
    pub fields: Vec<String>,
    /// The records.
    pub rows: Vec<RowSpec>,
    /// Habits of the string pool.
    pub pool: PoolSpec,
    /// Habits of the string arrays.
    pub arrays: ArraysSpec,
    /// Whether members stay in the order sections, records, others, instead of being sorted by name.
    pub keep_order: bool,
    /// Sections whose bytes are given, or which are left out.
    pub sections: Vec<SectionSpec>,
    /// Members that do not follow from the rest.
    pub others: Vec<MemberSpec>,
    /// Data begins at a multiple of this.
    pub align: usize,
    /// The space that the sheet's name takes is rounded up to a multiple of this.
    pub sheet_slot: usize,
    /// The bytes 8 to 16 of the header.
    pub reserved: [u8; 8],
}

/// One record of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSpec {
    /// Name.
    pub name: Vec<u8>,
    /// A value for each field; those that are missing are 0.
    pub values: Vec<CellSpec>,
    /// The bytes of the record instead of the values.
    pub data: Option<Vec<u8>>,
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellSpec {
    /// The low bits of this number; in a field of strings the offset, or the index into the field's array.
    Int(i64),
    /// The bits of a float.
    Float(u32),
    /// A string, put into the pool and in the field's array where it needs to be.
    Text(Vec<u8>),
}

/// Habits of the string pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolSpec {
    /// Whether the pool begins with a NUL.
    pub leading_nul: bool,
    /// Whether a string that ends one which is there already points into that, as the original tool does.
    ///
    /// For short strings only, as every end of every string is remembered.
    pub share_tails: bool,
    /// How many places of their own empty strings have; 0 lets them point to the first NUL there is.
    pub empties: usize,
    /// Strings that come first, whether or not a record refers to them.
    pub first: Vec<Vec<u8>>,
    /// Whether the NUL at the end of the pool is missing.
    pub open_end: bool,
}

/// Habits of the string arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArraysSpec {
    /// Offsets a word; `None` is as many as fit.
    pub per_word: Option<u8>,
    /// Bits an offset; `None` is as many as the largest offset has.
    pub bits: Option<u8>,
    /// Strings that come first in each array, whether or not a record refers to them.
    pub first: Vec<Vec<Vec<u8>>>,
}

/// A section that does not follow from the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSpec {
    /// Its name.
    pub name: Vec<u8>,
    /// Its bytes, or `None` to leave it out.
    pub data: Option<Vec<u8>>,
}

impl Default for ArchiveSpec {
    fn default() -> Self {
        Self { members: Vec::new(), align: 4, first_align: 4, pad_end: false, reserved: [0; 8] }
    }
}

impl MemberSpec {
    /// A member without an extension.
    pub fn new(name: impl Into<Vec<u8>>, data: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), extension: Vec::new(), data: data.into(), slot: 1 }
    }
}

impl Default for TableSpec {
    fn default() -> Self {
        Self {
            generation: Generation::default(),
            sheet_name: None,
            version: Some(0x0102_0304),
            fields: Vec::new(),
            rows: Vec::new(),
            pool: PoolSpec::default(),
            arrays: ArraysSpec::default(),
            keep_order: false,
            sections: Vec::new(),
            others: Vec::new(),
            align: 4,
            sheet_slot: 16,
            reserved: [0; 8],
        }
    }
}

impl Default for PoolSpec {
    fn default() -> Self {
        Self { leading_nul: false, share_tails: true, empties: 0, first: Vec::new(), open_end: false }
    }
}

impl TableSpec {
    /// A table without records, of these fields.
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

    /// Adds a record of the given bytes.
    #[must_use]
    pub fn raw_row(mut self, name: &str, data: &[u8]) -> Self {
        self.rows.push(RowSpec { name: name.into(), values: Vec::new(), data: Some(data.to_vec()) });
        self
    }

    /// Gives the bytes of a section, or leaves it out.
    #[must_use]
    pub fn section(mut self, name: &str, data: Option<&[u8]>) -> Self {
        self.sections.push(SectionSpec { name: name.into(), data: data.map(<[u8]>::to_vec) });
        self
    }

    /// Gives the big-endian words of a section.
    #[must_use]
    pub fn words(self, name: &str, words: &[u32]) -> Self {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        self.section(name, Some(&bytes))
    }

    /// Adds a member that does not follow from the rest.
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
