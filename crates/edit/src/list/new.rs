//! The bytes of new elements, and of those that get another shape.

use std::borrow::Cow;

use worldview_core::describe::{ListFlag, Pairing, Part, PartKey, PartList};
use worldview_core::edit::{ShapeNumber, Slots};
use worldview_core::{Path, Segment};

use super::no_field;
use crate::checked::Checked as _;
use crate::fields::{self, Draft, Refer, Wish};
use crate::{EditError, Result, Value};

/// The bytes of an element in another shape, with the fields and cells that both shapes have.
pub(super) fn reshaped(parts: &dyn PartList, part: &Part<'_>, wanted: &[(&[u8], &Value)]) -> Result<Vec<u8>> {
    let numbers = fields::values(part.body, None).0;
    let number = |number: ShapeNumber<'_>| {
        let ShapeNumber::Field(name) = number else { return None };
        let wish = wanted.iter().find(|(wish, _)| *wish == name.as_bytes()).map(|(_, value)| *value);
        let found = numbers.iter().find(|(field, _)| field == name).map(|(_, value)| value);
        match wish.or(found) {
            Some(Value::Integer(number)) => i64::try_from(*number).ok(),
            _ => None,
        }
    };
    let mut new = None;
    parts.editable().blank(&number, &mut |bytes| new = Some(bytes.to_vec()));
    let here = Path::new();
    let blank = new.ok_or_else(|| EditError::unsupported(&here, "there is no element of this shape"))?;
    let mut out = Draft::new(0, &blank);
    let is_wanted = |name: &str| wanted.iter().any(|(wish, _)| *wish == name.as_bytes());
    let mut copied = None;
    parts.editable().alone(&blank, &mut |other| {
        copied = Some(fields::copy(part.body, other.body, &mut out, &is_wanted));
    });
    copied.checked()?.map(|()| out.finish())
}

/// An element that is added.
pub(super) struct New<'n> {
    pub(super) parts: &'n dyn PartList,
    pub(super) slots: &'n Slots,
    pub(super) segment: &'n Segment<'n>,
    pub(super) given: &'n [(String, Value)],
    pub(super) data: Option<&'n Value>,
    pub(super) path: &'n Path,
}

impl New<'_> {
    pub(super) fn bytes<'r>(
        &self,
        like: Option<Cow<'_, [u8]>>,
        texts: &mut Option<Vec<Vec<u8>>>,
        mut refer: Option<&'r mut Refer<'r>>,
    ) -> Result<Vec<u8>> {
        let Self { parts, slots, segment, given, data, path } = *self;
        let list = parts.list();
        let number = |number: ShapeNumber<'_>| {
            let ShapeNumber::Field(name) = number else { return None };
            match given.iter().find(|(field, _)| field == name)?.1 {
                Value::Integer(number) => i64::try_from(number).ok(),
                _ => None,
            }
        };
        let is_blank = like.is_none();
        let mut bytes = like.map(Cow::into_owned);
        if is_blank {
            parts.editable().blank(&number, &mut |blank| bytes = Some(blank.to_vec()));
        }
        let why = "a new element must say its shape: the fields that decide what else it has";
        let mut bytes = bytes.ok_or_else(|| EditError::unsupported(path, why))?;
        let key = slots.key.map(|name| (name.to_owned(), key_value(parts, &bytes, segment)));
        let mut wishes: Vec<_> = Wish::given(given, path).collect();
        match &key {
            Some((name, value)) => {
                let value = value
                    .as_ref()
                    .ok_or_else(|| EditError::unsupported(path, "an object's name in a path is its id, a number"))?;
                wishes.push(Wish::to(name.as_bytes().into(), value, path));
            }
            None if list.pairing == Pairing::Likeness => set_name(parts, &mut bytes, &segment.key, given, path)?,
            None => {}
        }
        wishes.extend(Wish::data(list.is(ListFlag::Scalar), None, data, path));
        let nothing = Value::Text(String::new());
        if is_blank {
            if texts.is_none() {
                parts.editable().alone(&bytes, &mut |part| *texts = Some(fields::texts(part.body)));
            }
            let is_given = |name: &&Vec<u8>| !given.iter().any(|(given, _)| given.as_bytes() == name.as_slice());
            let empty = texts.iter().flatten().filter(is_given).map(|name| name.as_slice().into());
            wishes.extend(empty.map(|name| Wish::to(name, &nothing, path)));
        }
        let mut edited = None;
        parts.editable().alone(&bytes, &mut |part| {
            let mut draft = Draft::of(part, bytes.clone()).refer(refer.take());
            let set = fields::set(part.body, &wishes, &mut draft).map_err(|error| no_field(error, path));
            edited = Some(set.map(|()| draft.finish()));
        });
        edited.checked()?
    }
}

/// The key of an added element as a value of its field.
pub(super) fn key_value(parts: &dyn PartList, bytes: &[u8], segment: &Segment<'_>) -> Option<Value> {
    let mut value = None;
    parts.editable().alone(bytes, &mut |part| {
        value = match part.key {
            PartKey::Number(_) => {
                std::str::from_utf8(&segment.key).ok().and_then(|text| text.parse().ok()).map(Value::Integer)
            }
            _ => Some(Value::Bytes(segment.key.to_vec())),
        };
    });
    value
}

/// Gives a name to the bytes of an element, which gets some fields, too.
pub(super) fn set_name(
    parts: &dyn PartList,
    bytes: &mut Vec<u8>,
    name: &[u8],
    given: &[(String, Value)],
    path: &Path,
) -> Result<()> {
    let given = |name: &str| given.iter().find(|(field, _)| field == name)?.1.as_bytes().map(<[u8]>::to_vec);
    parts
        .editable()
        .set_name(bytes, name, &given)
        .map_err(|limit| EditError::does_not_fit(path, Value::from_bytes(name), limit))
}
