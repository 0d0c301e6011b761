//! Makes the bytes of a level from meshes, with as much of the original as possible.

use std::collections::HashMap;

use worldview_core::Path;
use worldview_island::{Lod, Mesh};
use zerocopy::IntoBytes as _;

use super::read::{MaterialLook, Triangle};
use worldview_edit::{EditError, Result, Value};

/// The most positions and normals of a level.
const MAX: usize = 0x7FFF;

/// A corner of the original: where in the pools of its level it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Source {
    pub(super) position: u16,
    pub(super) normal: u16,
    pub(super) uv: Option<u32>,
}

/// A corner of a new mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NewCorner {
    Old(Source),
    /// A corner of the original, and what has changed in it.
    Changed {
        source: Source,
        position: Option<[f32; 3]>,
        normal: Option<[f32; 3]>,
        uv: Option<[f32; 2]>,
    },
    New {
        position: [f32; 3],
        normal: [f32; 3],
        uv: Option<[f32; 2]>,
    },
}

/// A mesh of a new level.
#[derive(Clone, Debug)]
pub(super) struct NewMesh {
    pub(super) corners: Vec<NewCorner>,
    pub(super) has_uvs: bool,
    pub(super) surface: Vec<u8>,
    pub(super) texture: Vec<u8>,
    pub(super) material: Vec<u8>,
}

impl NewMesh {
    /// Returns a mesh that looks like one of the original, without triangles.
    pub(super) fn like(mesh: &Mesh<'_>) -> Self {
        Self {
            corners: Vec::new(),
            has_uvs: mesh.uv_index_count != 0,
            surface: mesh.surface.as_bytes().to_vec(),
            texture: mesh.texture.counted().to_vec(),
            material: mesh.material.counted().to_vec(),
        }
    }

    /// Returns a mesh that looks as a material says, without triangles.
    pub(super) fn of(look: &MaterialLook, first: Option<&Triangle>) -> Self {
        let [red, green, blue] = look.color;
        let alpha = if look.opacity < 1.0 { look.opacity } else { 0.0 };
        let smooth = 1;
        let surface = [&[red, green, blue][..], &alpha.to_le_bytes(), &[smooth, 0, 0, 0]].concat();
        let has_uvs =
            look.texture.is_some() && first.is_some_and(|corners| corners.iter().all(|corner| corner.uv.is_some()));
        let texture = look.texture.clone().filter(|_| has_uvs).unwrap_or_default();
        Self { corners: Vec::new(), has_uvs, surface, texture: texture.into(), material: look.name.clone().into() }
    }

    /// Whether a mesh of the original says the same.
    pub(super) fn is_same(&self, mesh: &Mesh<'_>) -> bool {
        self.corners.len() == mesh.corners.len()
            && self.corners.iter().all(|corner| matches!(corner, NewCorner::Old(_)))
            && self.surface == mesh.surface.as_bytes()
            && self.texture == mesh.texture.counted()
            && self.material == mesh.material.counted()
    }
}

/// A pool of points.
struct Pool<const N: usize> {
    points: Vec<[f32; N]>,
    known: HashMap<[u32; N], usize>,
    /// The new value of each point of the original; `None` if its corners do not agree, or if it stays.
    moved: Vec<Option<[f32; N]>>,
}

impl<const N: usize> Pool<N> {
    /// Takes the points of the original, and for each corner the point and what it shall become.
    fn new(bytes: &[u8], wanted: impl Iterator<Item = (usize, Option<[f32; N]>)>) -> Self {
        let floats: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        let points: Vec<[f32; N]> = floats.as_chunks::<N>().0.to_vec();
        let mut all: Vec<Option<Option<[f32; N]>>> = vec![None; points.len()];
        for (at, wanted) in wanted {
            let Some(seen) = all.get_mut(at) else { continue };
            let agrees = match (&seen, wanted) {
                (None, _) => true,
                (Some(Some(seen)), Some(wanted)) => near(seen, &wanted),
                (Some(None), None) => true,
                _ => false,
            };
            // Of corners that do not agree, those that stay have the point.
            *seen = Some(if agrees { seen.flatten().or(wanted) } else { None });
        }
        let moved: Vec<_> = all.into_iter().map(Option::flatten).collect();
        let mut pool = Self { points, known: HashMap::new(), moved };
        for at in 0..pool.points.len() {
            if let (Some(Some(new)), Some(point)) = (pool.moved.get(at), pool.points.get_mut(at)) {
                *point = *new;
            }
            if let Some(point) = pool.points.get(at) {
                pool.known.entry(point.map(f32::to_bits)).or_insert(at);
            }
        }
        pool
    }

    /// Returns the point of a corner.
    fn place(&mut self, source: Option<usize>, wanted: Option<[f32; N]>) -> usize {
        let new = match (source, wanted) {
            (Some(source), None) => return source,
            (Some(source), Some(new)) => match self.moved.get(source) {
                Some(Some(moved)) if near(moved, &new) => return source,
                _ => new,
            },
            (None, new) => new.unwrap_or([0.0; N]),
        };
        let next = self.points.len();
        let at = *self.known.entry(new.map(f32::to_bits)).or_insert(next);
        if at == next {
            self.points.push(new);
        }
        at
    }
}

/// A mesh, the points of its corners, and its original if those are the same.
type Placed<'n, 'a> = (&'n NewMesh, Vec<[usize; 3]>, Option<Mesh<'a>>);

fn near<const N: usize>(a: &[f32; N], b: &[f32; N]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-5 * a.abs().max(1.0))
}

/// Returns the bytes of a level.
pub(super) fn level(lod: &Lod<'_>, meshes: &[NewMesh], path: &Path) -> Result<Vec<u8>> {
    let corners = || meshes.iter().flat_map(|mesh| &mesh.corners);
    let mut positions = Pool::new(
        lod.positions.as_bytes(),
        corners().filter_map(|corner| match *corner {
            NewCorner::Old(source) => Some((usize::from(source.position), None)),
            NewCorner::Changed { source, position, .. } => Some((usize::from(source.position), position)),
            NewCorner::New { .. } => None,
        }),
    );
    let mut normals = Pool::new(
        lod.normals.as_bytes(),
        corners().filter_map(|corner| match *corner {
            NewCorner::Old(source) => Some((usize::from(source.normal), None)),
            NewCorner::Changed { source, normal, .. } => Some((usize::from(source.normal), normal)),
            NewCorner::New { .. } => None,
        }),
    );
    let mut uvs = Pool::new(
        lod.uvs.as_bytes(),
        corners().filter_map(|corner| match *corner {
            NewCorner::Old(source) => Some((usize::try_from(source.uv?).ok()?, None)),
            NewCorner::Changed { source, uv, .. } => Some((usize::try_from(source.uv?).ok()?, uv)),
            NewCorner::New { .. } => None,
        }),
    );
    let mut placed: Vec<Placed<'_, '_>> = Vec::new();
    let mut originals = lod.meshes.iter();
    for mesh in meshes {
        let original = originals.next();
        // What has lost its last triangle is gone.
        if mesh.corners.is_empty() && original.as_ref().is_none_or(|original| original.triangles > 0) {
            continue;
        }
        let mut is_same = original.as_ref().is_some_and(|original| original.corners.len() == mesh.corners.len());
        let mut vertices = Vec::with_capacity(mesh.corners.len());
        for corner in &mesh.corners {
            let (source, position, normal, uv) = match *corner {
                NewCorner::Old(source) => (Some(source), None, None, None),
                NewCorner::Changed { source, position, normal, uv } => (Some(source), position, normal, uv),
                NewCorner::New { position, normal, uv } => (None, Some(position), Some(normal), uv),
            };
            let old_uv = source.and_then(|source| usize::try_from(source.uv?).ok());
            let vertex = [
                positions.place(source.map(|source| source.position.into()), position),
                normals.place(source.map(|source| source.normal.into()), normal),
                if mesh.has_uvs && !(lod.uvs.is_empty() && source.is_some()) { uvs.place(old_uv, uv) } else { 0 },
            ];
            is_same &= source.is_some_and(|source| {
                let was = [source.position.into(), source.normal.into(), old_uv.unwrap_or(0)];
                was == vertex
            });
            vertices.push(vertex);
        }
        placed.push((mesh, vertices, original.filter(|_| is_same)));
    }
    let keep = |count: usize, used: &mut dyn Iterator<Item = usize>, old: &mut dyn Iterator<Item = usize>| {
        // What nothing used before stays; what nothing uses any more goes.
        let mut keeps = vec![true; count];
        old.for_each(|at| keeps.get_mut(at).into_iter().for_each(|keeps| *keeps = false));
        used.for_each(|at| keeps.get_mut(at).into_iter().for_each(|keeps| *keeps = true));
        keeps
    };
    let is_whole = placed.iter().all(|(_, _, original)| original.is_some()) && placed.len() == lod.meshes.len();
    let old: Vec<Source> = lod.meshes.iter().flat_map(|mesh| sources(&mesh, lod)).collect();
    let at = |part: usize, count: usize| {
        let mut used = placed.iter().flat_map(|(_, all, _)| all).filter_map(|all| all.get(part).copied());
        let mut old = old.iter().filter_map(|source| match part {
            0 => Some(source.position.into()),
            1 => Some(source.normal.into()),
            _ => usize::try_from(source.uv?).ok(),
        });
        if is_whole { vec![true; count] } else { keep(count, &mut used, &mut old) }
    };
    let keeps = [at(0, positions.points.len()), at(1, normals.points.len()), at(2, uvs.points.len())];
    let counts = keeps.each_ref().map(|keeps| keeps.iter().filter(|keeps| **keeps).count());
    let misfit = |count: usize, limit: &str| {
        let value = Value::from(u64::try_from(count).unwrap_or(u64::MAX));
        EditError::does_not_fit(path, value, limit)
    };
    let [position_count, normal_count, uv_count] = counts;
    if position_count > MAX {
        return Err(misfit(position_count, "a level has at most 32767 different positions"));
    }
    if normal_count > MAX {
        return Err(misfit(normal_count, "a level has at most 32767 different normals"));
    }
    let unused = lod.counts.map_or(0, |counts| counts.unused_bits());
    let word = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut out = [lod.flags.to_le_bytes(), word(placed.len()).to_le_bytes()].concat();
    if placed.is_empty() {
        return Ok(out);
    }
    out.extend((word(position_count) | unused | word(normal_count) << 17).to_le_bytes());
    let stored = lod.counts.map_or(0, |counts| counts.uvs.get());
    let uv_word = if uv_count == 0 && stored < 0 { stored.cast_unsigned() } else { word(uv_count) };
    out.extend(uv_word.to_le_bytes());
    let renumbered = keeps.each_ref().map(|keeps| renumber(keeps));
    let [p, n, u] = &keeps;
    put(&positions.points, p, &mut out);
    put(&normals.points, n, &mut out);
    put(&uvs.points, u, &mut out);
    for (mesh, vertices, original) in &placed {
        match original.as_ref().filter(|_| is_whole) {
            Some(original) => {
                out.extend(original.triangles.to_le_bytes());
                out.extend(original.vertices.to_le_bytes());
                out.extend(original.corners.as_bytes());
                out.extend(original.uv_index_count.to_le_bytes());
                out.extend(original.uv_indices.as_bytes());
            }
            None => pack(vertices, mesh.has_uvs, &renumbered, &misfit, &mut out)?,
        }
        out.extend(&mesh.surface);
        for name in [&mesh.texture, &mesh.material] {
            out.extend(word(name.len()).to_le_bytes());
            out.extend(name);
        }
    }
    Ok(out)
}

/// The new corners of a mesh.
fn sources<'m>(mesh: &Mesh<'m>, lod: &Lod<'m>) -> impl Iterator<Item = Source> + use<'m> {
    let uv_indices = if lod.uvs.is_empty() { &[] } else { mesh.uv_indices };
    mesh.corners.iter().enumerate().filter(|(_, corner)| corner.is_new()).map(move |(at, corner)| Source {
        position: corner.position(),
        normal: corner.normal(),
        uv: uv_indices.get(at).map(|index| index.get()),
    })
}

/// Returns the numbers of the points that are kept.
fn renumber(keeps: &[bool]) -> Vec<u32> {
    let mut next = 0_u32;
    let number = |keeps: &bool| {
        let number = next;
        next = next.saturating_add((*keeps).into());
        number
    };
    keeps.iter().map(number).collect()
}

fn put<const N: usize>(points: &[[f32; N]], keeps: &[bool], out: &mut Vec<u8>) {
    let kept = points.iter().zip(keeps).filter(|(_, keeps)| **keeps);
    out.extend(kept.flat_map(|(point, _)| point.iter().flat_map(|part| part.to_le_bytes())));
}

/// Writes the corners of a mesh: the first of each vertex makes it, the others refer to it.
fn pack(
    vertices: &[[usize; 3]],
    has_uvs: bool,
    numbers: &[Vec<u32>; 3],
    misfit: &dyn Fn(usize, &str) -> EditError,
    out: &mut Vec<u8>,
) -> Result<()> {
    let count = vertices.len().checked_div(3).unwrap_or(0);
    let triangles = u16::try_from(count).map_err(|_| misfit(count, "a mesh has at most 65535 triangles"))?;
    let mut known: HashMap<[usize; 3], u32> = HashMap::new();
    let (mut corners, mut indices) = (Vec::new(), Vec::new());
    let [positions, normals, uvs] = numbers;
    for vertex in vertices {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        let index = *known.entry(*vertex).or_insert(next);
        let [position, normal, uv] = *vertex;
        let number = |list: &[u32], at: usize| list.get(at).copied().unwrap_or(0);
        if index == next {
            corners.push(0x8000_0000 | number(normals, normal) << 16 | number(positions, position));
            indices.push(number(uvs, uv));
        } else {
            // The game reads the lower half; the upper one repeats it as far as there is room.
            corners.push((index & 0x7FFF) << 16 | index & 0xFFFF);
            indices.push(index);
        }
    }
    let made = u16::try_from(known.len()).map_err(|_| misfit(known.len(), "a mesh has at most 65535 vertices"))?;
    out.extend(triangles.to_le_bytes());
    out.extend(made.to_le_bytes());
    out.extend(corners.iter().flat_map(|word| word.to_le_bytes()));
    let uv_count = if has_uvs { u32::try_from(indices.len()).unwrap_or(u32::MAX) } else { 0 };
    out.extend(uv_count.to_le_bytes());
    if has_uvs {
        out.extend(indices.iter().flat_map(|word| word.to_le_bytes()));
    }
    Ok(())
}
