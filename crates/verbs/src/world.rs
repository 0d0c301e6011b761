//! WORLD.WDB as seen by the verbs, and the selection of `--only` in it.

use std::collections::HashMap;
use std::mem::Discriminant;
use std::ops::ControlFlow::Continue;
use std::path::Path;

use worldview::island::{self, BlobKind, Contents, Database, FindingKind};
use worldview::{ErrorKind, FindingCode as _, Place, PlacePart, Severity};
use worldview_export::outputs::{self, Item};

use crate::only::{self, Sort, Term, WorldPath};
use crate::outcome::Outcome;
use crate::report::Failure;

/// A WORLD.WDB: its directory, and the contents of its chunks and blobs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World<'v, 'a> {
    pub(crate) database: &'v Database<'a>,
    pub(crate) contents: &'v Contents<'a>,
}

/// The selection in one file: terms of the same kind are ORed, terms of different kinds ANDed.
#[derive(Debug, Default)]
pub(crate) struct Only<'o> {
    terms: &'o [Term],
    /// For each blob and world, whether a selected world uses it or a path leads to it. If there are neither world nor
    /// path terms, all are true.
    blobs: Vec<bool>,
    worlds: Vec<bool>,
    /// The path terms.
    within: Vec<&'o WorldPath>,
    /// Whether any name of each blob is selected.
    named: Vec<bool>,
    /// Whether each blob, or anything in it, is selected.
    pub(crate) touched: Vec<bool>,
    /// Whether anything in the two chunks, of global textures and parts, is selected.
    pub(crate) globals: bool,
    /// By the kind and the name of blobs, whether one of them is wanted, and whether anything in one can be.
    by_name: HashMap<(BlobKind, &'o [u8]), (bool, bool)>,
}

impl<'o> Only<'o> {
    pub(crate) fn new(terms: &'o [Term], world: World<'_, 'o>) -> Self {
        let database = world.database;
        let within: Vec<_> =
            terms.iter().filter_map(|term| if let Term::Path(within) = term { Some(within) } else { None }).collect();
        let mut only = Self {
            terms,
            blobs: vec![within.is_empty(); database.blobs().len()],
            named: vec![false; database.blobs().len()],
            within,
            ..Self::default()
        };
        for world in database.worlds() {
            let world_name = world.name.text();
            only.worlds.push(only.leads_to_world(world_name));
            let parts = world.parts.iter().map(|part| (Sort::Part, part.blob(), part.name.text()));
            let models = world.models.iter().map(|model| (Sort::Model, model.blob(), model.name.text()));
            let mut seen = HashMap::new();
            for (sort, blob, name) in parts.chain(models) {
                let nth = seen.entry((sort, name)).or_insert(0);
                let is_wanted = only.leads_to(world_name, (sort, name, Some(*nth)));
                *nth += 1;
                let Some(blob) = blob else { continue };
                only.blobs[blob] |= is_wanted;
                only.named[blob] = only.named[blob] || only.wants_name(name);
            }
        }
        let (names, mut seen) = (database.blob_names(), HashMap::new());
        for (blob, &name) in names.iter().enumerate() {
            let seen = seen.entry(name).or_insert(0);
            let is_it = |within: &&WorldPath| match within {
                WorldPath::Blob(wanted) => *wanted == blob,
                WorldPath::BlobNamed { name: wanted, nth } => {
                    wanted.matches(name) && nth.is_none_or(|nth| nth == *seen)
                }
                WorldPath::World { .. } | WorldPath::Globals(_) => false,
            };
            only.blobs[blob] |= only.within.iter().any(is_it);
            *seen += 1;
        }
        for blob in database.blobs() {
            let index = blob.index();
            let now = (only.wants_blob(database, index), only.blobs[index]);
            let known = only.by_name.entry((blob.kind, names[index])).or_default();
            *known = (known.0 || now.0, known.1 || now.1);
        }
        only.look_inside(world);
        only
    }

    /// Determines which blobs contain something selected, and whether the chunks do.
    fn look_inside(&mut self, World { database, contents }: World<'_, '_>) {
        let mut globals = false;
        let mut touched: Vec<_> = (0..self.blobs.len()).map(|blob| self.wants_blob(database, blob)).collect();
        let _ = outputs::contents(database, contents, (true, true), &mut |found| {
            let is_touched = found.item.blob().map_or(&mut globals, |blob| &mut touched[blob]);
            *is_touched = *is_touched || self.wants(database, found.item, found.name);
            Continue(())
        });
        (self.globals, self.touched) = (globals, touched);
    }

    /// Returns whether there are terms, but nothing is selected.
    pub(crate) fn finds_nothing(&self, database: &Database<'_>) -> bool {
        let mut worlds = database.worlds();
        let any_world = worlds.any(|world| self.wants_world(world.index, world.name.text()));
        !self.terms.is_empty() && !any_world && !self.globals && !self.touched.contains(&true)
    }

    /// Returns whether one of the path terms is it, or there are none.
    fn leads(&self, is_it: impl Fn(&WorldPath) -> bool) -> bool {
        self.within.is_empty() || self.within.iter().any(|within| is_it(within))
    }

    /// Returns whether a path term selects the whole world, or there are no path terms.
    fn leads_to_world(&self, name: &[u8]) -> bool {
        self.leads(|within| matches!(within, WorldPath::World { name: wanted, element: None } if wanted.matches(name)))
    }

    /// Returns whether a path term selects the target of a world's reference, or there are no path terms.
    fn leads_to(&self, world: &[u8], (sort, name, nth): (Sort, &[u8], Option<u32>)) -> bool {
        self.leads(|within| match within {
            WorldPath::World { name: wanted, element } => {
                wanted.matches(world) && element.as_ref().is_none_or(|element| element.is(sort, name, nth))
            }
            WorldPath::Blob(_) | WorldPath::BlobNamed { .. } | WorldPath::Globals(_) => false,
        })
    }

    /// Returns whether a path term selects a part or texture of the two chunks, or there are no path terms.
    fn leads_to_global(&self, sort: Sort, name: &[u8]) -> bool {
        self.leads(|within| match within {
            WorldPath::Globals(element) => element.as_ref().is_none_or(|element| element.is(sort, name, None)),
            WorldPath::World { .. } | WorldPath::Blob(_) | WorldPath::BlobNamed { .. } => false,
        })
    }

    pub(crate) fn wants_kind(&self, kind: Sort) -> bool {
        only::wants_kind(self.terms, kind)
    }

    fn wants_name(&self, name: &[u8]) -> bool {
        only::wants_name(self.terms, name)
    }

    /// Returns whether an item is selected, by its name.
    pub(crate) fn wants(&self, database: &Database<'_>, item: Item, name: &[u8]) -> bool {
        match item {
            Item::World(world) => self.wants_world(world, name),
            Item::Model(blob) => self.wants_blob(database, blob),
            Item::Part(_) => self.wants_in(item.blob(), Sort::Part, name),
            Item::Texture(_) => self.wants_in(item.blob(), Sort::Texture, name),
        }
    }

    pub(crate) fn wants_world(&self, world: usize, name: &[u8]) -> bool {
        self.worlds[world] && self.wants_kind(Sort::World) && self.wants_name(name)
    }

    /// Returns whether a part or texture is selected. `blob` is `None` for one of the two chunks, which belong to no world.
    fn wants_in(&self, blob: Option<usize>, sort: Sort, name: &[u8]) -> bool {
        let can_be = blob.map_or_else(|| self.leads_to_global(sort, name), |blob| self.blobs[blob]);
        can_be && self.wants_kind(sort) && self.wants_name(name)
    }

    /// Returns whether a whole blob is selected, for verbs that work on whole blobs.
    pub(crate) fn wants_blob(&self, database: &Database<'_>, blob: usize) -> bool {
        let kind = match database.blobs()[blob].kind {
            BlobKind::Parts => Sort::Part,
            BlobKind::Model => Sort::Model,
        };
        self.blobs[blob] && self.wants_kind(kind) && self.named[blob]
    }

    /// Returns whether the place of a finding is selected.
    pub(crate) fn wants_place(&self, database: &Database<'_>, place: &Place<'_>) -> bool {
        if self.terms.is_empty() {
            return true;
        }
        let mut parts = place.parts();
        let (Some(outer), inner) = (parts.next(), parts.next()) else { return false };
        let inner = inner.map_or(("", &[][..]), |part| (part.what, part.name));
        let index = outer.index.map(|index| index as usize);
        match (outer.what, index, inner) {
            // A finding about a reference of a world concerns its target.
            ("world", _, (of @ ("model reference" | "part reference"), name)) => {
                let sort = if of == "model reference" { Sort::Model } else { Sort::Part };
                self.leads_to(outer.name, (sort, name, None)) && self.wants_kind(sort) && self.wants_name(name)
            }
            ("world", Some(world), _) => self.wants_world(world, outer.name),
            ("global textures", _, (_, name)) | ("global parts", _, ("texture", name)) => {
                self.wants_in(None, Sort::Texture, name)
            }
            ("global parts", _, (_, name)) => self.wants_in(None, Sort::Part, name),
            (of @ ("part blob" | "model"), index, (what, name)) => {
                let kind = if of == "model" { BlobKind::Model } else { BlobKind::Parts };
                let (is_wanted, can_be) = match index {
                    Some(blob) if blob < self.blobs.len() => (self.wants_blob(database, blob), self.blobs[blob]),
                    _ => self.by_name.get(&(kind, outer.name)).copied().unwrap_or_default(),
                };
                let is_texture = can_be && self.wants_kind(Sort::Texture) && self.wants_name(name);
                // Of a broken texture there is what is wrong, as "pixels of texture".
                is_wanted || (is_texture && what.contains("texture"))
            }
            _ => false,
        }
    }
}

/// Says what is left out of a file that did not open whole and is wanted: what is wrong alike with several blobs in one line.
pub(crate) fn say_left_out(
    path: &Path,
    findings: &[island::Finding<'_>],
    database: &Database<'_>,
    only: &Only<'_>,
    outcome: &mut Outcome,
) {
    // Lines of one file: a broken one can be broken in many ways, and `check` has them all.
    const LINES: usize = 20;
    let is_reported = |finding: &&island::Finding<'_>| {
        finding.kind.severity() == Severity::Fatal && only.wants_place(database, &finding.place)
    };
    let mut groups: Vec<Group<'_, '_>> = Vec::new();
    let mut known = HashMap::new();
    for finding in findings.iter().filter(is_reported) {
        let key = Group::key(finding);
        let number = *known.entry(key).or_insert(groups.len());
        match groups.get_mut(number) {
            Some(group) => group.add(finding),
            None => groups.push(Group { first: finding, names: vec![name_of(finding)], count: 1 }),
        }
    }
    groups.iter().take(LINES).for_each(|group| group.say(path, outcome));
    outcome.left_out_more(path, groups.iter().skip(LINES).map(|group| (group.first, group.count as u64)));
}

/// Findings that say the same of several blobs.
struct Group<'g, 'a> {
    first: &'g island::Finding<'a>,
    /// The names of the first few.
    names: Vec<String>,
    count: usize,
}

/// What findings of a group have in common: what is broken, which field of it, and how.
type GroupKey = (&'static str, &'static str, Discriminant<FindingKind>, Option<Discriminant<ErrorKind>>);

impl Group<'_, '_> {
    const NAMED: usize = 3;

    fn key(finding: &island::Finding<'_>) -> GroupKey {
        let outer = subject(&finding.place).what;
        let how =
            if let FindingKind::Broken { kind } = &finding.kind { Some(std::mem::discriminant(kind)) } else { None };
        (outer, finding.place.part.what, std::mem::discriminant(&finding.kind), how)
    }

    fn say(&self, path: &Path, outcome: &mut Outcome) {
        let Self { first, names, count } = self;
        if *count == 1 {
            return outcome.left_out(path, first);
        }
        let island::Finding { kind, at, place, space } = first;
        let (outer, part) = (subject(place).what, place.part.what);
        let more = count - names.len();
        let more = if more > 0 { format!(", … {more} more") } else { String::new() };
        let text = format!(
            "opened only in part: {count} {outer}s ({}{more}); the first: {part} at offset {at} ({at:#x}) of the {}: {kind}",
            names.join(", "),
            space.described()
        );
        outcome.input_failed(path, &Failure::found(first, text));
    }
}

impl<'a> Group<'_, 'a> {
    fn add(&mut self, finding: &island::Finding<'a>) {
        self.count += 1;
        if self.names.len() < Self::NAMED {
            let name = name_of(finding);
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        }
    }
}

/// The part of a file that a place is about: a blob, a chunk, a world or a reference of one.
pub(crate) fn subject<'p, 'a>(place: &'p Place<'a>) -> &'p PlacePart<'a> {
    let mut parts = place.parts();
    let outer = parts.next().unwrap_or(&place.part);
    parts.next().filter(|part| part.what.ends_with("reference")).unwrap_or(outer)
}

/// What it is called: by its name, else by its number.
fn name_of(finding: &island::Finding<'_>) -> String {
    let part = subject(&finding.place);
    match (part.shown_name(), part.index) {
        ((name, cut), _) if !name.is_empty() => format!("{}{}", name.escape_ascii(), if cut { "…" } else { "" }),
        (_, Some(index)) => index.to_string(),
        _ => part.what.to_owned(),
    }
}
