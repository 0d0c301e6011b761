use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::str::FromStr;

/// The place of a part or field inside a file: `plane:Action/object:17/logic`.
///
/// A path is written the same way everywhere: in messages, searches, comparisons, JSON and selections. Its segments are
/// separated by `/`. [`Display`](fmt::Display) and [`FromStr`] are inverses: a printed path parses to an equal path,
/// whatever bytes the names in the file contain.
///
/// | segment | meaning |
/// |---|---|
/// | `name` | a field, a part that occurs once, or an element of the main list (members of an archive, records of a table) |
/// | `@name`, `@kind#n` | the same as without `@`, in a part that [has a main list](crate::describe::Describe::has_main_list) |
/// | `kind:key` | the first element of a list with this key |
/// | `kind:key#n`, `name#n` | the nth of several elements with equal keys, counted from 0 |
/// | `kind#n` | an element of a list without keys, counted from 0 |
///
/// In names and keys, a backslash escapes `/`, `=`, `#`, `:`, `@`, `*`, `?`, `{`, `}` and itself. Control characters and bytes
/// that are not UTF-8 are written as `\x` and two digits. An empty name is written as `:`. A backslash may also precede a comma,
/// which separates alternatives in path patterns.
///
/// ```
/// use worldview_core::Path;
///
/// let mut path = Path::new();
/// path.push("plane", b"Action", None);
/// path.push("object", b"17", Some(1));
/// path.push_name(b"a/b\xff");
/// assert_eq!(path.to_string(), r"plane:Action/object:17#1/a\/b\xff");
/// assert_eq!(path.to_string().parse(), Ok(path));
/// ```
///
/// ```
/// use worldview_core::Path;
///
/// let mut path = Path::new();
/// path.push("plane", b"Action", None);
/// path.push("object", b"17", None);
/// let text = path.to_string();
/// assert_eq!(text.parse::<Path>().unwrap(), path);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    /// The printed form, which is unique for each path.
    text: String,
    /// Number of segments. Only the empty path has an empty text, since no segment prints as nothing.
    len: u32,
}

/// One segment of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment<'p> {
    /// The kind of element, a plain word, or `None` for a bare name; `@` for a field of a part with a main list.
    pub kind: Option<&'p str>,
    /// The name or key.
    pub key: Cow<'p, [u8]>,
    /// The index among several elements with this key, counted from 0.
    pub nth: Option<u32>,
}

/// The length of a path, for [`Path::truncate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathMark {
    bytes: usize,
    len: u32,
}

/// Error returned when a text is not a path.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathError {
    /// Offset of the invalid byte in the text.
    pub at: usize,
    /// What is wrong.
    pub why: &'static str,
}

impl PathError {
    /// Creates the error of a text that is wrong at an offset.
    pub const fn new(at: usize, why: &'static str) -> Self {
        Self { at, why }
    }

    /// Returns the error of a longer text, in which this one begins at an offset.
    #[must_use]
    pub const fn behind(self, at: usize) -> Self {
        Self { at: self.at.saturating_add(at), ..self }
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid path at byte {}: {}", self.at, self.why)
    }
}

impl core::error::Error for PathError {}

impl Path {
    /// Returns the empty path, which names the file itself.
    pub const fn new() -> Self {
        Self { text: String::new(), len: 0 }
    }

    /// Returns whether the path names the file itself.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of segments.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns the printed form.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Appends an element of a list by its kind, its key, and its index among equal keys. The kind is a word of the program;
    /// [`try_push`](Self::try_push) takes others.
    ///
    /// # Panics
    ///
    /// Panics if `try_push` would return an error.
    pub fn push(&mut self, kind: &'static str, key: &[u8], nth: Option<u32>) {
        self.push_checked(kind, key, nth);
    }

    /// Appends an element of a list by its kind, its key, and its index among equal keys.
    ///
    /// # Errors
    ///
    /// Returns an error if the kind is not a plain word, which would make another path: if it is empty, or contains a control
    /// character or one of `\\`, `/`, `=`, `#`, `:` and, unless it is `@` alone, `@`.
    pub fn try_push(&mut self, kind: &str, key: &[u8], nth: Option<u32>) -> Result<(), PathError> {
        check_kind(kind)?;
        self.push_checked(kind, key, nth);
        Ok(())
    }

    fn push_checked(&mut self, kind: &str, key: &[u8], nth: Option<u32>) {
        assert!(check_kind(kind).is_ok(), "{kind:?} is no kind of element");
        self.begin();
        self.text.push_str(kind);
        if kind != "@" {
            self.text.push(':');
        }
        self.end(key, nth);
    }

    /// Appends a field, a part that occurs once, or an element of the main list.
    pub fn push_name(&mut self, name: &[u8]) {
        self.begin();
        if name.is_empty() {
            self.text.push(':');
        }
        self.end(name, None);
    }

    /// Appends one of several elements of the main list with the same name.
    pub fn push_nth(&mut self, name: &[u8], nth: u32) {
        self.begin();
        if name.is_empty() {
            self.text.push(':');
        }
        self.end(name, Some(nth));
    }

    /// Appends a segment of another path.
    ///
    /// # Panics
    ///
    /// Panics if the kind of the segment was replaced by one that [`try_push`](Self::try_push) refuses.
    pub fn push_segment(&mut self, segment: &Segment<'_>) {
        match (segment.kind, segment.nth) {
            (Some(kind), nth) => self.push_checked(kind, &segment.key, nth),
            (None, Some(nth)) => self.push_nth(&segment.key, nth),
            (None, None) => self.push_name(&segment.key),
        }
    }

    fn begin(&mut self) {
        if self.len > 0 {
            self.text.push('/');
        }
        self.len = self.len.saturating_add(1);
    }

    fn end(&mut self, key: &[u8], nth: Option<u32>) {
        escape(key, &mut self.text);
        if let Some(nth) = nth {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "#{nth}");
        }
    }

    /// Appends all segments of another path.
    pub fn append(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        if self.len > 0 {
            self.text.push('/');
        }
        self.text.push_str(&other.text);
        self.len = self.len.saturating_add(other.len);
    }

    /// Returns the path with the segments that `push` appends.
    ///
    /// ```
    /// # use worldview_core::Path;
    /// let plane = Path::new().with(|path| path.push("plane", b"Action", None));
    /// let field = plane.joined(&"object:17/x".parse()?);
    /// assert_eq!(field.to_string(), "plane:Action/object:17/x");
    /// assert_eq!(field.first(1), plane);
    /// # Ok::<(), worldview_core::PathError>(())
    /// ```
    #[must_use]
    pub fn with(&self, push: impl FnOnce(&mut Self)) -> Self {
        let mut path = self.clone();
        push(&mut path);
        path
    }

    /// Returns the path of something inside of what this path names.
    #[must_use]
    pub fn joined(&self, inner: &Self) -> Self {
        self.with(|path| path.append(inner))
    }

    /// Returns the first segments of the path.
    #[must_use]
    pub fn first(&self, len: usize) -> Self {
        self.parts().take(len).collect()
    }

    /// Returns the current length, to restore with [`truncate`](Self::truncate).
    pub const fn mark(&self) -> PathMark {
        PathMark { bytes: self.text.len(), len: self.len }
    }

    /// Removes the segments appended since `mark` was taken from this path.
    pub fn truncate(&mut self, mark: PathMark) {
        if mark.len <= self.len && self.text.is_char_boundary(mark.bytes) {
            self.text.truncate(mark.bytes);
            self.len = mark.len;
        }
    }

    /// Returns the segments, outermost first.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        // The text of a path is always valid.
        self.texts().map_while(|text| Segment::parse(text).ok())
    }

    /// Returns the printed form of each segment, outermost first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let mut rest = (self.len > 0).then_some(self.text.as_str());
        core::iter::from_fn(move || {
            let (segment, behind) = split_at_unescaped(rest?, '/');
            rest = behind;
            Some(segment)
        })
    }

    /// Returns each segment as a path of its own, outermost first.
    ///
    /// ```
    /// let path: worldview_core::Path = r"pack.bin/a\/b#2/@at".parse().unwrap();
    /// let parts: Vec<_> = path.parts().map(|part| part.to_string()).collect();
    /// assert_eq!(parts, ["pack.bin", r"a\/b#2", "@at"]);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = Self> {
        self.texts().map(|text| Self { text: text.into(), len: 1 })
    }

    /// Returns whether this path equals `other` or lies within it.
    pub fn is_within(&self, other: &Self) -> bool {
        match self.text.strip_prefix(&other.text) {
            Some(behind) => other.is_empty() || behind.is_empty() || behind.starts_with('/'),
            None => false,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromIterator<Self> for Path {
    /// Joins paths.
    fn from_iter<I: IntoIterator<Item = Self>>(paths: I) -> Self {
        let mut joined = Self::new();
        paths.into_iter().for_each(|path| joined.append(&path));
        joined
    }
}

impl FromStr for Path {
    type Err = PathError;

    /// Parses a path. An empty text is the file itself.
    fn from_str(text: &str) -> Result<Self, PathError> {
        let mut path = Self::new();
        let mut rest = (!text.is_empty()).then_some(text);
        while let Some(here) = rest {
            let (segment, behind) = split_at_unescaped(here, '/');
            let segment =
                Segment::parse(segment).map_err(|error| error.behind(text.len().saturating_sub(here.len())))?;
            path.push_segment(&segment);
            rest = behind;
        }
        Ok(path)
    }
}

impl<'p> Segment<'p> {
    /// Parses one segment, which has no unescaped `/`.
    ///
    /// ```
    /// use worldview_core::Segment;
    ///
    /// let segment = Segment::parse(r"object:a\*b#2")?;
    /// assert_eq!((segment.kind, &*segment.key, segment.nth), (Some("object"), &b"a*b"[..], Some(2)));
    /// # Ok::<(), worldview_core::PathError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a segment.
    pub fn parse(text: &'p str) -> Result<Self, PathError> {
        Self::parse_pattern(text, &mut |_| {})
    }

    /// Parses one segment of a path pattern, and passes the index in the key of each `*` and `?` that is not escaped to `wildcard`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a segment.
    pub fn parse_pattern(text: &'p str, wildcard: &mut dyn FnMut(usize)) -> Result<Self, PathError> {
        let offset = |inner: &str| inner.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
        let (name, number) = split_at_unescaped(text, '#');
        let nth = match number {
            None => None,
            Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                let nth = digits.parse();
                Some(nth.map_err(|_| PathError { at: offset(digits), why: "the number is too large" })?)
            }
            Some(digits) => return Err(PathError { at: offset(digits), why: "expected a number after `#`" }),
        };
        let (kind, key) = if let Some(name) = name.strip_prefix('@') {
            (Some("@"), name)
        } else {
            match split_at_unescaped(name, ':') {
                ("", Some(key)) => (None, key),
                (kind, Some(key)) => (Some(kind), key),
                (key, None) => (None, key),
            }
        };
        if let Some(kind) = kind {
            check_kind(kind)?;
        }
        if text.is_empty() {
            return Err(PathError { at: 0, why: "a segment is empty; write `:` for an empty name" });
        }
        let key = unescape(key, wildcard).map_err(|(inner, why)| PathError { at: offset(inner), why })?;
        Ok(Self { kind, key, nth })
    }
}

/// Checks that a kind is a plain word or `@`.
fn check_kind(kind: &str) -> Result<(), PathError> {
    let is_special = |char: char| char.is_control() || matches!(char, '\\' | '/' | '=' | '#' | ':' | '@');
    if kind == "@" || !kind.is_empty() && !kind.contains(is_special) {
        return Ok(());
    }
    Err(PathError { at: 0, why: "expected a plain word before `:`" })
}

/// Characters with a meaning in paths or in path patterns.
const SPECIAL: [char; 10] = ['\\', '/', '=', '#', ':', '@', '*', '?', '{', '}'];

/// Splits a path or path pattern at the first unescaped `mark`, which is removed.
pub fn split_at_unescaped(text: &str, mark: char) -> (&str, Option<&str>) {
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        if char == mark && !escaped {
            let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
            return (before, behind.strip_prefix(mark));
        }
        escaped = char == '\\' && !escaped;
    }
    (text, None)
}

fn escape(key: &[u8], out: &mut String) {
    for chunk in key.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find(is_escaped) {
            let (plain, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            out.push_str(plain);
            let mut chars = from.chars();
            match chars.next() {
                Some(special) if SPECIAL.contains(&special) => out.extend(['\\', special]),
                Some(control) => escape_bytes(control.encode_utf8(&mut [0; 4]).as_bytes(), out),
                None => {}
            }
            rest = chars.as_str();
        }
        out.push_str(rest);
        escape_bytes(chunk.invalid(), out);
    }
}

/// Returns whether a character of a key is written with a backslash.
fn is_escaped(char: char) -> bool {
    char.is_control() || SPECIAL.contains(&char)
}

fn escape_bytes(bytes: &[u8], out: &mut String) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(out, "\\x{byte:02x}");
    }
}

/// Returns the bytes of a key, or the invalid rest of the text and what is wrong with it. Passes the index of each `*` and `?` that is
/// not escaped to `wildcard`.
fn unescape<'t>(text: &'t str, wildcard: &mut dyn FnMut(usize)) -> Result<Cow<'t, [u8]>, (&'t str, &'static str)> {
    let Some(first) = text.find(is_escaped) else {
        return Ok(Cow::Borrowed(text.as_bytes()));
    };
    let (plain, mut rest) = text.split_at_checked(first).unwrap_or((text, ""));
    let mut key = Vec::from(plain.as_bytes());
    while let Some(char) = rest.chars().next() {
        let behind = rest.get(char.len_utf8()..).unwrap_or("");
        if char != '\\' {
            if matches!(char, '=' | ':' | '#' | '@') {
                return Err((rest, "expected a backslash before `=`, `:`, `#` and `@` in names"));
            }
            if char.is_control() {
                return Err((rest, "expected control characters as `\\x` and two digits"));
            }
            if matches!(char, '*' | '?') {
                wildcard(key.len());
            }
            key.extend_from_slice(rest.get(..char.len_utf8()).unwrap_or("").as_bytes());
            rest = behind;
            continue;
        }
        if let Some(digits) = behind.strip_prefix('x') {
            let byte = digits.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
            let Some(byte) = byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                return Err((rest, "expected two hexadecimal digits after `\\x`"));
            };
            key.push(byte);
            rest = digits.get(2..).unwrap_or("");
            continue;
        }
        let Some(special) = behind.chars().next().filter(|char| *char == ',' || SPECIAL.contains(char)) else {
            return Err((rest, "expected `x` or a special character after a backslash"));
        };
        key.extend_from_slice(behind.get(..special.len_utf8()).unwrap_or("").as_bytes());
        rest = behind.get(special.len_utf8()..).unwrap_or("");
    }
    Ok(Cow::Owned(key))
}
