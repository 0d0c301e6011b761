//! The C ABI of worldview. `include/worldview.h` is generated from this crate and documents it.
//!
//! Handles are boxes, and arguments that point to one value are `Option<&T>` or `Option<&mut MaybeUninit<T>>`, so NULL is
//! an error and most functions contain no unsafe code. What is left are arrays and texts of the caller, which `border`
//! turns into slices.
#![deny(unsafe_op_in_unsafe_fn)]

pub mod archive;
pub mod border;
pub mod database;
pub mod error;
pub mod file;
pub mod findings;
pub mod level;
pub mod lods;
pub mod model;
pub mod names;
pub mod object;
pub mod picture;
pub mod table;
