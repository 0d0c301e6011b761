use std::io::{self, Write};

use serde::Serialize;
use worldview::Loader;

use crate::args::{FormatChoice, ListArgs};
use crate::describe::{ListEntry, VERSION};
use crate::exit::{Failure, Outcome};
use crate::{inputs, table};

#[derive(Serialize)]
struct Document<'o> {
    version: u32,
    failed: &'o [Failure],
    levels: Vec<ListEntry>,
}

pub(crate) fn list(args: &ListArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let mut scratch = Vec::new();
    let unpacker = super::unpacker(&args.input);
    let mut levels = Vec::new();
    inputs::each(&args.input, loader, outcome, |input, bytes, outcome| {
        match unpacker.outline(bytes, &mut scratch) {
            Ok(outline) => {
                let entry = ListEntry::of(super::name(&input.path), bytes, &outline, args.input.encoding.into());
                levels.push(entry);
            }
            Err(error) => outcome.input_failed(&input.path, &error),
        }
        Ok(())
    })?;
    let mut out = super::stdout();
    if args.format == FormatChoice::Json {
        super::json(&mut out, &Document { version: VERSION, failed: outcome.failures(), levels })?;
    } else {
        let columns = ["file", "game", "name", "author", "birth", ">bytes", ">planes", ">tiles", ">objects"];
        let rows: Vec<_> = levels.iter().map(row).collect();
        table::write(&mut out, &columns, &rows)?;
    }
    out.flush()
}

fn row(entry: &ListEntry) -> Vec<String> {
    let heading = &entry.heading;
    vec![
        heading.path.clone(),
        heading.game.unwrap_or("?").into(),
        heading.name.clone(),
        heading.author.clone(),
        heading.birth.clone(),
        heading.file_length.to_string(),
        entry.planes.to_string(),
        entry.tiles.to_string(),
        entry.objects.to_string(),
    ]
}
