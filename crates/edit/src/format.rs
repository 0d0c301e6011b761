//! Files of any format.

use std::ops::Range;

use crate::account::Account;
use worldview_core::Path;
use worldview_format::Format;
#[cfg(feature = "island")]
use worldview_island::TextureFile;

#[cfg(feature = "island")]
use crate::checked::{Checked as _, Number as _, sized};
#[cfg(feature = "island")]
use crate::island;
#[cfg(feature = "rez")]
use crate::rez;
#[cfg(feature = "wpd")]
use crate::wpd;
#[cfg(feature = "wwd")]
use crate::wwd;
use crate::{Change, Changes, EditError, EditErrorKind, Patches, Planned, Result, Value, check_path};

/// How files are opened to be edited.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileOptions<'o> {
    /// How tables get their field names.
    #[cfg(feature = "wpd")]
    pub tables: worldview_wpd::TableOptions<'o, 'o>,
    #[cfg(not(feature = "wpd"))]
    #[doc(hidden)]
    pub tables: std::marker::PhantomData<&'o ()>,
    /// How levels are unpacked.
    #[cfg(feature = "wwd")]
    pub unpacker: worldview_wwd::Unpacker,
    /// Whether the ids of switches of Gruntz follow when these move to another tile, with what refers to them; a place whose id is taken is
    /// refused. [`Patches::also`] has these changes.
    pub follow: bool,
}

/// Applies changes to a file of any format whose feature is enabled. A file that they have made stays as it is.
///
/// # Errors
///
/// Returns an error if files of the format cannot be edited, or if any change cannot be applied.
pub fn apply<'a>(format: Format, file: &'a [u8], changes: &Changes, options: &FileOptions<'_>) -> Result<Patches<'a>> {
    let applied = apply_each(format, file, changes, options);
    // What follows is in the list of changes if they are applied again.
    let options = &FileOptions { follow: false, ..*options };
    // Each change alone tells whether it is done, but for moves, and for paths into what others add, remove or rename.
    let has_moves = || changes.iter().any(|change| matches!(change, Change::Move { .. }));
    let is_new = |applied: &Patches<'_>| applied.is_empty() || applied.account().equal == 0 && !has_moves();
    if applied.as_ref().is_ok_and(is_new) || !is_result(format, file, changes, options) {
        return applied;
    }
    let mut account = Account::new();
    account.equal = changes.len() as u64;
    Ok(Patches::new(file).counted(account))
}

/// Returns whether changes that are undone in a file and applied again give the same file.
fn is_result(format: Format, file: &[u8], changes: &Changes, options: &FileOptions<'_>) -> bool {
    let Ok(inverse) = changes.invert() else { return false };
    let made = |file: &[u8], changes: &Changes| Some(apply_each(format, file, changes, options).ok()?.to_vec());
    let again = made(file, &inverse).and_then(|before| made(&before, changes));
    // A level may be packed in another way.
    again.is_some_and(|again| diff(format, file, &again, options).is_ok_and(|planned| planned.changes.is_empty()))
}

fn apply_each<'a>(format: Format, file: &'a [u8], changes: &Changes, options: &FileOptions<'_>) -> Result<Patches<'a>> {
    match format {
        #[cfg(feature = "wpd")]
        Format::Wpd => wpd::apply_with(file, changes, options.tables),
        #[cfg(feature = "wwd")]
        Format::Wwd if options.follow => wwd::apply_following(file, changes, options.unpacker),
        #[cfg(feature = "wwd")]
        Format::Wwd => wwd::apply_with(file, changes, options.unpacker),
        #[cfg(feature = "rez")]
        Format::Rez if options.follow => rez::apply_following(file, changes, options.unpacker),
        #[cfg(feature = "rez")]
        Format::Rez => rez::apply_with(file, changes, options.unpacker),
        #[cfg(feature = "island")]
        Format::Island => island::apply(file, changes),
        #[cfg(feature = "island")]
        Format::Tex => apply_textures(file, changes),
        #[cfg(feature = "rez")]
        Format::Pid | Format::Rid | Format::Pcx => apply_whole(file, changes),
        _ => Err(not_editable()),
    }
}

/// Returns the changes that make one file say what another of the same format says, and an account of the differences that they
/// leave. Only equal files have neither changes nor entries.
///
/// # Errors
///
/// Returns an error if files of the format cannot be edited, or if a file cannot be opened.
pub fn diff(format: Format, left: &[u8], right: &[u8], options: &FileOptions<'_>) -> Result<Planned> {
    match format {
        _ if left == right => Ok(Planned::default()),
        #[cfg(feature = "wpd")]
        Format::Wpd => wpd::diff_with(left, right, options.tables),
        #[cfg(feature = "wwd")]
        Format::Wwd => wwd::diff_with(left, right, options.unpacker),
        #[cfg(feature = "rez")]
        Format::Rez => rez::diff_with(left, right, options.unpacker),
        #[cfg(feature = "island")]
        Format::Island => island::diff(left, right),
        #[cfg(feature = "island")]
        Format::Tex => diff_textures(left, right),
        #[cfg(feature = "rez")]
        Format::Pid | Format::Rid | Format::Pcx => {
            let (from, to) = (Some(Value::Bytes(left.to_vec())), Value::Bytes(right.to_vec()));
            Ok(Changes::from_iter([Change::Set { path: Path::new(), from, to }]).into())
        }
        _ => Err(not_editable()),
    }
}

fn not_editable() -> EditError {
    EditError::unsupported(&Path::new(), "files of this format cannot be edited yet")
}

/// The chunk of WORLD.WDB that a `.tex` file is.
#[cfg(feature = "island")]
const CHUNK: &[u8] = b"global_textures";

/// Returns a WORLD.WDB without worlds and parts whose global textures are a file, and where they are.
#[cfg(feature = "island")]
fn as_chunk(file: &[u8]) -> Result<(Vec<u8>, Range<usize>)> {
    TextureFile::parse(file)?;
    let too_large = || EditError::unsupported(&Path::new(), "the file is too large");
    let all = worldview_island::edit::new::database(0, file).ok_or_else(too_large)?;
    // The number of worlds and the length of the chunk come first.
    Ok((all, sized(8, file.len())?))
}

/// Applies changes to a `.tex` file, whose textures are edited as the global ones of WORLD.WDB.
#[cfg(feature = "island")]
fn apply_textures<'a>(file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    let (all, place) = as_chunk(file)?;
    changes.iter().try_for_each(|change| check_path(change.path()))?;
    let chunk = Path::new().with(|path| path.push_name(CHUNK));
    let edited = island::apply(&all, &changes.clone().prefixed(&chunk)).map_err(|error| inside(error, &chunk))?;
    let (mut account, edited) = (edited.account().clone(), edited.to_vec());
    account.entries_mut().for_each(|entry| entry.path = behind(&entry.path, &chunk));
    let behind = all.len().minus(place.end)?;
    let new = edited.get(place.start..edited.len().minus(behind)?).checked()?;
    // Only what differs is replaced.
    let same = |(old, new): &(&u8, &u8)| old == new;
    let start = file.iter().zip(new).take_while(same).count();
    let (old, new) = (file.get(start..).checked()?, new.get(start..).checked()?);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (old, new) = (old.len().minus(end)?, new.get(..new.len().minus(end)?).checked()?);
    let mut patches = Patches::new(file).counted(account);
    if (old > 0 || !new.is_empty()) && !patches.replace(sized(start, old)?, new.to_vec()) {
        return Err(EditError::unsupported(&Path::new(), "parts of the file that the changes concern overlap"));
    }
    Ok(patches)
}

/// Applies changes to a file that is only replaced as a whole, by its empty path.
#[cfg(feature = "rez")]
fn apply_whole<'a>(file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    let (mut patches, mut account) = (Patches::new(file), Account::new());
    for change in changes {
        let Change::Set { path, from, to: Value::Bytes(bytes) } = change else {
            return Err(EditError::unsupported(change.path(), "a picture is only replaced as a whole"));
        };
        if !path.is_empty() {
            return Err(EditError::not_found(path));
        }
        if file == bytes {
            account.equal = account.equal.saturating_add(1);
            continue;
        }
        let found = Value::Bytes(file.to_vec());
        if let Some(expected) = from.as_ref().filter(|expected| **expected != found) {
            return Err(EditError::differs(path, expected, found));
        }
        if account.done > 0 || !patches.replace(0..file.len(), bytes.clone()) {
            return Err(EditError::conflict(path, &Path::new()));
        }
        account.done = 1;
    }
    Ok(patches.counted(account))
}

/// Returns the changes between two `.tex` files.
#[cfg(feature = "island")]
fn diff_textures(left: &[u8], right: &[u8]) -> Result<Planned> {
    let ((left, _), (right, _)) = (as_chunk(left)?, as_chunk(right)?);
    let chunk = Path::new().with(|path| path.push_name(CHUNK));
    let mut planned = island::diff(&left, &right).map_err(|error| inside(error, &chunk))?;
    planned.account.entries_mut().for_each(|entry| entry.path = behind(&entry.path, &chunk));
    Ok(Planned { changes: planned.changes.inside(&[&chunk]), ..planned })
}

/// Returns an error about a chunk as one about the file that the chunk is.
#[cfg(feature = "island")]
fn inside(error: EditError, chunk: &Path) -> EditError {
    let error = error.with_paths(|path| behind(&path, chunk));
    match error.kind {
        // The path of the chunk made it too long.
        EditErrorKind::PathTooLong { .. } => EditError { kind: EditErrorKind::NotFound, ..error },
        _ => error,
    }
}

/// Returns a path inside a chunk without the chunk.
#[cfg(feature = "island")]
fn behind(path: &Path, chunk: &Path) -> Path {
    path.parts().skip(usize::from(path.is_within(chunk))).collect()
}
