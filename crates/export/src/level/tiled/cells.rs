//! The cells of a layer as Tiled packs them: little-endian numbers, a zlib stream of these, and that in base64.

use std::fmt;
use std::io::{self, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Writes cells as base64 of a zlib stream.
pub(super) fn write(cells: impl Iterator<Item = u32>, out: impl Write) -> io::Result<()> {
    let mut zlib = ZlibEncoder::new(EncoderWriter::new(out, &STANDARD), Compression::default());
    cells.into_iter().try_for_each(|gid| zlib.write_all(&gid.to_le_bytes()))?;
    zlib.finish()?.finish()?;
    Ok(())
}

/// The same as a text that is made while it is printed.
pub(super) struct Packed<F>(pub(super) F);

impl<I: Iterator<Item = u32>, F: Fn() -> I> fmt::Display for Packed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write((self.0)(), Text(f)).map_err(|_| fmt::Error)
    }
}

/// Takes ASCII for a formatter.
struct Text<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Text<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
