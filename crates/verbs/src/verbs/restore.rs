//! The newest backup of a file, put back, and the last edits of a folder, taken back.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use same_file::is_same_file;
use worldview_edit::codes;

use crate::inputs;
use crate::interrupt;
use crate::options::RestoreOptions;
use crate::outcome::Outcome;
use crate::output::{Backups, EditLog, EditRecord, backups, backups_in, held};
use crate::read::{LEADS_OUT, copy, digest, leads_out};
use crate::report::{Error, Failure, Report};
use crate::run::Run;
use crate::table;

codes! {
    /// The codes of edits that are not taken back.
    pub(crate) KEPT {
        CHANGED_SINCE = "changed-since": "the file was changed, moved or removed after the edit that is to be taken back, and stays as it is",
        NO_BACKUP = "no-backup": "no backup of the file is what it was before the edit, so it stays as it is",
    }
}

/// What became of the edits of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestoreCounts {
    /// Whether a run over a folder was taken back, and not the backup of a file put back.
    pub is_folder: bool,
    /// How many files had not been edited, or were restored before.
    pub there: u64,
    /// How many earlier runs could be taken back next.
    pub earlier: u64,
}

/// Puts the newest backup of a file back; the file that it replaces becomes the next backup. Of a folder, takes back what the last run over
/// it edited in place, except for files that were changed since.
pub fn restore(path: &Path, options: &RestoreOptions, run: &mut Run<'_>) -> Report<RestoreCounts> {
    if let Err(Error::Failed(failure)) = inputs::check_case(path) {
        run.fail(*failure);
        return run.end("restore", RestoreCounts::default());
    }
    let path = &*inputs::spelled(path);
    if path.is_dir() {
        let counts = last_run(path, options.preview.dry_run, run);
        return run.end("restore", counts);
    }
    let mut outcome = Outcome::default();
    let newest = path.canonicalize().and_then(|file| Ok((newest(&file)?, file)));
    match newest.and_then(|(newest, file)| Ok((put_back(&file, &newest, None, options.preview.dry_run)?, newest))) {
        Ok((kept, newest)) => {
            run.count_done(true);
            let what = match kept {
                Some(kept) => format!("restored from {}; the previous version is {}", name(&newest), name(&kept)),
                None => format!("would be restored from {}", name(&newest)),
            };
            outcome.note(path, &what);
        }
        Err(error) => {
            outcome.input_failed(path, &error);
            outcome.nothing_done = true;
        }
    }
    run.absorb(&table::path(path), outcome, 0);
    run.end("restore", RestoreCounts::default())
}

fn name(path: &Path) -> String {
    table::path(Path::new(path.file_name().unwrap_or_default()))
}

/// Returns the newest backup of a file.
fn newest(file: &Path) -> io::Result<PathBuf> {
    let none = || io::Error::other("has no backup: neither NAME.bak nor NAME.bak1 and so on");
    // A run that was killed here has left a second name of the file itself.
    // To compare a pipe would wait for somebody to write to it.
    let is_same = |backup: &Path| backup.is_file() && is_same_file(backup, file).unwrap_or(false);
    let mut backups = backups(file)?.into_iter().rev().map(|(_, backup)| backup);
    backups.find(|backup| !is_same(backup)).ok_or_else(none)
}

/// Replaces a file by a backup, if it still is what was `read`. Returns the path of the backup that it becomes itself; `None` in a dry run.
fn put_back(file: &Path, backup: &Path, read: Option<&(u64, String)>, dry: bool) -> io::Result<Option<PathBuf>> {
    if dry {
        return Ok(None);
    }
    let held = held(file, |out| copy(backup, out))?;
    interrupt::check()?;
    held.replace(read).map(Some)
}

/// Takes back the last run that edited files of a folder in place.
fn last_run(folder: &Path, dry: bool, run: &mut Run<'_>) -> RestoreCounts {
    let mut counts = RestoreCounts { is_folder: true, ..RestoreCounts::default() };
    let mut outcome = Outcome::default();
    let fail = |why: &dyn Display, mut outcome: Outcome, run: &mut Run<'_>| {
        outcome.input_failed(folder, &format_args!("{why}"));
        outcome.nothing_done = true;
        run.absorb(&table::path(folder), outcome, 0);
    };
    let mut earlier = match EditLog::read(folder) {
        Ok(records) => records,
        Err(error) => {
            fail(&error, outcome, run);
            return counts;
        }
    };
    if earlier.is_empty() {
        fail(&format_args!("has no {}, so no edit of the folder can be taken back", EditLog::NAME), outcome, run);
        return counts;
    }
    let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (relative, input) in inputs::files(folder, &[], &mut outcome) {
        files.entry(table::path(&relative)).or_default().push(input.path);
    }
    // A file in a folder that cannot be searched may be there the next time.
    let is_searched = !outcome.has_failed();
    if !is_searched {
        outcome.nothing_done = true;
        run.absorb(&table::path(folder), outcome, 0);
    }
    let (mut undone, mut kept, mut listed) = (Vec::new(), Vec::new(), Listed::new());
    while let Some(last) = earlier.last().map(|record| record.run.clone()) {
        let (last, before): (Vec<_>, _) = earlier.into_iter().partition(|record| record.run == last);
        earlier = before;
        // A run of which everything was kept already, and is again, is not in the way of the run before.
        let mut is_over = !last.iter().all(|record| record.is_kept);
        run.begin(last.len() as u64);
        for record in last {
            if run.is_canceled() {
                is_over = true;
                break;
            }
            let path = folder.join(&record.file);
            let mut outcome = Outcome::default();
            let found = files.get(&record.file).map_or(&[][..], Vec::as_slice);
            let is_undone = undo((folder, found), &record, &mut listed, dry, &mut outcome);
            run.count_done(is_undone == Some(true));
            counts.there += u64::from(is_undone == Some(false));
            outcome.nothing_done = is_undone.is_none();
            // Other failures may be gone the next time.
            let is_kept = outcome.code_since(0).is_some_and(|code| KEPT.iter().any(|kept| kept.name == code));
            let is_kept = is_undone.is_none() && is_kept && is_searched;
            is_over |= !is_kept;
            if is_undone.is_some() {
                undone.push(record);
            } else if is_kept {
                kept.push(record);
            }
            run.absorb(&table::path(&path), outcome, 0);
        }
        if is_over {
            break;
        }
    }
    if !dry && let Err(error) = EditLog::update(folder, &undone, &kept) {
        run.broken(&table::path(&folder.join(EditLog::NAME)), &error);
    }
    let mut runs: Vec<_> = earlier.into_iter().map(|record| record.run).collect();
    runs.dedup();
    counts.earlier = runs.len() as u64;
    counts
}

/// The backups in the folders that have been listed.
type Listed = HashMap<PathBuf, Backups>;

/// Takes an edit back. Returns whether there was anything to do, or `None` if the file stays as it is, which has then been reported.
fn undo(
    (folder, found): (&Path, &[PathBuf]),
    record: &EditRecord,
    listed: &mut Listed,
    dry: bool,
    outcome: &mut Outcome,
) -> Option<bool> {
    let EditRecord { file, original, edited, .. } = record;
    let path = folder.join(file);
    let digests: io::Result<Vec<_>> = found.iter().map(|path| digest(&path.canonicalize()?)).collect();
    let digests = digests.map_err(|error| outcome.input_failed(&path, &error)).ok()?;
    let Some((_, current)) = digests.iter().zip(found).find(|(digest, _)| *digest == edited) else {
        if digests.contains(original) {
            return Some(false);
        }
        let what = if found.is_empty() { "no longer exists" } else { "was changed since, and stays as it is" };
        return outcome.nothing(&path, &Failure::coded(CHANGED_SINCE, what.to_owned()));
    };
    if leads_out(current, folder) {
        return outcome.nothing(&path, &LEADS_OUT);
    }
    let undone = current.canonicalize().and_then(|file| {
        let is_original = |backup: &PathBuf| digest(backup).is_ok_and(|found| found == *original);
        let (folder, name) = (file.parent().unwrap_or(&file), file.file_name().unwrap_or_default());
        if !listed.contains_key(folder) {
            listed.insert(folder.into(), backups_in(folder)?);
        }
        let backups = listed.get(folder).and_then(|listed| listed.get(name.as_encoded_bytes()));
        let backup = backups.into_iter().flatten().rev().map(|(_, backup)| backup.clone()).find(is_original);
        let kept = backup.as_ref().map(|backup| put_back(&file, backup, Some(edited), dry)).transpose()?;
        Ok(backup.zip(kept))
    });
    match undone {
        Ok(Some((backup, None))) => outcome.note(&path, &format_args!("would be {} again", name(&backup))),
        Ok(Some(_)) => {}
        Ok(None) => {
            let what = "has no backup with its previous contents";
            return outcome.nothing(&path, &Failure::coded(NO_BACKUP, what.to_owned()));
        }
        Err(error) => {
            outcome.cannot_write(&path, &error);
            return None;
        }
    }
    Some(true)
}
