//! The nodes of a GLB: where they stand, what moves them, and which nodes of the export they were.

use std::collections::HashMap;

use gltf::scene::Transform;
use worldview_island::Matrix;

use super::curve::{Curve, Property};
use super::names::element;
use super::read::{Glb, is_unit, wrong};
use worldview_edit::Result;

/// The deepest hierarchy that is followed where a node has another parent than in the export.
const MAX_DEPTH: usize = 256;

/// The transformation of a node, in glTF's coordinates; the rotation has its scalar last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trs {
    pub(super) translation: [f32; 3],
    pub(super) rotation: [f32; 4],
    pub(super) scale: [f32; 3],
}

impl Trs {
    /// Returns the transformation of the game.
    pub(super) fn matrix(&self) -> Matrix {
        let rotation = Matrix::from_quaternion(turned(self.rotation).map(f64::from)).unwrap_or(Matrix::IDENTITY);
        let origin = mirrored(self.translation).map(f64::from);
        Matrix::scale(self.scale.map(f64::from)).then(&rotation).with_origin(origin)
    }

    /// Returns the scale, rotation and translation that come closest to a transformation of the game.
    pub(super) fn of(matrix: &Matrix) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "glTF has floats of 32 bits")]
        let row = |row: [f64; 4], is_x: bool| {
            let [x, y, z, w] = row.map(|part| part as f32);
            if is_x { [x, -y, -z, w] } else { [-x, y, z, w] }
        };
        let [x, y, z, origin] = matrix.rows();
        let matrix = [row(x, true), row(y, false), row(z, false), row(origin, false)];
        let (translation, rotation, scale) = Transform::Matrix { matrix }.decomposed();
        Self { translation, rotation, scale }
    }
}

/// Converts a position between glTF's coordinates and the game's.
pub(super) fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [0.0 - x, y, z]
}

/// Converts a rotation of glTF, with its scalar last, to one of the game, with its scalar first.
pub(super) fn turned([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [w, 0.0 - x, y, z]
}

/// The nodes of a GLB by their indices.
pub(super) struct Nodes {
    pub(super) all: Vec<NodeState>,
    pub(super) curves: HashMap<(usize, Property), Curve>,
}

/// Where a node stands.
pub(super) struct NodeState {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) trs: Trs,
    pub(super) matrix: Matrix,
    /// What the export wrote into `extras`.
    pub(super) object: Option<usize>,
    pub(super) reference: Option<usize>,
    pub(super) mesh: Option<usize>,
    /// Whether it is in the scene that is shown first.
    pub(super) is_in_scene: bool,
}

impl Nodes {
    pub(super) fn new(glb: &Glb) -> Result<Self> {
        let mut all = Vec::new();
        for node in glb.document.nodes() {
            let (translation, rotation, scale) = node.transform().decomposed();
            let trs = Trs { translation, rotation, scale };
            let matrix = match node.transform() {
                Transform::Matrix { matrix: [x, y, z, origin] } => {
                    // Negating x of each axis and of the x axis itself leaves its own x.
                    let [x, y, z, origin] = [x, y, z, origin].map(|[x, y, z, _]| [x, y, z].map(f64::from));
                    let axis = |[x, y, z]: [f64; 3]| [-x, y, z];
                    let [a, b, c] = x;
                    Matrix::from_axes([[a, -b, -c], axis(y), axis(z)], axis(origin))
                }
                Transform::Decomposed { .. } => trs.matrix(),
            };
            let name = node.name().unwrap_or_default().to_owned();
            let what = || element(&glb.json, "nodes", node.index());
            if !is_unit(&rotation) {
                return Err(wrong(&what(), "its rotation is not a quaternion of length 1"));
            }
            if matrix.rows().as_flattened().iter().any(|part| !part.is_finite()) {
                return Err(wrong(&what(), "a number of its transformation is not finite"));
            }
            let extras = node.extras().as_ref().and_then(|extras| serde_json::from_str(extras.get()).ok());
            let number = |key: &str| {
                let extras: &serde_json::Value = extras.as_ref()?;
                usize::try_from(extras.get(key)?.as_u64()?).ok()
            };
            let mesh = node.mesh().map(|mesh| mesh.index());
            let (object, reference) = (number("object"), number("reference"));
            all.push(NodeState { name, parent: None, trs, matrix, object, reference, mesh, is_in_scene: false });
        }
        let twice = |node: usize| wrong(&element(&glb.json, "nodes", node), "it occurs twice");
        for node in glb.document.nodes() {
            for child in node.children() {
                let Some(below) = all.get_mut(child.index()) else { continue };
                if below.parent.replace(node.index()).is_some() {
                    return Err(twice(child.index()));
                }
            }
        }
        let scene = glb.document.scenes().nth(glb.scene());
        let scene = scene.ok_or_else(|| wrong("scene", "the file does not have the scene that it shows first"))?;
        let mut open: Vec<usize> = scene.nodes().map(|node| node.index()).collect();
        let below: Vec<Vec<usize>> =
            glb.document.nodes().map(|node| node.children().map(|child| child.index()).collect()).collect();
        while let Some(node) = open.pop() {
            let Some(state) = all.get_mut(node) else { continue };
            if std::mem::replace(&mut state.is_in_scene, true) {
                return Err(twice(node));
            }
            open.extend(below.get(node).into_iter().flatten());
        }
        Ok(Self { curves: glb.curves()?, all })
    }

    /// Returns the node that each node of the export has become: the one with its number in `extras`, else the one with its name.
    pub(super) fn found(&self, old: &Self) -> Vec<Option<usize>> {
        let mut found = self.by_name(old.all.iter().map(|node| node.name.as_str()));
        // Objects of different models have the same numbers in a world, but references do not.
        let is_world = old.all.iter().any(|node| node.reference.is_some());
        let key = |node: &NodeState| if is_world { node.reference } else { node.object };
        let mut numbered: HashMap<usize, usize> = HashMap::new();
        for (at, node) in self.all.iter().enumerate() {
            key(node).into_iter().for_each(|key| _ = numbered.entry(key).or_insert(at));
        }
        for (node, found) in old.all.iter().zip(&mut found) {
            let known = key(node).and_then(|key| numbered.get(&key));
            known.into_iter().for_each(|known| *found = Some(*known));
        }
        // A node is one node of the export, that of its number first.
        let mut taken: std::collections::HashSet<usize> = numbered.into_values().collect();
        for (node, found) in old.all.iter().zip(&mut found) {
            let is_numbered = key(node).is_some() && found.and_then(|at| self.get(at)).and_then(key) == key(node);
            if !is_numbered && found.is_some_and(|at| !taken.insert(at)) {
                *found = None;
            }
        }
        found
    }

    pub(super) fn get(&self, node: usize) -> Option<&NodeState> {
        self.all.get(node)
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.get(node)?.parent
    }

    /// Returns the transformation from a node to one of its ancestors, or to the scene; `None` if the ancestor is none.
    pub(super) fn to_ancestor(&self, node: usize, ancestor: Option<usize>) -> Option<Matrix> {
        let (mut matrix, mut next) = (Matrix::IDENTITY, Some(node));
        for _ in 0..MAX_DEPTH {
            if next == ancestor {
                return Some(matrix);
            }
            let here = self.get(next?)?;
            matrix = matrix.then(&here.matrix);
            next = here.parent;
        }
        None
    }

    /// Returns the transformation from a node to another one, wherever they hang.
    pub(super) fn relative(&self, node: usize, to: Option<usize>) -> Option<Matrix> {
        self.to_ancestor(node, to).or_else(|| {
            let back = to.map_or(Some(Matrix::IDENTITY), |to| self.to_ancestor(to, None)?.inverse())?;
            Some(self.to_ancestor(node, None)?.then(&back))
        })
    }

    /// Returns how far the parent of a node is from the origin of the scene.
    pub(super) fn around(&self, parent: Option<usize>) -> f64 {
        let world = parent.and_then(|parent| self.to_ancestor(parent, None));
        world.map_or(0.0, |world| {
            let [.., [x, y, z, _]] = world.rows();
            (x * x + y * y + z * z).sqrt()
        })
    }

    /// Finds the nodes that have names. Of several nodes with one name, Blender numbers all but the first: the number is
    /// the one in the order of the export, also if some were deleted.
    pub(super) fn by_name<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<Option<usize>> {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut found = Vec::new();
        for (at, name) in names.enumerate() {
            places.entry(name).or_default().push(at);
            found.push(None);
        }
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (node, standing) in self.all.iter().enumerate() {
            let name = standing.name.as_str();
            let place = match places.get(name) {
                // Other programs leave equal names alone.
                Some(list) => {
                    let nth = seen.entry(name).or_default();
                    let place = list.get(*nth);
                    *nth = nth.saturating_add(1);
                    place
                }
                None => {
                    let (bare, number) = numbered(name);
                    places.get(bare).and_then(|list| list.get(usize::try_from(number).ok()?))
                }
            };
            if let Some(found) = place.and_then(|place| found.get_mut(*place)) {
                found.get_or_insert(node);
            }
        }
        found
    }
}

/// Whether two transformations are the same as far as programs keep them, for points near the origin of the first.
/// `around` is the distance of what they are relative to from the origin of the scene, which costs precision.
pub(super) fn is_same(a: &Matrix, b: &Matrix, around: f64) -> bool {
    has_same_axes(a, b) && has_same_origin(a, b, around)
}

pub(super) fn has_same_axes(a: &Matrix, b: &Matrix) -> bool {
    let ([ax, ay, az, _], [bx, by, bz, _]) = (a.rows(), b.rows());
    [(ax, bx), (ay, by), (az, bz)].iter().all(|(a, b)| {
        let length = a.iter().map(|part| part * part).sum::<f64>().sqrt();
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2e-4 * length.max(1e-3))
    })
}

pub(super) fn has_same_origin(a: &Matrix, b: &Matrix, around: f64) -> bool {
    let ([.., a], [.., b]) = (a.rows(), b.rows());
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= (1e-4 * a.abs().max(1.0)).max(2e-6 * around))
}

/// Returns a name without the number that Blender appends to repeated ones, and that number.
pub(super) fn numbered(name: &str) -> (&str, u32) {
    match name.rsplit_once('.') {
        Some((bare, digits)) if digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            (bare, digits.parse().unwrap_or(0))
        }
        _ => (name, 0),
    }
}
