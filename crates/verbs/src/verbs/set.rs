mod bulk;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use worldview::Format;
use worldview_edit::account::{Account, Column, Entry, SourcePlace};
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Planned, Value, fields, folded};

pub(crate) use self::bulk::NOTES;
use self::bulk::{Bulk, Selected};
use super::edit::{self, EditReport, Job, Original, Plan, Take};
use crate::assignment::{Assignment, To};
use crate::inputs::{self, Input, Opened};
use crate::open::{Files, say_ambiguous};
use crate::options::EditOptions;
use crate::outcome::{Outcome, Why as _};
use crate::report::{Error, Failure, Report, Result};
use crate::run::Run;
use crate::table;

/// Sets field values in a file or folder. Of a dry run, `take` gets the changes of each file; an edited file whose `out` is `-` is written to
/// `standard`.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `standard` cannot be written to or `take` returns an error.
pub fn set(
    input: &Path,
    assignments: &[Assignment],
    to: &EditOptions,
    run: &mut Run<'_>,
    standard: &mut (dyn Write + Send),
    take: Take<'_>,
) -> Result<Report<EditReport>> {
    let Some(found) = edit::inputs_of(input, to, run)? else { return Ok(run.end("set", EditReport::default())) };
    let folder = inputs::folder(input);
    let is_folder = folder.is_some();
    let mut assignments = assignments.to_vec();
    for assignment in &mut assignments {
        let encoded = assignment.encode(to.open.encoding);
        encoded.map_err(|error| Error::refused(&assignment.text, &error))?;
    }
    // The files of a folder, or the parts that a pattern selects of one, differ: each path selects what there is.
    let is_many = is_folder || found.values().any(|input| input.literal().is_none());
    let (is_one, mut texts) = (assignments.len() == 1, BTreeSet::new());
    assignments.retain(|assignment| assignment.is_bulk() || texts.insert(assignment.text.clone()));
    let (bulk, plain): (Vec<_>, Vec<_>) = assignments.iter().partition(|assignment| is_many || assignment.is_bulk());
    let bulk = bulk.into_iter().map(Selected::new);
    let mut bulk = Bulk(bulk.collect());
    if inputs::is_folder(input) && begins_at_folder(&mut bulk, &found, to, run)? {
        return Ok(run.end("set", EditReport::default()));
    }
    let first = found.values().next().map_or(input, |input| input.path.as_path());
    let shown = table::path(if is_folder { input } else { first });
    // The files that a pattern leads to share what is selected in them.
    let inside =
        found.values().flat_map(|input| &input.inside).map(|pattern| (pattern.to_string(), Arc::clone(pattern)));
    let inside: BTreeMap<_, _> = inside.collect();
    let jobs = found.into_iter().map(|(path, input)| {
        let out = match is_folder {
            true => to.out.as_ref().map(|out| out.join(path)),
            false => edit::out_of(to.out.as_deref(), &input),
        };
        Job { input, out, source: (), is_wanted: !is_folder }
    });
    let jobs = (jobs.collect(), folder.as_deref());
    let report = edit::edit(to, jobs, run, (standard, take), |(), original, outcome| {
        let mut all = bulk.plan(original, !is_folder, outcome)?;
        if plain.is_empty() {
            all.changes = if is_one { all.changes } else { distinct(all.changes) };
            return Some((all, None));
        }
        let (mut planned, patches) = plan(&plain, original, to.skip_refused, outcome)?;
        all.account.append(std::mem::take(&mut planned.account));
        // What is printed says what was there before, so that it can be undone.
        let printed = patches.as_ref().filter(|_| to.preview.dry_run).and_then(|patches| {
            if patches.also().is_empty() {
                return original.to(&patches.to_vec());
            }
            // What goes along is added to this later.
            let plain = Original { follow: false, ..*original }.apply(&planned.changes).ok()?;
            original.to(&plain.to_vec())
        });
        all.append(printed.unwrap_or(planned));
        all.changes = distinct(all.changes);
        Some((all, patches.filter(|_| bulk.0.is_empty())))
    })?;
    for pattern in inside.values().filter(|pattern| !bulk.0.is_empty() && !pattern.is_found()) {
        let why = if is_folder { inputs::unmatched_anywhere(pattern) } else { inputs::unmatched(pattern) };
        run.failed(&shown, &why);
    }
    if inside.is_empty() || inside.values().any(|pattern| pattern.is_found()) {
        bulk.say_unmatched(run);
    }
    Ok(run.end("set", report))
}

/// Returns changes without those that give a field the same value once more.
fn distinct(changes: Changes) -> Changes {
    let mut values: HashMap<worldview::Path, Value> = HashMap::new();
    let is_new = |change: &Change| {
        let Change::Set { path, to, .. } = change else { return true };
        values.insert(path.clone(), to.clone()).as_ref() != Some(to)
    };
    changes.into_iter().filter(is_new).collect()
}

/// Takes the paths that begin at the folder for those that begin in one of its files. Returns whether one of them may mean both, which was
/// reported then.
fn begins_at_folder(
    bulk: &mut Bulk<'_>,
    found: &BTreeMap<PathBuf, Input>,
    to: &EditOptions,
    run: &mut Run<'_>,
) -> Result<bool> {
    let mut begins = false;
    for selected in &mut bulk.0 {
        begins |= selected.in_folder(found)?;
    }
    let (open, mut buffer) = (&to.open, Vec::new());
    let (files, loader) = (Files::new(open, 1)?, run.loader_for(open.mmap));
    for input in found.values().filter(|_| begins) {
        // What cannot be opened is reported when it is edited.
        let Opened::Ours(format, bytes) = inputs::open(loader, input, open, &mut buffer, &mut Outcome::default())
        else {
            continue;
        };
        let prefix = worldview::Path::new();
        let original = Original {
            input,
            format,
            bytes: &bytes,
            open,
            schemas: files.schemas.as_ref(),
            prefix: &prefix,
            follow: false,
        };
        if let Some(assignment) = bulk.is_unclear(&original) {
            let file = input.shown();
            run.refused(
                &assignment.text,
                &format_args!("may begin at the folder or inside of {file}; edit the file alone"),
            );
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads each value as the type that its field has: as long as a field holds another type, its text is read as the next one. A
/// field that holds the name of its element renames the element. With `skip_refused`, what cannot be set is left out.
fn plan<'o>(
    assignments: &[&Assignment],
    original: &Original<'o>,
    skip_refused: bool,
    outcome: &mut Outcome,
) -> Option<Plan<'o>> {
    let (prefix, mut assignments, mut account) = (original.prefix, assignments.to_vec(), Account::default());
    let mut paths: Vec<_> = assignments.iter().map(|assignment| prefix.joined(&assignment.path)).collect();
    let mut choices = vec![0; assignments.len()];
    let mut renames = vec![None; assignments.len()];
    let mut first = None;
    loop {
        let changes = assignments.iter().zip(&choices).zip(renames.iter().zip(&paths));
        let changes =
            changes.filter_map(|((assignment, choice), (rename, path)): (_, (&Option<Change>, &worldview::Path))| {
                let set = || Some(Change::set(path.clone(), values(assignment).get(*choice)?.clone()));
                rename.clone().or_else(set)
            });
        let changes = changes.collect::<Changes>();
        let error = match original.apply(&changes) {
            Ok(patches) => return Some((Planned { changes, account }, Some(patches))),
            Err(error) => error,
        };
        // What is not there may be an element around the field.
        let is_missing = matches!(error.kind, EditErrorKind::NotFound);
        let is_ambiguous = matches!(error.kind, EditErrorKind::Ambiguous { .. });
        let is_around = is_missing || edit::is_refused(&error);
        let is_wrong =
            |path: &worldview::Path, place: &worldview::Path| path == place || is_around && path.is_within(place);
        let wrong = changes.iter().position(|change| is_wrong(change.path(), &error.path));
        // In archives, the directories around may have names in another case.
        let alike = || changes.iter().position(|change| is_wrong(&folded(change.path()), &folded(&error.path)));
        let wrong = wrong.or_else(alike);
        if let (EditErrorKind::IsName, Some(wrong)) = (&error.kind, wrong)
            && let Some(rename) = renames.get_mut(wrong)
            && rename.is_none()
        {
            let renamed = assignments.get(wrong).and_then(|assignment| renamed(assignment, &paths[wrong], original));
            *rename = renamed.transpose().map_err(|error| outcome.input_failed(&original.input.path, &error)).ok()?;
            if rename.is_some() {
                continue;
            }
        }
        let next = wrong.filter(|_| matches!(error.kind, EditErrorKind::WrongType { .. })).and_then(|wrong| {
            let choice = choices.get_mut(wrong)?;
            *choice += 1;
            (*choice < values(assignments.get(wrong)?).len()).then_some(wrong)
        });
        let error = first.take().filter(|(place, _)| *place == wrong).map_or(error, |(_, error)| error);
        if next.is_none() {
            let mut said = None;
            if let Some(wrong) = wrong {
                let assignment = assignments.get(wrong)?;
                let (found, nearest) = bulk::meant(assignment.patterns.first()?, original);
                said = match (bulk::ambiguous(&found), &found[..]) {
                    (Some((first, other)), _) => Some(format!("{}: {}", error.path, say_ambiguous(&first, &other))),
                    // It is there in another case.
                    (None, [_, ..]) if !is_ambiguous && bulk::common(&found) != paths[wrong] => {
                        paths[wrong] = bulk::common(&found);
                        continue;
                    }
                    _ => match meant(assignment, original, prefix) {
                        Some(meant) => Some(format!("{}: not found in this file; did you mean {meant}?", error.path)),
                        None => {
                            let update =
                                assignment.meant_update().map(|update| format!("{}: {update}", assignment.text));
                            update.or_else(|| (!nearest.is_empty()).then(|| format!("{error}{nearest}")))
                        }
                    },
                };
            }
            if let Some(wrong) = wrong.filter(|_| skip_refused) {
                let text = said.unwrap_or_else(|| error.to_string());
                let (path, why) = match text.strip_prefix(&format!("{}: ", error.path)) {
                    Some(why) => (error.path.clone(), why),
                    None => (worldview::Path::new(), &*text),
                };
                let place = SourcePlace { file: original.input.shown(), ..SourcePlace::default() };
                account.push(Entry::new(Column::Refused, error.kind.code(), &path, why).at(place));
                // What concerns an element as a whole is about all assignments to it.
                let is_about = |index: usize| {
                    let is_inside =
                        |path: &worldview::Path| folded(path).is_within(&folded(&error.path)) && !error.path.is_empty();
                    index == wrong || edit::is_refused(&error) && paths.get(index).is_some_and(is_inside)
                };
                for index in (0..paths.len()).rev().filter(|index| is_about(*index)).collect::<Vec<_>>() {
                    assignments.remove(index);
                    paths.remove(index);
                    choices.remove(index);
                    renames.remove(index);
                }
                continue;
            }
            match said {
                Some(said) => outcome.input_failed(&original.input.path, &Failure::coded(error.failure().code, said)),
                None => outcome.input_failed(&original.input.path, &error),
            }
            return None;
        }
        first = Some((wrong, error));
    }
}

/// The values that the text of an assignment to a single field can mean.
const fn values(assignment: &Assignment) -> &[Value] {
    match &assignment.to {
        To::Values(values) => values.as_slice(),
        To::Update(_) => &[],
    }
}

/// Returns the path that was meant if `.` was written instead of `/`, as in many other notations.
fn meant(assignment: &Assignment, original: &Original<'_>, prefix: &worldview::Path) -> Option<worldview::Path> {
    let text = assignment.path.as_str();
    let meant: worldview::Path = text.contains('.').then(|| text.replace('.', "/").parse().ok())??;
    let is_there = values(assignment).iter().any(|value| {
        let change = Change::set(meant.clone(), value.clone());
        original.apply(&Changes::from_iter([change]).prefixed(prefix)).is_ok()
    });
    is_there.then_some(meant)
}

/// Returns the change that renames the element whose name, or extension, gets a value.
fn renamed(
    assignment: &Assignment,
    path: &worldview::Path,
    original: &Original<'_>,
) -> Option<std::result::Result<Change, EditError>> {
    let parts: Vec<_> = path.parts().collect();
    let (field, element) = parts.split_last()?;
    let value_at = path;
    let mut path = worldview::Path::new();
    element.iter().for_each(|part| path.append(part));
    // The text is what every value can mean.
    let text = match values(assignment).last()? {
        // Names in REZ archives are in a code page, which `show` and `--encoding` take for Windows-1252 by default.
        Value::Text(text) if original.format == Format::Rez => {
            match fields::encode_in(original.open.encoding, text, value_at) {
                Ok(bytes) => bytes,
                Err(error) => return Some(Err(error)),
            }
        }
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Bytes(bytes) => bytes.clone(),
        _ => return None,
    };
    let key = element.last()?.segments().next()?.key.into_owned();
    let (stem, extension) = match key.iter().rposition(|&byte| byte == b'.') {
        Some(dot) => (&key[..dot], &key[dot + 1..]),
        None => (&key[..], &[][..]),
    };
    // Only members and files have extensions, and a dot may also be a part of a name.
    let is_extension = || {
        let mut field = path.clone();
        field.push("@", b"extension", None);
        let change = Change::set(field, Value::from_bytes(extension));
        !extension.is_empty() && original.apply(&Changes::from_iter([change])).is_ok()
    };
    let field = field.segments().next()?;
    let to = match &*field.key {
        b"extension" if text.is_empty() => Value::from_bytes(if is_extension() { stem } else { &key }),
        b"extension" => Value::from_bytes(&[if is_extension() { stem } else { &key }, b".", text.as_slice()].concat()),
        _ if is_extension() => Value::from_bytes(&[text.as_slice(), b".", extension].concat()),
        _ => Value::from_bytes(&text),
    };
    Some(Ok(Change::Rename { path, to }))
}
