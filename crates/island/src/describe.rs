//! The description of a database.

use core::hash::Hasher;

use worldview_core::Source;
use worldview_core::describe::{
    Describe, Field, FieldValue, Flow, Int, Link, List, MatchRule, OnePart, Part, PartKey, Role, Slots, Span, Stored,
    Visit,
};
use zerocopy::IntoBytes as _;

use crate::blob::{Blob, Content};
use crate::contents::Contents;
use crate::database::{Database, ModelRef, PartRef, World};
use crate::raw::Range;
pub use element::Element;
use field::{
    NameForm, between, byte, count, end_of, number, offset, slots, span_of, text, through, visit_name, visit_point,
    word,
};
use list::{DatabaseList, Listed};

mod element;
mod field;
mod list;
mod model;
mod parts;
mod shape;

/// A database and its parsed contents, which together describe everything that the file contains.
///
/// ```
/// use worldview_core::describe::{Array, Describe, Field, Flow, Link, PartList, Visit};
/// use worldview_island::{Contents, Database, DatabaseDescription};
///
/// /// Counts the fields of a file, including those of nested parts.
/// struct Count(u64);
///
/// impl Visit for Count {
///     fn field(&mut self, _: &Field<'_>) -> Flow {
///         self.0 += 1;
///         Flow::Continue(())
///     }
///     fn array(&mut self, _: &Array<'_>) -> Flow {
///         Flow::Continue(())
///     }
///     fn parts(&mut self, parts: &dyn PartList) -> Flow {
///         parts.each(&mut |part| part.map_or(Flow::Continue(()), |part| part.body.describe(self)))
///     }
///     fn link(&mut self, _: &Link<'_>) -> Flow {
///         Flow::Continue(())
///     }
///     fn broken(&mut self, _: &worldview_core::Error) -> Flow {
///         Flow::Continue(())
///     }
/// }
///
/// # fn main() -> worldview_core::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/world.wdb");
/// let database = Database::parse(file)?;
/// let contents = Contents::read(&database);
/// let mut count = Count(0);
/// let _ = DatabaseDescription::new(&database, &contents).describe(&mut count);
/// println!("{} fields", count.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DatabaseDescription<'d, 'a> {
    database: &'d Database<'a>,
    contents: &'d Contents<'a>,
    /// Pairs of a blob index and a name that references give the blob; sorted, without duplicates.
    names: Vec<(usize, &'a [u8])>,
    /// The name that the first reference gives each blob, by which paths name it.
    keys: Vec<&'a [u8]>,
}

impl<'d, 'a> DatabaseDescription<'d, 'a> {
    /// Creates the description of `database` and its `contents`.
    pub fn new(database: &'d Database<'a>, contents: &'d Contents<'a>) -> Self {
        let parts = database.part_refs().iter().map(|part| (part.blob(), part.name));
        let models = database.model_refs().iter().map(|model| (model.blob(), model.name));
        let mut names: Vec<_> = parts.chain(models).filter_map(|(blob, name)| Some((blob?, name.text()))).collect();
        names.sort_unstable();
        names.dedup();
        Self { database, contents, names, keys: database.blob_names() }
    }

    /// Returns the names that references give a blob.
    fn names_of(&self, blob: usize) -> &[(usize, &'a [u8])] {
        let from = self.names.partition_point(|(other, _)| *other < blob);
        let end = self.names.partition_point(|(other, _)| *other <= blob);
        self.names.get(from..end).unwrap_or(&[])
    }

    /// Visits the link from a reference to its blob.
    fn link(&self, blob: Option<usize>, visitor: &mut dyn Visit) -> Flow {
        let mut visit = |target: Option<&Part<'_>>| {
            visitor.link(&Link { name: "blob", kind: Blobs::LIST.kind, target, content: true })
        };
        match blob.and_then(|blob| self.database.blobs().get(blob)) {
            Some(blob) => Blobs(self).part(number(blob.index()), &blob, |part| visit(Some(part))),
            None => visit(None),
        }
    }
}

impl Describe for DatabaseDescription<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { database, contents, .. } = *self;
        visitor.field(&count("length", database.source().len()))?;
        visitor.field(&count("world_count", database.worlds().len() as u64))?;
        visitor.field(&count("part_reference_count", database.part_refs().len() as u64))?;
        visitor.field(&count("model_reference_count", database.model_refs().len() as u64))?;
        visitor.field(&count("blob_count", database.blobs().len() as u64))?;
        visitor.field(&offset("directory_end", database.directory_end()))?;
        let (textures, parts) = (database.texture_chunk(), database.parts_chunk());
        for (name, chunk) in [("texture_chunk", textures), ("parts_chunk", parts)] {
            visitor.parts(&OnePart { name, body: Some(&Chunk(chunk)), at: None })?;
        }
        visitor.parts(&Listed(Worlds(self)))?;
        let opened;
        let body: &dyn Describe = match &contents.textures {
            Ok(textures) => {
                opened = parts::GlobalTextures { textures, chunk: database.texture_chunk() };
                &opened
            }
            Err(error) => error,
        };
        visitor.parts(&OnePart { name: "global_textures", body: Some(body), at: Some(span_of(textures)) })?;
        let body: &dyn Describe = match &contents.parts {
            Ok(parts) => parts,
            Err(error) => error,
        };
        visitor.parts(&OnePart { name: "global_parts", body: Some(body), at: Some(span_of(parts)) })?;
        visitor.parts(&Listed(Blobs(self)))
    }
}

/// The location of a chunk or blob.
struct Chunk<'a>(Source<'a>);

impl Describe for Chunk<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&offset("offset", self.0.base()))?;
        visitor.field(&count("length", self.0.len()))
    }
}

struct Worlds<'s, 'a>(&'s DatabaseDescription<'s, 'a>);

impl<'s, 'a> DatabaseList for Worlds<'s, 'a> {
    type Item = World<'s, 'a>;
    const LIST: List = List { inside: true, ..List::new("worlds", "world") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.0.database.worlds()
    }

    fn get(&self, index: u32, _: u64) -> Option<Self::Item> {
        self.0.database.world(index.try_into().ok()?)
    }

    fn part<R>(&self, index: u32, world: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        let database = self.0.database;
        let end = world.index.checked_add(1).and_then(|next| database.world(next));
        let end = end.map_or(database.directory_end(), |next| next.at);
        let at = between(world.at, end, database.source());
        then(&Part::new(index, PartKey::Name(world.name.text()), &WorldBody { described: self.0, world }).at(at))
    }

    /// Worlds cannot be added or removed.
    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        hasher.write_u32(part.index);
        if round == 0 { MatchRule::Any } else { MatchRule::None }
    }
}

struct WorldBody<'s, 'a> {
    described: &'s DatabaseDescription<'s, 'a>,
    world: &'s World<'s, 'a>,
}

impl Describe for WorldBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { described, world } = *self;
        let index = FieldValue::Uint(world.index as u64);
        visitor.field(&Field::new("world", index).role(Role::Derived))?;
        let source = described.database.source();
        visit_name("name", world.name, NameForm::Directory, source, visitor)?;
        // The number of references to parts, these, the number of references to models, and these.
        let at = end_of(world.name, source);
        visitor.parts(&Listed(PartRefs { described, all: world.parts, at }))?;
        let past = |part: &PartRef<'_>| end_of(part.name, source).saturating_add(Range::SIZE);
        let at = world.parts.last().map_or(at.saturating_add(4), past);
        visitor.parts(&Listed(ModelRefs { described, all: world.models, at }))
    }
}

/// Visits the range stored in a reference, and the blob that it refers to.
fn reference(
    described: Option<&DatabaseDescription<'_, '_>>,
    (range, blob): (&Range, Option<usize>),
    source: Source<'_>,
    visitor: &mut dyn Visit,
) -> Flow {
    let stored =
        |field: Field<'static>, bytes| field.at(Span::of(bytes, source)).stored(Stored::Int(Int::word(4, false)));
    visitor.field(&stored(count("length", range.length.get().into()), range.length.as_bytes()))?;
    visitor.field(&stored(offset("offset", range.offset.get().into()), range.offset.as_bytes()))?;
    match described {
        Some(described) => described.link(blob, visitor),
        None => visitor.link(&Link { name: "blob", kind: Blobs::LIST.kind, target: None, content: true }),
    }
}

struct PartRefs<'s, 'a> {
    described: &'s DatabaseDescription<'s, 'a>,
    all: &'s [PartRef<'a>],
    /// The offset of their number.
    at: u64,
}

impl<'s, 'a> DatabaseList for PartRefs<'s, 'a> {
    type Item = &'s PartRef<'a>;
    const LIST: List = List { compact: true, inside: true, ..List::new("parts", "part") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.all.iter()
    }

    fn get(&self, index: u32, _: u64) -> Option<Self::Item> {
        self.all.get(usize::try_from(index).ok()?)
    }

    fn part<R>(&self, index: u32, part: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        part_reference(index, part, (Some(self.described), self.described.database.source()), then)
    }

    fn slots(&self) -> Option<Slots> {
        let count = word(self.at, self.described.database.source());
        Some(slots(self.at.saturating_add(4), count, "name"))
    }

    fn element(&self) -> Option<Element> {
        Some(Element::PartReference)
    }
}

/// Passes a reference to parts to `then`, which is in `source`, and, except outside a file, in a described file.
fn part_reference<'a, R>(
    index: u32,
    part: &PartRef<'a>,
    (described, source): (Option<&DatabaseDescription<'_, 'a>>, Source<'_>),
    then: impl FnOnce(&Part<'_>) -> R,
) -> R {
    let at = through(part.at, part.range.as_bytes(), source);
    let body = PartRefBody { described, source, part };
    then(&Part::new(index, PartKey::Name(part.name.text()), &body).at(at))
}

struct PartRefBody<'s, 'a> {
    described: Option<&'s DatabaseDescription<'s, 'a>>,
    source: Source<'s>,
    part: &'s PartRef<'a>,
}

impl Describe for PartRefBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { described, source, part } = *self;
        visit_name("name", part.name, NameForm::Directory, source, visitor)?;
        reference(described, (part.range, part.blob()), source, visitor)
    }
}

struct ModelRefs<'s, 'a> {
    described: &'s DatabaseDescription<'s, 'a>,
    all: &'s [ModelRef<'a>],
    /// The offset of their number.
    at: u64,
}

impl<'s, 'a> DatabaseList for ModelRefs<'s, 'a> {
    type Item = &'s ModelRef<'a>;
    const LIST: List = List { compact: true, inside: true, ..List::new("models", "model") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.all.iter()
    }

    fn get(&self, index: u32, _: u64) -> Option<Self::Item> {
        self.all.get(usize::try_from(index).ok()?)
    }

    fn part<R>(&self, index: u32, model: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        model_reference(index, model, (Some(self.described), self.described.database.source()), then)
    }

    fn slots(&self) -> Option<Slots> {
        let count = word(self.at, self.described.database.source());
        Some(slots(self.at.saturating_add(4), count, "name"))
    }

    fn element(&self) -> Option<Element> {
        Some(Element::ModelReference)
    }
}

/// Passes a reference to a model to `then`, as [`part_reference`] does.
fn model_reference<'a, R>(
    index: u32,
    model: &ModelRef<'a>,
    (described, source): (Option<&DatabaseDescription<'_, 'a>>, Source<'_>),
    then: impl FnOnce(&Part<'_>) -> R,
) -> R {
    let at = through(model.at, model.placement.as_bytes(), source);
    let body = ModelRefBody { described, source, model };
    then(&Part::new(index, PartKey::Name(model.name.text()), &body).at(at))
}

struct ModelRefBody<'s, 'a> {
    described: Option<&'s DatabaseDescription<'s, 'a>>,
    source: Source<'s>,
    model: &'s ModelRef<'a>,
}

impl Describe for ModelRefBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { described, source, model } = *self;
        visit_name("name", model.name, NameForm::Directory, source, visitor)?;
        reference(described, (model.range, model.blob()), source, visitor)?;
        visit_name("presenter", model.presenter, NameForm::Directory, source, visitor)?;
        let placement = model.placement;
        visit_point("location", &placement.location, source, visitor)?;
        visit_point("direction", &placement.direction, source, visitor)?;
        visit_point("up", &placement.up, source, visitor)?;
        visitor.field(&byte("visible", &placement.visible, source))
    }
}

struct Blobs<'s, 'a>(&'s DatabaseDescription<'s, 'a>);

impl<'s, 'a> DatabaseList for Blobs<'s, 'a> {
    type Item = &'s Blob<'a>;
    const LIST: List = List { linked: true, ..List::indexed("blobs", "blob") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.0.database.blobs().iter()
    }

    fn get(&self, index: u32, _: u64) -> Option<Self::Item> {
        self.0.database.blobs().get(usize::try_from(index).ok()?)
    }

    fn part<R>(&self, index: u32, blob: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        let key = match self.0.keys.get(blob.index()) {
            Some(name) if !name.is_empty() => PartKey::Name(name),
            _ => PartKey::Index,
        };
        then(&Part::new(index, key, &BlobBody { described: self.0, blob }).at(span_of(blob.source)))
    }
}

struct BlobBody<'s, 'a> {
    described: &'s DatabaseDescription<'s, 'a>,
    blob: &'s Blob<'a>,
}

impl Describe for BlobBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { described, blob } = *self;
        visitor.field(&Field::new("blob", FieldValue::Uint(blob.index() as u64)).role(Role::Derived))?;
        visitor.field(&Field::new("kind", FieldValue::Word(blob.kind.name())))?;
        Chunk(blob.source).describe(visitor)?;
        visitor.field(&count("references", blob.references.into()))?;
        visitor.parts(&Listed(BlobNames(described.names_of(blob.index()))))?;
        match described.contents.blobs.get(blob.index()) {
            Some(Ok(Content::Parts(parts))) => parts.describe(visitor),
            Some(Ok(Content::Model(model))) => model.describe(visitor),
            Some(Err(error)) => visitor.broken(error),
            // Only happens if the contents belong to another database.
            None => Flow::Continue(()),
        }
    }
}

/// The names that references give a blob.
struct BlobNames<'s, 'a>(&'s [(usize, &'a [u8])]);

struct BlobName<'a>(&'a [u8]);

impl Describe for BlobName<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&Field::new("name", text(self.0)).role(Role::Derived))
    }
}

impl<'a> DatabaseList for BlobNames<'_, 'a> {
    type Item = &'a [u8];
    /// `linked`, because these names belong to the references and are compared there.
    const LIST: List = List { scalar: true, linked: true, ..List::indexed("names", "name") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.0.iter().map(|(_, name)| *name)
    }

    fn get(&self, index: u32, _: u64) -> Option<Self::Item> {
        self.0.get(usize::try_from(index).ok()?).map(|(_, name)| *name)
    }

    fn part<R>(&self, index: u32, name: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        then(&Part::new(index, PartKey::Index, &BlobName(name)))
    }
}
