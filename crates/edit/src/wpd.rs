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
mod record;
mod table;

use worldview_wpd::{Archive, Nesting};

use crate::tree::Tree;
use crate::{Changes, Patches, Result};

pub(crate) use diff::fields;
pub use diff::{diff, diff_tables};
pub(crate) use members::label;
pub(crate) use record::{limit, range, value};

/// Applies changes to an archive or table.
///
/// The path of a field is `record/field` in a table, and `member/record/field` in a table inside an archive; members are named
/// with their extension, as in all output of worldview.
///
/// # Errors
///
/// Returns an error if the file is not an archive, or if any change cannot be applied; nothing is written then.
pub fn apply<'a>(file: &'a [u8], changes: &Changes) -> Result<Patches<'a>> {
    archive::apply(&Archive::parse(file)?, &Tree::of(changes)?, &worldview_core::Path::new(), Nesting::DEEPEST)
}
