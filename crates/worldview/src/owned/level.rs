//! Levels.

use crate::wwd::{Level, Unpacked, Unpacker};
use self_cell::self_cell;

use super::handle::Held;
use super::{Failure, Note, Part};
use crate::Asset;

self_cell!(
    struct Image {
        owner: Part,
        #[covariant]
        dependent: Unpacked,
    }
);

self_cell!(
    struct Cell {
        owner: Image,
        #[covariant]
        dependent: Level,
    }
);

/// A level.
pub struct LevelHandle {
    cell: Cell,
    findings: Vec<Note>,
}

impl LevelHandle {
    pub(crate) fn open(part: Part, unpacker: Unpacker, lossy: bool) -> Result<Self, Failure> {
        let mut findings = Vec::new();
        let image = Image::try_new(part, |part| {
            if !lossy {
                return unpacker.unpack(part.bytes());
            }
            unpacker.unpack_lossy(part.bytes(), &mut |finding| findings.push(Note::from(&finding)))
        })?;
        let cell = Cell::try_new(image, |image| {
            let image = image.borrow_dependent();
            if !lossy {
                return Level::parse(image);
            }
            Level::parse_lossy(image, &mut |finding| findings.push(Note::from(&finding)))
        })?;
        Ok(Self { cell, findings })
    }

    /// Returns the view.
    pub fn level(&self) -> &Level<'_> {
        self.cell.borrow_dependent()
    }

    /// Returns the unpacked file, which the view borrows.
    pub fn unpacked(&self) -> &Unpacked<'_> {
        self.cell.borrow_owner().borrow_dependent()
    }

    /// Returns the part that the level was opened from.
    pub fn part(&self) -> &Part {
        self.cell.borrow_owner().borrow_owner()
    }

    /// Returns the findings of lossy opening.
    pub fn findings(&self) -> &[Note] {
        &self.findings
    }
}

impl Held for LevelHandle {
    fn asset(&self) -> Asset<'_, '_> {
        Asset::Level(self.level(), self.unpacked())
    }

    fn part(&self) -> &Part {
        self.part()
    }

    fn notes(&self) -> Vec<Note> {
        self.findings().to_vec()
    }
}

impl std::fmt::Debug for LevelHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.level().fmt(f)
    }
}
