//! The verbs, a file each, and what they share: opening a level as far as it can be opened.

mod check;
mod export;
mod info;
mod list;
mod schema;
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
pub(crate) use schema::schema;
pub(crate) use show::show;

fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Writes a document for programs.
fn json(out: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    writeln!(out)
}

/// Writes a document for programs in one line.
fn json_line(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, document)?;
    writeln!(out)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn unpacker(args: &InputArgs) -> Unpacker {
    Unpacker::new().max_inflate(args.max_inflate)
}

/// Unpacks a file as far as it can be; what is wrong with it goes to `findings`.
fn unpack<'a>(bytes: &'a [u8], args: &InputArgs, findings: &mut Vec<Finding<'a>>) -> Result<Unpacked<'a>, Error> {
    unpacker(args).unpack_lossy(bytes, &mut |finding| findings.push(finding))
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
    // Thousands of planes can be broken; `check` has them all.
    const SAID: usize = 20;
    let (mut left_out, mut more) = (Vec::new(), 0_u64);
    let mut note = |finding: Finding<'_>| {
        if finding.kind.severity() < Severity::Fatal {
        } else if left_out.len() < SAID {
            left_out.push(format!(
                "{} at offset {} of the {}: {}",
                finding.place,
                finding.at,
                finding.space.name(),
                finding.kind
            ));
        } else {
            more += 1;
        }
    };
    findings.into_iter().for_each(&mut note);
    let level = Level::parse_lossy(&file, &mut note);
    for what in left_out {
        outcome.input_failed(&input.path, &format_args!("opened only in part: {what}"));
    }
    if more > 0 {
        outcome.input_failed(&input.path, &format_args!("opened only in part: {more} more, see `worldview check`"));
    }
    match level {
        Ok(level) => look(&file, &level, outcome),
        Err(error) => {
            outcome.input_failed(&input.path, &error);
            Ok(())
        }
    }
}
