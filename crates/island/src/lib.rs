//! Zero-copy views of WORLD.WDB from LEGO Island (1997): worlds, models, parts, animations, textures; and of its `.tex`
//! files.
//!
//! ```
//! # fn main() -> worldview_core::Result<()> {
//! # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
//! use worldview_island::{Database, Geometry};
//!
//! let database = Database::parse(file)?; // reads only the directory
//! let mut geometry = Geometry::default(); // reused for every mesh
//! for blob in database.blobs() {
//!     let content = blob.read()?; // reads and validates this blob only; a broken blob does not affect the others
//!     let Some(model) = content.model() else { continue };
//!     for roi in model.rois.iter() {
//!         for mesh in roi.lods.iter().last().iter().flat_map(|best| best.meshes.iter()) {
//!             mesh.decode_into(&mut geometry)?; // vertices and triangles, as the game builds them
//!             println!("{:?}: {} vertices", roi.name, geometry.positions.len());
//!         }
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - [`Database`]: the directory: worlds, references, distinct blobs and the two chunks.
//! - [`Parts`], [`Model`], [`Textures`]: the contents of chunks and blobs, made of [`Tree`], [`Node`], [`Roi`],
//!   [`Lod`] and [`Mesh`].
//! - [`Mesh::decode_into`], [`Mesh::decode_to`]: vertices and triangles, in buffers that grow or in a [`Target`] of the caller.
//! - [`Contents`], [`Library`]: the contents of a whole file, and name resolution.
//! - [`Rig`], [`Pose`], [`Matrix`]: the positions of a model's objects at a given time; [`Material`]: the appearance
//!   of a mesh.
//! - [`TextureFile`]: a `.tex` file, a list of textures on its own.
//! - [`DatabaseDescription`]: everything that a file contains, for tools that treat all formats alike.
//! - [`edit`]: files without contents, and what edits write.
//! - [`check`]: reports problems and oddities as [`Finding`]s.
//! - [`raw`]: the structures as stored in the file.
//!
//! All numbers are little-endian, and nothing is aligned. Offsets in the directory are relative to the start of the
//! file; all others are relative to the start of their chunk or blob. Names are bytes in an undeclared code page,
//! and are compared without regard to case. [`mod@format`] describes the format.
#![forbid(unsafe_code)]

mod animation;
mod blob;
mod check;
mod contents;
mod database;
mod describe;
pub mod edit;
mod finding;
mod iter;
mod keys;
pub mod labels;
mod lod;
mod material;
mod matrix;
mod mesh;
mod model;
mod name;
mod parts;
mod placement;
pub mod raw;
mod read;
mod resolve;
mod rig;
mod roi;
mod target;
mod texture;
mod texture_file;
mod tree;

pub use animation::{Actor, Animation, Node};
pub use blob::{Blob, BlobKind, Content};
pub use check::{check, check_grouped, check_textures};
pub use contents::Contents;
pub use database::{Database, ModelRef, PartRef, World, Worlds};
pub use describe::{DatabaseDescription, Element};
pub use finding::{Finding, FindingKind};
pub use lod::{Lod, Lods, LodsIter, Meshes, MeshesIter};
pub use material::{ALIASES, Material, Shading, color_of};
pub use matrix::Matrix;
pub use mesh::{Geometry, Mesh};
pub use model::Model;
pub use name::{Name, NameKey};
pub use parts::{Part, Parts, PartsIter};
pub use resolve::{Library, LodsAt, Scope, ScopedNames, TextureAt, WorldNames};
pub use rig::{Pose, Rig};
pub use roi::Roi;
pub use target::{Counts, Indices, Target, Vertices};
pub use texture::{Image, Texture, Textures, TexturesIter};
pub use texture_file::TextureFile;
pub use tree::{Branch, Tree, TreeIter};
pub use worldview_core::{Error, ErrorKind, Limit, OffsetBase, Path, Place, PlacePart, Result, Severity, Source};

/// The format, byte by byte, with the evidence for each statement.
#[doc = include_str!("../FORMAT.md")]
#[allow(rustdoc::broken_intra_doc_links, reason = "the page has types such as `u8[3]`, which are no links")]
pub mod format {}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
