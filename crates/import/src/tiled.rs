//! Maps as Tiled saves them.

mod attributes;
mod cells;
mod codes;
mod compare;
mod draft;
mod edited;
mod fields;
mod grid;
mod header;
mod layers;
mod objects;
mod pictures;
mod saved;
mod shapes;
mod tmx;

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::de::DeserializeSeed as _;

use worldview_core::{Path, field_name, quote};
use worldview_edit::account::Column;
use worldview_edit::wwd;
use worldview_export::Encoding;
use worldview_export::level::tiled::{self, Map, bytes_name, from_printable, property_name, tile_class};
use worldview_wwd::raw::{AttributeHead, PlaneHeader};
use worldview_wwd::{Level, Object, unpack};

use self::compare::Sides;
use self::draft::Draft;
use self::grid::{Budget, Pair, Tilesets};
use self::layers::Layers;
use self::objects::NewIds;
use self::pictures::Pictures;
use self::saved::{Element, Kind};
use crate::planner::objects::{plane_paths, planes};
use crate::planner::rows::frame;
use worldview_edit::{Change, Changes, EditError, Planned, Position, Result, Value};

pub(crate) use codes::DERIVED;
pub use codes::{CODES, IGNORED, Ignored};

/// Returns the changes that make a level what a saved map says, for [`wwd::apply`].
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
    let (mut saved, is_xml) = read(map)?;
    agree(&mut saved.children);
    plan(original, (saved, is_xml), true, encoding)
}

fn agree(layers: &mut [Element]) {
    const NAME: &str = field_name!(PlaneHeader, name);
    for layer in layers.iter_mut().filter(|layer| layer.kind == Kind::Layer) {
        let (own, name) = (from_printable(layer.name()).into_owned(), property_name(NAME));
        if layer.properties.get(&name).is_some_and(|name| from_printable(name) != own) {
            layer.properties.remove(&bytes_name(NAME));
            layer.properties.set(name.into_owned(), own);
        }
        agree(&mut layer.children);
    }
}

/// Gives objects the ids that they have in an export.
fn renumber(layers: &mut [Element], first: u32) {
    let objects = layers.iter_mut().flat_map(|layer| &mut layer.children);
    let objects = objects.filter(|object| object.get("template").is_none() && object.shape().is_none());
    (first..).zip(objects).for_each(|(id, object)| object.set("id", id.to_string()));
}

fn plan(
    original: &Level<'_>,
    (mut saved, is_xml): (Element, bool),
    is_new: bool,
    encoding: Encoding,
) -> Result<Planned> {
    let maps = tiled::plan(original, encoding).map_err(crate::not_exported)?;
    let tile = ["tilewidth", "tileheight"].map(|name| saved.number(name));
    let Some(map) = maps.iter().find(|map| map.tile_size() == tile) else {
        let sizes: Vec<_> = maps.iter().map(|map| size_text(map.tile_size())).collect();
        let why = format!("the map has tiles of {}, and the level of {}", size_text(tile), sizes.join(", "));
        return Err(EditError::malformed(None, why));
    };
    let place = String::new();
    let mut draft = Draft { planned: Planned::default(), path: Path::new(), place, encoding, listed: HashSet::new() };
    let mut layers = Layers::default();
    let (found, others) = std::mem::take(&mut saved.children).into_iter().partition(|child| child.kind == Kind::Layer);
    saved.children = others;
    layers.collect(found, &mut draft);
    header::map(&mut draft, original, &saved);

    let tilesets = Tilesets::of(map, &saved);
    let pictures = Pictures::of(&tilesets, map.tile_size());
    let mut ids = NewIds::of(original, is_new)?;
    let mut budget = Budget::of(&maps);
    let paths = planes(original);
    let mut slots = layers.pair(map, &mut draft);
    if is_new {
        map.layers().iter().zip(&mut slots).for_each(|(layer, slot)| renumber(&mut slot.objects, layer.first_object()));
    }
    for (layer, slot) in map.layers().iter().zip(&mut slots) {
        let plane = layer.plane();
        slot.path = paths.get(plane.index()).cloned().unwrap_or_default();
        draft.path.clone_from(&slot.path);
        let name = encoding.decode(plane.name());
        draft.place = slot.tiles.as_ref().map_or_else(|| format!("layer {}", quote(&name)), layers::place);
        if let Some(tiles) = &slot.tiles {
            let sides = header::plane(&mut draft, layer, tiles);
            let image_sets = header::image_sets(&mut draft, layer, tiles)?;
            let pair =
                Pair { map, layer, saved: &saved, saved_layer: tiles, tilesets: &tilesets, image_sets: &image_sets };
            let compared = pair.compare(&mut draft, sides, &mut budget);
            draft.attempt(compared, "");
        } else {
            let why = "the tile layer of the plane is missing, and planes cannot be removed";
            draft.refuse(codes::LAYER, "", why);
        }
        let own = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>()?;
        draft.place = format!("layer {}", quote(&format!("{name} objects")));
        if slot.objects.is_empty() && !own.is_empty() {
            if slot.is_unsure {
                draft.refuse(codes::LAYER, "", "the object layer of the plane is missing, or of an unknown type");
                continue;
            }
            let message = format!("the object layer is missing, and its {} objects are removed", own.len());
            draft.note(Column::Done, codes::OBJECTS_REMOVED, "", message);
        }
        for objects in &slot.objects {
            layers::order(&mut draft, objects);
        }
        let numbers = (plane.index(), layer.first_object());
        slot.edited = objects::objects(&mut draft, &own, numbers, &slot.objects, &pictures, &mut ids);
    }
    draft.path = Path::new();
    attributes::attributes(&mut draft, map, &tilesets, original.game());

    draft.list();
    let was = Export::of(original, &maps, map, is_xml)?;
    let given = (&saved, &*slots, &pictures, &tilesets);
    if draft.planned.changes.is_empty() {
        account(&mut draft, given, &was, &was)?;
        return Ok(draft.planned);
    }
    // The image is the level as a plain file.
    match wwd::apply(original.image().bytes(), &unmoved(&draft.planned.changes)) {
        Ok(applied) => {
            let applied = applied.to_vec();
            let image = unpack(&applied)?;
            let result = Level::parse(&image)?;
            let maps = tiled::plan(&result, encoding).map_err(crate::not_exported)?;
            account(&mut draft, given, &Export::of(&result, &maps, map, is_xml)?, &was)?;
        }
        Err(error) => {
            draft.place = "map".to_owned();
            draft.attempt(Err::<(), _>(error), "");
        }
    }
    Ok(draft.planned)
}

/// Returns changes that leave objects in their order: which one is which is known by it.
fn unmoved(changes: &Changes) -> Changes {
    let changes = changes.iter().filter(|change| !matches!(change, Change::Move { .. })).cloned();
    let natural = |change| match change {
        Change::Add { path, like, fields, data, .. } => {
            Change::Add { path, like, position: Position::Natural, fields, data }
        }
        other => other,
    };
    changes.map(natural).collect()
}

/// The planes of a map in the export of a level, without cells and objects.
struct Export<'e> {
    level: &'e Level<'e>,
    map: &'e Map<'e>,
    saved: Element,
    /// The layers by plane; whether one is an object layer.
    layers: HashMap<(usize, bool), Element>,
}

impl<'e> Export<'e> {
    /// Reads the export of the planes of the original's map in one of its forms. Planes may have got other tiles.
    fn of(level: &'e Level<'e>, maps: &'e [Map<'e>], original: &Map<'_>, is_xml: bool) -> Result<Self> {
        let is_in = |map: &Map<'_>, index| map.layers().iter().any(|layer| layer.plane().index() == index);
        let has_one = |map: &&Map<'e>| {
            original.layers().is_empty() || map.layers().iter().any(|layer| is_in(original, layer.plane().index()))
        };
        let (mut main, mut layers): (Option<(&Map<'e>, Element)>, _) = (None, HashMap::new());
        for map in maps.iter().filter(has_one) {
            let outline = map.clone().full(true).outline(true);
            let mut out = Vec::new();
            let written = if is_xml { outline.write_tmx(&mut out) } else { outline.write_tmj(&mut out) };
            written.map_err(crate::not_exported)?;
            let (mut saved, _) = read(&out)?;
            for layer in saved.children.extract_if(.., |child| child.kind == Kind::Layer) {
                let plane = layer.properties.get("plane").and_then(|plane| plane.parse().ok());
                layers.extend(plane.map(|plane| ((plane, layer.class() == "objectgroup"), layer)));
            }
            if main.as_ref().is_none_or(|_| map.tile_size() == original.tile_size()) {
                main = Some((map, saved));
            }
        }
        let Some((map, mut saved)) = main else {
            return Err(EditError::inconsistent(&Path::new(), "the planes of the map are gone"));
        };
        // Only tiles of a full export have no class.
        for tile in saved.children.iter_mut().flat_map(|tileset| &mut tileset.children) {
            if let Some(kind) = tile.properties.get("attribute_kind").map(tile_class) {
                tile.set("type", kind);
            }
        }
        Ok(Self { level, map, saved, layers })
    }

    /// Returns the tile layer and the object layer of a plane.
    fn layers(&self, plane: usize) -> [Option<&Element>; 2] {
        [false, true].map(|is_objects| self.layers.get(&(plane, is_objects)))
    }

    fn objects(&self, plane: usize) -> Result<Vec<Object<'_>>> {
        let objects = self.level.planes().get(plane).map(|plane| plane.objects().into_iter().collect());
        Ok(objects.unwrap_or_else(|| Ok::<_, worldview_core::Error>(Vec::new()))?)
    }
}

/// Adds an entry for each thing that a map says and neither the result nor the original.
fn account(
    draft: &mut Draft,
    (map, slots, pictures, tilesets): (&Element, &[layers::Slot], &Pictures<'_>, &Tilesets<'_>),
    own: &Export<'_>,
    was: &Export<'_>,
) -> Result<()> {
    let known = BTreeSet::new();
    draft.place = "map".to_owned();
    let sides = Sides { of: "map", own: &own.saved, was: &was.saved, known: &known };
    compare::element(draft, map, &sides, &|_, _| false);
    for (layer, slot) in was.map.layers().iter().zip(slots) {
        let plane = layer.plane().index();
        let ([Some(own_tiles), own_objects], [Some(was_tiles), was_objects]) = (own.layers(plane), was.layers(plane))
        else {
            return Err(EditError::inconsistent(&slot.path, "the plane is not in the export"));
        };
        draft.path.clone_from(&slot.path);
        if let Some(tiles) = &slot.tiles {
            draft.place = layers::place(tiles);
            let sides = Sides { of: "layer", own: own_tiles, was: was_tiles, known: &known };
            compare::element(draft, tiles, &sides, &|_, _| false);
            tiles.all(Kind::Chunk).for_each(|chunk| compare::lone(draft, chunk));
        }
        for (nth, objects) in slot.objects.iter().enumerate() {
            draft.place = layers::place(objects);
            layers::compare_objects(draft, objects, [own_objects, was_objects], own_tiles, nth == 0);
        }
        if !slot.edited.is_empty() {
            edited::compare(draft, &slot.edited, [&own.objects(plane)?, &was.objects(plane)?], pictures);
        }
    }
    draft.path = Path::new();
    let own_sets = Tilesets::of(own.map, map);
    attributes::compare(draft, [&own.saved, &was.saved], [&own_sets, tilesets]);
    Ok(())
}

/// Returns the changes that give a level without planes the planes of a map, without tiles, and as many tile attributes as its tilesets
/// tell of.
pub(crate) fn skeleton(map: &[u8], encoding: Encoding) -> Result<Changes> {
    /// The most tiles of a plane before its cells are read.
    const MAX_EMPTY: u64 = 1 << 24;

    let (saved, _) = read(map)?;
    let mut layers = Vec::new();
    collect(&saved, &mut layers);
    let names = layers.iter().map(|layer| fields::encode(&from_printable(layer.name()), encoding, &Path::new()));
    let names = names.collect::<Result<Vec<_>>>()?;
    let [width, height] = ["tilewidth", "tileheight"].map(|name| Value::from(saved.number::<u32>(name)));
    let add = |path: Path, fields: &[(&str, &Value)]| {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).clone())).collect();
        Change::Add { path, like: None, position: Position::Natural, fields, data: None }
    };
    let mut changes = Changes::new();
    for (path, layer) in plane_paths(names.into_iter()).into_iter().zip(layers) {
        let sides = ["width", "height"].map(|name| layer.number::<u32>(name));
        let is_small = sides.map(u64::from).into_iter().fold(1, u64::saturating_mul) <= MAX_EMPTY;
        let [columns, rows] = sides.map(|side| Value::from(if is_small { side } else { 0 }));
        let fields = [
            (field_name!(PlaneHeader, tile_width), &width),
            (field_name!(PlaneHeader, tile_height), &height),
            (field_name!(PlaneHeader, tiles_wide), &columns),
            (field_name!(PlaneHeader, tiles_high), &rows),
        ];
        changes.push(add(path, &fields));
    }
    let tells = |tile: &&Element| !tile.class().is_empty() || tile.properties.get("attribute_kind").is_some();
    let tiles = saved.all(Kind::Tileset).flat_map(|set| set.all(Kind::Tile)).filter(tells);
    let frames = tiles.filter_map(|tile| tile.properties.get("frame")?.parse::<u16>().ok());
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
fn collect<'l>(parent: &'l Element, found: &mut Vec<&'l Element>) {
    for layer in parent.all(Kind::Layer) {
        match layer.class() {
            "tilelayer" => found.push(layer),
            _ => collect(layer, found),
        }
    }
}

/// Bytes of a JSON object of a map, and a number of objects that may be smaller: an empty one takes a hundred times its length
/// in memory.
const MIN_OBJECT: usize = 8;
const MANY_OBJECTS: usize = 4096;

fn size_text([width, height]: [u32; 2]) -> String {
    format!("{width}x{height}")
}

/// Reads a map: XML or JSON. Returns whether it is XML.
fn read(map: &[u8]) -> Result<(Element, bool)> {
    let map = map.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(map);
    let text = std::str::from_utf8(map).map_err(|error| {
        let breaks = map.iter().take(error.valid_up_to()).filter(|&&byte| byte == b'\n').count();
        EditError::malformed(u64::try_from(breaks).ok().map(|line| line.saturating_add(1)), "the map is not UTF-8")
    })?;
    match text.trim_start().as_bytes().first() {
        Some(b'<') => Ok((tmx::read(text)?, true)),
        Some(b'{')
            if memchr::memchr_iter(b'{', map).nth(MANY_OBJECTS.saturating_add(text.len() / MIN_OBJECT)).is_some() =>
        {
            Err(EditError::malformed(None, "the map has more objects than maps of its length have"))
        }
        Some(b'{') => {
            let mut json = serde_json::Deserializer::from_str(text);
            let map = Kind::Map.deserialize(&mut json).and_then(|map| json.end().map(|()| (map, false)));
            map.map_err(|error| {
                let line = u64::try_from(error.line()).ok().filter(|line| *line > 0);
                EditError::malformed(line, error.to_string())
            })
        }
        _ => Err(EditError::malformed(None, "this is not a Tiled map: expected XML or a JSON object")),
    }
}
