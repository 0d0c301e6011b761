use worldview_core::{Error, Place, Recover, Result, Source};

use crate::finding::{Finding, broken};
use crate::model::Model;
use crate::parts::Parts;
use crate::texture::Textures;

/// What a blob is, by the list that refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlobKind {
    /// Parts.
    Parts,
    /// A model.
    Model,
}

/// A blob, however many references it has. `docs/formats/island.md`, File.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Blob<'a> {
    /// Its bytes, which offsets inside it count in.
    pub source: Source<'a>,
    /// How many references there are to it.
    pub references: u32,
    /// What it holds.
    pub kind: BlobKind,
    pub(crate) index: u32,
}

/// What a blob holds.
#[derive(Clone, Debug)]
pub enum Content<'a> {
    /// Parts.
    Parts(Parts<'a>),
    /// A model.
    Model(Box<Model<'a>>),
}

impl BlobKind {
    /// The word used in messages and in machine output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parts => "parts",
            Self::Model => "model",
        }
    }

    /// What findings call it.
    const fn what(self) -> &'static str {
        match self {
            Self::Parts => "part blob",
            Self::Model => "model",
        }
    }
}

impl<'a> Blob<'a> {
    /// Opens the blob, and looks at nothing outside it.
    ///
    /// # Errors
    ///
    /// The first thing in it that is not all there; a model of another version.
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

    /// Opens what can be opened of the blob: parts, objects and textures end before the first broken one, which is a
    /// finding.
    ///
    /// # Errors
    ///
    /// A model of another version; words before the first part or object that are not all there.
    pub fn read_lossy(&self, report: &mut dyn FnMut(Finding<'a>)) -> Result<Content<'a>> {
        self.read_lossy_at(self.place(), report)
    }

    /// The same, with findings about a blob that has this place.
    pub(crate) fn read_lossy_at(&self, place: Place<'a>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Content<'a>> {
        let mut recover = |error: Error| {
            report(broken(&error, place.with(error.what, error.index(), &[])));
            Ok(())
        };
        self.open(&mut recover).map_err(|error| self.scoped(error))
    }

    fn open(&self, recover: Recover<'_>) -> Result<Content<'a>> {
        Ok(match self.kind {
            BlobKind::Parts => Content::Parts(Parts::read(self.source, recover)?),
            BlobKind::Model => Content::Model(Box::new(Model::read(self.source, recover)?)),
        })
    }

    pub(crate) const fn scoped(&self, error: Error) -> Error {
        error.within(&"blob", self.index)
    }

    /// The blob as the place of findings.
    pub(crate) const fn place<'p>(&self) -> Place<'p> {
        Place::one(self.kind.what(), Some(self.index))
    }

    /// The same by a name that a reference gives it, which says more than its number.
    pub(crate) const fn named<'p>(&self, name: &'p [u8]) -> Place<'p> {
        if name.is_empty() { self.place() } else { Place::one(self.kind.what(), None).with_name(name) }
    }

    /// Which blob it is, in the order of [`Database::blobs`](crate::Database::blobs).
    pub const fn index(&self) -> usize {
        self.index as usize
    }
}

impl<'a> Content<'a> {
    /// The parts, if they are what it is.
    pub const fn parts(&self) -> Option<&Parts<'a>> {
        match self {
            Self::Parts(parts) => Some(parts),
            Self::Model(_) => None,
        }
    }

    /// The model, if that is what it is.
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

    /// The textures, also those that the game reads and forgets.
    pub const fn textures(&self) -> Textures<'a> {
        match self {
            Self::Parts(parts) => parts.textures,
            Self::Model(model) => model.textures,
        }
    }

    /// The textures that the blob registers.
    pub const fn own_textures(&self) -> Textures<'a> {
        match self {
            Self::Parts(parts) => parts.textures,
            Self::Model(model) => model.own_textures(),
        }
    }
}

worldview_core::display_by_name!(BlobKind);

worldview_core::assert_send_sync!(Blob<'_>, Content<'_>);
