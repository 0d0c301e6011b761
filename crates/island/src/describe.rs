//! The description of a database.

use core::hash::Hasher;

use worldview_core::Source;
use worldview_core::describe::{
    Describe, Each, Field, FieldValue, Flow, Int, Items, Link, List, ListFlag, MatchRule, Part, PartKey, Role, Span,
    Stored, Visit,
};
use zerocopy::IntoBytes as _;

use crate::blob::{Blob, Content};
use crate::contents::Contents;
use crate::database::{Database, ModelRef, PartRef, World};
use crate::raw::Range;
use field::{
    NameForm, between, byte, count, end_of, number, offset, span_of, text, through, visit_name, visit_point, word,
};
pub use list::Element;
use list::{ElementList, by_name, feed};

pub(crate) mod field;
pub(crate) mod list;
pub(crate) mod model;
pub(crate) mod parts;
pub(crate) mod shape;

/// A database and its parsed contents, which together describe everything that the file contains.
///
/// ```
/// use worldview_core::describe::{Describe, Field, Flow, PartList, Visit};
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
///     fn parts(&mut self, parts: &dyn PartList) -> Flow {
///         parts.each(&mut |part| part.map_or(Flow::Continue(()), |part| part.body.describe(self)))
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

    /// Passes on a blob.
    fn blob(&self, index: u32, blob: &Blob<'a>, visit: Each<'_>) -> Flow {
        let body = |visitor: &mut dyn Visit| {
            visitor.field(&Field::new("blob", FieldValue::Uint(blob.index() as u64)).role(Role::Derived))?;
            visitor.field(&Field::new("kind", FieldValue::Word(blob.kind.name())))?;
            visit_window(blob.source, visitor)?;
            visitor.field(&count("references", blob.references.into()))?;
            // `Linked`, because these names belong to the references and are compared there.
            let list = List::indexed("names", "name").with(&[ListFlag::Scalar, ListFlag::Linked]);
            visitor.parts(&Items::slice(list, self.names_of(blob.index()), |index, (_, name), visit| {
                let body = |visitor: &mut dyn Visit| visitor.field(&Field::new("name", text(name)).role(Role::Derived));
                visit(Ok(&Part::new(index, PartKey::Index, &body)))
            }))?;
            match self.contents.blobs.get(blob.index()) {
                Some(Ok(Content::Parts(parts))) => parts.describe(visitor),
                Some(Ok(Content::Model(model))) => model.describe(visitor),
                Some(Err(error)) => visitor.broken(error),
                // Only happens if the contents belong to another database.
                None => Flow::Continue(()),
            }
        };
        let name = self.keys.get(blob.index()).filter(|name| !name.is_empty());
        let key = name.map_or(PartKey::Index, |name| PartKey::Name(name));
        visit(Ok(&Part::new(index, key, &body).at(span_of(blob.source))))
    }

    fn world(&self, world: &World<'_, 'a>, visit: Each<'_>) -> Flow {
        let (database, source) = (self.database, self.database.source());
        let body = |visitor: &mut dyn Visit| {
            visitor.field(&Field::new("world", FieldValue::Uint(world.index as u64)).role(Role::Derived))?;
            visit_name("name", world.name, NameForm::Directory, source, visitor)?;
            // The number of references to parts, these, the number of references to models, and these.
            let at = end_of(world.name, source);
            let places = ElementList::counted(Element::PartReference, word(at, source), "name");
            let part = |index, part, visit: Each<'_>| part_reference(index, part, (Some(self), source), visit);
            visitor
                .parts(&by_name(Items::slice(reference_list("parts", "part"), world.parts, part)).editable(&places))?;
            let past = |part: &PartRef<'_>| end_of(part.name, source).saturating_add(Range::SIZE);
            let at = world.parts.last().map_or(at.saturating_add(4), past);
            let places = ElementList::counted(Element::ModelReference, word(at, source), "name");
            let part = |index, model, visit: Each<'_>| model_reference(index, model, (Some(self), source), visit);
            visitor
                .parts(&by_name(Items::slice(reference_list("models", "model"), world.models, part)).editable(&places))
        };
        let next = world.index.checked_add(1).and_then(|next| database.world(next));
        let at = between(world.at, next.map_or(database.directory_end(), |next| next.at), source);
        visit(Ok(&Part::new(number(world.index), PartKey::Name(world.name.text()), &body).at(at)))
    }
}

/// The name of an element in the list of blobs.
const BLOB: &str = "blob";

const fn reference_list(name: &'static str, kind: &'static str) -> List {
    List::new(name, kind).with(&[ListFlag::Compact, ListFlag::Inside])
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
            let body = |visitor: &mut dyn Visit| visit_window(chunk, visitor);
            visitor.parts(&Items::single(name, Some(&body), None))?;
        }
        let worlds = Items::indexed(
            List::new("worlds", "world").with(&[ListFlag::Inside]),
            database.worlds().len(),
            |index, visit| {
                let world = usize::try_from(index).ok().and_then(|index| database.world(index));
                world.map_or(Flow::Continue(()), |world| self.world(&world, visit))
            },
        );
        // Worlds cannot be added or removed.
        let identity = |part: &Part<'_>, round, hasher: &mut dyn Hasher| {
            hasher.write_u32(part.index);
            if round == 0 { MatchRule::Any } else { MatchRule::None }
        };
        visitor.parts(&by_name(worlds).identified(&identity))?;
        let opened;
        let body: &dyn Describe = match &contents.textures {
            Ok(textures) => {
                opened = parts::GlobalTextures { textures, chunk: database.texture_chunk() };
                &opened
            }
            Err(error) => error,
        };
        visitor.parts(&Items::single("global_textures", Some(body), Some(span_of(textures))))?;
        let body: &dyn Describe = match &contents.parts {
            Ok(parts) => parts,
            Err(error) => error,
        };
        visitor.parts(&Items::single("global_parts", Some(body), Some(span_of(parts))))?;
        let list = List::new("blobs", BLOB).with(&[ListFlag::Linked]);
        let part = |index, blob, visit: Each<'_>| self.blob(index, blob, visit);
        // A blob without a reference has no name.
        let rule = |part: &Part<'_>, round, hasher: &mut dyn Hasher| {
            match part.key {
                PartKey::Name(name) if round == 0 => feed(name, hasher),
                PartKey::Index if round == 0 => hasher.write_u32(part.index),
                _ => return MatchRule::None,
            }
            MatchRule::Any
        };
        visitor.parts(&by_name(Items::slice(list, database.blobs(), part)).matched(&rule))
    }
}

/// Visits the location of a chunk or blob.
fn visit_window(source: Source<'_>, visitor: &mut dyn Visit) -> Flow {
    visitor.field(&offset("offset", source.base()))?;
    visitor.field(&count("length", source.len()))
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
    let mut link = |target: Option<&Part<'_>>| visitor.link(&Link { name: "blob", kind: BLOB, target, content: true });
    match described.and_then(|described| Some((described, described.database.blobs().get(blob?)?))) {
        Some((described, blob)) => described.blob(number(blob.index()), blob, &mut |part| link(part.ok())),
        None => link(None),
    }
}

/// Passes on a reference to parts, which is in `source`, and, except outside a file, in a described file.
pub(crate) fn part_reference<'a>(
    index: u32,
    part: &PartRef<'a>,
    (described, source): (Option<&DatabaseDescription<'_, 'a>>, Source<'_>),
    visit: Each<'_>,
) -> Flow {
    let body = |visitor: &mut dyn Visit| {
        visit_name("name", part.name, NameForm::Directory, source, visitor)?;
        reference(described, (part.range, part.blob()), source, visitor)
    };
    let at = through(part.at, part.range.as_bytes(), source);
    visit(Ok(&Part::new(index, PartKey::Name(part.name.text()), &body).at(at)))
}

/// Passes on a reference to a model, as [`part_reference`] does.
pub(crate) fn model_reference<'a>(
    index: u32,
    model: &ModelRef<'a>,
    (described, source): (Option<&DatabaseDescription<'_, 'a>>, Source<'_>),
    visit: Each<'_>,
) -> Flow {
    let placement = model.placement;
    let body = |visitor: &mut dyn Visit| {
        visit_name("name", model.name, NameForm::Directory, source, visitor)?;
        reference(described, (model.range, model.blob()), source, visitor)?;
        visit_name("presenter", model.presenter, NameForm::Directory, source, visitor)?;
        visit_point("location", &placement.location, source, visitor)?;
        visit_point("direction", &placement.direction, source, visitor)?;
        visit_point("up", &placement.up, source, visitor)?;
        visitor.field(&byte("visible", &placement.visible, source))
    };
    let at = through(model.at, placement.as_bytes(), source);
    visit(Ok(&Part::new(index, PartKey::Name(model.name.text()), &body).at(at)))
}
