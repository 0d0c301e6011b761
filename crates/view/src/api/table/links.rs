//! Links: fields whose values name records of another table of the set, which is a table of the same archive or folder.
//!
//! Nothing in the files says so. A column is a link if most of some of its values are names of records of one table.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use worldview::owned::{Handle, TableHandle, label};
use worldview::wpd::Archive;
use worldview::{Format, Opener};

use super::columns::{Column, Columns};
use crate::answer::Failed;
use crate::files::Opened;
use crate::library;
use crate::state::State;
use crate::work::CancelToken;

/// The maximum number of tables in which names are looked up.
const MAX_TABLES: usize = 64;

/// The maximum number of names that are looked up for a column.
const MAX_NAMES: usize = 32;

/// The maximum number of rows that are looked at for them.
const MAX_ROWS: usize = 512;

/// The maximum number of entries of a table whose names are not sorted.
const MAX_UNSORTED: usize = 1 << 16;

/// How long all of it may take. What was found until then counts.
const TIMEOUT: Duration = Duration::from_millis(100);

/// The longest name of a record, in bytes.
const MAX_LEN: usize = 16;

/// The links of a table.
#[derive(Debug, Default)]
pub(super) struct Links {
    tables: Vec<Linked>,
    /// The table that each column refers to.
    columns: Vec<Option<usize>>,
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

/// The values of a column that are looked up.
struct Sample<'t> {
    column: usize,
    names: Vec<&'t [u8]>,
    /// The table with the most of the names, and how many it has.
    best: Option<(usize, usize)>,
}

impl Links {
    /// Returns the links of a table, which are looked for once.
    pub(super) fn of(
        state: &State,
        opened: &Arc<Opened>,
        handle: &Arc<TableHandle>,
        cancel: &CancelToken,
    ) -> Result<Arc<Self>, Failed> {
        opened.made(|opened| {
            let columns = Columns::of(opened, handle)?;
            let mut samples: Vec<_> = (1..columns.len())
                .filter_map(|index| {
                    Some(sample(index, &columns.column(index)?)?).filter(|sample| !sample.names.is_empty())
                })
                .collect();
            if samples.is_empty() {
                return Ok(Self::default());
            }
            let end = Instant::now() + TIMEOUT;
            let mut tables = Vec::new();
            each_table(state, opened, &mut |linked, archive| {
                let number = tables.len();
                tables.push(linked);
                let records = Names::of(archive);
                for sample in &mut samples {
                    sample.look_up(number, &records);
                }
                cancel.check().is_ok() && Instant::now() < end && tables.len() < MAX_TABLES
            });
            cancel.check()?;
            let mut links = Self { tables, columns: vec![None; columns.len()] };
            for Sample { column, names, best } in samples {
                links.columns[column] = best.filter(|(_, hits)| 2 * hits > names.len()).map(|(table, _)| table);
            }
            Ok(links)
        })
    }

    /// Returns the table whose records the values of a column name.
    pub(super) fn of_column(&self, column: usize) -> Option<&Linked> {
        self.tables.get((*self.columns.get(column)?)?)
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
        let mut is_there = false;
        each_at(state, opened, &self.beside, &mut |archive| is_there = Names::of(archive).has(name));
        is_there
    }
}

impl Sample<'_> {
    fn look_up(&mut self, table: usize, records: &Names<'_>) {
        let most = self.best.map_or(0, |(_, hits)| hits);
        let (mut hits, all) = (0, self.names.len());
        for (done, name) in self.names.iter().enumerate() {
            // Of names that are in no table, few are looked up.
            if hits + all - done <= most.max(all / 2) {
                return;
            }
            hits += usize::from(records.has(name));
        }
        if hits > most {
            self.best = Some((table, hits));
        }
    }
}

/// Takes different values of a column, from all over the table.
fn sample<'t>(index: usize, column: &Column<'t, 't>) -> Option<Sample<'t>> {
    let rows = match column {
        Column::Text(column) => column.len(),
        Column::Element(column) => column.len(),
        _ => return None,
    };
    let step = rows.div_ceil(MAX_ROWS).max(1);
    let mut seen = HashSet::new();
    let names = (0..rows).step_by(step).filter_map(|row| column.bytes(row));
    let names = names.filter(|name| !name.is_empty() && seen.insert(*name)).take(MAX_NAMES).collect();
    Some(Sample { column: index, names, best: None })
}

/// The names of the records of a table.
struct Names<'a> {
    archive: Archive<'a>,
    /// All names, if they are not sorted.
    unsorted: Option<HashSet<&'a [u8]>>,
}

impl<'a> Names<'a> {
    fn of(archive: &Archive<'a>) -> Self {
        let unsorted = (!archive.is_sorted())
            .then(|| archive.entries().iter().take(MAX_UNSORTED).map(|entry| entry.name.as_bytes()).collect());
        Self { archive: *archive, unsorted }
    }

    fn has(&self, name: &[u8]) -> bool {
        // The names of sections, which are no records.
        if name.len() > MAX_LEN || name.starts_with(b"!!") || name.starts_with(b"__") {
            return false;
        }
        match &self.unsorted {
            Some(names) => names.contains(name),
            None => self.archive.by_name(name).is_some(),
        }
    }
}

/// Passes on the tables of a set: those in the same archive, or in the same folder if the table is a file. The table
/// itself is the last, so that another one with the same names is preferred. Ends when `each` returns `false`.
fn each_table(state: &State, opened: &Arc<Opened>, each: &mut dyn FnMut(Linked, &Archive<'_>) -> bool) {
    let mut all: Vec<Linked> = Vec::new();
    if opened.inside.is_empty() {
        if let Some(folder) = opened.path.parent().filter(|folder| folder_at(state, folder).is_some()) {
            all.extend(files(folder).into_iter().filter(|(_, name)| Some(&**name) != opened.path.file_name()).map(
                |(shown, name)| Linked { name: shown, at: Some(library::encode_os(&name)), beside: Beside::File(name) },
            ));
        }
    } else if let Some(holder) = holder(state, opened)
        && let Handle::Archive(handle) = &holder.handle
    {
        let own = opened.handle.part().offset() as u64;
        let members = handle.archive().members().filter(|member| member.is_archive() && member.source().base() != own);
        all.extend(members.map(|member| {
            let name = label(&member);
            let bytes = match member.extension() {
                [] => member.name().to_vec(),
                extension => [member.name(), extension].join(&b'.'),
            };
            Linked { name, at: Some(library::encode(&bytes)), beside: Beside::Member(member.index()) }
        }));
    }
    let own = opened.handle.part().name().to_owned();
    all.push(Linked { name: own, at: None, beside: Beside::Here });
    for linked in all {
        let mut goes_on = true;
        let beside = linked.beside.clone();
        let mut linked = Some(linked);
        each_at(state, opened, &beside, &mut |archive| {
            if let Some(linked) = linked.take() {
                goes_on = each(linked, archive);
            }
        });
        if !goes_on {
            return;
        }
    }
}

/// Opens a table beside another, if it is one.
fn each_at(state: &State, opened: &Arc<Opened>, beside: &Beside, look: &mut dyn FnMut(&Archive<'_>)) {
    let mut look_at = |archive: &Archive<'_>| {
        if archive.is_table() {
            look(archive);
        }
    };
    match beside {
        Beside::Here => {
            if let Handle::Table(table) | Handle::Record(table, _) = &opened.handle {
                look_at(&table.table().archive());
            }
        }
        Beside::Member(index) => {
            let Some(holder) = holder(state, opened) else { return };
            let Handle::Archive(handle) = &holder.handle else { return };
            if let Some(Ok(archive)) = handle.archive().get(*index).map(|member| member.archive()) {
                look_at(&archive);
            }
        }
        Beside::File(name) => {
            let path = opened.path.with_file_name(name);
            let Ok(bytes) = state.files.loader().open(&path) else { return };
            if !matches!(Opener::new().format(&bytes, &name.to_string_lossy()), Ok(Format::Wpd)) {
                return;
            }
            if let Ok(archive) = Archive::parse_lossy(&bytes[..], &mut |_| {}) {
                look_at(&archive);
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
    state.library.roots.iter().find_map(|root| {
        let names = folder.strip_prefix(&root.path).ok()?.components();
        Some(names.fold(root.at.clone(), |at, name| library::join(&at, &library::encode_os(name.as_os_str()))))
    })
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
