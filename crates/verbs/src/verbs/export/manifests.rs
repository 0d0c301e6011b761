//! The options of a run in manifests, and manifests of other inputs than those of the run.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use worldview_export::model::glb::LodChoice;
use worldview_export::outputs::OutputKind as Kind;
use worldview_export::{Encoding, hex};

use super::Shared;
use super::done::Done;
use crate::options::{ExportOptions, Tiles};
use crate::output::{Manifest, RunManifest, With};
use crate::read::digest_of_option;
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

/// Returns a digest of all options that affect the outputs, including the contents of files of schemas and words. Returns `None`
/// if an option names a folder of files.
pub(super) fn options(args: &ExportOptions) -> Option<String> {
    if matches!(args.tiles, Some(Tiles::Folder(_))) || args.game.is_some() {
        return None;
    }
    let ExportOptions { open, scale, lod, visible_only, objects, tiles, full, sheet, csv, merge, .. } = args;
    let digest = |path: &Option<PathBuf>| path.as_deref().map(digest_of_option).transpose().ok();
    let (schema, words) = (digest(&open.schema)?, digest(&args.words.text)?);
    let kinds: Vec<_> = Kind::sorted(&args.to).collect();
    let bounds =
        (open.limits, open.max_inflate, args.max_pixels, open.max_depth, open.recover, &open.only, open.encoding);
    let all = format!(
        "{kinds:?} {scale:?} {lod:?} {visible_only} {objects:?} {tiles:?} {full} {sheet} {csv:?} {bounds:?} {merge:?} {schema:?} {words:?}"
    );
    Some(hex(&Sha256::digest(all)))
}

/// Returns the options that decide how outputs look, for those who read them back.
pub(super) fn with(args: &ExportOptions) -> With {
    let ExportOptions { open, lod, visible_only, full, sheet, csv, scale, tiles, game, .. } = args;
    let style = csv.style(true);
    let schema = open.schema.as_deref().and_then(|path| digest_of_option(path).ok());
    With {
        encoding: (open.encoding != Encoding::default()).then(|| open.encoding.name().to_owned()),
        parts: Vec::new(),
        csv_safe: style.safe,
        csv_bom: style.bom,
        sheet: *sheet,
        full: *full,
        visible_only: *visible_only,
        recover: open.recover,
        lod: match lod {
            LodChoice::Best => Some("best".to_owned()),
            LodChoice::Level(level) => Some(level.to_string()),
            _ => None,
        },
        schema,
        scale: *scale,
        tiles: tiles.as_ref().and_then(Tiles::folder).map(table::path),
        game: game.as_deref().map(table::path),
    }
}
