//! WORLD.WDB of LEGO Island (1997) as zero-copy views: worlds, models, parts, animations, textures.
//!
//! ```
//! # fn main() -> worldview_core::Result<()> {
//! # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
//! use worldview_island::{Database, Geometry};
//!
//! let database = Database::parse(file)?; // the directory alone
//! let mut geometry = Geometry::default(); // used again for every mesh
//! for blob in database.blobs() {
//!     let content = blob.read()?; // looks at this blob alone, and checks all of it; a bad one hides no other
//!     let Some(model) = content.model() else { continue };
//!     for roi in model.rois.iter() {
//!         for mesh in roi.lods.iter().last().iter().flat_map(|best| best.meshes.iter()) {
//!             mesh.decode_into(&mut geometry)?; // vertices and triangles, as the game rebuilds them
//!             println!("{:?}: {} vertices", roi.name, geometry.positions.len());
//!         }
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - [`Database`]: the directory: worlds, references, distinct blobs, the two chunks.
//! - [`Parts`], [`Model`], [`Textures`]: what chunks and blobs hold; [`Tree`], [`Node`], [`Roi`], [`Lod`], [`Mesh`] below them.
//! - [`Mesh::decode_into`]: vertices and triangles.
//! - [`Contents`], [`Library`]: a file opened whole, and where its names lead.
//! - [`Rig`], [`Pose`], [`Matrix`]: where the objects of a model are at a time; [`Material`]: what a mesh looks like.
//! - [`DatabaseDescription`]: all that a file contains, for tools that treat every format alike.
//! - [`check`]: everything worth knowing or mending, as [`Finding`]s.
//! - [`raw`]: the structures as they lie in the file.
//!
//! All numbers are little-endian and nothing is aligned. Offsets in the directory count from the beginning of the file, all others
//! from that of their chunk or blob. Names are bytes in a code page that the file does not declare, and their case means
//! nothing. The format is described in the repository's `docs/formats/island.md`.
#![forbid(unsafe_code)]

mod animation;
mod blob;
mod check;
mod contents;
mod database;
mod describe;
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
mod texture;
mod tree;

pub use animation::{Actor, Animation, Node};
pub use blob::{Blob, BlobKind, Content};
pub use check::check;
pub use contents::Contents;
pub use database::{Database, ModelRef, PartRef, World, Worlds};
pub use describe::DatabaseDescription;
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
pub use texture::{Image, Texture, Textures, TexturesIter};
pub use tree::{Tree, TreeIter};
pub use worldview_core::{Error, ErrorKind, Limit, Path, Place, PlacePart, Result, Severity, Source, Space};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
