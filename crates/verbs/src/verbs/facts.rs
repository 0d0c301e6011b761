//! `info` and `list`: the facts about files.

use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::PathBuf;

use worldview::Kind;
use worldview::facts::{Audience, COLUMNS, Facts, Subject};
use worldview_import::nearest;

use crate::inputs::{self, Inputs, OpenInput};
use crate::open::{Files, Reach};
use crate::options::{ListOptions, OpenOptions};
use crate::report::{Error, Report, Result};
use crate::run::Run;
use crate::table;

/// Calls `make`, on any thread, with the path and the facts of each part that a path names: a file, a member of an archive, a record. Calls
/// `take` with the results, in the order of the inputs.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `make` or `take` returns one.
pub fn info<T: Send>(
    paths: &[PathBuf],
    open: &OpenOptions,
    audience: Audience,
    run: &mut Run<'_>,
    make: impl Fn(&str, Facts) -> io::Result<T> + Sync,
    take: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Report> {
    let inputs = Inputs { paths, open };
    let files = Files::new(open, inputs.threads_inside(run))?;
    let asked = Asked { inputs, audience, is_list: false };
    let look = |look: OpenInput<'_>, ()| asked.one(&files, look, &make);
    inputs::each(inputs, run, |_| (), look, |made, _| made?.into_iter().try_for_each(&mut *take))?;
    Ok(run.end("info", ()))
}

/// Calls `take` with the facts about each level, table, archive and database, also of those in archives.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `take` returns one.
pub fn list(
    paths: &[PathBuf],
    args: &ListOptions,
    audience: Audience,
    run: &mut Run<'_>,
    take: &mut dyn FnMut(Facts) -> io::Result<()>,
) -> Result<Report> {
    let column = args.sort.as_deref().map(|name| column(name.strip_prefix('-').unwrap_or(name))).transpose()?;
    let is_reverse = args.sort.as_deref().is_some_and(|name| name.starts_with('-'));
    let inputs = Inputs { paths, open: &args.open };
    let files = Files::new(&args.open, inputs.threads_inside(run))?;
    // The order is that of a sheet.
    let audience = if column.is_some() { audience | Audience::SHEET } else { audience };
    let asked = Asked { inputs, audience, is_list: true };
    let look = |look: OpenInput<'_>, ()| asked.one(&files, look, &|_, facts| Ok(facts));
    let mut all = Vec::new();
    let keep = |made: io::Result<Vec<Facts>>, run: &mut Run<'_>| {
        let made = made?;
        run.count_done(!made.is_empty());
        if column.is_none() {
            return made.into_iter().try_for_each(&mut *take);
        }
        all.extend(made);
        Ok(())
    };
    inputs::each(inputs, run, |_| (), look, keep)?;
    let sorted = column.map(|column| sorted(all, column, is_reverse));
    sorted.into_iter().flatten().try_for_each(take)?;
    Ok(run.end("list", ()))
}

/// Returns the number of a column that a list is sorted by.
fn column(name: &str) -> Result<usize> {
    COLUMNS.iter().position(|column| *column == name).ok_or_else(|| {
        let meant = nearest::meant(name, COLUMNS.iter().copied());
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
        Error::refused("--sort", &format_args!("the columns are {}{meant}", COLUMNS.join(", ")))
    })
}

/// The request of either verb.
struct Asked<'r> {
    inputs: Inputs<'r>,
    audience: Audience,
    is_list: bool,
}

impl Asked<'_> {
    /// Returns what `make` makes of the facts about an input and what is in it.
    fn one<T>(
        &self,
        files: &Files<'_>,
        mut look: OpenInput<'_>,
        make: &impl Fn(&str, Facts) -> io::Result<T>,
    ) -> io::Result<Vec<T>> {
        let mut all = Vec::new();
        let is_text = self.audience == Audience::TEXT;
        let modified = if self.is_list { fs::metadata(&look.input.path).ok() } else { None };
        let modified = modified.and_then(|metadata| metadata.modified().ok());
        let reach = if self.is_list { Reach::LIST } else { Reach::INFO };
        files.look(&mut look, reach, &mut |visit, outcome| {
            let events = outcome.events.len();
            if self.is_list {
                visit.say_left_out(outcome);
            }
            let problem = outcome.code_since(events);
            let world = visit.world();
            let only = world.and_then(|world| visit.only(world, outcome));
            if world.is_some() && only.is_none() {
                return Ok(());
            }
            if !self.is_list {
                visit.say_left_out(outcome);
            }
            let is_asked = !self.inputs.open.only.is_empty() || !visit.input.inside.is_empty();
            let refusal = match visit.part.kind(visit.at) {
                Kind::Data if self.is_list => "is a member that is not in a known format",
                Kind::Record | Kind::Data if !is_text => "is neither a table nor an archive; use `worldview show`",
                // An archive can have thousands, so its own are only listed on request.
                Kind::Picture if self.is_list && visit.file.is_some() && !is_asked => {
                    return Ok(());
                }
                _ => "",
            };
            if !refusal.is_empty() {
                outcome.input_failed(visit.path, &refusal);
                return Ok(());
            }
            let path = table::path(visit.path);
            let (encoding, contents) = (self.inputs.open.encoding, world.map(|world| world.contents));
            let subject = Subject::new(visit.part, visit.at);
            let subject = Subject { path: path.clone(), encoding, modified, problem, contents, ..subject };
            let mut facts = subject.facts(self.audience);
            if let Some((world, only)) = world.zip(only) {
                let name = |index| world.database.world(index).map_or(&[][..], |world| world.name.text());
                facts.retain("worlds", |index| only.wants_world(index, name(index)));
                facts.retain("blobs", |index| only.wants_blob(world.database, index));
            }
            all.push(make(&path, facts)?);
            Ok(())
        })?;
        Ok(all)
    }
}

/// Sorts by a column: first nothing, then numbers by value, then other texts without regard to case.
fn sorted(all: Vec<Facts>, column: usize, is_reverse: bool) -> Vec<Facts> {
    let mut all: Vec<_> = all.into_iter().map(|facts| (facts.sheet().swap_remove(column), facts)).collect();
    all.sort_by(|(left, _), (right, _)| {
        let order = compare(left, right);
        if is_reverse { order.reverse() } else { order }
    });
    all.into_iter().map(|(_, facts)| facts).collect()
}

fn compare(left: &str, right: &str) -> Ordering {
    let number = |text: &str| text.parse::<f64>().ok();
    let rank = |text: &str| if text.is_empty() { 0 } else { 1 + u8::from(number(text).is_none()) };
    rank(left).cmp(&rank(right)).then_with(|| match (number(left), number(right)) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        _ => left.to_lowercase().cmp(&right.to_lowercase()),
    })
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn cells_have_one_order() {
        let mut cells = ["b", "10", "1a", "", "9", "A", "-2.5"];
        cells.sort_by(|left, right| compare(left, right));
        assert_eq!(cells, ["", "-2.5", "9", "10", "1a", "A", "b"]);
    }
}
