//! Archives and tables.

use std::sync::Arc;

use crate::wpd::{Archive, Schemas, Table, TableOptions};
use self_cell::self_cell;

use super::handle::Held;
use super::{Failure, Note, Part};
use crate::Asset;

self_cell!(
    struct ArchiveCell {
        owner: Part,
        #[covariant]
        dependent: Archive,
    }
);

/// A WPD archive that is not a table.
pub struct ArchiveHandle {
    cell: ArchiveCell,
    findings: Vec<Note>,
}

impl ArchiveHandle {
    pub(crate) fn open(part: Part, is_recovered: bool, lossy: bool) -> Result<Self, Failure> {
        let mut findings = Vec::new();
        let cell = ArchiveCell::try_new(part, |part| archive(part, is_recovered, lossy, &mut findings))?;
        Ok(Self { cell, findings })
    }

    /// Returns the view.
    pub fn archive(&self) -> &Archive<'_> {
        self.cell.borrow_dependent()
    }

    /// Returns the part that the archive was opened from.
    pub fn part(&self) -> &Part {
        self.cell.borrow_owner()
    }

    /// Returns the findings of lossy opening.
    pub fn findings(&self) -> &[Note] {
        &self.findings
    }
}

impl Held for ArchiveHandle {
    fn asset(&self) -> Asset<'_, '_> {
        Asset::Archive(self.archive())
    }

    fn part(&self) -> &Part {
        self.part()
    }

    fn notes(&self) -> Vec<Note> {
        self.findings().to_vec()
    }
}

impl std::fmt::Debug for ArchiveHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.archive().fmt(f)
    }
}

/// What a table is made from.
struct Origin {
    part: Part,
    schemas: Option<Arc<Schemas>>,
}

self_cell!(
    struct TableCell {
        owner: Origin,
        #[covariant]
        dependent: Table,
    }
);

/// A WDB table.
pub struct TableHandle {
    cell: TableCell,
    findings: Vec<Note>,
}

impl TableHandle {
    pub(crate) fn open(
        part: Part,
        is_recovered: bool,
        schemas: Option<Arc<Schemas>>,
        lossy: bool,
    ) -> Result<Self, Failure> {
        let mut findings = Vec::new();
        let cell = TableCell::try_new(Origin { part, schemas }, |origin| {
            let archive = archive(&origin.part, is_recovered, lossy, &mut findings)?;
            let options = TableOptions::new().file_name(origin.part.name());
            let options = match &origin.schemas {
                Some(schemas) => options.schemas(schemas),
                None => options,
            };
            if lossy {
                options.table_lossy(archive, &mut |finding| findings.push(Note::from(&finding)))
            } else {
                options.table(archive)
            }
        })?;
        Ok(Self { cell, findings })
    }

    /// Returns the view.
    pub fn table(&self) -> &Table<'_> {
        self.cell.borrow_dependent()
    }

    /// Returns the part that the table was opened from.
    pub fn part(&self) -> &Part {
        &self.cell.borrow_owner().part
    }

    /// Returns the findings of lossy opening.
    pub fn findings(&self) -> &[Note] {
        &self.findings
    }
}

impl Held for TableHandle {
    fn asset(&self) -> Asset<'_, '_> {
        Asset::Table(self.table())
    }

    fn part(&self) -> &Part {
        self.part()
    }

    fn notes(&self) -> Vec<Note> {
        self.findings().to_vec()
    }
}

impl std::fmt::Debug for TableHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.table().fmt(f)
    }
}

fn archive<'p>(
    part: &'p Part,
    is_recovered: bool,
    lossy: bool,
    findings: &mut Vec<Note>,
) -> crate::Result<Archive<'p>> {
    let mut note = |finding: crate::wpd::Finding<'_>| findings.push(Note::from(&finding));
    match (is_recovered, lossy) {
        (true, _) => Archive::recover(part.source(), &mut note),
        (false, true) => Archive::parse_lossy(part.source(), &mut note),
        (false, false) => Archive::parse(part.source()),
    }
}
