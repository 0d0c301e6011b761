#[cfg(feature = "wpd")]
use std::sync::Arc;

use crate::Opener;
use crate::opener::MAX_DEPTH;

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
    #[cfg(feature = "wpd")]
    pub schemas: Option<Arc<crate::wpd::Schemas>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            lossy: false,
            recover: false,
            max_inflate: None,
            max_depth: MAX_DEPTH,
            #[cfg(feature = "wpd")]
            schemas: None,
        }
    }
}

impl Options {
    #[cfg(feature = "wwd")]
    pub(crate) fn unpacker(&self) -> crate::wwd::Unpacker {
        let unpacker = crate::wwd::Unpacker::new();
        self.max_inflate.map_or(unpacker, |bytes| unpacker.max_inflate(bytes))
    }

    /// Returns the opener with these options.
    pub fn opener(&self) -> Opener<'_> {
        let opener = Opener::new().lossy(self.lossy).recover(self.recover).max_depth(self.max_depth);
        #[cfg(feature = "wwd")]
        let opener = opener.unpacker(self.unpacker());
        #[cfg(feature = "wpd")]
        let opener = self.schemas.as_deref().map_or(opener, |schemas| opener.schemas(schemas));
        opener
    }
}
