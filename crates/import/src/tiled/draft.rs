//! The plan in progress: the changes and the account.

use worldview_core::describe::FieldValue;
use worldview_core::{FieldInfo, Path};
use worldview_edit::account::{Code, Column, Entry, SourcePlace};
use worldview_export::Encoding;

use super::fields::{changed, value};
use super::saved::Properties;
use std::collections::HashSet;
use worldview_core::quote;
use worldview_edit::{Change, EditError, Planned, Result, Value};

/// Changes and account, and the part that is being compared.
pub(super) struct Draft {
    pub(super) planned: Planned,
    /// The path of the part.
    pub(super) path: Path,
    /// Where the map has it, in words.
    pub(super) place: String,
    /// The code page of the export's texts.
    pub(super) encoding: Encoding,
    /// The places of entries that planners have made.
    pub(super) listed: HashSet<String>,
}

impl Draft {
    /// Returns the path of a field of the part.
    pub(super) fn field(&self, name: &str) -> Path {
        self.path.with(|path| path.push_name(name.as_bytes()))
    }

    /// Returns the place of something in the part; the part itself if it is empty.
    pub(super) fn at(&self, what: &str) -> SourcePlace {
        let separator = if what.is_empty() || self.place.is_empty() { "" } else { ", " };
        SourcePlace::pointer(format!("{}{separator}{what}", self.place))
    }

    pub(super) fn push(&mut self, change: Change) {
        self.planned.changes.push(change);
    }

    /// Adds the change of a field.
    pub(super) fn set(&mut self, name: &str, from: Value, to: Value) {
        let path = self.field(name);
        self.push(Change::Set { path, from: Some(from), to });
    }

    /// Adds an entry about something in the part.
    pub(super) fn note(&mut self, column: Column, code: Code, what: &str, message: impl Into<String>) {
        let entry = Entry::new(column, code, &self.path, message);
        self.planned.account.push(entry.at(self.at(what)));
    }

    /// Adds an entry about a difference, unless a planner has said something of its place.
    pub(super) fn differs(&mut self, column: Column, code: Code, what: &str, message: impl Into<String>) {
        if !self.at(what).pointer.is_some_and(|place| self.listed.contains(&place)) {
            self.note(column, code, what, message);
        }
    }

    /// Collects the places of all entries.
    pub(super) fn list(&mut self) {
        for place in self.planned.account.entries().filter_map(|entry| entry.place.pointer.as_deref()) {
            // A size has two attributes, and an attribute may be a property too.
            let others = [(" or \"height\"", ""), ("\"width\" or ", ""), ("property \"wwd_", "attribute \"")];
            self.listed.extend(others.map(|(from, to)| place.replace(from, to)));
            self.listed.insert(place.to_owned());
        }
    }

    /// Says that something in the part cannot be done.
    pub(super) fn refuse(&mut self, code: Code, what: &str, message: impl Into<String>) {
        self.note(Column::Refused, code, what, message);
    }

    /// Says that something in the part carries nothing of the level.
    pub(super) fn leave_out(&mut self, code: Code, what: &str, message: impl Into<String>) {
        self.note(Column::LeftOut, code, what, message);
    }

    /// Returns a result, or says that something in the part cannot be done.
    pub(super) fn attempt<T>(&mut self, result: Result<T>, what: &str) -> Option<T> {
        let refuse = |error: EditError| self.planned.refuse(&error, self.at(what));
        result.map_err(refuse).ok()
    }

    /// Compares fields with the properties that the export writes for them. Those that follow from the content say nothing.
    pub(super) fn record<'r>(
        &mut self,
        fields: impl Iterator<Item = (&'static FieldInfo, FieldValue<'r>)>,
        properties: &Properties,
    ) {
        for (info, old) in fields {
            let path = self.field(info.name);
            let new = changed(info, old, properties, None, self.encoding, &path);
            if let Some(new) = self.attempt(new, &property(info.name)).flatten() {
                self.set(info.name, value(info, old), new);
            }
        }
    }
}

/// Returns the words for the place of a property.
pub(super) fn property(field: &str) -> String {
    format!("property {}", quote(&worldview_export::level::tiled::property_name(field)))
}
