use std::fmt;

use worldview_core::{Source, Space};

use super::{Hit, Pattern};
use crate::place::Way;

/// Where the walk is, what it looks for, and where hits go.
pub(super) struct Search<'s> {
    pattern: &'s Pattern,
    note: &'s mut dyn FnMut(&Hit<'_>),
    way: Way,
}

/// Where a text lies.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) at: u64,
    pub(super) space: Space,
}

impl At {
    /// Where bytes lie that were taken from a window.
    pub(super) fn of(bytes: &[u8], window: Source<'_>) -> Self {
        let from_start = bytes.as_ptr().addr().wrapping_sub(window.bytes().as_ptr().addr()) as u64;
        Self { at: window.base().saturating_add(from_start), space: window.space() }
    }
}

impl<'s> Search<'s> {
    pub(super) fn new(pattern: &'s Pattern, note: &'s mut dyn FnMut(&Hit<'_>)) -> Self {
        Self { pattern, note, way: Way::default() }
    }

    /// Does something within a part.
    pub(super) fn within<T>(&mut self, part: fmt::Arguments<'_>, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.way.enter(part);
        let result = look(self);
        self.way.leave(before);
        result
    }

    /// Whether a text is one.
    pub(super) fn wants(&self, text: &str) -> bool {
        !text.is_empty() && self.pattern.matches(text)
    }

    /// Tells a text that is one.
    pub(super) fn tell(&mut self, what: &'static str, text: &str, at: At) {
        (self.note)(&Hit { place: self.way.as_str(), what, text, at: at.at, space: at.space });
    }

    /// Looks at a text of the part where the walk is.
    pub(super) fn text(&mut self, what: &'static str, text: &str, at: At) {
        if self.wants(text) {
            self.tell(what, text, at);
        }
    }
}
