//! `--only`: which files and members, and which worlds, models, parts and textures of WORLD.WDB, a verb is about.

use std::str::FromStr;

use worldview::Place;

use crate::databases::Opened;
use worldview::island::{BlobKind, Content, Database, Parts, Textures};

/// What a file or a part of one is, for `kind=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Level,
    Table,
    Archive,
    World,
    Model,
    Part,
    Texture,
}

/// One word of `--only`.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    World(Pattern),
    Kind(Sort),
    Name(Pattern),
}

/// A name in which `*` stands for any letters and `?` for one; the case of ASCII letters does not matter.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Vec<u8>);

impl FromStr for Term {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pattern = |text: &str| Pattern(text.as_bytes().to_vec());
        match text.split_once('=') {
            Some(("world", name)) => Ok(Self::World(pattern(name))),
            Some(("name", name)) => Ok(Self::Name(pattern(name))),
            Some(("kind", kind)) => match kind.strip_suffix('s').unwrap_or(kind) {
                "level" => Ok(Self::Kind(Sort::Level)),
                "table" => Ok(Self::Kind(Sort::Table)),
                "archive" => Ok(Self::Kind(Sort::Archive)),
                "world" => Ok(Self::Kind(Sort::World)),
                "model" => Ok(Self::Kind(Sort::Model)),
                "part" => Ok(Self::Kind(Sort::Part)),
                "texture" => Ok(Self::Kind(Sort::Texture)),
                _ => Err("the kinds are level, table, archive, world, model, part and texture".into()),
            },
            Some(_) => Err("expected world=NAME, kind=KIND, name=NAME or a name".into()),
            None => Ok(Self::Name(pattern(text))),
        }
    }
}

impl Pattern {
    pub(crate) fn matches(&self, name: &[u8]) -> bool {
        // Goes back to the last `*` only, which is enough: the ones before it have matched as little as they can.
        let (mut at, mut from) = (0, 0);
        let mut last: Option<(usize, usize)> = None;
        while at < name.len() {
            match self.0.get(from) {
                Some(b'*') => {
                    last = Some((from, at));
                    from += 1;
                }
                Some(wanted) if *wanted == b'?' || wanted.eq_ignore_ascii_case(&name[at]) => {
                    (at, from) = (at + 1, from + 1);
                }
                _ => match &mut last {
                    Some((star, start)) => {
                        *start += 1;
                        (at, from) = (*start, *star + 1);
                    }
                    None => return false,
                },
            }
        }
        self.0[from..].iter().all(|&byte| byte == b'*')
    }
}

/// Whether a file or a member of an archive is wanted, by its kind and its name. What is said of a world is said of
/// WORLD.WDB alone.
pub(crate) fn wants(terms: &[Term], kind: Sort, name: &[u8]) -> bool {
    let is_of_world = terms.iter().any(|term| matches!(term, Term::World(_)));
    !is_of_world && wants_kind(terms, kind) && wants_name(terms, name)
}

/// Whether anything in WORLD.WDB can be wanted.
pub(crate) fn wants_databases(terms: &[Term]) -> bool {
    let kinds = [Sort::World, Sort::Model, Sort::Part, Sort::Texture];
    kinds.into_iter().any(|kind| wants_kind(terms, kind))
}

fn wants_kind(terms: &[Term], kind: Sort) -> bool {
    let mut kinds = terms.iter().filter_map(|term| if let Term::Kind(kind) = term { Some(*kind) } else { None });
    let mut any = false;
    kinds.any(|wanted| {
        any = true;
        wanted == kind
    }) || !any
}

/// Whether a name is one of those that are named, if any are.
pub(crate) fn wants_name(terms: &[Term], name: &[u8]) -> bool {
    let mut any = false;
    let mut names = terms.iter().filter_map(|term| if let Term::Name(name) = term { Some(name) } else { None });
    names.any(|wanted| {
        any = true;
        wanted.matches(name)
    }) || !any
}

/// What is wanted of one file: of several words of one kind any, of different kinds all.
#[derive(Debug)]
pub(crate) struct Only<'o> {
    terms: &'o [Term],
    /// For each blob and world, whether a world that is wanted uses it; all are wanted where no world is named.
    blobs: Vec<bool>,
    worlds: Vec<bool>,
    /// The name that the first reference gives each blob.
    names: Vec<&'o [u8]>,
    /// Whether any name of a blob is wanted.
    named: Vec<bool>,
    /// Whether a blob is wanted, or anything in it.
    touched: Vec<bool>,
    /// Whether anything in the two chunks is wanted.
    globals: bool,
}

impl<'o> Only<'o> {
    pub(crate) fn new(terms: &'o [Term], opened: &Opened<'_, 'o>) -> Self {
        let database = opened.database;
        let wanted: Vec<_> =
            terms.iter().filter_map(|term| if let Term::World(name) = term { Some(name) } else { None }).collect();
        let mut only = Self {
            terms,
            blobs: vec![wanted.is_empty(); database.blobs().len()],
            worlds: Vec::new(),
            names: vec![&[]; database.blobs().len()],
            named: vec![false; database.blobs().len()],
            touched: Vec::new(),
            globals: false,
        };
        for world in database.worlds() {
            let is_wanted = wanted.is_empty() || wanted.iter().any(|name| name.matches(world.name.text()));
            only.worlds.push(is_wanted);
            let parts = world.parts.iter().map(|part| (part.blob(), part.name.text()));
            let models = world.models.iter().map(|model| (model.blob(), model.name.text()));
            for (blob, name) in parts.chain(models).filter_map(|(blob, name)| Some((blob?, name))) {
                only.blobs[blob] |= is_wanted;
                only.named[blob] = only.named[blob] || only.wants_name(name);
                if only.names[blob].is_empty() {
                    only.names[blob] = name;
                }
            }
        }
        only.look_inside(opened);
        only
    }

    /// Finds out which blobs have something wanted, and whether the chunks do.
    fn look_inside(&mut self, opened: &Opened<'_, '_>) {
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

    /// Whether a blob is wanted, or anything in it.
    pub(crate) fn touches(&self, blob: usize) -> bool {
        self.touched[blob]
    }

    /// Whether anything in the chunks of the global textures and parts is wanted.
    pub(crate) fn touches_globals(&self) -> bool {
        self.globals
    }

    /// Whether there is nothing that is wanted, though something is asked for.
    pub(crate) fn finds_nothing(&self, database: &Database<'_>) -> bool {
        let mut worlds = database.worlds();
        let any_world = worlds.any(|world| self.wants_world(world.index, world.name.text()));
        !self.is_all() && !any_world && !self.globals && !self.touched.contains(&true)
    }

    /// Whether nothing is left out.
    pub(crate) fn is_all(&self) -> bool {
        self.terms.is_empty()
    }

    fn names_a_world(&self) -> bool {
        self.terms.iter().any(|term| matches!(term, Term::World(_)))
    }

    pub(crate) fn wants_kind(&self, kind: Sort) -> bool {
        wants_kind(self.terms, kind)
    }

    fn wants_name(&self, name: &[u8]) -> bool {
        wants_name(self.terms, name)
    }

    pub(crate) fn wants_world(&self, world: usize, name: &[u8]) -> bool {
        self.worlds[world] && self.wants_kind(Sort::World) && self.wants_name(name)
    }

    /// Whether a part is wanted; `blob` is `None` for a global one, which is no world's own.
    pub(crate) fn wants_part(&self, blob: Option<usize>, name: &[u8]) -> bool {
        self.is_of_wanted(blob) && self.wants_kind(Sort::Part) && self.wants_name(name)
    }

    /// Whether a texture is wanted; `blob` is `None` for one of the two chunks.
    pub(crate) fn wants_texture(&self, blob: Option<usize>, name: &[u8]) -> bool {
        self.is_of_wanted(blob) && self.wants_kind(Sort::Texture) && self.wants_name(name)
    }

    /// Whether a whole blob is wanted, for the verbs that look at no less.
    pub(crate) fn wants_blob(&self, database: &Database<'_>, blob: usize) -> bool {
        let kind = match database.blobs()[blob].kind {
            BlobKind::Parts => Sort::Part,
            BlobKind::Model => Sort::Model,
        };
        self.blobs[blob] && self.wants_kind(kind) && self.named[blob]
    }

    /// Whether what is found there is about something wanted.
    pub(crate) fn wants_place(&self, database: &Database<'_>, place: &Place<'_>) -> bool {
        if self.is_all() {
            return true;
        }
        let mut parts = place.parts();
        let (Some(outer), inner) = (parts.next(), parts.next()) else { return false };
        let inner = inner.map_or(("", &[][..]), |part| (part.what, part.name));
        let index = outer.index.map(|index| index as usize);
        match (outer.what, index, inner) {
            // Of a world's references, what is found about them is about what they refer to.
            ("world", Some(world), ("model reference", name)) => {
                self.worlds[world] && self.wants_kind(Sort::Model) && self.wants_name(name)
            }
            ("world", Some(world), ("part reference", name)) => {
                self.worlds[world] && self.wants_kind(Sort::Part) && self.wants_name(name)
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

    fn is_of_wanted(&self, blob: Option<usize>) -> bool {
        blob.map_or_else(|| !self.names_a_world(), |blob| self.blobs[blob])
    }

    /// The name that the first reference gives a blob.
    pub(crate) fn name_of(&self, blob: usize) -> &'o [u8] {
        self.names[blob]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell_and_whatever_the_case() {
        for (pattern, name, expected) in [
            ("isle", "ISLE", true),
            ("isle", "isle_hi", false),
            ("isle*", "isle_hi", true),
            ("*hi", "isle_hi", true),
            ("*s*e*", "isle", true),
            ("*x*", "isle", false),
            ("i?le", "isle", true),
            ("?", "", false),
            ("*", "", true),
            ("a*ab", "aaab", true),
        ] {
            assert_eq!(Pattern(pattern.into()).matches(name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn words_that_mean_nothing_are_refused() {
        assert!("kind=boat".parse::<Term>().is_err());
        assert!("size=3".parse::<Term>().is_err());
        assert!(matches!("kind=models".parse(), Ok(Term::Kind(Sort::Model))));
        assert!(matches!("world=ACT1".parse(), Ok(Term::World(_))));
    }
}
