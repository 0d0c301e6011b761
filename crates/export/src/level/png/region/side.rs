use std::ops::Range;

/// Maximum number of cells in a row that are averaged for a pixel. Of more, so many are looked at.
const MAX_CELLS: u64 = 4;

/// One dimension of a region, in pixels of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) start: u64,
    pub(super) length: u32,
    pub(super) zoom: u32,
}

/// A part of a cell or picture, in one dimension, that a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// The pixel, counted from the start of the region.
    pub(super) pixel: usize,
    /// The index of the cell.
    pub(super) cell: usize,
    /// Where the part starts and ends within the cell, in pixels of the plane.
    pub(super) from: u32,
    pub(super) to: u32,
    /// The share of the pixel that a pixel of the plane has.
    pub(super) weight: f32,
}

impl Span {
    /// Returns the share of the pixel that the part has.
    pub(super) const fn share(&self) -> f32 {
        (self.to - self.from) as f32 * self.weight
    }

    /// Returns whether the part is the whole of a cell of this size.
    pub(super) const fn is_whole(&self, tile: u32) -> bool {
        self.from == 0 && self.to == tile
    }
}

impl Side {
    /// Returns the pixels of the plane that the region shows.
    #[cfg(feature = "game")]
    pub(super) fn on_plane(self) -> Range<i64> {
        let place = |at: u64| i64::try_from(u128::from(at) << self.zoom).unwrap_or(i64::MAX);
        place(self.start)..place(self.start.saturating_add(self.length.into()))
    }

    /// Returns the parts of `count` cells of `tile` pixels each that the pixels show, in the order of the pixels.
    /// There are at most 2^31 cells.
    ///
    /// The parts of a pixel are at most [`MAX_CELLS`].
    pub(super) fn of_cells(self, count: u64, tile: u32) -> Vec<Span> {
        let side = u64::from(tile);
        let mut spans = Vec::new();
        for (pixel, shown) in self.pixels(0..count.saturating_mul(side)) {
            let (first, last) = (shown.start / side, (shown.end - 1) / side);
            let cells = last - first + 1;
            let mut add = |cell: u64, part: Range<u64>, weight: f32| {
                let place = |at: u64| u32::try_from(at - cell * side).unwrap_or(tile);
                let index = usize::try_from(cell).unwrap_or(usize::MAX);
                spans.push(Span { pixel, cell: index, from: place(part.start), to: place(part.end), weight });
            };
            if cells <= MAX_CELLS {
                for cell in first..=last {
                    let part = shown.start.max(cell * side)..shown.end.min((cell + 1) * side);
                    add(cell, part, self.unit());
                }
            } else {
                // Cells at equal distances stand for the others.
                let stands_for = (shown.end - shown.start) as f32 / (MAX_CELLS * side) as f32;
                for number in 0..MAX_CELLS {
                    let cell = first + (2 * number + 1) * cells / (2 * MAX_CELLS);
                    add(cell, cell * side..(cell + 1) * side, self.unit() * stands_for);
                }
            }
        }
        spans
    }

    /// Returns the parts of a picture that the pixels show. The picture starts at `left`, has a length of `length`, and
    /// ends at `end` if it is longer than that; `is_flipped` turns it around.
    #[cfg(feature = "game")]
    pub(super) fn of_picture(self, left: i64, length: u32, end: u64, is_flipped: bool) -> Vec<Span> {
        let place = |at: i64| u64::try_from(at).unwrap_or(0).min(end);
        let shown = self.pixels(place(left)..place(left.saturating_add(length.into())));
        let spans = shown.map(|(pixel, shown)| {
            let inside = |at: u64| {
                let at = i64::try_from(at).unwrap_or(i64::MAX).saturating_sub(left);
                u32::try_from(at).unwrap_or(0).min(length)
            };
            let (from, to) = (inside(shown.start), inside(shown.end));
            let (from, to) = if is_flipped { (length - to, length - from) } else { (from, to) };
            Span { pixel, cell: 0, from, to, weight: self.unit() }
        });
        spans.collect()
    }

    /// Returns the share of a pixel that a pixel of the plane has, in one dimension.
    fn unit(self) -> f32 {
        1.0 / (1_u64 << self.zoom) as f32
    }

    /// Divides a part of the plane into the pixels that show it.
    fn pixels(self, part: Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> {
        let Self { start, length, zoom } = self;
        let end = match part.end.checked_sub(1) {
            Some(last) if !part.is_empty() => (last >> zoom) + 1,
            _ => start,
        };
        let shown = start.max(part.start >> zoom)..end.min(start.saturating_add(length.into()));
        // A pixel starts before the end of the part, so its start has no more bits.
        shown.map(move |at| {
            let first = at << zoom;
            let pixel = usize::try_from(at - start).unwrap_or(usize::MAX);
            (pixel, first.max(part.start)..first.saturating_add(1 << zoom).min(part.end))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(spans: &[Span], pixel: usize) -> f32 {
        spans.iter().filter(|span| span.pixel == pixel).map(Span::share).sum()
    }

    #[test]
    fn pixels_show_all_parts_of_their_cells() {
        let spans = Side { start: 1, length: 3, zoom: 2 }.of_cells(3, 5);
        let parts: Vec<_> = spans.iter().map(|span| (span.pixel, span.cell, span.from, span.to)).collect();
        // Pixels 4 to 8, 8 to 12, and 12 to 15, where the plane ends.
        let expected = [(0, 0, 4, 5), (0, 1, 0, 3), (1, 1, 3, 5), (1, 2, 0, 2), (2, 2, 2, 5)];
        assert_eq!(parts, expected);
        assert_eq!([0, 1, 2].map(|pixel| shares(&spans, pixel)), [1.0, 1.0, 0.75]);
    }

    #[test]
    fn a_few_cells_stand_for_many() {
        let spans = Side { start: 0, length: 2, zoom: 10 }.of_cells(192, 8);
        let cells: Vec<_> = spans.iter().map(|span| (span.pixel, span.cell)).collect();
        let expected = [(0, 16), (0, 48), (0, 80), (0, 112), (1, 136), (1, 152), (1, 168), (1, 184)];
        assert_eq!(cells, expected);
        assert!(spans.iter().all(|span| span.is_whole(8)));
        assert_eq!([0, 1].map(|pixel| shares(&spans, pixel)), [1.0, 0.5]);
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        const MAX: u32 = i32::MAX.unsigned_abs();
        for (start, zoom) in
            [0, 1, u64::MAX - 1, u64::MAX].into_iter().flat_map(|start| [0, 31, 62].map(|zoom| (start, zoom)))
        {
            for (count, tile) in [(0, 1), (1, MAX), (MAX.into(), 1), (MAX.into(), MAX)] {
                let side = Side { start, length: 4, zoom };
                let spans = side.of_cells(count, tile);
                assert!(spans.iter().all(|span| span.from < span.to && span.to <= tile), "{side:?} {count} {tile}");
            }
        }
    }

    #[cfg(feature = "game")]
    #[test]
    fn pictures_start_anywhere_and_are_cut_at_the_ends_of_the_plane() {
        let side = Side { start: 0, length: 3, zoom: 1 };
        let parts = |left, is_flipped| -> Vec<_> {
            let spans = side.of_picture(left, 4, 5, is_flipped);
            spans.iter().map(|span| (span.pixel, span.from, span.to)).collect()
        };
        assert_eq!(parts(-1, false), [(0, 1, 3), (1, 3, 4)]);
        assert_eq!(parts(-1, true), [(0, 1, 3), (1, 0, 1)]);
        assert_eq!(parts(3, false), [(1, 0, 1), (2, 1, 2)]);
        assert_eq!(parts(i64::MAX, false), []);
        assert_eq!(parts(i64::MIN, true), []);
    }
}
