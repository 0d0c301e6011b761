use worldview_core::{OffsetBase, Source};
use worldview_wwd::Attributes;
use worldview_wwd::raw::AttributesHeader;
use zerocopy::IntoBytes as _;

use super::planes::Planes;
use crate::fields::{self, Draft, Wish};
use crate::list;
use crate::tree::{Tree, unexpected};
use crate::{EditError, Result};

/// Applies changes of tile attributes.
pub(super) fn edit<'a>(
    table: &Attributes<'a>,
    source: Source<'a>,
    node: &Tree<'_>,
    planes: &mut Planes<'a>,
) -> Result<()> {
    if let Some(change) = node.change {
        return Err(unexpected(change));
    }
    let path = node.path();
    if table.header().is_none() {
        // The table that the level does not have, without records.
        let header = AttributesHeader::empty();
        let source = Source::new(header.as_bytes(), OffsetBase::Image);
        let table = Attributes::of(source)?;
        let (header, ranges) = changed(&table, source, node)?;
        if ranges.0.is_empty() {
            return Err(EditError::not_found(&path));
        }
        planes.attributes =
            Some(std::iter::once(header).chain(ranges.0.into_iter().map(|(_, new)| new)).collect::<Vec<_>>().concat());
        return Ok(());
    }
    if !planes.has_own_attributes() {
        let why = "another part of the level shares the bytes of the tile attributes";
        return Err(EditError::unsupported(&path, why));
    }
    let (start, _) = table.extent();
    let (header, (ranges, is_shrunk)) = changed(table, source, node)?;
    planes.is_shrunk |= is_shrunk;
    planes.put(&(start..start.saturating_add(AttributesHeader::SIZE)), header, &path);
    ranges.into_iter().for_each(|(range, new)| planes.put(&range, new, &path));
    Ok(())
}

type Ranges = Vec<(std::ops::Range<u64>, Vec<u8>)>;

/// The edited header of a table, the ranges of its records that are replaced, and whether there are fewer of them.
fn changed(table: &Attributes<'_>, source: Source<'_>, node: &Tree<'_>) -> Result<(Vec<u8>, (Ranges, bool))> {
    let (start, _) = table.extent();
    let mut draft = Draft::new(start, source.slice(start, AttributesHeader::SIZE, "tile attributes")?);
    let (mut own, mut records) = (Vec::new(), Vec::new());
    for (segment, node) in node.elements() {
        match (segment.kind, &*segment.key) {
            (None, b"frame") => records.push((segment, node)),
            _ => own.push(Wish::of(segment, node)?),
        }
    }
    fields::set(table, &own, &mut draft)?;
    let mut ranges = (Vec::new(), false);
    if !records.is_empty() {
        let edited = list::of_kind(table, "frame", |parts| list::edit(parts, source, &records));
        let edited = edited.ok_or_else(|| EditError::not_found(&node.path()))??;
        draft.count(&edited, &node.path())?;
        ranges = (edited.ranges, edited.is_shrunk);
    }
    Ok((draft.finish(), ranges))
}
