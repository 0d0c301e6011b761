//! Elements outside their file: their bytes, with offsets that count from their start.

use worldview_core::{OffsetBase, Source};
use worldview_island::{Actor, Image, Lod, Model, Node, Part, Parts, Roi, Texture, Tree};
use zerocopy::FromBytes as _;

use super::image::{Piece, Stored, Word};
use super::view::{View, index};

/// The kind of an element that stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alone {
    Parts,
    Model,
    /// With whether a `^` marks two images.
    Texture(bool),
    Image,
    Part,
    Actor,
    Node,
    Roi,
    Lod,
    Mesh,
    Vector,
    Rotation,
    Morph,
}

impl Alone {
    /// Returns the kind of a view; `None` for what only a file can hold.
    pub(super) const fn of(view: &View<'_, '_>) -> Option<Self> {
        Some(match view {
            View::World(_) | View::PartRef(_) | View::ModelRef(_) | View::Textures(..) => return None,
            View::Parts(_) => Self::Parts,
            View::Model(_) => Self::Model,
            View::Texture(_, has_pairs) => Self::Texture(*has_pairs),
            View::Image(_) => Self::Image,
            View::Part(..) => Self::Part,
            View::Actor(_) => Self::Actor,
            View::Node(..) => Self::Node,
            View::Roi(..) => Self::Roi,
            View::Lod(_) => Self::Lod,
            View::Mesh(_) => Self::Mesh,
            View::Vector(_) => Self::Vector,
            View::Rotation(_) => Self::Rotation,
            View::Morph(_) => Self::Morph,
        })
    }

    /// Returns the kind of the elements of a list.
    pub(super) fn in_list(parent: &View<'_, '_>, kind: &str) -> Option<Self> {
        Some(match kind {
            "texture" => Self::Texture(!matches!(parent, View::Textures(..))),
            "part" => Self::Part,
            "actor" => Self::Actor,
            "node" => Self::Node,
            "roi" => Self::Roi,
            "lod" => Self::Lod,
            "mesh" => Self::Mesh,
            "translation" | "scale" => Self::Vector,
            "rotation" => Self::Rotation,
            "morph" => Self::Morph,
            _ => return None,
        })
    }

    /// Returns the kind in words.
    pub(super) const fn describe(self) -> &'static str {
        match self {
            Self::Parts => "a list of parts",
            Self::Model => "a model",
            Self::Texture(_) => "a texture",
            Self::Image => "an image",
            Self::Part => "a part",
            Self::Actor => "an actor",
            Self::Node => "a node",
            Self::Roi => "an object",
            Self::Lod => "a level of detail",
            Self::Mesh => "a mesh",
            Self::Vector | Self::Rotation | Self::Morph => "a key",
        }
    }

    /// Returns the bytes of a new element without values; `None` if it has to be copied from somewhere.
    pub(super) fn empty(self) -> Option<Vec<u8>> {
        let len = match self {
            Self::Vector => 16,
            Self::Rotation => 20,
            Self::Morph => 5,
            // A name and a type.
            Self::Actor => return Some(vec![1, 0, 0, 0, b'-', 0, 0, 0, 0]),
            _ => return None,
        };
        Some(vec![0; len])
    }

    /// Parses the bytes of an element and passes it on. Returns `None` if they are not exactly such an element.
    pub(super) fn parse<R>(self, bytes: &[u8], then: impl FnOnce(&View<'_, '_>) -> R) -> Option<R> {
        let source = Source::new(bytes, OffsetBase::File);
        let (nodes, rois, parts, model): (Tree<'_, Node<'_>>, Tree<'_, Roi<'_>>, _, _);
        let view = match self {
            Self::Parts => {
                parts = Parts::parse(source).ok()?;
                View::Parts(&parts)
            }
            Self::Model => {
                model = Model::parse(source).ok()?;
                View::Model(&model)
            }
            Self::Texture(has_pairs) => View::Texture(Texture::parse(source, has_pairs).ok()?, has_pairs),
            Self::Image => View::Image(Image::parse(source).ok()?),
            Self::Part => View::Part(Part::parse(source).ok()?, 0),
            Self::Actor => View::Actor(Actor::parse(source).ok()?),
            Self::Node => {
                nodes = Tree::parse(source).ok()?;
                View::Node(&nodes, 0)
            }
            Self::Roi => {
                rois = Tree::parse(source).ok()?;
                View::Roi(&rois, 0, 0)
            }
            Self::Lod => View::Lod(Lod::parse(source).ok()?),
            // A level without data has no pools, which the layout of a mesh does not depend on.
            Self::Mesh => View::Mesh(Lod::parse(&NO_DATA).ok()?.parse_mesh(source).ok()?),
            Self::Vector => View::Vector(worldview_island::raw::VectorKey::ref_from_bytes(bytes).ok()?),
            Self::Rotation => View::Rotation(worldview_island::raw::RotationKey::ref_from_bytes(bytes).ok()?),
            Self::Morph => View::Morph(worldview_island::raw::MorphKey::ref_from_bytes(bytes).ok()?),
        };
        (view.range(bytes) == (0..bytes.len())).then(|| then(&view))
    }
}

const NO_DATA: [u8; 4] = Lod::NO_DATA.to_le_bytes();

/// The places of the offsets in an element and in everything below it.
fn offsets(view: &View<'_, '_>, buffer: &[u8], end: usize) -> Vec<usize> {
    match view {
        View::Part(..) => view.end_offset(buffer).into_iter().map(|(at, _)| at).collect(),
        View::Roi(tree, first, base) => {
            let below = (*first..tree.len()).take_while(|at| tree.get(*at).is_some_and(|roi| index(roi.at) < end));
            below.filter_map(|at| View::Roi(tree, at, *base).end_offset(buffer)).map(|(at, _)| at).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the bytes of an element, with offsets that count from its start.
pub(super) fn canonical(view: &View<'_, '_>, buffer: &[u8]) -> Vec<u8> {
    let range = view.range(buffer);
    let mut bytes = buffer.get(range.clone()).unwrap_or(&[]).to_vec();
    let base = match view {
        View::Part(_, base) | View::Roi(_, _, base) => *base,
        _ => return bytes,
    };
    let before = u32::try_from(range.start.saturating_sub(base)).unwrap_or(0);
    for at in offsets(view, buffer, range.end) {
        let at = at.saturating_sub(range.start);
        let place = bytes.get_mut(at..).and_then(|bytes| bytes.first_chunk_mut());
        place.into_iter().for_each(|place| *place = u32::from_le_bytes(*place).wrapping_sub(before).to_le_bytes());
    }
    bytes
}

/// Returns an element as a piece that goes into the blob that starts at `base`, or the bytes if they are not such an element.
pub(super) fn piece(kind: Alone, bytes: Vec<u8>, base: usize) -> Result<Piece, Vec<u8>> {
    let Some(places) = kind.parse(&bytes, |view| offsets(view, &bytes, bytes.len())) else { return Err(bytes) };
    let words = places.into_iter().map(|at| Word::Offset { at, base }).collect();
    Ok(Piece { bytes, words })
}

/// Returns the words of a blob, or of an element that stands alone, that follow from where things are.
pub(super) fn stored(view: &View<'_, '_>, buffer: &[u8]) -> Vec<Stored> {
    let range = view.range(buffer);
    let from =
        |base: usize| move |(at, target): (usize, usize)| Stored::Offset { at, target, base, is_part_end: false };
    let list = |at: usize, offset: u32| {
        from(range.start)((range.start.saturating_add(at), range.start.saturating_add(index(offset.into()))))
    };
    match view {
        View::Parts(parts) => {
            let ends = view.items(buffer, "part").into_iter().filter_map(|part| part.end_offset(buffer));
            let base = range.start;
            let ends = ends.map(|(at, target)| Stored::Offset { at, target, base, is_part_end: true });
            std::iter::once(list(0, parts.texture_offset)).chain(ends).collect()
        }
        View::Model(model) => {
            let ends = view.items(buffer, "roi").into_iter().filter_map(|roi| roi.end_offset(buffer));
            std::iter::once(list(4, model.texture_offset)).chain(ends.map(from(range.start))).collect()
        }
        View::Part(_, base) => view.end_offset(buffer).into_iter().map(from(*base)).collect(),
        View::Roi(tree, first, base) => {
            let all = (*first..tree.len()).filter_map(|at| View::Roi(tree, at, *base).end_offset(buffer));
            all.map(from(*base)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns whether the list of textures of a blob comes behind everything else, so that both can change their length.
pub(super) fn is_orderly(view: &View<'_, '_>, buffer: &[u8]) -> bool {
    let start = view.range(buffer).start;
    let (offset, end) = match view {
        View::Parts(parts) => (parts.texture_offset, parts.end()),
        View::Model(model) => (model.texture_offset, model.rois.end()),
        _ => return true,
    };
    start.saturating_add(index(offset.into())) >= index(end)
}
