//! Measurements: read from criterion's output, stored as CSV.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use worldview_benches::threads::{Usage, usage_file};

/// One reader on one input, or the limit for it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Measured {
    /// Which record this is from: 0 is the last run of its group, 1 the one before.
    #[serde(skip)]
    pub(crate) run: usize,
    /// The benchmark group.
    pub(crate) group: String,
    /// The input: its size, and the seed that it was generated from.
    pub(crate) input: String,
    /// The reader: `worldview`, `limit: ...`, or a peer.
    pub(crate) reader: String,
    /// Size of the input in bytes, or another size that throughput refers to.
    pub(crate) bytes: u64,
    /// Number of samples.
    pub(crate) samples: usize,
    /// Median of the samples in nanoseconds.
    pub(crate) median_ns: f64,
    /// Fastest sample in nanoseconds.
    pub(crate) fastest_ns: f64,
    /// Slowest sample in nanoseconds.
    pub(crate) slowest_ns: f64,
    /// Processor time of all threads in nanoseconds, if threads are compared.
    pub(crate) cpu_ns: Option<f64>,
    /// How often a thread lost its core before it was done, if threads are compared.
    pub(crate) preemptions: Option<f64>,
}

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: String,
    value_str: String,
    throughput: Throughput,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Throughput {
    bytes: u64,
}

#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Reads everything that criterion has written to a folder.
pub(crate) fn of_criterion(home: &Path) -> Result<Vec<Measured>, Box<dyn Error>> {
    let mut all = Vec::new();
    collect(home, &mut all)?;
    all.sort_by_key(|(when, _)| *when);
    let mut all: Vec<_> = all.into_iter().map(|(_, measured)| measured).collect();
    let usage = usage_file(home.into());
    if usage.exists() {
        for usage in csv::ReaderBuilder::new().has_headers(false).from_path(usage)?.into_deserialize() {
            let Usage { group, input, reader, cpu_ns, preemptions } = usage?;
            for one in all.iter_mut().filter(|one| (&one.group, &one.input, &one.reader) == (&group, &input, &reader)) {
                (one.cpu_ns, one.preemptions) = (Some(cpu_ns), Some(preemptions));
            }
        }
    }
    Ok(all)
}

/// Collects the results, each with its modification time, which gives the order in which they ran.
fn collect(folder: &Path, all: &mut Vec<(std::time::SystemTime, Measured)>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let sample = path.join("sample.json");
        if path.ends_with("new") && sample.exists() {
            let when = fs::metadata(&sample)?.modified()?;
            let of: Benchmark = serde_json::from_slice(&fs::read(path.join("benchmark.json"))?)?;
            let Sample { iters, times } = serde_json::from_slice(&fs::read(sample)?)?;
            let mut each: Vec<f64> = times.iter().zip(&iters).map(|(time, iterations)| time / iterations).collect();
            each.sort_by(f64::total_cmp);
            let (Some(&fastest_ns), Some(&slowest_ns)) = (each.first(), each.last()) else { continue };
            all.push((
                when,
                Measured {
                    run: 0,
                    group: of.group_id,
                    input: of.value_str,
                    reader: of.function_id,
                    bytes: of.throughput.bytes,
                    samples: each.len(),
                    median_ns: median(&each),
                    fastest_ns,
                    slowest_ns,
                    cpu_ns: None,
                    preemptions: None,
                },
            ));
        } else if path.is_dir() {
            collect(&path, all)?;
        }
    }
    Ok(())
}

fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    let at = |index: usize| sorted.get(index).copied().unwrap_or(0.0);
    if sorted.len().is_multiple_of(2) { f64::midpoint(at(half.saturating_sub(1)), at(half)) } else { at(half) }
}

/// Writes measurements to a file.
pub(crate) fn write(path: &Path, all: &[Measured]) -> Result<(), Box<dyn Error>> {
    let mut file = csv::Writer::from_path(path)?;
    for one in all {
        let round = |ns: f64| (ns * 10.0).round() / 10.0;
        file.serialize(Measured {
            median_ns: round(one.median_ns),
            fastest_ns: round(one.fastest_ns),
            slowest_ns: round(one.slowest_ns),
            cpu_ns: one.cpu_ns.map(round),
            preemptions: one.preemptions.map(round),
            ..one.clone()
        })?;
    }
    Ok(file.flush()?)
}

/// Reads measurements from a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Measured>, Box<dyn Error>> {
    Ok(csv::Reader::from_path(path)?.deserialize().collect::<Result<_, _>>()?)
}
