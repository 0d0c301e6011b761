//! Textures of LEGO Island as pictures.

#[cfg(feature = "png")]
pub mod png;
