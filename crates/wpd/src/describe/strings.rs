use core::cell::OnceCell;
use core::ops::Range;

use worldview_core::Source;
use worldview_core::describe::{
    Describe, Each, Field, FieldName, FieldValue, Flow, Int, List, Notation, Part, PartKey, PartList, Role, Span,
    Stored, Visit,
};

use super::{Counted, Indexed, begins_in, is_apart, referred, said, text};
use crate::column;
use crate::plan;
use crate::strings::StringArray;
use crate::table::Table;

/// Contiguous texts, each terminated by a NUL, except perhaps the last.
pub(super) struct Texts<'a> {
    list: List,
    name: &'static str,
    source: Source<'a>,
}

impl<'a> Texts<'a> {
    /// Describes the texts of `source`, each as a field `name`.
    pub(super) const fn new(list: List, name: &'static str, source: Source<'a>) -> Self {
        let list = List { scalar: true, role: Role::Storage, ..list };
        Self { list, name, source }
    }

    /// Calls `visit` with the text at offset `at` of the source, and returns the offset of the next one.
    fn visit(&self, index: u32, at: usize, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> (usize, Flow) {
        let rest = self.source.bytes().get(at..).unwrap_or(&[]);
        let end = memchr::memchr(0, rest);
        let all = rest.get(..end.map_or(rest.len(), |end| end.saturating_add(1))).unwrap_or(rest);
        let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
        let body = TextBody { text, name: self.name, source: self.source, is_ended: end.is_some() };
        let part = Part::new(index, PartKey::Index, &body).at(Span::of(all, self.source));
        (at.saturating_add(all.len()), visit(&part))
    }
}

impl PartList for Texts<'_> {
    fn list(&self) -> List {
        self.list
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        let mut at = 0_usize;
        for index in 0_u32.. {
            if at >= self.source.bytes().len() {
                break;
            }
            let (next, flow) = self.visit(index, at, &mut |part| visit(Ok(part)));
            flow?;
            at = next;
        }
        Flow::Continue(())
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        let at = at.checked_sub(self.source.base()).and_then(|at| usize::try_from(at).ok());
        if let Some(at) = at.filter(|&at| at < self.source.bytes().len()) {
            let _ = self.visit(index, at, &mut |part| {
                visit(part);
                Flow::Continue(())
            });
        }
    }
}

struct TextBody<'a> {
    text: &'a [u8],
    name: &'static str,
    source: Source<'a>,
    /// Whether a NUL follows.
    is_ended: bool,
}

impl Describe for TextBody<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let stored = if self.is_ended { Stored::Terminated(u32::MAX) } else { Stored::Nowhere };
        visitor.field(&text(self.name, self.text, self.source).stored(stored))
    }
}

/// The arrays of strings.
pub(super) struct StringArrayList<'t, 'a> {
    table: &'t Table<'a>,
    /// The fields that use an array, in the order of the arrays.
    fields: Vec<&'t plan::Field<'a>>,
}

impl<'t, 'a> StringArrayList<'t, 'a> {
    pub(super) fn new(table: &'t Table<'a>) -> Self {
        let fields = table.fields().iter().filter(|field| field.array().is_some());
        Self { table, fields: fields.collect() }
    }
}

impl Indexed for StringArrayList<'_, '_> {
    fn list(&self) -> List {
        List { unique: true, role: Role::Storage, ..List::new("string_arrays", "string_array") }
    }

    fn len(&self) -> usize {
        self.table.string_arrays().len()
    }

    fn with(&self, index: u32, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        let (field, array) = (self.fields.get(place), self.table.string_arrays().get(place));
        let (Some(field), Some(array)) = (field, array) else { return Flow::Continue(()) };
        let sections = self.table.sections();
        let (Some(source), Some(list)) = (sections.str_array, sections.str_array_list) else {
            return Flow::Continue(());
        };
        let body = ArrayBody {
            table: self.table,
            array,
            field,
            start: self.table.string_arrays().starts().get(place),
            list: list.source(),
            source: source.source(),
            pool: sections.string.map_or(source.source(), |pool| pool.source()),
        };
        visit(&Part::new(index, PartKey::Name(field.name()), &body).at(Span::of(array.bytes(), source.source())))
    }
}

struct ArrayBody<'t, 'a> {
    table: &'t Table<'a>,
    array: StringArray<'t, 'a>,
    field: &'t plan::Field<'a>,
    start: Option<&'a zerocopy::big_endian::U32>,
    list: Source<'a>,
    source: Source<'a>,
    pool: Source<'a>,
}

impl Describe for ArrayBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&said("field", self.field.name()))?;
        if let Some(start) = self.start {
            let field = Field::new("start", FieldValue::Uint(start.get().into())).role(Role::Storage);
            let at = Span::of(zerocopy::IntoBytes::as_bytes(start), self.list);
            visitor.field(&field.notation(Notation::Hex).at(at))?;
        }
        let hidden = if visitor.wants_bulk() { OnceCell::from(Vec::new()) } else { OnceCell::new() };
        visitor.parts(&Counted(ElementList { body: self, hidden }))
    }
}

impl ArrayBody<'_, '_> {
    /// Returns which elements are used by a record, or only pad the last word: these read as the string at offset 0.
    fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.array.len()];
        let column = self.table.column_of::<column::Element<'_>>(self.field);
        for element in column.iter().flat_map(|column| (0..self.table.len()).filter_map(|row| column.get(row))) {
            if let Some(used) = usize::try_from(element.index).ok().and_then(|index| used.get_mut(index)) {
                *used = true;
            }
        }
        for (index, used) in used.iter_mut().enumerate().rev() {
            if *used || self.array.offset(index) != Some(0) {
                break;
            }
            *used = true;
        }
        used
    }
}

/// The elements of an array, without the `hidden` ones, which are looked for when they are needed.
struct ElementList<'b, 't, 'a> {
    body: &'b ArrayBody<'t, 'a>,
    hidden: OnceCell<Vec<bool>>,
}

impl Indexed for ElementList<'_, '_, '_> {
    fn list(&self) -> List {
        let same_fields = is_apart(Span::of(self.body.array.bytes(), self.body.source), self.body.pool);
        List {
            unique: true,
            bulk: true,
            scalar: true,
            same_fields,
            role: Role::Storage,
            ..List::indexed("elements", "element")
        }
    }

    fn len(&self) -> usize {
        self.body.array.len()
    }

    fn refers_to(&self, index: u32, texts: &[Range<u64>]) -> bool {
        let text = usize::try_from(index).ok().and_then(|index| self.body.array.get(index));
        text.is_some_and(|text| begins_in(Span::of(text, self.body.pool).at, texts))
    }

    fn with(&self, index: u32, visit: &mut dyn FnMut(&Part<'_>) -> Flow) -> Flow {
        let (array, place) = (self.body.array, usize::try_from(index).unwrap_or(usize::MAX));
        if self.hidden.get_or_init(|| self.body.used()).get(place) == Some(&true) {
            return Flow::Continue(());
        }
        let (Some(offset), Some(bytes), Some(int)) = (array.offset(place), array.bytes_of(place), array.int_of(place))
        else {
            return Flow::Continue(());
        };
        let at = Span::of(bytes, self.body.source);
        let body = Element { text: array.get(place), offset, at, int, pool: self.body.pool };
        visit(&Part::new(index, PartKey::Index, &body).at(at))
    }
}

struct Element<'a> {
    text: Option<&'a [u8]>,
    offset: u32,
    at: Span,
    int: Int,
    pool: Source<'a>,
}

impl Describe for Element<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let field = referred(FieldName::Static("string"), self.text, self.offset, self.at, self.pool);
        visitor.field(&field.stored(Stored::Pooled { reference: self.at, int: self.int, array: None }))
    }
}
