use core::fmt;
use core::num::NonZeroU32;

/// Shorthand for a result that fails with [`Error`].
pub type Result<T> = core::result::Result<T, Error>;

/// What a reader does about a part that it cannot read: it passes the error on and gives up, or it notes the error and
/// goes on without the part.
pub type Recover<'r> = &'r mut dyn FnMut(Error) -> Result<()>;

/// Which bytes an offset counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// The file as it lies on the disk.
    File,
    /// What a packed file unpacks to.
    Image,
}

impl Space {
    /// The word used in messages and in machine output: `file` or `image`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Image => "image",
        }
    }

    /// What people call it: `file` or `unpacked image`.
    pub const fn described(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Image => "unpacked image",
        }
    }
}

/// A bound that keeps an operation from taking too much.
///
/// Some bounds are options of the caller; a program can match on the limit and name its own option.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Bytes that packed data may unpack to.
    Inflate,
    /// Bytes that can be allocated.
    Memory,
    /// How deep containers may be nested.
    Depth,
    /// Bytes visited by a walk over parts that may overlap.
    Overlap,
    /// Work on parts that are used again and again, or that are small in the file and large to process.
    Work,
    /// Bytes of a text before its end.
    Text,
    /// What the library, or the format that it writes, can represent: elements, an offset, a length.
    Capacity,
    /// Bytes of one output in proportion to its file.
    Growth,
    /// Bytes of all output of one input.
    Output,
    /// Files made of one input.
    Files,
    /// Pixels of a picture, or of several pictures together.
    Pixels,
    /// Pixels along one side of a picture.
    Side,
}

/// What is wrong, with what was wanted and what was found.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The part needs more bytes than there are from its offset on.
    Truncated {
        /// Bytes that the part takes.
        need: u64,
        /// Bytes that are there.
        have: u64,
    },
    /// As many elements as a count says do not fit into the bytes from the part's offset on.
    TooMany {
        /// The count in the file.
        count: u32,
        /// Bytes that the shortest element takes.
        unit: u32,
        /// Bytes that are there.
        have: u64,
    },
    /// As many elements as the product of two counts says do not fit into the bytes from the part's offset on.
    Product {
        /// The counts in the file.
        counts: [u32; 2],
        /// Bytes that an element takes.
        unit: u8,
        /// Bytes that are there.
        have: u64,
    },
    /// An offset points behind the end of what it counts in, or a range ends there.
    Outside {
        /// The offset.
        found: u64,
        /// Where the bytes end, which is the largest offset that can be.
        end: u64,
    },
    /// A value lies outside what the parts around it leave.
    NotWithin {
        /// The value in the file.
        found: u32,
        /// The smallest that can be.
        min: u32,
        /// The largest that can be.
        max: u64,
    },
    /// A field that has one right value has another.
    Mismatch {
        /// The right value.
        want: u64,
        /// The value in the file.
        found: u64,
    },
    /// There are more bytes than a field says; how many is not known.
    TooLong {
        /// Bytes that there should be.
        want: u64,
    },
    /// The bytes that tell the format are others.
    Magic {
        /// The right bytes.
        want: [u8; 4],
        /// The bytes in the file.
        found: [u8; 4],
    },
    /// A size is not made of whole pieces.
    NotWhole {
        /// The size in the file.
        found: u64,
        /// The size of a piece.
        unit: u64,
    },
    /// A count or measure lies outside what the format can hold.
    OutOfRange {
        /// The value in the file.
        found: i64,
        /// The largest value that can be; the smallest is 0.
        max: u64,
    },
    /// A kind word that no reader of this format knows; what follows it cannot be sized.
    UnknownKind {
        /// The value in the file.
        found: u32,
        /// The kinds that are known, as a list in words.
        known: &'static str,
    },
    /// The bytes are packed where an unpacked image was asked for.
    Packed,
    /// The bytes contradict themselves.
    Corrupt {
        /// What was expected and what was found, as half a sentence.
        why: &'static str,
    },
    /// A bound was reached.
    Limit {
        /// Which bound.
        of: Limit,
        /// What it would take.
        need: u64,
        /// What is allowed.
        limit: u64,
    },
}

/// What is wrong with a file, and where: 64 bytes at most, `Copy`, nothing allocated.
///
/// The text form is one line that names the part, the offset and the space it counts in, what was expected and what
/// was found.
///
/// An error names one part, and at most one numbered part that encloses it. Whoever walks a file knows the whole path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Offset of the part's first byte, counted in [`space`](Self::space).
    pub at: u64,
    /// The part, in the format's own words: `"file header"`.
    pub what: &'static str,
    /// The index of the part, plus one.
    number: Option<NonZeroU32>,
    /// The kind of the enclosing part: a thin pointer, half the size of a `&str`.
    enclosing: Option<&'static &'static str>,
    around: Around,
}

const _: () = assert!(size_of::<Error>() <= 64);

/// The number of the enclosing part, shifted left by the bit that tells an image from a file: one word for both keeps
/// [`Error`] within 64 bytes. No file has 2^31 parts of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Around(u32);

impl Around {
    const LARGEST: u32 = u32::MAX >> 1;

    const fn new(number: u32, space: Space) -> Self {
        let number = if number > Self::LARGEST { Self::LARGEST } else { number };
        Self(number << 1 | matches!(space, Space::Image) as u32)
    }

    const fn number(self) -> u32 {
        self.0 >> 1
    }

    const fn space(self) -> Space {
        if self.0 & 1 == 0 { Space::File } else { Space::Image }
    }
}

impl Error {
    /// An error of the part `what`, which begins at offset `at` of `space`.
    #[inline]
    pub const fn new(kind: ErrorKind, what: &'static str, at: u64, space: Space) -> Self {
        Self { kind, at, what, number: None, enclosing: None, around: Around::new(0, space) }
    }

    /// The same error, of the part number `index` of its kind, counted from 0.
    #[inline]
    #[must_use]
    pub const fn with_index(mut self, index: u32) -> Self {
        self.number = NonZeroU32::new(index.saturating_add(1));
        self
    }

    /// The same error, inside part number `number` of the kind `label`, counted from 0: `within(&"chapter", 3)`.
    ///
    /// It takes the place of the enclosing part that the error has.
    #[inline]
    #[must_use]
    pub const fn within(mut self, label: &'static &'static str, number: u32) -> Self {
        self.enclosing = Some(label);
        self.around = Around::new(number, self.space());
        self
    }

    /// Returns what [`at`](Self::at) counts in.
    #[inline]
    pub const fn space(&self) -> Space {
        self.around.space()
    }

    /// Returns the kind and number of the part that encloses the one the error names.
    #[inline]
    pub const fn enclosing(&self) -> Option<(&'static str, u32)> {
        match self.enclosing {
            Some(label) => Some((*label, self.around.number())),
            None => None,
        }
    }

    /// Which of its kind the part is, counted from 0, where there are several.
    #[inline]
    pub const fn index(&self) -> Option<u32> {
        match self.number {
            Some(number) => Some(number.get().saturating_sub(1)),
            None => None,
        }
    }
}

const fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// How many bytes are there, in words.
struct There(u64);

impl fmt::Display for There {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(have) = self;
        write!(f, "{have} {} there", if *have == 1 { "is" } else { "are" })
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated { need: 1, .. } => f.write_str("needs 1 byte, none is there"),
            Self::Truncated { need, have } => write!(f, "needs {need} bytes, {}", There(have)),
            Self::TooMany { count, unit, have } => {
                let need = u64::from(count).saturating_mul(unit.into());
                let s = plural(unit.into());
                write!(f, "{count} of at least {unit} byte{s} need {need} byte{}, {}", plural(need), There(have))
            }
            Self::Product { counts: [first, second], unit, have } => {
                // Two 32-bit numbers and a byte: less than 2^72.
                let need = u128::from(first).saturating_mul(second.into()).saturating_mul(unit.into());
                let s = plural(unit.into());
                write!(f, "{first} by {second} of {unit} byte{s} need {need} bytes, {}", There(have))
            }
            Self::Outside { found, end } => write!(f, "expected {end} at most, where the bytes end, found {found}"),
            Self::NotWithin { found, min, max } => write!(f, "expected {min} to {max}, found {found}"),
            Self::Mismatch { want, found } => write!(f, "expected {want}, found {found}"),
            Self::TooLong { want } => write!(f, "expected {want} bytes, found more"),
            Self::Magic { want, found } => {
                write!(f, "expected \"{}\", found \"{}\"", want.escape_ascii(), found.escape_ascii())
            }
            Self::NotWhole { found, unit } => write!(f, "expected a multiple of {unit}, found {found}"),
            Self::OutOfRange { found, max } => write!(f, "expected 0 to {max}, found {found}"),
            Self::UnknownKind { found, known } => write!(f, "expected a known kind ({known}), found {found}"),
            Self::Packed => f.write_str("is packed; call unpack first and parse the image"),
            Self::Corrupt { why } => f.write_str(why),
            Self::Limit { need, limit, .. } => write!(f, "would take {need}, the limit is {limit}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((label, number)) = self.enclosing() {
            write!(f, "{label} {number}, ")?;
        }
        f.write_str(self.what)?;
        if let Some(index) = self.index() {
            write!(f, " {index}")?;
        }
        write!(f, " at offset {} ({:#x}) of the {}: {}", self.at, self.at, self.space().described(), self.kind)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind)
            .field("enclosing", &self.enclosing())
            .field("what", &self.what)
            .field("index", &self.index())
            .field("at", &self.at)
            .field("space", &self.space())
            .finish()
    }
}

impl core::error::Error for Error {}
