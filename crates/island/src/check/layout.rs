use worldview_core::Place;

use super::Checker;
use crate::blob::Blob;
use crate::database::Database;
use crate::finding::FindingKind;

/// A byte range of the file: `start` is inclusive, `end` exclusive.
struct Region<'a> {
    start: u64,
    end: u64,
    place: Place<'a>,
}

/// Reports bytes that belong to nothing and bytes that belong to several regions.
pub(super) fn check<'a>(database: &Database<'a>, checker: &mut Checker<'_, 'a>) {
    let end = |source: worldview_core::Source<'_>| source.base().saturating_add(source.len());
    let mut regions = vec![Region { start: 0, end: database.directory_end(), place: Place::of("directory") }];
    for (chunk, what) in [(database.texture_chunk(), "global textures"), (database.parts_chunk(), "global parts")] {
        if database.is_cut(chunk) && chunk.len() == 0 {
            continue;
        }
        // The size field belongs to the chunk.
        let start = chunk.base().saturating_sub(4);
        let mut end = end(chunk);
        if database.is_cut(chunk) {
            // It would contain all blobs.
            end = database.blobs().iter().map(|blob| blob.source.base()).find(|base| *base > start).unwrap_or(end);
        }
        regions.push(Region { start, end, place: Place::of(what) });
    }
    let mut before: Option<&Blob<'_>> = None;
    for (blob, name) in database.blobs().iter().zip(database.blob_names()) {
        let place = blob.named(name);
        let (start, end) = (blob.source.base(), end(blob.source));
        let same = |other: &Blob<'_>| other.source.base() == start && other.source.len() == blob.source.len();
        if before.is_some_and(same) {
            checker.report(FindingKind::TwoKinds, start, place);
        } else if start < end {
            regions.push(Region { start, end, place });
        }
        before = Some(blob);
    }
    regions.sort_by_key(|region| (region.start, region.end));
    let (mut reached, mut last) = (0, Place::of("directory"));
    for region in &regions {
        if region.start > reached {
            checker.report(FindingKind::Gap { len: region.start.saturating_sub(reached) }, reached, region.place);
        } else if region.start < reached {
            let len = reached.min(region.end).saturating_sub(region.start);
            if len > 0 {
                checker.report(FindingKind::Overlap { len }, region.start, region.place);
            }
        }
        if region.end > reached {
            (reached, last) = (region.end, region.place);
        }
    }
    checker.trailing(reached, database.source().len(), last);
}
