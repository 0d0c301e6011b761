//! The command's verbs, put to a broken file in this process: what they must not do, and what they may cost.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use worldview::Loader;
use worldview::wwd::Unpacker;
use worldview_cli::Streams;

use super::measure::Watch;
use super::{Broken, Family};

mod verbs;

use verbs::{Answer, Verb};

/// What the image of a packed level may have, as the verbs are told.
pub const MAX_INFLATE: u64 = 64 << 20;

/// Bytes of input and image that a verb may take a second for; every verb may take one.
const BYTES_A_SECOND: u64 = 10_000_000;

/// Peak memory of a verb is at most this many times the input and the image...
pub const MEMORY_FACTOR: u64 = 4;

/// ...and this: what writers reserve however small their input is.
pub const MEMORY_CONSTANT: u64 = 64 << 20;

/// How often a verb that was slow is tried before that counts: the machine may have been busy.
const TRIES: u32 = 3;

/// What a verb did that it must not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It panicked: where, and what it said.
    Panicked(String),
    /// It ended with an exit code that says something else than it should.
    Code(u8),
    /// What it wrote is not what it should be.
    Wrote(String),
    /// It took longer than it may.
    Slow {
        /// How long, at best.
        took: Duration,
        /// How long it may.
        may: Duration,
    },
    /// It had more memory than it may.
    Large {
        /// How much at once.
        peak: u64,
        /// How much it may.
        may: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(what) => write!(f, "panicked {what}"),
            Self::Code(code) => write!(f, "ended with exit code {code}"),
            Self::Wrote(what) => write!(f, "wrote {what}"),
            Self::Slow { took, may } => write!(f, "took {took:.1?}, and may take {may:.1?}"),
            Self::Large { peak, may } => write!(f, "had {peak} bytes at once, and may have {may}"),
        }
    }
}

/// The most that a verb cost, and for which number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The longest it took, and the number of that file.
    pub time: (Duration, u64),
    /// The most memory at once past [`MEMORY_FACTOR`] times input and image, and the number of that file.
    pub memory: (u64, u64),
    /// How often it ran.
    pub runs: u64,
}

/// Drives all verbs on one file after the other, in a folder of its own.
#[derive(Debug)]
pub struct Driver {
    place: Place,
    family: Family,
    verbs: Vec<Verb>,
    out: File,
    err: Shared,
    costs: BTreeMap<&'static str, Cost>,
}

impl Driver {
    /// A driver for files of a family.
    ///
    /// # Errors
    ///
    /// Where the folder cannot be made.
    pub fn new(family: Family) -> io::Result<Self> {
        listen();
        let place = Place::new()?;
        let verbs = verbs::verbs(family, &place.0)?;
        let out = File::options().read(true).write(true).create(true).truncate(true).open(place.0.join("stdout"))?;
        Ok(Self { place, family, verbs, out, err: Shared::default(), costs: BTreeMap::new() })
    }

    /// What the verbs cost so far, by their names.
    pub const fn costs(&self) -> &BTreeMap<&'static str, Cost> {
        &self.costs
    }

    /// Puts the verbs to a file; which of them in what form depends on the number.
    ///
    /// # Errors
    ///
    /// Where the files cannot be written.
    pub fn run(&mut self, number: u64, file: &Broken, fault: &mut dyn FnMut(&str, &Fault)) -> io::Result<()> {
        let path = |name| self.place.0.join(format!("{name}.{}", self.family.extension()));
        fs::write(path("whole"), &file.whole)?;
        fs::write(path("broken"), &file.broken)?;
        let (whole, broken) = (self.size(&file.whole), self.size(&file.broken));
        for index in 0..self.verbs.len() {
            let Some(verb) = self.verbs.get(index).filter(|verb| verb.is_turn(number)) else { continue };
            let (name, size) = (verb.name, if verb.of_two { whole + broken } else { broken });
            for wrong in self.verb(index, number, size)? {
                fault(name, &wrong);
            }
        }
        Ok(())
    }

    /// How much there is to read: the file, and its image if it is packed.
    fn size(&self, bytes: &[u8]) -> u64 {
        let image = match self.family {
            Family::Wwd => Unpacker::new().max_inflate(MAX_INFLATE).unpack_lossy(bytes, &mut |_| {}).ok(),
            Family::Ff13 | Family::Island => None,
        };
        let image = image.filter(|file| file.len() != bytes.len()).map_or(0, |file| file.len() as u64);
        bytes.len() as u64 + image
    }

    fn verb(&mut self, index: usize, number: u64, size: u64) -> io::Result<Vec<Fault>> {
        let verb = &self.verbs[index];
        let may = Duration::from_secs_f64((size as f64 / BYTES_A_SECOND as f64).max(1.0));
        let (mut took, mut peak, mut ended) = (Duration::MAX, u64::MAX, Ok(0));
        for _ in 0..TRIES {
            self.out.set_len(0)?;
            self.out.rewind()?;
            self.err.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
            let streams = Streams::new(self.out.try_clone()?, self.err.clone());
            let watch = Watch::start();
            let spent = allocation_counter::measure(|| {
                ended = panic::catch_unwind(AssertUnwindSafe(|| verb.command.run(Loader::read, streams)));
            });
            took = took.min(watch.read());
            peak = peak.min(spent.bytes_max);
            self.place.empty()?;
            if took <= may || ended.is_err() {
                break;
            }
        }
        let cost = self.costs.entry(verb.name).or_default();
        cost.runs += 1;
        cost.time = cost.time.max((took, number));
        let room = size * MEMORY_FACTOR;
        cost.memory = cost.memory.max((peak.saturating_sub(room), number));
        let mut faults = Vec::new();
        match ended {
            Err(_) => faults.push(Fault::Panicked(LAST.take())),
            Ok(code) if !verb.may_end(code) => faults.push(Fault::Code(code)),
            Ok(code) => {
                let mut out = Vec::new();
                self.out.rewind()?;
                self.out.read_to_end(&mut out)?;
                let said = self.err.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
                faults.extend(wrong(verb.answer, code, &out, &said).map(Fault::Wrote));
            }
        }
        if took > may {
            faults.push(Fault::Slow { took, may });
        }
        if peak > room + MEMORY_CONSTANT {
            faults.push(Fault::Large { peak, may: room + MEMORY_CONSTANT });
        }
        Ok(faults)
    }
}

/// What is wrong with what a verb wrote.
fn wrong(answer: Answer, code: u8, out: &[u8], said: &[u8]) -> Option<String> {
    let is_json = |text: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(text).err();
    let broken = match answer {
        Answer::Text => std::str::from_utf8(out).err().map(|error| format!("no UTF-8: {error}")),
        Answer::Document => is_json(out).map(|error| format!("no JSON: {error}")),
        // A dump goes straight out, and ends where the file cannot be read on; the exit code says so.
        Answer::Dump if code == 3 => None,
        Answer::Dump => out
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .find_map(is_json)
            .map(|error| format!("no JSON: {error}")),
        Answer::Lines => out
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .find_map(is_json)
            .map(|error| format!("a line that is no JSON: {error}")),
    };
    let silent = (code == 3 && said.is_empty()).then(|| "no word of what failed".to_owned());
    broken.or(silent)
}

thread_local! {
    /// The last panic of this thread.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what a panic says, which `catch_unwind` does not tell, and leaves standard error to the report.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            LAST.set(info.to_string().replace('\n', " "));
            if std::env::var_os("RUST_BACKTRACE").is_some() {
                before(info);
            }
        }));
    });
}

/// A folder that is gone afterwards, in memory where the system has such a place.
#[derive(Debug)]
struct Place(PathBuf);

impl Place {
    fn new() -> io::Result<Self> {
        static COUNT: Mutex<u32> = Mutex::new(0);
        let shared = Path::new("/dev/shm");
        let base = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
        let mut count = COUNT.lock().unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        let folder = base.join(format!("worldview-mutate-{}-{count}", std::process::id()));
        fs::create_dir(&folder)?;
        Ok(Self(folder))
    }

    /// Takes away what was exported.
    fn empty(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.0.join("out")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Nothing is left to do about it.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Standard error of a verb; what is past the first bytes is as much of the same.
#[derive(Clone, Debug, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = (1_usize << 16).saturating_sub(said.len());
        said.extend(bytes.iter().take(room));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_told() {
        let wrong = |answer, code, out: &[u8]| wrong(answer, code, out, b"worldview: why").is_some();
        assert!(!wrong(Answer::Document, 3, b"{\n}\n"));
        assert!(wrong(Answer::Document, 3, b"{\n"));
        assert!(wrong(Answer::Document, 0, b""));
        assert!(!wrong(Answer::Lines, 0, b"{}\n{}\n"));
        assert!(wrong(Answer::Lines, 3, b"{}\n{\n"));
        // What failed on the way ends in the middle.
        assert!(!wrong(Answer::Dump, 3, b"{"));
        assert!(wrong(Answer::Dump, 0, b"{"));
        assert!(!wrong(Answer::Text, 0, "caf\u{e9}".as_bytes()));
        assert!(wrong(Answer::Text, 0, b"caf\xE9"));
    }

    #[test]
    fn what_fails_in_silence_is_told() {
        assert!(wrong(Answer::Text, 3, b"", b"").is_some());
        assert!(wrong(Answer::Text, 0, b"", b"").is_none());
    }

    #[test]
    fn a_verb_that_does_what_it_must_not_is_told() {
        let mut driver = Driver::new(Family::Wwd).unwrap();
        // A verb that never ends with 1, and one that finds a difference.
        driver.verbs.retain(|verb| verb.name == "diff same");
        let folder = driver.place.0.clone();
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let words = ["worldview", "diff", &path("whole.wwd"), &path("broken.wwd"), "--threads", "1"];
        driver.verbs[0].command = worldview_cli::Command::new(words).unwrap();
        let samples = worldview_corpus::wwd::samples::samples();
        let file = Broken { whole: samples[0].1.clone(), broken: samples[1].1.clone() };
        let mut faults = Vec::new();
        driver.run(2, &file, &mut |verb, fault| faults.push((verb.to_owned(), fault.clone()))).unwrap();
        assert_eq!(faults, [("diff same".to_owned(), Fault::Code(1))]);
        drop(driver);
        assert!(!folder.exists());
    }
}
