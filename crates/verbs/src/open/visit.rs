use std::path::Path;

use worldview::island::{Contents, DatabaseDescription};
use worldview::rez;
use worldview::wpd::{Archive, Member};
use worldview::{Asset, At as PartAt, Finding, FindingCode, Findings, Loader, Options, Severity};
use worldview_export::table::label;
use worldview_inspect::{Root, Selected, Selection};

use super::enter::{enter_file, enter_member};
use super::sort;
use crate::hint::Broken;
use crate::inputs::Input;
use crate::only::{self, Term};
use crate::outcome::Outcome;
use crate::references::Around;
use crate::world::{self, Only, World};

/// How much the description of an archive says about its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entries {
    /// Everything that is selected.
    All,
    /// Nothing, because they are visited on their own.
    None,
    /// Only selected fields that the archive stores for them, such as names.
    Fields,
}

/// A part and its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit<'p, 'a> {
    /// The file.
    pub(crate) input: &'p Input,
    /// The path of the file, including the names inside it.
    pub(crate) path: &'p Path,
    /// The path inside the file; empty for the file itself.
    pub(crate) place: &'p worldview::Path,
    /// The names inside the file.
    pub(super) names: &'p [String],
    /// The path inside the file, with names that are valid in file systems; empty for the file itself.
    pub(crate) inside: &'p Path,
    /// The view: for a record that of its whole table, for a directory that of the whole archive.
    pub(crate) part: &'p Asset<'a>,
    /// Which part of the view it is.
    pub(crate) at: PartAt,
    /// What a WORLD.WDB refers to.
    pub(super) contents: Option<&'p Contents<'a>>,
    /// The member of a WPD archive, if the part is one.
    pub(crate) member: Option<Member<'a>>,
    /// The WPD archive that the member is in.
    pub(super) holder: Option<Archive<'p>>,
    /// The file of a REZ archive, if the part is one.
    pub(crate) file: Option<rez::File<'p, 'a>>,
    /// The findings from opening the part.
    pub(crate) findings: &'p Findings<'a>,
    /// The terms of `--only`; empty for an archive that is itself selected, which selects all its members.
    pub(super) terms: &'p [Term],
    /// What the path selects in the part.
    pub(crate) selected: &'p Selection<'p>,
    /// How much the description of an archive says about its entries.
    pub(super) entries: Entries,
}

impl<'p, 'a> Visit<'p, 'a> {
    /// Returns the directory of a REZ archive, if the part is one.
    pub(crate) fn directory(&self) -> Option<rez::Directory<'p, 'a>> {
        self.part.directory(self.at)
    }

    /// Returns where tables beside this one are.
    pub(crate) fn around(&self, loader: Loader) -> Around<'p> {
        match self.holder {
            Some(holder) => Around::Archive(holder),
            None if self.member.is_some() || self.input.path.as_os_str() == "-" => Around::Nothing,
            None => Around::Folder(&self.input.path, loader),
        }
    }

    /// Returns the WORLD.WDB, if the part is one.
    pub(crate) const fn world(&self) -> Option<World<'p, 'a>> {
        match (self.part, self.contents) {
            (Asset::Database(database), Some(contents)) => Some(World { database, contents }),
            _ => None,
        }
    }

    /// Calls `then` with the description, if there is one.
    pub(crate) fn describe_whole<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        match self.world() {
            Some(World { database, contents }) => {
                let described = DatabaseDescription::new(database, contents);
                Some(then(&Root::new("world", database.source(), &described)))
            }
            None => self.part.describe(self.at, then),
        }
    }

    /// Calls `then` with the description of what is selected, if there is one.
    pub(crate) fn describe<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        self.describe_whole(|root| self.select(root, then))
    }

    /// Calls `then` with the description of what is selected, including the keys of elements.
    pub(crate) fn describe_with_keys<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        if self.selected.is_all() || self.entries != Entries::All {
            return self.describe(then);
        }
        self.describe_whole(|root| then(&Selected::new(root, self.selected.clone()).with_keys().root(root)))
    }

    /// Returns whether anything besides entries is selected: in a table, anything besides records and their fields.
    pub(crate) fn selects_besides_entries(&self) -> bool {
        let selected = |root: &Root<'_>| Selected::new(root, self.selected.clone()).without_entries().is_empty();
        self.describe_whole(selected).is_some_and(|is_empty| !is_empty)
    }

    /// Calls `then` with what is selected of a description.
    pub(super) fn select<T>(&self, root: &Root<'_>, then: impl FnOnce(&Root<'_>) -> T) -> T {
        if self.selected.is_all() {
            return then(root);
        }
        let selected = Selected::new(root, self.selected.clone());
        let selected = match self.entries {
            Entries::All => selected,
            Entries::None => selected.without_entries(),
            Entries::Fields => selected.only_fields(),
        };
        then(&selected.root(root))
    }

    /// Calls `then` with the descriptions by which two parts are compared. Returns `None` if they cannot be compared.
    pub(crate) fn compare<T>(
        &self,
        other: &Visit<'_, '_>,
        options: &Options,
        then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
    ) -> Option<T> {
        let then = |left: &Root<'_>, right: &Root<'_>| {
            self.select(left, |left| other.select(right, |right| then(left, right)))
        };
        match (self.world(), other.world()) {
            (Some(left_world), Some(right_world)) => {
                let files = [left_world, right_world].map(|world| world.database.source().bytes());
                self.describe_whole(|left| {
                    other.describe_whole(|right| then(&left.file(files[0]), &right.file(files[1])))
                })
                .flatten()
            }
            _ => self.part.compare(self.at, (other.part, other.at), options, then),
        }
    }

    /// Returns the names on the path inside the file, joined by `/`.
    pub(crate) fn inner(&self) -> String {
        self.names.join("/")
    }

    /// Returns whether a member of the archive is selected.
    pub(crate) fn wants(&self, member: &Member<'_>) -> bool {
        let is_wanted = self.terms.is_empty() || only::wants_name(self.terms, label(member).as_bytes());
        let Asset::Archive(archive) = self.part else { return is_wanted };
        is_wanted && (self.selected.is_all() || enter_member(self.selected, Some(archive), member).is_all())
    }

    /// Returns whether a file of a REZ archive is selected.
    pub(crate) fn wants_file(&self, file: &rez::File<'_, '_>) -> bool {
        let is_wanted = self.terms.is_empty() || only::wants_file(self.terms, sort(file), &file.path().names());
        is_wanted && (self.selected.is_all() || enter_file(&self.input.selection(), *file).is_all())
    }

    /// Returns the selection in WORLD.WDB, or `None` if nothing is selected, which is a failure if the file was named.
    pub(crate) fn only<'o>(&'o self, world: World<'_, 'o>, outcome: &mut Outcome) -> Option<Only<'o>> {
        let only = Only::new(self.terms, self.selected, world);
        if !only.finds_nothing(world.database) {
            outcome.wanted = true;
            return Some(only);
        }
        if self.input.named && !self.terms.is_empty() {
            outcome.input_failed(self.path, &"nothing in it matches --only; `worldview info` lists its contents");
        }
        None
    }

    /// Reports what could not be opened in a part.
    pub(crate) fn say_left_out(&self, outcome: &mut Outcome) {
        match self.findings {
            Findings::Level(findings) => say_left_out(self.path, findings, LEFT_OUT, outcome),
            // There can be as many archives as nested tables.
            Findings::Archive(findings) => say_left_out(self.path, findings, LEFT_OUT / 4, outcome),
            Findings::Rez(findings) => say_left_out(self.path, findings, LEFT_OUT, outcome),
            Findings::Database(findings) => match self.world() {
                Some(opened) => {
                    let only = Only::new(self.terms, self.selected, opened);
                    world::say_left_out(self.path, findings, opened.database, &only, outcome);
                }
                None => say_left_out(self.path, findings, LEFT_OUT, outcome),
            },
            _ => {}
        }
    }
}

/// Maximum number of broken parts reported per file. There can be thousands, and `check` reports all of them.
pub(super) const LEFT_OUT: usize = 20;

pub(super) fn say_left_out<K: FindingCode + Broken>(
    path: &Path,
    findings: &[Finding<'_, K>],
    most: usize,
    outcome: &mut Outcome,
) {
    let fatal = || findings.iter().filter(|finding| finding.kind.severity() == Severity::Fatal);
    fatal().take(most).for_each(|finding| outcome.left_out(path, finding));
    outcome.left_out_more(path, fatal().skip(most).map(|finding| (finding, 1)));
}
