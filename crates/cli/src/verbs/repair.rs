//! Damaged files, written again as valid ones.

use std::io;
use std::path::{Path, PathBuf};

use worldview::{Loader, Severity};
use worldview_edit::codes;
use worldview_export::csv::CsvStyle;

use super::edit::findings;
use crate::args::RepairArgs;
use crate::inputs::{self, OpenInput};
use crate::outcome::At;
use crate::output::Target;
use crate::report::{Head, OutputReport};
use crate::run::Run;
use crate::sheet;
use crate::table::{self, counted};

codes! {
    /// The codes of what a repair leaves.
    pub(crate) LOSSES {
        STILL_DAMAGED = "still-damaged": "the repaired file still has a fatal finding that cannot be repaired",
    }
}

/// Maximum number of findings of a repaired file that are printed.
const MAX_LISTED: usize = 20;

pub(crate) fn repair(args: &RepairArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let is_one = inputs::is_one(&args.input);
    // What is written is not read again.
    run.exclude = args.out.as_deref().filter(|_| !is_one).and_then(|out| out.canonicalize().ok());
    let inputs: Vec<&Path> = args.input.paths.iter().map(PathBuf::as_path).collect();
    let mut input = args.input.clone();
    input.open.recover = true;
    let (mut repaired, mut valid) = (0_u64, 0_u64);
    let look = |look: OpenInput<'_>, ()| one(args, is_one, &inputs, look);
    let take = |is_repaired: Option<bool>, _: &mut Run| {
        repaired += u64::from(is_repaired == Some(true));
        valid += u64::from(is_repaired == Some(false));
        Ok(())
    };
    inputs::each(&input, loader, run, |_| (), look, take)?;
    let mut out = run.stdout(CsvStyle::default(), false);
    if args.format.is_some() {
        sheet::json(&mut out, &Head::of("repair", run))?;
    }
    let would = if args.dry_run { "would be " } else { "" };
    run.sum_up(
        "looked at",
        &format!(": {} {would}repaired, {valid} without such damage", counted(repaired, "file")),
        true,
    );
    Ok(())
}

/// Repairs a file. Returns whether there was anything to repair, or `None` if that failed, which has then been reported.
fn one(args: &RepairArgs, is_one: bool, inputs: &[&Path], look: OpenInput<'_>) -> Option<bool> {
    let OpenInput { input, format, bytes, outcome } = look;
    let (patches, account) = match worldview_edit::repair(format, bytes) {
        Ok(repaired) => repaired,
        Err(error) => {
            outcome.input_failed(&input.path, &error);
            outcome.nothing_done();
            return None;
        }
    };
    if patches.is_empty() {
        return Some(false);
    }
    let mut account = account;
    account.entries_mut().for_each(|entry| entry.place.file = table::path(&input.path));
    outcome.account.append(account);
    let made = patches.to_vec();
    let left = findings(&inputs::options(&args.input.open), &made, &inputs::last_name(&input.path), Severity::Fatal);
    for text in left.keys().take(MAX_LISTED) {
        let text = format!("is still damaged: {text}");
        outcome.input_failed(&input.path, &At::coded(STILL_DAMAGED, text));
    }
    let Some(named) = args.out.as_deref().filter(|_| !args.dry_run) else { return Some(true) };
    let out = match is_one {
        true => super::edit::out_of(Some(named), input).unwrap_or_default(),
        false => named.join(&input.source),
    };
    let written = Target::of(&out, named, &[inputs, &[&input.path]].concat(), args.overwrite);
    let written = written.and_then(|target| target.write(&mut io::stdout(), |out| out.write_all(&made)));
    match written {
        Ok(()) => {
            outcome.outputs.push(OutputReport::written(table::path(&out), made.len() as u64));
            Some(true)
        }
        Err(error) => {
            outcome.cannot_write(&out, &error);
            None
        }
    }
}
