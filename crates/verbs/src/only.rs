//! `--only`: the files, members, worlds, models, parts and textures that a verb applies to, by their names and kinds.

use std::str::FromStr;

use worldview::{Format, Kind, PathError, split_at_unescaped};
use worldview_import::nearest;
use worldview_inspect::NamePattern;

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
    /// A name.
    Name(NamePattern),
}

impl FromStr for Term {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match split_at_unescaped(text, '=') {
            ("kind", Some(kind)) => Sort::named(kind)
                .map(Self::Kind)
                .ok_or_else(|| "the kinds are level, table, archive, picture, world, model, part and texture".into()),
            (_, Some(_)) => Err("expected kind=KIND or a name".into()),
            (_, None) if text.is_empty() => Err("expected kind=KIND or a name".into()),
            (name, None) if ['/', ':', '#'].into_iter().any(|mark| split_at_unescaped(name, mark).1.is_some()) => {
                Err(format!("expected kind=KIND or a name; a path follows that of the file: FILE/{name}"))
            }
            (name, None) => NamePattern::of_key(name).map(Self::Name).map_err(|error: PathError| error.to_string()),
        }
    }
}

/// Takes the names of kinds that follow `kind=` in a list for kinds, as in `kind=level,texture`.
pub fn join_kinds(terms: &mut [Term]) {
    for index in 1..terms.len() {
        if let (Term::Kind(_), Term::Name(name)) = (&terms[index - 1], &terms[index])
            && let Some(kind) = text(name).and_then(|name| Sort::named(&name))
        {
            terms[index] = Term::Kind(kind);
        }
    }
}

/// Returns the text of a name without wildcards.
fn text(name: &NamePattern) -> Option<String> {
    name.is_literal().then(|| String::from_utf8(name.text().into_owned()).ok())?
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

/// Returns whether a file or a member of an archive is selected by its kind and name.
pub fn wants(terms: &[Term], kind: Sort, name: &[u8]) -> bool {
    wants_kind(terms, kind) && wants_name(terms, name)
}

/// Returns whether a file with this name, or something in it, can be selected by name. Nothing in a table, level or picture
/// can be, and a WORLD.WDB is recognized by its name here.
pub fn may_want(terms: &[Term], name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_database = match extension.eq_ignore_ascii_case("wdb") {
        true => name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("world")),
        false => Format::of_file_name(name).is_none_or(|format| format.kind() == Kind::Archive),
    };
    is_database || wants_name(terms, name.as_bytes())
}

/// Returns the name that a name of `--only` may stand for.
pub fn meant<'n>(terms: &[Term], names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let texts = terms.iter().filter_map(|term| if let Term::Name(name) = term { text(name) } else { None });
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

/// Returns whether a file in a REZ archive is selected by its kind, if it has one, and by its name or that of a directory above it. `names`
/// are those of the directories and of the file.
pub fn wants_file(terms: &[Term], kind: Option<Sort>, names: &[impl AsRef<[u8]>]) -> bool {
    let is_kind =
        kind.map_or_else(|| !terms.iter().any(|term| matches!(term, Term::Kind(_))), |kind| wants_kind(terms, kind));
    // Without names there is nothing to compare, as for the root.
    let is_root = || wants_name(terms, b"") && names.is_empty();
    is_kind && (is_root() || names.iter().any(|name| wants_name(terms, name.as_ref())))
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
    fn words_that_mean_nothing_are_refused() {
        for refused in ["kind=boat", "size=3", "world=ACT1", "name=x", "plane:Action", "a/b", "a\\b", "x#1a", ""] {
            assert!(refused.parse::<Term>().is_err(), "{refused}");
        }
        assert!(matches!("kind=models".parse(), Ok(Term::Kind(Sort::Model))));
        assert!(matches!(r"x\=1".parse(), Ok(Term::Name(name)) if name.matches(b"X=1")));
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
    fn files_of_an_archive_are_picked_by_name_and_directory() {
        let wants = |term: &str, kind| wants_file(&[term.parse().unwrap()], kind, &["LEVEL1", "WORLDS", "WORLD.WWD"]);
        for (term, expected) in [
            ("world.wwd", true),
            ("LEVEL1", true),
            ("LEVEL*", true),
            ("LEVEL2", false),
            ("kind=level", true),
            ("kind=picture", false),
        ] {
            assert_eq!(wants(term, Some(Sort::Level)), expected, "{term}");
        }
    }
}
