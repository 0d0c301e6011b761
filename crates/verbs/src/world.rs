//! WORLD.WDB, and what `--only` and paths select in it.

use std::collections::HashMap;
use std::mem::Discriminant;
use std::ops::ControlFlow::Continue;
use std::path::Path;

use worldview::island::{self, BlobKind, Contents, Database, FindingKind};
use worldview::{ErrorKind, FindingCode as _, Place, PlacePart, Segment, Severity};
use worldview_export::outputs::{self, Item};
use worldview_inspect::Selection;

use crate::only::{self, Sort, Term};
use crate::outcome::Outcome;
use crate::report::Failure;

/// A WORLD.WDB: its directory, and the contents of its chunks and blobs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World<'v, 'a> {
    pub(crate) database: &'v Database<'a>,
    pub(crate) contents: &'v Contents<'a>,
}

/// What the terms of `--only` and paths select in a file. Terms of the same kind are ORed; terms of different kinds and paths are ANDed.
#[derive(Debug, Default)]
pub(crate) struct Only<'o> {
    terms: &'o [Term],
    /// Whether each blob is used by a selected world, or a path leads to it. Without paths, all are true; so are the worlds.
    blobs: Vec<bool>,
    worlds: Vec<bool>,
    /// What the path selects; `None` if that is everything.
    path: Option<Selection<'o>>,
    /// Whether the path leads into a model or part.
    pub(crate) is_deep: bool,
    /// The first blob that the path enters through a reference.
    pub(crate) entered: Option<usize>,
    /// Whether one of the names of each blob is selected.
    named: Vec<bool>,
    /// Whether each blob, or anything in it, is selected.
    pub(crate) touched: Vec<bool>,
    /// Whether anything in the two chunks with global textures and parts is selected.
    pub(crate) globals: bool,
    /// Whether one of the blobs of a kind and name is selected, and whether anything in them can be.
    by_name: HashMap<(BlobKind, &'o [u8]), (bool, bool)>,
}

impl<'o> Only<'o> {
    pub(crate) fn new(terms: &'o [Term], selected: &Selection<'o>, world: World<'_, 'o>) -> Self {
        let database = world.database;
        let path = (!selected.is_all()).then(|| selected.clone());
        let mut only = Self {
            terms,
            blobs: vec![path.is_none(); database.blobs().len()],
            named: vec![false; database.blobs().len()],
            path,
            ..Self::default()
        };
        let mut seen_worlds = HashMap::new();
        for world in database.worlds() {
            let inside = only.step(Some("world"), world.name.text(), &mut seen_worlds);
            only.worlds.push(inside.as_ref().is_none_or(Selection::is_all));
            let inside = inside.filter(|inside| !inside.is_all());
            let parts = world.parts.iter().map(|part| ("part", part.blob(), part.name.text()));
            let models = world.models.iter().map(|model| ("model", model.blob(), model.name.text()));
            let mut seen = HashMap::new();
            for (kind, blob, name) in parts.chain(models) {
                let nth = seen.entry((kind, name)).or_insert(0);
                let segment = Segment { kind: Some(kind), key: name.into(), nth: Some(*nth) };
                *nth += 1;
                let selected = inside.as_ref().map(|inside| inside.step(&segment, &mut |_| false));
                let is_wanted = selected.as_ref().map_or(only.worlds[world.index], |selected| !selected.is_none());
                let deep = selected.filter(|selected| !selected.is_none() && !selected.is_all());
                only.is_deep |= deep.is_some();
                let Some(blob) = blob else { continue };
                let target = Segment { kind: None, key: b"blob".into(), nth: None };
                let target = deep.map(|deep| deep.step(&target, &mut |_| false));
                let is_entered = target.is_some_and(|target| !target.is_none() && !target.is_all());
                only.entered = only.entered.or(is_entered.then_some(blob));
                only.blobs[blob] |= is_wanted;
                only.named[blob] = only.named[blob] || only.wants_name(name);
            }
        }
        let (names, mut seen) = (database.blob_names(), HashMap::new());
        for (blob, &name) in names.iter().enumerate() {
            // A path names a blob as its first reference does, or by its number.
            let by_number = Segment { kind: None, key: b"blob".into(), nth: u32::try_from(blob).ok() };
            let by_number = only.path.as_ref().map(|path| path.step(&by_number, &mut |_| false));
            for inside in [only.step(Some("blob"), name, &mut seen), by_number].into_iter().flatten() {
                only.blobs[blob] |= !inside.is_none();
                only.is_deep |= !inside.is_none() && !inside.is_all();
            }
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

    /// Determines which blobs contain something that is selected, and whether the chunks do.
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

    /// Returns the paths of what is selected, unless everything is.
    pub(crate) fn parts(&self, database: &Database<'_>) -> Vec<String> {
        let (names, mut worlds) = (database.blob_names(), Vec::new());
        worlds.extend(database.worlds().map(|world| self.wants_world(world.index, world.name.text())));
        let is_whole = self.globals && worlds.iter().chain(&self.touched).all(|is_selected| *is_selected);
        if is_whole || self.terms.is_empty() && self.path.is_none() {
            return Vec::new();
        }
        let selected = |kind, name: &[u8]| worldview::Path::new().with(|path| path.push(kind, name, None)).to_string();
        let worlds = database.worlds().zip(&worlds).filter(|(_, is_selected)| **is_selected);
        let blobs = names.iter().zip(&self.touched).filter(|(_, is_selected)| **is_selected);
        let blobs = blobs.map(|(name, _)| selected("blob", name));
        let globals = self.globals.then(|| ["global_textures", "global_parts"].map(str::to_owned));
        let worlds = worlds.map(|(world, _)| selected("world", world.name.text()));
        worlds.chain(blobs).chain(globals.into_iter().flatten()).collect()
    }

    /// Returns whether there are terms or a path that select nothing.
    pub(crate) fn finds_nothing(&self, database: &Database<'_>) -> bool {
        let mut worlds = database.worlds();
        let any_world = worlds.any(|world| self.wants_world(world.index, world.name.text()));
        let is_whole = self.terms.is_empty() && self.path.is_none();
        !is_whole && !any_world && !self.globals && !self.touched.contains(&true)
    }

    /// Returns what the path selects inside an element, or `None` if it selects everything.
    fn step<'n>(&self, kind: Option<&str>, name: &'n [u8], seen: &mut HashMap<&'n [u8], u32>) -> Option<Selection<'o>> {
        let nth = seen.entry(name).or_insert(0);
        let segment = Segment { kind, key: name.into(), nth: Some(*nth) };
        *nth += 1;
        self.path.as_ref().map(|path| path.step(&segment, &mut |_| false))
    }

    /// Returns whether the path selects a global part or texture.
    fn leads_to_global(&self, sort: Sort, name: &[u8]) -> bool {
        let Some(path) = &self.path else { return true };
        let step = |of: &Selection<'o>, kind, key: &[u8]| {
            of.step(&Segment { kind, key: key.into(), nth: None }, &mut |_| false)
        };
        let kind = if sort == Sort::Texture { "texture" } else { "part" };
        ["global_textures", "global_parts"].into_iter().any(|chunk| {
            let chunk = step(path, None, chunk.as_bytes());
            chunk.is_all() || !chunk.is_none() && !step(&chunk, Some(kind), name).is_none()
        })
    }

    /// Returns whether the path selects a reference of a world.
    fn leads_to(&self, world: &[u8], kind: &str, name: &[u8]) -> bool {
        let Some(inside) = self.step(Some("world"), world, &mut HashMap::new()) else { return true };
        let segment = Segment { kind: Some(kind), key: name.into(), nth: None };
        inside.is_all() || !inside.step(&segment, &mut |_| false).is_none()
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

    /// Returns whether a part or texture is selected. `blob` is `None` for global ones, which belong to no world.
    fn wants_in(&self, blob: Option<usize>, sort: Sort, name: &[u8]) -> bool {
        let can_be = blob.map_or_else(|| self.leads_to_global(sort, name), |blob| self.blobs[blob]);
        can_be && self.wants_kind(sort) && self.wants_name(name)
    }

    /// Returns whether a blob is selected as a whole.
    pub(crate) fn wants_blob(&self, database: &Database<'_>, blob: usize) -> bool {
        self.blobs[blob] && self.wants_kind(sort(database.blobs()[blob].kind)) && self.named[blob]
    }

    /// Returns whether the place of a finding is selected.
    pub(crate) fn wants_place(&self, database: &Database<'_>, place: &Place<'_>) -> bool {
        if self.terms.is_empty() && self.path.is_none() {
            return true;
        }
        let mut parts = place.parts();
        let (Some(outer), inner) = (parts.next(), parts.next()) else { return false };
        let inner = inner.map_or(("", &[][..]), |part| (part.what, part.name));
        let index = outer.index.map(|index| index as usize);
        match (outer.what, index, inner) {
            // A finding about a reference of a world concerns its target.
            ("world", _, (of @ ("model reference" | "part reference"), name)) => {
                let kind = of.split(' ').next().unwrap_or_default();
                self.leads_to(outer.name, kind, name) && self.wants_kind(sort(blob_kind(of))) && self.wants_name(name)
            }
            ("world", Some(world), _) => self.wants_world(world, outer.name),
            ("global textures", _, (_, name)) | ("global parts", _, ("texture", name)) => {
                self.wants_in(None, Sort::Texture, name)
            }
            ("global parts", _, (_, name)) => self.wants_in(None, Sort::Part, name),
            (of @ ("part blob" | "model"), index, (what, name)) => {
                let (is_wanted, can_be) = match index {
                    Some(blob) if blob < self.blobs.len() => (self.wants_blob(database, blob), self.blobs[blob]),
                    _ => self.by_name.get(&(blob_kind(of), outer.name)).copied().unwrap_or_default(),
                };
                let is_texture = can_be && self.wants_kind(Sort::Texture) && self.wants_name(name);
                // The part of a broken texture says what is wrong, such as "pixels of texture".
                is_wanted || (is_texture && what.contains("texture"))
            }
            _ => false,
        }
    }
}

/// Returns the kind of blob that a part of a place is, or refers to.
fn blob_kind(what: &str) -> BlobKind {
    if what.starts_with("model") { BlobKind::Model } else { BlobKind::Parts }
}

/// Returns what `--only` calls a kind of blob.
const fn sort(kind: BlobKind) -> Sort {
    match kind {
        BlobKind::Parts => Sort::Part,
        BlobKind::Model => Sort::Model,
    }
}

/// Reports what is selected in a file but could not be opened. Blobs that are broken in the same way share a line.
pub(crate) fn say_left_out(
    path: &Path,
    findings: &[island::Finding<'_>],
    database: &Database<'_>,
    only: &Only<'_>,
    outcome: &mut Outcome,
) {
    // Maximum number of lines per file; `check` reports everything.
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

/// Findings of the same kind about several blobs.
struct Group<'g, 'a> {
    first: &'g island::Finding<'a>,
    /// The first few names.
    names: Vec<String>,
    count: usize,
}

/// What the findings of a group have in common: the kind of part, its broken field, and the kind of error.
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

/// Returns the part that a place is about: a blob, a chunk, a world, or a reference in a world.
pub(crate) fn subject<'p, 'a>(place: &'p Place<'a>) -> &'p PlacePart<'a> {
    let mut parts = place.parts();
    let outer = parts.next().unwrap_or(&place.part);
    parts.next().filter(|part| part.what.ends_with("reference")).unwrap_or(outer)
}

/// Returns the name of the part that a finding is about, or else its number.
fn name_of(finding: &island::Finding<'_>) -> String {
    let part = subject(&finding.place);
    match (part.shown_name(), part.index) {
        ((name, cut), _) if !name.is_empty() => format!("{}{}", name.escape_ascii(), if cut { "…" } else { "" }),
        (_, Some(index)) => index.to_string(),
        _ => part.what.to_owned(),
    }
}
