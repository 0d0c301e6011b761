mod archive;
mod directory;
mod level;

/// A file format that worldview reads, determined by a file's contents.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// WORLD.WDB of LEGO Island.
    Island,
    /// A PCX picture.
    Pcx,
    /// A PID picture of Claw, Gruntz or Get Medieval.
    Pid,
    /// A REZ archive of Claw, Gruntz, Get Medieval or a LithTech game.
    Rez,
    /// A RID picture: a PID picture with unpacked pixels.
    Rid,
    /// A WPD archive of Final Fantasy XIII, XIII-2 or Lightning Returns: a WDB table, or a container.
    Wpd,
    /// A WWD level of Claw, Gruntz or Get Medieval.
    Wwd,
}

impl Format {
    /// Number of bytes at the start of a file that [`sniff`](Self::sniff) needs, except for a WORLD.WDB with very long
    /// names.
    pub const SNIFF_LEN: usize = 1024;

    /// Returns the format of a file, given its first bytes: all of them, or [`SNIFF_LEN`](Self::SNIFF_LEN).
    ///
    /// **WPD** files begin with `WPD` and a NUL. Nothing else is checked; any other fault is reported when the archive
    /// is opened. An archive whose header was overwritten is not recognized.
    ///
    /// **WWD** files begin with the size of their header, 1524, as a 32-bit little-endian word. Since other files may
    /// begin like that, more of the following statements must be true than false, as far as there are bytes to check
    /// them:
    ///
    /// - The word at 4 is 0, and of the flags at 8 only the low eight bits are set.
    /// - The name, the author and the date, 64 bytes each from offset 16, contain no control characters before their
    ///   NULs.
    /// - The number of planes at 732 is between 1 and 65,535, and their offset at 736 is not inside the header.
    ///
    /// A file that is too short to check any of them counts as a truncated level.
    ///
    /// **REZ** archives begin with CR and LF, have LF at 63 and 0x1A at 126, and version 1 at 127, as far as there are
    /// bytes to check them.
    ///
    /// **PID**, **RID** and **PCX** pictures have no signature that is worth the name. Only the file name identifies
    /// them.
    ///
    /// **WORLD.WDB** has no signature. It is recognized by the structure of its directory, of which at most 64
    /// references are checked:
    ///
    /// - There are 1 to 4,096 worlds, each with at most 65,535 parts and models.
    /// - The names of worlds, parts, models and presenters have a count from 1 to 128, and consist of printable ASCII
    ///   and a final NUL. The name of the first world is not empty.
    /// - Most references are plausible. A plausible reference has a blob that is not empty, lies after the reference
    ///   and within 512 MiB, and is either the same as that of the previous reference or does not overlap it. The nine
    ///   numbers of a plausible model are 0 or have a magnitude from 10⁻¹² to 10⁹.
    /// - If the directory ends without a plausible model, the sizes and counts of the two global chunks follow, and are
    ///   consistent.
    ///
    /// So a file without worlds, or one truncated before the end of its first reference, is not recognized. Only the
    /// file name identifies it.
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
            () if archive::sniff(bytes) => Some(Self::Rez),
            () if level::sniff(bytes) => Some(Self::Wwd),
            () if directory::sniff(bytes) => Some(Self::Island),
            () => None,
        }
    }

    /// Returns the short name used in messages and in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Island => "world",
            Self::Pcx => "pcx",
            Self::Pid => "pid",
            Self::Rez => "rez",
            Self::Rid => "rid",
            Self::Wpd => "wpd",
            Self::Wwd => "wwd",
        }
    }

    /// Returns the format suggested by a file name; see [`of_extension`](Self::of_extension).
    pub fn of_file_name(name: &str) -> Option<Self> {
        name.rsplit_once('.')
            .filter(|(stem, _)| !stem.is_empty())
            .and_then(|(_, extension)| Self::of_extension(extension))
    }

    /// Returns the format suggested by a file name extension, for messages about files that are not what their names
    /// say.
    ///
    /// Two formats use `.wdb`. Far more files are WDB tables, so this returns those; only the contents identify a
    /// WORLD.WDB.
    pub fn of_extension(extension: &str) -> Option<Self> {
        const WPD: [&str; 7] = ["wdb", "wpd", "wpk", "xgr", "xfv", "xwb", "xwp"];
        let is = |name: &&str| extension.eq_ignore_ascii_case(name);
        match () {
            () if is(&"wwd") => Some(Self::Wwd),
            () if is(&"rez") || is(&"vrz") => Some(Self::Rez),
            () if is(&"pid") => Some(Self::Pid),
            () if is(&"pcx") => Some(Self::Pcx),
            () if is(&"rid") => Some(Self::Rid),
            () if WPD.iter().any(is) => Some(Self::Wpd),
            () => None,
        }
    }
}

worldview_core::display_by_name!(Format);
