use worldview_core::describe::{Array, List, Part, PartKey, Span, Visit};
use worldview_core::{Path, field_name};
use worldview_inspect::{Root, Select};
use worldview_rez::raw::{EntryHeader, FileHeader};
use worldview_rez::{File, Picture, Rez, RezDescription, split_name};
use worldview_wwd::{Unpacker, describe_file};
use zerocopy::FromBytes as _;

use super::{LEVEL, is_level};
use crate::checked::Checked as _;
use crate::diff::{Consists, Rules, replaced};
use crate::fields::values;
use crate::pairs::{compare, complete};
use crate::{Changes, EditError, EditErrorKind, Planned, Result, Value, wwd};

/// Returns the changes that make one archive say what another says, and an account of the differences that they leave.
///
/// Entries are compared by name, and of several with one name the first with the first. Levels are compared inside, all other files by
/// their bytes. Positions, gaps and sizes that the header repeats mean nothing.
///
/// # Errors
///
/// Returns an error if a file is not an archive, if a part of it cannot be read, or if levels differ in what changes cannot express.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Planned> {
    diff_with(left, right, Unpacker::new())
}

/// Returns the changes that make one archive say what another says, and an account of the differences that they leave. Levels are
/// unpacked with the caller's limits.
///
/// # Errors
///
/// Returns an error as [`diff`] does.
pub fn diff_with(left: &[u8], right: &[u8], unpacker: Unpacker) -> Result<Planned> {
    let archives = [Rez::parse(left)?, Rez::parse(right)?];
    let [one, other] = &archives;
    let [before, after] = [one, other].map(|archive| RezDescription::new(archive).opens_files(false));
    let (before, after) = (Root::new("rez", one.source(), &before), Root::new("rez", other.source(), &after));
    let mut rules = Archives { files: [left, right], unpacker, levels: Planned::default() };
    let mut planned = crate::diff::diff(&before, &after, &Listed, &mut rules)?;
    planned.append(rules.levels);
    let edited = super::apply_with(left, &planned.changes, unpacker);
    Ok(complete(planned, edited, right, |edited, note| {
        let edited = Rez::parse(edited)?;
        let level = |file: &File<'_, '_>, visitor: &mut dyn Visit| {
            file.is_level().then(|| describe_file(file.source(), visitor)).flatten()
        };
        let (left, right) =
            (RezDescription::new(&edited).contents(&level), RezDescription::new(other).contents(&level));
        let left = Root::new("rez", edited.source(), &left).besides(opened_len(&edited));
        compare(&left, &Root::new("rez", other.source(), &right).besides(opened_len(other)), note)
    }))
}

/// Returns the number of bytes of all levels and pictures when they are unpacked.
fn opened_len(archive: &Rez<'_>) -> u64 {
    let is_level = |file: &File<'_, '_>| file.is_level();
    let len = |file| if is_level(&file) { Unpacker::new().image_len(file.data()) } else { Picture::decoded_len(&file) };
    archive.root().all_files().map(len).fold(0, u64::saturating_add)
}

/// Everything but the data of files.
struct Listed;

impl Select for Listed {
    fn array(&self, array: &Array<'_>) -> bool {
        array.name != "bytes"
    }
}

/// The files of two archives.
struct Archives<'a> {
    files: [&'a [u8]; 2],
    unpacker: Unpacker,
    /// The changes of levels.
    levels: Planned,
}

impl<'a> Archives<'a> {
    fn bytes(&self, at: Option<Span>, side: usize) -> Option<&'a [u8]> {
        let (at, file) = (at?, self.files.get(side)?);
        file.get(usize::try_from(at.at).ok()?..usize::try_from(at.at.checked_add(at.len)?).ok()?)
    }
}

impl Rules for Archives<'_> {
    fn pair(
        &mut self,
        _: &List,
        path: &Path,
        [left, right]: [&Part<'_>; 2],
        is_moved: bool,
        changes: &mut Changes,
    ) -> Result<bool> {
        let data = self.bytes(left.beside, 0).zip(self.bytes(right.beside, 1));
        let Some((from, to)) = data.filter(|(from, to)| from != to) else { return Ok(false) };
        let is_level = |part: &Part<'_>, data| matches!(part.key, PartKey::Name(name) if is_level(name, data));
        if is_level(left, from) && is_level(right, to) {
            let level = path.with(|path| path.push("@", LEVEL, None));
            match wwd::changes(from, to, self.unpacker) {
                Ok(inside) => {
                    self.levels.append(inside.prefixed(&level));
                    return Ok(false);
                }
                // What cannot be read is compared by its bytes.
                Err(EditError { kind: EditErrorKind::Format(_), .. }) => {}
                Err(error) => return Err(error.with_paths(|path| level.joined(&path))),
            }
        }
        changes.push(replaced(path, [from, to], is_moved));
        Ok(false)
    }

    /// The fields that are not as usual, and the data of a file.
    fn lone(&mut self, _: &List, _: &Path, part: &Part<'_>, side: usize) -> Result<Option<Consists>> {
        let entry = self.bytes(part.at, side).checked()?;
        let (entry, rest) = EntryHeader::ref_from_prefix(entry).ok().checked()?;
        let (mut fields, data) = values(part.body, None);
        fields.retain(|(_, value)| match value {
            Value::Integer(integer) => *integer != 0,
            Value::Integers(list) => !list.is_empty(),
            value => value.as_bytes() != Some(b""),
        });
        if entry.kind.get() == EntryHeader::DIRECTORY {
            fields.insert(0, (field_name!(EntryHeader, kind).to_owned(), EntryHeader::DIRECTORY.into()));
            return Ok(Some((fields, None)));
        }
        let (file, _) = FileHeader::ref_from_prefix(rest).ok().checked()?;
        let extension: Vec<u8> = file.extension.as_bytes().iter().rev().copied().collect();
        if !matches!(part.key, PartKey::Name(name) if split_name(name).1 == extension) {
            fields.push((field_name!(FileHeader, extension).to_owned(), Value::from_bytes(&extension)));
        }
        Ok(Some((fields, data)))
    }
}
