use worldview_core::Path;
use worldview_core::describe::{Field, FieldValue, List, Part, Span};
use worldview_inspect::diff::Event;
use worldview_inspect::{Everything, Root};
use worldview_wpd::{Archive, ArchiveDescription, Table, TableDescription, TableOptions};

use crate::diff::{Consists, Rules};
use crate::fields::values;
use crate::{Change, Changes, EditError, Result, Value};

/// Returns the changes that make one archive or table say what another says.
///
/// Records are compared by name, and by number where names repeat; members likewise. Offsets, padding and the order of the string
/// pool mean nothing.
///
/// # Errors
///
/// Returns an error if a file is not an archive, or if tables differ in what changes cannot express: their fields, a section that only
/// one has, the order of records that are sorted in one of them, or texts that are not there.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Changes> {
    diff_with(left, right, TableOptions::new())
}

/// Returns the changes that make one archive or table say what another says, with fields named by the caller's options. Tables inside
/// an archive are named by their members.
///
/// # Errors
///
/// Returns an error as [`diff`] does.
pub fn diff_with(left: &[u8], right: &[u8], options: TableOptions<'_>) -> Result<Changes> {
    let [left, right] = [Archive::parse(left)?, Archive::parse(right)?];
    match [&left, &right].map(Archive::is_table) {
        [true, true] => return diff_tables(&options.table(left)?, &options.table(right)?),
        [false, false] => {}
        _ => return Err(EditError::unsupported(&Path::new(), "one side is a table and the other is not")),
    }
    let [before, after] = [&left, &right].map(|archive| ArchiveDescription::new(archive).options(options));
    let [before, after] =
        [(&left, &before), (&right, &after)].map(|(archive, body)| Root::new("wpd", archive.source(), body));
    crate::diff::diff(
        &before,
        &after,
        &Everything,
        &mut Tables { archives: [left, right], options, in_members: false, whole: Vec::new() },
    )
}

/// Returns the changes that make one table say what another says.
///
/// # Errors
///
/// Returns an error as [`diff`] does.
pub fn diff_tables(left: &Table<'_>, right: &Table<'_>) -> Result<Changes> {
    let archives = [left.archive(), right.archive()];
    let [before, after] = [left, right].map(TableDescription::new);
    let [before, after] =
        [(left, &before), (right, &after)].map(|(table, body)| Root::new("wpd", table.archive().source(), body));
    let options = TableOptions::new();
    crate::diff::diff(
        &before,
        &after,
        &Everything,
        &mut Tables { archives, options, in_members: false, whole: Vec::new() },
    )
}

/// What changes cannot say of tables, and members that are replaced as a whole.
struct Tables<'a> {
    archives: [Archive<'a>; 2],
    options: TableOptions<'a>,
    /// Whether the elements that are being paired are members.
    in_members: bool,
    /// Where members are that are compared as a whole.
    whole: Vec<Span>,
}

impl<'a> Tables<'a> {
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
    fn event(&mut self, event: &Event<'_>) -> Result<bool> {
        let kind = |path: &Path, kind: &str| path.segments().last().is_some_and(|last| last.kind == Some(kind));
        match event {
            Event::List(matched) => {
                self.in_members = matched.list.kind == "member";
                let is_same = |left: &[Option<u32>]| (0..).zip(left).all(|(place, left)| *left == Some(place));
                let [left, right] = matched.counts;
                if matched.list.kind == "field" && (left != right || !is_same(&matched.left_of)) {
                    return Err(EditError::unsupported(matched.part, DIFFERENT_FIELDS));
                }
                Ok(matched.list.kind == "field")
            }
            Event::Field { part, sides, .. } => {
                let names = sides.iter().flatten().map(|side| crate::fields::name(&side.name));
                if kind(part, "field") || names.clone().any(|name| *name == *b"generation") {
                    return Err(EditError::unsupported(part, DIFFERENT_FIELDS));
                }
                let is_absent = |side: &Option<&Field<'_>>| side.is_none_or(|side| side.value == FieldValue::Absent);
                if sides.iter().any(is_absent) {
                    return Err(EditError::unsupported(part, "only one of the tables has this section"));
                }
                Ok(false)
            }
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
        _: &List,
        path: &Path,
        parts: [&Part<'_>; 2],
        is_moved: bool,
        changes: &mut Changes,
    ) -> Result<bool> {
        let [left, right] = parts;
        let data = [self.data(left, 0), self.data(right, 1)];
        if !self.in_members {
            return Ok(false);
        }
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
                if data[0] != data[1] {
                    let [from, to] = data.map(|data| Value::Bytes(data.to_vec()));
                    let mut path = path.clone();
                    if is_moved {
                        // The path itself is that of another change.
                        path.push("@", b"bytes", None);
                    }
                    changes.push(Change::Set { path, from: Some(from), to });
                }
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
