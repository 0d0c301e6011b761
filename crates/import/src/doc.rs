//! Documents: JSON that is read where it is, part by part.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use worldview_edit::{EditError, Result, Value, nearest_float, unhex};
use worldview_export::Encoding;
use worldview_inspect::json::VERSION;

use super::cell::float;
use super::given::not_encodable;

/// Why a value cannot be taken.
pub(crate) type Read<T> = std::result::Result<T, String>;

/// A value of a document.
#[derive(Clone, Copy)]
pub(crate) enum Doc<'d> {
    /// The text of one.
    Text(&'d RawValue),
    /// A value in memory.
    Tree(&'d Json),
}

/// Reads a document, or a line of one: an object.
pub(crate) fn parse(text: &[u8], line: Option<u64>) -> Result<Members<'_>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let document = serde_json::from_slice(text).map_err(|error| {
        let line = line.or_else(|| (error.line() > 0).then_some(error.line() as u64));
        EditError::malformed(line, error.to_string())
    })?;
    Doc::Text(document).members().map_err(|why| EditError::malformed(line, why))
}

impl<'d> Doc<'d> {
    /// Returns the value in memory.
    pub(crate) fn json(self) -> Read<Cow<'d, Json>> {
        match self {
            Self::Text(raw) => {
                serde_json::from_str(raw.get()).map(Cow::Owned).map_err(|error| format!("cannot be read: {error}"))
            }
            Self::Tree(json) => Ok(Cow::Borrowed(json)),
        }
    }

    fn begins_with(self, char: char) -> bool {
        match self {
            Self::Text(raw) => raw.get().starts_with(char),
            Self::Tree(json) => match char {
                '{' => json.is_object(),
                '[' => json.is_array(),
                '"' => json.is_string(),
                _ => json.is_null(),
            },
        }
    }

    /// Whether the value is null.
    pub(crate) fn is_null(self) -> bool {
        self.begins_with('n')
    }

    /// Whether the value is an object.
    pub(crate) fn is_object(self) -> bool {
        self.begins_with('{')
    }

    /// Returns a text, or `None` if the value is none.
    pub(crate) fn text(self) -> Option<Cow<'d, str>> {
        #[derive(Deserialize)]
        struct Text<'t>(#[serde(borrow)] Cow<'t, str>);
        match self {
            Self::Text(raw) if self.begins_with('"') => serde_json::from_str(raw.get()).ok().map(|Text(text)| text),
            Self::Text(_) => None,
            Self::Tree(json) => json.as_str().map(Cow::Borrowed),
        }
    }

    /// Returns the members of an object, of which no two have one name.
    pub(crate) fn members(self) -> Read<Members<'d>> {
        let all = match self {
            Self::Text(raw) if self.is_object() => {
                let Pairs(all) = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
                all
            }
            Self::Tree(Json::Object(map)) => return Ok(Members::of(map)),
            _ => return Err(format!("expected an object, found {}", self.shown())),
        };
        let mut names: Vec<&str> = all.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair.first() == pair.last()) {
            Some(pair) => Err(format!("the member `{}` occurs twice", pair.first().unwrap_or(&""))),
            None => Ok(Members::new(all)),
        }
    }

    /// Returns the elements of a list.
    pub(crate) fn list(self) -> Read<Vec<Self>> {
        match self {
            Self::Text(raw) if self.begins_with('[') => {
                let list: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
                Ok(list.into_iter().map(Self::Text).collect())
            }
            Self::Tree(Json::Array(list)) => Ok(list.iter().map(Self::Tree).collect()),
            _ => Err(format!("expected a list, found {}", self.shown())),
        }
    }

    /// Returns the value in memory, if no two members of an object in it have one name.
    pub(crate) fn tree(self, depth: usize) -> Read<Json> {
        /// Documents are not nested deeper; recursion is.
        const MAX_DEPTH: usize = 128;
        if depth > MAX_DEPTH {
            return Err(format!("the document is nested more than {MAX_DEPTH} deep"));
        }
        let below = depth.saturating_add(1);
        if self.is_object() {
            let members = self.members()?;
            let all = members.rest().map(|(name, value)| Ok((name.to_owned(), value.tree(below)?)));
            return all.collect::<Read<_>>().map(Json::Object);
        }
        if self.begins_with('[') && self.words().is_none() {
            return self.list()?.into_iter().map(|value| value.tree(below)).collect::<Read<_>>().map(Json::Array);
        }
        self.json().map(Cow::into_owned)
    }

    /// Returns a list of integers, if it is one and all of them are written as such.
    pub(crate) fn words(self) -> Option<Vec<u32>> {
        match self {
            Self::Text(raw) => serde_json::from_str(raw.get()).ok(),
            Self::Tree(_) => None,
        }
    }

    /// Returns the value for messages.
    pub(crate) fn shown(self) -> String {
        match self {
            Self::Text(_) if self.is_object() => "an object".to_owned(),
            Self::Text(_) if self.begins_with('[') => format!("a list of {}", self.list().map_or(0, |list| list.len())),
            _ => self.json().map_or_else(|why| why, |json| shown(&json)),
        }
    }
}

/// The members of an object, in order.
struct Pairs<'d>(Vec<(Cow<'d, str>, Doc<'d>)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Pairs<'de>, A::Error> {
                #[derive(Deserialize)]
                struct Name<'n>(#[serde(borrow)] Cow<'n, str>);
                let mut all = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
                    all.push((name, Doc::Text(value)));
                }
                Ok(Pairs(all))
            }
        }
        json.deserialize_map(Object)
    }
}

/// The members of an object of a document, and which of them were taken.
#[derive(Default)]
pub(crate) struct Members<'d> {
    all: Vec<(Cow<'d, str>, Doc<'d>)>,
    is_taken: Vec<bool>,
    /// The member behind the one that was taken last.
    next: usize,
    /// Whether a member has the bytes of a text.
    pub(crate) has_bytes: bool,
}

impl<'d> Members<'d> {
    /// Returns the members of an object in memory.
    pub(crate) fn of(map: &'d Map<String, Json>) -> Self {
        Self::new(map.iter().map(|(name, json)| (Cow::Borrowed(&**name), Doc::Tree(json))).collect())
    }

    fn new(all: Vec<(Cow<'d, str>, Doc<'d>)>) -> Self {
        let has_bytes = all.iter().any(|(name, _)| name.ends_with("_bytes"));
        Self { is_taken: vec![false; all.len()], all, next: 0, has_bytes }
    }

    /// Returns the number of members.
    pub(crate) const fn len(&self) -> usize {
        self.all.len()
    }

    fn position(&self, name: &str) -> Option<usize> {
        let is_it = |(other, _): &(Cow<'_, str>, Doc<'_>)| other == name;
        // They are usually asked for in order.
        let next = self.all.get(self.next).filter(|member| is_it(member)).map(|_| self.next);
        next.or_else(|| self.all.iter().position(is_it))
    }

    /// Returns a member.
    pub(crate) fn get(&self, name: &str) -> Option<Doc<'d>> {
        self.all.get(self.position(name)?).map(|(_, value)| *value)
    }

    /// Returns a member that was not taken before, and notes that it was read.
    pub(crate) fn take(&mut self, name: &str) -> Option<Doc<'d>> {
        let at = self.position(name)?;
        self.next = at.saturating_add(1);
        let was_taken = std::mem::replace(self.is_taken.get_mut(at)?, true);
        self.all.get(at).filter(|_| !was_taken).map(|(_, value)| *value)
    }

    /// Returns the members that nobody has taken.
    pub(crate) fn rest(&self) -> impl Iterator<Item = (&str, Doc<'d>)> {
        let rest = self.all.iter().zip(&self.is_taken).filter(|(_, is_taken)| !**is_taken);
        rest.map(|((name, value), _)| (&**name, *value))
    }

    /// Returns the bytes that a member has as hexadecimal digits.
    pub(crate) fn bytes_of(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(found) = self.get(name) else { return Ok(None) };
        let bytes = found.text().as_deref().and_then(unhex);
        let why = || format!("expected pairs of hexadecimal digits as `{name}`, found {}", found.shown());
        bytes.map(Some).ok_or_else(|| EditError::malformed(None, why()))
    }

    /// Returns the bytes of a text: those of the member with them, or the text in a code page. A missing one is empty.
    pub(crate) fn text_of(&self, name: &str, encoding: Encoding) -> Result<Vec<u8>> {
        if let Some(bytes) = self.bytes_of(&format!("{name}_bytes"))? {
            return Ok(bytes);
        }
        let Some(found) = self.get(name).filter(|found| !found.is_null()) else { return Ok(Vec::new()) };
        let Some(text) = found.text() else {
            let why = format!("expected text as `{name}`, found {}", found.shown());
            return Err(EditError::malformed(None, why));
        };
        let bytes = encoding.encode(&text);
        bytes.ok_or_else(|| EditError::malformed(None, not_encodable(&text, encoding)))
    }

    /// Returns the elements of a list; a missing one is empty.
    pub(crate) fn list_of(&self, name: &str) -> Result<Vec<Doc<'d>>> {
        let Some(found) = self.get(name).filter(|found| !found.is_null()) else { return Ok(Vec::new()) };
        found.list().map_err(|why| EditError::malformed(None, format!("`{name}`: {why}")))
    }

    /// Returns the objects of a list.
    pub(crate) fn objects_of(&self, name: &str) -> Result<Vec<Self>> {
        let all = self.list_of(name)?.into_iter().map(Doc::members).collect::<Read<_>>();
        all.map_err(|why| EditError::malformed(None, format!("`{name}`: {why}")))
    }

    /// Takes the members that every document has.
    pub(crate) fn check_format(&mut self, format: &str) -> Result<()> {
        for (name, expected) in [("format", Json::from(format)), ("version", VERSION.into())] {
            let found = self.take(name).map(Doc::json).transpose();
            let found = found.map_err(|why| EditError::malformed(None, format!("`{name}` {why}")))?;
            if let Some(found) = found.filter(|found| **found != expected) {
                return Err(EditError::malformed(None, format!("expected the {name} {expected}, found {found}")));
            }
        }
        self.take("full");
        Ok(())
    }

    /// Takes what a document has of a file, if that is not everything.
    pub(crate) fn parts(&mut self) -> Result<Option<String>> {
        let parts = self.list_of("parts")?.into_iter().filter_map(Doc::text).collect::<Vec<_>>().join(", ");
        self.take("parts");
        Ok((!parts.is_empty()).then_some(parts))
    }

    /// Takes the members that every document of a whole file has. Returns an error about others.
    pub(crate) fn check_whole(&mut self, format: &str) -> Result<()> {
        self.check_format(format)?;
        let Some(parts) = self.parts()? else { return Ok(()) };
        let why = format!("has only what {parts} selects of a file; a new one needs the document of a whole file");
        Err(EditError::malformed(None, why))
    }
}

/// Whether two values are equal, numbers by value; objects may lack members.
pub(crate) fn same(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Number(old), Json::Number(new)) => match (integer(old), integer(new)) {
            (Some(old), Some(new)) => old == new,
            // Numbers behind 2^53 may have been rounded, and a sign of zero be lost.
            (Some(_), None) | (None, Some(_)) => {
                old.as_f64().partial_cmp(&new.as_f64().unwrap_or(f64::NAN).into()) == Some(Ordering::Equal)
            }
            // Files have floats of 32 bits, whose digits are those of one.
            (None, None) => old.as_f64().map(single_bits) == new.as_f64().map(single_bits),
        },
        (Json::Array(old), Json::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new))
        }
        (Json::Object(old), Json::Object(new)) => {
            new.iter().all(|(name, new)| old.get(name).is_some_and(|old| same(old, new)))
        }
        _ => old == new,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest float of 32 bits is meant")]
const fn single_bits(number: f64) -> u32 {
    (number as f32).to_bits()
}

fn integer(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Returns an integer, which may be written as `1e6`.
pub(crate) fn whole(json: &Json) -> Option<i128> {
    let Json::Number(number) = json else { return None };
    integer(number).or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e19)?;
        #[expect(clippy::cast_possible_truncation, reason = "in range")]
        Some(float as i128)
    })
}

/// Returns an integer that fits into a word.
pub(crate) fn word(json: &Json) -> Read<u32> {
    let number = whole(json).ok_or_else(|| format!("expected an integer, found {}", shown(json)))?;
    u32::try_from(number).map_err(|_| format!("{number} does not fit: 0 to {}", u32::MAX))
}

/// Returns a 32-bit float: a number, or the name of one that is not finite.
pub(crate) fn single(json: &Json) -> Option<f32> {
    match json {
        Json::Number(number) => number.as_f64().and_then(nearest_float),
        Json::String(name) => float(name, false).filter(|float| !float.is_finite()),
        _ => None,
    }
}

/// A value for messages.
pub(crate) fn shown(json: &Json) -> String {
    match json {
        Json::Array(list) => format!("a list of {}", list.len()),
        Json::Object(_) => "an object".to_owned(),
        Json::String(text) => Value::from(text.as_str()).to_string(),
        other => other.to_string(),
    }
}
