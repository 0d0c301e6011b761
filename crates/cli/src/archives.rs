//! From the bytes of a WPD archive to what the verbs look at: tables, archives, records and bare data, nested ones too.

use std::io;
use std::path::{Path, PathBuf};

use worldview::wpd::{Archive, Finding, Member, Names, Nesting, Row, Schemas, Table, TableOptions};
use worldview::{Error, Kind as _, Severity, Source, Space};
use worldview_export::wdb::{self, label};

use crate::args::OpenArgs;
use crate::hint;
use crate::inputs::Input;
use crate::only::{self, Sort, Term};
use crate::outcome::{At, Outcome};
use crate::output::member_name;
use crate::run::Run;
use crate::table;

/// What there is in an archive's file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'p, 'a> {
    /// A table, the file itself or a member.
    Table(&'p Table<'a>),
    /// An archive that is no table.
    Archive(&'p Archive<'a>),
    /// One record, by its path.
    Record(&'p Table<'a>, Row<'p, 'a>),
    /// A member that is no archive, by its path.
    Data(Member<'a>),
}

/// A part, with its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit<'p, 'a> {
    /// The file's path.
    pub(crate) file: &'p Path,
    /// The file's path, and the names inside it.
    pub(crate) path: &'p Path,
    /// The way to it inside the file, as file names of our own; empty for the file itself.
    pub(crate) inside: &'p Path,
    pub(crate) part: Part<'p, 'a>,
    /// What parsing it found.
    pub(crate) findings: &'p [Finding<'a>],
    /// Of an archive, which members are wanted; all if it is wanted itself.
    pub(crate) only: &'p [Term],
}

impl Visit<'_, '_> {
    /// The names on the way to it inside the file, joined by `/`.
    pub(crate) fn inner(&self) -> String {
        let (path, file) = (table::path(self.path), table::path(self.file));
        path.strip_prefix(&file).and_then(|inner| inner.strip_prefix('/')).unwrap_or_default().to_owned()
    }

    /// Whether a member of the archive is wanted.
    pub(crate) fn wants(&self, member: &Member<'_>) -> bool {
        self.only.is_empty() || only::wants_name(self.only, label(member).as_bytes())
    }

    /// Says what is left out of a part that did not open whole.
    pub(crate) fn say_left_out(&self, outcome: &mut Outcome) {
        // Thousands of members can be broken; `check` has them all.
        const SAID: usize = 5;
        let fatal = || self.findings.iter().filter(|finding| finding.kind.severity() == Severity::Fatal);
        fatal().take(SAID).for_each(|finding| outcome.left_out(self.path, finding));
        let more = fatal().skip(SAID).count();
        if more > 0 {
            outcome.input_failed(self.path, &format_args!("opened only in part: {more} more, see `worldview check`"));
        }
    }
}

type Look<'l> = &'l mut dyn FnMut(&Visit<'_, '_>, &mut Outcome) -> io::Result<()>;

/// How far a verb looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// What the path names.
    Named,
    /// That, and all archives and tables nested in it.
    Nested,
}

/// The reader of archives, as the command line wants it.
#[derive(Debug)]
pub(crate) struct Archives<'o> {
    schemas: Option<Schemas>,
    only: &'o [Term],
    recover: bool,
    deepest: u32,
}

impl<'o> Archives<'o> {
    /// Reads the schema file, if one is named; one that cannot be used is a failed input.
    pub(crate) fn new(args: &'o OpenArgs, run: &mut Run) -> Option<Self> {
        let schemas = match &args.schema {
            None => None,
            Some(path) => {
                let text = match std::fs::read(path) {
                    Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    Err(error) => {
                        run.failed(&table::path(path), &error);
                        return None;
                    }
                };
                match Schemas::parse(&text) {
                    Ok(schemas) => Some(schemas),
                    Err(error) => {
                        run.failed_with_hint(&table::path(path), &error, hint::SCHEMA);
                        return None;
                    }
                }
            }
        };
        Some(Self { schemas, only: &args.only, recover: args.recover, deepest: args.max_depth })
    }

    /// The names of fields that were given.
    pub(crate) const fn schemas(&self) -> Option<&Schemas> {
        self.schemas.as_ref()
    }

    /// Opens a file as far as it can be, and hands over what the path names in it.
    pub(crate) fn look(
        &self,
        input: &Input,
        bytes: &[u8],
        reach: Reach,
        outcome: &mut Outcome,
        look: Look<'_>,
    ) -> io::Result<()> {
        let source = Source::new(bytes, Space::File);
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let outermost =
            if self.recover { Archive::recover(source, &mut note) } else { Archive::parse_lossy(source, &mut note) };
        let outermost = match outermost {
            Ok(archive) => archive,
            Err(error) if self.recover => {
                let text = format_args!("not recoverable: {error}");
                outcome.input_failed(&input.path, &At { hint: Some(hint::NOT_RECOVERABLE), ..At::of(&error, text) });
                return Ok(());
            }
            Err(error) => {
                let text = format_args!("{error}");
                let why = At::of(&error, text);
                // The magic may be there, and the number of entries overwritten.
                let recovered = Archive::recover(source, &mut |_| {});
                let hint = recovered.map_or(why.hint, |_| Some(hint::RECOVER));
                outcome.input_failed(&input.path, &At { hint, ..why });
                return Ok(());
            }
        };
        let mut walk = Walk {
            archives: self,
            file: &input.path,
            nesting: Nesting::new(&outermost).deepest(self.deepest),
            reach,
            outcome,
            look,
        };
        let Some(inner) = &input.inner else {
            let hint = input.path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            return walk.archive(&outermost, &input.path, Path::new(""), &hint, 0, &mut findings);
        };
        walk.inner(input, &outermost, inner)
    }

    fn options<'t>(&'t self, hint: &'t str) -> TableOptions<'t> {
        let options = TableOptions::new().file_name(hint);
        match &self.schemas {
            Some(schemas) => options.schemas(schemas),
            None => options,
        }
    }
}

struct Walk<'w> {
    archives: &'w Archives<'w>,
    file: &'w Path,
    nesting: Nesting,
    reach: Reach,
    outcome: &'w mut Outcome,
    look: Look<'w>,
}

impl Walk<'_> {
    /// Looks at the part that a path inside the file names.
    fn inner(&mut self, input: &Input, outermost: &Archive<'_>, inner: &[u8]) -> io::Result<()> {
        let path = below(&input.path, &wdb::utf8(inner));
        let (archive, member) = match outermost.locate(inner) {
            Ok(Some(found)) => found,
            Ok(None) => {
                self.outcome.input_failed(
                    &path,
                    &"no member or record of this name; `worldview show` of what it is in lists them",
                );
                return Ok(());
            }
            Err(error) => {
                self.outcome.input_failed(&path, &error);
                return Ok(());
            }
        };
        let label = label(&member);
        let inside = PathBuf::from(member_name(&member));
        let mut findings = Vec::new();
        match self.nesting.enter(&member, 0, &mut |finding| findings.push(finding)) {
            Err(error) => self.outcome.input_failed(&path, &error),
            Ok(Some(nested)) => return self.archive(&nested, &path, &inside, &label, 1, &mut findings),
            Ok(None) => {
                let mut look = |part| {
                    let visit =
                        Visit { file: &input.path, path: &path, inside: &inside, part, findings: &[], only: &[] };
                    self.outcome.wanted = true;
                    (self.look)(&visit, self.outcome)
                };
                if !archive.is_table() {
                    return look(Part::Data(member));
                }
                match self.archives.options("").table_lossy(archive, &mut |_| {}) {
                    Ok(table) => match table.row(member.name()) {
                        Some(row) => return look(Part::Record(&table, row)),
                        None => return look(Part::Data(member)),
                    },
                    Err(error) => self.outcome.input_failed(&path, &error),
                }
            }
        }
        Ok(())
    }

    /// Looks at an archive, and at those nested in it.
    fn archive<'a>(
        &mut self,
        archive: &Archive<'a>,
        path: &Path,
        inside: &Path,
        hint: &str,
        depth: u32,
        findings: &mut Vec<Finding<'a>>,
    ) -> io::Result<()> {
        if archive.is_table() {
            return self.table(*archive, path, inside, hint, findings);
        }
        let terms = self.archives.only;
        // Of an archive that is not asked for by its name, there is what is in it and is.
        let whole = only::wants(terms, Sort::Archive, hint.as_bytes());
        let some = || archive.members().any(|member| only::wants(terms, Sort::Archive, label(&member).as_bytes()));
        if whole || some() {
            self.outcome.wanted = true;
            let only = if whole { &[] } else { terms };
            let visit = Visit { file: self.file, path, inside, part: Part::Archive(archive), findings, only };
            (self.look)(&visit, self.outcome)?;
        }
        if self.reach == Reach::Named {
            return Ok(());
        }
        for member in archive.members() {
            let path = below(path, &label(&member));
            let mut findings = Vec::new();
            match self.nesting.enter(&member, depth, &mut |finding| findings.push(finding)) {
                Ok(None) => {}
                Ok(Some(nested)) => {
                    let inside = inside.join(member_name(&member));
                    self.archive(&nested, &path, &inside, &label(&member), depth + 1, &mut findings)?;
                }
                Err(error) => {
                    self.outcome.input_failed(&path, &error);
                    if is_limit(&error) {
                        // The others would be told the same.
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn table<'a>(
        &mut self,
        archive: Archive<'a>,
        path: &Path,
        inside: &Path,
        hint: &str,
        findings: &mut Vec<Finding<'a>>,
    ) -> io::Result<()> {
        if !only::wants(self.archives.only, Sort::Table, hint.as_bytes()) {
            return Ok(());
        }
        self.outcome.wanted = true;
        // The hint and the schemas live as long as this call, and so does the table.
        let mut of_table = Vec::new();
        match self.archives.options(hint).table_lossy(archive, &mut |finding| of_table.push(finding)) {
            Ok(table) => {
                self.say_refused(&table, path);
                self.say_unlisted(&table, hint, path);
                of_table.splice(0..0, findings.iter().copied());
                let visit =
                    Visit { file: self.file, path, inside, part: Part::Table(&table), findings: &of_table, only: &[] };
                (self.look)(&visit, self.outcome)
            }
            Err(error) => {
                self.outcome.input_failed(path, &error);
                Ok(())
            }
        }
    }
}

impl Walk<'_> {
    /// Says that the names that were given for a table do not fit it: it is opened without them.
    fn say_refused(&mut self, table: &Table<'_>, path: &Path) {
        let Some((Some(schema), why)) = table.refused() else { return };
        let given = self.archives.schemas().map_or(&[][..], Schemas::sheets);
        if !given.iter().any(|sheet| std::ptr::eq(sheet, schema)) {
            return;
        }
        let field = why.index().and_then(|index| schema.fields().get(index));
        let field = field.map_or(String::new(), |name| format!(" (that is {name:?})"));
        let what = format_args!(
            "the field names of --schema do not fit and are not used: {why}{field}; `worldview schema` says where each \
             field lies"
        );
        self.outcome.note(path, &what);
    }

    /// Says that none of the lists that were given is for a table, which stays without names.
    fn say_unlisted(&mut self, table: &Table<'_>, hint: &str, path: &Path) {
        let Some(schemas) = self.archives.schemas() else { return };
        let is_nameless = matches!(table.names(), Names::Generated) && !table.fields().is_empty();
        if !is_nameless || schemas.candidates(table.layout_version(), Some(hint)).next().is_some() {
            return;
        }
        let version = table.layout_version().map_or(String::new(), |version| format!("`version {version:#010x}`, or "));
        let what = format_args!(
            "no list of --schema is for this table, whose fields stay without names; a line {version}`file` with the \
             name of the table, makes a list of it"
        );
        self.outcome.note(path, &what);
    }
}

/// The path of what lies in a file, for people: a name that begins at the root of a disk leads there no more than another.
fn below(path: &Path, name: &str) -> PathBuf {
    let mut below = path.as_os_str().to_owned();
    below.push("/");
    below.push(name);
    below.into()
}

fn is_limit(error: &Error) -> bool {
    matches!(error.kind, worldview::ErrorKind::Limit { .. })
}
