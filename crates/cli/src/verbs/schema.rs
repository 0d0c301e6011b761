use std::io::{self, Write};

use worldview::{Asset, Format, Loader};
use worldview_export::Error;
use worldview_export::table::schema_file;
use worldview_inspect::{Options, Root, json, text};

use crate::args::{SchemaArgs, SchemaFormat};
use crate::inputs;
use crate::open::{Files, NestingScope};
use crate::run::Run;
use crate::selected::{Plan, ShortPlan};
use crate::table;
use worldview_export::csv::CsvStyle;

pub(crate) fn schema(args: &SchemaArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let Some(files) = Files::new(&args.input.open, 1, run) else { return Ok(()) };
    let look = |mut look: inputs::OpenInput<'_>, ()| -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        // What a folder holds besides tables is no fault of whoever asks.
        if look.format != Format::Wpd {
            if look.input.is_named() {
                look.outcome.input_failed(&look.input.path, &"is not a table, so it has no schema");
                look.outcome.nothing_done();
            }
            return Ok(out);
        }
        let mut tables = 0_u64;
        files.look(&mut look, NestingScope::Nested, &mut |visit, outcome| {
            visit.say_left_out(outcome);
            let Asset::Table(table) = visit.part else { return Ok(()) };
            tables += 1;
            let root = Root::new("wdb", table.archive().source(), table);
            let options = Options { select: &Plan, ..Options::default() };
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
        if tables == 0 && look.input.is_named() && !look.outcome.has_failed() && args.input.open.only.is_empty() {
            look.outcome.input_failed(&look.input.path, &"contains no table, so there is no schema to print");
        }
        Ok(out)
    };
    let mut out = run.stdout(CsvStyle::default(), args.format == SchemaFormat::Table);
    inputs::each(&args.input, loader, run, |_| (), look, |made, _| out.write_all(&made?))?;
    out.flush()
}
