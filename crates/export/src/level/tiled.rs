//! Maps for the Tiled editor, in its two forms: TMX (XML) and TMJ (JSON), which say the same.
//!
//! ```
//! # fn main() -> worldview_export::Result<()> {
//! # let file = &worldview_corpus::sample("harbour.wwd");
//! use worldview_export::{Encoding, level::tiled};
//! use worldview_wwd::{self as wwd, Level};
//!
//! let image = wwd::unpack(file)?;
//! let level = Level::parse(&image)?;
//! for map in tiled::plan(&level, Encoding::WINDOWS_1252)? {
//!     let mut tmx = Vec::new(); // or the file `map.stem()` + ".tmx"
//!     map.write_tmx(&mut tmx)?;
//!     for tileset in map.tilesets() {
//!         println!("{} needs {}: {} cells", map.stem(), tileset.picture(), tileset.sheet().cells.len());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What becomes what:
//!
//! - **Planes with one tile size** are one map: Tiled knows one tile size a map. The map `map` has the main plane, the
//!   others are called after their tile size, `map-32x16`. A tile size that is none (below 1, above 4096) counts as the
//!   main plane's. The level's header is in the properties of every map.
//! - **A plane** is a tile layer, with its parallax (percent / 100) and its scroll origin as offset; every field of its
//!   header is a property, its flags are such by name (`main`, `wrap_x`), its image sets `image_set_0` and so on.
//!   Grids of different sizes are padded to the largest with empty cells. Where that would be out of proportion the
//!   map is an infinite one, in which every grid is one chunk of its own size.
//! - **The objects of a plane** are an object layer behind it, of points. The name, the logic as class, and x and y are
//!   attributes; other fields and strings are properties if they differ from the defaults that [`write_project`]
//!   declares. The objects of a map have ids from 1 on, in the order of its layers and then of the file.
//! - **An image set** is a tileset of the frames that the map shows, in the order of their numbers, and one cell more
//!   for cells that are painted with the fill color. Its picture is written from [`Tileset::sheet`] to
//!   [`Tileset::picture`]. Cells that the picture has to spare are tiles without anything. A tile has its `frame` as a property, and `image_set_index`, the high half of its tile words.
//!   All cells of a plane for whose index it names no image set share one tileset, `plane 0 nameless`.
//! - **Tile attributes** are properties of the tiles in the main plane's tilesets, and collision shapes: rectangles
//!   that cover every pixel that is not clear, and none twice. A frame that has an attribute and is not shown is a
//!   tile of the main plane's first image set.
//!
//! With the pictures of the game (the feature `game`; [`plan_with_game`](https://docs.rs/worldview-export)), the objects
//! that have one are tile objects, placed and flipped as the game draws them. Their tiles are those of one more tileset,
//! each with a picture file of its own. A tile has its `image_set`, its frame as `i`, whether it is the lowest of the
//! set, and the picture's offset as properties, and `shows` with all of these, so that an edit of one is noticed.
//!
//! A map may be several times larger than its level, in proportion. What would go beyond is left out, and the property
//! `left_out` of its tile or layer says what: `shapes` (there also are never more than 4096 of a tile), `attribute and
//! shapes`, or `tiles`. Only levels that are junk, or meant to do harm, have so much of it. They also have at most 256
//! maps, planes with further tile sizes being in the first; and at most 1024 tilesets, further image sets sharing one.
//!
//! Numbers are `int` properties; those above 2³¹ − 1, which only flags and reserved words have, are text in hexadecimal.
//! A rectangle is the text `left top right bottom`. A field called `id`, `name`, `x`, `y`, `width` or `height` is the
//! property `wwd_id` and so on: some programs refuse properties with names of attributes. Control characters are written
//! as each form can: in JSON by its escapes; in XML tab and line breaks as character references, the others, which XML
//! cannot hold, as the pictures of control characters, U+2400 and up. Where the bytes of a text are not what is shown, a
//! second property, `<name>_bytes`, has them in hexadecimal.
//!
//! With [`Map::full`] every field is a property, and layers are plain numbers.

mod cells;
mod collection;
mod detail;
mod drafts;
mod field;
mod names;
mod plan;
mod project;
mod shape;
mod tmj;
mod tmx;
mod view;
#[cfg(feature = "game")]
mod with_game;

use std::io::Write;

use worldview_wwd::{Attributes, Level, Plane};

use crate::level::Sheet;
use crate::{Encoding, Result};

use detail::Detail;
use drafts::Places;

pub use collection::ObjectPicture;
pub use field::{Field, Scalar, bytes_name, from_printable, property_name};
pub use plan::plan;
pub use project::{is_left_out, object_default, tile_class, tile_default, write_project};
pub use shape::Shape;
pub use view::{attribute_by_class, object_fields};
#[cfg(feature = "game")]
pub use with_game::plan_with_game;

/// A map file to be written: a group of planes with the same tile size.
#[derive(Clone, Debug)]
pub struct Map<'a> {
    level: &'a Level<'a>,
    encoding: Encoding,
    stem: String,
    tile: [u32; 2],
    size: [u32; 2],
    infinite: bool,
    full: bool,
    outline: bool,
    tilesets: Vec<Tileset<'a>>,
    layers: Vec<Layer<'a>>,
    collection: collection::Collection,
}

impl<'a> Map<'a> {
    /// Returns the file name without its extension: `map`, or for example `map-32x16`.
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// Returns the tilesets whose pictures the map refers to.
    pub fn tilesets(&self) -> &[Tileset<'_>] {
        &self.tilesets
    }

    /// Returns the width and height of a tile in pixels, which no other map of the level has.
    pub const fn tile_size(&self) -> [u32; 2] {
        self.tile
    }

    /// Returns the number of columns and rows, to which grids are padded if the map is not infinite.
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns whether the map is infinite, with grids of their own sizes.
    pub const fn is_infinite(&self) -> bool {
        self.infinite
    }

    /// Returns the planes of the map.
    pub fn layers(&self) -> &[Layer<'a>] {
        &self.layers
    }

    worldview_core::setters! {
        /// Sets whether every property of every object and tile is written, and layers as plain numbers, instead of what
        /// differs from the defaults that [`write_project`] declares.
        pub const fn full(full: bool) => full = full;

        /// Sets whether the cells and objects of layers are omitted, for a comparison of everything else.
        pub const fn outline(outline: bool) => outline = outline;
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

    /// Tiles of the tileset: the cells of the picture, those to spare included, for so the editor counts them.
    fn count(&self) -> u32 {
        self.sheet.columns.saturating_mul(self.sheet.rows())
    }

    /// Returns the plan of the picture.
    pub const fn sheet(&self) -> &Sheet {
        &self.sheet
    }
}

/// A plane in its map: a tile layer and, if it has objects, an object layer.
#[derive(Clone, Debug)]
pub struct Layer<'a> {
    plane: Plane<'a>,
    /// The id of the tile layer; the object layer has the next one.
    id: u32,
    /// The id of the first object.
    first_object: u32,
    places: Places,
    /// Whether all cells are included.
    is_whole: bool,
}

impl<'a> Layer<'a> {
    /// Returns the plane.
    pub const fn plane(&self) -> &Plane<'a> {
        &self.plane
    }

    /// Returns the id of the plane's first object; the others have the ids that follow.
    pub const fn first_object(&self) -> u32 {
        self.first_object
    }
}

/// Returns the properties of a fixed-layout structure.
#[cfg(test)]
pub(super) fn properties<'v>(
    fields: impl Iterator<Item = (&'static worldview_core::FieldInfo, worldview_core::describe::FieldValue<'v>)>,
) -> Vec<(String, String)> {
    let properties = field::record(fields, Encoding::default());
    properties.map(|(name, value)| (name.into_owned(), value.to_string())).collect()
}
