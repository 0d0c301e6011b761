//! What runs over a folder edit in place: a line for each file in `.worldview-edits.ndjson`, so that `restore` can take a run back.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{lines, write_file};
use crate::table;

/// An edit of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EditRecord {
    /// What the edits of one run have in common: when it began, and its process.
    pub(crate) run: String,
    /// The path of the file below the folder, as it is printed.
    pub(crate) file: String,
    /// The size and SHA-256 of the original, which one of the backups of the file is.
    pub(crate) original: (u64, String),
    /// The size and SHA-256 of the edited file.
    pub(crate) edited: (u64, String),
    /// Whether it could not be taken back because of what had happened to the file since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_kept: bool,
}

/// The edits of a folder, to which a run adds its own.
#[derive(Debug)]
pub(crate) struct EditLog {
    folder: PathBuf,
    run: String,
    out: Mutex<Option<File>>,
}

impl EditLog {
    pub(crate) const NAME: &'static str = ".worldview-edits.ndjson";

    /// Returns the log for a run. The file is there once something is edited.
    pub(crate) fn new(folder: &Path) -> Self {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", began.as_millis(), std::process::id());
        Self { folder: folder.into(), run, out: Mutex::default() }
    }

    /// Adds an edit, before it is made: a run that is killed then has logged an edit that was not made, but made none that is not logged.
    pub(crate) fn add(&self, file: &Path, original: (u64, String), edited: (u64, String)) -> io::Result<()> {
        let file = table::path(file.strip_prefix(&self.folder).unwrap_or(file));
        let line =
            serde_json::to_string(&EditRecord { run: self.run.clone(), file, original, edited, is_kept: false })?
                + "\n";
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.is_none() {
            *out = lines::open(&self.folder.join(Self::NAME))?;
        }
        match &mut *out {
            Some(out) => out.write_all(line.as_bytes()),
            None => Err(io::Error::other(format!("{} is not a file", Self::NAME))),
        }
    }

    /// Returns the edits of all runs, in their order. What is no edit, such as a part of a line, is left out.
    pub(crate) fn read(folder: &Path) -> io::Result<Vec<EditRecord>> {
        let lines = lines::read(folder, Self::NAME)?;
        Ok(lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// Removes edits that were taken back, and marks those that are kept.
    pub(crate) fn update(folder: &Path, undone: &[EditRecord], kept: &[EditRecord]) -> io::Result<()> {
        let mut text = String::new();
        for mut record in Self::read(folder)?.into_iter().filter(|record| !undone.contains(record)) {
            record.is_kept |= kept.contains(&record);
            text += &(serde_json::to_string(&record)? + "\n");
        }
        match text.is_empty() {
            true => fs::remove_file(folder.join(Self::NAME)),
            false => write_file(folder, Self::NAME.as_ref(), text.as_bytes()),
        }
    }
}
