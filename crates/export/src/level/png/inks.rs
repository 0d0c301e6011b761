use worldview_core::Budget;
use worldview_wwd::{Level, Plane, Tile};

use crate::Result;
use crate::level::palette::{self, Rgb};
use crate::picture::{Format, Ink, opaque};

/// The outline of a mark, which makes it visible on every tile.
pub(super) const OUTLINE: Rgb = [14, 12, 20];

/// Maximum number of different tiles in an indexed picture.
const MAX_WORDS: usize = 240;
/// The colors of an indexed picture that do not belong to tiles.
const FIRST: [Rgb; 4] = [palette::EMPTY, palette::FILLED, palette::MARK, OUTLINE];

/// The inks for a picture of tiles: palette indices if there are few different tiles, otherwise colors.
pub(super) struct Inks {
    /// The background.
    pub(super) empty: Ink,
    /// A filled cell.
    pub(super) filled: Ink,
    /// A mark and its outline.
    pub(super) mark: [Ink; 2],
    /// The tile words of an indexed picture, sorted.
    words: Option<Vec<u32>>,
}

impl Inks {
    /// Creates the inks for all tiles of the planes.
    pub(super) fn of<'p, 'a: 'p>(
        level: &Level<'a>,
        planes: impl Iterator<Item = &'p Plane<'a>>,
        budget: &mut Budget,
    ) -> Result<Self> {
        let mut words = Vec::new();
        for plane in planes {
            spend(level, plane, budget)?;
            if !collect(plane.tiles(), &mut words) {
                return Ok(Self::direct());
            }
        }
        Ok(Self { empty: 0, filled: 1, mark: [2, 3], words: Some(words) })
    }

    /// Creates inks that are colors, for any number of tiles.
    pub(super) fn direct() -> Self {
        let [empty, filled, mark, outline] = FIRST.map(opaque);
        Self { empty, filled, mark: [mark, outline], words: None }
    }

    /// Returns the ink of a tile that is neither empty nor filled.
    pub(super) fn tile(&self, word: u32) -> Ink {
        match &self.words {
            None => opaque(palette::tile(word)),
            Some(words) => {
                let (Ok(at) | Err(at)) = words.binary_search(&word);
                Ink::try_from(FIRST.len() + at).unwrap_or(self.empty)
            }
        }
    }

    /// Returns the pixel format of the inks.
    pub(super) fn format(&self) -> Format {
        let Some(words) = &self.words else { return Format::Rgb };
        let tiles = words.iter().map(|&word| palette::tile(word));
        Format::Indexed(FIRST.into_iter().chain(tiles).map(|[red, green, blue]| [red, green, blue, 0xFF]).collect())
    }
}

/// Charges for a walk over the tiles of a plane.
pub(super) fn spend(level: &Level<'_>, plane: &Plane<'_>, budget: &mut Budget) -> Result<()> {
    let bytes = size_of_val(plane.tiles()) as u64;
    let paid = budget.spend(bytes, plane.offset(), level.image().space());
    Ok(paid.map_err(|error| error.within(&"plane", crate::level::number(plane.index())))?)
}

/// Adds the words of the tiles to the sorted list of words. Returns false if there are too many.
fn collect(tiles: &[Tile], words: &mut Vec<u32>) -> bool {
    let mut before = Tile::EMPTY;
    for word in tiles.iter().map(|tile| tile.get()) {
        // Adjacent tiles are often the same.
        if word == before || word == Tile::EMPTY || word == Tile::FILLED {
            continue;
        }
        before = word;
        if let Err(at) = words.binary_search(&word) {
            if words.len() == MAX_WORDS {
                return false;
            }
            words.insert(at, word);
        }
    }
    true
}
