//! Files of changes: reading them with the files beside them, and writing both.

use std::io;
use std::path::Path;

use worldview_edit::{Changes, EditError, EditErrorKind};

use crate::args::Replace;
use crate::output::{Target, bounded, bounded_or_stdin, is_inside};
use crate::run::Run;
use crate::text;

/// The end of the name of a file of changes in a folder, behind the name of the file that they are for.
pub(crate) const SUFFIX: &str = ".changes.json";

/// The end of the name of the folder beside it with its large values.
const SIDE_SUFFIX: &str = ".changes.files";

/// Maximum size of a file of changes, and of all files beside it together.
const MAX_SIZE: u64 = 1 << 28;
const MAX_SIZE_BESIDE: u64 = 1 << 30;

/// Reads a file of changes, or standard input for `-`, and the files beside it that it names.
///
/// # Errors
///
/// Returns an error if a file cannot be read, is too large, or lies outside the folder, or if the changes are malformed.
pub(crate) fn read(path: &Path) -> Result<Changes, EditError> {
    let json = bounded_or_stdin(path, MAX_SIZE).map_err(|error| failed(&error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut left = MAX_SIZE_BESIDE;
    Changes::from_json_with_files(text::decode(&json).as_bytes(), &mut |name| {
        let outside = || io::Error::other("leads out of the folder of the changes");
        if !is_inside(name) {
            return Err(outside());
        }
        let file = folder.join(name);
        // Links may lead anywhere.
        let root = if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.canonicalize()?;
        if !file.canonicalize()?.starts_with(root) {
            return Err(outside());
        }
        if !file.is_file() {
            return Err(io::Error::other("is not a file"));
        }
        let bytes = bounded(&file, left)?;
        left = left.saturating_sub(bytes.len() as u64);
        Ok(bytes)
    })
}

/// Returns whether standard input is named only once, since it can be read only once. Reports if not.
pub(crate) fn read_stdin_once<'p>(paths: impl IntoIterator<Item = &'p Path>, run: &mut Run) -> bool {
    let is_once = paths.into_iter().filter(|path| path.as_os_str() == "-").count() < 2;
    if !is_once {
        run.refused("-", &"standard input can be read only once");
    }
    is_once
}

fn failed(error: &io::Error) -> EditError {
    EditError { path: worldview::Path::new(), kind: EditErrorKind::Malformed { line: None, why: error.to_string() } }
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
