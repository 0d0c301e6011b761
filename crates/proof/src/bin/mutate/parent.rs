//! The process that starts the others, and gathers what they found.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use worldview_proof::mutate::{Family, Recipe, Sources};

use crate::options::{ADDRESS_SPACE, Options};

/// Files a process.
const PART: u64 = 1000;

/// How long a file may take on the wall before the process is ended: many times what all its verbs may.
const PATIENCE: Duration = Duration::from_secs(300);

/// What was found in a run over a family.
#[derive(Debug, Default)]
struct Found {
    files: u64,
    faults: u64,
    /// How often each, and the first numbers.
    kinds: BTreeMap<String, (u64, Vec<u64>)>,
    /// By verb: how often it ran; its longest time in microseconds; its most memory past what it may by its input; the numbers
    /// of both files.
    costs: BTreeMap<String, [u64; 5]>,
}

/// Does the files of a family; whether anything was found.
pub(crate) fn run(options: &Options, family: Family, files: u64) -> io::Result<bool> {
    let begin = Instant::now();
    let sources = Sources::new(family, options.given(family)?);
    let mut found = Found::default();
    let end = options.first + files;
    let mut next = options.first;
    while next < end {
        let to = end.min(next + PART);
        let mut at = next;
        let status = part(options, family, next, to, &mut |line| match line.split_once(' ') {
            Some(("at", number)) => at = number.parse().unwrap_or(at),
            Some(("fault", fault)) => found.fault(options, &sources, family, fault),
            Some(("cost", cost)) => found.cost(cost),
            _ => println!("{line}"),
        })?;
        if status.success() {
            next = to;
        } else {
            // That file ended the process; the rest of the part goes on behind it.
            found.fault(options, &sources, family, &format!("{at}\tprocess\tdied: {status}"));
            next = at + 1;
        }
        found.files = next - options.first;
        println!("{}: {} files, {} faults, {:.0?}", family.name(), found.files, found.faults, begin.elapsed());
    }
    found.tell(family);
    Ok(found.faults > 0)
}

/// Runs a process over some files, and hands its lines over.
fn part(options: &Options, family: Family, from: u64, to: u64, each: &mut dyn FnMut(&str)) -> io::Result<ExitStatus> {
    let mut command = limited(&std::env::current_exe()?);
    command.args(["--child", &from.to_string(), &to.to_string(), "--format", family.name()]);
    command.args(["--seed", &options.seed.to_string()]);
    if let Some(folder) = &options.files {
        command.arg("--files").arg(folder);
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let (send, lines) = mpsc::channel();
    let out = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let lines = out.map(|out| BufReader::new(out).lines().map_while(Result::ok));
        lines.into_iter().flatten().take_while(|line| send.send(line.clone()).is_ok()).for_each(drop);
    });
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => each(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                child.kill()?;
                break;
            }
        }
    }
    let status = wait(child)?;
    // It reads no more than the process has written.
    let _ = reader.join();
    Ok(status)
}

fn wait(mut child: Child) -> io::Result<ExitStatus> {
    child.wait()
}

/// A program under the limit of its address space.
pub(crate) fn limited(program: &std::path::Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {ADDRESS_SPACE}; ulimit -c 0; exec \"$0\" \"$@\"")]).arg(program);
    command
}

impl Found {
    /// `NUMBER<TAB>VERB<TAB>WHAT`.
    fn fault(&mut self, options: &Options, sources: &Sources, family: Family, fault: &str) {
        let mut fields = fault.splitn(3, '\t');
        let mut field = || fields.next().unwrap_or_default();
        let (number, verb, what) = (field().parse().unwrap_or(0), field(), field());
        self.faults += 1;
        // What differs from file to file makes no other kind.
        let kind: String = what.chars().filter(|char| !char.is_ascii_digit()).take(120).collect();
        let (count, numbers) = self.kinds.entry(format!("{verb}: {kind}")).or_default();
        *count += 1;
        if numbers.len() >= 5 {
            return;
        }
        numbers.push(number);
        println!("{} {number}: {verb} {what}", family.name());
        let recipe = Recipe::new(sources, options.seed, number);
        println!("    {recipe}");
        match options.save(family, number, &recipe.make(family).broken) {
            Ok(path) => println!("    saved as {}", path.display()),
            Err(error) => println!("    cannot be saved: {error}"),
        }
    }

    /// `VERB<TAB>RUNS<TAB>TIME<TAB>NUMBER<TAB>MEMORY<TAB>NUMBER`.
    fn cost(&mut self, cost: &str) {
        let mut fields = cost.split('\t');
        let verb = fields.next().unwrap_or_default();
        let mut number = || fields.next().and_then(|field| field.parse().ok()).unwrap_or(0);
        let [runs, time, time_at, memory, memory_at] = [(); 5].map(|()| number());
        let all = self.costs.entry(verb.to_owned()).or_default();
        all[0] += runs;
        if time > all[1] {
            (all[1], all[2]) = (time, time_at);
        }
        if memory > all[3] {
            (all[3], all[4]) = (memory, memory_at);
        }
    }

    fn tell(&self, family: Family) {
        let Self { files, faults, kinds, costs } = self;
        println!("{}: {files} files, {faults} faults", family.name());
        for (kind, (count, numbers)) in kinds {
            println!("  {count} times {kind} {numbers:?}");
        }
        println!("  verb             runs   longest        number   most memory past 4 x   number");
        for (verb, [runs, time, time_at, memory, memory_at]) in costs {
            let time = Duration::from_micros(*time).as_secs_f64() * 1000.0;
            let memory = *memory as f64 / f64::from(1 << 20);
            println!("  {verb:<14} {runs:>6} {time:>7.1} ms {time_at:>13} {memory:>14.2} MiB {memory_at:>12}");
        }
    }
}
