mod open;

use worldview_core::{ErrorKind, Result, Source};
use zerocopy::big_endian::U32;

use crate::archive::Archive;
use crate::finding::Finding;
use crate::lookup::find;
use crate::plan::{self, Field};
use crate::raw::Entry;
use crate::records::{self, Records, RowIndex};
use crate::refusal::{ArraysRefusal, Refusal};
use crate::schema::Schema;
use crate::sections::{Generation, Sections, WordTypes, longs};
use crate::strings::{ArrayParts, OverlongStrings, StringArrays, Strings};

pub use open::TableOptions;

/// The origin of a table's field names.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameOrigin<'a> {
    /// The table includes them.
    Embedded,
    /// They are from a schema that fits the table's type lists.
    Schema(&'a Schema),
    /// They are generated from the indexes of the words.
    Generated,
}

impl NameOrigin<'_> {
    /// Returns `embedded`, `schema` or `generated`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Schema(_) => "schema",
            Self::Generated => "generated",
        }
    }
}

/// A WDB table: an archive whose members are sections and records. See [Table](crate::format#table).
#[derive(Clone)]
pub struct Table<'a> {
    sections: Sections<'a>,
    words: WordTypes<'a>,
    fields: Vec<Field<'a>>,
    name_origin: NameOrigin<'a>,
    schema_mismatch: Option<(Option<&'a Schema>, Refusal)>,
    record_size: u32,
    /// The index of the first entry that is a row. All entries after it are rows, too, unless `row_entries` lists the rows.
    first: usize,
    row_entries: Option<Vec<u32>>,
    dense: Option<&'a [u8]>,
    pool: &'a [u8],
    overlong: OverlongStrings,
    arrays: ArrayParts<'a>,
    arrays_refused: Option<ArraysRefusal>,
}

worldview_core::debug_summary!("Table", Table<'_>, |this| generation: this.generation(), rows: this.len(), fields: this.fields.len(), names: this.name_origin.name(), record_size: this.record_size);

impl<'a> Table<'a> {
    /// Opens a table, and checks that every value lies inside it.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Archive::parse`] and [`TableOptions::table`].
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// use worldview_wpd::{Table, Value};
    ///
    /// let table = Table::parse(file)?;
    /// let row = table.by_name("apple_dried").expect("the sample has this record");
    /// assert!(matches!(row.get("uPurchasePrice"), Some(Value::U32(_))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        TableOptions::new().table(Archive::parse(source)?)
    }

    /// Opens as much of a table as possible: truncated members are empty, records that are too short are left out, and
    /// both are reported.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Archive::parse_lossy`] and [`TableOptions::table_lossy`].
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// use worldview_wpd::Table;
    ///
    /// let mut findings = Vec::new();
    /// let table = Table::parse_lossy(file, &mut |finding| findings.push(finding))?;
    /// assert!(findings.is_empty() && !table.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse_lossy(source: impl Into<Source<'a>>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Self> {
        let archive = Archive::parse_lossy(source, report)?;
        TableOptions::new().table_lossy(archive, report)
    }

    /// Opens a table using the field names of a schema. The table's own names, if any, take precedence.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`parse`](Self::parse), and if the schema does not fit the table's type
    /// lists. In the latter case, [`TableOptions::schema`] opens the table anyway, and [`schema_mismatch`](Self::schema_mismatch)
    /// returns the details.
    pub fn parse_with(source: impl Into<Source<'a>>, schema: &'a Schema) -> Result<Self> {
        let archive = Archive::parse(source)?;
        let table = TableOptions::new().schema(schema).table(archive)?;
        if let Some((Some(_), refusal)) = table.schema_mismatch {
            let list = table.sections.type_list().map_or(archive.source(), |list| list.source());
            return Err(list.error(
                ErrorKind::Corrupt { why: refusal.why() },
                "list of types that the schema is for",
                0,
            ));
        }
        Ok(table)
    }

    /// Returns the underlying archive.
    #[inline]
    pub const fn archive(&self) -> Archive<'a> {
        self.sections.archive()
    }

    /// Returns the sections.
    #[inline]
    pub const fn sections(&self) -> &Sections<'a> {
        &self.sections
    }

    /// Returns the generation of the table.
    #[inline]
    pub const fn generation(&self) -> Generation {
        self.sections.generation()
    }

    /// Returns the number in `!!version`, which identifies the layout of the records.
    pub fn layout_version(&self) -> Option<u32> {
        self.sections.layout_version()
    }

    /// Returns the name in `!!sheetname`, if there is one. Tables of Final Fantasy XIII have none; see [`sheet`](Self::sheet).
    pub fn sheet_name(&self) -> Option<&'a [u8]> {
        self.sections.sheet_name()
    }

    /// Returns the name of the table's sheet: the one in `!!sheetname`, or else that of the schema that the field names come
    /// from. `None` if neither has a name.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// assert_eq!((table.sheet_name(), table.sheet()), (None, Some(&b"Item"[..])));
    /// # Ok(())
    /// # }
    /// ```
    pub fn sheet(&self) -> Option<&'a [u8]> {
        let of_schema = || match self.name_origin {
            NameOrigin::Schema(schema) => Some(schema.name().as_bytes()),
            _ => None,
        };
        self.sheet_name().or_else(of_schema).filter(|name| !name.is_empty())
    }

    /// Returns the types of a record's words.
    #[inline]
    pub const fn words(&self) -> WordTypes<'a> {
        self.words
    }

    /// Returns the size of a record, in bytes.
    #[inline]
    pub const fn record_size(&self) -> u32 {
        self.record_size
    }

    /// Returns the fields of a record, in record order.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// for field in table.fields() {
    ///     println!("{}: {}, {} bits", field.name().escape_ascii(), field.kind(), field.width());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn fields(&self) -> &[Field<'a>] {
        &self.fields
    }

    /// Returns the field with this name, or `None`.
    pub fn field(&self, name: impl AsRef<[u8]>) -> Option<&Field<'a>> {
        let name = name.as_ref();
        self.fields.iter().find(|field| field.name() == name)
    }

    /// Returns the bits of packed words that no field owns, at most one field per word, named by place: `word65_bits29_31`.
    ///
    /// They are zero in most tables. Each is a `u32` for [`column_of`](Self::column_of) and [`Row::value`];
    /// [`fields`](Self::fields) does not include them.
    pub fn unowned_bits(&self) -> impl Iterator<Item = Field<'static>> + use<> {
        plan::unowned_fields(&self.fields)
    }

    /// Returns the origin of the field names.
    #[inline]
    pub const fn name_origin(&self) -> NameOrigin<'a> {
        self.name_origin
    }

    /// Returns why better names were refused, and whose: a schema's, or the table's own if the schema is `None`.
    #[inline]
    pub const fn schema_mismatch(&self) -> Option<(Option<&'a Schema>, Refusal)> {
        self.schema_mismatch
    }

    /// Returns the string pool.
    #[inline]
    pub const fn strings(&self) -> Strings<'_, 'a> {
        Strings::new(self.pool, &self.overlong)
    }

    /// Returns the string arrays.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/bestiary.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// for array in table.string_arrays() {
    ///     for text in array.iter().flatten() {
    ///         println!("{}", text.escape_ascii());
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub const fn string_arrays(&self) -> StringArrays<'_, 'a> {
        StringArrays::new(self.arrays, self.strings())
    }

    /// Returns why the string arrays that the table has, or should have, are not used.
    #[inline]
    pub const fn arrays_refused(&self) -> Option<ArraysRefusal> {
        self.arrays_refused
    }

    /// Returns the number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.row_index().len()
    }

    /// Returns whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an iterator over the rows, in file order.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// let names: Vec<_> = table.rows().map(|row| row.name()).collect();
    /// assert_eq!(names.len(), 40);
    /// assert_eq!(table.rows().next_back().map(|row| row.index()), Some(39));
    /// # Ok(())
    /// # }
    /// ```
    pub fn rows(&self) -> Rows<'_, 'a> {
        Rows::new(self)
    }

    /// Returns the row at `index`, counted from 0.
    pub fn get(&self, index: usize) -> Option<Row<'_, 'a>> {
        Some(self.view(self.row_index().get(index)?, index))
    }

    /// Returns the row that is the member of the [archive](Self::archive) at `index`, or `None` if that is a section or is left out.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
    /// let table = worldview_wpd::Table::parse(file)?;
    /// let member = table.archive().by_name("apple_dried").expect("the sample has this record");
    /// assert_eq!(table.row_of(member.index()).map(|row| row.name()), Some(member.name()));
    /// assert!(table.row_of(0).is_none(), "the first member is a section");
    /// # Ok(())
    /// # }
    /// ```
    pub fn row_of(&self, index: usize) -> Option<Row<'_, 'a>> {
        match &self.row_entries {
            None => self.get(index.checked_sub(self.first)?),
            Some(row_entries) => self.get(row_entries.binary_search(&u32::try_from(index).ok()?).ok()?),
        }
    }

    /// Returns the first row with exactly this name: binary search if the names are sorted, linear otherwise.
    pub fn by_name(&self, name: impl AsRef<[u8]>) -> Option<Row<'_, 'a>> {
        let name = name.as_ref();
        let (entries, sorted) = (self.archive().entries(), self.archive().is_sorted());
        let index = match &self.row_entries {
            None => find(entries.get(self.first..)?, sorted, name)?,
            Some(row_entries) if sorted => {
                let entry = u32::try_from(find(entries, sorted, name)?).ok()?;
                row_entries.binary_search(&entry).ok()?
            }
            Some(_) => {
                let row_entries = self.row_index();
                (0..row_entries.len())
                    .find(|&row| row_entries.get(row).is_some_and(|entry| entry.name.as_bytes() == name))?
            }
        };
        self.get(index)
    }

    /// Returns whether an entry is one of the table's sections rather than a record.
    pub fn is_section(&self, entry: &Entry) -> bool {
        Sections::has(self.generation(), entry)
    }

    pub(crate) fn records(&self) -> Records<'_, 'a> {
        match (self.dense, usize::try_from(self.record_size)) {
            (Some(bytes), Ok(size)) => Records::Dense(bytes, size),
            _ => Records::Listed(self.archive().source(), self.row_index()),
        }
    }

    fn row_index(&self) -> RowIndex<'_, 'a> {
        let entries = self.archive().entries();
        match &self.row_entries {
            None => RowIndex::All(entries.get(self.first..).unwrap_or(&[])),
            Some(row_entries) => RowIndex::Chosen(entries, row_entries),
        }
    }

    fn view<'t>(&'t self, entry: &'a Entry, index: usize) -> Row<'t, 'a> {
        Row { table: self, entry, index, data: records::data(self.archive().source(), entry) }
    }
}

worldview_core::index_iter! {
    /// An iterator over the rows of a [`Table`], in file order.
    pub struct Rows['t, 'a] over &'t Table<'a> => Row<'t, 'a>;
}

impl<'t, 'a> IntoIterator for &'t Table<'a> {
    type Item = Row<'t, 'a>;
    type IntoIter = Rows<'t, 'a>;

    #[inline]
    fn into_iter(self) -> Rows<'t, 'a> {
        self.rows()
    }
}

/// One record of a table.
#[derive(Clone, Copy)]
pub struct Row<'t, 'a> {
    table: &'t Table<'a>,
    entry: &'a Entry,
    index: usize,
    data: &'a [u8],
}

worldview_core::debug_summary!("Row", Row<'_, '_>, |this| index: this.index, name: worldview_core::quoted(this.name()));

impl<'t, 'a> Row<'t, 'a> {
    /// Returns the record's name: up to 16 bytes, never trimmed.
    #[inline]
    pub fn name(&self) -> &'a [u8] {
        self.entry.name.as_bytes()
    }

    /// Creates a record that is in no table.
    pub(crate) const fn alone(table: &'t Table<'a>, entry: &'a Entry, data: &'a [u8]) -> Self {
        Self { table, entry, index: 0, data }
    }

    pub(crate) const fn table(&self) -> &'t Table<'a> {
        self.table
    }

    /// Returns the index of the row in the table, counted from 0.
    #[inline]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Returns the record's entry in the archive.
    #[inline]
    pub const fn entry(&self) -> &'a Entry {
        self.entry
    }

    /// Returns the record's bytes, in place. They include the extra bytes of a record that is too long.
    #[inline]
    pub const fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Returns the record's words, in place.
    #[inline]
    pub fn words(&self) -> &'a [U32] {
        longs(self.data)
    }

    /// Returns the bytes after the fields, if the record is too long.
    pub fn extra(&self) -> &'a [u8] {
        usize::try_from(self.table.record_size).ok().and_then(|size| self.data.get(size..)).unwrap_or(&[])
    }
}

worldview_core::display_by_name!(NameOrigin<'_>);

worldview_core::assert_send_sync!(Table<'_>, Row<'_, '_>);
