use core::fmt;

use crate::OffsetBase;

/// How serious a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Unusual but harmless.
    Curious,
    /// Probably a mistake: the game ignores, drops or misreads the data.
    Suspicious,
    /// The game's engine rejects the file, crashes on it or corrupts its memory.
    Fatal,
}

// Findings are sorted by severity, and "suspicious or worse" is a comparison.
const _: () = assert!(
    (Severity::Curious as u8) < Severity::Suspicious as u8 && (Severity::Suspicious as u8) < Severity::Fatal as u8
);

impl Severity {
    /// Returns the word used in messages and in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Curious => "curious",
            Self::Suspicious => "suspicious",
            Self::Fatal => "fatal",
        }
    }
}

/// A named part of a file: `chapter 3 "Harbour"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacePart<'a> {
    /// The name of the part, in the format's own terms.
    pub what: &'static str,
    /// The index among the parts of its kind, counted from 0.
    pub index: Option<u32>,
    /// What paths call the part instead of its index: a number that the file gives it, and its index among those with this number if
    /// there are several.
    pub key: Option<(i64, Option<u32>)>,
    /// The name that the file gives the part, as raw bytes; empty if it has none.
    pub name: &'a [u8],
}

impl<'a> PlacePart<'a> {
    /// Returns as much of the name as fits into a message, and whether it was cut.
    pub fn shown_name(&self) -> (&'a [u8], bool) {
        const MAX_LEN: usize = 64;
        match self.name.split_at_checked(MAX_LEN) {
            Some((shown, rest)) => (shown, !rest.is_empty()),
            None => (self.name, false),
        }
    }
}

impl fmt::Display for PlacePart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)?;
        match (self.key, self.index) {
            (Some((key, Some(nth))), _) => write!(f, " {key}#{nth}")?,
            (Some((key, None)), _) => write!(f, " {key}")?,
            (None, Some(index)) => write!(f, " {index}")?,
            (None, None) => {}
        }
        let (shown, cut) = self.shown_name();
        if !shown.is_empty() {
            write!(f, " \"{}\"{}", shown.escape_ascii(), if cut { "…" } else { "" })?;
        }
        Ok(())
    }
}

/// A location in the structure of a file: a part and the parts that enclose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The enclosing parts, outermost first.
    around: [Option<PlacePart<'a>>; 3],
    /// The part itself.
    pub part: PlacePart<'a>,
}

impl<'a> Place<'a> {
    const fn new(what: &'static str, index: Option<u32>, name: &'a [u8]) -> Self {
        Self { around: [None; 3], part: PlacePart { what, index, key: None, name } }
    }

    /// Creates the place of a part that occurs once in the file.
    pub const fn of(what: &'static str) -> Self {
        Self::new(what, None, &[])
    }

    /// Creates the place of a part without a name.
    pub const fn one(what: &'static str, index: Option<u32>) -> Self {
        Self::new(what, index, &[])
    }

    /// Creates the place of a part with a number and a name.
    pub const fn numbered(what: &'static str, index: u32, name: &'a [u8]) -> Self {
        Self::new(what, Some(index), name)
    }

    /// Sets the part's name in the file.
    #[must_use]
    pub const fn with_name(mut self, name: &'a [u8]) -> Self {
        self.part.name = name;
        self
    }

    /// Sets what paths call the part instead of its index.
    #[must_use]
    pub const fn with_key(mut self, key: i64, nth: Option<u32>) -> Self {
        self.part.key = Some((key, nth));
        self
    }

    /// Appends a part within this one. A place holds four parts; a fifth replaces the fourth.
    #[must_use]
    pub const fn with(mut self, what: &'static str, index: Option<u32>, name: &'a [u8]) -> Self {
        let part = PlacePart { what, index, key: None, name };
        match &mut self.around {
            [first @ None, ..] | [_, first @ None, _] | [.., first @ None] => *first = Some(self.part),
            _ => {}
        }
        Self { around: self.around, part }
    }

    /// Returns the parts, outermost first.
    pub fn parts(&self) -> impl Iterator<Item = &PlacePart<'a>> {
        self.around.iter().flatten().chain([&self.part])
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outer in self.around.iter().flatten() {
            write!(f, "{outer}, ")?;
        }
        self.part.fmt(f)
    }
}

/// The kind of a [`Finding`]. Each format crate declares its own with [`findings!`](crate::findings).
pub trait FindingCode: fmt::Display {
    /// Returns the stable code of the finding, in kebab case.
    fn code(&self) -> &'static str;
    /// Returns how serious the finding is.
    fn severity(&self) -> Severity;
}

impl<K: FindingCode + ?Sized> FindingCode for &K {
    fn code(&self) -> &'static str {
        (**self).code()
    }

    fn severity(&self) -> Severity {
        (**self).severity()
    }
}

/// Something that a check or a lossy parse reports about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding<'a, K> {
    /// What was found.
    pub kind: K,
    /// Offset of the byte that the finding is about, counted in [`space`](Self::space).
    pub at: u64,
    /// The space that [`at`](Self::at) counts in.
    pub space: OffsetBase,
    /// The part that the finding is about.
    pub place: Place<'a>,
}

/// A finding of any format.
pub type AnyFinding<'f, 'a> = Finding<'a, &'f dyn FindingCode>;

impl<'a, K: FindingCode> Finding<'a, K> {
    /// Returns the same finding, independent of its format.
    pub fn any(&self) -> AnyFinding<'_, 'a> {
        let Self { ref kind, at, space, place } = *self;
        Finding { kind, at, space, place }
    }
}

impl<K: FindingCode> fmt::Display for Finding<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, at, space, place } = self;
        let (severity, code) = (kind.severity().name(), kind.code());
        write!(f, "{severity} [{code}] {place} at offset {at} ({at:#x}) of the {}: {kind}", space.described())
    }
}

/// Declares the findings of a format as one table: severity, stable code, variant with its values, message.
#[macro_export]
macro_rules! findings {
    (
        $(#[$doc:meta])*
        pub enum $name:ident {
            $(
                $(#[$variant_doc:meta])*
                $severity:ident $code:literal $variant:ident $({ $($field:ident: $type:ty),+ $(,)? })? => $message:literal,
            )+
        }
    ) => {
        $(#[$doc])*
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(
                $(#[$variant_doc])*
                #[doc = concat!("\n\n", stringify!($severity), ", `", $code, "`.")]
                $variant $({
                    $(#[doc = concat!("What the message gives as ", stringify!($field), ".")] $field: $type),+
                })?,
            )+
        }

        impl $name {
            /// Every code with its severity, in the order of declaration.
            pub const CODES: &'static [(&'static str, $crate::Severity)] =
                &[$(($code, $crate::Severity::$severity)),+];
        }

        impl $crate::FindingCode for $name {
            fn code(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $code,)+ }
            }

            fn severity(&self) -> $crate::Severity {
                match self { $(Self::$variant { .. } => $crate::Severity::$severity,)+ }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match *self { $(Self::$variant $({ $($field),+ })? => write!(f, $message),)+ }
            }
        }
    };
}
