//! Runs searches, and looks at the bytes where something was found.

use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::spec::LevelSpec;
use worldview_export::find::{self, Hit, Options, Pattern};
use worldview_export::{Encoding, Result};
use worldview_island::{Contents, Database};
use worldview_wpd::{Archive, Table};
use worldview_wwd::{Level, unpack};

/// A hit that outlives the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) place: String,
    pub(crate) what: String,
    pub(crate) text: String,
    pub(crate) at: usize,
    pub(crate) space: &'static str,
}

impl From<&Hit<'_>> for Found {
    fn from(hit: &Hit<'_>) -> Self {
        Self {
            place: hit.place.into(),
            what: hit.what.into(),
            text: hit.text.into(),
            at: usize::try_from(hit.at).unwrap(),
            space: hit.space.name(),
        }
    }
}

/// What a search finds.
pub(crate) fn found(search: impl FnOnce(&mut dyn FnMut(&Hit<'_>)) -> Result<()>) -> Vec<Found> {
    let mut all = Vec::new();
    search(&mut |hit| all.push(Found::from(hit))).unwrap();
    all
}

/// The one thing that a search finds: place, what it is, and the bytes at its offset, which have to be the text.
pub(crate) fn only(found: &[Found], bytes: &[u8]) -> (String, String) {
    let [one] = found else { panic!("not one: {found:#?}") };
    at_its_place(one, bytes);
    (one.place.clone(), one.what.clone())
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
    found(|note| find::level(&image, &level, pattern, Encoding::default(), note))
}

pub(crate) fn in_table(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    found(|note| find::table(&Table::parse(bytes).unwrap(), pattern, note))
}

pub(crate) fn in_archive(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    found(|note| find::archive(&Archive::parse(bytes).unwrap(), pattern, &Options::default(), note))
}

pub(crate) fn in_database(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    let database = Database::parse(bytes).unwrap();
    let contents = Contents::read(&database);
    found(|note| find::database((&database, &contents), pattern, Encoding::default(), note))
}
