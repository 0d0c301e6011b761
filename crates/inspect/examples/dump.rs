//! Writes everything that a level contains as text, or as JSON: `cargo run --example dump -- LEVEL.WWD [json]`.

use std::error::Error;
use std::io::stdout;

use worldview_inspect::{Options, Root, json, text};
use worldview_wwd::{Level, LevelDescription, unpack};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let file = std::fs::read(args.next().ok_or("expected the path of a level")?)?;
    let unpacked = unpack(&file)?;
    let level = Level::parse(&unpacked)?;
    let described = LevelDescription::new(&unpacked, &level);
    let (root, options) = (Root::new("wwd", level.image(), &described), Options::default());
    match args.next().as_deref() {
        Some("json") => json::write(&root, &options, stdout().lock())?,
        _ => text::write(&root, &options, stdout().lock())?,
    }
    Ok(())
}
