//! Maps in XML.

use std::borrow::Cow;
use std::str::FromStr;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::saved::{Chunk, Data, Layer, Map, Object, Properties, Shapes, Tile, Tileset};
use worldview_edit::{EditError, Result};

/// Groups inside each other; Tiled's own interface hardly shows more.
const MAX_DEPTH: usize = 64;

/// Reads a map.
pub(super) fn read(text: &str) -> Result<Map> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut tmx = Tmx { reader, text, depth: 0, layers: 0 };
    let mut map = None;
    loop {
        match tmx.event()? {
            Event::Start(start) if start.name().as_ref() == "map" && map.is_none() => map = Some(tmx.map(&start)?),
            Event::Start(_) => return Err(tmx.error("the root element is not one `map`")),
            Event::Eof => return map.ok_or_else(|| tmx.error("the root element `map` is missing")),
            _ => {}
        }
    }
}

/// Layers of a map; an empty one takes forty times its length in memory.
const MAX_LAYERS: usize = 1 << 16;

struct Tmx<'m> {
    reader: Reader<&'m [u8]>,
    text: &'m str,
    depth: usize,
    layers: usize,
}

impl<'m> Tmx<'m> {
    fn error(&self, why: impl Into<String>) -> EditError {
        let at = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        let before = self.text.as_bytes().iter().take(at);
        let breaks = before.filter(|&&byte| byte == b'\n').count();
        EditError::malformed(u64::try_from(breaks).ok().map(|breaks| breaks.saturating_add(1)), why)
    }

    fn event(&mut self) -> Result<Event<'m>> {
        self.reader.read_event().map_err(|error| self.error(error.to_string()))
    }

    /// Calls `visit` with each child element, which it has to read to its end. Returns the element's own text.
    fn children(
        &mut self,
        parent: &BytesStart<'m>,
        mut visit: impl FnMut(&mut Self, &BytesStart<'m>) -> Result<()>,
    ) -> Result<String> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("elements are nested more than {MAX_DEPTH} deep")));
        }
        let mut text = String::new();
        loop {
            match self.event()? {
                Event::Start(start) => visit(self, &start)?,
                // The reader checks that it is the end of this element.
                Event::End(_) => break,
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::CData(part) => text.push_str(&part.xml10_content()),
                Event::GeneralRef(name) => text.push_str(&self.reference(&name)?),
                Event::Eof => {
                    let name = parent.name();
                    return Err(self.error(format!("the element `{}` has no end", name.as_ref())));
                }
                _ => {}
            }
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(text)
    }

    fn reference(&self, name: &quick_xml::events::BytesRef<'_>) -> Result<Cow<'static, str>> {
        if let Some(char) = name.resolve_char_ref().map_err(|error| self.error(error.to_string()))? {
            return Ok(char.to_string().into());
        }
        let text = quick_xml::escape::resolve_predefined_entity(name.as_ref());
        text.map(Cow::Borrowed).ok_or_else(|| self.error(format!("unknown entity `{}`", name.as_ref())))
    }

    /// Reads over an element that says nothing about a level.
    fn skip(&mut self, start: &BytesStart<'m>) -> Result<()> {
        let end = self.reader.read_to_end(start.name());
        end.map(|_| ()).map_err(|error| self.error(error.to_string()))
    }

    fn attributes(&self, start: &BytesStart<'m>) -> Result<Attributes> {
        let mut list = Vec::new();
        // The check for repeated names takes quadratic time.
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| self.error(error.to_string()))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| self.error(error.to_string()))?;
            list.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Ok(Attributes(list))
    }

    fn number<T: FromStr>(&self, attributes: &Attributes, name: &str, default: T) -> Result<T> {
        let Some(text) = attributes.get(name) else { return Ok(default) };
        text.parse().map_err(|_| self.error(format!("`{name}` is not a number that fits: {text:?}")))
    }

    fn map(&mut self, start: &BytesStart<'m>) -> Result<Map> {
        let attributes = self.attributes(start)?;
        let mut map = Map {
            width: self.number(&attributes, "width", 0)?,
            height: self.number(&attributes, "height", 0)?,
            tilewidth: self.number(&attributes, "tilewidth", 0)?,
            tileheight: self.number(&attributes, "tileheight", 0)?,
            infinite: attributes.get("infinite") == Some("1"),
            ..Map::default()
        };
        self.children(start, |tmx, child| {
            match child.name().as_ref() {
                "properties" => map.properties = tmx.properties(child)?,
                "tileset" => map.tilesets.push(tmx.tileset(child)?),
                _ => map.layers.extend(tmx.layer(child)?),
            }
            Ok(())
        })?;
        Ok(map)
    }

    fn properties(&mut self, start: &BytesStart<'m>) -> Result<Properties> {
        let mut properties = Properties::default();
        self.children(start, |tmx, child| {
            let mut attributes = tmx.attributes(child)?;
            let name = attributes.take("name");
            let mut has_members = false;
            let text = tmx.children(child, |tmx, member| {
                has_members = true;
                tmx.skip(member)
            })?;
            // Text of several lines is the element's content.
            let value = attributes.find("value").map_or(text, std::mem::take);
            if child.name().as_ref() == "property" && !has_members {
                properties.0.insert(name, value);
            }
            Ok(())
        })?;
        Ok(properties)
    }

    fn tileset(&mut self, start: &BytesStart<'m>) -> Result<Tileset> {
        let mut attributes = self.attributes(start)?;
        let mut tileset = Tileset {
            firstgid: self.number(&attributes, "firstgid", 0)?,
            name: attributes.take("name"),
            source: attributes.take("source"),
            ..Tileset::default()
        };
        self.children(start, |tmx, child| {
            match child.name().as_ref() {
                "image" => {
                    tileset.image = tmx.attributes(child)?.take("source");
                    tmx.skip(child)?;
                }
                "tile" => tileset.tiles.push(tmx.tile(child)?),
                _ => tmx.skip(child)?,
            }
            Ok(())
        })?;
        Ok(tileset)
    }

    fn tile(&mut self, start: &BytesStart<'m>) -> Result<Tile> {
        let mut attributes = self.attributes(start)?;
        let id = self.number(&attributes, "id", 0)?;
        let mut tile = Tile { id, class: attributes.class(), ..Tile::default() };
        self.children(start, |tmx, child| {
            match child.name().as_ref() {
                "properties" => tile.properties = tmx.properties(child)?,
                "objectgroup" => {
                    let mut shapes = Shapes::default();
                    tmx.children(child, |tmx, child| match child.name().as_ref() {
                        "object" => {
                            shapes.objects.push(tmx.object(child)?);
                            Ok(())
                        }
                        _ => tmx.skip(child),
                    })?;
                    tile.objectgroup = Some(shapes);
                }
                _ => tmx.skip(child)?,
            }
            Ok(())
        })?;
        Ok(tile)
    }

    /// Reads a layer of any kind; other elements are none.
    fn layer(&mut self, start: &BytesStart<'m>) -> Result<Option<Layer>> {
        let kind = match start.name().as_ref() {
            "layer" => "tilelayer",
            "objectgroup" => "objectgroup",
            "group" => "group",
            _ => return self.skip(start).map(|()| None),
        };
        self.layers = self.layers.saturating_add(1);
        if self.layers > MAX_LAYERS {
            return Err(self.error(format!("the map has more than {MAX_LAYERS} layers")));
        }
        let mut attributes = self.attributes(start)?;
        let mut layer = Layer {
            kind: kind.to_owned(),
            name: attributes.take("name"),
            width: self.number(&attributes, "width", 0)?,
            height: self.number(&attributes, "height", 0)?,
            offsetx: self.number(&attributes, "offsetx", 0.0)?,
            offsety: self.number(&attributes, "offsety", 0.0)?,
            parallaxx: self.number(&attributes, "parallaxx", 1.0)?,
            parallaxy: self.number(&attributes, "parallaxy", 1.0)?,
            draworder: attributes.take("draworder"),
            ..Layer::default()
        };
        self.children(start, |tmx, child| {
            match (child.name().as_ref(), kind) {
                ("properties", _) => layer.properties = tmx.properties(child)?,
                ("data", "tilelayer") => tmx.data(child, &mut layer)?,
                ("object", "objectgroup") => layer.objects.push(tmx.object(child)?),
                (_, "group") => layer.layers.extend(tmx.layer(child)?),
                _ => tmx.skip(child)?,
            }
            Ok(())
        })?;
        Ok(Some(layer))
    }

    fn data(&mut self, start: &BytesStart<'m>, layer: &mut Layer) -> Result<()> {
        let mut attributes = self.attributes(start)?;
        layer.encoding = attributes.take("encoding");
        layer.compression = attributes.take("compression");
        let is_text = !layer.encoding.is_empty();
        let mut gids = Vec::new();
        let text = self.children(start, |tmx, child| {
            let attributes = tmx.attributes(child)?;
            if child.name().as_ref() != "chunk" {
                return tmx.cell(child, &mut gids);
            }
            let mut gids = Vec::new();
            let text = tmx.children(child, |tmx, child| tmx.cell(child, &mut gids))?;
            layer.chunks.push(Chunk {
                x: tmx.number(&attributes, "x", 0)?,
                y: tmx.number(&attributes, "y", 0)?,
                width: tmx.number(&attributes, "width", 0)?,
                height: tmx.number(&attributes, "height", 0)?,
                data: if is_text { Data::Text(text) } else { Data::Gids(gids) },
            });
            Ok(())
        })?;
        layer.data = if is_text { Data::Text(text) } else { Data::Gids(gids) };
        Ok(())
    }

    /// A cell that is an element of its own.
    fn cell(&mut self, start: &BytesStart<'m>, gids: &mut Vec<u32>) -> Result<()> {
        if start.name().as_ref() == "tile" {
            let attributes = self.attributes(start)?;
            gids.push(self.number(&attributes, "gid", 0)?);
        }
        self.skip(start)
    }

    fn object(&mut self, start: &BytesStart<'m>) -> Result<Object> {
        let mut attributes = self.attributes(start)?;
        let mut object = Object {
            id: self.number(&attributes, "id", 0)?,
            name: attributes.take("name"),
            class: attributes.class(),
            x: self.number(&attributes, "x", 0.0)?,
            y: self.number(&attributes, "y", 0.0)?,
            width: self.number(&attributes, "width", 0.0)?,
            height: self.number(&attributes, "height", 0.0)?,
            gid: self.number(&attributes, "gid", 0)?,
            rotation: self.number(&attributes, "rotation", 0.0)?,
            ellipse: false,
            visible: attributes.get("visible") != Some("0"),
            template: attributes.take("template"),
            properties: Properties::default(),
        };
        self.children(start, |tmx, child| {
            if child.name().as_ref() == "properties" {
                object.properties = tmx.properties(child)?;
                return Ok(());
            }
            object.ellipse |= child.name().as_ref() == "ellipse";
            tmx.skip(child)
        })?;
        Ok(object)
    }
}

/// The attributes of an element.
struct Attributes(Vec<(String, String)>);

impl Attributes {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn find(&mut self, name: &str) -> Option<&mut String> {
        self.0.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Takes a text out; absent attributes are empty.
    fn take(&mut self, name: &str) -> String {
        self.find(name).map(std::mem::take).unwrap_or_default()
    }

    /// Takes the class out, which Tiled 1.9 calls `class` and other versions call `type`.
    fn class(&mut self) -> String {
        let class = self.take("type");
        if class.is_empty() { self.take("class") } else { class }
    }
}
