use std::io::{self, Write};

use worldview::{Format, Loader};
use worldview_export::{Error, wdb};

use crate::archives::{Archives, Part, Reach};
use crate::args::{SchemaArgs, SchemaFormat};
use crate::exit::Outcome;
use crate::inputs;

pub(crate) fn schema(args: &SchemaArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let Some(archives) = Archives::new(&args.input, outcome) else { return Ok(()) };
    let mut out = super::stdout();
    inputs::each(&args.input, loader, outcome, &mut |input, format, bytes, outcome| {
        if format != Format::Wpd {
            outcome.input_failed(&input.path, &"is no table, and has no schema");
            return Ok(());
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
        })
    })?;
    out.flush()
}
