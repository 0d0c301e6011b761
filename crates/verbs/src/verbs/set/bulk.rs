//! Assignments to all fields that a pattern selects: each becomes ordinary changes of one file.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use worldview::describe::Field;
use worldview::{Entry, Failed, Opened, Options, Path, Segment, Walk, open_noting};
use worldview_edit::account::{self, Column, SourcePlace};
use worldview_edit::codes;
use worldview_edit::{Change, EditError, Planned, Value, fields};
use worldview_import::nearest;
use worldview_inspect::{Encoding, each_matching_field};

use super::Original;
use super::edit::path_of;
use crate::assignment::{Assignment, SegmentPattern, To};
use crate::inputs;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::table::{self, counted};
use crate::update::Updated;

codes! {
    /// The codes of entries of `set` about what was done.
    pub(crate) NOTES {
        ROUNDED = "rounded": "the result of a calculation was rounded to an integer",
        NOT_SET = "not-set": "a pattern selects fields that are derived from others, or names of elements; they stay",
    }
}

/// The assignments of a run, and what they matched so far, in any file.
pub(super) struct Bulk<'a>(pub(super) Vec<Selection<'a>>);

pub(super) struct Selection<'a> {
    assignment: &'a Assignment,
    reached: Mutex<Reached>,
}

/// How far the segments of a pattern matched.
#[derive(Default)]
struct Reached {
    is_found: bool,
    /// The number of the last segment that was compared, and the names there.
    depth: usize,
    names: BTreeSet<String>,
}

impl Reached {
    /// How many names are kept.
    const MAX_NAMES: usize = 10_000;

    fn note(&mut self, depth: usize, name: &[u8]) {
        if self.is_found || depth < self.depth {
            return;
        }
        if depth > self.depth {
            self.names.clear();
        }
        self.depth = depth;
        if self.names.len() < Self::MAX_NAMES {
            self.names.insert(String::from_utf8_lossy(name).into_owned());
        }
    }

    fn append(&mut self, other: Self) {
        other.names.iter().for_each(|name| self.note(other.depth, name.as_bytes()));
        self.is_found |= other.is_found;
    }
}

impl Reached {
    /// Returns the name that may be meant where a path led no further.
    fn meant(&self, path: &Path) -> Option<&str> {
        let wanted = path.segments().nth(self.depth).filter(|_| !self.is_found)?;
        nearest::meant(&String::from_utf8_lossy(&wanted.key), self.names.iter().map(String::as_str))
    }
}

/// Returns the name in a file that may be meant by the path of a single field that is not there.
pub(super) fn meant(assignment: &Assignment, original: &Original<'_>) -> Option<String> {
    let bulk = Bulk::new(std::iter::once(assignment));
    bulk.plan(original, false, &mut Outcome::default())?;
    let Selection { assignment, reached } = bulk.0.into_iter().next()?;
    reached.into_inner().unwrap_or_else(PoisonError::into_inner).meant(&assignment.path).map(str::to_owned)
}

impl<'a> Bulk<'a> {
    pub(super) fn new(assignments: impl Iterator<Item = &'a Assignment>) -> Self {
        let selection = |assignment| Selection { assignment, reached: Mutex::default() };
        Self(assignments.map(selection).collect())
    }

    /// Returns the changes of a file, or `None` if something in it cannot be read, or if one of the assignments matches nothing
    /// in it although it `must`.
    pub(super) fn plan(&self, original: &Original<'_>, must: bool, outcome: &mut Outcome) -> Option<Planned> {
        let Original { input, bytes, open, schemas, .. } = *original;
        let mut all = Planned::default();
        let mut is_found = true;
        for Selection { assignment, reached } in &self.0 {
            let inside = input.inner.iter().flat_map(|inner| inner.split(|&byte| byte == b'/'));
            let pattern: Vec<_> =
                inside.map(SegmentPattern::literal).chain(assignment.pattern.iter().cloned()).collect();
            let mut plan = Plan {
                to: &assignment.to,
                encoding: open.encoding,
                pattern,
                reached: Reached::default(),
                planned: Planned::default(),
                rounded: Vec::new(),
                count: 0,
                fixed: Vec::new(),
            };
            let options = Options { lossy: false, schemas: schemas.cloned(), ..inputs::options(open) };
            let mut look = |trail: &[Entry<'_, '_>], opened: Result<&Opened<'_>, &Failed<'_>>| match opened {
                Ok(opened) => plan
                    .part(&Entry::names(trail), opened)
                    .unwrap_or_else(|error| outcome.input_failed(&input.path, &error)),
                Err(failed) if plan.leads_into(&Entry::names(trail)) => {
                    outcome.not_opened(&input.path, &failed.error);
                }
                Err(_) => {}
            };
            let (mut image, mut nested) = (Vec::new(), Vec::new());
            let whole = open_noting(bytes, &inputs::last_name(&input.path), &mut image, &options);
            look(&[], whole.as_ref());
            if let Ok(whole) = &whole {
                let mut walk = Walk::new(&whole.asset, whole.at, &options);
                while let Some(found) = walk.next(&mut nested) {
                    look(&found.path, found.opened.as_ref());
                }
            }
            let inner = plan.pattern.len() - assignment.pattern.len();
            let (planned, mut reach) = plan.finish(&assignment.text);
            is_found &= reach.is_found;
            reach.depth = reach.depth.saturating_sub(inner);
            all.append(planned);
            reached.lock().unwrap_or_else(PoisonError::into_inner).append(reach);
        }
        all.account.entries_mut().for_each(|entry| entry.place.file = table::path(&input.path));
        (!outcome.has_failed() && (is_found || !must)).then_some(all)
    }

    /// Reports the assignments that nothing matched in any file.
    pub(super) fn say_unmatched(self, run: &mut Run<'_>) {
        for Selection { assignment, reached } in self.0 {
            let reached = reached.into_inner().unwrap_or_else(PoisonError::into_inner);
            if !reached.is_found {
                let meant =
                    reached.meant(&assignment.path).map_or(String::new(), |name| format!("; did you mean {name}?"));
                let why = assignment.meant_update().unwrap_or_else(|| format!("no field matches this path{meant}"));
                run.refused(&assignment.text, &why);
            }
        }
    }
}

/// The plan of one assignment in a file.
struct Plan<'p> {
    to: &'p To,
    /// The code page of texts.
    encoding: Encoding,
    /// The segments of the path from the file.
    pattern: Vec<SegmentPattern>,
    reached: Reached,
    planned: Planned,
    /// The first values that were rounded, and the number of all.
    rounded: Vec<String>,
    count: u64,
    /// The paths of fields that were selected but follow from others.
    fixed: Vec<Path>,
}

impl Plan<'_> {
    /// Returns whether fields inside a member can be selected.
    fn leads_into(&mut self, names: &[String]) -> bool {
        let (reached, pattern) = (&mut self.reached, &self.pattern);
        names.len() < pattern.len()
            && names.iter().zip(pattern).enumerate().all(|(depth, (name, segment))| {
                reached.note(depth, name.as_bytes());
                segment.matches_name(name)
            })
    }

    /// Plans the changes of a part of the file.
    fn part(&mut self, names: &[String], opened: &Opened<'_>) -> worldview_inspect::Result<()> {
        if !self.leads_into(names) {
            return Ok(());
        }
        let prefix = path_of(names);
        let pattern = self.pattern.split_off(names.len());
        let mut reached = std::mem::take(&mut self.reached);
        // Names are needed only as long as nothing was found.
        let is_found = Cell::new(reached.is_found);
        let mut matches = |number: usize, segment: &Segment<'_>| {
            if !is_found.get() {
                reached.note(names.len() + number, &segment.key);
            }
            pattern[number].matches(segment)
        };
        let mut each = |path: &Path, field: &Field<'_>| {
            let mut whole = prefix.clone();
            whole.append(path);
            self.field(whole, field);
            is_found.set(self.reached.is_found);
        };
        let found =
            opened.asset.describe(opened.at, |root| each_matching_field(root, pattern.len(), &mut matches, &mut each));
        reached.is_found |= self.reached.is_found;
        (self.reached, self.pattern) = (reached, [std::mem::take(&mut self.pattern), pattern].concat());
        match found {
            Some(Ok(Some(error))) => Err(error.into()),
            Some(Err(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Plans the change of a field.
    fn field(&mut self, path: Path, field: &Field<'_>) {
        if !fields::is_said(field) {
            self.fixed.push(path);
            return;
        }
        self.reached.is_found = true;
        let (from, updated) = (fields::value_of(field.value, field.stored), self.updated(&path, field));
        match updated {
            Err(error) => self.planned.refuse(&error, SourcePlace::default()),
            Ok(Updated { value, .. }) if value == from => self.planned.account.equal += 1,
            Ok(Updated { value: to, rounded }) => {
                if let Some(exact) = rounded {
                    self.count += 1;
                    if self.rounded.len() < account::Entry::MAX_KEYS {
                        self.rounded.push(format!("{path}: {exact} -> {to}"));
                    }
                }
                self.planned.changes.push(Change::Set { path, from: Some(from), to });
            }
        }
    }

    /// Returns the new value of a field, if it can have it.
    fn updated(&self, path: &Path, field: &Field<'_>) -> Result<Updated, EditError> {
        let checked = |value: Value| fields::check(field, &value, path).map(|()| Updated { value, rounded: None });
        match self.to {
            To::Update(update) => {
                let Updated { value, rounded } = update.apply(field, path, self.encoding)?;
                checked(value).map(|new| Updated { rounded, ..new })
            }
            To::Values(values) => {
                let mut results = values.iter().cloned().map(checked);
                let first = results.next().unwrap_or_else(|| Err(EditError::unsupported(path, "no value")));
                first.or_else(|error| results.find_map(Result::ok).ok_or(error))
            }
        }
    }

    fn finish(mut self, text: &str) -> (Planned, Reached) {
        let why =
            "this field is derived from others, or is the name of its element; neither patterns nor updates set it";
        match &self.fixed[..] {
            [first, ..] if !self.reached.is_found => {
                self.reached.is_found = true;
                self.planned.refuse(&EditError::unsupported(first, why), SourcePlace::default());
            }
            [] => {}
            all => {
                let message = format!(
                    "{text}: fields that are derived from others, or are names of their elements, stay as they are"
                );
                let entry = account::Entry::new(Column::LeftOut, NOT_SET, &Path::new(), message);
                let keys = all.iter().take(account::Entry::MAX_KEYS).map(Path::to_string);
                self.planned.account.push(entry.about(all.len() as u64, keys));
            }
        }
        if self.count > 0 {
            let message = format!("{text}: {} rounded", counted(self.count, "result"));
            let entry = account::Entry::new(Column::Done, ROUNDED, &Path::new(), message);
            self.planned.account.push(entry.about(self.count, self.rounded));
        }
        (self.planned, self.reached)
    }
}
