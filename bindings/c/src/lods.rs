//! WORLD.WDB: levels of detail, meshes and materials.
#![expect(unsafe_code, reason = "exported functions, and buffers of the caller")]

use formats::OwnedLods;
use formats::island::{Geometry, Indices, Mesh, Name, Shading, Target, Vertices};
use zerocopy::{FromZeros, IntoBytes as _};

use crate::database::lods_at;
use crate::error::{Answer, Fault, WvStatus};
use crate::ffi::{self, ErrorOut, Grown, OwnedOut, WvSpan, answer, answer_owned, exactly};
use crate::file::{WvHandle, given};

/// The levels of detail of a part or an object. It keeps the file alive.
#[derive(Debug)]
pub struct WvLods(OwnedLods);

/// A level of detail. The pools are as stored: little-endian floats, not aligned.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvLod {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Flags as stored: 4 no data, 8 only used at a great distance.
    pub flags: u32,
    /// Offset in the file.
    pub offset: u64,
    /// Number of meshes.
    pub mesh_count: usize,
    /// The pool of positions: x, y, z.
    pub positions: WvSpan,
    /// The pool of normals: x, y, z.
    pub normals: WvSpan,
    /// The pool of texture coordinates: u, v.
    pub uvs: WvSpan,
}

/// A mesh. `wv_decode_mesh` makes vertices and triangles of it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvMesh {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Offset in the file.
    pub offset: u64,
    /// Number of triangles.
    pub triangle_count: u32,
    /// Number of vertices of the decoded mesh.
    pub vertex_count: u32,
    /// Name of the texture; empty if there is none.
    pub texture: WvSpan,
    /// Name of the material.
    pub material: WvSpan,
    /// The corners as stored: a packed little-endian word each, three per triangle.
    pub corners: WvSpan,
    /// The indices of texture coordinates as stored: a little-endian word per corner, or empty.
    pub uv_indices: WvSpan,
    /// Whether the mesh inherits its color or texture from its object.
    pub inherits: bool,
}

/// How a mesh is shaded.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvShading {
    /// One shade per triangle.
    Flat = 0,
    /// Shades are interpolated between the vertices.
    Smooth = 1,
    /// Only the edges are drawn.
    Wireframe = 2,
}

/// The appearance of a mesh on an object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvMaterial {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Red, green and blue; white if there is a texture.
    pub color: [u8; 3],
    /// Whether the surface has specular highlights.
    pub shines: bool,
    /// How the mesh is shaded.
    pub shading: WvShading,
    /// Opacity from 0 (invisible) to 1 (opaque); the file may store larger values.
    pub opacity: f32,
    /// Name of the texture; empty if there is none. `wv_find_texture` finds it.
    pub texture: WvSpan,
}

/// Opens the levels of detail of part `index` of a blob with parts or of `WV_GLOBAL_PARTS`, or of object `index` of a model.
/// For an object that shares its levels, use the result of `wv_find_lods`. Free it with `wv_lods_free`.
#[unsafe(no_mangle)]
pub extern "C" fn wv_lods(
    database: Option<&WvHandle>,
    blob: usize,
    index: usize,
    out: OwnedOut<'_, WvLods>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        let database = given(database)?;
        let found = OwnedLods::of(database.handle(), lods_at(database, blob, index)?);
        found.map(WvLods).ok_or_else(|| Fault::not_found(&format!("the blob has no part or object {index}")))
    })
}

/// Frees levels of detail. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn wv_lods_free(lods: Option<Box<WvLods>>) {
    ffi::free(lods);
}

/// Returns the number of levels of detail; 0 for NULL. The coarsest level comes first.
#[unsafe(no_mangle)]
pub extern "C" fn wv_lods_count(lods: Option<&WvLods>) -> usize {
    lods.map_or(0, |lods| lods.0.len())
}

fn given_lods(lods: Option<&WvLods>) -> Answer<&OwnedLods> {
    lods.map(|lods| &lods.0).ok_or_else(|| Fault::null("the levels of detail"))
}

fn mesh_of(lods: Option<&WvLods>, lod: usize, index: usize) -> Answer<&Mesh<'_>> {
    let lods = given_lods(lods)?;
    let missing = || {
        let len = lods.lod(lod).map(|lod| lod.meshes.len());
        len.map_or_else(|| Fault::index("level of detail", lod, lods.len()), |len| Fault::index("mesh", index, len))
    };
    lods.mesh(lod, index).ok_or_else(missing)
}

/// Returns a level of detail.
#[unsafe(no_mangle)]
pub extern "C" fn wv_lod(lods: Option<&WvLods>, index: usize, out: Grown<'_, WvLod>, error: ErrorOut<'_>) -> WvStatus {
    answer(out, error, || {
        let lods = given_lods(lods)?;
        let lod = lods.lod(index).ok_or_else(|| Fault::index("level of detail", index, lods.len()))?;
        Ok(WvLod {
            size: size_of::<WvLod>(),
            flags: lod.flags,
            offset: lod.at,
            mesh_count: lod.meshes.len(),
            positions: lod.positions.as_bytes().into(),
            normals: lod.normals.as_bytes().into(),
            uvs: lod.uvs.as_bytes().into(),
        })
    })
}

/// Returns a mesh of a level of detail.
#[unsafe(no_mangle)]
pub extern "C" fn wv_mesh(
    lods: Option<&WvLods>,
    lod: usize,
    index: usize,
    out: Grown<'_, WvMesh>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let mesh = mesh_of(lods, lod, index)?;
        Ok(WvMesh {
            size: size_of::<WvMesh>(),
            offset: mesh.at,
            triangle_count: mesh.triangles.into(),
            vertex_count: mesh.vertices.into(),
            texture: mesh.texture.text().into(),
            material: mesh.material.text().into(),
            corners: mesh.corners.as_bytes().into(),
            uv_indices: mesh.uv_indices.as_bytes().into(),
            inherits: mesh.inherits(),
        })
    })
}

/// Decodes the vertices and triangles of a mesh as the game does. The axes are left-handed: x to the right, y up, z forward.
///
/// `positions` and `normals` have three floats for each vertex, `uvs` two: u from the left edge, v from the top. `indices`
/// has three numbers for each triangle. `vertex_count` and `triangle_count` are those of the mesh; anything else is an
/// error. Each of the four arrays can be NULL. If the mesh is invalid, they are filled with zeros.
///
/// # Safety
///
/// The arrays must have as many elements as the counts say, or be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_decode_mesh(
    lods: Option<&WvLods>,
    lod: usize,
    index: usize,
    vertex_count: usize,
    triangle_count: usize,
    positions: *mut f32,
    normals: *mut f32,
    uvs: *mut f32,
    indices: *mut u16,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer((), error, || {
        let mesh = mesh_of(lods, lod, index)?;
        exactly("vertices", vertex_count, mesh.vertices.into())?;
        exactly("triangles", triangle_count, mesh.triangles.into())?;
        let (counts, mut spare) = (mesh.counts(), Geometry::default());
        // SAFETY: the caller guarantees NULL or three floats for each vertex, of which there are no more than `vertex_count`.
        let positions = unsafe { array(positions.cast(), &mut spare.positions, counts.vertices) }?;
        // SAFETY: as above.
        let normals = unsafe { array(normals.cast(), &mut spare.normals, counts.vertices) }?;
        // SAFETY: as above, with two floats.
        let uvs = unsafe { array(uvs.cast(), &mut spare.uvs, counts.vertices) }?;
        // SAFETY: the caller guarantees NULL or three numbers for each triangle.
        let indices = unsafe { array(indices, &mut spare.indices, counts.indices) }?;
        let vertices = Vertices::Separate { positions, normals, uvs };
        Ok(mesh.decode_to(&mut Target { vertices, indices: Indices::U16(indices) })?)
    })
}

/// Returns an array of the caller, or `spare` in its place if it is NULL; with zeros in it.
///
/// # Safety
///
/// `to` must be NULL, or have `len` elements that the caller can write to and that nothing else refers to.
unsafe fn array<T: FromZeros + Clone>(to: *mut T, spare: &mut Vec<T>, len: usize) -> Answer<&mut [T]> {
    if to.is_null() {
        spare.resize(len, T::new_zeroed());
        return Ok(spare);
    }
    // SAFETY: the caller of this function guarantees the same.
    unsafe { ffi::zeros(to, len) }
}

/// Returns the appearance of a mesh on an object with this color name: the member `color` of `WvRoi`. For a part on its own,
/// it is empty. The texture of the result can be a part of this name, so it is valid as long as both are.
///
/// # Safety
///
/// `color` must point to `color_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_material(
    lods: Option<&WvLods>,
    lod: usize,
    index: usize,
    color: *const u8,
    color_len: usize,
    out: Grown<'_, WvMaterial>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let mesh = mesh_of(lods, lod, index)?;
        // SAFETY: the caller guarantees `color_len` bytes.
        let color = unsafe { ffi::bytes(color, color_len) }?;
        let material = mesh.material(Name::new(color));
        Ok(WvMaterial {
            size: size_of::<WvMaterial>(),
            color: material.color,
            shines: material.shines,
            shading: match material.shading {
                Shading::Flat => WvShading::Flat,
                Shading::Smooth => WvShading::Smooth,
                Shading::Wireframe => WvShading::Wireframe,
            },
            opacity: material.opacity,
            texture: material.texture.map_or(WvSpan::NONE, WvSpan::from),
        })
    })
}
