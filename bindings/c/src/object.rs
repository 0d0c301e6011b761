//! Objects of levels.
#![expect(unsafe_code, reason = "exported functions, and a buffer of the caller")]

use formats::Error;
use formats::OwnedObjects;
use formats::wwd::Object;
use formats::wwd::raw::Rect;
use zerocopy::IntoBytes as _;

use crate::error::{Answer, Fault, WvStatus};
use crate::ffi::{self, ErrorOut, Grown, Out, OwnedOut, Slot, WvSpan, answer, answer_owned};
use crate::file::{WvHandle, given};
use crate::records::WvObjectFields;

/// A rectangle in pixels with inclusive bounds; all zero means unset.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvRect {
    /// Leftmost column inside.
    pub left: i32,
    /// Topmost row inside.
    pub top: i32,
    /// Rightmost column inside.
    pub right: i32,
    /// Bottommost row inside.
    pub bottom: i32,
}

impl From<Rect> for WvRect {
    fn from(rect: Rect) -> Self {
        let [left, top, right, bottom] = rect.get();
        Self { left, top, right, bottom }
    }
}

/// An object of a level. The texts are bytes in a code page that the file does not declare.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvObject {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Index in its plane.
    pub index: usize,
    /// Offset in the image of the level.
    pub offset: u64,
    /// Name. Bytes after a NUL in it are data of an editor.
    pub name: WvSpan,
    /// Logic, which names the code that the game runs for the object.
    pub logic: WvSpan,
    /// Prefixed name of the image set.
    pub image_set: WvSpan,
    /// Animation; in Gruntz it can be a sound.
    pub animation: WvSpan,
    /// The 284 bytes of the fixed part as stored, little-endian.
    pub record: WvSpan,
    /// The fixed part.
    pub fields: WvObjectFields,
}

impl From<Object<'_>> for WvObject {
    fn from(object: Object<'_>) -> Self {
        Self {
            size: size_of::<Self>(),
            index: object.index,
            offset: object.at,
            name: object.name.into(),
            logic: object.logic.into(),
            image_set: object.image_set.into(),
            animation: object.animation.into(),
            record: object.record.as_bytes().into(),
            fields: object.record.into(),
        }
    }
}

/// A walk over the objects of a plane. Only one thread at a time may use it. It keeps the level alive, so the texts of the
/// objects are valid until both the walk and the handle are freed.
#[derive(Debug)]
pub struct WvObjects {
    walk: OwnedObjects,
    /// The error that ended the walk, until it is returned.
    ended: Option<Error>,
}

/// Starts a walk over the objects of a plane. Free it with `wv_objects_free`.
#[unsafe(no_mangle)]
pub extern "C" fn wv_objects(
    level: Option<&WvHandle>,
    plane: usize,
    out: OwnedOut<'_, WvObjects>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        let level = given(level)?;
        let len = level.level()?.planes().len();
        let walk = OwnedObjects::of(level.handle(), plane).ok_or_else(|| Fault::index("plane", plane, len))?;
        Ok(WvObjects { walk, ended: None })
    })
}

/// Reads the next objects, at most `capacity`, and sets `count` to their number: 0 after the last one. Only `size` of the
/// first object need be set.
///
/// A broken object ends the walk with `WV_STATUS_BROKEN`, which is returned by itself, after all objects before it.
///
/// # Safety
///
/// `objects` must point to `capacity` objects, all of the `size` of the first one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_objects_next(
    walk: Option<&mut WvObjects>,
    objects: Grown<'_, WvObject>,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(count, error, || {
        let walk = walk.ok_or_else(|| Fault::null("the walk"))?;
        // SAFETY: the caller guarantees `capacity` objects.
        walk.read(unsafe { objects.slots(capacity) }?)
    })
}

impl WvObjects {
    fn read<'o>(&mut self, objects: impl Iterator<Item = Slot<'o, WvObject>>) -> Answer<usize> {
        let mut count = 0_usize;
        for to in objects {
            match self.walk.next(|object| object.map(WvObject::from)) {
                Some(Ok(object)) => to.write(&object),
                Some(Err(error)) => {
                    self.ended = Some(error);
                    break;
                }
                None => break,
            }
            count = count.saturating_add(1);
        }
        match self.ended.take_if(|_| count == 0) {
            Some(error) => Err(error.into()),
            None => Ok(count),
        }
    }
}

/// Frees a walk. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn wv_objects_free(walk: Option<Box<WvObjects>>) {
    ffi::free(walk);
}
