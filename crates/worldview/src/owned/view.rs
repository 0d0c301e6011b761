//! Lists of textures.

use self_cell::self_cell;

use super::handle::Held;
use super::{Failure, Note, Part};
use crate::Asset;
use crate::island::TextureFile;

self_cell!(
    struct ViewCell {
        owner: Part,
        #[covariant]
        dependent: TextureFile,
    }
);

/// A list of textures: a `.tex` file.
pub struct ViewHandle {
    cell: ViewCell,
    findings: Vec<Note>,
}

impl ViewHandle {
    pub(crate) fn open(part: Part, lossy: bool) -> Result<Self, Failure> {
        let mut findings = Vec::new();
        let cell = ViewCell::try_new(part, |part| {
            if !lossy {
                return TextureFile::parse(part.source());
            }
            TextureFile::parse_lossy(part.source(), &mut |finding| findings.push(Note::from(&finding)))
        })?;
        Ok(Self { cell, findings })
    }

    /// Returns the texture file.
    pub fn file(&self) -> &TextureFile<'_> {
        self.cell.borrow_dependent()
    }

    /// Returns the view.
    pub fn asset(&self) -> Asset<'_, '_> {
        Asset::Textures(*self.file())
    }

    /// Returns the part that it was opened from.
    pub fn part(&self) -> &Part {
        self.cell.borrow_owner()
    }

    /// Returns the findings of lossy opening.
    pub fn findings(&self) -> &[Note] {
        &self.findings
    }
}

impl Held for ViewHandle {
    fn asset(&self) -> Asset<'_, '_> {
        self.asset()
    }

    fn part(&self) -> &Part {
        self.part()
    }

    fn notes(&self) -> Vec<Note> {
        self.findings.clone()
    }
}

impl std::fmt::Debug for ViewHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.asset().fmt(f)
    }
}
