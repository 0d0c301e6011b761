//! A map as a program saved it: the parts that say something about a level, whichever form they were read from.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Attributes and members that no planner reads, with their values: the comparison with the export names those that changed.
pub(super) type Rest = Vec<(String, String)>;

/// The value of a member of the rest that has members of its own.
pub(super) const CONTENT: &str = "[…]";

/// More members that are unknown an object of a map in JSON does not have.
const MAX_REST: usize = 256;

/// Declares how a structure is read from JSON: its members, and everything else as `rest`.
macro_rules! members {
    ($type:ident { $($($name:literal)|+ => $field:ident,)+ }) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members;
                impl<'de> Visitor<'de> for Members {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$type, A::Error> {
                        let mut new = $type::default();
                        let mut seen = Vec::new();
                        while let Some(name) = map.next_key::<String>()? {
                            match name.as_str() {
                                $($($name)|+ => {
                                    if seen.contains(&stringify!($field)) {
                                        return Err(A::Error::custom(format!("{} is there twice", worldview_core::quote(&name))));
                                    }
                                    seen.push(stringify!($field));
                                    new.$field = map.next_value()?;
                                })+
                                _ if new.rest.len() >= MAX_REST => {
                                    return Err(A::Error::custom("an object has more than 256 unknown members"));
                                }
                                _ => new.rest.push((name, map.next_value::<Text>()?.shown())),
                            }
                        }
                        Ok(new)
                    }
                }
                deserializer.deserialize_map(Members)
            }
        }
    };
}

/// A map file. In all structures, absent members have Tiled's defaults.
#[derive(Debug, Default)]
pub(super) struct Map {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tilewidth: u32,
    pub(super) tileheight: u32,
    pub(super) infinite: bool,
    pub(super) properties: Properties,
    pub(super) tilesets: Vec<Tileset>,
    pub(super) layers: Vec<Layer>,
    pub(super) rest: Rest,
    pub(super) is_xml: bool,
}

members!(Map {
    "width" => width,
    "height" => height,
    "tilewidth" => tilewidth,
    "tileheight" => tileheight,
    "infinite" => infinite,
    "properties" => properties,
    "tilesets" => tilesets,
    "layers" => layers,
});

/// A tileset: embedded, or a reference to a file.
#[derive(Debug, Default)]
pub(super) struct Tileset {
    pub(super) firstgid: u32,
    pub(super) name: String,
    pub(super) source: String,
    pub(super) image: String,
    pub(super) properties: Properties,
    pub(super) tiles: Vec<Tile>,
    pub(super) rest: Rest,
}

impl Tileset {
    /// Returns the name for messages: that of the file, if the tileset is in one of its own.
    pub(super) fn shown(&self) -> String {
        worldview_core::quote(if self.source.is_empty() { &self.name } else { &self.source })
    }
}

members!(Tileset {
    "firstgid" => firstgid,
    "name" => name,
    "source" => source,
    "image" => image,
    "properties" => properties,
    "tiles" => tiles,
});

/// A tile of a tileset that has a class or properties.
#[derive(Debug, Default)]
pub(super) struct Tile {
    pub(super) id: u32,
    pub(super) class: String,
    pub(super) image: String,
    pub(super) imagewidth: u32,
    pub(super) imageheight: u32,
    pub(super) properties: Properties,
    /// The collision shapes.
    pub(super) objectgroup: Option<Shapes>,
    pub(super) rest: Rest,
}

members!(Tile {
    "id" => id,
    "type" | "class" => class,
    "image" => image,
    "imagewidth" => imagewidth,
    "imageheight" => imageheight,
    "properties" => properties,
    "objectgroup" => objectgroup,
});

/// The collision shapes of a tile.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub(super) properties: Properties,
    pub(super) objects: Vec<Object>,
    pub(super) rest: Rest,
}

members!(Shapes {
    "properties" => properties,
    "objects" => objects,
});

/// A layer of any kind.
#[derive(Debug)]
pub(super) struct Layer {
    /// `tilelayer`, `objectgroup`, `group` or `imagelayer`.
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
    pub(super) rest: Rest,
}

members!(Layer {
    "type" => kind,
    "name" => name,
    "width" => width,
    "height" => height,
    "offsetx" => offsetx,
    "offsety" => offsety,
    "parallaxx" => parallaxx,
    "parallaxy" => parallaxy,
    "draworder" => draworder,
    "properties" => properties,
    "encoding" => encoding,
    "compression" => compression,
    "data" => data,
    "chunks" => chunks,
    "objects" => objects,
    "layers" => layers,
});

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
            rest: Rest::new(),
        }
    }
}

/// A rectangle of cells.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: Data,
    pub(super) rest: Rest,
}

members!(Chunk {
    "x" => x,
    "y" => y,
    "width" => width,
    "height" => height,
    "data" => data,
});

/// An object of an object layer, or a collision shape.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) class: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) gid: u32,
    pub(super) rotation: f64,
    pub(super) visible: bool,
    pub(super) template: String,
    pub(super) properties: Properties,
    pub(super) rest: Rest,
}

members!(Object {
    "id" => id,
    "name" => name,
    "type" | "class" => class,
    "x" => x,
    "y" => y,
    "width" => width,
    "height" => height,
    "gid" => gid,
    "rotation" => rotation,
    "visible" => visible,
    "template" => template,
    "properties" => properties,
});

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
            visible: true,
            template: String::new(),
            properties: Properties::default(),
            rest: Rest::new(),
        }
    }
}

impl Object {
    /// Returns what the object is, if it is neither a point nor a rectangle nor a picture.
    pub(super) fn shape(&self) -> Option<&str> {
        const SHAPES: [&str; 5] = ["ellipse", "polygon", "polyline", "text", "capsule"];
        let is_one = |(name, value): &&(String, String)| SHAPES.contains(&name.as_str()) && value != "false";
        self.rest.iter().find(is_one).map(|(name, _)| name.as_str())
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

/// Properties by name.
#[derive(Debug, Default)]
pub(super) struct Properties {
    values: BTreeMap<String, Property>,
    /// Names of properties that have no single value, and why.
    pub(super) odd: Vec<(String, &'static str)>,
    /// Names of absent properties that a mistyped one probably stands for.
    held: RefCell<Vec<String>>,
}

#[derive(Debug)]
struct Property {
    text: String,
    is_read: Cell<bool>,
}

impl Properties {
    /// Returns the value of a property as text, and notes that a planner has read it.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|property| {
            property.is_read.set(true);
            property.text.as_str()
        })
    }

    /// Notes that a planner has read a property.
    pub(super) fn read(&self, name: &str) {
        self.get(name);
    }

    /// Returns the value of a property as text.
    pub(super) fn peek(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|property| property.text.as_str())
    }

    /// Returns the names and values of all properties.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, property)| (name.as_str(), property.text.as_str()))
    }

    /// Returns the names and values of the properties that no planner has read.
    pub(super) fn unread(&self) -> impl Iterator<Item = (&str, &str)> {
        let unread = self.values.iter().filter(|(_, property)| !property.is_read.get());
        unread.map(|(name, property)| (name.as_str(), property.text.as_str()))
    }

    /// Adds a property; `None` for a value with members.
    pub(super) fn insert(&mut self, name: String, value: Option<String>) {
        match value {
            _ if self.values.contains_key(&name) => self.odd.push((name, "is there twice")),
            None => self.odd.push((name, "has members of its own")),
            Some(text) => {
                self.values.insert(name, Property { text, is_read: Cell::new(false) });
            }
        }
    }

    /// Removes a property.
    pub(super) fn remove(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// Adds the properties of another element of the same parent.
    pub(super) fn extend(&mut self, other: Self) {
        self.odd.extend(other.odd);
        for (name, property) in other.values {
            self.insert(name, Some(property.text));
        }
    }

    /// Keeps the value of the original for an absent property.
    pub(super) fn hold(&self, name: &str) {
        self.held.borrow_mut().push(name.to_owned());
    }

    /// Returns whether the absence of a property does not mean its default.
    pub(super) fn is_held(&self, name: &str) -> bool {
        self.held.borrow().iter().any(|held| held == name)
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Default)]
        struct Member {
            name: String,
            value: Text,
            kind: Text,
            of: Text,
            rest: Rest,
        }
        members!(Member { "name" => name, "value" => value, "type" => kind, "propertytype" => of, });
        let mut properties = Self::default();
        for member in Vec::<Member>::deserialize(deserializer)? {
            let what = "has members that properties do not have";
            properties.odd.extend((!member.rest.is_empty()).then(|| (member.name.clone(), what)));
            properties.insert(member.name, member.value.0);
        }
        Ok(properties)
    }
}

/// A number, a truth value or a text, as text; `None` for a value with members.
#[derive(Default)]
struct Text(Option<String>);

impl Text {
    /// Returns the value for a message.
    fn shown(self) -> String {
        self.0.unwrap_or_else(|| CONTENT.to_owned())
    }
}

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
                let mut is_empty = true;
                while list.next_element::<IgnoredAny>()?.is_some() {
                    is_empty = false;
                }
                Ok(Text(is_empty.then(String::new)))
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
