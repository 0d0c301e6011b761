//! Files whose views need nothing but their bytes.

use self_cell::self_cell;

use super::{Failure, Note, Part};
use crate::{Asset, Format, OpenError};

/// A view of bytes that nothing else is between.
type View<'a> = Asset<'a, 'a>;

self_cell!(
    struct ViewCell {
        owner: Part,
        #[covariant]
        dependent: View,
    }
);

/// A file of a format whose view needs nothing but its bytes.
pub struct ViewHandle {
    cell: ViewCell,
    findings: Vec<Note>,
}

impl ViewHandle {
    pub(crate) fn open(part: Part, format: Format, lossy: bool) -> Result<Self, Failure> {
        let mut findings = Vec::new();
        let cell = ViewCell::try_new(part, |part| {
            let mut note = |finding: worldview_island::Finding<'_>| findings.push(Note::from(&finding));
            match Asset::parse(format, part.source(), if lossy { Some(&mut note) } else { None }) {
                Some(asset) => asset.map_err(OpenError::Format),
                None => Err(OpenError::Unknown),
            }
        });
        Ok(Self { cell: cell.map_err(|error| Failure::Open(error, Vec::new()))?, findings })
    }

    /// Returns the view.
    pub fn asset(&self) -> Asset<'_, '_> {
        *self.cell.borrow_dependent()
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

impl std::fmt::Debug for ViewHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.asset().fmt(f)
    }
}
