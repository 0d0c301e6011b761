//! Prints the changes that an edited export makes to its original, and writes the result of applying them.
//!
//! ```text
//! cargo run --release -p worldview-import --example import -- ORIGINAL EXPORT [OUT]
//! ```
//!
//! EXPORT is a `records.csv`, `objects.csv` or `attributes.csv`, one of these as NDJSON, or a `table.json` or `level.json`.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use worldview_edit::{wpd, wwd};
use worldview_export::Encoding;
use worldview_import::{csv, json};
use worldview_wpd::Table;
use worldview_wwd::{Level, unpack};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let (original, export, out) = match arguments.as_slice() {
        [original, export] => (original, export, None),
        [original, export, out] => (original, export, Some(out)),
        _ => return Err("usage: import ORIGINAL EXPORT [OUT]".into()),
    };
    let (file, edited) = (std::fs::read(original)?, std::fs::read(export)?);
    let name = Path::new(export).file_name().and_then(|name| name.to_str()).unwrap_or("");
    let options = csv::Options::default();
    let is_table = file.starts_with(b"WPD\0");
    let start = Instant::now();
    let changes = if is_table {
        let table = Table::parse(&file)?;
        match name {
            "records.csv" => csv::records(&table, &edited, &options)?.complete()?,
            "table.json" => json::table(&table, &edited, false)?.complete()?,
            "records.ndjson" => json::records(&table, &edited, false)?.complete()?,
            _ => return Err("unknown export of a table".into()),
        }
    } else {
        let unpacked = unpack(&file)?;
        let level = Level::parse(&unpacked)?;
        match name {
            "objects.csv" => csv::objects(&level, &edited, &options)?.complete()?,
            "attributes.csv" => csv::attributes(&level, &edited, &options)?.complete()?,
            "level.json" => json::level(&unpacked, &level, &edited, Encoding::WINDOWS_1252)?.complete()?,
            "objects.ndjson" => json::objects(&level, &edited, Encoding::WINDOWS_1252, false)?.complete()?,
            "attributes.ndjson" => json::attributes(&level, &edited, Encoding::WINDOWS_1252)?.complete()?,
            _ => return Err("unknown export of a level".into()),
        }
    };
    let planned = start.elapsed();
    print!("{}", changes.to_json()?);
    let result = if is_table { wpd::apply(&file, &changes)? } else { wwd::apply(&file, &changes)? }.to_vec();
    eprintln!("{} changes, planned in {planned:?}, applied after {:?}", changes.len(), start.elapsed());
    if let Some(out) = out {
        std::fs::write(out, result)?;
    }
    Ok(())
}
