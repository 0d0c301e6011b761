//! The table of everything that can be said about a file that opens all the same.

use worldview_core::{Error, ErrorKind, Place, findings};

/// A finding about a file.
pub type Finding<'a> = worldview_core::Finding<'a, FindingKind>;

/// What an error becomes where reading goes on.
pub(crate) fn broken<'a>(error: &Error, place: Place<'a>) -> Finding<'a> {
    Finding { kind: FindingKind::Broken { kind: error.kind }, at: error.at, space: error.space(), place }
}

findings! {
    /// What a check of a file can find. The codes are stable; `docs/formats/island.md`, Findings, explains each.
    pub enum FindingKind {
        /// A part is not all there, or cannot be read; it is left out.
        Fatal "broken" Broken { kind: ErrorKind } => "{kind}",
        /// A walk would visit overlapping parts for too long and stopped.
        Suspicious "walk-limit" WalkLimit { kind: ErrorKind } => "a walk over parts that overlap {kind}; the rest is not checked",

        // Names.
        /// A name of the directory has no NUL within its count.
        Suspicious "name-unterminated" NameUnterminated { field: &'static str } => "{field} has no NUL; the game reads past it",
        /// There are bytes behind a name's NUL, or there is a NUL where none belongs.
        Curious "name-tail" NameTail { field: &'static str } => "{field} goes on behind a NUL",
        /// A name holds bytes above 127, whose code page nothing declares.
        Curious "name-not-ascii" NameNotAscii { field: &'static str } => "{field} is not ASCII; its code page is not declared",
        /// The name of a part reference is longer than the game's buffer.
        Fatal "name-long" NameLong { length: usize } => "a name of {length} bytes overruns the game's buffer of 128",

        // Directory.
        /// Two worlds have one name.
        Curious "world-duplicate" WorldDuplicate { first: usize } => "world {first} has the same name",
        /// The presenter is none that the game knows.
        Curious "presenter-unknown" PresenterUnknown => "the game knows no presenter of this name",
        /// A flag is neither 0 nor 1.
        Curious "flag-value" FlagValue { field: &'static str, value: u8 } => "{field} is {value}, neither 0 nor 1",
        /// Direction and up tell no axes.
        Curious "placement-degenerate" PlacementDegenerate => "direction and up tell no axes; those of the world are taken",
        /// Direction and up are not of length 1, or not perpendicular.
        Curious "placement-skewed" PlacementSkewed => "direction and up are not of length 1 or not perpendicular; the game mends them",
        /// References of one name have different blobs.
        Curious "reference-other-blob" ReferenceOtherBlob { blob: usize, other: usize } => "has blob {blob}; a reference of this name before it has blob {other}",
        /// One place is referred to as parts and as a model.
        Suspicious "two-kinds" TwoKinds => "the same bytes are referred to as parts and as a model",

        // Layout.
        /// Bytes of the file that nothing has.
        Curious "gap" Gap { len: u64 } => "{len} bytes before it belong to nothing",
        /// Bytes of the file that several parts have.
        Curious "overlap" Overlap { len: u64 } => "{len} bytes of it belong to something before it, too",
        /// Bytes behind the last blob.
        Curious "trailing-bytes" TrailingBytes { len: u64 } => "{len} bytes follow it that belong to nothing",
        /// Bytes before the list of textures that nothing has.
        Curious "list-gap" ListGap { len: u64 } => "{len} bytes before the list of textures belong to nothing",
        /// The list of textures begins before what comes before it has ended.
        Curious "list-overlap" ListOverlap { len: u64 } => "the list of textures begins {len} bytes before what precedes it ends",
        /// Bytes between the last level of detail and the end offset.
        Curious "end-gap" EndGap { len: u64 } => "{len} bytes before the end offset belong to nothing",

        // Textures.
        /// An image without pixels.
        Suspicious "image-empty" ImageEmpty => "has no pixels",
        /// The sides of an image are no powers of two.
        Curious "image-size" ImageSize { width: u32, height: u32 } => "{width} by {height} are not powers of two",
        /// Pixels name colours that the palette does not have.
        Suspicious "pixel-no-color" PixelNoColor { pixels: u64, colors: usize } => "pixels that name none of its {colors} colours, and are black: {pixels}",
        /// A texture of this name comes earlier in the same list.
        Curious "texture-duplicate" TextureDuplicate { first: usize } => "texture {first} of the list has the same name and is the one that is found",
        /// The model's textures are read and forgotten.
        Curious "textures-skipped" TexturesSkipped { word: u32 } => "the skip word is {word}: the game reads the textures and forgets them",

        // Parts and models.
        /// A part of this name comes earlier in the same list.
        Curious "part-duplicate" PartDuplicate { first: usize } => "part {first} of the list has the same name and is the one that is found",
        /// The ROI count is not 1.
        Curious "roi-count" RoiCount { found: u32 } => "the ROI count is {found}, not 1; there is one tree",
        /// The animation has actors.
        Curious "actors" Actors { count: usize } => "the animation has {count} actors, which known models have not",
        /// The duration is not 0.
        Curious "duration" Duration { found: i32 } => "the duration is {found} ms, not 0",

        // Animation.
        /// A node has no name.
        Fatal "node-unnamed" NodeUnnamed => "a node without a name crashes the game",
        /// A node finds no object.
        Suspicious "node-no-object" NodeNoObject => "no object has this name; the nodes below are skipped with it",
        /// Several nodes find one object.
        Curious "object-twice" ObjectTwice { roi: usize } => "moves object {roi}, as a node before it does; the last one counts",
        /// Keys are not in the order of their times.
        Suspicious "keys-unsorted" KeysUnsorted { field: &'static str } => "{field} are not in the order of their times",
        /// Flags of keys without a known meaning.
        Curious "key-flags" KeyFlags { field: &'static str, bits: u8 } => "{field} have unknown flags {bits:#x}",
        /// A quaternion of length 0.
        Curious "rotation-zero" RotationZero { key: usize } => "rotation key {key} is of length 0 and turns nothing",

        // Objects.
        /// The upper corner of a box is below the lower one, or the radius of a sphere below 0.
        Curious "bounds" Bounds => "its box or sphere is turned inside out",
        /// An object with others below it has levels.
        Curious "levels-hidden" LevelsHidden { count: usize } => "it has objects below it, so its own levels ({count}) are never drawn",
        /// An object or part has no levels, or one that has no meshes.
        Curious "lod-empty" LodEmpty => "there is nothing to draw",
        /// The name of a colour is not in the table.
        Suspicious "color-unknown" ColorUnknown => "no colour has this name; what inherits it is magenta",
        /// The list of levels of a shared object is nowhere.
        Fatal "lods-unresolved" LodsUnresolved => "no list of levels has the name of this shared object; the game drops the model",
        /// A texture is nowhere.
        Suspicious "texture-unresolved" TextureUnresolved => "no texture has this name; the game drops the level of detail",

        // Levels of detail.
        /// Flags without a known meaning.
        Curious "lod-flags" LodFlags { bits: u32 } => "unknown flags {bits:#x}",
        /// The extra level is not the first.
        Curious "lod-extra-late" LodExtraLate => "has the flag of the extra level, but is not the first",
        /// A level has fewer triangles than the one before it.
        Curious "lod-order" LodOrder { triangles: u64, before: u64 } => "has {triangles} triangles, fewer than the {before} of the level before it",
        /// The two bits between the counts of positions and normals are set.
        Curious "pool-bits" PoolBits { bits: u32 } => "the unused bits {bits:#x} of the counts are set",
        /// The count of texture coordinates is negative.
        Curious "uv-count-negative" UvCountNegative { found: i32 } => "a UV count of {found} is taken for none",
        /// Floats that are no numbers.
        Suspicious "not-finite" NotFinite { field: &'static str, count: usize } => "not finite: {count} of the numbers of its {field}",

        // Meshes.
        /// A mesh cannot be rebuilt.
        Fatal "mesh-broken" MeshBroken { what: &'static str, kind: ErrorKind } => "{what}: {kind}; the mesh is left out",
        /// A mesh without triangles.
        Curious "mesh-empty" MeshEmpty => "has no triangles",
        /// A triangle with two corners in one vertex.
        Curious "triangle-degenerate" TriangleDegenerate { count: usize } => "{count} of its triangles have two corners in one vertex",
        /// The UV index count is not three for each triangle.
        Curious "uv-index-count" UvIndexCount { found: u32, want: usize } => "the UV index count is {found}; the game reads {want}",
        /// There are UV indices, but no texture coordinates.
        Curious "uv-indices-unused" UvIndicesUnused => "has UV indices in a level without texture coordinates",
        /// The halves of back references differ.
        Curious "back-reference-high" BackReferenceHigh { count: usize } => "the halves of {count} back references differ; the low ones count",
        /// A textured mesh has no texture coordinates.
        Curious "texture-without-uv" TextureWithoutUv => "is textured, but has no texture coordinates",
        /// The colour is asked for by name.
        Curious "alias" Alias => "takes its colour from the table of names, which no known mesh does",
        /// The colour is asked for by a name that is not in the table.
        Suspicious "alias-unknown" AliasUnknown => "no colour has the name of its material; it is magenta",
        /// The shading is none of the three.
        Curious "shading" Shading { found: u8 } => "a shading of {found} is taken for smooth",
        /// The opacity is not between 0 and 1.
        Curious "alpha" Alpha => "its alpha is not between 0 and 1",
    }
}
