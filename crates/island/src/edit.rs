//! What only writes: elements outside a file, and new files.

mod element;
pub mod new;
