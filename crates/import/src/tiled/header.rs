//! The headers of a level and of its planes.

use worldview_core::describe::FieldValue;
use worldview_core::quote;
use worldview_core::{FieldInfo, field_name};
use worldview_export::level::tiled::{Layer, bytes_name, property_name};
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Level, flags};

use super::codes::ATTRIBUTE;
use super::draft::{Draft, property};
use super::fields::{changed, coordinate, encode, pick, text_changed, value};
use super::saved::Element;
use worldview_edit::fields::decode_1252 as decode;
use worldview_edit::{Change, Position, Result, Value};

/// Compares what a map says of the whole level.
pub(super) fn map(draft: &mut Draft, level: &Level<'_>, saved: &Element) {
    "map".clone_into(&mut draft.place);
    let mark = draft.path.mark();
    draft.path.push_name(b"header");
    draft.record(level.header().content(), &saved.properties);
    draft.path.truncate(mark);
}

/// The flags of a plane that are properties by name.
const FLAGS: [(&str, u32); 5] = [
    ("main", flags::MAIN),
    ("no_draw", flags::NO_DRAW),
    ("wrap_x", flags::WRAP_X),
    ("wrap_y", flags::WRAP_Y),
    ("auto_tile_size", flags::AUTO_TILE_SIZE),
];

/// Compares the header of a plane, and returns the new values of `tiles_wide` and `tiles_high` among the properties.
pub(super) fn plane(draft: &mut Draft, layer: &Layer<'_>, saved: &Element) -> [Option<i32>; 2] {
    const TILES_WIDE: &str = field_name!(PlaneHeader, tiles_wide);
    const TILES_HIGH: &str = field_name!(PlaneHeader, tiles_high);
    let mut sides = [None; 2];
    for (info, old) in layer.plane().header().content() {
        let name = info.name;
        let new = field(draft, info, old, saved);
        let new = draft.attempt(new, &property(name)).flatten();
        let side = match name {
            TILES_WIDE => sides.first_mut(),
            TILES_HIGH => sides.last_mut(),
            _ => None,
        };
        match (new, side) {
            (Some(Value::Integer(new)), Some(side)) => *side = i32::try_from(new).ok(),
            (Some(new), _) => draft.set(name, value(info, old), new),
            (None, _) => {}
        }
    }
    sides
}

/// Returns the new value of a field of a plane, if it has one: by its property, an attribute of the layer, or flags.
fn field(draft: &mut Draft, info: &FieldInfo, old: FieldValue<'_>, saved: &Element) -> Result<Option<Value>> {
    const SCROLL_X: &str = field_name!(PlaneHeader, scroll_x);
    const SCROLL_Y: &str = field_name!(PlaneHeader, scroll_y);
    const MOVEMENT_X: &str = field_name!(PlaneHeader, movement_x_percent);
    const MOVEMENT_Y: &str = field_name!(PlaneHeader, movement_y_percent);
    const FLAG_BITS: &str = field_name!(PlaneHeader, flags);
    let path = draft.field(info.name);
    let mut new = match old {
        FieldValue::Text(old) => {
            let texts = [Some(saved.name()), saved.properties.get(&property_name(info.name))];
            let stored = saved.properties.get(&bytes_name(info.name));
            text_changed(old.stored, true, &texts, stored, draft.encoding, &path)?
        }
        _ => changed(info, old, &saved.properties, None, draft.encoding, &path)?,
    };
    let attribute = match info.name {
        SCROLL_X => Some(("offsetx", 1.0)),
        SCROLL_Y => Some(("offsety", 1.0)),
        MOVEMENT_X => Some(("parallaxx", 100.0)),
        MOVEMENT_Y => Some(("parallaxy", 100.0)),
        _ => None,
    };
    match (old, attribute) {
        (FieldValue::Int(old), Some((name, scale))) => {
            let old = i32::try_from(old).unwrap_or(0);
            if let Some(attribute) = coordinate(old, saved.number::<f64>(name) * scale, &path)? {
                pick(&mut new, attribute.into(), &path)?;
            }
        }
        (FieldValue::Uint(old), _) if info.name == FLAG_BITS => {
            let old = u32::try_from(old).unwrap_or(0);
            let mut word = match new {
                Some(Value::Integer(word)) => u32::try_from(word).unwrap_or(old),
                _ => old,
            };
            for (flag, bit) in FLAGS {
                match saved.properties.get(flag) {
                    Some("true") if old & bit == 0 => word |= bit,
                    Some("false") if old & bit != 0 => word &= !bit,
                    Some("true" | "false") | None => {}
                    Some(other) => {
                        let message = format!("{flag} is neither true nor false: {}", quote(other));
                        draft.refuse(ATTRIBUTE, &property(flag), message);
                    }
                }
            }
            new = (word != old).then(|| word.into());
        }
        _ => {}
    }
    Ok(new)
}

/// Compares the names of image sets, and returns the new ones.
pub(super) fn image_sets(draft: &mut Draft, layer: &Layer<'_>, saved: &Element) -> Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for name in layer.plane().image_sets() {
        names.push(name?.to_vec());
    }
    let old = u32::try_from(names.len()).unwrap_or(u32::MAX);
    // Tiles have 16 bits for the number.
    for index in 0..1 << 16 {
        let property = format!("image_set_{index}");
        let text = saved.properties.get(&property);
        let stored = saved.properties.get(&bytes_name(&property));
        let path = draft.path.with(|path| path.push_nth(b"image_set", index));
        if index < old {
            let Some(name) = usize::try_from(index).ok().and_then(|index| names.get(index)) else { break };
            let new = text_changed(name, false, &[text], stored, draft.encoding, &path);
            if let Some(to) = draft.attempt(new, &self::property(&property)).flatten() {
                draft.push(Change::Set { path, from: Some(decode(name)), to });
            }
            continue;
        }
        let Some(text) = text else { break };
        let bytes = encode(text, draft.encoding, &path);
        let Some(bytes) = draft.attempt(bytes, &self::property(&property)) else { break };
        let data = Some(decode(&bytes));
        draft.push(Change::Add { path, like: None, position: Position::Natural, fields: Vec::new(), data });
        names.push(bytes);
    }
    Ok(names)
}
