//! The directory: worlds, and where their parts and models lie.

use super::{Cursor, NaiveError, NaiveName, Place, Real};

/// The directory of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveDirectory {
    /// The worlds.
    pub worlds: Vec<NaiveWorld>,
    /// Offset behind the last world.
    pub end: u64,
    /// Where the global textures are.
    pub textures: Place,
    /// Where the global parts are.
    pub parts: Place,
}

/// A world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveWorld {
    /// Its name.
    pub name: NaiveName,
    /// The parts that it loads.
    pub parts: Vec<NaivePartRef>,
    /// The models that stand in it.
    pub models: Vec<NaiveModelRef>,
}

/// A reference to a part blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaivePartRef {
    /// Its name.
    pub name: NaiveName,
    /// Where the blob is.
    pub place: Place,
}

/// A reference to a model blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveModelRef {
    /// Its name.
    pub name: NaiveName,
    /// Where the blob is.
    pub place: Place,
    /// The name of its presenter.
    pub presenter: NaiveName,
    /// Where the model stands.
    pub location: [Real; 3],
    /// Where its front points to.
    pub direction: [Real; 3],
    /// Where its top points to.
    pub up: [Real; 3],
    /// Whether it is shown at first: any value but 0.
    pub visible: u8,
}

/// What a blob is by the list that refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Parts.
    Parts,
    /// A model.
    Model,
}

impl NaiveDirectory {
    /// Each place that is referred to once, as what it is referred to, in the order of the file.
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

/// Reads the directory and the sizes of the two chunks, and looks at nothing else.
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

/// A length and an absolute offset, which must lie inside the file.
fn place(c: &mut Cursor<'_>) -> Result<Place, NaiveError> {
    let at = c.at;
    let (length, offset) = (u64::from(c.u32()?), u64::from(c.u32()?));
    if offset + length > c.end {
        return Err(NaiveError::new(at, format!("{length} bytes at {offset} are not inside the file")));
    }
    Ok(Place { offset, length })
}

/// A size and as many bytes, which are passed over.
fn chunk(c: &mut Cursor<'_>) -> Result<Place, NaiveError> {
    let length = u64::from(c.count(1)?);
    let offset = c.at;
    c.at += length;
    Ok(Place { offset, length })
}
