//! Meshes decoded from their corners, compared with values calculated by hand.

use worldview_core::{OffsetBase, Result, Source};
use worldview_corpus::island::spec::{CornerSpec, LodSpec, MeshSpec};
use worldview_island::{Counts, ErrorKind, Geometry, Indices, Lod, Mesh, Parts, Target, Vertices};

use crate::support::with_lod;

/// Four positions, three normals and two texture coordinates, all with distinct numbers.
fn pools() -> LodSpec {
    LodSpec {
        vertices: vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]],
        normals: vec![[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]],
        uvs: vec![[0.25, 0.75], [0.125, 0.875]],
        ..LodSpec::default()
    }
}

/// Returns a mesh with these corners, each with the index of a texture coordinate.
fn mesh(corners: &[(u32, u32)], vertices: u16) -> MeshSpec {
    let corners = corners.iter().map(|&(corner, uv)| CornerSpec::Raw { corner, uv }).collect();
    MeshSpec { vertices: Some(vertices), ..MeshSpec::textured(corners, "brick.gif") }
}

/// Returns buffers of this length that held something else.
fn used(len: usize) -> Geometry {
    Geometry {
        positions: vec![[9.0; 3]; len],
        normals: vec![[9.0; 3]; len],
        uvs: vec![[9.0; 2]; len],
        indices: vec![9; len],
    }
}

/// Decodes the first mesh of a level.
fn decode(lod: Lod<'_>) -> Result<Geometry> {
    let mut geometry = used(50);
    lod.meshes.iter().next().unwrap().decode_into(&mut geometry).map(|()| geometry)
}

fn decode_mesh(mesh: MeshSpec) -> Result<Geometry> {
    with_lod(LodSpec { meshes: vec![mesh], ..pools() }, decode)
}

#[test]
fn new_vertices_take_position_normal_and_texture_coordinate() {
    // Normal 2, position 3, and so on.
    let decoded = decode_mesh(mesh(&[(0x8002_0003, 1), (0x8000_0001, 0), (0x8001_0000, 1)], 3)).unwrap();
    assert_eq!(
        decoded,
        Geometry {
            positions: vec![[10.0, 11.0, 12.0], [4.0, 5.0, 6.0], [1.0, 2.0, 3.0]],
            normals: vec![[0.0, 0.0, 0.5], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]],
            uvs: vec![[0.125, 0.875], [0.25, 0.75], [0.125, 0.875]],
            indices: vec![0, 1, 2],
        }
    );
}

#[test]
fn back_references_count_in_the_vertices_of_the_mesh() {
    // Vertex 1 has position 0, and no back reference refers to position 1.
    let corners = [(0x8000_0003, 0), (0x8000_0000, 0), (0x8000_0002, 0), (0x0001_0001, 1), (0x0000_0000, 0)];
    let decoded = decode_mesh(mesh(&[&corners[..], &[(0x8000_0001, 1)]].concat(), 4)).unwrap();
    assert_eq!(decoded.indices, [0, 1, 2, 1, 0, 3]);
    assert_eq!(decoded.positions, [[10.0, 11.0, 12.0], [1.0, 2.0, 3.0], [7.0, 8.0, 9.0], [4.0, 5.0, 6.0]]);
    assert_eq!(decoded.uvs, [[0.25, 0.75], [0.25, 0.75], [0.25, 0.75], [0.125, 0.875]]);
}

#[test]
fn a_failure_leaves_the_next_mesh_alone() {
    let good = mesh(&[(0x8000_0000, 0), (0x8000_0001, 0), (0x8000_0002, 0)], 3);
    let bad = mesh(&[(0x8000_0000, 0), (0x8000_0001, 0), (0x0000_0007, 0)], 2);
    let mut geometry = Geometry::default();
    let decoded: Vec<_> = with_lod(LodSpec { meshes: vec![bad, good], ..pools() }, |lod| {
        lod.meshes.iter().map(|mesh| mesh.decode_into(&mut geometry).is_ok()).collect()
    });
    assert_eq!(decoded, [false, true]);
    assert_eq!((geometry.positions.len(), geometry.indices.as_slice()), (3, &[0, 1, 2][..]));
}

/// Calls `look` with a mesh of two triangles and four vertices.
fn with_square(look: impl FnOnce(Mesh<'_>)) {
    let corners = [0x8000_0000, 0x8000_0001, 0x8000_0002, 0, 2, 0x8000_0003].map(|corner| (corner, 0));
    let lod = LodSpec { meshes: vec![mesh(&corners, 4)], ..pools() };
    with_lod(lod, |lod| look(lod.meshes.iter().next().unwrap()));
}

#[test]
fn memory_that_is_too_small_is_refused_before_anything_is_written() {
    with_square(|mesh| {
        assert_eq!(mesh.counts(), Counts { vertices: 4, indices: 6 });
        for missing in 0..4 {
            let mut lengths = [4, 4, 4, 6];
            lengths[missing] -= 1;
            let [positions, normals, uvs, indices] = lengths;
            let mut given = Geometry {
                positions: vec![[9.0; 3]; positions],
                normals: vec![[9.0; 3]; normals],
                uvs: vec![[9.0; 2]; uvs],
                indices: vec![9; indices],
            };
            let before = given.clone();
            let error = mesh.decode_to(&mut given.target()).unwrap_err();
            let (found, max) = if missing == 3 { (6, 5) } else { (4, 3) };
            assert_eq!((error.kind, error.at), (ErrorKind::OutOfRange { found, max }, mesh.at));
            assert_eq!(given, before);
        }
    });
}

#[test]
fn interleaved_attributes_lie_side_by_side_within_the_stride() {
    with_square(|mesh| {
        // A stride, the offsets of position, normal and texture coordinate, the number of floats, and whether that is all right.
        for (stride, [position, normal, uv], len, is_right) in [
            (8, [0, 3, 6], 32, true),
            (8, [5, 2, 0], 32, true),
            (9, [0, 3, 7], 36, true),
            (8, [0, 3, 6], 31, false),
            (7, [0, 3, 6], 32, false),
            (8, [0, 2, 6], 32, false),
            (8, [0, 3, 5], 32, false),
            (8, [0, 0, 6], 32, false),
            (8, [0, 3, 7], 32, false),
            (8, [0, usize::MAX, 3], 32, false),
            (0, [0, 3, 6], 32, false),
            (usize::MAX, [0, 3, 6], 32, false),
        ] {
            let (mut values, mut numbers) = (vec![9.0; len], [9; 6]);
            let decoded = mesh.decode_to(&mut Target {
                vertices: Vertices::Interleaved { values: &mut values, stride, position, normal, uv },
                indices: Indices::U32 { numbers: &mut numbers, base: 0 },
            });
            assert_eq!(decoded.is_ok(), is_right, "{stride} {position} {normal} {uv} {len}");
            assert_eq!(values.iter().all(|value| *value == 9.0), !is_right);
            assert_eq!(numbers, if is_right { [0, 1, 2, 0, 2, 3] } else { [9; 6] });
        }
    });
}

#[test]
fn indices_of_32_bits_reach_the_last_vertex_or_the_mesh_is_refused() {
    with_square(|mesh| {
        for (base, last) in [(u32::MAX - 4, Some(u32::MAX - 1)), (u32::MAX - 3, None)] {
            let (mut geometry, mut numbers) = (Geometry::default(), [9; 6]);
            geometry.resize(mesh.counts());
            let vertices = geometry.target().vertices;
            let decoded =
                mesh.decode_to(&mut Target { vertices, indices: Indices::U32 { numbers: &mut numbers, base } });
            assert_eq!(decoded.ok().map(|()| numbers[5]), last);
        }
    });
}

#[test]
fn a_mesh_counts_no_more_vertices_than_it_has_corners() {
    let lod = LodSpec { meshes: vec![mesh(&[(0x8000_0000, 0), (0x8000_0001, 0), (0, 0)], u16::MAX)], ..pools() };
    with_lod(lod, |lod| {
        assert_eq!(lod.counts(), Counts { vertices: 3, indices: 3 });
        let mut geometry = used(3);
        assert!(lod.meshes.iter().next().unwrap().decode_to(&mut geometry.target()).is_err());
        let mut zero = Geometry::default();
        zero.resize(lod.counts());
        assert_eq!(geometry, zero);
    });
}

/// The example of `crates/island/FORMAT.md`, section Corners, byte by byte.
#[test]
fn the_example_of_the_notes() {
    let mut bytes = Vec::new();
    let mut words = |list: &[u32]| bytes.extend(list.iter().flat_map(|word| word.to_le_bytes()));
    let float = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    // A chunk with one part, which has no name and one level, and no textures. Two offsets are filled in below.
    words(&[0, 1, 0, 1, 0]);
    words(&[0, 1, 0x0004_0004, 4]);
    words(&float(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]));
    words(&float(&[0.0, 1.0, 0.0, 0.0, 0.0, -1.0]));
    words(&float(&[0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0]));
    words(&[0x0004_0002]);
    bytes.extend([1, 0, 1, 0x80, 2, 0, 1, 0x80, 3, 0, 1, 0x80, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 1, 0x80]);
    let mut words = |list: &[u32]| bytes.extend(list.iter().flat_map(|word| word.to_le_bytes()));
    words(&[6, 1, 2, 3, 0, 2, 0]);
    // White, opaque, smooth; 11 bytes.
    bytes.extend([0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 1, 0, 0, 0]);
    bytes.extend([0; 8]);
    let end = bytes.len();
    bytes.extend([0; 4]);
    for at in [0, 16] {
        bytes[at..at + 4].copy_from_slice(&u32::try_from(end).unwrap().to_le_bytes());
    }
    let parts = Parts::parse(Source::new(&bytes, OffsetBase::File)).unwrap();
    let decoded = decode(parts.lods().flatten().next().unwrap()).unwrap();
    assert_eq!(decoded.positions, [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
    assert_eq!(decoded.normals, [[0.0, 0.0, -1.0]; 4]);
    assert_eq!(decoded.uvs, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    assert_eq!(decoded.indices, [0, 1, 2, 0, 2, 3]);
}

#[test]
fn a_level_of_detail_has_meshes_or_none() {
    for (meshes, is_empty) in [(vec![], true), (vec![mesh(&[(0x8000_0000, 0), (0, 0), (0, 0)], 1)], false)] {
        let found = with_lod(LodSpec { meshes, ..pools() }, |lod| (lod.meshes.is_empty(), lod.meshes.len()));
        assert_eq!(found, (is_empty, usize::from(!is_empty)));
    }
}
