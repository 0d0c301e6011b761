//! The chunks and blobs of WORLD.WDB.

use worldview_core::{Error, Result};
use worldview_island::{
    Blob, Content, Contents, Counts, Database, Finding, Geometry, Image, Lods, Mesh, Parts, Target, Textures,
};

use super::Parallel;

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
    Blob(Blob<'a>),
}

impl Parallel<'_> {
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
                Job::Blob(blob) => Opened::Blob(blob.read()),
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
    /// An item that cannot be opened is passed as its error.
    pub fn decode<'a, T: Send>(
        &self,
        database: &Database<'a>,
        look: impl Fn(Result<DatabasePart<'a>>, &mut Scratch) -> T + Sync,
    ) -> Vec<T> {
        self.run(&jobs(database), Job::size, Scratch::default, |job, scratch| {
            let item = match job {
                Job::Textures(_) => database.textures().map(DatabasePart::Textures),
                Job::Parts(_) => database.parts().map(DatabasePart::Parts),
                Job::Blob(blob) => blob.read().map(|content| DatabasePart::Blob(*blob, content)),
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

    /// Decodes all meshes into memory of the caller, in the order of [`Contents::lods`]. [`Contents::counts`] is how much they need.
    /// Every thread has a part of it to itself, so nothing is locked.
    ///
    /// Returns for each mesh where its vertices and indices begin, or the error from decoding it. The elements of such a mesh
    /// are 0.
    ///
    /// # Errors
    ///
    /// Returns an error and writes nothing if [`Target::take`] does, because there is not enough memory.
    pub fn decode_meshes(&self, contents: &Contents<'_>, mut target: Target<'_>) -> Result<Vec<Result<Counts>>> {
        let parts = contents.parts.iter().map(|parts| (Some(parts), None));
        let blobs = contents.blobs.iter().flatten().map(|content| (None, Some(content)));
        let (mut jobs, mut next) = (Vec::new(), Counts::default());
        for (parts, content) in parts.chain(blobs) {
            let counts: Counts = lods_of(parts, content).flatten().map(|lod| lod.counts()).sum();
            let written =
                (counts.vertices as u64).saturating_mul(32).saturating_add((counts.indices as u64).saturating_mul(2));
            jobs.push((written, (parts, content, next, target.take(counts)?)));
            next = next + counts;
        }
        let decoded = self.run_owned(
            jobs,
            || (),
            |(parts, content, mut next, mut target), ()| {
                let meshes = lods_of(parts, content).flatten().flat_map(|lod| lod.meshes);
                let decoded = meshes.map(|mesh| {
                    let first = next;
                    next = next + mesh.counts();
                    mesh.decode_to(&mut target).map(|()| first)
                });
                decoded.collect::<Vec<_>>()
            },
        );
        Ok(decoded.into_iter().flatten().collect())
    }
}

/// File size in bytes below which opening everything stays on one thread. Little of a file is structure: 10 MB take a
/// fifth of a millisecond, and two threads that share a cache are no faster.
const WORTH_OPENING: u64 = 32 << 20;

impl Job<'_> {
    fn size(&self) -> u64 {
        match self {
            Self::Textures(len) | Self::Parts(len) => *len,
            Self::Blob(blob) => blob.source.len(),
        }
    }
}

fn jobs<'a>(database: &Database<'a>) -> Vec<Job<'a>> {
    let chunks = [Job::Textures(database.texture_chunk().len()), Job::Parts(database.parts_chunk().len())];
    chunks.into_iter().chain(database.blobs().iter().copied().map(Job::Blob)).collect()
}

/// Returns the lists of levels of detail of global parts or of a blob.
fn lods_of<'p, 'a>(
    parts: Option<&'p Parts<'a>>,
    content: Option<&'p Content<'a>>,
) -> impl Iterator<Item = Lods<'a>> + use<'p, 'a> {
    parts.into_iter().flat_map(Parts::lods).chain(content.into_iter().flat_map(Content::lods))
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
        match self {
            Self::Textures(_) => lods_of(None, None),
            Self::Parts(parts) => lods_of(Some(parts), None),
            Self::Blob(_, content) => lods_of(None, Some(content)),
        }
    }

    /// Returns the meshes of each level of detail in each list.
    pub fn meshes(&self) -> impl Iterator<Item = impl Iterator<Item = Mesh<'a>>> {
        self.lods().flat_map(|lods| lods.iter().map(|lod| lod.meshes.iter()))
    }

    /// Decodes every image and every mesh, and calls `look` with each.
    pub fn each(&self, scratch: &mut Scratch, mut look: impl FnMut(Decoded<'_, 'a>)) {
        for image in self.images() {
            scratch.pixels.resize(image.pixels.len().saturating_mul(3), 0);
            let written = image.rgb_into(&mut scratch.pixels);
            debug_assert!(written.is_ok(), "there are three bytes per pixel");
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

worldview_core::assert_send_sync!(DatabasePart<'_>, Scratch, Decoded<'_, '_>);
