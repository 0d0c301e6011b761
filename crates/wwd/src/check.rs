//! The full check of a level: everything that the format notes call fatal, suspicious, odd or unknown.

mod attributes;
mod layout;
mod objects;
mod planes;
mod switches;

use worldview_core::describe::{FieldValue, Notation, Role, Stored};
use worldview_core::{FieldInfo, OffsetBase, Place, field_name};
use zerocopy::IntoBytes as _;

use crate::checksum::Rule;
use crate::finding::{Finding, FindingKind};
use crate::flags;
use crate::game::Game;
use crate::level::Level;
use crate::plane::Plane;
use crate::raw::LevelHeader;
use crate::trailer::Trailer;
use crate::unpack::Unpacked;

/// Checks a whole level and reports findings.
///
/// `level` is what [`Level::parse_lossy`] returned for `file`. Findings from unpacking and parsing are not reported
/// again. Overlapping parts are checked up to a total of about four times the size of the image.
///
/// ```
/// # fn main() -> worldview_wwd::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// use worldview_wwd::{Level, check, unpack};
///
/// let image = unpack(file)?;
/// let level = Level::parse(&image)?;
/// check(&image, &level, &mut |finding| println!("{finding}"));
/// # Ok(())
/// # }
/// ```
pub fn check<'a>(file: &'a Unpacked<'_>, level: &Level<'a>, report: &mut dyn FnMut(Finding<'a>)) {
    let mut checker = Checker { report, space: file.space() };
    header(file, level, &mut checker);
    let walked = planes::check(level, &mut checker);
    attributes::check(level, &mut checker);
    layout::check(level, &walked, &mut checker);
    trailing(file, &mut checker);
}

worldview_core::assert_send_sync!(Finding<'_>);

/// The callback for findings.
struct Checker<'r, 'a> {
    report: &'r mut dyn FnMut(Finding<'a>),
    space: OffsetBase,
}

impl<'a> Checker<'_, 'a> {
    /// Reports a finding about the byte at offset `at` of the image. The header is never packed, so offsets in it count
    /// in the file.
    fn report(&mut self, kind: FindingKind, at: u64, place: Place<'a>) {
        let space = if at < LevelHeader::SIZE { OffsetBase::File } else { self.space };
        (self.report)(Finding { kind, at, space, place });
    }

    /// Reports a finding about an offset that counts in the file even if the level is packed.
    fn say_of_file(&mut self, kind: FindingKind, at: u64, place: Place<'a>) {
        (self.report)(Finding { kind, at, space: OffsetBase::File, place });
    }

    /// Checks what the fields of any header reveal by themselves: texts, reserved words, flags.
    fn fields(&mut self, record: &[u8], fields: &'static [FieldInfo], at: u64, place: Place<'a>) {
        for info in fields {
            let at = at.saturating_add(info.offset as u64);
            match (info.stored, info.value(record)) {
                (Stored::Text(room), _) => {
                    let bytes = record.get(info.offset..info.offset.saturating_add(room.into()));
                    self.text(info.name, bytes.unwrap_or(&[]), at, place);
                }
                (_, FieldValue::Uint(value)) => self.word(info, u32::try_from(value).unwrap_or(u32::MAX), at, place),
                _ => {}
            }
        }
    }

    fn text(&mut self, field: &'static str, bytes: &[u8], at: u64, place: Place<'a>) {
        let mut parts = bytes.splitn(2, |&byte| byte == 0);
        let text = parts.next().unwrap_or(&[]);
        match parts.next() {
            None => self.report(FindingKind::TextUnterminated { field }, at, place),
            Some(tail) if tail.iter().any(|&byte| byte != 0) => {
                self.report(FindingKind::TextTail { field }, at, place);
            }
            Some(_) => {}
        }
        if !text.is_ascii() {
            self.report(FindingKind::TextNotAscii { field }, at, place);
        }
        self.controls(field, text, at, place);
    }

    /// Reports the first control character of a text; NULs end texts, and have findings of their own.
    fn controls(&mut self, field: &'static str, text: &[u8], at: u64, place: Place<'a>) {
        if let Some(index) = text.iter().position(|byte| byte.is_ascii_control() && *byte != 0) {
            let byte = text.get(index).copied().unwrap_or(0);
            self.report(FindingKind::ControlCharacters { field, byte }, at.saturating_add(index as u64), place);
        }
    }

    fn word(&mut self, info: &'static FieldInfo, value: u32, at: u64, place: Place<'a>) {
        let field = info.name;
        if info.role == Role::Reserved {
            if value != 0 {
                self.report(FindingKind::Reserved { field, value }, at, place);
            }
        } else if let Notation::Flags(names) = info.notation {
            let bits = flags::unknown(value, names);
            if bits != 0 {
                self.report(FindingKind::FlagsUnknown { field, bits }, at, place);
            }
        }
    }
}

fn header<'a>(file: &'a Unpacked<'_>, level: &Level<'a>, checker: &mut Checker<'_, 'a>) {
    let header = file.header();
    let place = Place::of("header");
    checker.fields(header.as_bytes(), LevelHeader::FIELDS, 0, place);
    let at = |field: usize| field as u64;
    if level.game().is_none() {
        checker.report(FindingKind::GameUnknown, at(core::mem::offset_of!(LevelHeader, image_dir)), place);
    }
    if header.level_number().is_none() {
        checker.report(FindingKind::NoLevelNumber, at(core::mem::offset_of!(LevelHeader, name)), place);
    }
    // No level of Get Medieval is known.
    if let (Some(game @ (Game::Claw | Game::Gruntz)), Some(number), Some(found)) =
        (level.game(), header.level_number(), header.directory_number())
    {
        let (word, expected) = (game.directory_word(), game.directory_of(number));
        if found != expected {
            let kind = FindingKind::TileDirectory { number, word, expected, found };
            checker.report(kind, at(core::mem::offset_of!(LevelHeader, image_dir)), place);
        }
    }
    if let Some(plane) = level.main_plane().filter(|plane| plane.is_sized()) {
        let (x, y) = (header.start_x.get(), header.start_y.get());
        if !plane.contains(x, y) {
            checker.report(FindingKind::StartOutside { x, y }, at(core::mem::offset_of!(LevelHeader, start_x)), place);
        }
    }
    let found = header.planes_offset.get();
    if header.num_planes.get() != 0 && u64::from(found) < LevelHeader::SIZE {
        let kind = FindingKind::OffsetInHeader { field: field_name!(LevelHeader, planes_offset), found };
        checker.report(kind, at(core::mem::offset_of!(LevelHeader, planes_offset)), place);
    }
    let found = header.main_block_length.get();
    let actual = file.stored_block().len() as u64;
    if !file.is_packed() && found != 0 && u64::from(found) != actual {
        let at = at(core::mem::offset_of!(LevelHeader, main_block_length));
        checker.report(FindingKind::PlainLength { found, actual }, at, place);
    }
    let checksum = file.checksum();
    let at = at(core::mem::offset_of!(LevelHeader, checksum));
    if checksum.satisfies(Rule::Zero) {
        checker.report(FindingKind::ChecksumZero, at, place);
    } else if checksum.is_unexplained() {
        checker.report(FindingKind::ChecksumUnexplained { stored: checksum.stored() }, at, place);
    }
}

fn trailing<'a>(file: &'a Unpacked<'_>, checker: &mut Checker<'_, 'a>) {
    let trailer = file.trailer();
    let known = trailer.map_or(0, |trailer| trailer.bytes().len());
    let count = file.trailing().len().saturating_sub(known) as u64;
    if count != 0 {
        checker.say_of_file(FindingKind::TrailingBytes { count }, file.trailing_at(), Place::of("end of the file"));
    }
    if let Some(trailer) = trailer {
        trailer_blocks(trailer, checker);
    }
}

fn trailer_blocks<'a>(trailer: Trailer<'_>, checker: &mut Checker<'_, 'a>) {
    for (index, block) in (0_u32..).zip(trailer.blocks()) {
        let place = Place::of("trailer").with("block", Some(index), &[]);
        let broken = |error: worldview_core::Error| (FindingKind::TrailerBroken { kind: error.kind }, error.at);
        let found = match block {
            Err(error) => Some(broken(error)),
            Ok(block) => match block.content() {
                Err(error) => Some(broken(error)),
                Ok(crate::TrailerContent::Unknown) => {
                    Some((FindingKind::TrailerBlockUnknown { id: block.id }, block.offset()))
                }
                Ok(
                    crate::TrailerContent::MetaInfo { total_size: found }
                    | crate::TrailerContent::MetaEndInfo { total_size: found },
                ) => {
                    let actual = trailer.bytes().len() as u64;
                    (u64::from(found) != actual).then_some((FindingKind::TrailerSize { found, actual }, block.offset()))
                }
                Ok(crate::TrailerContent::Favourites(favourites)) => {
                    favourites.filter_map(core::result::Result::err).map(broken).next()
                }
                Ok(_) => None,
            },
        };
        if let Some((kind, at)) = found {
            checker.say_of_file(kind, at, place);
        }
    }
}

/// Returns the place of a plane, with its index and name.
fn place<'a>(plane: &Plane<'a>) -> Place<'a> {
    Place::numbered("plane", plane.number(), plane.name())
}
