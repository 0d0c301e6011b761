//! Exports maps for the Tiled editor in its two formats with the same content: TMX (XML) and TMJ (JSON).
//!
//! ```
//! # fn main() -> worldview_export::Result<()> {
//! # let samples = worldview_corpus::samples();
//! # let file = &samples.iter().find(|(name, _)| *name == "harbour.wwd").unwrap().1;
//! use worldview_export::{Encoding, level::tiled};
//! use worldview_wwd::{self as wwd, Level};
//!
//! let image = wwd::unpack(file)?;
//! let level = Level::parse(&image)?;
//! for map in tiled::plan(&level, Encoding::Windows1252)? {
//!     let mut tmx = Vec::new(); // or a file named `map.stem()` + ".tmx"
//!     map.write_tmx(&mut tmx)?;
//!     for tileset in map.tilesets() {
//!         println!("{} needs {}: {} cells", map.stem(), tileset.picture(), tileset.sheet().cells.len());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! How a level is mapped:
//!
//! - **Planes with the same tile size** share a map, because a Tiled map has a single tile size. The map `map` has
//!   the main plane; the others are named after their tile size, such as `map-32x16`. An invalid tile size (below 1
//!   or above 4096) is replaced with that of the main plane. Every map has the level's header in its properties.
//! - **A plane** is a tile layer, with its parallax (percent / 100), and its scroll origin as the offset. Every
//!   field of its header is a property, including its flags by name (`main`, `wrap_x`) and its image sets
//!   (`image_set_0` and so on). Grids of different sizes are padded to the largest one with empty cells. If the
//!   padding would be out of proportion, the map is an infinite one, in which every grid is one chunk of its own
//!   size.
//! - **The objects of a plane** are an object layer of points after the tile layer. Every field and string is a
//!   property.
//! - **An image set** is a tileset of the frames that the map shows, in ascending order, and one more cell for cells
//!   that are painted with the fill color. [`Tileset::sheet`] is the plan of its picture, which belongs at
//!   [`Tileset::picture`]. Tiles have the properties `frame` and `image_set_index`, the high half of their tile
//!   words. All cells of a plane whose image set has no name share one tileset, `plane 0 nameless`.
//! - **Tile attributes** are properties of the tiles in the main plane's tilesets, and collision shapes: rectangles
//!   without overlap that cover every pixel that is not clear. A frame that has an attribute but is not shown is a
//!   tile of the main plane's first image set.
//!
//! A map may be a few times larger than its level. Anything beyond this is omitted, and the property `left_out` of
//! its tile or layer says what: `shapes` (which are also limited to 4096 per tile), `attribute and shapes`, or
//! `tiles`. This only affects damaged or malicious levels. The number of maps is limited to 256 (planes with further
//! tile sizes are in the first map), and the number of tilesets to 1024 (further image sets share one).
//!
//! Numbers are `int` properties. Numbers above 2³¹ − 1, which only flags and reserved words have, are hexadecimal
//! text. A rectangle is the text `left top right bottom`. Control characters in text are written as `\x00`. If the
//! text does not show the exact bytes, a second property, `<name>_bytes`, has them in hexadecimal.

mod detail;
mod drafts;
mod field;
mod names;
mod plan;
mod shape;
mod tmj;
mod tmx;
mod view;

use std::io::Write;

use worldview_wwd::{Attributes, Level, Plane};

use crate::level::Sheet;
use crate::{Encoding, Result};

use detail::Detail;
use drafts::Places;

pub use plan::plan;

/// A map file to be written: a group of planes with the same tile size.
#[derive(Clone, Debug)]
pub struct Map<'a> {
    level: &'a Level<'a>,
    encoding: Encoding,
    stem: String,
    tile: [u32; 2],
    size: [u32; 2],
    infinite: bool,
    tilesets: Vec<Tileset<'a>>,
    layers: Vec<Layer<'a>>,
}

impl Map<'_> {
    /// Returns the file name without its extension: `map`, or for example `map-32x16`.
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// Returns the tilesets whose pictures the map refers to.
    pub fn tilesets(&self) -> &[Tileset<'_>] {
        &self.tilesets
    }

    /// Writes the map as XML (TMX), the editor's native format.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn write_tmx(&self, out: impl Write) -> Result<()> {
        tmx::write(self, out)
    }

    /// Writes the map as JSON (TMJ).
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn write_tmj(&self, out: impl Write) -> Result<()> {
        tmj::write(self, out)
    }
}

/// A tileset of a [`Map`]: one image set.
#[derive(Clone, Debug)]
pub struct Tileset<'a> {
    name: String,
    picture: String,
    sheet: Sheet,
    first_gid: u32,
    // Only the tiles of the main plane have attributes.
    attributes: Option<&'a Attributes<'a>>,
    /// The level of detail of each cell; complete for cells without an entry.
    details: Vec<Detail>,
}

impl Tileset<'_> {
    /// Returns the name shown in the editor.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of the picture relative to the folder of the map file, such as `tilesets/ACTION.png`.
    ///
    /// The file name consists of ASCII letters, digits, `-` and `_`. It is unique among the tilesets of the level, even
    /// on file systems that ignore case.
    pub fn picture(&self) -> &str {
        &self.picture
    }

    /// Returns the plan of the picture.
    pub const fn sheet(&self) -> &Sheet {
        &self.sheet
    }
}

/// A plane in its map.
#[derive(Clone, Debug)]
struct Layer<'a> {
    plane: Plane<'a>,
    /// The id of the tile layer; the object layer has the next one.
    id: u32,
    /// The id of the first object.
    first_object: u32,
    places: Places,
    /// Whether all cells are included.
    is_whole: bool,
}
