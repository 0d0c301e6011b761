//! The table of everything that can be reported about a file that can still be opened.

use worldview_core::{Error, ErrorKind, Place, findings};

/// A finding about a file.
pub type Finding<'a> = worldview_core::Finding<'a, FindingKind>;

/// Turns an error into a finding, for lossy reading.
pub(crate) fn broken<'a>(error: &Error, place: Place<'a>) -> Finding<'a> {
    Finding { kind: FindingKind::Broken { kind: error.kind }, at: error.at, space: error.space(), place }
}

findings! {
    /// What a check of a file can find. The codes are stable; each is explained in [Findings](crate::format#findings).
    pub enum FindingKind {
        /// A part is truncated or cannot be read; it is skipped.
        Fatal "broken" Broken { kind: ErrorKind } => "{kind}",
        /// A walk over overlapping parts took too long and was stopped.
        Suspicious "walk-limit" WalkLimit { kind: ErrorKind } => "parts overlap, and checking all of them {kind}; the rest is not checked",

        // Names.
        /// The counted bytes of a name in the directory do not include a NUL.
        Suspicious "name-unterminated" NameUnterminated { field: &'static str } => "{field} has no NUL; the game reads past it",
        /// A name has bytes after its NUL, or contains a NUL where none belongs.
        Curious "name-tail" NameTail { field: &'static str } => "{field} continues after a NUL",
        /// A name has bytes above 127, whose code page is not declared.
        Curious "name-not-ascii" NameNotAscii { field: &'static str } => "{field} is not ASCII; its code page is not declared",
        /// The name of a part reference is longer than the game's buffer.
        Fatal "name-long" NameLong { length: usize } => "a name of {length} bytes overruns the game's buffer of 128",

        // Directory.
        /// Two worlds have the same name.
        Curious "world-duplicate" WorldDuplicate { first: usize } => "world {first} has the same name",
        /// The game does not know the presenter.
        Curious "presenter-unknown" PresenterUnknown => "the game has no presenter with this name",
        /// A flag is neither 0 nor 1.
        Curious "flag-value" FlagValue { field: &'static str, value: u8 } => "{field} is {value}, neither 0 nor 1",
        /// Direction and up do not define a set of axes.
        Curious "placement-degenerate" PlacementDegenerate => "direction and up do not define axes; the axes of the world are used",
        /// Direction and up are not unit vectors, or not perpendicular.
        Curious "placement-skewed" PlacementSkewed => "direction and up are not unit vectors or not perpendicular; the game corrects them",
        /// References with the same name have different blobs.
        Curious "reference-other-blob" ReferenceOtherBlob { blob: u64, other: u64 } => "refers to the blob at offset {blob:#x}, but an earlier reference with this name refers to the one at offset {other:#x}",
        /// The same range is referred to as parts and as a model.
        Suspicious "two-kinds" TwoKinds => "the same bytes are referred to as parts and as a model",

        // Layout.
        /// Bytes of the file that belong to nothing.
        Curious "gap" Gap { len: u64 } => "is preceded by {len} bytes that belong to nothing",
        /// Bytes of the file that belong to several parts.
        Curious "overlap" Overlap { len: u64 } => "shares {len} bytes with an earlier part",
        /// Bytes after the last blob.
        Curious "trailing-bytes" TrailingBytes { len: u64 } => "is followed by {len} bytes that belong to nothing",
        /// Bytes before the list of textures that belong to nothing.
        Curious "list-gap" ListGap { len: u64 } => "{len} bytes before the list of textures belong to nothing",
        /// The list of textures starts before the preceding data ends.
        Curious "list-overlap" ListOverlap { len: u64 } => "the list of textures begins {len} bytes before the end of what precedes it",
        /// Bytes between the last level of detail and the end offset.
        Curious "end-gap" EndGap { len: u64 } => "{len} bytes before the end offset belong to nothing",

        // Textures.
        /// An image has no pixels.
        Suspicious "image-empty" ImageEmpty => "has no pixels",
        /// The sides of an image are not powers of two.
        Curious "image-size" ImageSize { width: u32, height: u32 } => "{width} by {height} are not powers of two",
        /// Pixels have indices past the end of the palette.
        Suspicious "pixel-no-color" PixelNoColor { pixels: u64, colors: usize } => "pixels whose index is outside the palette of {colors} colors, drawn black: {pixels}",
        /// An earlier texture in the same list has the same name.
        Curious "texture-duplicate" TextureDuplicate { first: usize } => "texture {first} of the list has the same name and is used instead",
        /// An earlier texture has the same name and another size, and gets the pixels of this one.
        Suspicious "texture-size" TextureSize { width: u32, height: u32, first_width: u32, first_height: u32 } => "is {width} by {height}, but the first texture with this name is {first_width} by {first_height}; the game copies the pixels by that size",
        /// An earlier texture in another list, or in that of a blob, has the same name and another size.
        Curious "texture-other-size" TextureOtherSize { width: u32, height: u32, first_width: u32, first_height: u32 } => "is {width} by {height}, but the first texture with this name is {first_width} by {first_height}; the game keeps the first one that it loads",
        /// The game reads the model's textures and discards them.
        Curious "textures-skipped" TexturesSkipped { word: u32 } => "the skip word is {word}: the game reads the textures and discards them",

        // Parts and models.
        /// An earlier part in the same list has the same name.
        Curious "part-duplicate" PartDuplicate { first: usize } => "part {first} of the list has the same name and is used instead",
        /// The ROI count is not 1.
        Curious "roi-count" RoiCount { found: u32 } => "the ROI count is {found}, not 1, but there is one tree",
        /// The animation has actors.
        Curious "actors" Actors { count: usize } => "the animation has {count} actors; known models have none",
        /// The duration of the animation is not 0.
        Curious "duration" Duration { found: i32 } => "the duration is {found} ms, not 0",

        // Animation.
        /// A node has no name.
        Fatal "node-unnamed" NodeUnnamed => "a node without a name crashes the game",
        /// A node does not find an object.
        Suspicious "node-no-object" NodeNoObject => "no object has this name; the node and those below it are skipped",
        /// Several nodes find the same object.
        Curious "object-twice" ObjectTwice { roi: usize } => "moves object {roi}, like an earlier node; the last one wins",
        /// Keys are not sorted by time.
        Suspicious "keys-unsorted" KeysUnsorted { field: &'static str } => "{field} are not sorted by time",
        /// Keys have flags with no known meaning.
        Curious "key-flags" KeyFlags { field: &'static str, bits: u8 } => "{field} have unknown flags {bits:#x}",
        /// A rotation key has a quaternion of length 0.
        Curious "rotation-zero" RotationZero { key: usize } => "rotation key {key} has length 0 and no effect",

        // Objects.
        /// The maximum corner of a box is below the minimum, or the radius of a sphere is negative.
        Curious "bounds" Bounds => "its box is inverted or its sphere has a negative radius",
        /// An object with children has levels of its own.
        Curious "levels-hidden" LevelsHidden { count: usize } => "it has child objects, so its levels of detail ({count}) are never drawn",
        /// An object or part has no levels, or a level without meshes.
        Curious "lod-empty" LodEmpty => "there is nothing to draw",
        /// A color name is not in the table.
        Suspicious "color-unknown" ColorUnknown => "no color has this name; objects that inherit it are magenta",
        /// The list of levels of a shared object cannot be resolved.
        Fatal "lods-unresolved" LodsUnresolved => "no part or object provides levels of detail under the name of this shared object; the game drops the model",
        /// A texture name cannot be resolved.
        Suspicious "texture-unresolved" TextureUnresolved => "no texture has this name; the game drops the level of detail",

        // Levels of detail.
        /// A level has flags with no known meaning.
        Curious "lod-flags" LodFlags { bits: u32 } => "unknown flags {bits:#x}",
        /// The level with the "extra" flag is not the first.
        Curious "lod-extra-late" LodExtraLate => "has the flag of the extra level, but is not the first level",
        /// A level has fewer triangles than the previous one.
        Curious "lod-order" LodOrder { triangles: u64, before: u64 } => "has {triangles} triangles, fewer than the {before} of the level before it",
        /// The two unused bits between the counts of positions and normals are set.
        Curious "pool-bits" PoolBits { bits: u32 } => "the unused bits {bits:#x} of the counts are set",
        /// The count of texture coordinates is negative.
        Curious "uv-count-negative" UvCountNegative { found: i32 } => "the UV count is {found}, which is treated as 0",
        /// Floats are NaN or infinite.
        Suspicious "not-finite" NotFinite { field: &'static str, count: usize } => "numbers of its {field} that are infinite or NaN: {count}",

        // Meshes.
        /// A mesh cannot be decoded.
        Fatal "mesh-broken" MeshBroken { what: &'static str, kind: ErrorKind } => "{what}: {kind}; the mesh is skipped",
        /// A mesh has no triangles.
        Curious "mesh-empty" MeshEmpty => "has no triangles",
        /// A triangle has two corners at the same vertex.
        Curious "triangle-degenerate" TriangleDegenerate { count: usize } => "{count} of its triangles use the same vertex twice",
        /// The UV index count is not three times the number of triangles.
        Curious "uv-index-count" UvIndexCount { found: u32, want: usize } => "the UV index count is {found}; the game reads {want}",
        /// A mesh has UV indices, but its level has no texture coordinates.
        Curious "uv-indices-unused" UvIndicesUnused => "has UV indices in a level without texture coordinates",
        /// The two halves of back references differ.
        Curious "back-reference-high" BackReferenceHigh { count: usize } => "the two halves of {count} back references differ; the low half is used",
        /// A textured mesh has no texture coordinates.
        Curious "texture-without-uv" TextureWithoutUv => "is textured, but has no texture coordinates",
        /// The color is looked up by name.
        Curious "alias" Alias => "takes its color from the table of color names, unlike known meshes",
        /// The color is looked up by a name that is not in the table.
        Suspicious "alias-unknown" AliasUnknown => "no color has the name of its material, so it is magenta",
        /// The shading is not one of the three known values.
        Curious "shading" Shading { found: u8 } => "the shading is {found}, which is treated as smooth",
        /// The opacity is not between 0 and 1.
        Curious "alpha" Alpha => "its alpha is not between 0 and 1",
    }
}
