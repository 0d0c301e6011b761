use std::collections::{HashMap, HashSet};

use worldview_core::Path;
use worldview_edit::account::{Column, Entry, SourcePlace};
use worldview_export::picture::{Picture, Pixels};
use worldview_island::{Element, Image};
use zerocopy::IntoBytes as _;

use crate::codes::{COLORS_REDUCED, NOT_OPAQUE, PICTURE_NOT_READ};
use worldview_edit::island::diff_alone;
use worldview_edit::{EditError, Planned, Result};

/// The most pixels that a picture may have.
const MAX: usize = 1 << 24;

pub(super) type Rgb = [u8; 3];

/// Returns the changes that give a texture the pixels of a PNG.
///
/// The PNG may have another size, 8 or 16 bits, and any color type, but no transparent pixels. Pixels that did not change keep their
/// palette entries, and so does the order of the palette. A color that changed everywhere changes in the palette; other new
/// colors are appended, or replace entries that no pixel uses. If the PNG has the same indices as the texture and as many colors, its
/// palette is taken as it is. If the picture has more than 256 colors, it is reduced to 256, and an entry says so.
///
/// The paths of the changes are `width`, `height`, `palette`, `color#7`, `pixels` and `pixel:3,5`, as below the image in
/// [`island::apply`](worldview_edit::island::apply). Chunks that have no pixels are not read: those of
/// [`NOT_READ`](worldview_export::picture::NOT_READ) silently, others with a message.
///
/// A picture with a pixel that is not opaque is refused by an entry.
///
/// # Errors
///
/// Returns an error if the file is not a PNG, or has more than 16,777,216 pixels.
pub fn png(original: &Image<'_>, edited: &[u8]) -> Result<Planned> {
    let old = Indexed {
        width: original.width,
        height: original.height,
        palette: original.palette.iter().map(|color| color.get()).collect(),
        pixels: original.pixels.to_vec(),
    };
    let (new, mut planned) = painted(&old, edited)?;
    if let Some(new) = new {
        planned.changes = diff_alone(Element::Image, &old.bytes(), &new.bytes())?;
    }
    Ok(planned)
}

/// Returns the image that a PNG makes of one, `None` if it has the same colors or is refused, and what else there is to say. A picture
/// for an image without pixels keeps its palette.
pub(super) fn painted(old: &Indexed, edited: &[u8]) -> Result<(Option<Indexed>, Planned)> {
    let (picture, planned) = decoded(edited)?;
    let (new, mut planned) = repainted(old, &picture, planned);
    if planned.account.refused() == 0 {
        leave_out_colors(&picture, new.as_ref().map_or(&old.palette, |new| &new.palette), &mut planned);
    }
    Ok((new, planned))
}

/// Leaves out the colors of a palette that no pixel has, if the result does not have them. Black fills palettes.
pub(super) fn leave_out_colors(picture: &Picture, result: &[Rgb], planned: &mut Planned) {
    let Pixels::Indexed { palette, indices } = &picture.pixels else { return };
    let used: HashSet<usize> = indices.iter().map(|&index| index.into()).collect();
    let unused = palette.iter().enumerate().filter(|(index, _)| !used.contains(index));
    let colors = unused.map(|(_, &[red, green, blue, _])| [red, green, blue]);
    let lost: Vec<Rgb> = colors.filter(|color| *color != [0; 3] && !result.contains(color)).collect();
    if let Some([red, green, blue]) = lost.first() {
        let what = format!("colors of the palette that no pixel has, such as #{red:02x}{green:02x}{blue:02x}");
        let entry = Entry::new(Column::LeftOut, PICTURE_NOT_READ, &Path::new(), format!("not read: {what}"));
        planned.account.push(entry.at(SourcePlace::pointer("palette")).about(lost.len() as u64, []));
    }
}

fn repainted(old: &Indexed, picture: &Picture, mut planned: Planned) -> (Option<Indexed>, Planned) {
    let colors = picture.colors();
    if let Some(at) = colors.iter().position(|[.., alpha]| *alpha != u8::MAX) {
        let width = usize::try_from(picture.width).unwrap_or(usize::MAX);
        let (x, y) = (at.checked_rem(width).unwrap_or(0), at.checked_div(width).unwrap_or(0));
        let path = Path::new().with(|path| path.push("pixel", format!("{x},{y}").as_bytes(), None));
        let count = colors.iter().filter(|[.., alpha]| *alpha != u8::MAX).count();
        let why = format!("textures have no transparency, but {count} pixels are not opaque");
        let place = SourcePlace::pointer(format!("pixel row {y}"));
        planned.refuse(&EditError::refused(&path, NOT_OPAQUE, why), place);
        return (None, planned);
    }
    let pixels: Vec<Rgb> = colors.into_iter().map(|[red, green, blue, _]| [red, green, blue]).collect();
    let (width, height) = (picture.width, picture.height);
    let opaque = |palette: &[[u8; 4]]| palette.iter().map(|&[red, green, blue, _]| [red, green, blue]).collect();
    let new = if (width, height) == (old.width, old.height) {
        if let Pixels::Indexed { palette, indices } = &picture.pixels
            && *indices == old.pixels
            && palette.len() == old.full_palette().len()
        {
            Some((old.shortened(opaque(palette)), old.pixels.clone()))
        } else if old.pixels.iter().map(|&pixel| old.color(pixel)).eq(pixels.iter().copied()) {
            return (None, planned);
        } else {
            repaint(old, &pixels)
        }
    } else if let Pixels::Indexed { palette, indices } = &picture.pixels
        && old.pixels.is_empty()
    {
        Some((opaque(palette), indices.clone()))
    } else {
        None
    };
    let new = match new.or_else(|| redraw(old, &pixels)) {
        Some((palette, pixels)) => Indexed { width, height, palette, pixels },
        None => {
            let (palette, pixels, count) = reduce(&pixels);
            let why = format!("the picture has {count} colors and was reduced to {}", palette.len());
            planned.account.push(Entry::new(Column::Done, COLORS_REDUCED, &Path::new(), why));
            Indexed { width, height, palette, pixels }
        }
    };
    (Some(new), planned)
}

/// Decodes a PNG, and says what of it is not read.
pub(super) fn decoded(edited: &[u8]) -> Result<(Picture, Planned)> {
    let unreadable = |why| EditError::malformed(None, format!("not a readable PNG: {why}"));
    let picture = Picture::decode(edited, MAX).map_err(unreadable)?;
    let mut planned = Planned::default();
    for what in &picture.left_out {
        let entry = Entry::new(Column::LeftOut, PICTURE_NOT_READ, &Path::new(), format!("not read: {what}"));
        planned.account.push(entry.at(SourcePlace::pointer(what)));
    }
    Ok((picture, planned))
}

/// An image with a palette.
#[derive(Default)]
pub(super) struct Indexed {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) palette: Vec<Rgb>,
    pub(super) pixels: Vec<u8>,
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

    /// Returns the color for an index: black behind the end of the palette.
    fn color(&self, index: u8) -> Rgb {
        self.palette.get(usize::from(index)).copied().unwrap_or_default()
    }

    /// Returns the colors of all indices that pixels have: black behind the end of the palette.
    fn full_palette(&self) -> Vec<Rgb> {
        let used = self.pixels.iter().max().map_or(0, |&last| usize::from(last).saturating_add(1));
        let mut palette = self.palette.clone();
        palette.resize(palette.len().max(used), [0; 3]);
        palette
    }

    /// Returns a palette without the colors that the export has added: one that was too short stays so if they are still black.
    /// A black that is new in the picture stays.
    fn shortened(&self, mut palette: Vec<Rgb>) -> Vec<Rgb> {
        if palette.len() > self.full_palette().len() {
            return palette;
        }
        while palette.len() > self.palette.len() && palette.last() == Some(&[0; 3]) {
            palette.pop();
        }
        palette
    }
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
    Some((old.shortened(palette), old.pixels.clone()))
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
        palette = old.shortened(palette);
    }
    Some((palette, out))
}

/// Reduces a picture to 256 colors. Returns the palette, the pixels, and how many colors there were.
fn reduce(pixels: &[Rgb]) -> (Vec<Rgb>, Vec<u8>, usize) {
    let rgba: Vec<u8> = pixels.iter().flat_map(|&[red, green, blue]| [red, green, blue, u8::MAX]).collect();
    // The colors are chosen by looking at a million pixels, which takes half a second.
    let step = i32::try_from(pixels.len() >> 20).unwrap_or(i32::MAX).clamp(1, 30);
    let quantizer = color_quant::NeuQuant::new(step, 256, &rgba);
    let mut known = HashMap::new();
    let indices = pixels.iter().map(|&color| {
        let [red, green, blue] = color;
        let index = || quantizer.index_of(&[red, green, blue, u8::MAX]);
        *known.entry(color).or_insert_with(|| u8::try_from(index()).unwrap_or(0))
    });
    let indices = indices.collect();
    let palette = quantizer.color_map_rgb();
    (palette.as_chunks::<3>().0.to_vec(), indices, known.len())
}
