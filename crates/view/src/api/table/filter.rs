//! What the cells of a column have to be.
//!
//! | expression | matches |
//! |---|---|
//! | `gold` | texts and numbers that contain it, ignoring case |
//! | `gold*`, `g?ld` | texts and numbers that the pattern describes |
//! | `=x`, `!=x` | equal and other values; texts ignoring case |
//! | `<x`, `<=x`, `>x`, `>=x` | smaller and greater numbers; texts in the order of the alphabet |
//! | `a..b` | numbers from a to b |

use std::sync::atomic::{AtomicU8, Ordering};

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
    /// A text or a number as text.
    Text(TextTest),
    /// Integers of any column: those in the range, or all others.
    Integers { range: (i128, i128), others: bool },
    /// Floats.
    Floats { range: (Bound, Bound), others: bool },
}

enum TextTest {
    Contains { folded: String, pattern: Pattern },
    Equals { folded: String, others: bool },
    Ordered { folded: String, order: Sign },
}

/// An end of a range of floats: the value, and whether it belongs to the range.
type Bound = (f32, bool);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equal,
    Other,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

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
        Self { test: Test::Text(TextTest::containing(text)), known: Known::of(pool) }
    }

    /// Returns whether any cell of the column can match.
    pub(super) fn can_match(&self, column: &Column<'_, '_>) -> bool {
        let Test::Text(TextTest::Contains { folded, pattern }) = &self.test else { return true };
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
        match &self.test {
            Test::Integers { range: (low, high), others } => {
                let value = match column.get(row) {
                    Some(Value::U64(value)) => Some(value.into()),
                    value => value.and_then(|value| value.as_i64()).map(i128::from),
                };
                value.is_some_and(|value| (*low..=*high).contains(&value) != *others)
            }
            Test::Floats { range: (low, high), others } => {
                let Some(Value::F32(value)) = column.get(row) else { return false };
                let from = if low.1 { value >= low.0 } else { value > low.0 };
                let to = if high.1 { value <= high.0 } else { value < high.0 };
                (from && to) != *others
            }
            Test::Text(test) => {
                if let Some(bytes) = column.bytes(row) {
                    return self.known.of_text(bytes, || test.matches(&utf8(cut(bytes, MAX_TEXT))));
                }
                text.clear();
                column.text(row, MAX_TEXT, text);
                text.make_ascii_lowercase();
                test.matches_folded(text)
            }
        }
    }
}

const fn is_number(column: &Column<'_, '_>) -> bool {
    matches!(column, Column::Field(_)) && !column.has_strings()
}

fn test(expression: &str, column: &Column<'_, '_>) -> Result<Test, Failed> {
    let (sign, operand) = sign(expression);
    let is_float = matches!(column, Column::Field(TypedColumn::F32(_)));
    if !is_number(column) {
        let folded = operand.to_lowercase();
        return Ok(Test::Text(match sign {
            None => TextTest::containing(expression),
            Some(Sign::Equal) => TextTest::Equals { folded, others: false },
            Some(Sign::Other) => TextTest::Equals { folded, others: true },
            Some(order) => TextTest::Ordered { folded, order },
        }));
    }
    let range = match (sign, expression.split_once("..")) {
        (None, Some((low, high))) => match (Number::of(low), Number::of(high)) {
            (Some(low), Some(high)) => (Some((low, true)), Some((high, true)), false),
            _ => return Err(Failed::invalid(format_args!("expected two numbers as in 1..10, found {expression:?}"))),
        },
        (None, None) => return Ok(Test::Text(TextTest::containing(expression))),
        (Some(sign), _) => {
            let number = Number::of(operand)
                .ok_or_else(|| Failed::invalid(format_args!("expected a number to compare with, found {operand:?}")))?;
            match sign {
                Sign::Equal => (Some((number, true)), Some((number, true)), false),
                Sign::Other => (Some((number, true)), Some((number, true)), true),
                Sign::Less => (None, Some((number, false)), false),
                Sign::LessEqual => (None, Some((number, true)), false),
                Sign::Greater => (Some((number, false)), None, false),
                Sign::GreaterEqual => (Some((number, true)), None, false),
            }
        }
    };
    let (low, high, others) = range;
    Ok(if is_float {
        let low = low.map_or((f32::NEG_INFINITY, true), |(number, is_in)| (number.float, is_in));
        let high = high.map_or((f32::INFINITY, true), |(number, is_in)| (number.float, is_in));
        Test::Floats { range: (low, high), others }
    } else {
        let low = low.map_or(i128::MIN, |(number, is_in)| number.at_least(is_in));
        let high = high.map_or(i128::MAX, |(number, is_in)| number.at_most(is_in));
        Test::Integers { range: (low, high), others }
    })
}

/// Splits an expression after its sign.
fn sign(expression: &str) -> (Option<Sign>, &str) {
    let signs = [
        ("!=", Sign::Other),
        ("<=", Sign::LessEqual),
        (">=", Sign::GreaterEqual),
        ("=", Sign::Equal),
        ("<", Sign::Less),
        (">", Sign::Greater),
    ];
    let found = signs.into_iter().find_map(|(text, sign)| Some((Some(sign), expression.strip_prefix(text)?.trim())));
    found.unwrap_or((None, expression))
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

    /// Returns the smallest integer from here on.
    const fn at_least(self, is_in: bool) -> i128 {
        if self.is_whole && is_in { self.floor } else { self.floor.saturating_add(1) }
    }

    /// Returns the greatest integer up to here.
    const fn at_most(self, is_in: bool) -> i128 {
        if self.is_whole && !is_in { self.floor.saturating_sub(1) } else { self.floor }
    }
}

impl TextTest {
    fn containing(text: &str) -> Self {
        Self::Contains { folded: text.to_lowercase(), pattern: Pattern::new(text) }
    }

    fn matches(&self, text: &str) -> bool {
        match self {
            Self::Contains { pattern, .. } => pattern.matches(text),
            _ => self.matches_folded(&text.to_lowercase()),
        }
    }

    /// Returns whether a text in lower case matches.
    fn matches_folded(&self, text: &str) -> bool {
        match self {
            Self::Contains { folded, pattern } if !pattern.is_glob() => text.contains(folded),
            Self::Contains { pattern, .. } => pattern.matches(text),
            Self::Equals { folded, others } => (text == folded) != *others,
            Self::Ordered { folded, order } => match order {
                Sign::Less => text < folded.as_str(),
                Sign::LessEqual => text <= folded.as_str(),
                Sign::Greater => text > folded.as_str(),
                _ => text >= folded.as_str(),
            },
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
        match slot.load(Ordering::Relaxed) {
            Self::NO => false,
            Self::YES => true,
            _ => {
                let answer = test();
                slot.store(if answer { Self::YES } else { Self::NO }, Ordering::Relaxed);
                answer
            }
        }
    }
}
