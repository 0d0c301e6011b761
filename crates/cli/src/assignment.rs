//! `PATH=VALUE`, whose value is read as the type of the field.

use std::str::FromStr;

use worldview::{Path, split_at_unescaped};
use worldview_edit::Value;

/// A field and its new value.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) path: Path,
    /// What the text can mean, the most specific type first. The type of the field decides.
    pub(crate) values: Vec<Value>,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, value) = split_at_unescaped(text, '=');
        let value = value.ok_or("expected PATH=VALUE")?;
        let path: Path = path.parse().map_err(|error| format!("{error}"))?;
        if path.is_empty() {
            return Err("expected the path of a field before `=`".to_owned());
        }
        worldview_edit::check_path(&path).map_err(|error| error.to_string())?;
        Ok(Self { path, values: values(value)? })
    }
}

fn values(text: &str) -> Result<Vec<Value>, String> {
    if text.starts_with(['"', '[', '{']) {
        let value = serde_json::from_str(text);
        return value.map(|value| vec![value]).map_err(|error| {
            format!("a value that begins with a quote, a bracket or a brace is JSON: {error}; write a text in quotes")
        });
    }
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => u64::from_str_radix(hex, 16).ok(),
        _ if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
        _ => None,
    };
    let mut values = Vec::new();
    let integer = magnitude.map(|magnitude| if is_negative { -i128::from(magnitude) } else { i128::from(magnitude) });
    values.extend(integer.map(Value::Integer));
    // Words such as `inf` are texts.
    if digits.starts_with(|char: char| char.is_ascii_digit() || char == '.') {
        values.extend(text.parse::<f32>().ok().filter(|float| float.is_finite()).map(Value::from));
    }
    values.push(Value::from(text));
    Ok(values)
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
            (r#"a/b={"bytes":"ff"}"#, "a/b", vec![Value::Bytes(vec![255])]),
        ] {
            let Assignment { path: found, values: all } = assignment.parse().unwrap();
            assert_eq!((found.to_string().as_str(), all), (path, values), "{assignment}");
        }
        for (wrong, why) in
            [("a/b", "PATH=VALUE"), ("=1", "expected the path"), ("a/b={x}", "is JSON"), ("a//b=1", "segment is empty")]
        {
            assert!(wrong.parse::<Assignment>().unwrap_err().contains(why), "{wrong}");
        }
    }
}
