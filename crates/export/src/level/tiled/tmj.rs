use std::io::{BufWriter, Write};

use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::cells::Packed;
use super::field::{Field, Scalar, field, property_name};
use super::view::{Item, TileView};
use super::{Layer, Map, ObjectPicture, Tileset};
use crate::{Error, Result};

/// Writes a map as JSON.
pub(super) fn write(map: &Map<'_>, out: impl Write) -> Result<()> {
    let mut out = BufWriter::new(out);
    serde_json::to_writer(&mut out, &Tmj(map)).map_err(|error| Error::Io(error.into()))?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

type Done<S> = std::result::Result<<S as Serializer>::Ok, <S as Serializer>::Error>;

/// A part of the map, serialized in the TMJ format.
struct Tmj<T>(T);

/// Serializes the items of an iterator as a JSON list, one at a time.
struct List<F>(F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        serializer.collect_seq((self.0)())
    }
}

/// Writes a list of fields as members of an object.
fn put<M: SerializeMap>(map: &mut M, fields: &[Field<'_>]) -> std::result::Result<(), M::Error> {
    fields.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))
}

impl Serialize for Scalar<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
        }
    }
}

impl Serialize for Tmj<&[Field<'_>]> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        serializer.collect_seq(self.0.iter().map(Tmj))
    }
}

impl Serialize for Tmj<&Field<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let (name, value) = self.0;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("name", &property_name(name))?;
        map.serialize_entry("type", value.kind())?;
        map.serialize_entry("value", value)?;
        map.end()
    }
}

impl Serialize for Tmj<&Map<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &self.0.attributes())?;
        map.serialize_entry("type", "map")?;
        map.serialize_entry("properties", &Tmj(&self.0.properties()[..]))?;
        map.serialize_entry("tilesets", &Tilesets(self.0))?;
        map.serialize_entry("layers", &Layers(self.0))?;
        map.end()
    }
}

/// The tilesets, and the pictures of objects.
struct Tilesets<'a>(&'a Map<'a>);

impl Serialize for Tilesets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let mut tilesets = serializer.serialize_seq(None)?;
        for tileset in &self.0.tilesets {
            tilesets.serialize_element(&Tmj((self.0, tileset)))?;
        }
        if !self.0.pictures().is_empty() {
            tilesets.serialize_element(&Collected(self.0))?;
        }
        tilesets.end()
    }
}

/// The pictures of objects, each a file.
struct Collected<'a>(&'a Map<'a>);

impl Serialize for Collected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let tiles = || (0_u32..).zip(self.0.pictures()).map(|(id, picture)| Tmj((self.0, id, picture)));
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &self.0.collection.attributes())?;
        map.serialize_entry("tiles", &List(tiles))?;
        map.end()
    }
}

impl Serialize for Tmj<(&Map<'_>, u32, &ObjectPicture)> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let (of, id, picture) = self.0;
        let [width, height] = picture.size();
        let mut map = serializer.serialize_map(None)?;
        let image = [field("image", picture.path()), field("imagewidth", width), field("imageheight", height)];
        map.serialize_entry("id", &id)?;
        put(&mut map, &image)?;
        map.serialize_entry("properties", &Tmj(&picture.properties(of.encoding)[..]))?;
        map.end()
    }
}

impl Serialize for Tmj<(&Map<'_>, &Tileset<'_>)> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let (of, tileset) = self.0;
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &tileset.attributes())?;
        let [width, height] = tileset.picture_size();
        put(&mut map, &[field("image", tileset.picture()), field("imagewidth", width), field("imageheight", height)])?;
        map.serialize_entry("tiles", &List(|| of.tiles(tileset).map(Tmj)))?;
        map.end()
    }
}

impl Serialize for Tmj<TileView<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &self.0.attributes())?;
        map.serialize_entry("properties", &Tmj(&self.0.properties[..]))?;
        if self.0.has_shapes() {
            map.serialize_entry("objectgroup", &Shapes(&self.0))?;
        }
        map.end()
    }
}

/// The collision shapes of a tile.
struct Shapes<'a>(&'a TileView<'a>);

impl Serialize for Shapes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &[field("draworder", "index"), field("name", ""), field("visible", true)])?;
        put(&mut map, &layer_constants("objectgroup"))?;
        map.serialize_entry("objects", &List(|| self.0.shapes().map(Tmj)))?;
        map.end()
    }
}

impl Serialize for Tmj<Item<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &self.0.attributes)?;
        map.serialize_entry("rotation", &0)?;
        if self.0.is_point {
            map.serialize_entry("point", &true)?;
        }
        map.serialize_entry("properties", &Tmj(&self.0.properties[..]))?;
        map.end()
    }
}

/// The tile layer and the object layer of every plane.
struct Layers<'a>(&'a Map<'a>);

impl Serialize for Layers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let mut layers = serializer.serialize_seq(None)?;
        for layer in &self.0.layers {
            layers.serialize_element(&Tiles(self.0, layer))?;
            if !layer.plane.objects().is_empty() {
                layers.serialize_element(&ObjectGroup(self.0, layer))?;
            }
        }
        layers.end()
    }
}

struct Tiles<'a>(&'a Map<'a>, &'a Layer<'a>);

impl Serialize for Tiles<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let Self(map, layer) = self;
        let mut json = serializer.serialize_map(None)?;
        put(&mut json, &layer.attributes(map.encoding, false))?;
        put(&mut json, &layer_constants("tilelayer"))?;
        let [width, height] = map.size_of(layer);
        put(&mut json, &[field("width", width), field("height", height)])?;
        json.serialize_entry("properties", &Tmj(&layer.properties(map.encoding)[..]))?;
        if !map.full {
            put(&mut json, &map.form())?;
        }
        if map.infinite {
            put(&mut json, &[field("startx", 0), field("starty", 0)])?;
            let chunk = (!layer.plane.tiles().is_empty() && !map.outline).then_some(Chunk(map, layer));
            json.serialize_entry("chunks", &List(|| chunk.iter()))?;
        } else if !map.outline {
            data(&mut json, map, layer)?;
        }
        json.end()
    }
}

struct Chunk<'a>(&'a Map<'a>, &'a Layer<'a>);

impl Serialize for Chunk<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let Self(map, layer) = self;
        let [width, height] = map.size_of(layer);
        let mut json = serializer.serialize_map(None)?;
        put(&mut json, &[field("x", 0), field("y", 0), field("width", width), field("height", height)])?;
        data(&mut json, map, layer)?;
        json.end()
    }
}

/// The cells, packed or as numbers.
fn data<M: SerializeMap>(json: &mut M, map: &Map<'_>, layer: &Layer<'_>) -> std::result::Result<(), M::Error> {
    if map.full {
        return json.serialize_entry("data", &List(|| map.gids(layer)));
    }
    json.serialize_entry("data", &Text(Packed(|| map.gids(layer))))
}

/// A text that is made while it is written.
struct Text<D>(D);

impl<D: std::fmt::Display> Serialize for Text<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        serializer.collect_str(&self.0)
    }
}

struct ObjectGroup<'a>(&'a Map<'a>, &'a Layer<'a>);

impl Serialize for ObjectGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let Self(map, layer) = self;
        let mut json = serializer.serialize_map(None)?;
        put(&mut json, &layer.attributes(map.encoding, true))?;
        put(&mut json, &layer_constants("objectgroup"))?;
        json.serialize_entry("draworder", if map.pictures().is_empty() { "topdown" } else { "index" })?;
        json.serialize_entry("properties", &Tmj(&layer.link()[..]))?;
        json.serialize_entry("objects", &Objects(map, layer))?;
        json.end()
    }
}

struct Objects<'a>(&'a Map<'a>, &'a Layer<'a>);

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let mut objects = serializer.serialize_seq(None)?;
        for object in self.0.objects(self.1).take_while(|_| !self.0.outline) {
            objects.serialize_element(&Tmj(object.map_err(S::Error::custom)?))?;
        }
        objects.end()
    }
}

/// Fields that JSON requires for every layer and XML omits.
fn layer_constants(kind: &'static str) -> [Field<'static>; 4] {
    [field("type", kind), field("opacity", 1), field("x", 0), field("y", 0)]
}
