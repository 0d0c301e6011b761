//! Exports models, parts, worlds and textures of LEGO Island as glTF and PNG.
//!
//! - `glb` (a feature): models, parts and worlds as GLB.
//! - `png` (a feature): textures.
//! - `preview` (a feature): small pictures of models, parts and worlds, rendered in software.

#[cfg(feature = "glb")]
pub mod glb;
#[cfg(feature = "png")]
pub mod png;
#[cfg(feature = "preview")]
pub mod preview;
