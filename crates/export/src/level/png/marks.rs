use worldview_core::Budget;
use worldview_wwd::{Level, Plane};

use super::Options;
use super::grid::Grid;
use crate::Result;
use crate::picture::Ink;

/// The diamonds that stand for objects, each around the pixel that its object is at.
#[derive(Default)]
pub(super) struct Marks {
    /// Row and column, in order, each once.
    at: Vec<(u32, u32)>,
    radius: u32,
}

impl Marks {
    /// The marks for the objects of the planes; none if the options say so.
    pub(super) fn of(
        level: &Level<'_>,
        planes: &[Plane<'_>],
        grid: &Grid,
        options: &Options<'_>,
        budget: &mut Budget,
    ) -> Result<Self> {
        let mut marks = Self { at: Vec::new(), radius: radius(grid.across.cell.min(grid.down.cell)) };
        if !options.marks {
            return Ok(marks);
        }
        for plane in planes {
            let mut objects = plane.objects().iter();
            loop {
                let start = objects.position();
                let Some(object) = objects.next() else { break };
                let object = object?;
                let paid = budget.spend(objects.position().saturating_sub(start), start, level.image().space());
                paid.map_err(|error| error.within(&"plane", crate::level::number(plane.index())))?;
                let place = grid.down.place(object.y.get()).zip(grid.across.place(object.x.get()));
                marks.at.extend(place);
            }
        }
        marks.at.sort_unstable();
        marks.at.dedup();
        Ok(marks)
    }

    /// The marks that row `y` of the picture has a part of.
    fn around(&self, y: u32) -> &[(u32, u32)] {
        let start = self.at.partition_point(|&(row, _)| row.saturating_add(self.radius) < y);
        let rest = self.at.get(start..).unwrap_or(&[]);
        let len = rest.partition_point(|&(row, _)| row.saturating_sub(self.radius) <= y);
        rest.get(..len).unwrap_or(&[])
    }

    /// Whether row `y` of the picture shows a mark.
    pub(super) fn touch(&self, y: u32) -> bool {
        !self.around(y).is_empty()
    }

    /// Draws the parts of marks that lie in row `y`; the first ink fills a mark, the second is around it.
    pub(super) fn draw(&self, y: u32, inks: [Ink; 2], row: &mut [Ink]) {
        for &(middle, x) in self.around(y) {
            diamond(self.radius, middle.abs_diff(y), x, inks, row);
        }
    }
}

/// How far a mark reaches from its middle in a picture with cells of this size: so far that objects in neighbouring
/// cells can be told.
const fn radius(cell: u32) -> u32 {
    let radius = cell / 5 * 2 + cell % 5 * 2 / 5;
    if radius < 12 { radius } else { 12 }
}

/// Draws the row of a diamond that is `away` rows from its middle.
pub(super) fn diamond(radius: u32, away: u32, x: u32, [fill, outline]: [Ink; 2], row: &mut [Ink]) {
    let Some(half) = radius.checked_sub(away) else { return };
    // The smallest are all fill: an outline would leave next to nothing of them.
    let inner = if radius < 2 { radius } else { radius - 1 - radius / 6 };
    let (start, end) = (x.saturating_sub(half) as usize, x.saturating_add(half) as usize);
    for (at, ink) in (start..=end).zip(row.iter_mut().skip(start)) {
        let distance = (x as usize).abs_diff(at) + away as usize;
        *ink = if distance <= inner as usize { fill } else { outline };
    }
}
