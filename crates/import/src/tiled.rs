//! Maps as Tiled saves them.

mod attributes;
mod cells;
mod codes;
mod compare;
mod draft;
mod fields;
mod grid;
mod header;
mod layers;
mod objects;
mod pictures;
mod saved;
mod shapes;
mod tmx;

use std::collections::BTreeSet;

use worldview_core::{Path, field_name};
use worldview_edit::account::Column;
use worldview_export::Encoding;
use worldview_export::level::tiled::{self, Map, bytes_name, from_printable, property_name};
use worldview_wwd::Level;
use worldview_wwd::raw::{AttributeHead, PlaneHeader};

use self::draft::Draft;
use self::grid::{Budget, Pair, Tilesets};
use self::layers::Layers;
use self::objects::Ids;
use self::pictures::Pictures;
use crate::planner::rows::frame;
use worldview_edit::order::{numbered, repeated};
use worldview_edit::{Change, Changes, EditError, Planned, Position, Result, Value};

pub(crate) use codes::DERIVED;
pub use codes::{CODES, IGNORED, Ignored};

/// Returns the changes that make a level what a saved map says, for [`wwd::apply`](worldview_edit::wwd::apply).
///
/// `map` is a `map.tmx` or `map.tmj` that `worldview export` wrote and Tiled or another program saved; its content decides which
/// of the two it is. `encoding` is the code page of the export. The map is compared with what the export of `original` writes:
/// defaults that Tiled drops, tile ids that it renumbers and coordinates that it rounds to six digits are no changes.
/// [Edited maps](worldview_wwd::format#edited-maps) lists what is read back.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// use worldview_import::tiled;
/// use worldview_edit::wwd;
/// use worldview_export::Encoding;
/// use worldview_wwd::{self, Level};
///
/// let image = worldview_wwd::unpack(file)?;
/// let level = Level::parse(&image)?;
/// let mut map = Vec::new(); // The map that the user edits.
/// worldview_export::level::tiled::plan(&level, Encoding::default())?[0].write_tmx(&mut map)?;
/// let map = String::from_utf8(map)?.replace(r#"name="start_x" type="int" value=""#, r#"name="start_x" type="int" value="1"#);
///
/// let changes = tiled::level(&level, map.as_bytes(), Encoding::default())?.complete()?;
/// assert_eq!(changes.len(), 1);
/// let edited = wwd::apply(file, &changes)?.to_vec();
/// # let image = worldview_wwd::unpack(&edited)?;
/// # assert_ne!(Level::parse(&image)?.header().start_x, level.header().start_x);
/// # Ok(())
/// # }
/// ```
///
/// What cannot be applied is refused in the account, and the rest is planned; what says nothing of a level is left out there.
/// [`IGNORED`] is what the account is silent about.
///
/// # Errors
///
/// Returns an error if:
///
/// - the map is malformed
/// - it is not a map of this level: its tile size is unknown
/// - the level itself cannot be exported
pub fn level(original: &Level<'_>, map: &[u8], encoding: Encoding) -> Result<Planned> {
    plan(original, read(map)?, false, encoding)
}

/// Does the same for a level that is being made from the map, which was edited since it was exported from another level. Of names that the
/// map has twice, the one that Tiled shows counts, and objects are in the order of the map.
pub(crate) fn of_new(original: &Level<'_>, map: &[u8], encoding: Encoding) -> Result<Planned> {
    let mut saved = read(map)?;
    agree(&mut saved.layers);
    plan(original, saved, true, encoding)
}

fn agree(layers: &mut [saved::Layer]) {
    const NAME: &str = field_name!(PlaneHeader, name);
    for layer in layers {
        let is_other = |name: &str| from_printable(name) != from_printable(&layer.name);
        let name = property_name(NAME);
        if layer.properties.peek(&name).is_some_and(is_other) {
            [&name, &*bytes_name(NAME)].into_iter().for_each(|name| layer.properties.remove(name));
            layer.properties.insert(name.into_owned(), Some(from_printable(&layer.name).into_owned()));
        }
        agree(&mut layer.layers);
    }
}

/// Gives objects the ids that they have in an export.
fn renumber(layers: &mut [saved::Layer], first: u32) {
    let objects = layers.iter_mut().flat_map(|layer| &mut layer.objects);
    let objects = objects.filter(|object| object.template.is_empty() && object.shape().is_none());
    (first..).zip(objects).for_each(|(id, object)| object.id = id);
}

fn plan(original: &Level<'_>, mut saved: saved::Map, is_new: bool, encoding: Encoding) -> Result<Planned> {
    let maps = tiled::plan(original, encoding).map_err(crate::not_exported)?;
    let tile = [saved.tilewidth, saved.tileheight];
    let Some(map) = maps.iter().find(|map| map.tile_size() == tile) else {
        let sizes: Vec<_> = maps.iter().map(|map| size_text(map.tile_size())).collect();
        let why = format!("the map has tiles of {}, and the level of {}", size_text(tile), sizes.join(", "));
        return Err(EditError::malformed(None, why));
    };
    let mut exported = export(map, saved.is_xml)?;
    let place = String::new();
    let mut draft = Draft { planned: Planned::default(), path: Path::new(), place, encoding };
    let mut layers = Layers::default();
    layers.collect(std::mem::take(&mut saved.layers), &mut draft);
    let exported_layers = layers::exported(std::mem::take(&mut exported.layers));
    header::map(&mut draft, original, &saved, &exported);

    let tilesets = Tilesets::of(map, &saved);
    let pictures = Pictures::of(&tilesets, map.tile_size());
    let mut ids = Ids::of(original)?;
    let mut budget = Budget::of(&maps);
    let names = numbered(original.planes().iter().map(|plane| plane.name().to_vec()));
    let repeated = repeated(&[&names]);
    let mut slots = layers.pair(map, &mut draft);
    if is_new {
        map.layers().iter().zip(&mut slots).for_each(|(layer, slot)| renumber(&mut slot.objects, layer.first_object()));
    }
    let mut has_resized = [false; 2];
    for ((layer, slot), (own, own_objects)) in map.layers().iter().zip(slots).zip(&exported_layers) {
        let plane = layer.plane();
        let mark = draft.path.mark();
        if let Some((name, nth)) = names.get(plane.index()) {
            draft.path.push("plane", name, repeated.contains(name).then_some(*nth));
        }
        draft.place = layers::place(slot.tiles.as_ref().unwrap_or(own));
        if let Some(tiles) = &slot.tiles {
            let sides = header::plane(&mut draft, layer, tiles);
            let image_sets = header::image_sets(&mut draft, layer, tiles)?;
            let pair =
                Pair { map, layer, saved: &saved, saved_layer: tiles, tilesets: &tilesets, image_sets: &image_sets };
            let compared = pair.compare(&mut draft, sides, &mut budget);
            let resized = draft.attempt(compared, "").unwrap_or([true; 2]);
            has_resized.iter_mut().zip(resized).for_each(|(any, one)| *any |= one);
            compare::attributes(&mut draft, "layer", &tiles.rest, &own.rest, Column::LeftOut);
            for chunk in &tiles.chunks {
                compare::attributes(&mut draft, "layer", &chunk.rest, &Vec::new(), Column::LeftOut);
            }
            compare::properties(&mut draft, &tiles.properties, &own.properties, &BTreeSet::new(), |_| false);
        } else {
            let why = "the tile layer of the plane is missing, and planes cannot be removed";
            draft.refuse(codes::LAYER, "", why);
        }
        for (nth, objects) in slot.objects.iter().enumerate() {
            draft.place = layers::place(objects);
            let tiles = slot.tiles.as_ref().unwrap_or(own);
            layers::object_layer(&mut draft, objects, own_objects.as_ref(), tiles, nth == 0);
        }
        let own = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>()?;
        match (own_objects, slot.objects.is_empty()) {
            (Some(objects), true) if slot.is_unsure => {
                draft.place = layers::place(objects);
                draft.refuse(codes::LAYER, "", "the object layer of the plane is missing, or of an unknown type");
            }
            (objects, is_missing) => {
                if let Some(objects) = objects.as_ref().filter(|_| is_missing) {
                    draft.place = layers::place(objects);
                    let message = format!("the object layer is missing, and its {} objects are removed", own.len());
                    draft.note(Column::Done, codes::OBJECTS_REMOVED, "", message);
                }
                objects::objects(&mut draft, &own, layer.first_object(), &slot.objects, &pictures, &mut ids);
            }
        }
        draft.path.truncate(mark);
    }
    draft.place = String::new();
    header::size(&mut draft, map, &saved, has_resized);
    attributes::tilesets(&mut draft, map, &tilesets, &exported, original.game());
    Ok(draft.planned)
}

/// Returns the changes that give a level without planes the planes of a map, without tiles, and as many tile attributes as its tilesets
/// tell of.
pub(crate) fn skeleton(map: &[u8], encoding: Encoding) -> Result<Changes> {
    /// The most tiles of a plane before its cells are read.
    const MAX_EMPTY: u64 = 1 << 24;

    let saved = read(map)?;
    let mut layers = Vec::new();
    collect(&saved.layers, &mut layers);
    let names = layers.iter().map(|layer| fields::encode(&from_printable(&layer.name), encoding, &Path::new()));
    let names = numbered(names.collect::<Result<Vec<_>>>()?.into_iter());
    let repeated = repeated(&[&names]);
    let [width, height] = [saved.tilewidth, saved.tileheight].map(Value::from);
    let add = |path: Path, fields: &[(&str, &Value)]| {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).clone())).collect();
        Change::Add { path, like: None, position: Position::Natural, fields, data: None }
    };
    let mut changes = Changes::new();
    for ((name, nth), layer) in names.iter().zip(layers) {
        let mut path = Path::new();
        path.push("plane", name, repeated.contains(name).then_some(*nth));
        let is_small = u64::from(layer.width).saturating_mul(layer.height.into()) <= MAX_EMPTY;
        let [columns, rows] = [layer.width, layer.height].map(|side| Value::from(if is_small { side } else { 0 }));
        let fields = [
            (field_name!(PlaneHeader, tile_width), &width),
            (field_name!(PlaneHeader, tile_height), &height),
            (field_name!(PlaneHeader, tiles_wide), &columns),
            (field_name!(PlaneHeader, tiles_high), &rows),
        ];
        changes.push(add(path, &fields));
    }
    let tells = |tile: &&saved::Tile| !tile.class.is_empty() || tile.properties.peek("attribute_kind").is_some();
    let tiles = saved.tilesets.iter().flat_map(|set| &set.tiles).filter(tells);
    let frames = tiles.filter_map(|tile| tile.properties.peek("frame")?.parse::<u16>().ok());
    let kind = Value::from(1);
    for index in 0..frames.max().map_or(0, |last| usize::from(last).saturating_add(1)) {
        let fields = [
            (field_name!(AttributeHead, kind), &kind),
            (field_name!(AttributeHead, width), &width),
            (field_name!(AttributeHead, height), &height),
        ];
        changes.push(add(frame(index), &fields));
    }
    Ok(changes)
}

/// Collects the tile layers, those in groups included.
fn collect<'l>(layers: &'l [saved::Layer], found: &mut Vec<&'l saved::Layer>) {
    for layer in layers {
        match layer.kind.as_str() {
            "tilelayer" => found.push(layer),
            _ => collect(&layer.layers, found),
        }
    }
}

/// Reads the export of a map in one of its forms, without cells and objects: their planners know what they are.
fn export(map: &Map<'_>, is_xml: bool) -> Result<saved::Map> {
    let map = map.clone().full(true).outline(true);
    let mut out = Vec::new();
    let written = if is_xml { map.write_tmx(&mut out) } else { map.write_tmj(&mut out) };
    written.map_err(crate::not_exported)?;
    read(&out)
}

/// Bytes of a JSON object of a map, and a number of objects that may be smaller: an empty one takes a hundred times its length
/// in memory.
const MIN_OBJECT: usize = 8;
const MANY_OBJECTS: usize = 4096;

fn size_text([width, height]: [u32; 2]) -> String {
    format!("{width}x{height}")
}

/// Reads a map: XML or JSON.
fn read(map: &[u8]) -> Result<saved::Map> {
    let map = map.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(map);
    let text = std::str::from_utf8(map).map_err(|error| {
        let breaks = map.iter().take(error.valid_up_to()).filter(|&&byte| byte == b'\n').count();
        EditError::malformed(u64::try_from(breaks).ok().map(|line| line.saturating_add(1)), "the map is not UTF-8")
    })?;
    match text.trim_start().as_bytes().first() {
        Some(b'<') => tmx::read(text).map(|map| saved::Map { is_xml: true, ..map }),
        Some(b'{')
            if memchr::memchr_iter(b'{', map).nth(MANY_OBJECTS.saturating_add(text.len() / MIN_OBJECT)).is_some() =>
        {
            Err(EditError::malformed(None, "the map has more objects than maps of its length have"))
        }
        Some(b'{') => serde_json::from_str(text).map_err(|error| {
            let line = u64::try_from(error.line()).ok().filter(|line| *line > 0);
            EditError::malformed(line, error.to_string())
        }),
        _ => Err(EditError::malformed(None, "this is not a Tiled map: expected XML or a JSON object")),
    }
}
