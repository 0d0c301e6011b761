use std::borrow::Cow;

use worldview_core::{Error, ErrorKind, OnProblem, Result};

use super::{NameOrigin, Table};
use crate::archive::{Archive, entry_at, on_problem_in};
use crate::finding::Finding;
use crate::labels;
use crate::plan::{self, Field, FieldKind, Layout};
use crate::raw::Entry;
use crate::refusal::Refusal;
use crate::schema::{Schema, Schemas};
use crate::sections::{Generation, Sections};
use crate::strings::{ArrayParts, OverlongStrings};

/// Options for opening a table: where to get the field names if the table has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableOptions<'n, 'a> {
    file: Option<&'n str>,
    schemas: Option<&'a Schemas>,
    schema: Option<&'a Schema>,
}

impl<'n, 'a> TableOptions<'n, 'a> {
    /// Creates the default options: names from the table, else from the built-in schema for its `!!version`, else
    /// generated.
    pub const fn new() -> Self {
        Self { file: None, schemas: None, schema: None }
    }

    worldview_core::setters! {
        /// Sets the name of the table's file, which may include folders and `.wdb`, to find schemas if the version does
        /// not.
        pub const fn file_name(file: &'n str) => file = Some(file);

        /// Sets schemas that take precedence over the built-in ones.
        pub const fn schemas(schemas: &'a Schemas) => schemas = Some(schemas);

        /// Sets a schema that takes precedence over all others, whatever the table's version and name.
        pub const fn schema(schema: &'a Schema) => schema = Some(schema);
    }

    /// Opens an archive as a table, and checks that every value lies inside it, unless the archive is
    /// [unverified](Archive::parse_unverified).
    ///
    /// # Errors
    ///
    /// Returns an error if
    ///
    /// - the archive has no list of types,
    /// - a list of types has a size that is not a multiple of four,
    /// - there are more than 65,536 words in a record, or
    /// - the size of a record differs from that implied by the types, or a record is truncated.
    pub fn table(&self, archive: Archive<'a>) -> Result<Table<'a>> {
        self.open(archive, &mut Err)
    }

    /// Opens as much of a table as possible: records that are too short are left out and reported.
    ///
    /// # Errors
    ///
    /// Returns an error if the archive has no list of types, or if records have too many words.
    pub fn table_lossy(&self, archive: Archive<'a>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Table<'a>> {
        self.open(archive, &mut on_problem_in(archive.entries(), report))
    }

    /// Returns the schemas that may name the fields of this table, in order of precedence.
    fn schemas_for(&self, version: Option<u32>) -> impl Iterator<Item = &'a Schema> {
        let (file, own, built_in) = (self.file, self.schemas, Schemas::builtin());
        let own = own.into_iter().flat_map(move |schemas| schemas.candidates(version, file));
        self.schema.into_iter().chain(own).chain(built_in.candidates(version, file))
    }

    fn open(&self, archive: Archive<'a>, on_problem: OnProblem<'_>) -> Result<Table<'a>> {
        let sections = Sections::of(archive)?;
        let words = sections.words(on_problem)?;
        let generation = sections.generation();
        let entries = archive.entries();
        let is_row = |entry: &Entry| !Sections::has(generation, entry);
        let first = entries.iter().position(is_row).unwrap_or(entries.len());
        let first_record = entries.get(first).map(|entry| entry.size.get());
        let layout = Layout { generation, words, first_record };
        let (fields, names, refused) = self.plan(layout, &sections);
        let wide = fields.last().is_some_and(|field| field.kind() == FieldKind::Uint64);
        // At most `MAX_WORDS` plus one.
        let count = words.len().saturating_add(usize::from(wide));
        let record_size = u32::try_from(count.saturating_mul(4)).unwrap_or(u32::MAX);
        let dense = dense(&archive, first, record_size, generation);
        // A section among the records, or a truncated record, requires a list of rows.
        let row_entries = if dense.is_some() || archive.run().is_none() {
            None
        } else {
            row_entries(&archive, first, record_size, is_row, on_problem)?
        };
        let pool = sections.string().map_or(&[][..], |section| section.data());
        let elements = fields.iter().filter(|field| field.array().is_some()).count();
        let (arrays, arrays_refused) = ArrayParts::of(&sections, elements);
        Ok(Table {
            sections,
            words,
            fields,
            name_origin: names,
            schema_mismatch: refused,
            record_size,
            first,
            dense,
            row_entries,
            pool,
            overlong: OverlongStrings::new(),
            arrays,
            arrays_refused,
        })
    }

    /// Returns the fields, the origin of their names, and why better names were refused.
    #[expect(clippy::type_complexity, reason = "three things that belong together here and nowhere else")]
    fn plan(
        &self,
        layout: Layout<'_>,
        sections: &Sections<'a>,
    ) -> (Vec<Field<'a>>, NameOrigin<'a>, Option<(Option<&'a Schema>, Refusal)>) {
        if let Some(names) = sections.item_names() {
            return match plan::named(names.map(Cow::Borrowed), layout, false) {
                Ok(fields) => (fields, NameOrigin::Embedded, None),
                Err(refusal) => (plan::generated(layout, sections), NameOrigin::Generated, Some((None, refusal))),
            };
        }
        let mut refused = None;
        for schema in self.schemas_for(sections.layout_version()) {
            let names = || schema.fields().iter().map(|name| name.as_bytes());
            let planned = plan::named(names().map(Cow::Borrowed), layout, true);
            match planned.and_then(|fields| plan::same_kinds(names(), sections).map(|()| fields)) {
                Ok(fields) => return (fields, NameOrigin::Schema(schema), refused),
                Err(refusal) => refused = refused.or(Some((Some(schema), refusal))),
            }
        }
        (plan::generated(layout, sections), NameOrigin::Generated, refused)
    }
}

impl<'a> Archive<'a> {
    /// Opens the archive as a table, with the default options.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`TableOptions::table`].
    pub fn table(&self) -> Result<Table<'a>> {
        TableOptions::new().table(*self)
    }
}

/// Returns the bytes of the records, if they are contiguous, all have the expected size, and no entry is a section.
fn dense<'a>(archive: &Archive<'a>, first: usize, size: u32, generation: Generation) -> Option<&'a [u8]> {
    let rows = archive.entries().get(first..)?;
    let (start, found) = rows.first().map_or((0, size), |entry| (entry.offset.get(), entry.size.get()));
    if size == 0 || found != size || archive.run()? > first {
        return None;
    }
    // In nearly all tables, the first record shows that the sections are over.
    let are_over = |entry: &Entry| archive.is_sorted() && generation.is_after_sections(entry.name.raw());
    if !rows.first().is_none_or(are_over) && rows.iter().any(|entry| Sections::has(generation, entry)) {
        return None;
    }
    archive.source().slice(start.into(), u64::from(size).saturating_mul(rows.len() as u64), "records").ok()
}

/// Maximum number of records of the wrong size that are reported individually.
const LISTED: u32 = 100;

/// Returns the indexes of the entries that are rows, or `None` if these are all entries from `first` on.
fn row_entries(
    archive: &Archive<'_>,
    first: usize,
    size: u32,
    is_row: impl Fn(&Entry) -> bool,
    on_problem: OnProblem<'_>,
) -> Result<Option<Vec<u32>>> {
    // The list is created at the first entry that is not a row. A table whose records merely have gaps needs none.
    let mut row_entries: Option<Vec<u32>> = None;
    let mut mismatched = 0_u32;
    for member in archive.members().skip(first) {
        let (entry, index) = (member.entry(), member.number());
        let before = || (u32::try_from(first).unwrap_or(u32::MAX)..index).collect();
        if !is_row(entry) {
            row_entries.get_or_insert_with(before);
            continue;
        }
        // A damaged list of types makes every record wrong. The first ones suffice, and `check` counts those left out.
        if entry.size.get() != size && mismatched < LISTED {
            mismatched = mismatched.saturating_add(1);
            let kind = ErrorKind::Mismatch { want: size.into(), found: entry.size.get().into() };
            let field = core::mem::offset_of!(Entry, size) as u64;
            let at = entry_at(index).saturating_add(field);
            let error: Error = archive.source().error(kind, labels::RECORD_SIZE, at);
            on_problem(error.with_index(index))?;
        }
        if (member.data().len() as u64) < u64::from(size.max(entry.size.get())) {
            row_entries.get_or_insert_with(before);
            continue;
        }
        if let Some(row_entries) = &mut row_entries {
            row_entries.push(index);
        }
    }
    Ok(row_entries)
}
