use std::collections::HashMap;
use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};
use worldview_core::Path;
use worldview_core::account::{Account, Column, Entry};
use worldview_island::{Element, Image};
use zerocopy::IntoBytes as _;

use crate::codes::COLORS_REDUCED;
use worldview_edit::island::diff_alone;
use worldview_edit::{EditError, EditErrorKind, Planned, Result};

/// The most memory that a picture may take.
const MAX: usize = 256 << 20;

type Rgb = [u8; 3];

/// Returns the changes that give a texture the pixels of a PNG.
///
/// The PNG may have another size, 8 or 16 bits, and any color type, but no transparent pixels. Pixels that did not change keep their
/// palette entries, and so does the order of the palette. A color that changed everywhere changes in the palette; other new
/// colors are appended, or replace entries that no pixel uses. If the picture has more than 256 colors, it is reduced to 256 and
/// `note` is called with what was done.
///
/// The paths of the changes are `width`, `height`, `palette`, `color#7`, `pixels` and `pixel:3,5`, as below the image in
/// [`island::apply`](worldview_edit::island::apply).
///
/// # Errors
///
/// Returns an error if the file is not a PNG, takes more than 256 MiB, or has a pixel that is not opaque.
pub fn png(original: &Image<'_>, edited: &[u8]) -> Result<Planned> {
    let (width, height, pixels) = decode(edited)?;
    let old = Indexed {
        width: original.width,
        height: original.height,
        palette: original.palette.iter().map(|color| color.get()).collect(),
        pixels: original.pixels.to_vec(),
    };
    let shown = old.pixels.iter().map(|&pixel| original.color(pixel));
    if (width, height) == (old.width, old.height) && shown.eq(pixels.iter().copied()) {
        return Ok(Planned::default());
    }
    let mut account = Account::default();
    let new = if (width, height) == (old.width, old.height) { repaint(&old, &pixels) } else { None };
    let new = match new.or_else(|| redraw(&old, &pixels)) {
        Some((palette, pixels)) => Indexed { width, height, palette, pixels },
        None => {
            let (palette, pixels, count) = reduce(&pixels);
            let why = format!("the picture has {count} colors and was reduced to {}", palette.len());
            account.push(Entry::new(Column::Done, COLORS_REDUCED, &Path::new(), why));
            Indexed { width, height, palette, pixels }
        }
    };
    let changes = diff_alone(Element::Image, &old.bytes(), &new.bytes())?;
    Ok(Planned { changes, account })
}

/// An image with a palette.
struct Indexed {
    width: u32,
    height: u32,
    palette: Vec<Rgb>,
    pixels: Vec<u8>,
}

impl Indexed {
    /// Returns the image as the file has it.
    fn bytes(&self) -> Vec<u8> {
        let colors = u32::try_from(self.palette.len()).unwrap_or(u32::MAX);
        let header = worldview_island::raw::ImageHeader {
            width: self.width.into(),
            height: self.height.into(),
            colors: colors.into(),
        };
        [header.as_bytes(), self.palette.as_flattened(), &self.pixels].concat()
    }

    /// Returns the colors of all indices that pixels have: black behind the end of the palette.
    fn full_palette(&self) -> Vec<Rgb> {
        let used = self.pixels.iter().max().map_or(0, |&last| usize::from(last).saturating_add(1));
        let mut palette = self.palette.clone();
        palette.resize(palette.len().max(used), [0; 3]);
        palette
    }
}

/// Returns the colors of a PNG's pixels, row by row.
fn decode(bytes: &[u8]) -> Result<(u32, u32, Vec<Rgb>)> {
    let wrong = |error: png::DecodingError| EditError::malformed(None, format!("not a readable PNG: {error}"));
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(wrong)?;
    let (width, height) = reader.info().size();
    let size = reader.output_buffer_size().filter(|size| *size <= MAX);
    let size =
        size.ok_or_else(|| EditError::malformed(None, format!("the PNG has {width} x {height} pixels, too many")))?;
    let mut buffer = vec![0; size];
    let frame = reader.next_frame(&mut buffer).map_err(wrong)?;
    buffer.truncate(frame.buffer_size());
    let samples = frame.color_type.samples();
    let mut pixels = Vec::with_capacity(buffer.len().checked_div(samples).unwrap_or(0));
    for (at, pixel) in buffer.chunks_exact(samples.max(1)).enumerate() {
        let (color, alpha) = match (frame.color_type, pixel) {
            (ColorType::Grayscale, &[gray]) => ([gray; 3], u8::MAX),
            (ColorType::GrayscaleAlpha, &[gray, alpha]) => ([gray; 3], alpha),
            (ColorType::Rgb, &[red, green, blue]) => ([red, green, blue], u8::MAX),
            (ColorType::Rgba, &[red, green, blue, alpha]) => ([red, green, blue], alpha),
            _ => return Err(EditError::malformed(None, "the PNG has an unknown color type")),
        };
        if alpha != u8::MAX {
            let wide = usize::try_from(width).unwrap_or(usize::MAX);
            let (x, y) = (at.checked_rem(wide).unwrap_or(0), at.checked_div(wide).unwrap_or(0));
            let mut path = Path::new();
            path.push("pixel", format!("{x},{y}").as_bytes(), None);
            let limit = "textures have no transparency, so that each alpha must be 255".to_owned();
            return Err(EditError::new(&path, EditErrorKind::DoesNotFit { value: alpha.into(), limit }));
        }
        pixels.push(color);
    }
    Ok((width, height, pixels))
}

/// Changes the palette alone, if the pixels of each entry have one color. Returns `None` if not.
fn repaint(old: &Indexed, pixels: &[Rgb]) -> Option<(Vec<Rgb>, Vec<u8>)> {
    let mut palette = old.full_palette();
    let mut seen = [None; 256];
    for (&index, &color) in old.pixels.iter().zip(pixels) {
        let seen = seen.get_mut(usize::from(index))?;
        if *seen.get_or_insert(color) != color {
            return None;
        }
        *palette.get_mut(usize::from(index))? = color;
    }
    // A palette that was too short stays so if its missing colors are still black.
    while palette.len() > old.palette.len() && palette.last() == Some(&[0; 3]) {
        palette.pop();
    }
    Some((palette, old.pixels.clone()))
}

/// Gives pixels the indices of their colors; those that did not change keep theirs. Returns `None` if there are too many colors.
fn redraw(old: &Indexed, pixels: &[Rgb]) -> Option<(Vec<Rgb>, Vec<u8>)> {
    let mut palette = old.full_palette();
    let is_same_size = old.pixels.len() == pixels.len();
    let kept = |at: usize, color: Rgb, palette: &[Rgb]| {
        let index = *old.pixels.get(at).filter(|_| is_same_size)?;
        (palette.get(usize::from(index)) == Some(&color)).then_some(index)
    };
    let mut known: HashMap<Rgb, u8> = HashMap::new();
    for (index, &color) in (0..=u8::MAX).zip(&palette) {
        known.entry(color).or_insert(index);
    }
    let mut is_used = [false; 256];
    for (at, &color) in pixels.iter().enumerate() {
        let index = kept(at, color, &palette).or_else(|| known.get(&color).copied());
        index.and_then(|index| is_used.get_mut(usize::from(index))).into_iter().for_each(|used| *used = true);
    }
    let old_palette = palette.clone();
    // New colors go behind the palette as long as there is room, then to entries that no pixel uses.
    let mut free = (old_palette.len()..256).chain((0..old_palette.len()).filter(|&at| is_used.get(at) == Some(&false)));
    let mut out = Vec::with_capacity(pixels.len());
    for (at, &color) in pixels.iter().enumerate() {
        let index = kept(at, color, &old_palette)
            .or_else(|| known.get(&color).copied().filter(|index| palette.get(usize::from(*index)) == Some(&color)));
        let index = match index {
            Some(index) => index,
            None => {
                let next = free.next()?;
                match palette.get_mut(next) {
                    Some(entry) => *entry = color,
                    None => palette.push(color),
                }
                let next = u8::try_from(next).ok()?;
                known.insert(color, next);
                next
            }
        };
        out.push(index);
    }
    if palette.iter().take(old.palette.len()).eq(&old.palette) {
        while palette.len() > old.palette.len() && palette.last() == Some(&[0; 3]) {
            palette.pop();
        }
    }
    Some((palette, out))
}

/// Reduces a picture to 256 colors. Returns the palette, the pixels, and how many colors there were.
fn reduce(pixels: &[Rgb]) -> (Vec<Rgb>, Vec<u8>, usize) {
    let count = pixels.iter().collect::<std::collections::HashSet<_>>().len();
    let rgba: Vec<u8> = pixels.iter().flat_map(|&[red, green, blue]| [red, green, blue, u8::MAX]).collect();
    let quantizer = color_quant::NeuQuant::new(1, 256, &rgba);
    let indices = rgba.chunks_exact(4).map(|pixel| u8::try_from(quantizer.index_of(pixel)).unwrap_or(0)).collect();
    let palette = quantizer.color_map_rgb();
    (palette.as_chunks::<3>().0.to_vec(), indices, count)
}
