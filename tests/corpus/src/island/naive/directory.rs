//! The directory: the worlds, and the byte ranges of their parts and models.

use super::{Cursor, NaiveError, NaiveName, Place, Real};

/// The directory of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveDirectory {
    /// The worlds.
    pub worlds: Vec<NaiveWorld>,
    /// Offset of the end of the last world.
    pub end: u64,
    /// Byte range of the global textures.
    pub textures: Place,
    /// Byte range of the global parts.
    pub parts: Place,
}

/// A world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveWorld {
    /// Name.
    pub name: NaiveName,
    /// The parts that it loads.
    pub parts: Vec<NaivePartRef>,
    /// The models placed in it.
    pub models: Vec<NaiveModelRef>,
}

/// A reference to a part blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaivePartRef {
    /// Name.
    pub name: NaiveName,
    /// Byte range of the blob.
    pub place: Place,
}

/// A reference to a model blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveModelRef {
    /// Name.
    pub name: NaiveName,
    /// Byte range of the blob.
    pub place: Place,
    /// Name of the presenter.
    pub presenter: NaiveName,
    /// Position of the model.
    pub location: [Real; 3],
    /// Direction of its front.
    pub direction: [Real; 3],
    /// Direction of its top.
    pub up: [Real; 3],
    /// Whether it is visible at first: any value but 0.
    pub visible: u8,
}

/// The kind of a blob, given by the list that refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Parts.
    Parts,
    /// A model.
    Model,
}

impl NaiveDirectory {
    /// Returns each referenced place once per kind, in file order.
    pub fn blobs(&self) -> Vec<(Place, Kind)> {
        let mut out = Vec::new();
        for world in &self.worlds {
            out.extend(world.parts.iter().map(|part| (part.place, Kind::Parts)));
            out.extend(world.models.iter().map(|model| (model.place, Kind::Model)));
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// Reads the directory and the sizes of the two chunks, and nothing else.
pub fn directory(bytes: &[u8]) -> Result<NaiveDirectory, NaiveError> {
    let mut c = Cursor::new(bytes, Place::whole(bytes))?;
    let mut worlds = Vec::new();
    for _ in 0..c.signed_count(12)? {
        worlds.push(world(&mut c)?);
    }
    let end = c.at;
    let textures = chunk(&mut c)?;
    let parts = chunk(&mut c)?;
    Ok(NaiveDirectory { worlds, end, textures, parts })
}

fn world(c: &mut Cursor<'_>) -> Result<NaiveWorld, NaiveError> {
    let count = c.signed_count(1)?;
    let name = NaiveName(c.bytes(count.into())?);
    let mut parts = Vec::new();
    for _ in 0..c.signed_count(12)? {
        parts.push(NaivePartRef { name: c.name()?, place: place(c)? });
    }
    let mut models = Vec::new();
    for _ in 0..c.signed_count(53)? {
        models.push(NaiveModelRef {
            name: c.name()?,
            place: place(c)?,
            presenter: c.name()?,
            location: c.reals()?,
            direction: c.reals()?,
            up: c.reals()?,
            visible: c.u8()?,
        });
    }
    Ok(NaiveWorld { name, parts, models })
}

/// Reads a length and an absolute offset; the range must be inside the file.
fn place(c: &mut Cursor<'_>) -> Result<Place, NaiveError> {
    let at = c.at;
    let (length, offset) = (u64::from(c.u32()?), u64::from(c.u32()?));
    if offset + length > c.end {
        return Err(NaiveError::new(at, format!("{length} bytes at {offset} are not inside the file")));
    }
    Ok(Place { offset, length })
}

/// Reads a size and skips that many bytes.
fn chunk(c: &mut Cursor<'_>) -> Result<Place, NaiveError> {
    let length = u64::from(c.count(1)?);
    let offset = c.at;
    c.at += length;
    Ok(Place { offset, length })
}
