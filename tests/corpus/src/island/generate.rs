//! Generators for databases: realistic ones of any size, and edge cases of each kind.

mod bulk;
mod deep;
mod edge;
mod small;
mod small_lods;
mod small_model;

pub use bulk::database;
pub(crate) use deep::chain;
pub use deep::{deep_nodes, deep_rois, wide_nodes};
pub use edge::edge_cases;
pub use small::{any, small};
