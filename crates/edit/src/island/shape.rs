//! Elements outside their file: their bytes, with offsets that count from their start.

use std::ops::Range;

use worldview_core::describe::{
    Describe, Field, FieldName, FieldValue, Flow, Link, Part, PartList, Span, Stored as Form, Visit,
};
use worldview_core::{Error, Path, field_name};
use worldview_island::{Element, raw};

use crate::image::{Image, Piece, Stored, Word};
use crate::{EditError, Result, Value};

pub(super) const TANGLED: &str = "parts of this blob overlap, so no length in it can change";

/// The kind of element that bytes outside a file are.
#[derive(Clone, Copy)]
pub(super) enum Shape<'p> {
    /// An element of a list.
    Of(&'p dyn PartList),
    Element(Element),
}

impl Shape<'_> {
    /// Calls `visit` with the element that bytes start with, and with all that are below it in a tree.
    pub(super) fn visit(self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        match self {
            Self::Of(parts) => parts.editable().alone(bytes, visit),
            Self::Element(element) => element.visit(bytes, visit),
        }
    }

    /// Returns the places of the offsets in an element; an error if the bytes are not exactly such an element.
    pub(super) fn offsets(self, bytes: &[u8], path: &Path) -> Result<Vec<Offset>> {
        let (mut ends, mut found) = (None, Offsets::default());
        self.visit(bytes, &mut |part| {
            let range = range_of(part.at);
            ends = Some((ends.map_or(range.start, |(start, _)| start), range.end));
            let _ = part.body.describe(&mut found);
        });
        if ends == Some((0, bytes.len())) { Ok(found.all) } else { Err(self.wrong(bytes, path)) }
    }

    /// The error about bytes that are something else.
    fn wrong(self, bytes: &[u8], path: &Path) -> EditError {
        let what = match self {
            Self::Element(element) => element.to_string(),
            Self::Of(parts) => match parts.list().kind {
                "roi" => "an object".to_owned(),
                "lod" => "a level of detail".to_owned(),
                "translation" | "rotation" | "scale" | "morph" => "a key".to_owned(),
                kind if kind.starts_with(['a', 'i']) => format!("an {kind}"),
                kind => format!("a {kind}"),
            },
        };
        let limit = format!("these bytes are not exactly {what}");
        EditError::does_not_fit(path, Value::Bytes(bytes.to_vec()), limit)
    }

    /// Returns the bytes of an element that stands alone, and is edited as one in a file.
    pub(super) fn edit(
        self,
        bytes: &[u8],
        path: &Path,
        edit: impl FnOnce(&Part<'_>, &mut Image<'_>) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let mut image = Image::new(bytes, path.clone());
        let (mut edit, mut result, mut words) = (Some(edit), Err(self.wrong(bytes, path)), Vec::new());
        self.visit(bytes, &mut |part| {
            if let Some(edit) = edit.take() {
                result = edit(part, &mut image);
                if result.is_ok() && image.resized().next().is_some() && !is_orderly(part.body) {
                    result = Err(EditError::unsupported(path, TANGLED));
                }
            }
            words.extend(Offsets::of(part.body).all);
        });
        result?;
        Ok(image.finish(words.into_iter().map(Offset::stored), Vec::new())?.to_vec())
    }

    /// Returns where the length and offset of the blob are to which an element refers, if it does.
    pub(super) fn blob_place(self, bytes: &[u8]) -> Option<usize> {
        let mut place = None;
        self.visit(bytes, &mut |part| {
            let own = Own::of(part.body);
            place = own.link.and_then(|_| own.place(field_name!(raw::Range, length)));
        });
        place
    }

    /// Returns an element as a piece that goes into the chunk or blob that starts at `base`.
    pub(super) fn piece(self, bytes: Vec<u8>, base: usize, path: &Path) -> Result<Piece> {
        let words = self.offsets(&bytes, path)?.into_iter().map(|offset| Word::Offset { at: offset.at, base });
        Ok(Piece { words: words.collect(), bytes })
    }
}

/// A word that says how far a place is from another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offset {
    pub(super) at: usize,
    target: usize,
    base: usize,
}

impl Offset {
    pub(super) const fn stored(self) -> Stored {
        Stored::Offset { at: self.at, target: self.target, base: self.base }
    }
}

/// The contents of a part besides elements of lists.
#[derive(Default)]
pub(super) struct Own {
    /// Where each field is, and its value if it is a number.
    fields: Vec<(&'static str, usize, u64)>,
    /// The content to which it refers, if it is a reference to some.
    pub(super) link: Option<Option<u32>>,
    /// The element to which it refers otherwise: the parent in a tree.
    pub(super) parent: Option<u32>,
}

impl Own {
    pub(super) fn of(body: &dyn Describe) -> Self {
        let mut own = Self::default();
        let _ = body.describe(&mut own);
        own
    }

    /// Returns where a field is.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.fields.iter().find(|(field, ..)| *field == name).map(|(_, at, _)| *at)
    }

    /// Returns a number.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.fields.iter().find(|(field, ..)| *field == name).map(|(.., number)| *number)
    }
}

impl Visit for Own {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if let (FieldName::Static(name), Some(at)) = (field.name, field.at) {
            let number = if let FieldValue::Uint(number) = field.value { number } else { 0 };
            self.fields.push((name, index(at.at), number));
        }
        Flow::Continue(())
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let target = link.target.map(|target| target.index);
        if link.content {
            self.link = Some(target);
        } else {
            self.parent = target;
        }
        Flow::Continue(())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        false
    }
}

/// The offsets in a part and in everything inside it.
#[derive(Default)]
pub(super) struct Offsets {
    pub(super) all: Vec<Offset>,
    /// Whether something cannot be read.
    pub(super) is_broken: bool,
}

impl Offsets {
    pub(super) fn of(body: &dyn Describe) -> Self {
        let mut found = Self::default();
        let _ = body.describe(&mut found);
        found
    }

    /// Returns the bytes of a range, with its offsets counted from its start.
    pub(super) fn rebased(self, range: &Range<usize>, buffer: &[u8]) -> Result<Vec<u8>> {
        let outside = || EditError::inconsistent(&Path::new(), "an offset is outside of the element that has it");
        let mut bytes = buffer.get(range.clone()).ok_or_else(outside)?.to_vec();
        for Offset { at, base, .. } in self.all {
            let place = at.checked_sub(range.start).and_then(|at| bytes.get_mut(at..)?.first_chunk_mut());
            let place = place.ok_or_else(outside)?;
            let before = range.start.checked_sub(base).and_then(|before| u32::try_from(before).ok());
            let offset = before.and_then(|before| u32::from_le_bytes(*place).checked_sub(before));
            *place = offset.ok_or_else(outside)?.to_le_bytes();
        }
        Ok(bytes)
    }
}

impl Visit for Offsets {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if let (Form::Offset(_, base), FieldValue::Uint(value), Some(at)) = (field.stored, field.value, field.at) {
            let target = index(base.saturating_add(value));
            self.all.push(Offset { at: index(at.at), target, base: index(base) });
        }
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        // Only parts and objects have offsets, and levels, meshes and nodes are whole if what has them is.
        let kind = parts.list().kind;
        match kind {
            "part" | "roi" | "texture" => parts.each(&mut |part| match part {
                Ok(part) if kind != "texture" => part.body.describe(self),
                Ok(_) => Flow::Continue(()),
                Err(error) => self.broken(error),
            }),
            _ => Flow::Continue(()),
        }
    }

    fn broken(&mut self, _: &Error) -> Flow {
        self.is_broken = true;
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        false
    }
}

/// Returns an offset of the file as an index. What is none lies behind every buffer, where using it is an error.
pub(super) fn index(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The range of a part. Only the file as a whole has none, and it has no fields.
pub(super) fn range_of(at: Option<Span>) -> Range<usize> {
    at.map_or(0..0, |at| index(at.at)..index(at.at.saturating_add(at.len)))
}

/// Returns the bytes of an element, of one of a tree with everything below it, with offsets that count from its start.
pub(super) fn canonical(parts: &dyn PartList, range: &Range<usize>, buffer: &[u8]) -> Result<Vec<u8>> {
    let mut found = Offsets::default();
    // Nothing else has offsets of its own.
    if matches!(parts.list().kind, "part" | "roi") {
        let _ = parts.each(&mut |part| match part {
            Ok(part) if range.contains(&range_of(part.at).start) => part.body.describe(&mut found),
            _ => Flow::Continue(()),
        });
    }
    found.rebased(range, buffer)
}

/// Returns whether the lists of a part follow each other as it describes them, so that all can change their length.
pub(super) fn is_orderly(body: &dyn Describe) -> bool {
    let (mut end, mut is_orderly) = (0, true);
    crate::fields::lists(body, &mut |parts| {
        let Some(slots) = parts.editable().slots() else { return };
        let start = slots.count.map_or(slots.start, |(at, _)| at.at.min(slots.start));
        is_orderly &= start >= end;
        end = slots.start;
        let _ = parts.each(&mut |part| {
            end = part.ok().and_then(|part| part.at).map_or(end, |at| at.at.saturating_add(at.len));
            Flow::Continue(())
        });
    });
    is_orderly
}
