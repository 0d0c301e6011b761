use std::io::{self, Write};

use worldview::{Format, Loader};
use worldview_export::{Error, wdb};

use crate::archives::{Archives, Part, Reach};
use crate::args::{SchemaArgs, SchemaFormat};
use crate::inputs;
use crate::run::Run;

pub(crate) fn schema(args: &SchemaArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let Some(archives) = Archives::new(&args.input.open, run) else { return Ok(()) };
    let look = |look: inputs::Look<'_>, ()| -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        let inputs::Look { input, format, bytes, outcome } = look;
        if format != Format::Wpd {
            outcome.input_failed(&input.path, &"is no table, and has no schema");
            return Ok(out);
        }
        archives.look(input, bytes, Reach::Nested, outcome, &mut |visit, outcome| {
            visit.say_left_out(outcome);
            let (Part::Table(table) | Part::Record(table, _)) = visit.part else { return Ok(()) };
            let written = match args.format {
                SchemaFormat::Table => {
                    writeln!(out, "{}", crate::table::shown(&super::name(visit.path)))?;
                    wdb::text::plan(table, &mut out)
                }
                SchemaFormat::Json => wdb::json::plan(table, &mut out),
                SchemaFormat::Schema => wdb::schema_file(table, &mut out),
            };
            match written {
                Err(Error::Io(error)) => return Err(error),
                Err(error) => outcome.input_failed(visit.path, &error),
                Ok(()) => {}
            }
            Ok(())
        })?;
        Ok(out)
    };
    let mut out = run.stdout();
    inputs::each(&args.input, loader, run, |_| (), look, |made, _| out.write_all(&made?))?;
    out.flush()
}
