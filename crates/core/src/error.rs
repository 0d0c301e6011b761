use core::fmt;
use core::num::NonZeroU32;

/// Alias for a `Result` with the error type [`Error`].
pub type Result<T> = core::result::Result<T, Error>;

/// A reader's response to a part that it cannot read: it returns the error to give up, or records the error and
/// continues without the part.
pub type OnProblem<'r> = &'r mut dyn FnMut(Error) -> Result<()>;

/// The bytes that an offset counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OffsetBase {
    /// The file as stored on disk.
    File,
    /// The unpacked contents of a packed file.
    Image,
}

impl OffsetBase {
    /// Returns the word used in messages and in machine-readable output: `file` or `image`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Image => "image",
        }
    }

    /// Returns the name for people: `file` or `unpacked image`.
    pub const fn described(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Image => "unpacked image",
        }
    }
}

/// A bound on the resources that an operation may use.
///
/// Callers set some of these bounds. A program can match on the limit and name its own option.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Bytes that packed data may inflate to.
    Inflate,
    /// Bytes that may be allocated.
    Memory,
    /// Nesting depth of containers.
    Depth,
    /// Bytes visited by a walk over parts that may overlap.
    Overlap,
    /// Work on parts that are used repeatedly, or that are small in the file and large to process.
    Work,
    /// Length of a text, in bytes.
    Text,
    /// What the library, or the format that it writes, can represent: number of elements, an offset, a length.
    Capacity,
    /// Size of one output relative to its file, in bytes.
    Growth,
    /// Total output for one input, in bytes.
    Output,
    /// Number of files written for one input.
    Files,
    /// Pixels of a picture, or of several pictures together.
    Pixels,
    /// Pixels along one side of a picture.
    Side,
}

/// What is wrong, with the expected and the actual value.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The part needs more bytes than follow its offset.
    Truncated {
        /// Bytes that the part needs.
        need: u64,
        /// Bytes available.
        have: u64,
    },
    /// The bytes after the part's offset cannot hold as many elements as its count says.
    TooMany {
        /// The count in the file.
        count: u32,
        /// Size of the shortest element, in bytes.
        unit: u32,
        /// Bytes available.
        have: u64,
    },
    /// The bytes after the part's offset cannot hold as many elements as the product of two counts.
    Product {
        /// The counts in the file.
        counts: [u32; 2],
        /// Size of an element, in bytes.
        unit: u8,
        /// Bytes available.
        have: u64,
    },
    /// An offset, or the end of a range, lies past the end of the bytes that it counts in.
    Outside {
        /// The offset.
        found: u64,
        /// The end of the bytes, which is the largest valid offset.
        end: u64,
    },
    /// A value is outside the range that the surrounding parts allow.
    NotWithin {
        /// The value in the file.
        found: u32,
        /// The smallest valid value.
        min: u32,
        /// The largest valid value.
        max: u64,
    },
    /// A field with only one valid value has another.
    Mismatch {
        /// The valid value.
        want: u64,
        /// The value in the file.
        found: u64,
    },
    /// There are more bytes than a field says; the exact number is unknown.
    TooLong {
        /// Bytes expected.
        want: u64,
    },
    /// The magic number is wrong.
    Magic {
        /// The expected bytes.
        want: [u8; 4],
        /// The bytes in the file.
        found: [u8; 4],
    },
    /// A size is not a multiple of its unit.
    NotWhole {
        /// The size in the file.
        found: u64,
        /// The unit.
        unit: u64,
    },
    /// A count or dimension is outside the range of the format.
    OutOfRange {
        /// The value in the file.
        found: i64,
        /// The largest valid value; the smallest is 0.
        max: u64,
    },
    /// The kind is unknown, so what follows cannot be sized.
    UnknownKind {
        /// The value in the file.
        found: u32,
        /// The known kinds, in words.
        known: &'static str,
    },
    /// The bytes are packed where an unpacked image is required.
    Packed,
    /// The bytes are inconsistent.
    Corrupt {
        /// What was expected and what was found, as a sentence fragment.
        why: &'static str,
    },
    /// A limit was exceeded.
    Limit {
        /// The limit that was exceeded.
        of: Limit,
        /// The amount needed.
        need: u64,
        /// The amount allowed.
        limit: u64,
    },
}

/// What is wrong with a file, and where. It is `Copy`, at most 64 bytes, and allocates nothing.
///
/// `Display` prints one line with the part, the offset and the space it counts in, what was expected and what was
/// found.
///
/// An error names one part, and at most one numbered part that encloses it. The code that walks a file knows the full
/// path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Offset of the part's first byte, counted in [`space`](Self::space).
    pub at: u64,
    /// The name of the part, in the format's own terms: `"file header"`.
    pub what: &'static str,
    /// The index of the part, plus one.
    number: Option<NonZeroU32>,
    /// The kind of the enclosing part, as a thin pointer, which is half the size of a `&str`.
    enclosing: Option<&'static &'static str>,
    around: Around,
}

const _: () = assert!(size_of::<Error>() <= 64);

/// The number of the enclosing part, shifted left by one bit, and in the low bit the space.
///
/// Sharing one word keeps [`Error`] within 64 bytes. No file has 2^31 parts of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Around(u32);

impl Around {
    const MAX_SIZE: u32 = u32::MAX >> 1;

    const fn new(number: u32, space: OffsetBase) -> Self {
        let number = if number > Self::MAX_SIZE { Self::MAX_SIZE } else { number };
        Self(number << 1 | matches!(space, OffsetBase::Image) as u32)
    }

    const fn number(self) -> u32 {
        self.0 >> 1
    }

    const fn space(self) -> OffsetBase {
        if self.0 & 1 == 0 { OffsetBase::File } else { OffsetBase::Image }
    }
}

impl Error {
    /// Creates an error about the part `what`, which begins at offset `at` of `space`.
    #[inline]
    pub const fn new(kind: ErrorKind, what: &'static str, at: u64, space: OffsetBase) -> Self {
        Self { kind, at, what, number: None, enclosing: None, around: Around::new(0, space) }
    }

    /// Sets the index of the part among those of its kind, counted from 0.
    #[inline]
    #[must_use]
    pub const fn with_index(mut self, index: u32) -> Self {
        self.number = NonZeroU32::new(index.saturating_add(1));
        self
    }

    /// Sets the enclosing part by its kind `label` and its number, counted from 0: `within(&"chapter", 3)`.
    ///
    /// This replaces any enclosing part set before.
    #[inline]
    #[must_use]
    pub const fn within(mut self, label: &'static &'static str, number: u32) -> Self {
        self.enclosing = Some(label);
        self.around = Around::new(number, self.space());
        self
    }

    /// Returns the space that [`at`](Self::at) counts in.
    #[inline]
    pub const fn space(&self) -> OffsetBase {
        self.around.space()
    }

    /// Returns the kind and number of the part that encloses the one named by the error.
    #[inline]
    pub const fn enclosing(&self) -> Option<(&'static str, u32)> {
        match self.enclosing {
            Some(label) => Some((*label, self.around.number())),
            None => None,
        }
    }

    /// Returns the index of the part among those of its kind, counted from 0, if there are several.
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

/// Formats the number of available bytes.
struct Available(u64);

impl fmt::Display for Available {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("but none are available"),
            1 => f.write_str("but only 1 is available"),
            have => write!(f, "but only {have} are available"),
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated { need: 1, .. } => f.write_str("needs 1 byte, but none is available"),
            Self::Truncated { need, have } => write!(f, "needs {need} bytes, {}", Available(have)),
            Self::TooMany { count, unit, have } => {
                let need = u64::from(count).saturating_mul(unit.into());
                let (elements, s) = (plural(count.into()), plural(unit.into()));
                let verb = if count == 1 { "needs" } else { "need" };
                write!(f, "{count} element{elements} of at least {unit} byte{s} {verb} {need} byte{}, ", plural(need))?;
                Available(have).fmt(f)
            }
            Self::Product { counts: [first, second], unit, have } => {
                // Two 32-bit numbers and a byte: the product is less than 2^72.
                let need = u128::from(first).saturating_mul(second.into()).saturating_mul(unit.into());
                let s = plural(unit.into());
                write!(f, "{first} by {second} elements of {unit} byte{s} need {need} bytes, {}", Available(have))
            }
            Self::Outside { found, end } => write!(f, "expected at most {end} (the end of the data), found {found}"),
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
