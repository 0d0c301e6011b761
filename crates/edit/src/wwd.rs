//! Edits of WWD levels.
//!
//! Numbers, tiles and texts of fixed length are patched in place. Objects and image-set names may change in length and number, a
//! plane may get another size, and planes may be added, moved and removed; what lies behind them moves. What is new goes where all
//! known programs would have written it. Planes that share a grid or a list in the original do not change together: the one that
//! is changed gets a copy of its own. A packed level stays packed, and its stored stream is copied if only the file header changes.
//! The checksum is computed by the rule that the original satisfies.

mod attributes;
mod diff;
mod level;
mod new;
mod plane;
mod planes;
mod switches;

use worldview_core::Path;
use worldview_wwd::raw::LevelHeader;
use worldview_wwd::{Game, Level, LevelDescription, Unpacked, Unpacker};
use zerocopy::IntoBytes as _;

use crate::checked::{Checked as _, Number as _, sized};
use crate::resolve::Names;
use crate::{Change, Changes, EditError, Patches, Result};

pub(crate) use diff::changes;
pub use diff::{diff, diff_with};
pub use new::{empty, store};
pub use switches::{LEVELS, SWITCH_ID};

/// Bytes of the file header.
const HEADER: usize = size_of::<LevelHeader>();

/// The name of what is behind the main block: bytes that no known program reads, and an editor's trailer.
const TRAILING: &str = "trailing_bytes";

/// Applies changes to a level.
///
/// | path | what it names |
/// |---|---|
/// | `header/start_x` | a field of the file header |
/// | `plane:Action/fill_color` | a field of a plane |
/// | `plane:Action/tile:3,5` | a tile by column and row: the word of the file, or text as worldview prints it: `12`, `1:12`, `.` for an empty and `#` for a filled tile |
/// | `plane:Action/tiles:3,5,4,2` | the same for a rectangle: column, row, width and height; its words in rows from the top |
/// | `plane:Action/image_set#0` | an image-set name; the last ones can be added and removed |
/// | `plane:Action/object:17/logic` | a field of an object; `object:17#1` if ids repeat |
/// | `trailing_bytes` | everything behind the main block, as bytes: with an editor's trailer, if there is one |
/// | `tile_attributes/frame#12/attribute` | a field of a tile attribute; the last ones can be added and removed |
///
/// A plane is added empty, with the fields that the change lists; its tiles, image sets and objects are set and added by changes of
/// their own, whose paths begin with that of the plane. Changes inside a plane that is removed say what the plane must hold.
///
/// # Errors
///
/// Returns an error if the file is not a level, or if any change cannot be applied; nothing is written then.
pub fn apply<'a>(file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    apply_with(file, changes, Unpacker::new())
}

/// Applies changes to a level, which is unpacked with the caller's limits.
///
/// # Errors
///
/// Returns an error as [`apply`] does.
pub fn apply_with<'a>(file: &'a [u8], changes: &Changes, unpacker: Unpacker) -> Result<Patches<'a>> {
    let unpacked = unpacker.unpack(file)?;
    let level = Level::parse(&unpacked)?;
    let mut header = *unpacked.header();
    let names = LevelDescription::new(&unpacked, &level);
    let mut trailing = unpacked.trailing().to_vec();
    let (image, mut account) = Names::of(&names)
        .apply(changes, is_container, |tree| level::edit(&names, &level, &mut header, &mut trailing, tree))?;
    if !image.is_empty() && level.game() == Some(Game::Gruntz) {
        switches::advise(&level, &level::with_header(&image, &header), &mut account);
    }
    let mut out = Patches::new(file).counted(account);
    if !image.is_empty() {
        replace_block(&mut out, &unpacked, &image, &mut header)?;
    }
    if header.as_bytes() != unpacked.header().as_bytes() && !out.replace(0..HEADER, header.as_bytes().to_vec()) {
        return Err(EditError::unsupported(&Path::new(), "a part of the level lies inside the file header"));
    }
    let behind = file.len().minus(unpacked.trailing().len())?..file.len();
    if trailing != unpacked.trailing() && !out.replace(behind, trailing) {
        return Err(EditError::unsupported(&Path::new(), "a part of the level lies after its main block"));
    }
    Ok(out)
}

/// Applies changes to a level as [`apply_with`] does. In one of Gruntz, the ids of switches that move to another tile change along, with
/// their speeds and what refers to them; [`Patches::also`] has these changes.
///
/// # Errors
///
/// Returns an error as [`apply`] does, and if another object has the id that a switch would get.
pub fn apply_following<'a>(file: &'a [u8], changes: &Changes, unpacker: Unpacker) -> Result<Patches<'a>> {
    let unpacked = unpacker.unpack(file)?;
    let level = Level::parse(&unpacked)?;
    let names = LevelDescription::new(&unpacked, &level);
    let (also, _) = Names::of(&names).apply(changes, is_container, |tree| switches::following(&level, tree))?;
    let all = changes.clone().along(&also);
    Ok(apply_with(file, &all, unpacker)?.with(also))
}

/// Returns whether the contents of an added or removed element are listed as separate changes, as those of a plane are.
pub(crate) fn is_container(change: &Change) -> bool {
    let is_lone = matches!(change, Change::Add { .. } | Change::Remove { .. });
    is_lone && change.path().segments().last().is_some_and(|last| last.kind == Some("plane"))
}

/// Replaces the stored main block.
fn replace_block(
    out: &mut Patches<'_>,
    file: &Unpacked<'_>,
    image: &Patches<'_>,
    header: &mut LevelHeader,
) -> Result<()> {
    let mut block = image.to_vec();
    block.len().minus(HEADER)?;
    block.drain(..HEADER);
    let new = file.seal(header, block).ok_or_else(too_large)?;
    out.replace(sized(HEADER, file.stored_block().len())?, new).then_some(()).checked()
}

fn too_large() -> EditError {
    EditError::unsupported(&Path::new(), planes::TOO_LARGE)
}
