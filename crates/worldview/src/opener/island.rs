use worldview_core::ErrorKind;
use worldview_island::{Database, TextureFile};

use super::{Opener, Visit};
use crate::asset::{Asset, Failed, Findings, Opened};

impl Opener<'_> {
    pub(super) fn database(&self, bytes: &[u8], visit: Visit<'_>) {
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let database = if self.lossy { Database::parse_lossy(bytes, &mut note) } else { Database::parse(bytes) };
        let findings = Findings::Database(&findings);
        visit(match &database {
            Ok(database) => Ok(Opened::new(Asset::Database(database), findings)),
            Err(error) => Err(Failed::new(*error, findings)),
        });
    }

    pub(super) fn textures(&self, bytes: &[u8], visit: Visit<'_>) {
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let file = if self.lossy { TextureFile::parse_lossy(bytes, &mut note) } else { TextureFile::parse(bytes) };
        let findings = Findings::Database(&findings);
        visit(match file {
            Ok(file) => Ok(Opened::new(Asset::Textures(file), findings)),
            Err(error) => Err(Failed::new(error, findings)),
        });
    }
}

/// Returns whether a file is a WORLD.WDB with worlds. One whose blobs share too many bytes is, too, and is refused as such.
pub(super) fn has_worlds(bytes: &[u8]) -> bool {
    match Database::parse(bytes) {
        Ok(database) => database.worlds().len() > 0,
        Err(error) => matches!(error.kind, ErrorKind::Limit { .. }),
    }
}
