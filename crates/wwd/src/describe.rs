//! The description of a level.

use core::cell::OnceCell;
use core::fmt;
use core::hash::Hasher;

use worldview_core::Source;
use worldview_core::describe::{
    Array, Charset, Counted, Describe, Each, Elements, Field, FieldValue, Flow, Int, List, MatchRule, Notation,
    OnePart, Part, PartKey, PartList, Role, ShapeNumber, Slots, Span, Stored, TextValue, Visit, visit_fields,
};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use self::attributes::AttributeTable;
use crate::flags;
use crate::game::Game;
use crate::key::ObjectKey;
use crate::level::Level;
use crate::object::{Object, Objects};
use crate::plane::{ImageSets, MAX_IMAGE_SET_NAME, Plane};
use crate::raw::{AttributesHeader, LevelHeader, ObjectRecord, PlaneHeader};
use crate::tile::{Tile, TileKind};
use crate::unpack::{Unpacked, Unpacker};

mod attributes;
mod trailer;

/// Describes everything in a level file: the level, and the parts of the file outside of it.
///
/// ```
/// use worldview_core::describe::{Array, Describe, Field, Flow, Link, PartList, Visit};
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
///     fn array(&mut self, _: &Array<'_>) -> Flow {
///         Flow::Continue(())
///     }
///     fn parts(&mut self, parts: &dyn PartList) -> Flow {
///         parts.each(&mut |part| part.map_or(Flow::Continue(()), |part| part.body.describe(self)))
///     }
///     fn link(&mut self, _: &Link<'_>) -> Flow {
///         Flow::Continue(())
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
    Some(visitor.parts(&OnePart { name: "level", body: Some(&described), at }))
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
        let at = Span::new(0, LevelHeader::SIZE, worldview_core::OffsetBase::File);
        visitor.parts(&OnePart { name: "header", body: Some(file.header()), at: Some(at) })?;
        visitor.parts(&Planes(level))?;
        let attributes = level.attributes();
        let (start, _) = attributes.extent();
        let at = Span::new(start, AttributesHeader::SIZE, level.image().space());
        let table = AttributeTable { attributes, at, is_gruntz: level.game() == Some(Game::Gruntz) };
        let body = attributes.header().is_some().then_some(&table as &dyn Describe);
        visitor.parts(&OnePart { name: "tile_attributes", body, at: body.map(|_| at) })?;
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
        visit_fields(self.as_bytes(), Self::FIELDS, Span::new(0, Self::SIZE, worldview_core::OffsetBase::File), visitor)
    }
}

impl Describe for PlaneHeader {
    /// Describes a header that is alone, without a level.
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visit_fields(
            self.as_bytes(),
            Self::FIELDS,
            Span::new(0, Self::SIZE, worldview_core::OffsetBase::Image),
            visitor,
        )
    }
}

struct Planes<'l>(&'l Level<'l>);

impl Planes<'_> {
    fn part<'p>(&self, plane: &'p Plane<'p>) -> Part<'p> {
        let at = Span::new(plane.offset(), PlaneHeader::SIZE, self.0.image().space());
        Part::new(plane.number(), PartKey::Name(plane.name()), plane).at(at)
    }
}

impl PartList for Planes<'_> {
    fn list(&self) -> List {
        List::new("planes", "plane")
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        self.0.planes().iter().try_for_each(|plane| visit(Ok(&self.part(plane))))
    }

    fn get(&self, index: u32, _: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        let plane = usize::try_from(index).ok().and_then(|index| self.0.planes().get(index));
        if let Some(plane) = plane {
            visit(&self.part(plane));
        }
    }

    fn slots(&self) -> Option<Slots> {
        let (header, space) = (self.0.header(), self.0.image().space());
        let count = Span::new(core::mem::offset_of!(LevelHeader, num_planes) as u64, 4, space);
        let start = header.planes_offset.get().into();
        Some(Slots { start, count: Some((count, Int::word(4, false))), key: Some("name"), shape: &[] })
    }

    fn blank(&self, _: &dyn Fn(ShapeNumber<'_>) -> Option<i64>, make: &mut dyn FnMut(&[u8])) {
        make(PlaneHeader::empty().as_bytes());
    }

    /// The header alone: the lists and tiles of a plane are elsewhere.
    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        if let Ok((header, _)) = PlaneHeader::ref_from_prefix(bytes) {
            let at = Span::new(0, PlaneHeader::SIZE, self.0.image().space());
            visit(&Part::new(0, PartKey::Name(header.name.as_bytes()), header).at(at));
        }
    }

    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        self.match_rule(part, round, hasher)
    }

    /// Matches planes by name, then by index.
    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        match (round, part.key) {
            (0, PartKey::Name(name)) => hasher.write(name),
            (1, _) => hasher.write_u32(part.index),
            _ => return MatchRule::None,
        }
        MatchRule::Any
    }
}

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
            |field: usize| Some((Span::new(self.offset().saturating_add(field as u64), 4, space), Int::word(4, false)));
        let names = count(core::mem::offset_of!(PlaneHeader, num_image_sets));
        visitor.parts(&Names(self.image_sets(), names))?;
        let tiles = self.tiles();
        visitor.array(&Array {
            name: "tiles",
            item: "tile",
            // A tile is a little-endian word.
            elements: Elements::Words(<[U32]>::ref_from_bytes(tiles.as_bytes()).unwrap_or(&[])),
            columns: self.columns(),
            rows_are_items: false,
            bulk: false,
            role: Role::Data,
            at: Some(Span::new(self.header().tiles_offset.get().into(), size_of_val(tiles) as u64, space)),
            notation: Notation::Named(tile),
            blank: Tile::EMPTY,
            count: None,
        })?;
        let count = count(core::mem::offset_of!(PlaneHeader, num_objects));
        visitor.parts(&ObjectList::new(self.objects(), count))
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

/// The image-set names of a plane. A walk is charged for the NUL of each name, too.
struct Names<'a>(ImageSets<'a>, Option<(Span, Int)>);

struct ImageSetName<'a> {
    text: &'a [u8],
    at: Span,
}

impl Describe for ImageSetName<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let value = FieldValue::Text(TextValue::plain(self.text, Charset::Undeclared));
        visitor.field(&Field::new("name", value).at(self.at).stored(Stored::Terminated(MAX_IMAGE_SET_NAME)))
    }
}

impl Names<'_> {
    fn visit(&self, index: u32, text: &[u8], at: u64, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let at = Span::new(at, text.len() as u64, self.0.iter().space());
        let name = ImageSetName { text, at };
        let span = Span { len: at.len.saturating_add(1), ..at };
        visit(&Part::new(index, PartKey::Index, &name).at(span))
    }
}

impl PartList for Names<'_> {
    fn list(&self) -> List {
        List { scalar: true, ..List::indexed("image_sets", "image_set") }
    }

    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.0.iter().position(), count: self.1, key: None, shape: &[] })
    }

    fn blank(&self, _: &dyn Fn(ShapeNumber<'_>) -> Option<i64>, make: &mut dyn FnMut(&[u8])) {
        make(&[0]);
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        Names(ImageSets::new(Source::new(bytes, worldview_core::OffsetBase::Image), 1, 0), None).get(0, 0, visit);
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        let mut names = self.0.iter();
        for index in 0_u32.. {
            let at = names.position();
            match names.next() {
                Some(Ok(name)) => self.visit(index, name, at, &mut |part| visit(Ok(part)))?,
                Some(Err(error)) => visit(Err(&error))?,
                None => break,
            }
        }
        Flow::Continue(())
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(name) = self.0.name_at(index, at) {
            let _ = self.visit(index, name, at, &mut |part| {
                visit(part);
                Flow::Continue(())
            });
        }
    }
}

/// An object, and the space that its offset counts in.
struct ObjectBody<'a> {
    object: Object<'a>,
    space: worldview_core::OffsetBase,
    /// The list that contains the object, if any.
    list: Option<&'a ObjectList<'a>>,
}

impl fmt::Display for ObjectBody<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Object { logic, record, .. } = self.object;
        write!(f, "\"{}\" at {},{}", logic.escape_ascii(), record.x, record.y)
    }
}

impl Describe for ObjectBody<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { object, space, list } = self;
        // All objects of the plane have to be read for a key.
        if let Some(key) = list.filter(|_| visitor.wants_numbers()).and_then(|list| list.key(object.index)) {
            visitor.field(&Field::new("object", FieldValue::Word(&key.to_string())).role(Role::Derived))?;
        }
        let mut at = object.at.saturating_add(ObjectRecord::SIZE);
        for (name, stored, len) in [
            ("name", object.name, core::mem::offset_of!(ObjectRecord, name_len)),
            ("logic", object.logic, core::mem::offset_of!(ObjectRecord, logic_len)),
            ("image_set", object.image_set, core::mem::offset_of!(ObjectRecord, image_set_len)),
            ("animation", object.animation, core::mem::offset_of!(ObjectRecord, animation_len)),
        ] {
            let is_name = name == "name";
            let text = if is_name { object.display_name() } else { stored };
            let span = |at, bytes: &[u8]| Span::new(at, bytes.len() as u64, *space);
            let counted = Counted {
                count: Span::new(object.at.saturating_add(len as u64), 4, *space),
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
                let counted = Counted { to_nul: false, with_nul: Some(Span::new(end, len, *space)), ..counted };
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
            Span::new(object.at, ObjectRecord::SIZE, *space),
            visitor,
        )
    }
}

impl Describe for Object<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        ObjectBody { object: *self, space: worldview_core::OffsetBase::Image, list: None }.describe(visitor)
    }
}

/// The objects of a plane, and where their number is.
struct ObjectList<'a> {
    objects: Objects<'a>,
    count: Option<(Span, Int)>,
    keys: OnceCell<Vec<ObjectKey>>,
}

impl<'a> ObjectList<'a> {
    const fn new(objects: Objects<'a>, count: Option<(Span, Int)>) -> Self {
        Self { objects, count, keys: OnceCell::new() }
    }

    fn key(&self, index: usize) -> Option<ObjectKey> {
        self.keys.get_or_init(|| self.objects.keys()).get(index).copied()
    }

    fn visit(&self, object: Object<'_>, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let space = self.objects.iter().space();
        let (key, at) = (PartKey::Number(object.record.id.get().into()), Span::new(object.at, object.size(), space));
        let body = ObjectBody { object, space, list: Some(self) };
        visit(&Part::new(object.number(), key, &body).at(at).summary(&body))
    }
}

impl PartList for ObjectList<'_> {
    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.objects.iter().position(), count: self.count, key: Some("id"), shape: &[] })
    }

    fn blank(&self, _: &dyn Fn(ShapeNumber<'_>) -> Option<i64>, make: &mut dyn FnMut(&[u8])) {
        make(ObjectRecord::new_zeroed().as_bytes());
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let objects = Objects::new(Source::new(bytes, worldview_core::OffsetBase::Image), 1, 0);
        ObjectList::new(objects, None).get(0, 0, visit);
    }

    fn list(&self) -> List {
        List { compact: true, enclosed: true, same_fields: true, ..List::new("objects", "object") }
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        for object in self.objects.iter() {
            match object {
                Ok(object) => self.visit(object, &mut |part| visit(Ok(part)))?,
                Err(error) => visit(Err(&error))?,
            }
        }
        Flow::Continue(())
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(object) = self.objects.object_at(index, at) {
            let _ = self.visit(object, &mut |part| {
                visit(part);
                Flow::Continue(())
            });
        }
    }

    /// Matches equal objects first, then those with the same unique id, then those with the most in common. Ids are
    /// often not unique, and an inserted object must not shift the matches of all that follow.
    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        let Some(object) = self.objects.object_at(part.index, part.offset()) else { return MatchRule::None };
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
    }
}
