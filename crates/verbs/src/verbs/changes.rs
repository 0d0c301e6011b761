//! Inverting and merging changes files.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use worldview_edit::{Change, Changes, EditError, EditErrorKind, MergeConflict, MergeError};

use super::edit::undo;
use crate::interrupt;
use crate::mods::{Head, Mod, ModFile, SUFFIX, read_changes, write_changes};
use crate::options::{InvertOptions, MergeOptions, Replace};
use crate::outcome::Outcome;
use crate::output::Target;
use crate::read::Room;
use crate::report::{Error, Failure, Report, Result};
use crate::run::Run;
use crate::table;

/// Writes the changes that undo the changes of a file, or of a mod: to what the option `out` names, or to `standard`.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `standard` cannot be written to.
pub fn invert(file: &Path, options: &InvertOptions, run: &mut Run<'_>, standard: &mut dyn Write) -> Result<Report> {
    let InvertOptions { original, out, overwrite } = options;
    let mut outcome = Outcome::default();
    Run::reads_stdin_once(original.iter().map(PathBuf::as_path).chain([file]))?;
    let made = inverted(file, original.as_deref(), &mut outcome);
    run.absorb(&table::path(file), outcome, 0);
    made.map_or(Ok(()), |made| print(&made, out.as_deref(), *overwrite, run, standard))?;
    Ok(run.end("changes", ()))
}

/// Writes the changes of several files, or mods, as one: to what the option `out` names, or to `standard`.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `standard` cannot be written to.
pub fn merge(files: &[PathBuf], options: &MergeOptions, run: &mut Run<'_>, standard: &mut dyn Write) -> Result<Report> {
    let MergeOptions { prefer, out, overwrite } = options;
    Run::reads_stdin_once(files.iter().map(PathBuf::as_path))?;
    if prefer.as_ref().is_some_and(|prefer| !files.contains(prefer)) {
        return Err(Error::refused("--prefer", &"is not one of the merged files"));
    }
    let (prefer, mut outcome) = (prefer.as_deref().map(table::path), Outcome::default());
    let first = files.first().map(|file| table::path(file)).unwrap_or_default();
    let made = merged(files, prefer.as_deref(), &mut outcome);
    run.absorb(&first, outcome, 0);
    made.map_or(Ok(()), |made| print(&made, out.as_deref(), *overwrite, run, standard))?;
    Ok(run.end("changes", ()))
}

/// Writes changes to a file or to `standard`; a mod with a name that is not that of a file of lines, to a folder with a
/// file for each.
pub(super) fn print(
    made: &Mod,
    out: Option<&Path>,
    replace: Replace,
    run: &mut Run<'_>,
    standard: &mut dyn Write,
) -> io::Result<()> {
    let text = || made.list().map_or_else(|| made.to_lines(), Changes::to_json).map_err(io::Error::other);
    let Some(path) = out.filter(|out| out.as_os_str() != "-") else {
        standard.write_all(text()?.as_bytes())?;
        return standard.flush();
    };
    if made.list().is_none() && Mod::is_named(path) {
        let lines = text()?;
        let target = Target::of(path, path, &[], replace);
        report(path, target.and_then(|to| to.write(standard, |out| out.write_all(lines.as_bytes()))), run);
        return Ok(());
    }
    for (file, ModFile { changes, .. }) in &made.files {
        let mut name = path.as_os_str().to_owned();
        if made.list().is_none() {
            name = path.join(file).into_os_string();
            name.push(SUFFIX);
        }
        report(Path::new(&name), write_changes(Path::new(&name), path, changes, replace), run);
    }
    Ok(())
}

/// Reports a file that cannot be written.
fn report(path: &Path, written: io::Result<()>, run: &mut Run<'_>) {
    // One line at the end of an interrupted run says so.
    if let Err(error) = written
        && !interrupt::is_interrupted()
    {
        run.broken(&table::path(path), &format_args!("cannot be written: {error}"));
    }
}

/// Reads a mod, or a list as the mod of one file.
fn read(path: &Path, is_mod: bool, room: &Room, outcome: &mut Outcome) -> Option<Mod> {
    let read = match is_mod {
        true => Mod::read(path, room)
            .unwrap_or_else(|| Err(EditError::malformed(None, "is not a mod, but the other files are"))),
        false => read_changes(path, room).map(Mod::from),
    };
    read.map_err(|error| outcome.input_failed(path, &error)).ok()
}

/// Returns the prefix of the path of a change in messages: the file of a mod.
fn place(file: &Path) -> String {
    if file.as_os_str().is_empty() { String::new() } else { format!("{}: ", table::path(file)) }
}

/// Inverts changes, file by file. The head of a mod is not that of the inverse, and the sizes of edited files are not known.
fn inverted(path: &Path, original: Option<&Path>, outcome: &mut Outcome) -> Option<Mod> {
    let is_mod = original.is_none() && Mod::is_at(path);
    let mut made = Mod::default();
    for (file, ModFile { changes, .. }) in read(path, is_mod, &Room::default(), outcome)?.files {
        let failed = |error, outcome: &mut Outcome| {
            outcome.input_failed(path, &Failure::of(&error, format!("{}{error}", place(&file))));
        };
        let inverse = match original {
            Some(original) => undo(original, &changes, outcome),
            None => changes.invert().map_err(|error| failed(error, outcome)).ok(),
        };
        if let Some(changes) = inverse {
            made.files.insert(file, ModFile { changes, ..ModFile::default() });
        }
    }
    (!outcome.has_failed() && !made.files.is_empty()).then_some(made)
}

/// Merges lists or mods, file by file.
fn merged(files: &[PathBuf], prefer: Option<&str>, outcome: &mut Outcome) -> Option<Mod> {
    let is_mod = files.iter().any(|file| Mod::is_at(file));
    let mut lists = BTreeMap::<PathBuf, Vec<(String, Changes)>>::new();
    let (mut all, room) = (Mod::default(), Room::default());
    for path in files {
        let Some(read) = read(path, is_mod, &room, outcome) else { continue };
        for (file, ModFile { changes, original, .. }) in read.files {
            let known = all.files.entry(file.clone()).or_default();
            if let (Some(known), Some(found)) = (&known.original, &original)
                && known != found
            {
                outcome.note(path, &format_args!("was made for another version of {}", table::path(&file)));
            }
            known.original = known.original.take().or(original);
            lists.entry(file).or_default().push((table::path(path), changes));
        }
        let heads = [all.head.take(), read.head];
        all.head = heads.into_iter().flatten().reduce(Head::and);
    }
    if !is_mod && outcome.has_failed() {
        return None;
    }
    for (file, named) in lists {
        if let Some(changes) = join(&named, prefer, &place(&file), outcome) {
            all.files.entry(file).or_default().changes = changes;
        }
    }
    (!outcome.has_failed()).then_some(all)
}

/// Merges lists that come from files. Each conflict is reported with the names of both files, and `place` before its path: as a failure,
/// or as a note if one of the lists is preferred.
pub(super) fn join(
    named: &[(String, Changes)],
    prefer: Option<&str>,
    place: &str,
    outcome: &mut Outcome,
) -> Option<Changes> {
    let conflict = EditErrorKind::Conflict { other: worldview::Path::new() }.code();
    let mut order: Vec<_> = named.iter().collect();
    let preferred = prefer.and_then(|prefer| named.iter().position(|(name, _)| name == prefer));
    preferred.into_iter().for_each(|first| order.swap(0, first));
    let (mut all, mut is_done) = (Changes::new(), true);
    for (number, (name, list)) in order.iter().enumerate() {
        let name = Path::new(name);
        let failure = |code, why| Failure::coded(code, format!("{place}{why}"));
        let mut list = Cow::Borrowed(list);
        loop {
            let conflicts = match all.merge(&list) {
                Ok(()) => break,
                Err(MergeError::Conflicts(conflicts)) => conflicts,
                Err(MergeError::Malformed(error)) => {
                    is_done = false;
                    outcome.input_failed(name, &failure(error.kind.code(), error.to_string()));
                    break;
                }
            };
            // Only a conflict with the preferred file is settled.
            let is_settled =
                |found: &&MergeConflict| preferred.is_some() && order[0].1.iter().any(|one| *one == found.left);
            let (settled, open): (Vec<_>, Vec<_>) = conflicts.iter().partition(is_settled);
            for found in &open {
                let before = order.iter().take(number).find(|(_, list)| list.iter().any(|one| *one == found.left));
                let before = before.map_or("another file", |(name, _)| name.as_str());
                outcome.input_failed(name, &failure(conflict, format!("conflicts with {before}: {found}")));
            }
            if !open.is_empty() {
                is_done = false;
                break;
            }
            for found in &settled {
                outcome.note(name, &format_args!("{place}{found}; that of {} is kept", order[0].0));
            }
            let is_kept = |change: &&Change| conflicts.iter().all(|one| one.right != **change);
            list = Cow::Owned(list.iter().filter(is_kept).cloned().collect());
        }
    }
    is_done.then_some(all)
}
