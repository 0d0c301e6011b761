//! Edits.

use worldview::Format;
use worldview_edit::{Changes, EditError, EditErrorKind, LAYOUT, Patches, Planned, island, wpd, wwd};

use worldview_readers::{MAX_LEN, holds};

/// Applies changes to a file: JSON up to the first NUL, then the file.
pub fn edit_apply(data: &[u8]) {
    let Some(split) = data.iter().position(|&byte| byte == 0).filter(|_| data.len() <= MAX_LEN) else { return };
    let (json, file) = data.split_at(split);
    let Ok(changes) = Changes::from_json(json) else { return };
    let text = changes.to_json();
    assert!(text.is_ok(), "changes that were read cannot be written: {text:?}");
    let text = text.unwrap_or_default();
    assert_eq!(Changes::from_json(text.as_bytes()).ok().as_ref(), Some(&changes), "{text}");
    let file = file.get(1..).unwrap_or(&[]);
    let Some(kind) = Kind::of(file) else { return };
    let Ok(edited) = kind.apply(file, &changes) else { return };
    let edited = written(&edited);
    (kind.agrees)(&edited);
    assert!(!changes.is_empty() || edited == file, "no changes, but another file");
    // What was changed can be said again.
    if let Ok(again) = kind.diff(file, &edited) {
        kind.becomes(file, &again, &edited);
    }
}

/// Makes one file another: the length of the first in two bytes, little-endian, then both.
pub fn edit_diff(data: &[u8]) {
    let Some((length, files)) = data.split_first_chunk().filter(|_| data.len() <= MAX_LEN) else { return };
    let length = usize::from(u16::from_le_bytes(*length));
    let Some((left, right)) = files.split_at_checked(length) else { return };
    let Some(kind) = Kind::of(left) else { return };
    if let Ok(same) = kind.diff(left, left) {
        assert!(same.is_empty(), "a file differs from itself");
    }
    if let Ok(changes) = kind.diff(left, right) {
        kind.becomes(left, &changes, right);
    }
}

/// How files of one format are edited.
pub(super) struct Kind {
    apply: for<'a> fn(&'a [u8], &Changes) -> Result<Patches<'a>, EditError>,
    diff: fn(&[u8], &[u8]) -> Result<Planned, EditError>,
    /// Compares the views with the naive readers.
    agrees: fn(&[u8]),
}

impl Kind {
    pub(super) fn of(file: &[u8]) -> Option<Self> {
        match Format::sniff(file)? {
            Format::Wwd => Some(Self {
                apply: wwd::apply,
                diff: wwd::diff,
                agrees: |file| holds(worldview_readers::wwd::agree(file)),
            }),
            Format::Wpd => Some(Self {
                apply: wpd::apply,
                diff: wpd::diff,
                agrees: |file| {
                    holds(worldview_readers::wpd::archives_agree(file));
                    holds(worldview_readers::wpd::tables_agree(file, None));
                },
            }),
            Format::Island => Some(Self {
                apply: island::apply,
                diff: island::diff,
                agrees: |file| holds(worldview_readers::island::agree(file)),
            }),
            _ => None,
        }
    }

    /// Applies changes. Whatever files and changes say, worldview is not at fault.
    fn apply<'a>(&self, file: &'a [u8], changes: &Changes) -> Result<Patches<'a>, EditError> {
        let edited = (self.apply)(file, changes);
        assert!(!matches!(&edited, Err(EditError { kind: EditErrorKind::Fault { .. }, .. })), "{edited:?}");
        edited
    }

    pub(super) fn diff(&self, left: &[u8], right: &[u8]) -> Result<Changes, EditError> {
        (self.diff)(left, right).map(|planned| planned.changes)
    }

    /// Whether the account says that changes cannot express the difference of two files.
    fn leaves(&self, left: &[u8], right: &[u8]) -> bool {
        let is_left = |planned: Planned| planned.account.entries().any(|entry| entry.code != LAYOUT);
        (self.diff)(left, right).is_ok_and(is_left)
    }

    /// Applies changes, if that is possible, and reads the result.
    pub(super) fn applies(&self, file: &[u8], changes: &Changes) {
        if let Ok(edited) = self.apply(file, changes) {
            (self.agrees)(&written(&edited));
        }
    }

    /// Applies the changes between two files, if that is possible, and compares the result with the second.
    fn becomes(&self, left: &[u8], changes: &Changes, right: &[u8]) {
        let Ok(edited) = self.apply(left, changes) else { return };
        let edited = written(&edited);
        (self.agrees)(&edited);
        let rest = self.diff(&edited, right);
        // What changes cannot express, such as another order, is not compared.
        let is_said = rest.as_ref().is_err_and(|error| matches!(error.kind, EditErrorKind::Unsupported { .. }))
            || self.leaves(left, right);
        assert!(is_said || rest.as_ref().is_ok_and(Changes::is_empty), "not the second file: {rest:?}");
    }
}

fn written(edited: &Patches<'_>) -> Vec<u8> {
    let bytes = edited.to_vec();
    assert_eq!(bytes.len() as u64, edited.len(), "the output has another length than announced");
    bytes
}
