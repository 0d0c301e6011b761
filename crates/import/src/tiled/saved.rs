//! A map as a program saved it, whichever form it was read from: elements with attributes, properties and children.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use worldview_core::quote;

use super::codes::{default_of, is_ignored};

/// The value of an attribute that has members or elements of its own, which nobody reads.
pub(super) const CONTENT: &str = "[…]";

/// Elements of maps have no more attributes, known and unknown.
const MAX_ATTRIBUTES: usize = 256;

/// The kind of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Map,
    Tileset,
    Tile,
    /// The collision shapes of a tile.
    Shapes,
    Shape,
    /// A layer of any kind, which its attribute `type` says.
    Layer,
    /// A rectangle of cells of a layer in an infinite map.
    Chunk,
    Object,
    Property,
}

impl Kind {
    /// Returns the name that the table of what is ignored has for it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Tileset => "tileset",
            Self::Tile => "tile",
            Self::Shapes => "shapes",
            Self::Shape => "shape",
            Self::Layer => "layer",
            Self::Chunk => "chunk",
            Self::Object => "object",
            Self::Property => "property",
        }
    }

    /// Returns what the elements are that a member of this name has in JSON.
    fn list(self, name: &str) -> Option<Self> {
        Some(match (self, name) {
            (Self::Map, "tilesets") => Self::Tileset,
            (Self::Map | Self::Layer, "layers") => Self::Layer,
            (Self::Tileset, "tiles") => Self::Tile,
            (Self::Tile, "objectgroup") => Self::Shapes,
            (Self::Shapes, "objects") => Self::Shape,
            (Self::Layer, "objects") => Self::Object,
            (Self::Layer, "chunks") => Self::Chunk,
            (Self::Chunk | Self::Property, "properties") => return None,
            (_, "properties") => Self::Property,
            _ => return None,
        })
    }

    /// Checks the value of an attribute that is read as a number or a truth value.
    fn check(self, name: &str, value: &str) -> Result<(), String> {
        let is_one = match (self, name) {
            (Self::Map, "width" | "height" | "tilewidth" | "tileheight")
            | (Self::Tileset, "firstgid")
            | (Self::Tile, "id" | "imagewidth" | "imageheight")
            | (Self::Layer | Self::Chunk, "width" | "height")
            | (Self::Object | Self::Shape, "id" | "gid") => value.parse::<u32>().is_ok(),
            (Self::Chunk, "x" | "y") => value.parse::<i64>().is_ok(),
            (Self::Layer, "offsetx" | "offsety" | "parallaxx" | "parallaxy")
            | (Self::Object | Self::Shape, "x" | "y" | "width" | "height" | "rotation") => value.parse::<f64>().is_ok(),
            (Self::Map, "infinite") | (Self::Object | Self::Shape, "visible") => {
                return match value {
                    "0" | "1" | "false" | "true" => Ok(()),
                    _ => Err(format!("`{name}` is neither 0 nor 1: {}", quote(value))),
                };
            }
            _ => true,
        };
        if is_one { Ok(()) } else { Err(format!("`{name}` is not a number that fits: {}", quote(value))) }
    }
}

/// A part of a map. Attributes that are absent have Tiled's defaults.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub(super) kind: Kind,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) properties: Properties,
    pub(super) children: Vec<Self>,
    /// The cells of a layer or a chunk.
    pub(super) data: Option<Data>,
}

impl Element {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Returns an attribute.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns an attribute, or its default.
    pub(super) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_else(|| default_of(name))
    }

    /// Returns an attribute that was checked to be a number of this kind when it was read; 0 if it has no default.
    pub(super) fn number<T: FromStr + Default>(&self, name: &str) -> T {
        self.text(name).parse().unwrap_or_default()
    }

    /// Returns an attribute that is a truth value.
    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.text(name), "1" | "true")
    }

    pub(super) fn name(&self) -> &str {
        self.text("name")
    }

    /// Returns the class of a tile, an object or a shape; what a layer is.
    pub(super) fn class(&self) -> &str {
        self.text("type")
    }

    /// Returns the name of a tileset for messages: that of the file, if it is in one of its own.
    pub(super) fn shown(&self) -> String {
        quote(self.get("source").unwrap_or_else(|| self.name()))
    }

    /// Returns what an object is, if it is neither a point nor a rectangle nor a picture.
    pub(super) fn shape(&self) -> Option<&str> {
        const SHAPES: [&str; 5] = ["ellipse", "polygon", "polyline", "text", "capsule"];
        let is_one = |(name, value): &&(String, String)| SHAPES.contains(&name.as_str()) && value != "false";
        self.attributes.iter().find(is_one).map(|(name, _)| name.as_str())
    }

    /// Returns the children of a kind.
    pub(super) fn all(&self, kind: Kind) -> impl Iterator<Item = &Self> {
        self.children.iter().filter(move |child| child.kind == kind)
    }

    /// Returns an element that only has these properties of this one.
    pub(super) fn only<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut new = Self::new(self.kind);
        for (name, value) in names.into_iter().filter_map(|name| Some((name, self.properties.get(name)?))) {
            new.properties.set(name.to_owned(), value.to_owned());
        }
        new
    }

    /// Replaces an attribute.
    pub(super) fn set(&mut self, name: &str, value: String) {
        match self.attributes.iter_mut().find(|(own, _)| own == name) {
            Some((_, own)) => *own = value,
            None => self.attributes.push((name.to_owned(), value)),
        }
    }

    /// Adds an attribute that was read. Returns what is wrong with it.
    pub(super) fn push(&mut self, name: String, value: String) -> Result<(), String> {
        let is_class = matches!(self.kind, Kind::Tile | Kind::Object | Kind::Shape) && name == "class";
        // Only Tiled 1.9 calls it so.
        let name = if is_class { "type".to_owned() } else { name };
        if self.attributes.len() >= MAX_ATTRIBUTES {
            return Err(format!("an element has more than {MAX_ATTRIBUTES} attributes"));
        }
        self.kind.check(&name, &value)?;
        self.attributes.push((name, value));
        Ok(())
    }

    /// Makes what layers of this type do not have one of the attributes that nobody reads.
    fn settle(&mut self) {
        let of = match self.text("type") {
            _ if self.kind != Kind::Layer => return,
            "tilelayer" => Kind::Chunk,
            "objectgroup" => Kind::Object,
            _ => Kind::Layer,
        };
        let count = self.children.len();
        self.children.retain(|child| child.kind == of);
        let odd = [
            (self.children.len() < count, "elements of other layers"),
            (of != Kind::Chunk && self.data.take_if(|_| of != Kind::Chunk).is_some(), "data"),
        ];
        let odd = odd.into_iter().filter(|(is_there, _)| *is_there);
        self.attributes.extend(odd.map(|(_, name)| (name.to_owned(), CONTENT.to_owned())));
    }
}

/// Cells as stored.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// Global tile ids.
    Gids(Vec<u32>),
    /// Text in the encoding of its layer.
    Text(String),
}

/// Properties by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Properties {
    values: BTreeMap<String, String>,
    /// Names of properties that have no single value, and why.
    pub(super) odd: Vec<(String, &'static str)>,
}

impl Properties {
    /// Returns the value of a property as text.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns the names and values of all properties.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a property.
    pub(super) fn set(&mut self, name: String, value: String) {
        self.values.insert(name, value);
    }

    /// Removes a property.
    pub(super) fn remove(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// Adds a property that was read.
    pub(super) fn push(&mut self, property: &Element) {
        let (name, value) = (property.name().to_owned(), property.text("value"));
        let mut seen = [false; 2];
        let is_odd = property.attributes.iter().any(|(name, _)| match name.as_str() {
            "name" => std::mem::replace(&mut seen[0], true),
            "value" => std::mem::replace(&mut seen[1], true),
            name => !is_ignored("property", name, ""),
        });
        if is_odd {
            self.odd.push((name.clone(), "has attributes or a text that properties do not have"));
        }
        if self.values.contains_key(&name) {
            self.odd.push((name, "is there twice"));
        } else if value == CONTENT {
            self.odd.push((name, "has members of its own"));
        } else {
            self.set(name, value.to_owned());
        }
    }
}

impl<'de> DeserializeSeed<'de> for Kind {
    type Value = Element;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Element, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Kind {
    type Value = Element;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element, A::Error> {
        let mut new = Element::new(self);
        while let Some(name) = map.next_key::<String>()? {
            match self.list(&name) {
                Some(Self::Property) => {
                    let list = map.next_value_seed(List(Self::Property))?;
                    list.iter().for_each(|property| new.properties.push(property));
                }
                Some(Self::Shapes) if new.children.is_empty() => new.children.push(map.next_value_seed(Self::Shapes)?),
                Some(kind) if kind != Self::Shapes => new.children.extend(map.next_value_seed(List(kind))?),
                None if name == "data" && matches!(self, Self::Layer | Self::Chunk) && new.data.is_none() => {
                    new.data = Some(map.next_value()?);
                }
                _ => new.push(name, map.next_value::<Text>()?.0).map_err(A::Error::custom)?,
            }
        }
        new.settle();
        Ok(new)
    }
}

/// A list of elements in JSON.
struct List(Kind);

impl<'de> DeserializeSeed<'de> for List {
    type Value = Vec<Element>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List {
    type Value = Vec<Element>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(element) = list.next_element_seed(self.0)? {
            all.push(element);
        }
        Ok(all)
    }
}

/// A number, a truth value or a text, as text; [`CONTENT`] for a value with members.
struct Text(String);

/// Takes values of these types as texts.
macro_rules! scalars {
    ($($visit:ident: $type:ty),+) => {
        $(fn $visit<E>(self, value: $type) -> Result<Text, E> {
            Ok(Text(value.to_string()))
        })+
    };
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl<'de> Visitor<'de> for Scalar {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            scalars! { visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str }

            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text(CONTENT.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Text, A::Error> {
                let mut value = "";
                while list.next_element::<IgnoredAny>()?.is_some() {
                    value = CONTENT;
                }
                Ok(Text(value.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Text(CONTENT.to_owned()))
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
                    gids.push(u32::try_from(gid).map_err(|_| A::Error::custom(format!("{gid} is not a tile id")))?);
                }
                Ok(Data::Gids(gids))
            }
        }
        deserializer.deserialize_any(Cells)
    }
}
