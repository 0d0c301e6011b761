use core::fmt;

use worldview_core::Source;
use worldview_core::describe::{
    Array, Describe, Elements, Field, FieldValue, Flow, List, Notation, Part, PartKey, Role, Span, Visit,
};
use zerocopy::little_endian::{F32, U32};
use zerocopy::{FromBytes as _, Immutable, IntoBytes};

use super::field::{NameForm, between, byte, count, has, name, offset, through};
use super::list::{DatabaseList, Listed};
use crate::lod::{Lod, Lods, Meshes};
use crate::mesh::{Geometry, Mesh};
use crate::raw::Surface;

/// Names of the flags of a level of detail.
const LOD_FLAGS: &[(u32, &str)] = &[(Lod::NO_DATA, "empty"), (Lod::EXTRA, "extra")];

/// Visits the levels of detail and their end offset.
pub(super) fn visit_lods(lods: Lods<'_>, visitor: &mut dyn Visit) -> Flow {
    visitor.parts(&Listed(LodList(lods)))?;
    visitor.field(&offset("lods_end", lods.end()))
}

struct LodList<'a>(Lods<'a>);

impl<'a> DatabaseList for LodList<'a> {
    type Item = Lod<'a>;
    const LIST: List = List { inside: true, ..List::indexed("lods", "lod") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.0.iter()
    }

    fn get(&self, index: u32, at: u64) -> Option<Self::Item> {
        self.0.starting_at(at).filter(|_| has(self.0.len(), index))
    }

    fn part<R>(&self, index: u32, lod: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        let source = self.0.source();
        then(&Part::new(index, PartKey::Index, &LodBody { lod, source }).at(between(lod.at, lod.end, source)))
    }
}

struct LodBody<'s, 'a> {
    lod: &'s Lod<'a>,
    source: Source<'a>,
}

impl Describe for LodBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { lod, source } = *self;
        let flags = Field::new("flags", FieldValue::Uint(lod.flags.into())).notation(Notation::Flags(LOD_FLAGS));
        visitor.field(&flags.at(Span::new(lod.at, 4, source.space())))?;
        let vertices = lod.meshes.iter().map(|mesh| u64::from(mesh.vertices)).fold(0, u64::saturating_add);
        visitor.field(&count("triangle_count", lod.triangles()))?;
        visitor.field(&count("vertex_count", vertices))?;
        let stored = |name, value: Option<FieldValue<'static>>, notation| {
            Field::new(name, value.unwrap_or(FieldValue::Absent)).role(Role::Storage).notation(notation)
        };
        let word = lod.counts.map(|counts| FieldValue::Uint(counts.counts.get().into()));
        visitor.field(&stored("counts", word, Notation::Hex))?;
        let unused = lod.counts.map_or(0, |counts| counts.unused_bits());
        visitor.field(&Field::new("unused_bits", FieldValue::Uint(unused.into())).notation(Notation::Hex))?;
        visitor.field(&count("position_count", lod.positions.len() as u64))?;
        visitor.field(&count("normal_count", lod.normals.len() as u64))?;
        let uvs = lod.counts.map(|counts| FieldValue::Int(counts.uvs.get().into()));
        visitor.field(&stored("uv_count", uvs, Notation::Decimal))?;
        if visitor.wants_bulk() {
            visitor.array(&pool("positions", "position", lod.positions, 3, source))?;
            visitor.array(&pool("normals", "normal", lod.normals, 3, source))?;
            visitor.array(&pool("uvs", "uv", lod.uvs, 2, source))?;
        }
        visitor.parts(&Listed(MeshList(lod.meshes)))
    }
}

/// Returns the array of a pool that meshes share. Pools are storage: meshes are compared in their decoded form.
fn pool<'d, T: IntoBytes + Immutable>(
    name: &'static str,
    item: &'static str,
    points: &'d [T],
    columns: usize,
    source: Source<'_>,
) -> Array<'d> {
    let bytes = points.as_bytes();
    // Points consist of little-endian floats only.
    let elements = Elements::StoredFloats(<[F32]>::ref_from_bytes(bytes).unwrap_or(&[]));
    let at = (!bytes.is_empty()).then(|| Span::of(bytes, source));
    let notation = Notation::Decimal;
    Array {
        name,
        item,
        elements,
        columns,
        rows_are_items: true,
        bulk: true,
        role: Role::Storage,
        at,
        notation,
        blank: 0,
    }
}

struct MeshList<'a>(Meshes<'a>);

impl<'a> DatabaseList for MeshList<'a> {
    type Item = Mesh<'a>;
    const LIST: List = List { inside: true, ..List::indexed("meshes", "mesh") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.0.iter()
    }

    fn get(&self, index: u32, at: u64) -> Option<Self::Item> {
        self.0.starting_at(at).filter(|_| has(self.0.len(), index))
    }

    fn part<R>(&self, index: u32, mesh: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        let source = self.0.source();
        let body = MeshBody { mesh, source };
        let at = through(mesh.at, mesh.material.counted(), source);
        then(&Part::new(index, PartKey::Index, &body).at(at).summary(&body))
    }
}

struct MeshBody<'s, 'a> {
    mesh: &'s Mesh<'a>,
    source: Source<'a>,
}

impl fmt::Display for MeshBody<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} triangles, {} vertices", self.mesh.triangles, self.mesh.vertices)
    }
}

impl Describe for MeshBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { mesh, source } = *self;
        visitor.field(&Field::new("triangle_count", FieldValue::Uint(mesh.triangles.into())))?;
        visitor.field(&Field::new("vertex_count", FieldValue::Uint(mesh.vertices.into())))?;
        visitor.field(&count("uv_index_count", mesh.uv_index_count.into()))?;
        // Only whether the count is zero matters.
        visitor.field(&Field::new("has_uv_indices", FieldValue::Bool(mesh.uv_index_count != 0)))?;
        let Surface { red, green, blue, alpha, shading, specular, unknown, alias } = mesh.surface;
        let color = Span { len: 3, ..Span::of(mesh.surface.as_bytes(), source) };
        visitor.field(&Field::new("color", FieldValue::Color([*red, *green, *blue])).at(color))?;
        visitor.field(&Field::new("alpha", FieldValue::Float(alpha.get())).at(Span::of(alpha.as_bytes(), source)))?;
        visitor.field(&byte("shading", shading, source))?;
        visitor.field(&byte("specular", specular, source))?;
        visitor.field(&byte("unknown", unknown, source))?;
        visitor.field(&byte("alias", alias, source))?;
        visitor.field(&name("texture", mesh.texture, NameForm::Inside, source))?;
        visitor.field(&name("material", mesh.material, NameForm::Inside, source))?;
        if visitor.wants_bulk() { self.geometry(visitor) } else { Flow::Continue(()) }
    }
}

impl MeshBody<'_, '_> {
    /// Visits the corners as stored, then the decoded vertices and triangles.
    fn geometry(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { mesh, source } = *self;
        let mut geometry = Geometry::default();
        let rebuilt = mesh.decode_into(&mut geometry);
        // The same mesh can be stored in several ways, so its corners are only storage. If it cannot be decoded, they
        // are all there is to compare.
        let role = if rebuilt.is_ok() { Role::Storage } else { Role::Data };
        let stored = |name, item, elements, bytes: &[u8], notation| {
            let at = (!bytes.is_empty()).then(|| Span::of(bytes, source));
            Array { name, item, elements, columns: 0, rows_are_items: false, bulk: true, role, at, notation, blank: 0 }
        };
        let bytes = mesh.corners.as_bytes();
        let words = Elements::Words(<[U32]>::ref_from_bytes(bytes).unwrap_or(&[]));
        visitor.array(&stored("corners", "corner", words, bytes, Notation::Hex))?;
        let (bytes, words) = (mesh.uv_indices.as_bytes(), Elements::Words(mesh.uv_indices));
        visitor.array(&stored("uv_indices", "uv_index", words, bytes, Notation::Decimal))?;
        if let Err(error) = rebuilt {
            return visitor.broken(&error);
        }
        let indices: Vec<u32> = geometry.indices.iter().map(|&index| index.into()).collect();
        for (name, item, elements, columns) in [
            ("positions", "position", Elements::Floats(geometry.positions.as_flattened()), 3),
            ("normals", "normal", Elements::Floats(geometry.normals.as_flattened()), 3),
            ("uvs", "uv", Elements::Floats(geometry.uvs.as_flattened()), 2),
            ("triangle_corners", "triangle", Elements::Indices(&indices), 3),
        ] {
            let (role, notation) = (Role::Derived, Notation::Decimal);
            visitor.array(&Array {
                name,
                item,
                elements,
                columns,
                rows_are_items: true,
                bulk: true,
                role,
                at: None,
                notation,
                blank: 0,
            })?;
        }
        Flow::Continue(())
    }
}
