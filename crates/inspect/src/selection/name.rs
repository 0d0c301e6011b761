use std::borrow::Cow;

use worldview_core::{PathError, Segment};

use crate::glob::{self, Atom};

/// A name in which `*` matches any characters and `?` matches exactly one. ASCII case is ignored.
///
/// ```
/// use worldview_inspect::NamePattern;
///
/// assert!(NamePattern::of_key("it_*")?.matches(b"IT_POTION"));
/// # Ok::<(), worldview_core::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(Vec<Atom>);

impl NamePattern {
    /// Returns the pattern that only this name matches.
    pub(super) fn literal(name: &[u8]) -> Self {
        Self(name.iter().copied().map(Atom::Byte).collect())
    }

    /// Parses the key of a path segment. `*` and `?` are wildcards unless they are escaped with a backslash.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a segment.
    pub fn of_key(segment: &str) -> Result<Self, PathError> {
        Self::parse(segment).map(|(_, key)| key)
    }

    /// Parses a path segment whose key is a pattern.
    pub(super) fn parse(segment: &str) -> Result<(Segment<'_>, Self), PathError> {
        let mut wildcards = Vec::new();
        let segment = Segment::parse_pattern(segment, &mut |at| wildcards.push(at))?;
        let mut key = Self::literal(&segment.key);
        for at in wildcards {
            key.0[at] = Atom::of(segment.key[at]);
        }
        Ok((segment, key))
    }

    /// Returns whether there are no wildcards.
    pub fn is_literal(&self) -> bool {
        self.0.iter().all(|atom| matches!(atom, Atom::Byte(_)))
    }

    /// Returns the name without its wildcards.
    pub fn text(&self) -> Cow<'_, [u8]> {
        self.0.iter().filter_map(|atom| if let Atom::Byte(byte) = atom { Some(*byte) } else { None }).collect()
    }

    /// Returns whether a name matches.
    pub fn matches(&self, name: &[u8]) -> bool {
        glob::matches(self.0.iter().copied(), name, |wanted, found| wanted.eq_ignore_ascii_case(&found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_patterns_unless_escaped() {
        for (pattern, name, expected) in [
            ("isle*", &b"ISLE_hi"[..], true),
            ("isle", b"isle_hi", false),
            (r"a\*b*", b"a*bcd", true),
            (r"a\*b*", b"axbcd", false),
            (r"x\=1", b"X=1", true),
            (r"\@x", b"@x", true),
            (r"a\,b", b"a,b", true),
            ("object:1?#2", b"17", true),
            (r"M?ller", "Müller".as_bytes(), true),
        ] {
            assert_eq!(NamePattern::of_key(pattern).unwrap().matches(name), expected, "{pattern}");
        }
    }
}
