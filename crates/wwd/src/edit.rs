//! What only writes: elements of levels outside a file, and main blocks as files store them.

mod seal;

use worldview_core::describe::{Int, Part, PartKey, Span, only};
use worldview_core::edit::{EditableList, Shape, ShapeNumber, Slots};
use worldview_core::{OffsetBase, Source};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use crate::describe::attributes::AttributeTable;
use crate::describe::{ImageSetList, ObjectList, PlaneList, image_set, object};
use crate::object::Objects;
use crate::plane::ImageSets;
use crate::raw::{AttributeHead, AttributesHeader, DoubleRecord, LevelHeader, ObjectRecord, PlaneHeader, SingleRecord};

pub use seal::seal;

impl EditableList for PlaneList<'_> {
    fn slots(&self) -> Option<Slots> {
        let (header, space) = (self.0.header(), self.0.image().space());
        let count = Span::new(core::mem::offset_of!(LevelHeader, num_planes) as u64, 4, space);
        let start = header.planes_offset.get().into();
        Some(Slots { start, count: Some((count, Int::word(4, false))), key: Some("name"), shape: &[] })
    }

    fn blank(&self, _: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        make(PlaneHeader::empty().as_bytes());
    }

    /// The header alone: the lists and tiles of a plane are elsewhere.
    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        if let Ok((header, _)) = PlaneHeader::ref_from_prefix(bytes) {
            let at = Span::new(0, PlaneHeader::SIZE, self.0.image().space());
            visit(&Part::new(0, PartKey::Name(header.name.as_bytes()), header).at(at));
        }
    }
}

impl EditableList for ImageSetList {
    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.0, count: Some(self.1), ..Slots::default() })
    }

    fn blank(&self, _: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        make(&[0]);
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let source = Source::new(bytes, OffsetBase::Image);
        if let Some(name) = ImageSets::new(source, 1, 0).starting_at(0, 0) {
            let _ = image_set(0, name, source, &mut only(visit));
        }
    }
}

impl EditableList for ObjectList {
    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.0, count: Some(self.1), key: Some("id"), shape: &[] })
    }

    fn blank(&self, _: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        make(ObjectRecord::new_zeroed().as_bytes());
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let objects = Objects::new(Source::new(bytes, OffsetBase::Image), 1, 0);
        if let Some(item) = objects.starting_at(0, 0) {
            let key = || objects.keys().first().copied();
            let _ = object(&item, OffsetBase::Image, &key, &mut only(visit));
        }
    }
}

impl EditableList for AttributeTable<'_> {
    fn slots(&self) -> Option<Slots> {
        let count = self.at.at.saturating_add(core::mem::offset_of!(AttributesHeader, count) as u64);
        Some(Slots {
            start: self.at.at.saturating_add(AttributesHeader::SIZE),
            count: Some((Span::new(count, 4, self.at.space), Int::word(4, false))),
            key: None,
            shape: &["kind", "width", "height"],
        })
    }

    fn blank(&self, wanted: Shape<'_>, make: &mut dyn FnMut(&[u8])) {
        let number = |name| wanted(ShapeNumber::Field(name)).and_then(|number| u32::try_from(number).ok());
        let [kind, width, height] = ["kind", "width", "height"].map(number);
        match (kind, width.zip(height)) {
            (Some(1), _) => make(SingleRecord { kind: U32::new(1), ..SingleRecord::new_zeroed() }.as_bytes()),
            (Some(2), _) => make(DoubleRecord { kind: U32::new(2), ..DoubleRecord::new_zeroed() }.as_bytes()),
            (Some(3), Some((width, height))) => {
                let head = AttributeHead {
                    kind: U32::new(3),
                    reserved: U32::ZERO,
                    width: width.into(),
                    height: height.into(),
                };
                // The same bound as for grids of tiles, in bytes.
                let count = u64::from(width).saturating_mul(height.into());
                if let Some(count) = usize::try_from(count).ok().filter(|count| *count <= 1 << 24) {
                    let mut bytes = Vec::from(head.as_bytes());
                    bytes.resize(bytes.len().saturating_add(count), 0);
                    make(&bytes);
                }
            }
            _ => {}
        }
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let mut cursor = Source::new(bytes, self.at.space).cursor(0, "tile attribute");
        let record = cursor.as_mut().ok().and_then(|cursor| crate::attributes::read_record(cursor).ok());
        if let Some(record) = record {
            let _ = self.part(0, &record, 0, &mut only(visit));
        }
    }
}
