use serde::{Deserialize, Deserializer, Serialize, Serializer};
use worldview_inspect::hex;

use super::{Float, Value, nearest_float, unhex};

/// Whether the shortest text of a float is a JSON number that reads back as the same bits. Readers of JSON go by way of 64
/// bits and round twice.
fn is_exact(float: f32) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "the rounding is what is tested")]
    let read = float.to_string().parse::<f64>().map(|wide| wide as f32);
    float.is_finite() && read.is_ok_and(|read| read.to_bits() == float.to_bits())
}

/// An integer as a JSON number.
struct Number(i128);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (i64::try_from(self.0), u64::try_from(self.0)) {
            (Ok(integer), _) => serializer.serialize_i64(integer),
            (_, Ok(integer)) => serializer.serialize_u64(integer),
            _ => Err(serde::ser::Error::custom("the integer does not fit into 64 bits")),
        }
    }
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if is_exact(self.0) {
            return serializer.serialize_f32(self.0);
        }
        Exact { bits: Some(format!("{:#010x}", self.0.to_bits())), bytes: None }.serialize(serializer)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exact {
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(integer) => Number(*integer).serialize(serializer),
            Self::Integers(list) => serializer.collect_seq(list.iter().copied().map(Number)),
            Self::Float(float) => float.serialize(serializer),
            Self::Floats(list) => serializer.collect_seq(list),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => Exact { bits: None, bytes: Some(hex(bytes)) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let value = serde_json::Value::deserialize(deserializer)?;
        match value {
            serde_json::Value::Number(number) => {
                if let Some(integer) = number.as_i64() {
                    return Ok(Self::Integer(integer.into()));
                }
                if let Some(integer) = number.as_u64() {
                    return Ok(Self::Integer(integer.into()));
                }
                let float = number.as_f64().and_then(nearest_float);
                float.map(Self::from).ok_or_else(|| D::Error::custom("the number does not fit into 32 bits"))
            }
            serde_json::Value::String(text) => Ok(Self::Text(text)),
            serde_json::Value::Array(list) => {
                let integer = |value: &serde_json::Value| value.as_i64().map(i128::from);
                if let Some(integers) = list.iter().map(integer).collect() {
                    return Ok(Self::Integers(integers));
                }
                let float = |value| match Self::deserialize(value) {
                    Ok(Self::Float(float)) => Some(float),
                    Ok(Self::Integer(integer)) => Self::Integer(integer).as_float().map(Float),
                    _ => None,
                };
                let floats: Option<_> = list.into_iter().map(float).collect();
                floats.map(Self::Floats).ok_or_else(|| D::Error::custom("expected numbers in the list"))
            }
            value @ serde_json::Value::Object(_) => {
                let exact: Exact = serde_json::from_value(value).map_err(D::Error::custom)?;
                match (exact.bits, exact.bytes) {
                    (Some(bits), None) => {
                        let digits = bits.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
                        let bits =
                            digits.ok_or_else(|| D::Error::custom("expected `bits` as 0x and hexadecimal digits"))?;
                        Ok(f32::from_bits(bits).into())
                    }
                    (None, Some(bytes)) => {
                        let bytes = unhex(&bytes)
                            .ok_or_else(|| D::Error::custom("expected `bytes` as pairs of hexadecimal digits"))?;
                        Ok(Self::Bytes(bytes))
                    }
                    _ => Err(D::Error::custom("expected one of `bits` and `bytes`")),
                }
            }
            _ => Err(D::Error::custom("expected a number, a text, or an object with `bits` or `bytes`")),
        }
    }
}
