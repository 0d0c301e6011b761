//! Processes the independent parts of a file in parallel.
//!
//! WORLD.WDB consists of two chunks and some hundreds of independent blobs. [`Parallel`] opens and decodes each of them
//! once, however many references it has, starting with the largest. It returns the results in file order, whatever the
//! number of threads. Files too small to be worth waking a thread for are processed on the caller's.
//!
//! The levels of a REZ archive are independent of each other, too: [`Parallel::levels`].
//!
//! To process many files in parallel, see [`bulk`](crate::bulk). Both can share a pool of threads.
//!
//! ```
//! # fn main() -> worldview::Result<()> {
//! # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
//! use worldview::parallel::Parallel;
//! use worldview::island::Database;
//!
//! let database = Database::parse(file)?; // the directory alone
//! let triangles: Vec<usize> = Parallel::new().decode(&database, |item, _| {
//!     item.map_or(0, |item| item.meshes().flatten().map(|mesh| usize::from(mesh.triangles)).sum())
//! });
//! println!("{} triangles", triangles.iter().sum::<usize>());
//! # Ok(())
//! # }
//! ```

mod levels;

use std::cmp::Reverse;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use worldview_core::{Error, Result};
use worldview_island::{Blob, Content, Contents, Database, Finding, Geometry, Image, Lods, Mesh, Parts, Textures};

use crate::engine::{self, Threads};

/// Options for processing the parts of a file. If there are less than 256 KiB of parts, only the caller's thread is
/// used.
#[derive(Clone, Copy, Default)]
pub struct Parallel<'p> {
    threads: usize,
    progress: Option<&'p (dyn Fn(ParallelProgress) + Sync)>,
}

/// Progress of a run.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParallelProgress {
    /// Number of chunks and blobs processed.
    pub done: usize,
    /// Total number of chunks and blobs.
    pub total: usize,
    /// Number of bytes processed.
    pub bytes_done: u64,
    /// Total number of bytes.
    pub bytes_total: u64,
}

/// An opened part of a database, ready to decode.
#[derive(Clone, Debug)]
pub enum DatabasePart<'a> {
    /// The global textures.
    Textures(Textures<'a>),
    /// The global parts.
    Parts(Parts<'a>),
    /// A blob.
    Blob(Blob<'a>, Content<'a>),
}

/// The buffers that a thread reuses for every item.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Buffer for [`Mesh::decode_into`].
    pub geometry: Geometry,
    /// Buffer for [`Image::rgb_into`].
    pub pixels: Vec<u8>,
}

/// A chunk or blob to open.
#[derive(Clone, Copy)]
enum Job<'a> {
    Textures(u64),
    Parts(u64),
    Blob(Result<Blob<'a>>),
}

impl<'p> Parallel<'p> {
    /// Creates the default options, which use all threads of the rayon pool that the calling thread belongs to, or else
    /// of the global one.
    pub const fn new() -> Self {
        Self { threads: 0, progress: None }
    }

    /// Sets the number of threads; 0 uses all threads of rayon's pool.
    #[must_use]
    pub const fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Calls `progress` after each item. Calls come from any thread, but never from two at once, and the last one
    /// reports that all items are done.
    #[must_use]
    pub const fn progress(self, progress: &'p (dyn Fn(ParallelProgress) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Opens everything, like [`Contents::read`].
    pub fn contents<'a>(&self, database: &Database<'a>) -> Contents<'a> {
        enum Opened<'a> {
            Textures(Result<Textures<'a>>),
            Parts(Result<Parts<'a>>),
            Blob(Result<Content<'a>>),
        }
        let is_worth = database.source().len() >= WORTH_OPENING;
        let opened = if is_worth { *self } else { self.threads(1) }.run(
            &jobs(database),
            Job::size,
            || (),
            |job, ()| match job {
                Job::Textures(_) => Opened::Textures(database.textures()),
                Job::Parts(_) => Opened::Parts(database.parts()),
                Job::Blob(blob) => Opened::Blob(blob.and_then(|blob| blob.read())),
            },
        );
        let (mut textures, mut parts, mut blobs) = (None, None, Vec::new());
        for opened in opened {
            match opened {
                Opened::Textures(opened) => textures = Some(opened),
                Opened::Parts(opened) => parts = Some(opened),
                Opened::Blob(content) => blobs.push(content),
            }
        }
        let textures = textures.unwrap_or_else(|| database.textures());
        Contents { textures, parts: parts.unwrap_or_else(|| database.parts()), blobs }
    }

    /// Opens as much as possible and reports the rest, like [`Contents::read_lossy`], with findings in file order.
    pub fn contents_lossy<'a>(&self, database: &Database<'a>, report: &mut dyn FnMut(Finding<'a>)) -> Contents<'a> {
        // Nearly every file opens without findings, so their order rarely matters.
        let contents = self.contents(database);
        if contents.is_broken() { Contents::read_lossy(database, report) } else { contents }
    }

    /// Opens the global textures, the global parts and each distinct blob, and calls `look` to decode each of them.
    /// Returns the results in this order, with the blobs in the order of [`Database::blobs`].
    ///
    /// An item that cannot be opened, or that overlaps others too much, is passed as its error.
    pub fn decode<'a, T: Send>(
        &self,
        database: &Database<'a>,
        look: impl Fn(Result<DatabasePart<'a>>, &mut Scratch) -> T + Sync,
    ) -> Vec<T> {
        self.run(&jobs(database), Job::size, Scratch::default, |job, scratch| {
            let item = match job {
                Job::Textures(_) => database.textures().map(DatabasePart::Textures),
                Job::Parts(_) => database.parts().map(DatabasePart::Parts),
                Job::Blob(blob) => blob.and_then(|blob| Ok(DatabasePart::Blob(blob, blob.read()?))),
            };
            look(item, scratch)
        })
    }

    /// Decodes like [`decode`](Self::decode), but opens as much as possible of each item: parts, objects and textures
    /// end before the first broken one, which is reported. An item is passed as its error only if nothing of it can be
    /// opened.
    pub fn decode_lossy<'a, T: Send>(
        &self,
        database: &Database<'a>,
        report: &mut dyn FnMut(Finding<'a>),
        look: impl Fn(Result<DatabasePart<'a>>, &mut Scratch) -> T + Sync,
    ) -> Vec<T> {
        let Contents { textures, parts, blobs } = self.contents_lossy(database, report);
        let blobs = database.blobs().iter().zip(blobs);
        let items =
            blobs.map(|(blob, content)| (blob.source.len(), content.map(|content| DatabasePart::Blob(*blob, content))));
        let textures = (database.texture_chunk().len(), textures.map(DatabasePart::Textures));
        let parts = (database.parts_chunk().len(), parts.map(DatabasePart::Parts));
        self.run_owned([textures, parts].into_iter().chain(items).collect(), Scratch::default, look)
    }

    /// Runs any jobs, starting with the largest, with one scratch per thread. Returns the results in job order.
    ///
    /// `size` returns the input bytes of a job. It determines the order, and whether other threads are worth waking.
    pub fn run<J: Sync, S: Send, T: Send>(
        &self,
        jobs: &[J],
        size: impl Fn(&J) -> u64,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&J, &mut S) -> T + Sync,
    ) -> Vec<T> {
        self.run_owned(jobs.iter().map(|job| (size(job), job)).collect(), scratch, work)
    }

    const fn threads_to_use(&self) -> Threads {
        match self.threads {
            0 => Threads::Shared,
            1 => Threads::Caller,
            threads => Threads::Own(threads),
        }
    }

    fn run_owned<J: Send, S: Send, T: Send>(
        &self,
        jobs: Vec<(u64, J)>,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(J, &mut S) -> T + Sync,
    ) -> Vec<T> {
        let (count, bytes_total) = (jobs.len(), jobs.iter().fold(0, |sum: u64, (size, _)| sum.saturating_add(*size)));
        // `progress` is called under the lock, so that it never goes backwards.
        let now = Mutex::new(ParallelProgress { done: 0, total: count, bytes_done: 0, bytes_total });
        let work = |(size, job), scratch: &mut S| {
            let result = work(job, scratch);
            if let Some(progress) = self.progress {
                let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
                now.done = now.done.saturating_add(1);
                now.bytes_done = now.bytes_done.saturating_add(size);
                progress(*now);
            }
            result
        };
        let threads = if count < 2 || bytes_total < WORTH_WAKING { Threads::Caller } else { self.threads_to_use() };
        let mut jobs: Vec<(usize, (u64, J))> = jobs.into_iter().enumerate().collect();
        if !matches!(threads, Threads::Caller) {
            // A large item at the end would keep one thread busy while the others wait.
            jobs.sort_by_key(|(_, (size, _))| Reverse(*size));
        }
        engine::all(threads, jobs, scratch, work)
    }
}

/// Number of input bytes below which a run stays on one thread. Waking a sleeping pool takes about ten microseconds, in
/// which this much is opened.
const WORTH_WAKING: u64 = 256 << 10;

/// File size in bytes below which opening everything stays on one thread. Little of a file is structure: 10 MB take a
/// fifth of a millisecond, and two threads that share a cache are no faster.
const WORTH_OPENING: u64 = 32 << 20;

impl Job<'_> {
    fn size(&self) -> u64 {
        match self {
            Self::Textures(len) | Self::Parts(len) => *len,
            Self::Blob(blob) => blob.map_or(0, |blob| blob.source.len()),
        }
    }
}

fn jobs<'a>(database: &Database<'a>) -> Vec<Job<'a>> {
    let chunks = [Job::Textures(database.texture_chunk().len()), Job::Parts(database.parts_chunk().len())];
    let blobs = database.affordable_blobs().map(|blob| Job::Blob(blob.copied()));
    chunks.into_iter().chain(blobs).collect()
}

impl<'a> DatabasePart<'a> {
    /// Returns the images, in the order of the list of textures. Of a pair, the one of low quality comes first.
    pub fn images(&self) -> impl Iterator<Item = Image<'a>> + use<'a> {
        let textures = match self {
            Self::Textures(textures) => *textures,
            Self::Parts(parts) => parts.textures,
            Self::Blob(_, content) => content.textures(),
        };
        textures.iter().flat_map(|texture| [Some(texture.image), texture.second]).flatten()
    }

    /// Returns the lists of levels of detail: one per part, or one per object of a model.
    pub fn lods(&self) -> impl Iterator<Item = Lods<'a>> {
        let (parts, model) = match self {
            Self::Textures(_) => (None, None),
            Self::Parts(parts) | Self::Blob(_, Content::Parts(parts)) => (Some(parts), None),
            Self::Blob(_, Content::Model(model)) => (None, Some(model)),
        };
        let of_parts = parts.into_iter().flat_map(|parts| parts.iter().map(|part| part.lods));
        of_parts.chain(model.into_iter().flat_map(|model| model.rois.iter().map(|roi| roi.lods)))
    }

    /// Returns the meshes of each level of detail in each list.
    pub fn meshes(&self) -> impl Iterator<Item = impl Iterator<Item = Mesh<'a>>> {
        self.lods().flat_map(|lods| lods.iter().map(|lod| lod.meshes.iter()))
    }

    /// Decodes every image and every mesh, and calls `look` with each.
    pub fn each(&self, scratch: &mut Scratch, mut look: impl FnMut(Decoded<'_, 'a>)) {
        for image in self.images() {
            image.rgb_into(&mut scratch.pixels);
            look(Decoded::Image(image, &scratch.pixels));
        }
        for mesh in self.meshes().flatten() {
            let decoded = mesh.decode_into(&mut scratch.geometry);
            look(Decoded::Mesh(mesh, decoded.map(|()| &scratch.geometry)));
        }
    }
}

/// A decoded image or mesh. The data is in the thread's scratch.
#[derive(Clone, Copy, Debug)]
pub enum Decoded<'s, 'a> {
    /// An image, and the red, green and blue of each pixel.
    Image(Image<'a>, &'s [u8]),
    /// A mesh, and its vertices and triangles or the error from decoding them.
    Mesh(Mesh<'a>, std::result::Result<&'s Geometry, Error>),
}

impl fmt::Debug for Parallel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parallel").field("threads", &self.threads).finish_non_exhaustive()
    }
}

worldview_core::assert_send_sync!(Parallel<'_>, ParallelProgress, DatabasePart<'_>, Scratch, Decoded<'_, '_>);
