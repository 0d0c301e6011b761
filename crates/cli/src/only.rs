//! `--only`: which worlds, models, parts and textures of WORLD.WDB a verb is about.

use std::str::FromStr;

use worldview::island::{BlobKind, Database};
use worldview::{Part, Place};

/// What a part of WORLD.WDB is, for `kind=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
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
                "world" => Ok(Self::Kind(Sort::World)),
                "model" => Ok(Self::Kind(Sort::Model)),
                "part" => Ok(Self::Kind(Sort::Part)),
                "texture" => Ok(Self::Kind(Sort::Texture)),
                _ => Err("the kinds are world, model, part and texture".into()),
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

/// What is wanted of one file: of several words of one kind any, of different kinds all.
#[derive(Debug)]
pub(crate) struct Only<'o> {
    terms: &'o [Term],
    /// For each blob and world, whether a world that is wanted uses it; all are wanted where no world is named.
    blobs: Vec<bool>,
    worlds: Vec<bool>,
    /// Names of each blob.
    names: Vec<Vec<&'o [u8]>>,
}

impl<'o> Only<'o> {
    pub(crate) fn new(terms: &'o [Term], database: &Database<'o>) -> Self {
        let wanted: Vec<_> =
            terms.iter().filter_map(|term| if let Term::World(name) = term { Some(name) } else { None }).collect();
        let mut only = Self {
            terms,
            blobs: vec![wanted.is_empty(); database.blobs().len()],
            worlds: Vec::new(),
            names: vec![Vec::new(); database.blobs().len()],
        };
        for world in database.worlds() {
            let is_wanted = wanted.is_empty() || wanted.iter().any(|name| name.matches(world.name.text()));
            only.worlds.push(is_wanted);
            let parts = world.parts.iter().map(|part| (part.blob(), part.name.text()));
            let models = world.models.iter().map(|model| (model.blob(), model.name.text()));
            for (blob, name) in parts.chain(models).filter_map(|(blob, name)| Some((blob?, name))) {
                only.blobs[blob] |= is_wanted;
                // The same name mostly comes again and again.
                if only.names[blob].last() != Some(&name) {
                    only.names[blob].push(name);
                }
            }
        }
        only
    }

    /// Whether nothing is left out.
    pub(crate) fn is_all(&self) -> bool {
        self.terms.is_empty()
    }

    fn names_a_world(&self) -> bool {
        self.terms.iter().any(|term| matches!(term, Term::World(_)))
    }

    pub(crate) fn wants_kind(&self, kind: Sort) -> bool {
        let mut kinds =
            self.terms.iter().filter_map(|term| if let Term::Kind(kind) = term { Some(*kind) } else { None });
        let mut any = false;
        kinds.any(|wanted| {
            any = true;
            wanted == kind
        }) || !any
    }

    fn wants_name(&self, name: &[u8]) -> bool {
        let mut any = false;
        let mut names =
            self.terms.iter().filter_map(|term| if let Term::Name(name) = term { Some(name) } else { None });
        names.any(|wanted| {
            any = true;
            wanted.matches(name)
        }) || !any
    }

    pub(crate) fn wants_world(&self, world: usize, name: &[u8]) -> bool {
        self.worlds[world] && self.wants_kind(Sort::World) && self.wants_name(name)
    }

    /// Whether a blob of a model is wanted, by any name that a reference gives it.
    pub(crate) fn wants_model(&self, blob: usize) -> bool {
        self.blobs[blob] && self.wants_kind(Sort::Model) && self.names[blob].iter().any(|name| self.wants_name(name))
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
        self.blobs[blob] && self.wants_kind(kind) && self.names[blob].iter().any(|name| self.wants_name(name))
    }

    /// Whether what is found there is about something wanted.
    pub(crate) fn wants_place(&self, database: &Database<'_>, place: &Place<'_>) -> bool {
        if self.is_all() {
            return true;
        }
        let mut parts = place.parts();
        let (outer, inner) = (parts.next(), parts.next());
        let name = inner.map_or(&[][..], |part| part.name);
        let index = |part: &Part<'_>| part.index.map(|index| index as usize);
        match outer.map(|part| (part.what, index(part), part.name)) {
            Some(("world", Some(world), name)) => self.wants_world(world, name),
            Some(("global parts", ..)) => self.wants_part(None, name),
            Some(("global textures", ..)) => self.wants_texture(None, name),
            Some((_, Some(blob), _)) if blob < self.blobs.len() => self.wants_blob(database, blob),
            _ => false,
        }
    }

    fn is_of_wanted(&self, blob: Option<usize>) -> bool {
        blob.map_or_else(|| !self.names_a_world(), |blob| self.blobs[blob])
    }

    /// The names that references give a blob.
    pub(crate) fn name_of(&self, blob: usize) -> &'o [u8] {
        self.names[blob].first().copied().unwrap_or_default()
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
