//! WORLD.WDB: what names refer to.
#![expect(unsafe_code, reason = "exported functions, and texts of the caller")]

use formats::island::{LodsAt, Scope, ScopedNames, TextureAt};

use crate::database::{GLOBAL_PARTS, GLOBAL_TEXTURES, model};
use crate::error::{Answer, Fault, WvStatus};
use crate::ffi::{self, ErrorOut, Out, answer};
use crate::file::{WvHandle, given};

/// A name is resolved for the global parts. `world` and `index` are not used.
pub const WV_SCOPE_GLOBAL: u32 = 0;
/// A name is resolved for the blob `index`, outside of any world. `world` is not used.
pub const WV_SCOPE_BLOB: u32 = 1;
/// A name is resolved for the part reference `index` of a world.
pub const WV_SCOPE_PART: u32 = 2;
/// A name is resolved for the model reference `index` of a world.
pub const WV_SCOPE_MODEL: u32 = 3;

/// Where something is in a WORLD.WDB.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvPlace {
    /// Index of the blob, `WV_GLOBAL_PARTS` or `WV_GLOBAL_TEXTURES`.
    pub blob: usize,
    /// Index of the texture, part or object in it.
    pub index: usize,
}

/// Finds the texture that a name refers to, ignoring case. `scope`, `world` and `index` say for what: see
/// `WV_SCOPE_MODEL` and the others.
///
/// # Safety
///
/// `name` must point to `name_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_find_texture(
    database: Option<&WvHandle>,
    scope: u32,
    world: usize,
    index: usize,
    name: *const u8,
    name_len: usize,
    out: Out<'_, WvPlace>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        // SAFETY: the caller guarantees `name_len` bytes.
        let name = unsafe { ffi::bytes(name, name_len) }?;
        let found = with_scope(database, scope, world, index, |names| names.texture(name))?;
        Ok(match found.ok_or_else(|| Fault::not_found("no texture has this name"))? {
            TextureAt::Global(index) => WvPlace { blob: GLOBAL_TEXTURES, index },
            TextureAt::Parts(index) => WvPlace { blob: GLOBAL_PARTS, index },
            TextureAt::Blob { blob, texture } => WvPlace { blob, index: texture },
        })
    })
}

/// Finds the levels of detail of an object: its own, or those that it shares by its name. `scope`, `world` and `index`
/// name the model: `WV_SCOPE_MODEL` or `WV_SCOPE_BLOB`. `wv_lods` opens what is found.
#[unsafe(no_mangle)]
pub extern "C" fn wv_find_lods(
    database: Option<&WvHandle>,
    scope: u32,
    world: usize,
    index: usize,
    roi: usize,
    out: Out<'_, WvPlace>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let blob = match scope {
            WV_SCOPE_BLOB => index,
            WV_SCOPE_MODEL => {
                let database = given(database)?.database()?;
                let reference = database.world(world).and_then(|world| world.models.get(index)?.blob());
                reference.ok_or_else(|| Fault::not_found("the world has no such model"))?
            }
            _ => return Err(Fault::argument("the scope is not that of a model")),
        };
        let model = model(database, blob)?;
        let object = model.rois.get(roi).ok_or_else(|| Fault::index("object", roi, model.rois.len()))?;
        if !object.is_shared() {
            return Ok(WvPlace { blob, index: roi });
        }
        let found = with_scope(database, scope, world, index, |names| names.lods(roi, object.list_name()))?;
        Ok(match found.ok_or_else(|| Fault::not_found("no part has the name of the object"))? {
            LodsAt::Global { part } => WvPlace { blob: GLOBAL_PARTS, index: part },
            LodsAt::Part { blob, part } => WvPlace { blob, index: part },
            LodsAt::Roi { blob, roi } => WvPlace { blob, index: roi },
        })
    })
}

fn with_scope<T>(
    database: Option<&WvHandle>,
    scope: u32,
    world: usize,
    index: usize,
    look: impl FnOnce(&ScopedNames<'_, '_, '_>) -> T,
) -> Answer<T> {
    let database = given(database)?;
    let scope = match scope {
        WV_SCOPE_GLOBAL => Scope::Global,
        WV_SCOPE_BLOB => Scope::Blob(index),
        WV_SCOPE_PART => Scope::Part { world, part: index },
        WV_SCOPE_MODEL => Scope::Model { world, model: index },
        _ => return Err(Fault::argument("the scope is none of WV_SCOPE_GLOBAL to WV_SCOPE_MODEL")),
    };
    database.with_scope(scope, |library, names| look(&library.names(scope, names)))
}
