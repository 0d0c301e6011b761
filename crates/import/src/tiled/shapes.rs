//! The collision shapes of tiles.

use worldview_core::{Path, quote};
use worldview_export::level::tiled::{Shape, attribute_by_class};
use worldview_wwd::raw::DoubleRecord;
use worldview_wwd::{Attribute, Game};

use super::codes::{ATTRIBUTE, CONTRADICTION, ROUNDED};
use super::compare;
use super::draft::Draft;
use super::fields::round;
use super::saved::{Element, Kind};
use worldview_edit::{Change, EditError, Result, Value};

/// Tiles with more pixels are not drawn: four times those of the games.
const MAX_PIXELS: u64 = 1 << 14;

/// More shapes the export does not write.
const MAX_SHAPES: usize = 4096;

/// Reads the shapes of a tile, in their order.
pub(super) fn read(draft: &mut Draft, group: &Element, size: [u32; 2], game: Option<Game>) -> Result<Vec<Shape>> {
    let (path, [wide, high]) = (draft.path.clone(), size);
    if group.children.len() > MAX_SHAPES {
        return Err(EditError::unsupported(&path, "the tile has more than 4096 shapes"));
    }
    compare::lone(draft, group);
    let place = draft.place.clone();
    let mut shapes = Vec::new();
    for object in group.all(Kind::Shape) {
        let at = format!("shape {}", object.number::<u32>("id"));
        let property = object.properties.get("attribute").map(|text| text.trim().parse());
        let class = Some(object.class()).filter(|class| !class.is_empty()).map(|class| attribute_by_class(class, game));
        let attribute = match (property, class) {
            (Some(Ok(property)), None) => property,
            (Some(Ok(property)), Some(Some(class))) if property == class => property,
            (None, Some(Some(class))) => class,
            (Some(Err(_)), _) | (None, _) | (_, Some(None)) => {
                let why =
                    format!("a shape of the tile has the class {}, which is not an attribute", quote(object.class()));
                return Err(EditError::refused(&path, ATTRIBUTE, why));
            }
            (Some(Ok(property)), Some(Some(_))) => {
                let class = quote(object.class());
                let why = format!("a shape of the tile has the class {class} and the attribute {property}");
                return Err(EditError::refused(&path, CONTRADICTION, why));
            }
        };
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| object.number::<f64>(name));
        let sides = [x, y, x + width, y + height];
        let rounded = sides.iter().map(|side| round(*side, &path)).collect::<Result<Vec<_>>>()?;
        let &[left, top, right, bottom] = &*rounded else { continue };
        if object.shape().is_some()
            || object.number::<f64>("rotation") != 0.0
            || object.number::<u32>("gid") != 0
            || right <= left
            || bottom <= top
        {
            return Err(EditError::unsupported(&path, "a shape of the tile is not an upright rectangle"));
        }
        if sides.iter().any(|side| (side - side.round()).abs() > 1e-6) {
            draft.leave_out(ROUNDED, &at, "a shape of the tile has fractions of pixels, which are rounded");
        }
        let whole = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
        if left < 0 || top < 0 || right > whole(wide) || bottom > whole(high) {
            draft.leave_out(ROUNDED, &at, "a shape extends beyond its tile; the part outside is ignored");
        }
        draft.place = format!("{place}, {at}");
        let mut others = object.clone();
        others.properties.remove("attribute");
        compare::lone(draft, &others);
        draft.place.clone_from(&place);
        let [x, y, right, bottom] = [left, top, right, bottom].map(|side| u32::try_from(side.max(0)).unwrap_or(0));
        let (width, height) = (right.saturating_sub(x), bottom.saturating_sub(y));
        shapes.push(Shape { y, x, width, height, attribute });
    }
    Ok(shapes)
}

/// Returns the changes that make an attribute what shapes say: one attribute for the whole tile, two of which one is a rectangle,
/// or pixels if the original has them.
pub(super) fn changes(attribute: &Attribute<'_>, shapes: &[Shape], path: &Path) -> Result<Vec<Change>> {
    let [width, height] = [attribute.width(), attribute.height()];
    if u64::from(width).saturating_mul(height.into()) > MAX_PIXELS {
        return Err(EditError::unsupported(path, "the shapes of a tile of this size cannot be read"));
    }
    let pixels = draw([width, height], shapes);
    let columns = usize::try_from(width).unwrap_or(usize::MAX).max(1);
    let mut changes = Vec::new();
    let mut set = |name: &str, from: Option<Value>, to: Value| {
        if from.as_ref() != Some(&to) {
            let path = path.with(|path| path.push_name(name.as_bytes()));
            changes.push(Change::Set { path, from, to });
        }
    };
    if let Attribute::Mask { pixels: old, .. } = attribute {
        for (index, (old, new)) in old.iter().zip(&pixels).enumerate() {
            if i32::from(*old) != *new {
                let (x, y) = (index.checked_rem(columns).unwrap_or(0), index.checked_div(columns).unwrap_or(0));
                let path = path.with(|path| path.push("pixel", format!("{x},{y}").as_bytes(), None));
                changes.push(Change::Set { path, from: Some((*old).into()), to: (*new).into() });
            }
        }
        return Ok(changes);
    }
    let mut values = pixels.clone();
    values.sort_unstable();
    values.dedup();
    match (attribute, values.as_slice()) {
        (Attribute::Single(old), &[value]) => set("attribute", Some(old.attribute.get().into()), value.into()),
        (_, &[value]) => {
            set("kind", Some(2.into()), 1.into());
            set("attribute", None, value.into());
        }
        (_, &[low, high]) => {
            let old = match attribute {
                Attribute::Double(old) => Some(*old),
                _ => None,
            };
            // The attribute that was inside stays there if it can.
            let is_outside = |value| old.is_some_and(|old| old.outside.get() == value);
            let orders = if is_outside(high) { [(high, low), (low, high)] } else { [(low, high), (high, low)] };
            let found = orders.iter().find_map(|(outside, inside)| {
                rectangle(&pixels, columns, *inside).map(|rectangle| (*outside, *inside, rectangle))
            });
            let (outside, inside, rect) = found.ok_or_else(|| too_many(path))?;
            if old.is_none() {
                set("kind", Some(1.into()), 2.into());
            }
            set("outside", old.map(|old| old.outside.get().into()), outside.into());
            set("inside", old.map(|old| old.inside.get().into()), inside.into());
            if old.is_none_or(|old| clipped(old, [width, height]) != rect) {
                let sides = |rect: [i32; 4]| Value::Integers(rect.map(i128::from).to_vec());
                set("rect", old.map(|old| sides(old.rect.get())), sides(rect));
            }
        }
        (_, &[]) => {}
        _ => return Err(too_many(path)),
    }
    Ok(changes)
}

fn too_many(path: &Path) -> EditError {
    let why =
        "the shapes of the tile are more than one rectangle in one other attribute, which is all that a level can have";
    EditError::unsupported(path, why)
}

/// The attribute of each pixel; of shapes that overlap, the last counts.
fn draw([width, height]: [u32; 2], shapes: &[Shape]) -> Vec<i32> {
    let side = |side: u32| usize::try_from(side).unwrap_or(usize::MAX);
    let mut pixels = vec![0; side(width).saturating_mul(side(height))];
    for shape in shapes {
        let (left, right) = (shape.x.min(width), shape.x.saturating_add(shape.width).min(width));
        let rows = pixels.chunks_mut(side(width).max(1)).skip(side(shape.y)).take(side(shape.height));
        for row in rows {
            row.iter_mut().take(side(right)).skip(side(left)).for_each(|pixel| *pixel = shape.attribute);
        }
    }
    pixels
}

/// Returns the sides, all inclusive, of the rectangle that has exactly the pixels with an attribute.
fn rectangle(pixels: &[i32], columns: usize, attribute: i32) -> Option<[i32; 4]> {
    let mut count = 0_i64;
    let [mut left, mut top, mut right, mut bottom] = [i32::MAX, i32::MAX, 0, 0];
    for (y, row) in (0_i32..).zip(pixels.chunks(columns)) {
        for (x, _) in (0_i32..).zip(row).filter(|(_, pixel)| **pixel == attribute) {
            count = count.saturating_add(1);
            (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
        }
    }
    let side = |low: i32, high: i32| i64::from(high).saturating_sub(low.into()).saturating_add(1);
    (side(left, right).saturating_mul(side(top, bottom)) == count).then_some([left, top, right, bottom])
}

/// The rectangle of a record, as far as it is in the tile.
fn clipped(record: &DoubleRecord, [width, height]: [u32; 2]) -> [i32; 4] {
    let [left, top, right, bottom] = record.rect.get();
    let last = |side: u32| i32::try_from(side).unwrap_or(i32::MAX).saturating_sub(1);
    [left.max(0), top.max(0), right.min(last(width)), bottom.min(last(height))]
}
