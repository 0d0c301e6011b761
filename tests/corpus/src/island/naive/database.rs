//! A whole file: the directory, and each distinct blob once.

use super::{
    Budget, Kind, NaiveDirectory, NaiveGeometry, NaiveLod, NaiveModel, NaiveParts, NaiveTexture, Place, Result, decode,
    directory, model, parts, textures, wide,
};

/// A fully parsed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveDatabase {
    /// The directory.
    pub directory: NaiveDirectory,
    /// The global textures.
    pub textures: Result<Vec<NaiveTexture>>,
    /// The global parts.
    pub parts: Result<NaiveParts>,
    /// The blobs, in the order of `NaiveDirectory::blobs`.
    pub blobs: Vec<NaiveBlob>,
}

/// A blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveBlob {
    /// The byte range of the blob.
    pub place: Place,
    /// The kind of list that refers to it.
    pub kind: Kind,
    /// The content, or the error in it.
    pub content: Result<NaiveContent>,
}

/// The content of a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NaiveContent {
    /// Parts.
    Parts(NaiveParts),
    /// A model.
    Model(NaiveModel),
}

impl NaiveParts {
    /// Returns the levels of detail of all parts.
    pub fn lods(&self) -> impl Iterator<Item = &NaiveLod> {
        self.parts.iter().flat_map(|part| &part.lods)
    }
}

impl NaiveContent {
    /// Returns the levels of detail of all parts or objects.
    pub fn lods(&self) -> Vec<&NaiveLod> {
        match self {
            Self::Parts(parts) => parts.lods().collect(),
            Self::Model(model) => model.rois.iter().flat_map(|roi| &roi.lods).collect(),
        }
    }
}

impl NaiveDatabase {
    /// Returns the levels of detail of the global parts and of all blobs that could be read.
    pub fn lods(&self) -> impl Iterator<Item = &NaiveLod> {
        let of_blobs = self.blobs.iter().flat_map(|blob| &blob.content).flat_map(NaiveContent::lods);
        self.parts.iter().flat_map(NaiveParts::lods).chain(of_blobs)
    }

    /// Rebuilds all meshes into one list. Returns where the vertices and indices of each mesh begin, or `None` for a mesh that cannot
    /// be rebuilt, whose numbers are all 0.
    pub fn geometry(&self) -> (NaiveGeometry, Vec<Option<(usize, usize)>>) {
        let (mut all, mut starts) = (NaiveGeometry::default(), Vec::new());
        for (lod, mesh) in self.lods().flat_map(|lod| lod.meshes.iter().map(move |mesh| (lod, mesh))) {
            let (rebuilt, vertices) = (decode(lod, mesh), mesh.vertices.into());
            starts.push(rebuilt.is_ok().then_some((all.positions.len(), all.indices.len())));
            let rebuilt = rebuilt.unwrap_or_else(|_| NaiveGeometry {
                positions: vec![Default::default(); vertices],
                normals: vec![Default::default(); vertices],
                uvs: vec![Default::default(); vertices],
                indices: vec![0; mesh.corners.len()],
            });
            all.positions.extend(rebuilt.positions);
            all.normals.extend(rebuilt.normals);
            all.uvs.extend(rebuilt.uvs);
            all.indices.extend(rebuilt.indices);
        }
        (all, starts)
    }

    /// Returns the index of the blob at a place.
    pub fn find(&self, place: Place, kind: Kind) -> Option<usize> {
        self.blobs.binary_search_by_key(&(place, kind), |blob| (blob.place, blob.kind)).ok()
    }

    /// Returns the parts of a blob if it holds parts and could be read.
    pub fn parts_of(&self, blob: usize) -> Option<&NaiveParts> {
        match &self.blobs.get(blob)?.content {
            Ok(NaiveContent::Parts(parts)) => Some(parts),
            _ => None,
        }
    }

    /// Returns the model of a blob if it holds a model and could be read.
    pub fn model_of(&self, blob: usize) -> Option<&NaiveModel> {
        match &self.blobs.get(blob)?.content {
            Ok(NaiveContent::Model(model)) => Some(model),
            _ => None,
        }
    }
}

/// Parses a file. An error in a chunk or blob affects only that chunk or blob.
pub fn database(bytes: &[u8]) -> Result<NaiveDatabase> {
    let directory = directory(bytes)?;
    let mut budget = Budget(wide(bytes.len()).saturating_mul(4).saturating_add(1 << 20));
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
