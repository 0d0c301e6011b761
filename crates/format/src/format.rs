mod archive;
mod directory;
mod level;

/// What a file, or a part of one, is, whatever format it has.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Files, or tables, in one file.
    Archive,
    /// A part of an archive in no known format.
    Data,
    /// Worlds, models, parts and textures: WORLD.WDB.
    Database,
    /// A level with planes, tiles and objects.
    Level,
    /// A picture.
    Picture,
    /// A record of a table.
    Record,
    /// A table with records and fields.
    Table,
    /// A list of textures.
    Textures,
}

impl Kind {
    /// The kinds that a whole file can have, in the order in which lists show them.
    pub const OF_FILES: [Self; 6] =
        [Self::Level, Self::Table, Self::Archive, Self::Picture, Self::Database, Self::Textures];

    /// Returns the name used in messages and in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Archive => "archive",
            Self::Data => "data",
            Self::Database => "database",
            Self::Level => "level",
            Self::Picture => "picture",
            Self::Record => "record",
            Self::Table => "table",
            Self::Textures => "textures",
        }
    }

    /// Returns whether there are parts in it that can be looked at alone.
    pub const fn has_parts(self) -> bool {
        matches!(self, Self::Archive | Self::Database | Self::Textures)
    }
}

worldview_core::display_by_name!(Kind);

/// What is known about a format before a file is opened.
struct Facts {
    name: &'static str,
    title: &'static str,
    kind: Kind,
    extensions: &'static [&'static str],
    /// Recognizes a file by its first bytes; `None` if only its name identifies it.
    sniff: Option<fn(&[u8]) -> bool>,
    /// What the first bytes of a file with the name must be, if other files have such names.
    begins: Option<fn(&[u8]) -> bool>,
}

/// Declares the formats as one table, in the order in which they are recognized.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident: $facts:expr,)+) => {
        /// A file format that worldview reads, determined by a file's contents.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $format,)+
        }

        impl Format {
            /// All formats, in the order in which they are recognized.
            pub const ALL: &[Self] = &[$(Self::$format),+];

            const fn facts(self) -> &'static Facts {
                match self {
                    $(Self::$format => &const { $facts },)+
                }
            }
        }
    };
}

formats! {
    /// A WPD archive of Final Fantasy XIII, XIII-2 or Lightning Returns: a WDB table, or a container.
    Wpd: Facts {
        name: "wpd",
        title: "a WPD archive or table",
        kind: Kind::Archive,
        extensions: &["wdb", "wpd", "wpk", "xgr", "xfv", "xwb", "xwp"],
        sniff: Some(|bytes| bytes.starts_with(b"WPD\0")),
        begins: None,
    },
    /// A REZ archive of Claw, Gruntz, Get Medieval or a LithTech game.
    Rez: Facts {
        name: "rez",
        title: "a REZ archive",
        kind: Kind::Archive,
        extensions: &["rez", "vrz"],
        sniff: Some(archive::sniff),
        begins: None,
    },
    /// A WWD level of Claw, Gruntz or Get Medieval.
    Wwd: Facts {
        name: "wwd",
        title: "a WWD level",
        kind: Kind::Level,
        extensions: &["wwd"],
        sniff: Some(level::sniff),
        begins: None,
    },
    /// WORLD.WDB of LEGO Island. Its extension is that of tables, of which there are far more.
    Island: Facts {
        name: "world",
        title: "a WORLD.WDB",
        kind: Kind::Database,
        extensions: &[],
        sniff: Some(directory::sniff),
        begins: None,
    },
    /// A PCX picture.
    Pcx: Facts { name: "pcx", title: "a picture", kind: Kind::Picture, extensions: &["pcx"], sniff: None, begins: None },
    /// A PID picture of Claw, Gruntz or Get Medieval.
    Pid: Facts { name: "pid", title: "a picture", kind: Kind::Picture, extensions: &["pid"], sniff: None, begins: None },
    /// A RID picture: a PID picture with unpacked pixels.
    Rid: Facts { name: "rid", title: "a picture", kind: Kind::Picture, extensions: &["rid"], sniff: None, begins: None },
    /// A `.tex` file of LEGO Island. TeX documents have the same extension.
    Tex: Facts {
        name: "tex",
        title: "a texture file",
        kind: Kind::Textures,
        extensions: &["tex"],
        sniff: None,
        begins: Some(begins_like_textures),
    },
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
    /// **TEX** files have no signature either. A file with the extension must begin with a number of textures and the length
    /// of a name, each from 1 to 65,535, and a printable character, since TeX documents have the same extension:
    /// [`of_file`](Self::of_file).
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
    /// use worldview_format::Format;
    ///
    /// assert_eq!(Format::sniff(b"WPD\0\0\0\0\0\0\0\0\0\0\0\0\0"), Some(Format::Wpd));
    /// assert_eq!(Format::sniff(b"plain text"), None);
    /// ```
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.facts().sniff.is_some_and(|sniff| sniff(bytes)))
    }

    /// Returns the short name used in messages and in machine-readable output.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns what a file of the format is called in a sentence: `a WWD level`.
    pub const fn title(self) -> &'static str {
        self.facts().title
    }

    /// Returns what a file of the format is. A WPD archive may turn out to be a table.
    pub const fn kind(self) -> Kind {
        self.facts().kind
    }

    /// Returns the format suggested by a file name; see [`of_extension`](Self::of_extension).
    pub fn of_file_name(name: &str) -> Option<Self> {
        name.rsplit_once('.')
            .filter(|(stem, _)| !stem.is_empty())
            .and_then(|(_, extension)| Self::of_extension(extension))
    }

    /// Returns the format suggested by a file name, unless the first bytes are not those of such a file. Other programs have
    /// files with some of these names.
    pub fn of_file(name: &str, bytes: &[u8]) -> Option<Self> {
        Self::of_file_name(name).filter(|format| format.facts().begins.is_none_or(|begins| begins(bytes)))
    }

    /// Returns whether a file name is enough to open a file as this format.
    pub const fn is_known_by_name(self) -> bool {
        self.facts().begins.is_none()
    }

    /// Returns the format suggested by a file name extension, for messages about files that are not what their names
    /// say.
    ///
    /// Two formats use `.wdb`. Far more files are WDB tables, so this returns those; only the contents identify a
    /// WORLD.WDB.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let is = |name: &&str| extension.eq_ignore_ascii_case(name);
        Self::ALL.iter().copied().find(|format| format.facts().extensions.iter().any(is))
    }
}

worldview_core::display_by_name!(Format);

/// Returns whether bytes begin with a number of textures and a name, which no text does.
fn begins_like_textures(bytes: &[u8]) -> bool {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
    let is_printable = bytes.get(8).is_none_or(|byte| (b' '..=b'~').contains(byte));
    is_printable && matches!((word(0), word(4)), (Some(1..=0xFFFF), None | Some(1..=0xFFFF)))
}
