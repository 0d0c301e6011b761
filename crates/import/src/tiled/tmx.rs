//! Maps in XML.

use std::borrow::Cow;
use std::str::FromStr;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::saved::{CONTENT, Chunk, Data, Layer, Map, Object, Properties, Rest, Shapes, Tile, Tileset};
use worldview_core::quote;
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

    /// Reads over an element.
    fn skip(&mut self, start: &BytesStart<'m>) -> Result<()> {
        let end = self.reader.read_to_end(start.name());
        end.map(|_| ()).map_err(|error| self.error(error.to_string()))
    }

    /// Reads over an element that no planner reads: it is one of the rest.
    fn keep(&mut self, start: &BytesStart<'m>, rest: &mut Rest) -> Result<()> {
        let name = start.name().as_ref().to_owned();
        let mut is_empty = start.attributes_raw().trim_ascii().is_empty();
        let span = self.reader.read_to_end(start.name()).map_err(|error| self.error(error.to_string()))?;
        is_empty &= span.is_empty();
        rest.push((name, if is_empty { "true" } else { CONTENT }.to_owned()));
        Ok(())
    }

    /// Reads to the end of an element that has neither children nor text.
    fn end(&mut self, start: &BytesStart<'m>, rest: &mut Rest) -> Result<()> {
        self.parent(start, rest, |tmx, child, rest| tmx.keep(child, rest))
    }

    /// Reads an element with children and without text.
    fn parent(
        &mut self,
        start: &BytesStart<'m>,
        rest: &mut Rest,
        mut visit: impl FnMut(&mut Self, &BytesStart<'m>, &mut Rest) -> Result<()>,
    ) -> Result<()> {
        let text = self.children(start, |tmx, child| visit(tmx, child, rest))?;
        if !text.trim().is_empty() {
            rest.push(("text between elements".to_owned(), text));
        }
        Ok(())
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

    fn number<T: FromStr>(&self, attributes: &mut Attributes, name: &str, default: T) -> Result<T> {
        let Some(text) = attributes.remove(name) else { return Ok(default) };
        text.parse().map_err(|_| self.error(format!("`{name}` is not a number that fits: {}", quote(&text))))
    }

    fn flag(&self, attributes: &mut Attributes, name: &str, default: bool) -> Result<bool> {
        match attributes.remove(name).as_deref() {
            None => Ok(default),
            Some("0" | "false") => Ok(false),
            Some("1" | "true") => Ok(true),
            Some(text) => Err(self.error(format!("`{name}` is neither 0 nor 1: {}", quote(text)))),
        }
    }

    fn map(&mut self, start: &BytesStart<'m>) -> Result<Map> {
        let mut attributes = self.attributes(start)?;
        let mut map = Map {
            width: self.number(&mut attributes, "width", 0)?,
            height: self.number(&mut attributes, "height", 0)?,
            tilewidth: self.number(&mut attributes, "tilewidth", 0)?,
            tileheight: self.number(&mut attributes, "tileheight", 0)?,
            infinite: self.flag(&mut attributes, "infinite", false)?,
            ..Map::default()
        };
        let mut rest = attributes.0;
        self.parent(start, &mut rest, |tmx, child, rest| {
            match child.name().as_ref() {
                "properties" => map.properties.extend(tmx.properties(child)?),
                "tileset" => map.tilesets.push(tmx.tileset(child)?),
                _ => match tmx.layer(child)? {
                    Some(layer) => map.layers.push(layer),
                    None => tmx.keep(child, rest)?,
                },
            }
            Ok(())
        })?;
        map.rest = rest;
        Ok(map)
    }

    fn properties(&mut self, start: &BytesStart<'m>) -> Result<Properties> {
        let mut properties = Properties::default();
        let mut rest = self.attributes(start)?.0;
        self.parent(start, &mut rest, |tmx, child, rest| {
            if child.name().as_ref() != "property" {
                return tmx.keep(child, rest);
            }
            let mut attributes = tmx.attributes(child)?;
            let name = attributes.take("name");
            let value = attributes.remove("value");
            attributes.0.retain(|(name, _)| name != "type" && name != "propertytype");
            let mut has_members = false;
            let text = tmx.children(child, |tmx, member| {
                has_members = true;
                tmx.skip(member)
            })?;
            let has_both = value.is_some() && !text.trim().is_empty();
            if has_both || !attributes.0.is_empty() {
                properties.odd.push((name.clone(), "has attributes or a text that properties do not have"));
            }
            // Text of several lines is the element's content.
            properties.insert(name, Some(value.unwrap_or(text)).filter(|_| !has_members));
            Ok(())
        })?;
        properties.odd.extend(rest.into_iter().map(|(name, _)| (name, "is not a property")));
        Ok(properties)
    }

    fn tileset(&mut self, start: &BytesStart<'m>) -> Result<Tileset> {
        let mut attributes = self.attributes(start)?;
        let mut tileset = Tileset {
            firstgid: self.number(&mut attributes, "firstgid", 0)?,
            name: attributes.take("name"),
            source: attributes.take("source"),
            ..Tileset::default()
        };
        let mut rest = attributes.0;
        self.parent(start, &mut rest, |tmx, child, rest| {
            match child.name().as_ref() {
                "properties" => tileset.properties.extend(tmx.properties(child)?),
                "image" if tileset.image.is_empty() => {
                    let mut image = tmx.attributes(child)?;
                    tileset.image = image.take("source");
                    tmx.image(child, image, rest)?;
                }
                "tile" => tileset.tiles.push(tmx.tile(child)?),
                _ => tmx.keep(child, rest)?,
            }
            Ok(())
        })?;
        tileset.rest = rest;
        Ok(tileset)
    }

    /// Reads a picture, whose attributes have the names that JSON has for them.
    fn image(&mut self, start: &BytesStart<'m>, image: Attributes, rest: &mut Rest) -> Result<()> {
        rest.extend(image.0.into_iter().map(|(name, value)| (format!("image{name}"), value)));
        self.end(start, rest)
    }

    fn tile(&mut self, start: &BytesStart<'m>) -> Result<Tile> {
        let mut attributes = self.attributes(start)?;
        let id = self.number(&mut attributes, "id", 0)?;
        let mut tile = Tile { id, class: attributes.class(), ..Tile::default() };
        let mut rest = attributes.0;
        self.parent(start, &mut rest, |tmx, child, rest| {
            match child.name().as_ref() {
                "properties" => tile.properties.extend(tmx.properties(child)?),
                "image" if tile.image.is_empty() => {
                    let mut image = tmx.attributes(child)?;
                    tile.image = image.take("source");
                    tile.imagewidth = tmx.number(&mut image, "width", 0)?;
                    tile.imageheight = tmx.number(&mut image, "height", 0)?;
                    tmx.image(child, image, rest)?;
                }
                "objectgroup" if tile.objectgroup.is_none() => {
                    let mut shapes = Shapes { rest: tmx.attributes(child)?.0, ..Shapes::default() };
                    let mut rest = std::mem::take(&mut shapes.rest);
                    tmx.parent(child, &mut rest, |tmx, child, rest| match child.name().as_ref() {
                        "properties" => {
                            shapes.properties.extend(tmx.properties(child)?);
                            Ok(())
                        }
                        "object" => {
                            shapes.objects.push(tmx.object(child)?);
                            Ok(())
                        }
                        _ => tmx.keep(child, rest),
                    })?;
                    shapes.rest = rest;
                    tile.objectgroup = Some(shapes);
                }
                _ => tmx.keep(child, rest)?,
            }
            Ok(())
        })?;
        tile.rest = rest;
        Ok(tile)
    }

    /// Reads a layer of any kind. Of other elements, nothing is read.
    fn layer(&mut self, start: &BytesStart<'m>) -> Result<Option<Layer>> {
        let kind = match start.name().as_ref() {
            "layer" => "tilelayer",
            "objectgroup" => "objectgroup",
            "imagelayer" => "imagelayer",
            "group" => "group",
            _ => return Ok(None),
        };
        self.layers = self.layers.saturating_add(1);
        if self.layers > MAX_LAYERS {
            return Err(self.error(format!("the map has more than {MAX_LAYERS} layers")));
        }
        let mut attributes = self.attributes(start)?;
        let mut layer = Layer {
            kind: kind.to_owned(),
            name: attributes.take("name"),
            width: self.number(&mut attributes, "width", 0)?,
            height: self.number(&mut attributes, "height", 0)?,
            offsetx: self.number(&mut attributes, "offsetx", 0.0)?,
            offsety: self.number(&mut attributes, "offsety", 0.0)?,
            parallaxx: self.number(&mut attributes, "parallaxx", 1.0)?,
            parallaxy: self.number(&mut attributes, "parallaxy", 1.0)?,
            draworder: attributes.take("draworder"),
            ..Layer::default()
        };
        let mut rest = attributes.0;
        let mut has_data = false;
        self.parent(start, &mut rest, |tmx, child, rest| {
            match (child.name().as_ref(), kind) {
                ("properties", _) => layer.properties.extend(tmx.properties(child)?),
                ("data", "tilelayer") if !std::mem::replace(&mut has_data, true) => {
                    tmx.data(child, &mut layer, rest)?
                }
                ("object", "objectgroup") => layer.objects.push(tmx.object(child)?),
                (_, "group") => match tmx.layer(child)? {
                    Some(inner) => layer.layers.push(inner),
                    None => tmx.keep(child, rest)?,
                },
                _ => tmx.keep(child, rest)?,
            }
            Ok(())
        })?;
        layer.rest = rest;
        Ok(Some(layer))
    }

    fn data(&mut self, start: &BytesStart<'m>, layer: &mut Layer, rest: &mut Rest) -> Result<()> {
        let mut attributes = self.attributes(start)?;
        layer.encoding = attributes.take("encoding");
        layer.compression = attributes.take("compression");
        rest.extend(attributes.0);
        let is_text = !layer.encoding.is_empty();
        let mut gids = Vec::new();
        let text = self.children(start, |tmx, child| {
            if child.name().as_ref() != "chunk" {
                return tmx.cell(child, &mut gids, rest);
            }
            let mut attributes = tmx.attributes(child)?;
            let mut gids = Vec::new();
            let text = tmx.children(child, |tmx, child| tmx.cell(child, &mut gids, rest))?;
            layer.chunks.push(Chunk {
                x: tmx.number(&mut attributes, "x", 0)?,
                y: tmx.number(&mut attributes, "y", 0)?,
                width: tmx.number(&mut attributes, "width", 0)?,
                height: tmx.number(&mut attributes, "height", 0)?,
                data: if is_text { Data::Text(text) } else { Data::Gids(gids) },
                rest: attributes.0,
            });
            Ok(())
        })?;
        // What is not in the encoding of the layer.
        if if is_text { !gids.is_empty() } else { !text.trim().is_empty() } {
            return Err(self.error(format!("the layer {} has cells in two encodings", quote(&layer.name))));
        }
        layer.data = if is_text { Data::Text(text) } else { Data::Gids(gids) };
        Ok(())
    }

    /// A cell that is an element of its own.
    fn cell(&mut self, start: &BytesStart<'m>, gids: &mut Vec<u32>, rest: &mut Rest) -> Result<()> {
        if start.name().as_ref() != "tile" {
            return self.keep(start, rest);
        }
        let mut attributes = self.attributes(start)?;
        gids.push(self.number(&mut attributes, "gid", 0)?);
        rest.extend(attributes.0);
        self.skip(start)
    }

    fn object(&mut self, start: &BytesStart<'m>) -> Result<Object> {
        let mut attributes = self.attributes(start)?;
        let mut object = Object {
            id: self.number(&mut attributes, "id", 0)?,
            name: attributes.take("name"),
            class: attributes.class(),
            x: self.number(&mut attributes, "x", 0.0)?,
            y: self.number(&mut attributes, "y", 0.0)?,
            width: self.number(&mut attributes, "width", 0.0)?,
            height: self.number(&mut attributes, "height", 0.0)?,
            gid: self.number(&mut attributes, "gid", 0)?,
            rotation: self.number(&mut attributes, "rotation", 0.0)?,
            visible: self.flag(&mut attributes, "visible", true)?,
            template: attributes.take("template"),
            ..Object::default()
        };
        let mut rest = attributes.0;
        self.parent(start, &mut rest, |tmx, child, rest| {
            if child.name().as_ref() == "properties" {
                object.properties.extend(tmx.properties(child)?);
                return Ok(());
            }
            tmx.keep(child, rest)
        })?;
        object.rest = rest;
        Ok(object)
    }
}

/// The attributes of an element.
struct Attributes(Rest);

impl Attributes {
    /// Takes a text out, if it is there.
    fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes a text out; absent attributes are empty.
    fn take(&mut self, name: &str) -> String {
        self.remove(name).unwrap_or_default()
    }

    /// Takes the class out, which Tiled 1.9 calls `class` and other versions call `type`.
    fn class(&mut self) -> String {
        let name = if self.0.iter().any(|(key, value)| key == "type" && !value.is_empty()) { "type" } else { "class" };
        self.take(name)
    }
}
