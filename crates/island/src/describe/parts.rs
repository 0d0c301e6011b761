use core::hash::Hasher;

use worldview_core::Source;
use worldview_core::describe::{
    Array, Describe, Each, Elements, Field, FieldValue, Flow, Int, Items, List, ListFlag, MatchRule, Part, PartKey,
    Role, Span, Visit,
};
use zerocopy::{FromBytes as _, IntoBytes as _};

use super::field::{
    NameForm, between, count, end_of, has, integer, offset, offset_from, text, through, visit_name, word,
};
use super::list::{Element, ElementList, by_name, feed};
use super::shape::visit_lods;
use crate::parts::{self, Parts};
use crate::texture::{Image, Texture, Textures};
use crate::texture_file::TextureFile;

impl Describe for Parts<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let (source, base) = (self.source(), self.source().base());
        visitor.field(&offset_from("textures_offset", self.texture_offset, base, source))?;
        visitor.field(&count("part_count", self.stored_count().into()))?;
        let list = List::new("parts", "part").with(&[ListFlag::Inside]);
        let get = |index, at| self.starting_at(at).filter(|_| has(self.len(), index));
        let part = |index, part: parts::Part<'_>, visit: Each<'_>| one_part(index, &part, source, visit);
        let list = Items::walked(list, self.iter().map(Ok).chain(self.broken().map(Err)), get, part);
        let places = ElementList::counted(Element::Part, word(base.saturating_add(4), source), "name");
        visitor.parts(&by_name(list).editable(&places))?;
        visitor.field(&offset("parts_end", self.end()))?;
        match self.no_textures() {
            Some(error) => visitor.broken(&error),
            None => {
                let count = word(base.saturating_add(self.texture_offset.into()), source);
                visit_textures(&self.textures, count, visitor)
            }
        }
    }
}

/// Passes on a part whose offset counts from `source`.
pub(crate) fn one_part(index: u32, part: &parts::Part<'_>, source: Source<'_>, visit: Each<'_>) -> Flow {
    let body = |visitor: &mut dyn Visit| {
        visit_name("name", part.name, NameForm::Inside, source, visitor)?;
        // The number of levels and the end offset.
        let at = end_of(part.name, source);
        visitor.field(&offset_from("end", part.end_offset, at.saturating_add(4), source))?;
        visit_lods(part.lods, Some(word(at, source)), visitor)
    };
    let at = between(part.at, source.base().saturating_add(part.end_offset.into()), source);
    visit(Ok(&Part::new(index, PartKey::Name(part.name.text()), &body).at(at)))
}

/// The global textures, and the bytes after them in their chunk.
pub(super) struct GlobalTextures<'s, 'a> {
    pub(super) textures: &'s Textures<'a>,
    pub(super) chunk: Source<'a>,
}

impl Describe for GlobalTextures<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { textures, chunk } = *self;
        visit_textures(textures, word(chunk.base(), chunk), visitor)?;
        let from = textures.end().saturating_sub(chunk.base());
        let trailing = chunk.tail(from, "trailing bytes").map_or(&[][..], Source::bytes);
        visitor.field(&count("trailing_length", trailing.len() as u64))?;
        if trailing.is_empty() || !visitor.wants_bulk() {
            return Flow::Continue(());
        }
        let array = Array::bytes("trailing_bytes", trailing).bulk().role(Role::Storage);
        visitor.array(&array.at(Span::of(trailing, chunk)))
    }
}

impl Describe for TextureFile<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&count("length", self.source().len()))?;
        GlobalTextures { textures: &self.textures(), chunk: self.source() }.describe(visitor)
    }
}

/// Visits textures, whose number is at a place.
pub(super) fn visit_textures(textures: &Textures<'_>, stored: (Span, Int), visitor: &mut dyn Visit) -> Flow {
    visitor.field(&count("texture_count", textures.stored_count().into()))?;
    let (source, has_pairs) = (textures.source(), textures.has_pairs());
    let list = List::new("textures", "texture").with(&[ListFlag::Inside]);
    let get = |index, at| textures.starting_at(at).filter(|_| has(textures.len(), index));
    let part = |index, texture: Texture<'_>, visit: Each<'_>| one_texture(index, &texture, source, visit);
    let list = Items::walked(list, textures.iter().map(Ok).chain(textures.broken().map(Err)), get, part);
    // By the name that meshes use, without the `^` of a pair.
    let rule = |part: &Part<'_>, round, hasher: &mut dyn Hasher| {
        let (PartKey::Name(text), 0) = (part.key, round) else { return MatchRule::None };
        feed(text.strip_prefix(b"^").filter(|_| has_pairs).unwrap_or(text), hasher);
        MatchRule::Any
    };
    let (element, start) = (Element::Texture { has_pairs }, Some(source.base()));
    let places = ElementList { element, start, count: Some(stored), key: Some("name") };
    visitor.parts(&by_name(list).matched(&rule).editable(&places))?;
    visitor.field(&offset("textures_end", textures.end()))
}

/// Passes on a texture.
pub(crate) fn one_texture(index: u32, texture: &Texture<'_>, source: Source<'_>, visit: Each<'_>) -> Flow {
    let body = |visitor: &mut dyn Visit| {
        visit_name("name", texture.name, NameForm::Inside, source, visitor)?;
        visitor.field(&Field::new("real_name", text(texture.real_name())).role(Role::Derived))?;
        // The only image, or the low-quality and the high-quality one.
        let images = [Some(texture.image), texture.second];
        let list = List::indexed("images", "image").with(&[ListFlag::Inside]);
        let get = |index, _| images.into_iter().flatten().nth(usize::try_from(index).ok()?);
        let part = |index, image: Image<'_>, visit: Each<'_>| one_image(index, &image, source, visit);
        let list = Items::walked(list, images.into_iter().flatten().map(Ok), get, part);
        let places = ElementList { element: Element::Image, start: None, count: None, key: None };
        visitor.parts(&by_name(list).editable(&places))
    };
    let at = through(texture.at, texture.high().pixels, source);
    visit(Ok(&Part::new(index, PartKey::Name(texture.name.text()), &body).at(at)))
}

/// Passes on an image.
pub(crate) fn one_image(index: u32, image: &Image<'_>, source: Source<'_>, visit: Each<'_>) -> Flow {
    let body = |visitor: &mut dyn Visit| {
        let field = |offset| word(image.at.saturating_add(offset), source);
        visitor.field(&integer("width", FieldValue::Uint(image.width.into()), field(0)))?;
        visitor.field(&integer("height", FieldValue::Uint(image.height.into()), field(4)))?;
        visitor.field(&count("color_count", image.palette.len() as u64))?;
        if !visitor.wants_bulk() {
            return Flow::Continue(());
        }
        let bytes = image.palette.as_bytes();
        let colors = Elements::Colors(<[[u8; 3]]>::ref_from_bytes(bytes).unwrap_or(&[]));
        let palette = Array::new("palette", "color", colors).at(Span::of(bytes, source)).count(field(8));
        visitor.array(&palette)?;
        let columns = usize::try_from(image.width).unwrap_or(usize::MAX);
        let pixels = Array::new("pixels", "pixel", Elements::Bytes(image.pixels)).grid(columns);
        visitor.array(&Array { bulk: columns > 0, ..pixels.at(Span::of(image.pixels, source)) })
    };
    visit(Ok(&Part::new(index, PartKey::Index, &body).at(through(image.at, image.pixels, source))))
}
