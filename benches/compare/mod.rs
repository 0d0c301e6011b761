//! Compares readers on files that somebody has. `benches/METHOD.md` shows the command.
//!
//! [`Found`] has the files, in memory. [`compare`] verifies that all readers of a format return the same digests, and then
//! measures them on the files that all of them can read. [`report`] prints the result.

mod files;
pub mod report;

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use worldview::Loader;
use worldview::bulk::Bulk;

pub use self::files::{File, Format, Found};
use crate::readers::table::ff13;
use crate::readers::{self, Digest, level, table, world};

/// A reader to compare, with the number of threads that read files at the same time.
pub struct Reader {
    name: String,
    threads: usize,
    read: Box<Read>,
}

type Read = dyn Fn(&File, &[u8]) -> Digest + Sync;

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("name", &self.name).field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Reader {
    /// Creates a reader that `read` is, for one file after the other. It gets a file, and the bytes that it is to read.
    pub fn new(name: &str, read: impl Fn(&File, &[u8]) -> Digest + Sync + 'static) -> Self {
        Self { name: name.to_owned(), threads: 1, read: Box::new(read) }
    }

    fn of_bytes((name, read): &(&str, readers::Reader)) -> Self {
        let read = *read;
        Self::new(name, move |_, bytes| read(bytes))
    }

    fn read(&self, file: &File) -> Digest {
        (self.read)(file, file.bytes.as_ref().map_err(Clone::clone)?)
    }

    /// Reads all files, and passes the digests to `sink`, in order.
    fn pass(&self, files: &[&File], sink: impl FnMut(Digest)) {
        Bulk::new(Loader::read()).threads(self.threads).ordered(
            files,
            || (),
            |file, ()| self.read(black_box(file)),
            sink,
        );
    }
}

fn all(readers: &[(&str, readers::Reader)]) -> Vec<Reader> {
    readers.iter().map(Reader::of_bytes).collect()
}

impl Format {
    /// Returns all readers of this format, for a number of files. The first is ours on one thread.
    pub fn readers(self, files: usize) -> Vec<Reader> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let named = |read: fn(&File, &[u8]) -> Digest| Reader::new(&format!("worldview, {threads} threads"), read);
        let by_files = |read| (threads > 1 && files > 1).then(|| Reader { threads, ..named(read) });
        let ours = |file: &File, bytes: &[u8]| Ok(ff13::ours(file.stem(), bytes)?.sum);
        let (mut readers, on_all_threads) = match self {
            Self::Level => (all(level::ALL), by_files(|_, bytes| level::ours::digest(bytes))),
            Self::Table => (all(table::ALL), by_files(|_, bytes| table::ours::by_columns(bytes))),
            Self::World => (all(world::ALL), (threads > 1).then(|| named(|_, bytes| world::ours::in_parallel(bytes)))),
            Self::Xiii1 => (vec![Reader::new("worldview", ours)], by_files(ours)),
        };
        #[cfg(feature = "readers")]
        if self == Self::Xiii1 {
            readers.push(Reader::new("ff13-formats", |file, bytes| Ok(ff13::theirs(file.stem(), bytes)?.sum)));
        }
        readers.splice(1..1, on_all_threads);
        readers
    }
}

/// How often a reader is measured.
#[derive(Clone, Copy, Debug)]
pub struct Passes {
    /// The least number of passes over all files.
    pub least: usize,
    /// More passes follow until they have taken this long.
    pub time: Duration,
}

/// What a reader did.
#[derive(Clone, Debug)]
pub struct Row {
    /// The format that it read.
    pub format: Format,
    /// The reader.
    pub reader: String,
    /// Number of files that all readers of the format can read, or 0 if this reader can read none.
    pub files: usize,
    /// Size of these files. That of a packed level is the size of its image.
    pub bytes: u64,
    /// The median time of a pass over these files, in nanoseconds.
    pub median_ns: Option<f64>,
    /// This time divided by that of the first reader.
    pub times_ours: Option<f64>,
    /// Number of files of the format that it cannot read.
    pub unreadable: usize,
    /// The first of them, and why.
    pub first_error: Option<(String, String)>,
}

/// Error returned when two readers read different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The file.
    pub file: String,
    /// The names and the digests of the first reader that can read it, and of the first that differs.
    pub digests: [(String, u32); 2],
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(one, first), (other, second)] = &self.digests;
        write!(f, "{}: the digest of {one} is {first:#010x}, that of {other} is {second:#010x}", self.file)
    }
}

impl std::error::Error for Mismatch {}

/// Compares readers on files of one format. Each is measured on the files that all can read, but for readers that can read
/// none.
pub fn compare(format: Format, files: &[&File], readers: &[Reader], passes: Passes) -> Result<Vec<Row>, Mismatch> {
    let read: Vec<Vec<Digest>> = readers.iter().map(|reader| digests(reader, files)).collect();
    let able: Vec<bool> = read.iter().map(|digests| digests.iter().any(Result::is_ok)).collect();
    let mut common = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let digests = || readers.iter().zip(&read).filter_map(|(reader, read)| Some((reader, read.get(at)?)));
        let mut found = digests().filter_map(|(reader, digest)| Some((reader, *digest.as_ref().ok()?)));
        let Some((first, expected)) = found.next() else { continue };
        if let Some((other, digest)) = found.find(|(_, digest)| *digest != expected) {
            let digests = [(first.name.clone(), expected), (other.name.clone(), digest)];
            return Err(Mismatch { file: file.name.clone(), digests });
        }
        if digests().zip(&able).all(|((_, digest), is_able)| digest.is_ok() || !is_able) {
            common.push(*file);
        }
    }
    let mut ours = None;
    let row = |((reader, read), is_able): ((&Reader, &Vec<Digest>), &bool)| {
        let is_measured = *is_able && !common.is_empty();
        let median_ns = is_measured.then(|| median(reader, &common, passes).as_secs_f64() * 1e9);
        ours = ours.or(median_ns);
        let failures = files.iter().zip(read).filter_map(|(file, digest)| Some((file, digest.as_ref().err()?)));
        Row {
            format,
            reader: reader.name.clone(),
            files: if is_measured { common.len() } else { 0 },
            bytes: if is_measured { common.iter().map(|file| file.size()).sum() } else { 0 },
            median_ns,
            times_ours: median_ns.zip(ours).map(|(median, ours)| median / ours),
            unreadable: failures.clone().count(),
            first_error: failures.clone().next().map(|(file, error)| (file.name.clone(), error.to_string())),
        }
    };
    Ok(readers.iter().zip(&read).zip(&able).map(row).collect())
}

fn digests(reader: &Reader, files: &[&File]) -> Vec<Digest> {
    let mut digests = Vec::new();
    reader.pass(files, |digest| digests.push(digest));
    digests
}

/// Returns the median time of a pass, after one that is not measured.
fn median(reader: &Reader, files: &[&File], passes: Passes) -> Duration {
    let once = || {
        let start = Instant::now();
        let mut sum = 0_u32;
        reader.pass(files, |digest| sum = sum.wrapping_add(digest.unwrap_or(0)));
        black_box(sum);
        start.elapsed()
    };
    once();
    let (mut times, start) = (Vec::new(), Instant::now());
    while times.len() < passes.least.max(1) || start.elapsed() < passes.time {
        times.push(once());
    }
    let middle = times.len() / 2;
    *times.select_nth_unstable(middle).1
}
