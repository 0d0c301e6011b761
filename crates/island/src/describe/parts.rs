use core::hash::Hasher;

use worldview_core::describe::{
    Array, Describe, Elements, Field, FieldValue, Flow, Int, List, MatchRule, Notation, Part, PartKey, Role, Slots,
    Span, Visit,
};
use worldview_core::{Error, Source};
use zerocopy::{FromBytes as _, IntoBytes as _};

use super::element::Element;
use super::field::{
    NameForm, between, count, end_of, has, integer, offset, offset_from, slots, text, through, visit_name, word,
};
use super::list::{DatabaseList, Listed, feed};
use super::shape::visit_lods;
use crate::parts::{self, Parts};
use crate::texture::{Image, Texture, Textures};
use crate::texture_file::TextureFile;

impl Describe for Parts<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let (source, base) = (self.source(), self.source().base());
        visitor.field(&offset_from("textures_offset", self.texture_offset, base, source))?;
        visitor.field(&count("part_count", self.stored_count().into()))?;
        visitor.parts(&Listed(BlobParts(self)))?;
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

struct BlobParts<'s, 'a>(&'s Parts<'a>);

impl<'a> DatabaseList for BlobParts<'_, 'a> {
    type Item = parts::Part<'a>;
    const LIST: List = List { inside: true, ..List::new("parts", "part") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.0.iter()
    }

    fn broken(&self) -> Option<Error> {
        self.0.broken()
    }

    fn get(&self, index: u32, at: u64) -> Option<Self::Item> {
        self.0.starting_at(at).filter(|_| has(self.0.len(), index))
    }

    fn part<R>(&self, index: u32, part: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        one_part(index, part, self.0.source(), then)
    }

    fn slots(&self) -> Option<Slots> {
        let base = self.0.source().base();
        Some(slots(base.saturating_add(8), word(base.saturating_add(4), self.0.source()), "name"))
    }

    fn element(&self) -> Option<Element> {
        Some(Element::Part)
    }
}

/// Passes a part whose offset counts from `source` to `then`.
pub(super) fn one_part<R>(
    index: u32,
    part: &parts::Part<'_>,
    source: Source<'_>,
    then: impl FnOnce(&Part<'_>) -> R,
) -> R {
    let at = between(part.at, source.base().saturating_add(part.end_offset.into()), source);
    then(&Part::new(index, PartKey::Name(part.name.text()), &PartBody { part, source }).at(at))
}

struct PartBody<'s, 'a> {
    part: &'s parts::Part<'a>,
    source: Source<'a>,
}

impl Describe for PartBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { part, source } = *self;
        visit_name("name", part.name, NameForm::Inside, source, visitor)?;
        // The number of levels and the end offset.
        let at = end_of(part.name, source);
        visitor.field(&offset_from("end", part.end_offset, at.saturating_add(4), source))?;
        visit_lods(part.lods, Some(word(at, source)), visitor)
    }
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
        visitor.array(&Array {
            name: "trailing_bytes",
            item: "byte",
            elements: Elements::Bytes(trailing),
            columns: 0,
            rows_are_items: false,
            bulk: true,
            role: Role::Storage,
            at: Some(Span::of(trailing, chunk)),
            notation: Notation::Hex,
            blank: 0,
            count: None,
        })
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
    visitor.parts(&Listed(TextureList(*textures, stored)))?;
    visitor.field(&offset("textures_end", textures.end()))
}

struct TextureList<'a>(Textures<'a>, (Span, Int));

impl<'a> DatabaseList for TextureList<'a> {
    type Item = Texture<'a>;
    const LIST: List = List { inside: true, ..List::new("textures", "texture") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.0.iter()
    }

    fn broken(&self) -> Option<Error> {
        self.0.broken()
    }

    fn get(&self, index: u32, at: u64) -> Option<Self::Item> {
        self.0.starting_at(at).filter(|_| has(self.0.len(), index))
    }

    fn part<R>(&self, index: u32, texture: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        one_texture(index, texture, self.0.source(), then)
    }

    fn slots(&self) -> Option<Slots> {
        Some(slots(self.0.source().base(), self.1, "name"))
    }

    fn element(&self) -> Option<Element> {
        Some(Element::Texture { has_pairs: self.0.has_pairs() })
    }

    /// Matches by the name that meshes use, without the `^` of a pair.
    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        let PartKey::Name(text) = part.key else { return MatchRule::None };
        if round > 0 {
            return MatchRule::None;
        }
        let real = text.strip_prefix(b"^").filter(|_| self.0.has_pairs());
        feed(real.unwrap_or(text), hasher);
        MatchRule::Any
    }
}

/// Passes a texture to `then`.
pub(super) fn one_texture<R>(
    index: u32,
    texture: &Texture<'_>,
    source: Source<'_>,
    then: impl FnOnce(&Part<'_>) -> R,
) -> R {
    let at = through(texture.at, texture.high().pixels, source);
    then(&Part::new(index, PartKey::Name(texture.name.text()), &TextureBody { texture, source }).at(at))
}

struct TextureBody<'s, 'a> {
    texture: &'s Texture<'a>,
    source: Source<'a>,
}

impl Describe for TextureBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { texture, source } = *self;
        visit_name("name", texture.name, NameForm::Inside, source, visitor)?;
        visitor.field(&Field::new("real_name", text(texture.real_name())).role(Role::Derived))?;
        visitor.parts(&Listed(Images { texture, source }))
    }
}

/// The only image of a texture, or its low-quality and high-quality images.
struct Images<'s, 'a> {
    texture: &'s Texture<'a>,
    source: Source<'a>,
}

impl<'a> DatabaseList for Images<'_, 'a> {
    type Item = Image<'a>;
    const LIST: List = List { inside: true, ..List::indexed("images", "image") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        [Some(self.texture.image), self.texture.second].into_iter().flatten()
    }

    fn get(&self, index: u32, _: u64) -> Option<Self::Item> {
        self.iter().nth(index.try_into().ok()?)
    }

    fn part<R>(&self, index: u32, image: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        one_image(index, image, self.source, then)
    }

    fn element(&self) -> Option<Element> {
        Some(Element::Image)
    }
}

/// Passes an image to `then`.
pub(super) fn one_image<R>(index: u32, image: &Image<'_>, source: Source<'_>, then: impl FnOnce(&Part<'_>) -> R) -> R {
    let at = through(image.at, image.pixels, source);
    then(&Part::new(index, PartKey::Index, &ImageBody { image, source }).at(at))
}

struct ImageBody<'s, 'a> {
    image: &'s Image<'a>,
    source: Source<'a>,
}

impl Describe for ImageBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { image, source } = *self;
        let field = |offset| word(image.at.saturating_add(offset), source);
        visitor.field(&integer("width", FieldValue::Uint(image.width.into()), field(0)))?;
        visitor.field(&integer("height", FieldValue::Uint(image.height.into()), field(4)))?;
        visitor.field(&count("color_count", image.palette.len() as u64))?;
        if !visitor.wants_bulk() {
            return Flow::Continue(());
        }
        let array = |name, item, elements, columns, bytes, count| Array {
            name,
            item,
            elements,
            columns,
            rows_are_items: false,
            bulk: columns > 0,
            role: Role::Data,
            at: Some(Span::of(bytes, source)),
            notation: Notation::Decimal,
            blank: 0,
            count,
        };
        let bytes = image.palette.as_bytes();
        let colors = Elements::Colors(<[[u8; 3]]>::ref_from_bytes(bytes).unwrap_or(&[]));
        visitor.array(&array("palette", "color", colors, 0, bytes, Some(field(8))))?;
        let columns = usize::try_from(image.width).unwrap_or(usize::MAX);
        visitor.array(&array("pixels", "pixel", Elements::Bytes(image.pixels), columns, image.pixels, None))
    }
}
