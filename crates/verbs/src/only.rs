//! `--only`: the files, members, worlds, models, parts and textures that a verb applies to.

use std::str::FromStr;

use worldview::{Format, Kind, Path, PathError, split_at_unescaped};
use worldview_import::nearest;

/// The kind of a file or part, for `kind=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A level.
    Level,
    /// A table.
    Table,
    /// An archive.
    Archive,
    /// A world of WORLD.WDB.
    World,
    /// A model of WORLD.WDB.
    Model,
    /// A part of WORLD.WDB.
    Part,
    /// A texture.
    Texture,
    /// A picture.
    Picture,
}

/// A term of `--only`.
#[derive(Clone, Debug)]
pub enum Term {
    /// `kind=KIND`.
    Kind(Sort),
    /// A name, `name=NAME`, or the path of a file in a REZ archive.
    Name(Pattern),
    /// A path in WORLD.WDB, or `world=NAME`.
    Path(WorldPath),
}

/// A path in WORLD.WDB, down to the parts that a verb can select. A deeper path selects the part that contains its
/// target.
#[derive(Clone, Debug)]
pub enum WorldPath {
    /// `world:NAME`, optionally with `model:NAME` or `part:NAME` in it.
    World {
        /// The name of the world.
        name: Pattern,
        /// What is selected in the world; all of it if missing.
        element: Option<Element>,
    },
    /// `blob#N`.
    Blob(usize),
    /// `blob:NAME`, where the name is the one that the first reference gives the blob.
    BlobNamed {
        /// The name.
        name: Pattern,
        /// The number among the blobs with this name; all of them if missing.
        nth: Option<u32>,
    },
    /// `global_parts` or `global_textures`, optionally with `part:NAME` or `texture:NAME` in it.
    Globals(Option<Element>),
}

/// An element of a list: all elements with the name, or only the one with this number.
#[derive(Clone, Debug)]
pub struct Element {
    sort: Sort,
    name: Pattern,
    nth: Option<u32>,
}

/// A name in which `*` matches any characters and `?` matches exactly one. ASCII case is ignored.
#[derive(Clone, Debug)]
pub struct Pattern(Vec<Atom>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atom {
    Any,
    One,
    Byte(u8),
}

impl FromStr for Term {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = split_at_unescaped(text, '=');
        match (key, value) {
            ("world", Some(name)) => Ok(Self::Path(WorldPath::World { name: Pattern::plain(name), element: None })),
            ("name", Some(name)) => Ok(Self::Name(Pattern::plain(name))),
            ("kind", Some(kind)) => Sort::named(kind)
                .map(Self::Kind)
                .ok_or_else(|| "the kinds are level, table, archive, picture, world, model, part and texture".into()),
            (_, Some(_)) => Err("expected world=NAME, kind=KIND, name=NAME, a name or a path".into()),
            (_, None) => Self::from_path(text),
        }
    }
}

impl Term {
    fn from_path(text: &str) -> Result<Self, String> {
        let path: Path = text.parse().map_err(|error: PathError| error.to_string())?;
        let mut segments = path.segments();
        let Some(first) = segments.next() else { return Err("expected a name or a path".into()) };
        let (outer, inner) = split_at_unescaped(text, '/');
        let refused = || {
            Err("paths that can be picked begin with world:NAME, world:NAME/model:NAME, world:NAME/part:NAME, blob:NAME, blob#N, \
                 global_parts/part:NAME or global_textures/texture:NAME; those of files in REZ archives are names separated by /"
                .into())
        };
        let element = match (segments.next(), inner) {
            (Some(second), Some(inner)) => {
                let (inner, _) = split_at_unescaped(inner, '/');
                let sort = second.kind.and_then(Sort::named);
                sort.map(|sort| Pattern::of_key(inner).map(|name| Element { sort, name, nth: second.nth }))
                    .transpose()?
            }
            _ => None,
        };
        let is_deep = inner.is_some();
        let is_plain = || path.segments().all(|segment| segment.kind.is_none() && segment.nth.is_none());
        let within = match (first.kind, &*first.key, first.nth) {
            (Some("world"), _, None) => WorldPath::World { name: Pattern::of_key(outer)?, element },
            (None, b"blob", Some(blob)) => WorldPath::Blob(blob as usize),
            (Some("blob"), _, nth) => WorldPath::BlobNamed { name: Pattern::of_key(outer)?, nth },
            (None, b"global_parts" | b"global_textures", None) if is_deep => WorldPath::Globals(element),
            (None, _, None) if !is_deep => return Ok(Self::Name(Pattern::of_key(outer)?)),
            // The path of a file in a REZ archive.
            (None, _, None) if is_plain() => return Ok(Self::Name(Pattern::of_path(text)?)),
            _ => return refused(),
        };
        Ok(Self::Path(within))
    }
}

/// Takes the names of kinds that follow `kind=` in a list for kinds, as in `kind=level,texture`.
pub fn join_kinds(terms: &mut [Term]) {
    for index in 1..terms.len() {
        if let (Term::Kind(_), Term::Name(name)) = (&terms[index - 1], &terms[index])
            && let Some(kind) = name.text().and_then(|name| Sort::named(&name))
        {
            terms[index] = Term::Kind(kind);
        }
    }
}

impl Sort {
    /// Returns the kind that files of a kind have.
    pub fn of(kind: Kind) -> Option<Self> {
        Self::named(kind.name())
    }

    fn named(kind: &str) -> Option<Self> {
        Some(match kind.strip_suffix('s').unwrap_or(kind) {
            "level" => Self::Level,
            "table" => Self::Table,
            "archive" => Self::Archive,
            "world" => Self::World,
            "model" => Self::Model,
            "part" => Self::Part,
            "texture" => Self::Texture,
            "picture" => Self::Picture,
            _ => return None,
        })
    }
}

impl Element {
    /// Returns whether an element matches. `nth` is the number of earlier elements with the same name.
    pub fn is(&self, sort: Sort, name: &[u8], nth: Option<u32>) -> bool {
        self.sort == sort && self.name.matches(name) && (self.nth.is_none() || nth.is_none() || self.nth == nth)
    }
}

impl Pattern {
    /// Returns the pattern of a text without escapes.
    pub fn plain(text: &str) -> Self {
        let atom = |byte| match byte {
            b'*' => Atom::Any,
            b'?' => Atom::One,
            _ => Atom::Byte(byte),
        };
        Self(text.bytes().map(atom).collect())
    }

    /// Returns a pattern that only this name matches.
    pub fn literal(name: &[u8]) -> Self {
        Self(name.iter().copied().map(Atom::Byte).collect())
    }

    /// Returns whether there are no wildcards.
    pub fn is_literal(&self) -> bool {
        self.0.iter().all(|atom| matches!(atom, Atom::Byte(_)))
    }

    /// Parses names separated by `/`, each as [`of_key`](Self::of_key) does.
    fn of_path(text: &str) -> Result<Self, String> {
        let (mut atoms, mut rest) = (Vec::new(), Some(text));
        while let Some(path) = rest {
            let (name, behind) = split_at_unescaped(path, '/');
            if !atoms.is_empty() {
                atoms.push(Atom::Byte(b'/'));
            }
            atoms.extend(Self::of_key(name)?.0);
            rest = behind;
        }
        Ok(Self(atoms))
    }

    /// Parses the key of a path segment. `*` and `?` are wildcards unless they are escaped with a backslash.
    pub fn of_key(segment: &str) -> Result<Self, String> {
        let (name, _) = split_at_unescaped(segment, '#');
        let mut rest = match split_at_unescaped(name, ':') {
            (_, Some(key)) => key,
            (name, None) => name,
        };
        let mut atoms = Vec::new();
        while !rest.is_empty() {
            let next = [('*', Atom::Any), ('?', Atom::One)].map(|(wild, atom)| (split_at_unescaped(rest, wild), atom));
            let ((literal, behind), atom) = if next[0].0.0.len() <= next[1].0.0.len() { next[0] } else { next[1] };
            if !literal.is_empty() {
                let literal: Path = literal.parse().map_err(|error: PathError| error.to_string())?;
                atoms.extend(literal.segments().flat_map(|segment| segment.key.to_vec()).map(Atom::Byte));
            }
            atoms.extend(behind.map(|_| atom));
            rest = behind.unwrap_or_default();
        }
        Ok(Self(atoms))
    }

    /// The text of a pattern without wildcards.
    fn text(&self) -> Option<String> {
        let byte = |atom: &Atom| if let Atom::Byte(byte) = atom { Some(*byte) } else { None };
        String::from_utf8(self.0.iter().map(byte).collect::<Option<_>>()?).ok()
    }

    /// Returns whether a name matches.
    pub fn matches(&self, name: &[u8]) -> bool {
        // Backtracking to the last `*` is enough, because the earlier ones have matched as little as possible.
        let (mut at, mut from) = (0, 0);
        let mut last: Option<(usize, usize)> = None;
        while at < name.len() {
            match self.0.get(from) {
                Some(Atom::Any) => {
                    last = Some((from, at));
                    from += 1;
                }
                Some(wanted) if wanted.is(name[at]) => {
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
        self.0[from..].iter().all(|&atom| atom == Atom::Any)
    }
}

impl Atom {
    const fn is(self, byte: u8) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Byte(wanted) => wanted.eq_ignore_ascii_case(&byte),
        }
    }
}

/// Returns whether a file or a member of an archive is selected by its kind and name. Paths only apply to WORLD.WDB.
pub fn wants(terms: &[Term], kind: Sort, name: &[u8]) -> bool {
    let is_of_world = terms.iter().any(|term| matches!(term, Term::Path(_)));
    !is_of_world && wants_kind(terms, kind) && wants_name(terms, name)
}

/// Returns whether a file with this name, or something in it, can be selected by name. Nothing in a table, level or picture
/// can be, and a WORLD.WDB is recognized by its name here; its path is for any file with the extension of tables.
pub fn may_want(terms: &[Term], name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_database = match extension.eq_ignore_ascii_case("wdb") {
        _ if terms.iter().any(|term| matches!(term, Term::Path(_))) => true,
        true => name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("world")),
        false => Format::of_file_name(name).is_none_or(|format| format.kind() == Kind::Archive),
    };
    is_database || wants_name(terms, name.as_bytes())
}

/// Returns the name that a name of `--only` may stand for.
pub fn meant<'n>(terms: &[Term], names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let texts = terms.iter().filter_map(|term| if let Term::Name(name) = term { name.text() } else { None });
    texts.into_iter().find_map(|text| nearest::meant(&text, names.clone()))
}

/// Returns whether a file of a kind is selected by its kind and name.
pub fn wants_file_of(terms: &[Term], kind: Kind, name: &str) -> bool {
    Sort::of(kind).is_some_and(|sort| wants(terms, sort, name.as_bytes()))
}

/// Returns whether anything in WORLD.WDB can be selected.
pub fn wants_databases(terms: &[Term]) -> bool {
    let kinds = [Sort::World, Sort::Model, Sort::Part, Sort::Texture];
    kinds.into_iter().any(|kind| wants_kind(terms, kind))
}

/// Returns whether a file in a REZ archive is selected by its kind, if it has one, and by its name, its path, or that of
/// a directory above it. `names` are those of the directories and of the file.
pub fn wants_file(terms: &[Term], kind: Option<Sort>, names: &[impl AsRef<[u8]>]) -> bool {
    let is_of_world = terms.iter().any(|term| matches!(term, Term::Path(_)));
    let is_kind =
        kind.map_or_else(|| !terms.iter().any(|term| matches!(term, Term::Kind(_))), |kind| wants_kind(terms, kind));
    if is_of_world || !is_kind {
        return false;
    }
    let mut path = Vec::new();
    // Without names there is nothing to compare, as for the root.
    wants_name(terms, b"") && names.is_empty()
        || names.iter().any(|name| {
            let name = name.as_ref();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(name);
            wants_name(terms, name) || wants_name(terms, &path)
        })
}

/// Returns whether a kind is selected, which is always the case if there are no kind terms.
pub fn wants_kind(terms: &[Term], kind: Sort) -> bool {
    let mut kinds = terms.iter().filter_map(|term| if let Term::Kind(kind) = term { Some(*kind) } else { None });
    let first = kinds.next();
    first.is_none_or(|first| first == kind || kinds.any(|wanted| wanted == kind))
}

/// Returns whether a name is selected, which is always the case if there are no name terms.
pub fn wants_name(terms: &[Term], name: &[u8]) -> bool {
    let mut names = terms.iter().filter_map(|term| if let Term::Name(name) = term { Some(name) } else { None });
    let first = names.next();
    first.is_none_or(|first| first.matches(name) || names.any(|wanted| wanted.matches(name)))
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
            assert_eq!(Pattern::plain(pattern).matches(name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn words_that_mean_nothing_are_refused() {
        assert!("kind=boat".parse::<Term>().is_err());
        assert!("size=3".parse::<Term>().is_err());
        assert!(matches!("kind=models".parse(), Ok(Term::Kind(Sort::Model))));
        assert!(matches!("world=ACT1".parse(), Ok(Term::Path(WorldPath::World { .. }))));
        for refused in ["plane:Action", "a/b#1", "world#1", "a\\b", "x#1", ""] {
            assert!(refused.parse::<Term>().is_err(), "{refused}");
        }
    }

    #[test]
    fn kinds_are_a_list() {
        let terms = |words: &[&str]| {
            let mut terms: Vec<Term> = words.iter().map(|word| word.parse().unwrap()).collect();
            join_kinds(&mut terms);
            terms
        };
        let both = terms(&["kind=level", "textures"]);
        assert!(matches!(both[..], [Term::Kind(Sort::Level), Term::Kind(Sort::Texture)]));
        // Anything else is a name, and so is what only looks like a kind.
        assert!(matches!(terms(&["kind=level", "isle"])[..], [Term::Kind(_), Term::Name(_)]));
        assert!(matches!(terms(&["isle", "texture"])[..], [Term::Name(_), Term::Name(_)]));
        assert!(matches!(terms(&["kind=level", "tex*"])[..], [Term::Kind(_), Term::Name(_)]));
    }

    #[test]
    fn escaped_wildcards_are_letters() {
        let name = |text: &str| match text.parse() {
            Ok(Term::Name(pattern)) => pattern,
            other => panic!("{text}: {other:?}"),
        };
        assert!(name(r"a\*b*").matches(b"a*bcd"));
        assert!(!name(r"a\*b*").matches(b"axbcd"));
        assert!(name(r"t\xb3o?\?").matches(b"t\xb3o1?"));
        assert!(name(r"x\=1").matches(b"X=1"));
    }

    #[test]
    fn files_of_an_archive_are_picked_by_name_path_and_directory() {
        let wants = |term: &str, kind| wants_file(&[term.parse().unwrap()], kind, &["LEVEL1", "WORLDS", "WORLD.WWD"]);
        for (term, expected) in [
            ("world.wwd", true),
            ("level1/worlds/world.wwd", true),
            ("LEVEL1", true),
            ("LEVEL1/WORLDS", true),
            ("LEVEL*/WORLDS", true),
            ("LEVEL2", false),
            ("WORLDS/WORLD.WWD", false),
            ("*/WORLD.WWD", true),
            ("kind=level", true),
            ("kind=picture", false),
        ] {
            assert_eq!(wants(term, Some(Sort::Level)), expected, "{term}");
        }
    }

    #[test]
    fn paths_pick_the_part_that_they_lead_into() {
        let path = |text: &str| match text.parse() {
            Ok(Term::Path(within)) => within,
            other => panic!("{text}: {other:?}"),
        };
        let WorldPath::World { name, element: Some(model) } = path("world:ACT?/model:is*#1/location") else { panic!() };
        assert!(name.matches(b"act1") && model.is(Sort::Model, b"isle", Some(1)));
        assert!(!model.is(Sort::Part, b"isle", Some(1)) && !model.is(Sort::Model, b"isle", Some(0)));
        assert!(matches!(path("world:ACT1"), WorldPath::World { element: None, .. }));
        assert!(matches!(path("world:ACT1/name"), WorldPath::World { element: None, .. }));
        assert!(matches!(path("blob#12/roi:body/lod#0"), WorldPath::Blob(12)));
        let WorldPath::BlobNamed { name, nth: Some(1) } = path("blob:Isle#1/roi:body") else { panic!() };
        assert!(name.matches(b"isle") && !name.matches(b"isle#1"));
        let WorldPath::Globals(Some(lamp)) = path("global_parts/part:Lamp") else { panic!() };
        assert!(lamp.is(Sort::Part, b"lamp", None));
    }
}
