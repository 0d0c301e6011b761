//! What manifests say of the options of a run.

use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use worldview_export::model::glb::LodChoice;
use worldview_export::outputs::OutputKind as Kind;
use worldview_export::{Encoding, hex};

use crate::options::ExportOptions;
use crate::output::With;
use crate::read::digest_of_option;
use crate::table;

/// Returns a digest of all options that affect the outputs, including the contents of files of schemas and words. Returns `None`
/// if an option names a folder of files.
pub(super) fn options(args: &ExportOptions) -> Option<String> {
    if args.tiles.is_some() || args.game.is_some() {
        return None;
    }
    let ExportOptions { open, scale, max_pixels, lod, visible_only, no_marks, .. } = args;
    let ExportOptions { tile_colors, full, sheet, csv, merge, .. } = args;
    let objects = (args.marks, args.no_objects);
    let digest = |path: &Option<PathBuf>| path.as_deref().map(digest_of_option).transpose().ok();
    let (schema, words) = (digest(&open.schema)?, digest(&args.words.text)?);
    let kinds: Vec<_> = Kind::sorted(&args.to).collect();
    let bounds = (open.max_inflate, open.max_depth, open.recover, &open.only, open.encoding);
    let all = format!(
        "{kinds:?} {scale:?} {max_pixels} {lod:?} {visible_only} {no_marks} {objects:?} {tile_colors} {full} {sheet} {csv:?} {bounds:?} {merge:?} {schema:?} {words:?}"
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
        tiles: tiles.as_deref().map(table::path),
        game: game.as_deref().map(table::path),
    }
}
