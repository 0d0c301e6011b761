//! The fields of WORLD.WDB that decide what else is stored.

use worldview_core::describe::Describe;
use worldview_core::{Path, field_name};
use worldview_island::raw::ImageHeader;

use crate::fields::{self, Wish};
use crate::{EditError, Result, Value};

/// Whether a value decides for one of two layouts.
type Decides = fn(&Value) -> bool;

/// Returns how a field decides what is stored besides it, if it does, and what to do about it.
fn decides(kind: &str, name: &[u8]) -> Option<(Decides, &'static str)> {
    Some(match (kind, name) {
        ("texture", b"name") => (
            |name| name.as_bytes().is_some_and(|name| name.starts_with(b"^")),
            "a `^` before the name says that there are two images; set the texture",
        ),
        ("actor", b"name") => (
            |name| name.as_bytes().is_some_and(|name| !name.is_empty()),
            "only an actor with a name has a type; set the actor",
        ),
        ("lod", b"flags") => (
            |flags| matches!(flags, Value::Integer(flags) if flags & i128::from(worldview_island::Lod::NO_DATA) != 0),
            "this flag decides whether the level has data; set the level",
        ),
        ("roi", b"shared") => (
            |shared| *shared != Value::Integer(0),
            "this value decides whether the object has levels of its own; set the object",
        ),
        _ => return None,
    })
}

/// Returns an error if a field decides what is stored besides it, and would decide otherwise.
pub(super) fn keeps_layout(kind: &str, body: &dyn Describe, wishes: &[Wish<'_>]) -> Result<()> {
    for wish in wishes {
        let (Some((decides, why)), Some(to)) = (decides(kind, &wish.name), wish.to) else { continue };
        let old = fields::all_values(body);
        // Text stays if it is what is in front of a NUL.
        let is_kept = |old: &Value| match (old, to) {
            (Value::Bytes(old), Value::Text(_)) => {
                let text = old.split(|&byte| byte == 0).next().unwrap_or_default();
                fields::same(&Value::Bytes(text.to_vec()), to)
            }
            _ => false,
        };
        let is_other = |old: &Value| decides(old) != decides(to) && !is_kept(old);
        if old.iter().any(|(name, old)| *name.as_bytes() == *wish.name && is_other(old)) {
            return Err(EditError::unsupported(wish.path, why));
        }
    }
    Ok(())
}

/// Returns whether the fields of two elements decide for the same layout, and the same lists can change.
pub(super) fn has_same_layout(kind: &str, bodies: [&dyn Describe; 2]) -> bool {
    if !matches!(kind, "texture" | "actor" | "lod" | "roi") {
        return true;
    }
    let [left, right] = bodies.map(fields::all_values);
    let decided = |list: &[(String, Value)]| {
        let one = |(name, value): &(String, Value)| decides(kind, name.as_bytes()).map(|(decides, _)| decides(value));
        list.iter().find_map(one)
    };
    // An object without levels cannot get one alone.
    let grows = bodies.map(|body| {
        let mut grows = Vec::new();
        fields::lists(body, &mut |parts| grows.push(parts.editable().slots().is_some()));
        grows
    });
    decided(&left) == decided(&right) && (kind != "roi" || grows[0] == grows[1])
}

/// Returns an error if the pixels of an image do not fill its new size.
pub(super) fn fits_pixels(body: &dyn Describe, wishes: &[Wish<'_>]) -> Result<()> {
    const WIDTH: &str = field_name!(ImageHeader, width);
    const HEIGHT: &str = field_name!(ImageHeader, height);
    let old = fields::all_values(body);
    let new = |name: &str| wishes.iter().find(|wish| *wish.name == *name.as_bytes()).and_then(|wish| wish.to);
    let before = |name: &str| match old.iter().find(|(field, _)| field == name) {
        Some((_, Value::Integer(number))) => *number,
        _ => 0,
    };
    let side = |name: &str| match new(name) {
        Some(Value::Integer(number)) => *number,
        _ => before(name),
    };
    let (width, height) = (side(WIDTH), side(HEIGHT));
    let pixels = new("pixels").and_then(Value::as_bytes).map(|pixels| pixels.len() as i128);
    let pixels = pixels.unwrap_or_else(|| before(WIDTH).saturating_mul(before(HEIGHT)));
    if width.checked_mul(height) == Some(pixels) {
        return Ok(());
    }
    let limit = format!("the size must match the number of pixels, {pixels}");
    let path = wishes.last().map_or_else(Path::new, |wish| wish.path.clone());
    Err(EditError::does_not_fit(&path, Value::Integers(vec![width, height]), limit))
}
