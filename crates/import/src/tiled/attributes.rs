//! Tile attributes.

use std::collections::{BTreeMap, HashMap};

use worldview_core::Path;
use worldview_core::describe::FieldValue;
use worldview_export::Encoding;
use worldview_export::level::tiled::{Map, tile_class, tile_default};
use worldview_wwd::raw::{AttributeHead, DoubleRecord};
use worldview_wwd::{Attribute, Game};

use super::fields::{changed, pick, value};
use super::grid::Tilesets;
use super::{saved, shapes};
use crate::level::KIND;
use worldview_edit::{Change, EditError, EditErrorKind, Result};

/// The kinds of attributes by number, from 1.
const KINDS: [&str; 3] = ["single", "double", "mask"];

/// Compares the properties of tiles with the attributes that the export writes there.
pub(super) fn attributes(map: &Map<'_>, tilesets: &Tilesets<'_>, game: Option<Game>) -> Result<Vec<Change>> {
    // Several tiles may show one attribute; those that are as the export wrote them say nothing.
    let mut frames: BTreeMap<usize, Vec<Change>> = BTreeMap::new();
    for set in tilesets.iter() {
        let saved = set.saved;
        let tiles: HashMap<u32, &saved::Tile> = saved.tiles.iter().map(|tile| (tile.id, tile)).collect();
        // Some programs drop the shapes of all tiles.
        let has_shapes = saved.tiles.iter().any(|tile| tile.objectgroup.is_some());
        let mut ids: Vec<_> = tiles.keys().copied().collect();
        ids.sort_unstable();
        for (id, tile) in ids.into_iter().filter_map(|id| Some((id, *tiles.get(&id)?))) {
            let Some((tileset, id)) = set.exported(id) else { continue };
            let Some((frame, attribute)) = tileset.attribute_of(id) else { continue };
            let mut path = Path::new();
            path.push_name(b"tile_attributes");
            path.push_nth(b"frame", u32::try_from(frame).unwrap_or(u32::MAX));
            let mut changes = compare(&attribute, tile, map.tile_size(), &path)?;
            // Shapes follow from the properties; they count where only they changed.
            if let Some(old) = tileset.shapes_of(id).filter(|_| has_shapes && changes.is_empty()) {
                let new = tile.objectgroup.as_ref().map_or(&[][..], |shapes| &shapes.objects);
                let new = shapes::read(new, game, &path)?;
                let mut sorted = new.clone();
                sorted.sort_unstable();
                if sorted != old {
                    changes = shapes::changes(&attribute, &new, &path)?;
                }
            }
            if changes.is_empty() {
                continue;
            }
            if frames.insert(frame, changes.clone()).is_some_and(|other| other != changes) {
                let why = "two tiles of the map show this attribute, with different changes".to_owned();
                return Err(EditError::new(&path, EditErrorKind::Malformed { line: None, why }));
            }
        }
    }
    Ok(frames.into_values().flatten().collect())
}

fn compare(attribute: &Attribute<'_>, tile: &saved::Tile, size: [u32; 2], path: &Path) -> Result<Vec<Change>> {
    let old = attribute.kind();
    let kind = kind(old, tile, path)?;
    // What all kinds begin with stays if the kind changes.
    let known: HashMap<&str, FieldValue<'_>> = attribute.fields().map(|(info, value)| (info.name, value)).collect();
    let mut changes = Vec::new();
    let mut set = |name: &str, from, to| {
        let mut path = path.clone();
        path.push_name(name.as_bytes());
        changes.push(Change::Set { path, from, to });
    };
    if kind != old {
        set(KIND, Some(old.into()), kind.into());
    }
    let zeros = [0; size_of::<DoubleRecord>()];
    for info in Attribute::fields_of(kind).unwrap_or(&[]).iter().filter(|info| info.name != KIND) {
        let is_kept = kind == old || AttributeHead::FIELDS.iter().any(|head| head.name == info.name);
        let field = known.get(info.name).copied().filter(|_| is_kept).unwrap_or_else(|| info.value(&zeros));
        // Only a tile with a class leaves out what is as the class says.
        let default = tile_default(info.name, size).filter(|_| !tile.class.is_empty());
        let mut path = path.clone();
        path.push_name(info.name.as_bytes());
        let new = changed(info, field, &tile.properties, default.as_ref(), Encoding::default(), &path)?;
        if let Some(new) = new {
            set(info.name, is_kept.then(|| value(info, field)), new);
        }
    }
    Ok(changes)
}

/// Returns the number of the attribute's kind, which is the tile's class, or two properties.
fn kind(old: u32, tile: &saved::Tile, path: &Path) -> Result<u32> {
    let mut path = path.clone();
    path.push_name(KIND.as_bytes());
    let unknown = |name: &str| {
        let why = format!("{name:?} is no kind of attribute: expected {}", KINDS.map(tile_class).join(", "));
        EditError::new(&path, EditErrorKind::Malformed { line: None, why })
    };
    let by_name = |name: &str, of: &dyn Fn(&str) -> String| {
        (1_u32..).zip(KINDS).find(|(_, kind)| of(kind) == name).map(|(kind, _)| kind).ok_or_else(|| unknown(name))
    };
    let mut new = None;
    let class =
        Some(&*tile.class).filter(|class| !class.is_empty()).map(|class| by_name(class, &|kind| tile_class(kind)));
    let property = tile.properties.get("attribute_kind").map(|kind| by_name(kind, &|kind| kind.to_owned()));
    let number = tile.properties.get(KIND).map(|kind| kind.parse().map_err(|_| unknown(kind)));
    for kind in [class, property, number].into_iter().flatten() {
        let kind = kind?;
        if kind != old {
            pick(&mut new, kind, &path)?;
        }
    }
    match new {
        Some(1 | 2) | None => Ok(new.unwrap_or(old)),
        Some(3) => Err(EditError::unsupported(&path, "a map does not have the pixels of a mask")),
        Some(other) => Err(unknown(&other.to_string())),
    }
}
