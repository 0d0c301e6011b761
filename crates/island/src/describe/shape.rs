use core::fmt;
use core::hash::Hasher;

use worldview_core::Source;
use worldview_core::describe::{
    Array, Describe, Elements, Field, FieldValue, Flow, Int, List, MatchRule, Notation, Part, PartKey, Role, Slots,
    Span, Stored, Visit,
};
use zerocopy::little_endian::{F32, U32};
use zerocopy::{FromBytes as _, Immutable, IntoBytes};

use super::element::Element;
use super::field::{NameForm, between, byte, count, has, offset, through, visit_name, word};
use super::list::{DatabaseList, Listed};
use crate::lod::{Lod, Lods, Meshes};
use crate::mesh::{Geometry, Mesh};
use crate::raw::{PoolCounts, Surface};

/// Names of the flags of a level of detail.
const LOD_FLAGS: &[(u32, &str)] = &[(Lod::NO_DATA, "empty"), (Lod::EXTRA, "extra")];

/// Visits the levels of detail and their end offset. Levels can be added if their number is at a place.
pub(super) fn visit_lods(lods: Lods<'_>, stored: Option<(Span, Int)>, visitor: &mut dyn Visit) -> Flow {
    visitor.parts(&Listed(LodList(lods, stored)))?;
    visitor.field(&offset("lods_end", lods.end()))
}

struct LodList<'a>(Lods<'a>, Option<(Span, Int)>);

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
        one_lod(index, lod, self.0.source(), then)
    }

    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.0.offset(), count: Some(self.1?), key: None, shape: &[] })
    }

    fn element(&self) -> Option<Element> {
        Some(Element::Lod)
    }

    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        by_bytes(part, round, self.0.source(), hasher)
    }
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

/// Passes a level to `then`.
pub(super) fn one_lod<R>(index: u32, lod: &Lod<'_>, source: Source<'_>, then: impl FnOnce(&Part<'_>) -> R) -> R {
    then(&Part::new(index, PartKey::Index, &LodBody { lod, source }).at(between(lod.at, lod.end, source)))
}

struct LodBody<'s, 'a> {
    lod: &'s Lod<'a>,
    source: Source<'a>,
}

impl Describe for LodBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { lod, source } = *self;
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
        let count = lod.counts.map(|_| word(lod.at.saturating_add(4), source));
        visitor.parts(&Listed(MeshList(lod.meshes, count)))
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
        count: None,
    }
}

struct MeshList<'a>(Meshes<'a>, Option<(Span, Int)>);

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
        one_mesh(index, mesh, self.0.source(), then)
    }

    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.0.source().base(), count: Some(self.1?), key: None, shape: &[] })
    }

    fn element(&self) -> Option<Element> {
        Some(Element::Mesh)
    }

    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        by_bytes(part, round, self.0.source(), hasher)
    }
}

/// Passes a mesh to `then`.
pub(super) fn one_mesh<R>(index: u32, mesh: &Mesh<'_>, source: Source<'_>, then: impl FnOnce(&Part<'_>) -> R) -> R {
    let body = MeshBody { mesh, source };
    let at = through(mesh.at, mesh.material.counted(), source);
    then(&Part::new(index, PartKey::Index, &body).at(at).summary(&body))
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
            Array {
                name,
                item,
                elements,
                columns: 0,
                rows_are_items: false,
                bulk: true,
                role,
                at,
                notation,
                blank: 0,
                count: None,
            }
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
                count: None,
            })?;
        }
        Flow::Continue(())
    }
}
