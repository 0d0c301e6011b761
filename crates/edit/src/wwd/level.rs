use worldview_wwd::Level;
use worldview_wwd::raw::LevelHeader;
use zerocopy::{FromBytes as _, IntoBytes as _};

use super::image::{Image, fields, missing};
use super::record::Record;
use super::{attributes, plane};
use crate::tree::Tree;
use crate::{EditError, Patches, Result};

/// Applies the changes of a tree to a level: those of the file header to `header`, all others to the image, which is returned.
pub(super) fn edit<'a>(level: &Level<'a>, header: &mut LevelHeader, tree: &Tree<'_>) -> Result<Patches<'a>> {
    if let Some(change) = tree.change {
        return Err(EditError::unsupported(change.path(), "a whole file cannot be set; copy the other file instead"));
    }
    let mut image = Image { patches: Patches::new(level.image().bytes()), appended: Vec::new() };
    for (name, node) in &tree.children {
        let segment = name.segments().next();
        match segment.as_ref().map(|segment| (segment.kind, &*segment.key)) {
            Some((None, b"header")) => {
                let packed = header.is_packed();
                let mut record = Record::of(header.as_bytes(), header.fields());
                fields(&mut record, node)?;
                *header = LevelHeader::read_from_bytes(record.bytes()).unwrap_or(*header);
                if header.is_packed() != packed {
                    let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
                    return Err(EditError::unsupported(&path, "a packed level stays packed, and a plain one plain"));
                }
            }
            Some((None, b"tile_attributes")) => attributes::edit(level.attributes(), node, &mut image)?,
            Some((Some("plane"), key)) => {
                let mut planes = level.planes().iter().filter(|plane| plane.name() == key);
                let nth = segment.as_ref().and_then(|segment| segment.nth);
                let count = planes.clone().count();
                let found = planes.nth(usize::try_from(nth.unwrap_or(0)).unwrap_or(usize::MAX));
                let found = found.filter(|_| nth.is_some() || count == 1);
                let Some(plane) = found else { return Err(missing(node, nth.is_none(), count)) };
                plane::edit(level, plane, node, &mut image)?;
            }
            _ => return Err(missing(node, true, 0)),
        }
    }
    image.finish(level, header)
}
