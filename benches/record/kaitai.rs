//! Readers that Kaitai Struct generates from our own descriptions of the formats, in JavaScript and Python, and our own npm
//! package, if it has been built. They run in separate processes, which time themselves.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::measured::Measured;

/// Names of the descriptions in `docs/formats`, and the benchmark groups that read the same files.
const GROUPS: [(&str, &str); 3] =
    [("wwd", "parse a level"), ("wdb", "parse a table of 84-byte records"), ("world", "parse WORLD.WDB")];

/// Number of timed runs per file, after a warm-up run.
const RUNS: &str = "3";

/// The result that a reader prints.
#[derive(Deserialize)]
struct Line {
    reader: String,
    format: String,
    bytes: u64,
    seconds_min: f64,
    seconds_median: f64,
}

/// Runs them on the files of `measured`. Returns nothing if Node.js or Python is missing.
pub(crate) fn measure(root: &Path, measured: &[Measured]) -> Result<Vec<Measured>, Box<dyn Error>> {
    let is_there = |program: &str| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
    if let Some(missing) = ["node", "npm", "python3"].into_iter().find(|program| !is_there(program)) {
        eprintln!("skipping Kaitai: {missing} not found");
        return Ok(Vec::new());
    }
    let folder = root.join("target/kaitai/inputs");
    let script = root.join("benches/kaitai/run.sh");
    let output = Command::new("bash").arg(script).arg(folder).arg(RUNS).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("benches/kaitai/run.sh failed: {}", output.status).into());
    }
    let mut all = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let line: Line = serde_json::from_str(line)?;
        let group = GROUPS.iter().find(|(format, _)| *format == line.format);
        // Both sides read the same files, so the length identifies the file.
        let same = group.and_then(|(_, group)| {
            measured.iter().find(|one| one.group == *group && one.bytes == line.bytes && one.reader == "worldview")
        });
        // The script also times our reader in the same simple way, but criterion's measurement is better.
        if let Some(same) = same.filter(|_| line.reader != "worldview") {
            all.push(Measured {
                reader: line.reader,
                samples: RUNS.parse()?,
                median_ns: line.seconds_median * 1e9,
                fastest_ns: line.seconds_min * 1e9,
                slowest_ns: line.seconds_median * 1e9,
                ..same.clone()
            });
        }
    }
    Ok(all)
}
