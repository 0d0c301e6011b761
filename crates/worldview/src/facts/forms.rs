//! The forms in which facts are shown.

use std::sync::LazyLock;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use super::{Audience, Fact, Facts, Value};

/// The columns of sheets for files of all kinds. Those that do not apply to a kind are empty.
pub static COLUMNS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let of_all = "path kind game name author birth modified bytes planes columns rows tiles objects density records fields members \
        worlds models parts textures generation record_size names tables archives levels pictures width height problem";
    of_all.split(' ').collect()
});

/// The games that tables are from, with the names that they have where there is little room.
pub(super) const TABLE_GAMES: [(&str, &str); 2] =
    [("Final Fantasy XIII", "XIII"), ("Final Fantasy XIII-2 or Lightning Returns", "XIII-2/LR")];

/// Returns the short name of a game; names without one are short already.
pub fn short_game(name: &str) -> &str {
    TABLE_GAMES.iter().find(|(long, _)| *long == name).map_or(name, |(_, short)| short)
}

/// Facts as a JSON object.
struct Object<I>(I);

impl<'f, I: Iterator<Item = (&'f Fact, &'f Value)> + Clone> Serialize for Object<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = self.0.clone().filter(|(_, value)| !matches!(value, Value::Absent));
        let mut object = serializer.serialize_struct("Facts", members.clone().count())?;
        members.try_for_each(|(fact, value)| object.serialize_field(fact.name, value))?;
        object.end()
    }
}

impl Facts {
    /// Returns the kind of the part, as in machine-readable output.
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns the number of elements.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn rows(&self, audience: Audience) -> impl Iterator<Item = impl Iterator<Item = (&Fact, &Value)> + Clone> {
        let is_shown = move |(fact, _): &(&Fact, &Value)| fact.audience.overlaps(audience);
        self.rows.iter().map(move |row| self.facts.iter().zip(row).filter(is_shown))
    }

    /// Returns the part, or each element, as a JSON object.
    pub fn objects(&self) -> impl Iterator<Item = impl Serialize> {
        self.rows(Audience::JSON).map(Object)
    }

    /// Returns a cell for each of [`COLUMNS`].
    pub fn sheet(&self) -> Vec<String> {
        let mut cells = vec![String::new(); COLUMNS.len()];
        for (fact, value) in self.rows(Audience::SHEET).flatten() {
            let cell = COLUMNS.iter().zip(&mut cells).find(|(column, _)| **column == fact.column);
            debug_assert!(cell.is_some(), "{} is a column without a place", fact.column);
            cell.into_iter().for_each(|(_, cell)| *cell = value.to_string());
        }
        cells
    }

    /// Returns labels and values for people, except for lists.
    pub fn text(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.rows(Audience::TEXT).flatten().filter_map(|(fact, value)| match value {
            Value::Absent | Value::List(_) => None,
            Value::None => Some((fact.label, "none".to_owned())),
            Value::Values(values) if values.is_empty() => Some((fact.label, "none".to_owned())),
            value if fact.unit.is_empty() => Some((fact.label, value.to_string())),
            value => Some((fact.label, format!("{value} {}s", fact.unit))),
        })
    }

    /// Returns the lists for an audience, and their names.
    pub fn lists(&self, audience: Audience) -> impl Iterator<Item = (&'static str, &Self)> {
        self.rows(audience).flatten().filter_map(|(fact, value)| match value {
            Value::List(list) => Some((fact.name, &**list)),
            _ => None,
        })
    }

    /// Returns the columns of a list for people. Those that are aligned right begin with `>`.
    pub fn labels(&self) -> impl Iterator<Item = &'static str> {
        self.facts.iter().filter(|fact| fact.audience.overlaps(Audience::TEXT)).map(|fact| fact.label)
    }

    /// Returns the cells of each element of a list for people.
    pub fn cells(&self) -> impl Iterator<Item = Vec<String>> {
        self.rows(Audience::TEXT).map(|row| row.map(|(_, value)| value.to_string()).collect())
    }

    /// Returns labels and values for a card, which begin with a capital letter.
    pub fn card(&self) -> impl Iterator<Item = (String, String)> {
        self.rows(Audience::CARD).flatten().map(|(fact, value)| {
            let (first, rest) = fact.label.split_at(1);
            (first.to_uppercase() + rest, value.to_string())
        })
    }

    /// Returns how large it is, such as `3 planes`.
    pub fn brief(&self) -> String {
        let brief = self.rows(Audience::BRIEF).flatten().map(|(fact, value)| match value {
            Value::Uint(count) => counted(*count, fact.unit),
            value => value.to_string(),
        });
        brief.collect()
    }

    /// Returns the names of all members of the JSON object, each after the name of the list whose elements have it, if any.
    pub fn names(&self) -> Vec<(&'static str, &'static str)> {
        let of = |list, facts: &Self| facts.facts.iter().map(move |fact| (list, fact.name)).collect::<Vec<_>>();
        let lists = self.lists(Audience::JSON).flat_map(|(name, list)| of(name, list));
        of("", self).into_iter().chain(lists).collect()
    }
}

/// Returns a number of things, such as `1 file` or `2 files`.
pub fn counted(count: u64, what: &str) -> String {
    let (before, last) = what.split_at(what.len().saturating_sub(1));
    match (count, last) {
        (1, _) => format!("1 {what}"),
        (_, "y") => format!("{count} {before}ies"),
        _ => format!("{count} {what}s"),
    }
}
