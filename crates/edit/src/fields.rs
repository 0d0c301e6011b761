//! Fields of any part of any format: found by their names in its description, and changed as the description says that they are stored.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use encoding_rs::WINDOWS_1252;
use worldview_core::describe::{
    Array, Charset, Describe, Elements, Field, FieldName, FieldValue, Flow, Int, Link, Part, PartList, Role, Span,
    Stored, Visit,
};
use worldview_core::{Error, FieldInfo, Path, Segment};

use crate::tree::{Tree, unexpected};
use crate::{Change, EditError, EditErrorKind, Result, Value};

/// The bytes of a part that is being edited.
pub(crate) struct Draft<'p> {
    /// Returns the reference to a text: its offset in the pool, or which element of an array it is.
    refer: Option<&'p mut Refer<'p>>,
    /// Where the part is.
    at: u64,
    bytes: Vec<u8>,
    /// Where other bytes of the part are, which follow those at its place: their span, and where they begin in `bytes`.
    beside: Vec<(Span, usize)>,
    /// Ranges of the bytes that get another length.
    resized: Vec<(Range<usize>, Vec<u8>)>,
    /// Whether arrays whose length follows from other fields can get another one: the result is parsed.
    is_parsed: bool,
}

/// Finds or appends a text that a field refers to; the number says of which array it is an element.
pub(crate) type Refer<'p> = dyn FnMut(Option<u32>, &[u8], &[u8], &Path) -> Result<u32> + 'p;

impl<'p> Draft<'p> {
    pub(crate) fn new(at: u64, bytes: &[u8]) -> Self {
        Self { refer: None, at, bytes: bytes.to_vec(), beside: Vec::new(), resized: Vec::new(), is_parsed: false }
    }

    /// Takes the bytes of an element, which are those at its place and those beside it.
    pub(crate) fn of(part: &Part<'_>, bytes: Vec<u8>) -> Self {
        let (at, start) = part.at.map_or((0, 0), |at| (at.at, usize::try_from(at.len).unwrap_or(usize::MAX)));
        let beside = part.beside.map(|beside| (beside, start)).into_iter().collect();
        Self { refer: None, at, bytes, beside, resized: Vec::new(), is_parsed: false }
    }

    /// Lets arrays get another length that other fields must follow. The caller has to parse the result.
    pub(crate) fn parsed(mut self) -> Self {
        self.is_parsed = true;
        self
    }

    /// Adds bytes that are elsewhere.
    pub(crate) fn beside(mut self, at: Span, bytes: &[u8]) -> Self {
        self.beside.push((at, self.bytes.len()));
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Sets what finds texts that fields refer to.
    pub(crate) fn refer(mut self, refer: Option<&'p mut Refer<'p>>) -> Self {
        self.refer = refer;
        self
    }

    fn range(&self, at: Span) -> Option<Range<usize>> {
        // Empty bytes beside the part may be at any place, also at one inside it.
        let is_within = |(all, _): &&(Span, usize)| {
            at == *all || at.at >= all.at && at.at.saturating_add(at.len) <= all.at.saturating_add(all.len)
        };
        let (base, first, end) = match self.beside.iter().find(is_within) {
            Some((all, start)) => (all.at, *start, start.saturating_add(usize::try_from(all.len).ok()?)),
            None => (self.at, 0, self.beside.first().map_or(self.bytes.len(), |(_, start)| *start)),
        };
        let start = first.checked_add(usize::try_from(at.at.checked_sub(base)?).ok()?)?;
        let range = start..start.checked_add(usize::try_from(at.len).ok()?)?;
        (range.end <= end).then_some(range)
    }

    /// Writes an integer, and leaves the bits beside it.
    pub(crate) fn put(&mut self, at: Span, int: Int, value: i128) -> bool {
        let range = self.range(at);
        range.and_then(|range| self.bytes.get_mut(range)).is_some_and(|word| int.write(word, value))
    }

    /// Writes those bits of an integer that a mask has.
    fn put_masked(&mut self, at: Span, int: Int, mask: i128, value: i128) -> bool {
        let old = self.range(at).and_then(|range| self.bytes.get(range)).and_then(|word| int.read(word));
        old.is_some_and(|old| self.put(at, int, old & !mask | value))
    }

    /// Writes the number of elements of a list.
    pub(crate) fn count(&mut self, edited: &crate::list::Edited) {
        if let Some((at, int)) = edited.slots.count {
            self.put(at, int, edited.count.into());
        }
    }

    /// Adds to an integer, such as a length of which several fields are part.
    fn add(&mut self, at: Span, int: Int, delta: i128, most: u32) -> bool {
        let word = self.range(at).and_then(|range| self.bytes.get(range)).and_then(|word| int.read(word));
        let new = word.map(|word| word.saturating_add(delta)).filter(|new| *new <= most.into());
        new.is_some_and(|new| self.put(at, int, new))
    }

    fn replace(&mut self, at: Span, new: &[u8]) -> bool {
        match self.range(at) {
            Some(range) if range.len() == new.len() => {
                self.bytes.get_mut(range).into_iter().for_each(|place| place.copy_from_slice(new));
                true
            }
            Some(range) => {
                self.resized.push((range, new.to_vec()));
                true
            }
            None => false,
        }
    }

    /// Returns the edited bytes of the part, and those beside it.
    pub(crate) fn finish_all(mut self) -> Vec<Vec<u8>> {
        let moved = |start: usize| {
            let before = self.resized.iter().filter(|(range, _)| range.start < start);
            before.fold(start, |at, (range, new)| at.saturating_add(new.len()).saturating_sub(range.len()))
        };
        let starts: Vec<_> = self.beside.iter().map(|(_, start)| moved(*start)).collect();
        self.beside.clear();
        let mut bytes = self.finish();
        let mut all: Vec<_> = starts.into_iter().rev().map(|start| bytes.split_off(start)).collect();
        all.push(bytes);
        all.reverse();
        all
    }

    /// Returns the ranges that differ from the bytes before, which start where the part does, and their new bytes.
    pub(crate) fn patches(mut self, old: &[u8]) -> Vec<(Range<usize>, Vec<u8>)> {
        self.resized.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut all, mut at) = (Vec::new(), 0);
        let end = (old.len()..old.len(), Vec::new());
        for (range, new) in std::mem::take(&mut self.resized).into_iter().chain([end]) {
            let differs = |at: &usize| old.get(*at) != self.bytes.get(*at);
            while let Some(start) = (at..range.start).find(differs) {
                at = (start..range.start).find(|at| !differs(at)).unwrap_or(range.start);
                all.push((start..at, self.bytes.get(start..at).unwrap_or_default().to_vec()));
            }
            at = range.end;
            if range.len() != new.len() {
                all.push((range, new));
            }
        }
        all
    }

    /// Returns the edited bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.resized.sort_by_key(|(range, _)| (range.start, range.end));
        for (range, new) in self.resized.into_iter().rev() {
            self.bytes.splice(range, new);
        }
        self.bytes
    }
}

/// The kind of a wish about all that an array has.
const DATA: &str = "data";

/// What a change says of a field.
#[derive(Clone)]
pub(crate) struct Wish<'c> {
    /// The word in front of the name, if it is an item of an array: `pixel`.
    pub(crate) kind: Option<&'c str>,
    pub(crate) name: Cow<'c, [u8]>,
    /// The number of an item of an array: `color#7`.
    pub(crate) nth: Option<u32>,
    pub(crate) from: Option<&'c Value>,
    pub(crate) to: Option<&'c Value>,
    pub(crate) path: &'c Path,
}

impl<'c> Wish<'c> {
    /// The change of a field, which is at a node.
    pub(crate) fn of(segment: Segment<'c>, node: &Tree<'c>) -> Result<Self> {
        let kind = segment.kind.filter(|kind| *kind != "@");
        match node.change {
            // The first of the cells with one name is the only one.
            Some(Change::Set { path, from, to })
                if node.children.is_empty() && (kind.is_none() || segment.nth.is_none_or(|nth| nth == 0)) =>
            {
                let nth = segment.nth.filter(|_| kind.is_none());
                Ok(Self { kind, name: segment.key, nth, from: from.as_ref(), to: Some(to), path })
            }
            Some(change) => Err(unexpected(change)),
            None => {
                let path = node.any().map(|change| change.path().clone()).unwrap_or_default();
                Err(EditError::new(&path, EditErrorKind::NotFound))
            }
        }
    }

    /// The only field of an element, or its bytes.
    pub(crate) fn data(
        is_scalar: bool,
        from: Option<&'c Value>,
        to: Option<&'c Value>,
        path: &'c Path,
    ) -> Option<Self> {
        from.or(to)?;
        Some(Self { kind: (!is_scalar).then_some(DATA), name: Cow::Borrowed(b""), nth: None, from, to, path })
    }

    /// Whether a value is expected, or wanted, that a field or cell has which is not there.
    fn is_nothing(&self) -> bool {
        self.to.or(self.from).is_none_or(|value| match value {
            Value::Integer(integer) => *integer == 0,
            Value::Integers(list) => list.iter().all(|integer| *integer == 0),
            _ => false,
        })
    }

    fn is_data(&self) -> bool {
        self.name.is_empty()
    }

    /// The fields of an added element.
    pub(crate) fn given(fields: &'c [(String, Value)], path: &'c Path) -> impl Iterator<Item = Self> {
        let wish = move |(name, to): &'c (String, Value)| (Cow::Borrowed(name.as_bytes()), Some(to), path);
        fields.iter().map(wish).map(|(name, to, path)| Self { kind: None, name, nth: None, from: None, to, path })
    }

    /// The fields that a removed element must have.
    pub(crate) fn expected(fields: &'c [(String, Value)], path: &'c Path) -> impl Iterator<Item = Self> {
        Self::given(fields, path).map(|wish| Self { from: wish.to, to: None, ..wish })
    }
}

/// Makes the fields of a part what changes say, after comparing them with what changes expect.
pub(crate) fn set(body: &dyn Describe, wishes: &[Wish<'_>], draft: &mut Draft<'_>) -> Result<()> {
    set_with(body, wishes, draft, false)
}

/// Does the same for a part that is in two shapes: what only the other one has was, or becomes, nothing.
pub(crate) fn set_in_shape(body: &dyn Describe, wishes: &[Wish<'_>], draft: &mut Draft<'_>) -> Result<()> {
    set_with(body, wishes, draft, true)
}

fn set_with(body: &dyn Describe, wishes: &[Wish<'_>], draft: &mut Draft<'_>, in_shape: bool) -> Result<()> {
    if wishes.is_empty() {
        return Ok(());
    }
    let marks = wishes.iter().fold(0, |marks, wish| if wish.is_data() { u64::MAX } else { marks | mark(&wish.name) });
    let mut walk =
        Set { wishes, marks, done: vec![false; wishes.len()], draft, result: Ok(()), broken: None, in_shape };
    let _ = body.describe(&mut walk);
    let Set { done, result, broken, .. } = walk;
    result?;
    let undone = wishes.iter().zip(done).find(|(wish, done)| !(*done || in_shape && wish.is_nothing()));
    match (undone, broken) {
        // It may be in what cannot be read.
        (Some(_), Some(error)) => Err(error.into()),
        (Some((wish, _)), None) => Err(EditError::new(wish.path, EditErrorKind::NotFound)),
        (None, _) => Ok(()),
    }
}

/// Returns the names of the fields that refer to texts.
pub(crate) fn texts(body: &dyn Describe) -> Vec<Vec<u8>> {
    let mut names = Names(Vec::new());
    let _ = body.describe(&mut names);
    names.0
}

struct Names(Vec<Vec<u8>>);

impl Visit for Names {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if let Stored::Pooled { .. } = field.stored {
            self.0.push(name(&field.name).into_owned());
        }
        Flow::Continue(())
    }
    fn array(&mut self, _: &Array<'_>) -> Flow {
        Flow::Continue(())
    }
    fn parts(&mut self, _: &dyn PartList) -> Flow {
        Flow::Continue(())
    }
    fn link(&mut self, _: &Link<'_>) -> Flow {
        Flow::Continue(())
    }
    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }
}

/// Copies the fields and cells of one part that another one has, too, but not those whose names are `left_out`.
pub(crate) fn copy(
    from: &dyn Describe,
    to: &dyn Describe,
    draft: &mut Draft<'_>,
    left_out: &dyn Fn(&str) -> bool,
) -> Result<()> {
    let mut found = Values::default();
    let _ = from.describe(&mut found);
    let own = values(to, None).0;
    found.list.retain(|(name, _)| !left_out(name) && own.iter().any(|(other, _)| other == name));
    let here = Path::new();
    set(to, &Wish::given(&found.list, &here).collect::<Vec<_>>(), draft)?;
    let mut into = Values::default();
    let _ = to.describe(&mut into);
    if let (Some((old, columns)), Some((_, new_columns)), Some(at)) = (&found.grid, &into.grid, into.at) {
        let rows = old.chunks((*columns).max(1));
        for (row, cells) in (0..at.len.checked_div(*new_columns as u64).unwrap_or(0)).zip(rows) {
            let cells = cells.get(..*new_columns).unwrap_or(cells);
            let start = at.at.saturating_add(row.saturating_mul(*new_columns as u64));
            draft.replace(Span::new(start, cells.len() as u64, at.space), cells);
        }
    }
    Ok(())
}

/// Calls `then` for each list of a part.
pub(crate) fn lists(body: &dyn Describe, then: &mut dyn FnMut(&dyn PartList)) {
    struct Lists<'t>(&'t mut dyn FnMut(&dyn PartList));
    impl Visit for Lists<'_> {
        fn field(&mut self, _: &Field<'_>) -> Flow {
            Flow::Continue(())
        }
        fn array(&mut self, _: &Array<'_>) -> Flow {
            Flow::Continue(())
        }
        fn parts(&mut self, parts: &dyn PartList) -> Flow {
            (self.0)(parts);
            Flow::Continue(())
        }
        fn link(&mut self, _: &Link<'_>) -> Flow {
            Flow::Continue(())
        }
        fn broken(&mut self, _: &Error) -> Flow {
            Flow::Continue(())
        }
        fn wants_numbers(&self) -> bool {
            false
        }
    }
    let _ = body.describe(&mut Lists(then));
}

struct Set<'s, 'c, 'p> {
    wishes: &'s [Wish<'c>],
    /// A bit for each name; a field whose bit is not set is not meant.
    marks: u64,
    done: Vec<bool>,
    draft: &'s mut Draft<'p>,
    result: Result<()>,
    broken: Option<Error>,
    in_shape: bool,
}

/// One of 64 bits, by the length and the ends of a name.
pub(crate) fn mark(name: &[u8]) -> u64 {
    let ends = [name.first(), name.last()].map(|byte| u64::from(byte.copied().unwrap_or(0)));
    let [first, last] = ends;
    1 << ((name.len() as u64).wrapping_mul(7).wrapping_add(first).wrapping_add(last.wrapping_mul(3)) & 63)
}

impl<'c> Set<'_, 'c, '_> {
    /// Applies all wishes that are about this place.
    fn each(
        &mut self,
        is_it: impl Fn(&Wish<'_>) -> bool,
        mut then: impl FnMut(&Wish<'c>, &mut Draft<'_>) -> Result<()>,
    ) -> Flow {
        for (wish, done) in self.wishes.iter().zip(&mut self.done).filter(|(wish, _)| is_it(wish)) {
            *done = true;
            self.result = then(wish, self.draft);
            if self.result.is_err() {
                return Flow::Break(());
            }
        }
        Flow::Continue(())
    }
}

impl Visit for Set<'_, '_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let name = name(&field.name);
        if self.marks & mark(&name) == 0 {
            return Flow::Continue(());
        }
        let is_it =
            |wish: &Wish<'_>| wish.kind.is_none() && wish.nth.is_none() && (*wish.name == *name || wish.is_data());
        self.each(is_it, |wish, draft| one(field, wish, draft))
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let (in_shape, mut known) = (self.in_shape, HashMap::new());
        let is_it = |wish: &Wish<'_>| wish.kind == Some(array.item) || wish.kind == Some(array.name);
        self.each(is_it, |wish, draft| items(array, wish, draft, in_shape, &mut known))?;
        let is_row =
            |wish: &Wish<'_>| wish.kind.is_none() && wish.nth.is_some() && *wish.name == *array.item.as_bytes();
        if array.at.is_some() {
            self.each(is_row, |wish, draft| row(array, wish, draft))?;
        }
        let is_whole =
            |wish: &Wish<'_>| wish.kind.is_none() && wish.nth.is_none() && *wish.name == *array.name.as_bytes();
        self.each(|wish| wish.kind == Some(DATA) || is_whole(wish), |wish, draft| whole(array, wish, draft))
    }

    fn parts(&mut self, _: &dyn PartList) -> Flow {
        Flow::Continue(())
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        Flow::Continue(())
    }

    fn broken(&mut self, error: &Error) -> Flow {
        self.broken.get_or_insert(*error);
        Flow::Continue(())
    }

    fn wants_places(&self) -> bool {
        true
    }
}

/// Returns the name of a field in paths.
pub(crate) fn name<'f>(name: &FieldName<'f>) -> Cow<'f, [u8]> {
    match *name {
        FieldName::Static(name) => name.as_bytes().into(),
        FieldName::Bytes(name) => name.into(),
        FieldName::Bits { word, low: 31, .. } => format!("word{word}_bit31").into_bytes().into(),
        FieldName::Bits { word, low, high } => format!("word{word}_bits{low}_{high}").into_bytes().into(),
    }
}

/// Whether changes can say anything of a field. Names of elements are in their paths.
pub(crate) const fn is_said(field: &Field<'_>) -> bool {
    matches!(field.role, Role::Data | Role::Reserved) && !matches!(field.stored, Stored::Nowhere | Stored::Name(_))
}

fn one(field: &Field<'_>, wish: &Wish<'_>, draft: &mut Draft<'_>) -> Result<()> {
    let found = value(field);
    let path = wish.path;
    let kept = i128::from(field.storage_bits);
    let is_dangling = matches!(field.value, FieldValue::Dangling(_));
    let (counted, text) = (whole_text(field), text_of(field));
    let is_same = |value: &Value| match (value, &found) {
        _ if is_dangling => false,
        (Value::Float(_) | Value::Integer(_), Value::Float(found)) => {
            value.as_float().is_some_and(|value| value.to_bits() == found.0.to_bits())
        }
        (Value::Bytes(_) | Value::Text(_), Value::Text(_)) if matches!(field.stored, Stored::Padded(_)) => {
            value.as_bytes().map(<[u8]>::trim_ascii_end) == found.as_bytes()
        }
        (Value::Bytes(bytes), _) if counted.is_some() => counted == Some(bytes),
        (Value::Text(_), Value::Bytes(_)) if counted.is_some() => {
            encode(value, charset(field), path).ok().as_deref() == text
        }
        (Value::Integers(_), Value::Text(_)) => {
            color(value).is_some_and(|color| field.value == FieldValue::Color(color))
        }
        (Value::Bytes(_), Value::Text(_)) if charset(field) == Charset::Utf8 => value.as_bytes() == found.as_bytes(),
        (Value::Integer(value), Value::Integer(found)) => value & !kept == found & !kept,
        _ => same(value, &found),
    };
    if let Some(expected) = wish.from.filter(|expected| !is_same(expected)) {
        return Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }));
    }
    let Some(to) = wish.to else { return Ok(()) };
    let (true, Some(at)) = (matches!(field.role, Role::Data | Role::Reserved), field.at) else {
        return Err(EditError::unsupported(path, "this field follows from the content and cannot be set"));
    };
    let is_exact = matches!(found, Value::Float(_)) || counted.is_some();
    if is_same(to) && (same(to, &found) || is_exact) {
        return Ok(());
    }
    let does_not_fit = |limit: String| EditError::new(path, EditErrorKind::DoesNotFit { value: to.clone(), limit });
    let elsewhere = || EditError::unsupported(path, "this field lies outside the part that has it");
    let is_done = match field.stored {
        Stored::Nowhere | Stored::Offset(..) => {
            return Err(EditError::unsupported(path, "this field follows from the content and cannot be set"));
        }
        Stored::Int(form) => {
            let mut value = match (integer(to, form, path), field.name) {
                (value, FieldName::Static(_)) => value?,
                (Err(EditError { kind: EditErrorKind::DoesNotFit { .. }, .. }), other) => {
                    // The fields of a table differ in width.
                    let ((min, max), name) = (form.range(), name(&other));
                    let name = name.escape_ascii();
                    return Err(does_not_fit(format!("{name} has {} bits, {min} to {max}", form.width)));
                }
                (value, _) => value?,
            };
            if let Value::Integer(found) = found {
                // Views of a part show it without these bits, and changes may come from either.
                let is_shown = matches!(wish.from, Some(Value::Integer(from)) if (from ^ value) & kept == 0);
                if (found ^ value) & kept != 0 && !is_shown {
                    let why = "these bits follow from how the file is stored, which no change can alter";
                    return Err(EditError::unsupported(path, why));
                }
                value = (value & !kept) | (found & kept);
            }
            draft.put(at, form, value)
        }
        Stored::Ints(form, count) => {
            let Value::Integers(list) = to else { return Err(wrong(to, "a list of integers", path)) };
            if list.len() != usize::from(count) {
                return Err(does_not_fit(format!("{} has {count} integers", field_name(field))));
            }
            let mut at = Span { len: form.bytes.into(), ..at };
            for value in list {
                if !draft.put(at, form, integer(&Value::Integer(*value), form, path)?) {
                    return Err(elsewhere());
                }
                at.at = at.at.saturating_add(at.len);
            }
            true
        }
        Stored::Name(_) => {
            return Err(EditError::unsupported(path, "this is the name of the element, which `rename` changes"));
        }
        Stored::Bytes(room) => {
            let (bytes, room) = (to.as_bytes().ok_or_else(|| wrong(to, "bytes", path))?, usize::from(room));
            if bytes.len() > room {
                return Err(does_not_fit(format!("{} has room for {room} bytes", field_name(field))));
            }
            let padded: Vec<u8> = bytes.iter().copied().chain(std::iter::repeat(0)).take(room).collect();
            draft.replace(Span { len: padded.len() as u64, ..at }, &padded)
        }
        Stored::Text(room) => {
            let (text, room) = (encode(to, charset(field), path)?, usize::from(room));
            // Text ends with a NUL; a field that is full to its end can be given as bytes.
            let is_full = matches!(to, Value::Bytes(_)) && text.len() == room;
            if text.len() >= room && !is_full || text.contains(&0) {
                let limit = room.saturating_sub(1);
                let name = field_name(field);
                return Err(does_not_fit(format!("{name} has room for {limit} bytes, none of them NUL")));
            }
            // What is behind the old text's NUL stays.
            let old = usize::try_from(at.len).unwrap_or(room);
            let padded = text.iter().copied().chain(std::iter::repeat(0));
            let padded: Vec<u8> = padded.take(old.max(text.len().saturating_add(1)).min(room)).collect();
            draft.replace(Span { len: padded.len() as u64, ..at }, &padded)
        }
        Stored::Padded(room) => {
            let text = encode(to, charset(field), path)?;
            let mut padded = text.trim_ascii_end().to_vec();
            if padded.len() > room.into() {
                return Err(does_not_fit(format!("at most {room} bytes")));
            }
            padded.resize(room.into(), b' ');
            draft.replace(Span { len: room.into(), ..at }, &padded)
        }
        Stored::Counted(counted) if counted.whole.is_some() && matches!(to, Value::Text(_) | Value::Bytes(_)) => {
            let text = encode(to, charset(field), path)?;
            let (at, new) = match counted.whole {
                Some(whole) if matches!(to, Value::Bytes(_)) => (whole, text),
                _ if text.contains(&0) => return Err(does_not_fit("a NUL would end the name".to_owned())),
                Some(whole) if whole.len == 0 && counted.nul => (whole, Cow::Owned([&*text, &[0]].concat())),
                _ => (at, text),
            };
            let rest = i128::from(counted.now).saturating_sub(at.len.into());
            let delta = i128::from(new.len() as u64).saturating_sub(at.len.into());
            if !draft.add(counted.count, counted.int, delta, counted.most) {
                let room = i128::from(counted.most).saturating_sub(rest);
                return Err(does_not_fit(format!("at most {room} bytes")));
            }
            draft.replace(at, &new)
        }
        Stored::Counted(counted) => {
            let text = match (field.value, to) {
                (FieldValue::Text(_), _) => encode(to, charset(field), path)?,
                (_, Value::Bytes(_) | Value::Text(_)) => encode(to, Charset::Utf8, path)?,
                _ => return Err(wrong(to, "bytes", path)),
            };
            if counted.to_nul && text.contains(&0) {
                return Err(does_not_fit(format!("{}s have no NUL", field_name(field))));
            }
            let (at, new) = match counted.with_nul {
                Some(at) if text.is_empty() => (at, Cow::Borrowed(&[][..])),
                Some(at) => (at, Cow::Owned([&[0], &*text].concat())),
                None => (at, text),
            };
            let delta = i128::from(new.len() as u64).saturating_sub(at.len.into());
            if !draft.add(counted.count, counted.int, delta, counted.most) {
                return Err(does_not_fit(format!("there is room for at most {} bytes", counted.most)));
            }
            draft.replace(at, &new)
        }
        Stored::Float { big } => {
            let float = to.as_float().ok_or_else(|| wrong(to, "a number", path))?.to_bits();
            draft.replace(at, &if big { float.to_be_bytes() } else { float.to_le_bytes() })
        }
        Stored::Floats(_) | Stored::Color => {
            draft.replace(at, &encode_several(field.stored, field_name(field), to, path)?)
        }
        Stored::Masked(form, mask) => {
            let new = integer(to, Int { width: 32, ..form }, path)?;
            if new & !i128::from(mask) != 0 {
                return Err(does_not_fit(format!("only bits of {mask:#x}")));
            }
            draft.put_masked(at, form, mask.into(), new)
        }
        Stored::Pooled { reference, int, array } => {
            let text = to.as_bytes().ok_or_else(|| wrong(to, "text", path))?;
            let refer = draft.refer.as_mut().ok_or_else(elsewhere)?;
            let new = refer(array, &name(&field.name), text, path)?;
            draft.put(reference, int, new.into())
        }
        Stored::Terminated => {
            let text = encode(to, charset(field), path)?;
            if text.contains(&0) {
                return Err(does_not_fit("names have no NUL".to_owned()));
            }
            draft.replace(at, &text)
        }
    };
    if is_done { Ok(()) } else { Err(elsewhere()) }
}

/// Sets elements of a grid: one, named by its column and row, or a rectangle, named by its sides, too.
///
/// `known` has what other changes say of the elements.
fn items<'c>(
    array: &Array<'_>,
    wish: &Wish<'c>,
    draft: &mut Draft<'_>,
    in_shape: bool,
    known: &mut HashMap<usize, (Value, &'c Path)>,
) -> Result<()> {
    let path = wish.path;
    let not_found = || EditError::new(path, EditErrorKind::NotFound);
    let numbers = std::str::from_utf8(&wish.name).ok().map(|text| text.split(',').map(str::parse).collect());
    let numbers: std::result::Result<Vec<usize>, _> = numbers.ok_or_else(not_found)?;
    let ((x, y), (wide, high)) = match *numbers.map_err(|_| not_found())?.as_slice() {
        [x, y] if wish.kind == Some(array.item) => ((x, y), (1, 1)),
        [x, y, wide, high] if wish.kind == Some(array.name) => ((x, y), (wide, high)),
        _ => return Err(not_found()),
    };
    let list = |value: Option<&Value>| match value {
        None => Ok(None),
        Some(value) if wish.kind == Some(array.item) => Ok(Some(vec![value.clone()])),
        Some(Value::Integers(list)) if Some(list.len()) == wide.checked_mul(high) => {
            Ok(Some(list.iter().copied().map(Value::Integer).collect()))
        }
        Some(value @ Value::Integers(_)) => {
            let limit = format!("{wide} times {high} {}", array.name);
            Err(EditError::new(path, EditErrorKind::DoesNotFit { value: value.clone(), limit }))
        }
        Some(value) => Err(wrong(value, "a list of integers", path)),
    };
    let (from, to) = (list(wish.from)?, list(wish.to)?);
    let cells = (0..high).flat_map(|row| (0..wide).map(move |column| (column, row)));
    for (index, (column, row)) in cells.enumerate() {
        let one = |list: &Option<Vec<Value>>| list.as_ref().and_then(|list| list.get(index)).cloned();
        let (from, to) = (one(&from), one(&to));
        let cell = (x.saturating_add(column), y.saturating_add(row));
        if let (Some(to), Some(index)) = (&to, self::index(array, cell)) {
            let (same, other) = known.entry(index).or_insert_with(|| (to.clone(), path));
            if same != to {
                return Err(EditError::new(path, EditErrorKind::Conflict { other: (*other).clone() }));
            }
        }
        item(array, cell, (from.as_ref(), to.as_ref()), path, draft, in_shape)?;
    }
    Ok(())
}

fn item(
    array: &Array<'_>,
    cell: (usize, usize),
    (from, to): (Option<&Value>, Option<&Value>),
    path: &Path,
    draft: &mut Draft<'_>,
    in_shape: bool,
) -> Result<()> {
    let not_found = || EditError::new(path, EditErrorKind::NotFound);
    let form = match array.elements {
        Elements::Bytes(_) => Int::word(1, false),
        Elements::Words(_) => Int::word(4, false),
        Elements::Ints(_) => Int::word(4, true),
        _ => return Err(EditError::unsupported(path, "values of this kind cannot be set")),
    };
    let blank = Value::from(array.blank);
    let index = index(array, cell);
    if index.is_none() && in_shape && to.or(from).is_none_or(|value| *value == blank) {
        // The cell is gone with the old shape, or comes with the new one.
        return Ok(());
    }
    let index = index.ok_or_else(not_found)?;
    let bits = array.elements.bits(index).ok_or_else(not_found)?;
    let found = Value::Integer(if form.signed { bits.cast_signed().into() } else { bits.into() });
    if let Some(expected) = from.filter(|expected| **expected != found) {
        return Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }));
    }
    let Some((to, at)) = to.zip(array.at) else { return Ok(()) };
    let offset = (index as u64).saturating_mul(form.bytes.into());
    let at = Span { at: at.at.saturating_add(offset), len: form.bytes.into(), ..at };
    if draft.put(at, form, integer(to, form, path)?) { Ok(()) } else { Err(not_found()) }
}

/// The bytes of a value.
pub(crate) fn bytes<'v>(value: &'v Value, path: &Path) -> Result<&'v [u8]> {
    value.as_bytes().ok_or_else(|| wrong(value, "text or bytes", path))
}

/// Sets one item of an array that has a number: a color of a palette, a point.
fn row(array: &Array<'_>, wish: &Wish<'_>, draft: &mut Draft<'_>) -> Result<()> {
    let path = wish.path;
    let not_found = || EditError::new(path, EditErrorKind::NotFound);
    let found = wish.nth.and_then(|nth| row_value(array, usize::try_from(nth).ok()?));
    let ((found, stored), start) = found.zip(array.at).ok_or_else(not_found)?;
    let expected = |value: &Value| match (value, &found) {
        (Value::Integers(_), Value::Floats(_)) => value.as_floats() == found.as_floats(),
        _ => *value == found || color(value).is_some() && color(value) == color(&found),
    };
    if let Some(expected) = wish.from.filter(|from| !expected(from)) {
        return Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }));
    }
    let Some(to) = wish.to else { return Ok(()) };
    let len = stored.size().unwrap_or(0) as u64;
    let at = Span { at: start.at.saturating_add(u64::from(wish.nth.unwrap_or(0)).saturating_mul(len)), len, ..start };
    let is_done = match stored {
        Stored::Int(form) => draft.put(at, form, integer(to, form, path)?),
        _ => draft.replace(at, &encode_several(stored, array.item, to, path)?),
    };
    if is_done { Ok(()) } else { Err(not_found()) }
}

/// The value of an item of an array that has a number, and how it is stored.
pub(crate) fn row_value(array: &Array<'_>, nth: usize) -> Option<(Value, Stored<'static>)> {
    let columns = if array.rows_are_items { array.columns.max(1) } else { 1 };
    let start = nth.checked_mul(columns)?;
    let bits: Vec<u32> = (start..start.checked_add(columns)?).map_while(|at| array.elements.bits(at)).collect();
    if bits.len() < columns {
        return None;
    }
    Some(match array.elements {
        Elements::StoredFloats(_) | Elements::Floats(_) => {
            let floats: Vec<f32> = bits.into_iter().map(f32::from_bits).collect();
            (floats.as_slice().into(), Stored::Floats(u16::try_from(columns).ok()?))
        }
        Elements::Colors(_) => (color_text(bits.first()?.to_be_bytes().last_chunk()?), Stored::Color),
        Elements::Bytes(_) => ((*bits.first()?).into(), Stored::Int(Int::word(1, false))),
        _ => ((*bits.first()?).into(), Stored::Int(Int::word(4, false))),
    })
}

/// The bytes of a vector or color.
fn encode_several(stored: Stored<'_>, name: &str, to: &Value, path: &Path) -> Result<Vec<u8>> {
    let Stored::Floats(count) = stored else {
        return color(to).map(Vec::from).ok_or_else(|| wrong(to, "a color such as #ff8000", path));
    };
    let floats = to.as_floats().ok_or_else(|| wrong(to, "a list of numbers", path))?;
    if floats.len() != usize::from(count) {
        let limit = format!("{name} has {count} numbers");
        return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: to.clone(), limit }));
    }
    Ok(floats.into_iter().flat_map(f32::to_le_bytes).collect())
}

/// A color as changes write it.
fn color_text([red, green, blue]: &[u8; 3]) -> Value {
    format!("#{red:02x}{green:02x}{blue:02x}").into()
}

/// The color that a value is: text such as `#ff8000`, or a list of three numbers.
fn color(value: &Value) -> Option<[u8; 3]> {
    match value {
        Value::Text(text) => {
            let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && !digits.starts_with('+'))?;
            let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
            Some([red, green, blue])
        }
        Value::Integers(list) => {
            let bytes: Option<Vec<u8>> = list.iter().map(|&integer| u8::try_from(integer).ok()).collect();
            bytes?.try_into().ok()
        }
        _ => None,
    }
}

/// The bytes of an array of bytes or colors.
pub(crate) fn array_bytes<'e>(array: &Array<'e>) -> Option<&'e [u8]> {
    match array.elements {
        Elements::Bytes(bytes) => Some(bytes),
        Elements::Colors(colors) => Some(colors.as_flattened()),
        _ => None,
    }
}

/// Replaces all bytes of an array.
fn whole(array: &Array<'_>, wish: &Wish<'_>, draft: &mut Draft<'_>) -> Result<()> {
    let (Some(found), Some(at)) = (array_bytes(array), array.at) else {
        return Err(EditError::unsupported(wish.path, "values of this kind cannot be set"));
    };
    if let Some(expected) = wish.from.filter(|expected| expected.as_bytes() != Some(found)) {
        let found = Value::Bytes(found.to_vec());
        return Err(EditError::new(wish.path, EditErrorKind::Differs { expected: expected.clone(), found }));
    }
    let Some(to) = wish.to else { return Ok(()) };
    let new = bytes(to, wish.path)?;
    let size = if matches!(array.elements, Elements::Colors(_)) { 3 } else { 1 };
    let is_done = match array.count {
        _ if new.len() == found.len() => draft.replace(at, new),
        Some((count, int)) if new.len().is_multiple_of(size) => {
            let len = i128::from(new.len().checked_div(size).unwrap_or(0) as u64);
            draft.put(count, int, len) && draft.replace(at, new)
        }
        // Bytes that are no grid may be more or fewer.
        _ => size == 1 && (draft.is_parsed || array.columns == 0) && draft.replace(at, new),
    };
    if is_done {
        return Ok(());
    }
    let limit = match size {
        1 => format!("{} has {} bytes", array.name, found.len()),
        _ => format!("{size} bytes a color"),
    };
    Err(EditError::new(wish.path, EditErrorKind::DoesNotFit { value: to.clone(), limit }))
}

/// The element of a grid in a column and row.
fn index(array: &Array<'_>, (x, y): (usize, usize)) -> Option<usize> {
    let index = y.checked_mul(array.columns)?.checked_add(x)?;
    (x < array.columns && index < array.elements.len()).then_some(index)
}

fn field_name(field: &Field<'_>) -> &'static str {
    match field.name {
        FieldName::Static(name) => name,
        _ => "the field",
    }
}

pub(crate) fn wrong(found: &Value, wanted: &'static str, path: &Path) -> EditError {
    EditError::new(path, EditErrorKind::WrongType { wanted, found: found.clone() })
}

fn integer(value: &Value, form: Int, path: &Path) -> Result<i128> {
    let (min, max) = form.range();
    match *value {
        Value::Integer(integer) if (min..=max).contains(&integer) => Ok(integer),
        Value::Integer(_) => {
            let whole = u32::from(form.bytes).saturating_mul(8) == u32::from(form.width);
            let bits = if whole { String::new() } else { format!("{} bits, ", form.width) };
            let limit = format!("{bits}{min} to {max}");
            Err(EditError::new(path, EditErrorKind::DoesNotFit { value: value.clone(), limit }))
        }
        _ => Err(wrong(value, "an integer", path)),
    }
}

/// Writes an integer into a fixed-layout structure.
pub(crate) fn put(info: &FieldInfo, record: &mut [u8], value: &Value, path: &Path) -> Result<()> {
    let Stored::Int(int) = info.stored else {
        return Err(EditError::unsupported(path, "this field cannot be set alone"));
    };
    let value = integer(value, int, path)?;
    let place = record.get_mut(info.offset..).filter(|place| place.len() >= int.bytes.into());
    let is_done = place.is_some_and(|place| int.write(place, value));
    debug_assert!(is_done, "the field lies in the structure, and the value in its range");
    Ok(())
}

/// A word of 32 bits.
pub(crate) fn word(value: &Value, path: &Path) -> Result<u32> {
    Ok(u32::try_from(integer(value, Int::word(4, false), path)?).unwrap_or(u32::MAX))
}

const fn charset(field: &Field<'_>) -> Charset {
    match field.value {
        FieldValue::Text(text) => text.charset,
        _ => Charset::Undeclared,
    }
}

const fn text_of<'f>(field: &Field<'f>) -> Option<&'f [u8]> {
    match field.value {
        FieldValue::Text(text) => Some(text.text),
        _ => None,
    }
}

/// Everything that is counted of a text that may be given as all these bytes.
const fn whole_text<'f>(field: &Field<'f>) -> Option<&'f [u8]> {
    match (field.stored, field.value) {
        (Stored::Counted(counted), FieldValue::Text(text)) if counted.whole.is_some() => Some(text.stored),
        _ => None,
    }
}

/// Whether a text may be given as everything that is counted.
const fn is_whole(stored: Stored<'_>) -> bool {
    matches!(stored, Stored::Counted(counted) if counted.whole.is_some())
}

/// The value of a field as changes express it.
pub(crate) fn value(field: &Field<'_>) -> Value {
    value_of(field.value, field.stored)
}

/// The value of a field that is stored in a way.
pub(crate) fn value_of(value: FieldValue<'_>, stored: Stored<'_>) -> Value {
    match value {
        FieldValue::Int(int) => int.into(),
        FieldValue::Uint(uint) => uint.into(),
        FieldValue::Float(float) => float.into(),
        FieldValue::Ints(ints) => Value::Integers(ints.iter().map(|int| int.get().into()).collect()),
        FieldValue::Floats(floats) => floats.into(),
        FieldValue::Color(color) => color_text(&color),
        FieldValue::Text(text) if is_whole(stored) && !text.usual => Value::Bytes(text.stored.to_vec()),
        FieldValue::Text(text) => match stored {
            // Without a NUL the field has no room for another byte.
            Stored::Text(room) if text.text.len() == usize::from(room) => Value::Bytes(text.text.to_vec()),
            _ => decode(text.text, text.charset),
        },
        FieldValue::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        FieldValue::Bool(bool) => u8::from(bool).into(),
        FieldValue::Dangling(_) => Value::Text("a text that is not there".to_owned()),
        // They are not stored as such, so no change has them.
        FieldValue::Absent | FieldValue::Word(_) | FieldValue::Words(_) => Value::Bytes(Vec::new()),
    }
}

/// Everything that changes can say of the fields of a part, and what its arrays contain.
pub(crate) fn values(body: &dyn Describe, key: Option<&str>) -> (Vec<(String, Value)>, Option<Value>) {
    let mut all = Values { key, ..Values::default() };
    let _ = body.describe(&mut all);
    (all.list, all.grid.map(|(bytes, _)| Value::Bytes(bytes)))
}

/// The same of all fields, also of those that are not there but could be.
pub(crate) fn all_values(body: &dyn Describe) -> Vec<(String, Value)> {
    let mut all = Values { wants_places: true, ..Values::default() };
    let _ = body.describe(&mut all);
    all.list
}

#[derive(Default)]
struct Values<'k> {
    key: Option<&'k str>,
    wants_places: bool,
    list: Vec<(String, Value)>,
    /// The bytes of an array, and its columns.
    grid: Option<(Vec<u8>, usize)>,
    at: Option<Span>,
}

impl Visit for Values<'_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let is_key = matches!(field.name, FieldName::Static(name) if self.key == Some(name));
        if is_said(field) && !is_key && !matches!(field.value, FieldValue::Dangling(_)) {
            self.list.push((String::from_utf8_lossy(&name(&field.name)).into_owned(), value(field)));
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if let Elements::Bytes(bytes) = array.elements {
            self.grid = Some((bytes.to_vec(), array.columns));
            self.at = array.at;
        }
        Flow::Continue(())
    }

    fn parts(&mut self, _: &dyn PartList) -> Flow {
        Flow::Continue(())
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        Flow::Continue(())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }

    fn wants_places(&self) -> bool {
        self.wants_places
    }
}

/// Whether two values are the same in a file: text may be given as bytes.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    let bytes = |value: &Value| match value {
        Value::Text(_) | Value::Bytes(_) => encode(value, Charset::Undeclared, &Path::new()).ok().map(Cow::into_owned),
        _ => None,
    };
    left == right || bytes(left).is_some_and(|left| bytes(right) == Some(left))
}

/// Text as changes express it. Of an undeclared code page: Windows-1252, which has a character for each byte.
pub(crate) fn decode(bytes: &[u8], charset: Charset) -> Value {
    match charset {
        Charset::Utf8 => Value::from_bytes(bytes),
        Charset::Undeclared => Value::Text(WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()),
    }
}

/// Text of a level as changes express it.
pub(crate) fn decode_1252(bytes: &[u8]) -> Value {
    decode(bytes, Charset::Undeclared)
}

/// The bytes of a text.
pub(crate) fn encode<'v>(value: &'v Value, charset: Charset, path: &Path) -> Result<Cow<'v, [u8]>> {
    match (value, charset) {
        (Value::Bytes(bytes), _) => Ok(bytes.as_slice().into()),
        (Value::Text(text), Charset::Utf8) => Ok(text.as_bytes().into()),
        (Value::Text(text), Charset::Undeclared) => {
            let (bytes, _, has_unmappable) = WINDOWS_1252.encode(text);
            if has_unmappable {
                let limit = "a character is not in Windows-1252".to_owned();
                return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: value.clone(), limit }));
            }
            Ok(bytes)
        }
        _ => Err(wrong(value, "text", path)),
    }
}

#[cfg(test)]
#[path = "../../../tests/every_form.rs"]
mod every;

#[cfg(test)]
mod tests {
    use worldview_core::OffsetBase;
    use worldview_core::describe::visit_fields;

    use super::every::{EveryForm, VALUES, every_form};
    use super::*;

    struct Body<'b>(&'b [u8]);

    impl Describe for Body<'_> {
        fn describe(&self, visitor: &mut dyn Visit) -> Flow {
            visit_fields(self.0, EveryForm::FIELDS, Span::new(100, EveryForm::SIZE, OffsetBase::File), visitor)
        }
    }

    fn parsed(name: &str, text: &str) -> Value {
        match name {
            "several" => Value::Integers(text.split(' ').map(|part| part.parse().unwrap()).collect()),
            "text" => text.into(),
            "bytes" => Value::Bytes(crate::value::unhex(text).unwrap()),
            "float" => text.parse::<f32>().unwrap().into(),
            _ => Value::Integer(text.parse().unwrap()),
        }
    }

    #[test]
    fn every_form_is_set_where_it_is_stored() {
        let bytes = every_form();
        let path = Path::new();
        for (name, old, new) in VALUES {
            let [from, to] = [old, new].map(|text| parsed(name, text));
            let wish = Wish {
                kind: None,
                name: name.as_bytes().into(),
                nth: None,
                from: Some(&from),
                to: Some(&to),
                path: &path,
            };
            let mut draft = Draft::new(100, &bytes);
            set(&Body(&bytes), &[wish], &mut draft).unwrap();
            let edited = draft.finish();
            let info = EveryForm::FIELDS.iter().find(|info| info.name == name).unwrap();
            let end = info.offset + info.stored.size().unwrap();
            let is_outside = |index: &usize| !(info.offset..end).contains(index);
            assert!((0..bytes.len()).filter(is_outside).all(|index| bytes[index] == edited[index]), "{name}");
            let all: Vec<_> = values(&Body(&edited), None).0;
            assert!(all.contains(&(name.to_owned(), to)), "{name}: {all:?}");
        }
        let to = Value::from(1);
        for name in ["length", "implied"] {
            let wish =
                Wish { kind: None, name: name.as_bytes().into(), nth: None, from: None, to: Some(&to), path: &path };
            set(&Body(&bytes), &[wish], &mut Draft::new(100, &bytes)).unwrap_err();
        }
    }
}
