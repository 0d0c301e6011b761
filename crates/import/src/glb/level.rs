//! Compares the triangles of a level with edited ones, and makes the level that says the same.

use std::collections::{HashMap, HashSet};

use worldview_island::raw::Surface;
use worldview_island::{Geometry, Lod, Mesh, Name, Shading, Texture, Textures};
use zerocopy::FromBytes as _;

use super::pack::{NewCorner, NewMesh, Source};
use super::read::{Corner, Glb, MaterialLook, Primitive, Triangle};
use worldview_core::{Path, quote};
use worldview_edit::{EditError, Result};

/// How far a number may be off before it counts as changed: programs store and combine it in other ways.
pub(super) const NEAR: f32 = 1e-4;
/// The same for each component of a normal, which Blender stores in 16 bits.
pub(super) const NEAR_NORMAL: f32 = 0.01;

/// A mesh of the original with its triangles.
struct Old<'a> {
    mesh: Mesh<'a>,
    look: worldview_island::Material<'a>,
    triangles: Vec<OldTriangle>,
    /// The primitive that it has become.
    primitive: Option<usize>,
}

#[derive(Clone, Copy)]
struct OldTriangle {
    corners: [Source; 3],
    shown: [Corner; 3],
    /// The triangle that it has become.
    partner: Option<Triangle>,
    /// The first triangle of the mesh that is exactly the same.
    twin: Option<usize>,
}

/// The textures that the meshes of a model may have.
pub(super) struct Pictures<'g> {
    /// The names of those of the model itself, and of those in its meshes.
    names: Vec<Vec<u8>>,
    /// The export.
    exported: &'g Glb,
}

impl<'g> Pictures<'g> {
    /// Takes the textures of a model, and the names in its meshes.
    pub(super) fn new<'a>(own: Textures<'a>, names: impl Iterator<Item = &'a [u8]>, exported: &'g Glb) -> Self {
        let own: Vec<_> = own.iter().collect();
        let names = own.iter().map(Texture::real_name).chain(names).map(<[u8]>::to_vec).collect();
        Self { names, exported }
    }

    /// Returns the full name of a texture; programs drop or replace its end.
    fn find(&self, name: &str) -> Option<&[u8]> {
        let is_same = |other: &&Vec<u8>| stem(&String::from_utf8_lossy(other)).eq_ignore_ascii_case(stem(name));
        self.names.iter().find(is_same).map(Vec::as_slice)
    }

    /// Whether the export has the picture of a texture.
    fn has_shown(&self, name: &[u8]) -> bool {
        self.exported.has_picture(&String::from_utf8_lossy(name))
    }
}

/// Compares a level with the primitives that it has become. Returns the meshes of the new level, `None` if it is as before. `notes`
/// gets materials of which attributes are missing.
pub(super) fn compare<'a>(
    lod: &Lod<'a>,
    color: Name<'a>,
    textures: &Pictures<'_>,
    primitives: &[Primitive],
    path: &Path,
    notes: &mut Vec<(String, &'static str)>,
) -> Result<Option<Vec<NewMesh>>> {
    let mut all: Vec<Old<'a>> = Vec::new();
    for mesh in lod.meshes.iter() {
        all.push(old(lod, mesh, color)?);
    }
    let refused = |why: String| EditError::wrong(path, why);
    let order = lod.draw_order();
    // Where each edited triangle belongs, if it is one of the original.
    let mut homes: Vec<Vec<Option<usize>>> = primitives.iter().map(|all| vec![None; all.triangles.len()]).collect();
    find_unmoved(&mut all, &order, primitives, &mut homes);
    assign(&mut all, &order, primitives);
    // The meshes that have become each primitive, in drawing order.
    let mut became = vec![Vec::new(); primitives.len()];
    for &mesh in &order {
        let primitive = all.get(mesh).and_then(|old| old.primitive).and_then(|number| became.get_mut(number));
        primitive.into_iter().for_each(|meshes| meshes.push(mesh));
    }
    for ((primitive, homes), meshes) in primitives.iter().zip(&mut homes).zip(&became) {
        pair_moved(&mut all, meshes, primitive, homes);
    }
    let mut meshes: Vec<NewMesh> = Vec::new();
    for old in &all {
        meshes.push(kept(old, textures, primitives, notes).map_err(refused)?);
    }
    let tinted = primitives.iter().map(|primitive| &primitive.look).find(|look| look.is_tinted());
    if let Some(look) = tinted {
        let name = quote(&look.name);
        let why = "the game shows pictures without a color or opacity of their material; edit the PNG in `textures`";
        return Err(refused(format!("material {name}: {why}")));
    }
    for ((primitive, homes), became) in primitives.iter().zip(&homes).zip(&became) {
        let became = became.iter().filter(|&&mesh| {
            all.get(mesh).is_some_and(|old| old.has_partners() || old.can_look_like(&primitive.look, textures))
        });
        add_new(&all, (primitive, became.min().copied()), homes, textures, &mut meshes);
    }
    let is_same = meshes.iter().zip(&all).all(|(new, old)| new.is_same(&old.mesh)) && meshes.len() == all.len();
    Ok((!is_same).then_some(meshes))
}

/// Returns how many triangles a level and primitives do not share. Levels can have all triangles of coarser ones.
pub(super) fn difference<'a>(lod: &Lod<'a>, color: Name<'a>, primitives: &[Primitive]) -> usize {
    let olds = lod.meshes.iter().filter_map(|mesh| old(lod, mesh, color).ok());
    let olds = olds.filter(|old| old.look.shading != Shading::Wireframe).flat_map(|old| old.triangles);
    let ours: HashSet<_> = olds.map(|triangle| key(&triangle.shown)).collect();
    let theirs: HashSet<_> = primitives.iter().flat_map(|all| &all.triangles).map(key).collect();
    ours.symmetric_difference(&theirs).count()
}

fn old<'a>(lod: &Lod<'a>, mesh: Mesh<'a>, color: Name<'a>) -> worldview_island::Result<Old<'a>> {
    let look = mesh.material(color);
    let mut geometry = Geometry::default();
    mesh.decode_into(&mut geometry)?;
    let mut sources = Vec::with_capacity(geometry.positions.len());
    for (at, corner) in mesh.corners.iter().enumerate().filter(|(_, corner)| corner.is_new()) {
        let uv = mesh.uv_indices.get(at).filter(|_| !lod.uvs.is_empty()).map(|index| index.get());
        sources.push(Source { position: corner.position(), normal: corner.normal(), uv });
    }
    let is_textured = !mesh.texture.is_absent();
    let shown = |index: u16| {
        let index = usize::from(index);
        let finite = |float: f32| if float.is_finite() { float } else { 0.0 };
        Some(Corner {
            position: geometry.positions.get(index)?.map(finite),
            normal: geometry.normals.get(index).filter(|_| look.shading == Shading::Smooth).copied(),
            uv: geometry.uvs.get(index).filter(|_| is_textured).map(|uv| uv.map(finite)),
        })
    };
    let triangles = geometry.indices.as_chunks::<3>().0.iter().filter_map(|triangle| {
        let [a, b, c] = triangle.map(shown);
        let source = |index: u16| sources.get(usize::from(index)).copied();
        let [d, e, f] = triangle.map(source);
        Some(OldTriangle { corners: [d?, e?, f?], shown: [a?, b?, c?], partner: None, twin: None })
    });
    let mut triangles: Vec<OldTriangle> = triangles.collect();
    let mut first: HashMap<[[i64; 3]; 3], Vec<usize>> = HashMap::new();
    for at in 0..triangles.len() {
        let Some(triangle) = triangles.get(at).copied() else { continue };
        let same = first.entry(key(&triangle.shown)).or_default();
        // Few triangles have one place, except in files made to take long.
        let twin = same
            .iter()
            .take(64)
            .copied()
            .find(|other| triangles.get(*other).is_some_and(|other| is_exactly(&other.shown, &triangle.shown)));
        match (twin, triangles.get_mut(at)) {
            (Some(_), Some(triangle)) => triangle.twin = twin,
            _ => same.push(at),
        }
    }
    Ok(Old { triangles, mesh, look, primitive: None })
}

/// A triangle by its positions, whichever comes first. Positions are rounded, so that most that are near are equal.
pub(super) fn key(triangle: &Triangle) -> [[i64; 3]; 3] {
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
    let round = |float: f32| (f64::from(float) * 512.0).round() as i64;
    let mut all = triangle.map(|corner| corner.position.map(round));
    let first = all.iter().enumerate().min_by_key(|(_, position)| **position).map_or(0, |(at, _)| at);
    all.rotate_left(first);
    all
}

/// Finds the triangles whose positions are as they were.
fn find_unmoved(all: &mut [Old<'_>], order: &[usize], primitives: &[Primitive], homes: &mut [Vec<Option<usize>>]) {
    let mut places: HashMap<[[i64; 3]; 3], Vec<(usize, usize)>> = HashMap::new();
    for &mesh in order.iter().rev() {
        // Wireframes are lines, not triangles.
        let Some(old) = all.get(mesh).filter(|old| old.look.shading != Shading::Wireframe) else { continue };
        for (at, triangle) in old.triangles.iter().enumerate().rev() {
            places.entry(key(&triangle.shown)).or_default().push((mesh, at));
        }
    }
    // Triangles of one place are taken in order; first those whose material has the same name and the same picture.
    for (by_name, by_picture) in [(true, true), (true, false), (false, false)] {
        for (number, (primitive, homes)) in primitives.iter().zip(homes.iter_mut()).enumerate() {
            for (triangle, home) in primitive.triangles.iter().zip(homes).filter(|(_, home)| home.is_none()) {
                let Some(list) = places.get_mut(&key(triangle)) else { continue };
                let fits = |&(mesh, _): &(usize, usize)| {
                    all.get(mesh).is_some_and(|old| {
                        let has_picture = match (old.look.texture, &primitive.look.texture) {
                            (Some(was), Some(picture)) => {
                                stem(&String::from_utf8_lossy(was)).eq_ignore_ascii_case(stem(picture))
                            }
                            (was, picture) => was.is_none() && picture.is_none(),
                        };
                        if by_name {
                            is_named(&old.mesh, &primitive.look.name) && (has_picture || !by_picture)
                        } else {
                            old.primitive.unwrap_or(number) == number
                        }
                    })
                };
                // Few triangles have one place, except in files made to take long.
                let at = list
                    .iter()
                    .rev()
                    .take(64)
                    .position(fits)
                    .and_then(|back| list.len().checked_sub(back)?.checked_sub(1));
                let Some(at) = at else { continue };
                let (mesh, at) = list.remove(at);
                let Some(old) = all.get_mut(mesh) else { continue };
                old.primitive.get_or_insert(number);
                if let Some(old) = old.triangles.get_mut(at) {
                    (old.partner, *home) = (Some(turned(triangle, &old.shown)), Some(mesh));
                }
            }
        }
    }
}

/// Whether a material has the name of a mesh's, perhaps with the number of a repeated one.
fn is_named(mesh: &Mesh<'_>, name: &str) -> bool {
    let text = String::from_utf8_lossy(mesh.material.text());
    text == name || text == stem(name)
}

/// A triangle with the corner first that is nearest to the first one of another.
pub(super) fn turned(triangle: &Triangle, to: &Triangle) -> Triangle {
    let distance = |by: usize| {
        let mut turned = *triangle;
        turned.rotate_left(by);
        let squares = turned.iter().zip(to).flat_map(|(a, b)| a.position.into_iter().zip(b.position));
        squares.map(|(a, b)| (a - b) * (a - b)).sum::<f32>()
    };
    let by = (0..3).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
    let mut turned = *triangle;
    turned.rotate_left(by);
    turned
}

/// Finds the primitive of each mesh of which no triangle was found: the one of its material, else the next one.
fn assign(all: &mut [Old<'_>], order: &[usize], primitives: &[Primitive]) {
    let mut names = HashMap::new();
    for (number, primitive) in primitives.iter().enumerate() {
        names.entry(primitive.look.name.as_str()).or_insert(number);
        names.entry(stem(&primitive.look.name)).or_insert(number);
    }
    let mut is_taken = vec![false; primitives.len()];
    for old in all.iter() {
        old.primitive.and_then(|found| is_taken.get_mut(found)).into_iter().for_each(|taken| *taken = true);
    }
    // No primitive before this one is free.
    let mut first = 0;
    for &at in order {
        let Some(old) = all.get_mut(at).filter(|old| old.primitive.is_none() && !old.triangles.is_empty()) else {
            continue;
        };
        if old.look.shading == Shading::Wireframe {
            continue;
        }
        while is_taken.get(first) == Some(&true) {
            first = first.saturating_add(1);
        }
        let free = (first < primitives.len()).then_some(first);
        old.primitive = names.get(&*String::from_utf8_lossy(old.mesh.material.text())).copied().or(free);
        old.primitive.and_then(|found| is_taken.get_mut(found)).into_iter().for_each(|taken| *taken = true);
    }
}

/// Pairs the other triangles of a primitive in order, if there are as many as in the original.
fn pair_moved(all: &mut [Old<'_>], meshes: &[usize], primitive: &Primitive, homes: &mut [Option<usize>]) {
    let mut places: Vec<(usize, usize)> = meshes
        .iter()
        .filter_map(|&mesh| Some((mesh, all.get(mesh)?)))
        .flat_map(|(mesh, old)| (0..old.triangles.len()).map(move |at| (mesh, at)))
        .filter(|&(mesh, at)| {
            let triangle = all.get(mesh).and_then(|old| old.triangles.get(at));
            triangle.is_some_and(|triangle| triangle.partner.is_none() && !is_degenerate(&triangle.shown))
        })
        .collect();
    let count = homes.iter().filter(|home| home.is_none()).count();
    if places.len() != count {
        // Programs drop exact duplicates.
        let has_twin = |&(mesh, at): &(usize, usize)| {
            all.get(mesh).and_then(|old| old.triangles.get(at)).is_some_and(|triangle| triangle.twin.is_some())
        };
        places.retain(|place| !has_twin(place));
        if places.len() != count {
            return;
        }
    }
    let moved = primitive.triangles.iter().zip(homes).filter(|(_, home)| home.is_none());
    for ((triangle, home), (mesh, at)) in moved.zip(places) {
        if let Some(old) = all.get_mut(mesh).and_then(|old| old.triangles.get_mut(at)) {
            (old.partner, *home) = (Some(turned(triangle, &old.shown)), Some(mesh));
        }
    }
}

/// Whether two triangles are the same to the last bit, whichever corner comes first.
pub(super) fn is_exactly(a: &Triangle, b: &Triangle) -> bool {
    (0..3).any(|by| {
        let mut b = *b;
        b.rotate_left(by);
        *a == b
    })
}

/// Whether a triangle has no area, so that programs may drop it.
pub(super) fn is_degenerate(triangle: &Triangle) -> bool {
    let [a, b, c] = triangle.map(|corner| corner.position);
    a == b || b == c || c == a
}

/// Returns what has become of a mesh of the original.
fn kept(
    old: &Old<'_>,
    textures: &Pictures<'_>,
    primitives: &[Primitive],
    notes: &mut Vec<(String, &'static str)>,
) -> std::result::Result<NewMesh, String> {
    let mut mesh = NewMesh::like(&old.mesh);
    let is_wire = old.look.shading == Shading::Wireframe;
    let mut missing: Option<&'static str> = None;
    for triangle in &old.triangles {
        // Programs drop exact duplicates, and the original keeps its own.
        let twin = triangle.twin.and_then(|twin| old.triangles.get(twin)).and_then(|twin| twin.partner);
        match triangle.partner.or(twin) {
            Some(partner) => {
                let lacks = |has: fn(&Corner) -> bool| {
                    triangle.shown.iter().zip(&partner).any(|(old, new)| has(old) && !has(new))
                };
                if lacks(|corner| corner.normal.is_some()) {
                    missing = Some("normals");
                } else if lacks(|corner| corner.uv.is_some()) {
                    missing = Some("texture coordinates");
                }
                let corners = triangle.corners.iter().zip(&triangle.shown).zip(&partner);
                mesh.corners.extend(corners.map(|((source, shown), new)| changed(*source, shown, new)));
            }
            // Programs drop triangles without area, and do not know wireframes.
            None if is_wire || is_degenerate(&triangle.shown) => {
                mesh.corners.extend(triangle.corners.map(NewCorner::Old));
            }
            None => {}
        }
    }
    if let Some(primitive) = old.primitive.and_then(|number| primitives.get(number)) {
        paint(old, &primitive.look, textures, &mut mesh)?;
        missing.into_iter().for_each(|what| notes.push((primitive.look.name.clone(), what)));
    }
    Ok(mesh)
}

/// Returns a corner with what has changed in it.
fn changed(source: Source, shown: &Corner, new: &Corner) -> NewCorner {
    let near = |a: f32, b: f32| (a - b).abs() <= NEAR * a.abs().max(1.0);
    // A number that is near stays as it was, even if another one of the same point changed.
    let snap = |a: f32, b: f32| if near(a, b) { a } else { b };
    let [x, y, z] = shown.position;
    let position = [snap(x, new.position[0]), snap(y, new.position[1]), snap(z, new.position[2])];
    let position = (position != shown.position).then_some(position);
    let uv = shown.uv.zip(new.uv).map(|([u, v], [new_u, new_v])| ([u, v], [snap(u, new_u), snap(v, new_v)]));
    let uv = uv.filter(|(old, new)| old != new);
    let normal = shown.normal.zip(new.normal).filter(|(old, new)| {
        let length = |normal: &[f32; 3]| normal.iter().map(|part| part * part).sum::<f32>().sqrt();
        let (old_length, new_length) = (length(old), length(new));
        // A normal without direction was replaced when it was exported.
        (f32::MIN_POSITIVE..f32::MAX).contains(&old_length)
            && new_length > 0.0
            && old.iter().zip(new).any(|(a, b)| (a / old_length - b / new_length).abs() > NEAR_NORMAL)
    });
    match (position, normal, uv) {
        (None, None, None) => NewCorner::Old(source),
        (position, normal, uv) => {
            NewCorner::Changed { source, position, normal: normal.map(|(_, new)| new), uv: uv.map(|(_, new)| new) }
        }
    }
}

impl Old<'_> {
    /// Whether any triangle is still there.
    fn has_partners(&self) -> bool {
        self.triangles.iter().any(|triangle| triangle.partner.is_some())
    }

    /// Whether the mesh, without any of its triangles, can have those of a material: a texture, and colors of objects, stay.
    fn can_look_like(&self, look: &MaterialLook, textures: &Pictures<'_>) -> bool {
        match (self.look.texture, &look.texture) {
            (Some(was), Some(picture)) => textures.exported.are_equal_pictures(&String::from_utf8_lossy(was), picture),
            (Some(was), None) => !textures.has_shown(was),
            (None, Some(_)) => false,
            (None, None) => !self.mesh.inherits() || look.color == self.look.color,
        }
    }
}

/// Gives a mesh the color, opacity and texture of its material, where they changed.
fn paint(
    old: &Old<'_>,
    look: &MaterialLook,
    textures: &Pictures<'_>,
    mesh: &mut NewMesh,
) -> std::result::Result<(), String> {
    // A mesh that lost all its triangles has no material of its own.
    let is_there = old.has_partners();
    let name = quote(&look.name);
    match (old.look.texture, &look.texture) {
        (Some(was), Some(picture)) if is_there => {
            let was = String::from_utf8_lossy(was);
            // Blender merges equal pictures: only another picture is a change.
            if !textures.exported.are_equal_pictures(&was, picture) {
                let Some(new) = textures.find(picture) else {
                    return Err(format!("material {name}: the model has no texture {}", quote(picture)));
                };
                let is_noted =
                    |noted: &String| [&*was, picture].iter().all(|name| !stem(noted).eq_ignore_ascii_case(stem(name)));
                if look.noted.as_ref().is_some_and(is_noted) {
                    return Err(format!("material {name}: its picture and the texture in its extras differ"));
                }
                mesh.texture = new.to_vec();
            }
            return rename(old, look, mesh);
        }
        (Some(was), None) if is_there && textures.has_shown(was) => {
            let was = String::from_utf8_lossy(was);
            return Err(format!("material {name}: it has lost its picture {}; a mesh keeps its texture", quote(&was)));
        }
        (None, Some(picture)) if is_there => {
            let picture = quote(picture);
            return Err(format!("material {name}: its mesh has no texture, so it cannot show {picture}"));
        }
        (None, None) => {}
        _ => return Ok(()),
    }
    if is_there {
        rename(old, look, mesh)?;
    }
    let has_color = look.color != old.look.color;
    let has_opacity = (look.opacity - old.look.opacity.clamp(0.0, 1.0)).abs() > 1.0 / 512.0;
    if old.mesh.inherits() && is_there && (has_color || has_opacity) {
        return Err(format!("material {name}: its color is that of its object; set `color_name` of the object"));
    }
    if let Ok(surface) = Surface::mut_from_bytes(&mut mesh.surface)
        && !old.mesh.inherits()
    {
        if has_color {
            [surface.red, surface.green, surface.blue] = look.color;
            surface.alias = 0;
        }
        if has_opacity {
            surface.alpha = look.opacity.into();
        }
    }
    Ok(())
}

/// Gives a mesh the name of its material, if that changed.
fn rename(old: &Old<'_>, look: &MaterialLook, mesh: &mut NewMesh) -> std::result::Result<(), String> {
    let was = String::from_utf8_lossy(old.mesh.material.text());
    // Blender gives names to materials that have none, and numbers to equal ones.
    let is_given = was.is_empty() && (look.name.is_empty() || look.name.starts_with("Material"));
    if is_given || is_named(&old.mesh, &look.name) {
        return Ok(());
    }
    let is_inherited = look.name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("inh"));
    if !look.name.is_ascii() || look.name.is_empty() || is_inherited || look.name.len() > 255 {
        let why = "new names have 1 to 255 ASCII characters, and do not begin with \"inh\"";
        return Err(format!("material {}: was {}; {why}", quote(&look.name), quote(&was)));
    }
    mesh.material = look.name.clone().into();
    Ok(())
}

/// Adds the triangles that the original does not have: to the mesh of the triangle before, to the first one that `became` the
/// primitive, or to a new mesh.
fn add_new(
    all: &[Old<'_>],
    (primitive, became): (&Primitive, Option<usize>),
    homes: &[Option<usize>],
    textures: &Pictures<'_>,
    meshes: &mut Vec<NewMesh>,
) {
    let mut home = homes.iter().flatten().next().copied().or(became);
    let mut is_new = false;
    for (triangle, found) in primitive.triangles.iter().zip(homes) {
        if let Some(found) = found {
            home = if is_new { home } else { Some(*found) };
            continue;
        }
        let target = *home.get_or_insert_with(|| {
            is_new = true;
            let mut mesh = NewMesh::of(&primitive.look, primitive.triangles.first());
            // Blender drops the end of the names of pictures.
            let full = textures.find(&String::from_utf8_lossy(&mesh.texture)).map(<[u8]>::to_vec);
            full.into_iter().for_each(|name| mesh.texture = name);
            meshes.push(mesh);
            meshes.len().saturating_sub(1)
        });
        let Some(mesh) = meshes.get_mut(target) else { continue };
        let has_uvs = all.get(target).map_or(mesh.has_uvs, |old| !old.mesh.uv_indices.is_empty());
        mesh.corners.extend(triangle.iter().map(|corner| NewCorner::New {
            position: corner.position,
            normal: corner.normal.unwrap_or_else(|| across(triangle)),
            uv: corner.uv.filter(|_| has_uvs),
        }));
    }
}

/// The direction across a triangle.
fn across(triangle: &Triangle) -> [f32; 3] {
    let [a, b, c] = triangle.map(|corner| corner.position);
    let minus = |a: [f32; 3], b: [f32; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let (u, v) = (minus(b, a), minus(c, a));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = cross.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 0.0 { cross.map(|part| part / length) } else { [0.0, 1.0, 0.0] }
}

/// A name without the number that Blender appends to repeated ones, or the end that it drops.
pub(super) fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, end)) if !end.is_empty() && end.len() <= 4 => stem,
        _ => name,
    }
}
