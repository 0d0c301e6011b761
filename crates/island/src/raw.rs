//! The structures with a fixed layout, as stored in the file: little-endian, with alignment 1.
//!
//! [`crate::format`] has byte tables with evidence; each structure names its section. Numbers are
//! [`zerocopy::little_endian`] types; `get()` returns the value.

use worldview_core::layout;
use zerocopy::little_endian::{F32, I32, U16, U32};

layout! {
    /// A point, a direction, or factors along the three axes. See [Conventions](crate::format#conventions).
    pub struct Vec3: 12 {
        /// To the right.
        pub x: F32,
        /// Up.
        pub y: F32,
        /// Forward; the axes are left-handed.
        pub z: F32,
    }

    /// A texture coordinate. See [LOD](crate::format#lod).
    pub struct Uv: 8 {
        /// The horizontal position from the left edge, in image widths.
        pub u: F32,
        /// The vertical position from the top edge downward, in image heights.
        pub v: F32,
    }

    /// A palette color. See [Image](crate::format#image).
    pub struct Rgb: 3 {
        /// Red.
        pub red: u8,
        /// Green.
        pub green: u8,
        /// Blue.
        pub blue: u8,
    }

    /// The location of a blob. See [Directory](crate::format#directory).
    pub struct Range: 8 {
        /// Length in bytes.
        pub length: U32,
        /// Offset of the first byte in the file.
        pub offset: U32,
    }

    /// The placement of a model in a world. See [Directory](crate::format#directory) and
    /// [Placement](crate::format#placement).
    pub struct Placement: 37 {
        /// Position in the world.
        pub location: Vec3,
        /// The forward direction; not always a unit vector.
        pub direction: Vec3,
        /// The up direction; not always a unit vector.
        pub up: Vec3,
        /// Whether the model is initially visible: any value except 0.
        pub visible: u8,
    }

    /// The header before the palette of an image. See [Image](crate::format#image).
    pub struct ImageHeader: 12 {
        /// Width in pixels.
        pub width: U32,
        /// Height in pixels.
        pub height: U32,
        /// Number of palette entries, at most 256.
        pub colors: U32,
    }

    /// The time and flags of a key. See [Animation](crate::format#animation).
    pub struct TimeFlags: 4 {
        /// Bits 0 to 23 are the time in milliseconds, bits 24 to 31 the flags.
        pub word: U32,
    }

    /// A translation or scale key. See [Animation](crate::format#animation).
    pub struct VectorKey: 16 {
        /// Time and flags.
        pub when: TimeFlags,
        /// The translation, or the scale factors.
        pub value: Vec3,
    }

    /// A rotation key. See [Animation](crate::format#animation).
    pub struct RotationKey: 20 {
        /// Time and flags.
        pub when: TimeFlags,
        /// The scalar of the quaternion, which is stored first.
        pub w: F32,
        /// The x component of the quaternion.
        pub x: F32,
        /// The y component of the quaternion.
        pub y: F32,
        /// The z component of the quaternion.
        pub z: F32,
    }

    /// A morph key: shows or hides a node from its time on. See [Animation](crate::format#animation).
    pub struct MorphKey: 5 {
        /// Time and flags.
        pub when: TimeFlags,
        /// Whether the node is visible: any value except 0.
        pub visible: u8,
    }

    /// The bounding sphere and box of an object, in its own coordinates. See [ROI](crate::format#roi).
    pub struct Bounds: 40 {
        /// Center of the sphere.
        pub center: Vec3,
        /// Radius of the sphere.
        pub radius: F32,
        /// Minimum corner of the box.
        pub minimum: Vec3,
        /// Maximum corner of the box.
        pub maximum: Vec3,
    }

    /// The sizes of a level's pools. See [LOD](crate::format#lod).
    pub struct PoolCounts: 8 {
        /// Bits 0 to 14 are the number of positions, bits 17 to 31 the number of normals. Bits 15 and 16 have no
        /// meaning.
        pub counts: U32,
        /// Number of texture coordinates, signed; there are none unless it is above 0.
        pub uvs: I32,
    }

    /// The sizes of a mesh. See [Mesh](crate::format#mesh).
    pub struct MeshCounts: 4 {
        /// The number of triangles.
        pub triangles: U16,
        /// The number of vertices of the decoded mesh.
        pub vertices: U16,
    }

    /// A packed corner of a triangle. See [Corners](crate::format#corners).
    pub struct Corner: 4 {
        /// The packed word.
        pub word: U32,
    }

    /// The appearance of a mesh. See [Mesh](crate::format#mesh) and [Material](crate::format#material).
    pub struct Surface: 11 {
        /// Red.
        pub red: u8,
        /// Green.
        pub green: u8,
        /// Blue.
        pub blue: u8,
        /// Opacity from 0 to 1; 0 means opaque, like 1.
        pub alpha: F32,
        /// Shading: 0 is flat, 2 is wireframe, everything else is smooth.
        pub shading: u8,
        /// Whether the surface has specular highlights: any value except 0.
        pub specular: u8,
        /// The game reads this byte but never uses it.
        pub unknown: u8,
        /// Whether the color is looked up by the material's name in the table of colors: any value except 0.
        pub alias: u8,
    }
}

impl Vec3 {
    /// Returns the three components.
    #[inline]
    pub const fn get(self) -> [f32; 3] {
        [self.x.get(), self.y.get(), self.z.get()]
    }
}

impl Uv {
    /// Returns the two components.
    #[inline]
    pub const fn get(self) -> [f32; 2] {
        [self.u.get(), self.v.get()]
    }
}

impl Rgb {
    /// Returns red, green and blue.
    #[inline]
    pub const fn get(self) -> [u8; 3] {
        [self.red, self.green, self.blue]
    }
}

impl TimeFlags {
    /// Flag: the key is active. A key whose value differs from the rest value counts as active, too.
    pub const ACTIVE: u8 = 1;
    /// Flag: the quaternion of this key is negated when interpolating toward it.
    pub const NEGATE: u8 = 2;
    /// Flag: there is no interpolation toward this key; the previous key holds until its time.
    pub const HOLD: u8 = 4;

    /// Returns the time in milliseconds, which is below 2^24.
    #[inline]
    pub const fn time(self) -> u32 {
        self.word.get() & 0xFF_FFFF
    }

    /// Returns the flags as stored.
    #[inline]
    pub const fn flags(self) -> u8 {
        let [.., flags] = self.word.get().to_le_bytes();
        flags
    }
}

impl RotationKey {
    /// Returns the quaternion with its scalar first.
    #[inline]
    pub const fn get(self) -> [f32; 4] {
        [self.w.get(), self.x.get(), self.y.get(), self.z.get()]
    }
}

impl PoolCounts {
    /// The two bits of the first word that have no meaning.
    pub const UNUSED: u32 = 0x1_8000;

    /// Returns the first word for these numbers of positions and normals, or `None` if one is too large.
    pub(crate) const fn of(positions: u32, normals: u32) -> Option<u32> {
        if positions > 0x7FFF || normals > 0x7FFF { None } else { Some(positions | normals << 17) }
    }

    /// Returns the number of positions.
    #[inline]
    pub const fn positions(self) -> u32 {
        self.counts.get() & 0x7FFF
    }

    /// Returns the number of normals.
    #[inline]
    pub const fn normals(self) -> u32 {
        self.counts.get() >> 17
    }

    /// Returns the two bits that have no meaning.
    #[inline]
    pub const fn unused_bits(self) -> u32 {
        self.counts.get() & Self::UNUSED
    }

    /// Returns the number of texture coordinates; 0 if the stored count is negative.
    #[inline]
    pub const fn uv_count(self) -> u32 {
        let count = self.uvs.get();
        if count > 0 { count.unsigned_abs() } else { 0 }
    }
}

impl Corner {
    /// Returns the packed word.
    #[inline]
    pub const fn get(self) -> u32 {
        self.word.get()
    }

    /// Returns whether the corner creates a new vertex instead of referring to an earlier one.
    #[inline]
    pub const fn is_new(self) -> bool {
        self.get() & 0x8000_0000 != 0
    }

    /// Returns the index of the position in the level. Only valid for a new vertex.
    #[inline]
    pub const fn position(self) -> u16 {
        let [low, high, ..] = self.get().to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// Returns the index of the normal in the level. Only valid for a new vertex.
    #[inline]
    pub const fn normal(self) -> u16 {
        let [.., low, high] = self.get().to_le_bytes();
        u16::from_le_bytes([low, high]) & 0x7FFF
    }

    /// Returns the index of the earlier vertex. Only valid for a corner that is not a new vertex.
    #[inline]
    pub const fn back(self) -> u16 {
        self.position()
    }
}
