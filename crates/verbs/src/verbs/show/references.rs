//! What one record refers to, and what refers to it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use worldview::wpd::{Table, Value};
use worldview_export::table::TypedColumn;
use worldview_inspect::utf8;

use super::Shown;
use crate::inputs::last_name;
use crate::open::Visit;
use crate::references::{Beside, Place, References, TableSet, referrers};
use crate::table::{self, counted};

/// The maximum number of records that are listed for one field.
const MAX_LISTED: usize = 20;

/// Writes the texts and the records that a record refers to, and the records that refer to it, in the tables beside its own. Writes nothing
/// if there are none.
pub(super) fn write(
    visit: &Visit<'_, '_>,
    (table, row): (&Table<'_>, usize),
    shown: Shown<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(record) = table.get(row) else { return Ok(()) };
    let name = visit.member.map_or_else(|| last_name(&visit.input.path), |member| utf8(&member.label()).into_owned());
    let set = TableSet::new(table, &name, visit.around(shown.loader));
    let references = References::of(table, &set, &|| true);
    let mut to = Vec::new();
    for (index, field) in table.fields().iter().enumerate() {
        let cell = TypedColumn::of(table, field).and_then(|column| column.get(row));
        let Some(Value::Text(Some(value))) = cell.filter(|cell| *cell != Value::Text(Some(b""))) else { continue };
        let target = match references.of_field(index) {
            Some(found) if set.has(&found.table, value) => path(visit, &found.table, &[value]),
            Some(found) => format!("{} (no record of {})", utf8(value), found.table.name),
            None => match shown.words.and_then(|words| words.of(value)) {
                Some(words) => format!("{} \"{words}\"", utf8(value)),
                // Keys of texts, which are in another file.
                None if value.starts_with(b"$") => format!("{} (a text)", utf8(value)),
                None => continue,
            },
        };
        to.push((utf8(field.name()).into_owned(), target));
    }
    let (mut from, mut is_partial) = (Vec::new(), references.is_partial);
    let (archive, options) = (table.archive(), shown.files.options());
    for beside in set.tables() {
        let found = set.table(&beside, &options, |table| referrers(table, (&archive, record.name()), MAX_LISTED));
        let (found, is_cut) = found.unwrap_or_default();
        is_partial |= is_cut;
        for referrer in found {
            let paths = referrer.records.iter().map(|record| path(visit, &beside, &[record, &referrer.field]));
            from.extend(paths);
            if let Some(more @ 1..) = referrer.count.checked_sub(referrer.records.len()) {
                from.push(format!("… and {} with this field", counted(more as u64, "more record")));
            }
        }
    }
    let width = to.iter().map(|(field, _)| field.chars().count()).max().unwrap_or(0);
    let to: Vec<_> = to.iter().map(|(field, target)| format!("{field:width$}  {target}")).collect();
    for (title, lines) in [("refers to", to), ("referred to by", from)] {
        if !lines.is_empty() {
            writeln!(out, "\n{title}:")?;
            lines.iter().try_for_each(|line| writeln!(out, "  {}", table::shown(line)))?;
        }
    }
    if is_partial {
        writeln!(
            out,
            "\nNot all references are listed: there are too many tables beside this one, or they are too large."
        )?;
    }
    Ok(())
}

/// Returns the path of something in a table of the set, as users write it.
fn path(visit: &Visit<'_, '_>, table: &Beside, names: &[&[u8]]) -> String {
    let mut inside = visit.place.clone();
    let file: PathBuf = match &table.place {
        Place::File(name) => visit.input.path.with_file_name(name),
        _ => visit.input.path.clone(),
    };
    let file: &Path = &file;
    if let Place::Member(_, label) = &table.place {
        inside = inside.first(inside.segments().count().saturating_sub(1));
        inside.push_name(label);
    }
    names.iter().for_each(|name| inside.push_name(name));
    format!("{}/{inside}", table::path(file))
}
