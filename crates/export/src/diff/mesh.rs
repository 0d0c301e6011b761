use worldview_core::zerocopy::little_endian::U32;
use worldview_island::raw::{Corner, Surface};
use worldview_island::{Geometry, Lod, Lods, Mesh};

use super::named;
use super::report::{Report, floats, same_floats};

/// Compares levels of detail, by their numbers.
pub(super) fn lods(left: Lods<'_>, right: Lods<'_>, report: &mut Report<'_>) {
    let (mut of_left, mut of_right) = (left.iter(), right.iter());
    // Not gathered: a level can be four bytes, and the list of them many times the file.
    for index in 0_u64.. {
        match (of_left.next(), of_right.next()) {
            (Some(left), Some(right)) => {
                report.within(format_args!("LOD {index}"), |report| lod(&left, &right, report));
            }
            (Some(_), None) => report.removed(format_args!("LOD {index}"), None),
            (None, Some(_)) => report.added(format_args!("LOD {index}"), None),
            (None, None) => break,
        }
    }
}

fn lod(left: &Lod<'_>, right: &Lod<'_>, report: &mut Report<'_>) {
    let hexadecimal = |word: u32| format!("{word:#x}");
    report.value("flags", hexadecimal(left.flags), hexadecimal(right.flags));
    let unused = |lod: &Lod<'_>| lod.counts.map_or(0, |counts| counts.unused_bits());
    report.value("unused_bits", hexadecimal(unused(left)), hexadecimal(unused(right)));
    let (mut of_left, mut of_right) = (left.meshes.iter(), right.meshes.iter());
    let mut geometry = (Geometry::default(), Geometry::default());
    for index in 0_u64.. {
        match (of_left.next(), of_right.next()) {
            (Some(left), Some(right)) => report.within(format_args!("mesh {index}"), |report| {
                mesh(&left, &right, &mut geometry, report);
            }),
            (Some(left), None) => report.removed(format_args!("mesh {index}"), Some(&size(&left))),
            (None, Some(right)) => report.added(format_args!("mesh {index}"), Some(&size(&right))),
            (None, None) => break,
        }
    }
}

fn size(mesh: &Mesh<'_>) -> String {
    format!("{} triangles, {} vertices", mesh.triangles, mesh.vertices)
}

fn mesh(left: &Mesh<'_>, right: &Mesh<'_>, buffers: &mut (Geometry, Geometry), report: &mut Report<'_>) {
    report.value("triangles", left.triangles, right.triangles);
    report.value("vertices", left.vertices, right.vertices);
    let (of_left, of_right) = (left.surface, right.surface);
    let color = |surface: &Surface| crate::hex(&[surface.red, surface.green, surface.blue]);
    report.value("color", color(of_left), color(of_right));
    report.floats("alpha", &[of_left.alpha.get()], &[of_right.alpha.get()]);
    report.value("shading", of_left.shading, of_right.shading);
    report.value("specular", of_left.specular, of_right.specular);
    report.value("unknown", of_left.unknown, of_right.unknown);
    report.value("alias", of_left.alias, of_right.alias);
    named::field("texture", left.texture, right.texture, report);
    named::field("material", left.material, right.material, report);
    let uvs = |mesh: &Mesh<'_>| if mesh.uv_index_count == 0 { "none" } else { "given" };
    report.value("uv_index_count", uvs(left), uvs(right));
    match (left.decode_into(&mut buffers.0), right.decode_into(&mut buffers.1)) {
        (Ok(()), Ok(())) => geometry(&buffers.0, &buffers.1, report),
        (Err(_), Err(_)) => {
            // Nobody can rebuild them: what is stored is all there is.
            let corner = |index, corner: &Corner| format!("{:#010x} at {index}", corner.get());
            report.elements("corners", (left.corners, right.corners), PartialEq::eq, corner);
            let uv = |index, uv: &U32| format!("{uv} at {index}");
            report.elements("uv_indices", (left.uv_indices, right.uv_indices), PartialEq::eq, uv);
        }
        (first, _) => {
            let (whole, broken) = ("whole", "broken");
            let (left, right) = if first.is_ok() { (whole, broken) } else { (broken, whole) };
            report.value("geometry", left, right);
        }
    }
}

fn geometry(left: &Geometry, right: &Geometry, report: &mut Report<'_>) {
    let point = |index: usize, point: &[f32; 3]| format!("{} at {index}", floats(point));
    let same = |left: &[f32; 3], right: &[f32; 3]| same_floats(left, right);
    report.elements("positions", (&left.positions, &right.positions), same, point);
    report.elements("normals", (&left.normals, &right.normals), same, point);
    let uv = |index: usize, uv: &[f32; 2]| format!("{} at {index}", floats(uv));
    report.elements("uvs", (&left.uvs, &right.uvs), |left, right| same_floats(left, right), uv);
    let (left, right) = (left.indices.as_chunks::<3>().0, right.indices.as_chunks::<3>().0);
    report.elements("triangle_corners", (left, right), PartialEq::eq, |index, [a, b, c]| {
        format!("{a} {b} {c} at {index}")
    });
}
