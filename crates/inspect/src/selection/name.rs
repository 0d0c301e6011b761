use std::borrow::Cow;

use worldview_core::{Path, PathError, split_at_unescaped};

/// A name in which `*` matches any characters and `?` matches exactly one. ASCII case is ignored.
///
/// ```
/// use worldview_inspect::NamePattern;
///
/// assert!(NamePattern::plain("it_*").matches(b"IT_POTION"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(Vec<Atom>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atom {
    Any,
    One,
    Byte(u8),
}

impl NamePattern {
    /// Returns the pattern of a text without escapes.
    pub fn plain(text: &str) -> Self {
        let atom = |byte| match byte {
            b'*' => Atom::Any,
            b'?' => Atom::One,
            _ => Atom::Byte(byte),
        };
        Self(text.bytes().map(atom).collect())
    }

    /// Returns a pattern that only this name matches.
    pub fn literal(name: &[u8]) -> Self {
        Self(name.iter().copied().map(Atom::Byte).collect())
    }

    /// Parses the key of a path segment. `*` and `?` are wildcards unless they are escaped with a backslash.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a segment.
    pub fn of_key(segment: &str) -> Result<Self, PathError> {
        let (name, _) = split_at_unescaped(segment, '#');
        let mut rest = match split_at_unescaped(name, ':') {
            (_, Some(key)) => key,
            (name, None) => name.strip_prefix('@').unwrap_or(name),
        };
        let mut atoms = Vec::new();
        while !rest.is_empty() {
            let next = [('*', Atom::Any), ('?', Atom::One)].map(|(wild, atom)| (split_at_unescaped(rest, wild), atom));
            let ((literal, behind), atom) = if next[0].0.0.len() <= next[1].0.0.len() { next[0] } else { next[1] };
            if !literal.is_empty() {
                let literal: Path = literal.parse()?;
                atoms.extend(literal.segments().flat_map(|segment| segment.key.to_vec()).map(Atom::Byte));
            }
            atoms.extend(behind.map(|_| atom));
            rest = behind.unwrap_or_default();
        }
        Ok(Self(atoms))
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
        // Backtracking to the last `*` is enough, because the earlier ones have matched as little as possible.
        let (mut at, mut from) = (0, 0);
        let mut last: Option<(usize, usize)> = None;
        while at < name.len() {
            match self.0.get(from) {
                Some(Atom::Any) => {
                    last = Some((from, at));
                    from += 1;
                }
                Some(wanted) if wanted.is(name[at]) => {
                    (at, from) = (at + 1, from + 1);
                }
                _ => match &mut last {
                    Some((star, start)) => {
                        *start += 1;
                        (at, from) = (*start, *star + 1);
                    }
                    None => return false,
                },
            }
        }
        self.0[from..].iter().all(|&atom| atom == Atom::Any)
    }
}

impl Atom {
    const fn is(self, byte: u8) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Byte(wanted) => wanted.eq_ignore_ascii_case(&byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell_and_whatever_the_case() {
        for (pattern, name, expected) in [
            ("isle", "ISLE", true),
            ("isle", "isle_hi", false),
            ("isle*", "isle_hi", true),
            ("*hi", "isle_hi", true),
            ("*s*e*", "isle", true),
            ("*x*", "isle", false),
            ("i?le", "isle", true),
            ("?", "", false),
            ("*", "", true),
            ("a*ab", "aaab", true),
        ] {
            assert_eq!(NamePattern::plain(pattern).matches(name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn escaped_wildcards_are_letters() {
        for (pattern, name, expected) in [
            (r"a\*b*", &b"a*bcd"[..], true),
            (r"a\*b*", b"axbcd", false),
            (r"x\=1", b"X=1", true),
            (r"\@x", b"@x", true),
        ] {
            assert_eq!(NamePattern::of_key(pattern).unwrap().matches(name), expected, "{pattern}");
        }
    }
}
