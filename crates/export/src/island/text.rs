//! A complete, stable dump of a database, a model, parts or textures as lines of text.
//!
//! One fact stands on one line or in one fixed group, in file order, so that two dumps can be compared by any diff.
//! Objects and nodes are indented by their depth, to the sixteenth level; deeper ones tell theirs by the number of the
//! one above. Text is quoted, its control characters as `\x00`, and followed by its bytes where it is not plain ASCII;
//! bytes behind a NUL follow it too, and a name of no counted bytes is `absent`. Floats are the shortest text that
//! reads back as the same, and offsets those of the file, but for `textures_offset` and `end`, which are as stored.
//! The words are those of `docs/formats/island.md`. With `full` there are also pools, triangles, rebuilt vertices, palettes and pixels.

mod content;
mod shape;

use std::io::Write;

use worldview_core::Source;
use worldview_island::raw::Vec3;
use worldview_island::{Contents, Database, Model, ModelRef, Name, PartRef, Parts, Textures, World};

use super::{BlobNames, Selection};
use crate::bounded::Bound;
use crate::text::quoted;
use crate::wdb::write::{self, Out};
use crate::{Encoding, Result};

/// Writes a database, or what is selected of it: directory, global textures and parts, and each blob once.
/// `docs/formats/island.md`, File.
///
/// # Errors
///
/// Those of writing; overlapping blobs past the walk's limit. A chunk, blob or mesh that cannot be read is no error of
/// the dump: the dump tells it.
pub fn database(
    database: &Database<'_>,
    contents: &Contents<'_>,
    selection: &Selection<'_>,
    full: bool,
    encoding: Encoding,
    out: impl Write,
) -> Result<()> {
    super::check_walk(database, contents, selection, "dump of overlapping blobs")?;
    let mut dump = Dump::new(full, encoding, (database.source(), out));
    dump.file(database)?;
    for world in database.worlds().filter(|world| (selection.worlds)(world.index)) {
        dump.world(&world)?;
    }
    if selection.globals {
        dump.globals(database, contents)?;
    }
    let names = BlobNames::of(database);
    let blobs = database.blobs().iter().zip(&contents.blobs);
    for (blob, content) in blobs.filter(|(blob, _)| (selection.blobs)(blob.index())) {
        write!(dump.out, "blob {} {}", blob.index(), blob.kind.name())?;
        dump.range(blob.source)?;
        write!(dump.out, " references {} names", blob.references)?;
        for name in names.get(blob.index()) {
            write!(dump.out, " {}", quoted(name, encoding))?;
        }
        dump.end_line()?;
        match content {
            Ok(worldview_island::Content::Parts(parts)) => dump.parts(parts, 1)?,
            Ok(worldview_island::Content::Model(model)) => dump.model(model, 1)?,
            Err(error) => dump.line(1, format_args!("error: {error}"))?,
        }
    }
    dump.out.finish()
}

/// Writes a model. `docs/formats/island.md`, Model.
///
/// # Errors
///
/// Those of writing. A mesh that cannot be rebuilt is no error: the dump tells it.
pub fn model(model: &Model<'_>, full: bool, encoding: Encoding, out: impl Write) -> Result<()> {
    let mut dump = Dump::new(full, encoding, (model.source(), out));
    dump.heading("model", model.source())?;
    dump.model(model, 1)?;
    dump.out.finish()
}

/// Writes parts, those of a blob or the global ones. `docs/formats/island.md`, Parts.
///
/// # Errors
///
/// Those of writing. A mesh that cannot be rebuilt is no error: the dump tells it.
pub fn parts(parts: &Parts<'_>, full: bool, encoding: Encoding, out: impl Write) -> Result<()> {
    let mut dump = Dump::new(full, encoding, (parts.source(), out));
    dump.heading("parts", parts.source())?;
    dump.parts(parts, 1)?;
    dump.out.finish()
}

/// Writes a list of textures. `docs/formats/island.md`, Texture list.
///
/// # Errors
///
/// Those of writing.
pub fn textures(textures: &Textures<'_>, full: bool, encoding: Encoding, out: impl Write) -> Result<()> {
    let mut dump = Dump::new(full, encoding, (textures.source(), out));
    dump.line(0, format_args!("textures {}", textures.len()))?;
    dump.textures(textures, 1)?;
    dump.out.finish()
}

struct Dump<W> {
    out: Out<W>,
    encoding: Encoding,
    full: bool,
}

impl<W: Write> Dump<W> {
    fn new(full: bool, encoding: Encoding, (source, out): (Source<'_>, W)) -> Self {
        Self { out: Out::new(out, Bound::of(source)), encoding, full }
    }

    fn file(&mut self, database: &Database<'_>) -> Result<()> {
        self.line(0, "WORLD.WDB")?;
        self.line(1, format_args!("length {}", database.source().len()))?;
        self.line(1, format_args!("worlds {}", database.worlds().len()))?;
        self.line(1, format_args!("part references {}", database.part_refs().len()))?;
        self.line(1, format_args!("model references {}", database.model_refs().len()))?;
        self.line(1, format_args!("blobs {}", database.blobs().len()))?;
        self.line(1, format_args!("directory end {:#x}", database.directory_end()))
    }

    fn world(&mut self, world: &World<'_, '_>) -> Result<()> {
        write!(self.out, "world {}", world.index)?;
        self.counted(world.name)?;
        write!(self.out, " at {:#x}", world.at)?;
        self.end_line()?;
        for (index, part) in world.parts.iter().enumerate() {
            self.part_ref(index, part)?;
        }
        for (index, model) in world.models.iter().enumerate() {
            self.model_ref(index, model)?;
        }
        Ok(())
    }

    fn part_ref(&mut self, index: usize, part: &PartRef<'_>) -> Result<()> {
        write!(self.out, "  part {index}")?;
        self.counted(part.name)?;
        write!(self.out, " at {:#x}", part.at)?;
        self.blob(part.blob(), part.range)?;
        self.end_line()
    }

    fn model_ref(&mut self, index: usize, model: &ModelRef<'_>) -> Result<()> {
        write!(self.out, "  model {index}")?;
        self.counted(model.name)?;
        write!(self.out, " at {:#x}", model.at)?;
        self.blob(model.blob(), model.range)?;
        write!(self.out, " presenter")?;
        self.counted(model.presenter)?;
        let placement = model.placement;
        self.out.put(b"\n    location");
        self.point(placement.location);
        self.out.put(b"  direction");
        self.point(placement.direction);
        self.out.put(b"  up");
        self.point(placement.up);
        write!(self.out, "  visible {}", placement.visible)?;
        self.end_line()
    }

    /// The number of a blob, or where it would be.
    fn blob(&mut self, blob: Option<usize>, range: &worldview_island::raw::Range) -> Result<()> {
        match blob {
            Some(blob) => write!(self.out, " blob {blob}")?,
            None => write!(self.out, " blob none at {:#x} size {}", range.offset, range.length)?,
        }
        Ok(())
    }

    fn globals(&mut self, database: &Database<'_>, contents: &Contents<'_>) -> Result<()> {
        let chunk = database.texture_chunk();
        self.heading("global textures", chunk)?;
        match &contents.textures {
            Ok(textures) => {
                self.textures(textures, 1)?;
                let from = textures.end().saturating_sub(chunk.base());
                let trailing = chunk.slice(from, chunk.len().saturating_sub(from), "trailing bytes").unwrap_or(&[]);
                if !trailing.is_empty() {
                    self.line(1, format_args!("trailing bytes {}", trailing.len()))?;
                    if self.full {
                        self.hex_lines(2, trailing, 32)?;
                    }
                }
            }
            Err(error) => self.line(1, format_args!("error: {error}"))?,
        }
        self.heading("global parts", database.parts_chunk())?;
        match &contents.parts {
            Ok(parts) => self.parts(parts, 1),
            Err(error) => self.line(1, format_args!("error: {error}")),
        }
    }

    fn heading(&mut self, what: &str, source: Source<'_>) -> Result<()> {
        self.out.put(what.as_bytes());
        self.range(source)?;
        self.end_line()
    }

    fn range(&mut self, source: Source<'_>) -> Result<()> {
        Ok(write!(self.out, " at {:#x} size {}", source.base(), source.len())?)
    }

    /// A name that is stored with a NUL behind it.
    fn counted(&mut self, name: Name<'_>) -> Result<()> {
        self.name(name)?;
        if !name.is_absent() && !name.counted().contains(&0) {
            self.out.put(b" without NUL");
        }
        Ok(())
    }

    /// A name with a space before it, and what is behind its NUL.
    fn name(&mut self, name: Name<'_>) -> Result<()> {
        if name.is_absent() {
            self.out.put(b" absent");
            return Ok(());
        }
        write!(self.out, " {}", quoted(name.text(), self.encoding))?;
        if !name.tail().is_empty() {
            write!(self.out, " behind NUL {}", crate::hex(name.tail()))?;
        }
        Ok(())
    }

    /// A name that is stored without a NUL behind it.
    fn plain(&mut self, name: Name<'_>) -> Result<()> {
        self.name(name)?;
        if name.counted().contains(&0) && name.tail().is_empty() {
            self.out.put(b" with NUL");
        }
        Ok(())
    }

    fn point(&mut self, point: Vec3) {
        self.floats(&point.get());
    }

    fn floats(&mut self, values: &[f32]) {
        for &value in values {
            self.out.put(b" ");
            write::float(value, &mut self.out.bytes);
        }
    }

    fn hex_lines(&mut self, indent: usize, bytes: &[u8], width: usize) -> Result<()> {
        for line in bytes.chunks(width.max(1)) {
            self.line(indent, crate::hex(line))?;
        }
        Ok(())
    }

    fn indent(&mut self, indent: usize) {
        for _ in 0..indent {
            self.out.put(b"  ");
        }
    }

    fn line(&mut self, indent: usize, line: impl std::fmt::Display) -> Result<()> {
        self.indent(indent);
        write!(self.out, "{line}")?;
        self.end_line()
    }

    fn end_line(&mut self) -> Result<()> {
        self.out.put(b"\n");
        Ok(self.out.settle()?)
    }
}
