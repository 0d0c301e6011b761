use std::collections::{BTreeMap, BTreeSet, HashMap};

use worldview_wwd::{Plane, Tile, TileKind};

use crate::level::Cell;

/// Maximum number of image sets, because tiles have 16-bit indices.
pub(super) const MAX_IMAGE_SETS: usize = 1 << 16;

/// Maximum number of tilesets of a level, each of which is a file. Real levels have fewer than twenty; this keeps
/// invalid names of image sets from filling a disk.
pub(super) const MAX_TILESETS: usize = 1024;

/// What distinguishes a tileset from the others of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ImageSet<'a> {
    Named(&'a [u8]),
    /// All cells of the plane whose image set has no name. They share a tileset, so that invalid indices do not become
    /// files.
    Nameless {
        plane: usize,
    },
    /// Image sets past [`MAX_TILESETS`].
    Rest,
}

/// A tileset whose cells are being collected.
pub(super) struct Draft<'a> {
    pub(super) image_set: ImageSet<'a>,
    pub(super) cells: BTreeSet<Cell>,
    pub(super) has_attributes: bool,
    /// The palette index of filled cells, of the first plane that has any.
    pub(super) fill: Option<u8>,
}

/// The tilesets of a map.
#[derive(Default)]
pub(super) struct Drafts<'a> {
    pub(super) drafts: Vec<Draft<'a>>,
    index: HashMap<ImageSet<'a>, usize>,
}

/// The tilesets for the image sets of a plane.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    named: BTreeMap<u16, usize>,
    nameless: Option<usize>,
}

impl Places {
    /// Returns the tileset for the image set index of a tile.
    pub(super) fn get(&self, index: u16) -> Option<usize> {
        self.named.get(&index).copied().or(self.nameless)
    }
}

impl<'a> Drafts<'a> {
    fn of(&mut self, image_set: ImageSet<'a>, room: &mut usize) -> usize {
        if let Some(&at) = self.index.get(&image_set) {
            return at;
        }
        let left = room.checked_sub(1);
        *room = left.unwrap_or(0);
        let image_set = left.map_or(ImageSet::Rest, |_| image_set);
        *self.index.entry(image_set).or_insert_with(|| {
            self.drafts.push(Draft {
                image_set,
                cells: BTreeSet::from([Cell::Filled]),
                has_attributes: false,
                fill: None,
            });
            self.drafts.len() - 1
        })
    }

    /// Finds the tilesets of a plane, and adds cells to the named ones as long as `pay` returns true. Returns whether
    /// all cells were added. The frames from 0 to `attributes` are cells of the first image set, shown or not.
    pub(super) fn named(
        &mut self,
        plane: &Plane<'a>,
        attributes: usize,
        room: &mut usize,
        mut pay: impl FnMut() -> bool,
    ) -> (Places, bool) {
        let names: Vec<_> = plane.image_sets().iter().flatten().take(MAX_IMAGE_SETS).collect();
        let name = |index: u16| names.get(usize::from(index)).copied().filter(|name| !name.is_empty());
        let mut places = Places::default();
        let mut all = true;
        let mut place = |drafts: &mut Self, index: u16| match name(index) {
            Some(name) => *places.named.entry(index).or_insert_with(|| drafts.of(ImageSet::Named(name), room)),
            None => {
                *places.nameless.get_or_insert_with(|| drafts.of(ImageSet::Nameless { plane: plane.index() }, room))
            }
        };
        for (index, cell) in cells(plane) {
            let at = place(self, index);
            if cell == Cell::Filled {
                let [fill, ..] = plane.header().fill_color.get().to_le_bytes();
                self.drafts[at].fill.get_or_insert(fill);
            }
            if name(index).is_some() {
                all &= self.put(at, cell, &mut pay);
            }
        }
        if attributes > 0 {
            let first = place(self, 0);
            for word in (0..=u32::from(u16::MAX)).take(attributes) {
                all &= self.put(first, Cell::Frame { word }, &mut pay);
            }
            for &at in places.named.values().chain(&places.nameless) {
                self.drafts[at].has_attributes = true;
            }
        }
        (places, all)
    }

    /// Adds cells without a named image set to the plane's nameless tileset as long as `pay` returns true. Returns
    /// whether all cells were added.
    pub(super) fn nameless(&mut self, plane: &Plane<'a>, places: &Places, mut pay: impl FnMut() -> bool) -> bool {
        let Some(at) = places.nameless else { return true };
        let nameless = cells(plane).filter(|(index, _)| !places.named.contains_key(index));
        nameless.fold(true, |all, (_, cell)| self.put(at, cell, &mut pay) && all)
    }

    fn put(&mut self, at: usize, cell: Cell, pay: impl FnOnce() -> bool) -> bool {
        let cells = &mut self.drafts[at].cells;
        cells.contains(&cell) || pay() && cells.insert(cell)
    }
}

/// Returns the cells of a plane's grid with the indices of their image sets, skipping adjacent duplicates.
fn cells(plane: &Plane<'_>) -> impl Iterator<Item = (u16, Cell)> {
    let mut last = Tile::EMPTY;
    plane.tiles().iter().filter_map(move |tile| {
        if std::mem::replace(&mut last, tile.get()) == tile.get() {
            return None;
        }
        index_and_cell(*tile)
    })
}

/// Returns the index of a tile's image set and the cell that shows the tile, or `None` for an empty tile.
pub(super) fn index_and_cell(tile: Tile) -> Option<(u16, Cell)> {
    match tile.kind() {
        TileKind::Empty => None,
        TileKind::Filled => Some((0, Cell::Filled)),
        TileKind::Image { image_set, .. } => Some((image_set, Cell::Frame { word: tile.get() })),
    }
}
