use worldview_wwd::Game;

use super::class::Class;
use super::colors::MARK;
use super::font::{self, glyph};
use super::marks::diamond;
use crate::level::palette;
use crate::picture::{Ink, Size, opaque};

/// The background.
pub(super) const PAPER: Ink = Ink::from_be_bytes([0xFF, palette::EMPTY[0], palette::EMPTY[1], palette::EMPTY[2]]);
/// The color of the text.
pub(super) const TEXT: Ink = 0xFFE8_EAF0;

/// Space in dots around the legend and between its lines, between entries, and between a swatch and its word.
const MARGIN: u32 = 5;
const GAP: u32 = 9;
const SPACE: u32 = 3;
/// The side of a swatch.
const SWATCH: u32 = font::HEIGHT;

/// The strip that explains the colors of the overlay.
pub(super) struct Legend {
    pub(super) width: u32,
    pub(super) height: u32,
    inks: Vec<Ink>,
}

/// An entry of the legend and its position in dots.
struct Entry {
    class: Option<Class>,
    x: u32,
    line: u32,
}

impl Entry {
    const fn word(class: Option<Class>) -> &'static str {
        match class {
            Some(class) => class.word(),
            None => "object",
        }
    }

    const fn width(class: Option<Class>) -> u32 {
        SWATCH + SPACE + font::width(Self::word(class))
    }
}

impl Legend {
    /// The legend for a picture of this width of a level of a game: in one line, as large as fits, or in several.
    pub(super) fn new(width: u64, game: Option<Game>) -> Self {
        /// Minimum and maximum size of a dot in pixels: smaller would be illegible, larger is unnecessary.
        const DOT: (u32, u32) = (2, 8);

        let all = || Class::all().filter(|class| class.is_of(game)).map(Some).chain([None]);
        let widest = all().map(Entry::width).max().unwrap_or(0) + 2 * MARGIN;
        let line: u32 = all().map(|class| Entry::width(class) + GAP).sum::<u32>() - GAP + 2 * MARGIN;
        let width = u32::try_from(width).unwrap_or(u32::MAX);
        let dot = (width / line).clamp(DOT.0, DOT.1);
        let dots = (width / dot).clamp(widest, line);

        let (mut x, mut line) = (MARGIN, 0);
        let mut entries = Vec::new();
        for class in all() {
            if x + Entry::width(class) + MARGIN > dots {
                (x, line) = (MARGIN, line + 1);
            }
            entries.push(Entry { class, x, line });
            x += Entry::width(class) + GAP;
        }
        let height = MARGIN + (line + 1) * (font::HEIGHT + MARGIN);
        let mut legend = Self { width: dots * dot, height: height * dot, inks: Vec::new() };
        legend.inks = vec![PAPER; legend.width as usize * legend.height as usize];
        for entry in &entries {
            legend.draw(entry, dot);
        }
        legend
    }

    /// Returns the size of a picture with the legend below.
    pub(super) fn below(&self, picture: Size) -> Size {
        Size { width: picture.width.max(self.width), height: picture.height.saturating_add(self.height) }
    }

    /// Returns the rows from top to bottom.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Ink]> {
        self.inks.chunks_exact(self.width as usize)
    }

    fn draw(&mut self, entry: &Entry, dot: u32) {
        let (x, y) = (entry.x * dot, (MARGIN + entry.line * (font::HEIGHT + MARGIN)) * dot);
        let side = SWATCH * dot;
        match entry.class {
            None => {
                let radius = side / 2;
                let width = self.width as usize;
                for (row, line) in (0..side).zip(self.inks.chunks_exact_mut(width).skip(y as usize)) {
                    diamond(radius, row.abs_diff(radius), x + radius, MARK.map(opaque), line);
                }
            }
            Some(class) => {
                self.fill(x, y, side, side, if class == Class::Clear { TEXT } else { class.ink(false) });
                if class == Class::Clear {
                    // Draws only a frame.
                    self.fill(x + dot, y + dot, side - 2 * dot, side - 2 * dot, PAPER);
                }
            }
        }
        let mut x = x + side + SPACE * dot;
        for letter in Entry::word(entry.class).to_ascii_uppercase().bytes() {
            for (row, bits) in (0..).zip(glyph(letter)) {
                for column in (0..font::WIDTH).filter(|column| bits & (1 << (font::WIDTH - 1 - column)) != 0) {
                    self.fill(x + column * dot, y + row * dot, dot, dot, TEXT);
                }
            }
            x += (font::WIDTH + 1) * dot;
        }
    }

    fn fill(&mut self, x: u32, y: u32, wide: u32, high: u32, ink: Ink) {
        let width = self.width as usize;
        for line in self.inks.chunks_exact_mut(width).skip(y as usize).take(high as usize) {
            line.iter_mut().skip(x as usize).take(wide as usize).for_each(|at| *at = ink);
        }
    }
}
