//! References of a table to no record of the tables beside it.

use worldview::describe::Span;
use worldview::wpd::Table;
use worldview::{Path, Severity, excerpt};
use worldview_inspect::utf8;

use super::{FileReport, FindingReport};
use crate::open::Visit;
use crate::outcome::Outcome;
use crate::references::{Around, Dangling, Index, Place};
use crate::table::counted;

/// Adds the values of a table that name no record, of fields whose other values do, to its report.
pub(super) fn check(
    visit: &Visit<'_, '_>,
    (table, index): (&Table<'_>, &Index),
    min: Severity,
    outcome: &mut Outcome,
    report: &mut FileReport,
) {
    let own = match visit.member {
        Some(member) => Place::Member(member.index(), member.label().into_owned()),
        None => Place::File(visit.input.path.file_name().unwrap_or_default().to_owned()),
    };
    let is_too_large = index.dangling(table, &own, &mut |found| {
        report.add(min, finding(table, &found));
    });
    if is_too_large {
        outcome.note(
            visit.path,
            &"references to other tables are not checked: there are too many tables beside this one, or they are too large",
        );
    }
}

/// Returns whether the tables beside a table are looked at: those of an archive, and of a folder that is checked.
pub(super) fn is_wanted(visit: &Visit<'_, '_>, around: &Around<'_>) -> bool {
    match around {
        Around::Nothing => false,
        Around::Archive(_) => true,
        Around::Folder(..) => !visit.input.named,
    }
}

fn finding(table: &Table<'_>, found: &Dangling<'_>) -> FindingReport {
    let Dangling { field, value, row, rows, table: ref other, hits, values } = *found;
    let (record, field) = (table.get(row), table.fields().get(field));
    let bytes = record.and_then(|record| record.data().get(4 * usize::try_from(field?.word()).ok()?..));
    let offset = bytes.map_or(0, |bytes| Span::of(bytes, table.archive().source()).at);
    let [record, field] =
        [record.map(|record| record.name()), field.map(|field| field.name())].map(Option::unwrap_or_default);
    let mut place = Path::new();
    place.push_name(record);
    place.push_name(field);
    let more = if rows > 1 { format!(" ({} with it)", counted(rows as u64, "record")) } else { String::new() };
    FindingReport {
        severity: Severity::Curious,
        code: "reference-missing",
        part: format!("record {row} \"{}\", field \"{}\"", utf8(record), utf8(field)),
        place: place.to_string(),
        offset,
        space: table.archive().source().space().name(),
        message: format!(
            "neither this table nor those beside it have a record {}{more}; {hits} of {values} values of this field are records of {other}",
            excerpt(&utf8(value))
        ),
    }
}
