//! New files: those without contents, into which everything else is inserted.

use std::ops::Range;

use worldview_core::describe::{Array, Describe, Field, Flow, List, ListFlag, Part, PartList, Role, Visit};
use worldview_core::edit::ShapeNumber;
use worldview_core::{Error, Path};
use worldview_island::edit::new;
use worldview_island::{BlobKind, Contents, Database, DatabaseDescription, Element, TextureFile};

use super::file::{File, blob_kind};
use super::list::recount;
use super::root::words;
use super::shape::{Own, Shape, index, range_of};
use crate::checked::{Checked as _, Number as _};
use crate::fields::{self, Draft, Wish};
use crate::image::{Image, Piece, Target, Word};
use crate::{EditError, EditErrorKind, Result, Value};

/// The contents of a new file, or of an element of one. Fields, arrays and lists are those of its description.
///
/// Errors need no path.
pub trait Content: Sized {
    /// Returns the value of a field, or `None` if it has none and stays zero or empty. The value of a name is all its counted bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if what is there is no value of this field.
    fn field(&self, field: &Field<'_>) -> Result<Option<Value>>;

    /// Returns the bytes of an array as the file has them, or `None` if there is none.
    ///
    /// # Errors
    ///
    /// Returns an error if what is there is no such array.
    fn array(&self, array: &Array<'_>) -> Result<Option<Vec<u8>>>;

    /// Returns an integer, or the number of an element that is referred to. `None` if there is none.
    fn number(&self, name: &str) -> Option<i64>;

    /// Returns the number of elements of a list or array, or of bytes of a name. `None` if there is none.
    fn len(&self, name: &str) -> Option<usize>;

    /// Returns the elements of a list; a single part is a list of one.
    ///
    /// # Errors
    ///
    /// Returns an error if what is there is no list.
    fn list(&self, name: &str) -> Result<Vec<Self>>;
}

/// Returns a new WORLD.WDB. Blobs are stored one after another, in the order in which the content lists them.
///
/// Sizes, counts and offsets follow from the content. References have the number of their blob.
///
/// # Errors
///
/// Returns an error if the content does not fit into such a file.
pub fn database(content: &impl Content) -> Result<Vec<u8>> {
    let (worlds, textures) = (content.list("worlds")?.len(), content.list("global_textures")?);
    let empty = new::database(worlds, &new::textures(&trailing(textures.first()))).ok_or_else(too_large)?;
    let (database, here) = (Database::parse(&empty[..])?, Path::new());
    let contents = Contents::read(&database);
    let description = DatabaseDescription::new(&database, &contents);
    let file = File::new(&empty, &database, &description, false);
    let mut image = Image::new(&empty, Path::new());
    let blobs = content.list("blobs")?;
    let mut build = Build { kinds: vec![None; blobs.len()] };
    build.fill(&description, 0..empty.len(), content, &mut image, &here)?;
    let mut appended = Vec::with_capacity(blobs.len());
    for (number, (kind, blob)) in (0..).zip(build.kinds.clone().into_iter().zip(&blobs)) {
        let path = Path::new().with(|path| path.push_nth(b"blob", number));
        let element = match kind {
            Some(BlobKind::Parts) => Element::Parts,
            Some(BlobKind::Model) => Element::Model,
            None => return Err(EditError::unsupported(&path, "no reference of a world leads to this blob")),
        };
        let blank = element.blank(&|_| Some(0)).ok_or_else(|| misshapen(&path))?;
        let bytes = build.alone(Shape::Element(element), &blank, blob, &path)?;
        Shape::Element(element).offsets(&bytes, &path)?;
        appended.push(bytes);
    }
    let words = words(&file, &image, &[], true)?;
    Ok(image.finish(words, appended)?.to_vec())
}

/// Returns a new `.tex` file.
///
/// # Errors
///
/// Returns an error if the content does not fit into such a file.
pub fn textures(content: &impl Content) -> Result<Vec<u8>> {
    let empty = new::textures(&trailing(Some(content)));
    let (file, here) = (TextureFile::parse(&empty[..])?, Path::new());
    let mut image = Image::new(&empty, Path::new());
    Build::default().fill(&file, 0..empty.len(), content, &mut image, &here)?;
    Ok(image.finish([], Vec::new())?.to_vec())
}

/// Returns zeros for the bytes behind a list of textures, of which a content without a number of them has none.
fn trailing(textures: Option<&impl Content>) -> Vec<u8> {
    vec![0; textures.and_then(|textures| textures.len("trailing_bytes")).unwrap_or(0)]
}

fn too_large() -> EditError {
    EditError::unsupported(&Path::new(), "the file would be too large")
}

fn misshapen(path: &Path) -> EditError {
    EditError::unsupported(path, "its numbers, and the lengths of its arrays and lists, do not fit together")
}

/// A file that is being made.
#[derive(Default)]
struct Build {
    /// The kind of each blob, according to the references to it.
    kinds: Vec<Option<BlobKind>>,
}

impl Build {
    /// Gives a part its fields, arrays and lists.
    fn fill<C: Content>(
        &mut self,
        body: &dyn Describe,
        range: Range<usize>,
        content: &C,
        image: &mut Image<'_>,
        path: &Path,
    ) -> Result<()> {
        let mut given = Given { content, fields: Vec::new(), arrays: Vec::new(), result: Ok(()) };
        let _ = body.describe(&mut given);
        let Given { fields, arrays, result, .. } = given;
        result.map_err(|error| at(error, path))?;
        let old = image.get(&range)?;
        let mut draft = Draft::new(range.start as u64, old);
        fields::set(body, &Wish::given(&fields, path).collect::<Vec<_>>(), &mut draft)?;
        image.replace_all(range.start, draft.patches(old)?)?;
        image.replace_all(0, arrays)?;
        let mut result = Ok(());
        fields::lists(body, &mut |parts| {
            if result.is_ok() {
                result = self.list(parts, content, image, path);
            }
        });
        result
    }

    /// Gives a list its elements.
    fn list<C: Content>(
        &mut self,
        parts: &dyn PartList,
        content: &C,
        image: &mut Image<'_>,
        owner: &Path,
    ) -> Result<()> {
        let (list, slots) = (parts.list(), parts.editable().slots());
        // Blobs come last, and their names are those of the references.
        if list.is(ListFlag::Linked) {
            return Ok(());
        }
        let given = content.list(list.name).map_err(|error| at(error, owner))?;
        let path = |number: usize| match list.is(ListFlag::Single) {
            true => owner.with(|path| path.push_name(list.name.as_bytes())),
            false => nth(owner, &list, number),
        };
        let mut old = Vec::new();
        let mut result = Ok(());
        let _ = parts.each(&mut |part| {
            let Ok(part) = part else { return Flow::Break(()) };
            let range = range_of(part.at);
            // What cannot stand alone is filled where it is.
            if let Some(content) = given.get(old.len()).filter(|_| list.is(ListFlag::Single) || list.kind == "world") {
                if list.is(ListFlag::Single) {
                    image.base = range.start;
                }
                result = self.fill(part.body, range.clone(), content, image, &path(old.len()));
            }
            old.push(range);
            if result.is_ok() { Flow::Continue(()) } else { Flow::Break(()) }
        });
        result?;
        if list.is(ListFlag::Single) || list.kind == "world" {
            return Ok(());
        }
        if slots.is_some_and(|slots| slots.count.is_none()) {
            let (Some(first), Some(last), false) = (old.first(), old.last(), given.is_empty()) else { return Ok(()) };
            image.put(first.start..last.end, Piece::default(), None);
            let pieces = self.tree(parts, &given, image.base, owner)?;
            pieces.into_iter().for_each(|piece| image.put(last.end..last.end, piece, None));
            return Ok(());
        }
        let start = slots.map_or(0, |slots| index(slots.start));
        let end = old.last().map_or(start, |last| last.end);
        for (number, content) in given.iter().enumerate() {
            image.path = path(number);
            let path = image.path.clone();
            let bytes = self.made(parts, content, &path)?;
            let piece = self.placed(parts, bytes, content, image.base, &path)?;
            match (old.get(number), slots) {
                (Some(old), _) => image.put(old.clone(), piece, None),
                (None, Some(_)) => image.put(end..end, piece, Some(start)),
                (None, None) => return Err(misshapen(&path)),
            }
        }
        if given.len() < old.len() {
            return Err(misshapen(owner));
        }
        match slots.and_then(|slots| slots.count).filter(|_| given.len() > old.len()) {
            Some((at, int)) => recount(range_of(Some(at)), int.range().1, given.len() as i128, image),
            None => Ok(()),
        }
    }

    /// Returns the elements of a tree, which are given in the order of the file.
    fn tree<C: Content>(&mut self, parts: &dyn PartList, given: &[C], base: usize, owner: &Path) -> Result<Vec<Piece>> {
        let (mut pieces, mut open) = (Vec::with_capacity(given.len()), Vec::<usize>::new());
        let mut counts = Vec::with_capacity(given.len());
        for (number, content) in given.iter().enumerate() {
            let path = nth(owner, &parts.list(), number);
            let parent = content.number("parent").and_then(|parent| usize::try_from(parent).ok());
            // Everything below an element follows it directly.
            while open.last().is_some_and(|last| Some(*last) != parent) {
                open.pop();
            }
            if parent != open.last().copied() || parent.is_none() && number > 0 {
                let why = "its `parent` is not the number of the element before it, or of one above that";
                return Err(EditError::unsupported(&path, why));
            }
            open.push(number);
            if let Some(parent) = parent {
                let (_, count): &mut (_, u32) = counts.get_mut(parent).checked()?;
                *count = count.plus(1)?;
            }
            let own = self.made(parts, content, &path)?;
            let mut count_at = None;
            Shape::Of(parts).visit(&own, &mut |part| count_at = Own::of(part.body).place("child_count"));
            pieces.push(self.placed(parts, own, content, base, &path)?);
            counts.push((count_at, 0));
        }
        for (piece, (at, count)) in pieces.iter_mut().zip(counts) {
            let word = at.and_then(|at| piece.bytes.get_mut(at..)?.first_chunk_mut());
            *word.checked()? = u32::to_le_bytes(count);
        }
        Ok(pieces)
    }

    /// Returns the bytes of an element, with offsets that count from its start; of one of a tree, without anything below it.
    fn made<C: Content>(&mut self, parts: &dyn PartList, content: &C, path: &Path) -> Result<Vec<u8>> {
        let wanted = |wanted: ShapeNumber<'_>| match wanted {
            ShapeNumber::Field(name) => content.number(name),
            ShapeNumber::Len(name) => content.len(name).and_then(|len| i64::try_from(len).ok()),
        };
        let mut blank = None;
        parts.editable().blank(&|number| Some(wanted(number).unwrap_or(0)), &mut |bytes| blank = Some(bytes.to_vec()));
        self.alone(Shape::Of(parts), &blank.ok_or_else(|| misshapen(path))?, content, path)
    }

    /// Gives an element its contents.
    fn alone<C: Content>(&mut self, shape: Shape<'_>, blank: &[u8], content: &C, path: &Path) -> Result<Vec<u8>> {
        let fill =
            |part: &Part<'_>, image: &mut Image<'_>| self.fill(part.body, range_of(part.at), content, image, path);
        shape.edit(blank, path, fill).map_err(|error| without_bytes(error, path))
    }

    /// Returns an element as a piece of the file, with the blob that it refers to.
    fn placed<C: Content>(
        &mut self,
        parts: &dyn PartList,
        bytes: Vec<u8>,
        content: &C,
        base: usize,
        path: &Path,
    ) -> Result<Piece> {
        let (shape, place) = (Shape::Of(parts), Shape::Of(parts).blob_place(&bytes));
        let mut piece = shape.piece(bytes, base, path).map_err(|error| without_bytes(error, path))?;
        if let Some(at) = place {
            let number = content.number("blob").and_then(|number| usize::try_from(number).ok());
            let kind = blob_kind(&parts.list());
            let known = number.and_then(|number| Some((number, self.kinds.get_mut(number)?)));
            let why = "its `blob` is not the number of one of the blobs";
            let (number, known) = known.ok_or_else(|| EditError::unsupported(path, why))?;
            if *known.get_or_insert(kind) != kind {
                let why = "its blob is a model for one reference, and parts for another";
                return Err(EditError::unsupported(path, why));
            }
            piece.words.push(Word::Blob { at, target: Target::New(number) });
        }
        Ok(piece)
    }
}

/// Returns an error about bytes without the bytes, which would say nothing to those who have the content.
fn without_bytes(error: EditError, path: &Path) -> EditError {
    match error.kind {
        EditErrorKind::DoesNotFit { value: Value::Bytes(_), .. } => misshapen(path),
        _ => error,
    }
}

/// Returns the path of an element by its number.
fn nth(owner: &Path, list: &List, number: usize) -> Path {
    owner.with(|path| path.push_nth(list.kind.as_bytes(), u32::try_from(number).unwrap_or(u32::MAX)))
}

/// Returns an error with the path of what has what it is about.
fn at(error: EditError, path: &Path) -> EditError {
    if error.path.is_empty() { EditError { path: path.clone(), ..error } } else { error }
}

/// The fields and arrays of a part that a source of contents has.
struct Given<'c, C> {
    content: &'c C,
    fields: Vec<(String, Value)>,
    arrays: Vec<(Range<usize>, Vec<u8>)>,
    result: Result<()>,
}

impl<C: Content> Given<'_, C> {
    fn keep<T>(&mut self, result: Result<Option<T>>, keep: impl FnOnce(&mut Self, T) -> Result<()>) -> Flow {
        let kept = result.and_then(|found| found.map_or(Ok(()), |found| keep(self, found)));
        match kept {
            Ok(()) => Flow::Continue(()),
            Err(error) => {
                self.result = Err(error);
                Flow::Break(())
            }
        }
    }
}

impl<C: Content> Visit for Given<'_, C> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if !fields::is_said(field) || field.at.is_none() {
            return Flow::Continue(());
        }
        let name = String::from_utf8_lossy(&fields::name(&field.name)).into_owned();
        let value = self.content.field(field);
        self.keep(value, |given, value| {
            given.fields.push((name, value));
            Ok(())
        })
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if array.role == Role::Derived {
            return Flow::Continue(());
        }
        let bytes = self.content.array(array);
        self.keep(bytes, |given, bytes| {
            let range = range_of(array.at);
            if bytes.len() != range.len() {
                let why = format!("`{}` has {} bytes here, not {}", array.name, range.len(), bytes.len());
                return Err(EditError::malformed(None, why));
            }
            given.arrays.push((range, bytes));
            Ok(())
        })
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }

    fn wants_places(&self) -> bool {
        true
    }
}
