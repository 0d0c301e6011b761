use std::io::{self, Write};

use worldview::Loader;
use worldview_export::{Error, json, text};

use crate::args::{FormatChoice, ShowArgs};
use crate::exit::Outcome;
use crate::inputs;

pub(crate) fn show(args: &ShowArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let mut out = super::stdout();
    let parts: Vec<text::Part> = args.part.iter().map(|&part| part.into()).collect();
    let encoding = args.input.encoding.into();
    inputs::each(&args.input, loader, outcome, |input, bytes, outcome| {
        super::look(input, bytes, &args.input, outcome, |file, level, outcome| {
            let shown = match args.format {
                FormatChoice::Table => text::level(file, level, encoding, &parts, &mut out),
                FormatChoice::Json => json::level(file, level, encoding, &mut out),
            };
            match shown {
                Err(Error::Io(error)) => return Err(error),
                Err(error) => outcome.input_failed(&input.path, &error),
                Ok(()) => {}
            }
            Ok(())
        })
    })?;
    out.flush()
}
