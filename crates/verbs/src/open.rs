//! Opens files for the verbs: passes on what is found, with the paths and messages of the command.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use worldview::island::{Contents, DatabaseDescription};
use worldview::parallel::{LevelResult, Parallel};
use worldview::rez;
use worldview::wpd::{Archive, Member, Row, Schemas};
use worldview::{
    Asset, At as PartAt, Entry, Failed, Finding, FindingCode, Findings, Format, Kind, OpenError, Opened, Options,
    SchemaNote, Severity, Walk, open_noting,
};
use worldview_export::outputs::kind_of;
use worldview_export::table::label;
use worldview_export::utf8;
use worldview_inspect::Root;

use crate::hint::{self, Broken};
use crate::inputs::{self, Input, OpenInput};
use crate::only::{self, Sort, Term};
use crate::options::OpenOptions;
use crate::outcome::{Outcome, Why};
use crate::output::file_name;
use crate::read::{Room, SourceKind};
use crate::report::{self, Error, Failure, Result};
use crate::table;
use crate::world::{self, Only, World};

/// A part and its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit<'p, 'a> {
    /// The file.
    pub(crate) input: &'p Input,
    /// The path of the file, including the names inside it.
    pub(crate) path: &'p Path,
    /// The path inside the file, as generated file names; empty for the file itself.
    pub(crate) inside: &'p Path,
    /// The view, which is that of the whole table for a record, and of the whole archive for a directory.
    pub(crate) part: &'p Asset<'a>,
    /// What of the view the part is.
    pub(crate) at: PartAt,
    /// What a WORLD.WDB refers to.
    contents: Option<&'p Contents<'a>>,
    /// The member of a WPD archive that the part is.
    pub(crate) member: Option<Member<'a>>,
    /// The file of a REZ archive that the part is.
    pub(crate) file: Option<rez::File<'p, 'a>>,
    /// The findings from opening the part.
    pub(crate) findings: &'p Findings<'a>,
    /// The terms of `--only`. Empty for an archive that is itself selected, so that all its members are.
    terms: &'p [Term],
}

impl<'p, 'a> Visit<'p, 'a> {
    /// Returns the record that the part is.
    pub(crate) fn row(&self) -> Option<Row<'p, 'a>> {
        self.part.row(self.at)
    }

    /// Returns the directory of a REZ archive that the part is.
    pub(crate) fn directory(&self) -> Option<rez::Directory<'p, 'a>> {
        self.part.directory(self.at)
    }

    /// Returns the WORLD.WDB that the part is.
    pub(crate) const fn world(&self) -> Option<World<'p, 'a>> {
        match (self.part, self.contents) {
            (Asset::Database(database), Some(contents)) => Some(World { database, contents }),
            _ => None,
        }
    }

    /// Calls `then` with the description, if there is one.
    pub(crate) fn describe<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        match self.world() {
            Some(World { database, contents }) => {
                let described = DatabaseDescription::new(database, contents);
                Some(then(&Root::new("world", database.source(), &described)))
            }
            None => self.part.describe(self.at, then),
        }
    }

    /// Calls `then` with the descriptions by which two parts are compared; `None` if they cannot be.
    pub(crate) fn compare<T>(
        &self,
        other: &Visit<'_, '_>,
        options: &Options,
        then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
    ) -> Option<T> {
        match (self.world(), other.world()) {
            (Some(left_world), Some(right_world)) => {
                let files = [left_world, right_world].map(|world| world.database.source().bytes());
                self.describe(|left| other.describe(|right| then(&left.file(files[0]), &right.file(files[1]))))
                    .flatten()
            }
            _ => self.part.compare(self.at, (other.part, other.at), options, then),
        }
    }

    /// Returns the names on the path inside the file, joined by `/`.
    pub(crate) fn inner(&self) -> String {
        let (path, file) = (table::path(self.path), table::path(&self.input.path));
        path.strip_prefix(&file).and_then(|inner| inner.strip_prefix('/')).unwrap_or_default().to_owned()
    }

    /// Returns whether a member of the archive is selected.
    pub(crate) fn wants(&self, member: &Member<'_>) -> bool {
        self.terms.is_empty() || only::wants_name(self.terms, label(member).as_bytes())
    }

    /// Returns whether a file of a REZ archive is selected.
    pub(crate) fn wants_file(&self, file: &rez::File<'_, '_>) -> bool {
        self.terms.is_empty() || only::wants_file(self.terms, sort(file), &file.path().names())
    }

    /// Returns the selection in WORLD.WDB, or `None` if it is empty, which is a failure for a file that was named.
    pub(crate) fn only<'o>(&'o self, world: World<'_, 'o>, outcome: &mut Outcome) -> Option<Only<'o>> {
        let only = Only::new(self.terms, world);
        if !only.finds_nothing(world.database) {
            outcome.wanted = true;
            return Some(only);
        }
        if self.input.named {
            outcome.input_failed(self.path, &"nothing in it matches --only; `worldview info` lists its contents");
        }
        None
    }

    /// Reports what is skipped in a part that could only be opened partially.
    pub(crate) fn say_left_out(&self, outcome: &mut Outcome) {
        match self.findings {
            Findings::Level(findings) => say_left_out(self.path, findings, LEFT_OUT, outcome),
            // There can be an archive for each nested table.
            Findings::Archive(findings) => say_left_out(self.path, findings, LEFT_OUT / 4, outcome),
            Findings::Rez(findings) => say_left_out(self.path, findings, LEFT_OUT, outcome),
            Findings::Database(findings) => match self.world() {
                Some(opened) => {
                    let only = Only::new(self.terms, opened);
                    world::say_left_out(self.path, findings, opened.database, &only, outcome);
                }
                None => say_left_out(self.path, findings, LEFT_OUT, outcome),
            },
            _ => {}
        }
    }
}

/// Maximum number of skipped parts reported per file. Thousands can be broken, and `check` reports all of them.
const LEFT_OUT: usize = 20;

fn say_left_out<K: FindingCode + Broken>(path: &Path, findings: &[Finding<'_, K>], most: usize, outcome: &mut Outcome) {
    let fatal = || findings.iter().filter(|finding| finding.kind.severity() == Severity::Fatal);
    fatal().take(most).for_each(|finding| outcome.left_out(path, finding));
    outcome.left_out_more(path, fatal().skip(most).map(|finding| (finding, 1)));
}

type Then<'l> = &'l mut dyn FnMut(&Visit<'_, '_>, &mut Outcome) -> io::Result<()>;

/// Opens a part once more, and returns its outcome.
type Once<'l> = &'l mut dyn FnMut(Then<'_>) -> Outcome;

/// How deep a verb goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NestingScope {
    /// Only what the path names.
    Named,
    /// The part that the path names, and all archives and tables nested in it.
    Nested,
}

/// Opens files with the options of the command line.
#[derive(Debug)]
pub(crate) struct Files<'o> {
    args: &'o OpenOptions,
    /// The field names that were given.
    pub(crate) schemas: Option<Arc<Schemas>>,
    /// The number of threads for the parts of a file.
    pub(crate) threads: usize,
}

impl<'o> Files<'o> {
    /// Reads the schema file, if one is given. If it cannot be used, it is a failed input.
    pub(crate) fn new(args: &'o OpenOptions, threads: usize) -> Result<Self> {
        let schemas = args.schema.as_deref().map(schemas).transpose()?;
        Ok(Self { args, schemas, threads })
    }

    /// Returns the options of the command line.
    pub(crate) fn options(&self) -> Options {
        Options { max_depth: self.args.max_depth, schemas: self.schemas.clone(), ..inputs::options(self.args) }
    }

    /// Opens the levels below a directory of a REZ archive, whose visit this is, and calls `work` with each that is
    /// selected, on any thread. Passes the results to `sink`, in the order of the archive: the outcome, which may be all
    /// there is, and what `prepare` and `work` returned. The last argument does it once more on this thread.
    pub(crate) fn levels<P: Sync, T: Send>(
        &self,
        visit: &Visit<'_, '_>,
        directory: rez::Directory<'_, '_>,
        mut prepare: impl FnMut(&Path) -> P,
        work: impl Fn(&P, &Visit<'_, '_>, &mut Outcome) -> T + Sync,
        mut sink: impl FnMut(Outcome, Option<(&P, T)>, Once<'_>),
    ) {
        let (input, options) = (visit.input, self.options());
        // The path names the directory.
        let asked = input.inner.is_some().then(|| directory.path().names().len());
        let open = |entry: Entry<'_, '_>, opened: std::result::Result<Opened<'_>, Failed<'_>>, then: Then<'_>| {
            let mut outcome = Outcome::default();
            let mut walk = PartWalk { files: self, input, asked, outcome: &mut outcome, then };
            match &opened {
                // Nothing is written to standard output, so no I/O error can occur.
                Ok(opened) => drop(walk.part(&[entry], opened, opened.at)),
                Err(failed) => walk.failed(&[entry], failed),
            }
            outcome
        };
        let levels = Parallel::new().threads(self.threads).levels(visit.part, visit.at, &options);
        let entries: Vec<_> = levels.entries().collect();
        let mut prepared = |(index, entry): (usize, &Entry<'_, '_>)| match entry {
            Entry::File(file) if levels.is_level(index) && self.wants(input, file) => {
                Some(prepare(&inside(file, asked)))
            }
            _ => None,
        };
        let prepared: Vec<_> = entries.iter().enumerate().map(&mut prepared).collect();
        let work = |index: usize, opened: std::result::Result<Opened<'_>, Failed<'_>>| {
            let mut made = None;
            let outcome = open(entries[index], opened, &mut |visit, outcome| {
                made = prepared[index].as_ref().map(|prepared| work(prepared, visit, outcome));
                Ok(())
            });
            (outcome, made)
        };
        let mut image = Vec::new();
        levels.each(work, |LevelResult { index, result: (outcome, made), left, .. }| {
            let once = &mut |then: Then<'_>| open(entries[index], levels.again(index, left, &mut image), then);
            sink(outcome, prepared[index].as_ref().zip(made), once);
        });
    }

    /// Returns whether a file of a REZ archive is selected.
    fn wants(&self, input: &Input, file: &rez::File<'_, '_>) -> bool {
        let terms = &self.args.only[..];
        input.inner.is_some() || terms.is_empty() || only::wants_file(terms, sort(file), &file.path().names())
    }

    /// Opens as much of a file as possible, and passes what its path names to `then`.
    pub(crate) fn look(&self, look: &mut OpenInput<'_>, reach: NestingScope, then: Then<'_>) -> io::Result<()> {
        let name = inputs::last_name(&look.input.path);
        self.look_as(look, &name, reach, then)
    }

    /// Opens a file as [`look`](Self::look) does, for what writes nothing and so cannot fail.
    pub(crate) fn each(
        &self,
        look: &mut OpenInput<'_>,
        reach: NestingScope,
        then: &mut dyn FnMut(&Visit<'_, '_>, &mut Outcome),
    ) {
        let looked = self.look(look, reach, &mut |visit, outcome| {
            then(visit, outcome);
            Ok(())
        });
        debug_assert!(looked.is_ok());
    }

    /// Opens a file as [`look`](Self::look) does, with the field names that a file of another name has.
    pub(crate) fn look_as(
        &self,
        look: &mut OpenInput<'_>,
        name_for_fields: &str,
        reach: NestingScope,
        then: Then<'_>,
    ) -> io::Result<()> {
        let OpenInput { input, format, bytes, outcome } = look;
        let (terms, name) = (&self.args.only[..], inputs::last_name(&input.path));
        let is_wanted = match format.kind() {
            Kind::Database => only::wants_databases(terms),
            // Its parts are selected.
            Kind::Archive => true,
            kind => input.inner.is_some() || only::wants_file_of(terms, kind, &name),
        };
        if !is_wanted {
            return Ok(());
        }
        outcome.wanted |= !matches!(format.kind(), Kind::Database | Kind::Archive);
        let mut walk = PartWalk { files: self, input, asked: None, outcome, then };
        let options = self.options();
        if input.inner.is_some() && format.kind() != Kind::Archive {
            walk.failed(&[], &OpenError::NoMembers(*format).into());
            return Ok(());
        }
        let wants_table = |name: &str| only::wants(terms, Sort::Table, name.as_bytes());
        let is_unwanted = input.inner.is_none() && *format == Format::Wpd && !wants_table(name_for_fields);
        if is_unwanted && is_table(bytes, &options) {
            return Ok(());
        }
        let (mut image, mut inner_image, mut nested_image) = (Vec::new(), Vec::new(), Vec::new());
        let whole = match open_noting(bytes, name_for_fields, &mut image, &options) {
            Ok(whole) => whole,
            Err(failed) => {
                walk.failed(&[], &failed);
                return Ok(());
            }
        };
        let trail = match input.inner.as_ref().map_or(Ok(Vec::new()), |path| whole.asset.follow(whole.at, path)) {
            Ok(trail) => trail,
            Err((trail, error)) => {
                walk.failed(&trail, &error.into());
                return Ok(());
            }
        };
        let inner = match trail.last() {
            Some(entry) if entry.at().is_none() => Some(entry.open_noting(&mut inner_image, &options)),
            _ => None,
        };
        let (opened, at) = match (&inner, trail.last()) {
            (None, last) => (&whole, last.and_then(Entry::at).unwrap_or(whole.at)),
            (Some(Ok(opened)), _) => (opened, opened.at),
            (Some(Err(failed)), _) => {
                walk.failed(&trail, failed);
                return Ok(());
            }
        };
        let is_skipped = |entry: &Entry<'_, '_>| opened.kind() == Kind::Table && !wants_table(&entry.text());
        if at == PartAt::Whole && trail.last().is_some_and(is_skipped) {
            return Ok(());
        }
        walk.part(&trail, opened, at)?;
        if reach == NestingScope::Nested {
            let mut nested = Walk::within(&opened.asset, at, &options, &trail).tables(&wants_table);
            while let Some(found) = nested.next(&mut nested_image) {
                match &found.opened {
                    Ok(opened) => walk.part(&found.path, opened, opened.at)?,
                    Err(failed) => walk.failed(&found.path, failed),
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a file is a table, and no archive of others.
fn is_table(bytes: &[u8], options: &Options) -> bool {
    let mut copy = Vec::new();
    let archive = if options.recover {
        Archive::recover_in(bytes, &mut copy, &mut |_| {})
    } else {
        Archive::parse_lossy(bytes, &mut |_| {})
    };
    archive.is_ok_and(|archive| archive.is_table())
}

/// Returns the path of a file in a REZ archive inside what a path names, as generated file names. `asked` is the number of
/// directories that it names.
fn inside(file: &rez::File<'_, '_>, asked: Option<usize>) -> PathBuf {
    let first = asked.unwrap_or(0).saturating_sub(1);
    file.path().names().iter().skip(first).map(|name| file_name(name)).collect()
}

/// Returns the kind of a file in a REZ archive, or `None` if it is neither a level nor a picture.
fn sort(file: &rez::File<'_, '_>) -> Option<Sort> {
    Sort::of(kind_of(file))
}

/// Reads a schema file.
///
/// # Errors
///
/// Returns an error if the file cannot be read or is no schema file.
pub fn schemas(path: &Path) -> Result<Arc<Schemas>> {
    let failed = |why: &dyn Why| Error::failed(&table::path(path), why);
    let bytes = Room::default().read(path, SourceKind::List).map_err(|error| failed(&error))?;
    let schemas = Schemas::parse(&String::from_utf8_lossy(&bytes));
    let schemas = schemas.map_err(|error| failed(&Failure::hinted(report::FAILED, error.to_string(), hint::SCHEMA)))?;
    Ok(Arc::new(schemas))
}

/// Converts what is found to what the verbs see.
struct PartWalk<'w> {
    files: &'w Files<'w>,
    input: &'w Input,
    /// The number of members or directories named by the path, if it continues inside the file.
    asked: Option<usize>,
    outcome: &'w mut Outcome,
    then: Then<'w>,
}

impl PartWalk<'_> {
    /// Passes on a part of what was opened.
    fn part<'v>(&mut self, trail: &[Entry<'v, 'v>], opened: &'v Opened<'v>, at: PartAt) -> io::Result<()> {
        let names = Entry::names(trail);
        let path = self.path(&names);
        let terms = &self.files.args.only[..];
        let (mut visit_terms, mut contents) = (terms, None);
        // What was left out of a table or an archive was not left out of its record or directory.
        let mut findings = if at == PartAt::Whole { &opened.findings } else { &Findings::None };
        let (mut member, mut file) = (None, None);
        match trail.last() {
            Some(Entry::Member(found) | Entry::RecordIn(_, found)) => member = Some(*found),
            Some(Entry::File(found)) if self.files.wants(self.input, found) => file = Some(*found),
            Some(Entry::File(_)) => return Ok(()),
            _ => {}
        }
        let all_findings;
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
            }
            Asset::Rez(_) => {
                let is_wanted = |file: rez::File<'_, '_>| only::wants_file(terms, sort(&file), &file.path().names());
                let directory = opened.asset.directory(at);
                if !terms.is_empty() && !directory.is_some_and(|directory| directory.all_files().any(is_wanted)) {
                    return Ok(());
                }
            }
            Asset::Database(database) => {
                let mut found = match &opened.findings {
                    Findings::Database(found) => found.clone(),
                    _ => Vec::new(),
                };
                let parallel = Parallel::new().threads(self.files.threads);
                contents = Some(parallel.contents_lossy(database, &mut |finding| found.push(finding)));
                all_findings = Findings::Database(found);
                findings = &all_findings;
            }
            _ => {}
        }
        // Whether something in a WORLD.WDB is selected is known later.
        self.outcome.wanted |= !matches!(opened.asset, Asset::Database(_));
        let first = self.asked.unwrap_or(0).saturating_sub(1);
        let inside: PathBuf = match trail.last() {
            Some(Entry::File(file)) => inside(file, self.asked),
            Some(Entry::Directory(_)) => names.iter().skip(first).map(|name| file_name(name.as_bytes())).collect(),
            _ => trail.iter().skip(first).map(|entry| file_name(&entry.name())).collect(),
        };
        let (input, part, contents) = (self.input, &opened.asset, contents.as_ref());
        let (path, inside, terms) = (&*path, &*inside, visit_terms);
        let visit = Visit { input, path, inside, part, at, contents, member, file, findings, terms };
        (self.then)(&visit, self.outcome)
    }

    fn failed(&mut self, trail: &[Entry<'_, '_>], failed: &Failed<'_>) {
        let names = Entry::names(trail);
        let is_whole = names.is_empty() && failed.error != OpenError::NotFound;
        let path = if is_whole { self.input.path.clone() } else { self.path(&names) };
        // An error in a compressed block explains more than the data missing after it.
        if let Findings::Level(findings) = &failed.findings {
            say_left_out(&path, findings, LEFT_OUT, self.outcome);
        }
        self.outcome.not_opened(&path, &failed.error);
        if is_whole {
            self.outcome.nothing_done = true;
        }
    }

    /// Returns the path of a part for display. Names are appended as text, so that one starting with `/` does not
    /// replace the whole path.
    fn path(&mut self, names: &[String]) -> PathBuf {
        let mut path = self.input.path.as_os_str().to_owned();
        let mut go_on = |name: &str| {
            path.push("/");
            path.push(name);
        };
        let mut asked = 0;
        if let Some(inner) = &self.input.inner {
            go_on(&utf8(inner));
            // The first part is the one that the path names.
            asked = *self.asked.get_or_insert(names.len());
        }
        names.iter().skip(asked).for_each(|name| go_on(name));
        path.into()
    }
}

/// Reports why the field names that were given are not used for a table.
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
