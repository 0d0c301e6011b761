//! GLB files, read back by code of their own and compared with what the corpus' naive reader finds.
#![cfg(feature = "glb")]
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod animations;
mod files;
mod gltf;
mod hostile;
mod looks;
mod meshes;
mod poses;
mod support;
