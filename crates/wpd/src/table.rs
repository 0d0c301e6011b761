use std::borrow::Cow;

use worldview_core::{Error, ErrorKind, Result, Source};
use zerocopy::big_endian::U32;

use crate::archive::{self, Archive, Recover, entry_at, note};
use crate::column::{self, Column, ColumnType, FieldError, Picks, Records, Value};
use crate::finding::Finding;
use crate::plan::{self, Field, FieldKind, Layout, Refusal};
use crate::raw::Entry;
use crate::schema::{Schema, Schemas};
use crate::sections::{Generation, Sections, WordTypes, longs};
use crate::strings::{ArraysRefusal, StringArrays, Strings};

/// Where a table's field names come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names<'a> {
    /// The table itself.
    Embedded,
    /// A schema, which fits the table's type lists.
    Schema(&'a Schema),
    /// Made of the numbers of the words.
    Generated,
}

impl Names<'_> {
    /// `embedded`, `schema` or `generated`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Schema(_) => "schema",
            Self::Generated => "generated",
        }
    }
}

/// A WDB table: an archive whose members are sections and records. `docs/formats/wpd.md`, Table.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    archive: Archive<'a>,
    sections: Sections<'a>,
    words: WordTypes<'a>,
    fields: Vec<Field<'a>>,
    names: Names<'a>,
    refused: Option<(Option<&'a Schema>, Refusal)>,
    record_size: u32,
    /// The first entry that is a row, and all behind it; or which entries are rows.
    first: usize,
    picks: Option<Vec<u32>>,
    dense: Option<&'a [u8]>,
    strings: Strings<'a>,
    arrays: StringArrays<'a>,
    arrays_refused: Option<ArraysRefusal>,
}

/// How a table is opened: where field names come from that the table has not.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableOptions<'a> {
    file: Option<&'a str>,
    schemas: Option<&'a Schemas>,
    schema: Option<&'a Schema>,
}

impl<'a> TableOptions<'a> {
    /// Names from the table, else from the built-in schema of its `!!version`, else generated.
    pub const fn new() -> Self {
        Self { file: None, schemas: None, schema: None }
    }

    /// The name of the table's file, with folders and `.wdb` or without: a hint for schemas that no version tells.
    #[must_use]
    pub const fn file_name(mut self, file: &'a str) -> Self {
        self.file = Some(file);
        self
    }

    /// Schemas that go before the built-in ones.
    #[must_use]
    pub const fn schemas(mut self, schemas: &'a Schemas) -> Self {
        self.schemas = Some(schemas);
        self
    }

    /// A schema that goes before all others, whatever the table's version and name.
    #[must_use]
    pub const fn schema(mut self, schema: &'a Schema) -> Self {
        self.schema = Some(schema);
        self
    }

    /// Opens an archive as a table; afterwards no value can fail to be there.
    ///
    /// # Errors
    ///
    /// An archive without a list of types; lists that end inside a number; a record of another size than the types
    /// make.
    pub fn table(&self, archive: Archive<'a>) -> Result<Table<'a>> {
        self.open(archive, &mut Err)
    }

    /// Opens what can be opened of a table: records that are too short are left out, and are findings.
    ///
    /// # Errors
    ///
    /// An archive without a list of types; records of too many words.
    pub fn table_lossy(&self, archive: Archive<'a>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Table<'a>> {
        self.open(archive, &mut note(archive.entries(), report))
    }

    /// The schemas that may name the fields of this table, the likeliest first.
    fn schemas_for(&self, version: Option<u32>) -> impl Iterator<Item = &'a Schema> {
        let (file, own, built_in) = (self.file, self.schemas, Schemas::builtin());
        let own = own.into_iter().flat_map(move |schemas| schemas.candidates(version, file));
        self.schema.into_iter().chain(own).chain(built_in.candidates(version, file))
    }

    fn open(&self, archive: Archive<'a>, recover: Recover<'_>) -> Result<Table<'a>> {
        let sections = Sections::of(&archive)?;
        let words = sections.words(&archive, recover)?;
        let generation = sections.generation();
        let entries = archive.entries();
        let is_row = |entry: &Entry| !Sections::has(generation, entry);
        let first = entries.iter().position(is_row).unwrap_or(entries.len());
        let first_record = entries.get(first).map(|entry| entry.size.get());
        let layout = Layout { generation, words, first_record };
        let (fields, names, refused) = self.plan(layout, &sections);
        let wide = fields.last().is_some_and(|field| field.kind() == FieldKind::Uint64);
        // At most `MAX_WORDS` and one.
        let count = words.len().saturating_add(usize::from(wide));
        let record_size = u32::try_from(count.saturating_mul(4)).unwrap_or(u32::MAX);
        let rows = entries.get(first..).unwrap_or(&[]);
        let dense = dense(archive.source(), rows, record_size);
        // A name that is a section's among the records, or a record that is not all there, makes the rows a list.
        let regular = dense.is_some() && rows.iter().all(is_row);
        let picks = if regular { None } else { picks(&archive, first, record_size, is_row, recover)? };
        let strings = Strings::new(sections.string.map_or(&[], |section| section.data()));
        let elements = fields.iter().filter(|field| field.array().is_some()).count();
        let (arrays, arrays_refused) = StringArrays::of(&sections, strings, elements);
        Ok(Table {
            archive,
            sections,
            words,
            fields,
            names,
            refused,
            record_size,
            first,
            dense: if regular { dense } else { None },
            picks,
            strings,
            arrays,
            arrays_refused,
        })
    }

    /// The fields, where their names come from, and why better names were not trusted.
    #[expect(clippy::type_complexity, reason = "three things that belong together here and nowhere else")]
    fn plan(
        &self,
        layout: Layout<'_>,
        sections: &Sections<'a>,
    ) -> (Vec<Field<'a>>, Names<'a>, Option<(Option<&'a Schema>, Refusal)>) {
        let mut refused = None;
        if let Some(names) = sections.item_names() {
            match plan::named(names.map(Cow::Borrowed), layout, false) {
                Ok(fields) => return (fields, Names::Embedded, None),
                Err(refusal) => refused = Some((None, refusal)),
            }
            return (plan::generated(layout, sections), Names::Generated, refused);
        }
        for schema in self.schemas_for(sections.layout_version()) {
            let names = || schema.fields().iter().map(|name| name.as_bytes());
            let planned = plan::named(names().map(Cow::Borrowed), layout, true);
            match planned.and_then(|fields| plan::same_kinds(names(), sections).map(|()| fields)) {
                Ok(fields) => return (fields, Names::Schema(schema), refused),
                Err(refusal) => refused = refused.or(Some((Some(schema), refusal))),
            }
        }
        (plan::generated(layout, sections), Names::Generated, refused)
    }
}

/// The bytes of the records, if each of the size that it must have follows the one before.
fn dense<'a>(source: Source<'a>, rows: &[Entry], size: u32) -> Option<&'a [u8]> {
    if size == 0 {
        return None;
    }
    let start = rows.first().map_or(0, |entry| u64::from(entry.offset.get()));
    let mut next = start;
    let follows = rows.iter().all(|entry| {
        let here = u64::from(entry.offset.get()) == next && entry.size.get() == size;
        next = next.saturating_add(size.into());
        here
    });
    follows.then(|| source.slice(start, next.saturating_sub(start), "records").ok()).flatten()
}

/// Records of a wrong size that are told of one by one.
const TOLD: u32 = 100;

/// Which entries are rows, where not simply all behind the first.
fn picks(
    archive: &Archive<'_>,
    first: usize,
    size: u32,
    is_row: impl Fn(&Entry) -> bool,
    recover: Recover<'_>,
) -> Result<Option<Vec<u32>>> {
    // A list only from the first entry on that is no row: a table whose records merely have gaps needs none.
    let mut picks: Option<Vec<u32>> = None;
    let mut told = 0_u32;
    for member in archive.members().skip(first) {
        let (entry, index) = (member.entry(), member.index());
        let before = || (u32::try_from(first).unwrap_or(u32::MAX)..index).collect();
        if !is_row(entry) {
            picks.get_or_insert_with(before);
            continue;
        }
        // A damaged list of types makes every record wrong: the first tell enough, and `check` counts those left out.
        if entry.size.get() != size && told < TOLD {
            told = told.saturating_add(1);
            let kind = ErrorKind::Mismatch { want: size.into(), found: entry.size.get().into() };
            let field = core::mem::offset_of!(Entry, size) as u64;
            let at = entry_at(index).saturating_add(field);
            let error: Error = archive.source().error(kind, "size of record entry", at);
            recover(error.with_index(index))?;
        }
        if (member.data().len() as u64) < u64::from(size.max(entry.size.get())) {
            picks.get_or_insert_with(before);
            continue;
        }
        if let Some(picks) = &mut picks {
            picks.push(index);
        }
    }
    Ok(picks)
}

impl<'a> Table<'a> {
    /// Opens a table; afterwards no value can fail to be there.
    ///
    /// # Errors
    ///
    /// Those of [`Archive::parse`] and [`TableOptions::table`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        TableOptions::new().table(Archive::parse(bytes)?)
    }

    /// Opens a table that has no field names with those of a schema; a table's own names go before.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse); a schema that does not fit the table's type lists:
    /// [`TableOptions::schema`] opens the table all the same, and [`refused`](Self::refused) then says all about it.
    pub fn parse_with(bytes: &'a [u8], schema: &'a Schema) -> Result<Self> {
        let archive = Archive::parse(bytes)?;
        let table = TableOptions::new().schema(schema).table(archive)?;
        if let Some((Some(_), refusal)) = table.refused {
            let list = table.sections.type_list().map_or(archive.source(), |list| list.source());
            return Err(list.error(ErrorKind::Corrupt { why: refusal.why() }, "schema against the list of types", 0));
        }
        Ok(table)
    }

    /// The archive that the table is.
    #[inline]
    pub const fn archive(&self) -> Archive<'a> {
        self.archive
    }

    /// The sections.
    #[inline]
    pub const fn sections(&self) -> &Sections<'a> {
        &self.sections
    }

    /// Which kind of table it is.
    #[inline]
    pub const fn generation(&self) -> Generation {
        self.sections.generation()
    }

    /// `!!version`, which tells the layout of the records.
    pub fn layout_version(&self) -> Option<u32> {
        self.sections.layout_version()
    }

    /// `!!sheetname`, where there is one.
    pub fn sheet_name(&self) -> Option<&'a [u8]> {
        self.sections.sheet_name()
    }

    /// The types of a record's words.
    #[inline]
    pub const fn words(&self) -> WordTypes<'a> {
        self.words
    }

    /// Bytes of a record.
    #[inline]
    pub const fn record_size(&self) -> u32 {
        self.record_size
    }

    /// The fields of a record, in its order.
    #[inline]
    pub fn fields(&self) -> &[Field<'a>] {
        &self.fields
    }

    /// The field of a name.
    pub fn field(&self, name: &[u8]) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.name() == name)
    }

    /// Where the names of the fields come from.
    #[inline]
    pub const fn names(&self) -> Names<'a> {
        self.names
    }

    /// Why better names were not trusted, and which: a schema's, or else the table's own.
    #[inline]
    pub const fn refused(&self) -> Option<(Option<&'a Schema>, Refusal)> {
        self.refused
    }

    /// The pool of strings.
    #[inline]
    pub const fn strings(&self) -> Strings<'a> {
        self.strings
    }

    /// The arrays of strings.
    #[inline]
    pub const fn string_arrays(&self) -> StringArrays<'a> {
        self.arrays
    }

    /// Why the arrays of strings that the table has, or should have, are not used.
    #[inline]
    pub const fn arrays_refused(&self) -> Option<ArraysRefusal> {
        self.arrays_refused
    }

    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.picks_view().len()
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows, in file order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_, 'a>> + DoubleEndedIterator {
        let picks = self.picks_view();
        let nothing = &NO_ENTRY;
        (0..picks.len()).map(move |index| self.view(picks.get(index).unwrap_or(nothing), index))
    }

    /// The row number `index`.
    pub fn row_at(&self, index: usize) -> Option<Row<'_, 'a>> {
        Some(self.view(self.picks_view().get(index)?, index))
    }

    /// The first row of a name, all bytes of it: by halving where the names are sorted, else one after the other.
    pub fn row(&self, name: &[u8]) -> Option<Row<'_, 'a>> {
        let (entries, sorted) = (self.archive.entries(), self.archive.is_sorted());
        let index = match &self.picks {
            None => archive::find(entries.get(self.first..)?, sorted, name)?,
            Some(picks) if sorted => {
                let entry = u32::try_from(archive::find(entries, sorted, name)?).ok()?;
                picks.binary_search(&entry).ok()?
            }
            Some(_) => {
                let picks = self.picks_view();
                (0..picks.len()).find(|&row| picks.get(row).is_some_and(|entry| entry.name.as_bytes() == name))?
            }
        };
        self.row_at(index)
    }

    /// One field of every record, as one type: settled here, and then read without asking again.
    ///
    /// # Errors
    ///
    /// No field of that name, or one of another type.
    pub fn column<T: ColumnType<'a>>(&self, name: &str) -> core::result::Result<Column<'_, 'a, T>, FieldError> {
        Column::settle(self, name)
    }

    /// The column of a field; none where the field holds another type.
    pub fn column_of<T: ColumnType<'a>>(&self, field: &Field<'_>) -> Option<Column<'_, 'a, T>> {
        Column::of(self, field)
    }

    /// Whether an entry is one of the table's sections, and not a record.
    pub fn is_section(&self, entry: &Entry) -> bool {
        Sections::has(self.generation(), entry)
    }

    pub(crate) fn records(&self) -> Records<'_, 'a> {
        match (self.dense, usize::try_from(self.record_size)) {
            (Some(bytes), Ok(size)) => Records::Dense(bytes, size),
            _ => Records::Listed(self.archive.source(), self.picks_view()),
        }
    }

    fn picks_view(&self) -> Picks<'_, 'a> {
        let entries = self.archive.entries();
        match &self.picks {
            None => Picks::All(entries.get(self.first..).unwrap_or(&[])),
            Some(picks) => Picks::Chosen(entries, picks),
        }
    }

    fn view<'t>(&'t self, entry: &'a Entry, index: usize) -> Row<'t, 'a> {
        Row { table: self, entry, index, data: column::data(self.archive.source(), entry) }
    }
}

static NO_ENTRY: Entry = zerocopy::transmute!([0_u8; 32]);

/// One record of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'t, 'a> {
    table: &'t Table<'a>,
    entry: &'a Entry,
    index: usize,
    data: &'a [u8],
}

impl<'t, 'a> Row<'t, 'a> {
    /// The record's name: up to 16 bytes, never trimmed.
    #[inline]
    pub fn name(&self) -> &'a [u8] {
        self.entry.name.as_bytes()
    }

    /// Which row of the table this is, counted from 0.
    #[inline]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The record's entry in the archive's table.
    #[inline]
    pub const fn entry(&self) -> &'a Entry {
        self.entry
    }

    /// The record's bytes, in place; a record that a lossy parse found too long has all of them.
    #[inline]
    pub const fn data(&self) -> &'a [u8] {
        self.data
    }

    /// The record's words, in place.
    #[inline]
    pub fn words(&self) -> &'a [U32] {
        longs(self.data)
    }

    /// The bytes behind the fields, of a record that is too long.
    pub fn extra(&self) -> &'a [u8] {
        usize::try_from(self.table.record_size).ok().and_then(|size| self.data.get(size..)).unwrap_or(&[])
    }

    /// The value of a field; none where there is no field of that name.
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        self.value(self.table.field(name.as_bytes())?)
    }

    /// The value of one of the table's fields; none where the field is another table's and lies behind the record.
    #[inline]
    pub fn value(&self, field: &Field<'_>) -> Option<Value<'a>> {
        Value::of(self.table, field, self.data)
    }

    /// Every field with its value, in the record's order.
    pub fn values(&self) -> impl Iterator<Item = (&'t Field<'a>, Value<'a>)> + use<'t, 'a> {
        let this = *self;
        this.table.fields.iter().filter_map(move |field| Some((field, this.value(field)?)))
    }
}

worldview_core::assert_send_sync!(Table<'_>, Row<'_, '_>);
