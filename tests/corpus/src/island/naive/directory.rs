//! The directory: the worlds, and the byte ranges of their parts and models.

use super::{Cursor, Load, NaiveError, NaiveName, Place, Real, Result, naive};

naive! {
    /// The directory of a file.
    pub struct NaiveDirectory |c| {
        worlds: Vec<NaiveWorld>,
        /// Offset of the end of the last world.
        end: u64 = c.at,
        /// Byte ranges of the global textures and parts.
        textures: Place = chunk(c)?,
        parts: Place = chunk(c)?,
    }

    /// A world.
    pub struct NaiveWorld |c| {
        name: NaiveName,
        /// The parts that it loads.
        parts: Vec<NaivePartRef>,
        /// The models placed in it.
        models: Vec<NaiveModelRef>,
    }

    /// A reference to a part blob.
    pub struct NaivePartRef |c| {
        name: NaiveName,
        place: Place,
    }

    /// A reference to a model blob.
    pub struct NaiveModelRef |c| {
        name: NaiveName,
        place: Place,
        presenter: NaiveName,
        /// Position of the model, and directions of its front and top.
        location, direction, up: [Real; 3],
        /// Whether it is visible at first: any value but 0.
        visible: u8,
    }
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
pub fn directory(bytes: &[u8]) -> Result<NaiveDirectory> {
    Cursor::new(bytes, Place::whole(bytes))?.load()
}

impl Load for Place {
    /// Reads a length and an absolute offset; the range must be inside the file.
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        let [length, offset] = c.load::<[u32; 2]>()?.map(u64::from);
        if offset + length > c.end {
            return Err(NaiveError::new(c.at - 8, format!("{length} bytes at {offset} are not inside the file")));
        }
        Ok(Self { offset, length })
    }
}

/// Reads a size and skips that many bytes.
fn chunk(c: &mut Cursor<'_>) -> Result<Place> {
    let length = u64::from(c.load::<u32>()?);
    let offset = c.at;
    if length > c.end - offset {
        return Err(NaiveError::new(offset - 4, format!("{length} bytes, which are not there")));
    }
    c.at += length;
    Ok(Place { offset, length })
}
