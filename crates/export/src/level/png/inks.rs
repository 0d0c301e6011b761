use worldview_core::Budget;
use worldview_wwd::{Level, Plane, Tile};

use crate::Result;
use crate::level::palette::{self, Rgb};
use crate::picture::{Format, Ink, opaque};

/// Around a mark, so that it is seen on every tile.
pub(super) const OUTLINE: Rgb = [14, 12, 20];

/// Different tiles that an indexed picture shows.
const MOST_WORDS: usize = 240;
/// The colors of an indexed picture that are not those of tiles.
const FIRST: [Rgb; 4] = [palette::EMPTY, palette::FILLED, palette::MARK, OUTLINE];

/// What a picture of tiles is drawn with: numbers of a palette where the tiles are few, else colors.
pub(super) struct Inks {
    /// Behind everything.
    pub(super) empty: Ink,
    /// A filled cell.
    pub(super) filled: Ink,
    /// A mark, and what is around it.
    pub(super) mark: [Ink; 2],
    /// The tile words of an indexed picture, in order.
    words: Option<Vec<u32>>,
}

impl Inks {
    /// The inks for all tiles of the planes.
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

    /// Colors, for any number of tiles.
    pub(super) fn direct() -> Self {
        let [empty, filled, mark, outline] = FIRST.map(opaque);
        Self { empty, filled, mark: [mark, outline], words: None }
    }

    /// The ink of a tile that is neither empty nor filled.
    pub(super) fn tile(&self, word: u32) -> Ink {
        match &self.words {
            None => opaque(palette::tile(word)),
            Some(words) => {
                let (Ok(at) | Err(at)) = words.binary_search(&word);
                Ink::try_from(FIRST.len() + at).unwrap_or(self.empty)
            }
        }
    }

    /// What the inks are.
    pub(super) fn format(&self) -> Format {
        let Some(words) = &self.words else { return Format::Rgb };
        let tiles = words.iter().map(|&word| palette::tile(word));
        Format::Indexed(FIRST.into_iter().chain(tiles).map(|[red, green, blue]| [red, green, blue, 0xFF]).collect())
    }
}

/// Pays for a walk over the tiles of a plane.
pub(super) fn spend(level: &Level<'_>, plane: &Plane<'_>, budget: &mut Budget) -> Result<()> {
    let bytes = size_of_val(plane.tiles()) as u64;
    let paid = budget.spend(bytes, plane.at(), level.image().space());
    Ok(paid.map_err(|error| error.within(&"plane", crate::level::number(plane.index())))?)
}

/// Adds the words of the tiles to those known, in order; false when they are too many.
fn collect(tiles: &[Tile], words: &mut Vec<u32>) -> bool {
    let mut before = Tile::EMPTY;
    for word in tiles.iter().map(|tile| tile.get()) {
        // Neighbours are often the same.
        if word == before || word == Tile::EMPTY || word == Tile::FILLED {
            continue;
        }
        before = word;
        if let Err(at) = words.binary_search(&word) {
            if words.len() == MOST_WORDS {
                return false;
            }
            words.insert(at, word);
        }
    }
    true
}
