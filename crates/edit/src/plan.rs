//! Changes from edited exports: what differs between an original and what somebody made of its export.
//!
//! Each planner takes a view of the original, and the edited file. Paths of its changes start at that view.

mod glb;
mod png;

pub use glb::{glb, glb_part};
pub use png::png;
