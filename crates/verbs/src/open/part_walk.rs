use std::cell::OnceCell;
use std::io;
use std::path::{Path, PathBuf};

use worldview::parallel::Parallel;
use worldview::rez;
use worldview::wpd::Member;
use worldview::{Asset, At as PartAt, Entry, Failed, Findings, Opened, SchemaNote};
use worldview_export::table::label;
use worldview_inspect::{Root, Selection, is_empty};

use super::enter::{enter, enter_member, place_of};
use super::reach::{Depth, Reach};
use super::visit::{Entries, LEFT_OUT, Visit, say_left_out};
use super::{Files, Then, inside, sort};
use crate::inputs::{self, Input};
use crate::only::{self, Sort};
use crate::outcome::Outcome;
use crate::output::file_name;
use crate::report::{self, Failure};
use crate::selected::Cells;
use crate::world::Only;

/// Turns the parts that are found into visits.
pub(super) struct PartWalk<'w> {
    pub(super) files: &'w Files<'w>,
    pub(super) input: &'w Input,
    pub(super) whole: &'w Asset<'w>,
    pub(super) reach: Reach,
    pub(super) outcome: &'w mut Outcome,
    pub(super) then: Then<'w>,
}

impl PartWalk<'_> {
    /// Passes on the selected part of what was opened.
    pub(super) fn part<'v>(&mut self, trail: &[Entry<'v, 'v>], opened: &'v Opened<'v>, at: PartAt) -> io::Result<()> {
        let selected = enter(&self.input.selection(), self.whole, trail);
        if selected.is_none() {
            return Ok(());
        }
        let (names, place) = (Entry::names(trail), place_of(self.whole, trail));
        let path = joined(&self.input.path, place.as_str());
        let terms = &self.files.args.only[..];
        let (mut visit_terms, mut contents) = (terms, None);
        // The findings about an archive are not repeated for its directories.
        let mut findings = if at == PartAt::Whole { &opened.findings } else { &Findings::None };
        let (mut member, mut file) = (None, None);
        match trail.last() {
            Some(Entry::Member(found)) => member = Some(*found),
            Some(Entry::File(found))
                if terms.is_empty() || only::wants_file(terms, sort(found), &found.path().names()) =>
            {
                file = Some(*found);
            }
            Some(Entry::File(_)) => return Ok(()),
            _ => {}
        }
        let holder = match (trail, self.whole) {
            ([Entry::Member(_)], Asset::Archive(archive)) => Some(*archive),
            ([.., Entry::Member(holder), Entry::Member(_)], _) => holder.archive().ok(),
            _ => None,
        };
        let (all_findings, mut entries) = (OnceCell::new(), Entries::All);
        let of_archive = if self.reach.containers { Entries::All } else { Entries::None };
        match &opened.asset {
            Asset::Table(_) => {
                if let Some(note) = opened.schema.filter(|_| at == PartAt::Whole) {
                    say_schema(&note, &path, self.outcome);
                }
            }
            Asset::Archive(archive) => {
                let name = member.as_ref().map_or_else(|| inputs::last_name(&self.input.path), label);
                // If the archive itself is not selected, only its selected members are visited.
                let is_whole = only::wants(terms, Sort::Archive, name.as_bytes());
                let is_member_wanted =
                    |member: Member<'_>| only::wants(terms, Sort::Archive, label(&member).as_bytes());
                if !is_whole && !archive.members().any(is_member_wanted) {
                    return Ok(());
                }
                visit_terms = if is_whole { &[] } else { terms };
                entries = of_archive;
            }
            Asset::Rez(_) => {
                let is_wanted = |file: rez::File<'_, '_>| only::wants_file(terms, sort(&file), &file.path().names());
                let directory = opened.asset.directory(at);
                if !terms.is_empty() && !directory.is_some_and(|directory| directory.all_files().any(is_wanted)) {
                    return Ok(());
                }
                entries = of_archive;
            }
            Asset::Database(database) => {
                let mut found = match &opened.findings {
                    Findings::Database(found) => found.clone(),
                    _ => Vec::new(),
                };
                let parallel = Parallel::new().threads(self.files.threads);
                contents = Some(parallel.contents_lossy(database, &mut |finding| found.push(finding)));
                findings = all_findings.get_or_init(|| Findings::Database(found));
            }
            _ => {}
        }
        let inside: PathBuf = match trail.last() {
            Some(Entry::File(file)) => inside(file),
            Some(Entry::Directory(_)) => names.iter().map(|name| file_name(name.as_bytes())).collect(),
            _ => trail.iter().map(|entry| file_name(&entry.name())).collect(),
        };
        let (input, part, contents) = (self.input, &opened.asset, contents.as_ref());
        let (path, place, names, inside, terms) = (&*path, &place, &*names, &*inside, visit_terms);
        let all = Selection::all();
        let visit = Visit {
            input,
            path,
            place,
            names,
            inside,
            part,
            at,
            contents,
            member,
            holder,
            file,
            findings,
            terms,
            entries,
            selected: &selected,
        };
        if selected.is_all() {
            // Whether --only selects something in a WORLD.WDB is only known later.
            self.outcome.wanted |= !matches!(opened.asset, Asset::Database(_));
            return (self.then)(&visit, self.outcome);
        }
        let is_seen = |root: &Root<'_>| visit.select(root, |root| !is_empty(root.body));
        if !visit.describe_whole(is_seen).unwrap_or(false) {
            let of_entries = Visit { entries: Entries::Fields, ..visit };
            let has_fields = |root: &Root<'_>| of_entries.select(root, |root| !is_empty(root.body));
            let can_be = entries == Entries::None && self.reach.depth == Depth::Any;
            return match can_be && of_entries.describe_whole(has_fields).unwrap_or(false) {
                true => (self.then)(&of_entries, self.outcome),
                false => Ok(()),
            };
        }
        self.outcome.wanted |= !matches!(opened.asset, Asset::Database(_));
        match (&opened.asset, self.reach.depth) {
            (Asset::Database(database), Depth::Any) => {
                // The contents of a blob are described once, and not with every reference.
                let entered = visit.world().and_then(|world| Only::new(&[], &selected, world).entered);
                let Some(blob) = entered else { return (self.then)(&visit, self.outcome) };
                let name = database.blob_names().get(blob).copied().unwrap_or_default();
                let target = worldview::Path::new().with(|path| path.push("blob", name, None));
                let text = format!("the path leads through a reference; begin at what it refers to, as in {target}/…");
                self.outcome.input_failed(path, &Failure::coded(report::TOO_DEEP, text));
                return Ok(());
            }
            (_, Depth::Any) | (Asset::Archive(_) | Asset::Rez(_), _) => return (self.then)(&visit, self.outcome),
            (Asset::Table(table), Depth::Outputs) if !Cells::of(table, &selected).is_empty() => {
                return (self.then)(&visit, self.outcome);
            }
            (Asset::Table(table), Depth::Records) => {
                let (whole, deep): (Vec<_>, Vec<_>) =
                    Cells::of(table, &selected).into_iter().partition(|cells| cells.fields.is_none());
                for row in whole.iter().flat_map(|cells| &cells.rows) {
                    let Some(row) = table.get(*row) else { continue };
                    let name = worldview::Path::new().with(|path| path.push_name(row.name()));
                    let (path, at) = (joined(path, name.as_str()), PartAt::Record(row.index()));
                    (self.then)(
                        &Visit { path: &path, at, selected: &all, findings: &Findings::None, ..visit },
                        self.outcome,
                    )?;
                }
                if !whole.is_empty() && deep.is_empty() && !visit.selects_besides_entries() {
                    return Ok(());
                }
            }
            (Asset::Database(_), Depth::Worlds | Depth::Outputs | Depth::Records) => {
                let is_deep = visit.world().is_some_and(|world| {
                    let only = Only::new(&[], &selected, world);
                    only.is_deep || only.finds_nothing(world.database)
                });
                if !is_deep {
                    return (self.then)(&visit, self.outcome);
                }
            }
            _ => {}
        }
        let Reach { verb, depth, .. } = self.reach;
        let text = format!("the path leads deeper than `{verb}` goes, which takes {}", depth.about());
        self.outcome.input_failed(path, &Failure::coded(report::TOO_DEEP, text));
        Ok(())
    }

    /// Passes on selected entries that are neither archives nor tables: members in no known format, sections, directories.
    pub(super) fn entries<'v>(&mut self, trail: &[Entry<'v, 'v>], opened: &'v Opened<'v>) -> io::Result<()> {
        let selection = self.input.selection();
        let selected = enter(&selection, self.whole, trail);
        // For verbs that look into archives, every pattern would select some.
        let is_skipped =
            self.reach.containers || self.reach.nested && !selection.patterns().all(|pattern| pattern.path().is_some());
        if is_skipped || selected.is_all() || selected.is_none() {
            return Ok(());
        }
        let archive = match &opened.asset {
            Asset::Archive(archive) => Some(*archive),
            Asset::Table(table) => Some(table.archive()),
            Asset::Rez(_) => return self.directory(opened, opened.at),
            _ => None,
        };
        let is_section = |member: &Member<'_>| member.name().starts_with(b"!!");
        let is_table = matches!(opened.asset, Asset::Table(_));
        let members = archive.into_iter().flat_map(|archive| archive.members());
        for member in members.filter(|member| if is_table { is_section(member) } else { !member.is_archive() }) {
            if enter_member(&selected, archive.as_ref(), &member).is_all() {
                let trail = [trail, &[Entry::Member(member)]].concat();
                let data = Opened::from(Asset::Data(member.source()));
                self.part(&trail, &data, PartAt::Whole)?;
            }
        }
        Ok(())
    }

    /// Passes on directories of a REZ archive, and files that are neither levels nor pictures.
    fn directory<'v>(&mut self, opened: &'v Opened<'v>, at: PartAt) -> io::Result<()> {
        let selection = self.input.selection();
        for entry in opened.asset.entries(at) {
            let inside = enter(&selection, self.whole, &[entry]);
            match &entry {
                Entry::Directory(_) if inside.is_all() => self.part(&[entry], opened, entry.at().unwrap_or(at))?,
                Entry::Directory(_) if !inside.is_none() => self.directory(opened, entry.at().unwrap_or(at))?,
                Entry::File(file) if inside.is_all() && (file.is_missing() || sort(file).is_none()) => {
                    let (mut image, options) = (Vec::new(), self.files.options());
                    match entry.open_noting(&mut image, &options) {
                        Ok(opened) => self.part(&[entry], &opened, opened.at)?,
                        Err(failed) => self.failed(&[entry], &failed),
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn failed(&mut self, trail: &[Entry<'_, '_>], failed: &Failed<'_>) {
        let is_whole = trail.is_empty();
        let path = joined(&self.input.path, place_of(self.whole, trail).as_str());
        // An error in a compressed block explains more than the data missing after it.
        if let Findings::Level(findings) = &failed.findings {
            say_left_out(&path, findings, LEFT_OUT, self.outcome);
        }
        self.outcome.input_failed(&path, &failed.error);
        if is_whole {
            self.outcome.nothing_done = true;
        }
    }
}

/// Appends a path inside a file to the path of the file. Unlike with `Path::join`, a leading `/` does not replace the path.
fn joined(path: &Path, inside: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    if !inside.is_empty() {
        path.push("/");
        path.push(inside);
    }
    path.into()
}

/// Reports why the field names of --schema are not used for a table.
fn say_schema(note: &SchemaNote<'_>, path: &Path, outcome: &mut Outcome) {
    match note {
        SchemaNote::Refused { schema, why } => {
            let field = why.index().and_then(|index| schema.fields().get(index));
            let field = field.map_or(String::new(), |name| format!(" (that is {name:?})"));
            let what = format!(
                "the field names of --schema do not fit and are not used: {why}{field}; `worldview schema` prints where \
                 each field is stored"
            );
            outcome.note(path, &what);
        }
        SchemaNote::Unlisted { layout_version } => {
            let version = layout_version.map_or(String::new(), |version| format!("`version {version:#010x}`, or "));
            let what = format!(
                "--schema has no list for this table, so its fields stay without names; to make a list apply, add the line \
                 {version}`file` with the name of the table"
            );
            outcome.note(path, &what);
        }
        _ => {}
    }
}
