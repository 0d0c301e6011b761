use core::fmt;

use worldview_core::describe::{Each, Flow, Part, PartKey, only};
use worldview_core::edit::{EditableList, Shape, ShapeNumber, Slots};
use worldview_core::{Cursor, OffsetBase, Result, Source};
use zerocopy::IntoBytes as _;

use crate::animation::Node;
use crate::database::{ModelRef, PartRef};
use crate::describe::field::span_of;
use crate::describe::list::{Element, ElementList};
use crate::describe::model::{Named, actor, branch, one_actor, one_key};
use crate::describe::parts::{one_image, one_part, one_texture};
use crate::describe::shape::{one_lod, one_mesh};
use crate::describe::{model_reference, part_reference};
use crate::lod::Lod;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::parts::{self, Parts};
use crate::raw::{
    Bounds, Corner, ImageHeader, MeshCounts, MorphKey, Placement, PoolCounts, Range, Rgb, RotationKey, Surface, Uv,
    Vec3, VectorKey,
};
use crate::roi::Roi;
use crate::texture::{Image, Texture};
use crate::tree::Tree;

impl EditableList for ElementList {
    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.start?, count: self.count, key: self.key, shape: &[] })
    }

    fn blank(&self, wanted: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        if let Some(blank) = self.element.blank(wanted) {
            make(&blank);
        }
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        self.element.visit(bytes, visit);
    }
}

impl Element {
    /// Calls `visit` with the element that starts at the first of these bytes, and then with all that are below it in a
    /// tree. Does nothing if the bytes are no such element.
    pub fn visit(self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        // Errors mean that the bytes are something else.
        let _ = self.read(Source::new(bytes, OffsetBase::File), &mut only(visit));
    }

    fn read(self, source: Source<'_>, visit: Each<'_>) -> Result<Flow> {
        let mut c = Cursor::new(source);
        Ok(match self {
            Self::Parts => visit(Ok(&Part::new(0, PartKey::Index, &Parts::parse(source)?).at(span_of(source)))),
            Self::Model => visit(Ok(&Part::new(0, PartKey::Index, &Model::parse(source)?).at(span_of(source)))),
            Self::PartReference => part_reference(0, &PartRef::read(&mut c)?, (None, source), visit),
            Self::ModelReference => model_reference(0, &ModelRef::read(&mut c)?, (None, source), visit),
            Self::Texture { has_pairs } => one_texture(0, &Texture::parse(source, has_pairs)?, source, visit),
            Self::Image => one_image(0, &Image::parse(source)?, source, visit),
            Self::Part => one_part(0, &parts::Part::parse(source)?, source, visit),
            Self::Actor => actor(&mut c).map_or(Flow::Continue(()), |found| one_actor(0, found, source, visit)),
            Self::Node => tree(&Tree::<Node<'_>>::parse(source)?, visit),
            Self::Roi => tree(&Tree::<Roi<'_>>::parse(source)?, visit),
            Self::Lod => one_lod(0, &Lod::parse(source)?, source, visit),
            // The layout of a mesh does not depend on the pools of its level.
            Self::Mesh => one_mesh(0, &Mesh::read(&mut c, &[], &[], &[])?, source, visit),
            Self::Translation | Self::Scale => one_key(0, c.view::<VectorKey>("key")?, source, visit),
            Self::Rotation => one_key(0, c.view::<RotationKey>("key")?, source, visit),
            Self::Morph => one_key(0, c.view::<MorphKey>("key")?, source, visit),
        })
    }

    /// Returns an element without content, of the shape that follows from the numbers that `wanted` returns. `None` if no element
    /// has this shape.
    ///
    /// A list that an element can only have with an element in it has one.
    pub fn blank(self, wanted: Shape<'_>) -> Option<Vec<u8>> {
        let field = |name: &str| wanted(ShapeNumber::Field(name));
        let number = |name: &str| u32::try_from(field(name)?).ok();
        let len = |name: &str| u32::try_from(wanted(ShapeNumber::Len(name))?).ok();
        let zeros = |bytes: u64| usize::try_from(bytes).map(|bytes| vec![0; bytes]).ok();
        // An empty name, with the room that it needs with its NUL.
        let name = |name: &str| {
            let len = len(name).unwrap_or(0).checked_add(1)?;
            Some([words([len]), zeros(len.into())?].concat())
        };
        Some(match self {
            Self::Translation | Self::Scale => vec![0; size_of::<VectorKey>()],
            Self::Rotation => vec![0; size_of::<RotationKey>()],
            Self::Morph => vec![0; size_of::<MorphKey>()],
            // Only an actor with a name has a type.
            Self::Actor if len("name") == Some(0) => words([0]),
            Self::Actor => [&words([1])[..], b"-", &words([0])].concat(),
            Self::PartReference => [name("name")?, vec![0; size_of::<Range>()]].concat(),
            Self::ModelReference => {
                let range = vec![0; size_of::<Range>()];
                [name("name")?, range, name("presenter")?, vec![0; size_of::<Placement>()]].concat()
            }
            Self::Parts => words([8, 0, 0]),
            Self::Model => {
                let node = Self::Node.blank(&|_| Some(0))?;
                let roi = Self::Roi.blank(&|_| Some(0))?;
                let textures = u32::try_from(node.len().checked_add(roi.len())?).ok()?.checked_add(20)?;
                [words([Model::VERSION, textures, 1, 0, 0]), node, roi, words([0, 0])].concat()
            }
            Self::Texture { has_pairs } => {
                let image = Self::Image.blank(&|_| Some(0))?;
                match len("images")? {
                    1 => [words([0]), image].concat(),
                    2 if has_pairs => [&words([1])[..], b"^", &image, &image].concat(),
                    _ => return None,
                }
            }
            Self::Image => {
                let [width, height, colors] = [number("width")?, number("height")?, len("palette")?];
                let pixels = u64::from(width).checked_mul(height.into()).filter(|_| colors <= 256)?;
                if len("pixels").map(u64::from) != Some(pixels) {
                    return None;
                }
                let header = ImageHeader { width: width.into(), height: height.into(), colors: colors.into() };
                let rest = Rgb::SIZE.checked_mul(colors.into())?.checked_add(pixels)?;
                [header.as_bytes().to_vec(), zeros(rest)?].concat()
            }
            // A name, the number of levels, and the end.
            Self::Part => words([0, len("lods").map(|_| 0)?, 12]),
            Self::Node => len("translations").and_then(|_| zeros(16))?,
            Self::Roi => {
                let is_shared = field("shared")? != 0;
                // A name, and that of a color.
                let head = [words([0]), vec![0; size_of::<Bounds>()], words([0]), vec![is_shared.into()]].concat();
                let own = match (is_shared, len("lods")?) {
                    (true, _) => Vec::new(),
                    (false, 0) => words([0]),
                    (false, _) => words([1, u32::try_from(head.len()).ok()?.checked_add(12)?, Lod::NO_DATA]),
                };
                [head, own, words([0])].concat()
            }
            Self::Lod => {
                let flags = number("flags")?;
                match len("meshes")? {
                    _ if flags & Lod::NO_DATA != 0 => words([flags]),
                    0 => words([flags, 0]),
                    _ => {
                        let [positions, normals, uvs] = [len("positions")?, len("normals")?, len("uvs")?];
                        let counts = PoolCounts::of(positions, normals)?;
                        // Any number below 1 means none.
                        let none = field("uv_count").and_then(|count| i32::try_from(count).ok()).unwrap_or(0).min(0);
                        let uv_count = if uvs == 0 { none.cast_unsigned() } else { uvs };
                        let points = Vec3::SIZE.checked_mul(u64::from(positions).checked_add(normals.into())?)?;
                        let pools = zeros(points.checked_add(Uv::SIZE.checked_mul(uvs.into())?)?)?;
                        let mesh = Self::Mesh.blank(&|_| Some(0))?;
                        [words([flags, 1, counts, uv_count]), pools, mesh].concat()
                    }
                }
            }
            Self::Mesh => {
                let corners = len("corners")?;
                let triangles = corners.checked_div(3).filter(|_| corners.is_multiple_of(3))?;
                let vertices = field("vertex_count").map_or(Some(0), |count| u16::try_from(count).ok())?;
                let counts = MeshCounts { triangles: u16::try_from(triangles).ok()?.into(), vertices: vertices.into() };
                // One index for each corner, unless the count is 0.
                let uv_count = number("uv_index_count").filter(|count| *count != 0).or(len("uv_indices")).unwrap_or(0);
                let all = zeros(Corner::SIZE.checked_mul(corners.into())?)?;
                let uvs = if uv_count == 0 { &[][..] } else { &all };
                let rest = [0; size_of::<Surface>()];
                [counts.as_bytes(), &all, &words([uv_count]), uvs, &rest, &words([0, 0])].concat()
            }
        })
    }
}

fn words<const N: usize>(words: [u32; N]) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Passes on all elements of a tree.
fn tree<'a, T: Named<'a>>(tree: &Tree<'a, T>, visit: Each<'_>) -> Flow {
    (0..).zip(tree.iter()).try_for_each(|(index, item)| branch(tree, index, None, &item, visit))
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
