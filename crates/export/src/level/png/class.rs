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
    Other,
    Missing,
}

impl Class {
    /// All classes in the order of their discriminants.
    pub(super) const ALL: [Self; 7] =
        [Self::Clear, Self::Solid, Self::Ground, Self::Climb, Self::Death, Self::Other, Self::Missing];

    /// Returns the class of an attribute.
    pub(super) const fn of(attribute: i32) -> Self {
        match attribute {
            0 => Self::Clear,
            1 => Self::Solid,
            2 => Self::Ground,
            3 => Self::Climb,
            4 => Self::Death,
            _ => Self::Other,
        }
    }

    /// Returns the word in the legend.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Clear => "CLEAR",
            Self::Solid => "SOLID",
            Self::Ground => "GROUND",
            Self::Climb => "CLIMB",
            Self::Death => "DEATH",
            Self::Other => "OTHER",
            Self::Missing => "MISSING",
        }
    }

    /// Returns the ink on the level, or the opaque one in the legend.
    pub(super) const fn ink(self, legend: bool) -> Ink {
        self as Ink + if legend { 7 } else { 0 }
    }

    const fn color(self) -> Rgb {
        /// Differs from the colors of attributes and marks.
        const MISSING: Rgb = [54, 200, 222];
        match self {
            Self::Missing => MISSING,
            other => palette::attribute(other as i32),
        }
    }

    const fn opacity(self) -> u8 {
        match self {
            Self::Clear => 0,
            _ => 168,
        }
    }
}

/// The inks of a mark and its outline.
pub(super) const MARK: [Ink; 2] = [14, 15];
/// The background of the legend, and its text.
pub(super) const PAPER: Ink = 16;
pub(super) const TEXT: Ink = 17;

/// Returns the colors of an overlay and its legend, in the order of their inks.
pub(super) fn format() -> Format {
    let on_level = Class::ALL.map(|class| (class.color(), class.opacity()));
    let in_legend = Class::ALL.map(Class::color);
    let rest = [palette::MARK, OUTLINE, palette::EMPTY, [232, 234, 240]];
    let opaque = in_legend.into_iter().chain(rest).map(|color| (color, 0xFF));
    let all = on_level.into_iter().chain(opaque);
    Format::Indexed(all.map(|([red, green, blue], opacity)| [red, green, blue, opacity]).collect())
}
