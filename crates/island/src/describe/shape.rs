use core::hash::Hasher;

use worldview_core::Source;
use worldview_core::describe::{
    Array, Each, Elements, Field, FieldValue, Flow, Int, Items, List, ListFlag, MatchRule, Notation, Part, PartKey,
    Role, Span, Stored, Visit,
};
use zerocopy::little_endian::{F32, U32};
use zerocopy::{FromBytes as _, Immutable, IntoBytes};

use super::field::{NameForm, between, byte, count, has, offset, through, visit_name, word};
use super::list::{Element, ElementList, by_name};
use crate::lod::{Lod, Lods};
use crate::mesh::{Geometry, Mesh};
use crate::raw::{PoolCounts, Surface};

/// Names of the flags of a level of detail.
const LOD_FLAGS: &[(u32, &str)] = &[(Lod::NO_DATA, "empty"), (Lod::EXTRA, "extra")];

/// Visits the levels of detail and their end offset. Levels can be added if their number is at a place.
pub(super) fn visit_lods(lods: Lods<'_>, stored: Option<(Span, Int)>, visitor: &mut dyn Visit) -> Flow {
    let source = lods.source();
    let list = List::indexed("lods", "lod").with(&[ListFlag::Inside]);
    let get = |index, at| lods.starting_at(at).filter(|_| has(lods.len(), index));
    let part = |index, lod: Lod<'_>, visit: Each<'_>| one_lod(index, &lod, source, visit);
    let identity = |part: &Part<'_>, round, hasher: &mut dyn Hasher| by_bytes(part, round, source, hasher);
    let start = stored.map(|_| lods.offset());
    let places = ElementList { element: Element::Lod, start, count: stored, key: None };
    let list = by_name(Items::walked(list, lods.iter().map(Ok), get, part));
    visitor.parts(&list.identified(&identity).editable(&places))?;
    visitor.field(&offset("lods_end", lods.end()))
}

/// Feeds the hasher with the bytes of an element that has only a number.
fn by_bytes(part: &Part<'_>, round: u32, source: Source<'_>, hasher: &mut dyn Hasher) -> MatchRule {
    let bytes = part.at.and_then(|at| source.slice(at.at.checked_sub(source.base())?, at.len, "element").ok());
    match bytes.filter(|_| round == 0) {
        Some(bytes) => hasher.write(bytes),
        None => return MatchRule::None,
    }
    MatchRule::Any
}

/// Passes on a level.
pub(crate) fn one_lod(index: u32, lod: &Lod<'_>, source: Source<'_>, visit: Each<'_>) -> Flow {
    let body = |visitor: &mut dyn Visit| {
        let flags = Field::new("flags", FieldValue::Uint(lod.flags.into())).notation(Notation::Flags(LOD_FLAGS));
        let (at, int) = word(lod.at, source);
        visitor.field(&flags.at(at).stored(Stored::Int(int)))?;
        let vertices = lod.meshes.iter().map(|mesh| u64::from(mesh.vertices)).fold(0, u64::saturating_add);
        visitor.field(&count("triangle_count", lod.triangles()))?;
        visitor.field(&count("vertex_count", vertices))?;
        let stored = |name, value: Option<FieldValue<'static>>, notation| {
            Field::new(name, value.unwrap_or(FieldValue::Absent)).role(Role::Storage).notation(notation)
        };
        let counts = lod.counts.map(|counts| FieldValue::Uint(counts.counts.get().into()));
        visitor.field(&stored("counts", counts, Notation::Hex))?;
        let unused = lod.counts.map_or(0, |counts| counts.unused_bits());
        let unused = Field::new("unused_bits", FieldValue::Uint(unused.into())).notation(Notation::Hex);
        visitor.field(&match lod.counts {
            Some(counts) => {
                let stored = Stored::Masked(Int::word(4, false), PoolCounts::UNUSED);
                unused.at(Span::of(counts.counts.as_bytes(), source)).stored(stored)
            }
            None => unused,
        })?;
        visitor.field(&count("position_count", lod.positions.len() as u64))?;
        visitor.field(&count("normal_count", lod.normals.len() as u64))?;
        let uvs = lod.counts.map(|counts| FieldValue::Int(counts.uvs.get().into()));
        visitor.field(&stored("uv_count", uvs, Notation::Decimal))?;
        if visitor.wants_bulk() {
            visitor.array(&pool("positions", "position", lod.positions, 3, source))?;
            visitor.array(&pool("normals", "normal", lod.normals, 3, source))?;
            visitor.array(&pool("uvs", "uv", lod.uvs, 2, source))?;
        }
        let meshes = lod.meshes;
        let list = List::indexed("meshes", "mesh").with(&[ListFlag::Inside]);
        let get = |index, at| meshes.starting_at(at).filter(|_| has(meshes.len(), index));
        let part = |index, mesh: Mesh<'_>, visit: Each<'_>| one_mesh(index, &mesh, meshes.source(), visit);
        let identity = |part: &Part<'_>, round, hasher: &mut dyn Hasher| by_bytes(part, round, meshes.source(), hasher);
        let count = lod.counts.map(|_| word(lod.at.saturating_add(4), source));
        let start = count.map(|_| meshes.source().base());
        let places = ElementList { element: Element::Mesh, start, count, key: None };
        let list = by_name(Items::walked(list, meshes.iter().map(Ok), get, part));
        visitor.parts(&list.identified(&identity).editable(&places))
    };
    visit(Ok(&Part::new(index, PartKey::Index, &body).at(between(lod.at, lod.end, source))))
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
    let array = Array::new(name, item, elements).items_of(columns).bulk().role(Role::Storage);
    array.at((!bytes.is_empty()).then(|| Span::of(bytes, source)))
}

/// Passes on a mesh.
pub(crate) fn one_mesh(index: u32, mesh: &Mesh<'_>, source: Source<'_>, visit: Each<'_>) -> Flow {
    let body = |visitor: &mut dyn Visit| {
        visitor.field(&Field::new("triangle_count", FieldValue::Uint(mesh.triangles.into())))?;
        visitor.field(&Field::new("vertex_count", FieldValue::Uint(mesh.vertices.into())))?;
        visitor.field(&count("uv_index_count", mesh.uv_index_count.into()))?;
        // Only whether the count is zero matters.
        visitor.field(&Field::new("has_uv_indices", FieldValue::Bool(mesh.uv_index_count != 0)))?;
        let Surface { red, green, blue, alpha, shading, specular, unknown, alias } = mesh.surface;
        let color = Span { len: 3, ..Span::of(mesh.surface.as_bytes(), source) };
        visitor
            .field(&Field::new("color", FieldValue::Color([*red, *green, *blue])).at(color).stored(Stored::Color))?;
        let opacity = Field::new("alpha", FieldValue::Float(alpha.get())).stored(Stored::Float { big: false });
        visitor.field(&opacity.at(Span::of(alpha.as_bytes(), source)))?;
        visitor.field(&byte("shading", shading, source))?;
        visitor.field(&byte("specular", specular, source))?;
        visitor.field(&byte("unknown", unknown, source))?;
        visitor.field(&byte("alias", alias, source))?;
        visit_name("texture", mesh.texture, NameForm::Inside, source, visitor)?;
        visit_name("material", mesh.material, NameForm::Inside, source, visitor)?;
        if visitor.wants_bulk() { visit_geometry(mesh, source, visitor) } else { Flow::Continue(()) }
    };
    let part = Part::new(index, PartKey::Index, &body).at(through(mesh.at, mesh.material.counted(), source));
    visit(Ok(&part.summary(&format_args!("{} triangles, {} vertices", mesh.triangles, mesh.vertices))))
}

/// Visits the corners as stored, then the decoded vertices and triangles.
fn visit_geometry(mesh: &Mesh<'_>, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    let mut geometry = Geometry::default();
    let rebuilt = mesh.decode_into(&mut geometry);
    // The same mesh can be stored in several ways, so its corners are only storage. If it cannot be decoded, they
    // are all there is to compare.
    let role = if rebuilt.is_ok() { Role::Storage } else { Role::Data };
    let at = |bytes: &[u8]| (!bytes.is_empty()).then(|| Span::of(bytes, source));
    let bytes = mesh.corners.as_bytes();
    let words = Elements::Words(<[U32]>::ref_from_bytes(bytes).unwrap_or(&[]));
    let corners = Array::new("corners", "corner", words).notation(Notation::Hex).at(at(bytes));
    visitor.array(&corners.bulk().role(role))?;
    let indices = Array::new("uv_indices", "uv_index", Elements::Words(mesh.uv_indices));
    visitor.array(&indices.at(at(mesh.uv_indices.as_bytes())).bulk().role(role))?;
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
        visitor.array(&Array::new(name, item, elements).items_of(columns).bulk().role(Role::Derived))?;
    }
    Flow::Continue(())
}
