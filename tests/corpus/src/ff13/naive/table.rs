//! Sections, word types and records of a table.

use super::archive::{Entry, entries};
use super::names::{Words, generated, part_duplicates, plan, schema_agrees, split};
use super::strings::{Sections, arrays, text};
use super::{
    Budget, NaiveError, NaiveField, NaiveNames, NaiveRow, NaiveTable, NaiveType, NaiveValue, Result, VALUE, budget,
    bytes_at, u32_at, until_nul, wide,
};
use crate::ff13::spec::Generation;

/// Maximum number of words in a record.
const MAX_WORDS: usize = 65_536;

/// The file and its entries.
struct Source<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
}

impl Source<'_> {
    fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name.as_bytes())
    }

    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Returns the bytes of the first section with that name.
    fn section(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.find(name).map(|entry| entry.data(self.bytes)).transpose()
    }

    /// Returns the first word of a section, or `None` if the section is shorter.
    fn word(&self, name: &str) -> Result<Option<u32>> {
        Ok(self.section(name)?.and_then(|data| u32_at(&data, 0).ok()))
    }

    /// Returns the words of a section.
    fn words(&self, name: &str) -> Result<Option<Vec<u32>>> {
        let Some(entry) = self.find(name) else {
            return Ok(None);
        };
        let data = entry.data(self.bytes)?;
        if !data.len().is_multiple_of(4) {
            return Err(NaiveError::new(entry.at + 20, format!("{name} has {} bytes", data.len())));
        }
        let mut words = Vec::new();
        for at in (0..wide(data.len())).step_by(4) {
            words.push(u32_at(&data, at)?);
        }
        Ok(Some(words))
    }

    fn generation(&self) -> Result<Generation> {
        if self.has("!!strtypelistb") {
            Ok(Generation::G3)
        } else if self.has("!!strtypelist") {
            Ok(if self.has("!structitem") { Generation::G3Prime } else { Generation::G2 })
        } else if self.has("!!typelist") {
            Ok(Generation::G1)
        } else if self.has("__typelist") {
            Ok(Generation::G0)
        } else {
            Err(NaiveError::new(16, "not a table: there is no list of types"))
        }
    }
}

/// Parses a table, or returns the first error in it. `schema` names the fields of a file without embedded names.
pub fn table(bytes: &[u8], schema: Option<&[&str]>) -> Result<NaiveTable> {
    let source = Source { bytes, entries: entries(bytes)? };
    let mut budget = budget(bytes);
    let generation = source.generation()?;
    // Read even if the word types come from another section, so that errors in it are found.
    let long_types = source.words("!!strtypelist")?;
    let typelist = source.words("!!typelist")?;
    let (word_types, typelist) = match generation {
        Generation::G0 => (source.words("__typelist")?, None),
        Generation::G1 => (typelist, None),
        Generation::G2 | Generation::G3Prime => (long_types, typelist),
        Generation::G3 => {
            let bytes = source.section("!!strtypelistb")?;
            (bytes.map(|bytes| bytes.into_iter().map(u32::from).collect()), typelist)
        }
    };
    let word_types = word_types.unwrap_or_default();
    if word_types.len() > MAX_WORDS {
        return Err(NaiveError::new(16, format!("records of {} words", word_types.len())));
    }

    let is_section = |entry: &Entry| {
        let start: &[u8] = match generation {
            Generation::G0 => b"__",
            Generation::G1 | Generation::G2 => b"!!",
            Generation::G3 | Generation::G3Prime => b"!",
        };
        entry.name.starts_with(start)
            || entry.name.starts_with(b"!structitem")
            || generation == Generation::G0 && entry.name.starts_with(b"!")
    };
    let records: Vec<&Entry> = source.entries.iter().filter(|entry| !is_section(entry)).collect();
    let words = Words {
        generation,
        types: &word_types,
        typelist: typelist.as_deref(),
        first_record: records.first().map(|entry| entry.size),
    };
    let announced =
        source.section("!structitemnum")?.and_then(|bytes| bytes.first_chunk().map(|word| u32::from_be_bytes(*word)));
    let (names, fields) = choose(source.section("!structitem")?, announced, schema, &words);

    let is_longer = fields.last().is_some_and(|field| field.value == NaiveType::U64);
    let record_size = 4 * word_types.len() + if is_longer { 4 } else { 0 };
    for entry in &records {
        if u64::from(entry.size) != wide(record_size) {
            let what = format!("a record of {} bytes instead of {record_size}", entry.size);
            return Err(NaiveError::new(entry.at + 20, what));
        }
    }

    let pool = source.section(if generation == Generation::G0 { "__string" } else { "!!string" })?;
    let pool = pool.unwrap_or_default();
    let sections = Sections {
        info: source.section("!!strArrayInfo")?,
        list: source.section("!!strArrayList")?,
        words: source.section("!!strArray")?,
    };
    let array_count = fields.iter().filter(|field| field.array.is_some()).count();
    let arrays = arrays(&sections, array_count, &pool, &mut budget)?;
    let mut rows = Vec::new();
    for entry in records {
        let mut values = Vec::new();
        for field in &fields {
            budget.spend(entry.at, VALUE)?;
            let raw = raw_value(bytes, entry, field)?;
            values.push(value(raw, field, &pool, &arrays, &mut budget)?);
        }
        rows.push(NaiveRow {
            name: entry.name.clone(),
            extension: entry.extension.clone(),
            tails: entry.tails.clone(),
            values,
            data: entry.data(bytes)?,
        });
    }
    let sheet_name = source.section("!!sheetname")?.map(|name| until_nul(&name));
    Ok(NaiveTable {
        generation,
        sheet_name,
        version: source.word("!!version")?,
        field_count: source.word("!structitemnum")?,
        names,
        fields,
        record_size,
        rows,
        arrays,
        typelist,
        word_types,
    })
}

/// Picks the names embedded in the file, else those of the schema, else generated ones.
fn choose(
    embedded: Option<Vec<u8>>,
    announced: Option<u32>,
    schema: Option<&[&str]>,
    words: &Words<'_>,
) -> (NaiveNames, Vec<NaiveField>) {
    let chosen = match (embedded, schema) {
        (Some(section), _) => {
            plan(&without_padding(split(&section), announced), words).map(|fields| (NaiveNames::Embedded, fields))
        }
        (None, Some(schema)) => {
            let names: Vec<Vec<u8>> = schema.iter().map(|name| name.as_bytes().to_vec()).collect();
            let fields = plan(&names, words).filter(|fields| schema_agrees(fields, words));
            fields.map(|fields| (NaiveNames::Schema, fields))
        }
        (None, None) => None,
    };
    let (names, mut fields) = chosen.unwrap_or_else(|| (NaiveNames::Generated, generated(words)));
    part_duplicates(&mut fields);
    (names, fields)
}

/// Drops the names behind as many as there should be, if all of them are empty.
fn without_padding(mut names: Vec<Vec<u8>>, announced: Option<u32>) -> Vec<Vec<u8>> {
    if let Some(count) = announced.map(|count| count as usize)
        && names.iter().skip(count).all(Vec::is_empty)
    {
        names.truncate(count);
    }
    names
}

/// Extracts the bits of a field one at a time.
fn raw_value(bytes: &[u8], entry: &Entry, field: &NaiveField) -> Result<u64> {
    let at = u64::from(entry.offset) + 4 * wide(field.word);
    let mut word = 0;
    for byte in bytes_at(bytes, at, if field.width == 64 { 8 } else { 4 })? {
        word = word << 8 | u64::from(byte);
    }
    let mut raw = 0;
    for bit in 0..field.width {
        raw |= (word >> (field.shift + bit) & 1) << bit;
    }
    Ok(raw)
}

fn value(
    raw: u64,
    field: &NaiveField,
    pool: &[u8],
    arrays: &[Vec<Option<Vec<u8>>>],
    budget: &mut Budget,
) -> Result<NaiveValue> {
    // Fields other than double words have at most 32 bits.
    let low = u32::try_from(raw).unwrap_or(u32::MAX);
    Ok(match field.value {
        NaiveType::U64 => NaiveValue::U64(raw),
        NaiveType::U32 => NaiveValue::U32(low),
        NaiveType::F32 => NaiveValue::F32(low),
        NaiveType::I32 => {
            let sign = 1_i64 << (field.width - 1);
            let value = i64::from(low);
            let value = if value >= sign { value - 2 * sign } else { value };
            NaiveValue::I32(i32::try_from(value).unwrap_or(i32::MIN))
        }
        NaiveType::Text => match field.array {
            None => NaiveValue::Text(text(pool, low, budget)?),
            Some(k) => {
                let index = usize::try_from(low).unwrap_or(usize::MAX);
                let element = arrays.get(k).and_then(|array| array.get(index)).cloned().flatten();
                budget.spend(0, wide(element.as_ref().map_or(0, Vec::len)))?;
                NaiveValue::Text(element)
            }
        },
    })
}
