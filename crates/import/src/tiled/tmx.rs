//! Maps in XML.

use std::borrow::Cow;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::saved::{CONTENT, Data, Element, Kind};
use worldview_core::quote;
use worldview_edit::{EditError, Result};

/// Groups inside each other; Tiled's own interface hardly shows more.
const MAX_DEPTH: usize = 64;

/// Reads a map.
pub(super) fn read(text: &str) -> Result<Element> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut tmx = Tmx { reader, text, depth: 0, layers: 0 };
    let mut map = None;
    loop {
        match tmx.event()? {
            Event::Start(start) if start.name().as_ref() == "map" && map.is_none() => {
                map = Some(tmx.element(&start, Kind::Map)?)
            }
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

    /// Reads an element of a kind to its end.
    fn element(&mut self, start: &BytesStart<'m>, kind: Kind) -> Result<Element> {
        let mut element = Element::new(kind);
        if kind == Kind::Layer {
            self.layers = self.layers.saturating_add(1);
            if self.layers > MAX_LAYERS {
                return Err(self.error(format!("the map has more than {MAX_LAYERS} layers")));
            }
            let name = start.name().as_ref().to_owned();
            element.set("type", if name == "layer" { "tilelayer".to_owned() } else { name });
        }
        self.attributes(start, &mut element, str::to_owned)?;
        let text = self.children(start, |tmx, child| tmx.child(child, &mut element))?;
        if kind == Kind::Property && element.get("value").is_none() {
            // Text of several lines is the element's content.
            self.push(&mut element, "value", text)?;
        } else {
            self.rest(&mut element, text)?;
        }
        Ok(element)
    }

    fn child(&mut self, child: &BytesStart<'m>, parent: &mut Element) -> Result<()> {
        let name = child.name();
        let kind = match (parent.kind, name.as_ref()) {
            (Kind::Property, _) => {
                self.skip(child)?;
                return self.push(parent, "value", CONTENT.to_owned());
            }
            (_, "properties") => return self.properties(child, parent),
            (Kind::Tileset | Kind::Tile, "image") if parent.get("image").is_none() => return self.image(child, parent),
            (Kind::Layer, "data") if parent.class() == "tilelayer" && parent.data.is_none() => {
                return self.data(child, parent, false);
            }
            (Kind::Map, "tileset") => Kind::Tileset,
            (Kind::Map, "layer" | "objectgroup" | "imagelayer" | "group") => Kind::Layer,
            (Kind::Layer, "layer" | "objectgroup" | "imagelayer" | "group") if parent.class() == "group" => Kind::Layer,
            (Kind::Layer, "object") if parent.class() == "objectgroup" => Kind::Object,
            (Kind::Tileset, "tile") => Kind::Tile,
            (Kind::Tile, "objectgroup") if parent.children.is_empty() => Kind::Shapes,
            (Kind::Shapes, "object") => Kind::Shape,
            _ => return self.keep(child, parent),
        };
        parent.children.push(self.element(child, kind)?);
        Ok(())
    }

    fn properties(&mut self, start: &BytesStart<'m>, parent: &mut Element) -> Result<()> {
        let mut odd = Element::default();
        self.attributes(start, &mut odd, str::to_owned)?;
        let text = self.children(start, |tmx, child| {
            if child.name().as_ref() != "property" {
                return tmx.keep(child, &mut odd);
            }
            parent.properties.push(&tmx.element(child, Kind::Property)?);
            Ok(())
        })?;
        self.rest(&mut odd, text)?;
        parent.properties.odd.extend(odd.attributes.into_iter().map(|(name, _)| (name, "is not a property")));
        Ok(())
    }

    /// Reads a picture, whose attributes have the names that JSON has for them.
    fn image(&mut self, start: &BytesStart<'m>, parent: &mut Element) -> Result<()> {
        self.attributes(start, parent, |name| match name {
            "source" => "image".to_owned(),
            name => format!("image{name}"),
        })?;
        let text = self.children(start, |tmx, child| tmx.keep(child, parent))?;
        self.rest(parent, text)
    }

    /// Reads the cells of a layer or a chunk, which are texts if the layer has an encoding.
    fn data(&mut self, start: &BytesStart<'m>, owner: &mut Element, is_text: bool) -> Result<()> {
        self.attributes(start, owner, str::to_owned)?;
        let is_text = is_text || owner.get("encoding").is_some_and(|encoding| !encoding.is_empty());
        let mut gids = Vec::new();
        let text = self.children(start, |tmx, child| match (owner.kind, child.name().as_ref()) {
            (Kind::Layer, "chunk") => {
                let mut chunk = Element::new(Kind::Chunk);
                tmx.data(child, &mut chunk, is_text)?;
                owner.children.push(chunk);
                Ok(())
            }
            (_, "tile") => tmx.cell(child, &mut gids, owner),
            _ => tmx.keep(child, owner),
        })?;
        // What is not in the encoding of the layer.
        if if is_text { !gids.is_empty() } else { !text.trim().is_empty() } {
            let (kind, name) = (owner.kind.name(), quote(owner.name()));
            return Err(self.error(format!("the {kind} {name} has cells in two encodings")));
        }
        owner.data = Some(if is_text { Data::Text(text) } else { Data::Gids(gids) });
        Ok(())
    }

    /// Reads a cell that is an element of its own.
    fn cell(&mut self, start: &BytesStart<'m>, gids: &mut Vec<u32>, owner: &mut Element) -> Result<()> {
        let mut gid = 0;
        for (name, value) in self.named(start)? {
            match name.as_str() {
                "gid" => {
                    let wrong = || self.error(format!("`gid` is not a number that fits: {}", quote(&value)));
                    gid = value.parse().map_err(|_| wrong())?;
                }
                _ => self.push(owner, &name, value)?,
            }
        }
        gids.push(gid);
        let text = self.children(start, |tmx, child| tmx.keep(child, owner))?;
        self.rest(owner, text)
    }

    /// Reads over an element.
    fn skip(&mut self, start: &BytesStart<'m>) -> Result<bool> {
        let is_empty = start.attributes_raw().trim_ascii().is_empty();
        let span = self.reader.read_to_end(start.name()).map_err(|error| self.error(error.to_string()))?;
        Ok(is_empty && span.is_empty())
    }

    /// Reads over an element that nobody reads: it is an attribute of its parent.
    fn keep(&mut self, start: &BytesStart<'m>, parent: &mut Element) -> Result<()> {
        let value = if self.skip(start)? { "true" } else { CONTENT };
        self.push(parent, start.name().as_ref(), value.to_owned())
    }

    /// Makes text where elements have none one of the attributes that nobody reads.
    fn rest(&self, element: &mut Element, text: String) -> Result<()> {
        if text.trim().is_empty() { Ok(()) } else { self.push(element, "text between elements", text) }
    }

    fn attributes(&self, start: &BytesStart<'m>, element: &mut Element, rename: fn(&str) -> String) -> Result<()> {
        self.named(start)?.into_iter().try_for_each(|(name, value)| self.push(element, &rename(&name), value))
    }

    fn push(&self, element: &mut Element, name: &str, value: String) -> Result<()> {
        element.push(name.to_owned(), value).map_err(|why| self.error(why))
    }

    fn named(&self, start: &BytesStart<'m>) -> Result<Vec<(String, String)>> {
        let mut list = Vec::new();
        // The check for repeated names takes quadratic time.
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| self.error(error.to_string()))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| self.error(error.to_string()))?;
            list.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Ok(list)
    }
}
