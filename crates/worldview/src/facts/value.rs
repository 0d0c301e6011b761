use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use super::Facts;

/// The value of a fact.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// The fact does not apply, so JSON and text leave it out.
    Absent,
    /// There is none: `null` in JSON.
    None,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Text(Cow<'static, str>),
    Values(Box<[Self]>),
    Members(Box<[(&'static str, Self)]>),
    List(Box<Facts>),
}

impl Value {
    /// Returns the value of a fact that applies if there is one.
    pub(super) fn if_any(value: Option<impl Into<Self>>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

macro_rules! from {
    ($($from:ty: $value:pat => $into:expr,)+) => {$(
        impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $into
            }
        }
    )+};
}

from! {
    bool: value => Self::Bool(value),
    i32: value => Self::Int(value.into()),
    u32: value => Self::Uint(value.into()),
    u64: value => Self::Uint(value),
    usize: value => Self::Uint(value as u64),
    f64: value => Self::Float(value),
    &'static str: value => Self::Text(value.into()),
    String: value => Self::Text(value.into()),
    Facts: value => Self::List(Box::new(value)),
}

impl<V: Into<Self>> From<Option<V>> for Value {
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

impl<V: Into<Self>> From<Vec<V>> for Value {
    fn from(values: Vec<V>) -> Self {
        Self::Values(values.into_iter().map(Into::into).collect())
    }
}

impl<V: Into<Self>, const N: usize> From<[(&'static str, V); N]> for Value {
    fn from(members: [(&'static str, V); N]) -> Self {
        Self::Members(members.into_iter().map(|(name, value)| (name, value.into())).collect())
    }
}

/// Writes the text of cells and lines. Numbers are separated by commas.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent | Self::None | Self::Members(_) | Self::List(_) => Ok(()),
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Uint(value) => value.fmt(f),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Text(value) => f.write_str(value),
            Self::Values(values) => values.iter().enumerate().try_for_each(|(index, value)| match value {
                _ if index == 0 => value.fmt(f),
                Self::Text(_) => write!(f, " {value}"),
                _ => write!(f, ", {value}"),
            }),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent | Self::None => serializer.serialize_none(),
            Self::Bool(value) => value.serialize(serializer),
            Self::Int(value) => value.serialize(serializer),
            Self::Uint(value) => value.serialize(serializer),
            Self::Float(value) => value.serialize(serializer),
            Self::Text(value) => value.serialize(serializer),
            Self::Values(values) => values.serialize(serializer),
            Self::Members(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
            Self::List(list) => serializer.collect_seq(list.objects()),
        }
    }
}
