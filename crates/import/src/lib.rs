//! Edited exports as changes of the original.
//!
//! A planner compares an edited export with what the same export of the original gives, and returns the changes, and an account of what
//! is equal, cannot be done, or was left out. What is equal by value in both is no change, however a tool wrote it. The paths of the
//! changes are relative to the table, level or archive that was exported.
#![forbid(unsafe_code)]

pub mod build;
mod cell;
pub mod codes;
pub mod csv;
mod doc;
mod given;
mod glb;
pub mod json;
pub mod members;
mod picture;
mod planner;
mod png;
pub mod tiled;
#[cfg(feature = "xlsx")]
pub mod xlsx;
#[cfg(feature = "xlsx")]
pub mod zip;

use worldview_edit::EditError;

#[doc(no_inline)]
pub use worldview_edit::{Planned, nearest};

pub use glb::{Again, GLB_NOT_READ, NotRead, When, glb, glb_part, glb_world};
pub use picture::picture;
pub use png::png;

/// Returns the error of an original that cannot be exported, so that nothing can be compared with it.
fn not_exported(error: worldview_export::Error) -> EditError {
    match error {
        worldview_export::Error::Format(error) => error.into(),
        other => EditError::malformed(None, format!("the original cannot be exported: {other}")),
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
