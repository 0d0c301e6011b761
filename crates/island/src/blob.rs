use worldview_core::{Error, OnProblem, Place, Result, Source};

use crate::finding::{Finding, broken};
use crate::lod::Lods;
use crate::model::Model;
use crate::parts::Parts;
use crate::texture::Textures;

/// The kind of a blob, as given by the list that refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlobKind {
    /// A list of parts.
    Parts,
    /// A model.
    Model,
}

/// A distinct blob, which may have any number of references. See [File](crate::format#file).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Blob<'a> {
    /// The bytes of the blob; offsets inside the blob are relative to its start.
    pub source: Source<'a>,
    /// The number of references to the blob.
    pub references: u32,
    /// Whether the blob holds parts or a model.
    pub kind: BlobKind,
    pub(crate) index: u32,
}

/// The parsed content of a blob.
#[derive(Clone, Debug)]
pub enum Content<'a> {
    /// A list of parts.
    Parts(Parts<'a>),
    /// A model.
    Model(Box<Model<'a>>),
}

impl BlobKind {
    /// Returns the word used in messages and in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parts => "parts",
            Self::Model => "model",
        }
    }

    /// Returns the name used in the places of findings.
    const fn what(self) -> &'static str {
        match self {
            Self::Parts => "part blob",
            Self::Model => "model",
        }
    }
}

impl<'a> Blob<'a> {
    /// Parses the blob. Reads nothing outside it.
    ///
    /// # Errors
    ///
    /// Returns an error if anything in the blob is truncated, or if a model has an unsupported version.
    ///
    /// ```
    /// # fn main() -> worldview_island::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
    /// let database = worldview_island::Database::parse(file)?;
    /// for blob in database.blobs() {
    ///     println!("{} at {}: {} textures", blob.kind, blob.source.base(), blob.read()?.textures().len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn read(&self) -> Result<Content<'a>> {
        self.open(&mut Err).map_err(|error| self.scoped(error))
    }

    /// Parses as much of the blob as possible. Lists of parts, objects and textures end before their first broken
    /// element, which is reported as a finding.
    ///
    /// # Errors
    ///
    /// Returns an error if a model has an unsupported version, or if the fields before the first part or object are
    /// truncated.
    pub fn read_lossy(&self, report: &mut dyn FnMut(Finding<'a>)) -> Result<Content<'a>> {
        self.read_lossy_at(self.place(), report)
    }

    /// The same, with findings about a blob that has this place.
    pub(crate) fn read_lossy_at(&self, place: Place<'a>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Content<'a>> {
        let mut on_problem = |error: Error| {
            report(broken(&error, place.with(error.what, error.index(), &[])));
            Ok(())
        };
        self.open(&mut on_problem).map_err(|error| self.scoped(error))
    }

    fn open(&self, on_problem: OnProblem<'_>) -> Result<Content<'a>> {
        Ok(match self.kind {
            BlobKind::Parts => Content::Parts(Parts::read(self.source, on_problem)?),
            BlobKind::Model => Content::Model(Box::new(Model::read(self.source, on_problem)?)),
        })
    }

    pub(crate) const fn scoped(&self, error: Error) -> Error {
        let label = match self.kind {
            BlobKind::Parts => &"part blob",
            BlobKind::Model => &"model blob",
        };
        error.within(label, self.index)
    }

    /// Returns the blob as the place of a finding.
    pub(crate) const fn place<'p>(&self) -> Place<'p> {
        Place::one(self.kind.what(), Some(self.index))
    }

    /// The same by a name that a reference gives it, which says more than its number.
    pub(crate) const fn named<'p>(&self, name: &'p [u8]) -> Place<'p> {
        if name.is_empty() { self.place() } else { Place::one(self.kind.what(), None).with_name(name) }
    }

    /// Returns the index of the blob in [`Database::blobs`](crate::Database::blobs).
    pub const fn index(&self) -> usize {
        self.index as usize
    }
}

impl<'a> Content<'a> {
    /// Returns the parts, or `None` if the content is a model.
    pub const fn parts(&self) -> Option<&Parts<'a>> {
        match self {
            Self::Parts(parts) => Some(parts),
            Self::Model(_) => None,
        }
    }

    /// Returns the model, or `None` if the content is a list of parts.
    pub const fn model(&self) -> Option<&Model<'a>> {
        match self {
            Self::Parts(_) => None,
            Self::Model(model) => Some(model),
        }
    }

    /// Returns what is wrong with the first part, object or texture that a lossy reading left out, or `None` if all of
    /// them are there.
    pub fn broken(&self) -> Option<Error> {
        match self {
            Self::Parts(parts) => parts.left_out(),
            Self::Model(model) => model.left_out(),
        }
    }

    /// Returns the levels of detail of each part or object.
    pub fn lods(&self) -> impl Iterator<Item = Lods<'a>> {
        let of_parts = self.parts().into_iter().flat_map(Parts::lods);
        of_parts.chain(self.model().into_iter().flat_map(|model| model.lods()))
    }

    /// Returns the textures, including those that the game reads and discards.
    pub const fn textures(&self) -> Textures<'a> {
        match self {
            Self::Parts(parts) => parts.textures,
            Self::Model(model) => model.textures,
        }
    }

    /// Returns the textures that the blob registers.
    pub const fn own_textures(&self) -> Textures<'a> {
        match self {
            Self::Parts(parts) => parts.textures,
            Self::Model(model) => model.own_textures(),
        }
    }
}

worldview_core::display_by_name!(BlobKind);

worldview_core::assert_send_sync!(Blob<'_>, Content<'_>);
