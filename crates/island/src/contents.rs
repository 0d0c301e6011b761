use worldview_core::{Error, Place, Result};

use crate::blob::{Blob, Content};
use crate::database::Database;
use crate::finding::{Finding, broken};
use crate::lod::Lods;
use crate::parts::Parts;
use crate::target::Counts;
use crate::texture::Textures;

/// The contents of a file: both chunks and every distinct blob, each parsed independently.
///
/// Geometry and pixels are not decoded; the views refer to the bytes of the file.
#[derive(Clone)]
pub struct Contents<'a> {
    /// The global textures.
    pub textures: Result<Textures<'a>>,
    /// The global parts.
    pub parts: Result<Parts<'a>>,
    /// The blobs, in the same order as [`Database::blobs`].
    pub blobs: Vec<Result<Content<'a>>>,
}

worldview_core::debug_summary!("Contents", Contents<'_>, |this| textures: this.textures, parts: this.parts, blobs: this.blobs.len());

impl<'a> Contents<'a> {
    /// Parses both chunks and every blob. Whatever cannot be parsed is stored as an error.
    ///
    /// ```
    /// # fn main() -> worldview_island::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
    /// use worldview_island::{Contents, Database};
    ///
    /// let database = Database::parse(file)?;
    /// let contents = Contents::read(&database);
    /// assert!(!contents.is_broken());
    /// # Ok(())
    /// # }
    /// ```
    pub fn read(database: &Database<'a>) -> Self {
        Self {
            textures: database.textures(),
            parts: database.parts(),
            blobs: database.blobs().iter().map(Blob::read).collect(),
        }
    }

    /// Parses as much as possible and reports everything else as findings, including chunks and blobs that do not open
    /// at all.
    pub fn read_lossy(database: &Database<'a>, report: &mut dyn FnMut(Finding<'a>)) -> Self {
        let whole = |error: &Error, place| broken(error, Place::of(place).with(error.what, error.index(), &[]));
        let (textures, parts);
        {
            let mut on_problem = |error: Error| {
                report(whole(&error, "global textures"));
                Ok(())
            };
            textures = Textures::global(database.texture_chunk(), &mut on_problem);
        }
        {
            let mut on_problem = |error: Error| {
                report(whole(&error, "global parts"));
                Ok(())
            };
            parts = Parts::read(database.parts_chunk(), &mut on_problem);
        }
        for (error, place) in [(textures.as_ref().err(), "global textures"), (parts.as_ref().err(), "global parts")] {
            if let Some(error) = error {
                report(whole(error, place));
            }
        }
        let mut blobs = Vec::new();
        let names = database.blob_names();
        for (blob, name) in database.blobs().iter().zip(names) {
            let place = blob.named(name);
            let content = blob.read_lossy_at(place, report);
            if let Err(error) = &content {
                report(broken(error, place.with(error.what, error.index(), &[])));
            }
            blobs.push(content);
        }
        Self { textures, parts, blobs }
    }

    /// Returns the levels of detail of each global part, and of each part or object of each blob, as far as they could be parsed.
    pub fn lods(&self) -> impl Iterator<Item = Lods<'a>> {
        let of_parts = self.parts.iter().flat_map(Parts::lods);
        of_parts.chain(self.blobs.iter().flatten().flat_map(Content::lods))
    }

    /// Returns the numbers of vertices and indices of all meshes together.
    pub fn counts(&self) -> Counts {
        self.lods().flatten().map(|lod| lod.counts()).sum()
    }

    /// Returns whether any chunk or blob failed to open.
    pub fn is_broken(&self) -> bool {
        self.textures.is_err() || self.parts.is_err() || self.blobs.iter().any(Result::is_err)
    }
}

impl<'a> Database<'a> {
    /// Returns the first name that a reference gives each blob, in the order of [`blobs`](Self::blobs); empty if no reference
    /// has a name for it.
    pub fn blob_names(&self) -> Vec<&'a [u8]> {
        let mut names: Vec<&[u8]> = vec![&[]; self.blobs().len()];
        let parts = self.part_refs().iter().map(|part| (part.blob(), part.name));
        let models = self.model_refs().iter().map(|model| (model.blob(), model.name));
        for (blob, name) in parts.chain(models) {
            if let Some(slot) = blob.and_then(|blob| names.get_mut(blob)).filter(|slot| slot.is_empty()) {
                *slot = name.text();
            }
        }
        names
    }
}

worldview_core::assert_send_sync!(Contents<'_>);
