//! Which node moves which object, and where that puts it. `docs/formats/island.md`, Animation and Placement.

use std::collections::HashMap;

use crate::matrix::Matrix;
use crate::raw::Placement;
use crate::{Model, NameKey};

/// The nodes of a model's animation and the objects that they move. `docs/formats/island.md`, Placement.
///
/// A node moves the object of its name. The names are looked up once, in a time that grows hardly faster than the model,
/// whatever its names are; then any number of poses can be had.
#[derive(Clone, Debug)]
pub struct Rig<'m, 'a> {
    model: &'m Model<'a>,
    /// For each node the object that it found.
    objects: Vec<Option<usize>>,
    /// For each object the last node that found it.
    nodes: Vec<Option<usize>>,
}

/// An object of a posed model. `docs/formats/island.md`, Placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// From the object to the model, or to the world once it is placed.
    pub matrix: Matrix,
    /// Whether the object is seen, if all those above it are.
    pub visible: bool,
    /// Whether a node of the animation moves it; if none does, it is where the model is.
    pub touched: bool,
}

impl<'m, 'a> Rig<'m, 'a> {
    /// Looks up the object of each node. `docs/formats/island.md`, Placement.
    ///
    /// The search begins at the object of the node above, and goes on from the root if there is nothing. What is below
    /// a node that finds nothing finds nothing either.
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

    /// The model.
    pub const fn model(&self) -> &'m Model<'a> {
        self.model
    }

    /// The object that a node moves; both by their numbers in the order of the file.
    /// `docs/formats/island.md`, Placement.
    pub fn object_of(&self, node: usize) -> Option<usize> {
        self.objects.get(node).copied().flatten()
    }

    /// The node that moves an object, which is the last of several; both by their numbers in the order of the file.
    /// `docs/formats/island.md`, Placement.
    pub fn node_of(&self, object: usize) -> Option<usize> {
        self.nodes.get(object).copied().flatten()
    }

    /// Where each object is in the model at a time in milliseconds, in the order of the file.
    /// `docs/formats/island.md`, Placement.
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
        // What is below a node follows that node, and not the object, which a later node may move elsewhere.
        let mut matrices: Vec<Matrix> = Vec::with_capacity(self.objects.len());
        for (i, (node, object)) in nodes.iter().zip(&self.objects).enumerate() {
            let pose = object.and_then(|object| poses.get_mut(object));
            // Below a node that has no object there is none that has, so its matrix is never asked for.
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

    /// Where each object is in the world at a time in milliseconds, in the order of the file.
    /// `docs/formats/island.md`, Placement.
    ///
    /// The root is where the reference says, whatever the animation does with it, and seen if the reference says so;
    /// the others are where they are from the root.
    pub fn placed(&self, placement: &Placement, t: f32) -> Vec<Pose> {
        let mut poses = self.pose(t);
        let place = placement.matrix();
        // A root that is squashed flat has nothing that takes it back.
        let back = poses.first().and_then(|root| root.matrix.inverse()).unwrap_or(Matrix::IDENTITY);
        let back = back.then(&place);
        for pose in &mut poses {
            pose.matrix = pose.matrix.then(&back);
        }
        if let Some(root) = poses.first_mut() {
            // Not what the inverse makes of it, which is only nearly that.
            root.matrix = place;
            root.visible = placement.is_visible();
        }
        poses
    }
}

/// The objects of a model by their names.
///
/// The game looks at an object, at the objects right below it, and then likewise below each of those. So of several
/// objects below one, that is found first whose parent comes first in the file, and of those of one parent the first.
/// With the objects in that order, name by name, the first candidate is found by halving.
struct Search<'a> {
    /// A number for each name.
    names: HashMap<NameKey<'a>, usize>,
    /// For each object the number of its name, and the number of the first object behind it that is not below it.
    objects: Vec<(usize, usize)>,
    /// Of all objects but the root: the number of the name, the parent, the object; sorted.
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
        // From the last to the first: those below an object have their ends before it gets its own.
        for i in (0..objects.len()).rev() {
            let end = objects.get(i).map_or(0, |&(_, end)| end);
            if let Some((_, above)) = model.rois.parent(i).and_then(|parent| objects.get_mut(parent)) {
                *above = end.max(*above);
            }
        }
        ranks.sort_unstable();
        Self { names, objects, ranks }
    }

    /// The object of a name, looked for from an object on, then from the root on.
    fn find(&self, key: NameKey<'a>, from: usize) -> Option<usize> {
        // The game compares no empty name.
        let name = *self.names.get(&key).filter(|_| !key.0.is_empty())?;
        self.find_below(name, from).or_else(|| self.find_below(name, 0))
    }

    /// The object itself or the first below it.
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
