use worldview_core::describe::{Array, Field, FieldName, FieldValue, Flow, List, ListFlag, Part, Span};
use worldview_core::{Budget, Error, Limit, OffsetBase, Path};

use crate::Root;
use crate::bounded::Bound;

/// Limits a walk over a description. It is charged for the bytes of parts, for text that parts refer to, and for
/// each part.
///
/// Parts may overlap, and many references may lead to the same text. Neither may make a walk many times as long as
/// the file.
#[derive(Debug)]
pub(crate) struct Meter {
    parts: Budget,
    texts: Budget,
    paths: Budget,
    source: (u64, OffsetBase),
    /// The span of the current part; anything inside it has been charged already.
    here: Option<Span>,
    error: Option<Error>,
}

/// The state before a part was entered, restored when it is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered(Option<Span>);

impl Meter {
    /// The cost of a part in addition to its bytes, because even an empty name produces a line.
    const PART: u64 = 3;
    /// Field names up to this length are free.
    const NAME: usize = 64;

    /// Creates the meter for a walk over the descriptions of `roots`. The labels describe the walk in errors.
    pub(crate) fn new(roots: &[&Root<'_>], parts: &'static str, texts: &'static str) -> Self {
        let len = roots.iter().fold(0_u64, |all, root| all.saturating_add(root.len()));
        let source = roots.first().map_or((0, OffsetBase::File), |root| (root.source.base(), root.source.space()));
        // Valid tables can have many references to a few strings.
        let strings = len.saturating_mul(16).saturating_add(16 << 20);
        Self {
            parts: Budget::for_bytes(len, parts),
            texts: Budget::new(strings, Limit::Work, texts),
            paths: Budget::new(Bound::limit(len), Limit::Growth, "paths, which are far larger than the file,"),
            source,
            here: None,
            error: None,
        }
    }

    /// Stops the walk with an error.
    pub(crate) fn fail(&mut self, error: Error) -> Flow {
        self.error.get_or_insert(error);
        Flow::Break(())
    }

    /// Charges for a part and enters it.
    pub(crate) fn enter(&mut self, list: &List, part: &Part<'_>) -> Result<Entered, Error> {
        let before = self.here;
        self.charge(list, part, before)?;
        self.here = part.at.or(before);
        Ok(Entered(before))
    }

    /// Charges for a part that is reached from `here`.
    pub(crate) fn charge(&mut self, list: &List, part: &Part<'_>, here: Option<Span>) -> Result<(), Error> {
        let span = part.at.filter(|span| !(list.is(ListFlag::Inside) && is_within(*span, here)));
        let (at, space) = part.at.map_or(self.source, |span| (span.at, span.space));
        let bytes = span.map_or(0, |span| span.len.saturating_add(Self::PART));
        if let Err(error) = self.parts.spend(bytes, at, space) {
            self.error.get_or_insert(error);
            return Err(error);
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self, entered: Entered) {
        self.here = entered.0;
    }

    /// Charges for an array, if it is outside the current part.
    pub(crate) fn array(&mut self, array: &Array<'_>) -> Flow {
        self.array_of(array, self.here)
    }

    /// Charges for an array, if it is outside `here`.
    pub(crate) fn array_of(&mut self, array: &Array<'_>, here: Option<Span>) -> Flow {
        match array.at.filter(|span| !is_within(*span, here)) {
            Some(span) => self.settle_parts(span),
            None => Flow::Continue(()),
        }
    }

    fn settle_parts(&mut self, span: Span) -> Flow {
        let spent = self.parts.spend(span.len, span.at, span.space);
        spent.map_or_else(|error| self.fail(error), |()| Flow::Continue(()))
    }

    /// Charges for text outside the part that refers to it, and for unusually long names.
    #[inline]
    pub(crate) fn field(&mut self, field: &Field<'_>) -> Flow {
        let name = match field.name {
            FieldName::Bytes(name) => name.len().saturating_sub(Self::NAME),
            FieldName::Static(_) | FieldName::Bits { .. } => 0,
        };
        let text = match field.value {
            FieldValue::Text(text) if field.reference.is_some() => text.stored,
            _ => &[],
        };
        if name == 0 && text.is_empty() { Flow::Continue(()) } else { self.field_bytes(field, name, text) }
    }

    fn field_bytes(&mut self, field: &Field<'_>, name: usize, text: &[u8]) -> Flow {
        // Each byte of invalid UTF-8 is written as up to four.
        let cost = if std::str::from_utf8(text).is_ok() { 1 } else { 4 };
        let bytes = (name as u64).saturating_add((text.len() as u64).saturating_mul(cost));
        let (at, space) = field.at.map_or(self.source, |span| (span.at, span.space));
        let spent = self.texts.spend(bytes, at, space);
        spent.map_or_else(|error| self.fail(error), |()| Flow::Continue(()))
    }

    /// Charges for showing a path. Parts of a few bytes that are nested deeply have long ones.
    pub(crate) fn path(&mut self, path: &Path) -> Flow {
        let (at, space) = self.source;
        let spent = self.paths.spend(path.as_str().len() as u64, at, space);
        spent.map_or_else(|error| self.fail(error), |()| Flow::Continue(()))
    }

    /// Returns the error that stopped the walk, if any.
    pub(crate) const fn error(&self) -> Option<Error> {
        self.error
    }
}

fn is_within(span: Span, around: Option<Span>) -> bool {
    around.is_some_and(|around| {
        around.space == span.space
            && around.at <= span.at
            && span.at.saturating_add(span.len) <= around.at.saturating_add(around.len)
    })
}
