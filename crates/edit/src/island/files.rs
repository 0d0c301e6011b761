//! A database whose blobs are parsed when a change is about them.

use std::cell::OnceCell;

use worldview_core::Path;
use worldview_island::{BlobKind, Content, Database, ModelRef, PartRef, Parts};

use super::select::{Index, split};
use super::view::{View, index};
use crate::{EditError, EditErrorKind, Result};

pub(super) struct Files<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) database: Database<'a>,
    /// Whether a blob or chunk is not inside the file.
    pub(super) is_lossy: bool,
    parts: OnceCell<Parts<'a>>,
    blobs: Vec<OnceCell<(Content<'a>, bool)>>,
}

/// A reference to a blob.
#[derive(Clone, Copy)]
pub(super) enum Reference<'d, 'a> {
    Part(&'d PartRef<'a>),
    Model(&'d ModelRef<'a>),
}

impl<'d, 'a> Reference<'d, 'a> {
    pub(super) const fn of(view: &View<'d, 'a>) -> Option<Self> {
        match view {
            View::PartRef(part) => Some(Self::Part(part)),
            View::ModelRef(model) => Some(Self::Model(model)),
            _ => None,
        }
    }

    pub(super) const fn blob(self) -> Option<usize> {
        match self {
            Self::Part(part) => part.blob(),
            Self::Model(model) => model.blob(),
        }
    }

    pub(super) const fn kind(self) -> BlobKind {
        match self {
            Self::Part(_) => BlobKind::Parts,
            Self::Model(_) => BlobKind::Model,
        }
    }
}

impl<'a> Files<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut is_lossy = false;
        let database = Database::parse_lossy(bytes, &mut |_| is_lossy = true)?;
        let blobs = database.blobs().iter().map(|_| OnceCell::new()).collect();
        Ok(Self { bytes, database, is_lossy, parts: OnceCell::new(), blobs })
    }

    /// Returns the global textures.
    pub(super) fn textures(&self) -> Result<View<'_, 'a>> {
        let chunk = self.database.texture_chunk();
        let start = index(chunk.base());
        Ok(View::Textures(self.database.textures()?, start..start.saturating_add(index(chunk.len()))))
    }

    /// Returns the global parts.
    pub(super) fn parts(&self) -> Result<View<'_, 'a>> {
        if self.parts.get().is_none() {
            let _ = self.parts.set(self.database.parts()?);
        }
        self.parts.get().map(View::Parts).ok_or_else(|| EditError::new(&Path::new(), EditErrorKind::NotFound))
    }

    /// Returns the content of a blob, as much of it as can be read.
    pub(super) fn blob(&self, number: usize, path: &Path) -> Result<View<'_, 'a>> {
        let missing = || EditError::new(path, EditErrorKind::NotFound);
        let (blob, cell) = self.database.blobs().get(number).zip(self.blobs.get(number)).ok_or_else(missing)?;
        if cell.get().is_none() {
            let mut is_broken = false;
            let content = blob.read_lossy(&mut |_| is_broken = true);
            let content = content.map_err(|error| EditError::new(path, EditErrorKind::Format(error)))?;
            let _ = cell.set((content, is_broken));
        }
        match cell.get() {
            Some((Content::Parts(parts), _)) => Ok(View::Parts(parts)),
            Some((Content::Model(model), _)) => Ok(View::Model(model)),
            None => Err(missing()),
        }
    }

    /// Returns the key of each blob: the name that its first reference gives it, unless that is empty.
    pub(super) fn blob_keys(&self) -> impl Iterator<Item = Option<Vec<u8>>> {
        self.database.blob_names().into_iter().map(|name| (!name.is_empty()).then(|| name.to_vec()))
    }

    /// Returns the bytes of a blob.
    pub(super) fn blob_bytes(&self, number: usize) -> &'a [u8] {
        self.database.blobs().get(number).map_or(&[], |blob| blob.source.bytes())
    }

    /// Returns whether a blob was parsed, but not to its end.
    pub(super) fn is_broken(&self, number: usize) -> bool {
        self.blobs.get(number).and_then(OnceCell::get).is_some_and(|(_, is_broken)| *is_broken)
    }

    pub(super) fn worlds(&self) -> Vec<View<'_, 'a>> {
        self.database.worlds().map(View::World).collect()
    }

    /// Returns the reference at a path.
    pub(super) fn reference(&self, path: &Path) -> Result<Reference<'_, 'a>> {
        let missing = || EditError::new(path, EditErrorKind::NotFound);
        let (parent, segment) = split(path).ok_or_else(missing)?;
        let world = parent.segments().next().filter(|world| parent.len() == 1 && world.kind == Some("world"));
        let worlds = self.worlds();
        let world = worlds.get(Index::of(&worlds).find(&world.ok_or_else(missing)?, path)?).ok_or_else(missing)?;
        let items = world.items(self.bytes, segment.kind.unwrap_or_default());
        items.get(Index::of(&items).find(&segment, path)?).and_then(Reference::of).ok_or_else(missing)
    }
}
