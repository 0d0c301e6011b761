//! Tile attributes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use worldview_core::describe::FieldValue;
use worldview_core::{Path, quote};
use worldview_edit::account::{Column, Entry};
use worldview_export::Encoding;
use worldview_export::level::tiled::{Map, Shape, property_name, tile_class, tile_default};
use worldview_wwd::raw::{AttributeHead, DoubleRecord};
use worldview_wwd::{Attribute, Game};

use super::codes::{ABSENT, ATTRIBUTE, CONTRADICTION, DERIVED, FOREIGN, PICTURE};
use super::compare::{self, Sides};
use super::draft::{Draft, property};
use super::fields::{changed, pick, value};
use super::grid::Tilesets;
use super::pictures::Picture;
use super::saved::{Element, Kind};
use super::shapes;
use crate::planner::rows::{KIND, frame as frame_path};
use worldview_edit::{Change, EditError, Result};

/// The kinds of attributes by number, from 1.
const KINDS: [&str; 3] = ["single", "double", "mask"];

/// Compares the properties of tiles with the attributes that the export writes there.
pub(super) fn attributes(draft: &mut Draft, map: &Map<'_>, tilesets: &Tilesets<'_>, game: Option<Game>) {
    // Several tiles may show one attribute; those that are as the export wrote them say nothing.
    let mut frames: BTreeMap<usize, Vec<Change>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut last = None;
    for set in tilesets.iter() {
        draft.place = format!("tileset {}", quote(set.saved.name()));
        if last.replace(set.first) == Some(set.first) {
            let message = format!("two tilesets have {} as the id of their first tile", set.first);
            draft.refuse(CONTRADICTION, "attribute \"firstgid\"", message);
        }
        let Some((index, own)) = set.own else { continue };
        if !seen.insert(index) {
            let message = "the map has this tileset twice; the attributes of its second tiles do not count";
            draft.leave_out(FOREIGN, "", message);
            continue;
        }
        let place = draft.place.clone();
        // By the tile of the export that shows the same; the others are painted with frames that the level did not show.
        let mut tiles: BTreeMap<u32, &Element> = BTreeMap::new();
        for tile in set.saved.all(Kind::Tile) {
            if set.exported(tile).is_some_and(|id| tiles.insert(id, tile).is_some()) {
                let message = "two tiles of the tileset show the same";
                draft.refuse(CONTRADICTION, &format!("tile {}", tile.text("id")), message);
            }
        }
        // Some programs drop the shapes of all tiles.
        let has_shapes = tiles.values().any(|tile| !tile.children.is_empty());
        let count = u32::try_from(own.sheet().cells.len()).unwrap_or(u32::MAX);
        let had_shapes = || (0..count).any(|id| own.shapes_of(id).is_some_and(|shapes| !shapes.is_empty()));
        if !has_shapes && set.saved.get("source").is_none() && had_shapes() {
            draft.leave_out(ABSENT, "", "no tile has collision shapes any more; the attributes of all stay");
        }
        for (id, tile) in tiles {
            let Some((frame, attribute)) = own.attribute_of(id) else { continue };
            draft.place = format!("{place}, tile {}", tile.text("id"));
            let mark = draft.path.mark();
            draft.path = frame_path(frame);
            let shapes = own.shapes_of(id).filter(|_| has_shapes);
            let changes = edited(draft, map, (&attribute, shapes), tile, game);
            let differs = |other: &Vec<Change>| *other != changes;
            if !changes.is_empty() && frames.get(&frame).is_some_and(differs) {
                let why = "two tiles of the map show this attribute, with different changes";
                draft.refuse(CONTRADICTION, "", why);
            } else if !changes.is_empty() {
                frames.insert(frame, changes);
            }
            draft.path.truncate(mark);
        }
    }
    draft.place = String::new();
    frames.into_values().flatten().for_each(|change| draft.push(change));
}

/// Compares the tilesets with those of the exports of the result and of the original, in both of which `sets` find them.
pub(super) fn compare(draft: &mut Draft, exports: [&Element; 2], sets: [&Tilesets<'_>; 2]) {
    let ([own_export, was_export], [own_sets, was_sets]) = (exports, sets);
    let none = Element::new(Kind::Tileset);
    let is_renamed = own_export.children.len() == was_export.children.len();
    let mut seen = BTreeSet::new();
    for (own_set, was_set) in own_sets.iter().zip(was_sets.iter()) {
        let saved = was_set.saved;
        draft.place = format!("tileset {}", quote(saved.name()));
        let indexes = [own_set, was_set].map(|set| set.own.map(|(index, _)| index));
        let [own, was] = [indexes[0].or(indexes[1].filter(|_| is_renamed)), indexes[1]];
        if own.or(was).is_none() {
            foreign(draft, saved);
            continue;
        }
        if was.is_some_and(|index| !seen.insert(index)) {
            continue;
        }
        let [own, was] = [child(own_export, own), child(was_export, was)].map(|found| found.unwrap_or(&none));
        let known = BTreeSet::new();
        compare::element(draft, saved, &Sides { of: "tileset", own, was, known: &known }, &|_, _| false);
        let (place, mut tiles) = (draft.place.clone(), BTreeSet::new());
        for tile in saved.all(Kind::Tile) {
            let was_id = was_set.exported(tile);
            if was_id.is_some_and(|id| !tiles.insert(id)) {
                continue;
            }
            let own_id = own_set.exported(tile).or(was_id.filter(|_| own_set.own.is_none()));
            draft.place = format!("{place}, tile {}", tile.text("id"));
            let mark = draft.path.mark();
            let attribute = was_id.and_then(|id| was_set.own?.1.attribute_of(id));
            if let Some((frame, _)) = attribute {
                draft.path = frame_path(frame);
            }
            let [own_id, was_id] = [own_id, was_id].map(|id| usize::try_from(id?).ok());
            let [own, was] = [child(own, own_id), child(was, was_id)];
            if attribute.is_none() && !tile.children.is_empty() {
                draft.refuse(ATTRIBUTE, "shapes", "the level has no attribute for this tile, which has shapes");
            }
            // It is painted with a frame that the level did not show.
            let other = tile.only(["frame", "image_set_index"]);
            let (own, was) = (own.unwrap_or(&other), was.unwrap_or(&other));
            let may_lack = |name: &str, value: &str| match name {
                "frame" | "filled" => false,
                "image_set_index" => value == "0",
                _ => !tile.class().is_empty(),
            };
            let known = if attribute.is_some() { &*NAMES } else { &known };
            compare::element(draft, tile, &Sides { of: "tile", own, was, known }, &may_lack);
            draft.path.truncate(mark);
        }
        draft.place = place;
        let missing = was.all(Kind::Tile).filter(|tile| !tiles.contains(&tile.number("id")));
        let missing: Vec<_> = missing.map(|tile| format!("tile {}", tile.text("id"))).collect();
        if let (Some(first), None) = (missing.first().cloned(), saved.get("source")) {
            let message = format!("{} tiles are missing, and their attributes stay", missing.len());
            let entry = Entry::new(Column::LeftOut, ABSENT, &draft.path, message).at(draft.at(&first));
            draft.planned.account.push(entry.about(missing.len() as u64, missing));
        }
    }
    draft.place = String::new();
    for (index, tileset) in was_export.all(Kind::Tileset).enumerate() {
        if !seen.contains(&index) {
            let message = format!("the tileset {} is missing, and its attributes stay", quote(tileset.name()));
            draft.leave_out(ABSENT, &format!("tileset {}", quote(tileset.name())), message);
        }
    }
}

/// Returns a tileset or a tile of an export, which are in the order of their numbers.
fn child(parent: &Element, index: Option<usize>) -> Option<&Element> {
    parent.children.get(index?)
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

/// Compares a tileset that the export does not have: pictures of objects, or one that a user has added.
fn foreign(draft: &mut Draft, saved: &Element) {
    let has = |name: &str| saved.all(Kind::Tile).any(|tile| tile.properties.get(name).is_some());
    if !has("image_set") {
        if !has("frame") {
            draft.leave_out(FOREIGN, "", format!("the tileset {} is not part of the level", saved.shown()));
        }
        return;
    }
    // Exports of older versions do not have it.
    let has_check = has("shows");
    let place = draft.place.clone();
    let (mut seen, known) = (BTreeSet::new(), BTreeSet::new());
    for tile in saved.all(Kind::Tile) {
        draft.place = format!("{place}, tile {}", tile.text("id"));
        if !seen.insert(tile.number::<u32>("id")) {
            draft.refuse(CONTRADICTION, "", format!("the tileset has two tiles with the id {}", tile.text("id")));
        } else if Picture::of(tile).is_none() {
            let why = "the properties of the tile say what its picture is and cannot be edited";
            draft.refuse(PICTURE, "", why);
        }
        if tile.properties.get("shows").is_none() && has_check {
            draft.leave_out(ABSENT, "property \"shows\"", "the property says that nobody has edited the others");
        }
        if !tile.children.is_empty() {
            draft.refuse(ATTRIBUTE, "shapes", "a picture of objects has no attribute");
        }
        let names = ["image_set", "image_set_bytes", "i", "is_lowest", "offset_x", "offset_y", "shows"];
        let own = tile.only(names);
        let sides = Sides { of: "tile", own: &own, was: &own, known: &known };
        compare::element(draft, tile, &sides, &|_, _| true);
    }
    draft.place = place;
    let none = Element::new(Kind::Tileset);
    let sides = Sides { of: "pictures", own: &none, was: &none, known: &known };
    compare::element(draft, saved, &sides, &|_, _| true);
}

/// Returns the changes of an attribute: by the properties of a tile, or by its shapes.
fn edited(
    draft: &mut Draft,
    map: &Map<'_>,
    (attribute, old): (&Attribute<'_>, Option<Vec<Shape>>),
    tile: &Element,
    game: Option<Game>,
) -> Vec<Change> {
    let path = draft.path.clone();
    let says_kind = |name: &&str| tile.properties.get(name).is_some();
    if tile.class().is_empty() && !["attribute_kind", KIND].iter().any(says_kind) {
        draft.leave_out(ABSENT, "attribute \"type\"", "the tile has no class, and the kind of its attribute stays");
    }
    let changes = properties(draft, attribute, tile, map.tile_size());
    let none = Element::new(Kind::Shapes);
    let Some(old) = old else { return changes };
    let group = tile.all(Kind::Shapes).next().unwrap_or(&none);
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
fn properties(draft: &mut Draft, attribute: &Attribute<'_>, tile: &Element, size: [u32; 2]) -> Vec<Change> {
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
        let default = tile_default(info.name, size).filter(|_| !tile.class().is_empty());
        let path = draft.field(info.name);
        let new = changed(info, field, &tile.properties, default.as_ref(), Encoding::default(), &path);
        if let Some(to) = draft.attempt(new, &property(info.name)).flatten() {
            changes.push(Change::Set { path, from: is_kept.then(|| value(info, field)), to });
        }
    }
    changes
}

/// Returns the number of the attribute's kind, which is the tile's class, or two properties.
fn kind(old: u32, tile: &Element, path: &Path) -> Result<u32> {
    let path = path.with(|path| path.push_name(KIND.as_bytes()));
    let unknown = |name: &str| {
        let why = format!(
            "{name} is not a kind of attribute: expected {}",
            KINDS.map(tile_class).join(", "),
            name = quote(name)
        );
        EditError::wrong(&path, why)
    };
    let by_name = |name: &str, of: &dyn Fn(&str) -> String| {
        (1_u32..).zip(KINDS).find(|(_, kind)| of(kind) == name).map(|(kind, _)| kind).ok_or_else(|| unknown(name))
    };
    let mut new = None;
    let class =
        Some(tile.class()).filter(|class| !class.is_empty()).map(|class| by_name(class, &|kind| tile_class(kind)));
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
