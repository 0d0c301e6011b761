//! What is said where nothing is written.

use std::io;
use std::path::Path;

use worldview::Format;
use worldview_export::{Error, Result};

use crate::interrupt;
use crate::outcome::Outcome;
use crate::report::Failure;
use worldview_export::outputs::OutputKind as Kind;

/// Reports a file that could not be written, as a failure of either the input or the output.
pub(super) fn report_failed_write(input: &Path, name: &str, path: &Path, written: Result<()>, outcome: &mut Outcome) {
    match written {
        Ok(()) => {}
        Err(_) if interrupt::is_interrupted() => outcome.is_cut = true,
        // The input shrank while it was mapped. No other I/O error has this kind.
        Err(Error::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => outcome.input_failed(input, &error),
        Err(Error::Io(error)) => outcome.cannot_write(path, &error),
        // A level without a main plane, a plane without tiles: nothing to draw, and nothing wrong with the rest.
        // Of a broken level that follows from what was reported.
        Err(Error::Nothing { .. }) if outcome.has_failed() => {}
        Err(nothing @ Error::Nothing { .. }) => outcome.note(input, &format_args!("{name} is not written: {nothing}")),
        Err(error) => outcome.input_failed(input, &Failure::of(&error, format!("{name} cannot be created: {error}"))),
    }
}

/// Returns why none of the kinds gives an output for a format; `None` if one does, or if all outputs exist.
pub(super) fn writes_nothing(format: Format, to: &[Kind]) -> Option<String> {
    let exports = Kind::of(format.kind());
    let (last, others) =
        exports.split_last().filter(|_| !to.is_empty() && !exports.iter().any(|kind| to.contains(kind)))?;
    let others: Vec<_> = others.iter().map(|kind| kind.name()).collect();
    Some(format!("nothing to write: {} can be exported as {} and {}", format.title(), others.join(", "), last.name()))
}
