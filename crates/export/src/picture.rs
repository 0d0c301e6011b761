//! PNG pictures: written row by row for levels and models, and read from other programs.

mod read;

use std::cell::Cell;
use std::io::{self, Write};

use flate2::{Compress, Compression, FlushCompress, Status};
use png::{BitDepth, ColorType, Compression as Quality, Encoder, EncodingError, Writer};

use crate::{Error, Result};

pub use read::{NOT_READ, Picture, Pixels};

/// The size of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Size {
    pub(crate) fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// A pixel: a palette index, or a color as `0xAARRGGBB`.
pub(crate) type Ink = u32;

/// Returns the ink of an opaque color in a picture without a palette.
pub(crate) fn opaque([red, green, blue]: [u8; 3]) -> Ink {
    Ink::from_be_bytes([0xFF, red, green, blue])
}

/// The meaning of the inks of a picture.
pub(crate) enum Format {
    /// Indices into this palette of red, green, blue and opacity, with at most 256 colors.
    Indexed(Vec<[u8; 4]>),
    /// Opaque colors.
    Rgb,
    /// Colors with opacity.
    Rgba,
}

/// Receives a picture row by row.
pub(crate) struct Rows<'w, 'o> {
    chunks: Chunks<'w, 'o>,
    color: ColorType,
    /// Filtered rows that are compressed together. Every call of the compressor takes as long as compressing a few
    /// kilobytes, because it clears its buffers. For the same reason, the stream writer of `png`, which compresses each
    /// row separately, is not used.
    rows: Vec<u8>,
    packed: Vec<u8>,
    before: Vec<u8>,
    count: u32,
}

/// Size in bytes of the pieces that are compressed at a time, and of the resulting chunks.
const PIECE: usize = 1 << 16;

impl Rows<'_, '_> {
    /// Writes the next row, which must have the width of the picture.
    pub(crate) fn push(&mut self, row: &[Ink]) -> Result<()> {
        self.next();
        match self.color {
            ColorType::Indexed => self.packed.extend(row.iter().map(|ink| ink.to_le_bytes()[0])),
            ColorType::Rgb => {
                self.packed.extend(row.iter().flat_map(|ink| {
                    let [_, red, green, blue] = ink.to_be_bytes();
                    [red, green, blue]
                }));
            }
            _ => {
                self.packed.extend(row.iter().flat_map(|ink| {
                    let [opacity, red, green, blue] = ink.to_be_bytes();
                    [red, green, blue, opacity]
                }));
            }
        }
        self.end_row()
    }

    /// Writes the next row of a picture with a palette.
    pub(crate) fn push_indices(&mut self, row: &[u8]) -> Result<()> {
        self.next();
        self.packed.extend_from_slice(row);
        self.end_row()
    }

    fn next(&mut self) {
        std::mem::swap(&mut self.packed, &mut self.before);
        self.packed.clear();
    }

    fn end_row(&mut self) -> Result<()> {
        const NO_FILTER: u8 = 0;
        const UP: u8 = 2;
        self.count += 1;
        // A repeated row becomes zeros. Other rows of flat cells compress best without a filter.
        if self.packed == self.before {
            self.rows.push(UP);
            self.rows.resize(self.rows.len() + self.packed.len(), 0);
        } else {
            self.rows.push(NO_FILTER);
            self.rows.extend_from_slice(&self.packed);
        }
        if self.rows.len() >= PIECE { self.pack() } else { Ok(()) }
    }

    fn pack(&mut self) -> Result<()> {
        self.chunks.pack(&self.rows, FlushCompress::None)?;
        self.rows.clear();
        Ok(())
    }
}

thread_local! {
    /// The deflate state of the thread, used again for each picture. A state of its own for each of thousands of small
    /// pictures takes 300 kB of address space that no later one fits into, as the picture is allocated behind it.
    static DEFLATE: Cell<Option<Compress>> = const { Cell::new(None) };
}

/// Writes compressed rows as chunks of a picture.
struct Chunks<'w, 'o> {
    writer: &'w mut Writer<Watch<'o>>,
    deflate: Compress,
    bytes: Vec<u8>,
}

impl Chunks<'_, '_> {
    /// Compresses `rows`, and with [`FlushCompress::Finish`] ends the stream.
    fn pack(&mut self, mut rows: &[u8], flush: FlushCompress) -> io::Result<()> {
        loop {
            // What comes out is mostly less; what is not fits into the next round.
            self.bytes.reserve(rows.len().min(PIECE) + 64);
            let before = self.deflate.total_in();
            let status = self.deflate.compress_vec(rows, &mut self.bytes, flush).map_err(io::Error::other)?;
            let taken = usize::try_from(self.deflate.total_in() - before).unwrap_or(usize::MAX);
            rows = rows.get(taken..).unwrap_or_default();
            if self.bytes.len() >= PIECE {
                self.flush_buffer()?;
            }
            let is_done = match flush {
                FlushCompress::Finish => status == Status::StreamEnd,
                _ => rows.is_empty(),
            };
            if is_done {
                return Ok(());
            }
        }
    }

    fn flush_buffer(&mut self) -> io::Result<()> {
        self.writer.write_chunk(png::chunk::IDAT, &self.bytes).map_err(as_io)?;
        self.bytes.clear();
        Ok(())
    }
}

/// Writes a picture. `draw` must push each of its rows.
pub(crate) fn write(
    out: &mut dyn Write,
    size: Size,
    format: &Format,
    draw: impl FnOnce(&mut Rows<'_, '_>) -> Result<()>,
) -> Result<()> {
    encode(out, size, format, Quality::default(), |writer, color| {
        let mut deflate = DEFLATE.take().unwrap_or_else(|| Compress::new(Compression::default(), true));
        deflate.reset();
        let chunks = Chunks { writer, deflate, bytes: Vec::new() };
        let mut rows = Rows { chunks, color, rows: Vec::new(), packed: Vec::new(), before: Vec::new(), count: 0 };
        draw(&mut rows)?;
        if rows.count != size.height {
            // The level changed while it was drawn, which can happen to a memory-mapped file.
            return Err(io::Error::other(format!("{} rows for a picture of {}", rows.count, size.height)).into());
        }
        rows.pack()?;
        rows.chunks.pack(&[], FlushCompress::Finish)?;
        rows.chunks.flush_buffer()?;
        DEFLATE.set(Some(rows.chunks.deflate));
        Ok(())
    })
}

/// Writes a picture whose pixels are indices of opaque colors, of which there are at most 256.
pub(crate) fn indexed<'r>(
    out: &mut dyn Write,
    size: (u32, u32),
    palette: impl Iterator<Item = [u8; 3]>,
    pixels: impl Iterator<Item = &'r [u8]>,
) -> Result<()> {
    let palette = palette.map(|[red, green, blue]| [red, green, blue, 0xFF]).collect();
    numbered(out, size, palette, pixels)
}

/// Writes a picture whose pixels are indices of colors, of which there are at most 256.
pub(crate) fn numbered<R: AsRef<[u8]>>(
    out: &mut dyn Write,
    (width, height): (u32, u32),
    palette: Vec<[u8; 4]>,
    pixels: impl Iterator<Item = R>,
) -> Result<()> {
    write(out, Size { width, height }, &Format::Indexed(palette), |rows| {
        for row in pixels {
            rows.push_indices(row.as_ref())?;
        }
        Ok(())
    })
}

/// Writes a picture of colors, given the bytes of all pixels as red, green, blue and opacity, as fast as possible.
pub(crate) fn quick(out: &mut dyn Write, size: Size, pixels: &[u8]) -> Result<()> {
    encode(out, size, &Format::Rgba, Quality::Fast, |writer, _| writer.write_image_data(pixels).map_err(failed))
}

/// Writes a picture. `write` receives the writer after everything that precedes the rows has been written.
fn encode(
    out: &mut dyn Write,
    size: Size,
    format: &Format,
    quality: Quality,
    write: impl FnOnce(&mut Writer<Watch<'_>>, ColorType) -> Result<()>,
) -> Result<()> {
    let mut failure = None;
    let done = encode_to(Watch { out, failure: &mut failure }, size, format, quality, write);
    match failure {
        Some(error) => Err(error.into()),
        None => done,
    }
}

fn encode_to<'o>(
    out: Watch<'o>,
    size: Size,
    format: &Format,
    quality: Quality,
    write: impl FnOnce(&mut Writer<Watch<'o>>, ColorType) -> Result<()>,
) -> Result<()> {
    let mut encoder = Encoder::new(out, size.width, size.height);
    let color = match format {
        Format::Indexed(colors) => {
            encoder
                .set_palette(colors.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect::<Vec<_>>());
            if colors.iter().any(|color| color[3] != 0xFF) {
                encoder.set_trns(colors.iter().map(|color| color[3]).collect::<Vec<_>>());
            }
            ColorType::Indexed
        }
        Format::Rgb => ColorType::Rgb,
        Format::Rgba => ColorType::Rgba,
    };
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(quality);
    let mut writer = encoder.write_header().map_err(failed)?;
    write(&mut writer, color)?;
    writer.finish().map_err(failed)
}

fn failed(error: EncodingError) -> Error {
    Error::Io(as_io(error))
}

fn as_io(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

/// Keeps the first I/O error, because the encoder loses errors of its last chunk, which it writes when it is
/// dropped.
struct Watch<'a> {
    out: &'a mut dyn Write,
    failure: &'a mut Option<io::Error>,
}

impl Watch<'_> {
    fn keep<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.failure.get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl Write for Watch<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.out.write(bytes);
        self.keep(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.keep(result)
    }
}
