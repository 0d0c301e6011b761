use std::io::{self, Write};
use std::path::PathBuf;

use worldview::{Asset, Format};
use worldview_export::Error;
use worldview_export::table::schema_file;
use worldview_inspect::{Options, Root, json, text};

use crate::inputs::{self, Inputs};
use crate::open::{Files, Reach};
use crate::options::{SchemaFormat, SchemaOptions};
use crate::report::{Report, Result};
use crate::run::Run;
use crate::selected::{PLAN, ShortPlan};
use crate::table;

/// Writes where each field of a table is stored, and its type.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `out` cannot be written to.
pub fn schema(paths: &[PathBuf], args: &SchemaOptions, run: &mut Run<'_>, out: &mut dyn Write) -> Result<Report> {
    let inputs = Inputs { paths, open: &args.open };
    let files = Files::new(&args.open, 1)?;
    let look = |mut look: inputs::OpenInput<'_>, ()| -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        // What a folder holds besides tables is no fault of whoever asks.
        if look.format != Format::Wpd {
            if look.input.named {
                look.outcome.input_failed(&look.input.path, &"is not a table, so it has no schema");
                look.outcome.nothing_done = true;
            }
            return Ok(out);
        }
        let mut tables = 0_u64;
        files.look(&mut look, Reach::SCHEMA, &mut |visit, outcome| {
            visit.say_left_out(outcome);
            let Asset::Table(table) = visit.part else { return Ok(()) };
            tables += 1;
            let root = Root::new("wdb", table.archive().source(), table);
            let options = Options { select: &PLAN, ..Options::default() };
            let written = match args.format {
                SchemaFormat::Table => {
                    writeln!(out, "{}", table::shown(&table::path(visit.path)))?;
                    let options = Options { select: &ShortPlan, ..Options::default() };
                    text::write(&root, &options, &mut out).map_err(Error::from)
                }
                SchemaFormat::Json => json::write(&root, &options, &mut out).map_err(Error::from),
                SchemaFormat::Schema => schema_file(table, &mut out),
            };
            match written {
                Err(Error::Io(error)) => return Err(error),
                Err(error) => outcome.input_failed(visit.path, &error),
                Ok(()) => {}
            }
            Ok(())
        })?;
        if tables == 0 && look.input.named && !look.outcome.has_failed() && args.open.only.is_empty() {
            look.outcome.input_failed(&look.input.path, &"contains no table, so there is no schema to print");
        }
        Ok(out)
    };
    inputs::each(inputs, run, |_| (), look, |made, _| out.write_all(&made?))?;
    out.flush()?;
    Ok(run.end("schema", ()))
}
