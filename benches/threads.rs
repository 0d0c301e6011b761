//! One thread against two: runs of both in turn, of which the fastest count, with the processor time that they took.

use std::fmt::Debug;
use std::fs::OpenOptions;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use serde::{Deserialize, Serialize};

use crate::inputs::is_trial;

/// The least time of a run with one thread. Less work is repeated, because starting a thread takes too much of it.
const RUN: Duration = Duration::from_millis(5);
/// The time for the runs of one reader, which has 300 of them if they are short.
const RUNS: Duration = Duration::from_secs(10);

/// What the runs of a reader took of the processor, in `usage.csv` next to criterion's own output.
#[derive(Debug, Deserialize, Serialize)]
pub struct Usage {
    /// The group of the benchmark.
    pub group: String,
    /// The input of the benchmark.
    pub input: String,
    /// The reader: `worldview, one thread` or `worldview, two threads`.
    pub reader: String,
    /// Processor time of all threads in nanoseconds, on average of all runs.
    pub cpu_ns: f64,
    /// How often another thread was given the core of one that was not done, on average of all runs.
    pub preemptions: f64,
}

/// Where the usage of all benchmarks of a run is written, in criterion's folder.
#[must_use]
pub fn usage_file(home: PathBuf) -> PathBuf {
    home.join("usage.csv")
}

/// Measures one thread against two; both must return what one thread returns.
pub fn by_threads<T: PartialEq + Debug>(
    criterion: &mut Criterion,
    name: &str,
    input: &str,
    bytes: usize,
    mut work: impl FnMut(usize) -> T,
) {
    let expected = work(1);
    assert_eq!(work(2), expected, "two threads give a different answer for {input}");
    let start = Instant::now();
    work(1);
    let once = start.elapsed().max(Duration::from_nanos(1));
    let times = if is_trial() { 1 } else { RUN.as_nanos().div_ceil(once.as_nanos()).min(1 << 20) as u32 };
    let run = once.saturating_mul(times);
    let runs = (RUNS.as_nanos() / run.as_nanos()).clamp(10, 300) as u32;

    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(bytes as u64 * u64::from(times)));
    group.sampling_mode(SamplingMode::Flat).sample_size(runs as usize).measurement_time(run.saturating_mul(runs));
    group.warm_up_time(Duration::from_millis(300)).nresamples(1000);
    for (threads, reader) in [(1, "worldview, one thread"), (2, "worldview, two threads")] {
        let (mut sum, mut count) = (Spent::default(), 0);
        group.bench_function(BenchmarkId::new(reader, input), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut time = Duration::ZERO;
                for _ in 0..iterations {
                    // Whatever slows the machine down for a while slows both down.
                    for side in [1, 2] {
                        let (before, start) = (Spent::now(), Instant::now());
                        for _ in 0..times {
                            assert_eq!(work(side), expected, "{reader}: the answer has changed");
                        }
                        if side == threads {
                            time += start.elapsed();
                            sum.add(&Spent::now(), &before);
                            count += 1;
                        }
                    }
                }
                time
            });
        });
        if let (false, Some(home), 1..) = (is_trial(), std::env::var_os("CRITERION_HOME"), count) {
            let file = OpenOptions::new().append(true).create(true).open(usage_file(home.into())).unwrap();
            let usage = Usage {
                group: name.into(),
                input: input.into(),
                reader: reader.into(),
                cpu_ns: sum.cpu.as_nanos() as f64 / f64::from(count),
                preemptions: sum.preemptions as f64 / f64::from(count),
            };
            csv::WriterBuilder::new().has_headers(false).from_writer(file).serialize(usage).unwrap();
        }
    }
}

/// What this process has taken of the processor; nothing where that is unknown.
#[derive(Default)]
struct Spent {
    cpu: Duration,
    preemptions: usize,
}

impl Spent {
    #[cfg(unix)]
    fn now() -> Self {
        use nix::sys::resource::{UsageWho, getrusage};
        use nix::sys::time::TimeValLike;

        let usage = getrusage(UsageWho::RUSAGE_SELF).unwrap();
        let cpu = (usage.user_time() + usage.system_time()).num_microseconds();
        Self {
            cpu: Duration::from_micros(cpu.unsigned_abs()),
            preemptions: usize::try_from(usage.involuntary_context_switches()).unwrap(),
        }
    }

    #[cfg(not(unix))]
    fn now() -> Self {
        Self::default()
    }

    /// Adds what was spent between two moments.
    fn add(&mut self, after: &Self, before: &Self) {
        self.cpu += after.cpu - before.cpu;
        self.preemptions += after.preemptions - before.preemptions;
    }
}
