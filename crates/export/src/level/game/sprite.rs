use std::fmt;
use std::sync::Arc;

use worldview_rez::{ColorKey, Picture};

use crate::picture::{Format, Ink, Size, write};

/// The 256 colors of a palette: red, green and blue.
pub type Palette = [[u8; 3]; 256];

/// A decoded picture of the game.
pub struct Sprite {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) offset: (i32, i32),
    pub(super) pixels: Pixels,
    /// Empty if all pixels are opaque.
    pub(super) opacity: Vec<u8>,
    /// Why the rest of the pixels is transparent, if they are truncated.
    pub(super) broken: Option<String>,
}

/// The pixels of a [`Sprite`] in rows from the top.
#[derive(Clone)]
pub enum Pixels {
    /// Palette indices.
    Indices {
        /// One index for each pixel.
        indices: Vec<u8>,
        /// The colors. All pictures of a level that has a palette share that.
        palette: Arc<Palette>,
    },
    /// Red, green and blue.
    Colors(Vec<[u8; 3]>),
}

impl fmt::Debug for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Indices { indices, .. } => write!(f, "Indices({})", indices.len()),
            Self::Colors(colors) => write!(f, "Colors({})", colors.len()),
        }
    }
}

worldview_core::debug_summary!("Sprite", Sprite, |this| width: this.width, height: this.height, offset: this.offset);

impl Sprite {
    /// Returns the width in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the distance from the position of an object to the center of the picture, right and down.
    pub const fn offset(&self) -> (i32, i32) {
        self.offset
    }

    /// Returns the pixels.
    pub const fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// Returns the opacity of each pixel, 255 or 0; `None` if all are opaque.
    pub fn opacity(&self) -> Option<&[u8]> {
        (!self.opacity.is_empty()).then_some(&self.opacity)
    }

    /// Returns why the last pixels are missing, and transparent, if the file is truncated.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Returns the color and the opacity of a pixel, counted in rows from the top left.
    pub fn color(&self, index: usize) -> Option<[u8; 4]> {
        let [red, green, blue] = match &self.pixels {
            Pixels::Indices { indices, palette } => palette[usize::from(*indices.get(index)?)],
            Pixels::Colors(colors) => *colors.get(index)?,
        };
        let opacity = if self.opacity.is_empty() { 0xFF } else { *self.opacity.get(index)? };
        Some([red, green, blue, opacity])
    }

    /// Writes the picture as PNG: with its palette if an index is left for transparent pixels, otherwise with colors.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn write_png(&self, mut out: impl std::io::Write) -> crate::Result<()> {
        let (size, width) = (Size { width: self.width, height: self.height }, self.width as usize);
        if let Pixels::Indices { indices, palette } = &self.pixels
            && let Some(clear) = (0..=u8::MAX).find(|&index| !self.used()[usize::from(index)])
        {
            let colors = (0..=u8::MAX).zip(palette.iter());
            let is_opaque = self.opacity.is_empty();
            let colors = colors.map(|(index, &[red, green, blue])| {
                [red, green, blue, if index == clear && !is_opaque { 0 } else { 0xFF }]
            });
            return write(&mut out, size, &Format::Indexed(colors.collect()), |rows| {
                let mut pixels = indices.clone();
                for (pixel, _) in pixels.iter_mut().zip(&self.opacity).filter(|(_, opacity)| **opacity == 0) {
                    *pixel = clear;
                }
                pixels.chunks_exact(width).try_for_each(|row| rows.push_indices(row))
            });
        }
        write(&mut out, size, &Format::Rgba, |rows| {
            let mut row = Vec::with_capacity(width);
            for y in 0..self.height as usize {
                let colors = (y * width..).take(width).map(|at| self.color(at).unwrap_or_default());
                row.clear();
                row.extend(colors.map(|[red, green, blue, opacity]| Ink::from_be_bytes([opacity, red, green, blue])));
                rows.push(&row)?;
            }
            Ok(())
        })
    }

    /// Returns which palette indices opaque pixels have. All are used if the pixels are colors.
    pub(crate) fn used(&self) -> [bool; 256] {
        let Pixels::Indices { indices, .. } = &self.pixels else { return [true; 256] };
        let mut used = [false; 256];
        if self.opacity.is_empty() {
            indices.iter().for_each(|&index| used[usize::from(index)] = true);
        } else {
            let opaque = indices.iter().zip(&self.opacity).filter(|(_, opacity)| **opacity != 0);
            opaque.for_each(|(&index, _)| used[usize::from(index)] = true);
        }
        used
    }

    /// Decodes a picture. `palette` is that of the level, which takes precedence over the picture's own.
    pub(super) fn decode(picture: &Picture<'_>, key: ColorKey, palette: Option<&Arc<Palette>>) -> Result<Self, String> {
        let is_indexed = picture.channels() == 1;
        let palette = palette.cloned().or_else(|| picture.palette().map(|palette| Arc::new(palette.colors)));
        let mut bytes = vec![0; picture.pixels().saturating_mul(picture.channels())];
        let mut opacity = vec![0; picture.pixels()];
        let done = picture.decode_with_opacity(key, &mut bytes, &mut opacity);
        let broken = done.err().map(|error| error.to_string());
        // What is missing of a PID is transparent; the rest of a PCX would be black.
        if let (Some(why), Picture::Pcx(_)) = (&broken, picture) {
            return Err(why.clone());
        }
        let pixels = match palette {
            Some(palette) if is_indexed => Pixels::Indices { indices: bytes, palette },
            None if is_indexed => return Err("the picture needs a palette, and the level has none".to_owned()),
            _ => Pixels::Colors(bytes.as_chunks().0.to_vec()),
        };
        if opacity.iter().all(|&opacity| opacity == 0xFF) {
            opacity = Vec::new();
        }
        let (width, height, offset) = (picture.width(), picture.height(), picture.offset());
        Ok(Self { width, height, offset, pixels, opacity, broken })
    }
}
