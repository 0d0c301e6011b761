use core::fmt;

use crate::Space;

/// How bad a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Unusual and harmless: something to know, not to mend.
    Curious,
    /// Probably a mistake: the game ignores, drops or misreads it.
    Suspicious,
    /// The game's engine rejects the file, crashes on it or corrupts its memory.
    Fatal,
}

// Findings sort by how bad they are; those who ask for "suspicious or worse" rely on it.
const _: () = assert!(
    (Severity::Curious as u8) < Severity::Suspicious as u8 && (Severity::Suspicious as u8) < Severity::Fatal as u8
);

impl Severity {
    /// The word used in messages and in machine output.
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
    /// The part, in the format's own words.
    pub what: &'static str,
    /// Which of its kind, counted from 0.
    pub index: Option<u32>,
    /// Its name in the file, in the file's own bytes; empty where it has none.
    pub name: &'a [u8],
}

impl<'a> PlacePart<'a> {
    /// As much of the name as fits a message, and whether that is less than all of it.
    pub fn shown_name(&self) -> (&'a [u8], bool) {
        const LONGEST: usize = 64;
        match self.name.split_at_checked(LONGEST) {
            Some((shown, rest)) => (shown, !rest.is_empty()),
            None => (self.name, false),
        }
    }
}

impl fmt::Display for PlacePart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)?;
        if let Some(index) = self.index {
            write!(f, " {index}")?;
        }
        let (shown, cut) = self.shown_name();
        if !shown.is_empty() {
            write!(f, " \"{}\"{}", shown.escape_ascii(), if cut { "…" } else { "" })?;
        }
        Ok(())
    }
}

/// Where in the structure of a file something lies: a part, and the parts around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The parts around it, the outermost first.
    around: [Option<PlacePart<'a>>; 3],
    /// The part itself.
    pub part: PlacePart<'a>,
}

impl<'a> Place<'a> {
    const fn new(what: &'static str, index: Option<u32>, name: &'a [u8]) -> Self {
        Self { around: [None; 3], part: PlacePart { what, index, name } }
    }

    /// The only part of its kind in the file.
    pub const fn of(what: &'static str) -> Self {
        Self::new(what, None, &[])
    }

    /// A part that has no name.
    pub const fn one(what: &'static str, index: Option<u32>) -> Self {
        Self::new(what, index, &[])
    }

    /// A numbered, named part of the file.
    pub const fn numbered(what: &'static str, index: u32, name: &'a [u8]) -> Self {
        Self::new(what, Some(index), name)
    }

    /// The same part, with its name in the file.
    #[must_use]
    pub const fn with_name(mut self, name: &'a [u8]) -> Self {
        self.part.name = name;
        self
    }

    /// A part within this one; a fifth inside each other takes the place of the fourth.
    #[must_use]
    pub const fn with(mut self, what: &'static str, index: Option<u32>, name: &'a [u8]) -> Self {
        let part = PlacePart { what, index, name };
        match &mut self.around {
            [first @ None, ..] | [_, first @ None, _] | [.., first @ None] => *first = Some(self.part),
            _ => {}
        }
        Self { around: self.around, part }
    }

    /// The parts from the outermost to the part itself.
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

/// What a [`Finding`] says; each format crate has its own list, written with [`findings!`](crate::findings).
pub trait Kind: fmt::Display {
    /// The stable name of the finding, in kebab case.
    fn code(&self) -> &'static str;
    /// How bad it is.
    fn severity(&self) -> Severity;
}

/// One thing that a check, or a parse that goes on after errors, has to say about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding<'a, K> {
    /// What is found.
    pub kind: K,
    /// Offset of the byte it is about, counted in [`space`](Self::space).
    pub at: u64,
    /// What [`at`](Self::at) counts in.
    pub space: Space,
    /// The part it is about.
    pub place: Place<'a>,
}

impl<K: Kind> fmt::Display for Finding<'_, K> {
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
            /// Every code with its severity, in the order of the table.
            pub const CODES: &'static [(&'static str, $crate::Severity)] =
                &[$(($code, $crate::Severity::$severity)),+];
        }

        impl $crate::Kind for $name {
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
