//! `PATH=VALUE`, whose value is parsed as the type of the field, and `PATH|=UPDATE`, which computes the new value from the old one.

use std::str::FromStr;

use worldview::{Path, PathError, split_at_unescaped};
use worldview_edit::{EditError, Value};
use worldview_export::Encoding;
use worldview_inspect::{PathPattern, expand_braces};

use crate::update::{Update, written};

/// The fields that a path or pattern selects, and their new values.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The text from the command line.
    pub(crate) text: String,
    /// The path of a single field.
    pub(crate) path: Path,
    /// The path as patterns; several if it has braces.
    pub(crate) patterns: Vec<PathPattern>,
    pub(crate) to: To,
}

#[derive(Clone, Debug)]
pub(crate) enum To {
    /// The values that the text after `=` can mean, the most specific type first. The field determines which one is meant.
    Values(Vec<Value>),
    /// The update after `|=`.
    Update(Update),
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
        let patterns = expand_braces(path, true)?;
        let patterns =
            patterns.iter().map(|pattern| pattern.parse().map_err(|error: PathError| meant(error.to_string())));
        let patterns = patterns.collect::<Result<_, _>>()?;
        let path: Path = path.parse().map_err(|error: PathError| meant(error.to_string()))?;
        if path.is_empty() {
            return Err("expected the path of a field before `=`".to_owned());
        }
        worldview_edit::check_path(&path).map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), path, patterns, to })
    }
}

impl Assignment {
    /// Encodes texts in a code page.
    pub(crate) fn encode(&mut self, encoding: Encoding) -> Result<(), EditError> {
        let To::Values(values) = &mut self.to else { return Ok(()) };
        for value in values {
            if let Value::Text(text) = value {
                *value = written(text, encoding, &self.path)?;
            }
        }
        Ok(())
    }

    /// Returns what to write instead of an operator before `=`, such as `+=`, which many languages have.
    pub(crate) fn meant_update(&self) -> Option<String> {
        let (path, value) = split_at_unescaped(&self.text, '=');
        meant_update(path, value?)
    }

    /// Returns whether the fields have to be looked up before they can be set: because of a pattern, or for their old values.
    pub(crate) fn is_bulk(&self) -> bool {
        let is_literal = matches!(&self.patterns[..], [pattern] if pattern.path().is_some());
        matches!(self.to, To::Update(_)) || !is_literal
    }
}

fn meant_update(path: &str, value: &str) -> Option<String> {
    let operator = path.chars().next_back().filter(|last| "+-*/".contains(*last))?;
    let path = path.strip_suffix(operator).filter(|path| !path.ends_with('\\'))?;
    let update = format!("{operator}{value}");
    update.parse::<Update>().ok().map(|_| format!("is not an update; write {path}|={update}"))
}

/// Returns the values that a text can mean, the most specific type first. The field determines which one is meant.
///
/// # Errors
///
/// Returns an error if the text begins like JSON but is not valid JSON.
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
    // Several numbers, separated by spaces as in `show` or by commas.
    if text.contains([' ', ',']) {
        let parts = || text.split([' ', ',']).filter(|part| !part.is_empty());
        values.extend(parts().map(integer).collect::<Option<_>>().map(Value::Integers));
        values.extend(parts().map(float).collect::<Option<Vec<_>>>().map(|floats| floats.as_slice().into()));
    }
    values.push(Value::from(text));
    Ok(values)
}

/// Returns whether `text` has a minus sign, and the rest of it.
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

/// Parses a finite float. Words such as `inf` are texts.
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
    fn patterns_and_updates_need_the_file() {
        for (assignment, is_bulk) in [
            ("*/uPrice=1", true),
            ("it_?/uPrice=1", true),
            (r"a\*/b|=*2", true),
            (r"a\*/b=2", false),
            ("plane:Action/object:17#1/x=1", false),
            ("*:Action/x=1", true),
            ("a/{b,c}=1", true),
            (r"a/\{b,c\}=1", false),
        ] {
            assert_eq!(assignment.parse::<Assignment>().unwrap().is_bulk(), is_bulk, "{assignment}");
        }
    }
}
