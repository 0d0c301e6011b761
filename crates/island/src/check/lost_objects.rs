//! Shared objects without levels of detail in a WORLD.WDB whose parts cannot all be read: one finding, because they
//! have one cause.

use std::collections::HashSet;
use std::fmt;

use worldview_core::{AnyFinding, Finding, FindingCode, Place, Severity};

use crate::blob::{BlobKind, Content};
use crate::contents::Contents;
use crate::database::Database;
use crate::finding::FindingKind;
use crate::parts::Parts;

/// Checks a whole file as [`check`](super::check) does, and passes each finding whose place `wants` selects to `report`.
///
/// If parts cannot be read, the shared objects that lack their levels of detail are one finding, the last. Its place is that of the
/// first of them.
pub fn check_grouped<'a>(
    database: &Database<'a>,
    contents: &Contents<'a>,
    wants: &dyn Fn(&Place<'a>) -> bool,
    report: &mut dyn FnMut(&AnyFinding<'_, '_>),
) {
    let lacks_parts = lacks_parts(database, contents);
    let mut lost = None;
    super::check(database, contents, &mut |finding| {
        if !wants(&finding.place) {
            return;
        }
        if !lacks_parts || !matches!(finding.kind, FindingKind::LodsUnresolved) {
            return report(&finding.any());
        }
        let Finding { kind, at, space, place } = finding;
        let first = lost.get_or_insert_with(|| Finding { kind: LostObjects::of(kind), at, space, place });
        first.kind.add(at, place.part.shown_name().0);
    });
    if let Some(lost) = lost {
        report(&lost.any());
    }
}

/// Returns whether parts, which provide levels of detail, are missing in what was read.
fn lacks_parts(database: &Database<'_>, contents: &Contents<'_>) -> bool {
    let is_cut = |parts: &Parts<'_>| parts.left_out().is_some();
    let blobs = database.blobs().iter().zip(&contents.blobs);
    contents.parts.as_ref().map_or(true, is_cut)
        || database.part_refs().iter().any(|part| part.blob().is_none())
        || blobs.into_iter().any(|(blob, content)| match content {
            Ok(Content::Parts(parts)) => is_cut(parts),
            Ok(Content::Model(_)) => false,
            Err(_) => blob.kind == BlobKind::Parts,
        })
}

/// The objects that lack their levels of detail.
struct LostObjects<'a> {
    kind: FindingKind,
    /// Their offsets. Several references can share an object.
    objects: HashSet<u64>,
    /// The first few names.
    names: Vec<&'a [u8]>,
}

impl<'a> LostObjects<'a> {
    /// How many names the message has.
    const NAMED: usize = 3;

    fn of(kind: FindingKind) -> Self {
        Self { kind, objects: HashSet::new(), names: Vec::new() }
    }

    fn add(&mut self, at: u64, name: &'a [u8]) {
        if self.objects.insert(at) && self.names.len() < Self::NAMED {
            self.names.push(name);
        }
    }
}

impl FindingCode for LostObjects<'_> {
    fn code(&self) -> &'static str {
        self.kind.code()
    }

    fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

impl fmt::Display for LostObjects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.objects.len();
        write!(f, "{count} shared {} no levels of detail", if count == 1 { "object has" } else { "objects have" })?;
        for (index, name) in self.names.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { " (" } else { ", " }, name.escape_ascii())?;
        }
        let more = count.saturating_sub(self.names.len());
        if more > 0 {
            write!(f, ", … {more} more")?;
        }
        f.write_str("), because parts cannot be read; the game drops the models")
    }
}
