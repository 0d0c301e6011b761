use core::slice::ChunksExact;

use worldview_core::{Budget, OnProblem, Result, Source};

use crate::flags;
use crate::list::list;
use crate::object::Objects;
use crate::raw::PlaneHeader;
use crate::tile::Tile;

/// One plane of a level: its header, grid, image-set names and objects, all in place.
/// See [Plane header](crate::format#plane-header).
#[derive(Clone, Copy)]
pub struct Plane<'a> {
    pub(crate) header: &'a PlaneHeader,
    pub(crate) index: u32,
    pub(crate) at: u64,
    /// Stored, so that a mapped file that shrinks cannot change the row length of a grid while it is drawn.
    pub(crate) columns: usize,
    pub(crate) tiles: &'a [Tile],
    pub(crate) image_sets: ImageSets<'a>,
    pub(crate) objects: Objects<'a>,
}

worldview_core::debug_summary!("Plane", Plane<'_>, |this| index: this.index, name: worldview_core::quoted(this.name()), columns: this.columns, tiles: this.tiles.len(), image_sets: this.image_sets, objects: this.objects);

impl<'a> Plane<'a> {
    /// Returns the plane header.
    #[inline]
    pub const fn header(&self) -> &'a PlaneHeader {
        self.header
    }

    /// Returns the index of the plane in the level, counted from 0.
    #[inline]
    pub fn index(&self) -> usize {
        usize::try_from(self.index).unwrap_or(usize::MAX)
    }

    /// Returns the index as the 32-bit number used in files.
    pub(crate) const fn number(&self) -> u32 {
        self.index
    }

    /// Returns the offset of the plane header in the image.
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.at
    }

    /// Returns the name, as the bytes in the file.
    pub fn name(&self) -> &'a [u8] {
        self.header.name.as_bytes()
    }

    /// Returns whether the game is played on this plane.
    #[inline]
    pub const fn is_main(&self) -> bool {
        self.has(flags::MAIN)
    }

    /// Returns whether the plane is drawn.
    #[inline]
    pub const fn is_drawn(&self) -> bool {
        !self.has(flags::NO_DRAW)
    }

    /// Returns whether the plane repeats to the left and right.
    #[inline]
    pub const fn wraps_x(&self) -> bool {
        self.has(flags::WRAP_X)
    }

    /// Returns whether the plane repeats up and down.
    #[inline]
    pub const fn wraps_y(&self) -> bool {
        self.has(flags::WRAP_Y)
    }

    /// Whether it says how large it is: a plane may leave its tile size to its pictures, which are not in the level.
    pub(crate) fn is_sized(&self) -> bool {
        self.header().tile_width.get() > 0 && self.header().tile_height.get() > 0
    }

    /// Whether a point in pixels is inside it.
    pub(crate) fn contains(&self, x: i32, y: i32) -> bool {
        let (width, height) = self.pixel_size();
        let inside = |value: i32, size: u64| u64::try_from(value).is_ok_and(|value| value < size);
        inside(x, width) && inside(y, height)
    }

    /// What a name of an image set costs besides its bytes: a million empty names would be a million findings.
    const NAME: u64 = 3;

    /// Returns the most bytes that the grid, the names and the objects can have: a list may reach to the end of the image.
    pub(crate) fn most(&self, image: Source<'a>) -> u64 {
        let list = |count: u32, at: u64| if count == 0 { 0 } else { image.len().saturating_sub(at) };
        let names = list(self.image_sets.count, self.image_sets.iter().position());
        let objects = list(self.objects.count(), self.objects.iter().position());
        let ends = Self::NAME.saturating_mul(self.image_sets.count.into());
        names.saturating_add(ends).saturating_add(objects).saturating_add(size_of_val(self.tiles) as u64)
    }

    /// Walks the names and objects, and cuts both lists before the first element that is broken or exceeds the budget. A grid that
    /// exceeds it is left out.
    pub(crate) fn end_before_broken(&mut self, budget: &mut Budget, on_problem: OnProblem<'_>) -> Result<()> {
        let (mut names, index) = (self.image_sets.iter(), self.index);
        let space = names.space();
        if let Err(error) = budget.spend(size_of_val(self.tiles) as u64, self.header.tiles_offset.get().into(), space) {
            on_problem(error.within(&"plane", index))?;
            (self.columns, self.tiles) = (0, &[]);
        }
        let mut pay = |len, at, number| {
            let paid = budget.spend(len, at, space);
            paid.map_err(|error| error.with_index(number).within(&"plane", index))
        };
        let (mut count, mut at) = (0, names.position());
        while let Some(name) = names.next() {
            if let Err(error) =
                name.and_then(|_| pay(names.position().saturating_sub(at).saturating_add(Self::NAME), at, count))
            {
                on_problem(error)?;
                self.image_sets.count = count;
                break;
            }
            (count, at) = (count.saturating_add(1), names.position());
        }
        for (number, object) in (0..).zip(self.objects) {
            if let Err(error) = object.and_then(|object| pay(object.size(), object.at, number)) {
                // A list that is cut was reported when it was opened.
                if self.objects.count() == self.header.num_objects.get() {
                    on_problem(error)?;
                }
                self.objects = self.objects.first(number);
                break;
            }
        }
        Ok(())
    }

    const fn has(&self, flag: u32) -> bool {
        self.header.flags.get() & flag != 0
    }

    /// Returns the whole grid, row by row from the top left.
    #[inline]
    pub const fn tiles(&self) -> &'a [Tile] {
        self.tiles
    }

    /// Returns the number of tiles in a row, or 0 for a plane without a grid.
    #[inline]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the size of the grid in pixels, as computed by the game. A side is 0 if the tile size is not positive.
    pub fn pixel_size(&self) -> (u64, u64) {
        let side =
            |tiles: i32, tile: i32| u64::try_from(tiles).unwrap_or(0).saturating_mul(u64::try_from(tile).unwrap_or(0));
        let header = self.header;
        (
            side(header.tiles_wide.get(), header.tile_width.get()),
            side(header.tiles_high.get(), header.tile_height.get()),
        )
    }

    /// Returns an iterator over the rows, from the top. Its length is the number of rows.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
    /// let image = worldview_wwd::unpack(file)?;
    /// let level = worldview_wwd::Level::parse(&image)?;
    /// for row in level.planes()[1].rows() {
    ///     let ids: Vec<_> = row.iter().map(|tile| tile.get()).collect();
    ///     assert_eq!(ids.len(), 160);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn rows(&self) -> ChunksExact<'a, Tile> {
        self.tiles.chunks_exact(self.columns().max(1))
    }

    /// Returns the tile in column `x` of row `y`, or `None` outside the grid.
    #[inline]
    pub fn tile(&self, x: usize, y: usize) -> Option<Tile> {
        let columns = self.columns();
        if x >= columns {
            return None;
        }
        self.tiles.get(y.checked_mul(columns)?.checked_add(x)?).copied()
    }

    /// Returns the names of the image sets that tiles refer to.
    #[inline]
    pub const fn image_sets(&self) -> ImageSets<'a> {
        self.image_sets
    }

    /// Returns the objects.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
    /// let image = worldview_wwd::unpack(file)?;
    /// let level = worldview_wwd::Level::parse(&image)?;
    /// for object in level.planes()[1].objects() {
    ///     let object = object?;
    ///     println!("{} at {}, {}", object.logic.escape_ascii(), object.x, object.y);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub const fn objects(&self) -> Objects<'a> {
        self.objects
    }
}

/// Maximum length of an image-set name, in bytes. It is far longer than any path that the game could open, yet short
/// enough that thousands of planes over one long run of bytes without a NUL cost little.
pub const MAX_IMAGE_SET_NAME: u32 = 4096;

list! {
    /// The image-set names of a plane: NUL-terminated and contiguous; empty ones occur.
    /// See [Image-set names](crate::format#image-set-names).
    pub struct ImageSets<'a> => &'a [u8], "image-set name";

    /// An iterator over [`ImageSets`]; fused after the first error.
    pub struct ImageSetIter;
}

worldview_core::debug_summary!("ImageSets", ImageSets<'_>, |this| count: this.count);

impl<'a> ImageSets<'a> {
    /// Returns the window that begins with the names.
    pub(crate) const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the number of names: the one stored in the plane header, or 0 if
    /// [`Level::parse_lossy`](crate::Level::parse_lossy) found fewer bytes than names.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count
    }
}

impl<'a> ImageSetIter<'a> {
    #[inline]
    fn read(&mut self) -> Result<&'a [u8]> {
        self.cursor.until_nul(MAX_IMAGE_SET_NAME as usize, "image-set name")
    }
}

worldview_core::assert_send_sync!(Plane<'_>, ImageSets<'_>, ImageSetIter<'_>);
