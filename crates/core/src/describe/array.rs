use core::fmt;

use zerocopy::little_endian::{F32, I32, U32};

use super::{Notation, Role, Span};

/// The elements of an [`Array`], in place where that is possible.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Elements<'d> {
    /// Bytes.
    Bytes(&'d [u8]),
    /// Little-endian words.
    Words(&'d [U32]),
    /// Little-endian signed words.
    Ints(&'d [I32]),
    /// Words.
    Indices(&'d [u32]),
    /// Little-endian floats.
    StoredFloats(&'d [F32]),
    /// Floats.
    Floats(&'d [f32]),
    /// Red, green and blue of each color.
    Colors(&'d [[u8; 3]]),
}

impl Elements<'_> {
    /// Returns the number of elements.
    pub const fn len(&self) -> usize {
        match self {
            Self::Bytes(all) => all.len(),
            Self::Words(all) => all.len(),
            Self::Ints(all) => all.len(),
            Self::Indices(all) => all.len(),
            Self::StoredFloats(all) => all.len(),
            Self::Floats(all) => all.len(),
            Self::Colors(all) => all.len(),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the element number `index`; a float as its bits, a color as `0xRRGGBB`.
    pub fn bits(&self, index: usize) -> Option<u32> {
        Some(match self {
            Self::Bytes(all) => (*all.get(index)?).into(),
            Self::Words(all) => all.get(index)?.get(),
            Self::Ints(all) => all.get(index)?.get().cast_unsigned(),
            Self::Indices(all) => *all.get(index)?,
            Self::StoredFloats(all) => all.get(index)?.get().to_bits(),
            Self::Floats(all) => all.get(index)?.to_bits(),
            Self::Colors(all) => {
                let [red, green, blue] = *all.get(index)?;
                u32::from_be_bytes([0, red, green, blue])
            }
        })
    }
}

/// Many values of one type: tiles, pixels, coordinates.
#[derive(Clone, Copy)]
pub struct Array<'d> {
    /// The name, unique within the part.
    pub name: &'static str,
    /// What one element, or one row, is called in a path: `tile`, `position`.
    pub item: &'static str,
    /// The elements.
    pub elements: Elements<'d>,
    /// Elements in a row: the columns of a grid, the coordinates of a point; 0 for a plain list.
    pub columns: usize,
    /// Whether a row is one thing, such as a point; in a grid each element is.
    pub rows_are_items: bool,
    /// Whether only a full dump shows it.
    pub bulk: bool,
    /// What it is for.
    pub role: Role,
    /// Where it lies, if it lies in the file as it is.
    pub at: Option<Span>,
    /// How people read an element that is an integer.
    pub notation: Notation,
}

impl fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, elements, columns, role, at, .. } = self;
        f.debug_struct("Array")
            .field("name", name)
            .field("len", &elements.len())
            .field("columns", columns)
            .field("role", role)
            .field("at", at)
            .finish_non_exhaustive()
    }
}
