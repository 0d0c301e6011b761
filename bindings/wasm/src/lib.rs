//! The npm package `worldview`: files in memory, opened as in the other bindings, with typed arrays for bulk data.
//!
//! Each format is a feature, and a build of its own: `build.sh`.
//!
//! Each class shares the file's bytes, so objects can be kept in any order. Garbage collection frees them.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "island", feature = "levels", feature = "outputs", feature = "tables")),
    allow(dead_code, unused_imports, reason = "each format needs its part of what they share")
)]

mod archive;
mod asset;
#[cfg(feature = "island")]
mod database;
mod error;
#[cfg(feature = "levels")]
mod level;
#[cfg(feature = "island")]
mod mesh;
#[cfg(feature = "island")]
mod model;
mod options;
#[cfg(feature = "levels")]
mod picture;
#[cfg(feature = "tables")]
mod table;
#[cfg(feature = "island")]
mod texture;
mod types;
mod values;

use std::sync::Arc;

use wasm_bindgen::prelude::*;
use worldview::{File, Handle, Options};

use asset::Asset;
use options::Given;

/// Runs when the module is loaded.
#[wasm_bindgen(start)]
pub fn start() {
    error::report_panics();
}

/// Returns the format of a file by its bytes, or else by its name; `undefined` if it is unknown.
///
/// Pictures have no signature, so they are recognized only by the extension of the name.
#[wasm_bindgen(unchecked_return_type = "Format | undefined")]
pub fn sniff(
    #[wasm_bindgen(unchecked_param_type = "Uint8Array | ArrayBuffer")] bytes: &JsValue,
    name: Option<String>,
) -> Result<Option<String>, JsValue> {
    let format = Options { recover: true, ..Options::new() }.format(&options::bytes(bytes)?, &name.unwrap_or_default());
    Ok(format.ok().map(|format| format.name().to_owned()))
}

/// Opens a file. The bytes are copied.
///
/// Throws a `WorldviewError` if the format is unknown or the file is broken. With `lossy`, as much as possible is opened, and
/// `findings` has the rest.
#[wasm_bindgen(unchecked_return_type = "Asset")]
pub fn open(
    #[wasm_bindgen(unchecked_param_type = "Uint8Array | ArrayBuffer")] bytes: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "OpenOptions")] options: Option<js_sys::Object>,
) -> Result<JsValue, JsValue> {
    let context = Arc::new(Given::context(options.as_ref())?);
    let file = File::from_bytes(options::bytes(bytes)?, context.name.clone());
    let handle = Handle::of(&file, b"", &context.options);
    let handle = handle.map_err(|failure| error::failure(&context.name, &failure))?;
    Ok(Asset::wrap(handle, &context))
}
