//! The fixed-layout structures, as they lie in the file: little-endian, alignment 1, since nothing in it is aligned.
//!
//! Byte tables with evidence: `docs/formats/island.md`, whose section is named at each structure. Numbers are
//! [`zerocopy::little_endian`] types: `get()` returns the number.

use worldview_core::layout;
use zerocopy::little_endian::{F32, I32, U16, U32};

layout! {
    /// A point, a direction or factors along the three axes. `docs/formats/island.md`, Conventions.
    pub struct Vec3: 12 {
        /// To the right.
        pub x: F32,
        /// Up.
        pub y: F32,
        /// Forward: the axes are left-handed.
        pub z: F32,
    }

    /// A texture coordinate. `docs/formats/island.md`, LOD.
    pub struct Uv: 8 {
        /// From the first column on, in widths of the picture.
        pub u: F32,
        /// From the first row on, downwards, in heights of the picture.
        pub v: F32,
    }

    /// A colour of a palette. `docs/formats/island.md`, Image.
    pub struct Rgb: 3 {
        /// Red.
        pub red: u8,
        /// Green.
        pub green: u8,
        /// Blue.
        pub blue: u8,
    }

    /// Where a blob lies. `docs/formats/island.md`, Directory.
    pub struct Range: 8 {
        /// Bytes.
        pub length: U32,
        /// Offset of the first byte in the file.
        pub offset: U32,
    }

    /// Where a model stands in a world. `docs/formats/island.md`, Directory and Placement.
    pub struct Placement: 37 {
        /// Position in the world.
        pub location: Vec3,
        /// Where its front points to; not always of length 1.
        pub direction: Vec3,
        /// Where its top points to; not always of length 1.
        pub up: Vec3,
        /// Whether it is shown at first: any value but 0.
        pub visible: u8,
    }

    /// What comes before the palette of an image. `docs/formats/island.md`, Image.
    pub struct ImageHeader: 12 {
        /// Pixels.
        pub width: U32,
        /// Pixels.
        pub height: U32,
        /// Entries of the palette, at most 256.
        pub colors: U32,
    }

    /// The time of a key, and its flags. `docs/formats/island.md`, Animation.
    pub struct TimeFlags: 4 {
        /// Bits 0 to 23 are the time, bits 24 to 31 the flags.
        pub word: U32,
    }

    /// A key of a translation or a scale. `docs/formats/island.md`, Animation.
    pub struct VectorKey: 16 {
        /// When, and flags.
        pub when: TimeFlags,
        /// The translation, or the factors of the scale.
        pub value: Vec3,
    }

    /// A key of a rotation. `docs/formats/island.md`, Animation.
    pub struct RotationKey: 20 {
        /// When, and flags.
        pub when: TimeFlags,
        /// The scalar of the quaternion, which comes first.
        pub w: F32,
        /// Part of the quaternion.
        pub x: F32,
        /// Part of the quaternion.
        pub y: F32,
        /// Part of the quaternion.
        pub z: F32,
    }

    /// A key of a morph: from then on a node is seen, or not. `docs/formats/island.md`, Animation.
    pub struct MorphKey: 5 {
        /// When, and flags.
        pub when: TimeFlags,
        /// Whether it is seen: any value but 0.
        pub visible: u8,
    }

    /// The sphere and the box around an object, in its own coordinates. `docs/formats/island.md`, ROI.
    pub struct Bounds: 40 {
        /// Middle of the sphere.
        pub centre: Vec3,
        /// Radius of the sphere.
        pub radius: F32,
        /// Lower corner of the box.
        pub minimum: Vec3,
        /// Upper corner of the box.
        pub maximum: Vec3,
    }

    /// The sizes of a level's pools. `docs/formats/island.md`, LOD.
    pub struct PoolCounts: 8 {
        /// Bits 0 to 14 are the positions, bits 17 to 31 the normals; the two between mean nothing.
        pub counts: U32,
        /// Texture coordinates, signed; none if it is not above 0.
        pub uvs: I32,
    }

    /// The sizes of a mesh. `docs/formats/island.md`, Mesh.
    pub struct MeshCounts: 4 {
        /// Triangles.
        pub triangles: U16,
        /// Vertices that the mesh has once it is rebuilt.
        pub vertices: U16,
    }

    /// One corner of a triangle, packed. `docs/formats/island.md`, Corners.
    pub struct Corner: 4 {
        /// The packed word.
        pub word: U32,
    }

    /// What a mesh looks like. `docs/formats/island.md`, Mesh and Material.
    pub struct Surface: 11 {
        /// Red.
        pub red: u8,
        /// Green.
        pub green: u8,
        /// Blue.
        pub blue: u8,
        /// Opacity from 0 to 1, where 0 is opaque like 1.
        pub alpha: F32,
        /// 0 flat, 2 wireframe, all else smooth.
        pub shading: u8,
        /// Whether it shines: any value but 0.
        pub specular: u8,
        /// Read and never used by the game.
        pub unknown: u8,
        /// Whether the colour comes from the table of names, by the material's: any value but 0.
        pub alias: u8,
    }
}

impl Vec3 {
    /// The three numbers.
    #[inline]
    pub const fn get(self) -> [f32; 3] {
        [self.x.get(), self.y.get(), self.z.get()]
    }
}

impl Uv {
    /// The two numbers.
    #[inline]
    pub const fn get(self) -> [f32; 2] {
        [self.u.get(), self.v.get()]
    }
}

impl Rgb {
    /// Red, green, blue.
    #[inline]
    pub const fn get(self) -> [u8; 3] {
        [self.red, self.green, self.blue]
    }
}

impl TimeFlags {
    /// Bit of the flags: the key does something. It is also taken for set where the value is not that of rest.
    pub const ACTIVE: u8 = 1;
    /// Bit of the flags: on the way to this key, its quaternion is negated.
    pub const NEGATE: u8 = 2;
    /// Bit of the flags: there is no way to this key; the one before is held until its time.
    pub const HOLD: u8 = 4;

    /// Time in milliseconds, below 2^24.
    #[inline]
    pub const fn time(self) -> u32 {
        self.word.get() & 0xFF_FFFF
    }

    /// The flags as they are stored.
    #[inline]
    pub const fn flags(self) -> u8 {
        let [.., flags] = self.word.get().to_le_bytes();
        flags
    }
}

impl RotationKey {
    /// The quaternion, its scalar first.
    #[inline]
    pub const fn get(self) -> [f32; 4] {
        [self.w.get(), self.x.get(), self.y.get(), self.z.get()]
    }
}

impl PoolCounts {
    /// Positions.
    #[inline]
    pub const fn positions(self) -> u32 {
        self.counts.get() & 0x7FFF
    }

    /// Normals.
    #[inline]
    pub const fn normals(self) -> u32 {
        self.counts.get() >> 17
    }

    /// The two bits that mean nothing.
    #[inline]
    pub const fn unused_bits(self) -> u32 {
        self.counts.get() & 0x1_8000
    }

    /// Texture coordinates; none where the count is negative.
    #[inline]
    pub const fn uv_count(self) -> u32 {
        let count = self.uvs.get();
        if count > 0 { count.unsigned_abs() } else { 0 }
    }
}

impl Corner {
    /// The packed word.
    #[inline]
    pub const fn get(self) -> u32 {
        self.word.get()
    }

    /// Whether the corner is a vertex of its own, and not one that the mesh has already.
    #[inline]
    pub const fn is_new(self) -> bool {
        self.get() & 0x8000_0000 != 0
    }

    /// Of a new vertex, which position of the level.
    #[inline]
    pub const fn position(self) -> u16 {
        let [low, high, ..] = self.get().to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// Of a new vertex, which normal of the level.
    #[inline]
    pub const fn normal(self) -> u16 {
        let [.., low, high] = self.get().to_le_bytes();
        u16::from_le_bytes([low, high]) & 0x7FFF
    }

    /// Of any other corner, which vertex of the mesh.
    #[inline]
    pub const fn back(self) -> u16 {
        self.position()
    }
}
