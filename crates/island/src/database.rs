use worldview_core::{Budget, Cursor, Error, ErrorKind, Place, Result, Source};

use crate::blob::{Blob, BlobKind};
use crate::finding::Finding;
use crate::labels;
use crate::name::Name;
use crate::parts::Parts;
use crate::raw::{Placement, Range};
use crate::read;
use crate::texture::Textures;

/// A WORLD.WDB file: its directory, and the locations of the two chunks and the blobs. See [File](crate::format#file)
/// and [Directory](crate::format#directory).
///
/// Opening a database reads only the directory and the sizes of the two chunks.
#[derive(Clone)]
pub struct Database<'a> {
    source: Source<'a>,
    worlds: Vec<Entry<'a>>,
    parts: Vec<PartRef<'a>>,
    models: Vec<ModelRef<'a>>,
    blobs: Vec<Blob<'a>>,
    directory_end: u64,
    texture_chunk: Source<'a>,
    parts_chunk: Source<'a>,
    /// Offset of the size of the first chunk that the end of the file cuts.
    cut_at: Option<u64>,
}

worldview_core::debug_summary!("Database", Database<'_>, |this| worlds: this.worlds.len(), parts: this.parts.len(), models: this.models.len(), blobs: this.blobs.len(), source: this.source);

/// A world, with the ranges of its references in the lists of all references.
#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    name: Name<'a>,
    at: u64,
    parts: (usize, usize),
    models: (usize, usize),
}

/// A world of the directory: the parts that it loads and the models placed in it.
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct World<'d, 'a> {
    /// The index of the world, starting at 0.
    pub index: usize,
    /// Offset in the file.
    pub at: u64,
    /// The world's name.
    pub name: Name<'a>,
    /// References to the parts that the world loads.
    pub parts: &'d [PartRef<'a>],
    /// References to the models placed in the world.
    pub models: &'d [ModelRef<'a>],
}

worldview_core::debug_summary!("World", World<'_, '_>, |this| index: this.index, name: this.name, parts: this.parts.len(), models: this.models.len());

/// A world's reference to a blob of parts. See [Directory](crate::format#directory).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct PartRef<'a> {
    /// Offset in the file.
    pub at: u64,
    /// The name of the part.
    pub name: Name<'a>,
    /// The location of the blob.
    pub range: &'a Range,
    blob: u32,
}

/// A world's reference to the blob of a model, with the model's placement. See [Directory](crate::format#directory).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct ModelRef<'a> {
    /// Offset in the file.
    pub at: u64,
    /// The name of the model.
    pub name: Name<'a>,
    /// The location of the blob.
    pub range: &'a Range,
    /// The name of the presenter, the class of the game that handles the model.
    pub presenter: Name<'a>,
    /// The position and orientation of the model, and whether it is visible.
    pub placement: &'a Placement,
    blob: u32,
}

/// The blob number of a reference whose blob is not inside the file.
const NOWHERE: u32 = u32::MAX;

impl<'a> Database<'a> {
    /// Parses the directory of a file. Chunks and blobs are opened individually later.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory is truncated, if a blob or chunk does not lie inside the file, or if the blobs share so many
    /// bytes that they add up to more than four times the file.
    ///
    /// ```
    /// # fn main() -> worldview_island::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
    /// use worldview_island::Database;
    ///
    /// let database = Database::parse(file)?;
    /// for world in database.worlds() {
    ///     println!("{:?}: {} models, {} parts", world.name, world.models.len(), world.parts.len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::open(source.into(), &mut |error, _| Err(error))
    }

    /// Parses as much of the directory as possible. A reference to a blob outside the file has no blob, nor has one to a blob
    /// past a total of four times the file; a chunk that is larger than the rest of the file ends there. Each such problem is
    /// reported.
    ///
    /// # Errors
    ///
    /// Returns an error if the list of worlds is truncated.
    pub fn parse_lossy(source: impl Into<Source<'a>>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Self> {
        Self::open(source.into(), &mut |error, place| {
            report(crate::finding::broken(&error, place));
            Ok(())
        })
    }

    fn open(source: Source<'a>, on_problem: OnProblemAt<'_, 'a>) -> Result<Self> {
        let mut c = Cursor::new(source);
        // Enough for most files without growing.
        let (parts, models) = (Vec::with_capacity(128), Vec::with_capacity(512));
        let mut directory = Directory { file: source, parts, models };
        let mut worlds = Vec::new();
        for index in 0..read::signed_count(&mut c, 12, labels::WORLD_COUNT)? {
            let world = directory.world(&mut c, index, on_problem);
            worlds.push(world.map_err(|error| error.within(&"world", index))?);
        }
        let directory_end = c.position();
        let Directory { mut parts, mut models, .. } = directory;
        let blobs = distinct(source, &mut parts, &mut models, on_problem)?;
        let mut cut_at = None;
        let empty = source.window(source.len(), 0, "chunk")?;
        let mut chunk = |what| {
            let mut start = c;
            // The location of the second chunk depends on the size of the first.
            if cut_at.is_some() {
                return Ok(empty);
            }
            chunk(&mut c, what).or_else(|error| {
                on_problem(error, Place::of(what))?;
                cut_at = Some(start.position());
                Ok(read::word(&mut start, what).map_or(empty, |_| start.rest()))
            })
        };
        let (texture_chunk, parts_chunk) = (chunk("global texture chunk")?, chunk("global parts chunk")?);
        Ok(Self { source, worlds, parts, models, blobs, directory_end, texture_chunk, parts_chunk, cut_at })
    }

    /// Returns the whole file.
    pub const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the worlds in file order.
    pub fn worlds(&self) -> Worlds<'_, 'a> {
        Worlds { database: self, range: 0..self.worlds.len() }
    }

    /// Returns the world with this index, or `None` if there is no such world.
    pub fn world(&self, index: usize) -> Option<World<'_, 'a>> {
        Some(self.view(index, self.worlds.get(index)?))
    }

    fn view(&self, index: usize, entry: &Entry<'a>) -> World<'_, 'a> {
        World {
            index,
            at: entry.at,
            name: entry.name,
            parts: self.parts.get(entry.parts.0..entry.parts.1).unwrap_or(&[]),
            models: self.models.get(entry.models.0..entry.models.1).unwrap_or(&[]),
        }
    }

    /// Returns the distinct blobs, sorted by offset, then length, then kind.
    pub fn blobs(&self) -> &[Blob<'a>] {
        &self.blobs
    }

    /// Returns the references to parts of all worlds.
    pub fn part_refs(&self) -> &[PartRef<'a>] {
        &self.parts
    }

    /// Returns the references to models of all worlds.
    pub fn model_refs(&self) -> &[ModelRef<'a>] {
        &self.models
    }

    /// Returns the offset of the end of the directory, which is where the size of the first chunk is stored.
    pub const fn directory_end(&self) -> u64 {
        self.directory_end
    }

    /// Returns whether a chunk is larger than the rest of the file, or its size is missing. The end of such a chunk is not
    /// known.
    pub(crate) fn is_cut(&self, chunk: Source<'a>) -> bool {
        self.cut_at.is_some_and(|at| chunk.base() > at)
    }

    /// Returns the bytes of the global texture chunk.
    pub const fn texture_chunk(&self) -> Source<'a> {
        self.texture_chunk
    }

    /// Returns the bytes of the global parts chunk.
    pub const fn parts_chunk(&self) -> Source<'a> {
        self.parts_chunk
    }

    /// Parses the global textures.
    ///
    /// # Errors
    ///
    /// Returns an error if a texture is truncated.
    pub fn textures(&self) -> Result<Textures<'a>> {
        Textures::global(self.texture_chunk, &mut Err)
    }

    /// Parses the global parts.
    ///
    /// # Errors
    ///
    /// Returns an error if a part or texture is truncated.
    pub fn parts(&self) -> Result<Parts<'a>> {
        Parts::parse(self.parts_chunk)
    }
}

/// An iterator over the worlds of a [`Database`], in file order.
#[derive(Clone, Debug)]
pub struct Worlds<'d, 'a> {
    database: &'d Database<'a>,
    range: core::ops::Range<usize>,
}

impl<'d, 'a> Iterator for Worlds<'d, 'a> {
    type Item = World<'d, 'a>;

    fn next(&mut self) -> Option<World<'d, 'a>> {
        self.database.world(self.range.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl DoubleEndedIterator for Worlds<'_, '_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.database.world(self.range.next_back()?)
    }
}

impl ExactSizeIterator for Worlds<'_, '_> {}
impl core::iter::FusedIterator for Worlds<'_, '_> {}

impl<'a> PartRef<'a> {
    /// Reads a reference outside a file, where it refers to nothing.
    pub(crate) fn read(c: &mut Cursor<'a>) -> Result<Self> {
        let (at, name) = (c.position(), read::name(c, "name of part reference")?);
        Ok(Self { at, name, range: c.view("range of part reference")?, blob: NOWHERE })
    }

    /// Returns the index of the blob, or `None` if the file was parsed lossily and the blob was left out.
    #[inline]
    pub const fn blob(&self) -> Option<usize> {
        if self.blob == NOWHERE { None } else { Some(self.blob as usize) }
    }
}

impl<'a> ModelRef<'a> {
    /// Reads a reference outside a file, where it refers to nothing.
    pub(crate) fn read(c: &mut Cursor<'a>) -> Result<Self> {
        let (at, name, range) =
            (c.position(), read::name(c, "name of model reference")?, c.view("range of model reference")?);
        let presenter = read::name(c, "presenter of model reference")?;
        let placement = c.view("placement of model reference")?;
        Ok(Self { at, name, range, presenter, placement, blob: NOWHERE })
    }

    /// Returns the index of the blob, or `None` if the file was parsed lossily and the blob was left out.
    #[inline]
    pub const fn blob(&self) -> Option<usize> {
        if self.blob == NOWHERE { None } else { Some(self.blob as usize) }
    }
}

/// Decides what happens to a range outside the file: return the error, or report it with its place and continue.
type OnProblemAt<'r, 'a> = &'r mut dyn FnMut(Error, Place<'a>) -> Result<()>;

/// The references read so far.
struct Directory<'a> {
    file: Source<'a>,
    parts: Vec<PartRef<'a>>,
    models: Vec<ModelRef<'a>>,
}

impl<'a> Directory<'a> {
    fn world(&mut self, c: &mut Cursor<'a>, index: u32, on_problem: OnProblemAt<'_, 'a>) -> Result<Entry<'a>> {
        let at = c.position();
        let len = read::signed_count(c, 1, "name")?;
        let name = Name::new(c.slice(len.into(), "name")?);
        let world = (index, name);
        let first_part = self.parts.len();
        for index in 0..read::signed_count(c, 12, "part count")? {
            let part = self.part(c, world, index, on_problem).map_err(|error| error.with_index(index))?;
            self.parts.push(part);
        }
        let first_model = self.models.len();
        for index in 0..read::signed_count(c, 53, "model count")? {
            let model = self.model(c, world, index, on_problem).map_err(|error| error.with_index(index))?;
            self.models.push(model);
        }
        Ok(Entry { name, at, parts: (first_part, self.parts.len()), models: (first_model, self.models.len()) })
    }

    #[inline]
    fn part(
        &self,
        c: &mut Cursor<'a>,
        world: Numbered<'a>,
        index: u32,
        on_problem: OnProblemAt<'_, 'a>,
    ) -> Result<PartRef<'a>> {
        let at = c.position();
        let name = read::name(c, "name of part reference")?;
        let (range, blob) = self.range(c, "end of the blob of part reference", |error| {
            on_problem(error, of_world(world, "part reference", index, name))
        })?;
        Ok(PartRef { at, name, range, blob })
    }

    #[inline]
    fn model(
        &self,
        c: &mut Cursor<'a>,
        world: Numbered<'a>,
        index: u32,
        on_problem: OnProblemAt<'_, 'a>,
    ) -> Result<ModelRef<'a>> {
        let at = c.position();
        let name = read::name(c, "name of model reference")?;
        let (range, blob) = self.range(c, "end of the blob of model reference", |error| {
            on_problem(error, of_world(world, "model reference", index, name))
        })?;
        let presenter = read::name(c, "presenter of model reference")?;
        let placement = c.view("placement of model reference")?;
        Ok(ModelRef { at, name, range, presenter, placement, blob })
    }

    /// Reads a range. Its blob number is [`NOWHERE`] if it is outside the file; the other blob numbers are assigned
    /// once all references are known.
    #[inline]
    fn range(
        &self,
        c: &mut Cursor<'a>,
        what: &'static str,
        on_problem: impl FnOnce(Error) -> Result<()>,
    ) -> Result<(&'a Range, u32)> {
        let field = *c;
        let range: &Range = c.view(what)?;
        let end = range.end();
        if end > self.file.len() {
            let kind = ErrorKind::Outside { found: end, end: self.file.len() };
            on_problem(field.error(kind, what))?;
            return Ok((range, NOWHERE));
        }
        Ok((range, 0))
    }
}

/// The index and name of a world, as used in places.
type Numbered<'a> = (u32, Name<'a>);

/// Returns the place of a range that is not inside the file. Only called when there is something to report.
#[cold]
fn of_world<'a>(world: Numbered<'a>, what: &'static str, index: u32, name: Name<'a>) -> Place<'a> {
    let world = Place::numbered("world", world.0, world.1.text());
    world.with(what, Some(index), name.text()).with("end of its blob", None, &[])
}

impl Range {
    /// Returns the offset in the file just past the last byte.
    pub const fn end(&self) -> u64 {
        // The sum of two 32-bit numbers cannot overflow.
        (self.offset.get() as u64).saturating_add(self.length.get() as u64)
    }
}

/// The references of all worlds, numbered together: parts before models.
struct References<'r, 'a> {
    parts: &'r mut [PartRef<'a>],
    models: &'r mut [ModelRef<'a>],
}

impl<'a> References<'_, 'a> {
    /// Returns the offset of each reference's blob in the upper half of a number, and the number of the reference in the
    /// lower half. References without a blob are left out.
    fn keys(&self) -> Vec<u64> {
        let key = |number: usize, range: &Range, blob| {
            let number = u32::try_from(number).ok().filter(|_| blob != NOWHERE)?;
            Some(u64::from(range.offset.get()) << 32 | u64::from(number))
        };
        let mut keys = Vec::with_capacity(self.parts.len().saturating_add(self.models.len()));
        keys.extend(self.parts.iter().enumerate().filter_map(|(number, part)| key(number, part.range, part.blob)));
        let models = self.models.iter().zip(self.parts.len()..);
        keys.extend(models.filter_map(|(model, number)| key(number, model.range, model.blob)));
        keys
    }

    /// Returns the length and the kind of the blob of a reference.
    fn blob(&self, key: u64) -> (u32, BlobKind) {
        let number = number(key);
        let model = || self.models.get(number.saturating_sub(self.parts.len()));
        match self.parts.get(number) {
            Some(part) => (part.range.length.get(), BlobKind::Parts),
            None => (model().map_or(0, |model| model.range.length.get()), BlobKind::Model),
        }
    }

    /// Returns the name of a reference.
    fn name(&self, key: u64) -> &'a [u8] {
        let number = number(key);
        let model = || self.models.get(number.saturating_sub(self.parts.len())).map(|model| model.name);
        self.parts.get(number).map(|part| part.name).or_else(model).map_or(&[], |name| name.text())
    }

    fn set(&mut self, key: u64, blob: u32) {
        let number = number(key);
        let first_model = self.parts.len();
        if let Some(part) = self.parts.get_mut(number) {
            part.blob = blob;
        } else if let Some(model) = self.models.get_mut(number.saturating_sub(first_model)) {
            model.blob = blob;
        }
    }
}

/// Returns the number of the reference in a key.
fn number(key: u64) -> usize {
    usize::try_from(key & u64::from(u32::MAX)).unwrap_or(usize::MAX)
}

/// Creates one blob for each distinct range and kind, and assigns each reference its blob number. Blobs may overlap: those that
/// exceed the budget of a walk over all of them are left out.
fn distinct<'a>(
    file: Source<'a>,
    parts: &mut [PartRef<'a>],
    models: &mut [ModelRef<'a>],
    on_problem: OnProblemAt<'_, 'a>,
) -> Result<Vec<Blob<'a>>> {
    let mut references = References { parts, models };
    let mut keys = references.keys();
    keys.sort_unstable();
    let mut budget = Budget::for_bytes(file.len(), "walk over overlapping blobs");
    let mut blobs: Vec<Blob<'a>> = Vec::with_capacity(keys.len());
    let mut add = |references: &mut References<'_, 'a>, keys: &[u64], first: u64, (length, kind): (u32, BlobKind)| {
        // The range was checked when the reference was read.
        let source = file.window(first >> 32, length.into(), "blob")?;
        let mut index = u32::try_from(blobs.len()).unwrap_or(NOWHERE);
        let blob = Blob { source, kind, references: u32::try_from(keys.len()).unwrap_or(u32::MAX), index };
        if let Err(error) = budget.spend(source.len(), source.base(), source.space()) {
            on_problem(blob.scoped(error), blob.named(references.name(first)))?;
            index = NOWHERE;
        } else {
            blobs.push(blob);
        }
        keys.iter().for_each(|key| references.set(*key, index));
        Ok(())
    };
    for run in keys.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        let Some((&first, rest)) = run.split_first() else { continue };
        let blob = references.blob(first);
        // References to one offset are usually to one blob, and then their order is right.
        if rest.iter().all(|key| references.blob(*key) == blob) {
            add(&mut references, run, first, blob)?;
            continue;
        }
        run.sort_unstable_by_key(|key| (references.blob(*key), *key));
        let mut left = &*run;
        while let Some(&first) = left.first() {
            let blob = references.blob(first);
            let (same, others) = left.split_at(left.partition_point(|key| references.blob(*key) == blob));
            add(&mut references, same, first, blob)?;
            left = others;
        }
    }
    Ok(blobs)
}

/// Reads a 32-bit size and returns a window over that many bytes.
fn chunk<'a>(c: &mut Cursor<'a>, what: &'static str) -> Result<Source<'a>> {
    let len = read::count(c, 1, what)?;
    let chunk = c.rest().window(0, len.into(), what)?;
    c.slice(len.into(), what)?;
    Ok(chunk)
}

worldview_core::assert_send_sync!(Database<'_>, World<'_, '_>, PartRef<'_>, ModelRef<'_>);
