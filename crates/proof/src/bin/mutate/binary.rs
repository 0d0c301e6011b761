//! The program itself, put to broken files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Instant;

use worldview_proof::mutate::{Family, Recipe, Sources};

use crate::options::Options;
use crate::parent::limited;

/// Runs `check` and `export` over each file of a family; whether anything was found.
pub(crate) fn run(options: &Options, family: Family, files: u64) -> io::Result<bool> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => std::env::current_exe()?.with_file_name("worldview"),
    };
    let sources = Sources::new(family, options.given(family)?);
    let shared = Path::new("/dev/shm");
    let base = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
    let folder = base.join(format!("worldview-binary-{}", std::process::id()));
    let out = folder.join("out");
    fs::create_dir_all(&folder)?;
    let (begin, mut faults, mut codes) = (Instant::now(), 0_u64, [0_u64; 4]);
    for number in options.first..options.first + files {
        let recipe = Recipe::new(&sources, options.seed, number);
        let told = recipe.to_string();
        let broken = recipe.make(family).broken;
        let file = folder.join(format!("broken.{}", family.extension()));
        fs::write(&file, &broken)?;
        let mut verb = |words: &[&str]| -> io::Result<()> {
            let mut command = limited(&program);
            command.args(words).arg(&file).arg("--max-inflate").arg((64 << 20).to_string());
            if words[0] == "export" {
                command.arg("--out").arg(&out);
            }
            let output = command.stdin(Stdio::null()).output()?;
            if let Some(code @ (0 | 1 | 3)) = output.status.code() {
                codes[usize::from(code.unsigned_abs().to_le_bytes()[0])] += 1;
            }
            if let Some(fault) = fault(&output) {
                faults += 1;
                println!("{} {number}: {} {fault}\n    {told}", family.name(), words.join(" "));
                println!("    saved as {}", options.save(family, number, &broken)?.display());
            }
            Ok(())
        };
        verb(&["check"])?;
        // Drawing models takes a hundred times as long as all the rest.
        let is_turn = family != Family::Island || number.is_multiple_of(20);
        let pictures: &[&str] = if is_turn { &["--html", "--to", "preview"] } else { &[] };
        verb(&[&["export", "--max-pixels", "4194304", "--to", KINDS], pictures].concat())?;
        empty(&out)?;
    }
    fs::remove_dir_all(&folder)?;
    let [done, found, _, failed] = codes;
    let (name, time) = (family.name(), begin.elapsed());
    println!("{name}: {files} files through the program, {faults} faults, {time:.0?}");
    println!("  exit codes: 0 {done} times, 1 {found} times, 3 {failed} times");
    Ok(faults > 0)
}

const KINDS: &str = "tmx,tmj,glb,png,csv,ndjson,parquet,arrow,json,text,members";

/// What a process must not do.
fn fault(output: &Output) -> Option<String> {
    let said = String::from_utf8_lossy(&output.stderr);
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Some(format!("ended with {}: {said}", output.status));
    }
    said.contains("panicked").then(|| format!("said {said}"))
}

fn empty(out: &PathBuf) -> io::Result<()> {
    match fs::remove_dir_all(out) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
