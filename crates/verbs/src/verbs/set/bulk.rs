//! Assignments to all fields that a pattern selects: each becomes ordinary changes of one file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use worldview::describe::Field;
use worldview::{Entry, Opened, Options, Path, Segment, Walk, open_noting};
use worldview_edit::account::{self, Column, SourcePlace};
use worldview_edit::codes;
use worldview_edit::{Change, EditError, Planned, Value, fields};
use worldview_import::nearest;
use worldview_inspect::{Encoding, PathPattern, Selection, each_matching_field};

use super::Original;
use super::edit::path_of;
use crate::assignment::{Assignment, To};
use crate::inputs::{self, Input};
use crate::open::enter;
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
pub(super) struct Bulk<'a>(pub(super) Vec<Selected<'a>>);

pub(super) struct Selected<'a> {
    assignment: &'a Assignment,
    patterns: Vec<PathPattern>,
    /// The only file that it is for, if its path begins at the folder.
    file: Option<PathBuf>,
}

impl<'a> Selected<'a> {
    pub(super) fn new(assignment: &'a Assignment) -> Self {
        Self { assignment, patterns: assignment.patterns.clone(), file: None }
    }

    /// Takes a path that begins at a folder, whose files these are, for one that begins in the file that it names.
    pub(super) fn in_folder(&mut self, files: &BTreeMap<PathBuf, Input>) -> bool {
        let [pattern] = &self.patterns[..] else { return false };
        // Only the part after the file may have wildcards.
        let parts: Vec<_> = self.assignment.path.parts().collect();
        for count in 1..parts.len() {
            let name = |part: &Path| {
                let segment = part.segments().next()?;
                let is_plain = segment.kind.is_none() && segment.nth.is_none();
                let name = String::from_utf8(segment.key.into_owned()).ok();
                name.filter(|name| is_plain && !name.contains(['*', '?']))
            };
            let Some(names) = parts.iter().take(count).map(name).collect::<Option<PathBuf>>() else { return false };
            let Some(input) = files.get(&names) else { continue };
            (self.patterns, self.file) = (vec![pattern.behind(count)], Some(input.path.clone()));
            return true;
        }
        false
    }
}

/// Calls `each` with every field of a file that the patterns select, and its path.
fn each_field(
    patterns: &[PathPattern],
    original: &Original<'_>,
    outcome: &mut Outcome,
    each: &mut dyn FnMut(Path, &Field<'_>),
) {
    let Original { input, bytes, open, schemas, .. } = *original;
    let options = Options { lossy: false, schemas: schemas.cloned(), ..inputs::options(open) };
    let selection = Selection::of(patterns);
    let (mut image, mut nested) = (Vec::new(), Vec::new());
    let whole = match open_noting(bytes, &inputs::last_name(&input.path), &mut image, &options) {
        Ok(whole) => whole,
        Err(failed) => return outcome.input_failed(&input.path, &failed.error),
    };
    let mut look = |trail: &[Entry<'_, '_>], opened: &Opened<'_>| {
        let inside = enter(&selection, &whole.asset, trail);
        let prefix = path_of(Entry::names(trail));
        let found = opened.asset.describe(opened.at, |root| {
            each_matching_field(root, inside, &mut |path, field| each(prefix.joined(path), field))
        });
        match found {
            Some(Ok(Some(error))) => outcome.input_failed(&input.path, &worldview_inspect::Error::from(error)),
            Some(Err(error)) => outcome.input_failed(&input.path, &error),
            _ => {}
        }
    };
    look(&[], &whole);
    let wants = |path: &[Entry<'_, '_>], _| !enter(&selection, &whole.asset, path).is_none();
    let mut walk = Walk::new(&whole.asset, whole.at, &options).wanted(&wants);
    let mut broken = Vec::new();
    while let Some(found) = walk.next(&mut nested) {
        match &found.opened {
            Ok(opened) => look(&found.path, opened),
            Err(failed) => broken.push(failed.error),
        }
    }
    broken.iter().for_each(|error| outcome.input_failed(&input.path, error));
}

/// Returns the patterns of an assignment from the beginning of a file.
fn inside(patterns: &[PathPattern], input: &Input) -> Vec<PathPattern> {
    match &input.inside[..] {
        [] => patterns.to_vec(),
        outer => outer.iter().flat_map(|outer| patterns.iter().map(|pattern| outer.joined(pattern))).collect(),
    }
}

/// Returns the paths of the fields that an assignment means whose path is not there as it is written, in another case, or the names that
/// may be meant.
pub(super) fn meant(assignment: &Assignment, original: &Original<'_>) -> (Vec<Path>, Option<String>) {
    let patterns = inside(&assignment.patterns, original.input);
    let mut paths = Vec::new();
    each_field(&patterns, original, &mut Outcome::default(), &mut |path, _| paths.push(path));
    let names = patterns.first().map(PathPattern::unmatched);
    let nearest = names.and_then(|(wanted, names)| {
        let wanted = wanted.replace(['*', '?'], "");
        nearest::meant(&wanted, names.iter().map(String::as_str)).map(str::to_owned)
    });
    (paths, nearest)
}

/// Returns the first two of several paths that differ in more than the numbers of elements.
pub(super) fn ambiguous(paths: &[Path]) -> Option<(Path, &Path)> {
    let plain = |path: &Path| {
        path.segments().fold(Path::new(), |plain, segment| {
            let segment = Segment { nth: None, ..segment };
            plain.with(|plain| plain.push_segment(&segment))
        })
    };
    let first = paths.first().map(&plain)?;
    let other = paths.iter().find(|path| plain(path) != first)?;
    Some((first, other))
}

/// Says that a path means several elements.
pub(super) fn say_ambiguous((first, other): (&Path, &Path)) -> String {
    format!("several elements have this path in another case, such as {first} and {other}; write one as it is there")
}

impl<'a> Bulk<'a> {
    /// Returns whether an assignment whose path begins at the folder matches inside of a file as well, which makes its meaning unclear.
    pub(super) fn is_unclear(&self, original: &Original<'_>) -> Option<&'a Assignment> {
        let in_folder = self.0.iter().filter(|selected| selected.file.is_some());
        in_folder.map(|selected| selected.assignment).find(|assignment| !meant(assignment, original).0.is_empty())
    }

    /// Returns the changes of a file, or `None` if something in it cannot be read, or if one of the assignments matches nothing
    /// in it although it `must`.
    pub(super) fn plan(&self, original: &Original<'_>, must: bool, outcome: &mut Outcome) -> Option<Planned> {
        let (input, encoding) = (original.input, original.open.encoding);
        let mut all = Planned::default();
        let mut is_found = true;
        for Selected { assignment, patterns, file } in &self.0 {
            if file.as_ref().is_some_and(|file| *file != input.path) {
                continue;
            }
            let mut plan = Plan::new(&assignment.to, encoding);
            let (inside, mut paths) = (inside(patterns, input), Vec::new());
            let is_literal = inside.iter().all(|pattern| pattern.path().is_some());
            each_field(&inside, original, outcome, &mut |path, field| {
                if is_literal {
                    paths.push(path.clone());
                }
                plan.field(path, field);
            });
            if let Some((first, other)) = ambiguous(&paths).filter(|_| inside.len() == 1) {
                patterns.iter().for_each(PathPattern::mark_found);
                let text = format!("{}: {}", assignment.text, say_ambiguous((&first, other)));
                return outcome.nothing(&input.path, &text);
            }
            let (planned, is_done) = plan.finish(&assignment.text);
            is_found &= is_done;
            // Of braces, each pattern that was expanded from them has as many inside.
            inside.iter().zip(patterns.iter().cycle()).for_each(|(inside, pattern)| {
                if is_done || !inside.is_found() {
                    pattern.learn_from(inside);
                }
            });
            all.append(planned);
        }
        all.account.entries_mut().for_each(|entry| entry.place.file = table::path(&input.path));
        (!outcome.has_failed() && (is_found || !must)).then_some(all)
    }

    /// Reports the assignments that nothing matched in any file.
    pub(super) fn say_unmatched(self, run: &mut Run<'_>) {
        for Selected { assignment, patterns, .. } in &self.0 {
            let Some(pattern) = patterns.iter().find(|pattern| !pattern.is_found()) else { continue };
            let nothing = || format!("no field matches this path{}", inputs::nearest_to(pattern));
            run.refused(&assignment.text, &assignment.meant_update().unwrap_or_else(nothing));
        }
    }
}

/// The plan of one assignment in a file.
struct Plan<'p> {
    to: &'p To,
    /// The code page of texts.
    encoding: Encoding,
    is_found: bool,
    planned: Planned,
    /// The first values that were rounded, and the number of all.
    rounded: Vec<String>,
    count: u64,
    /// The paths of fields that were selected but follow from others.
    fixed: Vec<Path>,
}

impl<'p> Plan<'p> {
    fn new(to: &'p To, encoding: Encoding) -> Self {
        let planned = Planned::default();
        Self { to, encoding, is_found: false, planned, rounded: Vec::new(), count: 0, fixed: Vec::new() }
    }

    /// Plans the change of a field.
    fn field(&mut self, path: Path, field: &Field<'_>) {
        if !fields::is_said(field) {
            self.fixed.push(path);
            return;
        }
        self.is_found = true;
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

    fn finish(mut self, text: &str) -> (Planned, bool) {
        let why =
            "this field is derived from others, or is the name of its element; neither patterns nor updates set it";
        match &self.fixed[..] {
            [first, ..] if !self.is_found => {
                self.is_found = true;
                self.planned.refuse(&EditError::unsupported(first, why), SourcePlace::default());
            }
            [] => {}
            all => {
                let message = format!(
                    "{text}: fields that are not stored in the file, derived from others, or names of their elements stay as they are"
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
        (self.planned, self.is_found)
    }
}
