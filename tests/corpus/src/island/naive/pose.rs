//! The poses of a model's objects at a given time, and their placement by a reference.

use std::f64::consts::FRAC_PI_2;

use super::matrix::{cross, rotation, unit};
use super::{
    Budget, IDENTITY, Matrix, NaiveKey, NaiveModel, NaiveModelRef, NaiveNode, Real, Result, inverse, product, wide,
};

/// A translation key is active if a component is farther from 0 than this.
const MOVES: f32 = 1e-5;

/// The pose of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NaivePose {
    /// The transform from the object to the model, or to the world after placement.
    pub matrix: Matrix,
    /// Whether the object is visible, provided its ancestors are.
    pub visible: bool,
    /// Whether a node of the animation matched it.
    pub touched: bool,
}

/// The keys that apply at a given time.
enum ActiveKeys {
    None,
    One(usize),
    /// This key and the next.
    Two(usize),
}

/// Computes the pose of a model at a time in milliseconds, with one entry per object.
pub fn pose(model: &NaiveModel, time: f32) -> Result<Vec<NaivePose>> {
    let mut out = vec![NaivePose { matrix: IDENTITY, visible: true, touched: false }; model.rois.len()];
    let tree = Tree::new(model);
    // Name lookups take time, and a broken model can require many of them.
    let mut budget = Budget(1 << 24);
    // For each node, the object that it matched and the world matrix that its children start from.
    let mut found: Vec<Option<(usize, Matrix)>> = Vec::new();
    for node in &model.nodes {
        let above = node.parent.map_or(Some((0, IDENTITY)), |parent| found[parent]);
        let here = match above {
            // The subtree of a node without a match is skipped.
            None => None,
            Some((roi, world)) => {
                let roi = match tree.find(&node.name.key(), roi, &mut budget)? {
                    Some(roi) => Some(roi),
                    None => tree.find(&node.name.key(), 0, &mut budget)?,
                };
                roi.map(|roi| (roi, product(&local(node, time), &world)))
            }
        };
        if let Some((roi, matrix)) = here {
            out[roi] = NaivePose { matrix, visible: visibility(node, time), touched: true };
        }
        found.push(here);
    }
    Ok(out)
}

/// Returns the world matrix that a reference gives the root of its model.
pub fn place(reference: &NaiveModelRef) -> Matrix {
    let mut out = IDENTITY;
    out[3][..3].copy_from_slice(&reference.location.map(Real::wide));
    let axes = || {
        let z = unit(reference.direction.map(Real::wide), 0.0)?;
        let y = unit(reference.up.map(Real::wide), 0.0)?;
        let x = unit(cross(y, z), 1e-6)?;
        let y = unit(cross(z, x), 0.0)?;
        Some([x, y, z])
    };
    if let Some(axes) = axes() {
        for (row, axis) in out.iter_mut().zip(axes) {
            row[..3].copy_from_slice(&axis);
        }
    }
    out
}

/// Computes the pose of a model placed by a reference. The root ends up exactly at its place, and the other objects
/// keep their position relative to it.
pub fn placed(model: &NaiveModel, reference: &NaiveModelRef, time: f32) -> Result<Vec<NaivePose>> {
    let mut out = pose(model, time)?;
    let place = place(reference);
    let undo = out.first().and_then(|root| inverse(&root.matrix)).unwrap_or(IDENTITY);
    let moved = product(&undo, &place);
    for object in &mut out {
        object.matrix = product(&object.matrix, &moved);
    }
    if let Some(root) = out.first_mut() {
        root.matrix = place;
        root.visible = reference.visible != 0;
    }
    Ok(out)
}

/// The children of each object.
struct Tree {
    names: Vec<Vec<u8>>,
    children: Vec<Vec<usize>>,
}

impl Tree {
    fn new(model: &NaiveModel) -> Self {
        let mut children = vec![Vec::new(); model.rois.len()];
        for (i, roi) in model.rois.iter().enumerate() {
            if let Some(parent) = roi.parent {
                children[parent].push(i);
            }
        }
        Self { names: model.rois.iter().map(|roi| roi.name.key()).collect(), children }
    }

    /// Searches the object itself, then its children, then each child's subtree in the same way.
    fn find(&self, name: &[u8], from: usize, budget: &mut Budget) -> Result<Option<usize>> {
        if name.is_empty() {
            return Ok(None);
        }
        if self.names[from] == name {
            return Ok(Some(from));
        }
        let mut open = vec![from];
        while let Some(above) = open.pop() {
            let children = &self.children[above];
            budget.spend(0, wide(children.len()).saturating_add(1))?;
            if let Some(&child) = children.iter().find(|&&child| self.names[child] == name) {
                return Ok(Some(child));
            }
            open.extend(children.iter().rev());
        }
        Ok(None)
    }
}

/// Returns the matrix of a node at a time, relative to its parent.
pub fn local(node: &NaiveNode, time: f32) -> Matrix {
    let mut out = IDENTITY;
    let scale = match find_keys(&node.scales, time) {
        ActiveKeys::None => [1.0; 3],
        ActiveKeys::One(i) => node.scales[i].value.map(Real::wide),
        ActiveKeys::Two(i) => between(&node.scales, i, time),
    };
    for axis in 0..3 {
        out[axis][axis] = scale[axis];
    }
    if let Some(turn) = quaternion(node, time).and_then(rotation) {
        out = product(&out, &turn);
    }
    let keys = &node.translations;
    let moves = |i: usize| {
        let key = &keys[i];
        key.flags & 1 != 0 || key.value.iter().any(|value| value.value() > MOVES || value.value() < -MOVES)
    };
    let moved = match find_keys(keys, time) {
        ActiveKeys::One(i) if moves(i) => keys[i].value.map(Real::wide),
        ActiveKeys::Two(i) if moves(i) || moves(i + 1) => between(keys, i, time),
        _ => [0.0; 3],
    };
    out[3][..3].copy_from_slice(&moved);
    out
}

/// Returns the quaternion of a node at a time (scalar first), or `None` if no key is active.
fn quaternion(node: &NaiveNode, time: f32) -> Option<[f64; 4]> {
    let keys = &node.rotations;
    let turns = |i: usize| keys[i].flags & 1 != 0 || keys[i].value[0].wide() != 1.0;
    let value = |i: usize| keys[i].value.map(Real::wide);
    match find_keys(keys, time) {
        ActiveKeys::One(i) if turns(i) => Some(value(i)),
        ActiveKeys::Two(i) if turns(i) || turns(i + 1) => {
            if keys[i + 1].flags & 4 != 0 {
                return Some(value(i));
            }
            let negated = keys[i + 1].flags & 2 != 0;
            let second = value(i + 1).map(|part| if negated { -part } else { part });
            Some(slerp(value(i), second, part_of_way(keys, i, time)))
        }
        _ => None,
    }
}

/// Interpolates like the game, which neither takes the shorter arc nor requires unit quaternions.
fn slerp(a: [f64; 4], b: [f64; 4], part: f64) -> [f64; 4] {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    if dot + 1.0 > 0.00001 {
        let (of_a, of_b) = if 1.0 - dot > 0.00001 {
            let angle = dot.acos();
            (((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin())
        } else {
            (1.0 - part, part)
        };
        return [0, 1, 2, 3].map(|i| a[i] * of_a + b[i] * of_b);
    }
    // Opposite quaternions rotate by way of a third one. As in the game, the scalar is not interpolated.
    let [w, x, y, z] = a;
    let (of_a, of_b) = (((1.0 - part) * FRAC_PI_2).sin(), (part * FRAC_PI_2).sin());
    [z, x * of_a - y * of_b, y * of_a + x * of_b, z * of_a - w * of_b]
}

fn visibility(node: &NaiveNode, time: f32) -> bool {
    match find_keys(&node.morphs, time) {
        ActiveKeys::None => true,
        ActiveKeys::One(i) | ActiveKeys::Two(i) => node.morphs[i].value != 0,
    }
}

/// Returns the applicable keys: none before the first, the last one after the last, otherwise an exact match or the two
/// around the time.
fn find_keys<T>(keys: &[NaiveKey<T>], time: f32) -> ActiveKeys {
    let at = |i: usize| f64::from(keys[i].time);
    let time = f64::from(time);
    let Some(last) = keys.len().checked_sub(1) else {
        return ActiveKeys::None;
    };
    if time < at(0) {
        return ActiveKeys::None;
    }
    if time > at(last) {
        return ActiveKeys::One(last);
    }
    let mut i = 0;
    while i < last && time >= at(i + 1) {
        i += 1;
    }
    if time == at(i) {
        ActiveKeys::One(i)
    } else if i < last {
        ActiveKeys::Two(i)
    } else {
        ActiveKeys::None
    }
}

fn part_of_way<T>(keys: &[NaiveKey<T>], i: usize, time: f32) -> f64 {
    let (before, after) = (f64::from(keys[i].time), f64::from(keys[i + 1].time));
    (f64::from(time) - before) / (after - before)
}

fn between(keys: &[NaiveKey<[Real; 3]>], i: usize, time: f32) -> [f64; 3] {
    let part = part_of_way(keys, i, time);
    let (a, b) = (keys[i].value.map(Real::wide), keys[i + 1].value.map(Real::wide));
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * part)
}
