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
    /// How many of a file's first bytes [`sniff`](Self::sniff) can make use of.
    pub const SNIFF_LEN: usize = 512;

    /// The format of a file, by its first bytes.
    ///
    /// WORLD.WDB has no signature. It is told by its directory, as far as that is given and 64 references at most: 1 to
    /// 4,096 worlds, each of whose names, and those of its parts, models and presenters, is a count of 1 to 128 and
    /// printable ASCII with a NUL as its last byte, the first world's not empty; counts of at most 65,535 parts and models.
    /// A file of no worlds is never taken for one, nor one that ends within the first world's first reference.
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
        if is_wwd {
            return Some(Self::Wwd);
        }
        directory::is_one(bytes).then_some(Self::Island)
    }

    /// The format's short name, as in messages and in machine output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Island => "world",
            Self::Wpd => "wpd",
            Self::Wwd => "wwd",
        }
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

/// What the directory of WORLD.WDB looks like.
mod directory {
    /// Takes words and names from the bytes that are given; `None` where they end.
    struct Given<'a>(&'a [u8]);

    /// What was wrong, or that the bytes were too few to tell.
    enum Stop {
        Wrong,
        End,
    }

    impl<'a> Given<'a> {
        fn take(&mut self, len: usize) -> Result<&'a [u8], Stop> {
            let (taken, rest) = self.0.split_at_checked(len).ok_or(Stop::End)?;
            self.0 = rest;
            Ok(taken)
        }

        fn word(&mut self) -> Result<u32, Stop> {
            Ok(self.take(4)?.first_chunk().map_or(0, |word| u32::from_le_bytes(*word)))
        }

        fn count(&mut self) -> Result<u32, Stop> {
            self.word().and_then(|count| if count <= 0xFFFF { Ok(count) } else { Err(Stop::Wrong) })
        }

        /// A counted name; answers whether it has a text.
        fn name(&mut self) -> Result<bool, Stop> {
            let len = self.word()?;
            if !(1..=128).contains(&len) {
                return Err(Stop::Wrong);
            }
            let given = self.0;
            match self.take(len as usize) {
                Ok([text @ .., 0]) if is_text(text) => Ok(!text.is_empty()),
                Ok(_) => Err(Stop::Wrong),
                // What there is of it must do.
                Err(_) => Err(if is_text(given) { Stop::End } else { Stop::Wrong }),
            }
        }
    }

    fn is_text(bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| (b' '..=b'~').contains(byte))
    }

    /// How many references are looked at.
    const ENOUGH: usize = 64;

    pub(super) fn is_one(bytes: &[u8]) -> bool {
        let mut given = Given(bytes);
        let Ok(worlds @ 1..=4096) = given.word() else { return false };
        let mut left = ENOUGH;
        for world in 0..worlds {
            match self::world(&mut given, world == 0, &mut left) {
                Ok(()) if left > 0 => {}
                Ok(()) => return true,
                Err(Stop::Wrong) => return false,
                // The first world's name and two counts are the least, and no directory is the whole file.
                Err(Stop::End) => return world > 0 || left < ENOUGH,
            }
        }
        // Behind the worlds, at the least the sizes of the two chunks.
        given.0.len() >= 8
    }

    fn world(given: &mut Given<'_>, is_first: bool, left: &mut usize) -> Result<(), Stop> {
        if !given.name()? && is_first {
            return Err(Stop::Wrong);
        }
        for _ in 0..given.count()? {
            given.name()?;
            given.take(8)?;
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Ok(());
            }
        }
        for _ in 0..given.count()? {
            given.name()?;
            given.take(8)?;
            given.name()?;
            given.take(37)?;
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Ok(());
            }
        }
        Ok(())
    }
}
