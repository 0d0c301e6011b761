/// A file format that worldview reads, found by content and never by the file's name.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A WPD archive of Final Fantasy XIII, XIII-2 or Lightning Returns: a WDB table, or a container.
    Wpd,
    /// A WWD level of Claw, Gruntz or Get Medieval.
    Wwd,
}

impl Format {
    /// How many of a file's first bytes [`sniff`](Self::sniff) can make use of.
    pub const SNIFF_LEN: usize = 144;

    /// The format of a file, by its first bytes.
    ///
    /// A WPD archive begins with `WPD` and a NUL.
    ///
    /// A WWD level begins with the size of its header, 1524, as a 32-bit little-endian word. Besides, of its flags, at
    /// byte 8, only the low eight bits are set, or its name and author, 64 bytes each from byte 16 on, are text without
    /// control characters. A file that ends before one of these is judged by what there is of it, from the signature
    /// on, so that a cut level is reported as cut.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"WPD\0") {
            return Some(Self::Wpd);
        }
        let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
        let text = |at: usize| {
            let field = bytes.get(at..).map_or(&[][..], |rest| rest.get(..64).unwrap_or(rest));
            field.iter().take_while(|&&byte| byte != 0).all(|byte| !byte.is_ascii_control())
        };
        let is_wwd = word(0) == Some(1524) && (word(8).is_none_or(|flags| flags <= 0xFF) || (text(16) && text(80)));
        is_wwd.then_some(Self::Wwd)
    }

    /// The format's short name, as in messages and in machine output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wpd => "wpd",
            Self::Wwd => "wwd",
        }
    }

    /// The format that a file name's extension promises: for messages about files that are not what they are called.
    pub fn of_extension(extension: &str) -> Option<Self> {
        const WPD: [&str; 7] = ["wdb", "wpd", "wpk", "xgr", "xfv", "xwb", "xwp"];
        let is = |name: &&str| extension.eq_ignore_ascii_case(name);
        match () {
            () if is(&"wwd") => Some(Self::Wwd),
            () if WPD.iter().any(is) => Some(Self::Wpd),
            () => None,
        }
    }
}
