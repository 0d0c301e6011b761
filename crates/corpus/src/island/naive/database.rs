//! A whole file: the directory, and each blob once.

use super::{
    Budget, Kind, NaiveDirectory, NaiveError, NaiveModel, NaiveParts, NaiveTexture, Place, directory, model, parts,
    textures, wide,
};

/// A file read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveDatabase {
    /// The directory.
    pub directory: NaiveDirectory,
    /// The global textures.
    pub textures: Result<Vec<NaiveTexture>, NaiveError>,
    /// The global parts.
    pub parts: Result<NaiveParts, NaiveError>,
    /// The blobs, in the order of `NaiveDirectory::blobs`.
    pub blobs: Vec<NaiveBlob>,
}

/// A blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveBlob {
    /// Where it is.
    pub place: Place,
    /// What it is said to be.
    pub kind: Kind,
    /// What it holds, or what is wrong with it.
    pub content: Result<NaiveContent, NaiveError>,
}

/// What a blob holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NaiveContent {
    /// Parts.
    Parts(NaiveParts),
    /// A model.
    Model(NaiveModel),
}

impl NaiveDatabase {
    /// The number of the blob at a place.
    pub fn find(&self, place: Place, kind: Kind) -> Option<usize> {
        self.blobs.binary_search_by_key(&(place, kind), |blob| (blob.place, blob.kind)).ok()
    }

    /// The parts of a blob, if it is one of parts and could be read.
    pub fn parts_of(&self, blob: usize) -> Option<&NaiveParts> {
        match &self.blobs.get(blob)?.content {
            Ok(NaiveContent::Parts(parts)) => Some(parts),
            _ => None,
        }
    }

    /// The model of a blob, if it is one of a model and could be read.
    pub fn model_of(&self, blob: usize) -> Option<&NaiveModel> {
        match &self.blobs.get(blob)?.content {
            Ok(NaiveContent::Model(model)) => Some(model),
            _ => None,
        }
    }
}

/// Reads a file; what is wrong with a chunk or a blob is wrong with that alone.
pub fn database(bytes: &[u8]) -> Result<NaiveDatabase, NaiveError> {
    let directory = directory(bytes)?;
    let mut budget = Budget::of_file(wide(bytes.len()));
    budget.spend(directory.textures.offset, directory.textures.length)?;
    let textures = textures(bytes, directory.textures);
    budget.spend(directory.parts.offset, directory.parts.length)?;
    let global = parts(bytes, directory.parts);
    let mut blobs = Vec::new();
    for (place, kind) in directory.blobs() {
        budget.spend(place.offset, place.length)?;
        let content = match kind {
            Kind::Parts => parts(bytes, place).map(NaiveContent::Parts),
            Kind::Model => model(bytes, place).map(NaiveContent::Model),
        };
        blobs.push(NaiveBlob { place, kind, content });
    }
    Ok(NaiveDatabase { directory, textures, parts: global, blobs })
}
