use core::fmt;

use worldview_core::FieldInfo;
use worldview_core::describe::{
    Array, Describe, Each, Elements, Field, FieldValue, Flow, Int, Items, List, ListFlag, Notation, Part, PartKey,
    Role, Span, Stored, Visit, visit_fields, visit_fields_with,
};
use zerocopy::IntoBytes as _;

use super::gruntz_attribute;
use crate::attributes::{Attribute, Attributes};
use crate::raw::{AttributeHead, AttributesHeader, DoubleRecord, SingleRecord};

/// The table of tile attributes, and the span of its header.
pub(crate) struct AttributeTable<'l> {
    pub(super) attributes: &'l Attributes<'l>,
    pub(crate) at: Span,
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
        let list = List::indexed("records", "frame").with(&[ListFlag::Compact, ListFlag::Inside]);
        let start = self.at.at.saturating_add(AttributesHeader::SIZE);
        let records = self.attributes.records();
        let iter = records.iter().scan(start, |next, record| {
            let at = *next;
            *next = at.saturating_add(record.size());
            Some(Ok((record, at)))
        });
        let get = |index, at| records.get(usize::try_from(index).ok()?).map(|record| (record, at));
        let part = |frame, (record, at), visit: Each<'_>| self.part(frame, record, at, visit);
        visitor.parts(&Items::walked(list, iter, get, part).editable(self))
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
                let array = Array::new("pixels", "pixel", Elements::Bytes(pixels));
                let columns = usize::try_from(head.width.get()).unwrap_or(usize::MAX);
                visitor.array(&array.grid(columns).at(Span::new(start, pixels.len() as u64, at.space)))
            }
        }
    }
}

impl AttributeTable<'_> {
    /// Passes on a record at an offset.
    pub(crate) fn part(&self, frame: u32, record: &Attribute<'_>, at: u64, visit: Each<'_>) -> Flow {
        let at = Span::new(at, record.size(), self.at.space);
        let body = Frame { record, frame, at, is_gruntz: self.is_gruntz };
        visit(Ok(&Part::new(frame, PartKey::Index, &body).at(at).summary(&body)))
    }
}
