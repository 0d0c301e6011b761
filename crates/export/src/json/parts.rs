use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use worldview_core::Value;
use worldview_wwd::{Attribute, Level, Object, Plane, Tile, TrailerContent, Unpacked, raw};

use crate::Encoding;
use crate::hex;

/// Writes fields by their names.
fn put_fields<'v, M: SerializeMap>(
    map: &mut M,
    fields: impl Iterator<Item = (&'static str, Value<'v>)>,
    encoding: Encoding,
) -> Result<(), M::Error> {
    for (name, value) in fields {
        match value {
            Value::Int(int) => map.serialize_entry(name, &int)?,
            Value::Uint(word) => map.serialize_entry(name, &word)?,
            Value::Ints(ints) => map.serialize_entry(name, &ints.iter().map(|int| int.get()).collect::<Vec<_>>())?,
            Value::Text(bytes) => put_text(map, name, bytes, encoding)?,
            _ => map.serialize_entry(name, &())?,
        }
    }
    Ok(())
}

/// Writes a text up to its NUL, and all its bytes where that is not all there is to it.
fn put_text<M: SerializeMap>(map: &mut M, name: &str, bytes: &[u8], encoding: Encoding) -> Result<(), M::Error> {
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or(bytes);
    map.serialize_entry(name, &encoding.decode(text))?;
    let padding = bytes.get(text.len()..).unwrap_or(&[]);
    if !text.is_ascii() || padding.iter().any(|&byte| byte != 0) {
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        map.serialize_entry(&format!("{name}_bytes"), &hex(&bytes[..used]))?;
    }
    Ok(())
}

pub(super) struct Header<'a>(pub(super) &'a raw::Header, pub(super) Encoding);

impl Serialize for Header<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        put_fields(&mut map, self.0.fields(), self.1)?;
        map.end()
    }
}

pub(super) struct Planes<'l, 'a>(pub(super) &'l Level<'a>, pub(super) Encoding);

impl Serialize for Planes<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.planes().iter().map(|plane| PlaneJson(plane, self.1)))
    }
}

struct PlaneJson<'l, 'a>(&'l Plane<'a>, Encoding);

impl Serialize for PlaneJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(plane, encoding) = *self;
        let mut map = serializer.serialize_map(None)?;
        put_fields(&mut map, plane.header().fields(), encoding)?;
        map.serialize_entry("image_sets", &Names(plane, encoding))?;
        map.serialize_entry("tiles", &Rows(plane))?;
        map.serialize_entry("objects", &Objects(plane, encoding))?;
        map.end()
    }
}

struct Names<'l, 'a>(&'l Plane<'a>, Encoding);

impl Serialize for Names<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut names = serializer.serialize_seq(None)?;
        for name in self.0.image_sets().iter().flatten() {
            names.serialize_element(&self.1.decode(name))?;
        }
        names.end()
    }
}

struct Rows<'l, 'a>(&'l Plane<'a>);

impl Serialize for Rows<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows().map(Row))
    }
}

struct Row<'a>(&'a [Tile]);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|tile| tile.get()))
    }
}

struct Objects<'l, 'a>(&'l Plane<'a>, Encoding);

impl Serialize for Objects<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut objects = serializer.serialize_seq(None)?;
        for object in self.0.objects().iter().flatten() {
            objects.serialize_element(&ObjectJson { object: &object, plane: None, encoding: self.1 })?;
        }
        objects.end()
    }
}

/// An object; with its plane and number where it stands alone.
pub(super) struct ObjectJson<'l, 'a> {
    pub(super) object: &'l Object<'a>,
    pub(super) plane: Option<&'l Plane<'a>>,
    pub(super) encoding: Encoding,
}

impl Serialize for ObjectJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { object, plane, encoding } = *self;
        let mut map = serializer.serialize_map(None)?;
        if let Some(plane) = plane {
            map.serialize_entry("plane", &plane.index())?;
            map.serialize_entry("plane_name", &encoding.decode(plane.name()))?;
        }
        map.serialize_entry("object", &object.index)?;
        put_text(&mut map, "name", object.name, encoding)?;
        put_text(&mut map, "logic", object.logic, encoding)?;
        put_text(&mut map, "image_set", object.image_set, encoding)?;
        put_text(&mut map, "animation", object.animation, encoding)?;
        if let Some(metadata) = object.metadata() {
            map.serialize_entry("metadata", &hex(metadata.stored))?;
        }
        put_fields(&mut map, object.record.fields(), encoding)?;
        map.end()
    }
}

pub(super) struct Attributes<'l, 'a>(pub(super) &'l Level<'a>);

impl Serialize for Attributes<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = self.0.attributes();
        let Some(header) = table.header() else { return serializer.serialize_none() };
        let mut map = serializer.serialize_map(None)?;
        put_fields(&mut map, header.fields(), Encoding::default())?;
        map.serialize_entry("records", &Records(table.records()))?;
        map.end()
    }
}

struct Records<'l, 'a>(&'l [Attribute<'a>]);

impl Serialize for Records<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().enumerate().map(|(frame, record)| AttributeJson { frame, record }))
    }
}

pub(super) struct AttributeJson<'l, 'a> {
    pub(super) frame: usize,
    pub(super) record: &'l Attribute<'a>,
}

impl Serialize for AttributeJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("frame", &self.frame)?;
        let encoding = Encoding::default();
        match self.record {
            Attribute::Single(single) => put_fields(&mut map, single.fields(), encoding)?,
            Attribute::Double(double) => put_fields(&mut map, double.fields(), encoding)?,
            Attribute::Mask { head, pixels } => {
                put_fields(&mut map, head.fields(), encoding)?;
                map.serialize_entry("pixels", &hex(pixels))?;
            }
        }
        map.end()
    }
}

pub(super) struct Trailing<'l, 'a>(pub(super) &'l Unpacked<'a>, pub(super) Encoding);

impl Serialize for Trailing<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(file, encoding) = *self;
        if file.trailing().is_empty() {
            return serializer.serialize_none();
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("offset", &file.trailing_at())?;
        map.serialize_entry("bytes", &hex(file.trailing()))?;
        let blocks = file.trailer().into_iter().flat_map(|trailer| trailer.blocks()).flatten();
        map.serialize_entry("blocks", &blocks.map(|block| Block(block, encoding)).collect::<Vec<_>>())?;
        map.end()
    }
}

struct Block<'a>(worldview_wwd::TrailerBlock<'a>, Encoding);

impl Serialize for Block<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(block, encoding) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &block.id)?;
        match block.content() {
            Ok(TrailerContent::MetaInfo { total_size } | TrailerContent::MetaEndInfo { total_size }) => {
                map.serialize_entry("total_size", &total_size)?;
            }
            Ok(TrailerContent::Header(header)) => {
                map.serialize_entry("wapmap_build", &header.wapmap_build)?;
                put_text(&mut map, "wapmap_version", header.wapmap_version, *encoding)?;
                map.serialize_entry("map_build", &header.map_build)?;
                put_text(&mut map, "map_version", header.map_version, *encoding)?;
                put_text(&mut map, "description", header.description, *encoding)?;
            }
            Ok(TrailerContent::Guides(guides)) => {
                let guides: Vec<_> = guides.iter().map(|guide| (guide.orientation.0, guide.position.get())).collect();
                map.serialize_entry("guides", &guides)?;
            }
            Ok(TrailerContent::Favourites(favourites)) => {
                let favourites: Vec<_> =
                    favourites.flatten().map(|(name, x, y)| (encoding.decode(name), x, y)).collect();
                map.serialize_entry("favourites", &favourites)?;
            }
            Ok(TrailerContent::Unknown) | Err(_) => map.serialize_entry("bytes", &hex(block.bytes()))?,
        }
        map.end()
    }
}
