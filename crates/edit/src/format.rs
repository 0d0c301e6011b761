//! Files of any format.

use worldview::Format;
use worldview_core::Path;
use worldview_wpd::TableOptions;
use worldview_wwd::Unpacker;

use crate::{Changes, EditError, Patches, Result, island, rez, wpd, wwd};

/// How files are opened to be edited.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileOptions<'o> {
    /// How tables get their field names.
    pub tables: TableOptions<'o>,
    /// How levels are unpacked.
    pub unpacker: Unpacker,
}

/// Applies changes to a file of any format.
///
/// # Errors
///
/// Returns an error if files of the format cannot be edited, or if any change cannot be applied.
pub fn apply<'a>(format: Format, file: &'a [u8], changes: &Changes, options: &FileOptions<'_>) -> Result<Patches<'a>> {
    match format {
        Format::Wpd => wpd::apply_with(file, changes, options.tables),
        Format::Wwd => wwd::apply_with(file, changes, options.unpacker),
        Format::Rez => rez::apply_with(file, changes, options.unpacker),
        Format::Island => island::apply(file, changes),
        _ => Err(not_editable()),
    }
}

/// Returns the changes that make one file say what another of the same format says.
///
/// # Errors
///
/// Returns an error if files of the format cannot be edited, or if a file cannot be opened.
pub fn diff(format: Format, left: &[u8], right: &[u8], options: &FileOptions<'_>) -> Result<Changes> {
    match format {
        _ if left == right => Ok(Changes::new()),
        Format::Wpd => wpd::diff_with(left, right, options.tables),
        Format::Wwd => wwd::diff(left, right),
        Format::Rez => rez::diff(left, right),
        Format::Island => island::diff(left, right),
        _ => Err(not_editable()),
    }
}

fn not_editable() -> EditError {
    EditError::unsupported(&Path::new(), "files of this format cannot be edited yet")
}
