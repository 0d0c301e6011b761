use std::collections::HashMap;
use std::ops::Range;
#[cfg(feature = "game")]
use std::sync::Arc;

use worldview_wwd::{Attribute, Game, Level, Tile};

use super::color::{Color, add, color, sampled};
use super::side::Span;
#[cfg(feature = "game")]
use super::stamp::Stamp;
use crate::level::png::class::Class;

/// What a cell shows.
#[derive(Clone)]
pub(super) enum CellLook<'l> {
    Nothing,
    Flat(Color),
    /// A picture at the top left of the cell, which cuts it.
    #[cfg(feature = "game")]
    Stamp(Arc<Stamp>),
    /// One color inside a rectangle, whose bounds are inclusive, and another outside.
    Double {
        inside: Color,
        outside: Color,
        rect: [i32; 4],
    },
    /// An attribute for every pixel.
    Mask {
        attribute: Attribute<'l>,
        game: Option<Game>,
    },
}

impl<'l> CellLook<'l> {
    /// Returns what the attribute of a tile shows.
    pub(super) fn of_attribute(level: &Level<'l>, tile: Tile) -> Self {
        let Some(frame) = tile.frame() else { return Self::Nothing };
        let game = level.game();
        let class = |attribute| Class::of(attribute, game).translucent();
        match level.attributes().get(frame) {
            None => Self::Flat(Class::Missing.translucent()),
            Some(Attribute::Single(record)) => Self::Flat(class(record.attribute.get())),
            Some(Attribute::Double(record)) => Self::Double {
                inside: class(record.inside.get()),
                outside: class(record.outside.get()),
                rect: record.rect.get(),
            },
            Some(attribute @ Attribute::Mask { .. }) => Self::Mask { attribute, game },
        }
    }

    /// Adds what the pixels of a row show of the cell.
    pub(super) fn add(&self, across: &[Span], down: &Span, row: &mut [Color]) {
        match self {
            Self::Nothing => {}
            Self::Flat(color) => {
                across.iter().for_each(|span| add(&mut row[span.pixel], *color, span.share() * down.share()));
            }
            _ => {
                for span in across {
                    let sum = self.sum(span.from..span.to, down.from..down.to);
                    add(&mut row[span.pixel], sum, span.weight * down.weight);
                }
            }
        }
    }

    /// Returns the sum of the pixels of a rectangle.
    fn sum(&self, columns: Range<u32>, rows: Range<u32>) -> Color {
        match self {
            Self::Nothing => [0.0; 4],
            Self::Flat(color) => color.map(|part| part * area(&columns, &rows)),
            #[cfg(feature = "game")]
            Self::Stamp(stamp) => stamp.sum(columns, rows),
            Self::Double { inside, outside, rect: [left, top, right, bottom] } => {
                let part = |range: &Range<u32>, first: i32, last: i32| {
                    let bound = |at: i64| u32::try_from(at.max(0)).unwrap_or(u32::MAX).clamp(range.start, range.end);
                    bound(first.into())..bound(i64::from(last) + 1)
                };
                let (across, down) = (part(&columns, *left, *right), part(&rows, *top, *bottom));
                let within = area(&across, &down);
                let mut sum = inside.map(|part| part * within);
                add(&mut sum, *outside, area(&columns, &rows) - within);
                sum
            }
            Self::Mask { attribute, game } => sampled(columns, rows, |x, y| {
                attribute.value_at(x, y).map_or(Class::Missing, |value| Class::of(value, *game)).translucent()
            }),
        }
    }

    /// Returns the number of pixels that are kept for it.
    fn pixels(&self) -> usize {
        match self {
            #[cfg(feature = "game")]
            Self::Stamp(stamp) => stamp.pixels(),
            _ => 0,
        }
    }
}

/// Returns the number of pixels of a rectangle.
fn area(columns: &Range<u32>, rows: &Range<u32>) -> f32 {
    let length = |range: &Range<u32>| range.end.saturating_sub(range.start) as f32;
    length(columns) * length(rows)
}

impl Class {
    /// Returns the color on a level.
    fn translucent(self) -> Color {
        color(self.color(), self.opacity())
    }
}

/// Remembers what tiles show, while a region is painted.
pub(super) struct Memo<'l, F> {
    look: F,
    known: HashMap<Tile, usize>,
    looks: Vec<CellLook<'l>>,
    /// The number of pixels of the pictures in `looks`.
    pixels: usize,
    last: Option<(Tile, usize)>,
}

impl<'l, F: Fn(Tile) -> CellLook<'l>> Memo<'l, F> {
    pub(super) fn new(look: F) -> Self {
        Self { look, known: HashMap::new(), looks: Vec::new(), pixels: 0, last: None }
    }

    /// Returns what a tile shows.
    pub(super) fn look(&mut self, tile: Tile) -> &CellLook<'l> {
        /// Maximum number of tiles, which limits the memory.
        const MAX: usize = 1 << 16;

        let known = match self.last {
            // Adjacent tiles are often the same.
            Some((last, at)) if last == tile => Some(at),
            _ => self.known.get(&tile).copied(),
        };
        let at = known.unwrap_or_else(|| {
            if self.looks.len() == MAX || self.pixels > super::MAX_KEPT {
                self.known.clear();
                self.looks.clear();
                self.pixels = 0;
            }
            let look = (self.look)(tile);
            self.pixels += look.pixels();
            self.looks.push(look);
            self.known.insert(tile, self.looks.len() - 1);
            self.looks.len() - 1
        });
        self.last = Some((tile, at));
        &self.looks[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_may_reach_beyond_the_cell_or_be_inverted() {
        let (inside, outside) = ([1.0, 0.0, 0.0, 255.0], [0.0, 1.0, 0.0, 255.0]);
        let sum = |rect| CellLook::Double { inside, outside, rect }.sum(4..8, 0..2);
        assert_eq!(sum([5, 1, 6, 1]), [2.0, 6.0, 0.0, 2040.0]);
        assert_eq!(sum([i32::MIN, i32::MIN, i32::MAX, i32::MAX]), [8.0, 0.0, 0.0, 2040.0]);
        assert_eq!(sum([7, 0, 4, 1]), [0.0, 8.0, 0.0, 2040.0]);
    }
}
