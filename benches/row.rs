//! A row of a table: an input, the limit for it, and its readers, each verified before it is timed.

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput};

use crate::inputs::is_trial;

/// Measuring time per reader if a single call is short.
const MEASURED: Duration = Duration::from_millis(1200);

/// An input of a group. The recorder goes by the names of the readers: `worldview`, `limit: ...`, and anything else for
/// peers.
#[expect(missing_debug_implementations, reason = "criterion's groups do not implement it")]
pub struct Row<'c, T> {
    group: BenchmarkGroup<'c, WallTime>,
    input: String,
    expected: T,
}

impl<'c, T: PartialEq + Debug> Row<'c, T> {
    /// Creates a row in the group `name`. Throughput refers to `bytes`, and every reader must return `expected`.
    pub fn new(criterion: &'c mut Criterion, name: &str, input: impl Into<String>, bytes: usize, expected: T) -> Self {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(bytes as u64));
        group.warm_up_time(Duration::from_millis(300));
        group.nresamples(1000);
        Self { group, input: input.into(), expected }
    }

    /// Measures the bare work that no reader can beat; its result is ignored.
    pub fn limit<R>(&mut self, name: &str, work: impl FnMut() -> R) -> &mut Self {
        self.run(&format!("limit: {name}"), work)
    }

    /// Measures the least work that gives the expected answer.
    pub fn least(&mut self, name: &str, work: impl FnMut() -> T) -> &mut Self {
        self.reader(&format!("limit: {name}"), work)
    }

    /// Measures our reader.
    pub fn ours(&mut self, read: impl FnMut() -> T) -> &mut Self {
        self.reader("worldview", read)
    }

    /// Measures a reader, which must return the expected answer.
    pub fn reader(&mut self, name: &str, mut read: impl FnMut() -> T) -> &mut Self {
        let input = &self.input;
        assert_eq!(read(), self.expected, "{name} reads {input} incorrectly");
        self.run(name, read)
    }

    fn run<R>(&mut self, name: &str, mut work: impl FnMut() -> R) -> &mut Self {
        if !is_trial() {
            self.settle(&mut work);
        }
        self.group.bench_function(BenchmarkId::new(name, &self.input), |bencher| bencher.iter(|| black_box(work())));
        self
    }

    /// Takes as many samples as time permits. Long calls are measured ten times, with one call per sample.
    fn settle<R>(&mut self, work: &mut impl FnMut() -> R) {
        let start = Instant::now();
        black_box(work());
        let once = start.elapsed();
        let (samples, mode) = if once > MEASURED / 30 { (10, SamplingMode::Flat) } else { (30, SamplingMode::Auto) };
        self.group.sample_size(samples);
        self.group.sampling_mode(mode);
        self.group.measurement_time(MEASURED.max(once.saturating_mul(10)));
    }
}
