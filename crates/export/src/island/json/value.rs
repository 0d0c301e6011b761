use std::fmt::Display;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use worldview_island::Name;
use worldview_island::raw::{Rgb, Vec3};

use crate::wdb::write::no_number;
use crate::{Encoding, hex};

/// How much is written, and how its text is read.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub(super) full: bool,
    pub(super) encoding: Encoding,
}

/// Something that is written as an object, or as part of one.
pub(super) trait Members {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// A view, and how it is written.
#[derive(Clone, Copy)]
pub(super) struct Of<'o, T: ?Sized>(pub(super) &'o T, pub(super) How);

/// An object of its own.
pub(super) struct Object<T>(pub(super) T);

impl<T: Members> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.members(&mut map)?;
        map.end()
    }
}

/// What is wrong, in place of what could not be read.
pub(super) fn put_error<M: SerializeMap>(map: &mut M, error: &impl Display) -> Result<(), M::Error> {
    map.serialize_entry("error", &error.to_string())
}

/// An array, made as it is written.
pub(super) struct List<F>(pub(super) F);

impl<F, I> Serialize for List<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// A float; text where it is no number, which JSON cannot say.
#[derive(Clone, Copy)]
pub(super) struct Float(pub(super) f32);

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            return serializer.serialize_f32(self.0);
        }
        let mut name = Vec::new();
        no_number(self.0, &mut name);
        serializer.serialize_str(&String::from_utf8_lossy(&name))
    }
}

pub(super) fn floats<const N: usize>(values: [f32; N]) -> [Float; N] {
    values.map(Float)
}

pub(super) fn point(point: Vec3) -> [Float; 3] {
    floats(point.get())
}

/// A colour as `#rrggbb`.
pub(super) struct Color(pub(super) Rgb);

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("#{}", hex(&self.0.get())))
    }
}

/// Whether names of a place end in a NUL that is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// Those of the directory do.
    Directory,
    /// Those of chunks and blobs do not.
    Inside,
}

/// Writes a name as its text, null where it is absent, and all its bytes where the text does not tell them.
pub(super) fn put_name<M: SerializeMap>(
    map: &mut M,
    member: &str,
    name: Name<'_>,
    habit: Habit,
    encoding: Encoding,
) -> Result<(), M::Error> {
    if name.is_absent() {
        return map.serialize_entry(member, &());
    }
    let text = name.text();
    map.serialize_entry(member, &encoding.decode(text))?;
    let usual = text.len() + usize::from(habit == Habit::Directory);
    if !text.is_ascii() || name.counted().len() != usual {
        map.serialize_entry(&format!("{member}_bytes"), &hex(name.counted()))?;
    }
    Ok(())
}
