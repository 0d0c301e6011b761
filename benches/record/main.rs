//! Runs the benchmarks, stores the results in `benches/record/*.csv`, moves those of the run before to `benches/record/before`,
//! and generates the tables of `docs/speed.md` and the README from both: `just bench`, or `just bench GROUP...`.
//!
//! `--tables` only regenerates the tables. `--icount` counts instructions, and `--icount-accept REASON` accepts the new
//! counts.
#![forbid(unsafe_code)]

mod figures;
mod icount;
mod kaitai;
mod measured;
mod tables;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use measured::Measured;

/// The groups, in the order in which they run; each is a benchmark of this package.
const GROUPS: [&str; 13] =
    ["open", "scan", "parse", "unpack", "world", "rez", "export", "small", "edit", "bulk", "tools", "verbs", "view"];

fn main() -> Result<(), Box<dyn Error>> {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = benches.parent().ok_or("the package is not in a workspace")?;
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--icount"] => return icount::run(root, None),
        ["--icount-accept", reason] => return icount::run(root, Some(reason)),
        ["--tables"] => {}
        groups => {
            if let Some(unknown) = groups.iter().find(|name| !GROUPS.contains(name)) {
                let known = GROUPS.join(", ");
                return Err(format!("unknown group {unknown:?}; the groups are {known}").into());
            }
            for group in GROUPS.iter().filter(|group| groups.is_empty() || groups.contains(group)) {
                let mut all = measure(root, group)?;
                if *group == "parse" {
                    let others = kaitai::measure(root, &all)?;
                    all.extend(others);
                }
                let [newest, before] = RECORDS.map(|folder| benches.join(folder).join(format!("{group}.csv")));
                if newest.exists() {
                    fs::rename(&newest, before)?;
                }
                measured::write(&newest, &all)?;
                fs::write(benches.join("record/machine.txt"), machine())?;
            }
        }
    }
    let all = recorded(benches)?;
    for document in tables::DOCUMENTS.map(|path| root.join(path)) {
        fs::write(&document, tables::fill(&fs::read_to_string(&document)?, &all)?)?;
    }
    Ok(())
}

/// The folders of the last run of each group, and of the one before.
const RECORDS: [&str; 2] = ["record", "record/before"];

/// Reads both records.
fn recorded(benches: &Path) -> Result<Vec<Measured>, Box<dyn Error>> {
    let mut all = Vec::new();
    for (run, folder) in RECORDS.iter().enumerate() {
        for group in GROUPS {
            let file = benches.join(folder).join(format!("{group}.csv"));
            if file.exists() {
                all.extend(measured::read(&file)?.into_iter().map(|one| Measured { run, ..one }));
            }
        }
    }
    Ok(all)
}

/// Runs one benchmark, and reads its results.
fn measure(root: &Path, group: &str) -> Result<Vec<Measured>, Box<dyn Error>> {
    let home: PathBuf = root.join("target/record").join(group);
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    fs::create_dir_all(&home)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // The group `verbs` measures how the command starts.
    if group == "verbs" {
        let built = Command::new(&cargo)
            .args(["build", "--quiet", "--profile", "dist", "--features", "dist"])
            .current_dir(root)
            .status()?;
        if !built.success() {
            return Err(format!("the command cannot be built: {built}").into());
        }
    }
    let status = Command::new(cargo)
        .args(["bench", "--profile", "dist", "-p", "worldview-benches", "--features", "clock", "--bench", group])
        .current_dir(root)
        .env("CRITERION_HOME", &home)
        .env("WORLDVIEW", root.join("target/dist/worldview"))
        .status()?;
    if !status.success() {
        return Err(format!("the benchmark {group} failed: {status}").into());
    }
    measured::of_criterion(&home)
}

/// Describes the machine, as far as that is useful to others.
fn machine() -> String {
    let first = |path: &str, key: &str| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
        line.trim_start_matches([' ', '\t', ':']).trim().to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "processor: {}, {cores} cores\nmemory: {}\n{}\nnode {}\n{}\n",
        first("/proc/cpuinfo", "model name"),
        first("/proc/meminfo", "MemTotal"),
        said("rustc"),
        said("node"),
        said("python3"),
    )
}

/// Returns the version that a program reports.
fn said(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    output.map_or_else(|_| "not found".into(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Measured> {
        recorded(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    #[test]
    fn every_figure_was_measured() {
        let all = all();
        assert!(figures::lines().all(|line| line.is_ok()));
        for table in ["waits", "figures", "limits", "growth"] {
            let figures = figures::of_table(table);
            assert!(!figures.is_empty(), "no table {table}");
            for figure in figures {
                assert!(!tables::pairs(&all, &figure).is_empty(), "no measurement of {figure:?}");
            }
        }
    }

    #[test]
    fn documents_show_what_was_recorded() {
        let (all, mut tables) = (all(), 0);
        for path in tables::DOCUMENTS {
            let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap();
            assert!(tables::fill(&document, &all).unwrap() == document, "{path}: run `just bench-tables`");
            tables += document.matches(": begin -->").count();
        }
        assert_eq!(tables, 5, "each table is in a document");
    }

    #[test]
    fn ratios_compare_ours_with_the_limit_on_the_same_input() {
        let one = |reader: &str, input: &str, median_ns| Measured {
            run: 0,
            group: "record by name".into(),
            input: input.into(),
            reader: reader.into(),
            bytes: 1_000_000,
            samples: 1,
            median_ns,
            fastest_ns: median_ns,
            slowest_ns: median_ns,
            cpu_ns: None,
            preemptions: None,
        };
        let all = [
            one("limit: this", "a, seed 1", 1e6),
            one("worldview", "a, seed 1", 1.05e6),
            one("limit: this", "b, seed 1", 1e6),
            one("somebody", "b, seed 1", 9e6),
            one("worldview", "b, seed 1", 2e6),
        ];
        let table = tables::figures(&all, &figures::of_table("figures"));
        assert!(table.contains("| at most 1.1x the time | a 1.05x, b **2.00x** | 2.00 ms, 0.5 GB/s |"), "{table}");
        // Of two runs the worse counts, each by its own limit.
        let before = [one("limit: this", "a, seed 1", 3e6), one("worldview", "a, seed 1", 6e6)];
        let both: Vec<_> = all.into_iter().chain(before.map(|one| Measured { run: 1, ..one })).collect();
        let table = tables::figures(&both, &figures::of_table("figures"));
        assert!(table.contains("| a **2.00x**, b **2.00x** | 2.00 ms, 0.5 GB/s |"), "{table}");
    }
}
