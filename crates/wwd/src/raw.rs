//! The fixed-layout structures of a level, as they lie in the image: little-endian, alignment 1.
//!
//! Byte tables with evidence: `docs/formats/wwd.md`, whose section is named at each structure. Offsets in the headers
//! count from byte 0 of the image. Integers are [`zerocopy::little_endian`] types: `get()` returns the number.

use worldview_core::{RecordField, RecordValue, Text, record};
use zerocopy::little_endian::{I32, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A rectangle in pixels whose bounds are inclusive; all zero means unset. `docs/formats/wwd.md`, Conventions.
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
    /// Left, top, right, bottom.
    #[inline]
    pub const fn get(self) -> [i32; 4] {
        [self.left.get(), self.top.get(), self.right.get(), self.bottom.get()]
    }

    /// Whether the point lies inside; the bounds do.
    #[inline]
    pub const fn contains(self, x: i32, y: i32) -> bool {
        let [left, top, right, bottom] = self.get();
        x >= left && x <= right && y >= top && y <= bottom
    }

    /// Whether all four bounds are zero, which the game takes for "not set".
    #[inline]
    pub const fn is_unset(self) -> bool {
        matches!(self.get(), [0, 0, 0, 0])
    }
}

impl RecordField for Rect {
    #[inline]
    fn value(&self) -> RecordValue<'_> {
        let sides: &[I32; 4] = zerocopy::transmute_ref!(self);
        RecordValue::Ints(sides)
    }
}

record! {
    /// The file header, never packed. `docs/formats/wwd.md`, Header.
    pub struct LevelHeader: 1524 {
        /// Size of this header and the format's only signature: 1524.
        pub header_size: U32,
        /// Zero in all known files.
        pub reserved_04: U32,
        /// [`USE_Z_COORDS`](crate::flags::USE_Z_COORDS), [`PACKED`](crate::flags::PACKED).
        pub flags: U32,
        /// Zero in all known files.
        pub reserved_0c: U32,
        /// Level name; its first run of digits is the level number.
        pub name: Text<64>,
        /// Author.
        pub author: Text<64>,
        /// Date of birth, free text.
        pub birth: Text<64>,
        /// The editor's resource file; the game does not read it.
        pub rez_file: Text<256>,
        /// Tile directory; tells the game, see [`Game`](crate::Game).
        pub image_dir: Text<128>,
        /// Palette resource.
        pub pal_rez: Text<128>,
        /// Start position, pixels.
        pub start_x: I32,
        /// Start position, pixels.
        pub start_y: I32,
        /// Not read by the game; not zero in some files.
        pub reserved_2d8: U32,
        /// Number of plane headers.
        pub num_planes: U32,
        /// Offset of the plane headers.
        pub planes_offset: U32,
        /// Offset of the tile attributes, 0 for none.
        pub tile_attribs_offset: U32,
        /// Inflated length of a packed main block; an editor's habit, without meaning, in a plain file.
        pub main_block_length: U32,
        /// See [`Checksum`](crate::Checksum).
        pub checksum: U32,
        /// Zero in all known files.
        pub reserved_2f0: U32,
        /// The program that the editor starts for a test run.
        pub launch_app: Text<128>,
        /// Directory of image sets 1.
        pub image_set_dir_1: Text<128>,
        /// Directory of image sets 2.
        pub image_set_dir_2: Text<128>,
        /// Directory of image sets 3.
        pub image_set_dir_3: Text<128>,
        /// Directory of image sets 4.
        pub image_set_dir_4: Text<128>,
        /// What objects call the image sets of directory 1.
        pub image_set_prefix_1: Text<32>,
        /// What objects call the image sets of directory 2.
        pub image_set_prefix_2: Text<32>,
        /// What objects call the image sets of directory 3.
        pub image_set_prefix_3: Text<32>,
        /// What objects call the image sets of directory 4.
        pub image_set_prefix_4: Text<32>,
    }
}

impl LevelHeader {
    /// Whether the file says that its main block is packed.
    pub const fn is_packed(&self) -> bool {
        self.flags.get() & crate::flags::PACKED != 0
    }

    /// The level number as the game takes it: the first run of digits in the name.
    pub fn level_number(&self) -> Option<u32> {
        let name = self.name.as_bytes();
        let digits = name.split(|byte| !byte.is_ascii_digit()).find(|run| !run.is_empty())?;
        core::str::from_utf8(digits).ok()?.parse().ok()
    }
}

record! {
    /// The header of one plane. `docs/formats/wwd.md`, Plane header.
    pub struct PlaneHeader: 160 {
        /// Size of this header: 160.
        pub header_size: U32,
        /// Zero in all known files.
        pub reserved_04: U32,
        /// See [`flags`](crate::flags): main, no draw, wrap x, wrap y, auto tile size, and bits unknown.
        pub flags: U32,
        /// Zero in all known files.
        pub reserved_0c: U32,
        /// Plane name; need not be unique.
        pub name: Text<64>,
        /// Width in pixels; the game computes its own.
        pub width_px: I32,
        /// Height in pixels; the game computes its own.
        pub height_px: I32,
        /// Tile width in pixels.
        pub tile_width: I32,
        /// Tile height in pixels.
        pub tile_height: I32,
        /// Tiles in a row.
        pub tiles_wide: I32,
        /// Rows.
        pub tiles_high: I32,
        /// Scroll origin, pixels.
        pub scroll_x: I32,
        /// Scroll origin, pixels.
        pub scroll_y: I32,
        /// Parallax: percent of the main camera's movement.
        pub movement_x_percent: I32,
        /// Parallax: percent of the main camera's movement.
        pub movement_y_percent: I32,
        /// Palette index that filled tiles are painted with.
        pub fill_color: I32,
        /// Number of image-set names.
        pub num_image_sets: U32,
        /// Number of objects.
        pub num_objects: U32,
        /// Offset of the tile grid.
        pub tiles_offset: U32,
        /// Offset of the image-set names.
        pub image_sets_offset: U32,
        /// Offset of the objects, 0 for none.
        pub objects_offset: U32,
        /// Depth of the plane among the objects, read with [`USE_Z_COORDS`](crate::flags::USE_Z_COORDS).
        pub z_coord: I32,
        /// Zero in all known files.
        pub reserved_94: U32,
        /// Zero in all known files.
        pub reserved_98: U32,
        /// Zero in all known files.
        pub reserved_9c: U32,
    }
}

record! {
    /// The fixed part of an object; its four strings follow. `docs/formats/wwd.md`, Objects.
    pub struct ObjectRecord: 284 {
        /// The editor's number of the object; often not unique.
        pub id: I32,
        /// Bytes of the name.
        pub name_len: U32,
        /// Bytes of the logic.
        pub logic_len: U32,
        /// Bytes of the image set.
        pub image_set_len: U32,
        /// Bytes of the animation.
        pub animation_len: U32,
        /// Position in pixels.
        pub x: I32,
        /// Position in pixels.
        pub y: I32,
        /// Depth.
        pub z: I32,
        /// Frame of the image set, −1 for none.
        pub i: I32,
        /// [`ADD_FLAGS`](crate::flags::ADD_FLAGS); read by no known engine.
        pub add_flags: U32,
        /// [`DYNAMIC_FLAGS`](crate::flags::DYNAMIC_FLAGS).
        pub dynamic_flags: U32,
        /// [`DRAW_FLAGS`](crate::flags::DRAW_FLAGS).
        pub draw_flags: U32,
        /// User flags: bit n − 1 is flag n, 1 to 12.
        pub user_flags: U32,
        /// Meaning by logic.
        pub score: I32,
        /// Meaning by logic.
        pub points: I32,
        /// Meaning by logic.
        pub powerup: I32,
        /// Meaning by logic.
        pub damage: I32,
        /// Meaning by logic.
        pub smarts: I32,
        /// Meaning by logic.
        pub health: I32,
        /// Area of movement.
        pub move_rect: Rect,
        /// Area that can be hit.
        pub hit_rect: Rect,
        /// Area of attack.
        pub attack_rect: Rect,
        /// Area of drawing.
        pub clip_rect: Rect,
        /// Meaning by logic.
        pub user_rect1: Rect,
        /// Meaning by logic.
        pub user_rect2: Rect,
        /// Meaning by logic.
        pub user1: I32,
        /// Meaning by logic.
        pub user2: I32,
        /// Meaning by logic.
        pub user3: I32,
        /// Meaning by logic.
        pub user4: I32,
        /// Meaning by logic.
        pub user5: I32,
        /// Meaning by logic.
        pub user6: I32,
        /// Meaning by logic.
        pub user7: I32,
        /// Meaning by logic.
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
        /// Meaning by logic.
        pub counter: I32,
        /// Meaning by logic.
        pub speed: I32,
        /// Meaning by logic.
        pub width: I32,
        /// Meaning by logic.
        pub height: I32,
        /// Meaning by logic; 0 to 8 seen.
        pub direction: I32,
        /// Meaning by logic.
        pub face_dir: I32,
        /// Milliseconds.
        pub time_delay: I32,
        /// Milliseconds.
        pub frame_delay: I32,
        /// [`OBJECT_TYPES`](crate::flags::OBJECT_TYPES).
        pub object_type: U32,
        /// [`OBJECT_TYPES`](crate::flags::OBJECT_TYPES) that it collides with.
        pub hit_type_flags: U32,
        /// Granularity of movement, used if above 0.
        pub move_res_x: I32,
        /// Granularity of movement, used if above 0.
        pub move_res_y: I32,
    }
}

record! {
    /// The head of the tile-attribute table. `docs/formats/wwd.md`, Tile attributes.
    pub struct AttributesHeader: 32 {
        /// Size of this head: 32.
        pub header_size: U32,
        /// Zero in all known files.
        pub reserved_04: U32,
        /// Number of records.
        pub count: U32,
        /// Zero in all known files.
        pub reserved_0c: U32,
        /// Zero in all known files.
        pub reserved_10: U32,
        /// Zero in all known files.
        pub reserved_14: U32,
        /// Zero in all known files.
        pub reserved_18: U32,
        /// Zero in all known files.
        pub reserved_1c: U32,
    }
}

record! {
    /// What every tile-attribute record begins with; the whole of a mask's fixed part.
    /// `docs/formats/wwd.md`, Tile attributes.
    pub struct AttributeHead: 16 {
        /// 1 single, 2 double, 3 mask.
        pub kind: U32,
        /// Zero in all known files.
        pub reserved: U32,
        /// Tile width in pixels.
        pub width: U32,
        /// Tile height in pixels.
        pub height: U32,
    }
}

record! {
    /// One attribute for the whole tile. `docs/formats/wwd.md`, Tile attributes.
    pub struct SingleRecord: 20 {
        /// 1.
        pub kind: U32,
        /// Zero in all known files.
        pub reserved: U32,
        /// Tile width in pixels.
        pub width: U32,
        /// Tile height in pixels.
        pub height: U32,
        /// The attribute.
        pub attribute: I32,
    }
}

record! {
    /// One attribute inside a rectangle and one outside. `docs/formats/wwd.md`, Tile attributes.
    pub struct DoubleRecord: 40 {
        /// 2.
        pub kind: U32,
        /// Zero in all known files.
        pub reserved: U32,
        /// Tile width in pixels.
        pub width: U32,
        /// Tile height in pixels.
        pub height: U32,
        /// The attribute outside the rectangle.
        pub outside: I32,
        /// The attribute inside it.
        pub inside: I32,
        /// The rectangle, in pixels of the tile.
        pub rect: Rect,
    }
}
