use core::fmt;

use worldview_core::describe::{Part, PartKey};
use worldview_core::{Cursor, OffsetBase, Result, Source};

use super::field::span_of;
use super::list::DatabaseList as _;
use super::model::{Branches, Keys, Named, Timed, actor, actor_part};
use super::parts::{one_image, one_part, one_texture};
use super::shape::{one_lod, one_mesh};
use super::{model_reference, part_reference};
use crate::animation::Node;
use crate::database::{ModelRef, PartRef};
use crate::lod::Lod;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::parts::{self, Parts};
use crate::raw::{MorphKey, RotationKey, VectorKey};
use crate::roi::Roi;
use crate::texture::{Image, Texture};
use crate::tree::Tree;

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

impl Element {
    /// Calls `visit` with the element that starts at the first of these bytes, and then with all that are below it in a
    /// tree. Does nothing if the bytes are no such element.
    pub fn visit(self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        // Errors mean that the bytes are something else.
        let _ = self.read(Source::new(bytes, OffsetBase::File), visit);
    }

    fn read(self, source: Source<'_>, visit: &mut dyn FnMut(&Part<'_>)) -> Result<()> {
        let mut c = Cursor::new(source);
        match self {
            Self::Parts => visit(&Part::new(0, PartKey::Index, &Parts::parse(source)?).at(span_of(source))),
            Self::Model => visit(&Part::new(0, PartKey::Index, &Model::parse(source)?).at(span_of(source))),
            Self::PartReference => part_reference(0, &PartRef::read(&mut c)?, (None, source), visit),
            Self::ModelReference => model_reference(0, &ModelRef::read(&mut c)?, (None, source), visit),
            Self::Texture { has_pairs } => one_texture(0, &Texture::parse(source, has_pairs)?, source, visit),
            Self::Image => one_image(0, &Image::parse(source)?, source, visit),
            Self::Part => one_part(0, &parts::Part::parse(source)?, source, visit),
            Self::Actor => {
                if let Some((found, at)) = actor(&mut c) {
                    actor_part(0, (&found, at), source, visit);
                }
            }
            Self::Node => tree(&Tree::<Node<'_>>::parse(source)?, visit),
            Self::Roi => tree(&Tree::<Roi<'_>>::parse(source)?, visit),
            Self::Lod => one_lod(0, &Lod::parse(source)?, source, visit),
            // The layout of a mesh does not depend on the pools of its level.
            Self::Mesh => one_mesh(0, &Mesh::read(&mut c, &[], &[], &[])?, source, visit),
            Self::Translation | Self::Scale => self.key(c.view::<VectorKey>("key")?, source, visit),
            Self::Rotation => self.key(c.view::<RotationKey>("key")?, source, visit),
            Self::Morph => self.key(c.view::<MorphKey>("key")?, source, visit),
        }
        Ok(())
    }

    fn key<K: Timed>(self, key: &K, source: Source<'_>, visit: &mut dyn FnMut(&Part<'_>)) {
        Keys { all: core::slice::from_ref(key), element: self, at: 0, source }.part(0, &key, visit);
    }

    /// Returns an element without content; `None` if there is no such element.
    pub fn blank(self) -> Option<Vec<u8>> {
        // An empty name with its NUL.
        const NAME: [u8; 5] = [1, 0, 0, 0, 0];
        Some(match self {
            Self::Translation | Self::Scale => vec![0; 16],
            Self::Rotation => vec![0; 20],
            Self::Morph => vec![0; 5],
            // Only an actor with a name has a type.
            Self::Actor => vec![1, 0, 0, 0, b'-', 0, 0, 0, 0],
            Self::PartReference => [&NAME[..], &[0; 8]].concat(),
            Self::ModelReference => [&NAME[..], &[0; 8], &NAME, &[0; 37]].concat(),
            _ => return None,
        })
    }
}

/// Visits all elements of a tree.
fn tree<'a, T: Named<'a>>(tree: &Tree<'a, T>, visit: &mut dyn FnMut(&Part<'_>)) {
    for (index, item) in (0..).zip(tree.iter()) {
        Branches(tree).part(index, &item, &mut *visit);
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parts => "a list of parts",
            Self::Model => "a model",
            Self::PartReference | Self::ModelReference => "a reference",
            Self::Texture { .. } => "a texture",
            Self::Image => "an image",
            Self::Part => "a part",
            Self::Actor => "an actor",
            Self::Node => "a node",
            Self::Roi => "an object",
            Self::Lod => "a level of detail",
            Self::Mesh => "a mesh",
            Self::Translation | Self::Rotation | Self::Scale | Self::Morph => "a key",
        })
    }
}
