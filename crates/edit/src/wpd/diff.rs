use std::collections::HashSet;

use worldview_core::Path;
use worldview_core::describe::{Describe, Field, FieldValue, List, Part, Span};
use worldview_inspect::diff::Event;
use worldview_inspect::{Everything, Root};
use worldview_wpd::{Archive, ArchiveDescription, TableDescription, TableOptions};

use crate::diff::{Consists, Rules, replaced};
use crate::fields::values;
use crate::pairs::{compare, complete};
use crate::{Changes, EditError, Planned, Result, Value};

/// Returns the changes that make one archive or table say what another says, and an account of the differences that they leave.
///
/// Records are compared by name, and by number where names repeat; members likewise. Offsets, padding and the order of the string
/// pool mean nothing.
///
/// # Errors
///
/// Returns an error if a file is not an archive, if only one of them is a table, or if two tables have different fields.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Planned> {
    diff_with(left, right, TableOptions::new())
}

/// Returns the changes that make one archive or table say what another says, with fields named by the caller's options. Tables inside
/// an archive are named by their members.
///
/// # Errors
///
/// Returns an error as [`diff`] does.
pub fn diff_with(left: &[u8], right: &[u8], options: TableOptions<'_, '_>) -> Result<Planned> {
    let archives = [Archive::parse(left)?, Archive::parse(right)?];
    if archives[0].is_table() != archives[1].is_table() {
        return Err(EditError::unsupported(&Path::new(), "one side is a table and the other is not"));
    }
    let planned = with_roots(archives, options, |before, after| {
        crate::diff::diff(before, after, &Everything, &mut Tables::new(archives, options))
    })??;
    let edited = super::apply_with(left, &planned.changes, options);
    Ok(complete(planned, edited, right, |edited, note| {
        with_roots([Archive::parse(edited)?, archives[1]], options, |before, after| compare(before, after, note))?
    }))
}

/// Calls `then` with the descriptions of two archives, or of two tables.
fn with_roots<T>(
    archives: [Archive<'_>; 2],
    options: TableOptions<'_, '_>,
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> Result<T> {
    let [left, right] = &archives;
    let then = |before: &dyn Describe, after: &dyn Describe| {
        then(&Root::new("wpd", left.source(), before), &Root::new("wpd", right.source(), after))
    };
    if left.is_table() {
        let [left, right] = [options.table(*left)?, options.table(*right)?];
        return Ok(then(&TableDescription::new(&left), &TableDescription::new(&right)));
    }
    let [before, after] = [left, right].map(|archive| ArchiveDescription::new(archive).options(options));
    Ok(then(&before, &after))
}

/// Differences of tables that changes cannot express, and members that are replaced as a whole.
struct Tables<'a> {
    archives: [Archive<'a>; 2],
    options: TableOptions<'a, 'a>,
    /// Where members are that are compared as a whole.
    whole: Vec<Span>,
    /// The members of which nothing inside is compared: they are replaced, or are tables with different fields.
    closed: HashSet<Path>,
}

impl<'a> Tables<'a> {
    fn new(archives: [Archive<'a>; 2], options: TableOptions<'a, 'a>) -> Self {
        Self { archives, options, whole: Vec::new(), closed: HashSet::new() }
    }

    /// Returns whether a part is inside a member of which nothing inside is compared.
    fn is_closed(&self, part: &Path) -> bool {
        !self.closed.is_empty() && (1..=part.len()).any(|len| self.closed.contains(&part.first(len)))
    }

    /// Leaves out a table with other fields than the one that it is compared with.
    fn differs(&mut self, table: &Path, planned: &mut Planned) -> Result<()> {
        if table.is_empty() {
            return Err(EditError::unsupported(table, DIFFERENT_FIELDS));
        }
        if !self.is_closed(table) {
            planned.not_carried(table, DIFFERENT_FIELDS);
            self.closed.insert(table.clone());
        }
        Ok(())
    }

    /// The bytes of a member.
    fn data(&self, part: &Part<'_>, side: usize) -> &'a [u8] {
        let source = self.archives.get(side).map(Archive::source);
        let data = source
            .zip(part.beside)
            .and_then(|(source, at)| source.slice(at.at.checked_sub(source.base())?, at.len, "member").ok());
        data.unwrap_or(&[])
    }
}

impl Rules for Tables<'_> {
    fn event(&mut self, event: &Event<'_>, planned: &mut Planned) -> Result<bool> {
        let kind = |path: &Path, kind: &str| path.segments().last().is_some_and(|last| last.kind == Some(kind));
        match event {
            Event::List(matched) if matched.list.kind == "field" => {
                let is_same = |left: &[Option<u32>]| (0..).zip(left).all(|(place, left)| *left == Some(place));
                let [left, right] = matched.counts;
                if left != right || !is_same(&matched.left_of) {
                    self.differs(matched.part, planned)?;
                }
                Ok(true)
            }
            Event::List(matched) => Ok(self.is_closed(matched.part)),
            Event::Field { part, in_main, sides, .. } => {
                let name = sides.iter().flatten().map(|side| crate::fields::name(&side.name)).next();
                let name = name.unwrap_or_default();
                if self.is_closed(part) {
                    let is_of_entry = matches!(&*name, b"extension" | b"name_tail" | b"extension_tail");
                    return Ok(!(is_of_entry && self.closed.contains(*part)));
                }
                if kind(part, "field") || *name == *b"generation" {
                    let table = part.parts().take_while(|part| !part.as_str().starts_with("field:"));
                    self.differs(&table.collect(), planned)?;
                    return Ok(true);
                }
                let is_absent = |side: &Option<&Field<'_>>| side.is_none_or(|side| side.value == FieldValue::Absent);
                if sides.iter().any(is_absent) {
                    let path = part.with(|path| match in_main {
                        true => path.push("@", &name, None),
                        false => path.push_name(&name),
                    });
                    planned.not_carried(&path, "only one of the files has this, which no change can add or remove");
                    return Ok(true);
                }
                Ok(false)
            }
            Event::Array { part, .. } if self.is_closed(part) => Ok(true),
            // A member is replaced as a whole.
            Event::Array { part, .. } => Ok(!kind(part, "unknown_section")),
            Event::Broken(error) => {
                let has = |at: &Span| (at.at..=at.at.saturating_add(at.len)).contains(&error.at);
                Ok(self.whole.iter().any(has))
            }
            _ => Ok(false),
        }
    }

    fn pair(
        &mut self,
        list: &List,
        path: &Path,
        parts: [&Part<'_>; 2],
        is_moved: bool,
        changes: &mut Changes,
    ) -> Result<bool> {
        if list.kind != "member" {
            return Ok(false);
        }
        let [left, right] = parts;
        let data = [self.data(left, 0), self.data(right, 1)];
        match data.map(|data| Archive::parse(data).ok()) {
            [Some(left), Some(right)] if left.is_table() == right.is_table() => {
                if left.is_table() && data[0] != data[1] {
                    // The description has what can be read of a table; changes are about whole ones.
                    let label = path.segments().last().map(|last| last.key.into_owned()).unwrap_or_default();
                    let label = String::from_utf8_lossy(&label);
                    let options = self.options.file_name(&label);
                    options.table(left)?;
                    options.table(right)?;
                }
            }
            _ => {
                // Also those that begin like an archive and are none.
                self.whole.extend(parts.iter().filter_map(|part| part.beside));
                let here = path.clone();
                if data[0] != data[1] {
                    changes.push(replaced(path, data, is_moved));
                }
                self.closed.insert(here);
            }
        }
        Ok(false)
    }

    fn lone(&mut self, list: &List, _: &Path, part: &Part<'_>, side: usize) -> Result<Option<Consists>> {
        let bytes = || Value::Bytes(self.data(part, side).to_vec());
        Ok((list.kind == "member").then(|| (values(part.body, None).0, Some(bytes()))))
    }
}

const DIFFERENT_FIELDS: &str = "the tables have different fields";
