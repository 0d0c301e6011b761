use worldview_wwd::Game;

use super::inks::OUTLINE;
use crate::level::palette::{self, Rgb};
use crate::picture::{Format, Ink};

/// The meaning of a pixel of the overlay. The discriminant is that of its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Clear,
    Solid,
    Ground,
    Climb,
    Death,
    Water,
    Sink,
    Bridge,
    Arrow,
    Spikes,
    Switch,
    Pyramid,
    Rock,
    Powerup,
    Blocker,
    Other,
    Missing,
}

impl Class {
    /// All classes in the order of their discriminants.
    pub(super) const ALL: [Self; 17] = [
        Self::Clear,
        Self::Solid,
        Self::Ground,
        Self::Climb,
        Self::Death,
        Self::Water,
        Self::Sink,
        Self::Bridge,
        Self::Arrow,
        Self::Spikes,
        Self::Switch,
        Self::Pyramid,
        Self::Rock,
        Self::Powerup,
        Self::Blocker,
        Self::Other,
        Self::Missing,
    ];

    /// Returns the class of an attribute.
    pub(super) const fn of(attribute: i32, game: Option<Game>) -> Self {
        match attribute {
            0 => Self::Clear,
            1 => Self::Solid,
            2 => Self::Ground,
            3 => Self::Climb,
            4 => Self::Death,
            _ if !matches!(game, Some(Game::Gruntz)) => Self::Other,
            10 => Self::Water,
            11..=19 => Self::Arrow,
            30 | 31 | 33 | 151..=153 => Self::Rock,
            32 => Self::Spikes,
            34 | 35 | 150 => Self::Powerup,
            36 => Self::Sink,
            51..=66 => Self::Switch,
            93..=106 => Self::Pyramid,
            107..=116 => Self::Bridge,
            154 => Self::Blocker,
            _ => Self::Other,
        }
    }

    /// Whether levels of the game can have it, so that the legend explains it.
    pub(super) const fn is_of(self, game: Option<Game>) -> bool {
        let is_common = (self as u8) <= Self::Death as u8 || matches!(self, Self::Other | Self::Missing);
        is_common || matches!(game, Some(Game::Gruntz))
    }

    /// Returns the word in the legend.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Solid => "solid",
            Self::Ground => "ground",
            Self::Climb => "climb",
            Self::Death => "death",
            Self::Water => "water",
            Self::Sink => "sink",
            Self::Bridge => "bridge",
            Self::Arrow => "arrow",
            Self::Spikes => "spikes",
            Self::Switch => "switch",
            Self::Pyramid => "pyramid",
            Self::Rock => "rock",
            Self::Powerup => "powerup",
            Self::Blocker => "blocker",
            Self::Other => "other",
            Self::Missing => "missing",
        }
    }

    /// Returns the ink on the level, or the opaque one in the legend.
    pub(super) const fn ink(self, legend: bool) -> Ink {
        self as Ink + if legend { COUNT } else { 0 }
    }

    pub(super) const fn color(self) -> Rgb {
        /// Differs from the colors of attributes and marks.
        const MISSING: Rgb = [54, 200, 222];
        /// No attribute of any game.
        const OTHER: i32 = -1;
        palette::gruntz_attribute(match self {
            Self::Missing => return MISSING,
            Self::Clear => 0,
            Self::Solid => 1,
            Self::Ground => 2,
            Self::Climb => 3,
            Self::Death => 4,
            Self::Water => 10,
            Self::Sink => 36,
            Self::Bridge => 107,
            Self::Arrow => 11,
            Self::Spikes => 32,
            Self::Switch => 51,
            Self::Pyramid => 93,
            Self::Rock => 30,
            Self::Powerup => 34,
            Self::Blocker => 154,
            Self::Other => OTHER,
        })
    }

    /// Returns the names and colors of the classes among the inks of a picture of the level.
    pub(super) fn shown(inks: &Seen) -> Vec<(&'static str, Rgb)> {
        let shown = Self::ALL.into_iter().filter(|class| inks.0 & (1 << class.ink(false)) != 0);
        shown.map(|class| (class.word(), class.color())).collect()
    }

    /// Returns the opacity on the level.
    pub(super) const fn opacity(self) -> u8 {
        match self {
            Self::Clear => 0,
            _ => 168,
        }
    }
}

/// The inks that rows of a picture have, one bit each.
#[derive(Debug, Default)]
pub(super) struct Seen(u64);

impl Seen {
    pub(super) fn add(&mut self, row: &[Ink]) {
        // Inks are numbered to `TEXT`, which is below 64.
        row.iter().for_each(|&ink| self.0 |= 1_u64.checked_shl(ink).unwrap_or(0));
    }
}

const _: () = assert!(TEXT < u64::BITS);

/// How many classes there are.
const COUNT: Ink = Class::Missing as Ink + 1;
const _: () = assert!(Class::ALL.len() == COUNT as usize);

/// The inks of a mark and its outline.
pub(super) const MARK: [Ink; 2] = [2 * COUNT, 2 * COUNT + 1];
/// The background of the legend, and its text.
pub(super) const PAPER: Ink = 2 * COUNT + 2;
pub(super) const TEXT: Ink = 2 * COUNT + 3;

/// The colors of all inks, in their order.
fn colors() -> impl Iterator<Item = Rgb> {
    let classes = Class::ALL.map(Class::color);
    classes.into_iter().chain(classes).chain([palette::MARK, OUTLINE, palette::EMPTY, [232, 234, 240]])
}

/// The colors of all inks as direct ones, for pictures whose pixels are means.
pub(super) fn direct() -> Vec<Ink> {
    colors().map(crate::picture::opaque).collect()
}

/// The palette of a picture: an overlay is transparent on the level, a picture that stands for the level is not.
pub(super) fn format(is_overlay: bool) -> Format {
    let on_level = Class::ALL.map(|class| if is_overlay { class.opacity() } else { 0xFF });
    let opacities = on_level.into_iter().chain(std::iter::repeat(0xFF));
    Format::Indexed(colors().zip(opacities).map(|([red, green, blue], opacity)| [red, green, blue, opacity]).collect())
}
