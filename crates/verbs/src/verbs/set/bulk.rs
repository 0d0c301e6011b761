//! Assignments to all fields that a pattern selects: each becomes ordinary changes of one file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::{iter, slice};

use worldview::describe::Field;
use worldview::{Entry, Opened, Options, Path, Segment, Walk, open_noting, split_at_unescaped};
use worldview_edit::account::{self, Column, SourcePlace};
use worldview_edit::codes;
use worldview_edit::{Change, EditError, EditErrorKind, Planned, Value, fields};
use worldview_inspect::{Encoding, PathPattern, Selection, each_matching_field, stem};

use super::Original;
use crate::assignment::{Assignment, To};
use crate::inputs::{self, Input};
use crate::open::{enter, place_of, say_ambiguous};
use crate::outcome::Outcome;
use crate::report::Error;
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
    /// The patterns, each with the only file that it is for, if it begins at the folder.
    patterns: Vec<(PathPattern, Option<PathBuf>)>,
}

impl<'a> Selected<'a> {
    pub(super) fn new(assignment: &'a Assignment) -> Self {
        Self { assignment, patterns: assignment.patterns.iter().map(|pattern| (pattern.clone(), None)).collect() }
    }

    /// Resolves patterns that begin at the folder with these files to patterns inside the files that they name. Returns whether there are any.
    ///
    /// # Errors
    ///
    /// Returns an error with the assignment if several files have the name in another case.
    pub(super) fn in_folder(&mut self, files: &BTreeMap<PathBuf, Input>) -> Result<bool, Error> {
        for (pattern, file) in &mut self.patterns {
            match &file_of(pattern, files)[..] {
                [] => {}
                [(input, rest)] => (*pattern, *file) = (rest.clone(), Some(input.path.clone())),
                [(one, _), (other, _), ..] => {
                    let why = inputs::say_alike(&one.path, &other.path);
                    return Err(Error::refused(&self.assignment.text, &why));
                }
            }
        }
        Ok(self.patterns.iter().any(|(_, file)| file.is_some()))
    }

    /// Returns the patterns that apply to a file.
    fn of_file<'s>(&'s self, input: &'s Input) -> impl Iterator<Item = &'s PathPattern> + Clone {
        let of_file = self.patterns.iter().filter(|(_, file)| file.as_ref().is_none_or(|file| *file == input.path));
        of_file.map(|(pattern, _)| pattern)
    }
}

/// Returns the file in a folder that a pattern begins with, or else all that it begins with in another case, each with the rest of the pattern.
fn file_of<'f>(pattern: &PathPattern, files: &'f BTreeMap<PathBuf, Input>) -> Vec<(&'f Input, PathPattern)> {
    let text = pattern.to_string();
    let (mut names, mut rest) = (PathBuf::new(), &*text);
    loop {
        let (segment, behind) = split_at_unescaped(rest, '/');
        // Only the part behind the file may have wildcards.
        let path = segment.parse::<PathPattern>().ok().and_then(|pattern| pattern.path()).unwrap_or_default();
        let segment = path.segments().next().filter(|segment| segment.kind.is_none() && segment.nth.is_none());
        let name = segment.and_then(|segment| String::from_utf8(segment.key.into_owned()).ok());
        let (Some(name), Some(behind)) = (name, behind) else { return Vec::new() };
        names.push(name);
        rest = behind;
        let is_alike = |path: &PathBuf| path.as_os_str().eq_ignore_ascii_case(&names);
        let found: Vec<_> = match files.get(&names) {
            Some(input) => vec![input],
            None => files.iter().filter(|(path, _)| is_alike(path)).map(|(_, input)| input).collect(),
        };
        if !found.is_empty() {
            return found.into_iter().filter_map(|input| Some((input, rest.parse().ok()?))).collect();
        }
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
    let options = Options { lossy: false, schemas: schemas.cloned(), ..open.to_options() };
    let selection = Selection::of(patterns);
    let (mut image, mut nested) = (Vec::new(), Vec::new());
    let whole = match open_noting(bytes, &inputs::last_name(&input.path), &mut image, &options) {
        Ok(whole) => whole,
        Err(failed) => return outcome.input_failed(&input.path, &failed.error),
    };
    let mut look = |trail: &[Entry<'_, '_>], opened: &Opened<'_>| {
        let inside = enter(&selection, &whole.asset, trail);
        let prefix = place_of(&whole.asset, trail);
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

/// Returns patterns from the beginning of a file.
fn inside<'p>(patterns: impl Iterator<Item = &'p PathPattern> + Clone, input: &Input) -> Vec<PathPattern> {
    match &input.inside[..] {
        [] => patterns.cloned().collect(),
        outer => outer.iter().flat_map(|outer| patterns.clone().map(|pattern| outer.joined(pattern))).collect(),
    }
}

/// Returns the paths of the fields that a path selects, which may be spelled in another case, and a question about the name that was meant if
/// there are none.
pub(super) fn meant(pattern: &PathPattern, original: &Original<'_>) -> (Vec<Path>, String) {
    let patterns = inside(iter::once(pattern), original.input);
    let paths = paths_of(&patterns, original);
    (paths, patterns.first().map(inputs::nearest_to).unwrap_or_default())
}

fn paths_of(patterns: &[PathPattern], original: &Original<'_>) -> Vec<Path> {
    let mut paths = Vec::new();
    each_field(patterns, original, &mut Outcome::default(), &mut |path, _| paths.push(path));
    paths
}

/// Returns the first two of several paths that differ in more than the numbers of elements.
pub(super) fn ambiguous(paths: &[Path]) -> Option<(Path, Path)> {
    let plain = |path: &Path| {
        let segments = path.segments();
        segments
            .fold(Path::new(), |path, segment| path.with(|path| path.push_segment(&Segment { nth: None, ..segment })))
    };
    let first = paths.first().map(&plain)?;
    let other = paths.iter().find(|path| plain(path) != first)?;
    Some((first, other.clone()))
}

/// Returns the path that several paths have in common: without the numbers of elements in which they differ.
pub(super) fn common(paths: &[Path]) -> Path {
    let Some((first, others)) = paths.split_first() else { return Path::new() };
    let segments = first.segments().enumerate().map(|(index, segment)| {
        let is_same = |other: &Path| other.segments().nth(index).is_some_and(|other| other.nth == segment.nth);
        Segment { nth: segment.nth.filter(|_| others.iter().all(is_same)), ..segment }
    });
    segments.fold(Path::new(), |path, segment| path.with(|path| path.push_segment(&segment)))
}

/// Returns an error if the same path of `len` segments, in a file or in a part of it, is that of several elements.
fn several(paths: &[Path], len: usize) -> Option<EditError> {
    let mut parts: BTreeMap<Path, Vec<Path>> = BTreeMap::new();
    for path in paths {
        parts.entry(path.first(path.len().saturating_sub(len))).or_default().push(path.clone());
    }
    let error = |all: &Vec<Path>| EditError::new(&common(all), EditErrorKind::Ambiguous { count: all.len() });
    parts.values().find(|all| all.len() > 1 && ambiguous(all).is_none()).map(error)
}

/// Returns two of several elements that one of some patterns means, although it has no wildcards. All together select `paths`.
fn ambiguous_in(patterns: &[PathPattern], paths: &[Path], original: &Original<'_>) -> Option<(Path, Path)> {
    if patterns.len() < 2 {
        return ambiguous(paths);
    }
    // Elements that one name means differ in case or in the extension of an archive member.
    let folded = |path: &Path| {
        let name = |segment: Segment<'_>| (segment.kind.map(str::to_owned), stem(&segment.key).to_ascii_lowercase());
        path.segments().map(name).collect::<Vec<_>>()
    };
    let mut groups: HashMap<_, Vec<Path>> = HashMap::new();
    paths.iter().for_each(|path| groups.entry(folded(path)).or_default().push(path.clone()));
    let may_be = groups.values().any(|group| ambiguous(group).is_some());
    let literal = patterns.iter().filter(|pattern| may_be && pattern.path().is_some());
    literal.into_iter().find_map(|pattern| ambiguous(&paths_of(slice::from_ref(pattern), original)))
}

impl<'a> Bulk<'a> {
    /// Returns an assignment of which a pattern that begins at the folder matches inside of a file as well, which makes its meaning unclear.
    pub(super) fn is_unclear(&self, original: &Original<'_>) -> Option<&'a Assignment> {
        let is_unclear = |selected: &&Selected<'_>| {
            let mut patterns = selected.assignment.patterns.iter().zip(&selected.patterns);
            patterns.any(|(whole, (_, file))| file.is_some() && !meant(whole, original).0.is_empty())
        };
        self.0.iter().find(is_unclear).map(|selected| selected.assignment)
    }

    /// Returns the changes of a file, or `None` if something in it cannot be read, or if one of the assignments matches nothing
    /// in it although it `must`.
    pub(super) fn plan(&self, original: &Original<'_>, must: bool, outcome: &mut Outcome) -> Option<Planned> {
        let (input, encoding) = (original.input, original.open.encoding);
        let mut all = Planned::default();
        let mut is_found = true;
        let mut updated = HashSet::new();
        for selected in &self.0 {
            let Selected { assignment, .. } = selected;
            let patterns = selected.of_file(input);
            let (inside, mut paths) = (inside(patterns.clone(), input), Vec::new());
            if inside.is_empty() {
                continue;
            }
            let mut plan = Plan::new(&assignment.to, encoding);
            let has_literal = inside.iter().any(|pattern| pattern.path().is_some());
            let is_single = !assignment.is_bulk();
            each_field(&inside, original, outcome, &mut |path, field| {
                if has_literal || is_single {
                    paths.push(path.clone());
                }
                plan.field(path, field);
            });
            // Each pattern of the input is the beginning of as many.
            for (inside, outer) in inside.chunks(inside.len() / input.inside.len().max(1)).zip(&input.inside) {
                inside.iter().for_each(|inside| outer.learn_from_longer(inside));
            }
            if has_literal && let Some((first, other)) = ambiguous_in(&inside, &paths, original) {
                patterns.clone().for_each(PathPattern::mark_found);
                let text = format!("{}: {}", assignment.text, say_ambiguous(&first, &other));
                return outcome.nothing(&input.path, &text);
            }
            if let Some(error) = several(&paths, assignment.path.len()).filter(|_| is_single) {
                patterns.for_each(PathPattern::mark_found);
                all.refuse(&error, SourcePlace::default());
                continue;
            }
            let (mut planned, is_done) = plan.finish(&assignment.text);
            // Which of two updates of a field is the first is not said.
            if matches!(assignment.to, To::Update(_)) && self.0.len() > 1 {
                let changes = std::mem::take(&mut planned.changes).into_iter();
                let (again, new): (Vec<_>, Vec<_>) = changes.partition(|change| updated.contains(change.path()));
                for change in again {
                    let kind = EditErrorKind::Conflict { other: Path::new() };
                    planned.refuse(&EditError::new(change.path(), kind), SourcePlace::default());
                }
                updated.extend(new.iter().map(|change| change.path().clone()));
                planned.changes.extend(new);
            }
            is_found &= is_done;
            // Each path inside of the input has as many.
            inside.iter().zip(patterns.cycle()).for_each(|(inside, pattern)| {
                if is_done || !inside.is_found() {
                    pattern.learn_from(inside);
                }
            });
            all.append(planned);
        }
        all.account.entries_mut().for_each(|entry| entry.place.file = table::path(&input.path));
        is_found &= input.inside.iter().all(|outer| outer.is_found());
        (!outcome.has_failed() && (is_found || !must)).then_some(all)
    }

    /// Reports the assignments that nothing matched in any file.
    pub(super) fn say_unmatched(self, run: &mut Run<'_>) {
        for Selected { assignment, patterns } in &self.0 {
            let Some((pattern, _)) = patterns.iter().find(|(pattern, _)| !pattern.is_found()) else { continue };
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
