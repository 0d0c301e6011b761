//! Shared objects without levels of detail in a WORLD.WDB whose parts cannot all be read: one finding, because they
//! have one cause.

use std::collections::HashSet;

use worldview::island::{Finding, FindingKind};
use worldview::{FindingCode as _, Severity};

use crate::world;

/// The objects found so far, if parts cannot be read.
pub(super) struct MissingLods {
    is_cause: bool,
    /// The offsets of the objects, which several references can share.
    objects: HashSet<u64>,
    /// The first few names.
    names: Vec<String>,
}

impl MissingLods {
    /// The code of the finding.
    pub(super) const CODE: &str = "lods-unresolved";

    /// How many names the message has.
    const NAMED: usize = 3;

    /// Creates an empty collection. `findings` are those of opening the file.
    pub(super) fn new(findings: &[Finding<'_>]) -> Self {
        let of_parts = |finding: &Finding<'_>| {
            finding.kind.severity() == Severity::Fatal
                && ["part blob", "part reference", "global parts"].contains(&world::subject(&finding.place).what)
        };
        Self { is_cause: findings.iter().any(of_parts), objects: HashSet::new(), names: Vec::new() }
    }

    /// Adds a finding if it follows from unreadable parts. Returns whether an earlier one already stands for it.
    pub(super) fn takes(&mut self, finding: &Finding<'_>, text: &dyn Fn(&[u8]) -> String) -> bool {
        if !self.is_cause || !matches!(finding.kind, FindingKind::LodsUnresolved) {
            return false;
        }
        let is_first = self.objects.is_empty();
        if self.objects.insert(finding.at) && self.names.len() < Self::NAMED {
            self.names.push(text(finding.place.part.shown_name().0));
        }
        !is_first
    }

    /// Returns the message for all objects, or `None` if there are none.
    pub(super) fn message(self) -> Option<String> {
        let count = self.objects.len();
        let names = self.names.join(", ");
        let more = match count.saturating_sub(self.names.len()) {
            0 => String::new(),
            more => format!(", … {more} more"),
        };
        let objects = if count == 1 { "object has" } else { "objects have" };
        (count > 0).then(|| {
            format!(
                "{count} shared {objects} no levels of detail ({names}{more}), because parts cannot be read; the game \
                 drops the models"
            )
        })
    }
}
