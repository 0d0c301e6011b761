//! Models, parts, worlds and textures of LEGO Island as glTF, PNG and BMP.
//!
//! - `bmp`: textures, for texture packs.
//! - `glb`, a feature: models, parts and worlds as GLB.
//! - `png`, a feature: textures.

pub mod bmp;
#[cfg(feature = "glb")]
pub mod glb;
#[cfg(feature = "png")]
pub mod png;
