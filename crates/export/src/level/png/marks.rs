use super::grid::Grid;

/// The diamonds that mark objects, each centered on the position of its object.
#[derive(Default)]
pub(super) struct Marks {
    /// Row and column of each mark, sorted and deduplicated.
    at: Vec<(u32, u32)>,
    radius: u32,
}

impl Marks {
    /// Creates marks at positions in pixels of the level.
    pub(super) fn new(places: &[(i32, i32)], grid: &Grid) -> Self {
        let mut at: Vec<_> = places.iter().filter_map(|&(x, y)| grid.down.place(y).zip(grid.across.place(x))).collect();
        at.sort_unstable();
        at.dedup();
        Self { at, radius: radius(grid.across.cell.min(grid.down.cell)) }
    }

    /// Returns the marks that intersect row `y` of the picture.
    fn around(&self, y: u32) -> &[(u32, u32)] {
        let start = self.at.partition_point(|&(row, _)| row.saturating_add(self.radius) < y);
        let rest = self.at.get(start..).unwrap_or(&[]);
        let len = rest.partition_point(|&(row, _)| row.saturating_sub(self.radius) <= y);
        rest.get(..len).unwrap_or(&[])
    }

    /// Draws the parts of marks in row `y`. The first ink fills a mark, the second is its outline.
    pub(super) fn draw<P: Copy>(&self, y: u32, inks: [P; 2], row: &mut [P]) {
        for &(middle, x) in self.around(y) {
            diamond(self.radius, middle.abs_diff(y), x, inks, row);
        }
    }
}

/// Returns the radius of a mark in a picture with cells of this size. Marks of objects in adjacent cells stay
/// distinguishable.
const fn radius(cell: u32) -> u32 {
    let radius = cell / 5 * 2 + cell % 5 * 2 / 5;
    if radius < 12 { radius } else { 12 }
}

/// Draws the row of a diamond at a vertical distance of `away` from its center.
pub(super) fn diamond<P: Copy>(radius: u32, away: u32, x: u32, [fill, outline]: [P; 2], row: &mut [P]) {
    let Some(half) = radius.checked_sub(away) else { return };
    // The smallest diamonds have no outline, because it would leave almost no fill.
    let inner = if radius < 2 { radius } else { radius - 1 - radius / 6 };
    let (start, end) = (x.saturating_sub(half) as usize, x.saturating_add(half) as usize);
    for (at, ink) in (start..=end).zip(row.iter_mut().skip(start)) {
        let distance = (x as usize).abs_diff(at) + away as usize;
        *ink = if distance <= inner as usize { fill } else { outline };
    }
}
