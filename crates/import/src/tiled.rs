//! Maps as Tiled saves them.

mod attributes;
mod cells;
mod draft;
mod fields;
mod grid;
mod objects;
mod pictures;
mod saved;
mod shapes;
mod tmx;

use std::collections::{HashMap, VecDeque};

use worldview_core::describe::FieldValue;
use worldview_core::{Path, field_name};
use worldview_export::Encoding;
use worldview_export::level::tiled::{self, Layer, Map, from_printable};
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Level, flags};

use self::draft::Draft;
use self::fields::{changed, coordinate, pick, text_changed, value};
use self::grid::{Budget, Pair, Tilesets};
use self::objects::Ids;
use self::pictures::Pictures;
use worldview_edit::fields::decode_1252 as decode;
use worldview_edit::order::{numbered, repeated};
use worldview_edit::{Change, Changes, EditError, Planned, Position, Result, Value};

/// Returns the changes that make a level what a saved map says, for [`wwd::apply`](worldview_edit::wwd::apply).
///
/// `map` is a `map.tmx` or `map.tmj` that `worldview export` wrote and Tiled or another program saved; its content decides which
/// of the two it is. `encoding` is the code page of the export. The map is compared with what the export of `original` writes:
/// defaults that Tiled drops, tile ids that it renumbers and coordinates that it rounds to six digits are no changes.
/// [Edited maps](worldview_wwd::format#edited-maps) lists what is read back.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file = &worldview_corpus::sample("harbour.wwd");
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
/// # Errors
///
/// Returns an error if:
///
/// - the map is malformed, or has several times as many cells as the export of the level
/// - it is not a map of this level: its tile size or a layer is unknown
/// - a plane is missing, a tile is flipped, outside its plane or not from an image set of the plane
/// - a value has the wrong type or does not fit, or two places of the map give a field different new values
/// - the level itself cannot be exported
pub fn level(original: &Level<'_>, map: &[u8], encoding: Encoding) -> Result<Planned> {
    let mut saved = read(map)?;
    let mut layers = Layers::default();
    layers.collect(std::mem::take(&mut saved.layers));
    let maps = tiled::plan(original, encoding).map_err(crate::not_exported)?;
    let tile = [saved.tilewidth, saved.tileheight];
    let Some(map) = maps.iter().find(|map| map.tile_size() == tile) else {
        let sizes: Vec<_> = maps.iter().map(|map| size_text(map.tile_size())).collect();
        let why = format!("the map has tiles of {}, and the level of {}", size_text(tile), sizes.join(", "));
        return Err(EditError::malformed(None, why));
    };
    let mut draft = Draft { changes: Changes::new(), path: Path::new(), encoding };
    draft.path.push_name(b"header");
    draft.record(original.header().content(), &saved.properties)?;
    draft.path = Path::new();

    let tilesets = Tilesets::of(map, &saved);
    let pictures = Pictures::of(&saved);
    let mut ids = Ids::of(original)?;
    let mut budget = Budget::of(&maps);
    let names = numbered(original.planes().iter().map(|plane| plane.name().to_vec()));
    let repeated = repeated(&[&names]);
    let pairs = layers.pair(map, encoding)?;
    for (layer, (tiles, objects)) in map.layers().iter().zip(pairs) {
        let plane = layer.plane();
        let mark = draft.path.mark();
        if let Some((name, nth)) = names.get(plane.index()) {
            draft.path.push("plane", name, repeated.contains(name).then_some(*nth));
        }
        let Some(tiles) = tiles else {
            let why = "the tile layer of the plane is missing, and planes cannot be removed";
            return Err(EditError::unsupported(&draft.path, why));
        };
        let sides = header(&mut draft, layer, &tiles)?;
        let image_sets = image_sets(&mut draft, layer, &tiles)?;
        let pair = Pair {
            map,
            layer,
            saved: &saved,
            saved_layer: &tiles,
            tilesets: &tilesets,
            image_sets: &image_sets,
            encoding,
        };
        pair.compare(&mut draft, sides, &mut budget)?;
        let own = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>()?;
        objects::objects(&mut draft, &own, layer.first_object(), &objects, &pictures, &mut ids)?;
        draft.path.truncate(mark);
    }
    draft.changes.extend(attributes::attributes(map, &tilesets, original.game())?);
    Ok(draft.changes.into())
}

/// Bytes of a JSON object of a map, and a number of objects that may be smaller: an empty one takes a hundred times its length
/// in memory.
const MIN_OBJECT: usize = 8;
const MANY_OBJECTS: usize = 4096;

fn count(text: &str, byte: u8) -> usize {
    text.bytes().filter(|&other| other == byte).count()
}

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
        Some(b'<') => tmx::read(text),
        Some(b'{') if count(text, b'{').saturating_sub(MANY_OBJECTS) > text.len() / MIN_OBJECT => {
            Err(EditError::malformed(None, "the map has more objects than maps of its length have"))
        }
        Some(b'{') => serde_json::from_str(text).map_err(|error| {
            let line = u64::try_from(error.line()).ok().filter(|line| *line > 0);
            EditError::malformed(line, error.to_string())
        }),
        _ => Err(EditError::malformed(None, "this is not a Tiled map: expected XML or a JSON object")),
    }
}

/// The layers of a saved map, those in groups included.
#[derive(Default)]
struct Layers {
    tiles: Vec<saved::Layer>,
    objects: Vec<saved::Layer>,
}

impl Layers {
    /// Both readers bound how deep groups are nested.
    fn collect(&mut self, layers: Vec<saved::Layer>) {
        for mut layer in layers {
            match layer.kind.as_str() {
                "tilelayer" => self.tiles.push(layer),
                "objectgroup" => self.objects.push(layer),
                _ => self.collect(std::mem::take(&mut layer.layers)),
            }
        }
    }

    /// Returns the tile layer and the object layers of each plane of a map.
    fn pair(self, map: &Map<'_>, encoding: Encoding) -> Result<Vec<(Option<saved::Layer>, Vec<saved::Layer>)>> {
        let mut pairs: Vec<_> = map.layers().iter().map(|_| (None, Vec::new())).collect();
        let mut numbers = HashMap::new();
        let mut planes: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, layer) in map.layers().iter().enumerate() {
            numbers.insert(layer.plane().index(), index);
            let name = encoding.decode(layer.plane().name()).into_owned();
            planes.entry(name).or_default().push(index);
        }
        let mut names: HashMap<&str, VecDeque<usize>> =
            planes.iter().map(|(name, list)| (name.as_str(), list.iter().copied().collect())).collect();
        let number = |layer: &saved::Layer| {
            let plane = layer.properties.get("plane")?.parse::<usize>().ok()?;
            numbers.get(&plane).copied()
        };
        let is_named = |layer: &saved::Layer, index: usize| {
            let own = map.layers().get(index).map(|own| encoding.decode(own.plane().name()));
            own.is_some_and(|own| own == from_printable(&layer.name))
        };
        // A copy of a layer has its number too, but another name.
        let (sure, rest): (Vec<_>, Vec<_>) =
            self.tiles.into_iter().partition(|layer| number(layer).is_some_and(|index| is_named(layer, index)));
        let (numbered, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|layer| number(layer).is_some());
        for layer in sure.into_iter().chain(numbered).chain(rest) {
            let by_number = number(&layer).filter(|index| matches!(pairs.get(*index), Some((None, _))));
            let by_name = || {
                let list = names.get_mut(&*from_printable(&layer.name))?;
                std::iter::from_fn(|| list.pop_front()).find(|index| matches!(pairs.get(*index), Some((None, _))))
            };
            let slot = by_number.or_else(by_name).and_then(|index| pairs.get_mut(index));
            let Some((slot, _)) = slot else {
                let why =
                    format!("the tile layer {:?} is no plane of the level, and planes cannot be added", layer.name);
                return Err(EditError::malformed(None, why));
            };
            *slot = Some(layer);
        }
        let mut unnumbered: HashMap<String, usize> = HashMap::new();
        for layer in self.objects {
            let named = || {
                let name = from_printable(&layer.name).into_owned();
                let name = name.strip_suffix(" objects").unwrap_or(&name);
                let count = unnumbered.entry(name.to_owned()).or_default();
                let same = planes.get(name)?;
                let found = same.get(*count).or_else(|| same.first()).copied();
                *count = count.saturating_add(1);
                found
            };
            let slot = number(&layer).or_else(named).and_then(|index| pairs.get_mut(index));
            let Some((_, list)) = slot else {
                let why = format!("the object layer {0:?} is no plane's: expected \"<plane> objects\"", layer.name);
                return Err(EditError::malformed(None, why));
            };
            list.push(layer);
        }
        Ok(pairs)
    }
}

/// Compares the header of a plane, and returns the new values of `tiles_wide` and `tiles_high` among the properties.
fn header(draft: &mut Draft, layer: &Layer<'_>, saved: &saved::Layer) -> Result<[Option<i32>; 2]> {
    /// The flags that are properties by name.
    const FLAGS: [(&str, u32); 5] = [
        ("main", flags::MAIN),
        ("no_draw", flags::NO_DRAW),
        ("wrap_x", flags::WRAP_X),
        ("wrap_y", flags::WRAP_Y),
        ("auto_tile_size", flags::AUTO_TILE_SIZE),
    ];
    const SCROLL_X: &str = field_name!(PlaneHeader, scroll_x);
    const SCROLL_Y: &str = field_name!(PlaneHeader, scroll_y);
    const MOVEMENT_X: &str = field_name!(PlaneHeader, movement_x_percent);
    const MOVEMENT_Y: &str = field_name!(PlaneHeader, movement_y_percent);
    const FLAG_BITS: &str = field_name!(PlaneHeader, flags);
    const TILES_WIDE: &str = field_name!(PlaneHeader, tiles_wide);
    const TILES_HIGH: &str = field_name!(PlaneHeader, tiles_high);
    let mut sides = [None; 2];
    for (info, old) in layer.plane().header().content() {
        let name = info.name;
        let path = draft.field(name);
        let mut new = match old {
            FieldValue::Text(old) => {
                let texts = [Some(saved.name.as_str()), saved.properties.get("wwd_name")];
                let stored = saved.properties.get("name_bytes");
                text_changed(old.stored, true, &texts, stored, draft.encoding, &path)?
            }
            _ => changed(info, old, &saved.properties, None, draft.encoding, &path)?,
        };
        let attribute = match name {
            SCROLL_X => Some(saved.offsetx),
            SCROLL_Y => Some(saved.offsety),
            MOVEMENT_X => Some(saved.parallaxx * 100.0),
            MOVEMENT_Y => Some(saved.parallaxy * 100.0),
            _ => None,
        };
        match (old, attribute) {
            (FieldValue::Int(old), Some(attribute)) => {
                if let Some(attribute) = coordinate(i32::try_from(old).unwrap_or(0), attribute, &path)? {
                    pick(&mut new, attribute.into(), &path)?;
                }
            }
            (FieldValue::Uint(old), _) if name == FLAG_BITS => {
                let old = u32::try_from(old).unwrap_or(0);
                let mut word = match new {
                    Some(Value::Integer(word)) => u32::try_from(word).unwrap_or(old),
                    _ => old,
                };
                for (flag, bit) in FLAGS {
                    match saved.properties.get(flag) {
                        Some("true") if old & bit == 0 => word |= bit,
                        Some("false") if old & bit != 0 => word &= !bit,
                        _ => {}
                    }
                }
                new = (word != old).then(|| word.into());
            }
            _ => {}
        }
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
    Ok(sides)
}

/// Compares the names of image sets, and returns the new ones.
fn image_sets(draft: &mut Draft, layer: &Layer<'_>, saved: &saved::Layer) -> Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for name in layer.plane().image_sets() {
        names.push(name?.to_vec());
    }
    let old = u32::try_from(names.len()).unwrap_or(u32::MAX);
    // Tiles have 16 bits for the number.
    for index in 0..1 << 16 {
        let property = format!("image_set_{index}");
        let text = saved.properties.get(&property);
        let stored = saved.properties.get(&format!("{property}_bytes"));
        let mut path = draft.path.clone();
        path.push_nth(b"image_set", index);
        if index < old {
            let Some(name) = usize::try_from(index).ok().and_then(|index| names.get(index)) else { break };
            if let Some(to) = text_changed(name, false, &[text], stored, draft.encoding, &path)? {
                let from = Some(decode(name));
                draft.changes.push(Change::Set { path, from, to });
            }
            continue;
        }
        let Some(text) = text else { break };
        let bytes = fields::encode(text, draft.encoding, &path)?;
        let data = Some(decode(&bytes));
        draft.changes.push(Change::Add { path, like: None, position: Position::Natural, fields: Vec::new(), data });
        names.push(bytes);
    }
    Ok(names)
}
