//! Runs searches, and looks at the bytes where something was found.

use worldview_core::describe::Describe;
use worldview_core::{Source, Space};
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::spec::LevelSpec;
use worldview_inspect::find::{self, Hit, Pattern};
use worldview_inspect::{Options, Root};
use worldview_island::{Contents, Database};
use worldview_wpd::{Archive, Table};
use worldview_wwd::{Level, unpack};

/// A hit that outlives the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: String,
    pub(crate) what: String,
    pub(crate) text: String,
    pub(crate) at: usize,
    pub(crate) space: &'static str,
}

impl From<&Hit<'_>> for Found {
    fn from(hit: &Hit<'_>) -> Self {
        Self {
            path: hit.path.to_string(),
            what: hit.what.into(),
            text: hit.text.into(),
            at: usize::try_from(hit.at).unwrap(),
            space: hit.space.name(),
        }
    }
}

/// What a search finds, in a file of which everything can be read.
pub(crate) fn found(source: Source<'_>, body: &dyn Describe, pattern: &Pattern) -> Vec<Found> {
    let mut all = Vec::new();
    let root = Root::new("", source, body);
    let unread = find::search(&root, pattern, &Options::default(), &mut |hit| all.push(Found::from(hit))).unwrap();
    assert_eq!(unread, None);
    all
}

/// The path of the only thing that a search finds and what it is; the bytes at its offset have to be the text.
pub(crate) fn only(found: &[Found], bytes: &[u8]) -> (String, String) {
    let [one] = found else { panic!("not one: {found:#?}") };
    at_its_place(one, bytes);
    (one.path.clone(), one.what.clone())
}

/// Looks whether the text is where it was found.
pub(crate) fn at_its_place(found: &Found, bytes: &[u8]) {
    let there = &bytes[found.at..found.at + found.text.len()];
    assert_eq!(there, found.text.as_bytes(), "{found:?}");
}

pub(crate) fn in_level(level: &LevelSpec, pattern: &Pattern) -> Vec<Found> {
    let file = build_level(level).bytes;
    let image = unpack(&file).unwrap();
    let level = Level::parse(&image).unwrap();
    found(level.image(), &worldview_wwd::LevelDescription::new(&image, &level), pattern)
}

pub(crate) fn in_table(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    found(Source::new(bytes, Space::File), &Table::parse(bytes).unwrap(), pattern)
}

pub(crate) fn in_archive(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    found(Source::new(bytes, Space::File), &Archive::parse(bytes).unwrap(), pattern)
}

pub(crate) fn in_database(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    let database = Database::parse(bytes).unwrap();
    let contents = Contents::read(&database);
    found(database.source(), &worldview_island::DatabaseDescription::new(&database, &contents), pattern)
}
