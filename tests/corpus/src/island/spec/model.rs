//! Models: their animation and object tree.

use super::{LodSpec, TextureSpec};
use crate::builder::{Builder, Stored, count};
use crate::island::MODEL_VERSION;
use crate::spec::{To, bare, counted, elsewhere, list, nested, spec};

spec! {
    /// A model.
    pub struct ModelSpec |model, b| {
        /// The game only accepts 19.
        pub version: u32 = MODEL_VERSION,
        texture_offset: To("texture_count"),
        /// Number of objects, which the game ignores.
        pub roi_count: u32 = 1,
        pub animation: AnimationSpec => bare,
        /// The root object.
        pub roi: RoiSpec => nested("roi"),
        tree_end: (),
        /// Bytes between the last object and the texture list.
        pub before_textures: Vec<u8> => bare,
        @ { b.label("texture_count").put(count(model.textures.len())); }
        /// Whether registration of the textures is skipped: any value but 0.
        pub skip_textures: u32,
        pub textures: Vec<TextureSpec> => list("texture"),
        /// Bytes after the last texture.
        pub trailing: Vec<u8>,
        end: (),
    }

    /// The animation of a model.
    pub struct AnimationSpec |animation, b| {
        actor_count: count(animation.actors.len()),
        pub actors: Vec<ActorSpec> => list("actor"),
        /// Duration in milliseconds.
        pub duration: i32,
        /// The root node.
        pub root: NodeSpec => nested("node"),
    }

    /// An actor of an animation.
    pub struct ActorSpec |actor, b| {
        pub name: Vec<u8> => counted,
        @ {
            if actor.name.is_empty() {
                return;
            }
        }
        /// The type, which is not written if the name is empty.
        pub kind: u32,
    }

    /// A node of an animation.
    pub struct NodeSpec |node, b| {
        @ {
            if node.raw.is_some() {
                b.put(&node.raw);
                return;
            }
        }
        /// Names an object.
        pub name: Vec<u8> => counted,
        pub translations: Vec<KeySpec<[f32; 3]>> => keys,
        /// Quaternions, scalar first.
        pub rotations: Vec<KeySpec<[f32; 4]>> => keys,
        pub scales: Vec<KeySpec<[f32; 3]>> => keys,
        /// Visibility keys; any value but 0 means visible.
        pub morphs: Vec<KeySpec<u8>> => keys,
        child_count: count(node.children.len()),
        pub children: Vec<NodeSpec> => list("child"),
        /// Raw bytes that replace the node and everything below it.
        pub raw: Option<Vec<u8>> => elsewhere,
    }

    /// An object of a model.
    pub struct RoiSpec |roi, b| {
        @ {
            if roi.raw.is_some() {
                b.put(&roi.raw);
                return;
            }
        }
        pub name: Vec<u8> => counted,
        sphere: (),
        pub center: [f32; 3] => bare,
        pub radius: f32 => bare,
        box: (),
        pub minimum, maximum: [f32; 3] => bare,
        /// Name of a color, or of a texture if it begins with `t_`.
        pub texture: Vec<u8> => counted,
        shared: (),
        pub lods: LodsSpec => bare,
        child_count: count(roi.children.len()),
        pub children: Vec<RoiSpec> => list("child"),
        /// Raw bytes that replace the object and everything below it.
        pub raw: Option<Vec<u8>> => elsewhere,
    }
}

/// A key of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeySpec<T> {
    /// Time in milliseconds; the low 24 bits are written.
    pub time: u32,
    /// Flags.
    pub flags: u8,
    /// Value.
    pub value: T,
}

impl<T: Stored> Stored for KeySpec<T> {
    fn store(&self, b: &mut Builder) {
        let Self { time, flags, value } = self;
        b.put((u32::from(*flags) << 24 | time & 0xFF_FFFF, value));
    }
}

/// Keys of one kind after their number.
fn keys<T: Stored>(keys: &Vec<KeySpec<T>>, b: &mut Builder, name: &str) {
    let count = u16::try_from(keys.len()).unwrap_or(u16::MAX);
    b.field(&format!("{}_count", name.trim_end_matches('s'))).put(count).field(name).put(keys);
}

/// The location of an object's levels of detail.
#[derive(Clone, Debug, PartialEq)]
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

impl Default for LodsSpec {
    fn default() -> Self {
        Self::Own { lods: Vec::new(), before_end: Vec::new() }
    }
}

impl Stored for LodsSpec {
    fn store(&self, b: &mut Builder) {
        match self {
            Self::Shared(flag) => {
                b.put(flag);
            }
            Self::Own { lods, before_end } => {
                b.put(0_u8).field("lod_count").put(count(lods.len()));
                if !lods.is_empty() {
                    b.field("end_offset").put(To("end"));
                    list("lod")(lods, b, "");
                    b.put(before_end).label("end");
                }
            }
        }
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
