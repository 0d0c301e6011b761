//! The fixed-layout structures of a level, as stored in the image: little-endian, alignment 1.
//!
//! [`crate::format`] has byte tables with evidence; each structure names its section there. Offsets in the headers
//! count from byte 0 of the image. Integers are [`zerocopy::little_endian`] types: `get()` returns the number.

use worldview_core::describe::Stored;
use worldview_core::{RecordField, Text, record};
use zerocopy::little_endian::{I32, U32};
use zerocopy::{FromBytes, FromZeros as _, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A rectangle in pixels with inclusive bounds; all zero means unset. See [Conventions](crate::format#conventions).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct Rect {
    /// Leftmost column inside.
    pub left: I32,
    /// Topmost row inside.
    pub top: I32,
    /// Rightmost column inside.
    pub right: I32,
    /// Bottommost row inside.
    pub bottom: I32,
}

const _: () = assert!(size_of::<Rect>() == 16);

impl Rect {
    /// Returns left, top, right and bottom.
    #[inline]
    pub const fn get(self) -> [i32; 4] {
        [self.left.get(), self.top.get(), self.right.get(), self.bottom.get()]
    }

    /// Returns whether the point lies inside or on the bounds.
    #[inline]
    pub const fn contains(self, x: i32, y: i32) -> bool {
        let [left, top, right, bottom] = self.get();
        x >= left && x <= right && y >= top && y <= bottom
    }

    /// Returns whether all four bounds are zero, which the game treats as not set.
    #[inline]
    pub const fn is_unset(self) -> bool {
        matches!(self.get(), [0, 0, 0, 0])
    }
}

impl RecordField for Rect {
    const STORED: Stored<'static> = <[I32; 4]>::STORED;
    const PARTS: &'static [&'static str] = &["left", "top", "right", "bottom"];
}

record! {
    /// The file header, never packed. See [Header](crate::format#header).
    pub struct LevelHeader: 1524 {
        /// Size of this header, which is the format's only signature: 1524.
        #[derived(Size)]
        pub header_size: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_04: U32,
        /// Bit 0: the planes have z coordinates; bit 1: the file is packed ([`HEADER_FLAGS`](crate::flags::HEADER_FLAGS)).
        #[flags(crate::flags::HEADER_FLAGS)]
        #[storage_bits(crate::flags::PACKED)]
        pub flags: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_0c: U32,
        /// Level name; its first run of digits is the level number.
        pub name: Text<64>,
        /// Author.
        pub author: Text<64>,
        /// Date of creation, free text.
        pub birth: Text<64>,
        /// The editor's resource file; not read by the game.
        pub rez_file: Text<256>,
        /// Tile directory; identifies the game ([`Game`](crate::Game)).
        pub image_dir: Text<128>,
        /// Palette resource.
        pub pal_rez: Text<128>,
        /// Start position, pixels.
        pub start_x: I32,
        /// Start position, pixels.
        pub start_y: I32,
        /// Not read by the game; nonzero in some files.
        #[reserved]
        pub reserved_2d8: U32,
        /// Number of plane headers.
        #[derived(Count)]
        pub num_planes: U32,
        /// Offset of the plane headers.
        #[derived(Offset)]
        pub planes_offset: U32,
        /// Offset of the tile attributes, 0 for none.
        #[derived(Offset)]
        pub tile_attribs_offset: U32,
        /// Inflated length of a packed main block; meaningless in a plain file, where some editors set it.
        #[derived(Length)]
        pub main_block_length: U32,
        /// Checksum of the level ([`Checksum`](crate::Checksum)).
        #[derived(Checksum)]
        pub checksum: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_2f0: U32,
        /// Program that the editor starts for a test run.
        pub launch_app: Text<128>,
        /// Directory of image sets 1.
        pub image_set_dir_1: Text<128>,
        /// Directory of image sets 2.
        pub image_set_dir_2: Text<128>,
        /// Directory of image sets 3.
        pub image_set_dir_3: Text<128>,
        /// Directory of image sets 4.
        pub image_set_dir_4: Text<128>,
        /// Prefix of objects' image-set names for directory 1.
        pub image_set_prefix_1: Text<32>,
        /// Prefix of objects' image-set names for directory 2.
        pub image_set_prefix_2: Text<32>,
        /// Prefix of objects' image-set names for directory 3.
        pub image_set_prefix_3: Text<32>,
        /// Prefix of objects' image-set names for directory 4.
        pub image_set_prefix_4: Text<32>,
    }
}

impl LevelHeader {
    /// Returns the header of a plain level without planes and tile attributes.
    pub fn empty() -> Self {
        let size = U32::new(Self::SIZE_U32);
        Self { header_size: size, planes_offset: size, ..Self::new_zeroed() }
    }

    /// Returns whether the header says that the main block is packed.
    pub const fn is_packed(&self) -> bool {
        self.flags.get() & crate::flags::PACKED != 0
    }

    /// Returns the level number as the game reads it: the first run of digits in the name.
    pub fn level_number(&self) -> Option<u32> {
        first_number(self.name.as_bytes())
    }

    /// Returns the number of the tile directory: the first run of digits in its path, if there is one.
    pub fn directory_number(&self) -> Option<u32> {
        first_number(self.image_dir.as_bytes())
    }

    /// Returns the level number, or without one the number of the tile directory.
    pub fn number(&self) -> Option<u32> {
        self.level_number().or_else(|| self.directory_number())
    }
}

/// Returns the first run of digits.
fn first_number(text: &[u8]) -> Option<u32> {
    let digits = text.split(|byte| !byte.is_ascii_digit()).find(|run| !run.is_empty())?;
    core::str::from_utf8(digits).ok()?.parse().ok()
}

record! {
    /// The header of one plane. See [Plane header](crate::format#plane-header).
    pub struct PlaneHeader: 160 {
        /// Size of this header: 160.
        #[derived(Size)]
        pub header_size: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_04: U32,
        /// Main, no draw, wrap x, wrap y, auto tile size, and unknown bits ([`PLANE_FLAGS`](crate::flags::PLANE_FLAGS)).
        #[flags(crate::flags::PLANE_FLAGS)]
        pub flags: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_0c: U32,
        /// Plane name; need not be unique.
        pub name: Text<64>,
        /// Width in pixels; the game computes it instead.
        pub width_px: I32,
        /// Height in pixels; the game computes it instead.
        pub height_px: I32,
        /// Tile width in pixels.
        pub tile_width: I32,
        /// Tile height in pixels.
        pub tile_height: I32,
        /// Number of tiles in a row.
        pub tiles_wide: I32,
        /// Number of rows.
        pub tiles_high: I32,
        /// Scroll origin, pixels.
        pub scroll_x: I32,
        /// Scroll origin, pixels.
        pub scroll_y: I32,
        /// Parallax: horizontal movement in percent of the main camera's.
        pub movement_x_percent: I32,
        /// Parallax: vertical movement in percent of the main camera's.
        pub movement_y_percent: I32,
        /// Palette index of filled tiles.
        pub fill_color: I32,
        /// Number of image-set names.
        #[derived(Count)]
        pub num_image_sets: U32,
        /// Number of objects.
        #[derived(Count)]
        pub num_objects: U32,
        /// Offset of the tile grid.
        #[derived(Offset)]
        pub tiles_offset: U32,
        /// Offset of the image-set names.
        #[derived(Offset)]
        pub image_sets_offset: U32,
        /// Offset of the objects, 0 for none.
        #[derived(Offset)]
        pub objects_offset: U32,
        /// Depth of the plane among the objects, if the level has z coordinates ([`USE_Z_COORDS`](crate::flags::USE_Z_COORDS)).
        pub z_coord: I32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_94: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_98: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_9c: U32,
    }
}

impl PlaneHeader {
    /// Returns the header of a plane without tiles, image sets and objects.
    pub fn empty() -> Self {
        Self { header_size: U32::new(Self::SIZE_U32), ..Self::new_zeroed() }
    }
}

record! {
    /// The fixed part of an object; its four strings follow. See [Objects](crate::format#objects).
    ///
    /// The meaning of a *logic-specific* field is up to the object's logic.
    pub struct ObjectRecord: 284 {
        /// Number given by the editor; often not unique.
        pub id: I32,
        /// Length of the name, in bytes.
        #[derived(Length)]
        pub name_len: U32,
        /// Length of the logic, in bytes.
        #[derived(Length)]
        pub logic_len: U32,
        /// Length of the image set, in bytes.
        #[derived(Length)]
        pub image_set_len: U32,
        /// Length of the animation, in bytes.
        #[derived(Length)]
        pub animation_len: U32,
        /// Position in pixels.
        pub x: I32,
        /// Position in pixels.
        pub y: I32,
        /// Depth.
        pub z: I32,
        /// Frame of the image set, −1 for none.
        pub i: I32,
        /// Flags that no known engine reads ([`ADD_FLAGS`](crate::flags::ADD_FLAGS)).
        #[flags(crate::flags::ADD_FLAGS)]
        pub add_flags: U32,
        /// Flags of behavior ([`DYNAMIC_FLAGS`](crate::flags::DYNAMIC_FLAGS)).
        #[flags(crate::flags::DYNAMIC_FLAGS)]
        pub dynamic_flags: U32,
        /// Flags of drawing ([`DRAW_FLAGS`](crate::flags::DRAW_FLAGS)).
        #[flags(crate::flags::DRAW_FLAGS)]
        pub draw_flags: U32,
        /// User flags: bit n − 1 is flag n, 1 to 12.
        #[flags(crate::flags::USER_FLAGS)]
        pub user_flags: U32,
        /// Logic-specific.
        pub score: I32,
        /// Logic-specific.
        pub points: I32,
        /// Logic-specific.
        pub powerup: I32,
        /// Logic-specific.
        pub damage: I32,
        /// Logic-specific.
        pub smarts: I32,
        /// Logic-specific.
        pub health: I32,
        /// Area of movement.
        pub move_rect: Rect,
        /// Area that can be hit.
        pub hit_rect: Rect,
        /// Area of attack.
        pub attack_rect: Rect,
        /// Area of drawing.
        pub clip_rect: Rect,
        /// Logic-specific.
        pub user_rect1: Rect,
        /// Logic-specific.
        pub user_rect2: Rect,
        /// Logic-specific.
        pub user1: I32,
        /// Logic-specific.
        pub user2: I32,
        /// Logic-specific.
        pub user3: I32,
        /// Logic-specific.
        pub user4: I32,
        /// Logic-specific.
        pub user5: I32,
        /// Logic-specific.
        pub user6: I32,
        /// Logic-specific.
        pub user7: I32,
        /// Logic-specific.
        pub user8: I32,
        /// Bound of movement.
        pub min_x: I32,
        /// Bound of movement.
        pub min_y: I32,
        /// Bound of movement.
        pub max_x: I32,
        /// Bound of movement.
        pub max_y: I32,
        /// Speed.
        pub speed_x: I32,
        /// Speed.
        pub speed_y: I32,
        /// Offset.
        pub tweak_x: I32,
        /// Offset.
        pub tweak_y: I32,
        /// Logic-specific.
        pub counter: I32,
        /// Logic-specific.
        pub speed: I32,
        /// Logic-specific.
        pub width: I32,
        /// Logic-specific.
        pub height: I32,
        /// Logic-specific; 0 to 8 occur.
        pub direction: I32,
        /// Logic-specific.
        pub face_dir: I32,
        /// Milliseconds.
        pub time_delay: I32,
        /// Milliseconds.
        pub frame_delay: I32,
        /// Flag of its type ([`OBJECT_TYPES`](crate::flags::OBJECT_TYPES)).
        #[flags(crate::flags::OBJECT_TYPES)]
        pub object_type: U32,
        /// Flags of the types that it collides with ([`OBJECT_TYPES`](crate::flags::OBJECT_TYPES)).
        #[flags(crate::flags::OBJECT_TYPES)]
        pub hit_type_flags: U32,
        /// Horizontal granularity of movement, used if above 0.
        pub move_res_x: I32,
        /// Vertical granularity of movement, used if above 0.
        pub move_res_y: I32,
    }
}

record! {
    /// The header of the tile-attribute table. See [Tile attributes](crate::format#tile-attributes).
    pub struct AttributesHeader: 32 {
        /// Size of this header: 32.
        #[derived(Size)]
        pub header_size: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_04: U32,
        /// Number of records.
        #[derived(Count)]
        pub count: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_0c: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_10: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_14: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_18: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_1c: U32,
    }
}

impl AttributesHeader {
    /// Returns the header of a table without records.
    pub fn empty() -> Self {
        Self { header_size: U32::new(Self::SIZE_U32), ..Self::new_zeroed() }
    }
}

record! {
    /// The beginning of every tile-attribute record, and the whole fixed part of a mask.
    /// See [Tile attributes](crate::format#tile-attributes).
    pub struct AttributeHead: 16 {
        /// 1 for single, 2 for double, 3 for mask.
        #[named(crate::describe::record_kind)]
        pub kind: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved: U32,
        /// Tile width in pixels.
        pub width: U32,
        /// Tile height in pixels.
        pub height: U32,
    }
}

record! {
    /// One attribute for the whole tile. See [Tile attributes](crate::format#tile-attributes).
    pub struct SingleRecord: 20 {
        /// 1.
        #[named(crate::describe::record_kind)]
        pub kind: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved: U32,
        /// Tile width in pixels.
        pub width: U32,
        /// Tile height in pixels.
        pub height: U32,
        /// The attribute.
        #[named(crate::describe::attribute)]
        pub attribute: I32,
    }
}

record! {
    /// One attribute inside a rectangle, another outside. See [Tile attributes](crate::format#tile-attributes).
    pub struct DoubleRecord: 40 {
        /// 2.
        #[named(crate::describe::record_kind)]
        pub kind: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved: U32,
        /// Tile width in pixels.
        pub width: U32,
        /// Tile height in pixels.
        pub height: U32,
        /// The attribute outside the rectangle.
        #[named(crate::describe::attribute)]
        pub outside: I32,
        /// The attribute inside the rectangle.
        #[named(crate::describe::attribute)]
        pub inside: I32,
        /// The rectangle, in pixels of the tile.
        pub rect: Rect,
    }
}
