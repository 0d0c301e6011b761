//! Patterns with `*` and `?`.

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// `*`: any characters, including none.
    Any,
    /// `?`: exactly one character.
    One,
    Byte(u8),
}

impl Atom {
    /// Returns the atom for a byte of a pattern without escapes.
    pub(crate) const fn of(byte: u8) -> Self {
        match byte {
            b'*' => Self::Any,
            b'?' => Self::One,
            _ => Self::Byte(byte),
        }
    }
}

/// Returns whether a pattern matches a whole text. A byte that is not part of a UTF-8 character counts as a character.
///
/// Backtracks to the last `*` only, so the running time is at most the product of the lengths.
pub(crate) fn matches(
    mut pattern: impl Iterator<Item = Atom> + Clone,
    text: &[u8],
    is_same: impl Fn(u8, u8) -> bool,
) -> bool {
    let mut rest = text;
    // The pattern after the last `*`, and the text that this `*` has not consumed.
    let mut last_star = None;
    loop {
        match (pattern.next(), rest) {
            (Some(Atom::Any), _) => {
                last_star = Some((pattern.clone(), rest));
                continue;
            }
            (None, []) => return true,
            (Some(Atom::One), [_, ..]) => {
                rest = behind_first(rest);
                continue;
            }
            (Some(Atom::Byte(wanted)), [found, behind @ ..]) if is_same(wanted, *found) => {
                rest = behind;
                continue;
            }
            _ => {}
        }
        // Let the last `*` consume one more character.
        let Some((after, left)) = last_star.as_mut().filter(|(_, left)| !left.is_empty()) else { return false };
        *left = behind_first(left);
        (pattern, rest) = (after.clone(), left);
    }
}

/// Returns what follows the first character.
fn behind_first(text: &[u8]) -> &[u8] {
    let len = match text {
        [0xc2..=0xdf, ..] => 2,
        [0xe0..=0xef, ..] => 3,
        [0xf0..=0xf4, ..] => 4,
        _ => 1,
    };
    match text.split_at_checked(len) {
        Some((first, behind)) if std::str::from_utf8(first).is_ok() => behind,
        _ => text.get(1..).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Atom, matches};

    #[test]
    fn a_pattern_matches_all_of_a_text() {
        for (pattern, text, expected) in [
            ("gold*", &b"goldbar"[..], true),
            ("gold*", b"a goldbar", false),
            ("*bar", b"goldbar", true),
            ("*bar", b"bars", false),
            ("g?ld", b"gld", false),
            ("*a*b*", b"xxaxxbxx", true),
            ("*a*b*", b"xxbxxa", false),
            ("*ab*ab", b"abxab", true),
            ("*ab*ab", b"ab", false),
            ("a*ab", b"aaab", true),
            ("*", b"", true),
            ("?", b"", false),
            ("**", b"x", true),
            ("a*?", b"a", false),
            ("g?ld", "gäld".as_bytes(), true),
            ("g??ld", "gäld".as_bytes(), false),
            ("*??", "€".as_bytes(), false),
            ("*?", "€".as_bytes(), true),
            // In other code pages a character is one byte.
            ("g?ld", b"g\xe4ld", true),
        ] {
            let found = matches(pattern.bytes().map(Atom::of), text, |wanted, found| wanted == found);
            assert_eq!(found, expected, "{pattern} in {}", text.escape_ascii());
        }
    }
}
