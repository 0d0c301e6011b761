//! Which node moves which object, and the resulting poses. See [Animation](crate::format#animation) and
//! [Placement](crate::format#placement).

use std::collections::HashMap;

use crate::matrix::Matrix;
use crate::raw::Placement;
use crate::{Model, NameKey};

/// The nodes of a model's animation and the objects that they move. See [Placement](crate::format#placement).
///
/// A node moves the object with the same name. The names are looked up once, in nearly linear time whatever the
/// names are; after that, any number of poses can be computed.
#[derive(Clone, Debug)]
pub struct Rig<'m, 'a> {
    model: &'m Model<'a>,
    /// The object found by each node.
    objects: Vec<Option<usize>>,
    /// The last node that found each object.
    nodes: Vec<Option<usize>>,
}

/// The pose of an object. See [Placement](crate::format#placement).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The transformation from the object to the model, or to the world if the model is placed.
    pub matrix: Matrix,
    /// Whether the object is visible, provided that its ancestors are.
    pub visible: bool,
    /// Whether a node of the animation moves the object. If not, the object is at the origin of the model.
    pub touched: bool,
}

impl<'m, 'a> Rig<'m, 'a> {
    /// Finds the object of each node. See [Placement](crate::format#placement).
    ///
    /// The search starts at the object of the parent node, and restarts at the root if nothing is found. Nodes below a
    /// node without an object do not find one either.
    pub fn new(model: &'m Model<'a>) -> Self {
        let search = Search::new(model);
        let mut objects: Vec<Option<usize>> = Vec::new();
        let mut nodes = vec![None; model.rois.len()];
        for (i, node) in model.animation.nodes.iter().enumerate() {
            let from = match model.animation.nodes.parent(i) {
                Some(parent) => objects.get(parent).copied().flatten(),
                None => Some(0),
            };
            let object = from.and_then(|from| search.find(node.name.key(), from));
            if let Some(found) = object.and_then(|object| nodes.get_mut(object)) {
                *found = Some(i);
            }
            objects.push(object);
        }
        Self { model, objects, nodes }
    }

    /// Returns the model.
    pub const fn model(&self) -> &'m Model<'a> {
        self.model
    }

    /// Returns the object that a node moves. Both are indices in file order. See [Placement](crate::format#placement).
    pub fn object_of(&self, node: usize) -> Option<usize> {
        self.objects.get(node).copied().flatten()
    }

    /// Returns the node that moves an object, which is the last one if there are several. Both are indices in file
    /// order. See [Placement](crate::format#placement).
    pub fn node_of(&self, object: usize) -> Option<usize> {
        self.nodes.get(object).copied().flatten()
    }

    /// Returns the pose of each object in the model at `t` milliseconds, in file order. See
    /// [Placement](crate::format#placement).
    ///
    /// ```
    /// # fn main() -> worldview_island::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
    /// use worldview_island::{Database, Rig};
    ///
    /// let database = Database::parse(file)?;
    /// for blob in database.blobs() {
    ///     if let Some(model) = blob.read()?.model() {
    ///         let poses = Rig::new(model).pose(0.0);
    ///         assert_eq!(poses.len(), model.rois.len());
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn pose(&self, t: f32) -> Vec<Pose> {
        let nodes = &self.model.animation.nodes;
        let mut poses = vec![Pose { matrix: Matrix::IDENTITY, visible: true, touched: false }; self.nodes.len()];
        // A child node follows its parent node rather than the parent's object, which a later node may move elsewhere.
        let mut matrices: Vec<Matrix> = Vec::with_capacity(self.objects.len());
        for (i, (node, object)) in nodes.iter().zip(&self.objects).enumerate() {
            let pose = object.and_then(|object| poses.get_mut(object));
            // Descendants of a node without an object have no object either, so the matrix is never used.
            let matrix = if pose.is_some() { node.local(t) } else { Matrix::IDENTITY };
            let above = nodes.parent(i).and_then(|parent| matrices.get(parent));
            let matrix = above.map_or(matrix, |above| matrix.then(above));
            if let Some(pose) = pose {
                *pose = Pose { matrix, visible: node.is_visible(t), touched: true };
            }
            matrices.push(matrix);
        }
        poses
    }

    /// Returns the pose of each object in the world at `t` milliseconds, in file order. See
    /// [Placement](crate::format#placement).
    ///
    /// The placement determines the position and the visibility of the root, whatever the animation does with it. All
    /// other objects keep their positions relative to the root.
    pub fn placed(&self, placement: &Placement, t: f32) -> Vec<Pose> {
        let mut poses = self.pose(t);
        let place = placement.matrix();
        // A root that is scaled to 0 along an axis has no inverse.
        let back = poses.first().and_then(|root| root.matrix.inverse()).unwrap_or(Matrix::IDENTITY);
        let back = back.then(&place);
        for pose in &mut poses {
            pose.matrix = pose.matrix.then(&back);
        }
        if let Some(root) = poses.first_mut() {
            // Set exactly, because multiplying by the inverse is subject to rounding.
            root.matrix = place;
            root.visible = placement.is_visible();
        }
        poses
    }
}

/// Finds objects by name.
///
/// The game compares an object, then its children, and then searches below each child in the same way. Among several
/// objects below one, it therefore finds the one whose parent comes first in the file, and the first of those with
/// the same parent. With the objects sorted in this order for each name, a binary search finds the first candidate.
struct Search<'a> {
    /// A number for each name.
    names: HashMap<NameKey<'a>, usize>,
    /// For each object, the number of its name and the index of the first object after its descendants.
    objects: Vec<(usize, usize)>,
    /// For every object except the root: the number of its name, its parent and its index; sorted.
    ranks: Vec<(usize, usize, usize)>,
}

impl<'a> Search<'a> {
    fn new(model: &Model<'a>) -> Self {
        let mut names = HashMap::new();
        let (mut objects, mut ranks) = (Vec::new(), Vec::new());
        for (i, roi) in model.rois.iter().enumerate() {
            let next = names.len();
            let name = *names.entry(roi.name.key()).or_insert(next);
            objects.push((name, i.saturating_add(1)));
            if let Some(parent) = model.rois.parent(i) {
                ranks.push((name, parent, i));
            }
        }
        // From last to first, so that the ends of all descendants are known before that of the object.
        for i in (0..objects.len()).rev() {
            let end = objects.get(i).map_or(0, |&(_, end)| end);
            if let Some((_, above)) = model.rois.parent(i).and_then(|parent| objects.get_mut(parent)) {
                *above = end.max(*above);
            }
        }
        ranks.sort_unstable();
        Self { names, objects, ranks }
    }

    /// Returns the object with a name, searching from an object first, then from the root.
    fn find(&self, key: NameKey<'a>, from: usize) -> Option<usize> {
        // The game never matches an empty name.
        let name = *self.names.get(&key).filter(|_| !key.0.is_empty())?;
        self.find_below(name, from).or_else(|| self.find_below(name, 0))
    }

    /// Returns the object itself or its first matching descendant.
    fn find_below(&self, name: usize, from: usize) -> Option<usize> {
        let &(own, end) = self.objects.get(from)?;
        if own == name {
            return Some(from);
        }
        let first = self.ranks.partition_point(|&(other, parent, _)| (other, parent) < (name, from));
        let &(other, parent, object) = self.ranks.get(first)?;
        (other == name && parent < end).then_some(object)
    }
}

worldview_core::assert_send_sync!(Rig<'_, '_>, Pose);
