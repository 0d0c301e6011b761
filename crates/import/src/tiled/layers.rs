//! The layers of a saved map, and the planes that they became.

use std::collections::{BTreeSet, HashMap, VecDeque};

use worldview_core::{Path, quote};
use worldview_export::Encoding;
use worldview_export::level::tiled::{Map, from_printable};

use super::codes::{ATTRIBUTE, CONTRADICTION, FOREIGN, LAYER};
use super::compare::{self, Sides};
use super::draft::Draft;
use super::edited::Edited;
use super::saved::{Element, Kind};

/// The layers of a saved map, those in groups included.
#[derive(Default)]
pub(super) struct Layers {
    tiles: Vec<Element>,
    objects: Vec<Element>,
    /// Names of layers of which it is unknown what they are.
    unknown: Vec<String>,
}

/// The layers of a plane.
#[derive(Default)]
pub(super) struct Slot {
    /// The path of the plane.
    pub(super) path: Path,
    pub(super) tiles: Option<Element>,
    pub(super) objects: Vec<Element>,
    /// The objects that are not as the export wrote them.
    pub(super) edited: Vec<Edited>,
    /// Whether a layer of an unknown type may be its object layer.
    pub(super) is_unsure: bool,
}

/// Returns the words for the place of a layer.
pub(super) fn place(layer: &Element) -> String {
    format!("layer {}", quote(layer.name()))
}

impl Layers {
    /// Takes the layers of a map. Both readers bound how deep groups are nested.
    pub(super) fn collect(&mut self, layers: Vec<Element>, draft: &mut Draft) {
        for mut layer in layers {
            let at = place(&layer);
            match layer.class() {
                "tilelayer" => self.tiles.push(layer),
                "objectgroup" => self.objects.push(layer),
                "group" => {
                    let plain = [("offsetx", 0.0), ("offsety", 0.0), ("parallaxx", 1.0), ("parallaxy", 1.0)];
                    if plain.iter().any(|(name, plain)| layer.number::<f64>(name) != *plain) {
                        let why = "the group moves its layers, which groups of a level cannot do; move the layers";
                        draft.refuse(ATTRIBUTE, &at, why);
                    }
                    let message = format!("the group {} is not part of the level; its layers are", quote(layer.name()));
                    draft.leave_out(FOREIGN, &at, message);
                    self.collect(std::mem::take(&mut layer.children), draft);
                }
                "imagelayer" => {
                    let message = format!("the image layer {} is not part of the level", quote(layer.name()));
                    draft.leave_out(FOREIGN, &at, message);
                }
                kind => {
                    let message = format!("the layer {} has the unknown type {}", quote(layer.name()), quote(kind));
                    draft.refuse(LAYER, &at, message);
                    self.unknown.push(from_printable(layer.name()).into_owned());
                }
            }
        }
    }

    /// Returns the tile layer and the object layers of each plane of a map. Names those of no plane.
    pub(super) fn pair(self, map: &Map<'_>, draft: &mut Draft) -> Vec<Slot> {
        let encoding = draft.encoding;
        let planes = Planes::of(map, encoding);
        let mut slots: Vec<Slot> = map.layers().iter().map(|_| Slot::default()).collect();
        let mut names: HashMap<&str, VecDeque<usize>> =
            planes.by_name.iter().map(|(name, list)| (name.as_str(), list.iter().copied().collect())).collect();
        // A copy of a layer has its number too, but another name.
        let (sure, rest): (Vec<_>, Vec<_>) = (0_usize..)
            .zip(self.tiles)
            .partition(|(_, layer)| planes.number(layer).is_some_and(|index| planes.is_named(index, layer.name())));
        let (numbered, rest): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|(_, layer)| planes.number(layer).is_some());
        let mut order = Vec::new();
        let sure = sure.into_iter().map(|layer| (layer, true));
        for ((at, layer), is_sure) in sure.chain(numbered.into_iter().chain(rest).map(|layer| (layer, false))) {
            let is_free = |index: &usize| slots.get(*index).is_some_and(|slot| slot.tiles.is_none());
            let by_number = planes.number(&layer).filter(is_free);
            let by_name = || {
                let list = names.get_mut(&*from_printable(layer.name()))?;
                std::iter::from_fn(|| list.pop_front()).find(is_free)
            };
            // A second layer of a plane is not that of another plane with the same name.
            let index = if is_sure { by_number } else { by_number.or_else(by_name) };
            match index.and_then(|index| slots.get_mut(index)) {
                Some(slot) => {
                    order.push((index, at, layer.name().to_owned()));
                    slot.tiles = Some(layer);
                }
                None if is_sure => {
                    let message = format!("the plane has another tile layer than this one, {}", quote(layer.name()));
                    draft.refuse(CONTRADICTION, &place(&layer), message);
                }
                None => {
                    let what = "is not a plane of the level, and planes cannot be added";
                    draft.leave_out(FOREIGN, &place(&layer), format!("the tile layer {} {what}", quote(layer.name())));
                }
            }
        }
        order.sort_unstable();
        for pair in order.windows(2) {
            if let [(_, above, _), (_, below, name)] = pair
                && below < above
            {
                let message = format!("the layer {} is in another order, in which planes cannot be drawn", quote(name));
                draft.refuse(LAYER, &format!("layer {}", quote(name)), message);
            }
        }
        let mut unnumbered: HashMap<String, usize> = HashMap::new();
        for layer in self.objects {
            let mut index = planes.number(&layer);
            let named = planes.of_objects(layer.name());
            if let (Some(number), Some(same)) = (index, named)
                && !same.contains(&number)
            {
                let message =
                    format!("the layer is called {}, and has the number of another plane", quote(layer.name()));
                draft.refuse(CONTRADICTION, &format!("{}, property \"plane\"", place(&layer)), message);
                index = None;
            }
            let by_name = || {
                let same = named?;
                let count = unnumbered.entry(layer.name().to_owned()).or_default();
                let found = same.get(*count).or_else(|| same.first()).copied();
                *count = count.saturating_add(1);
                found
            };
            match index.or_else(by_name).and_then(|index| slots.get_mut(index)) {
                Some(slot) => slot.objects.push(layer),
                None => {
                    let what = "belongs to no plane: that would be \"<plane> objects\"";
                    draft.leave_out(
                        FOREIGN,
                        &place(&layer),
                        format!("the object layer {} {what}", quote(layer.name())),
                    );
                }
            }
        }
        for slot in &mut slots {
            slot.is_unsure = !self.unknown.is_empty();
        }
        slots
    }
}

/// The planes of a map by number and name.
struct Planes {
    names: Vec<String>,
    by_number: HashMap<usize, usize>,
    by_name: HashMap<String, Vec<usize>>,
}

impl Planes {
    fn of(map: &Map<'_>, encoding: Encoding) -> Self {
        let planes = || map.layers().iter().map(|layer| layer.plane());
        let names: Vec<_> = planes().map(|plane| encoding.decode(plane.name()).into_owned()).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            by_name.entry(name.clone()).or_default().push(index);
        }
        Self { by_number: planes().enumerate().map(|(index, plane)| (plane.index(), index)).collect(), names, by_name }
    }

    fn number(&self, layer: &Element) -> Option<usize> {
        let plane = layer.properties.get("plane")?.parse().ok()?;
        self.by_number.get(&plane).copied()
    }

    fn is_named(&self, index: usize, name: &str) -> bool {
        self.names.get(index).is_some_and(|own| *own == from_printable(name))
    }

    /// Returns the planes of which an object layer has the name.
    fn of_objects(&self, name: &str) -> Option<&[usize]> {
        let name = from_printable(name);
        self.by_name.get(name.strip_suffix(" objects").unwrap_or(&name)).map(Vec::as_slice)
    }
}

/// Refuses a draw order that is unknown: objects are in it.
pub(super) fn order(draft: &mut Draft, layer: &Element) {
    if !matches!(layer.text("draworder"), "" | "index" | "topdown") {
        draft.place = place(layer);
        let message =
            format!("the draw order {} is unknown: expected index or topdown", quote(layer.text("draworder")));
        draft.refuse(ATTRIBUTE, "attribute \"draworder\"", message);
    }
}

/// Compares an object layer with those of its plane in the exports of the result and of the original. The objects of a plane move with
/// its tile layer.
pub(super) fn compare_objects(
    draft: &mut Draft,
    layer: &Element,
    [own, was]: [Option<&Element>; 2],
    tiles: &Element,
    is_first: bool,
) {
    let none = Element::new(Kind::Layer);
    let mut own = own.cloned().unwrap_or_else(|| {
        let mut own = Element { attributes: tiles.attributes.clone(), ..tiles.only(["plane"]) };
        own.set("type", "objectgroup".to_owned());
        own.set("name", format!("{} objects", tiles.name()));
        own
    });
    // Users may add layers, and call them as they like.
    let was = was.filter(|_| is_first).unwrap_or(&none);
    if !is_first {
        own.set("name", layer.name().to_owned());
    }
    let sides = Sides { of: "layer", own: &own, was, known: &BTreeSet::new() };
    compare::element(draft, layer, &sides, &|_, _| !is_first);
}
