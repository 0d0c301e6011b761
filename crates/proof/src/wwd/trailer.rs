//! WapMap's trailer.

use worldview::wwd::{TrailerBlock, TrailerContent, Unpacked};
use worldview_corpus::wwd::naive::{self, NaiveBlock, NaiveContent};

use crate::equal;

/// The trailer of a file as the views see it must be what the naive reader finds behind the main block.
pub(super) fn same_trailer(unpacked: &Unpacked<'_>, trailing: &[u8]) -> Result<(), String> {
    let start = naive::find_trailer(trailing);
    let trailer = unpacked.trailer();
    equal("there is a trailer", &trailer.is_some(), &start.is_some())?;
    let (Some(trailer), Some(start)) = (trailer, start) else { return Ok(()) };
    equal("trailer", &trailer.bytes(), &&trailing[start..])?;
    equal("offset of the trailer", &trailer.at(), &(unpacked.trailing_at() + start as u64))?;
    let naive = naive::trailer(&trailing[start..]);
    let is_whole = trailer.blocks().all(|block| block.is_ok_and(|block| is_whole(&block)));
    equal("all blocks of the trailer are whole", &is_whole, &naive.is_ok())?;
    let Ok(naive) = naive else { return Ok(()) };
    equal("blocks of the trailer", &trailer.blocks().count(), &naive.len())?;
    for (block, naive) in trailer.blocks().flatten().zip(&naive) {
        same_block(&block, naive).map_err(|why| format!("block {} of the trailer: {why}", naive.id))?;
    }
    Ok(())
}

fn is_whole(block: &TrailerBlock<'_>) -> bool {
    match block.content() {
        Ok(TrailerContent::Favourites(mut places)) => places.all(|place| place.is_ok()),
        content => content.is_ok(),
    }
}

fn same_block(block: &TrailerBlock<'_>, naive: &NaiveBlock) -> Result<(), String> {
    equal("id", &block.id, &naive.id)?;
    equal("bytes", block.bytes(), naive.bytes.as_slice())?;
    let content = match block.content().map_err(|error| error.to_string())? {
        TrailerContent::MetaInfo { total_size } => NaiveContent::MetaInfo(total_size),
        TrailerContent::MetaEndInfo { total_size } => NaiveContent::MetaEndInfo(total_size),
        TrailerContent::Header(header) => NaiveContent::Header {
            wapmap_build: header.wapmap_build,
            wapmap_version: header.wapmap_version.to_vec(),
            map_build: header.map_build,
            map_version: header.map_version.to_vec(),
            description: header.description.to_vec(),
        },
        TrailerContent::Guides(guides) => {
            NaiveContent::Guides(guides.iter().map(|guide| (guide.orientation.0, guide.position.get())).collect())
        }
        TrailerContent::Favourites(places) => {
            NaiveContent::Favourites(places.flatten().map(|(name, x, y)| (name.to_vec(), x, y)).collect())
        }
        TrailerContent::Unknown => NaiveContent::Unknown,
    };
    equal("content", &content, &naive.content)
}
