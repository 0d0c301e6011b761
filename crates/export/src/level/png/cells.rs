use super::grid::Axis;

/// One dimension of a layer: the number of cells, the size of a cell in pixels of the level, and whether the cells
/// repeat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    pub(super) count: u32,
    pub(super) tile: u32,
    pub(super) wraps: bool,
    /// Whether the last cell goes on behind its end, otherwise nothing is there.
    pub(super) repeats_last: bool,
}

impl Axis {
    /// Returns the cell at a pixel of the picture, or `None` if there is none, and the pixels where it starts and ends.
    pub(super) fn cell_at(self, at: u64, cells: Cells) -> (Option<usize>, u64, u64) {
        let (tile, side) = (u128::from(self.tile), 2 * u128::from(self.cell) * u128::from(cells.tile));
        let number = (2 * u128::from(at) + 1) * tile / side;
        let first = |number: u128| u64::try_from((number * side + tile - 1) / (2 * tile)).unwrap_or(u64::MAX);
        let (start, end) = (first(number).min(at), first(number + 1));
        let (last, count) = (u128::from(cells.count).saturating_sub(1), u128::from(cells.count));
        let index = match number.checked_rem(count) {
            Some(index) if cells.wraps => Some(index),
            Some(_) if cells.repeats_last => Some(number.min(last)),
            _ => Some(number).filter(|&number| number < count),
        };
        (index.and_then(|index| usize::try_from(index).ok()), start, end)
    }
}

/// Iterates over the visible cells of a layer in one dimension, starting at the first.
///
/// No step divides, because a plane with one-pixel tiles has a cell for every pixel of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct VisibleCells {
    cells: Cells,
    /// The index of the cell, or the number of cells if there are no more.
    index: u64,
    /// The pixels of the picture that the cell occupies; the last may be past the end of the picture.
    pub(super) start: u64,
    pub(super) end: u64,
    /// The size of a step: the number of pixels per cell or, if cells are smaller than pixels, the number of cells per
    /// pixel.
    step: Fraction,
    small: bool,
}

impl VisibleCells {
    pub(super) fn new(axis: Axis, cells: Cells) -> Self {
        let (pixel, cell) = ratio(axis, cells);
        // A pixel shows the cell at its center: cell n up to the first pixel x with (2x + 1) · tile ≥ (n + 1) · cell.
        let half = u64::from(axis.tile);
        let small = cell < pixel;
        let mut walk = if small {
            let step = Fraction::new(pixel, cell, half % cell);
            Self { cells, index: half / cell, start: 0, end: 1, step, small }
        } else {
            let mut step = Fraction::new(cell, pixel, half - 1);
            Self { cells, index: 0, start: 0, end: step.next(), step, small }
        };
        let count = u64::from(cells.count);
        if cells.wraps && count > 0 {
            walk.index %= count;
            if small {
                walk.step.whole %= count;
            }
        }
        walk.check();
        walk
    }

    /// Returns the index of the cell, or `None` after the last cell if the cells do not wrap.
    pub(super) fn seen(&self) -> Option<usize> {
        if self.index < u64::from(self.cells.count) { usize::try_from(self.index).ok() } else { None }
    }

    /// Advances to the next visible cell.
    pub(super) fn advance(&mut self) {
        if self.end == u64::MAX {
            return;
        }
        let by = self.step.next();
        let (cells, pixels) = if self.small { (by, 1) } else { (1, by) };
        self.start = self.end;
        self.end = self.end.saturating_add(pixels);
        self.index += cells;
        self.check();
    }

    /// After the last cell, starts over or ends.
    fn check(&mut self) {
        let count = u64::from(self.cells.count);
        if self.index >= count {
            if self.cells.wraps && count > 0 {
                self.index -= count;
            } else {
                let behind = if self.cells.repeats_last { count.saturating_sub(1) } else { count };
                (self.index, self.end) = (behind, u64::MAX);
            }
        }
    }
}

/// Returns the number of pixels of the picture that a layer covers in one dimension, and the maximum number of its
/// cells visible there.
pub(super) fn covered(axis: Axis, cells: Cells) -> (u64, u64) {
    let (pixel, cell) = ratio(axis, cells);
    let end = u64::from(cells.count).saturating_mul(cell).saturating_add(u64::from(axis.tile) - 1) / pixel;
    let pixels = if cells.wraps { axis.length() } else { axis.length().min(end) };
    let seen = if cell < pixel { pixels } else { pixels.saturating_mul(pixel) / cell + 1 };
    (pixels, seen)
}

/// Returns the ratio of a pixel of the picture to a cell of a layer: twice the side of each, in a fraction of a
/// pixel of the level.
fn ratio(axis: Axis, cells: Cells) -> (u64, u64) {
    (2 * u64::from(axis.tile), 2 * u64::from(axis.cell).saturating_mul(cells.tile.into()))
}

/// A fraction that is added repeatedly, yielding the whole parts.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    whole: u64,
    part: u64,
    of: u64,
    rest: u64,
}

impl Fraction {
    const fn new(over: u64, of: u64, rest: u64) -> Self {
        Self { whole: over / of, part: over % of, of, rest }
    }

    const fn next(&mut self) -> u64 {
        self.rest += self.part;
        if self.rest < self.of {
            return self.whole;
        }
        self.rest -= self.of;
        self.whole + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks over cells and compares each pixel with the result of the division.
    fn compare(axis: Axis, cells: Cells) {
        let length = u32::try_from(axis.length()).unwrap();
        let number = |x: u32| axis.sample(x.into()) / u64::from(cells.tile);
        let mut walk = VisibleCells::new(axis, cells);
        let (mut shown, mut spans) = (0, 0);
        for x in 0..length {
            if u64::from(x) == walk.end {
                walk.advance();
            }
            let count = u64::from(cells.count);
            let at = if cells.wraps { number(x) % count } else { number(x) };
            let expected = (at < count).then(|| usize::try_from(at).unwrap());
            assert_eq!(walk.seen(), expected, "{axis:?} {cells:?} {x}");
            let found = axis.cell_at(x.into(), cells);
            assert_eq!(found.0, expected, "{axis:?} {cells:?} {x}");
            assert!(expected.is_none() || (found.1, found.2) == (walk.start, walk.end), "{axis:?} {cells:?} {x}");
            if expected.is_some() {
                shown += 1;
                assert!(walk.start <= x.into() && u64::from(x) < walk.end);
                let first = (0..=x).rev().take_while(|&before| number(before) == number(x)).last().unwrap();
                assert_eq!(walk.start, u64::from(first), "{axis:?} {cells:?} {x}");
                spans += u64::from(first == x);
            }
        }
        let (pixels, seen) = covered(axis, cells);
        assert_eq!(pixels, shown, "{axis:?} {cells:?}");
        assert!((spans..=spans + 2).contains(&seen), "{axis:?} {cells:?}: {seen} of {spans}");
    }

    #[test]
    fn a_walk_sees_what_a_division_for_each_pixel_sees() {
        for (columns, tile, cell) in [(7, 64, 3), (5, 3, 64), (9, 1, 1), (4, 10, 7), (3, 7, 10), (11, 64, 64)] {
            let axis = Axis { cells: columns, tile, cell };
            for (count, tile) in (1..8).flat_map(|count| [1, 2, 3, 7, 20, 21, 64, 65, 1000].map(|tile| (count, tile))) {
                for wraps in [false, true] {
                    compare(axis, Cells { count, tile, wraps, repeats_last: false });
                }
            }
        }
    }

    #[test]
    fn the_last_cell_goes_on_if_it_is_to_repeat() {
        let axis = Axis { cells: 4, tile: 10, cell: 10 };
        let cells = Cells { count: 2, tile: 10, wraps: false, repeats_last: true };
        assert_eq!([0, 9, 10, 39].map(|x| axis.cell_at(x, cells).0), [Some(0), Some(0), Some(1), Some(1)]);
        let mut walk = VisibleCells::new(axis, cells);
        walk.advance();
        walk.advance();
        assert_eq!((walk.seen(), walk.start, walk.end), (Some(1), 20, u64::MAX));
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        const MAX: u32 = i32::MAX.unsigned_abs();
        for (axis, tile) in [1, MAX].into_iter().flat_map(|cell| {
            let axes = [1, MAX].map(|tile| Axis { cells: MAX / cell, tile, cell });
            axes.into_iter().flat_map(|axis| [1, MAX].map(|tile| (axis, tile)))
        }) {
            for (count, wraps) in [(1, false), (1, true), (MAX, false), (MAX, true)] {
                let cells = Cells { count, tile, wraps, repeats_last: false };
                let mut walk = VisibleCells::new(axis, cells);
                for _ in 0..10 {
                    walk.advance();
                }
                assert!(covered(axis, cells).0 <= axis.length());
            }
        }
    }
}
