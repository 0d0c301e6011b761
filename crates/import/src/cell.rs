//! Values of cells, as spreadsheets keep and lose them.

use std::borrow::Cow;

use worldview_edit::nearest_float;

/// Takes the apostrophe off a cell that it protects from being run as a formula.
pub(super) fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.starts_with(['=', '+', '-', '@', '\'', '\t', '\r', '\n']) => text,
        _ => cell,
    }
}

/// Returns a number of digits, a decimal point and an exponent, with a point for a decimal comma.
fn plain(cell: &str, has_commas: bool) -> Option<Cow<'_, str>> {
    let text = cell.trim();
    let is_plain = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E' | b',');
    if !text.bytes().all(is_plain) || !text.contains(|char: char| char.is_ascii_digit()) {
        return None;
    }
    match text.split_once(',') {
        None => Some(text.into()),
        Some((whole, rest)) if has_commas && !rest.contains(',') && !text.contains('.') => {
            Some(format!("{whole}.{rest}").into())
        }
        Some(_) => None,
    }
}

/// Reads an integer, which may be written as `1E+06`, `5.0` or `0x1F`.
pub(super) fn integer(cell: &str, has_commas: bool) -> Option<i128> {
    // Of `1,000` nobody knows whether it is a thousand or one.
    if cell.split_once(',').is_some_and(|(_, rest)| rest.len() == 3) {
        return None;
    }
    let text = cell.trim();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok().map(i128::from);
    }
    let text = plain(cell, has_commas)?;
    if let Ok(integer) = text.parse() {
        return Some(integer);
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (&*text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() || significant == "-" || significant == "+" {
        return digits.parse().ok();
    }
    let zeros = digits.len().saturating_sub(significant.len());
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(i64::try_from(zeros).ok()?)?;
    let power = 10_i128.checked_pow(u32::try_from(shift).ok()?)?;
    significant.parse::<i128>().ok()?.checked_mul(power)
}

/// Reads a float by its number, or the name of one that is not finite.
pub(super) fn float(cell: &str, has_commas: bool) -> Option<f32> {
    let text = cell.trim();
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    if is("NaN") {
        return Some(f32::from_bits(0x7fc0_0000));
    } else if is("Infinity") {
        return Some(f32::INFINITY);
    } else if is("-Infinity") {
        return Some(f32::NEG_INFINITY);
    } else if let Some(digits) = text.strip_prefix("NaN:0x") {
        let float = f32::from_bits(u32::from_str_radix(digits, 16).ok()?);
        return float.is_nan().then_some(float);
    }
    let number = plain(cell, has_commas)?;
    nearest_float(number.parse().ok()?)?;
    // Not by way of 64 bits, which would round twice.
    number.parse().ok()
}

/// Whether a spreadsheet that read the number `old` writes `new`, which is not equal to it: spreadsheets keep 15 digits, and Excel
/// writes as many as a cell shows.
pub(super) fn is_rounded(old_text: &str, new: &str, has_commas: bool) -> bool {
    let Some(new) = plain(new, has_commas) else { return false };
    let (Ok(old), Ok(value)) = (old_text.parse::<f64>(), new.parse::<f64>()) else { return false };
    let is = |shown: String| shown.parse() == Ok(value);
    let digits = new.bytes().filter(u8::is_ascii_digit).count();
    if new.contains(['e', 'E']) {
        return is(format!("{old:.14e}")) || is(format!("{old:.5e}"));
    }
    // Excel drops the digits behind the fifteenth.
    let is_cut = |new: &str| {
        old_text.len() == new.len()
            && new
                .bytes()
                .zip(old_text.bytes())
                .zip(0..)
                .all(|((new, old), at)| if at < 15 { new == old } else { new == b'0' })
    };
    let decimals = new.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    digits >= 15 && (is(format!("{old:.14e}")) || is_cut(&new))
        || new.len() >= 10 && decimals > 0 && is(format!("{old:.decimals$}"))
}

/// Whether a spreadsheet that read the text `old` may have written `new`: it takes text for a number where it can, and
/// has its own line breaks.
pub(super) fn is_same_text(old: &str, new: &str) -> bool {
    if old == new {
        return true;
    }
    if old.contains('\r') && !new.contains('\r') {
        return old.replace("\r\n", "\n").replace('\r', "\n") == new;
    }
    // LibreOffice reads `_x1_` in a workbook as a character.
    if new.contains(char::is_control) && unescaped(old) == new {
        return true;
    }
    let is_word = |word: &str| old.eq_ignore_ascii_case(word) && new == word;
    if is_word("TRUE") || is_word("FALSE") {
        return true;
    }
    let (Some(old_number), Some(new_number)) = (number(old), number(new)) else { return false };
    is_canonical(new) && (old_number.to_bits() == new_number.to_bits() || is_rounded(old, new, false))
}

/// Returns a text without the white space of XML at its ends.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}

/// Whether texts differ, but only in white space at their ends.
pub(super) fn is_trimmed(old: &str, new: &str) -> bool {
    old != new && trim(old) == trim(new)
}

/// Returns a text with the characters that `_x` and one to four hexadecimal digits stand for.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("_x");
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let escape = part.split_once('_').filter(|(digits, _)| (1..=4).contains(&digits.len()));
        match escape.and_then(|(digits, rest)| Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, rest))) {
            Some((char, rest)) => {
                out.push(char);
                out.push_str(rest);
            }
            None => {
                out.push_str("_x");
                out.push_str(part);
            }
        }
    }
    out
}

/// Returns what a spreadsheet takes a text for: a number, by which the text is found again.
pub(super) fn number(text: &str) -> Option<f64> {
    let number = plain(text, false)?.parse::<f64>().ok()?;
    number.is_finite().then_some(number)
}

/// Whether a number is written as spreadsheets do: without zeros around it.
fn is_canonical(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let mantissa = digits.split(['e', 'E']).next().unwrap_or(digits);
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, "1"));
    (whole == "0" || whole.starts_with(|char| matches!(char, '1'..='9')))
        && !decimals.ends_with('0')
        && !decimals.is_empty()
}

/// Returns the bytes of a text in which bytes that are not UTF-8 appear as `\xNN`. Where the original has these signs as text, they
/// stay text.
pub(super) fn bytes<'t>(text: &'t str, old: &[u8]) -> Cow<'t, [u8]> {
    let is_literal = || std::str::from_utf8(old).is_ok_and(|old| old.contains("\\x"));
    if !text.contains("\\x") || is_literal() {
        return text.as_bytes().into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\\x") {
        bytes.extend_from_slice(before.as_bytes());
        let digits =
            behind.get(..2).filter(|digits| digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|byte| !byte.is_ascii()) {
            Some(byte) => {
                bytes.push(byte);
                rest = behind.get(2..).unwrap_or("");
            }
            None => {
                bytes.extend_from_slice(b"\\x");
                rest = behind;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    // What reads back otherwise was not written by an export.
    if worldview_inspect::utf8(&bytes) == text { bytes.into() } else { text.as_bytes().into() }
}
