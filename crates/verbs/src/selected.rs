//! The selection of the contents of parts.

use std::collections::{HashMap, HashSet};

use worldview::describe::{self, Array, Field, FieldName, List};
use worldview::wpd::Table;
use worldview::{Asset, Segment, island};
use worldview_inspect::{HasExact, Select, Selection};

use crate::open::Visit;
use crate::world::Only;

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

    fn parts(&self) -> Vec<String> {
        self.only.parts(self.database)
    }
}

/// Selects everything in what paths have selected already.
pub(crate) struct Inside(Vec<String>);

impl Inside {
    pub(crate) fn of(visit: &Visit<'_, '_>) -> Self {
        let paths = visit.input.inside.iter().filter(|_| !visit.selected.is_all());
        Self(paths.map(ToString::to_string).collect())
    }
}

impl Select for Inside {
    fn parts(&self) -> Vec<String> {
        self.0.clone()
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

/// Records of a table, by their indices, and the names of their fields that are selected; `None` if all are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) rows: Vec<usize>,
    pub(crate) fields: Option<Vec<Vec<u8>>>,
}

impl Cells {
    /// Returns what a path selects of the records of a table: those with the same fields together, in the order of the table.
    pub(crate) fn of(table: &Table<'_>, selected: &Selection<'_>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        let bits: Vec<_> = table.unowned_bits().collect();
        let names = || table.fields().iter().chain(&bits).map(|field| field.name());
        let mut exact = None;
        let mut has_exact = |key: &[u8]| {
            let rows = || table.rows().map(|row| row.name()).collect::<HashSet<_>>();
            exact.get_or_insert_with(rows).contains(key)
        };
        let (mut seen, mut last) = (HashMap::new(), None::<(Selection<'_>, Option<Vec<Vec<u8>>>)>);
        for row in table.rows() {
            let before = seen.entry(row.name()).or_insert(0_u32);
            let nth = Some(*before);
            *before += 1;
            let inside = selected.step(&segment(row.name(), nth), &mut has_exact);
            if inside.is_none() {
                continue;
            }
            // Records that the same patterns select have the same fields.
            let fields = match &last {
                Some((of, fields)) if *of == inside => fields.clone(),
                _ if inside.is_all() => None,
                _ => {
                    let mut has_exact = |key: &[u8]| names().any(|name| name == key);
                    let is_in =
                        |name: &&[u8], has_exact: HasExact<'_>| inside.step(&segment(name, None), has_exact).is_all();
                    Some(names().filter(|name| is_in(name, &mut has_exact)).map(<[u8]>::to_vec).collect())
                }
            };
            // The name of a record is in every row.
            let is_name = || inside.step(&segment(b"record", None), &mut |_| false).is_all();
            if fields.as_ref().is_none_or(|fields| !fields.is_empty() || is_name()) {
                match groups.iter_mut().find(|group| group.fields == fields) {
                    Some(group) => group.rows.push(row.index()),
                    None => groups.push(Self { rows: vec![row.index()], fields: fields.clone() }),
                }
            }
            last = Some((inside, fields));
        }
        groups
    }
}

fn segment(name: &[u8], nth: Option<u32>) -> Segment<'_> {
    Segment { kind: None, key: name.into(), nth }
}
