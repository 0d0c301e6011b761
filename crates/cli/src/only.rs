//! `--only`: which files and members, worlds, models, parts and textures a verb is about.

use std::str::FromStr;

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

pub(crate) fn wants_kind(terms: &[Term], kind: Sort) -> bool {
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
