use worldview_wwd::{Attribute, raw::DoubleRecord};

/// The attribute of tiles that do not block anything.
const CLEAR: i32 = 0;

/// A rectangle of a tile with a uniform attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Distance from the top of the tile in pixels.
    pub y: u32,
    /// Distance from the left side of the tile in pixels.
    pub x: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The attribute of all its pixels.
    pub attribute: i32,
}

/// Maximum number of shapes of a tile: one for every pixel of the largest tiles in a game, 64 by 64.
const MAX_SHAPES: usize = 4096;

/// Error for a tile with more than [`MAX_SHAPES`] shapes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;

/// Replaces the contents of `shapes` with rectangles that cover every pixel of a tile that is not clear, without
/// overlap.
pub(super) fn shapes(attribute: &Attribute<'_>, shapes: &mut Vec<Shape>) -> Result<(), TooMany> {
    shapes.clear();
    match attribute {
        Attribute::Single(record) => shapes.push(whole(attribute, record.attribute.get())),
        Attribute::Double(record) => double(attribute, record, shapes),
        Attribute::Mask { head, pixels } => mask(head.width.get(), pixels, shapes)?,
    }
    shapes.retain(|shape| shape.attribute != CLEAR && shape.width > 0 && shape.height > 0);
    shapes.sort_unstable();
    Ok(())
}

fn whole(tile: &Attribute<'_>, attribute: i32) -> Shape {
    Shape { y: 0, x: 0, width: tile.width(), height: tile.height(), attribute }
}

/// Returns the inner rectangle and the strips above, below, left and right of it.
fn double(tile: &Attribute<'_>, record: &DoubleRecord, shapes: &mut Vec<Shape>) {
    let (outside, inside) = (record.outside.get(), record.inside.get());
    let (width, height) = (tile.width(), tile.height());
    let [left, top, right, bottom] = record.rect.get();
    // From here on, `right` and `bottom` are exclusive.
    let [left, right] = [left.into(), i64::from(right) + 1].map(|x| clip(x, width));
    let [top, bottom] = [top.into(), i64::from(bottom) + 1].map(|y| clip(y, height));
    if left >= right || top >= bottom || outside == inside {
        return shapes.push(whole(tile, outside));
    }
    let shape = |x, y, right, bottom, attribute| Shape { y, x, width: right - x, height: bottom - y, attribute };
    shapes.extend([
        shape(0, 0, width, top, outside),
        shape(0, top, left, bottom, outside),
        shape(left, top, right, bottom, inside),
        shape(right, top, width, bottom, outside),
        shape(0, bottom, width, height, outside),
    ]);
}

fn clip(bound: i64, max: u32) -> u32 {
    u32::try_from(bound.max(0)).unwrap_or(max).min(max)
}

/// Divides each row into runs of the same attribute. Equal runs in adjacent rows form a rectangle.
fn mask(width: u32, pixels: &[u8], done: &mut Vec<Shape>) -> Result<(), TooMany> {
    // The rectangles that extend to the row above, from left to right.
    let mut open: Vec<Shape> = Vec::new();
    for (y, row) in (0..).zip(pixels.chunks_exact((width as usize).max(1))) {
        let mut above = std::mem::take(&mut open).into_iter().peekable();
        let mut x = 0;
        for run in row.chunk_by(|one, next| one == next) {
            let width = u32::try_from(run.len()).unwrap_or(u32::MAX);
            let run = Shape { y, x, width, height: 1, attribute: run[0].into() };
            x += width;
            if run.attribute == CLEAR {
                continue;
            }
            while let Some(ended) = above.next_if(|shape| shape.x < run.x) {
                done.push(ended);
            }
            let same = |shape: &Shape| (shape.x, shape.width, shape.attribute) == (run.x, run.width, run.attribute);
            open.push(above.next_if(same).map_or(run, |shape| Shape { height: shape.height + 1, ..shape }));
            // Checked at every run, because a single row can be as large as the file.
            if done.len() + above.len() + open.len() > MAX_SHAPES {
                return Err(TooMany);
            }
        }
        done.extend(above);
    }
    done.extend(open);
    Ok(())
}
