//! The verbs, a file each, and what they share: opening a level as far as it can be opened.

mod check;
mod export;
mod info;
mod list;
mod show;

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use serde::Serialize;
use worldview::wwd::{Finding, Level, Unpacked, Unpacker};
use worldview::{Error, Kind as _, Severity};

use crate::args::InputArgs;
use crate::exit::Outcome;
use crate::inputs::Input;

pub(crate) use check::check;
pub(crate) use export::export;
pub(crate) use info::info;
pub(crate) use list::list;
pub(crate) use show::show;

fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Writes a document for programs.
fn json(out: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    writeln!(out)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

/// Unpacks a file as far as it can be; what is wrong with it goes to `findings`.
fn unpack<'a>(bytes: &'a [u8], args: &InputArgs, findings: &mut Vec<Finding<'a>>) -> Result<Unpacked<'a>, Error> {
    Unpacker::new().max_inflate(args.max_inflate).unpack_lossy(bytes, &mut |finding| findings.push(finding))
}

/// Opens a level as far as it can be and hands it over; what cannot be opened at all is a failed input, and what is
/// left out is said.
fn look(
    input: &Input,
    bytes: &[u8],
    args: &InputArgs,
    outcome: &mut Outcome,
    look: impl FnOnce(&Unpacked<'_>, &Level<'_>, &mut Outcome) -> io::Result<()>,
) -> io::Result<()> {
    let mut findings = Vec::new();
    let file = match unpack(bytes, args, &mut findings) {
        Ok(file) => file,
        Err(error) => {
            outcome.input_failed(&input.path, &error);
            return Ok(());
        }
    };
    let mut left_out: Vec<_> = findings.iter().map(|finding| finding.kind).collect();
    let level = match Level::parse_lossy(&file, &mut |finding| left_out.push(finding.kind)) {
        Ok(level) => level,
        Err(error) => {
            for kind in left_out {
                outcome.input_failed(&input.path, &kind);
            }
            outcome.input_failed(&input.path, &error);
            return Ok(());
        }
    };
    for kind in left_out.iter().filter(|kind| kind.severity() == Severity::Fatal) {
        outcome.input_failed(&input.path, &format_args!("opened only in part: {kind}"));
    }
    look(&file, &level, outcome)
}
