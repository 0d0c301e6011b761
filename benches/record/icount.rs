//! Instruction counts: compares them with the committed ones, or accepts them with a reason.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// Counts that differ from the committed ones by a larger share are reported. A higher count is a failure; a lower one
/// should be accepted, so that it cannot creep back up unnoticed.
const TOLERANCE: f64 = 0.02;

/// A committed count.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Accepted {
    case: String,
    instructions: u64,
    /// The compiler, as printed by `rustc --version`. Counts of another compiler are reported but do not fail.
    compiler: String,
    reason: String,
}

/// Counts and compares. With a reason, accepts counts that differ or are new.
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
    let compiler = crate::said("rustc");
    let mut off = Vec::new();
    let mut faults = Vec::new();
    for (case, instructions) in &counted {
        let before = accepted.get(case);
        #[expect(clippy::cast_precision_loss, reason = "exact enough for percentages")]
        let change = before.map(|before| *instructions as f64 / before.instructions as f64 - 1.0);
        let shown = change.map_or("new".into(), |change| format!("{:+.2} %", change * 100.0));
        let is_off = change.is_none_or(|change| change.abs() > TOLERANCE);
        let same_compiler = before.is_none_or(|before| before.compiler == compiler);
        let said = match change {
            _ if !is_off => "",
            _ if !same_compiler => "  <- off, by another compiler",
            Some(change) if change < 0.0 => "  <- less",
            _ => "  <- off",
        };
        println!("{case:20} {instructions:>12} {shown:>10}{said}");
        if is_off {
            off.push(case);
        }
        if said == "  <- off" {
            faults.push(case.as_str());
        }
    }
    let gone: Vec<String> = accepted.keys().filter(|case| !counted.contains_key(*case)).cloned().collect();
    let Some(reason) = reason else {
        let how = "if that is as it should be: just icount-accept \"the reason\"";
        if !faults.is_empty() || !gone.is_empty() {
            return Err(format!("off: {}; gone: {}; {how}", faults.join(", "), gone.join(", ")).into());
        }
        if !off.is_empty() {
            println!("{} counts should be accepted; {how}", off.len());
        }
        return Ok(());
    };
    gone.iter().for_each(|case| _ = accepted.remove(case));
    for case in off {
        let instructions = counted.get(case).copied().unwrap_or_default();
        accepted.insert(
            case.clone(),
            Accepted { case: case.clone(), instructions, compiler: compiler.clone(), reason: reason.into() },
        );
    }
    let mut out = csv::Writer::from_path(&file)?;
    accepted.values().try_for_each(|one| out.serialize(one))?;
    Ok(out.flush()?)
}

/// Runs every case once under callgrind.
fn count(root: &Path) -> Result<BTreeMap<String, u64>, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--profile", "dist", "-p", "worldview-benches", "--features", "readers", "--bin", "icount"];
    if !Command::new(cargo).args(build).current_dir(root).status()?.success() {
        return Err("building the cases failed".into());
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |target| root.join(target));
    let program = target.join("dist/icount");
    let names = String::from_utf8(Command::new(&program).output()?.stdout)?;
    names.lines().map(|name| Ok((name.to_owned(), count_one(&program, name)?))).collect()
}

/// Runs one case, and reads the count from callgrind's final output.
fn count_one(program: &Path, name: &str) -> Result<u64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*measured*", "--callgrind-out-file=/dev/null"])
        .args([program.as_os_str(), name.as_ref()])
        .output()
        .map_err(|error| format!("valgrind, which counts, does not start: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said.lines().find_map(|line| line.split_once("Collected : ")).map(|(_, count)| count.trim());
    match count.and_then(|count| count.parse().ok()) {
        Some(count) if output.status.success() => Ok(count),
        _ => Err(format!("{name} was not counted: {}: {said}", output.status).into()),
    }
}
