//! Edits of REZ archives.
//!
//! Data that keeps its size or shrinks stays where it is. Data that grows is appended to the archive, and so is a directory that no
//! longer fits; the entries and the header point there. Everything else stays as it is, also what nothing refers to any more.

mod diff;
mod directory;
mod layout;

use worldview_core::{Segment, field_name};
use worldview_rez::raw::EntryHeader;
use worldview_rez::{Rez, RezDescription};
use worldview_wwd::Unpacker;
use worldview_wwd::raw::LevelHeader;

use self::directory::Levels;
use crate::resolve::Names;
use crate::{Change, Changes, Patches, Result, Value, wwd};

pub use diff::{diff, diff_with};

/// Applies changes to an archive.
///
/// | path | what it names |
/// |---|---|
/// | `LEVEL1/WORLDS/WORLD.WWD` | a file, with its extension, or a directory |
/// | `LEVEL1/WORLDS/WORLD.WWD/@level/plane:Action/object:17/x` | a part of a level in the archive, as [`wwd::apply`] names it; `@level` may be left out |
/// | `LEVEL1/@time` | a field of an entry: `time`; of a file also `id`, `comment`, `keys` and its `bytes`, which the path of the file means, too |
/// | `@user_title` | a field of the header: `user_title` and `time` |
///
/// Names are found as the game finds them, ignoring the case of ASCII letters, unless one of them is written in exactly this way. A
/// file is added with its `data`, a directory with the field `kind` = 1; what a new directory contains is added by changes of its own.
/// Up to four characters behind the last dot of a new name are the extension, unless the field `extension` says another one.
///
/// # Errors
///
/// Returns an error if the file is not an archive, if a part of it cannot be read, or if any change cannot be applied; nothing is
/// written then.
pub fn apply<'a>(file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    apply_with(file, changes, Unpacker::new())
}

/// Applies changes to an archive, whose levels are unpacked with the caller's limits.
///
/// # Errors
///
/// Returns an error as [`apply`] does.
pub fn apply_with<'a>(file: &'a [u8], changes: &Changes, unpacker: Unpacker) -> Result<Patches<'a>> {
    apply_as(file, changes, unpacker, false)
}

/// Applies changes to an archive as [`apply_with`] does, and to its levels as [`wwd::apply_following`] does.
///
/// # Errors
///
/// Returns an error as these do.
pub fn apply_following<'a>(file: &'a [u8], changes: &Changes, unpacker: Unpacker) -> Result<Patches<'a>> {
    apply_as(file, changes, unpacker, true)
}

fn apply_as<'a>(file: &'a [u8], changes: &Changes, unpacker: Unpacker, follow: bool) -> Result<Patches<'a>> {
    let archive = Rez::parse(file)?;
    let entries = RezDescription::new(&archive).opens_files(false);
    let names = Names { optional: Some("@level"), ..Names::of(&entries) };
    let mut levels = Levels::default();
    let (edited, mut account) = names.apply(changes, is_container, |tree| {
        let mut header = *archive.header();
        let root = directory::edit(&archive, tree, (unpacker, follow), (&mut header, &mut levels))?;
        layout::finish(&archive, root, header)
    })?;
    account.done = account.done.saturating_add(levels.more);
    levels.notes.into_iter().for_each(|note| account.push(note));
    Ok(edited.counted(account).with(levels.also))
}

/// Whether there may be changes inside the element of a change: fields of a file that gets other data, what an added or removed
/// directory contains, and planes of levels.
fn is_container(change: &Change) -> bool {
    match change {
        Change::Set { path, .. } => path.segments().last().is_some_and(|last| last.kind.is_none()),
        Change::Add { fields, .. } | Change::Remove { fields, .. } if is_directory(fields) => true,
        _ => wwd::is_container(change),
    }
}

/// Whether the fields of a change are those of a directory.
fn is_directory(fields: &[(String, Value)]) -> bool {
    let kind = Value::from(EntryHeader::DIRECTORY);
    fields.iter().any(|(name, value)| name == field_name!(EntryHeader, kind) && *value == kind)
}

/// Whether a file is a level: by its extension, or by the size of the header, with which levels begin.
fn is_level(name: &[u8], data: &[u8]) -> bool {
    let end = name.last_chunk::<4>().is_some_and(|end| end.eq_ignore_ascii_case(b".WWD"));
    end || data.starts_with(&LevelHeader::SIGNATURE)
}

/// Whether a segment is that of a field of an entry or header.
fn is_field(segment: &Segment<'_>) -> bool {
    segment.kind == Some("@") && *segment.key != *LEVEL
}

/// The name of the level that a file is: what is in it comes after the segment `@level`.
const LEVEL: &[u8] = b"level";
