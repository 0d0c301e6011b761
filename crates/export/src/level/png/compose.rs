//! The compositor: paints planes and objects over each other, in bands of rows. All pictures of levels are its work.

use worldview_wwd::Level;

use super::overlay::class_at;
use super::scene::{Flat, Item, Layer, Look, Recent, Scene, Step};
use super::sheet;
use super::stamp::{Pixel, Stamp, put};
use crate::Result;
use crate::picture::Ink;

/// The size in bytes of the rows that are painted together: they stay in the cache of the processor.
const BAND: usize = 1 << 17;
/// The maximum number of rows that are painted together.
const MAX_ROWS: usize = 64;

/// The maximum number of cells of all layers whose places and looks are kept for a row of the grid.
const MAX_RUNS: u64 = 1 << 22;

/// The pixels that a drawing consists of, in one format.
pub(super) struct Inks<'s, P: Clone> {
    pub(super) stamps: Vec<Stamp<'s, P>>,
    /// The pixel of filled cells of each layer.
    pub(super) fills: Vec<P>,
    /// The pixel where nothing is drawn.
    pub(super) background: P,
    /// A mark and its outline.
    pub(super) mark: [P; 2],
    /// Returns the pixel of a color.
    pub(super) pixel: Box<dyn Fn(Ink) -> P + 's>,
}

/// Returns the number of rows that are painted together.
pub(super) fn rows_of_band(width: u64, pixel: usize) -> usize {
    (BAND / pixel / usize::try_from(width).unwrap_or(usize::MAX).max(1)).clamp(1, MAX_ROWS)
}

/// Paints every `stride`th row and passes it to `push` with its number, counted from the first row of the picture.
pub(super) fn paint<P: Pixel>(
    scene: &Scene<'_>,
    inks: &Inks<'_, P>,
    stride: u64,
    push: &mut dyn FnMut(u64, &mut [P]) -> Result<()>,
) -> Result<()> {
    let (left, down) = (scene.grid.across.start, scene.grid.down.pixels());
    let width = usize::try_from(scene.grid.across.length()).unwrap_or(usize::MAX);
    let together = rows_of_band(width as u64, size_of::<P>());
    let mut band = vec![inks.background; width.saturating_mul(together)];
    let mut room = MAX_RUNS;
    let mut painters: Vec<_> = scene.steps.iter().map(|step| Painter::new(scene, step, inks, &mut room)).collect();
    let is_flat = scene.is_flat();
    let mut first = down.start + stride / 2;
    while first < down.end {
        let rest = (down.end - first).div_ceil(stride);
        let count = usize::try_from(rest).unwrap_or(usize::MAX).min(together);
        let rows = Rows { first, stride, count, left, width };
        let pixels = &mut band[..count * width];
        pixels.fill(inks.background);
        if is_flat {
            let mut layers: Vec<_> = painters.iter_mut().filter_map(Painter::layer).collect();
            for (at, y) in (0..count).zip(rows.numbers()) {
                // Rows of flat cells stay the same until one of the layers reaches its next row.
                if layers.iter_mut().fold(at == 0, |is_new, layer| layer.reach(y) | is_new) {
                    let row = Rows { first: y, count: 1, ..rows };
                    layers.iter().for_each(|layer| layer.paint(&row, &mut pixels[at * width..][..width]));
                } else {
                    pixels.copy_within((at - 1) * width..at * width, at * width);
                }
            }
        } else {
            painters.iter_mut().for_each(|painter| painter.paint(&rows, pixels));
        }
        for (y, row) in rows.numbers().zip(pixels.chunks_exact_mut(width)) {
            push(y - down.start, row)?;
        }
        first += count as u64 * stride;
    }
    Ok(())
}

/// The rows that are painted together.
#[derive(Clone, Copy)]
struct Rows {
    /// The number of the first row.
    first: u64,
    /// The distance to the next.
    stride: u64,
    count: usize,
    /// The number of the first column.
    left: u64,
    width: usize,
}

impl Rows {
    /// The number of the last row.
    const fn last(&self) -> u64 {
        self.first + (self.count as u64 - 1) * self.stride
    }

    /// The numbers of all rows.
    fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        let Self { first, stride, count, .. } = *self;
        (0..count as u64).map(move |at| first + at * stride)
    }

    /// The columns from `left` to `right` of all rows, each with the number of its row.
    fn cells<'p, P>(&self, pixels: &'p mut [P], left: usize, right: usize) -> impl Iterator<Item = (u64, &'p mut [P])> {
        let (left, right) = (left.min(self.width), right.min(self.width));
        // Unlike exact chunks, these need no division.
        self.numbers().zip(pixels.chunks_mut(self.width).map(move |row| &mut row[left..right]))
    }

    /// Splits the rows into those before row `end`, at least one, and the rest.
    fn before(&self, end: u64) -> (Self, Self) {
        let count = self.numbers().take_while(|y| *y < end).count().max(1);
        let rest = Self { first: self.first + count as u64 * self.stride, count: self.count - count, ..*self };
        (Self { count, ..*self }, rest)
    }
}

enum Painter<'p, P: Clone> {
    Layer(LayerPainter<'p, P>),
    Objects(ObjectPainter<'p, P>),
}

impl<'p, P: Pixel> Painter<'p, P> {
    fn new(scene: &'p Scene<'_>, step: &Step, inks: &'p Inks<'_, P>, room: &mut u64) -> Self {
        match step {
            Step::Layer(at) => {
                let layer = &scene.layers[*at];
                let (_, cells) = scene.grid.across.covered(layer.columns);
                let is_kept = cells <= *room;
                *room -= if is_kept { cells } else { 0 };
                let columns = is_kept.then(|| shown_columns(scene, layer).collect());
                let runs = if scene.is_flat() || !is_kept { None } else { Some(Vec::new()) };
                let across = scene.grid.across;
                let cut = across.start - across.cell_at(across.start, layer.columns).1;
                let (fill, cut) = (inks.fills[*at], usize::try_from(cut).unwrap_or(usize::MAX));
                Self::Layer(LayerPainter {
                    scene,
                    layer,
                    inks,
                    fill,
                    looks: Recent::new(Look::Nothing),
                    cut,
                    columns,
                    row: None,
                    start: 0,
                    end: 0,
                    runs,
                })
            }
            Step::Objects(range) => {
                let objects = &scene.objects[range.clone()];
                let mut waiting: Vec<_> =
                    (0..objects.len()).filter(|&at| !objects[at].rows(scene).is_empty()).collect();
                // The uppermost last, where it is taken from.
                waiting.sort_by_key(|&at| std::cmp::Reverse(objects[at].place.top));
                Self::Objects(ObjectPainter { scene, objects, stamps: &inks.stamps, waiting, active: Vec::new() })
            }
        }
    }

    fn paint(&mut self, rows: &Rows, pixels: &mut [P]) {
        match self {
            Self::Layer(painter) => {
                let (mut left, mut pixels) = (*rows, pixels);
                while left.count > 0 {
                    painter.reach(left.first);
                    let (same, rest) = left.before(painter.end);
                    let (here, below) = pixels.split_at_mut(same.count * rows.width);
                    painter.paint(&same, here);
                    (left, pixels) = (rest, below);
                }
            }
            Self::Objects(painter) => painter.paint(rows, pixels),
        }
    }

    fn layer(&mut self) -> Option<&mut LayerPainter<'p, P>> {
        if let Self::Layer(painter) = self { Some(painter) } else { None }
    }
}

/// Returns the visible columns of a layer and their widths, up to the end of a layer that does not repeat. The part of
/// the first one that is outside the picture does not count.
fn shown_columns(scene: &Scene<'_>, layer: &Layer<'_>) -> impl Iterator<Item = (u32, u32)> {
    let (across, columns, mut x) = (scene.grid.across, layer.columns, scene.grid.across.start);
    std::iter::from_fn(move || {
        let (column, _, end) = Some(x).filter(|&x| x < across.pixels().end).map(|x| across.cell_at(x, columns))?;
        let wide = u32::try_from(end - std::mem::replace(&mut x, end)).unwrap_or(u32::MAX);
        u32::try_from(column?).ok().zip(Some(wide))
    })
}

struct LayerPainter<'p, P: Clone> {
    scene: &'p Scene<'p>,
    layer: &'p Layer<'p>,
    inks: &'p Inks<'p, P>,
    fill: P,
    looks: Recent<Look>,
    /// The width of the part of the first column that is outside the picture.
    cut: usize,
    /// The visible columns of the grid and their widths, which are the same in all rows.
    columns: Option<Vec<(u32, u32)>>,
    /// The visible row of the grid, and where it starts and ends in the drawing.
    row: Option<usize>,
    start: u64,
    end: u64,
    /// What the row shows, so that it is looked up once for all rows of its pixels: the looks of its cells and their
    /// widths. Neighbors that look the same everywhere are one.
    runs: Option<Vec<(Look, u32)>>,
}

impl<P: Pixel> LayerPainter<'_, P> {
    /// Advances to row `y` of the drawing. Returns whether that shows a different row of the grid.
    fn reach(&mut self, y: u64) -> bool {
        if (self.start..self.end).contains(&y) {
            return false;
        }
        (self.row, self.start, self.end) = self.scene.grid.down.cell_at(y, self.layer.rows);
        if let Some(mut runs) = self.runs.take() {
            runs.clear();
            self.walk(&mut |look, wide| match runs.last_mut() {
                Some((last, all)) if *last == look && look.is_even() => *all = all.saturating_add(wide),
                _ => runs.push((look, wide)),
            });
            self.runs = Some(runs);
        }
        true
    }

    /// Paints rows of the drawing that show the same row of the grid.
    fn paint(&self, rows: &Rows, pixels: &mut [P]) {
        let mut left = 0;
        let Some(runs) = &self.runs else {
            return self.walk(&mut |look, wide| left = self.paint_cell(look, (left, wide as usize), rows, pixels));
        };
        for &(look, wide) in runs {
            left = self.paint_cell(look, (left, wide as usize), rows, pixels);
        }
    }

    /// Calls `visit` with what each visible cell of the row shows, and its width.
    fn walk(&self, visit: &mut dyn FnMut(Look, u32)) {
        let Some(row) = self.row else { return };
        let tiles = self.layer.row(row);
        let each = |(column, wide): (u32, u32)| {
            let tile = *tiles.get(column as usize)?;
            visit(self.looks.get(tile, || self.scene.look(self.layer, tile)), wide);
            Some(())
        };
        let _end = match &self.columns {
            Some(columns) => columns.iter().copied().try_for_each(each),
            None => shown_columns(self.scene, self.layer).try_for_each(each),
        };
    }

    /// Paints rows of a cell that starts at `left` and is `wide`. Returns where it ends.
    fn paint_cell(&self, look: Look, (left, wide): (usize, usize), rows: &Rows, pixels: &mut [P]) -> usize {
        let right = left.saturating_add(wide);
        let cells = rows.cells(pixels, left, right);
        let (start, end) = (self.start, self.end);
        match look {
            Look::Nothing => {}
            Look::Filled => cells.for_each(|(_, cell)| cell.fill(self.fill)),
            Look::Flat(color) => {
                let pixel = (self.inks.pixel)(color);
                cells.for_each(|(_, cell)| cell.fill(pixel));
            }
            Look::Stamp(at) => {
                let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                let cut = if left == 0 { self.cut } else { 0 };
                let size = (wide.saturating_add(cut), place(end - start));
                self.inks.stamps[at as usize].paint(cells.map(|(y, cell)| (place(y - start), cell)), size, cut);
            }
            Look::Framed { color, is_hatched } => cells.for_each(|(y, cell)| {
                sheet::frame((color, is_hatched), (y - start, end - start), &*self.inks.pixel, cell);
            }),
            Look::Attribute(frame) => {
                let Flat::Attributes { level, is_overlay } = self.scene.flat else { return right };
                let left = rows.left + left as u64;
                cells.for_each(|(y, cell)| self.paint_attribute(level, (frame, is_overlay), (left, y), cell));
            }
        }
        right
    }

    /// Paints row `y` of a cell that starts at `left` and shows the attribute of a frame.
    fn paint_attribute(
        &self,
        level: &Level<'_>,
        (frame, is_overlay): (u16, bool),
        (left, y): (u64, u64),
        cell: &mut [P],
    ) {
        let inside = |sample: u64, tile: u32| u32::try_from(sample % u64::from(tile)).unwrap_or(0);
        let (grid, attribute) = (&self.scene.grid, level.attributes().get(frame));
        let y = inside(grid.down.sample(y), self.layer.rows.tile);
        let (game, mut last) = (level.game(), None);
        for (x, to) in (left..).zip(cell) {
            let x = inside(grid.across.sample(x), self.layer.columns.tile);
            let class = class_at(attribute, game, (x, y));
            let pixel = match last {
                Some((known, pixel)) if known == class => pixel,
                _ => (self.inks.pixel)(class.ink(is_overlay)),
            };
            last = Some((class, pixel));
            *to = pixel;
        }
    }
}

struct ObjectPainter<'p, P: Clone> {
    scene: &'p Scene<'p>,
    objects: &'p [Item],
    stamps: &'p [Stamp<'p, P>],
    /// The objects below the painted rows, the uppermost last.
    waiting: Vec<usize>,
    /// The objects that may reach into the painted rows, in the order in which they are drawn.
    active: Vec<usize>,
}

impl<P: Pixel> ObjectPainter<'_, P> {
    fn paint(&mut self, rows: &Rows, pixels: &mut [P]) {
        let known = self.active.len();
        while let Some(at) = self.waiting.pop_if(|at| self.objects[*at].rows(self.scene).start <= rows.last()) {
            self.active.push(at);
        }
        if self.active.len() > known {
            self.active.sort_unstable();
        }
        self.active.retain(|&at| self.objects[at].rows(self.scene).end > rows.first);
        for &at in &self.active {
            self.draw(&self.objects[at], rows, pixels);
        }
    }

    fn draw(&self, object: &Item, rows: &Rows, pixels: &mut [P]) {
        let (across, down) = (object.columns(self.scene), object.rows(self.scene));
        let stamp = &self.stamps[object.stamp as usize];
        if across.is_empty() || stamp.pixels.is_empty() {
            return;
        }
        let number = |at: u64, start: i64| usize::try_from(i64::try_from(at).unwrap_or(i64::MAX) - start).unwrap_or(0);
        // The columns of the picture, counted from the side where it starts.
        let columns = number(across.start, object.place.left)..number(across.end, object.place.left);
        let columns =
            if object.place.mirror { stamp.width - columns.end..stamp.width - columns.start } else { columns };
        let place = |at: u64| usize::try_from(at - rows.left).unwrap_or(usize::MAX);
        let cells = rows.cells(pixels, place(across.start), place(across.end));
        for (y, to) in cells.skip_while(|(y, _)| *y < down.start).take_while(|(y, _)| *y < down.end) {
            let row = number(y, object.place.top);
            let row = if object.place.invert { stamp.height - 1 - row } else { row };
            let start = row * stamp.width;
            let range = start + columns.start..start + columns.end;
            let (source, opacity) = (&stamp.pixels[range.clone()], stamp.opacity.get(range));
            match (opacity, object.place.mirror) {
                (None, false) => to.copy_from_slice(source),
                (None, true) => to.iter_mut().zip(source.iter().rev()).for_each(|(to, from)| *to = *from),
                (Some(opacity), false) => put(to, source.iter(), opacity.iter()),
                (Some(opacity), true) => put(to, source.iter().rev(), opacity.iter().rev()),
            }
        }
    }
}
