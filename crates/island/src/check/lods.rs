use worldview_core::Place;

use super::{Checker, not_finite};
use crate::finding::FindingKind;
use crate::lod::{Lod, Lods};
use crate::material::color_of;
use crate::mesh::Mesh;
use crate::raw::Corner;
use crate::resolve::ScopedNames;

/// The known flags, including 0x10, which the game sets and clears at run time.
const KNOWN_FLAGS: u32 = Lod::NO_DATA | Lod::EXTRA | 0x10;

/// Checks the levels of detail of a part or object whose end offset is `end`.
pub(super) fn check<'a>(lods: Lods<'a>, owner: u64, end: Option<u64>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    if lods.is_empty() {
        checker.report(FindingKind::LodEmpty, owner, place);
    }
    let (mut reached, mut before) = (lods.offset(), 0);
    for (index, lod) in (0_u32..).zip(lods.iter()) {
        let place = place.with("LOD", Some(index), &[]);
        let bits = lod.flags & !KNOWN_FLAGS;
        if bits != 0 {
            checker.report(FindingKind::LodFlags { bits }, lod.at, place);
        }
        if lod.is_extra() && index > 0 {
            checker.report(FindingKind::LodExtraLate, lod.at, place);
        }
        let triangles = lod.triangles();
        if triangles < before {
            checker.report(FindingKind::LodOrder { triangles, before }, lod.at, place);
        }
        level(&lod, place, checker);
        (reached, before) = (lod.end, triangles);
    }
    if let Some(end) = end
        && end > reached
    {
        checker.report(FindingKind::EndGap { len: end.saturating_sub(reached) }, reached, place);
    }
}

fn level<'a>(lod: &Lod<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let Some(counts) = lod.counts else {
        return checker.report(FindingKind::LodEmpty, lod.at, place);
    };
    let at = lod.at.saturating_add(8);
    let bits = counts.unused_bits();
    if bits != 0 {
        checker.report(FindingKind::PoolBits { bits }, at, place);
    }
    let found = counts.uvs.get();
    if found < 0 {
        checker.report(FindingKind::UvCountNegative { found }, at.saturating_add(4), place);
    }
    checker.finite("positions", not_finite(lod.positions), lod.at, place);
    checker.finite("normals", not_finite(lod.normals), lod.at, place);
    let bad = lod.uvs.iter().flat_map(|uv| uv.get()).filter(|number| !number.is_finite()).count();
    checker.finite("texture coordinates", bad, lod.at, place);
    for (index, mesh) in (0_u32..).zip(lod.meshes.iter()) {
        self::mesh(&mesh, lod, place.with("mesh", Some(index), mesh.material.text()), checker);
    }
}

fn mesh<'a>(mesh: &Mesh<'a>, lod: &Lod<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let at = mesh.at;
    checker.blob_name(mesh.texture, "its texture name", at, place);
    checker.blob_name(mesh.material, "its material name", at, place);
    if mesh.corners.is_empty() {
        checker.report(FindingKind::MeshEmpty, at, place);
    }
    let want = mesh.corners.len();
    let found = mesh.uv_index_count;
    if found != 0 && usize::try_from(found) != Ok(want) {
        checker.report(FindingKind::UvIndexCount { found, want }, mesh.uv_indices_at().saturating_sub(4), place);
    }
    if found != 0 && lod.uvs.is_empty() {
        checker.report(FindingKind::UvIndicesUnused, mesh.uv_indices_at(), place);
    }
    if !mesh.texture.is_absent() && (found == 0 || lod.uvs.is_empty()) {
        checker.report(FindingKind::TextureWithoutUv, at, place);
    }
    surface(mesh, place, checker);
    corners(mesh, place, checker);
}

fn surface<'a>(mesh: &Mesh<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let (surface, at) = (mesh.surface, mesh.at);
    if surface.alias != 0 {
        checker.report(FindingKind::Alias, at, place);
        if mesh.texture.is_absent() && color_of(mesh.material.text()).is_none() {
            checker.report(FindingKind::AliasUnknown, at, place);
        }
    }
    if surface.shading > 2 {
        checker.report(FindingKind::Shading { found: surface.shading }, at, place);
    }
    if !(0.0..=1.0).contains(&surface.alpha.get()) {
        checker.report(FindingKind::Alpha, at, place);
    }
}

fn corners<'a>(mesh: &Mesh<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let geometry = &mut checker.geometry;
    let is_odd = |corner: &&Corner| !corner.is_new() && corner.get() >> 16 != u32::from(corner.back());
    let odd = mesh.corners.iter().filter(is_odd).count();
    let decoded = mesh.decode_into(geometry);
    let is_degenerate = |corners: &[u16; 3]| {
        let [a, b, c] = *corners;
        a == b || b == c || c == a
    };
    let count = geometry.indices.as_chunks().0.iter().filter(|&corners| is_degenerate(corners)).count();
    if odd > 0 {
        checker.report(FindingKind::BackReferenceHigh { count: odd }, mesh.corners_at, place);
    }
    match decoded {
        Err(error) => checker.report(FindingKind::MeshBroken { what: error.what, kind: error.kind }, error.at, place),
        Ok(()) if count > 0 => checker.report(FindingKind::TriangleDegenerate { count }, mesh.corners_at, place),
        Ok(()) => {}
    }
}

/// Reports textures that meshes name but that cannot be resolved.
pub(super) fn names<'a>(
    lods: Lods<'a>,
    names: &ScopedNames<'_, '_, 'a>,
    place: Place<'a>,
    checker: &mut Checker<'_, 'a>,
) {
    for mesh in lods.iter().flat_map(|lod| lod.meshes.iter()) {
        if !mesh.texture.is_absent() && names.texture(mesh.texture.text()).is_none() {
            let place = place.with("texture", None, mesh.texture.text());
            checker.report(FindingKind::TextureUnresolved, mesh.at, place);
        }
    }
}
