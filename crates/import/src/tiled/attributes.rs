//! Tile attributes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use worldview_core::describe::FieldValue;
use worldview_core::{Path, quote};
use worldview_edit::account::{Column, Entry};
use worldview_export::Encoding;
use worldview_export::level::tiled::{Map, Shape, bytes_name, property_name, tile_class, tile_default};
use worldview_wwd::raw::{AttributeHead, DoubleRecord};
use worldview_wwd::{Attribute, Game};

use super::codes::{ABSENT, ATTRIBUTE, CONTRADICTION, DERIVED, FOREIGN, PICTURE, TILESET, is_ignored};
use super::draft::{Draft, property};
use super::fields::{changed, pick, value};
use super::grid::{Tilesets, stem};
use super::pictures::Picture;
use super::{compare, saved, shapes};
use crate::planner::rows::KIND;
use worldview_edit::{Change, EditError, EditErrorKind, Result};

/// The kinds of attributes by number, from 1.
const KINDS: [&str; 3] = ["single", "double", "mask"];

/// Compares the tilesets, and the properties of their tiles with the attributes that the export writes there.
pub(super) fn tilesets(
    draft: &mut Draft,
    map: &Map<'_>,
    tilesets: &Tilesets<'_>,
    exported: &saved::Map,
    game: Option<Game>,
) {
    // Several tiles may show one attribute; those that are as the export wrote them say nothing.
    let mut frames: BTreeMap<usize, Vec<Change>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut last = None;
    for set in tilesets.iter() {
        draft.place = format!("tileset {}", quote(&set.saved.name));
        if last.replace(set.saved.firstgid) == Some(set.saved.firstgid) {
            let message = format!("two tilesets have {} as the id of their first tile", set.saved.firstgid);
            draft.refuse(CONTRADICTION, "attribute \"firstgid\"", message);
        }
        let Some((index, own)) = set.own else {
            foreign(draft, set.saved);
            continue;
        };
        if !seen.insert(index) {
            draft.leave_out(
                FOREIGN,
                "",
                "the map has this tileset twice; the attributes of its second tiles do not count",
            );
            continue;
        }
        let Some(exported) = exported.tilesets.get(index) else { continue };
        tileset(draft, set.saved, exported);
        let place = draft.place.clone();
        // By the tile of the export that shows the same; the others are painted with frames that the level did not show.
        let mut tiles: BTreeMap<u32, &saved::Tile> = BTreeMap::new();
        let mut others = Vec::new();
        for tile in &set.saved.tiles {
            let Some(id) = set.exported(tile.id) else {
                others.push(tile);
                continue;
            };
            if tiles.insert(id, tile).is_some() {
                let message = "two tiles of the tileset show the same";
                draft.refuse(CONTRADICTION, &format!("tile {}", tile.id), message);
            }
        }
        let has = |tile: &&saved::Tile| tile.objectgroup.is_some();
        let missing = exported.tiles.iter().filter(|tile| !tiles.contains_key(&tile.id));
        let missing: Vec<_> = missing.map(|tile| format!("tile {}", tile.id)).collect();
        if let (Some(first), true) = (missing.first().cloned(), set.saved.source.is_empty()) {
            let message = format!("{} tiles are missing, and their attributes stay", missing.len());
            let entry = Entry::new(Column::LeftOut, ABSENT, &draft.path, message).at(draft.at(&first));
            draft.planned.account.push(entry.about(missing.len() as u64, missing));
        }
        // Some programs drop the shapes of all tiles.
        let has_shapes = tiles.values().any(has);
        if !has_shapes && exported.tiles.iter().any(|tile| has(&tile)) && set.saved.source.is_empty() {
            draft.leave_out(ABSENT, "", "no tile has collision shapes any more; the attributes of all stay");
        }
        for tile in others {
            draft.place = format!("{place}, tile {}", tile.id);
            ["frame", "image_set_index"].iter().for_each(|name| tile.properties.read(name));
            let none = saved::Properties::default();
            compare::properties(draft, &tile.properties, &none, &BTreeSet::new(), |_| true);
            if !tile.class.is_empty() || tile.objectgroup.is_some() {
                draft.refuse(ATTRIBUTE, "", "the level has no attribute for this tile, which has a class or shapes");
            }
        }
        for (id, tile) in tiles {
            draft.place = format!("{place}, tile {}", tile.id);
            let mark = draft.path.mark();
            let Some(old) = usize::try_from(id).ok().and_then(|at| exported.tiles.get(at)) else { continue };
            if let Some((frame, attribute)) = own.attribute_of(id) {
                draft.path.push_name(b"tile_attributes");
                draft.path.push_nth(b"frame", u32::try_from(frame).unwrap_or(u32::MAX));
                let shapes = own.shapes_of(id).filter(|_| has_shapes);
                let changes = edited(draft, map, (&attribute, shapes), tile, game);
                let differs = |other: &Vec<Change>| *other != changes;
                if !changes.is_empty() && frames.get(&frame).is_some_and(differs) {
                    let why = "two tiles of the map show this attribute, with different changes";
                    draft.refuse(CONTRADICTION, "", why);
                } else if !changes.is_empty() {
                    frames.insert(frame, changes);
                }
            } else if !tile.class.is_empty() || tile.objectgroup.is_some() {
                draft.refuse(ATTRIBUTE, "", "the level has no attribute for this tile, which has a class or shapes");
            }
            compare::attributes(draft, "tile", &tile.rest, &old.rest, Column::LeftOut);
            let may_lack = |name: &str| match name {
                "frame" | "filled" => false,
                "image_set_index" => old.properties.peek(name) == Some("0"),
                _ => !tile.class.is_empty(),
            };
            let none = BTreeSet::new();
            let known = if own.attribute_of(id).is_some() { &*NAMES } else { &none };
            compare::properties(draft, &tile.properties, &old.properties, known, may_lack);
            draft.path.truncate(mark);
        }
    }
    draft.place = String::new();
    for (index, tileset) in exported.tilesets.iter().enumerate() {
        if !seen.contains(&index) {
            let message = format!("the tileset {} is missing, and its attributes stay", quote(&tileset.name));
            draft.leave_out(ABSENT, &format!("tileset {}", quote(&tileset.name)), message);
        }
    }
    frames.into_values().flatten().for_each(|change| draft.push(change));
}

/// The names of all properties that tiles can have.
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let fields = (1..=3).filter_map(Attribute::fields_of).flatten().map(|info| property_name(info.name).into_owned());
    let others = [
        "attribute_kind",
        "attribute_name",
        "filled",
        "frame",
        "image_set_index",
        "inside_name",
        "left_out",
        "outside_name",
    ];
    fields.chain(others.map(str::to_owned)).collect()
});

/// The names of the properties of pictures of objects.
static PICTURE_NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let names = ["image_set", "i", "is_lowest", "offset_x", "offset_y", "shows"].map(str::to_owned);
    names.into_iter().chain([bytes_name("image_set")]).collect()
});

/// Compares a tileset of the export with what became of it.
fn tileset(draft: &mut Draft, saved: &saved::Tileset, exported: &saved::Tileset) {
    if !saved.source.is_empty() {
        let message = format!("the tileset is in a file of its own, {}, which is not read", quote(&saved.source));
        draft.leave_out(TILESET, "attribute \"source\"", message);
        return;
    }
    if saved.name != exported.name {
        let message =
            format!("the tileset {} is called {}, which is not kept", quote(&exported.name), quote(&saved.name));
        draft.leave_out(TILESET, "attribute \"name\"", message);
    }
    if stem(&saved.image) != stem(&exported.image) {
        let message = format!("the tileset has the picture {}, which is not kept", quote(&saved.image));
        draft.leave_out(TILESET, "attribute \"image\"", message);
    }
    compare::attributes(draft, "tileset", &saved.rest, &exported.rest, Column::LeftOut);
    compare::properties(draft, &saved.properties, &exported.properties, &BTreeSet::new(), |_| false);
}

/// Compares a tileset that the export does not have: pictures of objects, or one that a user has added.
fn foreign(draft: &mut Draft, saved: &saved::Tileset) {
    let is_picture = |tile: &saved::Tile| tile.properties.peek("image_set").is_some();
    if !saved.tiles.iter().any(is_picture) {
        if !saved.tiles.iter().any(|tile| tile.properties.peek("frame").is_some()) {
            draft.leave_out(FOREIGN, "", format!("the tileset {} is not part of the level", saved.shown()));
        }
        return;
    }
    // Exports of older versions do not have it.
    let has_check = saved.tiles.iter().any(|tile| tile.properties.peek("shows").is_some());
    let place = draft.place.clone();
    let mut seen = BTreeSet::new();
    for tile in &saved.tiles {
        draft.place = format!("{place}, tile {}", tile.id);
        if !seen.insert(tile.id) {
            draft.refuse(CONTRADICTION, "", format!("the tileset has two tiles with the id {}", tile.id));
        } else if Picture::of(tile).is_none() {
            let why = "the properties of the tile say what its picture is and cannot be edited";
            draft.refuse(PICTURE, "", why);
        }
        if tile.properties.peek("shows").is_none() && has_check {
            draft.leave_out(ABSENT, "property \"shows\"", "the property says that nobody has edited the others");
        }
        PICTURE_NAMES.iter().for_each(|name| tile.properties.read(name));
        compare::attributes(draft, "tile", &tile.rest, &Vec::new(), Column::LeftOut);
        compare::properties(draft, &tile.properties, &saved::Properties::default(), &PICTURE_NAMES, |_| true);
    }
    draft.place = place;
    let rest = saved.rest.iter().filter(|(name, _)| !is_ignored("pictures", name)).cloned().collect();
    compare::attributes(draft, "tileset", &rest, &Vec::new(), Column::LeftOut);
    compare::properties(draft, &saved.properties, &saved::Properties::default(), &BTreeSet::new(), |_| false);
}

/// Returns the changes of an attribute: by the properties of a tile, or by its shapes.
fn edited(
    draft: &mut Draft,
    map: &Map<'_>,
    (attribute, old): (&Attribute<'_>, Option<Vec<Shape>>),
    tile: &saved::Tile,
    game: Option<Game>,
) -> Vec<Change> {
    let path = draft.path.clone();
    if tile.class.is_empty() && tile.properties.peek("attribute_kind").is_none() && tile.properties.peek(KIND).is_none()
    {
        draft.leave_out(ABSENT, "attribute \"type\"", "the tile has no class, and the kind of its attribute stays");
    }
    let changes = properties(draft, attribute, tile, map.tile_size());
    let none = saved::Shapes::default();
    let Some(old) = old else { return changes };
    let group = tile.objectgroup.as_ref().unwrap_or(&none);
    let size = [attribute.width(), attribute.height()];
    let read = shapes::read(draft, group, size, game);
    let Some(new) = draft.attempt(read, "shapes") else { return changes };
    let mut sorted = new.clone();
    sorted.sort_unstable();
    if sorted == old {
        return changes;
    }
    // Shapes follow from the properties; they count where only they changed.
    if !changes.is_empty() {
        draft.leave_out(DERIVED, "shapes", "the properties of the tile changed, so its shapes do not count");
        return changes;
    }
    draft.attempt(shapes::changes(attribute, &new, &path), "shapes").unwrap_or_default()
}

/// Compares the properties of a tile with its attribute.
fn properties(draft: &mut Draft, attribute: &Attribute<'_>, tile: &saved::Tile, size: [u32; 2]) -> Vec<Change> {
    let old = attribute.kind();
    let kind = kind(old, tile, &draft.path);
    let kind = draft.attempt(kind, "attribute \"type\"").unwrap_or(old);
    // What all kinds begin with stays if the kind changes.
    let known: HashMap<&str, FieldValue<'_>> = attribute.fields().map(|(info, value)| (info.name, value)).collect();
    let mut changes = Vec::new();
    if kind != old {
        changes.push(Change::Set { path: draft.field(KIND), from: Some(old.into()), to: kind.into() });
    }
    let zeros = [0; size_of::<DoubleRecord>()];
    for info in Attribute::fields_of(kind).unwrap_or(&[]).iter().filter(|info| info.name != KIND) {
        let is_kept = kind == old || AttributeHead::FIELDS.iter().any(|head| head.name == info.name);
        let field = known.get(info.name).copied().filter(|_| is_kept).unwrap_or_else(|| info.value(&zeros));
        // Only a tile with a class leaves out what is as the class says.
        let default = tile_default(info.name, size).filter(|_| !tile.class.is_empty());
        let path = draft.field(info.name);
        let new = changed(info, field, &tile.properties, default.as_ref(), Encoding::default(), &path);
        if let Some(to) = draft.attempt(new, &property(info.name)).flatten() {
            changes.push(Change::Set { path, from: is_kept.then(|| value(info, field)), to });
        }
    }
    changes
}

/// Returns the number of the attribute's kind, which is the tile's class, or two properties.
fn kind(old: u32, tile: &saved::Tile, path: &Path) -> Result<u32> {
    let mut path = path.clone();
    path.push_name(KIND.as_bytes());
    let unknown = |name: &str| {
        let why = format!(
            "{name} is no kind of attribute: expected {}",
            KINDS.map(tile_class).join(", "),
            name = quote(name)
        );
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
