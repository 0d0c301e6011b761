use worldview_wwd::flags;

use crate::Encoding;
use crate::hex;

/// A part of a level that a dump can be limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The file header.
    Header,
    /// The plane headers and image-set names.
    Planes,
    /// The tile grids.
    Tiles,
    /// The objects.
    Objects,
    /// The tile attributes.
    Attributes,
    /// The trailer and other bytes behind the main block.
    Trailer,
}

/// Text in quotes, and its bytes where they are not plain.
pub(crate) fn quoted(bytes: &[u8], encoding: Encoding) -> String {
    let mut shown = String::with_capacity(bytes.len() + 2);
    shown.push('"');
    for char in encoding.visible(bytes).chars() {
        if char == '"' {
            shown.push('\\');
        }
        shown.push(char);
    }
    shown.push('"');
    if !bytes.is_ascii() || bytes.iter().any(u8::is_ascii_control) {
        shown.push_str(" bytes ");
        shown.push_str(&hex(bytes));
    }
    shown
}

/// A tile attribute with its name.
pub(super) fn attribute(value: i32) -> String {
    match flags::attribute(value) {
        Some(name) => format!("{value} {name}"),
        None => value.to_string(),
    }
}
