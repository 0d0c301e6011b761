//! The findings about an archive or picture that can still be opened.

use worldview_core::{ErrorKind, findings};

/// A finding about an archive or picture.
pub type Finding<'a> = worldview_core::Finding<'a, FindingKind>;

findings! {
    /// Everything that a check of an archive or picture can find. The codes are stable;
    /// [Findings](crate::format#findings)
    /// explains them.
    pub enum FindingKind {
        /// A part is truncated or cannot be read, and is left out.
        Fatal "broken" Broken { kind: ErrorKind } => "{kind}",

        // Archives.
        /// A field that is 0 in every known archive is not.
        Curious "reserved" Reserved { field: &'static str, value: u32 } => "{field} is {value:#x}, not 0",
        /// The header's end of the data is not the end of the last file.
        Suspicious "data-end" DataEnd { found: u32, expected: u64 } => "next_write_pos is {found}, but the data of the last file ends at {expected}; a program that adds files overwrites data or leaves a gap",
        /// The header gives a length that is less than that of the longest name.
        Suspicious "longest-name" LongestName { field: &'static str, found: u32, expected: usize } => "{field} is {found}, but the longest name with its NUL has {expected} bytes",
        /// An entry has no name.
        Suspicious "name-empty" NameEmpty => "has no name",
        /// A file has the same name and extension as another of its directory.
        Suspicious "name-duplicate" NameDuplicate { first: u32 } => "has the same name as entry {first}; the game finds only the first",
        /// A directory has the same name as another of its parent.
        Suspicious "directory-duplicate" DirectoryDuplicate { first: u32 } => "has the same name as entry {first}; the game finds only the last",
        /// A name contains a byte that file names cannot contain, or is `.` or `..`.
        Curious "name-unsafe" NameUnsafe { byte: u8 } => "the name is not valid as a file name because of its byte {byte:#04x}",
        /// A name has lower-case letters.
        Suspicious "name-lower-case" NameLowerCase => "the name has lower-case letters; the game does not find it",
        /// A name or extension has bytes that are not ASCII.
        Suspicious "name-not-ascii" NameNotAscii => "the name has bytes that are not ASCII, unlike those of known archives; which characters they are depends on the code page",
        /// The extension has bytes after its NUL.
        Suspicious "extension-tail" ExtensionTail => "the extension has bytes after its NUL",
        /// A file has a comment.
        Curious "comment" Comment { len: usize } => "has a comment of {len} bytes, unlike the files of known archives",
        /// A file has keys.
        Curious "keys" Keys { count: usize } => "has {count} keys, unlike the files of known archives",
        /// Files share bytes.
        Curious "overlap" Overlap { count: u64, len: u64 } => "shares bytes with a file before it, as the first of {count}; {len} bytes in all",
        /// Bytes between the data of files that nothing refers to.
        Curious "gap" Gap { count: u64, len: u64 } => "bytes that nothing refers to precede it, as the first of {count}; {len} bytes in all",

        // Pictures.
        /// The flags have unknown bits.
        Curious "flags-unknown" FlagsUnknown { bits: u32 } => "the flags have unknown bits {bits:#x}",
        /// The width is not a multiple of 4.
        Suspicious "width-uneven" WidthUneven { width: u32 } => "the width is {width}; the game refuses pictures without skip runs whose width is not a multiple of 4",
        /// The last run exceeds the picture.
        Suspicious "overrun" Overrun { pixels: usize } => "the last run exceeds the picture by {pixels} pixels",
        /// There are bytes after the last pixel.
        Curious "trailing-bytes" TrailingBytes { count: usize } => "bytes after the last pixel: {count}",
        /// The picture is only complete if its tokens are read as editors do.
        Suspicious "editor-tokens" EditorTokens => "contains tokens that the game reads differently than editors; they are read as editors do, because only that yields the whole picture",
        /// The byte before the palette is not its mark.
        Curious "palette-mark" PaletteMark { found: u8 } => "the byte before the palette is {found}, not 12",
        /// Pixels have indices past the end of the palette.
        Suspicious "pixel-no-color" PixelNoColor { pixels: u64, colors: usize } => "pixels whose index is outside the palette of {colors} colors, drawn black: {pixels}",
    }
}
