//! Where pointers of the caller become Rust values.
#![expect(unsafe_code, reason = "the caller passes arrays and texts as pointers")]

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use zerocopy::FromZeros;

use crate::error::{Answer, Fault, WvError, WvStatus};

/// Bytes, or a text without a final NUL. They belong to the handle that they were asked from, and are valid until it is
/// freed.
///
/// If `len` is 0, `data` must not be read.
#[repr(C)]
#[derive(Clone, Copy, Debug, FromZeros)]
pub struct WvSpan {
    /// The first byte. It may have any alignment.
    pub data: *const u8,
    /// The number of bytes.
    pub len: usize,
}

impl WvSpan {
    pub(crate) const NONE: Self = Self { data: ptr::null(), len: 0 };
}

impl From<&[u8]> for WvSpan {
    fn from(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr(), len: bytes.len() }
    }
}

impl From<&str> for WvSpan {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

/// A place for one result. NULL is an error.
pub(crate) type Out<'o, T> = Option<&'o mut MaybeUninit<T>>;

/// A place for an error. NULL if the caller does not want it.
pub(crate) type ErrorOut<'o> = Option<&'o mut MaybeUninit<WvError>>;

/// Runs `work` and stores its result, or its error. A panic is an error, too.
pub(crate) fn answer<T>(out: Out<'_, T>, error: ErrorOut<'_>, work: impl FnOnce() -> Answer<T>) -> WvStatus {
    let stored = match out {
        None => Err(Fault::null("the result")),
        Some(out) => caught(work).map(|value| {
            out.write(value);
        }),
    };
    report(stored, error)
}

/// Runs `work` and stores its result, or NULL and its error.
pub(crate) fn answer_owned<T>(
    out: Out<'_, Option<Box<T>>>,
    error: ErrorOut<'_>,
    work: impl FnOnce() -> Answer<T>,
) -> WvStatus {
    let stored = match out {
        None => Err(Fault::null("the result")),
        Some(out) => {
            let out = out.write(None);
            caught(|| work().map(Box::new)).map(|value| *out = Some(value))
        }
    };
    report(stored, error)
}

/// Frees something. NULL is allowed.
pub(crate) fn free<T>(owned: Option<Box<T>>) {
    // Nothing that handles own panics when it is dropped. If that changes, the memory is lost instead of the process.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(owned)));
}

/// Handles only change in cells that are empty or whole after a panic.
fn caught<T>(work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(Fault::panic(&*payload)))
}

fn report(stored: Answer<()>, error: ErrorOut<'_>) -> WvStatus {
    match stored {
        Ok(()) => WvStatus::Ok,
        Err(fault) => {
            if let Some(error) = error {
                error.write(*fault.error());
            }
            fault.status()
        }
    }
}

/// Returns a buffer of the caller, with zeros in it: the caller may not have written to it yet.
///
/// # Safety
///
/// `data` must be NULL, or point to `len` elements that the caller can write to and that nothing else refers to for `'b`.
pub(crate) unsafe fn buffer<'b, T: FromZeros>(data: *mut T, len: usize) -> Answer<&'b mut [T]> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(data.cast_const(), len)?;
    // SAFETY: the caller of this function guarantees `len` elements that can be written to, and `data` is aligned.
    unsafe { ptr::write_bytes(data, 0, len) };
    // SAFETY: as above; the elements are zeros now, which `FromZeros` makes valid, and their size was checked.
    Ok(unsafe { std::slice::from_raw_parts_mut(data, len) })
}

/// Returns bytes of the caller.
///
/// # Safety
///
/// `data` must be NULL, or point to `len` bytes that do not change during `'b`.
pub(crate) unsafe fn bytes<'b>(data: *const u8, len: usize) -> Answer<&'b [u8]> {
    if len == 0 {
        return Ok(&[]);
    }
    check(data, len)?;
    // SAFETY: the caller of this function guarantees `len` bytes, and their number was checked.
    Ok(unsafe { std::slice::from_raw_parts(data, len) })
}

/// Checks what can be checked of an array: that there is one, its alignment and its size.
fn check<T>(data: *const T, len: usize) -> Answer<()> {
    if data.is_null() {
        return Err(Fault::null("a buffer with a length"));
    }
    if !data.is_aligned() {
        return Err(Fault::argument("a buffer is not aligned to its elements"));
    }
    let most = isize::MAX.unsigned_abs();
    if len.checked_mul(size_of::<T>()).is_none_or(|size| size > most) {
        return Err(Fault::argument("a buffer is larger than the memory"));
    }
    Ok(())
}

/// Returns a text of the caller without its final NUL.
///
/// # Safety
///
/// `text` must be NULL, or point to bytes that end with NUL and do not change during `'b`.
pub(crate) unsafe fn text<'b>(text: *const c_char, argument: &str) -> Answer<&'b [u8]> {
    // SAFETY: the caller of this function guarantees the same.
    unsafe { optional_text(text) }.ok_or_else(|| Fault::null(argument))
}

/// Returns a text of the caller without its final NUL, or `None` for NULL.
///
/// # Safety
///
/// `text` must be NULL, or point to bytes that end with NUL and do not change during `'b`.
pub(crate) unsafe fn optional_text<'b>(text: *const c_char) -> Option<&'b [u8]> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller of this function guarantees bytes that end with NUL.
    Some(unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// Copies as many elements as fit into a buffer of the caller, and returns how many.
pub(crate) fn fill<T>(buffer: &mut [T], from: impl Iterator<Item = T>) -> usize {
    buffer.iter_mut().zip(from).map(|(to, value)| *to = value).count()
}

/// Checks that a buffer has the length of what is written into it.
pub(crate) fn exactly(what: &str, len: usize, want: usize) -> Answer<()> {
    if len == want {
        return Ok(());
    }
    Err(Fault::argument(&format!("the buffer for {what} has {len} elements, expected {want}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(error: &WvError) -> String {
        error.message.iter().take_while(|byte| **byte != 0).map(|byte| byte.cast_unsigned() as char).collect()
    }

    #[test]
    fn a_panic_is_an_error() {
        let (mut out, mut error) = (MaybeUninit::<u32>::uninit(), MaybeUninit::uninit());
        let status = answer(Some(&mut out), Some(&mut error), || panic!("on purpose"));
        assert_eq!(status, WvStatus::Panic);
        // SAFETY: a failure writes the error.
        let error = unsafe { error.assume_init() };
        assert_eq!(message(&error), "bug in worldview: on purpose");
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let long = "é".repeat(400);
        let error = *Fault::argument(&long).error();
        let bytes: Vec<u8> = error.message.iter().map(|byte| byte.cast_unsigned()).collect();
        assert_eq!(bytes[..510], *"é".repeat(255).as_bytes());
        assert_eq!(bytes[510..], [0, 0]);
    }

    #[test]
    fn buffers_are_checked() {
        let mut words = [7_u32; 3];
        let at = words.as_mut_ptr();
        // SAFETY: three words.
        let buffer = |len| unsafe { super::buffer(at, len) };
        assert_eq!(buffer(3).unwrap(), [0; 3]);
        assert_eq!(buffer(usize::MAX / 4).unwrap_err().status(), WvStatus::Argument);
        // SAFETY: refused without a look at it.
        let odd = unsafe { super::buffer(at.wrapping_byte_add(1), 1) };
        assert_eq!(odd.unwrap_err().status(), WvStatus::Argument);
        // SAFETY: refused without a look at it.
        let none = unsafe { super::buffer(ptr::null_mut::<u32>(), 1) };
        assert_eq!(none.unwrap_err().status(), WvStatus::Null);
    }
}
