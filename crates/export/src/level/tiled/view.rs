//! A map as lists of fields, from which both writers produce their format.

use std::iter::{once, repeat, repeat_n};

use worldview_core::describe::{FieldValue, Int, Notation, Stored};
use worldview_core::{FieldInfo, Result};
use worldview_wwd::{Attribute, Game, Object, Tile, flags};

use super::detail::Detail;
use super::drafts::{MAX_IMAGE_SETS, index_and_cell};
use super::field::{Field, Scalar, field, record, text};
use super::project::{is_left_out, tile_class, tile_default};
use super::shape::{Shape, shapes};
use super::{Layer, Map, Tileset};
use crate::Encoding;
use crate::level::Cell;

/// Something with a position: an object of the level, or a collision shape of a tile.
pub(super) struct Item<'a> {
    pub(super) attributes: Vec<Field<'a>>,
    pub(super) properties: Vec<Field<'a>>,
    pub(super) is_point: bool,
}

/// A tile of a tileset.
pub(super) struct TileView<'a> {
    id: u32,
    /// Its class, where the properties are what differs from that.
    class: Option<String>,
    pub(super) properties: Vec<Field<'a>>,
    game: Option<Game>,
    is_full: bool,
    // Converted to items while writing, because an item takes many times as much memory as a shape.
    shapes: Vec<Shape>,
}

impl TileView<'_> {
    pub(super) fn attributes(&self) -> Vec<Field<'_>> {
        once(field("id", self.id)).chain(self.class.as_deref().map(|class| field("type", class))).collect()
    }

    pub(super) const fn has_shapes(&self) -> bool {
        !self.shapes.is_empty()
    }

    pub(super) fn shapes(&self) -> impl Iterator<Item = Item<'_>> {
        (1..).zip(&self.shapes).map(|(id, shape)| shape_item(id, *shape, self.game, self.is_full))
    }
}

impl Map<'_> {
    pub(super) fn attributes(&self) -> Vec<Field<'_>> {
        let next_object = self.layers.last().map_or(1, |layer| layer.first_object + layer.plane.objects().count());
        vec![
            field("version", "1.10"),
            // Some programs refuse a map that does not say which editor wrote it: the first with this form of classes.
            field("tiledversion", "1.10.0"),
            field("class", "wwd"),
            field("orientation", "orthogonal"),
            field("renderorder", "right-down"),
            field("width", self.size[0]),
            field("height", self.size[1]),
            field("tilewidth", self.tile[0]),
            field("tileheight", self.tile[1]),
            field("infinite", self.infinite),
            field("nextlayerid", self.layers.last().map_or(1, |layer| layer.id + 2)),
            field("nextobjectid", next_object),
        ]
    }

    pub(super) fn properties(&self) -> Vec<Field<'_>> {
        let game = self.level.game().map(|game| field("game", game.name()));
        once(field("generator", "worldview"))
            .chain(game)
            .chain(record(self.level.header().fields(), self.encoding))
            .collect()
    }

    /// Returns the number of columns and rows of a layer as written: those of the map, or of the chunk in an infinite
    /// map.
    pub(super) fn size_of(&self, layer: &Layer<'_>) -> [u32; 2] {
        if self.infinite { layer.size() } else { self.size }
    }

    /// Returns the contents of a layer's cells in row order: global tile ids starting at 1, or 0 for an empty cell.
    pub(super) fn gids(&self, layer: &Layer<'_>) -> impl Iterator<Item = u32> {
        let [width, height] = self.size_of(layer).map(|side| side as usize);
        let [columns, rows] = layer.size().map(|side| side as usize);
        let cells = layer
            .plane
            .rows()
            .flat_map(move |row| row.iter().copied().map(Some).chain(repeat_n(None, width - columns)));
        // Adjacent cells are often the same.
        let mut last = (Tile::EMPTY, 0);
        cells.chain(repeat_n(None, width * (height - rows))).map(move |cell| {
            let Some(tile) = cell else { return 0 };
            if tile.get() != last.0 {
                last = (tile.get(), self.gid(layer, tile));
            }
            last.1
        })
    }

    fn gid(&self, layer: &Layer<'_>, tile: Tile) -> u32 {
        let place = self.place(layer, tile).and_then(|(at, id)| Some(self.tilesets.get(at)?.first_gid + id));
        // A cell without a tile, because it was omitted, is empty.
        place.unwrap_or(0)
    }

    /// Returns the tileset that shows a tile of a plane, as an index into [`tilesets`](Self::tilesets), and the id of the
    /// tile in it; `None` for an empty tile and for one that was left out.
    pub fn place(&self, layer: &Layer<'_>, tile: Tile) -> Option<(usize, u32)> {
        let (image_set, cell) = index_and_cell(tile)?;
        let at = layer.places.get(image_set)?;
        let id = self.tilesets.get(at)?.sheet.cells.binary_search(&cell).ok()?;
        Some((at, u32::try_from(id).ok()?))
    }

    /// Returns the objects of a layer.
    pub(super) fn objects<'l>(&self, layer: &Layer<'l>) -> impl Iterator<Item = Result<Item<'l>>> {
        let ids = layer.first_object..;
        ids.zip(layer.plane.objects()).map(|(id, object)| {
            let object = object?;
            let mut item = self::object(id, &object, self.encoding);
            self.collection.show(&object, &mut item);
            if !self.full {
                item.properties.retain(|field| !is_left_out(field));
            }
            Ok(item)
        })
    }

    /// The tiles of a tileset of the map.
    pub(super) fn tiles<'t>(&'t self, tileset: &'t Tileset<'_>) -> impl Iterator<Item = TileView<'t>> {
        tileset.tiles(self.level.game()).map(|mut tile| {
            tile.is_full = self.full;
            if self.full {
                return tile;
            }
            tile.class = tile.properties.iter().find_map(|(name, value)| match value {
                Scalar::Text(kind) if name == "attribute_kind" => Some(tile_class(kind)),
                _ => None,
            });
            let has_class = tile.class.is_some();
            let has_name = |field: &str| {
                let mut all = (1..=3).filter_map(Attribute::fields_of).flatten();
                all.any(|info| info.name == field && is_attribute(info))
            };
            tile.properties.retain(|(name, value)| match &**name {
                // The class says it.
                "attribute_kind" | "kind" => false,
                name if name.strip_suffix("_name").is_some_and(has_name) => false,
                "image_set_index" => *value != Scalar::Int(0),
                name => !has_class || tile_default(name, self.tile).is_none_or(|default| *value != default),
            });
            tile
        })
    }

    /// How the cells of layers are written.
    pub(super) fn form(&self) -> Vec<Field<'_>> {
        if self.full {
            return vec![field("encoding", "csv")];
        }
        vec![field("encoding", "base64"), field("compression", "zlib")]
    }
}

impl Tileset<'_> {
    pub(super) fn attributes(&self) -> Vec<Field<'_>> {
        vec![
            field("firstgid", self.first_gid),
            field("name", self.name()),
            field("tilewidth", self.sheet.tile_width),
            field("tileheight", self.sheet.tile_height),
            field("spacing", 0),
            field("margin", 0),
            field("tilecount", self.count()),
            field("columns", self.sheet.columns),
        ]
    }

    /// Returns the width and height of the picture in pixels.
    pub(super) fn picture_size(&self) -> [u32; 2] {
        [self.sheet.columns * self.sheet.tile_width, self.sheet.rows() * self.sheet.tile_height]
    }

    fn tiles(&self, game: Option<Game>) -> impl Iterator<Item = TileView<'_>> {
        let view = move |id, properties, shapes| TileView { id, class: None, properties, game, is_full: true, shapes };
        let details = self.details.iter().copied().chain(repeat(Detail::Shapes));
        (0..).zip(&self.sheet.cells).zip(details).map(move |((id, cell), detail)| {
            let Cell::Frame { word } = *cell else {
                return view(id, vec![field("filled", true)], Vec::new());
            };
            let [image_set, frame] = [word >> 16, word & 0xFFFF];
            let mut properties = vec![field("frame", frame), field("image_set_index", image_set)];
            let mut shapes = Vec::new();
            if let Some(attribute) = self.attribute(*cell) {
                if detail >= Detail::Properties {
                    properties.extend(attribute_fields(attribute, game));
                }
                if detail >= Detail::Shapes && self::shapes(&attribute, &mut shapes).is_err() {
                    shapes.clear();
                }
                properties.extend(detail.left_out().map(|what| field("left_out", what)));
            }
            view(id, properties, shapes)
        })
    }

    /// Returns the tile attribute whose fields are properties of a tile, and its index in the level's table; `None` if the
    /// tile has no attribute, or if its properties were left out.
    pub fn attribute_of(&self, id: u32) -> Option<(usize, Attribute<'_>)> {
        let id = usize::try_from(id).ok()?;
        let cell = *self.sheet.cells.get(id)?;
        let is_shown = self.details.get(id).is_none_or(|detail| *detail >= Detail::Properties);
        let Cell::Frame { word } = cell else { return None };
        Some((usize::try_from(word & 0xFFFF).ok()?, self.attribute(cell)?)).filter(|_| is_shown)
    }

    /// Returns the collision shapes of a tile, by row and column; `None` if it has no attribute, or if they were left out.
    pub fn shapes_of(&self, id: u32) -> Option<Vec<Shape>> {
        let (_, attribute) = self.attribute_of(id)?;
        let index = usize::try_from(id).ok()?;
        let mut found = Vec::new();
        let is_shown = self.details.get(index).is_none_or(|detail| *detail == Detail::Shapes);
        (is_shown && shapes(&attribute, &mut found).is_ok()).then_some(found)
    }

    /// Returns the tile attribute of a cell.
    pub(super) fn attribute(&self, cell: Cell) -> Option<Attribute<'_>> {
        let Cell::Frame { word } = cell else { return None };
        self.attributes?.get(u16::try_from(word & 0xFFFF).ok()?)
    }
}

impl Layer<'_> {
    /// Returns the number of columns and rows of the plane's own grid.
    pub fn size(&self) -> [u32; 2] {
        [self.plane.columns(), self.plane.rows().len()].map(|side| u32::try_from(side).unwrap_or(u32::MAX))
    }

    /// Returns the attributes of the tile layer, or of the object layer after it.
    pub(super) fn attributes(&self, encoding: Encoding, of_objects: bool) -> Vec<Field<'_>> {
        let header = self.plane.header();
        let (id, suffix) = if of_objects { (self.id + 1, " objects") } else { (self.id, "") };
        let parallax = |percent: i32| f64::from(percent) / 100.0;
        vec![
            field("id", id),
            field("name", format!("{}{suffix}", encoding.decode(self.plane.name()))),
            field("visible", self.plane.is_drawn()),
            field("offsetx", header.scroll_x.get()),
            field("offsety", header.scroll_y.get()),
            field("parallaxx", parallax(header.movement_x_percent.get())),
            field("parallaxy", parallax(header.movement_y_percent.get())),
        ]
    }

    pub(super) fn properties(&self, encoding: Encoding) -> Vec<Field<'_>> {
        let header = self.plane.header();
        let flag = |name, bit| field(name, header.flags.get() & bit != 0);
        let mut properties: Vec<_> = self.link().into_iter().chain(record(header.fields(), encoding)).collect();
        properties.extend([
            flag("main", flags::MAIN),
            flag("no_draw", flags::NO_DRAW),
            flag("wrap_x", flags::WRAP_X),
            flag("wrap_y", flags::WRAP_Y),
            flag("auto_tile_size", flags::AUTO_TILE_SIZE),
        ]);
        properties.extend((!self.is_whole).then(|| field("left_out", "tiles")));
        let names = self.plane.image_sets().iter().flatten().take(MAX_IMAGE_SETS).enumerate();
        for (index, name) in names {
            properties.extend(text(format!("image_set_{index}"), name, encoding).into_iter().flatten());
        }
        properties
    }

    /// Returns the property with the plane's number in the level.
    pub(super) fn link(&self) -> Vec<Field<'_>> {
        vec![field("plane", crate::level::number(self.plane.index()))]
    }
}

/// Returns the attributes and all properties of an object without a picture, as an export writes them. Properties are called as their
/// fields are.
pub fn object_fields<'a>(object: &Object<'a>, encoding: Encoding) -> [Vec<Field<'a>>; 2] {
    let item = self::object(0, object, encoding);
    [item.attributes, item.properties]
}

fn object<'a>(id: u32, object: &Object<'a>, encoding: Encoding) -> Item<'a> {
    let is_drawn = object.draw_flags.get() & flags::DRAW_NO_DRAW == 0;
    let strings = [object.name, object.logic, object.image_set, object.animation];
    let strings =
        Object::STRINGS.into_iter().zip(strings).flat_map(|(name, bytes)| text(name, bytes, encoding)).flatten();
    let metadata = object.metadata().map(|metadata| field("metadata", crate::hex(metadata.stored)));
    Item {
        attributes: vec![
            field("id", id),
            field("name", encoding.decode(object.display_name())),
            field("type", encoding.decode(object.logic)),
            field("x", object.x.get()),
            field("y", object.y.get()),
            field("width", 0),
            field("height", 0),
            field("visible", is_drawn),
        ],
        properties: strings.chain(metadata).chain(record(object.record.fields(), encoding)).collect(),
        is_point: true,
    }
}

fn shape_item<'a>(id: u32, shape: Shape, game: Option<Game>, is_full: bool) -> Item<'a> {
    let is_named = name_of(shape.attribute, game).is_some();
    Item {
        attributes: vec![
            field("id", id),
            field("name", ""),
            field("type", attribute_name(shape.attribute, game)),
            field("x", shape.x),
            field("y", shape.y),
            field("width", shape.width),
            field("height", shape.height),
            field("visible", true),
        ],
        // The name says it.
        properties: (is_full || !is_named).then(|| field("attribute", shape.attribute)).into_iter().collect(),
        is_point: false,
    }
}

/// Returns all fields of an attribute's record, and the words for its numbers.
fn attribute_fields(attribute: Attribute<'_>, game: Option<Game>) -> Vec<Field<'_>> {
    // The record only contains numbers, so the code page does not matter.
    let encoding = Encoding::default();
    let mut fields = vec![field("attribute_kind", attribute.kind_name())];
    fields.extend(record(attribute.fields(), encoding));
    for (info, value) in attribute.fields() {
        if let (true, FieldValue::Int(value)) = (is_attribute(info), value) {
            let name = attribute_name(i32::try_from(value).unwrap_or(0), game);
            fields.push(field(format!("{}_name", info.name), name));
        }
    }
    fields
}

/// Returns whether a field of a record is an attribute: they are the only signed numbers with names.
const fn is_attribute(info: &FieldInfo) -> bool {
    matches!((info.notation, info.stored), (Notation::Named(_), Stored::Int(Int { signed: true, .. })))
}

/// Returns the attribute that a shape with this class has, if the class names one.
pub fn attribute_by_class(class: &str, game: Option<Game>) -> Option<i32> {
    // The largest with a name is below 256.
    let named = (0..256).find(|value| name_of(*value, game) == Some(class));
    named.or_else(|| class.strip_prefix("attribute ")?.parse().ok())
}

fn attribute_name(value: i32, game: Option<Game>) -> Scalar<'static> {
    name_of(value, game).map_or_else(|| format!("attribute {value}").into(), Scalar::from)
}

fn name_of(value: i32, game: Option<Game>) -> Option<&'static str> {
    flags::attribute(value).or_else(|| game.filter(|game| *game == Game::Gruntz).and(flags::gruntz_attribute(value)))
}
