use std::borrow::Cow;
use std::fmt::Write as _;

use encoding_rs::{WINDOWS_1250, WINDOWS_1252};
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
        let page = match self {
            Self::Windows1252 => WINDOWS_1252,
            Self::Windows1250 => WINDOWS_1250,
        };
        page.decode_without_bom_handling(bytes).0
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
