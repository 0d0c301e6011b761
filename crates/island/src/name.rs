use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

/// A counted name, in the file's own bytes. `docs/formats/island.md`, Conventions.
///
/// In the directory the count includes a NUL, elsewhere it does not; so the text is what lies before the first NUL, or
/// all of it. The case of stored names carries no meaning: the game lowers or ignores it, and so does [`is`](Self::is).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Name<'a>(&'a [u8]);

impl<'a> Name<'a> {
    /// A name of these counted bytes.
    #[inline]
    pub const fn new(counted: &'a [u8]) -> Self {
        Self(counted)
    }

    /// All counted bytes.
    #[inline]
    pub const fn counted(self) -> &'a [u8] {
        self.0
    }

    /// The text: the bytes before the first NUL, all where there is none.
    #[inline]
    pub fn text(self) -> &'a [u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or(&[])
    }

    /// What lies behind the first NUL; nothing in every known file, kept all the same.
    pub fn tail(self) -> &'a [u8] {
        self.0.get(self.text().len().saturating_add(1)..).unwrap_or(&[])
    }

    /// Whether not even one byte is counted: for the game such a name is not there at all.
    #[inline]
    pub const fn is_absent(self) -> bool {
        self.0.is_empty()
    }

    /// Whether the text is this, whatever the case of ASCII letters.
    #[inline]
    pub fn is(self, text: impl AsRef<[u8]>) -> bool {
        self.text().eq_ignore_ascii_case(text.as_ref())
    }

    /// The text as a key of maps.
    #[inline]
    pub fn key(self) -> NameKey<'a> {
        NameKey(self.text())
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// A text that equals, and hashes and sorts as, every other that differs in the case of ASCII letters alone.
#[derive(Clone, Copy)]
pub struct NameKey<'a>(pub &'a [u8]);

impl PartialEq for NameKey<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for NameKey<'_> {}

impl Hash for NameKey<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        for part in self.0.chunks(32) {
            let mut lower = [0; 32];
            for (to, from) in lower.iter_mut().zip(part) {
                *to = from.to_ascii_lowercase();
            }
            state.write(&lower);
        }
        state.write_usize(self.0.len());
    }
}

impl PartialOrd for NameKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NameKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let lower = |text: &'_ [u8]| text.to_ascii_lowercase();
        lower(self.0).cmp(&lower(other.0))
    }
}

impl fmt::Debug for NameKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}
