use serde::ser::SerializeMap;
use worldview_island::raw::Vec3;
use worldview_island::{Geometry, Lod, Lods, Mesh};

use super::value::{Float, Habit, How, List, Members, Object, floats, point, put_error, put_name};
use crate::hex;

/// Writes levels of detail, and where they end.
pub(super) fn put_lods<M: SerializeMap>(map: &mut M, lods: Lods<'_>, how: How) -> Result<(), M::Error> {
    map.serialize_entry("lods", &List(|| lods.iter().map(|lod| Object(LodJson(lod, how)))))?;
    map.serialize_entry("lods_end", &lods.end())
}

struct LodJson<'a>(Lod<'a>, How);

impl Members for LodJson<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(lod, how) = *self;
        map.serialize_entry("at", &lod.at)?;
        map.serialize_entry("flags", &lod.flags)?;
        map.serialize_entry("counts", &lod.counts.map(|counts| counts.counts.get()))?;
        map.serialize_entry("position_count", &lod.positions.len())?;
        map.serialize_entry("normal_count", &lod.normals.len())?;
        map.serialize_entry("uv_count", &lod.counts.map(|counts| counts.uvs.get()))?;
        if how.full {
            map.serialize_entry("positions", &points(lod.positions))?;
            map.serialize_entry("normals", &points(lod.normals))?;
            map.serialize_entry("uvs", &List(|| lod.uvs.iter().map(|uv| floats(uv.get()))))?;
        }
        map.serialize_entry("meshes", &List(|| lod.meshes.iter().map(|mesh| Object(MeshJson(mesh, how)))))
    }
}

fn points(points: &[Vec3]) -> impl serde::Serialize {
    List(|| points.iter().map(|&vector| point(vector)))
}

struct MeshJson<'a>(Mesh<'a>, How);

impl Members for MeshJson<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(mesh, how) = *self;
        let surface = mesh.surface;
        map.serialize_entry("at", &mesh.at)?;
        map.serialize_entry("triangle_count", &mesh.triangles)?;
        map.serialize_entry("vertex_count", &mesh.vertices)?;
        map.serialize_entry("uv_index_count", &mesh.uv_index_count)?;
        map.serialize_entry("color", &format_args!("#{}", hex(&[surface.red, surface.green, surface.blue])))?;
        map.serialize_entry("alpha", &Float(surface.alpha.get()))?;
        map.serialize_entry("shading", &surface.shading)?;
        map.serialize_entry("specular", &surface.specular)?;
        map.serialize_entry("unknown", &surface.unknown)?;
        map.serialize_entry("alias", &surface.alias)?;
        put_name(map, "texture", mesh.texture, Habit::Inside, how.encoding)?;
        put_name(map, "material", mesh.material, Habit::Inside, how.encoding)?;
        if how.full {
            map.serialize_entry("corners", &List(|| mesh.corners.iter().map(|corner| corner.get())))?;
            map.serialize_entry("uv_indices", &List(|| mesh.uv_indices.iter().map(|index| index.get())))?;
            let mut geometry = Geometry::default();
            match mesh.decode_into(&mut geometry) {
                Ok(()) => map.serialize_entry("geometry", &Object(&geometry))?,
                Err(error) => put_error(map, &error)?,
            }
        }
        Ok(())
    }
}

impl Members for &Geometry {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("positions", &List(|| self.positions.iter().map(|&position| floats(position))))?;
        map.serialize_entry("normals", &List(|| self.normals.iter().map(|&normal| floats(normal))))?;
        map.serialize_entry("uvs", &List(|| self.uvs.iter().map(|&uv| floats(uv))))?;
        map.serialize_entry("indices", &self.indices)
    }
}
