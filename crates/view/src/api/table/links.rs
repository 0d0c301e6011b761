//! Links: fields whose values name records of another table of the set, which is a table of the same archive or folder.
//!
//! Nothing in the files says so. A column is probably a link if most of its different values are names of records of one
//! table.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use worldview::wpd::Archive;
use worldview::{Format, Options};
use worldview_export::table::label;

use super::columns::{Column, Columns};
use crate::answer::Failed;
use crate::files::Opened;
use crate::library;
use crate::state::State;
use crate::work::CancelToken;

/// The maximum number of entries of other tables that are looked at.
const MAX_ENTRIES: usize = 4 << 20;

/// How long all of it may take. What was found until then counts, and the table says so.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The links of a table.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The table that each column refers to.
    columns: Vec<Option<Link>>,
    /// Whether there was no time to look at all tables.
    pub(super) is_partial: bool,
}

/// A table whose records the values of a column probably name.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) table: Linked,
    /// How many of the different values of the column are names of its records.
    pub(super) hits: usize,
    /// The number of different values.
    pub(super) values: usize,
    records: usize,
}

/// A table beside another.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    /// The name that people see.
    pub(super) name: String,
    /// The name as a part of addresses; `None` for the table itself.
    at: Option<String>,
    beside: Beside,
}

/// Where a table is, seen from another.
#[derive(Clone, Debug)]
enum Beside {
    /// The table itself.
    Here,
    /// A member of the same archive, by its index.
    Member(usize),
    /// A file of the same folder.
    File(std::ffi::OsString),
}

/// The different values of the columns that can be names, and the columns with each.
#[derive(Default)]
struct Values<'t> {
    columns: HashMap<&'t [u8], Vec<u32>>,
    /// The number of different values of each column.
    counts: Vec<usize>,
}

impl Links {
    /// Returns the links of a table, which are looked for once.
    pub(super) fn of(state: &State, opened: &Arc<Opened>, cancel: &CancelToken) -> Result<Arc<Self>, Failed> {
        opened.made(|opened| {
            let columns = Columns::of(state, opened)?;
            let mut links = Self { columns: vec![None; columns.len()], is_partial: false };
            let values = Values::of(&columns);
            if values.columns.is_empty() {
                return Ok(links);
            }
            let (end, mut entries) = (Instant::now() + TIMEOUT, 0);
            each_table(state, opened, &mut |table, archive| {
                let hits = values.hits(archive);
                for (column, &hits) in hits.iter().enumerate().filter(|(_, hits)| **hits > 0) {
                    let best = &mut links.columns[column];
                    let records = archive.entries().len();
                    // Of two tables with as many of the names, the smaller one is more likely.
                    let is_better = best.as_ref().is_none_or(|best| (hits, best.records) > (best.hits, records));
                    let values = values.counts[column];
                    if is_better && 2 * hits > values {
                        *best = Some(Link { table: table.clone(), hits, values, records });
                    }
                }
                entries += archive.entries().len();
                let goes_on = cancel.check().is_ok() && Instant::now() < end && entries < MAX_ENTRIES;
                links.is_partial |= !goes_on;
                goes_on
            });
            cancel.check()?;
            Ok(links)
        })
    }

    /// Returns the table whose records the values of a column name.
    pub(super) fn of_column(&self, column: usize) -> Option<&Link> {
        self.columns.get(column)?.as_ref()
    }
}

impl Linked {
    /// Returns the address of the table; `own` is that of the table with the link.
    pub(super) fn address(&self, state: &State, opened: &Opened, own: &str) -> String {
        let Some(name) = &self.at else { return own.to_owned() };
        let above = own.rsplit_once('/').map(|(above, _)| above.to_owned());
        let above = above.or_else(|| folder_at(state, opened.path.parent()?));
        library::join(&above.unwrap_or_default(), name)
    }

    /// Returns whether the table has a record with this name.
    pub(super) fn has(&self, state: &State, opened: &Arc<Opened>, name: &[u8]) -> bool {
        is_record(name)
            && self
                .beside
                .table(state, opened, |archive| archive.entries().iter().any(|entry| entry.name.as_bytes() == name))
                == Some(true)
    }
}

impl<'t> Values<'t> {
    fn of(columns: &Columns<'t>) -> Self {
        let mut values = Self { columns: HashMap::new(), counts: vec![0; columns.len()] };
        for (index, count) in (0_u32..).zip(&mut values.counts).skip(1) {
            let Some(column) = columns.column(index as usize).filter(Column::has_strings) else { continue };
            for row in 0..columns.table().len() {
                let Some(value) = column.bytes(row).filter(|value| !value.is_empty()) else { continue };
                let with = values.columns.entry(value).or_default();
                if with.last() != Some(&index) {
                    with.push(index);
                    *count += 1;
                }
            }
        }
        values
    }

    /// Returns how many different values of each column are names of records of a table.
    fn hits(&self, archive: &Archive<'_>) -> Vec<usize> {
        let mut hits = vec![0; self.counts.len()];
        let mut seen = HashSet::new();
        for name in archive.entries().iter().map(|entry| entry.name.as_bytes()).filter(|name| is_record(name)) {
            let Some((value, columns)) = self.columns.get_key_value(name) else { continue };
            if seen.insert(*value) {
                columns.iter().for_each(|&column| hits[column as usize] += 1);
            }
        }
        hits
    }
}

/// Returns whether an entry is a record, and not a section.
fn is_record(name: &[u8]) -> bool {
    !name.starts_with(b"!!") && !name.starts_with(b"__")
}

/// Passes on the tables of a set: those in the same archive, or in the same folder if the table is a file. The table
/// itself is the last, so that another one with the same names is preferred. Ends when `each` returns `false`.
fn each_table(state: &State, opened: &Arc<Opened>, each: &mut dyn FnMut(&Linked, &Archive<'_>) -> bool) {
    let mut all: Vec<Linked> = Vec::new();
    if opened.inside.is_empty() {
        if let Some(folder) = opened.path.parent().filter(|folder| folder_at(state, folder).is_some()) {
            all.extend(files(folder).into_iter().filter(|(_, name)| Some(&**name) != opened.path.file_name()).map(
                |(shown, name)| Linked { name: shown, at: Some(library::encode_os(&name)), beside: Beside::File(name) },
            ));
        }
    } else if let Some(holder) = holder(state, opened)
        && let Some(archive) = holder.handle.archive()
    {
        let own = opened.handle.part().offset() as u64;
        let members = archive.members().filter(|member| member.is_archive() && member.source().base() != own);
        all.extend(members.map(|member| {
            let name = label(&member);
            Linked { name, at: Some(library::encode(&member.label())), beside: Beside::Member(member.index()) }
        }));
    }
    let own = opened.handle.part().name().to_owned();
    all.push(Linked { name: own, at: None, beside: Beside::Here });
    for linked in all {
        if linked.beside.table(state, opened, |archive| each(&linked, archive)) == Some(false) {
            return;
        }
    }
}

impl Beside {
    /// Opens the table, and calls `look` with its archive. Returns `None` if it is none.
    fn table<T>(&self, state: &State, opened: &Arc<Opened>, look: impl FnOnce(&Archive<'_>) -> T) -> Option<T> {
        let look = |archive: &Archive<'_>| archive.is_table().then(|| look(archive));
        match self {
            Self::Here => look(&opened.handle.table()?.archive()),
            Self::Member(index) => look(&holder(state, opened)?.handle.archive()?.get(*index)?.archive().ok()?),
            Self::File(name) => {
                let file = state.files.load(&opened.path.with_file_name(name)).ok()?;
                let is_archive = Options::new().format(file.bytes(), file.name()) == Ok(Format::Wpd);
                look(&Archive::parse_lossy(file.bytes(), &mut |_| {}).ok().filter(|_| is_archive)?)
            }
        }
    }
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

/// Returns the files of a folder that can be tables, by name. Links may lead elsewhere, so they are left out.
fn files(folder: &Path) -> Vec<(String, std::ffi::OsString)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let files = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<_> = files
        .map(|entry| entry.file_name())
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wdb")))
        .collect();
    names.sort();
    names.into_iter().map(|name| (name.to_string_lossy().into_owned(), name)).collect()
}
