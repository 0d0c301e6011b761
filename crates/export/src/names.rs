//! Creates file names from names that may contain anything.
//!
//! The results are valid on Linux, macOS and Windows, whatever the current system is, because the output may be on a
//! disk that is shared.

mod folders;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

use crate::hex;

pub use folders::{Folders, flat_name};

/// Returns a part of a file name made from a name that may contain anything: ASCII letters, digits, `-`, `_` and `.`
/// are kept, and all other characters become `_`.
///
/// Callers put a number before it, so the result need not be unique, and can never be a reserved name.
pub fn safe_name(name: &str) -> String {
    let safe: String = name
        .chars()
        .take(48)
        .map(|char| if char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.') { char } else { '_' })
        .collect();
    safe.trim_end_matches('.').to_owned()
}

/// Returns the name of a texture without `.gif`, the format that textures were made from.
pub fn texture_stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if extension.eq_ignore_ascii_case("gif") && !stem.is_empty() => stem,
        _ => name,
    }
}

/// Returns a file name for a name that may contain any bytes.
///
/// Letters, digits and harmless punctuation are kept. Every other byte is written as `%` and two hexadecimal digits,
/// so that different names stay different. The same applies to the first letter of a reserved name, and to a dot or
/// space at either end. Long names are shortened and end in a digest of the whole name.
///
/// ```
/// use worldview_export::names::file_name;
///
/// assert_eq!(file_name(b"r_quest.wdb"), "r_quest.wdb");
/// assert_eq!(file_name(b"../up"), "%2E.%2Fup");
/// assert_eq!(file_name(b"con"), "%63on");
/// ```
pub fn file_name(raw: &[u8]) -> String {
    let mut name = String::with_capacity(raw.len().min(2 * MAX_LEN));
    // Long names are shortened anyway, so escaping all of them would be a waste.
    for (at, &byte) in raw.iter().enumerate().take(2 * MAX_LEN) {
        let harmless = byte.is_ascii_alphanumeric() || b"_-+=@!#$&'()[]{}~,; ".contains(&byte) || byte == b'.';
        let at_an_end = (at == 0 && b". ~-".contains(&byte)) || (at + 1 == raw.len() && b". ".contains(&byte));
        if harmless && !at_an_end && !(at == 0 && is_reserved(raw)) {
            name.push(char::from(byte));
        } else {
            escape(byte, &mut name);
        }
    }
    settled(name, raw)
}

/// Returns the name that a [`file_name`] stands for, unless it was shortened.
///
/// ```
/// use worldview_export::names::{file_name, raw_of};
///
/// assert_eq!(raw_of(&file_name(b"../up")), b"../up");
/// ```
pub fn raw_of(file_name: impl AsRef<[u8]>) -> Vec<u8> {
    let mut rest = file_name.as_ref();
    let mut raw = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        raw.push(escaped.unwrap_or(byte));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    raw
}

/// Returns the name of the folder for an input, given the name of a file on this system. Text in any script is kept.
pub fn source_name(name: &OsStr) -> String {
    let raw = name.as_encoded_bytes();
    let mut safe = String::new();
    for chunk in raw.utf8_chunks() {
        for char in chunk.valid().chars() {
            let harmless = !char.is_control() && !"/\\:*?\"<>|%".contains(char) && !is_invisible(char);
            let (is_first, is_reserved) = (safe.is_empty(), safe.is_empty() && is_reserved(raw));
            if harmless && !is_reserved && !(is_first && matches!(char, ' ' | '-' | '~' | '.')) {
                safe.push(char);
            } else {
                char.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| escape(byte, &mut safe));
            }
        }
        chunk.invalid().iter().for_each(|&byte| escape(byte, &mut safe));
    }
    // Windows drops these at the end, which could make two names equal.
    if let Some(last @ ('.' | ' ')) = safe.chars().next_back() {
        safe.pop();
        escape(last as u8, &mut safe);
    }
    settled(safe, raw)
}

/// Returns whether a character is invisible but affects how the surrounding text is displayed.
const fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

fn escape(byte: u8, name: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    name.push('%');
    name.push(char::from(DIGITS[usize::from(byte >> 4)]));
    name.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// Maximum length in bytes of a name before it is shortened. Systems allow 255 bytes, some of which are needed for
/// suffixes and extensions.
const MAX_LEN: usize = 120;

/// Returns the name, shortened if it is too long, and never empty. A digest of the whole name keeps shortened names
/// distinct.
fn settled(mut name: String, raw: &[u8]) -> String {
    if raw.is_empty() {
        return "%".to_owned();
    }
    if name.len() > MAX_LEN {
        let mut end = MAX_LEN - 20;
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        // Do not cut an escape sequence. `%` only occurs at the start of one.
        if let Some(at) = name[..end].rfind('%').filter(|at| at + 3 > end) {
            end = at;
        }
        name.truncate(end);
        name.push('~');
        name.push_str(&hex(&Sha256::digest(raw))[..12]);
    }
    name
}

/// Returns whether Windows treats the name as a device, regardless of what follows its first dot.
pub fn is_reserved(raw: &[u8]) -> bool {
    let stem = raw.split(|&byte| byte == b'.').next().unwrap_or(raw).trim_ascii_end().to_ascii_uppercase();
    match stem.as_slice() {
        b"CON" | b"PRN" | b"AUX" | b"NUL" | b"CONIN$" | b"CONOUT$" | b"CLOCK$" => true,
        [b'C', b'O', b'M', number @ ..] | [b'L', b'P', b'T', number @ ..] => {
            // The superscript digits one to three also count, in UTF-8 and in the code page.
            matches!(number, [b'0'..=b'9' | 0xB9 | 0xB2 | 0xB3] | [0xC2, 0xB9 | 0xB2 | 0xB3])
        }
        _ => false,
    }
}

/// Returns the form in which two names must differ to be distinct on every system, regardless of case and the
/// encoding of accents.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// Makes names in one folder unique, including names that only some systems treat as equal.
#[derive(Debug, Default)]
pub struct Taken {
    /// The folded names in use, with the next number to try for each.
    names: HashMap<String, u64>,
}

impl Taken {
    /// Returns the name, with `~2` and so on after its stem if it is already in use.
    pub fn take(&mut self, name: String) -> String {
        let dot = name.rfind('.').filter(|dot| !name[*dot..].contains('/')).unwrap_or(name.len());
        self.take_at(name, dot)
    }

    /// Returns the name, with `~2` and so on at its end if it is already in use.
    pub fn take_whole(&mut self, name: String) -> String {
        let end = name.len();
        self.take_at(name, end)
    }

    fn take_at(&mut self, name: String, at: usize) -> String {
        let key = fold(&name);
        let Some(&first) = self.names.get(&key) else {
            self.names.insert(key, 2);
            return name;
        };
        let (stem, extension) = name.split_at(at);
        let mut number = first;
        loop {
            let other = format!("{stem}~{number}{extension}");
            number += 1;
            let other_key = fold(&other);
            if !self.names.contains_key(&other_key) {
                self.names.insert(key, number);
                self.names.insert(other_key, 2);
                return other;
            }
        }
    }
}

/// Assigns folders to the parts of an input, inside the folder of the input.
#[derive(Debug, Default)]
pub struct PartFolders {
    /// The folders in use, which keeps them unique.
    taken: Taken,
    /// The folder assigned to the most recent part at each path inside the input.
    folders: HashMap<PathBuf, String>,
}

impl PartFolders {
    /// Returns the folders of an input without parts so far, none of which will have the name of this file.
    pub fn beside(file: &str) -> Self {
        let mut folders = Self::default();
        folders.taken.take(file.to_owned());
        folders
    }

    /// Assigns a folder to a part of the input, given its path inside the input, and returns it as a prefix for file
    /// names. Further parts with the same name get `~2` and so on. An archive must precede the parts in it.
    pub fn below(&mut self, inside: &Path) -> String {
        let prefix = match (inside.parent(), inside.file_name()) {
            (Some(parent), Some(name)) => {
                let parent = self.folders.get(parent).map_or("", String::as_str);
                format!("{}/", self.taken.take_whole(format!("{parent}{}", name.to_string_lossy())))
            }
            _ => String::new(),
        };
        // The members of an archive are in a folder of this name, so a nested table named "members" gets another one.
        self.taken.take_whole(format!("{prefix}members"));
        self.folders.insert(inside.into(), prefix.clone());
        prefix
    }

    /// Returns the folder of a directory in the input as [`below`](Self::below) does, which is assigned on first use,
    /// together with those of the directories above it.
    pub fn folder_of(&mut self, inside: &Path) -> String {
        if let Some(folder) = self.folders.get(inside) {
            return folder.clone();
        }
        if let Some(parent) = inside.parent() {
            self.folder_of(parent);
        }
        self.below(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_files_cannot_leave_their_folder() {
        assert_eq!(safe_name("Background"), "Background");
        assert_eq!(safe_name("../../etc/passwd"), ".._.._etc_passwd");
        assert_eq!(safe_name("C:\\x\0y"), "C__x_y");
        assert_eq!(safe_name("dots..."), "dots");
        assert_eq!(safe_name(&"n".repeat(500)).len(), 48);
    }

    #[test]
    fn names_of_members_stay_apart_and_inside() {
        for (raw, expected) in [
            (&b"r_quest.wdb"[..], "r_quest.wdb"),
            (b"..", "%2E%2E"),
            (b"../up", "%2E.%2Fup"),
            (b"a/b\\c:d", "a%2Fb%5Cc%3Ad"),
            (b"auto_hast ", "auto_hast%20"),
            (b"@sound", "@sound"),
            (b"con", "%63on"),
            (b"Com7.clb", "%43om7.clb"),
            (b"com\xB9", "%63om%B9"),
            (b"console", "console"),
            (b"100%", "100%25"),
            (b"\x01\xFF", "%01%FF"),
            (b"", "%"),
        ] {
            assert_eq!(file_name(raw), expected, "{}", raw.escape_ascii());
        }
    }

    #[test]
    fn names_of_inputs_keep_their_script_and_lose_what_systems_reserve() {
        for (raw, expected) in [
            ("LEVEL 1.WWD", "LEVEL 1.WWD"),
            ("\u{C9}cran \u{65E5}\u{672C}.wwd", "\u{C9}cran \u{65E5}\u{672C}.wwd"),
            ("a:b", "a%3Ab"),
            ("new\nline", "new%0Aline"),
            ("nul.wdb", "%6Eul.wdb"),
            ("end.", "end%2E"),
            ("\u{202E}gpj.wdb", "%E2%80%AEgpj.wdb"),
            ("100%", "100%25"),
        ] {
            assert_eq!(source_name(OsStr::new(raw)), expected);
        }
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let long = |last: u8| [&[b'n'; 5000][..], &[last]].concat();
        let (one, two) = (file_name(&long(b'1')), file_name(&long(b'2')));
        assert!(one.len() <= MAX_LEN && one != two);
        let odd = file_name(&[0xFF; 300]);
        assert!(odd.len() <= MAX_LEN && odd.starts_with("%FF%FF"));
        // The escape sequences before the cut are complete.
        assert_eq!(odd.split('~').next().unwrap().len() % 3, 0);
    }

    #[test]
    fn names_that_differ_in_case_or_accents_get_two_files() {
        let mut taken = Taken::default();
        let mut take = |name: &str| taken.take(name.to_owned());
        assert_eq!(
            [take("a.clb"), take("A.clb"), take("a~2.clb"), take("a.clb")].join(" "),
            "a.clb A~2.clb a~2~2.clb a~3.clb"
        );
        assert_eq!(fold("\u{E9}"), fold("E\u{301}"));
        assert_eq!(fold("\u{17F}"), fold("s"));
        assert_eq!(fold("\u{212A}"), fold("k"));
        assert_ne!(fold("a"), fold("b"));
    }
}
