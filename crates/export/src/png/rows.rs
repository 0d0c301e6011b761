use std::io::{self, Write};

use png::{BitDepth, ColorType, Encoder, EncodingError, Filter, StreamWriter};

use super::grid::Size;
use crate::palette::Rgb;
use crate::{Error, Result};

/// A pixel: a number of the palette, or a colour as `0xAARRGGBB`.
pub(super) type Ink = u32;

/// The ink of an opaque colour in pictures without a palette.
pub(super) fn opaque([red, green, blue]: Rgb) -> Ink {
    Ink::from_be_bytes([0xFF, red, green, blue])
}

/// What the inks of a picture are.
pub(super) enum Format {
    /// Numbers of these colours: red, green, blue, opacity; at most 256.
    Indexed(Vec<[u8; 4]>),
    /// Colours that are all opaque.
    Rgb,
    /// Colours.
    Rgba,
}

/// Takes a picture row by row.
pub(super) struct Rows<'w, 'o> {
    stream: StreamWriter<'w, Watch<'o>>,
    color: ColorType,
    packed: Vec<u8>,
    before: Vec<u8>,
}

impl Rows<'_, '_> {
    /// Writes the next row, which has the width of the picture.
    pub(super) fn push(&mut self, row: &[Ink]) -> Result<()> {
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
        self.pass_on()
    }

    fn next(&mut self) {
        std::mem::swap(&mut self.packed, &mut self.before);
        self.packed.clear();
    }

    fn pass_on(&mut self) -> Result<()> {
        // A row that repeats becomes zeros; another one of flat cells packs best as it is.
        self.stream.set_filter(if self.packed == self.before { Filter::Up } else { Filter::NoFilter });
        self.stream.write_all(&self.packed)?;
        Ok(())
    }
}

/// Writes a picture whose rows come from `draw`, which has to push each of them.
pub(super) fn write(
    out: &mut dyn Write,
    size: Size,
    format: &Format,
    draw: impl FnOnce(&mut Rows<'_, '_>) -> Result<()>,
) -> Result<()> {
    let mut failure = None;
    let done = encode(Watch { out, failure: &mut failure }, size, format, draw);
    match failure {
        Some(error) => Err(error.into()),
        None => done,
    }
}

/// Writes a picture whose pixels are numbers of opaque colours already, of which there are at most 256.
pub(crate) fn indexed<'r>(
    out: &mut dyn Write,
    size: (u32, u32),
    palette: impl Iterator<Item = Rgb>,
    pixels: impl Iterator<Item = &'r [u8]>,
) -> Result<()> {
    let palette = palette.map(|[red, green, blue]| [red, green, blue, 0xFF]).collect();
    numbered(out, size, palette, pixels)
}

/// Writes a picture whose pixels are numbers of colours, of which there are at most 256.
pub(crate) fn numbered<R: AsRef<[u8]>>(
    out: &mut dyn Write,
    (width, height): (u32, u32),
    palette: Vec<[u8; 4]>,
    pixels: impl Iterator<Item = R>,
) -> Result<()> {
    write(out, Size { width, height }, &Format::Indexed(palette), |rows| {
        for row in pixels {
            rows.next();
            rows.packed.extend_from_slice(row.as_ref());
            rows.pass_on()?;
        }
        Ok(())
    })
}

/// Writes a picture of colours: red, green, blue, opacity.
#[cfg(feature = "preview")]
pub(crate) fn colored<'r>(
    out: &mut dyn Write,
    (width, height): (u32, u32),
    pixels: impl Iterator<Item = &'r [[u8; 4]]>,
) -> Result<()> {
    write(out, Size { width, height }, &Format::Rgba, |rows| {
        for row in pixels {
            rows.next();
            rows.packed.extend(row.iter().flatten());
            // Nothing is flat here.
            rows.stream.set_filter(Filter::Adaptive);
            rows.stream.write_all(&rows.packed)?;
        }
        Ok(())
    })
}

fn encode(
    out: Watch<'_>,
    size: Size,
    format: &Format,
    draw: impl FnOnce(&mut Rows<'_, '_>) -> Result<()>,
) -> Result<()> {
    let mut encoder = Encoder::new(out, size.width, size.height);
    let color = match format {
        Format::Indexed(colours) => {
            encoder.set_palette(
                colours.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect::<Vec<_>>(),
            );
            if colours.iter().any(|colour| colour[3] != 0xFF) {
                encoder.set_trns(colours.iter().map(|colour| colour[3]).collect::<Vec<_>>());
            }
            ColorType::Indexed
        }
        Format::Rgb => ColorType::Rgb,
        Format::Rgba => ColorType::Rgba,
    };
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(failed)?;
    {
        let stream = writer.stream_writer_with_size(1 << 16).map_err(failed)?;
        let mut rows = Rows { stream, color, packed: Vec::new(), before: Vec::new() };
        draw(&mut rows)?;
        rows.stream.finish().map_err(failed)?;
    }
    writer.finish().map_err(failed)
}

fn failed(error: EncodingError) -> Error {
    Error::Io(match error {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    })
}

/// Keeps the first failure of a writer: the encoder loses that of its last chunk, which it writes when it is dropped.
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
