//! Plans the changes that a saved Tiled map makes to a level, applies them, and prints them.
//!
//! ```text
//! cargo run --release -p worldview-import --example tiled -- LEVEL.WWD map.tmx [OUT.WWD]
//! ```
//!
//! Writes the edited level to OUT.WWD, after checking that planning again with it finds no change.

use std::error::Error;

use worldview_edit::wwd;
use worldview_export::Encoding;
use worldview_import::tiled;
use worldview_wwd::Level;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [level, map, out @ ..] = &arguments[..] else {
        return Err("usage: tiled LEVEL.WWD map.tmx [OUT.WWD]".into());
    };
    let (file, map) = (std::fs::read(level)?, std::fs::read(map)?);
    let changes = {
        let image = worldview_wwd::unpack(&file)?;
        tiled::level(&Level::parse(&image)?, &map, Encoding::default())?.complete()?
    };
    print!("{}", changes.to_json()?);
    let edited = wwd::apply(&file, &changes)?.to_vec();
    if changes.is_empty() && edited != file {
        return Err("no changes do not give the original".into());
    }
    for out in out {
        std::fs::write(out, &edited)?;
    }
    Ok(())
}
