use std::io::{BufWriter, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};

use super::field::{Field, Scalar, field, printable, property_name};
use super::view::{Item, TileView};
use super::{Layer, Map, Tileset, cells};
use crate::Result;

/// Writes a map as XML.
pub(super) fn write(map: &Map<'_>, out: impl Write) -> Result<()> {
    let mut tmx = Tmx(Writer::new_with_indent(BufWriter::new(out), b' ', 1));
    tmx.0.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    tmx.element("map", &map.attributes(), |tmx| {
        tmx.properties(&map.properties())?;
        map.tilesets.iter().try_for_each(|tileset| tmx.tileset(map, tileset))?;
        tmx.collection(map)?;
        map.layers.iter().try_for_each(|layer| tmx.layer(map, layer))
    })?;
    let out = tmx.0.get_mut();
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

struct Tmx<W: Write>(Writer<W>);

impl<W: Write> Tmx<W> {
    fn element(
        &mut self,
        name: &str,
        attributes: &[Field<'_>],
        content: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.0.write_event(Event::Start(start(name, attributes)))?;
        content(self)?;
        self.0.write_event(Event::End(BytesEnd::new(name)))?;
        Ok(())
    }

    fn empty(&mut self, name: &str, attributes: &[Field<'_>]) -> Result<()> {
        Ok(self.0.write_event(Event::Empty(start(name, attributes)))?)
    }

    fn properties(&mut self, properties: &[Field<'_>]) -> Result<()> {
        if properties.is_empty() {
            return Ok(());
        }
        self.element("properties", &[], |tmx| {
            properties.iter().try_for_each(|(name, value)| {
                // A bool is written as a number in an attribute, and as a word in a property.
                let word = match value {
                    Scalar::Bool(value) => if *value { "true" } else { "false" }.into(),
                    other => other.clone(),
                };
                let [name, kind, value] =
                    [field("name", property_name(name)), field("type", value.kind()), field("value", word)];
                match kind.1 {
                    // The default type, which is not written.
                    Scalar::Text(kind) if kind == "string" => tmx.empty("property", &[name, value]),
                    _ => tmx.empty("property", &[name, kind, value]),
                }
            })
        })
    }

    fn tileset(&mut self, map: &Map<'_>, tileset: &Tileset<'_>) -> Result<()> {
        self.element("tileset", &tileset.attributes(), |tmx| {
            let [width, height] = tileset.picture_size();
            tmx.empty("image", &[field("source", tileset.picture()), field("width", width), field("height", height)])?;
            map.tiles(tileset).try_for_each(|tile| tmx.tile(&tile))
        })
    }

    /// The pictures of objects, each a file.
    fn collection(&mut self, map: &Map<'_>) -> Result<()> {
        if map.pictures().is_empty() {
            return Ok(());
        }
        self.element("tileset", &map.collection.attributes(), |tmx| {
            (0_u32..).zip(map.pictures()).try_for_each(|(id, picture)| {
                tmx.element("tile", &[field("id", id)], |tmx| {
                    tmx.properties(&picture.properties(map.encoding))?;
                    let [width, height] = picture.size();
                    tmx.empty(
                        "image",
                        &[field("source", picture.path()), field("width", width), field("height", height)],
                    )
                })
            })
        })
    }

    fn tile(&mut self, tile: &TileView<'_>) -> Result<()> {
        self.element("tile", &tile.attributes(), |tmx| {
            tmx.properties(&tile.properties)?;
            if !tile.has_shapes() {
                return Ok(());
            }
            tmx.element("objectgroup", &[field("draworder", "index")], |tmx| {
                tile.shapes().try_for_each(|shape| tmx.item(&shape))
            })
        })
    }

    fn layer(&mut self, map: &Map<'_>, layer: &Layer<'_>) -> Result<()> {
        let size = map.size_of(layer);
        let size = [field("width", size[0]), field("height", size[1])];
        let attributes = [&layer.attributes(map.encoding, false)[..], &size].concat();
        self.element("layer", &attributes, |tmx| {
            tmx.properties(&layer.properties(map.encoding))?;
            tmx.element("data", &map.form(), |tmx| {
                if !map.infinite && !map.outline {
                    return tmx.cells(map, layer);
                }
                if layer.plane.tiles().is_empty() || map.outline {
                    return Ok(());
                }
                let place = [field("x", 0), field("y", 0)];
                tmx.element("chunk", &[&place[..], &size].concat(), |tmx| tmx.cells(map, layer))
            })
        })?;
        if layer.plane.objects().is_empty() {
            return Ok(());
        }
        let order = (!map.pictures().is_empty()).then(|| field("draworder", "index"));
        let attributes: Vec<_> = layer.attributes(map.encoding, true).into_iter().chain(order).collect();
        self.element("objectgroup", &attributes, |tmx| {
            tmx.properties(&layer.link())?;
            if map.outline {
                return Ok(());
            }
            map.objects(layer).try_for_each(|object| tmx.item(&object?))
        })
    }

    /// The cells packed, or as comma-separated values, a row of them a line.
    fn cells(&mut self, map: &Map<'_>, layer: &Layer<'_>) -> Result<()> {
        if !map.full {
            let out = self.0.get_mut();
            out.write_all(b"\n")?;
            return Ok(cells::write(map.gids(layer), out)?);
        }
        let width = map.size_of(layer)[0] as usize;
        let out = self.0.get_mut();
        for (at, gid) in map.gids(layer).enumerate() {
            let separator = match at {
                0 => "\n",
                at if at % width == 0 => ",\n",
                _ => ",",
            };
            write!(out, "{separator}{gid}")?;
        }
        Ok(())
    }

    fn item(&mut self, item: &Item<'_>) -> Result<()> {
        self.element("object", &item.attributes, |tmx| {
            tmx.properties(&item.properties)?;
            if item.is_point { tmx.empty("point", &[]) } else { Ok(()) }
        })
    }
}

fn start<'a>(name: &'a str, attributes: &[Field<'_>]) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        let (number, shown);
        let value: &str = match value {
            Scalar::Text(text) => {
                shown = printable(text);
                &shown
            }
            Scalar::Bool(value) => {
                if *value {
                    "1"
                } else {
                    "0"
                }
            }
            Scalar::Int(value) => {
                number = value.to_string();
                &number
            }
            Scalar::Float(value) => {
                number = value.to_string();
                &number
            }
        };
        start.push_attribute((&**name, value));
    }
    start
}
