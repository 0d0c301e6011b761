//! Planners: they compare an edited export with what the same export of the original gives, and return the changes.
//!
//! What is equal by value in both is no change, however a tool wrote it. The paths of the changes are relative to the table, level or
//! archive that was exported.

mod cell;
pub mod csv;
mod glb;
pub mod json;
mod level;
pub mod members;
mod png;
mod table;
pub mod tiled;

pub use glb::{glb, glb_part, glb_world};
pub use png::png;
