//! Inverting and merging files of changes.

use std::io::{self, Write as _};
use std::path::Path;

use worldview_edit::Changes;
use worldview_export::csv::CsvStyle;

use super::edit::undo;
use crate::args::{ChangesArgs, ChangesVerb, Replace};
use crate::changes;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::table;

pub(crate) fn changes(args: &ChangesArgs, run: &mut Run) -> io::Result<()> {
    let mut outcome = Outcome::default();
    let (made, (out, replace)) = match &args.verb {
        ChangesVerb::Invert { file, original, out, overwrite } => {
            (invert(file, original.as_deref(), &mut outcome), (out, *overwrite))
        }
        ChangesVerb::Merge { files, out, overwrite } => (merge(files, &mut outcome), (out, *overwrite)),
    };
    let file = match &args.verb {
        ChangesVerb::Invert { file, .. } => table::path(file),
        ChangesVerb::Merge { files, .. } => files.first().map(|file| table::path(file)).unwrap_or_default(),
    };
    run.absorb(&file, outcome, 0);
    let Some(made) = made else { return Ok(()) };
    print(&made, out.as_deref(), replace, run)
}

/// Writes changes to a file, or to standard output.
pub(super) fn print(changes: &Changes, out: Option<&Path>, replace: Replace, run: &mut Run) -> io::Result<()> {
    let Some(path) = out.filter(|out| out.as_os_str() != "-") else {
        let json = changes.to_json().map_err(io::Error::other)?;
        let mut out = run.stdout(CsvStyle::default(), false);
        out.write_all(json.as_bytes())?;
        return out.flush();
    };
    if let Err(error) = changes::write(path, changes, replace) {
        run.broken(&table::path(path), &format_args!("cannot be written: {error}"));
    }
    Ok(())
}

fn read(path: &Path, outcome: &mut Outcome) -> Option<Changes> {
    changes::read(path).map_err(|error| outcome.input_failed(path, &error)).ok()
}

fn invert(file: &Path, original: Option<&Path>, outcome: &mut Outcome) -> Option<Changes> {
    let changes = read(file, outcome)?;
    match original {
        Some(original) => undo(original, &changes, outcome),
        None => changes.invert().map_err(|error| outcome.input_failed(file, &error)).ok(),
    }
}

fn merge(files: &[impl AsRef<Path>], outcome: &mut Outcome) -> Option<Changes> {
    let lists: Vec<_> = files.iter().filter_map(|file| read(file.as_ref(), outcome)).collect();
    if lists.len() < files.len() {
        return None;
    }
    let named: Vec<_> = files.iter().map(|file| table::path(file.as_ref())).zip(lists).collect();
    join(&named, |name, why| outcome.input_failed(Path::new(name), &why))
}

/// Merges lists that come from files. Each conflict is reported with the names of both files.
pub(super) fn join(named: &[(String, Changes)], mut report: impl FnMut(&str, String)) -> Option<Changes> {
    let mut all = Changes::new();
    let mut is_done = true;
    for (number, (name, list)) in named.iter().enumerate() {
        match all.clone().merge(list.clone()) {
            Ok(merged) => all = merged,
            Err(conflicts) => {
                is_done = false;
                for conflict in conflicts {
                    let before =
                        named.iter().take(number).find(|(_, list)| list.iter().any(|one| *one == conflict.left));
                    let before = before.map_or("another list", |(name, _)| name.as_str());
                    report(name, format!("conflicts with {before}: {conflict}"));
                }
            }
        }
    }
    is_done.then_some(all)
}
