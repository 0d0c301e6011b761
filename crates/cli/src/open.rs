//! Connects the opener with the verbs: passes on what the opener finds, with the paths and messages of the command.

use std::io;
use std::path::{Path, PathBuf};

use worldview::parallel::Parallel;
use worldview::rez;
use worldview::wpd::{Member, Schemas};
use worldview::wwd::Unpacker;
use worldview::{
    Asset, Failed, Finding, FindingCode, Findings, Kind, OpenError, Opened, Opener, SchemaNote, Severity, World,
};
use worldview_export::table::label;
use worldview_export::utf8;

use crate::args::OpenArgs;
use crate::hint::{self, Broken};
use crate::inputs::{self, Input, OpenInput};
use crate::only::{self, Sort, Term};
use crate::outcome::{At, Outcome};
use crate::output::{file_name, member_name};
use crate::read::{Room, SourceKind};
use crate::report;
use crate::run::Run;
use crate::table;
use crate::world::{self, Only};

/// A part and its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit<'p, 'a> {
    /// The file.
    pub(crate) input: &'p Input,
    /// The path of the file, including the names inside it.
    pub(crate) path: &'p Path,
    /// The path inside the file, as generated file names; empty for the file itself.
    pub(crate) inside: &'p Path,
    pub(crate) part: Asset<'p, 'a>,
    /// The member of a WPD archive that the part is.
    pub(crate) member: Option<Member<'a>>,
    /// The file of a REZ archive that the part is.
    pub(crate) file: Option<rez::File<'p, 'a>>,
    /// The findings from opening the part.
    pub(crate) findings: Findings<'p, 'a>,
    /// The terms of `--only`. Empty for an archive that is itself selected, so that all its members are.
    terms: &'p [Term],
}

impl Visit<'_, '_> {
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
        if self.input.is_named() {
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
            Findings::Database(findings) => match self.part {
                Asset::World(opened) => {
                    let only = Only::new(self.terms, opened);
                    world::say_left_out(self.path, findings, opened.database, &only, outcome);
                }
                _ => say_left_out(self.path, findings, LEFT_OUT, outcome),
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
    /// What the path names, and all archives and tables nested in it.
    Nested,
}

/// Opens files with the options of the command line.
#[derive(Debug)]
pub(crate) struct Files<'o> {
    args: &'o OpenArgs,
    schemas: Option<Schemas>,
    /// The number of threads for the parts of a file.
    pub(crate) threads: usize,
}

impl<'o> Files<'o> {
    /// Reads the schema file, if one is given. If it cannot be used, it is a failed input.
    pub(crate) fn new(args: &'o OpenArgs, threads: usize, run: &mut Run) -> Option<Self> {
        let schemas = match args.schema.as_deref().map(|path| schemas(path, run)) {
            Some(None) => return None,
            schemas => schemas.flatten(),
        };
        Some(Self { args, schemas, threads })
    }

    /// Returns the field names that were given.
    pub(crate) const fn schemas(&self) -> Option<&Schemas> {
        self.schemas.as_ref()
    }

    /// Returns the opener with the options of the command line.
    pub(crate) fn opener(&self) -> Opener<'_> {
        let unpacker = self.args.max_inflate.map_or(Unpacker::new(), |bytes| Unpacker::new().max_inflate(bytes));
        let opener = inputs::opener(self.args).unpacker(unpacker).max_depth(self.args.max_depth);
        match &self.schemas {
            Some(schemas) => opener.schemas(schemas),
            None => opener,
        }
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
        let input = visit.input;
        // The path names the directory.
        let asked = input.inner.is_some().then(|| directory.path().names().len());
        let open = |opened: Result<&Opened<'_, '_>, &Failed<'_, '_>>, then: Then<'_>| {
            let mut outcome = Outcome::default();
            let mut walk = PartWalk { files: self, input, asked, outcome: &mut outcome, then };
            match opened {
                // Nothing is written to standard output, so no I/O error can occur.
                Ok(opened) => drop(walk.part(opened)),
                Err(failed) => walk.failed(failed),
            }
            outcome
        };
        Parallel::new().threads(self.threads).levels(
            &self.opener(),
            directory,
            |file| self.wants(input, &file).then(|| prepare(&inside(&file, asked))),
            |prepared, opened| {
                let mut made = None;
                let outcome = open(opened.as_ref(), &mut |visit, outcome| {
                    made = prepared.and_then(Option::as_ref).map(|prepared| work(prepared, visit, outcome));
                    Ok(())
                });
                (outcome, made)
            },
            |prepared, (outcome, made), again| {
                let once = &mut |then: Then<'_>| {
                    let mut outcome = Outcome::default();
                    again(&mut |opened| outcome = open(opened.as_ref(), &mut *then));
                    outcome
                };
                sink(outcome, prepared.and_then(Option::as_ref).zip(made), once);
            },
        );
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
        let wants_table = |name: &str| only::wants(terms, Sort::Table, name.as_bytes());
        let mut opener = self.opener().nested(reach == NestingScope::Nested).tables(&wants_table);
        if let Some(inner) = &input.inner {
            opener = opener.select(inner);
        }
        let mut walk = PartWalk { files: self, input, asked: None, outcome, then };
        let mut done = Ok(());
        opener.open(bytes, name_for_fields, &mut Vec::new(), &mut |opened| match opened {
            _ if done.is_err() => {}
            Ok(opened) => done = walk.part(&opened),
            Err(failed) => walk.failed(&failed),
        });
        done
    }
}

/// Returns the path of a file in a REZ archive inside what a path names, as generated file names. `asked` is the number of
/// directories that it names.
fn inside(file: &rez::File<'_, '_>, asked: Option<usize>) -> PathBuf {
    let first = asked.unwrap_or(0).saturating_sub(1);
    file.path().names().iter().skip(first).map(|name| file_name(name)).collect()
}

/// Returns the kind of a file in a REZ archive, or `None` if it is neither a level nor a picture.
fn sort(file: &rez::File<'_, '_>) -> Option<Sort> {
    if file.extension().is("WWD") {
        Some(Sort::Level)
    } else {
        rez::PictureKind::of_extension(file.extension()).map(|_| Sort::Picture)
    }
}

pub(crate) fn schemas(path: &Path, run: &mut Run) -> Option<Schemas> {
    let text = match Room::default().read(path, SourceKind::List) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            run.failed(&table::path(path), &error);
            return None;
        }
    };
    Schemas::parse(&text)
        .map_err(|error| run.failed(&table::path(path), &At::hinted(report::FAILED, error.to_string(), hint::SCHEMA)))
        .ok()
}

/// Converts what the opener finds to what the verbs see.
struct PartWalk<'w> {
    files: &'w Files<'w>,
    input: &'w Input,
    /// The number of members or directories named by the path, if it continues inside the file.
    asked: Option<usize>,
    outcome: &'w mut Outcome,
    then: Then<'w>,
}

impl PartWalk<'_> {
    fn part(&mut self, opened: &Opened<'_, '_>) -> io::Result<()> {
        let members = opened.members;
        let names = opened.names();
        let path = self.path(&names);
        let terms = &self.files.args.only[..];
        let mut findings = Vec::new();
        let contents;
        let (mut visit_terms, mut all_findings) = (terms, opened.findings);
        if let Some(file) = &opened.file {
            if !self.files.wants(self.input, file) {
                return Ok(());
            }
            self.outcome.wanted = true;
        }
        let part = match opened.asset {
            Asset::Table(_) => {
                self.outcome.wanted = true;
                if let Some(note) = opened.schema {
                    say_schema(&note, &path, self.outcome);
                }
                opened.asset
            }
            Asset::Archive(archive) => {
                let name = members.last().map_or_else(|| inputs::last_name(&self.input.path), label);
                // If the archive itself is not selected, only its selected members are visited.
                let is_whole = only::wants(terms, Sort::Archive, name.as_bytes());
                let is_member_wanted =
                    |member: Member<'_>| only::wants(terms, Sort::Archive, label(&member).as_bytes());
                if !is_whole && !archive.members().any(is_member_wanted) {
                    return Ok(());
                }
                self.outcome.wanted = true;
                visit_terms = if is_whole { &[] } else { terms };
                opened.asset
            }
            Asset::Record(..) | Asset::Data(_) => {
                self.outcome.wanted = true;
                opened.asset
            }
            Asset::Rez(directory) => {
                let is_wanted = |file: rez::File<'_, '_>| only::wants_file(terms, sort(&file), &file.path().names());
                if !terms.is_empty() && !directory.all_files().any(is_wanted) {
                    return Ok(());
                }
                self.outcome.wanted = true;
                opened.asset
            }
            Asset::Database(database) => {
                if let Findings::Database(found) = opened.findings {
                    findings.extend_from_slice(found);
                }
                let parallel = Parallel::new().threads(self.files.threads);
                contents = parallel.contents_lossy(database, &mut |finding| findings.push(finding));
                all_findings = Findings::Database(&findings);
                Asset::World(World { database, contents: &contents })
            }
            asset => asset,
        };
        let first = self.asked.unwrap_or(0).saturating_sub(1);
        let inside: PathBuf = match opened.file {
            Some(file) => inside(&file, self.asked),
            None if members.is_empty() => names.iter().skip(first).map(|name| file_name(name.as_bytes())).collect(),
            None => members.iter().skip(first).map(member_name).collect(),
        };
        let (input, file, findings) = (self.input, opened.file, all_findings);
        let member = members.last().copied();
        let visit = Visit { input, path: &path, inside: &inside, part, member, file, findings, terms: visit_terms };
        (self.then)(&visit, self.outcome)
    }

    fn failed(&mut self, failed: &Failed<'_, '_>) {
        let names = failed.names();
        let is_whole = names.is_empty() && failed.error != OpenError::NotFound;
        let path = if is_whole { self.input.path.clone() } else { self.path(&names) };
        // An error in a compressed block explains more than the data missing after it.
        if let Findings::Level(findings) = failed.findings {
            say_left_out(&path, findings, LEFT_OUT, self.outcome);
        }
        self.outcome.not_opened(&path, &failed.error);
        if is_whole {
            self.outcome.nothing_done();
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
