use core::cell::OnceCell;
use core::ops::Range;

use worldview_core::Source;
use worldview_core::describe::{
    Each, Field, FieldName, FieldValue, Flow, Items, List, ListFlag, Notation, Part, PartKey, Role, Shortcuts, Span,
    Stored, Visit,
};

use super::{begins_in, is_apart, referred, said, text};
use crate::column;
use crate::plan;
use crate::strings::StringArray;
use crate::table::Table;

/// Visits the contiguous texts of `source`, each with a field `name`. A NUL ends each, except perhaps the last.
pub(super) fn visit_texts(list: List, name: &'static str, source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    let list = list.with(&[ListFlag::Scalar]).role(Role::Storage);
    // A text with its NUL, and where it begins in the source.
    let text_at = |at: usize| {
        let rest = source.bytes().get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr(0, rest).map_or(rest.len(), |end| end.saturating_add(1));
        Some((at, rest.get(..end)?))
    };
    let iter = core::iter::successors(text_at(0), |(at, all)| text_at(at.saturating_add(all.len())));
    let get = |_, at: u64| text_at(usize::try_from(at.checked_sub(source.base())?).ok()?);
    let part = |index, (_, all): (usize, &[u8]), visit: Each<'_>| {
        let ended = all.strip_suffix(&[0]);
        let body = |visitor: &mut dyn Visit| {
            let stored = if ended.is_some() { Stored::Terminated(u32::MAX) } else { Stored::Nowhere };
            visitor.field(&text(name, ended.unwrap_or(all), source).stored(stored))
        };
        visit(Ok(&Part::new(index, PartKey::Index, &body).at(Span::of(all, source))))
    };
    visitor.parts(&Items::walked(list, iter.map(Ok), get, part))
}

/// Visits the arrays of strings.
pub(super) fn visit_string_arrays(table: &Table<'_>, visitor: &mut dyn Visit) -> Flow {
    // The fields that use an array, in the order of the arrays.
    let fields: Vec<_> = table.fields().iter().filter(|field| field.array().is_some()).collect();
    let arrays = table.string_arrays();
    let list = List::new("string_arrays", "string_array").with(&[ListFlag::Unique]).role(Role::Storage);
    let part = |index: u32, visit: Each<'_>| {
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        let sections = table.sections();
        let (Some(field), Some(array), Some(section), Some(list)) =
            (fields.get(place), arrays.get(place), sections.str_array(), sections.str_array_list())
        else {
            return Flow::Continue(());
        };
        let source = section.source();
        let pool = sections.string().map_or(source, |pool| pool.source());
        let body = |visitor: &mut dyn Visit| {
            visitor.field(&said("field", field.name()))?;
            if let Some(start) = arrays.starts().get(place) {
                let field = Field::new("start", FieldValue::Uint(start.get().into())).role(Role::Storage);
                let at = Span::of(zerocopy::IntoBytes::as_bytes(start), list.source());
                visitor.field(&field.notation(Notation::Hex).at(at))?;
            }
            visit_elements(table, field, &ArrayElements { array, pool }, source, visitor)
        };
        visit(Ok(&Part::new(index, PartKey::Name(field.name()), &body).at(Span::of(array.bytes(), source))))
    };
    visitor.parts(&Items::indexed(list, arrays.len(), part))
}

/// The elements of an array, and the strings that they refer to.
struct ArrayElements<'t, 'a> {
    array: StringArray<'t, 'a>,
    pool: Source<'a>,
}

impl Shortcuts for ArrayElements<'_, '_> {
    fn refers_to(&self, index: u32, texts: &[Range<u64>]) -> bool {
        let text = usize::try_from(index).ok().and_then(|index| self.array.get(index));
        text.is_some_and(|text| begins_in(Span::of(text, self.pool).at, texts))
    }
}

/// Visits the elements of an array that only a full dump shows, or that no record uses. The latter are looked for when they are needed.
fn visit_elements(
    table: &Table<'_>,
    field: &plan::Field<'_>,
    elements: &ArrayElements<'_, '_>,
    source: Source<'_>,
    visitor: &mut dyn Visit,
) -> Flow {
    let ArrayElements { array, pool } = *elements;
    let same_fields = is_apart(Span::of(array.bytes(), source), pool);
    let list = List::indexed("elements", "element")
        .with(&[ListFlag::Unique, ListFlag::Bulk, ListFlag::Scalar])
        .with_if(same_fields, ListFlag::SameFields)
        .role(Role::Storage);
    let hidden = if visitor.wants_bulk() { OnceCell::from(Vec::new()) } else { OnceCell::new() };
    let part = |index, visit: Each<'_>| {
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        let is_hidden = hidden.get_or_init(|| used(table, field, array)).get(place) == Some(&true);
        let stored = (array.offset(place), array.bytes_of(place), array.int_of(place));
        let (false, (Some(offset), Some(bytes), Some(int))) = (is_hidden, stored) else {
            return Flow::Continue(());
        };
        let at = Span::of(bytes, source);
        let body = |visitor: &mut dyn Visit| {
            let field = referred(FieldName::Static("string"), array.get(place), offset, at, pool);
            visitor.field(&field.stored(Stored::Pooled { reference: at, int, array: None }))
        };
        visit(Ok(&Part::new(index, PartKey::Index, &body).at(at)))
    };
    visitor.parts(&Items::indexed(list, array.len(), part).shortcuts(elements))
}

/// Returns which elements are used by a record, or only pad the last word: these read as the string at offset 0.
fn used(table: &Table<'_>, field: &plan::Field<'_>, array: StringArray<'_, '_>) -> Vec<bool> {
    let mut used = vec![false; array.len()];
    let column = table.column_of::<column::Element<'_>>(field);
    for element in column.iter().flat_map(|column| (0..table.len()).filter_map(|row| column.get(row))) {
        if let Some(used) = usize::try_from(element.index).ok().and_then(|index| used.get_mut(index)) {
            *used = true;
        }
    }
    for (index, used) in used.iter_mut().enumerate().rev() {
        if *used || array.offset(index) != Some(0) {
            break;
        }
        *used = true;
    }
    used
}
