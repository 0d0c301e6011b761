//! Fields of any part of any format: found by their names in its description, and changed as the description says that they are stored.

use std::borrow::Cow;
use std::collections::HashMap;

use worldview_core::describe::{
    Array, Charset, Describe, Field, FieldName, FieldValue, Flow, Int, PartList, Role, Span, Stored, Visit,
};
use worldview_core::{Error, Path, Segment};
use zerocopy::{FromBytes, Immutable, IntoBytes};

mod array;
mod draft;
mod values;

use self::array::{items, row, whole};
use self::values::{
    INTEGERS, Values, charset, color, encode_several, field_name, integer, is_whole_field, text_of, whole_field,
    whole_text,
};
use crate::checked::{Checked as _, Number as _, index};
use crate::tree::{Already, Tree, unexpected};
use crate::{Change, EditError, EditErrorKind, Result, Value};

pub(crate) use self::array::{array_bytes, row_value, words};
pub(crate) use self::draft::{Draft, Refer, structure};
pub(crate) use self::values::{
    all_values, bytes, expect_bytes, name_of, replaced, same, text_values, value, whole_values, word, wrong,
};
pub use self::values::{decode_1252, encode, encode_in, value_of, values};

/// The kind of a wish about all that an array has.
const DATA: &str = "data";

/// The part of a change that is about a field.
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
    /// Whether the path is that of what has the field, whose name is then added to errors.
    pub(crate) is_given: bool,
    /// Where it is noted that the field has the value already.
    pub(crate) already: Option<Already>,
}

impl<'c> Wish<'c> {
    /// The value that a change gives to a field of any type.
    pub(crate) fn to(name: Cow<'c, [u8]>, to: &'c Value, path: &'c Path) -> Self {
        Self { kind: None, name, nth: None, from: None, to: Some(to), path, is_given: false, already: None }
    }

    pub(crate) fn is_done_already(&self) {
        self.already.iter().for_each(Already::note);
    }

    /// The change of a field, which is at a node.
    pub(crate) fn of(segment: Segment<'c>, node: &Tree<'c>) -> Result<Self> {
        let kind = segment.kind.filter(|kind| *kind != "@");
        match node.change {
            // The first of the cells with one name is the only one.
            Some(Change::Set { path, from, to })
                if node.children.is_empty() && (kind.is_none() || segment.nth.is_none_or(|nth| nth == 0)) =>
            {
                let nth = segment.nth.filter(|_| kind.is_none());
                let already = Some(node.note());
                Ok(Self { kind, nth, from: from.as_ref(), already, ..Self::to(segment.key, to, path) })
            }
            Some(change) => Err(unexpected(change)),
            None => {
                let path = node.path();
                Err(EditError::not_found(&path))
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
        let kind = (!is_scalar).then_some(DATA);
        Some(Self { kind, name: Cow::Borrowed(b""), nth: None, from, to, path, is_given: false, already: None })
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
        fields.iter().map(move |(name, to)| Self { is_given: true, ..Self::to(name.as_bytes().into(), to, path) })
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

/// Does the same with a structure.
pub(crate) fn set_structure<T>(structure: &mut T, wishes: &[Wish<'_>]) -> Result<()>
where
    T: Describe + FromBytes + IntoBytes + Immutable,
{
    let mut draft = Draft::new(0, structure.as_bytes());
    set(structure, wishes, &mut draft)?;
    *structure = draft.finish_as()?;
    Ok(())
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
        (Some((wish, _)), None) => Err(EditError::not_found(wish.path)),
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
        // Without columns there are no rows.
        for (row, cells) in (0..at.len.checked_div(*new_columns as u64).unwrap_or(0)).zip(rows) {
            // The other part may have fewer columns.
            let cells = cells.get(..*new_columns).unwrap_or(cells);
            let start = at.at.plus(row.times(*new_columns as u64)?)?;
            draft.replace(Span::new(start, cells.len() as u64, at.space), cells).then_some(()).checked()?;
        }
    }
    Ok(())
}

/// Calls `then` for each list of a part.
pub(crate) fn lists(body: &dyn Describe, then: &mut dyn FnMut(&dyn PartList)) {
    struct Lists<'t>(&'t mut dyn FnMut(&dyn PartList));
    impl Visit for Lists<'_> {
        fn parts(&mut self, parts: &dyn PartList) -> Flow {
            (self.0)(parts);
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
            self.result = then(wish, self.draft).map_err(|mut error| {
                if wish.is_given {
                    error.path.push_name(&wish.name);
                }
                error
            });
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
        // Words are a field of their own.
        let is_data = |wish: &Wish<'_>| wish.kind == Some(DATA) && words(array).is_none();
        self.each(|wish| is_data(wish) || is_whole(wish), |wish, draft| whole(array, wish, draft))
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

/// Returns whether changes can say anything of a field. Names of elements are in their paths.
pub const fn is_said(field: &Field<'_>) -> bool {
    matches!(field.role, Role::Data | Role::Reserved) && !matches!(field.stored, Stored::Nowhere | Stored::Name(_))
}

/// Checks whether a field can have a value, as far as the field alone decides it.
///
/// # Errors
///
/// Returns the error that a change to this value would give.
pub fn check(field: &Field<'_>, to: &Value, path: &Path) -> Result<()> {
    let len = field.at.map_or(0, |at| at.len).max(field.stored.size().unwrap_or(0) as u64);
    let zeros = |len: u64| vec![0; usize::try_from(len).unwrap_or(0)];
    let mut draft = Draft::new(field.at.map_or(0, |at| at.at), &zeros(len));
    let mut refer = |_: Option<u32>, _: &[u8], _: &[u8], _: &Path| Ok(0);
    match field.stored {
        Stored::Counted(counted) => {
            let mut now = zeros(counted.count.len);
            let _ = counted.int.write(&mut now, counted.now.into());
            draft = draft.beside(counted.count, &now);
            for at in counted.whole.into_iter().chain(counted.with_nul) {
                draft = draft.beside(at, &zeros(at.len));
            }
        }
        Stored::Pooled { reference, .. } => {
            draft = draft.beside(reference, &zeros(reference.len)).refer(Some(&mut refer));
        }
        _ => {}
    }
    one(field, &Wish::to(name(&field.name), to, path), &mut draft)
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
        (Value::Bytes(bytes), _) if is_whole_field(field, bytes) => whole_field(field).as_ref() == Some(bytes),
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
    let is_all = |value: &Value| matches!(value, Value::Bytes(bytes) if is_whole_field(field, bytes));
    let is_exact = matches!(found, Value::Float(_)) || counted.is_some();
    let is_there = |to: &Value| is_same(to) && (same(to, &found) || is_exact || is_all(to));
    let at = field.at.filter(|_| matches!(field.role, Role::Data | Role::Reserved));
    if at.is_some() && wish.to.is_some_and(is_there) {
        wish.is_done_already();
        return Ok(());
    }
    if let Some(expected) = wish.from.filter(|expected| !is_same(expected)) {
        return Err(EditError::differs(path, expected, found));
    }
    let Some(to) = wish.to else { return Ok(()) };
    let Some(at) = at else {
        return Err(EditError::unsupported(path, "this field follows from the content and cannot be set"));
    };
    let does_not_fit = |limit: String| EditError::does_not_fit(path, to.clone(), limit);
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
            let Value::Integers(list) = to else { return Err(wrong(to, INTEGERS, path)) };
            if list.len() != usize::from(count) {
                return Err(does_not_fit(format!("{} has {count} integers", field_name(field))));
            }
            let mut at = Span { len: form.bytes.into(), ..at };
            for value in list {
                if !draft.put(at, form, integer(&Value::Integer(*value), form, path)?) {
                    return Err(elsewhere());
                }
                at.at = at.at.plus(at.len)?;
            }
            true
        }
        Stored::Name(_) => return Err(EditError::new(path, EditErrorKind::IsName)),
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
            // Text ends with a NUL; all bytes of the field can be given as bytes.
            let is_all = is_all(to);
            if !is_all && (text.len() >= room || text.contains(&0)) {
                let limit = room.saturating_sub(1);
                let name = field_name(field);
                return Err(does_not_fit(format!("{name} has room for {limit} bytes, none of them NUL")));
            }
            // What is behind the old text's NUL stays, unless it is given.
            let old = if is_all { room } else { index(at.len)? };
            let padded = text.iter().copied().chain(std::iter::repeat(0));
            let padded: Vec<u8> = padded.take(old.max(text.len().plus(1)?).min(room)).collect();
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
            let rest = i128::from(counted.now).minus(at.len.into())?;
            let delta = i128::from(new.len() as u64).minus(at.len.into())?;
            if !draft.add(counted.count, counted.int, delta, counted.most) {
                let room = i128::from(counted.most).minus(rest)?;
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
            let delta = i128::from(new.len() as u64).minus(at.len.into())?;
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
        Stored::Terminated(most) => {
            let text = encode(to, charset(field), path)?;
            if text.len() as u64 > most.into() {
                return Err(does_not_fit(format!("at most {most} bytes")));
            }
            if text.contains(&0) {
                return Err(does_not_fit("names have no NUL".to_owned()));
            }
            draft.replace(at, &text)
        }
    };
    if is_done { Ok(()) } else { Err(elsewhere()) }
}

#[cfg(test)]
#[path = "../../../tests/every_form.rs"]
mod every;
#[cfg(test)]
mod tests;
