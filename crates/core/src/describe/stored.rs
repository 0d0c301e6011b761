use super::Span;

/// How an integer is stored: some bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int {
    /// Bytes of the word.
    pub bytes: u8,
    /// The lowest bit of the integer in the word.
    pub low: u8,
    /// Number of bits.
    pub width: u8,
    /// Whether the highest bit is the sign.
    pub signed: bool,
    /// Whether the word is big-endian.
    pub big: bool,
}

impl Int {
    /// Returns a whole word of this many bytes, little-endian.
    pub const fn word(bytes: u8, signed: bool) -> Self {
        Self { bytes, low: 0, width: bytes.saturating_mul(8), signed, big: false }
    }

    /// Returns the same in a big-endian word.
    #[must_use]
    pub const fn big_endian(mut self) -> Self {
        self.big = true;
        self
    }

    /// Returns some bits of the word.
    #[must_use]
    pub const fn bits(mut self, low: u8, width: u8) -> Self {
        (self.low, self.width) = (low, width);
        self
    }

    /// Returns the least and the greatest value.
    pub const fn range(self) -> (i128, i128) {
        let bits = 1_i128.wrapping_shl(self.width as u32);
        if self.signed {
            ((bits >> 1).saturating_neg(), (bits >> 1).saturating_sub(1))
        } else {
            (0, bits.saturating_sub(1))
        }
    }

    /// Returns the value in a word, or `None` if there are too few bytes.
    pub fn read(self, word: &[u8]) -> Option<i128> {
        let word = word.get(..self.bytes.into())?;
        let add = |all: u64, byte: &u8| (all << 8) | u64::from(*byte);
        let all = if self.big { word.iter().fold(0, add) } else { word.iter().rev().fold(0, add) };
        let (_, unsigned_max) = Self { signed: false, ..self }.range();
        let value = i128::from(all.wrapping_shr(self.low.into())) & unsigned_max;
        let (_, max) = self.range();
        Some(if value > max { value.saturating_sub(unsigned_max).saturating_sub(1) } else { value })
    }

    /// Writes a value in range into a word, whose other bits stay. Returns `false` if it is not in range.
    #[must_use]
    pub fn write(self, word: &mut [u8], value: i128) -> bool {
        let (min, max) = self.range();
        let Some(word) = word.get_mut(..self.bytes.into()).filter(|_| (min..=max).contains(&value)) else {
            return false;
        };
        let (_, mask) = Self { signed: false, ..self }.range();
        let (low, len) = (u32::from(self.low), self.bytes);
        for (index, byte) in (0_u8..).zip(word) {
            let place = if self.big { len.saturating_sub(index).saturating_sub(1) } else { index };
            let shift = u32::from(place).saturating_mul(8);
            let (mask, value) = (mask.wrapping_shl(low), (value & mask).wrapping_shl(low));
            let (mask, value) = (mask.wrapping_shr(shift) & 255, value.wrapping_shr(shift) & 255);
            *byte = u8::try_from((i128::from(*byte) & !mask) | value).unwrap_or(*byte);
        }
        true
    }
}

/// A text or bytes whose number of bytes is stored elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Where the number of bytes is.
    pub count: Span,
    /// How the number is stored.
    pub int: Int,
    /// The number now; what else it counts than this field stays.
    pub now: u32,
    /// The largest number.
    pub most: u32,
    /// Whether the field ends at the first NUL of what is counted.
    pub to_nul: bool,
    /// The bytes of the field, including a NUL in front of it that is there only if the field is.
    pub with_nul: Option<Span>,
    /// Everything that is counted, if the field may also be given as all these bytes: the text, a NUL and what follows it.
    pub whole: Option<Span>,
    /// Whether a counted NUL follows the text if there was nothing before.
    pub nul: bool,
}

/// How the value of a field is stored at its span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stored<'d> {
    /// It is not stored as such, so it cannot be set.
    #[default]
    Nowhere,
    /// As an integer.
    Int(Int),
    /// As this many integers in sequence.
    Ints(Int, u16),
    /// As text in a field of this size, which ends at the first NUL if there is one.
    Text(u16),
    /// As text in a field of this size, padded with blanks.
    Padded(u16),
    /// As the name of an element, in a field of this size, which it may fill. Instead of the field, the element gets a name.
    Name(u16),
    /// As bytes in a field of this size, followed by zeros.
    Bytes(u16),
    /// As bytes that are counted elsewhere.
    Counted(&'d Counted),
    /// As text of at most this many bytes, which ends with a NUL.
    Terminated(u32),
    /// As a float of 32 bits, which may be big-endian.
    Float {
        /// Whether it is big-endian.
        big: bool,
    },
    /// As this many little-endian floats of 32 bits in sequence.
    Floats(u16),
    /// As the bytes of red, green and blue.
    Color,
    /// As those bits of an integer that a mask has; the value has them where the integer has them.
    Masked(Int, u32),
    /// As an integer that is the distance of some place from an offset. It follows that place.
    Offset(Int, u64),
    /// As an integer elsewhere that says where the text is: in a pool, or which element of an array of texts it is.
    Pooled {
        /// Where the integer is.
        reference: Span,
        /// How the integer is stored.
        int: Int,
        /// The array, if it is an element of one.
        array: Option<u32>,
    },
}

impl Stored<'_> {
    /// Returns the number of integers, if there are several.
    pub const fn count(self) -> Option<usize> {
        match self {
            Self::Ints(_, count) => Some(count as usize),
            _ => None,
        }
    }

    /// Returns the size of the field in bytes, if it is always the same.
    pub const fn size(self) -> Option<usize> {
        match self {
            Self::Nowhere | Self::Counted(_) | Self::Terminated(_) | Self::Pooled { .. } => None,
            Self::Float { .. } => Some(4),
            Self::Floats(count) => Some((count as usize).saturating_mul(4)),
            Self::Color => Some(3),
            Self::Int(int) | Self::Masked(int, _) | Self::Offset(int, _) => Some(int.bytes as usize),
            Self::Ints(int, count) => Some((int.bytes as usize).saturating_mul(count as usize)),
            Self::Text(room) | Self::Padded(room) | Self::Name(room) | Self::Bytes(room) => Some(room as usize),
        }
    }
}

/// What a field with [`Role::Storage`](super::Role::Storage) follows from, so that it is known how to correct it after an edit.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Follows {
    /// It is where something is.
    Offset,
    /// It is the number of elements of a list.
    Count,
    /// It is the number of bytes of something.
    Length,
    /// It is the size of a fixed structure.
    Size,
    /// It is computed from bytes of the file.
    Checksum,
    /// It is the same in all files.
    Constant,
    /// It says something about the order of elements.
    Order,
}
