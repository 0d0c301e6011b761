//! REZ archives, and pictures.

use std::sync::Arc;

use crate::inspect::utf8;
use crate::rez::{Directory, Picture, PictureKind, Rez};
use self_cell::self_cell;

use super::handle::Held;
use super::{Failure, Note, Part};
use crate::Asset;

self_cell!(
    struct RezCell {
        owner: Part,
        #[covariant]
        dependent: Rez,
    }
);

/// A directory of a REZ archive.
#[derive(Clone)]
pub struct DirectoryHandle {
    cell: Arc<RezCell>,
    findings: Arc<[Note]>,
    index: u32,
    part: Part,
}

impl DirectoryHandle {
    pub(crate) fn open(part: Part, lossy: bool) -> Result<Self, Failure> {
        let mut findings = Vec::new();
        let whole = part.clone();
        let cell = RezCell::try_new(part, |part| {
            if !lossy {
                return Rez::parse(part.source());
            }
            Rez::parse_lossy(part.source(), &mut |finding| findings.push(Note::from(&finding)))
        })?;
        Ok(Self { cell: Arc::new(cell), findings: findings.into(), index: 0, part: whole })
    }

    /// Returns another directory of the same archive.
    pub(crate) fn at(&self, index: u32) -> Option<Self> {
        let names = self.rez().directory_at(index)?.path().names();
        let part = self.part.with_inside(names.iter().map(|name| utf8(name).into_owned()).collect());
        Some(Self { index, part, ..self.clone() })
    }

    /// Returns the archive.
    pub fn rez(&self) -> &Rez<'_> {
        self.cell.borrow_dependent()
    }

    /// Returns the view.
    pub fn directory(&self) -> Directory<'_, '_> {
        self.rez().directory_at(self.index).unwrap_or_else(|| self.rez().root())
    }

    /// Returns the path of the directory from the root, as names joined by `/`.
    pub fn path(&self) -> Vec<u8> {
        self.directory().path().names().join(&b'/')
    }

    /// Returns the whole archive as a part, with the names of the directories that lead to this one.
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// Returns the findings of lossy opening.
    pub fn findings(&self) -> &[Note] {
        &self.findings
    }
}

impl Held for DirectoryHandle {
    fn asset(&self) -> Asset<'_, '_> {
        Asset::Rez(self.directory())
    }

    fn part(&self) -> &Part {
        self.part()
    }

    fn notes(&self) -> Vec<Note> {
        self.findings().to_vec()
    }
}

impl std::fmt::Debug for DirectoryHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.directory().fmt(f)
    }
}

self_cell!(
    struct PictureCell {
        owner: Part,
        #[covariant]
        dependent: Picture,
    }
);

/// A picture.
pub struct PictureHandle {
    cell: PictureCell,
}

impl PictureHandle {
    pub(crate) fn open(part: Part, kind: PictureKind) -> Result<Self, Failure> {
        let cell = PictureCell::try_new(part, |part| Picture::parse(kind, part.bytes()))?;
        Ok(Self { cell })
    }

    /// Returns the view.
    pub fn picture(&self) -> &Picture<'_> {
        self.cell.borrow_dependent()
    }

    /// Returns the part that the picture was opened from.
    pub fn part(&self) -> &Part {
        self.cell.borrow_owner()
    }
}

impl Held for PictureHandle {
    fn asset(&self) -> Asset<'_, '_> {
        Asset::Picture(*self.picture())
    }

    fn part(&self) -> &Part {
        self.part()
    }
}

impl std::fmt::Debug for PictureHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.picture().fmt(f)
    }
}
