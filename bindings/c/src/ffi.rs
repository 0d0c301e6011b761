//! Where pointers of the caller become Rust values.
#![expect(unsafe_code, reason = "the caller passes arrays and texts as pointers")]

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
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
#[derive(Clone, Copy, Debug)]
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

// The header has pointers in place of these types, none of which may be defined by another one: `tests/header.rs`.

/// A place for one result. NULL is an error.
pub type Out<'o, T> = Option<&'o mut MaybeUninit<T>>;

/// A place for an object that the caller owns from then on. NULL is an error.
pub type OwnedOut<'o, T> = Option<&'o mut MaybeUninit<Option<Box<T>>>>;

/// A place for an error. NULL if the caller does not want it.
pub type ErrorOut<'o> = Option<&'o mut MaybeUninit<WvError>>;

/// Runs `work` and stores its result, or its error. A panic is an error, too.
pub(crate) fn answer<T>(out: impl Store<T>, error: ErrorOut<'_>, work: impl FnOnce() -> Answer<T>) -> WvStatus {
    report(out.store(work), error)
}

/// Where a result is stored.
pub(crate) trait Store<T> {
    /// Runs `work` and stores its result, unless there is no place for it.
    fn store(self, work: impl FnOnce() -> Answer<T>) -> Answer<()>;
}

impl<T> Store<T> for Out<'_, T> {
    fn store(self, work: impl FnOnce() -> Answer<T>) -> Answer<()> {
        let out = self.ok_or_else(|| Fault::null("the result"))?;
        out.write(caught(work)?);
        Ok(())
    }
}

/// A function without a result.
impl Store<()> for () {
    fn store(self, work: impl FnOnce() -> Answer<()>) -> Answer<()> {
        caught(work)
    }
}

impl<T: Growable> Store<T> for Grown<'_, T> {
    fn store(self, work: impl FnOnce() -> Answer<T>) -> Answer<()> {
        // SAFETY: whoever passes a pointer to one structure guarantees that it is NULL, or has `size` bytes.
        let mut slots = unsafe { self.slots(1) }?;
        let value = caught(work)?;
        slots.next().into_iter().for_each(|slot| slot.write(&value));
        Ok(())
    }
}

/// A structure of results that later versions can add members to, at the end. A program sets the first member, `size`, to
/// the size that the structure had when it was compiled.
///
/// # Safety
///
/// The first member must be a `usize`, and the layout that of C.
pub unsafe trait Growable: Copy {
    /// Size of the structure in the first version. Whoever adds a member states it.
    const FIRST: usize = size_of::<Self>();
}

macro_rules! growable {
    ($($module:ident::$name:ident,)+) => {$(
        // SAFETY: `size` is the first member, and the header has the same structure, so its layout is that of C.
        unsafe impl Growable for crate::$module::$name {}
        const _: () = assert!(std::mem::offset_of!(crate::$module::$name, size) == 0);
    )+};
}

growable! {
    archive::WvEntry,
    database::WvBlob,
    database::WvDatabase,
    database::WvModelRef,
    database::WvPartRef,
    database::WvSharedPart,
    database::WvTexture,
    database::WvWorld,
    file::WvPart,
    findings::WvFinding,
    level::WvAttribute,
    level::WvLevel,
    level::WvPlane,
    lods::WvLod,
    lods::WvMaterial,
    lods::WvMesh,
    model::WvNode,
    model::WvRoi,
    object::WvObject,
    picture::WvPicture,
    table::WvField,
    table::WvRecord,
    table::WvTable,
    table::WvValue,
}

/// Larger sizes are those of members that were never set.
const MAX_SIZE: usize = 4096;

/// A structure of the caller, or the first one of an array, as large as its `size` says: NULL, or as many bytes that can be written to
/// and that nothing else refers to for `'o`.
#[derive(Debug)]
#[repr(transparent)]
pub struct Grown<'o, T> {
    first: *mut T,
    lent: PhantomData<&'o mut T>,
}

impl<'o, T: Growable> Grown<'o, T> {
    /// Returns the structures, if there are some and `size` is set.
    ///
    /// # Safety
    ///
    /// There must be `len` structures, each with as many bytes as the first one.
    pub(crate) unsafe fn slots(self, len: usize) -> Answer<impl Iterator<Item = Slot<'o, T>>> {
        let Self { first, lent } = self;
        let size = if len == 0 { 0 } else { Self::size(first)? };
        if len.checked_mul(size).is_none_or(|all| all > isize::MAX.unsigned_abs()) {
            return Err(Fault::argument("a buffer is larger than the memory"));
        }
        let at = first.cast::<u8>();
        Ok((0..len).map(move |index| Slot { at: at.wrapping_add(index.wrapping_mul(size)), size, lent }))
    }

    fn size(first: *mut T) -> Answer<usize> {
        if first.is_null() {
            return Err(Fault::null("the result"));
        }
        // SAFETY: it is not NULL, so it has its first member.
        let size = unsafe { first.cast::<usize>().read_unaligned() };
        if (T::FIRST..=MAX_SIZE).contains(&size) && size.is_multiple_of(align_of::<T>()) {
            return Ok(size);
        }
        let name = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
        let want = size_of::<T>();
        Err(Fault::argument(&format!("the member size of {name} is {size}, expected sizeof({name}): {want}")))
    }
}

/// A structure of the caller.
#[derive(Debug)]
pub(crate) struct Slot<'o, T> {
    at: *mut u8,
    size: usize,
    lent: PhantomData<&'o mut T>,
}

impl<T: Growable> Slot<'_, T> {
    /// Writes all members that the caller knows, except for `size`, which stays that of the caller. Members that only the caller
    /// knows, whose header is newer, become 0.
    pub(crate) fn write(self, value: &T) {
        let value = (&raw const *value).cast::<u8>();
        let first = size_of::<usize>();
        let known = self.size.min(size_of::<T>());
        let len = known.saturating_sub(first);
        // SAFETY: both have at least `first + len` bytes, by the guarantee of `Grown` and by the size of `T`.
        unsafe { ptr::copy_nonoverlapping(value.wrapping_add(first), self.at.wrapping_add(first), len) };
        // SAFETY: the structure of the caller has `size` bytes, by the guarantee of `Grown`.
        unsafe { ptr::write_bytes(self.at.wrapping_add(known), 0, self.size.saturating_sub(known)) };
    }
}

/// Runs `work` and stores its result, or NULL and its error.
pub(crate) fn answer_owned<T>(out: OwnedOut<'_, T>, error: ErrorOut<'_>, work: impl FnOnce() -> Answer<T>) -> WvStatus {
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

/// Returns a buffer of the caller, who may not have written to it yet.
///
/// # Safety
///
/// `data` must be NULL, or point to `len` elements that the caller can write to and that nothing else refers to for `'b`.
pub(crate) unsafe fn buffer<'b, T>(data: *mut T, len: usize) -> Answer<&'b mut [MaybeUninit<T>]> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(data.cast_const(), len)?;
    // SAFETY: the caller of this function guarantees `len` elements, which need not be initialized, and their alignment and
    // size were checked.
    Ok(unsafe { std::slice::from_raw_parts_mut(data.cast(), len) })
}

/// Returns a buffer of the caller with zeros in it, for decoders that take slices.
///
/// # Safety
///
/// That of `buffer`.
pub(crate) unsafe fn zeros<'b, T: FromZeros>(data: *mut T, len: usize) -> Answer<&'b mut [T]> {
    // SAFETY: the caller of this function guarantees the same.
    unsafe { buffer(data, len) }?.fill_with(MaybeUninit::zeroed);
    if len == 0 {
        return Ok(&mut []);
    }
    // SAFETY: the buffer was checked, and is zeros now, which `FromZeros` makes valid.
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
pub(crate) fn fill<T>(buffer: &mut [MaybeUninit<T>], from: impl Iterator<Item = T>) -> usize {
    buffer.iter_mut().zip(from).map(|(to, value)| to.write(value)).count()
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

    /// A structure that had only the first two members once.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Newer {
        size: usize,
        old: u32,
        reserved: u32,
        new: u64,
    }

    // SAFETY: `size` is the first member.
    unsafe impl Growable for Newer {
        const FIRST: usize = 16;
    }

    fn newer(out: *mut Newer, len: usize, from: u32) -> (WvStatus, usize) {
        let mut count = MaybeUninit::new(0);
        let status = answer(Some(&mut count), None, || {
            // SAFETY: the tests pass as many bytes as `size` says.
            let slots = unsafe { Grown { first: out, lent: PhantomData }.slots(len) }?;
            Ok(slots.zip(from..).map(|(slot, old)| slot.write(&Newer { size: 0, old, reserved: 0, new: 9 })).count())
        });
        // SAFETY: it was written above.
        (status, unsafe { count.assume_init() })
    }

    #[test]
    fn programs_get_the_members_that_they_know() {
        let mut old = [(16_u64, [7_u32, 7]), (7, [7, 7]), (7, [7, 7])];
        assert_eq!(newer(old.as_mut_ptr().cast(), 2, 3), (WvStatus::Ok, 2));
        assert_eq!(old, [(16, [3, 0]), (7, [4, 0]), (7, [7, 7])]);
        let mut same = [Newer { size: 24, old: 7, reserved: 7, new: 7 }; 2];
        assert_eq!(newer(same.as_mut_ptr(), 1, 3), (WvStatus::Ok, 1));
        assert_eq!(
            same,
            [Newer { size: 24, old: 3, reserved: 0, new: 9 }, Newer { size: 24, old: 7, reserved: 7, new: 7 }]
        );
        let mut later = [32_u64, 7, 7, 7];
        assert_eq!(newer(later.as_mut_ptr().cast(), 1, 3), (WvStatus::Ok, 1));
        assert_eq!([later[0], later[2], later[3]], [32, 9, 0]);
        for size in [0, 8, 20, 4104] {
            let mut unset = [size, 7, 7];
            assert_eq!(newer(unset.as_mut_ptr().cast(), 1, 3), (WvStatus::Argument, 0), "{size}");
            assert_eq!(unset, [size, 7, 7]);
        }
        assert_eq!(newer(ptr::null_mut(), 0, 3), (WvStatus::Ok, 0));
        assert_eq!(newer(ptr::null_mut(), 1, 3), (WvStatus::Null, 0));
    }

    #[test]
    fn buffers_are_checked() {
        let mut words = [7_u32; 3];
        let at = words.as_mut_ptr();
        // SAFETY: three words.
        assert_eq!(unsafe { super::buffer(at, 3) }.unwrap().len(), 3);
        // SAFETY: three words.
        assert_eq!(unsafe { zeros(at, 2) }.unwrap(), [0; 2]);
        assert_eq!(words, [0, 0, 7]);
        // SAFETY: refused without a look at it.
        let huge = unsafe { super::buffer(at, usize::MAX / 4) };
        assert_eq!(huge.unwrap_err().status(), WvStatus::Argument);
        // SAFETY: refused without a look at it.
        let odd = unsafe { super::buffer(at.wrapping_byte_add(1), 1) };
        assert_eq!(odd.unwrap_err().status(), WvStatus::Argument);
        // SAFETY: refused without a look at it.
        let none = unsafe { super::buffer(ptr::null_mut::<u32>(), 1) };
        assert_eq!(none.unwrap_err().status(), WvStatus::Null);
    }
}
