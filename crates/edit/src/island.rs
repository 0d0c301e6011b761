//! Edits of WORLD.WDB of LEGO Island.
//!
//! Numbers are patched in place. Names, textures, levels of detail and whole blobs may change their length, and elements may be added
//! and removed; all sizes and offsets follow. Bytes that no change is about are copied, also those that nothing refers to.

mod blobs;
mod diff;
mod edit;
mod file;
mod list;
pub mod new;
mod pools;
mod refs;
mod root;
mod rules;
mod shape;
mod sizes;
mod tree;

pub use diff::{diff, diff_alone};
pub use root::apply;
pub use sizes::TEXTURES;
