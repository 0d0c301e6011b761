mod changes;
mod diff_report;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use worldview::bulk::Bulk;
use worldview::wpd::{Archive, NameOrigin};
use worldview::{Asset, Bytes, Format, Kind, Loader, open};
use worldview_inspect::diff::{self, Change, Difference};
use worldview_inspect::{PathPattern, Root};

use crate::inputs::{self, Input, OpenInput, Opened};
use crate::mods::archive_of;
use crate::only;
use crate::open::{Files, Reach, Visit, again};
use crate::options::{DiffOptions, OpenOptions};
use crate::outcome::Outcome;
use crate::read::{Room, SourceKind};
use crate::report::{Error, Report, Result};
use crate::run::Run;
use crate::table;

pub use changes::{ChangeCounts, diff_changes};
pub use diff_report::{Compared, DifferenceReport};

/// How many files `diff` compared.
#[derive(Clone, Debug, Default)]
pub struct DiffCounts {
    /// Files with the same content.
    pub same: u64,
    /// Files with another content.
    pub changed: u64,
    /// Files that only the right side has.
    pub added: OneSided,
    /// Files that only the left side has.
    pub removed: OneSided,
}

/// The files that only one side has.
#[derive(Clone, Debug, Default)]
pub struct OneSided {
    /// How many there are.
    pub count: u64,
    /// The first ones.
    names: Vec<String>,
}

impl OneSided {
    const MAX_NAMED: usize = 3;

    /// Adds a file of a side.
    fn add(&mut self, side: &Path, path: &str) {
        self.count += 1;
        if self.names.len() <= Self::MAX_NAMED {
            let folder = table::path(&inputs::folder(side).unwrap_or_default());
            let name = path.strip_prefix(&*folder).unwrap_or(path);
            self.names.push(name.trim_start_matches('/').to_owned());
        }
    }

    /// Returns how many there are, and the names of the first: `1 file is only` in the folder that `place` names. Returns `None` if there
    /// are none.
    pub fn said(&self, place: &str) -> Option<String> {
        let are = if self.count == 1 { "is" } else { "are" };
        let names = table::some(self.names.iter().cloned(), Self::MAX_NAMED);
        (self.count > 0).then(|| format!("{} {are} only {place}: {names}", table::counted(self.count, "file")))
    }
}

/// The two sides, and how they are compared.
struct Sides<'s> {
    left: &'s Path,
    right: &'s Path,
    options: &'s DiffOptions,
    files: Files<'s>,
    loader: Loader,
}

impl<'s> Sides<'s> {
    /// Returns an error if one is a file and the other a folder, or if one does not exist.
    fn new(left: &'s Path, right: &'s Path, options: &'s DiffOptions, run: &Run<'_>) -> Result<Self> {
        if inputs::is_many(left) == inputs::is_many(right) {
            let (files, loader) = (Files::new(&options.open, 1)?, run.loader_for(options.open.mmap));
            return Ok(Self { left, right, options, files, loader });
        }
        // A path that does not exist may continue inside an archive, and is that of a file then.
        let missing = |path| Some((path, std::fs::metadata(path).err()?));
        let is_missing =
            |(path, error): &(&Path, io::Error)| error.kind() == io::ErrorKind::NotFound && path.as_os_str() != "-";
        Err(match [left, right].into_iter().filter_map(missing).find(is_missing) {
            Some((path, error)) => Error::failed(&table::path(path), &error),
            None => Error::refused(&table::path(right), &"cannot compare a file with a folder"),
        })
    }

    /// Returns the files of both sides, and reports what cannot be read.
    fn pairs(&self, run: &mut Run<'_>) -> Vec<(PathBuf, Pair)> {
        let mut outcome = Outcome::default();
        let pairs = self.found(&mut outcome);
        if outcome.has_failed() {
            outcome.nothing_done = true;
            absorb(run, &table::path(self.right), outcome, 0);
        }
        pairs
    }

    /// Returns the files of both sides, matched by their relative paths.
    fn found(&self, outcome: &mut Outcome) -> Vec<(PathBuf, Pair)> {
        let Self { left, right, options, .. } = *self;
        let is_folder = inputs::is_many(left);
        let mut left = inputs::files(left, &options.open.only, outcome);
        let mut right = inputs::files(right, &options.open.only, outcome);
        if !is_folder {
            // A side that is not there is no file that only the other has.
            if outcome.has_failed() {
                return Vec::new();
            }
            let (left, right) = (left.into_values().next(), right.into_values().next());
            return vec![(PathBuf::new(), Pair { left, right, archive: None })];
        }
        // Nothing was removed or added if a whole side could not be read.
        if outcome.has_failed() && (left.is_empty() || right.is_empty()) {
            return Vec::new();
        }
        let mut members = members(&mut left, &mut right);
        let ways: BTreeSet<PathBuf> = left.keys().chain(right.keys()).cloned().collect();
        let pair = |way: PathBuf| {
            let pair = Pair { left: left.remove(&way), right: right.remove(&way), archive: None };
            (way, pair)
        };
        members.extend(ways.into_iter().map(pair));
        members
    }
}

/// The files with the same name on both sides.
struct Pair {
    left: Option<Input>,
    right: Option<Input>,
    /// The archive that the right file is a member of, if it is one of a mod.
    archive: Option<Input>,
}

/// An open file with its format; `None` if it is not there, not open or in no known format.
type Open<'b> = Option<(Format, Bytes<'b>)>;

impl Pair {
    /// Opens both files. Also returns how many of them have no known format.
    fn open<'b>(
        &self,
        sides: &Sides<'_>,
        (left, right): &'b mut (Vec<u8>, Vec<u8>),
        outcome: &mut Outcome,
    ) -> (Open<'b>, Open<'b>, u64) {
        let mut theirs = 0;
        let mut opened = |input: &Option<Input>, buffer| {
            match inputs::open(sides.loader, input.as_ref()?, &sides.options.open, buffer, outcome) {
                Opened::Ours(format, bytes) => return Some((format, bytes)),
                Opened::Theirs(_) => theirs += 1,
                Opened::Failed(_) => {}
                Opened::StdinFailed(error) => outcome.input_failed(Path::new("standard input"), &error),
            }
            None
        };
        let (left, right) = (opened(&self.left, left), opened(&self.right, right));
        (left, right, theirs)
    }
}

/// The result for a pair.
struct Done {
    /// The file as it is named, on the right if it is there.
    path: String,
    /// `None` if there was nothing to compare.
    compared: Option<Compared>,
    outcome: Outcome,
    bytes: u64,
    /// The number of files without a known format.
    theirs: u64,
}

/// Compares the contents of two files or folders. Calls `take` with each pair of files. The report is [negative](Report::is_negative) if there is
/// a difference.
///
/// # Errors
///
/// Returns an error if the sides cannot be compared or the options cannot be used, or if `take` returns one.
pub fn diff(
    left: &Path,
    right: &Path,
    options: &DiffOptions,
    run: &mut Run<'_>,
    take: &mut dyn FnMut(Compared) -> io::Result<()>,
) -> Result<Report<DiffCounts>> {
    let mut sides = Sides::new(left, right, options, run)?;
    let pairs = sides.pairs(run);
    let (mut counts, mut broken) = (DiffCounts::default(), None);
    let threads = if pairs.len() < 2 { 1 } else { run.threads };
    sides.files.threads = inputs::within(run.threads, pairs.len() < 2);
    let stop = Arc::clone(&run.stop);
    // Differences are held back until all earlier files are finished.
    Bulk::new(sides.loader).threads(threads).window(2 * threads).cancel(&stop).ordered(
        pairs,
        <(Vec<u8>, Vec<u8>)>::default,
        |(_, pair), buffers| one(&sides, &pair, buffers),
        |Done { path, compared, mut outcome, bytes, theirs }| {
            run.report.totals.skipped += theirs;
            let Some(compared) = compared else {
                // Neither side has a known format.
                if outcome.has_failed() {
                    outcome.nothing_done = true;
                    absorb(run, &path, outcome, bytes);
                }
                return;
            };
            run.count_done(matches!(compared.change, "same" | "changed"));
            match compared.change {
                "same" => counts.same += 1,
                "changed" => counts.changed += 1,
                "added" => counts.added.add(right, &path),
                _ => counts.removed.add(left, &path),
            }
            if compared.change != "same" {
                outcome.is_negative = true;
            }
            absorb(run, &path, outcome, bytes);
            if broken.is_none()
                && let Err(error) = take(compared)
            {
                stop.store(true, Ordering::Relaxed);
                broken = Some(error);
            }
        },
    );
    if let Some(error) = broken {
        return Err(error.into());
    }
    run.wanted_any(&options.open.only, &[]);
    Ok(run.end("diff", counts))
}

/// Reports the outcome of a pair, by the path of the side that failed.
fn absorb(run: &mut Run<'_>, path: &str, outcome: Outcome, bytes: u64) {
    let failed = outcome.failed_path().map(str::to_owned);
    run.absorb(failed.as_deref().unwrap_or(path), outcome, bytes);
}

/// Pairs the files of folders `_NAME`, as mods have them, with the members of the archives NAME. Such a folder is partial, so what it
/// lacks is not compared.
fn members(left: &mut BTreeMap<PathBuf, Input>, right: &mut BTreeMap<PathBuf, Input>) -> Vec<(PathBuf, Pair)> {
    let in_archive =
        |way: &PathBuf| archive_of(way).filter(|archive| left.contains_key(archive) && !right.contains_key(archive));
    let found: Vec<_> = right.keys().filter_map(|way| Some((in_archive(way)?, way.clone()))).collect();
    let mut pairs = Vec::new();
    for of_archive in found.chunk_by(|(one, _), (other, _)| one == other) {
        let Some(packed) = of_archive.first().and_then(|(archive, _)| left.get(archive)) else { continue };
        // What cannot be read is reported when it is opened.
        let bytes = Loader::read().open(&packed.path).ok();
        let archive = bytes.as_deref().and_then(|bytes| Archive::parse(bytes).ok());
        for (way, loose) in of_archive.iter().filter_map(|(archive, way)| Some((archive, right.remove(way)?))) {
            let name = inputs::last_name(&loose.path);
            // A member that the archive does not have is new.
            let is_new = archive.is_some_and(|archive| matches!(archive.locate(name.as_bytes()), Ok(None)));
            let path = worldview::Path::new().with(|path| path.push_name(name.as_bytes()));
            let member = Input { inside: vec![Arc::new(PathPattern::literal(&path))], ..packed.clone() };
            let pair = Pair { left: (!is_new).then_some(member), right: Some(loose), archive: Some(packed.clone()) };
            pairs.push((way.clone(), pair));
        }
    }
    found.iter().for_each(|(archive, _)| drop(left.remove(archive)));
    pairs
}

fn one(sides: &Sides<'_>, pair: &Pair, buffers: &mut (Vec<u8>, Vec<u8>)) -> Done {
    let mut outcome = Outcome::default();
    let (left, right, theirs) = pair.open(sides, buffers, &mut outcome);
    let length = |side: &Open<'_>| side.as_ref().map_or(0, |(_, bytes)| bytes.len() as u64);
    let bytes = length(&left) + length(&right);
    let [left_path, right_path] = [&pair.left, &pair.right].map(|input| input.as_ref().map(Input::shown));
    let path = right_path.as_ref().or(left_path.as_ref()).cloned().unwrap_or_default();
    let mut compared =
        Compared { left: left_path, right: right_path, change: "same", differences: Vec::new(), more: 0 };
    let change = change(sides, pair, (left, right), &mut compared, &mut outcome);
    let compared = change.map(|change| Compared { change, ..compared });
    let theirs = if compared.is_some() { 0 } else { theirs };
    Done { path, compared, outcome, bytes, theirs }
}

/// Returns what changed, or `None` if there was nothing to compare.
fn change(
    sides: &Sides<'_>,
    pair: &Pair,
    opened: (Open<'_>, Open<'_>),
    compared: &mut Compared,
    outcome: &mut Outcome,
) -> Option<&'static str> {
    let open = &sides.options.open;
    match opened {
        (Some((left_format, left)), Some((right_format, right))) => {
            let (left_input, right_input) = (pair.left.as_ref()?, pair.right.as_ref()?);
            if left_format != right_format {
                let (left, right) = (left_format.title(), right_format.title());
                let why = format!("cannot be compared: this is {right}, the other file is {left}");
                return outcome.nothing(&right_input.path, &why);
            }
            let is_compared =
                compare(sides, ((left_input, &left), (right_input, &right)), left_format, compared, outcome);
            if !is_compared
                || !inputs::still_there(left_input, &left, outcome)
                || !inputs::still_there(right_input, &right, outcome)
            {
                return None;
            }
            let is_same = compared.differences.is_empty();
            let is_whole = open.only.is_empty() && left_input.inside.is_empty() && right_input.inside.is_empty();
            if is_same && is_whole && left[..] != right[..] {
                outcome.note(&right_input.path, &same_content(&left, &right));
            }
            if compared.more > 0 {
                let more = format!("{} more differences are not listed", compared.more);
                outcome.note(&right_input.path, &more);
            }
            Some(if is_same { "same" } else { "changed" })
        }
        (Some((format, bytes)), None) if pair.right.is_none() => {
            wants(open, format, &bytes, &pair.left, outcome).then_some("removed")
        }
        (None, Some((format, bytes))) if pair.left.is_none() => {
            wants(open, format, &bytes, &pair.right, outcome).then_some("added")
        }
        // A member of a mod in no known format differs as a whole.
        (left, None) if pair.archive.is_some() && !outcome.has_failed() => {
            let left = left.as_ref().zip(pair.left.as_ref().and_then(Input::names));
            let old = left.and_then(|((_, bytes), inner)| Archive::parse(bytes).ok()?.locate(&inner).ok()?);
            let new = pair.right.as_ref().and_then(|right| Room::default().read(&right.path, SourceKind::Data).ok());
            outcome.wanted = true;
            let change = match (old, new) {
                (None, _) => "added",
                (Some((_, old)), Some(new)) if old.data() == new => "same",
                _ => "changed",
            };
            if change == "changed" {
                let path = pair.right.as_ref().map(|right| right.path.clone()).unwrap_or_default();
                outcome.note(&path, &"differs from the member; it is not in a known format");
            }
            Some(change)
        }
        // Either one of the files could not be opened, which has been reported, or neither has a known format.
        (left, right) => {
            let odd = if left.is_none() { &pair.left } else { &pair.right };
            if let Some(odd) = odd.as_ref().filter(|_| (left.is_some() || right.is_some()) && !outcome.has_failed()) {
                outcome.input_failed(&odd.path, &"is not in a known format, unlike the file it is compared with");
            }
            None
        }
    }
}

/// Returns the message about files that differ in bytes, but not in content.
fn same_content(left: &[u8], right: &[u8]) -> String {
    let bytes = match left.len().abs_diff(right.len()) {
        0 => left.iter().zip(right).filter(|(left, right)| left != right).count(),
        difference => difference,
    };
    let bytes = table::counted(bytes as u64, "byte");
    format!("same content; padding or packing differs ({bytes})")
}

/// Returns whether a file that only one side has is selected by --only.
fn wants(
    open_options: &OpenOptions,
    format: Format,
    bytes: &[u8],
    input: &Option<Input>,
    outcome: &mut Outcome,
) -> bool {
    let terms = &open_options.only;
    let name = input.as_ref().map(|input| inputs::last_name(&input.path)).unwrap_or_default();
    let (options, mut image) = (open_options.to_options(), Vec::new());
    let kind = match format.kind() {
        // It may be a table.
        Kind::Archive => open(bytes, &name, &mut image, &options).map_or(Kind::Archive, |opened| opened.kind()),
        kind => kind,
    };
    let wanted = match kind {
        Kind::Database => terms.is_empty(),
        kind => only::wants_file_of(terms, kind, &name),
    };
    outcome.wanted |= wanted;
    wanted
}

/// Returns whether a file is a table whose fields have no names.
fn is_nameless(files: &Files<'_>, mut look: OpenInput<'_>) -> bool {
    let mut is_nameless = false;
    files.each(&mut look, Reach::DIFF, &mut |visit, _| {
        is_nameless |=
            matches!(visit.part, Asset::Table(table) if matches!(table.name_origin(), NameOrigin::Generated));
    });
    is_nameless
}

/// Compares two open files. Returns whether the comparison was possible.
fn compare(
    Sides { options: DiffOptions { open, .. }, files, .. }: &Sides<'_>,
    ((left, left_bytes), (right, right_bytes)): ((&Input, &Bytes<'_>), (&Input, &Bytes<'_>)),
    format: Format,
    compared: &mut Compared,
    outcome: &mut Outcome,
) -> bool {
    let options = diff::DiffOptions { encoding: open.encoding, ..diff::DiffOptions::default() };
    // Each side needs its own outcome while both are open.
    let mut other = Outcome::default();
    let mut left_look = OpenInput { input: left, format, bytes: left_bytes, outcome: &mut *outcome };
    let mut right_look = OpenInput { input: right, format, bytes: right_bytes, outcome: &mut other };
    let [mut left_name, mut right_name] = [left, right].map(|input| inputs::last_name(&input.path));
    if format == Format::Wpd && !left_name.eq_ignore_ascii_case(&right_name) {
        let is_nameless =
            |input, bytes| is_nameless(files, OpenInput { input, format, bytes, outcome: &mut Outcome::default() });
        // The field names of the first FFXIII hang on the name of the file: one side lends them to the other.
        match (is_nameless(left, left_bytes), is_nameless(right, right_bytes)) {
            (false, true) => right_name.clone_from(&left_name),
            (true, false) => left_name.clone_from(&right_name),
            _ => {}
        }
    }
    // Of several parts, those with the same path are compared.
    let has_parts = !left.inside.is_empty() || !right.inside.is_empty();
    let places = |look: &mut OpenInput<'_>| if has_parts { files.places(look, Reach::DIFF) } else { Vec::new() };
    let left_places = places(&mut again(&left_look, &mut Outcome::default()));
    let right_places = places(&mut again(&right_look, &mut Outcome::default()));
    let is_paired = left_places.len() > 1 || right_places.len() > 1;
    if is_paired {
        // What is wrong with the other side is reported once.
        places(&mut right_look);
        let mut only = |change: Change, these: &[worldview::Path], those: &[worldview::Path]| {
            let those: HashSet<_> = those.iter().collect();
            for path in these.iter().filter(|path| !those.contains(path)) {
                compared.note(&Difference { change, path, field: None, left: None, right: None, count: 1 });
            }
        };
        only(Change::Removed, &left_places, &right_places);
        only(Change::Added, &right_places, &left_places);
    }
    // A pattern does not say which part it selects.
    let has_place = is_paired || left.literal().is_none() || right.literal().is_none();
    let (mut is_compared, mut failed, mut unlike) = (false, None, Vec::new());
    let mut both = |left: &Visit<'_, '_>, right: &Visit<'_, '_>| {
        let mut note = |difference: &Difference<'_>| match has_place {
            true => compared.note(&Difference { path: &left.place.joined(difference.path), ..*difference }),
            false => compared.note(difference),
        };
        let compare = |left: &Root<'_>, right: &Root<'_>| diff::compare(left, right, &options, &mut note);
        match left.compare(right, &files.options(), compare) {
            Some(Ok(())) => is_compared = true,
            Some(Err(error)) => failed = Some(error),
            None => match (left.part, right.part) {
                (Asset::Data(left), Asset::Data(right)) if left.bytes() == right.bytes() => is_compared = true,
                _ => unlike.push(right.path.to_path_buf()),
            },
        }
    };
    let looked = files.look_as(&mut left_look, (&left_name, None), Reach::DIFF, &mut |left, outcome| {
        left.say_left_out(outcome);
        if !is_paired {
            return files.look_as(&mut right_look, (&right_name, None), Reach::DIFF, &mut |right, outcome| {
                right.say_left_out(outcome);
                both(left, right);
                Ok(())
            });
        }
        let mut known = Outcome::default();
        let mut look = again(&right_look, &mut known);
        files.look_as(&mut look, (&right_name, Some(left.place)), Reach::DIFF, &mut |right, _| {
            if right.place == left.place {
                both(left, right);
            }
            Ok(())
        })
    });
    // Nothing is written here, so no I/O error can occur.
    debug_assert!(looked.is_ok());
    outcome.append(other);
    if let Some(error) = &failed {
        outcome.input_failed(&right.path, error);
    }
    // Differences found before an error count. Without any, it is not known whether the files are equal.
    let is_compared = is_compared && failed.is_none() || !compared.differences.is_empty();
    let why = "cannot be compared with the other file: both must be tables, archives, levels or databases";
    if is_paired {
        unlike.iter().for_each(|path| outcome.input_failed(path, &why));
    } else if !is_compared && !outcome.has_failed() && open.only.is_empty() {
        outcome.input_failed(&right.path, &why);
    }
    is_compared
}
