//! The lines of the tables, from `figures.csv`: what each shows, its target, and what it is compared with.

use serde::Deserialize;

use crate::measured::Measured;

/// A line of a table.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Figure {
    /// The table that has it.
    table: String,
    /// The description of the work.
    pub(crate) what: String,
    /// The benchmark group that it is taken from.
    pub(crate) group: String,
    /// The target of the ratio: `at most 1.5` of times, or `at least 1.5` of speeds; empty if there is none.
    pub(crate) target: String,
    /// The name, or the start of the name, of the reader to compare with; if empty, the limit.
    against: String,
    /// Starts of the inputs that it applies to, separated by `|`.
    inputs: String,
    /// What is added to the time of the limit, in milliseconds.
    allowance: Option<f64>,
}

/// The reader that two threads are compared with.
const ONE_THREAD: &str = "worldview, one thread";

/// Returns the lines of all tables. None is broken, which a test checks.
pub(crate) fn lines() -> impl Iterator<Item = csv::Result<Figure>> {
    csv::Reader::from_reader(include_str!("figures.csv").as_bytes()).into_deserialize()
}

/// Returns the lines of a table.
pub(crate) fn of_table(table: &str) -> Vec<Figure> {
    lines().filter_map(Result::ok).filter(|line| line.table == table).collect()
}

impl Figure {
    /// Returns the name, or the start of the name, of the reader to compare with.
    pub(crate) fn against(&self) -> &str {
        if self.against.is_empty() { "limit: " } else { &self.against }
    }

    /// Returns `true` for our reader on an input that it applies to.
    pub(crate) fn is_ours(&self, one: &Measured) -> bool {
        let ours = if self.against == ONE_THREAD { "worldview, two threads" } else { "worldview" };
        // Without inputs, the only start is empty.
        let mut inputs = self.inputs.split('|');
        one.group == self.group && one.reader == ours && inputs.any(|input| one.input.starts_with(input))
    }

    /// Returns the time in nanoseconds that counts: with threads, that of the fastest runs.
    pub(crate) fn time(&self, of: &Measured) -> f64 {
        if self.against == ONE_THREAD { of.fastest_ns } else { of.median_ns }
    }

    /// Returns our time divided by that of the limit and its allowance.
    pub(crate) fn ratio(&self, (ours, limit): (&Measured, &Measured)) -> f64 {
        self.time(ours) / (self.time(limit) + self.allowance.unwrap_or(0.0) * 1e6)
    }

    /// Returns the ratio that the target is about, and whether it is met.
    pub(crate) fn judged(&self, pair: (&Measured, &Measured)) -> (f64, bool) {
        let (time, bound) = (self.ratio(pair), self.target.rsplit(' ').next().and_then(|bound| bound.parse().ok()));
        let is_speed = self.target.starts_with("at least");
        let ratio = if is_speed { 1.0 / time } else { time };
        (ratio, bound.is_none_or(|bound: f64| if is_speed { ratio >= bound } else { ratio <= bound }))
    }
}
