//! WORLD.WDB as seen by the verbs, and the selection of `--only` in it.

use std::collections::HashMap;

use worldview::Place;
use worldview::island::{BlobKind, Content, Contents, Database, Parts, Textures};

use crate::only::{self, Sort, Term, Within};

/// A file of which as much as possible has been opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World<'p, 'a> {
    pub(crate) database: &'p Database<'a>,
    pub(crate) contents: &'p Contents<'a>,
}

/// The selection in one file: terms of the same kind are ORed, terms of different kinds ANDed.
#[derive(Debug)]
pub(crate) struct Only<'o> {
    terms: &'o [Term],
    /// For each blob and world, whether a selected world uses it or a path leads to it. If there are neither world nor
    /// path terms, all are true.
    blobs: Vec<bool>,
    worlds: Vec<bool>,
    /// The path terms.
    within: Vec<&'o Within>,
    /// The name given to each blob by the first reference.
    names: Vec<&'o [u8]>,
    /// Whether any name of each blob is selected.
    named: Vec<bool>,
    /// Whether each blob, or anything in it, is selected.
    touched: Vec<bool>,
    /// Whether anything in the two chunks is selected.
    globals: bool,
}

impl<'o> Only<'o> {
    pub(crate) fn new(terms: &'o [Term], world: World<'_, 'o>) -> Self {
        let database = world.database;
        let within: Vec<_> =
            terms.iter().filter_map(|term| if let Term::Path(within) = term { Some(within) } else { None }).collect();
        let mut only = Self {
            terms,
            blobs: vec![within.is_empty(); database.blobs().len()],
            worlds: Vec::new(),
            names: vec![&[]; database.blobs().len()],
            named: vec![false; database.blobs().len()],
            touched: Vec::new(),
            globals: false,
            within,
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
                if only.names[blob].is_empty() {
                    only.names[blob] = name;
                }
            }
        }
        for blob in 0..database.blobs().len() {
            only.blobs[blob] |=
                only.within.iter().any(|within| matches!(within, Within::Blob(wanted) if *wanted == blob));
        }
        only.look_inside(world);
        only
    }

    /// Determines which blobs contain something selected, and whether the chunks do.
    fn look_inside(&mut self, opened: World<'_, '_>) {
        let textures =
            |blob, list: Textures<'_>| list.iter().any(|texture| self.wants_texture(blob, texture.real_name()));
        let parts = |blob, list: &Parts<'_>| {
            list.iter().any(|part| self.wants_part(blob, part.name.text())) || textures(blob, list.textures)
        };
        let contents = opened.contents;
        let in_textures = contents.textures.is_ok_and(|list| textures(None, list));
        let globals = in_textures || contents.parts.is_ok_and(|list| parts(None, &list));
        let blobs = contents.blobs.iter().enumerate().map(|(blob, content)| {
            self.wants_blob(opened.database, blob)
                || match content {
                    Ok(Content::Parts(list)) => parts(Some(blob), list),
                    Ok(Content::Model(model)) => textures(Some(blob), model.textures),
                    Err(_) => false,
                }
        });
        let touched = blobs.collect();
        (self.globals, self.touched) = (globals, touched);
    }

    /// Returns whether a blob, or anything in it, is selected.
    pub(crate) fn touches(&self, blob: usize) -> bool {
        self.touched[blob]
    }

    /// Returns whether anything in the chunks of global textures and parts is selected.
    pub(crate) fn touches_globals(&self) -> bool {
        self.globals
    }

    /// Returns whether there are terms, but nothing is selected.
    pub(crate) fn finds_nothing(&self, database: &Database<'_>) -> bool {
        let mut worlds = database.worlds();
        let any_world = worlds.any(|world| self.wants_world(world.index, world.name.text()));
        !self.is_all() && !any_world && !self.globals && !self.touched.contains(&true)
    }

    /// Returns whether everything is selected.
    pub(crate) fn is_all(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns whether a path term selects the whole world, or there are no path terms.
    fn leads_to_world(&self, name: &[u8]) -> bool {
        let is_it =
            |within: &Within| matches!(within, Within::World { name: wanted, element: None } if wanted.matches(name));
        self.within.is_empty() || self.within.iter().any(|within| is_it(within))
    }

    /// Returns whether a path term selects the target of a world's reference, or there are no path terms.
    fn leads_to(&self, world: &[u8], (sort, name, nth): (Sort, &[u8], Option<u32>)) -> bool {
        let is_it = |within: &Within| match within {
            Within::World { name: wanted, element } => {
                wanted.matches(world) && element.as_ref().is_none_or(|element| element.is(sort, name, nth))
            }
            Within::Blob(_) | Within::Globals(_) => false,
        };
        self.within.is_empty() || self.within.iter().any(|within| is_it(within))
    }

    /// Returns whether a path term selects a part or texture of the two chunks, or there are no path terms.
    fn leads_to_global(&self, sort: Sort, name: &[u8]) -> bool {
        let is_it = |within: &Within| match within {
            Within::Globals(element) => element.as_ref().is_none_or(|element| element.is(sort, name, None)),
            Within::World { .. } | Within::Blob(_) => false,
        };
        self.within.is_empty() || self.within.iter().any(|within| is_it(within))
    }

    pub(crate) fn wants_kind(&self, kind: Sort) -> bool {
        only::wants_kind(self.terms, kind)
    }

    fn wants_name(&self, name: &[u8]) -> bool {
        only::wants_name(self.terms, name)
    }

    pub(crate) fn wants_world(&self, world: usize, name: &[u8]) -> bool {
        self.worlds[world] && self.wants_kind(Sort::World) && self.wants_name(name)
    }

    /// Returns whether a part is selected. `blob` is `None` for a global part, which belongs to no world.
    pub(crate) fn wants_part(&self, blob: Option<usize>, name: &[u8]) -> bool {
        self.is_of_wanted(blob, Sort::Part, name) && self.wants_kind(Sort::Part) && self.wants_name(name)
    }

    /// Returns whether a texture is selected. `blob` is `None` for a texture of the two chunks.
    pub(crate) fn wants_texture(&self, blob: Option<usize>, name: &[u8]) -> bool {
        self.is_of_wanted(blob, Sort::Texture, name) && self.wants_kind(Sort::Texture) && self.wants_name(name)
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
        if self.is_all() {
            return true;
        }
        let mut parts = place.parts();
        let (Some(outer), inner) = (parts.next(), parts.next()) else { return false };
        let inner = inner.map_or(("", &[][..]), |part| (part.what, part.name));
        let index = outer.index.map(|index| index as usize);
        match (outer.what, index, inner) {
            // A finding about a reference of a world concerns its target.
            ("world", _, ("model reference", name)) => {
                self.leads_to(outer.name, (Sort::Model, name, None))
                    && self.wants_kind(Sort::Model)
                    && self.wants_name(name)
            }
            ("world", _, ("part reference", name)) => {
                self.leads_to(outer.name, (Sort::Part, name, None))
                    && self.wants_kind(Sort::Part)
                    && self.wants_name(name)
            }
            ("world", Some(world), _) => self.wants_world(world, outer.name),
            ("global textures", _, (_, name)) | ("global parts", _, ("texture", name)) => {
                self.wants_texture(None, name)
            }
            ("global parts", _, (_, name)) => self.wants_part(None, name),
            (_, Some(blob), (what, name)) if blob < self.blobs.len() => {
                self.wants_blob(database, blob) || (what == "texture" && self.wants_texture(Some(blob), name))
            }
            _ => false,
        }
    }

    fn is_of_wanted(&self, blob: Option<usize>, sort: Sort, name: &[u8]) -> bool {
        blob.map_or_else(|| self.leads_to_global(sort, name), |blob| self.blobs[blob])
    }

    /// Returns the name given to a blob by the first reference.
    pub(crate) fn name_of(&self, blob: usize) -> &'o [u8] {
        self.names[blob]
    }
}
