//! Escaping of text for every place in a page.

use std::fmt::Write as _;

use serde::Serialize;

use crate::Result;
use crate::error::from_json;

/// Text as HTML; what HTML cannot have is replaced.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // So are the curly braces of the frame's own places.
            '{' => out.push_str("&#123;"),
            char if char.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            char => out.push(char),
        }
    }
    out
}

/// A value as one line of JSON that neither ends the block that it is in nor begins a comment there.
pub(super) fn json(value: &impl Serialize) -> Result<String> {
    let json = serde_json::to_string(value).map_err(from_json)?;
    let mut out = String::with_capacity(json.len());
    for char in json.chars() {
        // These are in texts only, where they may as well be written by their numbers.
        if matches!(char, '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{FEFF}') || char.is_control() {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(char));
        } else {
            out.push(char);
        }
    }
    Ok(out)
}

/// A path from the page's folder as an address that leads there and nowhere else.
pub(super) fn path(path: &str) -> String {
    // Without this a path that begins with two slashes would be that of another host.
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
