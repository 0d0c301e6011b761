//! Facts about files and what is in them, each stated once: its name, its value, its unit and for whom it is.
//!
//! The command, the viewer and Python show the same facts in different forms. A fact is a line in the module of its format; the forms
//! are in `forms`.
#![allow(clippy::arithmetic_side_effects, reason = "counts what is in views, which is bounded by the bytes of files")]

mod forms;
#[cfg(feature = "island")]
mod island;
#[cfg(feature = "wwd")]
mod level;
#[cfg(feature = "rez")]
mod rez;
mod value;
#[cfg(feature = "wpd")]
mod wpd;

use std::ops::BitOr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use worldview_inspect::Encoding;

pub use self::forms::{COLUMNS, counted, short_game};
use self::value::Value;
#[cfg(feature = "wpd")]
pub use self::wpd::member;
use crate::{Asset, At};

/// For whom facts are: the forms in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience(u8);

impl Audience {
    /// JSON of `info`.
    pub const INFO: Self = Self(1);
    /// JSON of `list`.
    pub const LIST: Self = Self(2);
    /// JSON of both.
    pub const JSON: Self = Self(3);
    /// CSV, and the tables of `list`.
    pub const SHEET: Self = Self(4);
    /// The text of `info`.
    pub const TEXT: Self = Self(8);
    /// The details of a place in the viewer.
    pub const CARD: Self = Self(16);
    /// The one that says how large something is, as in `repr` of Python.
    pub const BRIEF: Self = Self(32);

    const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Audience {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A fact without its value.
#[derive(Clone, Copy, Debug)]
struct Fact {
    /// In JSON.
    name: &'static str,
    audience: Audience,
    /// One of [`COLUMNS`], if it is in sheets.
    column: &'static str,
    /// For people. Columns of tables that are aligned right begin with `>`.
    label: &'static str,
    /// What the value counts, in the singular; empty if the label says so.
    unit: &'static str,
}

/// Creates a fact that has the same name everywhere.
const fn fact(name: &'static str, audience: Audience) -> Fact {
    Fact { name, audience, column: name, label: name, unit: "" }
}

impl Fact {
    const fn column(self, column: &'static str) -> Self {
        Self { column, ..self }
    }

    const fn label(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }
}

/// The subject of facts.
#[derive(Clone, Debug)]
pub struct Subject<'s, 'a> {
    /// The view.
    pub asset: &'s Asset<'a>,
    /// The part of it.
    pub at: At,
    /// The path by which it is shown.
    pub path: String,
    /// The code page of its texts.
    pub encoding: Encoding,
    /// When its file was modified. Sheets have it from 1970 to 9999.
    pub modified: Option<SystemTime>,
    /// The code of what is wrong, if only a part could be opened.
    pub problem: Option<&'static str>,
    /// The contents of a WORLD.WDB, if they were read already.
    #[cfg(feature = "island")]
    pub contents: Option<&'s crate::island::Contents<'a>>,
}

impl<'s, 'a> Subject<'s, 'a> {
    /// Creates a subject of which only the view is known.
    pub fn new(asset: &'s Asset<'a>, at: At) -> Self {
        Self {
            asset,
            at,
            path: String::new(),
            encoding: Encoding::default(),
            modified: None,
            problem: None,
            #[cfg(feature = "island")]
            contents: None,
        }
    }

    /// States the facts that are for an audience.
    pub fn facts(&self, audience: Audience) -> Facts {
        let kind = self.asset.kind(self.at).name();
        Facts::new(kind, audience, [()], |facts| self.state(facts))
    }

    fn state(&self, facts: &mut About<'_, ()>) {
        use Audience as A;
        facts.add(fact("path", A::JSON | A::SHEET), |()| self.path.clone());
        facts.add(fact("kind", A::SHEET), |()| self.asset.kind(self.at).name());
        facts.add(fact("format", A::JSON), |()| self.asset.format());
        let mut of_problem = A::SHEET;
        match self.asset {
            #[cfg(feature = "wwd")]
            Asset::Level(level, file) => {
                level::level(facts, level, file, self.encoding);
                of_problem = A::SHEET | A::LIST;
            }
            #[cfg(feature = "wwd")]
            Asset::Outline(_) => {}
            #[cfg(feature = "wpd")]
            Asset::Table(table) => match self.asset.row(self.at) {
                Some(row) => wpd::record(facts, table, &row),
                None => wpd::table(facts, table),
            },
            #[cfg(feature = "wpd")]
            Asset::Archive(archive) => wpd::archive(facts, archive),
            #[cfg(feature = "rez")]
            Asset::Rez(rez) => rez::directory(facts, self.asset.directory(self.at).unwrap_or_else(|| rez.root())),
            #[cfg(feature = "rez")]
            Asset::Picture(picture) => rez::picture(facts, picture),
            #[cfg(feature = "island")]
            Asset::Database(database) => island::database(facts, database, self.contents, self.encoding),
            #[cfg(feature = "island")]
            Asset::Textures(file) => island::textures(facts, file),
            Asset::Data(source) => {
                facts.add(fact("format", A::TEXT), |()| "archive member, not in a known format");
                facts.add(fact("offset", A::TEXT), |()| source.base());
                facts.add(fact("size", A::TEXT | A::BRIEF).unit("byte"), |()| source.len());
            }
        }
        // Other dates have no text that `humantime` writes.
        let is_written = |since: Duration| since.as_secs() < 253_402_300_800;
        let modified = self.modified.filter(|time| time.duration_since(UNIX_EPOCH).is_ok_and(is_written));
        let text = |time| humantime::format_rfc3339_seconds(time).to_string();
        facts.add(fact("modified", A::SHEET), |()| modified.map(text));
        facts.add(fact("problem", of_problem), |()| self.problem);
    }
}

/// Facts about a part of a file, as far as they are for an audience, or about the elements of a list in it.
#[derive(Clone, Debug)]
pub struct Facts {
    kind: &'static str,
    facts: Vec<Fact>,
    /// The values of each element; one row for a part of a file.
    rows: Vec<Vec<Value>>,
}

impl Facts {
    fn new<E>(
        kind: &'static str,
        audience: Audience,
        elements: impl IntoIterator<Item = E>,
        state: impl Fn(&mut About<'_, E>),
    ) -> Self {
        let (mut facts, mut rows) = (None, Vec::new());
        let mut stated = |element: Option<&E>| {
            let mut about = About { element, audience, facts: facts.is_none().then(Vec::new), values: Vec::new() };
            state(&mut about);
            facts = about.facts.or(facts.take());
            about.values
        };
        elements.into_iter().for_each(|element| rows.push(stated(Some(&element))));
        if rows.is_empty() {
            stated(None);
        }
        Self { kind, facts: facts.unwrap_or_default(), rows }
    }

    /// Returns what a sheet has of a file that cannot be opened.
    pub fn failed(path: &str, problem: &'static str) -> Self {
        Self::new("failed", Audience::SHEET, [()], |facts| {
            facts.add(fact("path", Audience::SHEET), |()| path.to_owned());
            facts.add(fact("kind", Audience::SHEET), |()| "failed");
            facts.length(0, Audience::SHEET);
            facts.add(fact("problem", Audience::SHEET), |()| problem);
        })
    }

    /// Removes elements from a list, by their index.
    pub fn retain(&mut self, list: &str, mut is_wanted: impl FnMut(usize) -> bool) {
        for (fact, value) in self.rows.iter_mut().flat_map(|row| self.facts.iter().zip(row)) {
            if let Value::List(elements) = value
                && fact.name == list
            {
                let mut indices = 0..;
                elements.rows.retain(|_| indices.next().is_some_and(&mut is_wanted));
            }
        }
    }
}

/// Collects the facts about an element, or about a part of a file; without one, only which facts there are.
struct About<'e, E> {
    element: Option<&'e E>,
    audience: Audience,
    /// Which facts there are, if that is not known yet.
    facts: Option<Vec<Fact>>,
    values: Vec<Value>,
}

impl<E> About<'_, E> {
    /// States a fact.
    fn add<V: Into<Value>>(&mut self, fact: Fact, value: impl FnOnce(&E) -> V) {
        if fact.audience.overlaps(self.audience) {
            self.facts.iter_mut().for_each(|facts| facts.push(fact));
            self.values.extend(self.element.map(|element| value(element).into()));
        }
    }

    /// States the length in bytes.
    fn length(&mut self, bytes: u64, audience: Audience) {
        let length = fact("length", audience | Audience::JSON | Audience::SHEET);
        self.add(length.column("bytes").label("size").unit("byte"), |_| bytes);
    }

    /// States facts about the elements of a list.
    fn each<I: IntoIterator>(&mut self, fact: Fact, list: impl FnOnce() -> I, state: impl Fn(&mut About<'_, I::Item>)) {
        let audience = self.audience;
        self.add(fact, |_| Facts::new("", audience, list(), state));
    }
}

worldview_core::assert_send_sync!(Facts);
