//! The selection of the contents of parts, and of `--record` and `--field`: the records and fields of tables that are printed.

use std::collections::{BTreeSet, HashSet};

use worldview::describe::{self, Array, Field, FieldName, List, PartKey};
use worldview::{Asset, island};
use worldview_import::nearest;
use worldview_inspect::{Select, field_name};

use crate::only::Pattern;
use crate::open::Visit;
use crate::options::Part;
use crate::run::Run;
use crate::world::Only;

/// Selects the parts of a level given by `--part`; all if there are none.
pub(crate) struct LevelParts<'c>(pub(crate) &'c [Part]);

impl LevelParts<'_> {
    fn wants(&self, choices: &[Part]) -> bool {
        self.0.is_empty() || self.0.iter().any(|choice| choices.contains(choice))
    }
}

impl Select for LevelParts<'_> {
    fn list(&self, list: &List) -> bool {
        match list.name {
            "header" => self.wants(&[Part::Header]),
            "planes" => self.wants(&[Part::Planes, Part::Tiles, Part::Objects]),
            "image_sets" => self.wants(&[Part::Planes]),
            "objects" => self.wants(&[Part::Objects]),
            "tile_attributes" => self.wants(&[Part::Attributes]),
            "trailer" => self.wants(&[Part::Trailer]),
            _ => true,
        }
    }

    fn field(&self, list: Option<&List>, _: &Field<'_>) -> bool {
        match list.map(|list| list.name) {
            None => self.wants(&[Part::Header]),
            Some("planes") => self.wants(&[Part::Planes]),
            Some(_) => true,
        }
    }

    fn array(&self, array: &Array<'_>) -> bool {
        match array.name {
            "tiles" => self.wants(&[Part::Tiles]),
            "trailing_bytes" => self.wants(&[Part::Trailer]),
            _ => true,
        }
    }
}

/// Selects the worlds and blobs given by `--only`.
pub(crate) struct Worlds<'s, 'o> {
    pub(crate) only: &'s Only<'o>,
    pub(crate) database: &'s island::Database<'o>,
}

impl Select for Worlds<'_, '_> {
    fn list(&self, list: &List) -> bool {
        !matches!(list.name, "global_textures" | "global_parts") || self.only.globals
    }

    fn part(&self, list: &List, part: &describe::Part<'_>) -> bool {
        let index = part.index as usize;
        match list.name {
            "worlds" => self.database.world(index).is_some_and(|world| self.only.wants_world(index, world.name.text())),
            "blobs" => self.only.touched[index],
            _ => true,
        }
    }
}

/// Selects records of a table, and their fields.
#[derive(Default)]
pub(crate) struct Records<'s> {
    /// The index of the only record to select.
    pub(crate) index: Option<usize>,
    /// The names of records, or `None` for all.
    pub(crate) names: Option<&'s HashSet<&'s [u8]>>,
    /// The names of fields, or `None` for all.
    pub(crate) fields: Option<&'s [&'s [u8]]>,
}

impl Select for Records<'_> {
    fn list(&self, list: &List) -> bool {
        list.name == "records"
    }

    fn part(&self, _: &List, part: &describe::Part<'_>) -> bool {
        let is_named = |names: &HashSet<&[u8]>| matches!(part.key, PartKey::Name(name) if names.contains(name));
        self.index.is_none_or(|index| index == part.index as usize) && self.names.is_none_or(is_named)
    }

    fn field(&self, list: Option<&List>, field: &Field<'_>) -> bool {
        let Some(fields) = self.fields else { return list.is_some() };
        match field.name {
            FieldName::Bytes(name) => fields.contains(&name),
            FieldName::Static(name) => list.is_some() && name == "record",
            FieldName::Bits { .. } => fields.contains(&field_name(&field.name).as_bytes()),
        }
    }

    fn array(&self, _: &Array<'_>) -> bool {
        self.fields.is_none()
    }
}

/// Selects everything in a table, except for the bytes of its sections and the string pool, whose values are in the
/// records and arrays.
pub(crate) struct Values;

impl Select for Values {
    fn list(&self, list: &List) -> bool {
        list.name != "strings"
    }

    fn array(&self, array: &Array<'_>) -> bool {
        array.name == "extra"
    }
}

/// Selects lists by their names, and everything else.
pub(crate) struct Lists(fn(&str) -> bool);

/// Selects the field plan of a table, and the information about the table as a whole.
pub(crate) const PLAN: Lists = Lists(|name| name == "fields");

/// Selects what is searched in a table: not the plan of its fields, whose names are found where the fields are.
pub(crate) const SEARCHED: Lists = Lists(|name| name != "fields");

impl Select for Lists {
    fn list(&self, list: &List) -> bool {
        (self.0)(list.name)
    }
}

/// The same for people: the name of a field is in front of what is known of it, and not repeated.
pub(crate) struct ShortPlan;

impl Select for ShortPlan {
    fn list(&self, list: &List) -> bool {
        PLAN.list(list)
    }

    fn field(&self, list: Option<&List>, field: &Field<'_>) -> bool {
        list.is_none() || !matches!(field.name, FieldName::Static(name) if name == "name")
    }
}

/// Selects the members of an archive given by `--only`.
pub(crate) struct Members<'v, 'p, 'a>(pub(crate) &'v Visit<'p, 'a>);

impl Select for Members<'_, '_, '_> {
    fn part(&self, list: &List, part: &describe::Part<'_>) -> bool {
        let Asset::Archive(archive) = self.0.part else { return true };
        list.name != "members" || archive.get(part.index as usize).is_some_and(|member| self.0.wants(&member))
    }
}

/// The patterns of an option, and which of them matched anything in any table.
#[derive(Debug)]
pub(crate) struct Chosen {
    option: &'static str,
    patterns: Vec<(String, Pattern, bool)>,
    /// Names that were there instead, to say what may be meant.
    names: BTreeSet<String>,
}

impl Chosen {
    /// How many names are kept.
    const MAX_NAMES: usize = 10_000;

    pub(crate) fn new(option: &'static str, patterns: &[String]) -> Self {
        let pattern = |text: &String| (text.clone(), Pattern::plain(text), false);
        Self { option, patterns: patterns.iter().map(pattern).collect(), names: BTreeSet::new() }
    }

    /// Returns the names that the patterns match, in the order of the patterns, or `None` if there are none, so that everything
    /// is chosen.
    pub(crate) fn of<'t>(&mut self, names: impl FnOnce() -> Vec<&'t [u8]>) -> Option<Vec<&'t [u8]>> {
        if self.patterns.is_empty() {
            return None;
        }
        let names = names();
        let (mut chosen, mut known) = (Vec::new(), HashSet::new());
        for (_, pattern, is_found) in &mut self.patterns {
            for &name in names.iter().filter(|name| pattern.matches(name)) {
                *is_found = true;
                if known.insert(name) {
                    chosen.push(name);
                }
            }
        }
        let room = Self::MAX_NAMES.saturating_sub(self.names.len());
        self.names.extend(names.iter().take(room).map(|name| String::from_utf8_lossy(name).into_owned()));
        Some(chosen)
    }

    /// Reports the patterns that nothing matched.
    pub(crate) fn say_unmatched(&self, run: &mut Run<'_>) {
        for (text, ..) in self.patterns.iter().filter(|(_, _, found)| !found) {
            let meant = nearest::meant(text, self.names.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |name| format!("; did you mean {name}?"));
            run.refused(self.option, &format_args!("nothing in these tables matches {text}{meant}"));
        }
    }
}
