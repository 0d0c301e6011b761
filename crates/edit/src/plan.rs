//! Planners: the changes that were made to an export with another program, found by comparing it with the original.

pub mod tiled;
