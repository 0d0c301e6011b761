use crate::account::{Account, Column, Entry, SourcePlace};
use worldview_core::Path;

use crate::{Changes, EditError, EditErrorKind, Result};

/// Changes, and the results for everything else in their source.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// The changes to apply.
    pub changes: Changes,
    /// The elements that are equal, cannot be changed, or were left out.
    pub account: Account,
}

impl Planned {
    /// Adds changes of the same file.
    pub fn append(&mut self, other: Self) {
        self.changes.extend(other.changes);
        self.account.append(other.account);
    }

    /// Returns the same for a file that contains this one as `prefix`: an archive and the path of a member.
    #[must_use]
    pub fn prefixed(mut self, prefix: &Path) -> Self {
        for entry in self.account.entries_mut() {
            entry.path = prefix.joined(&entry.path);
        }
        Self { changes: self.changes.prefixed(prefix), account: self.account }
    }

    /// Returns the changes, if nothing was refused.
    ///
    /// # Errors
    ///
    /// Returns the first refusal as an error.
    pub fn complete(self) -> Result<Changes> {
        let refused = self.account.entries().find(|entry| entry.column == Column::Refused);
        refused.map_or(Ok(self.changes), |Entry { code, path, message, place, .. }| {
            let line = place.row.map(|row| format!("line {row}: "));
            Err(EditError::refused(path, *code, line.unwrap_or_default() + message))
        })
    }

    /// Adds what cannot be done, at a place of the source.
    pub fn refuse(&mut self, error: &EditError, mut place: SourcePlace) {
        let message = match &error.kind {
            EditErrorKind::Malformed { line, why } => {
                place.row = place.row.or(*line);
                why.clone()
            }
            kind => kind.to_string(),
        };
        self.account.push(Entry::new(Column::Refused, error.kind.code(), &error.path, message).at(place));
    }
}

impl From<Changes> for Planned {
    fn from(changes: Changes) -> Self {
        Self { changes, account: Account::default() }
    }
}
