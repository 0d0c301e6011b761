//! The findings about an archive or table that can still be opened.

use worldview_core::{ErrorKind, findings};

use crate::refusal::{ArraysRefusal, Refusal};

/// A finding about an archive or table.
pub type Finding<'a> = worldview_core::Finding<'a, FindingKind>;

findings! {
    /// Everything that a check of an archive or table can find. The codes are stable;
    /// [Findings](crate::format#findings)
    /// explains them.
    pub enum FindingKind {
        /// A part is truncated or cannot be read, and is left out.
        Fatal "broken" Broken { kind: ErrorKind } => "{kind}",
        /// Parts overlap so much that the walk stopped early.
        Suspicious "walk-limit" WalkLimit { kind: ErrorKind } => "parts overlap, and checking all of them {kind}; the rest is not checked",

        // Archives.
        /// The header was overwritten, and the number of entries was reconstructed.
        Fatal "header-damaged" HeaderDamaged { count: u32 } => "was overwritten; {count} entries were recovered from the first entry's data offset",
        /// An entry was overwritten, and rebuilt.
        Suspicious "entry-rebuilt" EntryRebuilt { what: &'static str } => "was overwritten; {what} was rebuilt from the entries that follow",
        /// A reserved word is not zero.
        Curious "reserved" Reserved { field: &'static str, value: u32 } => "{field} is {value:#x}, not 0",
        /// A text field has bytes after its NUL.
        Curious "text-tail" TextTail { field: &'static str } => "the {field} has bytes after its NUL",
        /// A member has no name.
        Suspicious "name-empty" NameEmpty => "has no name",
        /// A member has the same name as another.
        Suspicious "name-duplicate" NameDuplicate { first: u32 } => "has the same name as entry {first}; the game finds only one of them",
        /// A name contains a byte that file names cannot contain, or is `.` or `..`.
        Curious "name-unsafe" NameUnsafe { byte: u8 } => "the name is not valid as a file name because of its byte {byte:#04x}",
        /// The names of a table are out of order.
        Suspicious "unsorted" Unsorted { count: u64 } => "{count} names from here on are not greater than the name before them; the game uses a binary search",
        /// The data of a member begins inside the header or the entries.
        Suspicious "data-in-entries" DataInEntries { offset: u32 } => "the data begins at {offset}, inside the entries",
        /// Zero bytes between members that nothing refers to.
        Curious "gap" Gap { len: u64 } => "is preceded by {len} zero bytes that nothing refers to",
        /// Padding between members that is not zero.
        Suspicious "padding" Padding { len: u64 } => "is preceded by {len} bytes of padding that are not zero",
        /// Members share bytes.
        Curious "overlap" Overlap { len: u64 } => "shares {len} bytes with a member before it",
        /// The data of the members is not in the order of the entries.
        Curious "order" Order { count: u64 } => "the data of {count} entries from here on is stored before the data of the preceding entry",
        /// There are bytes after the last member.
        Curious "trailing-bytes" TrailingBytes { count: u64 } => "{count} bytes after the last member",

        // Sections of a table.
        /// A section has an unknown name.
        Curious "section-unknown" SectionUnknown { size: u32 } => "is an unknown section of {size} bytes",
        /// A section is missing that tables of this generation have.
        Suspicious "section-missing" SectionMissing { section: &'static str } => "there is no {section}",
        /// A section has the wrong size.
        Suspicious "section-size" SectionSize { found: u32, expected: u32 } => "has {found} bytes, expected {expected}",
        /// A member of a table has an extension.
        Curious "extension" Extension => "has an extension, unlike the members of known tables",
        /// The table has both lists of word types, and they differ.
        Suspicious "type-lists-differ" TypeListsDiffer => "the two lists of word types differ; the list of bytes is used",
        /// A word type is unknown.
        Suspicious "type-unknown" TypeUnknown { word: u32, found: u32 } => "word {word} has the unknown type {found}",
        /// A field kind is unknown.
        Suspicious "kind-unknown" KindUnknown { index: u32, found: u32 } => "field {index} has the unknown kind {found}",
        /// The kinds of the fields do not match their names.
        Suspicious "kinds-differ" KindsDiffer { why: Refusal } => "{why}",

        // Names of fields.
        /// The table's own field names do not fit its words.
        Suspicious "names-refused" NamesRefused { why: Refusal } => "the field names do not fit the table and are not used: {why}",
        /// The schema for this table does not fit its words.
        Suspicious "schema-refused" SchemaRefused { why: Refusal } => "the schema does not fit the table and is not used: {why}",
        /// The number of names differs from the number stored.
        Suspicious "field-count" FieldCount { found: u32, names: usize } => "gives a count of {found} fields, but there are {names} names",
        /// The last name has no NUL.
        Suspicious "field-name-unterminated" FieldNameUnterminated => "the last name has no NUL",
        /// Several fields have the same name.
        Suspicious "field-name-duplicate" FieldNameDuplicate { index: usize } => "name {index} is already used by an earlier field; the field is identified by its position",
        /// A field's name implies another type than its word has.
        Suspicious "field-type" FieldType { word: u32, found: u32 } => "is for word {word}, whose type {found} takes precedence",

        // Records.
        /// Records are too short or truncated, and are left out.
        Fatal "records-left-out" RecordsLeftOut { count: usize } => "records that are too short or truncated are skipped: {count}",
        /// There are no records.
        Curious "no-records" NoRecords => "the table has no records",
        /// Records do not begin at multiples of four.
        Curious "misaligned" Misaligned { count: u64, offset: u32 } => "records do not begin at multiples of 4: {count}, the first at {offset}",
        /// Records contain what an extractor writes over data.
        Suspicious "records-overwritten" RecordsOverwritten { count: u64, row: usize } => "records contain d8 ad ff 00, which a common extractor writes over data: {count}, the first is record {row}",
        /// String offsets lie outside the pool.
        Fatal "string-outside" StringOutside { count: u64, row: usize, offset: u32, pool: usize } => "{count} strings are outside the pool of {pool} bytes; the first is at {offset}, in record {row}",
        /// The pool does not end with a NUL.
        Suspicious "strings-unterminated" StringsUnterminated => "the last string has no NUL",
        /// The pool is not UTF-8.
        Suspicious "strings-not-utf8" StringsNotUtf8 { offset: usize } => "byte {offset} is not UTF-8",
        /// A float is infinite or NaN.
        Suspicious "float-not-finite" FloatNotFinite { count: u64, row: usize } => "{count} values are infinite or NaN; the first is in record {row}",
        /// Bits that no field owns are set.
        Curious "bits-unused" BitsUnused { word: u32, bits: u32, count: u64, row: usize } => "word {word} has unused bits {bits:#x}; records that set some: {count}, the first is record {row}",

        // Arrays of strings.
        /// The arrays of strings are inconsistent.
        Suspicious "arrays-refused" ArraysRefused { why: ArraysRefusal } => "the arrays of strings are not used: {why}",
        /// The unused bytes of `!!strArrayInfo` are not zero.
        Curious "arrays-info" ArraysInfo { value: u32 } => "is {value:#010x}; its first two bytes are 0 in known tables",
        /// An array begins outside the section, or after the next array.
        Suspicious "array-start" ArrayStart { start: u32, len: usize } => "the array begins at {start}, after the next array or outside the {len} bytes",
        /// The index of an element lies outside its array.
        Fatal "element-outside" ElementOutside { count: u64, row: usize, index: u32, len: usize } => "{count} indices are outside the array of {len} elements; the first is {index}, in record {row}",
        /// The string offset of an element lies outside the pool.
        Suspicious "element-string-outside" ElementStringOutside { count: u64, index: usize, offset: u32 } => "{count} elements have offsets outside the strings; the first is element {index}, with offset {offset}",
    }
}
