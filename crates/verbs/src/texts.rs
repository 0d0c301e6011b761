//! Files with the words for keys such as `$atar_ttl_010`, which tables have instead of texts.

use worldview_export::table::Words;

use crate::options::TextOptions;
use crate::read::{Room, SourceKind, decode};
use crate::report::{Error, Result};
use crate::run::Run;
use crate::table::{self, counted};

/// Reads the file of words, if one is given.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or has no words.
pub fn read(options: &TextOptions, run: &mut Run<'_>) -> Result<Option<Words>> {
    let Some(path) = &options.text else { return Ok(None) };
    let shown = table::path(path);
    let bytes = Room::default().read(path, SourceKind::List).map_err(|error| Error::failed(&shown, &error))?;
    let words = Words::parse(&decode(&bytes));
    if words.is_empty() {
        return Err(Error::failed(&shown, &"has no line `key |:| words`"));
    }
    if words.unread > 0 {
        let lines = counted(words.unread, "line");
        run.note(&shown, &format_args!("{lines} without `|:|` skipped"));
    }
    if words.repeated > 0 {
        let lines = counted(words.repeated, "line");
        run.note(&shown, &format_args!("{lines} with a duplicate key; the last one is used"));
    }
    Ok(Some(words))
}
