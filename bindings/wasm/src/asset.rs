//! What all parts of a file have in common.

use std::sync::Arc;

use wasm_bindgen::prelude::*;
use worldview::inspect::{Encoding, Options};
use worldview::{Asset as View, Handle, Note};

#[cfg(feature = "export")]
use crate::options::{self, Given};
#[cfg(feature = "tables")]
use crate::table;
use crate::{archive, error};
#[cfg(feature = "island")]
use crate::{database, texture};
#[cfg(feature = "levels")]
use crate::{level, picture};

/// How a file was opened, which what is opened in it inherits.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(crate) name: String,
    pub(crate) encoding: Encoding,
    pub(crate) options: worldview::Options,
}

impl Context {
    pub(crate) fn text(&self, bytes: &[u8]) -> String {
        self.encoding.decode(bytes).into_owned()
    }
}

/// What every class has: the opened part, and how its file was opened.
#[derive(Clone, Debug)]
pub(crate) struct Asset {
    pub(crate) handle: Handle,
    pub(crate) context: Arc<Context>,
}

impl Asset {
    /// Returns the object of the right class for a handle.
    pub(crate) fn wrap(handle: Handle, context: &Arc<Context>) -> JsValue {
        let asset = Self { handle: handle.clone(), context: Arc::clone(context) };
        match handle.asset() {
            #[cfg(feature = "levels")]
            View::Level(..) => level::Level { asset }.into(),
            #[cfg(feature = "tables")]
            View::Table(_) => table::Table { asset }.into(),
            #[cfg(feature = "tables")]
            View::Archive(_) => archive::Archive { asset }.into(),
            #[cfg(feature = "levels")]
            View::Rez(_) => archive::Directory { asset }.into(),
            #[cfg(feature = "levels")]
            View::Picture(_) => picture::Picture { asset }.into(),
            #[cfg(feature = "island")]
            View::Database(_) => database::Database { asset }.into(),
            #[cfg(feature = "island")]
            View::Textures(_) => texture::Textures { asset }.into(),
            // Paths are not followed to records: `open` takes none.
            _ => archive::Data { asset }.into(),
        }
    }

    /// Returns the name of the file and of the members that lead to the part, for messages.
    pub(crate) fn place(&self) -> String {
        error::joined(&self.context.name, &self.handle.path_in_file())
    }

    pub(crate) fn error(&self, error: impl std::fmt::Display) -> JsValue {
        error::plain(&self.place(), error)
    }

    pub(crate) fn format_error(&self, error: &worldview::Error) -> JsValue {
        error::format_error(&self.place(), error)
    }

    /// Returns the error, or nothing if the file was opened as far as possible: then the rest of a broken part is left out,
    /// and `check` reports why.
    pub(crate) fn unless_lossy(&self, error: &worldview::Error) -> Result<(), JsValue> {
        if self.context.options.lossy { Ok(()) } else { Err(self.format_error(error)) }
    }

    fn write(&self, full: bool, as_json: bool) -> Result<String, JsValue> {
        let mut out = Vec::new();
        let options = Options { encoding: self.context.encoding, full, ..Options::default() };
        let written = if as_json {
            self.handle.write_json(&options, &mut out)
        } else {
            self.handle.write_text(&options, &mut out)
        };
        match written {
            Ok(true) => String::from_utf8(out).map_err(|error| self.error(error)),
            Ok(false) => Err(self.error("data in no known format has no description")),
            Err(error) => Err(self.error(error)),
        }
    }

    /// Returns what `write` writes.
    pub(crate) fn csv(
        &self,
        write: impl FnOnce(&mut Vec<u8>) -> worldview_export::Result<()>,
    ) -> Result<String, JsValue> {
        let mut out = Vec::new();
        write(&mut out).map_err(|error| self.error(error))?;
        String::from_utf8(out).map_err(|error| self.error(error))
    }

    pub(crate) fn to_json(&self, full: Option<bool>) -> Result<String, JsValue> {
        self.write(full.unwrap_or(false), true)
    }

    pub(crate) fn to_text(&self, full: Option<bool>) -> Result<String, JsValue> {
        self.write(full.unwrap_or(false), false)
    }

    #[cfg(feature = "export")]
    pub(crate) fn outputs(&self, kinds: &JsValue, options: Option<&js_sys::Object>) -> Result<js_sys::Array, JsValue> {
        let kinds = options::kinds(kinds)?;
        let options = Given::outputs(options, &self.context)?;
        let (list, mut failed) = (js_sys::Array::new(), None);
        self.handle.outputs_in_memory(&kinds, &options, |made| {
            match made {
                Ok((output, bytes)) => {
                    let object = js_sys::Object::new();
                    error::set(&object, "name", &output.name.into());
                    error::set(&object, "kind", &output.kind.name().into());
                    error::set(&object, "bytes", &js_sys::Uint8Array::from(&*bytes));
                    list.push(&object);
                }
                Err(_) if self.context.options.lossy => {}
                Err((_, worldview_export::Error::Format(error))) => failed = Some(self.format_error(&error)),
                Err((name, error)) => failed = Some(self.error(format_args!("{name}: {error}"))),
            }
            failed.is_none()
        });
        failed.map_or(Ok(list), Err)
    }

    pub(crate) fn describe(&self, full: Option<bool>) -> Result<JsValue, JsValue> {
        js_sys::JSON::parse(&self.to_json(full)?)
    }

    pub(crate) fn findings(&self) -> JsValue {
        notes(self.handle.findings(), 0)
    }

    pub(crate) fn check(&self, most: Option<u32>) -> JsValue {
        let most = most.unwrap_or(10_000) as usize;
        let (mut found, mut more) = (Vec::new(), 0_u32);
        self.handle.check(&mut |note| {
            if found.len() < most {
                found.push(note);
            } else {
                more = more.saturating_add(1);
            }
        });
        notes(found, more)
    }
}

/// Declares functions that return the view of a handle, whose kind decided about its class.
macro_rules! views {
    ($($(#[$feature:meta])? $name:ident: $method:ident -> $view:ty;)*) => {
        $(
            $(#[$feature])?
            pub(crate) fn $name(handle: &Handle) -> $view {
                let Some(view) = handle.$method() else { unreachable!("the class is that of another kind") };
                view
            }
        )*
    };
}

views! {
    #[cfg(feature = "levels")]
    level_of: level -> &worldview::wwd::Level<'_>;
    #[cfg(feature = "levels")]
    unpacked_of: unpacked -> &worldview::wwd::Unpacked<'_>;
    #[cfg(feature = "levels")]
    directory_of: directory -> worldview::rez::Directory<'_, '_>;
    #[cfg(feature = "levels")]
    picture_of: picture -> &worldview::rez::Picture<'_>;
    #[cfg(feature = "tables")]
    table_of: table -> &worldview::wpd::Table<'_>;
    #[cfg(feature = "tables")]
    archive_of: archive -> &worldview::wpd::Archive<'_>;
    #[cfg(feature = "island")]
    database_of: database -> &worldview::island::Database<'_>;
    #[cfg(feature = "island")]
    contents_of: contents -> &worldview::island::Contents<'_>;
    #[cfg(feature = "island")]
    textures_of: textures -> &worldview::island::TextureFile<'_>;
}

/// Converts findings to objects. If there are `more`, the array has their number.
fn notes(notes: Vec<Note>, more: u32) -> JsValue {
    let list = js_sys::Array::new();
    for note in notes {
        let object = js_sys::Object::new();
        error::set(&object, "severity", &note.severity.name().into());
        error::set(&object, "code", &note.code.into());
        error::set(&object, "message", &note.message.into());
        error::set(&object, "offset", &number(note.offset));
        error::set(&object, "space", &note.space.name().into());
        list.push(&object);
    }
    error::set(&list, "more", &more.into());
    list.into()
}

/// Converts an offset or a size. JavaScript has integers up to 2^53, more than any memory.
#[expect(clippy::cast_precision_loss, reason = "files in memory are smaller than 2^53 bytes")]
pub(crate) fn number(value: u64) -> JsValue {
    JsValue::from_f64(value as f64)
}

/// Adds to a class what every class has.
macro_rules! asset {
    ($class:ident, $kind:literal) => {
        #[wasm_bindgen]
        impl $class {
            /// The kind of the part.
            #[wasm_bindgen(getter, unchecked_return_type = $kind)]
            pub fn kind(&self) -> String {
                $kind.trim_matches('"').to_owned()
            }

            /// The name of the part: that of the file, or that of the member.
            #[wasm_bindgen(getter, js_name = fileName)]
            pub fn file_name(&self) -> String {
                let handle = &self.asset.handle;
                handle.path_in_file().pop().unwrap_or_else(|| handle.part().file().name().to_owned())
            }

            /// The names of the members that lead to the part, outermost first; empty for the file itself.
            #[wasm_bindgen(getter)]
            pub fn inside(&self) -> Vec<String> {
                self.asset.handle.path_in_file()
            }

            /// The offset of the part in the file, in bytes.
            #[wasm_bindgen(getter)]
            pub fn offset(&self) -> usize {
                self.asset.handle.part().offset()
            }

            /// Returns a copy of the bytes of the part as stored.
            #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
            pub fn bytes(&self) -> js_sys::Uint8Array {
                js_sys::Uint8Array::from(self.asset.handle.part().bytes())
            }

            /// What could not be opened, if the file was opened with `lossy`.
            #[wasm_bindgen(getter, unchecked_return_type = "Findings")]
            pub fn findings(&self) -> JsValue {
                self.asset.findings()
            }

            /// Checks everything in the part, and returns at most `most` findings, by default 10,000. Members of archives are
            /// not checked, and what `findings` has is not reported again.
            #[wasm_bindgen(unchecked_return_type = "Findings")]
            pub fn check(&self, most: Option<u32>) -> JsValue {
                self.asset.check(most)
            }
        }

        #[cfg(feature = "outputs")]
        #[wasm_bindgen]
        impl $class {
            /// Returns everything in the part as an object, in the shape of `worldview show --format json`. `full` includes bulk
            /// data, such as geometry and pixels. Integers above 2^53 are rounded; `toJson` has all their digits.
            ///
            /// Throws a `WorldviewError` if overlapping parts exceed the work limit, or if the part is data in no known format.
            #[wasm_bindgen(unchecked_return_type = "Description")]
            pub fn describe(&self, full: Option<bool>) -> Result<JsValue, JsValue> {
                self.asset.describe(full)
            }

            /// Returns everything in the part as JSON. See `describe`.
            #[wasm_bindgen(js_name = toJson)]
            pub fn to_json(&self, full: Option<bool>) -> Result<String, JsValue> {
                self.asset.to_json(full)
            }

            /// Returns everything in the part as text, as `worldview show --raw` prints it. See `describe`.
            #[wasm_bindgen(js_name = toText)]
            pub fn to_text(&self, full: Option<bool>) -> Result<String, JsValue> {
                self.asset.to_text(full)
            }
        }

        #[cfg(feature = "export")]
        #[wasm_bindgen]
        impl $class {
            /// Returns the outputs of some kinds, as `worldview export` writes them. Kinds that the part does not have are skipped;
            /// data in no known format has none.
            ///
            /// If an output cannot be made, this throws a `WorldviewError`; or, if the file was opened with `lossy`, it returns the
            /// others. An unknown kind is a `TypeError`, which names all.
            #[wasm_bindgen(unchecked_return_type = "Output[]")]
            pub fn outputs(
                &self,
                #[wasm_bindgen(unchecked_param_type = "OutputKind[]")] kinds: &JsValue,
                #[wasm_bindgen(unchecked_optional_param_type = "OutputOptions")] options: Option<js_sys::Object>,
            ) -> Result<js_sys::Array, JsValue> {
                self.asset.outputs(kinds, options.as_ref())
            }
        }
    };
}
pub(crate) use asset;
