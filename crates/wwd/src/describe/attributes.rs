use core::fmt;

use worldview_core::describe::{
    Array, Describe, Each, Elements, Field, FieldValue, Flow, Int, List, Notation, Part, PartKey, PartList, Role,
    ShapeNumber, Slots, Span, Stored, Visit, visit_fields, visit_fields_with,
};
use worldview_core::{FieldInfo, Source};
use zerocopy::little_endian::U32;
use zerocopy::{FromZeros as _, IntoBytes as _};

use super::gruntz_attribute;
use crate::attributes::{Attribute, Attributes};
use crate::raw::{AttributeHead, AttributesHeader, DoubleRecord, SingleRecord};

/// The table of tile attributes, and the span of its header.
pub(super) struct AttributeTable<'l> {
    pub(super) attributes: &'l Attributes<'l>,
    pub(super) at: Span,
    pub(super) is_gruntz: bool,
}

impl Describe for Attributes<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let at = Span::new(self.extent().0, AttributesHeader::SIZE, worldview_core::OffsetBase::Image);
        AttributeTable { attributes: self, at, is_gruntz: false }.describe(visitor)
    }
}

impl Describe for AttributeTable<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        if let Some(header) = self.attributes.header() {
            visit_fields(header.as_bytes(), AttributesHeader::FIELDS, self.at, visitor)?;
        }
        visitor.parts(self)
    }
}

impl Describe for Attribute<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let at = Span::new(0, self.size(), worldview_core::OffsetBase::Image);
        Frame { record: self, frame: 0, at, is_gruntz: false }.describe(visitor)
    }
}

/// One record of the table, with its frame number and span.
struct Frame<'r, 'a> {
    record: &'r Attribute<'a>,
    frame: u32,
    at: Span,
    is_gruntz: bool,
}

impl fmt::Display for Frame<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.record.width(), self.record.height());
        match self.record {
            Attribute::Single(single) => write!(f, "single {width}x{height} {}", single.attribute),
            Attribute::Double(double) => {
                let DoubleRecord { outside, inside, rect, .. } = double;
                let [left, top, right, bottom] = rect.get();
                write!(
                    f,
                    "double {width}x{height} outside {outside} inside {inside} rect {left} {top} {right} {bottom}"
                )
            }
            Attribute::Mask { .. } => write!(f, "mask {width}x{height}"),
        }
    }
}

impl Describe for Frame<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { record, frame, at, is_gruntz } = self;
        visitor.field(&Field::new("frame", FieldValue::Uint((*frame).into())).role(Role::Derived))?;
        // Attributes are the only signed numbers with names.
        let notation = |info: &'static FieldInfo| match (info.notation, info.stored) {
            (Notation::Named(_), Stored::Int(Int { signed: true, .. })) if *is_gruntz => {
                Notation::Named(gruntz_attribute)
            }
            (notation, _) => notation,
        };
        let mut fields = |record: &[u8], fields| visit_fields_with(record, fields, *at, visitor, notation);
        match record {
            Attribute::Single(single) => fields(single.as_bytes(), SingleRecord::FIELDS),
            Attribute::Double(double) => fields(double.as_bytes(), DoubleRecord::FIELDS),
            Attribute::Mask { head, pixels } => {
                fields(head.as_bytes(), AttributeHead::FIELDS)?;
                let start = at.at.saturating_add(AttributeHead::SIZE);
                visitor.array(&Array {
                    name: "pixels",
                    item: "pixel",
                    elements: Elements::Bytes(pixels),
                    columns: usize::try_from(head.width.get()).unwrap_or(usize::MAX),
                    rows_are_items: false,
                    bulk: false,
                    role: Role::Data,
                    at: Some(Span::new(start, pixels.len() as u64, at.space)),
                    notation: Notation::Decimal,
                    blank: 0,
                    count: None,
                })
            }
        }
    }
}

impl AttributeTable<'_> {
    fn visit(&self, frame: u32, at: u64, record: &Attribute<'_>, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let at = Span::new(at, record.size(), self.at.space);
        let frame = Frame { record, frame, at, is_gruntz: self.is_gruntz };
        visit(&Part::new(frame.frame, PartKey::Index, &frame).at(at).summary(&frame))
    }
}

impl PartList for AttributeTable<'_> {
    fn list(&self) -> List {
        List { compact: true, inside: true, ..List::indexed("records", "frame") }
    }

    fn slots(&self) -> Option<Slots> {
        let count = self.at.at.saturating_add(core::mem::offset_of!(AttributesHeader, count) as u64);
        Some(Slots {
            start: self.at.at.saturating_add(AttributesHeader::SIZE),
            count: Some((Span::new(count, 4, self.at.space), Int::word(4, false))),
            key: None,
            shape: &["kind", "width", "height"],
        })
    }

    fn blank(&self, wanted: &dyn Fn(ShapeNumber<'_>) -> Option<i64>, make: &mut dyn FnMut(&[u8])) {
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
            let _ = self.visit(0, 0, &record, &mut |part| {
                visit(part);
                Flow::Continue(())
            });
        }
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        let mut at = self.at.at.saturating_add(AttributesHeader::SIZE);
        for (frame, record) in (0..).zip(self.attributes.records()) {
            self.visit(frame, at, record, &mut |part| visit(Ok(part)))?;
            at = at.saturating_add(record.size());
        }
        Flow::Continue(())
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        let record = usize::try_from(index).ok().and_then(|index| self.attributes.records().get(index));
        if let Some(record) = record {
            let _ = self.visit(index, at, record, &mut |part| {
                visit(part);
                Flow::Continue(())
            });
        }
    }
}
