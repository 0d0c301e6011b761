//! Changes from edited exports: what differs between an original and what somebody made of its export.
//!
//! Each planner takes a view of the original, and the edited file. Paths of its changes start at that view.

mod png;

pub use png::png;
