//! Edits of WPD archives and WDB tables.
//!
//! Numbers and bit fields are patched in place. A string that the pool holds already, also as the tail of another, is referred to;
//! other strings are appended, and the old pool stays as it is. Members that move keep the alignment of the file.

mod archive;
mod arrays;
mod diff;
mod layout;
mod members;
mod pool;
mod table;

use worldview_wpd::{Archive, Nesting, Table, TableOptions};

use crate::resolve::Names;
use crate::{Changes, Patches, Result};

pub use arrays::TABLES;
pub use diff::{diff, diff_with};

/// Applies changes to an archive or table.
///
/// The path of a field is `record/field` in a table, and `member/record/field` in a table inside an archive; members are named
/// with their extension, as in all output of worldview.
///
/// # Errors
///
/// Returns an error if the file is not an archive, or if any change cannot be applied; nothing is written then.
pub fn apply<'a>(file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    apply_with(file, changes, TableOptions::new())
}

/// Applies changes to an archive or table, whose fields are named by the caller's options. Tables inside an archive are named by
/// their members.
///
/// # Errors
///
/// Returns an error as [`apply`] does.
pub fn apply_with<'a>(file: &'a [u8], changes: &Changes, options: TableOptions<'_, '_>) -> Result<Patches<'a>> {
    let archive = Archive::parse(file)?;
    if archive.is_table() {
        return apply_to(&archive, &options.table(archive)?, changes);
    }
    let (edited, mut account) = Names::of(&archive).apply(
        changes,
        |_| false,
        |tree| archive::apply(&archive, tree, &worldview_core::Path::new(), Nesting::MAX_DEPTH, options),
    )?;
    account.append(edited.account().clone());
    Ok(edited.counted(account))
}

/// Applies changes to a table, whose fields keep their names. Returns an error if any change cannot be applied.
pub(crate) fn apply_to<'a>(archive: &Archive<'a>, table: &Table<'_>, changes: &Changes) -> Result<Patches<'a>> {
    let path = worldview_core::Path::new();
    let (edited, mut account) =
        Names::of(table).apply(changes, |_| false, |tree| table::edit(archive, table, tree, &path))?;
    account.append(edited.account().clone());
    Ok(edited.counted(account))
}
