//! The C ABI of worldview. `include/worldview.h` is generated from this crate and documents it.
//!
//! Handles are boxes, and arguments that point to one value are `Option<&T>` or `Out<'_, T>`, so NULL is
//! an error and most functions contain no unsafe code. What is left are arrays and texts of the caller, which `ffi`
//! turns into slices.
#![deny(unsafe_op_in_unsafe_fn)]

// The header has the functions in this order.
pub mod error;

pub mod ffi;

pub mod file;

pub mod memory;

pub mod findings;

pub mod archive;

pub mod records;

pub mod level;

pub mod object;

pub mod table;

pub mod picture;

pub mod database;

pub mod model;

pub mod lods;

pub mod names;

#[cfg(feature = "export")]
pub mod export;

/// What the header says about threads.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    const fn is_moved<T: Send>() {}
    is_shared::<file::WvHandle>();
    is_shared::<findings::WvFindings>();
    is_shared::<findings::WvText>();
    is_shared::<lods::WvLods>();
    is_moved::<object::WvObjects>();
};
