use std::sync::Arc;

use crate::Opener;
use crate::wpd::{Nesting, Schemas};
use crate::wwd::Unpacker;

/// How files are opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to open as much as possible, and to note the rest as findings.
    pub lossy: bool,
    /// Whether to open archives whose header was overwritten.
    pub recover: bool,
    /// The maximum size that a packed level may inflate to, in bytes; by default a limit that grows with the file.
    pub max_inflate: Option<u64>,
    /// How deeply nested archives are opened.
    pub max_depth: u32,
    /// Field names for tables that have none, which take precedence over the built-in ones.
    pub schemas: Option<Arc<Schemas>>,
}

impl Default for Options {
    fn default() -> Self {
        Self { lossy: false, recover: false, max_inflate: None, max_depth: Nesting::MAX_DEPTH, schemas: None }
    }
}

impl Options {
    pub(crate) fn unpacker(&self) -> Unpacker {
        self.max_inflate.map_or_else(Unpacker::new, |bytes| Unpacker::new().max_inflate(bytes))
    }

    /// Returns the opener with these options.
    pub fn opener(&self) -> Opener<'_> {
        let opener = Opener::new().unpacker(self.unpacker());
        let opener = opener.lossy(self.lossy).recover(self.recover).max_depth(self.max_depth);
        match &self.schemas {
            Some(schemas) => opener.schemas(schemas),
            None => opener,
        }
    }
}
