use worldview_wwd::Game;

use crate::level::palette::{self, Rgb};
use crate::picture::Ink;

/// The meaning of a pixel of the overlay.
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
    /// All classes in the order of their discriminants, each with its word and an attribute that has its color.
    const ALL: [(Self, &'static str, i32); 17] = [
        (Self::Clear, "clear", 0),
        (Self::Solid, "solid", 1),
        (Self::Ground, "ground", 2),
        (Self::Climb, "climb", 3),
        (Self::Death, "death", 4),
        (Self::Water, "water", 10),
        (Self::Sink, "sink", 36),
        (Self::Bridge, "bridge", 107),
        (Self::Arrow, "arrow", 11),
        (Self::Spikes, "spikes", 32),
        (Self::Switch, "switch", 51),
        (Self::Pyramid, "pyramid", 93),
        (Self::Rock, "rock", 30),
        (Self::Powerup, "powerup", 34),
        (Self::Blocker, "blocker", 154),
        (Self::Other, "other", -1),
        (Self::Missing, "missing", -1),
    ];

    pub(super) fn all() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().map(|(class, ..)| class)
    }

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
        Self::ALL[self as usize].1
    }

    pub(super) const fn color(self) -> Rgb {
        /// Differs from the colors of attributes and marks.
        const MISSING: Rgb = [54, 200, 222];
        match self {
            Self::Missing => MISSING,
            _ => palette::gruntz_attribute(Self::ALL[self as usize].2),
        }
    }

    /// Returns the opacity on the level.
    pub(super) const fn opacity(self) -> u8 {
        match self {
            Self::Clear => 0,
            _ => 168,
        }
    }

    /// Returns the color in an overlay, or the opaque one in a picture that stands for the level and in the legend.
    pub(super) const fn ink(self, is_overlay: bool) -> Ink {
        let [red, green, blue] = self.color();
        Ink::from_be_bytes([if is_overlay { self.opacity() } else { 0xFF }, red, green, blue])
    }
}
