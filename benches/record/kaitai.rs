//! Readers that Kaitai Struct makes of our own descriptions of the formats, in JavaScript and Python: processes of
//! their own, which time themselves.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::measured::Measured;

/// Formats as `benches/kaitai` calls them, and the row of benchmarks that reads the same files.
const GROUPS: [(&str, &str); 3] =
    [("wwd", "parse a level"), ("wdb", "parse a table of 84-byte records"), ("world", "parse WORLD.WDB")];

/// How often each reads a file, behind a first time.
const RUNS: &str = "3";

/// What a reader says of itself.
#[derive(Deserialize)]
struct Line {
    reader: String,
    format: String,
    bytes: u64,
    seconds_min: f64,
    seconds_median: f64,
}

/// Runs them on the files that `measured` is of; nothing where there is no Node.js or Python.
pub(crate) fn measure(root: &Path, measured: &[Measured]) -> Result<Vec<Measured>, Box<dyn Error>> {
    let is_there = |program: &str| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
    if let Some(missing) = ["node", "npm", "python3"].into_iter().find(|program| !is_there(program)) {
        eprintln!("Kaitai is left out: there is no {missing}");
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
        // The files are the same, so their lengths tell which is which.
        let same = group.and_then(|(_, group)| {
            measured.iter().find(|one| one.group == *group && one.bytes == line.bytes && one.reader == "worldview")
        });
        // The script has a line of ours too, timed as plainly as the others; criterion's is the better one.
        if let Some(same) = same.filter(|_| line.reader.starts_with("kaitai")) {
            all.push(Measured {
                reader: line.reader.replacen("kaitai", "Kaitai", 1),
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
