//! Tests of every output. Outputs are read by third-party code and compared with the descriptions in the corpus or
//! the results of its naive readers.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

#[cfg(feature = "csv")]
mod csv;
#[cfg(all(feature = "model", feature = "glb"))]
mod glb;
#[cfg(all(feature = "level", feature = "arrow", feature = "csv"))]
mod level;
#[cfg(all(feature = "outputs", feature = "table", feature = "model", feature = "glb"))]
mod outputs;
#[cfg(all(feature = "level", feature = "png"))]
mod png;
#[cfg(feature = "table")]
mod table;
#[cfg(all(feature = "model", feature = "png"))]
mod textures;
#[cfg(all(feature = "level", feature = "tiled"))]
mod tiled;
