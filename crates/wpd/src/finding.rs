//! The table of everything that can be said about an archive or table that opens all the same.

use worldview_core::{ErrorKind, findings};

/// A finding about an archive or table.
pub type Finding<'a> = worldview_core::Finding<'a, FindingKind>;

findings! {
    /// What a check of an archive or table can find. The codes are stable; `docs/formats/wpd.md`, Findings, explains each.
    pub enum FindingKind {
        /// A part is not all there, or cannot be read; it is left out.
        Fatal "broken" Broken { kind: ErrorKind } => "{kind}",
    }
}
