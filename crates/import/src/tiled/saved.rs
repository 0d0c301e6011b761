//! A map as a program saved it: the parts that say something about a level, whichever form they were read from.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A map file. In all structures, absent members have Tiled's defaults, and unknown members are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Map {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tilewidth: u32,
    pub(super) tileheight: u32,
    pub(super) infinite: bool,
    pub(super) properties: Properties,
    pub(super) tilesets: Vec<Tileset>,
    pub(super) layers: Vec<Layer>,
}

/// A tileset: embedded, or a reference to a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tileset {
    pub(super) firstgid: u32,
    pub(super) name: String,
    pub(super) source: String,
    pub(super) image: String,
    pub(super) tiles: Vec<Tile>,
}

/// A tile of a tileset that has a class or properties.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tile {
    pub(super) id: u32,
    #[serde(rename = "type", alias = "class")]
    pub(super) class: String,
    pub(super) properties: Properties,
    /// The collision shapes.
    pub(super) objectgroup: Option<Shapes>,
}

/// The collision shapes of a tile.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Shapes {
    pub(super) objects: Vec<Object>,
}

/// A layer of any kind.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct Layer {
    /// `tilelayer`, `objectgroup`, `group` or `imagelayer`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) offsetx: f64,
    pub(super) offsety: f64,
    pub(super) parallaxx: f64,
    pub(super) parallaxy: f64,
    pub(super) draworder: String,
    pub(super) properties: Properties,
    pub(super) encoding: String,
    pub(super) compression: String,
    pub(super) data: Data,
    /// The cells of a layer in an infinite map.
    pub(super) chunks: Vec<Chunk>,
    pub(super) objects: Vec<Object>,
    /// The layers of a group.
    pub(super) layers: Vec<Self>,
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            kind: String::new(),
            name: String::new(),
            width: 0,
            height: 0,
            offsetx: 0.0,
            offsety: 0.0,
            parallaxx: 1.0,
            parallaxy: 1.0,
            draworder: String::new(),
            properties: Properties::default(),
            encoding: String::new(),
            compression: String::new(),
            data: Data::default(),
            chunks: Vec::new(),
            objects: Vec::new(),
            layers: Vec::new(),
        }
    }
}

/// A rectangle of cells.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: Data,
}

/// An object of an object layer, or a collision shape.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct Object {
    pub(super) id: u32,
    pub(super) name: String,
    #[serde(rename = "type", alias = "class")]
    pub(super) class: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) gid: u32,
    pub(super) rotation: f64,
    pub(super) ellipse: bool,
    pub(super) visible: bool,
    pub(super) template: String,
    pub(super) properties: Properties,
}

impl Default for Object {
    fn default() -> Self {
        Self {
            id: 0,
            name: String::new(),
            class: String::new(),
            x: 0.0,
            y: 0.0,
            width: 0.0,
            height: 0.0,
            gid: 0,
            rotation: 0.0,
            ellipse: false,
            visible: true,
            template: String::new(),
            properties: Properties::default(),
        }
    }
}

/// Cells as stored.
#[derive(Debug)]
pub(super) enum Data {
    /// Global tile ids.
    Gids(Vec<u32>),
    /// Text in the encoding of its layer.
    Text(String),
}

impl Default for Data {
    fn default() -> Self {
        Self::Gids(Vec::new())
    }
}

/// Properties by name, their values as text.
#[derive(Debug, Default)]
pub(super) struct Properties(pub(super) HashMap<String, String>);

impl Properties {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Property {
            name: String,
            #[serde(default)]
            value: Text,
        }
        let list = Vec::<Property>::deserialize(deserializer)?;
        let values = list.into_iter().filter_map(|property| Some((property.name, property.value.0?)));
        Ok(Self(values.collect()))
    }
}

/// A number, a truth value or a text, as text; `None` for a property with members.
#[derive(Default)]
struct Text(Option<String>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl<'de> Visitor<'de> for Scalar {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the value of a property")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Text, E> {
                Ok(Text(Some(value.to_string())))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Text, E> {
                Ok(Text(Some(value.to_string())))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Text, E> {
                Ok(Text(Some(value.to_string())))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Text, E> {
                Ok(Text(Some(value.to_string())))
            }

            fn visit_str<E>(self, value: &str) -> Result<Text, E> {
                Ok(Text(Some(value.to_owned())))
            }

            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Text, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Text(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Text(None))
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cells;
        impl<'de> Visitor<'de> for Cells {
            type Value = Data;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of global tile ids, or a text")
            }

            fn visit_str<E>(self, text: &str) -> Result<Data, E> {
                Ok(Data::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Data, A::Error> {
                let mut gids = Vec::new();
                while let Some(gid) = list.next_element::<u64>()? {
                    gids.push(u32::try_from(gid).map_err(|_| A::Error::custom(format!("{gid} is no tile id")))?);
                }
                Ok(Data::Gids(gids))
            }
        }
        deserializer.deserialize_any(Cells)
    }
}
