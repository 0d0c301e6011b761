//! The types of options.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::slice;

use serde_json::Value;
use worldview_export::Encoding;
use worldview_export::model::glb::LodChoice;

use super::{Choice, Row, Spec};
use crate::only::{Term, join_kinds};

/// How many values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// None: the option is given or not.
    Flag,
    /// One, with a default.
    One,
    /// None or one.
    Optional,
    /// Any number.
    List,
}

/// The type of a value in other languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A text or a number.
    TextOrNumber,
    /// A path.
    Path,
}

/// One value of an option.
pub trait Scalar: Sized {
    /// The form of the value.
    const FORM: Form;

    /// Returns the possible values, if they can be listed.
    fn choices() -> Vec<Choice> {
        Vec::new()
    }

    /// Parses an argument of a command line.
    ///
    /// # Errors
    ///
    /// Returns what was expected.
    fn parse(text: &OsStr, spec: &Spec) -> Result<Self, String>;

    /// Returns the argument that is parsed as this value. Types that no default has need not implement it.
    fn text(&self) -> String {
        String::new()
    }

    /// Called with all values of a list, whose meaning may depend on each other.
    fn join(_: &mut [Self]) {}
}

/// The type of an option: a [`Scalar`], or an `Option` or `Vec` of one.
pub trait OptionValue: Sized {
    /// The type of a value.
    type One: Scalar;

    /// How many values there are.
    const KIND: Kind;

    /// Creates an option from its values. An option with a single value takes the last one.
    fn of(values: Vec<Self::One>) -> Option<Self>;

    /// Returns the values.
    fn values(&self) -> &[Self::One];
}

impl<T: Scalar> OptionValue for Option<T> {
    type One = T;
    const KIND: Kind = Kind::Optional;

    fn of(mut values: Vec<T>) -> Option<Self> {
        Some(values.pop())
    }

    fn values(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Scalar> OptionValue for Vec<T> {
    type One = T;
    const KIND: Kind = Kind::List;

    fn of(mut values: Self) -> Option<Self> {
        T::join(&mut values);
        Some(values)
    }

    fn values(&self) -> &[T] {
        self
    }
}

impl<T: Scalar> OptionValue for T {
    type One = T;
    const KIND: Kind = if matches!(T::FORM, Form::Bool) { Kind::Flag } else { Kind::One };

    fn of(mut values: Vec<T>) -> Option<Self> {
        values.pop()
    }

    fn values(&self) -> &[T] {
        slice::from_ref(self)
    }
}

/// A factor of the default limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits(f64);

impl Limits {
    /// The default limits.
    pub const DEFAULT: Self = Self(1.0);

    /// Returns the factor, which is infinite if there are no limits.
    pub const fn factor(self) -> f64 {
        self.0
    }

    /// Returns a limit: the number that was set, or else the default times the factor.
    pub fn of(self, number: Option<u64>, default: u64) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        number.unwrap_or((default as f64 * self.0) as u64)
    }
}

impl Scalar for Limits {
    const FORM: Form = Form::TextOrNumber;

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        let factor = match utf8(text)? {
            "off" => Some(f64::INFINITY),
            number => number.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0),
        };
        factor.map(Self).ok_or_else(|| "expected a number above 0, or off".to_owned())
    }

    fn text(&self) -> String {
        self.0.to_string()
    }
}

/// The value of an option of any type.
pub trait Slot {
    /// Returns the row of the option, with the value as its default.
    fn row(&self, spec: &'static Spec) -> Row;

    /// Sets the value from arguments of a command line.
    ///
    /// # Errors
    ///
    /// Returns what was expected.
    fn set_texts(&mut self, spec: &Spec, texts: &[OsString]) -> Result<(), String>;

    /// Sets the value from a value of another language, unless that is `null`.
    ///
    /// # Errors
    ///
    /// Returns what was expected.
    fn set_value(&mut self, spec: &Spec, value: &Value) -> Result<(), String>;
}

impl<T: OptionValue> Slot for T {
    fn row(&self, spec: &'static Spec) -> Row {
        let values = if T::KIND == Kind::Flag { &[] } else { self.values() };
        Row {
            spec,
            kind: T::KIND,
            form: T::One::FORM,
            choices: T::One::choices(),
            default: values.iter().map(T::One::text).filter(|text| !text.is_empty()).collect(),
            check: |spec, text| T::One::parse(text, spec).map(drop),
        }
    }

    fn set_texts(&mut self, spec: &Spec, texts: &[OsString]) -> Result<(), String> {
        let flag = [OsString::from("true")];
        let texts = if T::KIND == Kind::Flag && texts.is_empty() { &flag } else { texts };
        let values = texts.iter().map(|text| T::One::parse(text, spec)).collect::<Result<_, _>>()?;
        *self = T::of(values).ok_or("expected a value")?;
        Ok(())
    }

    fn set_value(&mut self, spec: &Spec, value: &Value) -> Result<(), String> {
        let values = match value {
            Value::Null => return Ok(()),
            Value::Array(values) if T::KIND == Kind::List => values,
            value => slice::from_ref(value),
        };
        let texts = values.iter().map(|value| text_of(value, T::One::FORM)).collect::<Result<Vec<_>, _>>()?;
        self.set_texts(spec, &texts)
    }
}

/// Converts a value of another language to an argument of a command line.
fn text_of(value: &Value, form: Form) -> Result<OsString, &'static str> {
    match (value, form) {
        (Value::Bool(value), Form::Bool) => Ok(value.to_string().into()),
        (Value::Number(number), Form::Number | Form::TextOrNumber) => Ok(number.to_string().into()),
        (Value::String(text), Form::Text | Form::TextOrNumber | Form::Path) => Ok(text.into()),
        (_, Form::Bool) => Err("expected true or false"),
        (_, Form::Number) => Err("expected a number"),
        (_, Form::Text | Form::TextOrNumber) => Err("expected a text"),
        (_, Form::Path) => Err("expected a path"),
    }
}

/// Returns a text as UTF-8.
pub(super) fn utf8(text: &OsStr) -> Result<&str, String> {
    text.to_str().ok_or_else(|| "expected UTF-8".to_owned())
}

/// Returns the message of an error.
fn message(error: impl Display) -> String {
    error.to_string()
}

impl Scalar for bool {
    const FORM: Form = Form::Bool;

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        utf8(text)?.parse().map_err(|_| "expected true or false".to_owned())
    }
}

/// Numbers, and the types that they are parsed as, which affect the messages about numbers out of range.
macro_rules! numbers {
    ($($type:ty: $wide:ty),+) => { $(
        impl Scalar for $type {
            const FORM: Form = Form::Number;

            fn parse(text: &OsStr, spec: &Spec) -> Result<Self, String> {
                let number: $wide = utf8(text)?.parse().map_err(message)?;
                let range = *spec.range.start()..=(*spec.range.end()).min(Self::MAX.into());
                let in_range = u64::try_from(number).is_ok_and(|number| range.contains(&number));
                let number = Self::try_from(number).ok().filter(|_| in_range);
                number.ok_or_else(|| format!("{} is not in {range:?}", text.to_string_lossy()))
            }

            fn text(&self) -> String {
                self.to_string()
            }
        }
    )+ };
}

numbers!(u16: i64, u32: i64, u64: u64);

impl Scalar for String {
    const FORM: Form = Form::Text;

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        utf8(text).map(str::to_owned)
    }

    fn text(&self) -> String {
        self.clone()
    }
}

impl Scalar for PathBuf {
    const FORM: Form = Form::Path;

    fn parse(text: &OsStr, spec: &Spec) -> Result<Self, String> {
        let path = Self::from(text);
        let missing = spec.exists.then(|| path.metadata().err()).flatten();
        // Other errors occur again when the file is opened.
        missing.filter(|error| error.kind() == io::ErrorKind::NotFound).map_or(Ok(path), |error| Err(message(error)))
    }
}

impl Scalar for Term {
    const FORM: Form = Form::Text;

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        utf8(text)?.parse()
    }

    fn join(terms: &mut [Self]) {
        join_kinds(terms);
    }
}

impl Scalar for Encoding {
    const FORM: Form = Form::Text;

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        let label = utf8(text)?;
        // A number on its own is that of a Windows code page.
        let found = Self::for_label(label).or_else(|| Self::for_label(&format!("windows-{label}")));
        found.ok_or_else(|| {
            "no such code page; https://encoding.spec.whatwg.org/#names-and-labels lists them".to_owned()
        })
    }

    fn text(&self) -> String {
        self.name().to_owned()
    }
}

impl Scalar for LodChoice {
    const FORM: Form = Form::TextOrNumber;

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        match utf8(text)? {
            "all" => Ok(Self::All),
            "best" => Ok(Self::Best),
            number => number.parse().map(Self::Level).map_err(|_| "expected best, all or a number".into()),
        }
    }

    fn text(&self) -> String {
        self.to_string()
    }
}
