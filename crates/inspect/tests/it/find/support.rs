//! Runs searches, and checks the bytes at the offsets of hits.

use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::spec::LevelSpec;
use worldview_inspect::find::{self, Hit, Pattern};
use worldview_inspect::{Options, Root};

use crate::open::{self, Described, Open};

/// An owned hit.
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

/// Returns the hits of a search in a file that can be read completely.
fn found(open: Open<'_>, bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    let mut all = Vec::new();
    let mut search = |(source, body): Described<'_>| {
        let (root, options) = (Root::new("", source, body), Options::default());
        let unread = find::search(&root, pattern, &options, &mut |hit| all.push(Found::from(hit))).unwrap();
        assert_eq!(unread, None);
    };
    open(bytes, &mut search).unwrap();
    all
}

/// Returns the path and the kind of the only hit. The bytes at its offset must be the text.
pub(crate) fn only(found: &[Found], bytes: &[u8]) -> (String, String) {
    let [one] = found else { panic!("not one: {found:#?}") };
    at_its_place(one, bytes);
    (one.path.clone(), one.what.clone())
}

/// Checks that the text is at the offset of the hit.
pub(crate) fn at_its_place(found: &Found, bytes: &[u8]) {
    let there = &bytes[found.at..found.at + found.text.len()];
    assert_eq!(there, found.text.as_bytes(), "{found:?}");
}

pub(crate) fn in_level(level: &LevelSpec, pattern: &Pattern) -> Vec<Found> {
    found(&open::level, &build_level(level).bytes, pattern)
}

pub(crate) fn in_table(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    found(&open::table, bytes, pattern)
}

pub(crate) fn in_archive(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    found(&open::archive, bytes, pattern)
}

pub(crate) fn in_database(bytes: &[u8], pattern: &Pattern) -> Vec<Found> {
    found(&open::database, bytes, pattern)
}
