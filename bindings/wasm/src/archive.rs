//! Archives, and data in no known format.

use wasm_bindgen::prelude::*;
#[cfg(feature = "levels")]
use worldview::OpenError;
#[cfg(feature = "levels")]
use worldview::rez::DirectoryEntry;
use worldview::{Failure, Handle};
#[cfg(feature = "levels")]
use worldview_export::rez::palette_of;
#[cfg(feature = "tables")]
use worldview_export::table::label;

#[cfg(feature = "tables")]
use crate::asset::archive_of;
#[cfg(feature = "levels")]
use crate::asset::directory_of;
use crate::asset::{Asset, asset};
use crate::error::failure;
#[cfg(any(feature = "levels", feature = "tables"))]
use crate::values::Entries;

impl Asset {
    fn opened(&self, opened: Result<Handle, Failure>) -> Result<JsValue, JsValue> {
        match opened {
            Ok(handle) => Ok(Self::wrap(handle, &self.context)),
            Err(error) => Err(failure(&self.context.name, &error)),
        }
    }

    fn at(&self, index: usize) -> Result<JsValue, JsValue> {
        match self.handle.entry(index) {
            Some(entry) => self.opened(entry),
            None => Err(self.error(format_args!("there is no entry {index}"))),
        }
    }
}

/// A WPD archive of Final Fantasy XIII that is not a table.
#[cfg(feature = "tables")]
#[wasm_bindgen]
#[derive(Debug)]
pub struct Archive {
    pub(crate) asset: Asset,
}

#[cfg(feature = "tables")]
asset!(Archive, r#""archive""#);

#[cfg(feature = "tables")]
#[wasm_bindgen]
impl Archive {
    /// The number of members.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        archive_of(&self.asset.handle).len()
    }

    /// The members, in file order. Their names include the extension, and need not be unique.
    #[wasm_bindgen(getter, unchecked_return_type = "Entry[]")]
    pub fn entries(&self) -> Result<js_sys::Array, JsValue> {
        let mut entries = Entries::default();
        for member in archive_of(&self.asset.handle).members() {
            entries.push(&label(&member), Some((member.source().base(), member.data().len())));
        }
        entries.array()
    }

    /// Returns the names of the members, in file order.
    pub fn names(&self) -> Vec<String> {
        archive_of(&self.asset.handle).members().map(|member| label(&member)).collect()
    }

    /// Opens a member by its index.
    #[wasm_bindgen(unchecked_return_type = "Asset")]
    pub fn at(&self, index: usize) -> Result<JsValue, JsValue> {
        self.asset.at(index)
    }

    /// Opens the first member with a name, which includes its extension.
    #[wasm_bindgen(unchecked_return_type = "Asset")]
    pub fn get(&self, name: &str) -> Result<JsValue, JsValue> {
        match archive_of(&self.asset.handle).members().position(|member| label(&member) == name) {
            Some(index) => self.asset.at(index),
            None => Err(self.asset.error(format_args!("there is no member {name:?}"))),
        }
    }
}

/// A directory of a REZ archive of Claw, Gruntz or Get Medieval. The archive itself is its root directory.
#[cfg(feature = "levels")]
#[wasm_bindgen]
#[derive(Debug)]
pub struct Directory {
    pub(crate) asset: Asset,
}

#[cfg(feature = "levels")]
asset!(Directory, r#""directory""#);

#[cfg(feature = "levels")]
#[wasm_bindgen]
impl Directory {
    /// The number of files and directories in this directory.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        directory_of(&self.asset.handle).len()
    }

    /// The files and directories in this directory, in file order.
    #[wasm_bindgen(getter, unchecked_return_type = "Entry[]")]
    pub fn entries(&self) -> Result<js_sys::Array, JsValue> {
        let (context, mut entries) = (&self.asset.context, Entries::default());
        for found in directory_of(&self.asset.handle).entries() {
            match found {
                DirectoryEntry::Directory(directory) => entries.push(&context.text(directory.name()), None),
                DirectoryEntry::File(file) => {
                    entries.push(&context.text(&file.file_name()), Some((file.source().base(), file.data().len())));
                }
            }
        }
        entries.array()
    }

    /// Returns the names of the files and directories in this directory, in file order.
    pub fn names(&self) -> Vec<String> {
        let context = &self.asset.context;
        let names = directory_of(&self.asset.handle).entries().map(|entry| match entry {
            DirectoryEntry::Directory(directory) => context.text(directory.name()),
            DirectoryEntry::File(file) => context.text(&file.file_name()),
        });
        names.collect()
    }

    /// Returns the paths from here of all files in this directory and below it.
    pub fn files(&self) -> Vec<String> {
        let skipped = directory_of(&self.asset.handle).path().names().len();
        let text = |names: Vec<Vec<u8>>| {
            names.iter().skip(skipped).map(|name| self.asset.context.text(name)).collect::<Vec<_>>().join("/")
        };
        directory_of(&self.asset.handle).all_files().map(|file| text(file.path().names())).collect()
    }

    /// Opens a file or directory by its index in this directory.
    #[wasm_bindgen(unchecked_return_type = "Asset")]
    pub fn at(&self, index: usize) -> Result<JsValue, JsValue> {
        self.asset.at(index)
    }

    /// Opens a file or directory by its path from here, such as `LEVEL1/WORLDS/WORLD.WWD`. Case is ignored.
    #[wasm_bindgen(unchecked_return_type = "Asset")]
    pub fn get(&self, path: &str) -> Result<JsValue, JsValue> {
        match self.asset.handle.path(path.as_bytes()) {
            Err(Failure::Open(OpenError::NotFound, _)) => {
                Err(self.asset.error(format_args!("there is no file or directory {path:?}")))
            }
            entry => self.asset.opened(entry),
        }
    }

    /// Returns the palette with which the game shows the picture with a path from here, if the picture has none of its own:
    /// the argument of `pixels` and `toPng`.
    #[wasm_bindgen(js_name = paletteFor, unchecked_return_type = "Uint8Array<ArrayBuffer> | undefined")]
    pub fn palette_for(&self, path: &str) -> Option<js_sys::Uint8Array> {
        let directory = directory_of(&self.asset.handle);
        let file = directory.by_path(path)?;
        palette_of(directory.archive(), &file).map(|palette| js_sys::Uint8Array::from(palette.colors.as_flattened()))
    }
}

/// A member of an archive in no known format; `bytes` returns it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Data {
    pub(crate) asset: Asset,
}

asset!(Data, r#""data""#);
