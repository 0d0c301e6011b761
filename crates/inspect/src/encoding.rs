use std::borrow::Cow;
use std::fmt::Write as _;

use worldview_core::zerocopy::little_endian::I32;

/// The code page used to decode text. No file declares its code page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Western European: the code page of the games' authors.
    #[default]
    Windows1252,
    /// Central European: the code page of many Claw level authors.
    Windows1250,
}

impl Encoding {
    /// Decodes text. This cannot fail, because every byte of these code pages is a character.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        let upper = match self {
            Self::Windows1252 => &WINDOWS_1252,
            Self::Windows1250 => &WINDOWS_1250,
        };
        match std::str::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => text.into(),
            _ => {
                let char = |&byte: &u8| {
                    let upper = usize::from(byte).checked_sub(upper.len()).and_then(|at| upper.get(at));
                    upper.copied().unwrap_or(char::from(byte))
                };
                bytes.iter().map(char).collect::<String>().into()
            }
        }
    }

    /// Decodes text, with control characters written as `\x00`, for terminals and for XML, which cannot represent them.
    pub fn visible(self, bytes: &[u8]) -> Cow<'_, str> {
        let text = self.decode(bytes);
        if !text.contains(char::is_control) {
            return text;
        }
        let mut visible = String::with_capacity(text.len() + 8);
        for char in text.chars() {
            if char.is_control() {
                // Writing to a string cannot fail.
                let _ = write!(visible, "\\x{:02x}", u32::from(char));
            } else {
                visible.push(char);
            }
        }
        visible.into()
    }
}

/// The characters of the bytes from 0x80, as the Encoding Standard defines them: bytes without a character are control
/// characters. Two tables of half a kilobyte, because crates for encodings link those of all East Asian ones.
#[rustfmt::skip]
const WINDOWS_1252: [char; 128] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ', '\u{a0}', '¡', '¢', '£', '¤', '¥', '¦', '§',
    '¨', '©', 'ª', '«', '¬', '\u{ad}', '®', '¯', '°', '±', '²', '³', '´', 'µ', '¶', '·', '¸', '¹', 'º', '»', '¼', '½',
    '¾', '¿', 'À', 'Á', 'Â', 'Ã', 'Ä', 'Å', 'Æ', 'Ç', 'È', 'É', 'Ê', 'Ë', 'Ì', 'Í', 'Î', 'Ï', 'Ð', 'Ñ', 'Ò', 'Ó', 'Ô',
    'Õ', 'Ö', '×', 'Ø', 'Ù', 'Ú', 'Û', 'Ü', 'Ý', 'Þ', 'ß', 'à', 'á', 'â', 'ã', 'ä', 'å', 'æ', 'ç', 'è', 'é', 'ê', 'ë',
    'ì', 'í', 'î', 'ï', 'ð', 'ñ', 'ò', 'ó', 'ô', 'õ', 'ö', '÷', 'ø', 'ù', 'ú', 'û', 'ü', 'ý', 'þ', 'ÿ',
];

/// As [`WINDOWS_1252`].
#[rustfmt::skip]
const WINDOWS_1250: [char; 128] = [
    '€', '\u{81}', '‚', '\u{83}', '„', '…', '†', '‡', '\u{88}', '‰', 'Š', '‹', 'Ś', 'Ť', 'Ž', 'Ź', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '\u{98}', '™', 'š', '›', 'ś', 'ť', 'ž', 'ź', '\u{a0}', 'ˇ', '˘', 'Ł', '¤', 'Ą', '¦', '§',
    '¨', '©', 'Ş', '«', '¬', '\u{ad}', '®', 'Ż', '°', '±', '˛', 'ł', '´', 'µ', '¶', '·', '¸', 'ą', 'ş', '»', 'Ľ', '˝',
    'ľ', 'ż', 'Ŕ', 'Á', 'Â', 'Ă', 'Ä', 'Ĺ', 'Ć', 'Ç', 'Č', 'É', 'Ę', 'Ë', 'Ě', 'Í', 'Î', 'Ď', 'Đ', 'Ń', 'Ň', 'Ó', 'Ô',
    'Ő', 'Ö', '×', 'Ř', 'Ů', 'Ú', 'Ű', 'Ü', 'Ý', 'Ţ', 'ß', 'ŕ', 'á', 'â', 'ă', 'ä', 'ĺ', 'ć', 'ç', 'č', 'é', 'ę', 'ë',
    'ě', 'í', 'î', 'ď', 'đ', 'ń', 'ň', 'ó', 'ô', 'ő', 'ö', '÷', 'ř', 'ů', 'ú', 'ű', 'ü', 'ý', 'ţ', '˙',
];

/// Returns integers separated by spaces.
pub fn ints(values: &[I32]) -> String {
    values.iter().map(|value| value.get().to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns bytes as two hexadecimal digits each.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
