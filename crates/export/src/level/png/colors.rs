//! The colors of pictures: of a palette if they are few, otherwise any.

#[cfg(feature = "game")]
use std::borrow::Cow;

use worldview_wwd::Tile;

use super::class::Class;
use super::compose::Inks;
use super::gallery::Shown;
use super::legend;
use super::scene::{Flat, Scene, changes};
use super::sheet;
use super::stamp::Stamp;
#[cfg(feature = "game")]
use crate::level::game::{Pixels, Sprite};
use crate::level::palette::{self, Rgb};
use crate::picture::{Ink, opaque};

/// The outline of a mark, which makes it visible on every tile.
pub(super) const OUTLINE: Rgb = [14, 12, 20];
/// The colors of a mark.
pub(super) const MARK: [Rgb; 2] = [palette::MARK, OUTLINE];

/// Returns red, green, blue and opacity.
pub(super) const fn rgba(ink: Ink) -> [u8; 4] {
    let [opacity, red, green, blue] = ink.to_be_bytes();
    [red, green, blue, opacity]
}

/// The number of slots: a power of two, and so many that most colors are found in the first one.
const SLOTS: usize = 1024;

/// The colors of a picture with a palette.
pub(super) struct Colors {
    colors: Vec<Ink>,
    /// The colors with their indices, each at its hash or behind that.
    slots: [Option<(Ink, u8)>; SLOTS],
}

impl Default for Colors {
    fn default() -> Self {
        Self { colors: Vec::new(), slots: [None; SLOTS] }
    }
}

impl Colors {
    /// Returns the colors of a scene without pictures, or `None` if they do not fit into a palette.
    pub(super) fn of(scene: &Scene<'_>) -> Option<Self> {
        /// Maximum number of colors if tiles have one each.
        const MAX_FLAT: usize = 244;

        if !scene.gallery.shown.is_empty() {
            return None;
        }
        let mut known = Self::default();
        known.add(scene.background)?;
        let is_framed = match scene.flat {
            Flat::Nothing => return None,
            Flat::Attributes { is_overlay, .. } => {
                known.add_all(Class::all().map(|class| class.ink(is_overlay)))?;
                known.add_all(Class::all().map(|class| class.ink(false)))?;
                known.add_all([legend::PAPER, legend::TEXT].into_iter().chain(MARK.map(opaque)))?;
                return Some(known);
            }
            Flat::Color => {
                known.add_all([opaque(palette::FILLED)].into_iter().chain(MARK.map(opaque)))?;
                false
            }
            Flat::Framed => true,
        };
        for tile in scene.layers.iter().flat_map(|layer| changes(layer.tiles)) {
            match tile.get() {
                Tile::EMPTY => {}
                Tile::FILLED if is_framed => {
                    known.add_all(sheet::shades(palette::FILLED))?;
                    known.add(sheet::stripe())?;
                }
                Tile::FILLED => {}
                word if is_framed => known.add_all(sheet::shades(palette::tile(word)))?,
                word => {
                    known.add(opaque(palette::tile(word)))?;
                }
            }
            if !is_framed && known.colors.len() > MAX_FLAT {
                return None;
            }
        }
        Some(known)
    }

    /// Returns a palette for pixels and the index of each, or `None` if they have more than 256 colors.
    pub(super) fn indexed(inks: &[Ink]) -> Option<(Vec<[u8; 4]>, Vec<u8>)> {
        let mut colors = Self::default();
        let mut indices = Vec::with_capacity(inks.len());
        let mut last = None;
        for &ink in inks {
            let index = match last {
                Some((known, index)) if known == ink => index,
                _ => colors.add(ink)?,
            };
            last = Some((ink, index));
            indices.push(index);
        }
        Some((colors.palette(), indices))
    }

    /// Adds a color, unless it is known, and returns its index; `None` if there are more than 256.
    pub(super) fn add(&mut self, color: Ink) -> Option<u8> {
        let slot = self.slot(color);
        if let Some((_, index)) = self.slots[slot] {
            return Some(index);
        }
        let index = u8::try_from(self.colors.len()).ok()?;
        self.colors.push(color);
        self.slots[slot] = Some((color, index));
        Some(index)
    }

    fn add_all(&mut self, colors: impl IntoIterator<Item = Ink>) -> Option<()> {
        colors.into_iter().try_for_each(|color| self.add(color).map(drop))
    }

    /// Returns the slot of a color, or the free one for it.
    fn slot(&self, color: Ink) -> usize {
        // The upper bits of a product with an odd number depend on all bits of the color.
        let mut at = (color.wrapping_mul(0x9E37_79B1) >> 22) as usize;
        while self.slots[at].is_some_and(|(known, _)| known != color) {
            at = (at + 1) % SLOTS;
        }
        at
    }

    /// Returns the index of a color.
    fn index(&self, color: Ink) -> u8 {
        self.slots[self.slot(color)].map_or(0, |(_, index)| index)
    }

    /// Returns red, green, blue and opacity of the colors.
    pub(super) fn palette(&self) -> Vec<[u8; 4]> {
        self.colors.iter().map(|&color| rgba(color)).collect()
    }
}

#[cfg(feature = "game")]
impl<'s, P: Clone> Stamp<'s, P> {
    /// Returns a picture of the game with its pixels in another format.
    fn of(sprite: &'s Sprite, pixels: impl Into<Cow<'s, [P]>>) -> Self {
        let opacity = sprite.opacity().unwrap_or_default().into();
        let (width, height) = (sprite.width() as usize, sprite.height() as usize);
        Self { width, height, pixels: pixels.into(), opacity, is_cut: true }
    }
}

impl<'s> Inks<'s, u8> {
    /// Returns the indices of colors, for a scene without pictures.
    pub(super) fn of(colors: &'s Colors, scene: &Scene<'_>) -> Self {
        Self {
            stamps: Vec::new(),
            fills: vec![colors.index(opaque(palette::FILLED)); scene.layers.len()],
            background: colors.index(scene.background),
            mark: MARK.map(|color| colors.index(opaque(color))),
            pixel: Box::new(|color| colors.index(color)),
        }
    }

    /// Returns indices into the palette that all pictures of a scene share.
    pub(super) fn indexed(scene: &'s Scene<'_>, clear: u8, colors: &[Rgb; 256]) -> Self {
        let stamps = scene.gallery.shown.iter().filter_map(|shown| match shown {
            #[cfg(feature = "game")]
            Shown::Game(sprite) => match sprite.pixels() {
                Pixels::Indices { indices, .. } => Some(Stamp::of(sprite, indices)),
                Pixels::Colors(_) => None,
            },
            Shown::Other(_) => None,
        });
        Self {
            stamps: stamps.collect(),
            fills: scene.layers.iter().map(|layer| layer.fill).collect(),
            background: clear,
            mark: MARK.map(|color| nearest(colors, clear, color)),
            pixel: Box::new(move |_| clear),
        }
    }
}

impl<'s> Inks<'s, Ink> {
    /// Returns colors.
    pub(super) fn direct(scene: &'s Scene<'_>) -> Self {
        let stamps = scene.gallery.shown.iter().map(|shown| match shown {
            #[cfg(feature = "game")]
            Shown::Game(sprite) => match sprite.pixels() {
                Pixels::Indices { indices, palette } => {
                    let inks = palette.map(opaque);
                    Stamp::of(sprite, indices.iter().map(|&index| inks[usize::from(index)]).collect::<Vec<_>>())
                }
                Pixels::Colors(colors) => {
                    Stamp::of(sprite, colors.iter().map(|&color| opaque(color)).collect::<Vec<_>>())
                }
            },
            Shown::Other(picture) => {
                let opacity = |ink: &Ink| ink.to_be_bytes()[0];
                let is_opaque = picture.inks.iter().all(|ink| opacity(ink) == 0xFF);
                Stamp {
                    width: picture.width as usize,
                    height: picture.height as usize,
                    pixels: (&picture.inks).into(),
                    opacity: if is_opaque { Vec::new() } else { picture.inks.iter().map(opacity).collect() }.into(),
                    is_cut: picture.is_cut,
                }
            }
        });
        let palette = scene.gallery.palette();
        let fill = |fill: u8| opaque(palette.map_or(palette::FILLED, |palette| palette[usize::from(fill)]));
        Self {
            stamps: stamps.collect(),
            fills: scene.layers.iter().map(|layer| fill(layer.fill)).collect(),
            background: scene.background,
            mark: MARK.map(opaque),
            pixel: Box::new(|color| color),
        }
    }
}

/// Returns the index of the color that is most similar to another, and is not `clear`.
fn nearest(colors: &[Rgb; 256], clear: u8, wanted: Rgb) -> u8 {
    let distance = |color: &Rgb| -> u32 {
        color.iter().zip(wanted).map(|(&one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
    };
    let others = (0..=u8::MAX).zip(colors).filter(|(index, _)| *index != clear);
    others.min_by_key(|(_, color)| distance(color)).map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_256_colors_are_indexed() {
        let inks: Vec<Ink> = (0..300).map(|at| at % 256 * 0x0040_0000).collect();
        let (palette, indices) = Colors::indexed(&inks).unwrap();
        let colors: Vec<_> = indices.iter().map(|&index| palette[usize::from(index)]).collect();
        assert_eq!(colors, inks.iter().map(|&ink| rgba(ink)).collect::<Vec<_>>());
        assert_eq!(Colors::indexed(&(0..257).collect::<Vec<_>>()), None);
    }
}
