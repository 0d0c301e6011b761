//! Links: columns whose values name records of another table of the set.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use worldview_verbs::references::{Around, Beside, Place, Reference, References, TableSet};

use super::columns::Columns;
use crate::answer::Failed;
use crate::files::Opened;
use crate::library;
use crate::state::State;
use crate::work::CancelToken;

/// How long all of it may take. What was found until then counts, and the table says so.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The links of a table.
#[derive(Debug)]
pub(super) struct Links(References);

impl Links {
    /// Returns the links of a table, which are looked for once.
    pub(super) fn of(state: &State, opened: &Arc<Opened>, cancel: &CancelToken) -> Result<Arc<Self>, Failed> {
        opened.made(|opened| {
            let end = Instant::now() + TIMEOUT;
            let goes_on = || cancel.check().is_ok() && Instant::now() < end;
            let found = with_set(state, opened, |set| References::of(set.own(), set, &goes_on)).unwrap_or_default();
            cancel.check()?;
            Ok(Self(found))
        })
    }

    /// Whether there was no time to look at all tables.
    pub(super) const fn is_partial(&self) -> bool {
        self.0.is_partial
    }

    /// Returns the table whose records the values of a column name.
    pub(super) fn of_column(&self, columns: &Columns<'_>, column: usize) -> Option<&Reference> {
        self.0.of_field(columns.field_index(column)?)
    }
}

/// Returns the address of a table beside an opened one, whose address is `own`.
pub(super) fn address(state: &State, opened: &Opened, table: &Beside, own: &str) -> String {
    let name = match &table.place {
        Place::Here => return own.to_owned(),
        Place::Member(_, label) => library::encode(label),
        Place::File(name) => library::encode_os(name),
    };
    let above = own.rsplit_once('/').map(|(above, _)| above.to_owned());
    let above = above.or_else(|| folder_at(state, opened.path.parent()?));
    library::join(&above.unwrap_or_default(), &name)
}

/// Returns whether a table beside an opened one has a record with this name.
pub(super) fn has(state: &State, opened: &Arc<Opened>, table: &Beside, name: &[u8]) -> bool {
    with_set(state, opened, |set| set.has(table, name)) == Some(true)
}

/// Calls `then` with an opened table and those beside it, as far as the viewer shows them. Returns `None` if it is no table.
fn with_set<T>(state: &State, opened: &Arc<Opened>, then: impl FnOnce(&TableSet<'_>) -> T) -> Option<T> {
    let holder = if opened.inside.is_empty() { None } else { holder(state, opened) };
    let archive = holder.as_ref().and_then(|holder| holder.handle.archive());
    let around = match archive {
        Some(archive) => Around::Archive(*archive),
        None if opened.inside.is_empty() && folder_at(state, opened.path.parent()?).is_some() => {
            Around::Folder(&opened.path, state.files.loader())
        }
        None => Around::Nothing,
    };
    Some(then(&TableSet::new(opened.handle.table()?, opened.handle.part().name(), around)))
}

/// Opens the archive that a table is in.
fn holder(state: &State, opened: &Opened) -> Option<Arc<Opened>> {
    let names = opened.inside.rsplitn(2, |&byte| byte == b'/').nth(1).unwrap_or_default();
    state.open_file(&opened.path, names).ok()
}

/// Returns the address of a folder, if it is one of those that the viewer shows.
fn folder_at(state: &State, folder: &Path) -> Option<String> {
    state.library.roots.iter().find_map(|root| library::below(&root.at, &root.path, folder))
}
