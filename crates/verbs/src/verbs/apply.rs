mod sources;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};

use worldview_edit::account::Account;
use worldview_edit::{EditErrorKind, Planned};

use super::changes::join;
use super::edit::{self, EditReport, Job, Original, Take};
use crate::inputs::{self, Input};
use crate::options::{ApplyOptions, EditOptions};
use crate::outcome::Outcome;
use crate::output::Folders;
use crate::read::Room;
use crate::report::{Error, Report, Result};
use crate::run::Run;
use crate::table;
use sources::{Rules, Source};
pub(crate) use sources::{SOURCES, edited_model, png_added};

/// Applies changes, edited exports and mods to a file or folder. Of a dry run, `take` gets the changes of each file; an edited file whose `out`
/// is `-` is written to `standard`.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `standard` cannot be written to or `take` returns an error.
pub fn apply(
    input: &Path,
    sources: &[PathBuf],
    args: &ApplyOptions,
    run: &mut Run<'_>,
    standard: &mut (dyn Write + Send),
    take: Take<'_>,
) -> Result<Report<EditReport>> {
    Run::reads_stdin_once(sources.iter().map(PathBuf::as_path).chain([input]))?;
    let to = &args.to;
    let Some(found) = edit::inputs_of(input, to, run)? else { return Ok(run.end("apply", EditReport::default())) };
    let folder = inputs::folder(input);
    if found.values().any(|input| input.literal().is_none()) {
        let why = "is a pattern inside of a file; changes begin at one part of it";
        return Err(Error::refused(&table::path(input), &why));
    }
    let jobs = match folder {
        Some(_) => folder_jobs((input, sources), to, found, run),
        None => file_jobs(sources, to, found, run),
    };
    let report = edit::edit(to, (jobs, folder.as_deref()), run, (standard, take), |sources, original, outcome| {
        let rules = Rules { remove_missing: args.remove_missing, adds_all: false, room: &Room::default() };
        Some((plan(sources, rules, original, outcome)?, None))
    })?;
    Ok(run.end("apply", report))
}

/// The changes of all sources of a file.
fn plan(sources: &[Source], rules: Rules<'_>, original: &Original<'_>, outcome: &mut Outcome) -> Option<Planned> {
    let (mut named, mut account) = (Vec::new(), Account::default());
    let Original { input, prefix, .. } = original;
    for pattern in input.selection().patterns().filter(|pattern| !pattern.is_found()) {
        outcome.input_failed(&input.path, &inputs::unmatched(pattern));
    }
    if outcome.has_failed() {
        return None;
    }
    for source in sources {
        source.changes(original, rules, &mut |path, planned| match planned {
            Ok(mut planned) => {
                if let Some(outside) = source.outside(prefix, &planned) {
                    let why = format!("also changes {outside}, which is not in {prefix}; apply it to the whole file");
                    return outcome.input_failed(path, &why);
                }
                planned.account.entries_mut().for_each(|entry| entry.place.file = table::path(path));
                account.append(planned.account);
                named.push((table::path(path), planned.changes));
            }
            // What cannot be read of the original is no fault of the source.
            Err(error) if matches!(error.kind, EditErrorKind::Format(_)) => {
                outcome.input_failed(&original.input.path, &error);
            }
            Err(error) => outcome.input_failed(path, &error),
        });
    }
    if outcome.has_failed() {
        return None;
    }
    let changes = join(&named, None, "", outcome)?;
    Some(Planned { changes, account })
}

/// A single file, for which all sources are. If one of them is not usable, nothing is done.
fn file_jobs(
    paths: &[PathBuf],
    to: &EditOptions,
    found: BTreeMap<PathBuf, Input>,
    run: &mut Run<'_>,
) -> Vec<Job<Vec<Source>>> {
    let Some(input) = found.into_values().next() else { return Vec::new() };
    let mut sources = Vec::new();
    for path in paths {
        match Source::of_file(path, &input) {
            Ok(source) => {
                source.about().into_iter().for_each(|about| run.note(&table::path(path), about));
                sources.push(source);
            }
            Err(error) => run.failed(&table::path(path), &error),
        }
    }
    if sources.len() < paths.len() {
        return Vec::new();
    }
    let out = edit::out_of(to.out.as_deref(), &input);
    vec![Job { input, out, source: sources, is_wanted: true }]
}

/// The files of a folder for which there are sources. If one of them is not usable, nothing is done.
fn folder_jobs(
    (folder, paths): (&Path, &[PathBuf]),
    to: &EditOptions,
    found: BTreeMap<PathBuf, Input>,
    run: &mut Run<'_>,
) -> Vec<Job<Vec<Source>>> {
    let mut sources: BTreeMap<PathBuf, Vec<Source>> = BTreeMap::new();
    let mut is_usable = true;
    for path in paths {
        match Source::in_folder(path) {
            Ok((list, others)) => {
                list.into_iter().for_each(|(key, source)| sources.entry(key).or_default().push(source));
                others.iter().for_each(|(path, why)| run.note(&table::path(path), why));
            }
            Err(error) => {
                is_usable = false;
                run.failed(&table::path(path), &error);
            }
        }
    }
    if !is_usable {
        return Vec::new();
    }
    let mut folders = Folders::default();
    let mut files = Vec::new();
    for (way, input) in found {
        let exported = folders.folder(&input.source);
        // With and without the name of the input folder, and as `export` writes names.
        let below = |path: &Path| path.components().skip(1).collect::<PathBuf>();
        let mut keys = vec![way.clone(), input.source.clone(), below(&exported), exported];
        keys.dedup();
        let list: Vec<_> = keys.iter().filter_map(|key| sources.remove(key)).flatten().collect();
        files.push((way, input, keys, list));
    }
    let folded = |key: &Path| table::path(key).to_ascii_lowercase();
    let mut alike: HashMap<_, BTreeSet<usize>> = HashMap::new();
    if !sources.is_empty() {
        for (index, (_, _, keys, _)) in files.iter().enumerate() {
            keys.iter().for_each(|key| _ = alike.entry(folded(key)).or_default().insert(index));
        }
    }
    // Mods are made on Windows, where names in another case lead to the same file.
    for (key, mut list) in sources {
        let same: Vec<_> = alike.get(&folded(&key)).into_iter().flatten().copied().collect();
        if let [one] = &*same {
            files.get_mut(*one).into_iter().for_each(|(.., all)| all.append(&mut list));
            continue;
        }
        let mut paths = same.iter().filter_map(|index| files.get(*index)).map(|(_, input, ..)| &input.path);
        let why = match paths.clone().next().zip(paths.next_back()) {
            Some((one, other)) => inputs::say_alike(one, other),
            None => format!("{} has no file of this name", table::path(folder)),
        };
        list.iter().for_each(|source| run.failed(&table::path(source.path()), &why));
    }
    let with_sources = files.into_iter().filter(|(.., list)| !list.is_empty());
    let job =
        |(way, input, _, source)| Job { input, out: to.out.as_ref().map(|out| out.join(way)), source, is_wanted: true };
    with_sources.map(job).collect()
}
