//! The verbs, a file each, and what they share.

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
