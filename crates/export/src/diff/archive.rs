use worldview_core::Budget;
use worldview_wpd::{Archive, Member, Nesting};

use super::pairs::Pairs;
use super::report::Report;
use super::{Options, table};
use crate::Result;
use crate::place::Short;
use crate::wdb::nested::{label, options};

/// How many bytes of two archives may be looked at: their parts may overlap.
pub(super) fn budget(left: &Archive<'_>, right: &Archive<'_>) -> Budget {
    let both = left.source().len().saturating_add(right.source().len());
    Budget::for_bytes(both, "comparison of overlapping members")
}

/// Compares what the headers hold besides the number of entries.
pub(super) fn header(left: &Archive<'_>, right: &Archive<'_>, report: &mut Report<'_>) {
    // A header that was overwritten is no header.
    if !left.is_recovered() && !right.is_recovered() {
        report.fields(left.header().fields(), right.header().fields(), false, &["magic", "count"]);
    }
}

/// Compares two archives and what is nested in them.
pub(super) fn compare(
    left: &Archive<'_>,
    right: &Archive<'_>,
    options: &Options<'_>,
    report: &mut Report<'_>,
) -> Result<()> {
    if left.source().bytes() == right.source().bytes() {
        return Ok(());
    }
    let nesting = |archive| Nesting::new(archive).deepest(options.deepest);
    let mut walk = Walk { left: nesting(left), right: nesting(right), budget: budget(left, right), options };
    walk.archive(left, right, 0, report)
}

struct Walk<'w> {
    left: Nesting,
    right: Nesting,
    budget: Budget,
    options: &'w Options<'w>,
}

impl Walk<'_> {
    fn archive(&mut self, left: &Archive<'_>, right: &Archive<'_>, depth: u32, report: &mut Report<'_>) -> Result<()> {
        report.within(format_args!("archive"), |report| header(left, right, report));
        let (left, right): (Vec<_>, Vec<_>) = (left.members().collect(), right.members().collect());
        members((&left, &right), "member", report, &mut |left, right, report| self.member(left, right, depth, report))
    }

    fn member(&mut self, left: &Member<'_>, right: &Member<'_>, depth: u32, report: &mut Report<'_>) -> Result<()> {
        if !left.is_archive() || !right.is_archive() {
            return data(left, right, &mut self.budget, report);
        }
        // What is not all there, lies too deep or would take too long is compared as bytes.
        let opened = (self.left.enter(left, depth, &mut |_| {}), self.right.enter(right, depth, &mut |_| {}));
        let (Ok(Some(first)), Ok(Some(second))) = opened else {
            return data(left, right, &mut self.budget, report);
        };
        if first.is_table() && second.is_table() {
            let (first_hint, second_hint) = (label(left), label(right));
            let tables = (
                options(self.options.schemas, &first_hint).table_lossy(first, &mut |_| {}),
                options(self.options.schemas, &second_hint).table_lossy(second, &mut |_| {}),
            );
            return match tables {
                (Ok(first), Ok(second)) => table::compare(&first, &second, report),
                _ => data(left, right, &mut self.budget, report),
            };
        }
        if first.is_table() != second.is_table() {
            return data(left, right, &mut self.budget, report);
        }
        self.archive(&first, &second, depth + 1, report)
    }
}

/// Matches members by name and extension, and looks at those that both archives have.
pub(super) fn members(
    (left, right): (&[Member<'_>], &[Member<'_>]),
    what: &str,
    report: &mut Report<'_>,
    look: &mut dyn FnMut(&Member<'_>, &Member<'_>, &mut Report<'_>) -> Result<()>,
) -> Result<()> {
    let mut pairs = Pairs::new(left.len(), right.len());
    pairs.by(
        |index| Some((left[index].name(), left[index].extension())),
        |index| Some((right[index].name(), right[index].extension())),
    );
    let place = |member: &Member<'_>| format!("{what} {} {}", member.index(), Short(&label(member)));
    for pair in pairs.iter() {
        match pair {
            (Some(first), Some(second)) => {
                let place = place(&left[first]);
                report.within(format_args!("{place}"), |report| look(&left[first], &right[second], report))?;
            }
            (Some(first), None) => report.removed(format_args!("{}", place(&left[first])), Some(&size(&left[first]))),
            (None, Some(second)) => {
                report.added(format_args!("{}", place(&right[second])), Some(&size(&right[second])))
            }
            (None, None) => {}
        }
    }
    report.order(&format!("{what}s"), &pairs, |index| place(&left[index]), |index| place(&right[index]));
    Ok(())
}

fn size(member: &Member<'_>) -> String {
    format!("{} bytes", member.data().len())
}

/// Compares the bytes of two members.
pub(super) fn data(left: &Member<'_>, right: &Member<'_>, budget: &mut Budget, report: &mut Report<'_>) -> Result<()> {
    let bytes = left.data().len().saturating_add(right.data().len()) as u64;
    budget.spend(bytes, left.source().base(), left.source().space())?;
    if left.data() != right.data() {
        report.bytes(left.data(), right.data());
    }
    Ok(())
}
