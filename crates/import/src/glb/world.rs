//! What moved nodes of a world's GLB say about its placements.

use std::collections::{HashMap, HashSet};

use gltf::Mesh;
use worldview_core::Path;
use worldview_core::account::{Account, Column, Entry};
use worldview_island::raw::Placement;
use worldview_island::{Matrix, World};

use super::curve::{self, Property};
use super::level::{is_degenerate, key};
use super::nodes::{Nodes, Trs, has_same_axes, is_same};
use super::read::{Glb, MaterialLook, Primitive, wrong};
use crate::codes::MODELS_MISSING;
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Planned, Result, Value};

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
pub fn glb_world(original: &World<'_, '_>, exported: &[u8], edited: &[u8]) -> Result<Planned> {
    let (old_glb, new_glb) = (Glb::parse(exported)?, Glb::parse(edited)?);
    let (old, new) = (Nodes::new(&old_glb)?, Nodes::new(&new_glb)?);
    let mut found = new.by_name(old.all.iter().map(|node| node.name.as_str()));
    let references: HashMap<usize, usize> =
        new.all.iter().enumerate().filter_map(|(at, node)| Some((node.reference?, at))).collect();
    for (node, found) in old.all.iter().zip(&mut found) {
        let known = node.reference.and_then(|reference| references.get(&reference));
        known.into_iter().for_each(|known| *found = Some(*known));
    }
    let taken: HashSet<usize> = found.iter().flatten().copied().collect();
    let mut others = new.all.iter().enumerate().filter(|(at, node)| node.mesh.is_some() && !taken.contains(at));
    if let Some((_, other)) = others.next() {
        let why = "the world has no such object; references are added by a file of changes";
        return Err(wrong(&format!("node {:?}", other.name), why));
    }
    let (old_meshes, new_meshes): (Vec<_>, Vec<_>) =
        (old_glb.document.meshes().collect(), new_glb.document.meshes().collect());
    let mut same_meshes: HashMap<(usize, usize), bool> = HashMap::new();
    let (mut changes, mut account, mut missing) = (Changes::new(), Account::default(), 0_usize);
    for (at, was) in old.all.iter().enumerate() {
        let Some(is) = found.get(at).copied().flatten() else {
            missing = missing.saturating_add(was.reference.is_some().into());
            continue;
        };
        let inside = |what: &str| {
            let name = new.get(is).map_or("", |node| node.name.as_str());
            wrong(&format!("node {name:?}"), &format!("{what} inside a model; edit the GLB of the model"))
        };
        if !has_same_curves((&old, at), (&new, is)) {
            return Err(inside("an animation was edited"));
        }
        let reference = was.reference.and_then(|number| Some((number, original.models.get(number)?)));
        let above = was.parent.and_then(|parent| found.get(parent).copied().flatten());
        let matrix = match reference {
            Some(_) => new.to_ancestor(is, None),
            None => new.relative(is, above),
        };
        let matrix = matrix.ok_or_else(|| inside("it hangs too deep below others, perhaps"))?;
        let around = || {
            let world = above.and_then(|above| new.to_ancestor(above, None)).unwrap_or(Matrix::IDENTITY);
            let [.., [x, y, z, _]] = world.rows();
            (x * x + y * y + z * z).sqrt()
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
        let stays = is_gone || is_same(&was.matrix, &matrix, 0.0) || is_same(&was.matrix, &matrix, around());
        match reference {
            Some((number, reference)) if !stays => {
                let mut path = Path::new();
                let name = reference.name.text();
                let same = || original.models.iter().enumerate().filter(|(_, other)| other.name.text() == name);
                let nth = same().position(|(at, _)| at == number).and_then(|nth| u32::try_from(nth).ok());
                path.push("model", name, nth.filter(|_| same().nth(1).is_some()));
                place(reference.placement, &matrix, &path, &mut changes)?;
            }
            None if !stays => return Err(inside("this was moved")),
            _ => {}
        }
        let mesh = new.get(is).and_then(|node| node.mesh);
        let is_same_mesh = match (was.mesh, mesh) {
            (Some(a), Some(b)) => match (same_meshes.get(&(a, b)), old_meshes.get(a), new_meshes.get(b)) {
                (Some(known), ..) => *known,
                (None, Some(old), Some(new)) => {
                    let is_same = is_same_mesh((&old_glb, old), (&new_glb, new))?;
                    *same_meshes.entry((a, b)).or_insert(is_same)
                }
                _ => true,
            },
            (None, Some(_)) => false,
            (_, None) => true,
        };
        if !is_same_mesh {
            return Err(inside("geometry or colors were edited"));
        }
    }
    if missing > 0 {
        let why = format!(
            "lacks {missing} of the world's models; their references stay, and are removed by a file of changes"
        );
        account.push(Entry::new(Column::LeftOut, MODELS_MISSING, &Path::new(), why).about(missing as u64, []));
    }
    Ok(Planned { changes, account })
}

const PROPERTIES: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];

/// Whether the animations of a node are the same, or not in the edited GLB.
fn has_same_curves((old, at): (&Nodes, usize), (new, is): (&Nodes, usize)) -> bool {
    PROPERTIES.iter().all(|property| {
        let Some(edited) = new.curves.get(&(is, *property)) else { return true };
        match (old.curves.get(&(at, *property)), property) {
            (Some(was), Property::Rotation) => curve::is_same::<4>(&was.track(), &edited.track()),
            (Some(was), _) => curve::is_same::<3>(&was.track(), &edited.track()),
            (None, Property::Rotation) => curve::is_constant::<4>(&edited.track()),
            (None, _) => curve::is_constant::<3>(&edited.track()),
        }
    })
}

/// Adds the changes of a placement.
fn place(stored: &Placement, matrix: &Matrix, path: &Path, changes: &mut Changes) -> Result<()> {
    let [x, y, z, origin] = matrix.rows().map(|[x, y, z, _]| [x, y, z]);
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scale = [x, y, z].map(|axis| dot(axis, axis).sqrt());
    #[expect(clippy::cast_possible_truncation, reason = "the game has floats of 32 bits")]
    let short = |numbers: [f64; 3]| numbers.map(|number| number as f32);
    let misfit = |limit: &str| {
        let value = short(scale)[..].into();
        EditError::new(path, EditErrorKind::DoesNotFit { value, limit: limit.to_owned() })
    };
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
            let mut path = path.clone();
            path.push_name(name.as_bytes());
            let (from, to): (Value, Value) = (old[..].into(), to[..].into());
            changes.push(Change::Set { path, from: Some(from), to });
        }
    };
    set("location", stored.location.get(), origin);
    if !has_same_axes(&stored.matrix(), matrix) {
        set("direction", stored.direction.get(), z.map(|part| part / scale[2]));
        set("up", stored.up.get(), y.map(|part| part / scale[1]));
    }
    Ok(())
}

/// Whether two meshes have the same triangles with the same colors, in whatever order.
fn is_same_mesh((old_glb, old): (&Glb, &Mesh<'_>), (new_glb, new): (&Glb, &Mesh<'_>)) -> Result<bool> {
    let (old, new) = (old_glb.primitives(old, &Matrix::IDENTITY)?, new_glb.primitives(new, &Matrix::IDENTITY)?);
    let look = |look: &MaterialLook| (look.color, (look.opacity * 255.0).round().to_bits());
    let triangles = |primitives: &[Primitive]| -> HashMap<_, usize> {
        let mut count = HashMap::new();
        for primitive in primitives {
            // Programs drop triangles without area.
            for triangle in primitive.triangles.iter().filter(|triangle| !is_degenerate(triangle)) {
                let count: &mut usize = count.entry((key(triangle), look(&primitive.look))).or_default();
                *count = count.saturating_add(1);
            }
        }
        count
    };
    Ok(triangles(&old) == triangles(&new))
}
