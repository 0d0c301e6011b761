//! Models: their animation and object tree.

use super::{LodSpec, TextureSpec};
use crate::island::MODEL_VERSION;

/// A model.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ModelSpec {
    /// The version; the game only accepts 19.
    pub version: u32,
    /// Number of objects, which the game ignores.
    pub roi_count: u32,
    /// The animation.
    pub animation: AnimationSpec,
    /// The root object.
    pub roi: RoiSpec,
    /// Bytes between the last object and the texture list.
    pub before_textures: Vec<u8>,
    /// Whether registration of the textures is skipped: any value but 0.
    pub skip_textures: u32,
    /// The textures.
    pub textures: Vec<TextureSpec>,
    /// Bytes after the last texture.
    pub trailing: Vec<u8>,
}

/// The animation of a model.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct AnimationSpec {
    /// The actors.
    pub actors: Vec<ActorSpec>,
    /// Duration in milliseconds.
    pub duration: i32,
    /// The root node.
    pub root: NodeSpec,
}

/// An actor of an animation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ActorSpec {
    /// The counted bytes of the name.
    pub name: Vec<u8>,
    /// The type, which is not written if the name is empty.
    pub kind: u32,
}

/// A node of an animation.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct NodeSpec {
    /// The counted bytes of the name, which names an object.
    pub name: Vec<u8>,
    /// Translation keys.
    pub translations: Vec<KeySpec<[f32; 3]>>,
    /// Rotation keys: quaternions, scalar first.
    pub rotations: Vec<KeySpec<[f32; 4]>>,
    /// Scale keys.
    pub scales: Vec<KeySpec<[f32; 3]>>,
    /// Visibility keys; any value but 0 means visible.
    pub morphs: Vec<KeySpec<u8>>,
    /// The child nodes.
    pub children: Vec<NodeSpec>,
    /// Raw bytes that replace the node and everything below it.
    pub raw: Option<Vec<u8>>,
}

/// A key of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct KeySpec<T> {
    /// Time in milliseconds; the low 24 bits are written.
    pub time: u32,
    /// Flags.
    pub flags: u8,
    /// Value.
    pub value: T,
}

/// An object of a model.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct RoiSpec {
    /// The counted bytes of the name.
    pub name: Vec<u8>,
    /// Center of the bounding sphere.
    pub center: [f32; 3],
    /// Radius of the bounding sphere.
    pub radius: f32,
    /// Lower corner of the bounding box.
    pub minimum: [f32; 3],
    /// Upper corner of the bounding box.
    pub maximum: [f32; 3],
    /// The counted bytes of the name of a color, or of a texture if it begins with `t_`.
    pub texture: Vec<u8>,
    /// The levels of detail.
    pub lods: LodsSpec,
    /// The child objects.
    pub children: Vec<RoiSpec>,
    /// Raw bytes that replace the object and everything below it.
    pub raw: Option<Vec<u8>>,
}

/// The location of an object's levels of detail.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum LodsSpec {
    /// In the list named like the object without trailing digits; the value is the stored flag.
    Shared(u8),
    /// In the object itself.
    Own {
        /// The levels, coarsest first.
        lods: Vec<LodSpec>,
        /// Bytes between the last level and the stored end, if the object stores one.
        before_end: Vec<u8>,
    },
}

impl Default for ModelSpec {
    fn default() -> Self {
        Self {
            version: MODEL_VERSION,
            roi_count: 1,
            animation: AnimationSpec::default(),
            roi: RoiSpec::default(),
            before_textures: Vec::new(),
            skip_textures: 0,
            textures: Vec::new(),
            trailing: Vec::new(),
        }
    }
}

impl Default for LodsSpec {
    fn default() -> Self {
        Self::Own { lods: Vec::new(), before_end: Vec::new() }
    }
}

impl ModelSpec {
    /// Creates a model with one object that does not move.
    pub fn new(name: &str, lods: Vec<LodSpec>) -> Self {
        Self::of(RoiSpec::new(name, lods), NodeSpec::new(name))
    }

    /// Creates a model with these objects and nodes.
    pub fn of(roi: RoiSpec, root: NodeSpec) -> Self {
        Self { roi, animation: AnimationSpec { root, ..AnimationSpec::default() }, ..Self::default() }
    }

    /// Adds a texture.
    #[must_use]
    pub fn texture(mut self, texture: TextureSpec) -> Self {
        self.textures.push(texture);
        self
    }
}

impl NodeSpec {
    /// Creates a node without keys.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a child node.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Adds a translation key without flags.
    #[must_use]
    pub fn translation(mut self, time: u32, value: [f32; 3]) -> Self {
        self.translations.push(KeySpec { time, flags: 0, value });
        self
    }

    /// Adds a rotation key without flags.
    #[must_use]
    pub fn rotation(mut self, time: u32, value: [f32; 4]) -> Self {
        self.rotations.push(KeySpec { time, flags: 0, value });
        self
    }

    /// Adds a scale key without flags.
    #[must_use]
    pub fn scale(mut self, time: u32, value: [f32; 3]) -> Self {
        self.scales.push(KeySpec { time, flags: 0, value });
        self
    }

    /// Adds a visibility key without flags.
    #[must_use]
    pub fn morph(mut self, time: u32, value: u8) -> Self {
        self.morphs.push(KeySpec { time, flags: 0, value });
        self
    }
}

impl RoiSpec {
    /// Creates an object with these levels of detail, and a bounding sphere and box around their
    /// positions.
    pub fn new(name: &str, lods: Vec<LodSpec>) -> Self {
        let lods = LodsSpec::Own { lods, before_end: Vec::new() };
        Self { name: name.into(), lods, ..Self::default() }.bounded()
    }

    /// Creates an object that uses the level list named like it without trailing digits.
    pub fn shared(name: &str) -> Self {
        Self { name: name.into(), lods: LodsSpec::Shared(1), ..Self::default() }
    }

    /// Adds a child object.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Sets the bounding sphere and box to enclose all positions of the object's own levels.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let LodsSpec::Own { lods, .. } = &self.lods else { return self };
        let mut low = [f32::MAX; 3];
        let mut high = [f32::MIN; 3];
        for vertex in lods.iter().flat_map(|lod| &lod.vertices) {
            for axis in 0..3 {
                low[axis] = low[axis].min(vertex[axis]);
                high[axis] = high[axis].max(vertex[axis]);
            }
        }
        if low[0] <= high[0] {
            let half = [0, 1, 2].map(|axis| (high[axis] - low[axis]) / 2.0);
            self.center = [0, 1, 2].map(|axis| low[axis] + half[axis]);
            self.radius = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt();
            (self.minimum, self.maximum) = (low, high);
        }
        self
    }
}
