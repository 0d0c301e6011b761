//! What the cells of a column have to be.
//!
//! | expression | matches |
//! |---|---|
//! | `gold` | texts and numbers that contain it, ignoring case |
//! | `gold*`, `g?ld` | texts and numbers that the pattern describes |
//! | `=x`, `!=x` | equal and other values; texts ignoring case |
//! | `<x`, `<=x`, `>x`, `>=x` | smaller and greater numbers; texts in the order of the alphabet |
//! | `a..b` | numbers from a to b |

use std::cmp::Ordering;
use std::sync::atomic::{self, AtomicU8};

use worldview::wpd::Value;
use worldview_export::table::TypedColumn;
use worldview_inspect::find::Pattern;
use worldview_inspect::utf8;

use super::columns::{Column, cut};
use crate::answer::Failed;

/// How much of a text is looked at, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// For pools up to this size, in bytes, the answer for each string is kept, because records repeat them.
const MAX_POOL: usize = 4 << 20;

/// How a cell is compared.
enum Test {
    /// A text or a number as text, which contains another or is what a pattern describes.
    Contains { folded: String, pattern: Pattern },
    /// A text, by how it compares with another.
    Text(Sign, String),
    /// A number, by how it compares with each of these.
    Numbers(Vec<(Sign, Number)>),
}

/// Whether a comparison has a wanted result.
type Sign = fn(Ordering) -> bool;

/// The signs of expressions, longer ones first.
const SIGNS: [(&str, Sign); 6] = [
    ("!=", Ordering::is_ne),
    ("<=", Ordering::is_le),
    (">=", Ordering::is_ge),
    ("=", Ordering::is_eq),
    ("<", Ordering::is_lt),
    (">", Ordering::is_gt),
];

/// An expression for a column.
pub(super) struct Filter {
    test: Test,
    known: Known,
}

impl Filter {
    /// Reads an expression for a column. Returns an error if it compares numbers with something else.
    pub(super) fn new(expression: &str, column: &Column<'_, '_>, pool: &[u8]) -> Result<Self, Failed> {
        let expression = expression.trim();
        let known = if column.has_strings() { Known::of(pool) } else { Known::none() };
        Ok(Self { test: test(expression, column)?, known })
    }

    /// Returns the filter of all cells that contain a text.
    pub(super) fn containing(text: &str, pool: &[u8]) -> Self {
        Self { test: Test::containing(text), known: Known::of(pool) }
    }

    /// Returns whether any cell of the column can match.
    pub(super) fn can_match(&self, column: &Column<'_, '_>) -> bool {
        let Test::Contains { folded, pattern } = &self.test else { return true };
        let of_number = match column {
            _ if !is_number(column) => return true,
            // With `NaN`, `Infinity`, and the bits of unusual values.
            Column::Field(TypedColumn::F32(_)) => "+-.:0123456789abcdefintxy",
            _ => "-0123456789",
        };
        pattern.is_glob() || folded.chars().all(|char| of_number.contains(char))
    }

    /// Returns whether the cell in a row matches. `text` is for temporary use.
    pub(super) fn matches(&self, column: &Column<'_, '_>, row: usize, text: &mut String) -> bool {
        if let Test::Numbers(tests) = &self.test {
            let Some(value) = column.get(row) else { return false };
            return tests.iter().all(|(sign, number)| number.compare(&value, *sign));
        }
        if let Some(bytes) = column.bytes(row) {
            return self.known.of_text(bytes, || match &self.test {
                Test::Contains { pattern, .. } => pattern.matches(&utf8(cut(bytes, MAX_TEXT))),
                test => test.matches_folded(&utf8(cut(bytes, MAX_TEXT)).to_lowercase()),
            });
        }
        text.clear();
        column.text(row, MAX_TEXT, text);
        text.make_ascii_lowercase();
        self.test.matches_folded(text)
    }
}

const fn is_number(column: &Column<'_, '_>) -> bool {
    matches!(column, Column::Field(_)) && !column.has_strings()
}

fn test(expression: &str, column: &Column<'_, '_>) -> Result<Test, Failed> {
    let found = SIGNS.iter().find_map(|(text, sign)| Some((*sign, expression.strip_prefix(text)?.trim())));
    Ok(match (found, expression.split_once("..")) {
        (Some((sign, text)), _) if !is_number(column) => Test::Text(sign, text.to_lowercase()),
        (Some((sign, text)), _) => {
            let number = Number::of(text)
                .ok_or_else(|| Failed::invalid(format_args!("expected a number to compare with, found {text:?}")))?;
            Test::Numbers(vec![(sign, number)])
        }
        (None, Some((low, high))) if is_number(column) => match (Number::of(low), Number::of(high)) {
            (Some(low), Some(high)) => Test::Numbers(vec![(Ordering::is_ge, low), (Ordering::is_le, high)]),
            _ => return Err(Failed::invalid(format_args!("expected two numbers as in 1..10, found {expression:?}"))),
        },
        (None, _) => Test::containing(expression),
    })
}

/// A number of an expression, exactly as an integer and as a float of a table.
#[derive(Clone, Copy)]
struct Number {
    /// The number, rounded down.
    floor: i128,
    is_whole: bool,
    float: f32,
}

impl Number {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        // Words such as `inf` are not numbers here.
        let is_number =
            text.trim_start_matches(['-', '+']).starts_with(|char: char| char.is_ascii_digit() || char == '.');
        let float: f32 = text.parse().ok().filter(|_| is_number)?;
        if let Ok(integer) = text.parse() {
            return Some(Self { floor: integer, is_whole: true, float });
        }
        let wide: f64 = text.parse().ok()?;
        #[expect(clippy::cast_possible_truncation, reason = "saturates far outside of all columns")]
        let floor = wide.floor() as i128;
        let is_whole = wide.fract() == 0.0;
        Some(Self { floor, is_whole, float })
    }

    /// Returns whether a cell compares with the number as wanted.
    fn compare(self, cell: &Value<'_>, is_wanted: Sign) -> bool {
        let integer = match *cell {
            // What is not a number differs from all numbers.
            Value::F32(float) => {
                let is_other = || is_wanted(Ordering::Less) && is_wanted(Ordering::Greater);
                return float.partial_cmp(&self.float).map_or_else(is_other, is_wanted);
            }
            Value::U64(integer) => Some(integer.into()),
            _ => cell.as_i64().map(i128::from),
        };
        let fraction = if self.is_whole { Ordering::Equal } else { Ordering::Less };
        integer.is_some_and(|integer| is_wanted(integer.cmp(&self.floor).then(fraction)))
    }
}

impl Test {
    fn containing(text: &str) -> Self {
        Self::Contains { folded: text.to_lowercase(), pattern: Pattern::new(text) }
    }

    /// Returns whether a text in lower case matches.
    fn matches_folded(&self, text: &str) -> bool {
        match self {
            Self::Contains { folded, pattern } if !pattern.is_glob() => text.contains(folded),
            Self::Contains { pattern, .. } => pattern.matches(text),
            Self::Text(sign, other) => sign(text.cmp(other)),
            Self::Numbers(_) => false,
        }
    }
}

/// What is known about the strings of a pool, by their offsets.
struct Known {
    start: usize,
    answers: Vec<AtomicU8>,
}

impl Known {
    const NO: u8 = 1;
    const YES: u8 = 2;

    const fn none() -> Self {
        Self { start: 0, answers: Vec::new() }
    }

    fn of(pool: &[u8]) -> Self {
        if pool.len() > MAX_POOL {
            return Self::none();
        }
        Self { start: pool.as_ptr().addr(), answers: pool.iter().map(|_| AtomicU8::new(0)).collect() }
    }

    fn of_text(&self, text: &[u8], test: impl FnOnce() -> bool) -> bool {
        let slot = text.as_ptr().addr().checked_sub(self.start).and_then(|offset| self.answers.get(offset));
        let Some(slot) = slot.filter(|_| !text.is_empty()) else { return test() };
        match slot.load(atomic::Ordering::Relaxed) {
            Self::NO => false,
            Self::YES => true,
            _ => {
                let answer = test();
                slot.store(if answer { Self::YES } else { Self::NO }, atomic::Ordering::Relaxed);
                answer
            }
        }
    }
}
