//! Levels of detail, meshes and their corners.

use super::{Cases, lod, mesh_of, model, with_lod, with_mesh};
use crate::island::spec::CornerSpec::{Back, New, Raw};
use crate::island::spec::{CornerSpec, LodSpec, LodsSpec, MeshSpec};

/// Returns a new vertex without a texture coordinate.
fn new(vertex: u16, normal: u16) -> CornerSpec {
    New { vertex, normal, uv: 0 }
}

pub(super) fn lods(cases: &mut Cases) {
    for flags in [4, 0xC, 0x14, 0xFFFF_FFFF] {
        cases.model(&format!("a level with flags {flags:#x} and nothing behind them"), with_lod(LodSpec::empty(flags)));
    }
    for flags in [8, 0x10, 3, 0x400, 0xFFFF_FFFB] {
        let lod = LodSpec { flags, ..lod() };
        cases.model(&format!("a level with flags {flags:#x}"), with_lod(lod));
    }
    cases.model("a level without meshes", with_lod(LodSpec::empty(0)));
    let mut many = model();
    let list = vec![LodSpec::empty(8), LodSpec::empty(4), lod(), LodSpec::empty(0), LodSpec::empty(0xC), lod()];
    many.roi.children[0].lods = LodsSpec::Own { lods: list, before_end: Vec::new() };
    cases.model("levels of each kind one after another", many);
    let odd = LodSpec { count_bits: 0x1_8000, ..lod() };
    cases.model("a level with the two bits of its counts that mean nothing", with_lod(odd));
    let mut plain = lod();
    plain.meshes.remove(0);
    plain.uvs.clear();
    for count in [0, -1, i32::MIN] {
        cases.model(
            &format!("a level with {count} texture coordinates"),
            with_lod(LodSpec { uv_count: Some(count), ..plain.clone() }),
        );
    }
    let mut unread = lod();
    unread.uvs.clear();
    unread.uv_count = Some(-1);
    cases.model("indices of texture coordinates without coordinates", with_lod(unread));
    let mut unused = lod();
    unused.vertices.push([9.0; 3]);
    unused.normals.push([0.0; 3]);
    unused.uvs.push([7.0, -7.0]);
    cases.model("values that no mesh uses", with_lod(unused));
    let mut odd = lod();
    odd.vertices[1] = [f32::NAN, f32::INFINITY, -0.0];
    odd.normals[0] = [0.0; 3];
    odd.uvs[0] = [f32::NEG_INFINITY, f32::MIN_POSITIVE / 2.0];
    cases.model("floats that are no numbers", with_lod(odd));
    let mut largest = lod();
    largest.vertices.resize(0x7FFF, [1.0, 2.0, 3.0]);
    largest.meshes.push(mesh_of(&[new(0x7FFE, 0), new(0x7FFD, 1), new(0, 0)]));
    cases.model("most positions", with_lod(largest));
}

pub(super) fn meshes(cases: &mut Cases) {
    let triangle = || mesh_of(&[new(0, 0), new(1, 0), new(2, 1)]);
    for shading in [0, 1, 2, 3, 255] {
        cases.model(&format!("shading {shading}"), with_mesh(MeshSpec { shading, ..triangle() }));
    }
    for alpha in [0.6, 1.0, 2.0, -0.5, f32::NAN] {
        cases.model(&format!("alpha {alpha}"), with_mesh(MeshSpec { alpha, ..triangle() }));
    }
    cases.model("specular and unknown bytes", with_mesh(MeshSpec { specular: 1, unknown: 255, ..triangle() }));
    cases.model("a mesh without triangles", with_mesh(mesh_of(&[])));
    let none = MeshSpec { uv_index_count: Some(7), ..mesh_of(&[]) };
    cases.model("a mesh without triangles with a count of indices", with_mesh(none));
    cases.model(
        "a mesh without triangles with a count of vertices",
        with_mesh(MeshSpec { vertices: Some(1), ..mesh_of(&[]) }),
    );
    for count in [1, 2, 4, u32::MAX] {
        let mesh = MeshSpec { has_uvs: true, uv_index_count: Some(count), ..triangle() };
        cases.model(&format!("{count} indices of texture coordinates for 3 corners"), with_mesh(mesh));
    }
    let names = MeshSpec { texture: b"Brick.gif\0junk".to_vec(), material: b"Lego Red\0junk".to_vec(), ..triangle() };
    cases.model("names of a mesh with a NUL", with_mesh(MeshSpec { has_uvs: true, ..names }));
}

pub(super) fn corners(cases: &mut Cases) {
    let high = |low: u32| Raw { corner: low, uv: u32::MAX };
    for (name, corners) in [
        ("three new corners", [new(0, 0), new(1, 0), new(2, 0)]),
        ("a corner that goes back", [new(0, 0), Back(0), new(2, 0)]),
        ("corners that all go back to the first", [new(4, 1), Back(0), Back(0)]),
        ("a corner whose high half differs", [new(0, 0), high(0x7FFF_0000), new(1, 1)]),
        ("the same corner twice as a new one", [new(3, 1), new(3, 1), new(0, 0)]),
        ("the last position and normal", [new(4, 1), new(0, 0), new(1, 0)]),
        ("a first corner that goes back", [Back(0), new(0, 0), new(1, 0)]),
        ("a corner that goes back to itself", [new(0, 0), Back(1), new(1, 0)]),
        ("a corner that goes forward", [new(0, 0), Back(2), new(1, 0)]),
        ("a corner that goes back by its high half only", [new(0, 0), high(0x0000_8000), new(1, 0)]),
        ("a position too many", [new(0, 0), new(5, 0), new(1, 0)]),
        ("a position whose 16th bit is set", [new(0, 0), new(0x8001, 0), new(1, 0)]),
        ("a normal too many", [new(0, 0), new(1, 2), new(2, 0)]),
        ("the largest position and normal", [new(0, 0), new(0xFFFF, 0x7FFF), new(1, 0)]),
    ] {
        cases.model(name, with_mesh(mesh_of(&corners)));
    }
    let with_uvs = |corners: &[CornerSpec]| MeshSpec { has_uvs: true, ..mesh_of(corners) };
    let uv = |vertex, uv| New { vertex, normal: 0, uv };
    for (name, corners) in [
        ("texture coordinates of back references that are not there", [uv(0, 3), high(0), uv(1, 0)]),
        ("a texture coordinate too many", [uv(0, 0), uv(1, 4), uv(2, 0)]),
        ("the largest texture coordinate", [uv(0, 0), uv(1, u32::MAX), uv(2, 0)]),
    ] {
        cases.model(name, with_mesh(with_uvs(&corners)));
    }
    let mut without = lod();
    without.meshes = vec![with_uvs(&[uv(0, 9), uv(1, u32::MAX), uv(2, 0)])];
    without.uvs.clear();
    cases.model("large indices without texture coordinates", with_lod(without));
    let mut none = lod();
    none.vertices.clear();
    cases.model("corners without positions", with_lod(none));
    let mut none = lod();
    none.normals.clear();
    cases.model("corners without normals", with_lod(none));
    // Every mesh starts with no vertices, so these references are invalid although the mesh before
    // has vertices.
    cases.model("a mesh that goes back into the one before", with_mesh(mesh_of(&[Back(3), Back(0), Back(1)])));
}
