//! Instruction counts: compared with those that are committed, or taken over with a reason.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A count that is off by more than this share of the committed one is told, in either direction: what became less
/// must not creep back.
const TOLERANCE: f64 = 0.02;

/// A committed figure.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Accepted {
    case: String,
    instructions: u64,
    reason: String,
}

/// Counts, and compares; with a reason takes over what is off, or new.
pub(crate) fn run(root: &Path, reason: Option<&str>) -> Result<(), Box<dyn Error>> {
    let file = root.join("benches/record/icount.csv");
    let mut accepted: BTreeMap<String, Accepted> = BTreeMap::new();
    if file.exists() {
        for one in csv::Reader::from_path(&file)?.deserialize() {
            let one: Accepted = one?;
            accepted.insert(one.case.clone(), one);
        }
    }
    let counted = count(root)?;
    let mut off = Vec::new();
    for (case, instructions) in &counted {
        let before = accepted.get(case).map(|one| one.instructions);
        #[expect(clippy::cast_precision_loss, reason = "a share of some percent")]
        let change = before.map(|before| *instructions as f64 / before as f64 - 1.0);
        let shown = change.map_or("new".into(), |change| format!("{:+.2} %", change * 100.0));
        let is_off = change.is_none_or(|change| change.abs() > TOLERANCE);
        println!("{case:20} {instructions:>12} {shown:>10}{}", if is_off { "  <- off" } else { "" });
        if is_off {
            off.push(case);
        }
    }
    let gone: Vec<String> = accepted.keys().filter(|case| !counted.contains_key(*case)).cloned().collect();
    let Some(reason) = reason else {
        return if off.is_empty() && gone.is_empty() {
            Ok(())
        } else {
            let what = format!("{} counts are off and {} cases are gone", off.len(), gone.len());
            Err(format!("{what}; if that is as it should be: just icount-accept \"the reason\"").into())
        };
    };
    gone.iter().for_each(|case| _ = accepted.remove(case));
    for case in off {
        let instructions = counted.get(case).copied().unwrap_or_default();
        accepted.insert(case.clone(), Accepted { case: case.clone(), instructions, reason: reason.into() });
    }
    let mut out = csv::Writer::from_path(&file)?;
    accepted.values().try_for_each(|one| out.serialize(one))?;
    Ok(out.flush()?)
}

/// Runs every case once under callgrind.
fn count(root: &Path) -> Result<BTreeMap<String, u64>, Box<dyn Error>> {
    let home = root.join("target/icount");
    // Nothing to compare with but what is committed.
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "bench",
            "-p",
            "worldview-benches",
            "--no-default-features",
            "--features",
            "icount",
            "--bench",
            "icount",
        ])
        .args(["--", "--output-format=json"])
        .current_dir(root)
        .env("GUNGRAUN_HOME", &home)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(
            format!("the counting failed: {}; it wants valgrind and gungraun-runner 0.20.0", output.status).into()
        );
    }
    let mut counts = BTreeMap::new();
    for line in String::from_utf8(output.stdout)?.lines().filter(|line| line.starts_with('{')) {
        let summary: Value = serde_json::from_str(line)?;
        let name = summary.get("function_name").and_then(Value::as_str).ok_or("a case without a name")?;
        let count = summary.pointer("/profiles/0/data/total/metrics/Ir/values/new").and_then(Value::as_u64);
        counts.insert(name.to_owned(), count.ok_or_else(|| format!("{name} has no count"))?);
    }
    if counts.is_empty() {
        return Err("nothing was counted".into());
    }
    Ok(counts)
}
