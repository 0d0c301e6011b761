use core::hash::{Hash as _, Hasher};

use worldview_core::describe::{Int, Items, MatchRule, PartKey, Span};

use crate::name;

/// What an element is that can be described outside a file. Its offsets count from its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A blob of parts.
    Parts,
    /// The blob of a model.
    Model,
    /// A reference to parts, which refers to nothing outside a file.
    PartReference,
    /// A reference to a model, which refers to nothing outside a file.
    ModelReference,
    /// A texture.
    Texture {
        /// Whether a `^` before the name marks two images, as in the lists of blobs.
        has_pairs: bool,
    },
    /// An image of a texture.
    Image,
    /// A part.
    Part,
    /// An actor of an animation.
    Actor,
    /// A node of an animation, with all nodes below it.
    Node,
    /// An object, with all objects below it.
    Roi,
    /// A level of detail.
    Lod,
    /// A mesh.
    Mesh,
    /// A translation key.
    Translation,
    /// A rotation key.
    Rotation,
    /// A scale key.
    Scale,
    /// A morph key.
    Morph,
}

/// A list whose elements can be described outside a file.
pub(crate) struct ElementList {
    pub(crate) element: Element,
    /// The offset of the first element, if elements can be added and removed.
    pub(crate) start: Option<u64>,
    /// Where their number is. Elements of trees have the numbers of their children.
    pub(crate) count: Option<(Span, Int)>,
    /// The field that is the key.
    pub(crate) key: Option<&'static str>,
}

impl ElementList {
    /// Creates a list that follows its number.
    pub(super) fn counted(element: Element, count: (Span, Int), key: &'static str) -> Self {
        let start = count.0.at.saturating_add(count.0.len);
        Self { element, start: Some(start), count: Some(count), key: Some(key) }
    }
}

/// Matches elements by their keys. The case of names is ignored, except for changes, which also match whatever is between the same
/// neighbors.
pub(super) const fn by_name<I, G, P>(items: Items<'_, I, G, P>) -> Items<'_, I, G, P> {
    items
        .matched(&|part, round, hasher| {
            match part.key {
                PartKey::Name(text) if round == 0 => feed(text, hasher),
                PartKey::Number(number) if round == 0 => hasher.write_i64(number),
                _ => return MatchRule::None,
            }
            MatchRule::Any
        })
        .identified(&|part, round, hasher| {
            match (part.key, round) {
                (PartKey::Name(text), 0) => hasher.write(text),
                (PartKey::Number(number), 0) => hasher.write_i64(number),
                (PartKey::Name(_) | PartKey::Number(_), 1) => return MatchRule::Between,
                _ => return MatchRule::None,
            }
            MatchRule::Any
        })
}

/// Feeds the hasher with a name, ignoring its case.
pub(super) fn feed(text: &[u8], mut hasher: &mut dyn Hasher) {
    name::NameKey(text).hash(&mut hasher);
}
