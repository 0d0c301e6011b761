mod directory;
mod level;

/// A file format that worldview reads, found by content and never by the file's name.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// WORLD.WDB of LEGO Island.
    Island,
    /// A WPD archive of Final Fantasy XIII, XIII-2 or Lightning Returns: a WDB table, or a container.
    Wpd,
    /// A WWD level of Claw, Gruntz or Get Medieval.
    Wwd,
}

impl Format {
    /// How many of a file's first bytes [`sniff`](Self::sniff) can make use of, but for a WORLD.WDB whose names are very
    /// long.
    pub const SNIFF_LEN: usize = 1024;

    /// The format of a file, by its first bytes: all of them, or [`SNIFF_LEN`](Self::SNIFF_LEN).
    ///
    /// **WPD** begins with `WPD` and a NUL, and that is all that is asked: whatever is wrong behind it is the archive's
    /// error. One whose header was overwritten is not known by its bytes.
    ///
    /// **WWD** begins with the size of its header, 1524, as a 32-bit little-endian word. Many a file may begin so; hence
    /// of three statements more must be right than wrong, as far as the bytes go:
    ///
    /// - The word at 4 is 0, and of the flags at 8 only the low eight bits are set.
    /// - The name, the author and the date, 64 bytes each from 16 on, are text without control characters up to a NUL.
    /// - The number of planes at 732 is between 1 and 65,535, and they begin behind the header, at 736.
    ///
    /// A file that ends before the first of these can be told is a level that was cut.
    ///
    /// **WORLD.WDB** has no signature. It is told by its directory, as far as that is given and 64 references at most.
    ///
    /// - There are 1 to 4,096 worlds, each with at most 65,535 parts and models.
    /// - The names of worlds, parts, models and presenters are a count of 1 to 128 and printable ASCII with a NUL as its
    ///   last byte; that of the first world is not empty.
    /// - Most references make sense: their blob is not empty, lies behind the reference itself and within 512 MiB, and
    ///   either is that of the reference before or has no byte in common with it; and a model's nine numbers are 0 or
    ///   between 10⁻¹² and 10⁹.
    /// - Where the directory ends and had no model that makes sense, the sizes and counts of the two global chunks follow,
    ///   and fit each other.
    ///
    /// So a file of no worlds is never taken for one, nor one that was cut before the end of its first reference: these
    /// are known by their name alone.
    ///
    /// ```
    /// use worldview::Format;
    ///
    /// assert_eq!(Format::sniff(b"WPD\0\0\0\0\0\0\0\0\0\0\0\0\0"), Some(Format::Wpd));
    /// assert_eq!(Format::sniff(b"plain text"), None);
    /// ```
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        match () {
            () if bytes.starts_with(b"WPD\0") => Some(Self::Wpd),
            () if level::is_one(bytes) => Some(Self::Wwd),
            () if directory::is_one(bytes) => Some(Self::Island),
            () => None,
        }
    }

    /// The format's short name, as in messages and in machine output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Island => "world",
            Self::Wpd => "wpd",
            Self::Wwd => "wwd",
        }
    }

    /// The format that a file's name promises: see [`of_extension`](Self::of_extension).
    pub fn of_file_name(name: &str) -> Option<Self> {
        name.rsplit_once('.')
            .filter(|(stem, _)| !stem.is_empty())
            .and_then(|(_, extension)| Self::of_extension(extension))
    }

    /// The format that a file name's extension promises: for messages about files that are not what they are called.
    ///
    /// `.wdb` is the extension of two formats, of which WDB tables have the more files: only content tells WORLD.WDB.
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

worldview_core::display_by_name!(Format);
