use core::ops::Deref;

use worldview_core::{Result, Source};

use crate::list::list;
use crate::raw::ObjectRecord;

list! {
    /// The objects of a plane. They have different lengths, so where one begins is known only after the one before it was read.
    ///
    /// Iterating reads in place and allocates nothing. The iterator ends after the first truncated object, for which it
    /// returns an error.
    pub struct Objects<'a> => Object<'a>, "object";

    /// An iterator over [`Objects`]; fused after the first error.
    pub struct ObjectIter;
}

worldview_core::debug_summary!("Objects", Objects<'_>, |this| count: this.count());

impl<'a> Objects<'a> {
    pub(crate) const fn none(source: Source<'a>, plane: u32) -> Self {
        Self::new(source, 0, plane)
    }

    /// Limits the list to its first `count` objects.
    pub(crate) const fn first(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    /// Returns the number of objects: the one stored in the plane header, or, for a truncated level that was opened with
    /// [`Level::parse_lossy`](crate::Level::parse_lossy), the number of those that are there.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns whether the plane has no objects.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<'a> ObjectIter<'a> {
    #[inline]
    fn read(&mut self) -> Result<Object<'a>> {
        let at = self.cursor.position();
        let record: &ObjectRecord = self.cursor.view("object")?;
        Ok(Object {
            name: self.cursor.slice(record.name_len.get().into(), "name of object")?,
            logic: self.cursor.slice(record.logic_len.get().into(), "logic of object")?,
            image_set: self.cursor.slice(record.image_set_len.get().into(), "image set of object")?,
            animation: self.cursor.slice(record.animation_len.get().into(), "animation of object")?,
            record,
            at,
            index: usize::try_from(self.next).unwrap_or(usize::MAX),
        })
    }
}

/// One object: its fixed part, accessible through `Deref`, and its four strings. See [Objects](crate::format#objects).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// The fixed part.
    pub record: &'a ObjectRecord,
    /// The name, including everything after a NUL in it; see [`display_name`](Self::display_name).
    pub name: &'a [u8],
    /// The logic, which names the code that the game runs for the object.
    pub logic: &'a [u8],
    /// The prefixed name of the image set.
    pub image_set: &'a [u8],
    /// The animation; in Gruntz it can be a sound.
    pub animation: &'a [u8],
    /// Offset in the image.
    pub at: u64,
    /// The index in the plane, counted from 0.
    pub index: usize,
}

impl Deref for Object<'_> {
    type Target = ObjectRecord;

    #[inline]
    fn deref(&self) -> &ObjectRecord {
        self.record
    }
}

impl<'a> Object<'a> {
    /// Returns an object without strings.
    pub const fn new(record: &'a ObjectRecord) -> Self {
        Self { record, name: &[], logic: &[], image_set: &[], animation: &[], at: 0, index: 0 }
    }

    /// Returns the size of the object in the file including its strings, in bytes.
    pub const fn size(&self) -> u64 {
        let strings = [self.name.len(), self.logic.len(), self.image_set.len(), self.animation.len()];
        let [name, logic, image_set, animation] = strings;
        let strings = name.saturating_add(logic).saturating_add(image_set).saturating_add(animation);
        ObjectRecord::SIZE.saturating_add(strings as u64)
    }

    /// Returns the index as the 32-bit number used in files.
    pub(crate) fn number(&self) -> u32 {
        u32::try_from(self.index).unwrap_or(u32::MAX)
    }

    /// The names of the strings, in file order.
    pub const STRINGS: [&'static str; 4] = ["name", "logic", "image_set", "animation"];

    /// Returns the strings in file order, the name up to its first NUL.
    pub fn strings(&self) -> [&'a [u8]; 4] {
        [self.display_name(), self.logic, self.image_set, self.animation]
    }

    /// Returns the name up to its first NUL.
    pub fn display_name(&self) -> &'a [u8] {
        self.name.split(|&byte| byte == 0).next().unwrap_or(self.name)
    }

    /// Returns what an editor stored after the name's NUL, or `None` if there is no NUL.
    pub fn metadata(&self) -> Option<Metadata<'a>> {
        let mut parts = self.name.splitn(2, |&byte| byte == 0);
        let (_, stored) = (parts.next()?, parts.next()?);
        Some(Metadata { stored })
    }
}

/// Bytes that WapMap stores after the NUL of an object's name: a length, then that many bytes.
/// See [Objects](crate::format#objects).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata<'a> {
    /// All bytes after the NUL.
    pub stored: &'a [u8],
}

impl<'a> Metadata<'a> {
    /// Returns the bytes after the length word, or `None` if the length does not match.
    pub fn content(&self) -> Option<&'a [u8]> {
        let (len, content) = self.stored.split_first_chunk()?;
        (u32::from_le_bytes(*len) as usize == content.len()).then_some(content)
    }

    /// Returns the index into WapMap's list of locations, the only content known so far.
    pub fn location_list_index(&self) -> Option<i32> {
        self.content()?.first_chunk().map(|word| i32::from_le_bytes(*word))
    }
}

worldview_core::assert_send_sync!(Objects<'_>, ObjectIter<'_>, Object<'_>, Metadata<'_>);
