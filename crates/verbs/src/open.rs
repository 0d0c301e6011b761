//! Opens files for the verbs, and passes on the parts that paths select.

mod enter;
mod part_walk;
mod reach;
mod visit;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use worldview::parallel::{LevelResult, Parallel};
use worldview::rez;
use worldview::wpd::{Archive, Schemas};
use worldview::{Asset, Entry, Failed, Format, Kind, Opened, Options, Walk, open_noting};
use worldview_export::outputs::kind_of;

use crate::hint;
use crate::inputs::{self, OpenInput};
use crate::only::{self, Sort};
use crate::options::OpenOptions;
use crate::outcome::{Outcome, Why};
use crate::output::file_name;
use crate::read::{Room, SourceKind};
use crate::report::{self, Error, Failure, Result};
use crate::table;
use enter::is_within;
use part_walk::PartWalk;

pub(crate) use enter::{enter, names_of, path_of, place_of};
pub(crate) use reach::Reach;
pub(crate) use visit::Visit;

type Then<'l> = &'l mut dyn FnMut(&Visit<'_, '_>, &mut Outcome) -> io::Result<()>;

/// Opens a part again, and returns its outcome.
type Once<'l> = &'l mut dyn FnMut(Then<'_>) -> Outcome;

/// Opens files with the options of the command line.
#[derive(Debug)]
pub(crate) struct Files<'o> {
    args: &'o OpenOptions,
    /// The field names given by --schema.
    pub(crate) schemas: Option<Arc<Schemas>>,
    /// The number of threads for the parts of a file.
    pub(crate) threads: usize,
}

impl<'o> Files<'o> {
    /// Reads the schema file, if one is given.
    pub(crate) fn new(args: &'o OpenOptions, threads: usize) -> Result<Self> {
        let schemas = args.schema.as_deref().map(schemas).transpose()?;
        Ok(Self { args, schemas, threads })
    }

    /// Returns the options of the command line.
    pub(crate) fn options(&self) -> Options {
        Options { schemas: self.schemas.clone(), ..self.args.to_options() }
    }

    /// Opens the selected levels below a directory of a REZ archive and calls `work` with each, on any thread. Passes the
    /// results to `sink` in the order of the archive: the outcome, and what `prepare` and `work` returned, unless the
    /// level could not be opened. The last argument of `sink` opens the level again on this thread.
    pub(crate) fn levels<P: Sync, T: Send>(
        &self,
        visit: &Visit<'_, '_>,
        mut prepare: impl FnMut(&Path) -> P,
        work: impl Fn(&P, &Visit<'_, '_>, &mut Outcome) -> T + Sync,
        mut sink: impl FnMut(Outcome, Option<(&P, T)>, Once<'_>),
    ) {
        let (input, options) = (visit.input, self.options());
        let open = |entry: Entry<'_, '_>, opened: std::result::Result<Opened<'_>, Failed<'_>>, then: Then<'_>| {
            let mut outcome = Outcome::default();
            let reach = Reach::EXPORT_REZ;
            let mut walk = PartWalk { files: self, input, whole: visit.part, reach, outcome: &mut outcome, then };
            match &opened {
                // Nothing is written to standard output, so no I/O error can occur.
                Ok(opened) => drop(walk.part(&[entry], opened, opened.at)),
                Err(failed) => walk.failed(&[entry], failed),
            }
            outcome
        };
        let wanted = |file: &rez::File<'_, '_>| visit.wants_file(file);
        let levels = Parallel::new().threads(self.threads).levels(visit.part, visit.at, &options, wanted);
        let entries: Vec<_> = levels.entries().collect();
        let mut prepared = |(index, entry): (usize, &Entry<'_, '_>)| match entry {
            Entry::File(file) if levels.is_level(index) => Some(prepare(&inside(file))),
            _ => None,
        };
        let prepared: Vec<_> = entries.iter().enumerate().map(&mut prepared).collect();
        let work = |index: usize, opened: std::result::Result<Opened<'_>, Failed<'_>>| {
            let mut made = None;
            let outcome = open(entries[index], opened, &mut |visit, outcome| {
                made = prepared[index].as_ref().map(|prepared| work(prepared, visit, outcome));
                Ok(())
            });
            (outcome, made)
        };
        let mut image = Vec::new();
        levels.each(work, |LevelResult { index, result: (outcome, made), left, .. }| {
            let once = &mut |then: Then<'_>| open(entries[index], levels.again(index, left, &mut image), then);
            sink(outcome, prepared[index].as_ref().zip(made), once);
        });
    }

    /// Opens as much of a file as possible, and passes the parts that its path selects to `then`.
    pub(crate) fn look(&self, look: &mut OpenInput<'_>, reach: Reach, then: Then<'_>) -> io::Result<()> {
        let name = inputs::last_name(&look.input.path);
        self.look_as(look, (&name, None), reach, then)
    }

    /// Returns the paths of the selected parts of a file.
    pub(crate) fn places(&self, look: &mut OpenInput<'_>, reach: Reach) -> Vec<worldview::Path> {
        let mut places = Vec::new();
        self.each(look, reach, &mut |visit, outcome| {
            visit.say_left_out(outcome);
            places.push(visit.place.clone());
        });
        places
    }

    /// Does the same as [`look`](Self::look) for a `then` that writes nothing, so no I/O error can occur.
    pub(crate) fn each(
        &self,
        look: &mut OpenInput<'_>,
        reach: Reach,
        then: &mut dyn FnMut(&Visit<'_, '_>, &mut Outcome),
    ) {
        let looked = self.look(look, reach, &mut |visit, outcome| {
            then(visit, outcome);
            Ok(())
        });
        debug_assert!(looked.is_ok());
    }

    /// Returns the path of an input inside its file, with the names of archive members, files and directories spelled as in the archive.
    /// A path that leads nowhere is returned as it is.
    ///
    /// # Errors
    ///
    /// Returns a message if the path could mean several parts.
    pub(crate) fn literal(&self, look: &OpenInput<'_>) -> std::result::Result<worldview::Path, String> {
        let given = look.input.literal().unwrap_or_default();
        if given.is_empty() {
            return Ok(given);
        }
        let mut found = self.places(&mut again(look, &mut Outcome::default()), Reach::DIFF).into_iter();
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => Err(say_ambiguous(&first, &second)),
            (Some(mut path), None) => {
                let count = path.segments().count();
                given.segments().skip(count).for_each(|segment| path.push_segment(&segment));
                Ok(path)
            }
            (None, _) => Ok(given),
        }
    }

    /// Does the same as [`look`](Self::look), with the field names for a file of another name. If there is a `place`, nested parts with
    /// other paths are not opened.
    pub(crate) fn look_as(
        &self,
        look: &mut OpenInput<'_>,
        (name_for_fields, place): (&str, Option<&worldview::Path>),
        reach: Reach,
        then: Then<'_>,
    ) -> io::Result<()> {
        let OpenInput { input, format, bytes, outcome } = look;
        let (terms, name) = (&self.args.only[..], inputs::last_name(&input.path));
        let is_wanted = match format.kind() {
            Kind::Database => only::wants_databases(terms),
            // --only selects parts of it.
            Kind::Archive => true,
            kind => only::wants_file_of(terms, kind, &name),
        };
        if !is_wanted {
            return Ok(());
        }
        outcome.wanted |= !matches!(format.kind(), Kind::Database | Kind::Archive);
        let (selection, options) = (input.selection(), self.options());
        let wants_table = |name: &str| only::wants(terms, Sort::Table, name.as_bytes());
        if *format == Format::Wpd && !wants_table(name_for_fields) && is_table(bytes, &options) {
            return Ok(());
        }
        let (mut image, mut nested_image) = (Vec::new(), Vec::new());
        let whole = match open_noting(bytes, name_for_fields, &mut image, &options) {
            Ok(whole) => whole,
            Err(failed) => {
                PartWalk { files: self, input, whole: &Asset::Data((&[][..]).into()), reach, outcome, then }
                    .failed(&[], &failed);
                return Ok(());
            }
        };
        let mut walk = PartWalk { files: self, input, whole: &whole.asset, reach, outcome, then };
        walk.part(&[], &whole, whole.at)?;
        walk.entries(&[], &whole)?;
        if reach.nested || !selection.is_all() {
            let wants = |path: &[Entry<'_, '_>], is_table: bool| {
                let name = || path.last().map_or_else(String::new, Entry::text);
                let is_on_way = |place: &worldview::Path| place.is_within(&place_of(&whole.asset, path));
                (!is_table || wants_table(&name())) && place.is_none_or(is_on_way) && {
                    let (parents, inside) = (path.len().saturating_sub(1), enter(&selection, &whole.asset, path));
                    // Not all verbs visit the parts of a selected part.
                    let is_seen = || reach.containers || is_within(&selection, &whole.asset, &path[..parents], path);
                    !inside.is_none() && (reach.nested || !inside.is_all() || !is_seen())
                }
            };
            let mut nested = Walk::within(&whole.asset, whole.at, &options, &[]).wanted(&wants);
            while let Some(found) = nested.next(&mut nested_image) {
                match &found.opened {
                    Ok(opened) => {
                        walk.part(&found.path, opened, opened.at)?;
                        walk.entries(&found.path, opened)?;
                    }
                    Err(failed) => walk.failed(&found.path, failed),
                }
            }
        }
        if input.named && !walk.outcome.has_failed() {
            let missing: Vec<_> = selection.patterns().filter(|pattern| !pattern.is_found()).collect();
            walk.outcome.nothing_done = missing.len() == input.inside.len() && !missing.is_empty();
            missing.iter().for_each(|pattern| walk.outcome.input_failed(&input.path, &inputs::unmatched(pattern)));
        }
        Ok(())
    }
}

/// Returns the message about a path that could mean several elements.
pub(crate) fn say_ambiguous(first: &worldview::Path, other: &worldview::Path) -> String {
    format!("several elements have this path in another case, such as {first} and {other}; write one as it is there")
}

/// Returns the same open file with another outcome.
pub(crate) const fn again<'l>(look: &OpenInput<'l>, outcome: &'l mut Outcome) -> OpenInput<'l> {
    let OpenInput { input, format, bytes, .. } = *look;
    OpenInput { input, format, bytes, outcome }
}

/// Returns whether a file is a table rather than an archive of other files.
fn is_table(bytes: &[u8], options: &Options) -> bool {
    let mut copy = Vec::new();
    let archive = if options.recover {
        Archive::recover_in(bytes, &mut copy, &mut |_| {})
    } else {
        Archive::parse_lossy(bytes, &mut |_| {})
    };
    archive.is_ok_and(|archive| archive.is_table())
}

/// Returns the path of a file in a REZ archive, with names that are valid in file systems.
fn inside(file: &rez::File<'_, '_>) -> PathBuf {
    file.path().names().iter().map(|name| file_name(name)).collect()
}

/// Returns the kind of a file in a REZ archive, or `None` if it is neither a level nor a picture.
fn sort(file: &rez::File<'_, '_>) -> Option<Sort> {
    Sort::of(kind_of(file))
}

/// Reads a schema file.
///
/// # Errors
///
/// Returns an error if the file cannot be read or is not a schema file.
pub fn schemas(path: &Path) -> Result<Arc<Schemas>> {
    let failed = |why: &dyn Why| Error::failed(&table::path(path), why);
    let bytes = Room::default().read(path, SourceKind::List).map_err(|error| failed(&error))?;
    let schemas = Schemas::parse(&String::from_utf8_lossy(&bytes));
    let schemas = schemas.map_err(|error| failed(&Failure::hinted(report::FAILED, error.to_string(), hint::SCHEMA)))?;
    Ok(Arc::new(schemas))
}
