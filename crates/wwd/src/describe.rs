//! The description of a level.

use core::cell::OnceCell;
use core::fmt;

use worldview_core::describe::{
    Array, Charset, Counted, Describe, Each, Elements, Field, FieldValue, Flow, Int, Items, List, ListFlag, MatchRule,
    Notation, Part, PartKey, Role, Span, Stored, TextValue, Visit, visit_fields,
};
use worldview_core::{OffsetBase, Source};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes as _, IntoBytes as _};

use self::attributes::AttributeTable;
use crate::flags;
use crate::game::Game;
use crate::key::ObjectKey;
use crate::level::Level;
use crate::object::{Object, Objects};
use crate::plane::{MAX_IMAGE_SET_NAME, Plane};
use crate::raw::{AttributesHeader, LevelHeader, ObjectRecord, PlaneHeader};
use crate::tile::{Tile, TileKind};
use crate::unpack::{Unpacked, Unpacker};

pub(crate) mod attributes;
mod trailer;

/// Describes everything in a level file: the level, and the parts of the file outside of it.
///
/// ```
/// use worldview_core::describe::{Describe, Field, Flow, PartList, Visit};
/// use worldview_wwd::{LevelDescription, Level, unpack};
///
/// /// Counts the fields of a level, including those of nested parts.
/// struct Count(u64);
///
/// impl Visit for Count {
///     fn field(&mut self, _: &Field<'_>) -> Flow {
///         self.0 += 1;
///         Flow::Continue(())
///     }
///     fn parts(&mut self, parts: &dyn PartList) -> Flow {
///         parts.each(&mut |part| part.map_or(Flow::Continue(()), |part| part.body.describe(self)))
///     }
///     fn broken(&mut self, _: &worldview_core::Error) -> Flow {
///         Flow::Continue(())
///     }
/// }
///
/// # fn main() -> worldview_core::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let mut count = Count(0);
/// let _ = LevelDescription::new(&unpacked, &level).describe(&mut count);
/// println!("{} fields", count.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LevelDescription<'l> {
    file: &'l Unpacked<'l>,
    level: &'l Level<'l>,
}

impl<'l> LevelDescription<'l> {
    /// Creates a description of `level`, which was parsed from `file`.
    pub const fn new(file: &'l Unpacked<'l>, level: &'l Level<'l>) -> Self {
        Self { file, level }
    }
}

/// Passes the level in a file, opened as far as possible, to `visitor` as a part. Returns `None` if it is not a level.
///
/// An archive that describes its files calls this, with the bytes of a file.
pub fn describe_file(file: Source<'_>, visitor: &mut dyn Visit) -> Option<Flow> {
    let unpacked = Unpacker::new().unpack_lossy(file.bytes(), &mut |_| {}).ok()?;
    let level = Level::parse_lossy(&unpacked, &mut |_| {}).ok()?;
    let described = LevelDescription::new(&unpacked, &level);
    let at = Some(Span::new(file.base(), file.len(), file.space()));
    Some(visitor.parts(&Items::single("level", Some(&described), at)))
}

impl Describe for LevelDescription<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { file, level } = *self;
        let game = level.game().map_or(FieldValue::Absent, |game| FieldValue::Word(game.name()));
        visitor.field(&Field::new("game", game).role(Role::Derived))?;
        visitor.field(&Field::new("packed", FieldValue::Bool(file.is_packed())).role(Role::Storage))?;
        let lengths = [("image_length", file.len()), ("stored_length", file.stored_block().len())];
        for (name, len) in lengths {
            visitor.field(&Field::new(name, FieldValue::Uint(len as u64)).role(Role::Storage))?;
        }
        let mut rules = [""; 4];
        let mut count = 0_usize;
        for (slot, rule) in rules.iter_mut().zip(file.checksum().rules()) {
            *slot = rule.name();
            count = count.saturating_add(1);
        }
        let rules = FieldValue::Words(rules.get(..count).unwrap_or(&[]));
        visitor.field(&Field::new("checksum_rules", rules).role(Role::Storage))?;
        let at = Span::new(0, LevelHeader::SIZE, OffsetBase::File);
        visitor.parts(&Items::single("header", Some(file.header()), Some(at)))?;
        let list = Items::slice(List::new("planes", "plane"), level.planes(), |_, plane, visit| {
            let at = Span::new(plane.offset(), PlaneHeader::SIZE, level.image().space());
            visit(Ok(&Part::new(plane.number(), PartKey::Name(plane.name()), plane).at(at)))
        });
        // Planes are matched by name, then by index.
        let rule = |part: &Part<'_>, round, hasher: &mut dyn core::hash::Hasher| {
            match (round, part.key) {
                (0, PartKey::Name(name)) => hasher.write(name),
                (1, _) => hasher.write_u32(part.index),
                _ => return MatchRule::None,
            }
            MatchRule::Any
        };
        visitor.parts(&list.matched(&rule).identified(&rule).editable(&PlaneList(level)))?;
        let attributes = level.attributes();
        let (start, _) = attributes.extent();
        let at = Span::new(start, AttributesHeader::SIZE, level.image().space());
        let table = AttributeTable { attributes, at, is_gruntz: level.game() == Some(Game::Gruntz) };
        let body = attributes.header().is_some().then_some(&table as &dyn Describe);
        visitor.parts(&Items::single("tile_attributes", body, body.map(|_| at)))?;
        trailer::visit(file, visitor)
    }
}

/// Writes a tile attribute with its name.
pub(crate) fn attribute(bits: u32, out: &mut dyn fmt::Write) -> fmt::Result {
    named(bits.cast_signed(), flags::attribute(bits.cast_signed()), out)
}

/// Writes a tile attribute of a Gruntz level with its name.
fn gruntz_attribute(bits: u32, out: &mut dyn fmt::Write) -> fmt::Result {
    let value = bits.cast_signed();
    named(value, flags::attribute(value).or_else(|| flags::gruntz_attribute(value)), out)
}

fn named(value: i32, name: Option<&str>, out: &mut dyn fmt::Write) -> fmt::Result {
    match name {
        Some(name) => write!(out, "{value} {name}"),
        None => write!(out, "{value}"),
    }
}

/// Writes the kind of an attribute record with its name.
pub(crate) fn record_kind(kind: u32, out: &mut dyn fmt::Write) -> fmt::Result {
    let names = ["", " single", " double", " mask"];
    write!(out, "{kind}{}", usize::try_from(kind).ok().and_then(|kind| names.get(kind)).unwrap_or(&""))
}

impl Describe for LevelHeader {
    /// Describes the header as stored in the file.
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visit_fields(self.as_bytes(), Self::FIELDS, Span::new(0, Self::SIZE, OffsetBase::File), visitor)
    }
}

impl Describe for PlaneHeader {
    /// Describes a header that is alone, without a level.
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visit_fields(self.as_bytes(), Self::FIELDS, Span::new(0, Self::SIZE, OffsetBase::Image), visitor)
    }
}

/// The planes of a level, as a list that can be edited.
pub(crate) struct PlaneList<'l>(pub(crate) &'l Level<'l>);

impl Describe for Plane<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let space = self.image_sets().iter().space();
        visit_fields(
            self.header().as_bytes(),
            PlaneHeader::FIELDS,
            Span::new(self.offset(), PlaneHeader::SIZE, space),
            visitor,
        )?;
        let count =
            |field: usize| (Span::new(self.offset().saturating_add(field as u64), 4, space), Int::word(4, false));
        let names = self.image_sets();
        let list = List::indexed("image_sets", "image_set").with(&[ListFlag::Scalar]);
        let part = |index, name, visit: Each<'_>| image_set(index, name, names.source(), visit);
        let places = ImageSetList(names.iter().position(), count(core::mem::offset_of!(PlaneHeader, num_image_sets)));
        visitor.parts(
            &Items::walked(list, names.iter(), |index, at| names.starting_at(index, at), part).editable(&places),
        )?;
        let tiles = self.tiles();
        // A tile is a little-endian word.
        let words = Elements::Words(<[U32]>::ref_from_bytes(tiles.as_bytes()).unwrap_or(&[]));
        let at = Span::new(self.header().tiles_offset.get().into(), size_of_val(tiles) as u64, space);
        let array = Array::new("tiles", "tile", words).grid(self.columns()).at(at).notation(Notation::Named(tile));
        visitor.array(&Array { blank: Tile::EMPTY, ..array })?;
        visit_objects(self.objects(), count(core::mem::offset_of!(PlaneHeader, num_objects)), visitor)
    }
}

/// Writes a tile as in text dumps: `.` for empty, `#` for filled, otherwise a frame or `set:frame`.
fn tile(word: u32, out: &mut dyn fmt::Write) -> fmt::Result {
    match Tile::of(word).kind() {
        TileKind::Empty => out.write_str("."),
        TileKind::Filled => out.write_str("#"),
        TileKind::Image { image_set: 0, frame } => write!(out, "{frame}"),
        TileKind::Image { image_set, frame } => write!(out, "{image_set}:{frame}"),
    }
}

/// The offset of the image-set names of a plane, and where their number is.
pub(crate) struct ImageSetList(pub(crate) u64, pub(crate) (Span, Int));

/// Passes on an image-set name in `source`. A walk is charged for its NUL, too.
pub(crate) fn image_set(index: u32, text: &[u8], source: Source<'_>, visit: Each<'_>) -> Flow {
    let at = Span::of(text, source);
    let body = |visitor: &mut dyn Visit| {
        let value = FieldValue::Text(TextValue::plain(text, Charset::Undeclared));
        visitor.field(&Field::new("name", value).at(at).stored(Stored::Terminated(MAX_IMAGE_SET_NAME)))
    };
    visit(Ok(&Part::new(index, PartKey::Index, &body).at(Span { len: at.len.saturating_add(1), ..at })))
}

/// Passes on an object. `key` returns its key, for which all objects of the plane have to be read.
pub(crate) fn object(
    object: &Object<'_>,
    space: OffsetBase,
    key: &dyn Fn() -> Option<ObjectKey>,
    visit: Each<'_>,
) -> Flow {
    let body = |visitor: &mut dyn Visit| {
        if let Some(key) = visitor.wants_numbers().then(key).flatten() {
            visitor.field(&Field::new("object", FieldValue::Word(&key.to_string())).role(Role::Derived))?;
        }
        visit_object(object, space, visitor)
    };
    let Object { logic, record, .. } = *object;
    let (key, at) = (PartKey::Number(record.id.get().into()), Span::new(object.at, object.size(), space));
    let part = Part::new(object.number(), key, &body).at(at);
    visit(Ok(&part.summary(&format_args!("\"{}\" at {},{}", logic.escape_ascii(), record.x, record.y))))
}

fn visit_object(object: &Object<'_>, space: OffsetBase, visitor: &mut dyn Visit) -> Flow {
    let mut at = object.at.saturating_add(ObjectRecord::SIZE);
    for (name, stored, len) in [
        ("name", object.name, core::mem::offset_of!(ObjectRecord, name_len)),
        ("logic", object.logic, core::mem::offset_of!(ObjectRecord, logic_len)),
        ("image_set", object.image_set, core::mem::offset_of!(ObjectRecord, image_set_len)),
        ("animation", object.animation, core::mem::offset_of!(ObjectRecord, animation_len)),
    ] {
        let is_name = name == "name";
        let text = if is_name { object.display_name() } else { stored };
        let span = |at, bytes: &[u8]| Span::new(at, bytes.len() as u64, space);
        let counted = Counted {
            count: Span::new(object.at.saturating_add(len as u64), 4, space),
            int: Int::word(4, false),
            now: u32::try_from(stored.len()).unwrap_or(u32::MAX),
            // Longer strings overflow a buffer of the engine.
            most: 1023,
            to_nul: is_name,
            with_nul: None,
            whole: None,
            nul: false,
        };
        let value = FieldValue::Text(TextValue::plain(text, Charset::Undeclared));
        visitor.field(&Field::new(name, value).at(span(at, text)).stored(Stored::Counted(&counted)))?;
        if is_name {
            let end = at.saturating_add(text.len() as u64);
            let metadata = object.metadata().map(|metadata| metadata.stored);
            let len = stored.len().saturating_sub(text.len()) as u64;
            let counted = Counted { to_nul: false, with_nul: Some(Span::new(end, len, space)), ..counted };
            let value = FieldValue::Bytes(metadata.unwrap_or(&[]));
            if metadata.is_some() || visitor.wants_places() {
                let at = span(end.saturating_add(1), metadata.unwrap_or(&[]));
                visitor.field(&Field::new("metadata", value).at(at).stored(Stored::Counted(&counted)))?;
            }
        }
        at = at.saturating_add(stored.len() as u64);
    }
    visit_fields(
        object.record.as_bytes(),
        ObjectRecord::FIELDS,
        Span::new(object.at, ObjectRecord::SIZE, space),
        visitor,
    )
}

impl Describe for Object<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visit_object(self, OffsetBase::Image, visitor)
    }
}

/// The offset of the objects of a plane, and where their number is.
pub(crate) struct ObjectList(pub(crate) u64, pub(crate) (Span, Int));

fn visit_objects(objects: Objects<'_>, count: (Span, Int), visitor: &mut dyn Visit) -> Flow {
    let (space, keys) = (objects.iter().space(), OnceCell::new());
    let part = |_, item: Object<'_>, visit: Each<'_>| {
        object(&item, space, &|| keys.get_or_init(|| objects.keys()).get(item.index).copied(), visit)
    };
    // Equal objects are matched first, then those with the same unique id, then those with the most in common. Ids are
    // often not unique, and an inserted object must not shift the matches of all that follow.
    let rule = |part: &Part<'_>, round, hasher: &mut dyn core::hash::Hasher| {
        let Some(object) = objects.starting_at(part.index, part.offset()) else { return MatchRule::None };
        let strings = [object.name, object.logic, object.image_set, object.animation];
        let mut feed = |strings: &[&[u8]]| {
            for string in strings {
                hasher.write_usize(string.len());
                hasher.write(string);
            }
        };
        let record = object.record;
        match round {
            0 => {
                feed(&strings);
                feed(&[record.as_bytes()]);
            }
            1 => {
                feed(&[record.id.as_bytes()]);
                return MatchRule::Once;
            }
            2 => {
                // Everything but the id, which comes first.
                feed(&strings);
                feed(&[record.as_bytes().get(4..).unwrap_or(&[])]);
            }
            3 => feed(&[object.logic, record.id.as_bytes(), record.x.as_bytes(), record.y.as_bytes()]),
            4 => feed(&[record.id.as_bytes(), object.logic, object.name]),
            5 => feed(&[record.id.as_bytes()]),
            _ => return MatchRule::None,
        }
        MatchRule::Any
    };
    let list = List::new("objects", "object").with(&[ListFlag::Compact, ListFlag::Enclosed, ListFlag::SameFields]);
    let list = Items::walked(list, objects.iter(), |index, at| objects.starting_at(index, at), part);
    visitor.parts(&list.matched(&rule).editable(&ObjectList(objects.iter().position(), count)))
}
