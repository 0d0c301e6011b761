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
        let is = |word: &[u8]| {
            dir.split_at_checked(word.len()).is_some_and(|(head, tail)| {
                head.eq_ignore_ascii_case(word) && tail.first().is_some_and(u8::is_ascii_digit)
            })
        };
        if is(b"LEVEL") {
            Some(Self::Claw)
        } else if is(b"AREA") {
            Some(Self::Gruntz)
        } else if is(b"DUNGEON") {
            Some(Self::GetMedieval)
        } else {
            None
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
