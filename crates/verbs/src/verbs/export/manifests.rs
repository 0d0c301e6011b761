//! What a run does with manifests of other inputs than its own.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use super::Shared;
use super::done::Done;
use crate::output::{Manifest, RunManifest};
use crate::run::Run;
use crate::table;

impl Shared<'_> {
    /// Whether the manifest of the run has a line for each input.
    pub(super) const fn lists_inputs(&self) -> bool {
        self.tree.is_flat || self.args.merge.is_some()
    }

    /// Begins the manifest of the run, if there is one.
    pub(super) fn lines(&self) -> io::Result<Option<RunManifest<'_>>> {
        let is_needed = self.lists_inputs() || self.tree.has_lines();
        is_needed.then(|| RunManifest::new(&self.tree)).transpose()
    }

    /// Writes the manifest of the run, and finds the outputs of inputs that are gone. `visited` has the folders of those that are not.
    pub(super) fn finish_manifests(
        &self,
        lines: Option<RunManifest<'_>>,
        merged: Option<&Manifest>,
        visited: &HashSet<PathBuf>,
        run: &mut Run<'_>,
        all: &mut Done,
    ) {
        let paths = self.inputs.paths.iter().filter(|path| path.is_dir());
        let searched: Vec<_> = paths.map(|path| PathBuf::from(table::path(path))).collect();
        // An interrupted run has not seen all inputs.
        let is_complete = !run.is_canceled();
        let is_gone = |source: &str| {
            let source = Path::new(source);
            // A part of a file is gone with the file.
            is_complete
                && searched.iter().any(|folder| source.starts_with(folder))
                && source.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
                && !source.ancestors().any(Path::is_file)
        };
        let stale = &mut all.made.stale;
        let mut finished = Ok(None);
        if let Some(mut lines) = lines {
            let rest = if self.lists_inputs() { lines.add_input(&run.report.inputs, None) } else { Ok(()) };
            finished = rest.and_then(|()| merged.map_or(Ok(()), |merged| lines.add(merged))).and_then(|()| {
                lines.finish(&|folder, source| !visited.contains(folder) && is_gone(source), stale).map(Some)
            });
        }
        // The folders with the outputs of those that were searched.
        let is_named = |path: &PathBuf| path.file_name().is_some();
        let first = |folder: &PathBuf| folder.iter().next().filter(|first| *first != folder).map(PathBuf::from);
        let folders: BTreeSet<_> = match searched.iter().all(is_named) {
            true => visited.iter().filter_map(first).collect(),
            false => [PathBuf::new()].into(),
        };
        for folder in folders.iter().filter(|_| !searched.is_empty() && is_complete) {
            finished = finished.and_then(|list| self.tree.clear_below(folder, visited, &is_gone, stale).map(|()| list));
        }
        match finished {
            Ok(Some(finished)) => all.made.finished(&finished),
            Ok(None) => {}
            Err(error) => run.broken(&table::path(&self.args.out.join(Manifest::NAME)), &error),
        }
        self.tree.remove(&mut all.made.stale);
        all.report_stale(self.args, run);
    }
}
