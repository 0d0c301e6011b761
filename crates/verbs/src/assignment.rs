//! `PATH=VALUE`, whose value is read as the type of the field, and `PATH|=UPDATE`, which makes the new value from the old one.

use std::str::FromStr;

use worldview::{Path, PathError, Segment, split_at_unescaped};
use worldview_edit::{EditError, Value};
use worldview_export::Encoding;

use crate::only::Pattern;
use crate::update::{Update, written};

/// The fields that a path or pattern selects, and their new values.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The text from the command line.
    pub(crate) text: String,
    /// The path of a single field.
    pub(crate) path: Path,
    pub(crate) pattern: Vec<SegmentPattern>,
    pub(crate) to: To,
}

#[derive(Clone, Debug)]
pub(crate) enum To {
    /// The values that the text after `=` can mean, the most specific type first. The type of the field decides.
    Values(Vec<Value>),
    /// The update after `|=`.
    Update(Update),
}

/// A segment of a path whose key is a pattern.
#[derive(Clone, Debug)]
pub(crate) struct SegmentPattern {
    kind: Option<String>,
    key: Pattern,
    nth: Option<u32>,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, value) = split_at_unescaped(text, '=');
        let value = value.ok_or("expected PATH=VALUE or PATH|=UPDATE")?;
        let (path, to) = match path.strip_suffix('|') {
            Some(path) => (path, To::Update(value.parse()?)),
            None => (path, To::Values(values(value)?)),
        };
        let meant = |error: String| meant_update(path, value).unwrap_or(error);
        let pattern = segments(path)?;
        let path: Path = path.parse().map_err(|error: PathError| meant(error.to_string()))?;
        if path.is_empty() {
            return Err("expected the path of a field before `=`".to_owned());
        }
        worldview_edit::check_path(&path).map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), path, pattern, to })
    }
}

impl Assignment {
    /// Makes texts what a code page has for them.
    pub(crate) fn encode(&mut self, encoding: Encoding) -> Result<(), EditError> {
        let To::Values(values) = &mut self.to else { return Ok(()) };
        for value in values {
            if let Value::Text(text) = value {
                *value = written(text, encoding, &self.path)?;
            }
        }
        Ok(())
    }

    /// Returns what to write instead if the operator of an update is before `=`, as in many languages.
    pub(crate) fn meant_update(&self) -> Option<String> {
        let (path, value) = split_at_unescaped(&self.text, '=');
        meant_update(path, value?)
    }

    /// Returns whether the fields, or their old values, have to be found before anything can be set.
    pub(crate) fn is_bulk(&self) -> bool {
        matches!(self.to, To::Update(_)) || self.pattern.iter().any(|segment| !segment.key.is_literal())
    }
}

impl SegmentPattern {
    /// Returns a pattern for the name of a file in an archive.
    pub(crate) fn literal(name: &[u8]) -> Self {
        Self { kind: None, key: Pattern::literal(name), nth: None }
    }

    pub(crate) fn matches(&self, segment: &Segment<'_>) -> bool {
        let is_nth = self.nth.is_none_or(|nth| nth == segment.nth.unwrap_or(0));
        self.kind.as_deref() == segment.kind && is_nth && self.key.matches(&segment.key)
    }

    pub(crate) fn matches_name(&self, name: &str) -> bool {
        self.matches(&Segment { kind: None, key: name.as_bytes().into(), nth: None })
    }
}

fn meant_update(path: &str, value: &str) -> Option<String> {
    let operator = path.chars().next_back().filter(|last| "+-*/".contains(*last))?;
    let path = path.strip_suffix(operator).filter(|path| !path.ends_with('\\'))?;
    let update = format!("{operator}{value}");
    update.parse::<Update>().ok().map(|_| format!("is not an update; write {path}|={update}"))
}

fn segments(path: &str) -> Result<Vec<SegmentPattern>, String> {
    let (mut all, mut rest) = (Vec::new(), Some(path));
    while let Some(here) = rest {
        let (text, behind) = split_at_unescaped(here, '/');
        let parsed: Path = text.parse().map_err(|error| format!("{error}"))?;
        let key = Pattern::of_key(text)?;
        let segment = |segment: Segment<'_>| SegmentPattern {
            kind: segment.kind.map(str::to_owned),
            key: key.clone(),
            nth: segment.nth,
        };
        all.extend(parsed.segments().map(segment));
        rest = behind;
    }
    Ok(all)
}

/// Returns what a text can mean as the value of a field, the most specific type first. The type of the field decides.
///
/// # Errors
///
/// Returns an error if the text begins like JSON, but is none.
pub fn values(text: &str) -> Result<Vec<Value>, String> {
    if text.starts_with(['"', '[', '{']) {
        let value = serde_json::from_str(text);
        return value.map(|value| vec![value]).map_err(|error| {
            format!("a value that begins with a quote, a bracket or a brace is JSON: {error}; write a text in quotes")
        });
    }
    let mut values = Vec::new();
    values.extend(integer(text).map(Value::Integer));
    values.extend(float(text).map(Value::from));
    // Several numbers as `show` prints them, or as JSON has them.
    if text.contains([' ', ',']) {
        let parts = || text.split([' ', ',']).filter(|part| !part.is_empty());
        values.extend(parts().map(integer).collect::<Option<_>>().map(Value::Integers));
        values.extend(parts().map(float).collect::<Option<Vec<_>>>().map(|floats| floats.as_slice().into()));
    }
    values.push(Value::from(text));
    Ok(values)
}

/// Returns `text` without its minus sign, and whether it has one.
fn digits(text: &str) -> (bool, &str) {
    text.strip_prefix('-').map_or((false, text), |digits| (true, digits))
}

fn integer(text: &str) -> Option<i128> {
    let (is_negative, digits) = digits(text);
    let magnitude: i128 = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => u64::from_str_radix(hex, 16).ok()?.into(),
        _ if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse::<u64>().ok()?.into(),
        _ => return None,
    };
    Some(if is_negative { -magnitude } else { magnitude })
}

/// Returns a finite float. Words such as `inf` are texts.
fn float(text: &str) -> Option<f32> {
    let (_, digits) = digits(text);
    let is_number = digits.starts_with(|char: char| char.is_ascii_digit() || char == '.');
    text.parse().ok().filter(|float: &f32| is_number && float.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_what_its_text_can_mean() {
        let text = |text: &str| Value::from(text);
        for (assignment, path, values) in [
            ("a/b=10", "a/b", vec![10.into(), 10.0_f32.into(), text("10")]),
            ("a/b=-0x1F", "a/b", vec![(-31).into(), text("-0x1F")]),
            (
                "a/b=18446744073709551615",
                "a/b",
                vec![u64::MAX.into(), 1.844_674_4e19_f32.into(), text("18446744073709551615")],
            ),
            ("a/b=.5", "a/b", vec![0.5_f32.into(), text(".5")]),
            ("a/b=inf", "a/b", vec![text("inf")]),
            ("a/b=x=y", "a/b", vec![text("x=y")]),
            (r"a\=b/c=", r"a\=b/c", vec![text("")]),
            (r#"a/b="10""#, "a/b", vec![text("10")]),
            ("a/b=[1,-2]", "a/b", vec![Value::Integers(vec![1, -2])]),
            ("a/b=1 -2", "a/b", vec![Value::Integers(vec![1, -2]), [1.0_f32, -2.0].as_slice().into(), text("1 -2")]),
            ("a/b=.5,1", "a/b", vec![[0.5_f32, 1.0].as_slice().into(), text(".5,1")]),
            ("a/b=0.0 -2", "a/b", vec![[0.0_f32, -2.0].as_slice().into(), text("0.0 -2")]),
            ("a/b=1 up", "a/b", vec![text("1 up")]),
            (r#"a/b={"bytes":"ff"}"#, "a/b", vec![Value::Bytes(vec![255])]),
        ] {
            let Assignment { path: found, to: To::Values(all), .. } = assignment.parse().unwrap() else {
                panic!("{assignment}");
            };
            assert_eq!((found.to_string().as_str(), all), (path, values), "{assignment}");
        }
        for (wrong, why) in
            [("a/b", "PATH=VALUE"), ("=1", "expected the path"), ("a/b={x}", "is JSON"), ("a//b=1", "segment is empty")]
        {
            assert!(wrong.parse::<Assignment>().unwrap_err().contains(why), "{wrong}");
        }
    }

    #[test]
    fn a_pattern_selects_paths() {
        for (assignment, path, is_bulk, matches) in [
            ("*/uPrice=1", "it_potion/uprice", true, true),
            ("it_?/uPrice=1", "it_12/uPrice", true, false),
            (r"a\*/b|=*2", "a*/b", true, true),
            (r"a\*/b=2", "ab/b", false, false),
            ("plane:*/object:*/x|=+1", "plane:Action/object:17#1/x", true, true),
            ("plane:*/object:*/x|=+1", "plane:Action/@object/x", true, false),
            ("plane:*/image_set#2=x", "plane:Action/image_set#2", true, true),
            ("plane:*/image_set=x", "plane:Action/image_set#2", true, true),
            ("plane:*/image_set#0=x", "plane:Action/image_set#2", true, false),
            ("@na*=x", "@name", true, true),
        ] {
            let all: Assignment = assignment.parse().unwrap();
            let path: Path = path.parse().unwrap();
            let is_match = path.len() == all.pattern.len()
                && path.segments().zip(&all.pattern).all(|(segment, pattern)| pattern.matches(&segment));
            assert_eq!((all.is_bulk(), is_match), (is_bulk, matches), "{assignment} {path}");
        }
    }
}
