//! Record layout, derived from the field names alone.

/// The place of a field in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// First letter of the name.
    pub letter: u8,
    /// Byte offset of the word.
    pub at: usize,
    /// Lowest bit of a packed field.
    pub shift: u32,
    /// Width in bits: that of a packed field, 32 for a full word, 64 for a double word.
    pub width: u32,
    /// Index of the string array that the field refers to.
    pub array: Option<usize>,
}

/// The places of all fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The fields, in the order of their names.
    pub slots: Vec<Slot>,
    /// Type of each word.
    pub types: Vec<u32>,
    /// Record size in bytes.
    pub size: usize,
    /// Number of fields that refer to string arrays.
    pub arrays: usize,
}

impl Slot {
    /// Returns the field's value in `!!typelist`.
    pub(crate) fn kind(&self) -> u32 {
        kind(self.letter)
    }

    /// Sets the field to the low bits of `bits`.
    pub(crate) fn put(&self, record: &mut [u8], bits: u64) {
        if self.width == 64 {
            record[self.at..self.at + 8].copy_from_slice(&bits.to_be_bytes());
            return;
        }
        let mask = if self.width == 32 { u32::MAX } else { (1 << self.width) - 1 };
        let [.., a, b, c, d] = bits.to_be_bytes();
        let value = (u32::from_be_bytes([a, b, c, d]) & mask) << self.shift;
        for (byte, bits) in record[self.at..].iter_mut().zip(value.to_be_bytes()) {
            *byte |= bits;
        }
    }

    /// Returns the bits of the word that the field occupies.
    pub(crate) fn mask(&self) -> u32 {
        if self.width >= 32 { u32::MAX } else { ((1 << self.width) - 1) << self.shift }
    }
}

fn kind(letter: u8) -> u32 {
    match letter {
        b'f' => 1,
        b's' => 2,
        b'u' => 3,
        _ => 0,
    }
}

/// Lays out the fields, filling each word from its lowest bit; a field with an invalid width takes a full word.
pub fn layout(names: &[impl AsRef<[u8]>]) -> Layout {
    let mut out = Layout::default();
    let mut left = 0;
    let mut open = 0;
    for name in names {
        let bytes = name.as_ref();
        let letter = bytes.first().copied().unwrap_or(0);
        let digits = bytes.iter().skip(1).take(2).take_while(|byte| byte.is_ascii_digit());
        let width = digits.fold(0, |width, digit| width * 10 + u32::from(digit - b'0'));
        if (1..=32).contains(&width) {
            if width > left {
                (open, left) = (out.size, 32);
                out.types.push(0);
                out.size += 4;
            }
            let array = (letter == b's').then_some(out.arrays);
            out.arrays += usize::from(array.is_some());
            out.slots.push(Slot { letter, at: open, shift: 32 - left, width, array });
            left -= width;
            continue;
        }
        left = 0;
        let width = if letter == b'u' && width == 64 { 64 } else { 32 };
        out.slots.push(Slot { letter, at: out.size, shift: 0, width, array: None });
        out.types.push(kind(letter));
        out.size += if width == 64 { 8 } else { 4 };
    }
    out
}
