/// A game with levels in this format. The file does not name the game; it follows from the tile directory.
/// See [Games](crate::format#games).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Claw (1997).
    Claw,
    /// Gruntz (1999).
    Gruntz,
    /// Get Medieval (1998).
    GetMedieval,
}

impl Game {
    /// Returns the game of a level, given the header's `image_dir`: `LEVEL`, `AREA` or `DUNGEON` and a digit, ignoring
    /// case and an optional leading backslash.
    pub fn of_image_dir(image_dir: &[u8]) -> Option<Self> {
        let dir = image_dir.strip_prefix(b"\\").unwrap_or(image_dir);
        [Self::Claw, Self::Gruntz, Self::GetMedieval].into_iter().find(|game| {
            let word = game.directory_word().as_bytes();
            dir.split_at_checked(word.len()).is_some_and(|(head, tail)| {
                head.eq_ignore_ascii_case(word) && tail.first().is_some_and(u8::is_ascii_digit)
            })
        })
    }

    /// Returns the number of the directory with the pictures of a level: that of the level, but for Gruntz, where four levels share an
    /// area, and after 36 levels the areas start over. See [Games](crate::format#games).
    pub const fn directory_of(self, level: u32) -> u32 {
        match self {
            Self::Gruntz => (level.saturating_sub(1) % 36 / 4).saturating_add(1),
            Self::Claw | Self::GetMedieval => level,
        }
    }

    /// Returns what the names of directories with the pictures of levels begin with, before the number.
    pub const fn directory_word(self) -> &'static str {
        match self {
            Self::Claw => "LEVEL",
            Self::Gruntz => "AREA",
            Self::GetMedieval => "DUNGEON",
        }
    }

    /// Returns the title of the game.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claw => "Claw",
            Self::Gruntz => "Gruntz",
            Self::GetMedieval => "Get Medieval",
        }
    }
}

worldview_core::display_by_name!(Game);
