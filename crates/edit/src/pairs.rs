//! Differences that the changes between two files leave: each byte that differs is in a change, or has a message.

use std::io::{self, Write};

use crate::account::{Account, Column, Entry};
use worldview_core::Path;

use crate::codes;
use worldview_inspect::Root;
use worldview_inspect::diff::{self, DiffOptions, Difference, OnDifference};

use crate::{EditError, Patches, Planned, Result};

codes! {
    /// The codes of comparisons of two files.
    pub PAIRS {
        LAYOUT = "layout": "the content is the same; padding, storage order or packing differ",
        NOT_CARRIED = "not-carried": "a difference that changes cannot express",
        NOT_COMPARED = "not-compared": "differing bytes are not listed, because the files are too large",
    }
}

/// The size up to which the result of changes is compared by its content.
const MAX_COMPARED: u64 = 1 << 29;

impl Planned {
    /// Adds a difference that changes cannot express.
    pub(crate) fn not_carried(&mut self, path: &Path, why: impl Into<String>) {
        self.account.push(Entry::new(Column::LeftOut, NOT_CARRIED, path, why));
    }
}

/// Adds what the changes between two files leave of their differences.
///
/// `edited` is the left file with the changes, and `compare` compares the content of an edited file with that of the right one.
pub(crate) fn complete(
    mut planned: Planned,
    edited: Result<Patches<'_>>,
    right: &[u8],
    compare: impl FnOnce(&[u8], OnDifference<'_>) -> Result<()>,
) -> Planned {
    let edited = match edited {
        Ok(edited) => edited,
        Err(EditError { path, kind }) => {
            planned.not_carried(&path, format!("the changes cannot be applied: {kind}"));
            return planned;
        }
    };
    let mut bytes = Differing { right, count: 0 };
    // Counting cannot fail.
    let _ = edited.write_to(&mut bytes);
    let count = bytes.count.saturating_add(bytes.right.len() as u64);
    let count = if edited.len() == right.len() as u64 { count } else { edited.len().abs_diff(right.len() as u64) };
    if count == 0 {
        return Planned { account: Account::default(), ..planned };
    }
    if edited.len() > MAX_COMPARED {
        let why = format!("{count} bytes differ that the changes do not name, because the files are too large");
        planned.account.push(Entry::new(Column::LeftOut, NOT_COMPARED, &Path::new(), why));
        return planned;
    }
    let named: Vec<_> = planned.account.entries().map(|entry| entry.path.clone()).collect();
    let mut rest = Planned::default();
    let compared = compare(&edited.to_vec(), &mut |difference| {
        let is_named = |path: &Path| path.is_within(difference.path) || difference.path.is_within(path);
        if !named.iter().any(is_named) {
            rest.not_carried(difference.path, said(difference));
        }
    });
    if let Err(EditError { path, kind }) = compared {
        rest.not_carried(&path, format!("the result of the changes cannot be compared: {kind}"));
    }
    if named.is_empty() && rest.account.entries().len() == 0 {
        let plural = if count == 1 { "" } else { "s" };
        let why = format!("same content; padding or packing differs ({count} byte{plural})");
        rest.account.push(Entry::new(Column::LeftOut, LAYOUT, &Path::new(), why));
    }
    planned.append(rest);
    planned
}

/// Compares two descriptions of one format.
pub(crate) fn compare(left: &Root<'_>, right: &Root<'_>, note: OnDifference<'_>) -> Result<()> {
    let compared = diff::compare(left, right, &DiffOptions::default(), note);
    compared.map_err(|error| EditError::malformed(None, error.to_string()))
}

/// A difference at a path.
fn said(difference: &Difference<'_>) -> String {
    let text = difference.to_string();
    let behind = text.get(1..).unwrap_or_default().trim_start();
    let behind = behind.strip_prefix(difference.path.as_str()).unwrap_or(behind);
    let text = behind.trim_start_matches(':').trim_start();
    format!("{}: {text}", difference.change.name())
}

/// Counts bytes that are not those of a file.
struct Differing<'r> {
    /// The rest of the file.
    right: &'r [u8],
    count: u64,
}

impl Write for Differing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (here, rest) = self.right.split_at(bytes.len().min(self.right.len()));
        if here.len() < bytes.len() || here != bytes {
            let other = here.iter().zip(bytes).filter(|(one, other)| one != other).count();
            self.count = self.count.saturating_add(other.saturating_add(bytes.len().saturating_sub(here.len())) as u64);
        }
        self.right = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
