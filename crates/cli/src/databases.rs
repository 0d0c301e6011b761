//! From the bytes of WORLD.WDB to what the verbs look at.

use worldview::island::{Contents, Database, Finding};
use worldview::parallel::Parallel;
use worldview::{Kind as _, Severity};

use crate::args::OpenArgs;
use crate::inputs::{Input, Look};
use crate::only::{self, Only, Term};
use crate::outcome::Outcome;

/// A file opened as far as it can be.
#[derive(Debug)]
pub(crate) struct Opened<'o, 'a> {
    pub(crate) database: &'o Database<'a>,
    pub(crate) contents: &'o Contents<'a>,
    /// What opening it found.
    pub(crate) findings: &'o [Finding<'a>],
}

impl<'a> Opened<'_, 'a> {
    /// What is wanted of the file, if anything is; that there is nothing of it in a file that was named is a failure.
    pub(crate) fn only(&self, terms: &'a [Term], input: &Input, outcome: &mut Outcome) -> Option<Only<'a>> {
        let only = Only::new(terms, self);
        if !only.finds_nothing(self.database) {
            outcome.wanted = true;
            return Some(only);
        }
        if input.is_named() {
            outcome
                .input_failed(&input.path, &"nothing in it is what --only names; `worldview info` lists what there is");
        }
        None
    }
}

/// Opens a file as far as it can be and hands it over; one without a directory is a failed input.
pub(crate) fn look<T>(
    look: &mut Look<'_>,
    threads: usize,
    args: &OpenArgs,
    then: impl FnOnce(&Opened<'_, '_>, &mut Look<'_>) -> T,
) -> Option<T> {
    if !only::wants_databases(&args.only) {
        return None;
    }
    let path = &look.input.path;
    if look.input.inner.is_some() {
        let why = "a path does not go on inside WORLD.WDB; --only names worlds, models, parts and textures";
        look.outcome.input_failed(path, &why);
        return None;
    }
    let bytes = look.bytes;
    let mut findings = Vec::new();
    let database = match Database::parse_lossy(bytes, &mut |finding| findings.push(finding)) {
        Ok(database) => database,
        Err(error) => {
            look.outcome.input_failed(path, &error);
            return None;
        }
    };
    // Side by side where all is well, which it mostly is; only findings need the order of one thread.
    let mut contents = parallel(threads).contents(&database);
    if contents.is_broken() {
        contents = Contents::read_lossy(&database, &mut |finding| findings.push(finding));
    }
    Some(then(&Opened { database: &database, contents: &contents, findings: &findings }, look))
}

/// Work on the parts of one file, on as many threads as `inputs::threads_inside` says.
pub(crate) const fn parallel(threads: usize) -> Parallel<'static> {
    Parallel::new().threads(threads)
}

impl Opened<'_, '_> {
    /// Says what is left out.
    pub(crate) fn say_left_out(&self, input: &Input, outcome: &mut Outcome) {
        // Hundreds of blobs can be broken; `check` has them all.
        const SAID: usize = 20;
        let fatal = || self.findings.iter().filter(|finding| finding.kind.severity() == Severity::Fatal);
        fatal().take(SAID).for_each(|finding| outcome.left_out(&input.path, finding));
        let more = fatal().skip(SAID).count();
        if more > 0 {
            let what = format_args!("opened only in part: {more} more, see `worldview check`");
            outcome.input_failed(&input.path, &what);
        }
    }
}
