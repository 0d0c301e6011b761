//! Damaged files, written again as valid ones.

use std::path::{Path, PathBuf};

use worldview::Severity;
use worldview_edit::codes;

use super::edit::{findings, out_of, put};
use crate::inputs::{self, Inputs, OpenInput};
use crate::open::{Files, Reach};
use crate::options::{OpenOptions, RepairOptions};
use crate::outcome::Outcome;
use crate::output::check_folder;
use crate::report::{self, Failure, Report, Result};
use crate::run::Run;
use crate::table;

codes! {
    /// The codes of what a repair leaves.
    pub(crate) LOSSES {
        STILL_DAMAGED = "still-damaged": "the repaired file still has a fatal finding that cannot be repaired",
    }
}

/// Maximum number of findings of a repaired file that are printed.
const MAX_LISTED: usize = 20;

/// How many files there was nothing to repair in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairCounts {
    /// Files without damage that can be repaired.
    pub valid: u64,
}

/// Restores what can be derived from the rest of damaged files. A file that goes to `-` is written to standard output.
///
/// # Errors
///
/// Returns an error if the options cannot be used.
pub fn repair(paths: &[PathBuf], args: &RepairOptions, run: &mut Run<'_>) -> Result<Report<RepairCounts>> {
    let open = OpenOptions { recover: true, ..args.open.clone() };
    let asked = Inputs { paths, open: &open };
    let is_one = asked.is_one();
    if let Some(out) = args.out.as_deref().filter(|_| !is_one) {
        check_folder(out)?;
    }
    // What is written is not read again.
    run.exclude = args.out.as_deref().filter(|_| !is_one).and_then(|out| out.canonicalize().ok());
    let inputs: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let mut counts = RepairCounts::default();
    let files = Files::new(&open, 1)?;
    let look = |look: OpenInput<'_>, ()| one((args, &files), is_one, &inputs, look);
    let take = |is_repaired: Option<bool>, run: &mut Run<'_>| {
        run.count_done(is_repaired == Some(true));
        counts.valid += u64::from(is_repaired == Some(false));
        Ok(())
    };
    inputs::each(asked, run, |_| (), look, take)?;
    Ok(run.end("repair", counts))
}

/// Repairs a file. Returns whether there was anything to repair, or `None` if that failed, which has then been reported.
fn one(
    (args, files): (&RepairOptions, &Files<'_>),
    is_one: bool,
    inputs: &[&Path],
    look: OpenInput<'_>,
) -> Option<bool> {
    let OpenInput { input, format, bytes, outcome } = look;
    if !input.inside.is_empty() {
        // What else is wrong with the file is repaired, or reported below.
        let mut found = Outcome::default();
        files.each(&mut OpenInput { input, format, bytes, outcome: &mut found }, Reach::REPAIR, &mut |_, _| {});
        if found.code_since(0).is_some_and(|code| [report::MISSING.name, report::TOO_DEEP.name].contains(&code)) {
            outcome.append(found);
            outcome.nothing_done = true;
            return None;
        }
    }
    let (patches, mut account) = match worldview_edit::repair(format, bytes) {
        Ok(repaired) => repaired,
        Err(error) => {
            outcome.nothing_done = true;
            return outcome.nothing(&input.path, &error);
        }
    };
    if patches.is_empty() {
        return Some(false);
    }
    account.entries_mut().for_each(|entry| entry.place.file = table::path(&input.path));
    outcome.account.append(account);
    let made = patches.to_vec();
    let left = findings(&args.open.to_options(), &made, &inputs::last_name(&input.path), Severity::Fatal);
    for text in left.keys().take(MAX_LISTED) {
        let text = format!("is still damaged: {text}");
        outcome.input_failed(&input.path, &Failure::coded(STILL_DAMAGED, text));
    }
    let Some(named) = args.out.as_deref().filter(|_| !args.preview.dry_run) else { return Some(true) };
    let out = match is_one {
        true => out_of(Some(named), input).unwrap_or_default(),
        false => named.join(&input.source),
    };
    let inputs = [inputs, &[&input.path]].concat();
    put((&out, named), &inputs, args.overwrite, &made, outcome).map(|()| true)
}
