//! The families of files that are broken.

/// Formats that are read and broken alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// WPD archives and WDB tables of Final Fantasy XIII.
    Ff13,
    /// Levels of Claw, Gruntz and Get Medieval.
    Wwd,
    /// WORLD.WDB of LEGO Island.
    Island,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 3] = [Self::Ff13, Self::Wwd, Self::Island];

    /// Its name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ff13 => "ff13",
            Self::Wwd => "wwd",
            Self::Island => "island",
        }
    }

    /// How its files are called.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Ff13 | Self::Island => "wdb",
            Self::Wwd => "wwd",
        }
    }

    /// The bytes of a word.
    pub const fn word(self) -> fn(u32) -> [u8; 4] {
        match self {
            Self::Ff13 => u32::to_be_bytes,
            Self::Wwd | Self::Island => u32::to_le_bytes,
        }
    }

    /// The family of a file that is whole.
    pub fn of(bytes: &[u8]) -> Self {
        match bytes {
            [b'W', b'P', b'D', ..] => Self::Ff13,
            [0xF4, 0x05, 0, 0, ..] => Self::Wwd,
            _ => Self::Island,
        }
    }
}
