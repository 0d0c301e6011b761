use std::io;

use worldview::Loader;
use worldview_edit::{Change, Changes, EditErrorKind};

use super::edit::{self, Job, Original, Plan};
use crate::args::SetArgs;
use crate::assignment::Assignment;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::table;

pub(crate) fn set(args: &SetArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let Some(found) = edit::inputs_of(&args.file, &args.to, run) else { return Ok(()) };
    if args.file.is_dir() {
        run.failed(&table::path(&args.file), &"is a folder; `set` edits one file");
        return Ok(());
    }
    let jobs = found.into_values().map(|input| {
        let out = edit::out_of(args.to.out.as_deref(), &input);
        Job { input, out, source: () }
    });
    edit::edit("set", &args.to, jobs.collect(), false, loader, run, |(), original, outcome| {
        let (planned, patches) = plan(&args.assignments, original, outcome)?;
        // What is printed says what was there before, so that it can be undone.
        let printed = patches.as_ref().filter(|_| args.to.dry_run).and_then(|patches| original.to(&patches.to_vec()));
        Some((printed.unwrap_or(planned), patches))
    })
}

/// Reads each value as the type that its field has: as long as a field holds another type, its text is read as the next one.
fn plan<'o>(assignments: &[Assignment], original: &Original<'o>, outcome: &mut Outcome) -> Option<Plan<'o>> {
    let prefix = original.prefix();
    let mut choices = vec![0; assignments.len()];
    let mut first = None;
    loop {
        let changes = assignments.iter().zip(&choices).filter_map(|(assignment, choice)| {
            Some(Change::set(assignment.path.clone(), assignment.values.get(*choice)?.clone()))
        });
        let changes = changes.collect::<Changes>().prefixed(&prefix);
        let error = match original.apply(&changes) {
            Ok(patches) => return Some((changes.into(), Some(patches))),
            Err(error) => error,
        };
        let wrong = changes.iter().position(|change| *change.path() == error.path);
        let next = wrong.filter(|_| matches!(error.kind, EditErrorKind::WrongType { .. })).and_then(|wrong| {
            let choice = choices.get_mut(wrong)?;
            *choice += 1;
            (*choice < assignments.get(wrong)?.values.len()).then_some(wrong)
        });
        let error = first.take().filter(|(place, _)| *place == wrong).map_or(error, |(_, error)| error);
        if next.is_none() {
            outcome.input_failed(&original.input.path, &error);
            return None;
        }
        first = Some((wrong, error));
    }
}
