//! The colors of pictures: of a palette if they are few, otherwise any.

use std::collections::BTreeSet;

use worldview_wwd::Tile;

use super::class::Class;
use super::compose::{Inks, Stamp};
use super::gallery::Shown;
use super::legend;
use super::scene::{Flat, Layer, Scene};
use super::sheet;
#[cfg(feature = "game")]
use crate::level::game::Pixels;
use crate::level::palette::{self, Rgb};
use crate::picture::{Format, Ink, opaque};

/// The outline of a mark, which makes it visible on every tile.
pub(super) const OUTLINE: Rgb = [14, 12, 20];
/// The colors of a mark.
pub(super) const MARK: [Rgb; 2] = [palette::MARK, OUTLINE];

/// The colors of a picture with a palette, sorted.
pub(super) struct Colors(Vec<Ink>);

impl Colors {
    /// Returns the colors of a scene without pictures, or `None` if they do not fit into a palette.
    pub(super) fn of(scene: &Scene<'_>) -> Option<Self> {
        /// The size of a palette.
        const MAX: usize = 256;
        /// Maximum number of colors if tiles have one each.
        const MAX_FLAT: usize = 244;

        if !scene.gallery.shown().is_empty() {
            return None;
        }
        let mut known = BTreeSet::from([scene.background]);
        let is_framed = matches!(scene.flat, Flat::Framed);
        let most = if is_framed { MAX } else { MAX_FLAT };
        if !is_framed {
            known.extend(MARK.map(opaque));
            known.insert(opaque(palette::FILLED));
        }
        match scene.flat {
            Flat::Nothing => return None,
            Flat::Attributes { is_overlay, .. } => {
                known.extend(Class::all().flat_map(|class| [class.ink(is_overlay), class.ink(false)]));
                known.extend([legend::PAPER, legend::TEXT]);
                return Some(Self(known.into_iter().collect()));
            }
            Flat::Color | Flat::Framed => {}
        }
        let mut before = Tile::EMPTY;
        for tile in scene.layers.iter().flat_map(Layer::all_tiles) {
            let word = tile.get();
            // Adjacent tiles are often the same.
            if word == std::mem::replace(&mut before, word) {
                continue;
            }
            match word {
                Tile::EMPTY => {}
                Tile::FILLED if is_framed => {
                    known.extend(sheet::shades(palette::FILLED));
                    known.insert(sheet::stripe());
                }
                Tile::FILLED => {}
                word if is_framed => known.extend(sheet::shades(palette::tile(word))),
                word => {
                    known.insert(opaque(palette::tile(word)));
                }
            }
            if known.len() > most {
                return None;
            }
        }
        Some(Self(known.into_iter().collect()))
    }

    /// Returns the pixel format of a picture with these colors.
    pub(super) fn format(&self) -> Format {
        let parts = self.0.iter().map(|ink| {
            let [opacity, red, green, blue] = ink.to_be_bytes();
            [red, green, blue, opacity]
        });
        Format::Indexed(parts.collect())
    }

    /// Returns the index of a color.
    fn index(&self, color: Ink) -> u8 {
        let (Ok(at) | Err(at)) = self.0.binary_search(&color);
        u8::try_from(at.min(self.0.len() - 1)).unwrap_or(0)
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
        let stamps = scene.gallery.shown().iter().filter_map(|shown| match shown {
            #[cfg(feature = "game")]
            Shown::Game(sprite) => match sprite.pixels() {
                Pixels::Indices { indices, .. } => Some(Stamp {
                    width: sprite.width() as usize,
                    height: sprite.height() as usize,
                    pixels: indices.into(),
                    opacity: sprite.opacity().unwrap_or_default().into(),
                    is_cut: true,
                }),
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
        let stamps = scene.gallery.shown().iter().map(|shown| match shown {
            #[cfg(feature = "game")]
            Shown::Game(sprite) => Stamp {
                width: sprite.width() as usize,
                height: sprite.height() as usize,
                pixels: match sprite.pixels() {
                    Pixels::Indices { indices, palette } => {
                        let inks = palette.map(opaque);
                        indices.iter().map(|&index| inks[usize::from(index)]).collect()
                    }
                    Pixels::Colors(colors) => colors.iter().map(|&color| opaque(color)).collect(),
                },
                opacity: sprite.opacity().unwrap_or_default().into(),
                is_cut: true,
            },
            Shown::Other(picture) => Stamp {
                width: picture.width as usize,
                height: picture.height as usize,
                pixels: (&picture.inks).into(),
                opacity: picture.inks.iter().map(|ink| ink.to_be_bytes()[0]).collect(),
                is_cut: false,
            },
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
