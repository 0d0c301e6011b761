use std::borrow::Cow;

use worldview_wwd::Tile;

use super::CLEAR;
use super::gallery::{Gallery, Shown};
use super::plan::{Item, Layer, Plan, Step};
use crate::Result;
use crate::level::game::Pixels;
use crate::level::palette;
use crate::picture::{Ink, opaque};

/// The size in bytes of the rows that are painted together: they stay in the cache of the processor.
const BAND: usize = 1 << 17;
/// The maximum number of rows that are painted together.
const MAX_ROWS: usize = 64;

/// A pixel of a picture: a palette index or a color.
pub(in crate::level::png) trait Pixel: Copy {
    /// Lays a pixel over another.
    fn over(self, opacity: u8, below: Self) -> Self;
}

impl Pixel for u8 {
    fn over(self, opacity: u8, below: Self) -> Self {
        // Indices are either opaque or transparent.
        (self & opacity) | (below & !opacity)
    }
}

impl Pixel for Ink {
    fn over(self, opacity: u8, below: Self) -> Self {
        match opacity {
            0xFF => self,
            0 => below,
            _ => blend(self, opacity, below),
        }
    }
}

/// Blends a color over another, which may be transparent.
fn blend(above: Ink, opacity: u8, below: Ink) -> Ink {
    let [_, above @ ..] = above.to_be_bytes();
    let [under, below @ ..] = below.to_be_bytes();
    let (above_part, under) = (u32::from(opacity) * 255, u32::from(under));
    let below_part = under * (255 - u32::from(opacity));
    let whole = above_part + below_part;
    let mix = |above: u8, below: u8| {
        let sum = u32::from(above) * above_part + u32::from(below) * below_part;
        u8::try_from((sum + whole / 2).checked_div(whole).unwrap_or(0)).unwrap_or(u8::MAX)
    };
    let [red, green, blue] = [0, 1, 2].map(|at| mix(above[at], below[at]));
    Ink::from_be_bytes([u8::try_from((whole + 127) / 255).unwrap_or(u8::MAX), red, green, blue])
}

/// The pixels of a picture that is drawn.
struct Stamp<'s, P: Clone> {
    width: usize,
    height: usize,
    pixels: Cow<'s, [P]>,
    /// Empty if all pixels are opaque.
    opacity: Cow<'s, [u8]>,
}

/// The pictures of a drawing with their pixels in one format.
pub(super) struct Stamps<'s, P: Clone> {
    list: Vec<Stamp<'s, P>>,
    /// The pixel where nothing is drawn.
    clear: P,
    /// The pixel of filled cells of each layer.
    fills: Vec<P>,
}

impl<'s> Stamps<'s, u8> {
    /// Returns the pictures as indices into the palette that they share.
    pub(super) fn indexed(gallery: &'s Gallery<'_, '_>, plan: &Plan<'_>, clear: u8) -> Self {
        let list = gallery.shown().iter().map(|shown| match shown {
            Shown::Game(sprite) => Stamp {
                width: sprite.width() as usize,
                height: sprite.height() as usize,
                pixels: match sprite.pixels() {
                    Pixels::Indices { indices, .. } => Cow::Borrowed(indices),
                    Pixels::Colors(colors) => vec![clear; colors.len()].into(),
                },
                opacity: sprite.opacity().unwrap_or_default().into(),
            },
            Shown::Other { .. } => Stamp { width: 0, height: 0, pixels: Cow::default(), opacity: Cow::default() },
        });
        let fills = plan.layers.iter().map(|layer| layer.fill).collect();
        Self { list: list.collect(), clear, fills }
    }
}

impl<'s> Stamps<'s, Ink> {
    /// Returns the pictures as colors.
    pub(super) fn colored(gallery: &'s Gallery<'_, '_>, plan: &Plan<'_>) -> Self {
        let list = gallery.shown().iter().map(|shown| match shown {
            Shown::Game(sprite) => Stamp {
                width: sprite.width() as usize,
                height: sprite.height() as usize,
                pixels: match sprite.pixels() {
                    Pixels::Indices { indices, palette } => {
                        let inks = palette.map(opaque);
                        indices.iter().map(|&index| inks[usize::from(index)]).collect()
                    }
                    Pixels::Colors(colors) => colors.iter().map(|&color| opaque(color)).collect(),
                },
                opacity: sprite.opacity().unwrap_or_default().into(),
            },
            Shown::Other { size, inks } => Stamp {
                width: size.0 as usize,
                height: size.1 as usize,
                pixels: inks.into(),
                opacity: inks.iter().map(|ink| ink.to_be_bytes()[0]).collect(),
            },
        });
        let palette = gallery.pictures().palette();
        let fill =
            |layer: &Layer<'_>| opaque(palette.map_or(palette::FILLED, |palette| palette[usize::from(layer.fill)]));
        Self { list: list.collect(), clear: CLEAR, fills: plan.layers.iter().map(fill).collect() }
    }
}

/// Paints every `stride`th row and passes it to `push` with its number.
pub(super) fn paint<P: Pixel>(
    plan: &Plan<'_>,
    stamps: &Stamps<'_, P>,
    stride: u64,
    push: &mut dyn FnMut(u64, &mut [P]) -> Result<()>,
) -> Result<()> {
    let width = usize::try_from(plan.extent.width).unwrap_or(usize::MAX);
    let together = (BAND / size_of::<P>() / width.max(1)).clamp(1, MAX_ROWS);
    let mut band = vec![stamps.clear; width.saturating_mul(together)];
    let mut painters: Vec<_> = plan.steps.iter().map(|step| Painter::new(plan, step, stamps)).collect();
    let mut first = stride / 2;
    while first < plan.extent.height {
        let left = (plan.extent.height - first).div_ceil(stride);
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(together);
        let rows = Rows { first, stride, count: count as u64, width };
        let pixels = &mut band[..count * width];
        pixels.fill(stamps.clear);
        for painter in &mut painters {
            painter.paint(&rows, pixels);
        }
        for (y, row) in (0..).zip(pixels.chunks_exact_mut(width)) {
            push(first + y * stride, row)?;
        }
        first += count as u64 * stride;
    }
    Ok(())
}

/// The rows that are painted together.
struct Rows {
    /// The number of the first row.
    first: u64,
    /// The distance to the next.
    stride: u64,
    count: u64,
    width: usize,
}

impl Rows {
    /// The number of the last row.
    const fn last(&self) -> u64 {
        self.first + (self.count - 1) * self.stride
    }
}

enum Painter<'p, P: Clone> {
    Layer(Box<LayerPainter<'p, P>>),
    Objects(ObjectPainter<'p, P>),
}

impl<'p, P: Pixel> Painter<'p, P> {
    fn new(plan: &'p Plan<'_>, step: &Step, stamps: &'p Stamps<'_, P>) -> Self {
        match step {
            Step::Layer(at) => Self::Layer(Box::new(LayerPainter {
                layer: &plan.layers[*at],
                stamps: &stamps.list,
                fill: stamps.fills[*at],
                row: None,
                cells: Vec::new(),
            })),
            Step::Objects(range) => {
                let objects = &plan.objects[range.clone()];
                let mut waiting: Vec<_> =
                    (0..objects.len()).filter(|&at| !objects[at].rows(plan.extent).is_empty()).collect();
                // The uppermost last, where it is taken from.
                waiting.sort_by_key(|&at| std::cmp::Reverse(objects[at].place.top));
                Self::Objects(ObjectPainter { plan, objects, stamps: &stamps.list, waiting, active: Vec::new() })
            }
        }
    }

    fn paint(&mut self, rows: &Rows, pixels: &mut [P]) {
        match self {
            Self::Layer(painter) => painter.paint(rows, pixels),
            Self::Objects(painter) => painter.paint(rows, pixels),
        }
    }
}

/// A cell of a layer.
#[derive(Clone, Copy)]
enum Cell {
    Nothing,
    Fill,
    Stamp(usize),
}

struct LayerPainter<'p, P: Clone> {
    layer: &'p Layer<'p>,
    stamps: &'p [Stamp<'p, P>],
    fill: P,
    /// The row of the grid whose cells are known.
    row: Option<u64>,
    cells: Vec<Cell>,
}

impl<P: Pixel> LayerPainter<'_, P> {
    fn paint(&mut self, rows: &Rows, pixels: &mut [P]) {
        for (y, pixels) in (0..).zip(pixels.chunks_exact_mut(rows.width)) {
            self.paint_row(rows.first + y * rows.stride, pixels);
        }
    }

    fn paint_row(&mut self, y: u64, pixels: &mut [P]) {
        let (_, count) = self.layer.cells();
        let high = u64::from(self.layer.tile.1);
        let (at, inside) = (y / high, usize::try_from(y % high).unwrap_or(usize::MAX));
        let at = if self.layer.wraps.1 { at % count } else { at };
        if at >= count {
            return;
        }
        if self.row.replace(at) != Some(at) {
            self.look_up(at, pixels.len());
        }
        let wide = self.layer.tile.0 as usize;
        let mut rest = pixels;
        loop {
            for cell in &self.cells {
                if rest.is_empty() {
                    return;
                }
                let cut = wide.min(rest.len());
                let (pixels, behind) = std::mem::take(&mut rest).split_at_mut(cut);
                rest = behind;
                match *cell {
                    Cell::Nothing => {}
                    Cell::Fill => pixels.fill(self.fill),
                    Cell::Stamp(stamp) => self.stamps[stamp].paint(inside, pixels),
                }
            }
            if !self.layer.wraps.0 || self.cells.is_empty() {
                return;
            }
        }
    }

    /// Looks up the visible cells of a row of the grid.
    fn look_up(&mut self, row: u64, width: usize) {
        self.cells.clear();
        let visible = width.div_ceil(self.layer.tile.0 as usize);
        let tiles = usize::try_from(row).ok().and_then(|row| self.layer.plane.rows().nth(row)).unwrap_or(&[]);
        let mut before = (Tile::EMPTY, Cell::Nothing);
        self.cells.extend(tiles.iter().take(visible).map(|tile| {
            let word = tile.get();
            if word != before.0 {
                let cell = match word {
                    Tile::EMPTY => Cell::Nothing,
                    Tile::FILLED => Cell::Fill,
                    word => self.layer.stamps.get(&word).map_or(Cell::Nothing, |&stamp| Cell::Stamp(stamp)),
                };
                before = (word, cell);
            }
            before.1
        }));
    }
}

impl<P: Pixel> Stamp<'_, P> {
    /// Paints a row as part of a tile, which cuts it.
    fn paint(&self, row: usize, pixels: &mut [P]) {
        if row >= self.height {
            return;
        }
        let len = self.width.min(pixels.len());
        let start = row * self.width;
        let source = &self.pixels[start..start + len];
        if self.opacity.is_empty() {
            pixels[..len].copy_from_slice(source);
        } else {
            put(&mut pixels[..len], source.iter(), self.opacity[start..start + len].iter());
        }
    }
}

struct ObjectPainter<'p, P: Clone> {
    plan: &'p Plan<'p>,
    objects: &'p [Item],
    stamps: &'p [Stamp<'p, P>],
    /// The objects below the painted rows, the uppermost last.
    waiting: Vec<usize>,
    /// The objects that may reach into the painted rows, in the order in which they are drawn.
    active: Vec<usize>,
}

impl<P: Pixel> ObjectPainter<'_, P> {
    fn paint(&mut self, rows: &Rows, pixels: &mut [P]) {
        let extent = self.plan.extent;
        let known = self.active.len();
        while let Some(at) = self.waiting.pop_if(|at| self.objects[*at].rows(extent).start <= rows.last()) {
            self.active.push(at);
        }
        if self.active.len() > known {
            self.active.sort_unstable();
        }
        self.active.retain(|&at| self.objects[at].rows(extent).end > rows.first);
        for &at in &self.active {
            self.draw(&self.objects[at], rows, pixels);
        }
    }

    fn draw(&self, object: &Item, rows: &Rows, pixels: &mut [P]) {
        let extent = self.plan.extent;
        let (across, down) = (object.columns(extent), object.rows(extent));
        let stamp = &self.stamps[object.stamp];
        if across.is_empty() || stamp.pixels.is_empty() {
            return;
        }
        let number = |at: u64, start: i64| usize::try_from(i64::try_from(at).unwrap_or(i64::MAX) - start).unwrap_or(0);
        // The columns of the picture, counted from the side where it starts.
        let columns = number(across.start, object.place.left)..number(across.end, object.place.left);
        let columns =
            if object.place.mirror { stamp.width - columns.end..stamp.width - columns.start } else { columns };
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let skipped = down.start.saturating_sub(rows.first).div_ceil(rows.stride);
        for at in skipped..rows.count {
            let y = rows.first + at * rows.stride;
            if y >= down.end {
                return;
            }
            let row = number(y, object.place.top);
            let row = if object.place.invert { stamp.height - 1 - row } else { row };
            let start = row * stamp.width;
            let range = start + columns.start..start + columns.end;
            let to = &mut pixels[place(at) * rows.width..][place(across.start)..place(across.end)];
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

/// Lays pixels over others.
fn put<'s, P: Pixel + 's>(to: &mut [P], source: impl Iterator<Item = &'s P>, opacity: impl Iterator<Item = &'s u8>) {
    for ((to, source), opacity) in to.iter_mut().zip(source).zip(opacity) {
        *to = source.over(*opacity, *to);
    }
}
