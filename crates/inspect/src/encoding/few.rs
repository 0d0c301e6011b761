//! Three code pages, with the functions of `encoding_rs` that [`Encoding`](super::Encoding) calls, for programs that must be
//! small: the tables of all code pages take 400 kB.

use std::borrow::Cow;

/// A code page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    name: &'static str,
    labels: &'static [&'static str],
    /// The characters from 0x80; what follows them is Latin-1. `None` for UTF-8.
    high: Option<&'static [char]>,
}

pub(super) static UTF_8: &Page = &Page { name: "UTF-8", labels: &["unicode-1-1-utf-8", "utf-8", "utf8"], high: None };
pub(super) static WINDOWS_1250: &Page =
    &Page { name: "windows-1250", labels: &["cp1250", "windows-1250", "x-cp1250"], high: Some(&HIGH_1250) };
pub(super) static WINDOWS_1252: &Page = &Page {
    name: "windows-1252",
    labels: &["ansi_x3.4-1968", "ascii", "cp1252", "iso-8859-1", "latin1", "us-ascii", "windows-1252", "x-cp1252"],
    high: Some(&HIGH_1252),
};

impl Page {
    pub(super) fn for_label_no_replacement(label: &[u8]) -> Option<&'static Self> {
        let is = |name: &&str| label.trim_ascii().eq_ignore_ascii_case(name.as_bytes());
        [UTF_8, WINDOWS_1250, WINDOWS_1252].into_iter().find(|page| page.labels.iter().any(is))
    }

    pub(super) const fn output_encoding(&'static self) -> &'static Self {
        self
    }

    pub(super) const fn name(&self) -> &'static str {
        self.name
    }

    pub(super) const fn is_ascii_compatible(&self) -> bool {
        true
    }

    /// Returns the text, and whether there were bytes that are no characters, as the second of two values.
    pub(super) fn decode_without_bom_handling<'t>(&self, bytes: &'t [u8]) -> (Cow<'t, str>, bool) {
        let text = match (self.high, std::str::from_utf8(bytes)) {
            (None, _) => String::from_utf8_lossy(bytes),
            (Some(_), Ok(text)) if text.is_ascii() => text.into(),
            (Some(high), _) => bytes.iter().map(|byte| decode(high, *byte)).collect::<String>().into(),
        };
        let is_broken = text.contains(char::REPLACEMENT_CHARACTER);
        (text, is_broken)
    }

    /// Returns the bytes, the page itself, and whether a character is not in the page.
    pub(super) fn encode<'t>(&'static self, text: &'t str) -> (Cow<'t, [u8]>, &'static Self, bool) {
        let Some(high) = self.high.filter(|_| !text.is_ascii()) else { return (text.as_bytes().into(), self, false) };
        let bytes: Option<Vec<u8>> = text.chars().map(|char| encode(high, char)).collect();
        let is_broken = bytes.is_none();
        (bytes.unwrap_or_default().into(), self, is_broken)
    }
}

fn decode(high: &[char], byte: u8) -> char {
    usize::from(byte).checked_sub(0x80).and_then(|at| high.get(at)).copied().unwrap_or(byte.into())
}

fn encode(high: &[char], char: char) -> Option<u8> {
    (0..=u8::MAX).find(|byte| decode(high, *byte) == char)
}

#[rustfmt::skip]
const HIGH_1250: [char; 128] = [
    '€', '\u{81}', '‚', '\u{83}', '„', '…', '†', '‡', '\u{88}', '‰', 'Š', '‹', 'Ś', 'Ť', 'Ž', 'Ź',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '\u{98}', '™', 'š', '›', 'ś', 'ť', 'ž', 'ź',
    '\u{a0}', 'ˇ', '˘', 'Ł', '¤', 'Ą', '¦', '§', '¨', '©', 'Ş', '«', '¬', '\u{ad}', '®', 'Ż',
    '°', '±', '˛', 'ł', '´', 'µ', '¶', '·', '¸', 'ą', 'ş', '»', 'Ľ', '˝', 'ľ', 'ż',
    'Ŕ', 'Á', 'Â', 'Ă', 'Ä', 'Ĺ', 'Ć', 'Ç', 'Č', 'É', 'Ę', 'Ë', 'Ě', 'Í', 'Î', 'Ď',
    'Đ', 'Ń', 'Ň', 'Ó', 'Ô', 'Ő', 'Ö', '×', 'Ř', 'Ů', 'Ú', 'Ű', 'Ü', 'Ý', 'Ţ', 'ß',
    'ŕ', 'á', 'â', 'ă', 'ä', 'ĺ', 'ć', 'ç', 'č', 'é', 'ę', 'ë', 'ě', 'í', 'î', 'ď',
    'đ', 'ń', 'ň', 'ó', 'ô', 'ő', 'ö', '÷', 'ř', 'ů', 'ú', 'ű', 'ü', 'ý', 'ţ', '˙',
];

#[rustfmt::skip]
const HIGH_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

#[cfg(test)]
mod tests {
    use super::{UTF_8, WINDOWS_1250, WINDOWS_1252};

    #[test]
    fn as_the_encoding_standard() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        for (own, standard) in [
            (UTF_8, encoding_rs::UTF_8),
            (WINDOWS_1250, encoding_rs::WINDOWS_1250),
            (WINDOWS_1252, encoding_rs::WINDOWS_1252),
        ] {
            assert_eq!(own.name(), standard.name());
            let text = standard.decode_without_bom_handling(&all);
            assert_eq!(own.decode_without_bom_handling(&all), text);
            let (bytes, _, is_broken) = own.encode(&text.0);
            assert_eq!((&*bytes, is_broken), (&*standard.encode(&text.0).0, false));
            assert_eq!(own.encode("Мир ł ©").2, standard.encode("Мир ł ©").2);
            for label in own.labels {
                assert_eq!(encoding_rs::Encoding::for_label(label.as_bytes()), Some(standard), "{label}");
            }
        }
    }
}
