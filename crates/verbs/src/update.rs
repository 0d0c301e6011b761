//! `PATH|=UPDATE`: arithmetic with the value of a field, or the replacement of text in it.

use std::str::FromStr;

use regex::{Regex, RegexBuilder};
use worldview::Path;
use worldview::describe::{Charset, Field, FieldValue};
use worldview_edit::{EditError, EditErrorKind, Value, fields};
use worldview_export::Encoding;

/// A function of the old value.
#[derive(Clone, Debug)]
pub(crate) enum Update {
    Arithmetic(Operator, Decimal),
    Replace { regex: Regex, with: String, all: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// An exact decimal number: digits, and how many of them are behind the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: i128,
    scale: u32,
}

/// A new value.
pub(crate) struct Updated {
    pub(crate) value: Value,
    /// The exact result, if it was rounded to an integer.
    pub(crate) rounded: Option<f64>,
}

const EXPECTED: &str = "expected +N, -N, *N, /N or s/REGEX/TEXT/ after `|=`";

impl FromStr for Update {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let operator = match text.chars().next() {
            Some('+') => Operator::Add,
            Some('-') => Operator::Subtract,
            Some('*') => Operator::Multiply,
            Some('/') => Operator::Divide,
            Some('s') => return replacement(&text[1..]),
            _ => return Err(format!("{EXPECTED}; `=` alone sets a value")),
        };
        let operand: Decimal = text[1..].trim().parse()?;
        if operator == Operator::Divide && operand.digits == 0 {
            return Err("division by zero".to_owned());
        }
        Ok(Self::Arithmetic(operator, operand))
    }
}

/// Parses `/REGEX/TEXT/FLAGS`, with any mark in place of the slash, as `sed` does.
fn replacement(text: &str) -> Result<Update, String> {
    let mark = text.chars().next().filter(|mark| !mark.is_alphanumeric() && *mark != '\\').ok_or(EXPECTED)?;
    let mut parts = vec![String::new()];
    let mut chars = text[mark.len_utf8()..].chars();
    while let Some(char) = chars.next() {
        let last = parts.len() - 1;
        match char {
            // An escaped mark is the mark itself; any other escape is one of the expression.
            '\\' => match chars.next() {
                Some(next) if next == mark => parts[last].push(mark),
                next => parts[last].extend(std::iter::once('\\').chain(next)),
            },
            char if char == mark => parts.push(String::new()),
            char => parts[last].push(char),
        }
    }
    let [regex, with, flags] = &parts[..] else {
        return Err(format!("expected s{mark}REGEX{mark}TEXT{mark}"));
    };
    if let Some(flag) = flags.chars().find(|flag| !matches!(flag, 'g' | 'i')) {
        return Err(format!("unknown flag {flag:?}; `g` replaces all matches of a text, `i` ignores case"));
    }
    let regex = RegexBuilder::new(regex).case_insensitive(flags.contains('i')).build();
    let regex = regex.map_err(|error| error.to_string())?;
    Ok(Update::Replace { regex, with: with.clone(), all: flags.contains('g') })
}

impl FromStr for Decimal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        let is_number = !all.is_empty() && all.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || all.len() > Self::MAX_DIGITS {
            return Err(format!("expected a decimal number of at most {} digits, found {text:?}", Self::MAX_DIGITS));
        }
        let digits: i128 = all.parse().map_err(|_| EXPECTED)?;
        let scale = u32::try_from(fraction.len()).map_err(|_| EXPECTED)?;
        Ok(Self { digits: if is_negative { -digits } else { digits }, scale })
    }
}

impl Decimal {
    /// Maximum number of digits, so that the product with any integer of 64 bits fits into 128.
    const MAX_DIGITS: usize = 18;

    fn as_f64(self) -> f64 {
        self.digits as f64 / 10_f64.powi(self.scale as i32)
    }
}

impl Update {
    /// Returns what becomes of the value of a field. Returns an error if the field holds another type of value.
    pub(crate) fn apply(&self, field: &Field<'_>, path: &Path, encoding: Encoding) -> Result<Updated, EditError> {
        let exact = |value: Value| Ok(Updated { value, rounded: None });
        let found = || fields::value_of(field.value, field.stored);
        let wrong = |wanted| Err(EditError::new(path, EditErrorKind::WrongType { wanted, found: found() }));
        match (self, field.value) {
            (Self::Replace { regex, with, all }, FieldValue::Text(text)) => {
                let (encoding, wanted) = match text.charset {
                    Charset::Undeclared => (encoding, "text in the code page of --encoding"),
                    Charset::Utf8 => (Encoding::UTF_8, "text in UTF-8"),
                };
                let old = encoding.decode(text.text);
                if encoding.encode(&old).is_none_or(|bytes| bytes != text.text) {
                    return wrong(wanted);
                }
                let new = regex.replacen(&old, usize::from(!all), &**with);
                // What does not match keeps the bytes behind it, too.
                exact(if new == old { found() } else { written(&new, encoding, path)? })
            }
            (Self::Replace { .. }, _) => wrong("a text, to replace something in it"),
            (Self::Arithmetic(operator, operand), _) => match found() {
                Value::Integer(old) => {
                    let (value, rounded) = operator.of_integer(old, *operand);
                    Ok(Updated { value: Value::Integer(value), rounded })
                }
                Value::Integers(list) => {
                    let new: Vec<_> = list.iter().map(|old| operator.of_integer(*old, *operand)).collect();
                    let rounded = new.iter().find_map(|(_, rounded)| *rounded);
                    Ok(Updated { value: Value::Integers(new.into_iter().map(|(new, _)| new).collect()), rounded })
                }
                Value::Float(old) => operator.of_float(old.0, *operand, path).and_then(|new| exact(new.into())),
                Value::Floats(list) => {
                    let new = list.iter().map(|old| operator.of_float(old.0, *operand, path));
                    exact((&new.collect::<Result<Vec<_>, _>>()?[..]).into())
                }
                _ => wrong("a number, to calculate with it"),
            },
        }
    }
}

/// Returns a text as changes express it: in another code page than theirs, as bytes.
pub(crate) fn written(text: &str, encoding: Encoding, path: &Path) -> Result<Value, EditError> {
    if text.is_ascii() || [Encoding::default(), Encoding::UTF_8].contains(&encoding) {
        return Ok(text.into());
    }
    fields::encode_in(encoding, text, path).map(Value::Bytes)
}

impl Operator {
    /// Returns the result, rounded half away from zero, and the exact one if it is another. Nothing can overflow: an integer of a
    /// file has at most 64 bits, and a decimal number 18 digits.
    fn of_integer(self, old: i128, operand: Decimal) -> (i128, Option<f64>) {
        let Decimal { digits, scale } = operand;
        let ten = 10_i128.pow(scale);
        let (above, below) = match self {
            Self::Add => (old * ten + digits, ten),
            Self::Subtract => (old * ten - digits, ten),
            Self::Multiply => (old * digits, ten),
            Self::Divide => (old * ten * digits.signum(), digits.abs()),
        };
        let (quotient, rest) = (above / below, above % below);
        let rounded = quotient + if 2 * rest.abs() >= below { above.signum() } else { 0 };
        (rounded, (rest != 0).then(|| above as f64 / below as f64))
    }

    fn of_float(self, old: f32, operand: Decimal, path: &Path) -> Result<f32, EditError> {
        let (old, by) = (f64::from(old), operand.as_f64());
        let new = match self {
            Self::Add => old + by,
            Self::Subtract => old - by,
            Self::Multiply => old * by,
            Self::Divide => old / by,
        };
        #[expect(clippy::cast_possible_truncation, reason = "what is too large becomes infinite, and is refused")]
        let new = new as f32;
        if old.is_finite() && !new.is_finite() {
            let limit = "a float of 32 bits".to_owned();
            return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: new.into(), limit }));
        }
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use worldview::describe::TextValue;

    use super::*;

    fn updated(update: &str, value: FieldValue<'_>) -> Result<(Value, Option<f64>), String> {
        let update: Update = update.parse()?;
        let new = update
            .apply(&Field::new("x", value), &Path::new(), Encoding::default())
            .map_err(|error| error.to_string())?;
        Ok((new.value, new.rounded))
    }

    #[test]
    fn numbers_are_exact_and_rounded_half_away_from_zero() {
        for (update, old, new, rounded) in [
            ("*0.5", 7, 4, Some(3.5)),
            ("*0.5", -7, -4, Some(-3.5)),
            ("*0.5", 8, 4, None),
            ("*1.1", 10, 11, None),
            ("*0.333", 10, 3, Some(3.33)),
            ("/3", 10, 3, Some(10.0 / 3.0)),
            ("/-4", 10, -3, Some(-2.5)),
            ("/0.25", 10, 40, None),
            ("+10", -3, 7, None),
            ("-0.5", 1, 1, Some(0.5)),
            ("--5", 1, 6, None),
            ("*999999999999999999", i64::MAX, i128::from(i64::MAX) * 999_999_999_999_999_999, None),
        ] {
            let expected = (Value::Integer(new), rounded);
            assert_eq!(updated(update, FieldValue::Int(old)), Ok(expected), "{old} {update}");
        }
        assert_eq!(updated("*0.5", FieldValue::Float(0.5)), Ok((0.25_f32.into(), None)));
        assert!(updated("*100", FieldValue::Float(f32::MAX)).unwrap_err().contains("32 bits"));
    }

    #[test]
    fn text_is_replaced_as_sed_does() {
        for (update, old, new) in [
            ("s/Potion/Elixir/", "Potion of Potion", "Elixir of Potion"),
            ("s/Potion/Elixir/g", "Potion of Potion", "Elixir of Elixir"),
            ("s/^potion/x/i", "Potion", "x"),
            ("s|a/b|c|", "a/b", "c"),
            (r"s/a\/b/c\//", "a/b", "c/"),
            (r"s/(\w+)_(\w+)/${2}_$1/", "hi_lo", "lo_hi"),
            ("s/none/x/", "Potion", "Potion"),
        ] {
            let text = FieldValue::Text(TextValue::plain(old.as_bytes(), Charset::Utf8));
            assert_eq!(updated(update, text), Ok((Value::from(new), None)), "{update}");
        }
    }

    #[test]
    fn what_an_update_is_not() {
        for (wrong, why) in [
            ("5", "expected +N"),
            ("", "expected +N"),
            ("*x", "decimal number"),
            ("*", "decimal number"),
            ("*1e3", "decimal number"),
            ("/0", "zero"),
            ("s/a/b", "s/REGEX/TEXT/"),
            ("s/a/b/q", "flag"),
            ("s/(/b/", "unclosed"),
            ("set", "expected +N"),
        ] {
            assert!(wrong.parse::<Update>().unwrap_err().contains(why), "{wrong}");
        }
        assert!(updated("s/1/2/", FieldValue::Int(1)).unwrap_err().contains("expected a text"));
        let text = FieldValue::Text(TextValue::plain(b"1", Charset::Utf8));
        assert!(updated("*2", text).unwrap_err().contains("expected a number"));
    }
}
