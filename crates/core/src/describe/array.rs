use zerocopy::little_endian::{F32, I32, U32};

use super::{Int, Notation, Role, Span};

/// The elements of an [`Array`], in place if possible.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Elements<'d> {
    /// Bytes.
    Bytes(&'d [u8]),
    /// Little-endian unsigned words of 32 bits.
    Words(&'d [U32]),
    /// Little-endian signed words of 32 bits.
    Ints(&'d [I32]),
    /// Unsigned words of 32 bits.
    Indices(&'d [u32]),
    /// Little-endian floats of 32 bits.
    StoredFloats(&'d [F32]),
    /// Floats of 32 bits.
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

    /// Returns whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the element at `index`: a float as its bits, a color as `0xRRGGBB`.
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

/// Many values of one type, such as tiles, pixels or coordinates.
#[derive(Clone, Copy)]
pub struct Array<'d> {
    /// The name, unique within the part.
    pub name: &'static str,
    /// The name of one element, or of one row, in paths: `tile`, `position`.
    pub item: &'static str,
    /// The elements.
    pub elements: Elements<'d>,
    /// Elements per row: the columns of a grid, the coordinates of a point; 0 for a plain list.
    pub columns: usize,
    /// Whether a row is one item, such as a point. In a grid each element is an item.
    pub rows_are_items: bool,
    /// Whether only a full dump includes it.
    pub bulk: bool,
    /// The purpose of the array.
    pub role: Role,
    /// The bytes of the array, if the file stores it in this form.
    pub at: Option<Span>,
    /// How integer elements are shown to people.
    pub notation: Notation,
    /// The bits of an element that another version of the array does not have.
    pub blank: u32,
    /// Where the number of elements is stored, and how, if the array can get another length.
    pub count: Option<(Span, Int)>,
}

impl<'d> Array<'d> {
    /// Creates a list of content without a span.
    pub const fn new(name: &'static str, item: &'static str, elements: Elements<'d>) -> Self {
        Self {
            name,
            item,
            elements,
            columns: 0,
            rows_are_items: false,
            bulk: false,
            role: Role::Data,
            at: None,
            notation: Notation::Decimal,
            blank: 0,
            count: None,
        }
    }

    /// Creates an array of bytes without a known meaning.
    pub const fn bytes(name: &'static str, bytes: &'d [u8]) -> Self {
        Self::new(name, "byte", Elements::Bytes(bytes)).notation(Notation::Hex)
    }

    /// Arranges the elements in a grid of this many columns.
    #[must_use]
    pub const fn grid(mut self, columns: usize) -> Self {
        self.columns = columns;
        self
    }

    /// Makes an item of every `len` elements, such as the coordinates of a point.
    #[must_use]
    pub const fn items_of(mut self, len: usize) -> Self {
        (self.columns, self.rows_are_items) = (len, true);
        self
    }

    crate::setters! {
        /// Includes the array only in full dumps.
        pub const fn bulk() => bulk = true;

        /// Sets the purpose.
        pub const fn role(role: Role) => role = role;

        /// Sets the span of the elements.
        pub fn at(at: impl Into<Option<Span>>) => at = at.into();

        /// Sets the notation.
        pub const fn notation(notation: Notation) => notation = notation;

        /// Sets where the number of elements is stored.
        pub fn count(count: impl Into<Option<(Span, Int)>>) => count = count.into();
    }
}

crate::debug_summary!("Array", Array<'_>, |this| name: this.name, len: this.elements.len(), columns: this.columns, role: this.role, at: this.at);
