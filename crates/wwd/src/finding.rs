//! The findings about a level that can still be opened.

use core::fmt;

use worldview_core::{ErrorKind, findings};

/// A finding about a level.
pub type Finding<'a> = worldview_core::Finding<'a, FindingKind>;

/// The numbers of objects that share something: as many as a message can name, and how many there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ObjectNumbers {
    named: [u32; Self::NAMED],
    count: u32,
}

impl ObjectNumbers {
    /// How many are named; no known level has an id more often than 18 times.
    const NAMED: usize = 24;

    pub(crate) fn of(numbers: impl Iterator<Item = u32>) -> Self {
        let mut all = Self { named: [0; Self::NAMED], count: 0 };
        for number in numbers {
            if let Some(named) = all.named.get_mut(all.count as usize) {
                *named = number;
            }
            all.count = all.count.saturating_add(1);
        }
        all
    }

    /// Returns the number of objects.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns the numbers, at most 24 of them.
    pub fn named(&self) -> &[u32] {
        self.named.get(..self.count as usize).unwrap_or(&self.named)
    }
}

impl fmt::Display for ObjectNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = (self.count as usize).saturating_sub(self.named().len());
        for (index, number) in self.named().iter().enumerate() {
            let is_last = more == 0 && index.saturating_add(1) == self.named().len();
            match (index, is_last) {
                (0, _) => write!(f, "{number}")?,
                (_, true) => write!(f, " and {number}")?,
                (_, false) => write!(f, ", {number}")?,
            }
        }
        if more > 0 {
            write!(f, " and {more} more")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ObjectNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ObjectNumbers").field(&format_args!("{self}")).finish()
    }
}

/// Tiles with something in common: how many there are, and the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundTiles {
    /// The number of tiles.
    pub count: u64,
    /// The first tile.
    pub word: u32,
    /// The column of the first tile.
    pub column: u32,
    /// The row of the first tile.
    pub row: u32,
}

impl fmt::Display for FoundTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, word, column, row } = self;
        match count {
            1 => write!(f, "1 tile ({word:#010x}, column {column}, row {row}) has"),
            _ => write!(f, "{count} tiles (the first is {word:#010x}, column {column}, row {row}) have"),
        }
    }
}

findings! {
    /// Everything that a check of a level can find. The codes are stable; [Findings](crate::format#findings) explains
    /// them.
    pub enum FindingKind {
        /// A part is truncated or cannot be read, and is left out of the level.
        Fatal "broken" Broken { kind: ErrorKind } => "{kind}",
        /// Parts overlap so much that the walk stopped early.

        // File and header.
        /// A text field has no NUL.
        Suspicious "text-unterminated" TextUnterminated { field: &'static str } => "{field} has no NUL; the editors read past it",
        /// A text field has bytes after its NUL.
        Curious "text-tail" TextTail { field: &'static str } => "{field} has bytes after its NUL",
        /// A text has bytes above 127. The file does not declare a code page.
        Curious "text-not-ascii" TextNotAscii { field: &'static str } => "{field} is not ASCII; its code page is not declared",
        /// A name contains control characters.
        Suspicious "control-characters" ControlCharacters { field: &'static str, byte: u8 } => "{field} contains the control character {byte:#04x}, probably by mistake",
        /// A reserved word is not zero.
        Curious "reserved" Reserved { field: &'static str, value: u32 } => "{field} is {value:#x}, not 0",
        /// A flag word has bits of unknown meaning.
        Curious "flags-unknown" FlagsUnknown { field: &'static str, bits: u32 } => "{field} has unknown bits {bits:#x}",
        /// The tile directory matches none of the three games.
        Curious "game-unknown" GameUnknown => "image_dir begins with none of LEVEL, AREA and DUNGEON with a number",
        /// The level's name has no digits, so the game cannot read the level number from it.
        Suspicious "no-level-number" NoLevelNumber => "the name has no digits; the game takes the level number from them",
        /// The level's number and its tiles belong to different levels or areas.
        Suspicious "tile-directory" TileDirectory { number: u32, word: &'static str, expected: u32, found: u32 } => "level {number} belongs to {word}{expected}, but the tiles are those of {word}{found}",
        /// A plain file stores an inflated length that is neither 0 nor the length of its main block.
        Curious "plain-length" PlainLength { found: u32, actual: u64 } => "main_block_length is {found}; in a plain file it should be 0 or {actual}, the size of the block",
        /// The checksum matches none of the known rules.
        Suspicious "checksum" ChecksumUnexplained { stored: u32 } => "checksum {stored:#010x} matches no known rule",
        /// The checksum is 0.
        Curious "checksum-zero" ChecksumZero => "the checksum is 0; some programs do not compute it",
        /// There are bytes after the main block that are not a trailer.
        Curious "trailing-bytes" TrailingBytes { count: u64 } => "{count} bytes after the main block that no known program reads",
        /// A block of the trailer is truncated or inconsistent.
        Suspicious "trailer-broken" TrailerBroken { kind: ErrorKind } => "{kind}",
        /// The size stored in a trailer differs from its actual size.
        Suspicious "trailer-size" TrailerSize { found: u32, actual: u64 } => "gives a size of {found}, but the trailer has {actual} bytes",
        /// A trailer's block has an unknown id.
        Curious "trailer-block-unknown" TrailerBlockUnknown { id: u8 } => "the block has the unknown kind {id}",

        // Planes.
        /// No plane has the main flag.
        Fatal "no-main-plane" NoMainPlane => "no plane has the main flag; the game crashes",
        /// Several planes have the main flag.
        Suspicious "several-main-planes" SeveralMainPlanes { count: u32 } => "{count} planes have the main flag; the last one wins",
        /// The start position is outside the main plane.
        Suspicious "start-outside" StartOutside { x: i32, y: i32 } => "the start position {x}, {y} is outside the main plane",
        /// A plane has the same name as another.
        Curious "plane-name-duplicate" PlaneNameDuplicate { first: u32 } => "has the same name as plane {first}",
        /// The size in pixels is not the tile size times the number of tiles.
        Suspicious "plane-size" PlaneSize { field: &'static str, found: i32, expected: i64 } => "{field} is {found}, but the grid gives {expected}",
        /// A tile has no size.
        Suspicious "tile-size" TileSize { field: &'static str, found: i32 } => "{field} is {found}",
        /// The plane wraps, and its tile size is not a power of two.
        Suspicious "wrap-tile-size" WrapTileSize { field: &'static str, found: i32 } => "{field} is {found}, but a plane that wraps needs a power of two",
        /// A plane has no tiles.
        Curious "plane-empty" PlaneEmpty => "the plane has no tiles",
        /// The fill color is not a palette index.
        Suspicious "fill-color" FillColor { found: i32 } => "fill_color is {found}, but palette indices are 0 to 255",
        /// A part begins inside the file header.
        Suspicious "offset-in-header" OffsetInHeader { field: &'static str, found: u32 } => "{field} is {found}, inside the file header",
        /// There is an offset, although the count is 0.
        Curious "offset-of-nothing" OffsetOfNothing { field: &'static str, found: u32 } => "{field} is {found}, but the count is 0",
        /// The object offset is 0, in which case the game reads none, but the count is not.
        Suspicious "objects-without-offset" ObjectsWithoutOffset { count: u32 } => "num_objects is {count}, but the offset of the objects is 0; the game reads none",
        /// There are objects outside the main plane.
        Curious "objects-off-main" ObjectsOffMain { count: u32 } => "objects on a plane that is not the main one, where some editors lose them: {count}",

        // Image sets.
        /// A plane has picture tiles, but no image set.
        Suspicious "no-image-set" NoImageSet => "tiles show pictures, but the plane names no image set",
        /// An image-set name is empty.
        Curious "image-set-empty" ImageSetEmpty => "the name is empty",
        /// An image-set name has bytes that the engine skips.
        Suspicious "image-set-bytes" ImageSetBytes { byte: u8 } => "the name contains the byte {byte:#04x}; the engine skips bytes outside 0x30 to 0x7f",
        /// A plane names several image sets.
        Curious "several-image-sets" SeveralImageSets { count: u32 } => "{count} image sets are named; the game uses only the first",

        // Tiles.
        /// Tiles refer to an image set that is not named.
        Suspicious "tile-image-set" TileImageSet { tiles: FoundTiles } => "{tiles} an image set that the plane does not name",
        /// Tiles of the main plane have no attributes.
        Fatal "tile-attribute-missing" TileAttributeMissing { tiles: FoundTiles } => "{tiles} no attribute; the game will crash",
        /// Tiles of another plane have no attributes.
        Curious "tile-attribute-missing-off-main" TileAttributeMissingOffMain { tiles: FoundTiles } => "{tiles} no attribute",

        // Objects.
        /// Several objects have the same id.
        Curious "object-id-duplicate" ObjectIdDuplicate { id: i32, objects: ObjectNumbers } => "several objects have the id {id}: rows {objects}",
        /// An object lies outside its plane.
        Suspicious "object-outside" ObjectOutside { x: i32, y: i32 } => "is at {x}, {y}, outside the plane; the game drops it",
        /// A path elevator has no step with a distance.
        Suspicious "elevator-no-path" ElevatorNoPath => "is a path elevator without a path: no step in its rectangles has a distance",
        /// An object has no logic.
        Suspicious "object-logic-empty" ObjectLogicEmpty => "has no logic; the game drops it",
        /// A logic that the game is not known to have.
        Curious "object-logic-unknown" ObjectLogicUnknown { count: u32 } => "no known version of the game has this logic; objects of the plane that use it, which the game drops: {count}",
        /// An object has no image set.
        Curious "object-image-set-empty" ObjectImageSetEmpty => "has no image set",
        /// An image set outside the prefixes that the level and the game have.
        Curious "object-image-set-unknown" ObjectImageSetUnknown { count: u32 } => "this image set has no prefix that the level or the game defines; objects of the plane that use it: {count}",
        /// A string is longer than the engine's buffer.
        Fatal "object-string-long" ObjectStringLong { field: &'static str, len: u32 } => "{field} has {len} bytes; more than 1023 overrun the engine's buffer",
        /// There is a NUL inside a string other than the name.
        Suspicious "object-string-nul" ObjectStringNul { field: &'static str } => "{field} contains a NUL; the game reads only up to it",
        /// There are bytes after the NUL of the name that are not metadata.
        Suspicious "object-name-nul" ObjectNameNul { len: u32 } => "the name has {len} bytes after a NUL that are not editor metadata",
        /// The id of a switch of Gruntz is not that of its tile.
        Suspicious "switch-id" SwitchId { expected: i32, column: i32, row: i32 } => "is a switch on the tile in column {column} and row {row}, whose id would be {expected}",
        /// A trigger of Gruntz refers to a switch that is not there.
        Suspicious "switch-missing" SwitchMissing { id: i32, count: u32 } => "refers to switches that are not there: {count}; the first would have the id {id}",
        /// No trigger of Gruntz refers to a switch.
        Curious "switch-unused" SwitchUnused => "is a switch to which no trigger refers",
        /// Opposite sides of a rectangle are swapped.
        Curious "rect-inverted" RectInverted { field: &'static str } => "opposite sides of {field} are swapped",
        /// The direction is not used in any known level.
        Curious "object-direction" ObjectDirection { found: i32 } => "direction is {found}; the known values are 0 to 8",

        // Tile attributes.
        /// There is no tile-attribute table.
        Curious "no-attributes" NoAttributes => "the level has no tile attributes",
        /// A word in the table's header differs from that in all known levels.
        Suspicious "attributes-head" AttributesHead { field: &'static str, found: u32 } => "{field} is {found}; some readers reject the level",
        /// The game does not know an attribute.
        Suspicious "attribute-unknown" AttributeUnknown { field: &'static str, value: i32 } => "{field} attribute is {value}, which the game does not know",
        /// The size of an attribute record differs from the tile size of the main plane.
        Curious "attribute-size" AttributeSize { width: u32, height: u32 } => "is for tiles of {width} x {height} pixels, unlike those of the main plane",
        /// A rectangle extends beyond its tile.
        Curious "attribute-rect-outside" AttributeRectOutside => "the rectangle extends beyond the tile",
        /// The size of a mask is not one of those that the engine accepts.
        Fatal "mask-size" MaskSize { width: u32, height: u32 } => "the mask is {width} x {height}; the engine requires the width to be the largest power of two that does not exceed the height",
        /// A mask has attributes that the game does not know.
        Curious "mask-values" MaskValues { count: u64 } => "pixels of the mask with attributes that the game does not know: {count}",

        // Layout.
        /// There are bytes between the parts that nothing refers to.
        Curious "gap" Gap { len: u64 } => "{len} bytes that nothing refers to",
        /// Parts share bytes.
        Curious "overlap" Overlap { len: u64 } => "shares {len} bytes with the part before it",
        /// A part is not in the order that all known programs write.
        Curious "order" Order => "is stored before parts that all known programs write first",
    }
}
