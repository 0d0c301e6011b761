//! From the bytes of WORLD.WDB to what the verbs look at.

use std::io;

use worldview::island::{Contents, Database, Finding};
use worldview::parallel::Parallel;
use worldview::{Kind as _, Severity};

use crate::exit::Outcome;
use crate::inputs::Input;
use crate::only::{Only, Term};

/// A file opened as far as it can be.
#[derive(Debug)]
pub(crate) struct Opened<'o, 'a> {
    pub(crate) database: &'o Database<'a>,
    pub(crate) contents: &'o Contents<'a>,
    /// What opening it found.
    pub(crate) findings: &'o [Finding<'a>],
}

impl<'a> Opened<'_, 'a> {
    /// What is wanted of the file; that there is nothing of it is a failed input.
    pub(crate) fn only(&self, terms: &'a [Term], input: &Input, outcome: &mut Outcome) -> Only<'a> {
        let only = Only::new(terms, self);
        if only.finds_nothing(self.database) {
            outcome
                .input_failed(&input.path, &"nothing in it is what --only names; `worldview info` lists what there is");
        }
        only
    }
}

/// Opens a file as far as it can be and hands it over; one without a directory is a failed input.
pub(crate) fn look<'a>(
    input: &Input,
    bytes: &'a [u8],
    outcome: &mut Outcome,
    look: impl FnOnce(&Opened<'_, 'a>, &mut Outcome) -> io::Result<()>,
) -> io::Result<()> {
    if input.inner.is_some() {
        let why = "a path does not go on inside WORLD.WDB; --only names worlds, models, parts and textures";
        outcome.input_failed(&input.path, &why);
        return Ok(());
    }
    let mut findings = Vec::new();
    let database = match Database::parse_lossy(bytes, &mut |finding| findings.push(finding)) {
        Ok(database) => database,
        Err(error) => {
            outcome.input_failed(&input.path, &error);
            return Ok(());
        }
    };
    // Side by side where all is well, which it mostly is; only findings need the order of one thread.
    let mut contents = Parallel::new().contents(&database);
    if contents.is_broken() {
        contents = Contents::read_lossy(&database, &mut |finding| findings.push(finding));
    }
    look(&Opened { database: &database, contents: &contents, findings: &findings }, outcome)
}

impl Opened<'_, '_> {
    /// Says what is left out.
    pub(crate) fn say_left_out(&self, input: &Input, outcome: &mut Outcome) {
        // Hundreds of blobs can be broken; `check` has them all.
        const SAID: usize = 20;
        let fatal = || self.findings.iter().filter(|finding| finding.kind.severity() == Severity::Fatal);
        for Finding { kind, at, place, space } in fatal().take(SAID) {
            let what = format_args!("opened only in part: {place} at offset {at} of the {}: {kind}", space.name());
            outcome.input_failed(&input.path, &what);
        }
        let more = fatal().skip(SAID).count();
        if more > 0 {
            let what = format_args!("opened only in part: {more} more, see `worldview check`");
            outcome.input_failed(&input.path, &what);
        }
    }
}
