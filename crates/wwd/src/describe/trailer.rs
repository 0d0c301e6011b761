use worldview_core::OffsetBase;
use worldview_core::describe::{
    Array, Charset, Describe, Each, Field, FieldValue, Flow, Items, List, ListFlag, MatchRule, Notation, Part, PartKey,
    Role, Span, TextValue, Visit,
};

use crate::trailer::{Guide, Trailer, TrailerBlock, TrailerContent};
use crate::unpack::Unpacked;

/// Visits what follows the main block.
pub(super) fn visit(file: &Unpacked<'_>, visitor: &mut dyn Visit) -> Flow {
    let trailer = file.trailer();
    let len = trailer.map_or(0, |trailer| trailer.bytes().len());
    let bytes = file.trailing().get(..file.trailing().len().saturating_sub(len)).unwrap_or(&[]);
    if !bytes.is_empty() {
        visitor.array(&raw("trailing_bytes", bytes, file.trailing_at()).role(Role::Reserved))?;
    }
    let at = trailer.map(|trailer| Span::new(trailer.offset(), len as u64, OffsetBase::File));
    visitor.parts(&Items::single("trailer", trailer.as_ref().map(|trailer| trailer as &dyn Describe), at))
}

fn raw<'d>(name: &'static str, bytes: &'d [u8], at: u64) -> Array<'d> {
    Array::bytes(name, bytes).at(Span::new(at, bytes.len() as u64, OffsetBase::File))
}

/// Returns a list whose elements lie inside the part.
const fn inside(name: &'static str, kind: &'static str) -> List {
    List::new(name, kind).with(&[ListFlag::Compact, ListFlag::Inside])
}

impl Describe for Trailer<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let lengths =
            [("offset", self.offset(), Notation::Hex), ("length", self.bytes().len() as u64, Notation::Decimal)];
        for (name, value, notation) in lengths {
            visitor.field(&Field::new(name, FieldValue::Uint(value)).role(Role::Storage).notation(notation))?;
        }
        // All of it, for programs that write the level again; what is known of it comes next.
        visitor.array(&raw("bytes", self.bytes(), self.offset()).role(Role::Storage).bulk())?;
        // There are rarely more than five.
        let get = |index, _| self.blocks().nth(usize::try_from(index).ok()?)?.ok();
        visitor.parts(&Items::walked(inside("blocks", "block"), self.blocks(), get, |index, block, visit: Each<'_>| {
            let at = Span::new(block.offset(), block.bytes().len() as u64, OffsetBase::File);
            visit(Ok(&Part::new(index, PartKey::Number(block.id.into()), &block).at(at)))
        }))
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
            Ok(TrailerContent::Guides(guides)) => self.guides(guides, visitor),
            Ok(TrailerContent::Favourites(favourites)) => {
                let get = |_, at| favourites.get_at(at);
                let part = |index, (name, x, y): (&[u8], u32, u32), visit: Each<'_>| {
                    let body = |visitor: &mut dyn Visit| {
                        visitor.field(&self.text("name", name))?;
                        visitor.field(&Field::new("x", FieldValue::Uint(x.into())))?;
                        visitor.field(&Field::new("y", FieldValue::Uint(y.into())))
                    };
                    // Plus the NUL and two words.
                    let at = self.span(name);
                    let at = Span { len: at.len.saturating_add(9), ..at };
                    visit(Ok(&Part::new(index, PartKey::Name(name), &body).at(at)))
                };
                visitor.parts(&Items::walked(inside("favourites", "favourite"), favourites.clone(), get, part))
            }
            Ok(TrailerContent::Unknown) => visitor.array(&raw("bytes", self.bytes(), self.offset())),
            Err(error) => {
                visitor.array(&raw("bytes", self.bytes(), self.offset()))?;
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

    /// Visits guide lines. They have no names, so a moved one counts as another.
    fn guides(&self, guides: &[Guide], visitor: &mut dyn Visit) -> Flow {
        let list = Items::slice(inside("guides", "guide"), guides, |index, guide, visit| {
            let Guide { orientation, position } = guide;
            let body = |visitor: &mut dyn Visit| {
                visitor.field(&Field::new("orientation", FieldValue::Uint(orientation.0.into())))?;
                visitor.field(&Field::new("position", FieldValue::Uint(position.get().into())))
            };
            let part = Part::new(index, PartKey::Index, &body).at(self.span(zerocopy::IntoBytes::as_bytes(guide)));
            visit(Ok(&part.summary(&format_args!("orientation {} position {position}", orientation.0))))
        });
        let rule = |part: &Part<'_>, round, hasher: &mut dyn core::hash::Hasher| {
            let guide = usize::try_from(part.index).ok().and_then(|index| guides.get(index)).filter(|_| round == 0);
            let Some(guide) = guide else { return MatchRule::None };
            hasher.write(zerocopy::IntoBytes::as_bytes(guide));
            MatchRule::Any
        };
        visitor.parts(&list.matched(&rule))
    }
}
