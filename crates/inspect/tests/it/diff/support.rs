//! Runs comparisons in both directions and collects the reports.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::TableSpec;
use worldview_corpus::island::build::build as build_database;
use worldview_corpus::island::spec::DatabaseSpec;
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::spec::LevelSpec;
use worldview_inspect::diff::{self, Change, DiffOptions, Difference};
use worldview_inspect::{Result, Root};

use crate::open::{self, Described, Open};

/// An owned difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    sign: char,
    field: Option<String>,
    left: Option<String>,
    right: Option<String>,
    count: u64,
}

/// The report of a comparison: lines of text, and a form that can be compared with the opposite direction.
#[derive(Debug, Default)]
struct Diff {
    lines: Vec<String>,
    differences: Vec<Row>,
}

impl Diff {
    fn note(&mut self, difference: &Difference<'_>) {
        let side = |side: Option<diff::Side<'_>>| side.map(|side| side.to_string());
        self.lines.push(difference.to_string());
        self.differences.push(Row {
            sign: difference.change.sign(),
            field: difference.field.map(Into::into),
            left: side(difference.left),
            right: side(difference.right),
            count: difference.count,
        });
    }

    /// Returns the same differences with the sides swapped, sorted.
    fn mirrored(&self) -> Vec<Row> {
        let mirror = |differences: &Row| Row {
            sign: match differences.sign {
                '+' => Change::Removed.sign(),
                '-' => Change::Added.sign(),
                sign => sign,
            },
            left: differences.right.clone(),
            right: differences.left.clone(),
            ..differences.clone()
        };
        let mut differences: Vec<_> = self.differences.iter().map(mirror).collect();
        differences.sort();
        differences
    }
}

/// Compares in both directions. The reverse direction must report the same differences with the sides swapped.
pub(crate) fn both_ways(left: Described<'_>, right: Described<'_>, options: &DiffOptions<'_>) -> Result<Vec<String>> {
    let (mut there, mut back) = (Diff::default(), Diff::default());
    let (left, right) = (Root::new("", left.0, left.1), Root::new("", right.0, right.1));
    diff::compare(&left, &right, options, &mut |difference| there.note(difference))?;
    diff::compare(&right, &left, options, &mut |difference| back.note(difference))?;
    back.differences.sort();
    assert_eq!(there.mirrored(), back.differences, "not the same both ways");
    Ok(there.lines)
}

/// Opens two files and compares them in both directions. Returns `None` unless both can be opened.
pub(crate) fn opened(
    open: Open<'_>,
    left: &[u8],
    right: &[u8],
    options: &DiffOptions<'_>,
) -> Option<Result<Vec<String>>> {
    let mut compared = None;
    open(left, &mut |left| _ = open(right, &mut |right| compared = Some(both_ways(left, right, options))))?;
    compared
}

fn of(open: Open<'_>, left: &[u8], right: &[u8]) -> Vec<String> {
    opened(open, left, right, &DiffOptions::default()).unwrap().unwrap()
}

pub(crate) fn levels_of(left: &[u8], right: &[u8], options: &DiffOptions<'_>) -> Vec<String> {
    opened(&open::level, left, right, options).unwrap().unwrap()
}

pub(crate) fn levels(left: &LevelSpec, right: &LevelSpec) -> Vec<String> {
    of(&open::level, &build_level(left).bytes, &build_level(right).bytes)
}

pub(crate) fn tables_of(left: &[u8], right: &[u8]) -> Vec<String> {
    of(&open::table, left, right)
}

pub(crate) fn tables(left: &TableSpec, right: &TableSpec) -> Vec<String> {
    tables_of(&build_table(left).bytes, &build_table(right).bytes)
}

pub(crate) fn archives(left: &[u8], right: &[u8]) -> Vec<String> {
    of(&open::archive, left, right)
}

pub(crate) fn archives_down_to(depth: u32, left: &[u8], right: &[u8]) -> Vec<String> {
    of(&|bytes, with| open::archive_down_to(depth, bytes, with), left, right)
}

pub(crate) fn databases(left: &DatabaseSpec, right: &DatabaseSpec) -> Vec<String> {
    of(&open::database, &build_database(left).bytes, &build_database(right).bytes)
}

/// Returns an edited copy of a description.
pub(crate) fn edited<T: Clone>(from: &T, edit: impl FnOnce(&mut T)) -> T {
    let mut to = from.clone();
    edit(&mut to);
    to
}
