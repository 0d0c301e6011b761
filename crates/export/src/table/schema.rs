use std::io::Write;

use worldview_wpd::{Field, FieldKind, NameOrigin, Table, is_field_name};

use crate::Result;
use crate::write::Out;
use worldview_inspect::Bound;

/// Writes the field plan as a schema file that can be edited and passed back. See
/// [Schema files](worldview_wpd::format#schema-files).
///
/// Fields without a known name get names that express their kind and position. A word of packed bits with an unknown
/// layout gets one name for all its bits; the schema only fits the table once the word has been divided as required
/// by `!!typelist`.
///
/// ```
/// # use worldview_corpus::ff13::{build::build_table, spec::{CellSpec, Generation, TableSpec}};
/// use worldview_export::table::schema_file;
/// use worldview_wpd::Table;
///
/// # let spec = TableSpec::new(Generation::G3, &["iPrice"]).row("potion", [CellSpec::Int(50)]);
/// # let file = build_table(&spec).bytes;
/// let table = Table::parse(&file)?;
/// let mut schema = Vec::new();
/// schema_file(&table, &mut schema)?;
/// assert!(String::from_utf8(schema)?.contains("\n  iPrice  # word 0, int\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the output exceeds its limit or writing to `out` fails.
pub fn schema_file(table: &Table<'_>, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    about(table, &mut out)?;
    sheet(table, &mut out);
    let mut versions = table.layout_version().into_iter().collect::<Vec<_>>();
    if let NameOrigin::Schema(schema) = table.name_origin() {
        versions.extend(schema.versions().iter().filter(|&&version| Some(version) != table.layout_version()));
    }
    if !versions.is_empty() {
        out.put(b"  version");
        for version in versions {
            write!(out, " {version:#010x}")?;
        }
        out.put(b"\n");
    }
    if let NameOrigin::Schema(schema) = table.name_origin()
        && !schema.files().is_empty()
    {
        writeln!(out, "  file {}", schema.files().join(" "))?;
    }
    for field in table.fields() {
        let kept = plain(field.name()).filter(|_| is_name(field));
        match kept {
            Some(name) => write!(out, "  {name}")?,
            None => write!(out, "  {}", substitute(field))?,
        }
        write!(out, "  # word {}", field.word())?;
        match field.width() {
            _ if !field.kind().is_packed() => {}
            1 => write!(out, ", bit {}", field.bit())?,
            width => write!(out, ", bits {} to {}", field.bit(), field.bit() + width - 1)?,
        }
        write!(out, ", {}", field.kind().name())?;
        match (field.kind(), kept) {
            (FieldKind::Raw, _) => match usize::try_from(field.word()).ok().and_then(|word| table.words().get(word)) {
                Some(0) => out.put(b": one integer, or packed fields to be named here"),
                other => write!(out, ": of type {}, which no schema can name", other.unwrap_or(0))?,
            },
            (_, None) if table.name_origin() != NameOrigin::Generated => {
                out.put(b": in place of ");
                quoted(field.name(), &mut out.bytes);
            }
            _ => {}
        }
        out.end_row()?;
    }
    out.finish()
}

/// Writes comments for people who edit the file.
fn about(table: &Table<'_>, out: &mut Out<impl Write>) -> Result<()> {
    write!(out, "# {} words", table.words().len())?;
    if let Some(kinds) = table.sections().kinds() {
        let count = |kind: u32| kinds.iter().filter(|word| word.get() == kind).count();
        let [ints, floats, strings, uints] = [count(0), count(1), count(2), count(3)];
        write!(out, "; fields, by !!typelist: {ints} begin with i, {floats} with f, {strings} with s, {uints} with u")?;
    }
    writeln!(out, ".")?;
    Ok(())
}

fn sheet(table: &Table<'_>, out: &mut Out<impl Write>) {
    let name = match table.name_origin() {
        NameOrigin::Schema(schema) => Some(schema.name().as_bytes()),
        _ => table.sheet_name(),
    };
    // A schema file for a single table need not name its sheet.
    if let Some(name) = name.and_then(plain) {
        out.put(b"sheet ");
        out.put(name.as_bytes());
        out.put(b"\n");
    }
}

/// Returns the name if it is a single word in a schema file.
fn plain(name: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(name).ok()?;
    let ends = |char: char| char.is_whitespace() || char.is_control() || matches!(char, '#' | ',' | ';' | '"' | '=');
    (!name.is_empty() && !name.contains(ends)).then_some(name)
}

/// Returns whether a line may start with the field's name.
fn is_name(field: &Field<'_>) -> bool {
    is_field_name(field.name()) && !matches!(field.name(), b"sheet" | b"file")
}

/// Appends bytes as quoted text without loss of information: control characters and invalid bytes are written as
/// `\xNN`.
fn quoted(bytes: &[u8], out: &mut Vec<u8>) {
    let hex = |bytes: &[u8], out: &mut Vec<u8>| bytes.iter().for_each(|&byte| out.extend(escape(byte)));
    out.push(b'"');
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        if valid.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
            out.extend_from_slice(valid.as_bytes());
        } else {
            for char in valid.chars() {
                let mut buffer = [0; 4];
                let char_bytes = char.encode_utf8(&mut buffer).as_bytes();
                if char.is_control() {
                    hex(char_bytes, out);
                    continue;
                }
                if matches!(char, '"' | '\\') {
                    out.push(b'\\');
                }
                out.extend_from_slice(char_bytes);
            }
        }
        hex(chunk.invalid(), out);
    }
    out.push(b'"');
}

/// Returns a byte as `\xNN`.
fn escape(byte: u8) -> [u8; 4] {
    let digit = |value: u8| if value < 10 { b'0' | value } else { b'W'.saturating_add(value) };
    [b'\\', b'x', digit(byte >> 4), digit(byte & 15)]
}

/// Returns a name from which the kind and width of the field can be inferred.
fn substitute(field: &Field<'_>) -> String {
    let (word, bit, width) = (field.word(), field.bit(), field.width());
    match field.kind() {
        FieldKind::Float => format!("fWord{word}"),
        FieldKind::String => format!("sWord{word}"),
        FieldKind::Uint => format!("uWord{word}"),
        FieldKind::Uint64 => format!("u64Word{word}"),
        FieldKind::BitsInt => format!("i{width}Word{word}Bit{bit}"),
        FieldKind::BitsUint => format!("u{width}Word{word}Bit{bit}"),
        FieldKind::BitsFixed => format!("f{width}Word{word}Bit{bit}"),
        FieldKind::Element => format!("s{width}Word{word}Bit{bit}"),
        _ => format!("iWord{word}"),
    }
}
