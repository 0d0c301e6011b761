//! Opening files in memory, and files that the program reads.
#![expect(unsafe_code, reason = "exported functions, and texts, bytes and functions of the caller")]

use std::ffi::{c_char, c_void};
use std::io::{self, Read};

use formats::{Failure, File, Handle, Loader};

use crate::error::{Answer, Fault, WvStatus};
use crate::ffi::{self, ErrorOut, OwnedOut, answer_owned};
use crate::file::{WvHandle, WvOptions, settings};

/// Opens a file in memory, which is copied. `name` is its file name, which decides its format where the bytes do not;
/// pictures have no signature. `inside` is the path of a part of it, or NULL.
///
/// `name` and `options` can be NULL. Free the result with `wv_free`. It is NULL if there is an error.
///
/// # Safety
///
/// The pointers must be valid: `data` points to `len` bytes, the texts end with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_open_bytes(
    data: *const u8,
    len: usize,
    name: *const c_char,
    inside: *const c_char,
    options: *const WvOptions,
    out: OwnedOut<'_, WvHandle>,
    error: ErrorOut<'_>,
) -> WvStatus {
    // SAFETY: the caller guarantees `len` bytes.
    let bytes = || unsafe { ffi::bytes(data, len) }.map(<[u8]>::to_vec);
    // SAFETY: the caller guarantees texts and options.
    answer_owned(out, error, || unsafe { opened(bytes()?, name, inside, options) })
}

/// Called once, when the bytes that were passed to `wv_open_borrowed` are no longer used, on the thread that frees their last user. It
/// must return normally: no exception, no longjmp.
pub type WvRelease = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// Opens a file in memory like `wv_open_bytes`, but without a copy: spans point into `data`, which must neither move nor change until
/// `release` is called with `user`. That happens when the handle, everything that was opened from it, and all levels of detail and walks
/// over objects are freed; and before this function returns if there is an error. `release` can be NULL.
///
/// # Safety
///
/// The pointers must be valid: `data` points to `len` bytes, the texts end with NUL. `release` may be called on any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_open_borrowed(
    data: *const u8,
    len: usize,
    name: *const c_char,
    inside: *const c_char,
    options: *const WvOptions,
    release: WvRelease,
    user: *mut c_void,
    out: OwnedOut<'_, WvHandle>,
    error: ErrorOut<'_>,
) -> WvStatus {
    let borrowed = Borrowed { data, len, release, user };
    answer_owned(out, error, || {
        // SAFETY: the caller guarantees `len` bytes.
        unsafe { ffi::bytes(data, len) }?;
        // SAFETY: the caller guarantees texts and options.
        unsafe { opened(borrowed, name, inside, options) }
    })
}

/// Bytes that belong to the caller, to whom they are given back when this is dropped.
struct Borrowed {
    data: *const u8,
    len: usize,
    release: WvRelease,
    user: *mut c_void,
}

// SAFETY: the bytes do not change, and the caller guarantees that `release` may be called on any thread.
unsafe impl Send for Borrowed {}
// SAFETY: as above.
unsafe impl Sync for Borrowed {}

impl AsRef<[u8]> for Borrowed {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the caller guarantees `len` bytes until `release` is called, which is when this is dropped.
        unsafe { ffi::bytes(self.data, self.len) }.unwrap_or_default()
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the caller guarantees that the function accepts `user`.
            unsafe { release(self.user) };
        }
    }
}

/// A function that reads the next bytes of a file into `to`, at most `len`, and returns their number: 0 at the end, SIZE_MAX if they cannot
/// be read. It must return normally: no exception, no longjmp.
pub type WvRead = Option<unsafe extern "C" fn(user: *mut c_void, to: *mut u8, len: usize) -> usize>;

/// Opens a file that a function of the program reads, such as a file in an archive of the program. The function is called until it
/// returns 0, and not after this function has returned; more than 1 GiB is an error. `name`, `inside` and `options` are as for
/// `wv_open_bytes`.
///
/// # Safety
///
/// The pointers must be valid, the texts end with NUL. `read` must accept `user` and write no more than `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_open_stream(
    read: WvRead,
    user: *mut c_void,
    name: *const c_char,
    inside: *const c_char,
    options: *const WvOptions,
    out: OwnedOut<'_, WvHandle>,
    error: ErrorOut<'_>,
) -> WvStatus {
    struct Stream(unsafe extern "C" fn(user: *mut c_void, to: *mut u8, len: usize) -> usize, *mut c_void);

    impl Read for Stream {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            // SAFETY: the caller guarantees that the function writes at most as many bytes.
            match unsafe { (self.0)(self.1, to.as_mut_ptr(), to.len()) } {
                count if count <= to.len() => Ok(count),
                usize::MAX => Err(io::Error::other("the function of the program cannot read the file")),
                _ => Err(io::Error::other("the function of the program returned more bytes than there is room for")),
            }
        }
    }

    answer_owned(out, error, || {
        let read = read.ok_or_else(|| Fault::null("the function"))?;
        let bytes = Loader::read().stream(Stream(read, user)).map_err(Failure::from)?;
        // SAFETY: the caller guarantees texts and options.
        unsafe { opened(bytes, name, inside, options) }
    })
}

/// Opens bytes, or a part of them.
///
/// # Safety
///
/// The pointers must be NULL or valid: `name` and `inside` texts that end with NUL, `options` options of `size` bytes.
unsafe fn opened(
    bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    name: *const c_char,
    inside: *const c_char,
    options: *const WvOptions,
) -> Answer<WvHandle> {
    // SAFETY: the caller guarantees NULL or a text.
    let name = unsafe { ffi::optional_text(name) }.unwrap_or_default();
    // SAFETY: the caller guarantees NULL or a text.
    let inside = unsafe { ffi::optional_text(inside) }.unwrap_or_default();
    // SAFETY: the caller guarantees NULL or options.
    let (options, _) = unsafe { settings(options) }?;
    let file = File::from_owner(bytes, String::from_utf8_lossy(name));
    Ok(WvHandle::new(Handle::of(&file, inside, &options)?))
}
