//! Compares meshes that a GLB cannot change: those of parts in the GLB of a model, and all in that of a world.

use std::collections::HashMap;

use gltf::Mesh;
use worldview_edit::Result;
use worldview_island::Matrix;

use super::level::{NEAR, NEAR_NORMAL, is_degenerate, is_exactly, key, stem, turned};
use super::read::{Corner, Glb, MaterialLook, Primitive, Triangle};

/// Returns what differs between two meshes, whatever the order of triangles; `None` if nothing does.
pub(super) fn difference(
    (old_glb, old): (&Glb, &Mesh<'_>),
    (new_glb, new): (&Glb, &Mesh<'_>),
) -> Result<Option<&'static str>> {
    let (old, old_lines) = old_glb.shapes(old, &Matrix::IDENTITY)?;
    let (new, new_lines) = new_glb.shapes(new, &Matrix::IDENTITY)?;
    if !are_lines_same(old_lines, new_lines) {
        return Ok(Some("the lines of a wireframe were edited"));
    }
    let (old, mut new) = (triangles(&old), triangles(&new));
    for (key, olds) in old {
        let news = new.remove(&key).unwrap_or_default();
        if news.len() != olds.len() {
            return Ok(Some("triangles were edited"));
        }
        let mut left = olds;
        for (triangle, look, count) in news {
            let differs = |(other, was, _): &Shown<'_>| {
                corners_differ(other, &triangle).or_else(|| looks_differ(old_glb, was, look))
            };
            let best = left.iter().enumerate().min_by_key(|(_, other)| differs(other).is_some());
            let Some((at, found)) = best.map(|(at, other)| (at, differs(other))) else { continue };
            if found.is_some() {
                return Ok(found);
            }
            let (.., was) = left.swap_remove(at);
            // Programs drop exact duplicates, and do not make any.
            if count > was {
                return Ok(Some("triangles were added"));
            }
        }
    }
    Ok((!new.is_empty()).then_some("triangles were added"))
}

/// Whether the lines of wireframes are the same. Programs drop them.
pub(super) fn are_lines_same(mut old: Vec<[f32; 3]>, mut new: Vec<[f32; 3]>) -> bool {
    let order = |a: &[f32; 3], b: &[f32; 3]| {
        a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    };
    old.sort_by(order);
    new.sort_by(order);
    new.is_empty() || old == new
}

type Place = [[i64; 3]; 3];

/// A triangle with its material, and how often it is there.
type Shown<'p> = (Triangle, &'p MaterialLook, usize);

/// Returns the triangles by their positions, without those that programs drop.
fn triangles(primitives: &[Primitive]) -> HashMap<Place, Vec<Shown<'_>>> {
    let mut all: HashMap<Place, Vec<Shown<'_>>> = HashMap::new();
    for primitive in primitives {
        for triangle in primitive.triangles.iter().filter(|triangle| !is_degenerate(triangle)) {
            let list = all.entry(key(triangle)).or_default();
            // Few triangles have one place, except in files made to take long.
            let twin = list.iter_mut().take(64).find(|(other, look, _)| {
                is_exactly(other, triangle)
                    && look.name == primitive.look.name
                    && look.texture == primitive.look.texture
            });
            match twin {
                Some((.., count)) => *count = count.saturating_add(1),
                None => list.push((*triangle, &primitive.look, 1)),
            }
        }
    }
    all
}

fn corners_differ(old: &Triangle, new: &Triangle) -> Option<&'static str> {
    let new = turned(new, old);
    let near = |a: f32, b: f32, slack: f32| (a - b).abs() <= slack * a.abs().max(1.0);
    let differs = |old: &Corner, new: &Corner| match (old.normal, new.normal, old.uv, new.uv) {
        _ if !old.position.iter().zip(new.position).all(|(a, b)| near(*a, b, NEAR)) => Some("positions were edited"),
        (Some(old), Some(new), ..) if !old.iter().zip(new).all(|(a, b)| near(*a, b, NEAR_NORMAL)) => {
            Some("normals were edited")
        }
        (Some(_), None, ..) => Some("normals are missing"),
        (.., Some(old), Some(new)) if !old.iter().zip(new).all(|(a, b)| near(*a, b, NEAR)) => {
            Some("texture coordinates were edited")
        }
        (.., Some(_), None) => Some("texture coordinates are missing"),
        _ => None,
    };
    old.iter().zip(&new).find_map(|(old, new)| differs(old, new))
}

fn looks_differ(glb: &Glb, old: &MaterialLook, new: &MaterialLook) -> Option<&'static str> {
    if old.color != new.color || (old.opacity - new.opacity).abs() > 1.0 / 512.0 {
        return Some("colors were edited");
    }
    // Blender merges equal pictures.
    let is_same = match (&old.texture, &new.texture) {
        (Some(old), Some(new)) => glb.are_equal_pictures(old, new),
        (old, new) => old.is_none() && new.is_none(),
    };
    if !is_same {
        return Some("a picture was replaced");
    }
    let is_named = old.name.is_empty() || old.name == new.name || old.name == stem(&new.name);
    (!is_named).then_some("a material was replaced")
}
