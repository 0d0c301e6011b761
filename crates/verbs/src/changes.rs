//! Files of changes: reading them with the files beside them, and writing both.

use std::io;
use std::path::Path;

use worldview_edit::{Changes, EditError};

use crate::options::Replace;
use crate::output::Target;
use crate::read::{Room, SourceKind, is_inside};
use crate::text;

/// The end of the name of a file of changes in a folder, behind the name of the file that they are for.
pub(crate) const SUFFIX: &str = ".changes.json";

/// The end of the name of the folder beside it with its large values.
const SIDE_SUFFIX: &str = ".changes.files";

/// Reads a file of changes, or standard input for `-`, and the files beside it that it names. Returns an error if a file cannot be
/// read, is too large, or lies outside the folder, or if the changes are malformed.
pub(crate) fn read(path: &Path, room: &Room) -> Result<Changes, EditError> {
    let failed = |error: io::Error| EditError::malformed(None, error.to_string());
    let json = room.read_or_stdin(path, SourceKind::Changes).map_err(failed)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Changes::from_json_with_files(text::decode(&json).as_bytes(), &mut |name| match is_inside(name) {
        true => room.read_in(folder, &folder.join(name), SourceKind::Data),
        false => Err(io::Error::other("leads out of the folder of the changes")),
    })
}

/// Returns whether a path leads into a folder of large values beside a file of changes.
pub(crate) fn is_side_file(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_str().is_some_and(|name| name.ends_with(SIDE_SUFFIX)))
}

/// Writes a file of changes, which is `named` or in the folder that is, with large values in files beside it.
pub(crate) fn write(path: &Path, named: &Path, changes: &Changes, replace: Replace) -> io::Result<()> {
    let target = Target::of(path, named, &[], replace)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = format!("{}.files", name.strip_suffix(".json").unwrap_or(&name));
    let (json, files) = changes.to_json_with_files(&folder).map_err(io::Error::other)?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for (name, bytes) in files {
        let beside = Target::of(&parent.join(name), parent, &[], Replace::Always)?;
        beside.write(&mut io::stdout(), |out| out.write_all(&bytes))?;
    }
    target.write(&mut io::stdout(), |out| out.write_all(json.as_bytes()))
}
