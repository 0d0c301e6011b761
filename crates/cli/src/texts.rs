//! Files with the words for keys such as `$atar_ttl_010`, which tables have instead of texts.

use std::path::Path;

use worldview_export::table::Words;

use crate::read::{Room, SourceKind};
use crate::run::Run;
use crate::table::{self, counted};
use crate::text;

/// Reads a file of words. One that cannot be read is a failed input.
pub(crate) fn read(path: &Path, run: &mut Run) -> Option<Words> {
    let words = match Room::default().read(path, SourceKind::List) {
        Ok(bytes) => Words::parse(&text::decode(&bytes)),
        Err(error) => {
            run.failed(&table::path(path), &error);
            return None;
        }
    };
    if words.is_empty() {
        run.failed(&table::path(path), &"has no line `key |:| words`");
        return None;
    }
    if words.unread > 0 {
        let lines = counted(words.unread, "line");
        run.note(&table::path(path), &format_args!("{lines} without `|:|` skipped"));
    }
    if words.repeated > 0 {
        let lines = counted(words.repeated, "line");
        run.note(&table::path(path), &format_args!("{lines} with a key that is there already; the last words count"));
    }
    Some(words)
}
