//! Objects of levels.
#![expect(unsafe_code, reason = "exported functions, and a buffer of the caller")]

use std::mem::MaybeUninit;

use formats::Error;
use formats::OwnedObjects;
use formats::wwd::Object;
use formats::wwd::raw::ObjectRecord;
use zerocopy::byteorder::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes};

use crate::error::{Answer, Fault, WvError, WvStatus};
use crate::ffi::{self, Grown, WvSpan, answer, answer_owned, growable};
use crate::file::{WvHandle, given};

/// A rectangle in pixels with inclusive bounds; all zero means unset.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
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

/// The fixed part of an object: the numbers of the file in its order, in the byte order of the machine.
/// The meaning of a logic-specific field is up to the object's logic.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
pub struct WvObjectFields {
    /// Number given by the editor; often not unique.
    pub id: i32,
    /// Length of the name, in bytes.
    pub name_len: u32,
    /// Length of the logic, in bytes.
    pub logic_len: u32,
    /// Length of the image set, in bytes.
    pub image_set_len: u32,
    /// Length of the animation, in bytes.
    pub animation_len: u32,
    /// Position in pixels.
    pub x: i32,
    /// Position in pixels.
    pub y: i32,
    /// Depth.
    pub z: i32,
    /// Frame of the image set, -1 for none.
    pub i: i32,
    /// Flags; read by no known engine.
    pub add_flags: u32,
    /// Flags of behavior: crates/wwd/FORMAT.md.
    pub dynamic_flags: u32,
    /// Flags of drawing: crates/wwd/FORMAT.md.
    pub draw_flags: u32,
    /// User flags: bit n - 1 is flag n, 1 to 12.
    pub user_flags: u32,
    /// Logic-specific.
    pub score: i32,
    /// Logic-specific.
    pub points: i32,
    /// Logic-specific.
    pub powerup: i32,
    /// Logic-specific.
    pub damage: i32,
    /// Logic-specific.
    pub smarts: i32,
    /// Logic-specific.
    pub health: i32,
    /// Area of movement.
    pub move_rect: WvRect,
    /// Area that can be hit.
    pub hit_rect: WvRect,
    /// Area of attack.
    pub attack_rect: WvRect,
    /// Area of drawing.
    pub clip_rect: WvRect,
    /// Logic-specific.
    pub user_rect1: WvRect,
    /// Logic-specific.
    pub user_rect2: WvRect,
    /// Logic-specific.
    pub user1: i32,
    /// Logic-specific.
    pub user2: i32,
    /// Logic-specific.
    pub user3: i32,
    /// Logic-specific.
    pub user4: i32,
    /// Logic-specific.
    pub user5: i32,
    /// Logic-specific.
    pub user6: i32,
    /// Logic-specific.
    pub user7: i32,
    /// Logic-specific.
    pub user8: i32,
    /// Bound of movement.
    pub min_x: i32,
    /// Bound of movement.
    pub min_y: i32,
    /// Bound of movement.
    pub max_x: i32,
    /// Bound of movement.
    pub max_y: i32,
    /// Speed.
    pub speed_x: i32,
    /// Speed.
    pub speed_y: i32,
    /// Offset.
    pub tweak_x: i32,
    /// Offset.
    pub tweak_y: i32,
    /// Logic-specific.
    pub counter: i32,
    /// Logic-specific.
    pub speed: i32,
    /// Logic-specific.
    pub width: i32,
    /// Logic-specific.
    pub height: i32,
    /// Logic-specific; 0 to 8 occur.
    pub direction: i32,
    /// Logic-specific.
    pub face_dir: i32,
    /// Milliseconds.
    pub time_delay: i32,
    /// Milliseconds.
    pub frame_delay: i32,
    /// Flag of its type of object: crates/wwd/FORMAT.md.
    pub object_type: u32,
    /// Flags of the types of objects that it collides with: crates/wwd/FORMAT.md.
    pub hit_type_flags: u32,
    /// Horizontal granularity of movement, used if above 0.
    pub move_res_x: i32,
    /// Vertical granularity of movement, used if above 0.
    pub move_res_y: i32,
}

const _: () = assert!(size_of::<WvObjectFields>() == size_of::<ObjectRecord>());

impl From<&ObjectRecord> for WvObjectFields {
    fn from(record: &ObjectRecord) -> Self {
        let words: [U32; 71] = zerocopy::transmute!(*record);
        zerocopy::transmute!(words.map(U32::get))
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

growable!(WvObject);

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
    out: Option<&mut MaybeUninit<Option<Box<WvObjects>>>>,
    error: Option<&mut MaybeUninit<WvError>>,
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
    objects: *mut WvObject,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<WvError>>,
) -> WvStatus {
    answer(count, error, || {
        let walk = walk.ok_or_else(|| Fault::null("the walk"))?;
        // SAFETY: the caller guarantees `capacity` objects.
        walk.read(unsafe { Grown::new(objects, capacity) })
    })
}

impl WvObjects {
    fn read(&mut self, objects: Grown<'_, WvObject>) -> Answer<usize> {
        let mut count = 0_usize;
        for to in objects.slots()? {
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

#[cfg(test)]
mod tests {
    use super::*;
    use formats::describe::FieldValue;

    #[test]
    fn fields_have_the_names_and_the_order_of_the_file() {
        let mut next = 0x0102_0304..;
        let words: [U32; 71] = std::array::from_fn(|_| U32::new(next.next().unwrap()));
        let record: ObjectRecord = zerocopy::transmute!(words);
        let fields = record.fields().map(|(info, value)| match value {
            FieldValue::Int(value) => format!("{}: {value}", info.name),
            FieldValue::Uint(value) => format!("{}: {value}", info.name),
            FieldValue::Ints(sides) => {
                let [left, top, right, bottom] = [0, 1, 2, 3].map(|side| sides[side].get());
                format!("{}: {:?}", info.name, WvRect { left, top, right, bottom })
            }
            other => unreachable!("{other:?}"),
        });
        let expected = format!("WvObjectFields {{ {} }}", fields.collect::<Vec<_>>().join(", "));
        assert_eq!(format!("{:?}", WvObjectFields::from(&record)), expected);
    }
}
