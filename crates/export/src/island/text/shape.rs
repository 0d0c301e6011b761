use std::io::Write;

use worldview_island::raw::Vec3;
use worldview_island::{Geometry, Lod, Lods, Mesh};

use super::Dump;
use crate::{Result, hex};

impl<W: Write> Dump<W> {
    /// Levels of detail: the end of a line that is begun, and a line for each level and each mesh.
    pub(super) fn lods(&mut self, lods: Lods<'_>, indent: usize) -> Result<()> {
        write!(self.out, "lods {} to {:#x}", lods.len(), lods.end())?;
        self.end_line()?;
        for (index, lod) in lods.iter().enumerate() {
            self.lod(index, &lod, indent + 1)?;
        }
        Ok(())
    }

    fn lod(&mut self, index: usize, lod: &Lod<'_>, indent: usize) -> Result<()> {
        self.indent(indent);
        write!(self.out, "lod {index} at {:#x} flags {:#x}", lod.at, lod.flags)?;
        if lod.flags & Lod::NO_DATA != 0 {
            self.out.put(b" empty");
        }
        if lod.is_extra() {
            self.out.put(b" extra");
        }
        write!(self.out, " meshes {}", lod.meshes.len())?;
        if let Some(counts) = lod.counts {
            let (triangles, vertices) = (lod.triangles(), lod.meshes.iter().map(|mesh| u64::from(mesh.vertices)));
            write!(self.out, " triangles {triangles} vertices {}", vertices.sum::<u64>())?;
            write!(self.out, " positions {} normals {}", counts.positions(), counts.normals())?;
            write!(self.out, " uvs {}", counts.uvs)?;
            if counts.unused_bits() != 0 {
                write!(self.out, " unused bits {:#x}", counts.unused_bits())?;
            }
        }
        self.end_line()?;
        if self.full {
            self.pool("position", lod.positions, indent + 1)?;
            self.pool("normal", lod.normals, indent + 1)?;
            for (index, uv) in lod.uvs.iter().enumerate() {
                self.indent(indent + 1);
                write!(self.out, "uv {index}")?;
                self.floats(&uv.get());
                self.end_line()?;
            }
        }
        for (index, mesh) in lod.meshes.iter().enumerate() {
            self.mesh(index, &mesh, indent + 1)?;
        }
        Ok(())
    }

    fn pool(&mut self, what: &str, pool: &[Vec3], indent: usize) -> Result<()> {
        for (index, &element) in pool.iter().enumerate() {
            self.indent(indent);
            write!(self.out, "{what} {index}")?;
            self.point(element);
            self.end_line()?;
        }
        Ok(())
    }

    fn mesh(&mut self, index: usize, mesh: &Mesh<'_>, indent: usize) -> Result<()> {
        self.indent(indent);
        write!(self.out, "mesh {index} at {:#x} triangles {} vertices {}", mesh.at, mesh.triangles, mesh.vertices)?;
        let surface = mesh.surface;
        let color = hex(&[surface.red, surface.green, surface.blue]);
        write!(self.out, " uv_indices {} color #{color} alpha", mesh.uv_index_count)?;
        self.floats(&[surface.alpha.get()]);
        write!(self.out, " shading {} specular {}", surface.shading, surface.specular)?;
        write!(self.out, " unknown {} alias {} texture", surface.unknown, surface.alias)?;
        self.plain(mesh.texture)?;
        self.out.put(b" material");
        self.plain(mesh.material)?;
        self.end_line()?;
        if self.full { self.geometry(mesh, indent + 1) } else { Ok(()) }
    }

    /// The corners as they are stored, a triangle a line, and what becomes of them.
    fn geometry(&mut self, mesh: &Mesh<'_>, indent: usize) -> Result<()> {
        for (index, corners) in mesh.corners.chunks(3).enumerate() {
            self.indent(indent);
            write!(self.out, "corners {index}")?;
            for corner in corners {
                write!(self.out, " {:#010x}", corner.get())?;
            }
            let uvs = mesh.uv_indices.get(3 * index..).unwrap_or(&[]);
            for (position, uv) in uvs.iter().take(3).enumerate() {
                write!(self.out, "{}{uv}", if position == 0 { " uv " } else { " " })?;
            }
            self.end_line()?;
        }
        let mut geometry = Geometry::default();
        if let Err(error) = mesh.decode_into(&mut geometry) {
            return self.line(indent, format_args!("error: {error}"));
        }
        let vertices = geometry.positions.iter().zip(&geometry.normals).zip(&geometry.uvs);
        for (index, ((position, normal), uv)) in vertices.enumerate() {
            self.indent(indent);
            write!(self.out, "vertex {index}")?;
            self.floats(position);
            self.out.put(b"  normal");
            self.floats(normal);
            self.out.put(b"  uv");
            self.floats(uv);
            self.end_line()?;
        }
        for (index, corners) in geometry.indices.chunks(3).enumerate() {
            self.indent(indent);
            write!(self.out, "triangle {index}")?;
            for corner in corners {
                write!(self.out, " {corner}")?;
            }
            self.end_line()?;
        }
        Ok(())
    }
}
