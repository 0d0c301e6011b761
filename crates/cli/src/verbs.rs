//! The verbs, a file each, and what they share: opening a level as far as it can be opened.

mod check;
mod diff;
mod export;
mod find;
mod info;
mod list;
mod pages;
mod schema;
mod show;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use worldview::wwd::{Finding, Level, Unpacked, Unpacker};
use worldview::{Error, Kind as _, Severity};

use crate::args::OpenArgs;
use crate::inputs::{self, Look};
use crate::only::{self, Sort};
use crate::table;

pub(crate) use check::check;
pub(crate) use diff::diff;
pub(crate) use export::export;
pub(crate) use find::find;
pub(crate) use info::info;
pub(crate) use list::list;
pub(crate) use pages::{completions, man};
pub(crate) use schema::schema;
pub(crate) use show::show;

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
    table::path(path)
}

fn unpacker(args: &OpenArgs) -> Unpacker {
    Unpacker::new().max_inflate(args.max_inflate)
}

/// Unpacks a file as far as it can be; what is wrong with it goes to `findings`.
fn unpack<'a>(bytes: &'a [u8], args: &OpenArgs, findings: &mut Vec<Finding<'a>>) -> Result<Unpacked<'a>, Error> {
    unpacker(args).unpack_lossy(bytes, &mut |finding| findings.push(finding))
}

/// Whether a level is wanted, by the name of its file.
fn wants_level(look: &mut Look<'_>, args: &OpenArgs) -> bool {
    if look.input.inner.is_some() {
        look.outcome.input_failed(&look.input.path, &"a path does not go on inside a level");
        return false;
    }
    let wants = only::wants(&args.only, Sort::Level, inputs::last_name(&look.input.path).as_bytes());
    look.outcome.wanted |= wants;
    wants
}

/// Opens a level as far as it can be and hands it over; what cannot be opened at all is a failed input, and what is
/// left out is said.
fn look<T>(
    look: &mut Look<'_>,
    args: &OpenArgs,
    then: impl FnOnce(&Unpacked<'_>, &Level<'_>, &mut Look<'_>) -> T,
) -> Option<T> {
    if !wants_level(look, args) {
        return None;
    }
    let (path, bytes) = (&look.input.path, look.bytes);
    let mut findings = Vec::new();
    let file = match unpack(bytes, args, &mut findings) {
        Ok(file) => file,
        Err(error) => {
            look.outcome.input_failed(path, &error);
            return None;
        }
    };
    // Thousands of planes can be broken; `check` has them all.
    const SAID: usize = 20;
    let (mut said, mut more) = (0, 0_u64);
    let outcome = &mut *look.outcome;
    let mut note = |finding: Finding<'_>| {
        if finding.kind.severity() < Severity::Fatal {
        } else if said < SAID {
            said += 1;
            outcome.left_out(path, &finding);
        } else {
            more += 1;
        }
    };
    findings.into_iter().for_each(&mut note);
    let level = Level::parse_lossy(&file, &mut note);
    if more > 0 {
        outcome.input_failed(path, &format_args!("opened only in part: {more} more, see `worldview check`"));
    }
    match level {
        Ok(level) => Some(then(&file, &level, look)),
        Err(error) => {
            look.outcome.input_failed(path, &error);
            None
        }
    }
}
