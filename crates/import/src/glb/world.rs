//! The changes to placements that moved nodes in the GLB of a world make.

use std::collections::{HashMap, HashSet};

use worldview_core::{Path, field_name};
use worldview_edit::account::{Code, Column, Entry, SourcePlace};
use worldview_island::raw::Placement;
use worldview_island::{Matrix, World};

use super::Again;
use super::compare::Pair;
use super::curve::{self, Curve, Property};
use super::names::{self, element, first, refuse_node};
use super::nodes::{Nodes, Trs, has_same_axes, is_same};
use super::same::difference;
use crate::codes::{ANIMATED_NODE_MOVED, ANIMATION_MISSING, GEOMETRY_ELSEWHERE, MODELS_MISSING, NODE_UNKNOWN};
use worldview_edit::{Change, Changes, EditError, Planned, Result, Value};

/// How far a number of a placement may be off before it counts as changed.
const NEAR: f64 = 1e-4;
/// How far axes may be from length 1 and from right angles.
const STRAIGHT: f64 = 1e-3;

/// Returns the changes of a world's placements: its models are where an edited GLB has them. `exported` is what the same export of
/// the original gives, and the paths are relative to the world.
///
/// The topmost node of each model becomes location, direction and up of its reference. It is found by the index of the reference
/// that the export wrote (`reference` in the `extras` of nodes), and else by name and the number that Blender appends. References that the GLB
/// does not have stay, with a note.
///
/// What is inside a model is edited in the model's own GLB: anything that was moved, animated or given other triangles or colors is
/// an error. Not read: visibility and pictures.
///
/// # Errors
///
/// Returns an error if:
///
/// - a file is not a GLB with its data inside, or has what models of the game lack, as for [`glb`](super::glb())
/// - a model was scaled, mirrored or sheared, which a placement cannot say, or animated
/// - something inside a model was edited
/// - a node with a mesh is not one of the export
pub fn glb_world(original: &World<'_, '_>, exported: &[u8], edited: &[u8], again: Again<'_>) -> Result<Planned> {
    let pair = Pair::parse(exported, edited)?;
    let Pair { old: old_glb, new: new_glb, old_nodes: old, new_nodes: new, found } = &pair;
    let mut planned = Planned::default();
    let taken: HashSet<usize> = found.iter().flatten().copied().collect();
    let refuse = |planned: &mut Planned, node: usize, code: Code, why: &str| {
        refuse_node(planned, &new_glb.json, node, code, why);
    };
    let names: Vec<&[u8]> = original.models.iter().map(|reference| reference.name.text()).collect();
    for (at, _) in new.all.iter().enumerate().filter(|(at, node)| node.mesh.is_some() && !taken.contains(at)) {
        let why = "the world has no such object; references are added by a changes file";
        refuse(&mut planned, at, NODE_UNKNOWN, why);
    }
    let (old_meshes, new_meshes): (Vec<_>, Vec<_>) =
        (old_glb.document.meshes().collect(), new_glb.document.meshes().collect());
    let mut same_meshes: HashMap<(usize, usize), Option<&'static str>> = HashMap::new();
    let (mut missing, mut still) = (Vec::new(), Vec::new());
    for (at, was) in old.all.iter().enumerate() {
        let Some(is) = found.get(at).copied().flatten() else {
            missing.extend(was.reference.map(|_| was.name.clone()));
            continue;
        };
        let inside = |planned: &mut Planned, what: &str| {
            refuse(planned, is, GEOMETRY_ELSEWHERE, &format!("{what} inside a model; edit the GLB of the model"));
        };
        if !has_same_curves((old, at), (new, is)) {
            inside(&mut planned, "an animation was edited");
        }
        let lacks = |property: &Property| {
            old.curves.contains_key(&(at, *property)) && !new.curves.contains_key(&(is, *property))
        };
        still.extend(PROPERTIES.iter().any(lacks).then(|| was.name.clone()));
        let reference = was.reference.and_then(|number| Some((number, original.models.get(number)?)));
        let above = was.parent.and_then(|parent| found.get(parent).copied().flatten());
        let matrix = match reference {
            Some(_) => new.to_ancestor(is, None),
            None => new.relative(is, above),
        };
        let Some(matrix) = matrix else {
            inside(&mut planned, "it may be nested too deeply below others");
            continue;
        };
        // Keys decide where a node stands.
        let keyed = PROPERTIES.map(|property| old.curves.contains_key(&(at, property)));
        let matrix = match (keyed, new.get(is)) {
            ([false, false, false], _) | (_, None) => matrix,
            ([translation, rotation, scale], Some(node)) => Trs {
                translation: if translation { was.trs.translation } else { node.trs.translation },
                rotation: if rotation { was.trs.rotation } else { node.trs.rotation },
                scale: if scale { was.trs.scale } else { node.trs.scale },
            }
            .matrix(),
        };
        let is_gone = was.parent.is_some() && above.is_none();
        let stays = is_gone || is_same(&was.matrix, &matrix, 0.0) || is_same(&was.matrix, &matrix, new.around(above));
        match reference {
            Some((number, reference)) if !stays => {
                let path = names::path("model", &names, number);
                if let Err(error) = place(reference.placement, &matrix, &path, &mut planned.changes) {
                    planned.refuse(&error, SourcePlace::pointer(element(&new_glb.json, "nodes", is)));
                }
            }
            None if !stays => inside(&mut planned, "this was moved"),
            _ => {}
        }
        let mesh = new.get(is).and_then(|node| node.mesh);
        let difference = match (was.mesh, mesh) {
            (Some(a), Some(b)) => match (same_meshes.get(&(a, b)), old_meshes.get(a), new_meshes.get(b)) {
                (Some(known), ..) => *known,
                (None, Some(old), Some(new)) => {
                    let difference = difference((old_glb, old), (new_glb, new))?;
                    *same_meshes.entry((a, b)).or_insert(difference)
                }
                _ => None,
            },
            (None, Some(_)) => Some("a mesh was added"),
            (_, None) => None,
        };
        if let Some(what) = difference {
            inside(&mut planned, what);
        }
        // Where keys decide, only they count.
        let is_resting = |(property, value): (Property, &[f32])| {
            old.curves.get(&(at, property)).is_none_or(|curve| curve::holds(&curve.values, value))
        };
        if let Some(Trs { translation, rotation, scale }) = new.get(is).map(|node| &node.trs) {
            let all = PROPERTIES.into_iter().zip([&translation[..], &rotation[..], &scale[..]]);
            if !all.into_iter().all(is_resting) {
                let place = element(&new_glb.json, "nodes", is);
                let why = format!("{place}: it is animated: its keys decide where it is, not its own position");
                let entry = Entry::new(Column::LeftOut, ANIMATED_NODE_MOVED, &Path::new(), why);
                planned.account.push(entry.at(SourcePlace::pointer(place)));
            }
        }
    }
    if !still.is_empty() {
        let why = format!("has no animation of {}; that of the original stays", first(&still));
        let entry = Entry::new(Column::LeftOut, ANIMATION_MISSING, &Path::new(), why);
        planned.account.push(entry.about(still.len() as u64, still));
    }
    if !missing.is_empty() {
        let why = format!(
            "lacks {} of the world's models; their references stay; a changes file can remove them",
            missing.len()
        );
        let entry = Entry::new(Column::LeftOut, MODELS_MISSING, &Path::new(), why);
        planned.account.push(entry.about(missing.len() as u64, missing));
    }
    pair.account(&mut planned, again)?;
    Ok(planned)
}

const PROPERTIES: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];

/// Whether the animations of a node are the same, or not in the edited GLB.
fn has_same_curves((old, at): (&Nodes, usize), (new, is): (&Nodes, usize)) -> bool {
    PROPERTIES.iter().all(|property| {
        let Some(edited) = new.curves.get(&(is, *property)) else { return true };
        match (old.curves.get(&(at, *property)), property) {
            (was, Property::Rotation) => is_same_curve::<4>(was, edited),
            (was, _) => is_same_curve::<3>(was, edited),
        }
    })
}

fn is_same_curve<const N: usize>(was: Option<&Curve>, edited: &Curve) -> bool {
    let Some(edited) = edited.track::<N>() else { return false };
    match was {
        Some(was) => was.track().is_some_and(|was| curve::is_same(&was, &edited)),
        None => curve::is_constant(&edited),
    }
}

/// Adds the changes of a placement.
fn place(stored: &Placement, matrix: &Matrix, path: &Path, changes: &mut Changes) -> Result<()> {
    let [x, y, z, origin] = matrix.rows().map(|[x, y, z, _]| [x, y, z]);
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scale = [x, y, z].map(|axis| dot(axis, axis).sqrt());
    #[expect(clippy::cast_possible_truncation, reason = "the game has floats of 32 bits")]
    let short = |numbers: [f64; 3]| numbers.map(|number| number as f32);
    let misfit = |limit: &str| EditError::does_not_fit(path, &short(scale)[..], limit);
    if scale.iter().any(|scale| (scale - 1.0).abs() > STRAIGHT) {
        return Err(misfit("a placement has no scale; scale the meshes of the model"));
    }
    let across = [y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0]];
    if dot(across, x) < 0.0 || [dot(x, y), dot(y, z), dot(z, x)].iter().any(|cosine| cosine.abs() > STRAIGHT) {
        return Err(misfit("a placement neither mirrors nor shears"));
    }
    let mut set = |name: &str, old: [f32; 3], new: [f64; 3]| {
        let mut to = short(new);
        for (to, old) in to.iter_mut().zip(old) {
            let is_near = f64::from((*to - old).abs()) <= NEAR * f64::from(old.abs()).max(1.0);
            *to = match *to {
                _ if is_near => old,
                // What is left of a zero by rounding.
                tiny if tiny.abs() < 1e-6 => 0.0,
                new => new,
            };
        }
        if to != old {
            let path = path.with(|path| path.push_name(name.as_bytes()));
            let (from, to): (Value, Value) = (old[..].into(), to[..].into());
            changes.push(Change::Set { path, from: Some(from), to });
        }
    };
    set(field_name!(Placement, location), stored.location.get(), origin);
    if !has_same_axes(&stored.matrix(), matrix) {
        set(field_name!(Placement, direction), stored.direction.get(), z.map(|part| part / scale[2]));
        set(field_name!(Placement, up), stored.up.get(), y.map(|part| part / scale[1]));
    }
    Ok(())
}
