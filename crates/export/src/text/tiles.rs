use std::io::{self, Write};

use worldview_wwd::{Tile, TileKind};

/// Writes a row of tiles, each with a space before it, repeated ones counted.
pub(super) fn row(row: &[Tile], out: &mut impl Write) -> io::Result<()> {
    for run in row.chunk_by(|left, right| left == right) {
        let Some(tile) = run.first() else { continue };
        match tile.kind() {
            TileKind::Empty => write!(out, " .")?,
            TileKind::Filled => write!(out, " #")?,
            TileKind::Image { image_set: 0, frame } => write!(out, " {frame}")?,
            TileKind::Image { image_set, frame } => write!(out, " {image_set}:{frame}")?,
        }
        if run.len() > 1 {
            write!(out, "*{}", run.len())?;
        }
    }
    Ok(())
}
