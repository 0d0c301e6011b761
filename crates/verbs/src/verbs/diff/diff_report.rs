//! The differences between two files.

use serde::Serialize;
use serde_json::Value;
use worldview_inspect::diff::{Difference, Side};

/// Two files, or a file that only one side has.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The path of the left file.
    pub left: Option<String>,
    /// The path of the right file.
    pub right: Option<String>,
    /// `changed`, `added`, `removed` or `same`.
    pub change: &'static str,
    /// The first 10,000 differences.
    pub differences: Vec<DifferenceReport>,
    /// The number of differences that are not reported.
    pub more: u64,
}

/// A difference between two files.
#[derive(Clone, Debug, Serialize)]
pub struct DifferenceReport {
    /// `changed`, `added` or `removed`.
    pub change: &'static str,
    /// The path of the part.
    pub place: String,
    /// The field that differs.
    pub field: Option<String>,
    /// Its value on the left.
    pub left: Option<Value>,
    /// Its value on the right.
    pub right: Option<Value>,
    /// The number of elements.
    pub count: u64,
    /// The difference as text for people.
    #[serde(skip)]
    pub text: String,
}

/// Maximum number of differences reported per pair of files.
const MAX_DIFFERENCES: usize = 10_000;

impl Compared {
    pub(super) fn note(&mut self, difference: &Difference<'_>) {
        if self.differences.len() >= MAX_DIFFERENCES {
            self.more += 1;
            return;
        }
        let text = difference.to_string();
        let Difference { change, path, field, left, right, count } = *difference;
        // A side is a plain value, which can always be converted to JSON.
        let side = |side: Option<Side<'_>>| side.and_then(|side| serde_json::to_value(side).ok());
        let (change, place, field) = (change.name(), path.to_string(), field.map(str::to_owned));
        let (left, right) = (side(left), side(right));
        self.differences.push(DifferenceReport { change, place, field, left, right, count, text });
    }
}
