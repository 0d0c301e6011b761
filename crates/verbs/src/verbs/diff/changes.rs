//! The differences between two files or folders, as changes for `apply`.

use std::io;
use std::path::Path;
use std::sync::Arc;

use worldview::bulk::Bulk;
use worldview::wpd::Archive;
use worldview::{Bytes, Format};
use worldview_edit::account::{Account, Column, Entry};
use worldview_edit::{Changes, EditError, LAYOUT, Planned};
use worldview_export::table::label;
use worldview_import::build::NOT_A_MEMBER;
use worldview_import::members;

use super::{OneSided, Pair, Sides, absorb};
use crate::inputs::{self, Input, OpenInput, Opened};
use crate::mods::{Head, Mod};
use crate::open::{Files, Reach};
use crate::options::DiffOptions;
use crate::outcome::Outcome;
use crate::read::{Room, SourceKind, digest};
use crate::report::{Error, Failure, Report, Result};
use crate::run::Run;
use crate::table;
use crate::verbs::changes::print;
use crate::verbs::edit::{between, options};

/// How many files [`diff_changes`] compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeCounts {
    /// Files with the same content.
    pub same: u64,
    /// Files with another content.
    pub changed: u64,
    /// Changes in all of them.
    pub changes: u64,
}

/// Writes the changes that turn one file or folder into another, for [`apply`](crate::apply): to what the option `out` names, or to
/// `standard`. The report is [negative](Report::is_negative) if there is a difference.
///
/// # Errors
///
/// Returns an error if the sides cannot be compared or the options cannot be used, or if `standard` cannot be written to.
pub fn diff_changes(
    left: &Path,
    right: &Path,
    options: &DiffOptions,
    run: &mut Run<'_>,
    standard: &mut dyn io::Write,
) -> Result<Report<ChangeCounts>> {
    let sides = Sides::new(left, right, options, run)?;
    let is_folder = inputs::is_many(left);
    // Many files are one mod, if they do not get a file each.
    let out = options.out.as_deref().filter(|out| out.as_os_str() != "-");
    let is_mod = out.map_or(is_folder, Mod::is_named);
    if !is_mod && options.about.is_some() {
        return Err(Error::refused("--about", &"is for mods: `-o NAME.ndjson`, or several files without -o"));
    }
    let pairs = sides.pairs(run);
    let threads = if pairs.len() < 2 { 1 } else { run.threads };
    let stop = Arc::clone(&run.stop);
    let mut lone = <[OneSided; 2]>::default();
    let (mut counts, mut made) = ([0_u64; 3], Mod { head: options.about.clone().map(Head::new), ..Mod::default() });
    Bulk::new(sides.loader).threads(threads).window(2 * threads).cancel(&stop).ordered(
        pairs,
        <(Vec<u8>, Vec<u8>)>::default,
        |(way, pair), buffers| {
            let mut outcome = Outcome::default();
            let (bytes, file) = one(&sides, &pair, buffers, &mut outcome);
            let path = pair.right.as_ref().or(pair.left.as_ref()).map(Input::shown).unwrap_or_default();
            // Which files there are is not a matter of changes.
            let is_lone = bytes > 0 && pair.left.is_some() != pair.right.is_some() && !outcome.has_failed();
            let side = is_lone.then_some(usize::from(pair.left.is_none()));
            // A single file has no path below the folder, and outside of a mod it needs none.
            let left = pair.archive.or(pair.left);
            let way = left.as_ref().filter(|_| is_mod && !is_folder).map_or(way, |left| left.source.clone());
            (way, left, path, side, (bytes, file), outcome)
        },
        |(way, left, path, side, (bytes, changes), mut outcome)| {
            if let Some(changes) = changes {
                run.count_done(true);
                counts[usize::from(!changes.is_empty())] += 1;
                counts[2] += changes.len() as u64;
                if !changes.is_empty() {
                    outcome.is_negative = true;
                }
                // Members of one archive are changes of one file.
                if !changes.is_empty() || !is_folder {
                    let file = made.files.entry(way).or_default();
                    file.changes.extend(changes);
                    if let Some(left) = left.filter(|_| is_mod && file.original.is_none()) {
                        let found = digest(&left.path).map_err(|error| outcome.input_failed(&left.path, &error));
                        file.original = found.ok();
                    }
                }
            } else if outcome.has_failed() {
                outcome.nothing_done = true;
            } else if let Some(side) = side {
                lone[side].add([sides.left, sides.right][side], &path);
            }
            absorb(run, &path, outcome, bytes);
        },
    );
    for (lone, folder) in lone.iter().zip([sides.left, sides.right]) {
        lone.said("here, and not in the changes").into_iter().for_each(|said| run.note(&table::path(folder), &said));
    }
    let [same, changed, changes] = counts;
    // A list that lacks files because the run was stopped, or because a side cannot be read, is no list of the changes.
    let is_usable = !run.is_canceled() && (same + changed > 0 || run.report.failures.is_empty());
    if is_usable && (is_mod || is_folder || made.list().is_some()) {
        print(&made, out, options.overwrite, run, standard)?;
    }
    Ok(run.end("diff", ChangeCounts { same, changed, changes }))
}

/// Compares two files. Returns how many bytes they have, and the changes of the left one if they can be compared. The member
/// of a mod is a part of its archive.
fn one(
    sides: &Sides<'_>,
    pair: &Pair,
    buffers: &mut (Vec<u8>, Vec<u8>),
    outcome: &mut Outcome,
) -> (u64, Option<Changes>) {
    if let Some(archive) = &pair.archive {
        return member(sides, (archive, pair), &mut buffers.0, outcome);
    }
    let (left, right, _) = pair.open(sides, buffers, outcome);
    let bytes = [&left, &right].into_iter().flatten().map(|(_, bytes)| bytes.len() as u64).sum();
    let (Some(left_input), Some(right_input)) = (&pair.left, &pair.right) else { return (bytes, None) };
    let (Some((left_format, left)), Some((right_format, right))) = (left, right) else { return (bytes, None) };
    if left_format != right_format {
        return (bytes, outcome.nothing(&right_input.path, &"has another format than the file it is compared with"));
    }
    let left_part = part(&sides.files, left_input, (left_format, &left), outcome);
    let right_part = part(&sides.files, right_input, (right_format, &right), outcome);
    let changes = match (left_part, right_part) {
        (Some(left), Some(right)) if left.format != right.format => {
            Err(EditError::malformed(None, "has another format than the part it is compared with"))
        }
        (Some(Part { format, bytes, name }), Some(right)) => {
            between(format, (bytes, right.bytes), (sides.files.schemas.as_ref(), &name))
        }
        _ => return (bytes, None),
    };
    let changes = match changes {
        Ok(Planned { changes, account }) => {
            left_out(account, right_input, outcome);
            Some(changes)
        }
        Err(error) => outcome.nothing(&right_input.path, &error),
    };
    let is_there = inputs::still_there(left_input, &left, outcome) && inputs::still_there(right_input, &right, outcome);
    (bytes, changes.filter(|_| is_there))
}

/// Returns the changes that give an archive the member that a mod has beside it.
fn member(
    sides: &Sides<'_>,
    (archive, pair): (&Input, &Pair),
    buffer: &mut Vec<u8>,
    outcome: &mut Outcome,
) -> (u64, Option<Changes>) {
    let Some(right) = &pair.right else { return (0, None) };
    let bytes = match inputs::open(sides.loader, archive, &sides.options.open, buffer, outcome) {
        Opened::Ours(Format::Wpd, bytes) => bytes,
        Opened::Ours(..) | Opened::Theirs(_) => {
            let why = format_args!("is for a member of {}, which is not a WPD archive", table::path(&archive.path));
            outcome.input_failed(&right.path, &why);
            return (0, None);
        }
        Opened::Failed(_) => return (0, None),
        Opened::StdinFailed(error) => {
            outcome.input_failed(Path::new("standard input"), &error);
            return (0, None);
        }
    };
    let name = inputs::last_name(&right.path);
    let folder = right.path.parent().unwrap_or(&right.path);
    let new = Room::default()
        .read_in(folder, &right.path, SourceKind::Data)
        .map_err(|error| EditError::malformed(None, error.to_string()));
    let planned = new.and_then(|new| {
        let options = members::Options::default().tables(options(sides.files.schemas.as_ref(), ""));
        members::members(&Archive::parse(&bytes)?, [(name.as_bytes(), &new[..])], &options)
    });
    let changes = planned.map_err(|error| outcome.input_failed(&right.path, &error)).ok().map(|planned| {
        left_out(planned.account, right, outcome);
        planned.changes
    });
    (bytes.len() as u64, changes)
}

/// Reports the differences that the changes leave: those of the content are failures. New members are changes.
fn left_out(mut account: Account, right: &Input, outcome: &mut Outcome) {
    account.entries_mut().for_each(|entry| entry.place.file = right.shown());
    let is_meant = |entry: &&Entry| entry.code == LAYOUT || entry.code == NOT_A_MEMBER;
    for entry in account.entries().filter(|entry| !is_meant(entry) && entry.column != Column::Done) {
        let at = if entry.path.is_empty() { String::new() } else { format!("{}: ", entry.path) };
        let text = format!("a difference is not in the changes: {at}{}", entry.message);
        outcome.input_failed(&right.path, &Failure::coded(entry.code, text));
    }
    account.entries().filter(is_meant).for_each(|entry| outcome.account.push(entry.clone()));
}

/// A file, or what an input names in one.
struct Part<'b> {
    format: Format,
    bytes: &'b [u8],
    name: String,
}

/// Returns what an input names. Reports why it has no changes of its own.
fn part<'b>(
    files: &Files<'_>,
    input: &Input,
    (format, bytes): (Format, &'b Bytes<'_>),
    outcome: &mut Outcome,
) -> Option<Part<'b>> {
    if input.inside.is_empty() {
        return Some(Part { format, bytes, name: inputs::last_name(&input.path) });
    }
    let mut found = Vec::new();
    let mut look = OpenInput { input, format, bytes, outcome: &mut *outcome };
    files.each(&mut look, Reach::CHANGES, &mut |visit, outcome| {
        let (source, name, format) = match (visit.member, visit.file) {
            (Some(member), _) => (member.source(), label(&member), Some(Format::Wpd)),
            (_, Some(file)) => {
                let name = String::from_utf8_lossy(&file.file_name()).into_owned();
                let format = Format::sniff(file.data()).or(Format::of_file_name(&name));
                (file.source(), name, format)
            }
            _ => {
                let why = "is a directory; compare the archives, or files in them";
                return outcome.input_failed(visit.path, &why);
            }
        };
        match format {
            Some(format) => found.push((source.base(), source.len(), name, format)),
            None => outcome.input_failed(visit.path, &"is not in a known format; compare the archives"),
        }
    });
    if found.len() > 1 {
        return outcome
            .nothing(&input.path, &"leads to several parts of the file; compare the archives, or one of them");
    }
    let (base, len, name, format) = found.pop()?;
    let (base, len) = (usize::try_from(base).ok()?, usize::try_from(len).ok()?);
    Some(Part { format, bytes: bytes.get(base..base.checked_add(len)?)?, name })
}
