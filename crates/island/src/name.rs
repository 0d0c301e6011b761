use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

/// A counted name, in the file's own bytes. See [Conventions](crate::format#conventions).
///
/// In the directory the count includes a NUL, elsewhere it does not. The text is therefore everything before the
/// first NUL, or all bytes if there is no NUL. Names are not case-sensitive: the game lowers or ignores their case,
/// and so does [`is`](Self::is).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Name<'a>(&'a [u8]);

impl<'a> Name<'a> {
    /// Creates a name from its counted bytes.
    #[inline]
    pub const fn new(counted: &'a [u8]) -> Self {
        Self(counted)
    }

    /// Returns all counted bytes.
    #[inline]
    pub const fn counted(self) -> &'a [u8] {
        self.0
    }

    /// Returns the text: the bytes before the first NUL, or all bytes if there is no NUL.
    #[inline]
    pub fn text(self) -> &'a [u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or(&[])
    }

    /// Returns the bytes after the first NUL. They are empty in every known file, but preserved.
    pub fn tail(self) -> &'a [u8] {
        self.0.get(self.text().len().saturating_add(1)..).unwrap_or(&[])
    }

    /// Returns whether the count is 0. The game treats such a name as missing.
    #[inline]
    pub const fn is_absent(self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the text equals `text`, ignoring ASCII case.
    #[inline]
    pub fn is(self, text: impl AsRef<[u8]>) -> bool {
        self.text().eq_ignore_ascii_case(text.as_ref())
    }

    /// Returns the text as a key for maps.
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

/// A text that is compared, sorted and hashed without regard to ASCII case.
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
