//! Errors of JavaScript.

use std::fmt::Display;

use wasm_bindgen::prelude::*;
use worldview::Failure;

#[wasm_bindgen(raw_module = "./error.js")]
extern "C" {
    /// The class of all errors of the package.
    #[wasm_bindgen(extends = js_sys::Error, extends = js_sys::Object)]
    type WorldviewError;

    #[wasm_bindgen(constructor)]
    fn new(message: &str, members: &js_sys::Object) -> WorldviewError;
}

/// Sets a member of an object that this package created.
pub(crate) fn set(object: &js_sys::Object, name: &str, value: &JsValue) {
    // Only frozen objects and proxies refuse members.
    let _ = js_sys::Reflect::set(object, &name.into(), value);
}

/// Converts an error of the format, with its members.
pub(crate) fn format_error(path: &str, error: &worldview::Error) -> JsValue {
    with_members(path, path, error, Some(error))
}

/// Converts any other error.
pub(crate) fn plain(path: &str, message: impl Display) -> JsValue {
    with_members(path, path, message, None)
}

/// Returns the error for an argument that is not what the types say.
pub(crate) fn argument(message: impl Display) -> JsValue {
    js_sys::TypeError::new(&message.to_string()).into()
}

/// Converts an error of opening.
pub(crate) fn failure(name: &str, failure: &Failure) -> JsValue {
    // The message has the names of the members already.
    with_members(name, &joined(name, failure.path_in_file()), failure, failure.error())
}

/// Returns the name of a file, and the names of the members that lead to a part, joined by `/`.
pub(crate) fn joined(name: &str, inside: &[String]) -> String {
    let names = Some(name).filter(|name| !name.is_empty()).into_iter().chain(inside.iter().map(String::as_str));
    names.collect::<Vec<_>>().join("/")
}

fn with_members(prefix: &str, path: &str, message: impl Display, error: Option<&worldview::Error>) -> JsValue {
    let text = if prefix.is_empty() { message.to_string() } else { format!("{prefix}: {message}") };
    let members = js_sys::Object::new();
    set(&members, "path", &path.into());
    if let Some(error) = error {
        set(&members, "part", &error.what.into());
        if let Some((label, number)) = error.enclosing() {
            set(&members, "scope", &format!("{label} {number}").into());
        }
        if let Some(index) = error.index() {
            set(&members, "index", &index.into());
        }
        set(&members, "offset", &crate::asset::number(error.at));
        set(&members, "space", &error.space().name().into());
    }
    WorldviewError::new(&text, &members).into()
}

/// Makes panics, which are bugs, errors with a message instead of bare traps.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        wasm_bindgen::throw_val(plain(
            "",
            format_args!("worldview failed, and must be loaded again. This is a bug: {info}"),
        ))
    }));
}
