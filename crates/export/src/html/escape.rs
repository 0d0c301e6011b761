//! Escaping of text for the different contexts of a page.

use std::fmt::Write as _;

use serde::Serialize;

use crate::Result;
use crate::error::from_json;

/// Escapes text for HTML, replacing control characters.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // The page template uses curly braces for its placeholders.
            '{' => out.push_str("&#123;"),
            char if char.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            char => out.push(char),
        }
    }
    out
}

/// Serializes a value as one line of JSON that can neither end the enclosing block nor start a comment there.
pub(super) fn json(value: &impl Serialize) -> Result<String> {
    let json = serde_json::to_string(value).map_err(from_json)?;
    let mut out = String::with_capacity(json.len());
    for char in json.chars() {
        // These characters only occur in strings, where they can be escaped.
        if matches!(char, '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{FEFF}') || char.is_control() {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(char));
        } else {
            out.push(char);
        }
    }
    Ok(out)
}

/// Converts a path relative to the page's folder to a URL that leads there and nowhere else.
pub(super) fn path(path: &str) -> String {
    // Without this, a path that starts with two slashes would be a URL of another host.
    let mut out = String::from("./");
    for byte in path.trim_start_matches('/').bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte.into()),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
