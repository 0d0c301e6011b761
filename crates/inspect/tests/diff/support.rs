//! Runs comparisons both ways, and holds what they tell.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::TableSpec;
use worldview_corpus::island::build::build as build_database;
use worldview_corpus::island::spec::DatabaseSpec;
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::spec::LevelSpec;
use worldview_export::diff::{self, Change, Difference, Options};
use worldview_export::{Error, Result};
use worldview_island::{Contents, Database};
use worldview_wpd::{Archive, Table};
use worldview_wwd::{Level, unpack};

/// A difference that outlives the call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    sign: char,
    field: String,
    left: Option<String>,
    right: Option<String>,
    count: u64,
}

/// What a comparison told: lines of text, and what can be compared with the other way round.
#[derive(Debug, Default)]
struct Diff {
    lines: Vec<String>,
    told: Vec<Told>,
}

impl Diff {
    fn note(&mut self, difference: &Difference<'_>) {
        let side = |side: Option<diff::Side<'_>>| side.map(|side| side.as_str().to_owned());
        self.lines.push(difference.to_string());
        self.told.push(Told {
            sign: difference.change.sign(),
            field: difference.field.into(),
            left: side(difference.left),
            right: side(difference.right),
            count: difference.count,
        });
    }

    /// The same with the sides swapped, in an order of its own.
    fn mirrored(&self) -> Vec<Told> {
        let mut told: Vec<_> = self
            .told
            .iter()
            .map(|told| Told {
                sign: match told.sign {
                    '+' => Change::Removed.sign(),
                    '-' => Change::Added.sign(),
                    sign => sign,
                },
                left: told.right.clone(),
                right: told.left.clone(),
                ..told.clone()
            })
            .collect();
        told.sort();
        told
    }
}

/// Runs a comparison there and back; the way back must tell the same with the sides swapped.
fn both_ways(compare: impl FnMut(bool, &mut dyn FnMut(&Difference<'_>)) -> Result<()>) -> Vec<String> {
    both_ways_or_none(compare).unwrap()
}

/// The same of files that may be too much for the walk.
pub(crate) fn both_ways_or_none(
    mut compare: impl FnMut(bool, &mut dyn FnMut(&Difference<'_>)) -> Result<()>,
) -> Result<Vec<String>> {
    let (mut there, mut back) = (Diff::default(), Diff::default());
    compare(false, &mut |difference| there.note(difference))?;
    compare(true, &mut |difference| back.note(difference))?;
    back.told.sort();
    assert_eq!(there.mirrored(), back.told, "not the same both ways");
    Ok(there.lines)
}

pub(crate) fn levels_of(left: &[u8], right: &[u8], options: &Options<'_>) -> Vec<String> {
    both_ways(|swapped, note| {
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        let (left, right) = (unpack(left).unwrap(), unpack(right).unwrap());
        let parse = |image| Level::parse_lossy(image, &mut |_| {}).unwrap();
        let (first, second) = (parse(&left), parse(&right));
        diff::levels((&left, &first), (&right, &second), options, note)
    })
}

pub(crate) fn levels(left: &LevelSpec, right: &LevelSpec) -> Vec<String> {
    levels_of(&build_level(left).bytes, &build_level(right).bytes, &Options::default())
}

pub(crate) fn tables_of(left: &[u8], right: &[u8]) -> Vec<String> {
    both_ways(|swapped, note| {
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        diff::tables(&Table::parse(left).unwrap(), &Table::parse(right).unwrap(), note)
    })
}

pub(crate) fn tables(left: &TableSpec, right: &TableSpec) -> Vec<String> {
    tables_of(&build_table(left).bytes, &build_table(right).bytes)
}

pub(crate) fn archives(left: &[u8], right: &[u8], options: &Options<'_>) -> Vec<String> {
    both_ways(|swapped, note| {
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        diff::archives(&Archive::parse(left).unwrap(), &Archive::parse(right).unwrap(), options, note)
    })
}

pub(crate) fn databases(left: &DatabaseSpec, right: &DatabaseSpec) -> Vec<String> {
    let (left, right) = (build_database(left).bytes, build_database(right).bytes);
    both_ways(|swapped, note| {
        let (left, right) = if swapped { (&right, &left) } else { (&left, &right) };
        let (left, right) =
            (Database::parse_lossy(left, &mut |_| {}).unwrap(), Database::parse_lossy(right, &mut |_| {}).unwrap());
        let (first, second) = (Contents::read(&left), Contents::read(&right));
        diff::databases((&left, &first), (&right, &second), &Options::default(), note)
    })
}

/// A description with something else in it.
pub(crate) fn edited<T: Clone>(from: &T, edit: impl FnOnce(&mut T)) -> T {
    let mut to = from.clone();
    edit(&mut to);
    to
}

/// Whether a comparison stopped at a bound.
pub(crate) fn is_limit(result: &Result<()>) -> bool {
    let Err(Error::Format(error)) = result else { return false };
    matches!(error.kind, worldview_core::ErrorKind::Limit { .. })
}
