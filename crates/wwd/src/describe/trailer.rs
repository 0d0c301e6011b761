use core::hash::Hasher;

use worldview_core::OffsetBase;
use worldview_core::describe::{
    Array, Charset, Describe, Each, Elements, Field, FieldValue, Flow, List, MatchRule, Notation, OnePart, Part,
    PartKey, PartList, Role, Span, TextValue, Visit,
};

use crate::trailer::{Favourites, Guide, Trailer, TrailerBlock, TrailerContent};
use crate::unpack::Unpacked;

/// Visits what follows the main block.
pub(super) fn visit(file: &Unpacked<'_>, visitor: &mut dyn Visit) -> Flow {
    let trailer = file.trailer();
    let len = trailer.map_or(0, |trailer| trailer.bytes().len());
    let bytes = file.trailing().get(..file.trailing().len().saturating_sub(len)).unwrap_or(&[]);
    if !bytes.is_empty() {
        visitor.array(&raw("trailing_bytes", bytes, file.trailing_at(), Role::Reserved))?;
    }
    let at = trailer.map(|trailer| Span::new(trailer.offset(), len as u64, OffsetBase::File));
    visitor.parts(&OnePart { name: "trailer", body: trailer.as_ref().map(|trailer| trailer as &dyn Describe), at })
}

fn raw<'d>(name: &'static str, bytes: &'d [u8], at: u64, role: Role) -> Array<'d> {
    Array {
        name,
        item: "byte",
        elements: Elements::Bytes(bytes),
        columns: 0,
        rows_are_items: false,
        bulk: false,
        role,
        at: Some(Span::new(at, bytes.len() as u64, OffsetBase::File)),
        notation: Notation::Hex,
        blank: 0,
        count: None,
    }
}

impl Describe for Trailer<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let lengths =
            [("offset", self.offset(), Notation::Hex), ("length", self.bytes().len() as u64, Notation::Decimal)];
        for (name, value, notation) in lengths {
            visitor.field(&Field::new(name, FieldValue::Uint(value)).role(Role::Storage).notation(notation))?;
        }
        // All of it, for programs that write the level again; what is known of it comes next.
        visitor.array(&Array { bulk: true, ..raw("bytes", self.bytes(), self.offset(), Role::Storage) })?;
        visitor.parts(self)
    }
}

impl Trailer<'_> {
    fn visit(&self, visit: &mut dyn FnMut(Result<&Part<'_>, &worldview_core::Error>) -> Flow) -> Flow {
        for (index, block) in (0..).zip(self.blocks()) {
            match block {
                Ok(block) => {
                    let at = Span::new(block.offset(), block.bytes().len() as u64, OffsetBase::File);
                    visit(Ok(&Part::new(index, PartKey::Number(block.id.into()), &block).at(at)))?;
                }
                Err(error) => visit(Err(&error))?,
            }
        }
        Flow::Continue(())
    }
}

impl PartList for Trailer<'_> {
    fn list(&self) -> List {
        List { compact: true, inside: true, ..List::new("blocks", "block") }
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        self.visit(visit)
    }

    fn get(&self, index: u32, _: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        // There are rarely more than five.
        let _ = self.visit(&mut |part| {
            if let Ok(part) = part
                && part.index == index
            {
                visit(part);
                return Flow::Break(());
            }
            Flow::Continue(())
        });
    }
}

/// Writes the id of a block with its name.
fn block(id: u32, out: &mut dyn core::fmt::Write) -> core::fmt::Result {
    let names = [" meta-info", " meta-end-info", " header", " guides", " favourites"];
    write!(out, "{id}{}", usize::try_from(id).ok().and_then(|id| names.get(id)).unwrap_or(&""))
}

impl Describe for TrailerBlock<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&Field::new("id", FieldValue::Uint(self.id.into())).notation(Notation::Named(block)))?;
        let mut number =
            |name, value: u32, role| visitor.field(&Field::new(name, FieldValue::Uint(value.into())).role(role));
        match self.content() {
            Ok(TrailerContent::MetaInfo { total_size } | TrailerContent::MetaEndInfo { total_size }) => {
                number("total_size", total_size, Role::Storage)
            }
            Ok(TrailerContent::Header(header)) => {
                number("wapmap_build", header.wapmap_build, Role::Data)?;
                number("map_build", header.map_build, Role::Data)?;
                let texts = [
                    ("wapmap_version", header.wapmap_version),
                    ("map_version", header.map_version),
                    ("description", header.description),
                ];
                texts.into_iter().try_for_each(|(name, text)| visitor.field(&self.text(name, text)))
            }
            Ok(TrailerContent::Guides(guides)) => visitor.parts(&Guides { block: self, guides }),
            Ok(TrailerContent::Favourites(favourites)) => visitor.parts(&FavouriteList { block: self, favourites }),
            Ok(TrailerContent::Unknown) => visitor.array(&raw("bytes", self.bytes(), self.offset(), Role::Data)),
            Err(error) => {
                visitor.array(&raw("bytes", self.bytes(), self.offset(), Role::Data))?;
                visitor.broken(&error)
            }
        }
    }
}

impl TrailerBlock<'_> {
    fn span(&self, bytes: &[u8]) -> Span {
        let from_start = bytes.as_ptr().addr().wrapping_sub(self.bytes().as_ptr().addr());
        Span::new(self.offset().saturating_add(from_start as u64), bytes.len() as u64, OffsetBase::File)
    }

    fn text<'d>(&self, name: &'static str, text: &'d [u8]) -> Field<'d> {
        Field::new(name, FieldValue::Text(TextValue::plain(text, Charset::Undeclared))).at(self.span(text))
    }
}

/// Guide lines have no names, so a moved one counts as another.
struct Guides<'t, 'a> {
    block: &'t TrailerBlock<'a>,
    guides: &'a [Guide],
}

impl Describe for Guide {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&Field::new("orientation", FieldValue::Uint(self.orientation.0.into())))?;
        visitor.field(&Field::new("position", FieldValue::Uint(self.position.get().into())))
    }
}

impl core::fmt::Display for Guide {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "orientation {} position {}", self.orientation.0, self.position)
    }
}

impl Guides<'_, '_> {
    fn part<'p>(&self, index: u32, guide: &'p Guide) -> Part<'p> {
        let span = self.block.span(zerocopy::IntoBytes::as_bytes(guide));
        Part::new(index, PartKey::Index, guide).at(span).summary(guide)
    }
}

impl PartList for Guides<'_, '_> {
    fn list(&self) -> List {
        List { compact: true, inside: true, ..List::new("guides", "guide") }
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        (0..).zip(self.guides).try_for_each(|(index, guide)| visit(Ok(&self.part(index, guide))))
    }

    fn get(&self, index: u32, _: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(guide) = usize::try_from(index).ok().and_then(|index| self.guides.get(index)) {
            visit(&self.part(index, guide));
        }
    }

    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        let guide = usize::try_from(part.index).ok().and_then(|index| self.guides.get(index));
        match guide {
            Some(guide) if round == 0 => {
                hasher.write(zerocopy::IntoBytes::as_bytes(guide));
                MatchRule::Any
            }
            _ => MatchRule::None,
        }
    }
}

struct FavouriteList<'t, 'a> {
    block: &'t TrailerBlock<'a>,
    favourites: Favourites<'a>,
}

struct Favourite<'t, 'a> {
    block: &'t TrailerBlock<'a>,
    name: &'a [u8],
    x: u32,
    y: u32,
}

impl Describe for Favourite<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&self.block.text("name", self.name))?;
        visitor.field(&Field::new("x", FieldValue::Uint(self.x.into())))?;
        visitor.field(&Field::new("y", FieldValue::Uint(self.y.into())))
    }
}

impl<'a> FavouriteList<'_, 'a> {
    fn visit(&self, index: u32, (name, x, y): (&'a [u8], u32, u32), visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let span = self.block.span(name);
        // Plus the NUL and two words.
        let span = Span { len: span.len.saturating_add(9), ..span };
        let favourite = Favourite { block: self.block, name, x, y };
        visit(&Part::new(index, PartKey::Name(name), &favourite).at(span))
    }
}

impl PartList for FavouriteList<'_, '_> {
    fn list(&self) -> List {
        List { compact: true, inside: true, ..List::new("favourites", "favourite") }
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        for (index, favourite) in (0..).zip(self.favourites.clone()) {
            match favourite {
                Ok(favourite) => self.visit(index, favourite, &mut |part| visit(Ok(part)))?,
                Err(error) => visit(Err(&error))?,
            }
        }
        Flow::Continue(())
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(favourite) = self.favourites.get_at(at) {
            let _ = self.visit(index, favourite, &mut |part| {
                visit(part);
                Flow::Continue(())
            });
        }
    }
}
