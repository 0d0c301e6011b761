//! A file's independent parts side by side, on as many threads as there are.
//!
//! WORLD.WDB is made of two chunks and some hundreds of blobs that know nothing of each other. [`Parallel`] opens and decodes
//! each of them once, however many references it has, the largest first, and hands back the results in the order of the
//! file: the same on one thread and on many. Files too small to be worth waking a thread for stay on the caller's.
//!
//! For many files side by side see [`bulk`](crate::bulk); the two go together on one pool of threads.
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

use std::cmp::Reverse;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use worldview_core::{Error, Result};
use worldview_island::{Blob, Content, Contents, Database, Finding, Geometry, Image, Lods, Mesh, Parts, Textures};

use crate::engine::{Engine, Threads};

/// How the parts of a file are worked on. Less than 256 KiB of parts stay on the caller's thread, whatever is asked for.
#[derive(Clone, Copy, Default)]
pub struct Parallel<'p> {
    threads: usize,
    progress: Option<&'p (dyn Fn(ParallelProgress) + Sync)>,
}

/// How far a run is.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParallelProgress {
    /// Chunks and blobs that are done.
    pub done: usize,
    /// Chunks and blobs in all.
    pub total: usize,
    /// Bytes of the file that are done.
    pub bytes_done: u64,
    /// Bytes of the file in all.
    pub bytes_total: u64,
}

/// What there is to decode, opened.
#[derive(Clone, Debug)]
pub enum DatabasePart<'a> {
    /// The global textures.
    Textures(Textures<'a>),
    /// The global parts.
    Parts(Parts<'a>),
    /// A blob.
    Blob(Blob<'a>, Content<'a>),
}

/// Buffers of one thread, used again for every item.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// For [`Mesh::decode_into`].
    pub geometry: Geometry,
    /// For [`Image::rgb_into`].
    pub pixels: Vec<u8>,
}

/// A chunk or blob that is yet to be opened.
#[derive(Clone, Copy)]
enum Job<'a> {
    Textures(u64),
    Parts(u64),
    Blob(Result<Blob<'a>>),
}

impl<'p> Parallel<'p> {
    /// On all threads of rayon's pool: of the one whose thread calls, or that of the process.
    pub const fn new() -> Self {
        Self { threads: 0, progress: None }
    }

    /// On this many threads; 0 is as many as rayon's pool has.
    #[must_use]
    pub const fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Tells `progress` after each item; from any thread, but never from two at once, and the last call says that all are
    /// done.
    #[must_use]
    pub const fn progress(self, progress: &'p (dyn Fn(ParallelProgress) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Opens everything: the same as [`Contents::read`].
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

    /// Opens as much as can be, and reports the rest: the same as [`Contents::read_lossy`], findings in the order of the
    /// file.
    pub fn contents_lossy<'a>(&self, database: &Database<'a>, report: &mut dyn FnMut(Finding<'a>)) -> Contents<'a> {
        // Nearly every file opens without a finding, and then nothing has to be in order.
        let contents = self.contents(database);
        if contents.is_broken() { Contents::read_lossy(database, report) } else { contents }
    }

    /// Opens the global textures, the global parts and each distinct blob, lets `look` decode it, and returns what it
    /// makes of them in that order, the blobs in the order of [`Database::blobs`].
    ///
    /// An item that does not open, or that overlaps others too often to be walked, is passed as its error.
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

    /// Decodes as [`decode`](Self::decode) does, but opens what can be opened of each item: parts, objects and textures
    /// end before the first broken one, which is reported. Only an item of which nothing opens is passed as its error.
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

    /// Works on any jobs: the largest first, one scratch for each thread, the results in the order of the jobs.
    ///
    /// `size` is in bytes of input, which decides the order, and whether other threads are worth waking.
    pub fn run<J: Sync, S: Send, T: Send>(
        &self,
        jobs: &[J],
        size: impl Fn(&J) -> u64,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&J, &mut S) -> T + Sync,
    ) -> Vec<T> {
        self.run_owned(jobs.iter().map(|job| (size(job), job)).collect(), scratch, work)
    }

    fn run_owned<J: Send, S: Send, T: Send>(
        &self,
        jobs: Vec<(u64, J)>,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(J, &mut S) -> T + Sync,
    ) -> Vec<T> {
        let (count, bytes_total) = (jobs.len(), jobs.iter().fold(0, |sum: u64, (size, _)| sum.saturating_add(*size)));
        // Called under the lock, so that progress never goes back.
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
        let threads = match self.threads {
            _ if count < 2 || bytes_total < WORTH_WAKING => Threads::Caller,
            0 => Threads::Shared,
            1 => Threads::Caller,
            threads => Threads::Own(threads),
        };
        let mut jobs: Vec<(usize, (u64, J))> = jobs.into_iter().enumerate().collect();
        if !matches!(threads, Threads::Caller) {
            // One large item at the end would keep one thread busy and the others waiting.
            jobs.sort_by_key(|(_, (size, _))| Reverse(*size));
        }
        let mut results = Vec::with_capacity(count);
        let engine = Engine { threads, window: usize::MAX, cancel: None };
        engine.run(jobs.into_iter(), scratch, work, |result| results.push(result));
        results
    }
}

/// Bytes of input below which a run stays on one thread: waking a sleeping pool takes some ten microseconds, in which
/// this much is opened.
const WORTH_WAKING: u64 = 256 << 10;

/// Bytes of a file below which opening all of it stays on one thread: structure is little of a file, and 10 MB take a
/// fifth of a millisecond, which two threads that share a cache make no shorter.
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
    /// The images, each as it lies in the list of textures; of a pair, first the one of low quality.
    pub fn images(&self) -> impl Iterator<Item = Image<'a>> + use<'a> {
        let textures = match self {
            Self::Textures(textures) => *textures,
            Self::Parts(parts) => parts.textures,
            Self::Blob(_, content) => content.textures(),
        };
        textures.iter().flat_map(|texture| [Some(texture.image), texture.second]).flatten()
    }

    /// The lists of levels of detail: one for each part, or one for each object of a model.
    pub fn lods(&self) -> impl Iterator<Item = Lods<'a>> {
        let (parts, model) = match self {
            Self::Textures(_) => (None, None),
            Self::Parts(parts) | Self::Blob(_, Content::Parts(parts)) => (Some(parts), None),
            Self::Blob(_, Content::Model(model)) => (None, Some(model)),
        };
        let of_parts = parts.into_iter().flat_map(|parts| parts.iter().map(|part| part.lods));
        of_parts.chain(model.into_iter().flat_map(|model| model.rois.iter().map(|roi| roi.lods)))
    }

    /// The meshes of each level of each list.
    pub fn meshes(&self) -> impl Iterator<Item = impl Iterator<Item = Mesh<'a>>> {
        self.lods().flat_map(|lods| lods.iter().map(|lod| lod.meshes.iter()))
    }

    /// Decodes every image and every mesh, and gives both to `look` as soon as they are.
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

/// An image or a mesh, decoded; what it was decoded into is the thread's scratch.
#[derive(Clone, Copy, Debug)]
pub enum Decoded<'s, 'a> {
    /// An image, and red, green and blue of its pixels.
    Image(Image<'a>, &'s [u8]),
    /// A mesh, and its vertices and triangles, or why there are none.
    Mesh(Mesh<'a>, std::result::Result<&'s Geometry, Error>),
}

impl fmt::Debug for Parallel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parallel").field("threads", &self.threads).finish_non_exhaustive()
    }
}

worldview_core::assert_send_sync!(Parallel<'_>, ParallelProgress, DatabasePart<'_>, Scratch, Decoded<'_, '_>);
