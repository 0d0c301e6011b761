//! Edits of WORLD.WDB of LEGO Island.
//!
//! Numbers are patched in place. Names, textures, levels of detail and whole blobs may change their length, and elements may be added
//! and removed; all sizes and offsets follow. Bytes that no change is about are copied, also those that nothing refers to.

mod alone;
mod diff;
mod edit;
mod field;
mod files;
mod image;
mod pairs;
mod places;
mod refs;
mod root;
mod select;
mod step;
mod view;
mod walk;

pub(crate) use alone::Alone;
pub use diff::diff;
pub use root::apply;
pub(crate) use walk::diff_alone;
