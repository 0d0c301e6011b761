//! Models: their animation and the tree of their objects.

use super::{LodSpec, TextureSpec};
use crate::island::MODEL_VERSION;

/// A model.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ModelSpec {
    /// The version; the game only takes 19.
    pub version: u32,
    /// The number of objects, which the game does not use.
    pub roi_count: u32,
    /// The animation.
    pub animation: AnimationSpec,
    /// The object at the root.
    pub roi: RoiSpec,
    /// Bytes between the last object and the list of textures.
    pub before_textures: Vec<u8>,
    /// Whether the textures are not to be registered: any value but 0.
    pub skip_textures: u32,
    /// The textures.
    pub textures: Vec<TextureSpec>,
    /// Bytes behind the last texture.
    pub trailing: Vec<u8>,
}

/// The animation of a model.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct AnimationSpec {
    /// Actors.
    pub actors: Vec<ActorSpec>,
    /// Duration in milliseconds.
    pub duration: i32,
    /// The node at the root.
    pub root: NodeSpec,
}

/// An actor of an animation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ActorSpec {
    /// The counted bytes of the name.
    pub name: Vec<u8>,
    /// The type, which is not written behind an empty name.
    pub kind: u32,
}

/// A node of an animation.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct NodeSpec {
    /// The counted bytes of the name, which is that of an object.
    pub name: Vec<u8>,
    /// Where it moves.
    pub translations: Vec<KeySpec<[f32; 3]>>,
    /// How it turns: quaternions, the scalar first.
    pub rotations: Vec<KeySpec<[f32; 4]>>,
    /// How it grows.
    pub scales: Vec<KeySpec<[f32; 3]>>,
    /// When it is seen: at any value but 0.
    pub morphs: Vec<KeySpec<u8>>,
    /// The nodes below.
    pub children: Vec<NodeSpec>,
    /// All bytes of the node and those below it instead.
    pub raw: Option<Vec<u8>>,
}

/// A key of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct KeySpec<T> {
    /// Time in milliseconds, of which 24 bits are written.
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
    /// Middle of the sphere around it.
    pub centre: [f32; 3],
    /// Radius of the sphere around it.
    pub radius: f32,
    /// Lower corner of the box around it.
    pub minimum: [f32; 3],
    /// Upper corner of the box around it.
    pub maximum: [f32; 3],
    /// The counted bytes of the name of a colour, or of a texture behind `t_`.
    pub texture: Vec<u8>,
    /// The levels of detail.
    pub lods: LodsSpec,
    /// The objects below.
    pub children: Vec<RoiSpec>,
    /// All bytes of the object and those below it instead.
    pub raw: Option<Vec<u8>>,
}

/// Where the levels of detail of an object are.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum LodsSpec {
    /// In the list of that name without its last digits; the value is the flag that says so.
    Shared(u8),
    /// Here.
    Own {
        /// The levels, the coarsest first.
        lods: Vec<LodSpec>,
        /// Bytes between the last level and the end that the object tells, if it has any.
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
    /// A model of one object that does not move.
    pub fn new(name: &str, lods: Vec<LodSpec>) -> Self {
        Self::of(RoiSpec::new(name, lods), NodeSpec::new(name))
    }

    /// A model of these objects, moved by these nodes.
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
    /// A node without keys.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a node below.
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
    /// An object of these levels of detail, with a sphere and a box that hold all their positions.
    pub fn new(name: &str, lods: Vec<LodSpec>) -> Self {
        let lods = LodsSpec::Own { lods, before_end: Vec::new() };
        Self { name: name.into(), lods, ..Self::default() }.bounded()
    }

    /// An object that uses the list of its name without the last digits.
    pub fn shared(name: &str) -> Self {
        Self { name: name.into(), lods: LodsSpec::Shared(1), ..Self::default() }
    }

    /// Adds an object below.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// The same object with a sphere and a box that hold all positions of its own levels.
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
            self.centre = [0, 1, 2].map(|axis| low[axis] + half[axis]);
            self.radius = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt();
            (self.minimum, self.maximum) = (low, high);
        }
        self
    }
}
