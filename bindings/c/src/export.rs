//! The outputs that `worldview export` writes.
#![expect(unsafe_code, reason = "an exported function, and a text and a function of the caller")]

use std::ffi::{c_char, c_void};
use std::ptr;

use formats::export::outputs::{Made, Options, OutputKind};

use crate::error::{Fault, WvError, WvStatus};
use crate::ffi::{self, ErrorOut, WvSpan, answer};
use crate::file::{WvHandle, given};

/// An output of a file. It and its spans are only valid during the call that receives it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvOutput {
    /// Size of this structure. The library sets it.
    pub size: usize,
    /// The kind of the output, such as "png".
    pub kind: WvSpan,
    /// The path of the output relative to a folder for the handle, such as "planes/01-Action.png": UTF-8, separated by `/`. It is
    /// unique there, valid on every system, and leads nowhere else.
    pub name: WvSpan,
    /// What it is of, such as "plane".
    pub of: WvSpan,
    /// The contents.
    pub data: WvSpan,
}

/// A function that receives an output, or NULL and an error, which is only valid during the call: an output that cannot be made.
/// It returns whether more outputs are wanted. It must return normally: no exception, no longjmp.
pub type WvSink =
    Option<unsafe extern "C" fn(user: *mut c_void, output: *const WvOutput, error: *const WvError) -> bool>;

/// Passes each output that `worldview export` would write for a handle to `sink`. Only available in libraries that were built with the
/// feature `export`.
///
/// `kinds` are the names of kinds of outputs, separated by commas, such as "tmx,png". If there is no such kind, the result is
/// `WV_STATUS_ARGUMENT`, and the error has the names of all. Kinds that the handle does not have are skipped; records, and data
/// in no known format, have none.
///
/// The function itself only fails if an argument is not valid.
///
/// # Safety
///
/// `kinds` must be a text that ends with NUL, and `sink` must accept what it is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_export(
    handle: Option<&WvHandle>,
    kinds: *const c_char,
    sink: WvSink,
    user: *mut c_void,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer((), error, || {
        let handle = given(handle)?.handle();
        // SAFETY: the caller guarantees a text.
        let kinds = unsafe { ffi::text(kinds, "the kinds") }?;
        let sink = sink.ok_or_else(|| Fault::null("the function"))?;
        let kinds = String::from_utf8_lossy(kinds).split(',').map(str::parse).collect::<Result<Vec<OutputKind>, _>>();
        let kinds = kinds.map_err(|unknown| Fault::argument(&unknown.to_string()))?;
        let take = |made: Made<'_>| match made {
            Ok((output, bytes)) => {
                let output = WvOutput {
                    size: size_of::<WvOutput>(),
                    kind: output.kind.name().into(),
                    name: output.name.as_str().into(),
                    of: output.of.into(),
                    data: bytes.as_slice().into(),
                };
                // SAFETY: the caller guarantees that the function accepts an output.
                unsafe { sink(user, &raw const output, ptr::null()) }
            }
            Err((name, error)) => {
                let fault = Fault::output(handle, &name, &error);
                // SAFETY: the caller guarantees that the function accepts an error.
                unsafe { sink(user, ptr::null(), fault.error()) }
            }
        };
        handle.outputs_in_memory(&kinds, &Options::default(), take);
        Ok(())
    })
}
