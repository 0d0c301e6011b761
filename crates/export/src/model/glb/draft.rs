//! A GLB that is never written. Pictures of models are drawn from it, so that they show the same as the file.

use std::collections::HashMap;

use worldview_island::{Library, LodsAt, Scope, TextureAt, WorldNames};

use super::document::Document;
use super::paint::shade;
use super::report::Report;
use super::schema::{self, TRIANGLES};
use super::{LodChoice, Options};
use crate::{Encoding, Result};

/// A decoded glTF scene: right-handed, with y up and counterclockwise front faces.
pub(crate) struct Draft {
    /// The meshes that [`Placed`] refers to.
    pub(crate) meshes: Vec<Vec<Piece>>,
    /// The shapes that [`Piece`] refers to. Meshes with different materials can share a shape.
    pub(crate) shapes: Vec<Shape>,
    /// The materials that [`Piece`] refers to.
    pub(crate) looks: Vec<Look>,
    /// The placed meshes at time 0.
    pub(crate) placed: Vec<Placed>,
    /// The report of the export.
    pub(crate) report: Report,
}

/// A primitive of a mesh.
pub(crate) struct Piece {
    pub(crate) shape: usize,
    pub(crate) look: usize,
}

/// The geometry of a primitive.
pub(crate) struct Shape {
    /// The positions of the vertices, all finite.
    pub(crate) positions: Vec<[f32; 3]>,
    /// Unit normals, one per vertex, or empty if each triangle is shaded flat.
    pub(crate) normals: Vec<[f32; 3]>,
    /// Texture coordinates, one per vertex, or empty if there is no texture.
    pub(crate) uvs: Vec<[f32; 2]>,
    /// Vertex indices: three per triangle or two per line.
    pub(crate) indices: Vec<u16>,
    /// Whether the primitives are lines.
    pub(crate) lines: bool,
}

/// A material.
pub(crate) struct Look {
    /// Red, green and blue in sRGB.
    pub(crate) color: [u8; 3],
    /// Opacity from 0 to 1. Only values below 1 are blended.
    pub(crate) opacity: f32,
    pub(crate) texture: Option<TextureAt>,
}

/// A placed mesh.
pub(crate) struct Placed {
    pub(crate) mesh: usize,
    pub(crate) pose: Pose,
    /// Whether the mesh is visible at time 0.
    pub(crate) seen: bool,
}

/// The images of the x, y and z axes and of the origin.
#[derive(Clone, Copy)]
pub(crate) struct Pose(pub(crate) [[f64; 3]; 4]);

impl Draft {
    /// Creates the scene of [`glb::model`](super::model()).
    pub(crate) fn model<'a>(
        library: &Library<'_, 'a>,
        at: (usize, Scope),
        names: Option<&WorldNames<'a>>,
        encoding: Encoding,
    ) -> Result<Self> {
        make(library, encoding, |document, options| super::add_model(document, library, at, names, options))
    }

    /// Creates the scene of [`glb::part`](super::part()).
    pub(crate) fn part<'a>(
        library: &Library<'_, 'a>,
        at: LodsAt,
        names: Option<&WorldNames<'a>>,
        encoding: Encoding,
    ) -> Result<Self> {
        make(library, encoding, |document, options| super::add_part(document, library, at, names, options))
    }

    /// Creates the scene of [`glb::world`](super::world()).
    pub(crate) fn world<'a>(
        library: &Library<'_, 'a>,
        world: usize,
        names: &WorldNames<'a>,
        encoding: Encoding,
    ) -> Result<Self> {
        make(library, encoding, |document, options| super::add_world(document, library, world, names, options))
    }
}

fn make(
    library: &Library<'_, '_>,
    encoding: Encoding,
    add: impl FnOnce(Document, &Options<'_>) -> Result<Document>,
) -> Result<Draft> {
    let options = Options::default().lods(LodChoice::Best).encoding(encoding);
    let mut document = super::document(library, &options);
    document.embeds = false;
    let mut document = add(document, &options)?;
    document.count();
    let Document { root, binary, report, textures, .. } = document;
    let (mut shapes, mut known) = (Vec::new(), HashMap::new());
    let mut piece = |primitive: &schema::Primitive| {
        let schema::Primitive { attributes, indices, material, mode } = *primitive;
        let shape = *known.entry(attributes.position).or_insert_with(|| {
            shapes.push(Shape {
                positions: binary.read(attributes.position),
                normals: attributes.normal.map_or_else(Vec::new, |normal| binary.read(normal)),
                uvs: attributes.uv.map_or_else(Vec::new, |uv| binary.read(uv)),
                indices: binary.read_indices(indices),
                lines: mode != TRIANGLES,
            });
            shapes.len() - 1
        });
        Piece { shape, look: material }
    };
    let meshes = root.meshes.iter().map(|mesh| mesh.primitives.iter().map(&mut piece).collect()).collect();
    let looks = root.materials.iter().map(|material| {
        let pbr = &material.pbr_metallic_roughness;
        let [red, green, blue, opacity] = pbr.base_color_factor;
        let texture = pbr.base_color_texture.as_ref().and_then(|texture| textures.get(texture.index));
        Look { color: [red, green, blue].map(shade), opacity, texture: texture.copied() }
    });
    Ok(Draft { meshes, shapes, looks: looks.collect(), placed: placed(&root.nodes), report })
}

/// Returns the meshes of the nodes with their poses. Parents must precede their children.
fn placed(nodes: &[schema::Node]) -> Vec<Placed> {
    let mut poses = vec![(Pose::IDENTITY, true); nodes.len()];
    let mut out = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let (above, seen) = poses[i];
        let pose = Pose::local(node).then(&above);
        let shown = node.extensions.as_ref().and_then(|extensions| extensions.visibility.as_ref());
        let seen = seen && shown.is_none_or(|shown| shown.visible);
        out.extend(node.mesh.map(|mesh| Placed { mesh, pose, seen }));
        for &child in &node.children {
            poses[child] = (pose, seen);
        }
    }
    out
}

impl Pose {
    const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]]);

    /// Returns the transformation of a node by its scale, rotation and translation.
    fn local(node: &schema::Node) -> Self {
        let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]).map(f64::from);
        let scale = node.scale.unwrap_or([1.0; 3]).map(f64::from);
        let axes = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
            [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let [x, y, z]: [[f64; 3]; 3] = std::array::from_fn(|i| axes[i].map(|part| part * scale[i]));
        Self([x, y, z, node.translation.unwrap_or_default().map(f64::from)])
    }

    /// Returns the pose that applies this one first, then `next`.
    fn then(&self, next: &Self) -> Self {
        let Self([x, y, z, origin]) = *self;
        Self([next.turn(x), next.turn(y), next.turn(z), next.apply(origin)])
    }

    /// Transforms a point.
    pub(crate) fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = self.turn(point);
        std::array::from_fn(|i| turned[i] + self.0[3][i])
    }

    /// Transforms a direction.
    fn turn(&self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        let Self([x, y, z, _]) = self;
        std::array::from_fn(|i| a * x[i] + b * y[i] + c * z[i])
    }

    /// Returns the transformation for normals, which keeps them perpendicular to scaled surfaces, and whether front
    /// faces become back faces.
    pub(crate) fn normals(&self) -> (Self, bool) {
        let Self([x, y, z, _]) = *self;
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let (yz, zx, xy) = (cross(y, z), cross(z, x), cross(x, y));
        let flips = x[0] * yz[0] + x[1] * yz[1] + x[2] * yz[2] < 0.0;
        let sign = if flips { -1.0 } else { 1.0 };
        let [yz, zx, xy] = [yz, zx, xy].map(|axis| axis.map(|part| part * sign));
        (Self([yz, zx, xy, [0.0; 3]]), flips)
    }
}
