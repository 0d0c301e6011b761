//! Values as a source gives them, in whatever form, read as the values of fields and arrays.

use std::borrow::Cow;

use worldview_core::describe::{Array, Charset, Elements, Field, FieldValue, Int, Stored};
use worldview_core::quote;
use worldview_edit::{Value, unhex};
use worldview_export::Encoding;
use worldview_inspect::{field_name, json, utf8};

use crate::cell::{self, is_rounded, is_same_text};
use crate::doc::{Doc, Read, same, single, whole};

/// The value that a source gives for a field or array.
pub(crate) enum Given<'g> {
    /// A cell.
    Cell(Cell<'g>),
    /// The cells of a field with several integers, as far as the sheet has them.
    Cells(Vec<(&'g str, Option<Cell<'g>>)>),
    /// A member of a document, and the member with the bytes of a text.
    Json(Option<Doc<'g>>, Option<Doc<'g>>),
}

/// A cell of a sheet.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'g> {
    pub(crate) text: &'g str,
    /// The cell in the export of the original.
    pub(crate) old: Option<&'g str>,
    /// Whether there may be decimal commas: where a comma separates columns, a dot has to be before the decimals.
    pub(crate) has_commas: bool,
}

impl<'g> Given<'g> {
    /// Returns the value in a document.
    pub(crate) const fn doc(&self) -> Option<Doc<'g>> {
        if let Self::Json(doc, _) = self { *doc } else { None }
    }

    /// Returns a text that names something.
    pub(crate) fn name(&self) -> Option<Cow<'g, str>> {
        match self {
            Self::Cell(cell) => Some(cell.text.into()),
            Self::Cells(_) => None,
            Self::Json(doc, _) => doc.and_then(Doc::text),
        }
    }

    /// Returns a number that names something.
    pub(crate) fn number(&self) -> Option<usize> {
        let number = match self {
            Self::Cell(cell) => cell::integer(cell.text, false),
            Self::Cells(_) => None,
            Self::Json(doc, _) => doc.and_then(|doc| whole(&*doc.json().ok()?)),
        };
        number.and_then(|number| usize::try_from(number).ok())
    }

    /// Returns what was found, for messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Cell(cell) => quote(cell.text),
            Self::Cells(cells) => format!("{} cells", cells.len()),
            Self::Json(doc, bytes) => doc.or(*bytes).map_or_else(String::new, Doc::shown),
        }
    }

    /// Whether a cell says what the original has.
    pub(crate) fn is_same_cell(&self) -> bool {
        self.cell().is_some_and(|cell| cell.old.is_some_and(|old| is_same_text(old, cell.text)))
    }

    fn cell(&self) -> Option<Cell<'g>> {
        if let Self::Cell(cell) = self { Some(*cell) } else { None }
    }

    /// Returns the value in a document, which is null if there is none.
    fn json(&self) -> Read<Cow<'g, serde_json::Value>> {
        self.doc().map_or_else(|| Ok(Cow::Owned(serde_json::Value::Null)), Doc::json)
    }

    /// Returns bytes that are given as hexadecimal digits.
    fn hex(&self) -> Read<Vec<u8>> {
        let digits = self.name();
        let bytes = digits.as_deref().and_then(unhex);
        bytes.ok_or_else(|| format!("expected pairs of hexadecimal digits, found {}", self.shown()))
    }

    /// Whether the source says what the original has, as far as it can be edited only with something else.
    pub(crate) fn is_unchanged(&self, field: &Field<'_>, encoding: Encoding) -> bool {
        let old = || json::scalar(&field.value, encoding);
        match self {
            Self::Cell(Cell { text, old: Some(was), .. }) => {
                is_same_text(was, text)
                    || cell::integer(text, false).is_some_and(|new| Some(new) == cell::integer(was, false))
            }
            Self::Cell(_) | Self::Cells(_) => false,
            Self::Json(doc, bytes) => {
                // A name without bytes is null, which is not the same as an empty one with a NUL.
                let is_absent = match (field.value, field.stored) {
                    (FieldValue::Text(text), Stored::Counted(counted)) if text.stored.is_empty() => Some(counted.nul),
                    _ => None,
                };
                let is_same = |doc: &Doc<'_>| match is_absent {
                    Some(has_nul) if doc.is_null() || has_nul => doc.is_null(),
                    _ => doc.json().is_ok_and(|new| same(&old(), &new)),
                };
                let has_bytes = |doc: &Doc<'_>| match field.value {
                    FieldValue::Text(text) => {
                        doc.text().and_then(|digits| unhex(&digits)).as_deref() == Some(text.stored)
                    }
                    _ => false,
                };
                doc.as_ref().is_none_or(is_same) && bytes.as_ref().is_none_or(has_bytes)
            }
        }
    }
}

/// Returns the error about a text that the code page lacks a character of.
pub(crate) fn not_encodable(text: &str, encoding: Encoding) -> String {
    format!("{text} does not fit: a character is not in {page}", text = quote(text), page = encoding.name())
}

/// Returns a text as changes express it, whatever the code page of an export: as Windows-1252, which has a character for each byte.
pub(crate) fn text(bytes: &[u8]) -> Value {
    Value::Text(Encoding::WINDOWS_1252.decode(bytes).into_owned())
}

/// The values that fit into a field, in words.
fn limit(field: &Field<'_>) -> String {
    let name = field_name(&field.name);
    match field.stored {
        Stored::Int(int) | Stored::Ints(int, _) => {
            let (min, max) = int.range();
            format!("{name} has {} bits, {min} to {max}", int.width)
        }
        _ => format!("{name} is a 32-bit float"),
    }
}

/// How the fields of an element are read.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    /// The code page of texts.
    pub(crate) encoding: Encoding,
    /// Whether the element is new: all that it is given counts.
    pub(crate) is_new: bool,
    /// Whether the file is a new one, in which bits that follow from how it is stored are as they are.
    pub(crate) is_new_file: bool,
}

impl Reader {
    /// Reads the value of a field. Returns `None` if the original has it.
    pub(crate) fn read(self, field: &Field<'_>, given: &Given<'_>) -> Read<Option<Value>> {
        match (field.stored, field.value) {
            (Stored::Nowhere, _) => Err("cannot be set".to_owned()),
            (Stored::Bytes(_), _) | (Stored::Counted(_), FieldValue::Bytes(_)) => self.bytes(field, given),
            (
                Stored::Text(_)
                | Stored::Padded(_)
                | Stored::Name(_)
                | Stored::Terminated(_)
                | Stored::Pooled { .. }
                | Stored::Counted(_),
                _,
            ) => self.text(field, given),
            (Stored::Ints(int, count), value) => {
                let old = if let FieldValue::Ints(ints) = value { ints } else { &[] };
                let mut all: Vec<i128> = old.iter().map(|int| int.get().into()).collect();
                all.resize(count.into(), 0);
                let new = self.integers(field, int, given, &all)?;
                Ok((self.is_new || new != all).then_some(Value::Integers(new)))
            }
            (Stored::Int(int) | Stored::Masked(int, _) | Stored::Offset(int, _), _) => {
                Ok(self.integer(field, int, given)?.map(Value::Integer))
            }
            (Stored::Float { .. }, _) => Ok(self.float(field, given)?.map(Value::from)),
            (Stored::Floats(count), _) => {
                let json = given.json()?;
                if !self.is_new && same(&json::scalar(&field.value, self.encoding), &json) {
                    return Ok(None);
                }
                let list = json.as_array().filter(|list| list.len() == usize::from(count));
                let floats = list.and_then(|list| list.iter().map(single).collect::<Option<Vec<_>>>());
                let why = || format!("expected {count} numbers, found {}", given.shown());
                Ok(Some(Value::from(&*floats.ok_or_else(why)?)))
            }
            (Stored::Color, _) if !self.is_new && given.is_unchanged(field, self.encoding) => Ok(None),
            (Stored::Color, _) => {
                color(given).map(|[red, green, blue]| Some(Value::Text(format!("#{red:02x}{green:02x}{blue:02x}"))))
            }
        }
    }

    fn bytes(self, field: &Field<'_>, given: &Given<'_>) -> Read<Option<Value>> {
        let cell = given.cell();
        if cell.is_some_and(|cell| {
            if self.is_new { cell.text.is_empty() } else { cell.old.is_some_and(|old| is_same_text(old, cell.text)) }
        }) {
            return Ok(None);
        }
        let new = given.hex()?;
        let is_same = !self.is_new && field.value == FieldValue::Bytes(&new);
        Ok((!is_same).then_some(Value::Bytes(new)))
    }

    fn text(self, field: &Field<'_>, given: &Given<'_>) -> Read<Option<Value>> {
        let old = if let FieldValue::Text(text) = field.value { Some(text) } else { None };
        let is_utf8 = old.map_or(matches!(field.stored, Stored::Pooled { .. }), |old| old.charset == Charset::Utf8);
        let old_text = old.map_or(&[][..], |old| old.text);
        let encode = |text: &str| match is_utf8 {
            true => Ok(cell::bytes(text, if self.is_new { &[] } else { old_text }).into_owned()),
            false => self.encoding.encode(text).ok_or_else(|| not_encodable(text, self.encoding)),
        };
        let value = |bytes: &[u8]| if is_utf8 { Value::from_bytes(bytes) } else { text(bytes) };
        let (doc, bytes) = match given {
            Given::Cell(cell) if !self.is_new && cell.old.is_some_and(|old| is_same_text(old, cell.text)) => {
                return Ok(None);
            }
            Given::Cell(cell) => return encode(cell.text).map(|bytes| Some(value(&bytes))),
            Given::Cells(_) => return Err(format!("expected text, found {}", given.shown())),
            Given::Json(doc, bytes) => (doc, bytes),
        };
        let stored = bytes.map(|bytes| Given::Json(Some(bytes), None).hex()).transpose();
        let stored = stored.map_err(|why| format!("`{}_bytes`: {why}", field_name(&field.name)))?;
        let stored = stored.filter(|new| self.is_new || old.is_none_or(|old| old.stored != new));
        // A name without bytes is not the same as an empty one, which has a NUL.
        let is_absent = |text: &str| matches!(field.stored, Stored::Counted(counted) if counted.nul && counted.now == 0 && text.is_empty());
        let has_none = old.is_none_or(|old| !is_utf8 && old.stored.is_empty());
        let decoded = || if is_utf8 { utf8(old_text) } else { self.encoding.decode(old_text) };
        let new = match doc.map(|doc| (doc, doc.text())) {
            None => None,
            Some((doc, None)) if doc.is_null() && (self.is_new || has_none) => None,
            Some((doc, None)) => return Err(format!("expected text, found {}", doc.shown())),
            Some((_, Some(text))) if is_absent(&text) => return Ok(Some(Value::Bytes(vec![0]))),
            Some((_, Some(text))) if !self.is_new && old.is_some() && text == decoded() => None,
            Some((_, Some(text))) => Some(encode(&text)?),
        };
        let is_whole = matches!(field.stored, Stored::Counted(counted) if counted.whole.is_some());
        match (new, stored) {
            (Some(new), Some(stored)) if !self.is_new && new != stored => {
                let name = field_name(&field.name);
                Err(format!("`{name}` and `{name}_bytes` were edited to different texts"))
            }
            (_, Some(stored)) if is_whole => Ok(Some(Value::Bytes(stored))),
            (_, Some(stored)) => Ok(Some(value(&stored))),
            (new, None) => Ok(new.map(|new| value(&new))),
        }
    }

    /// Reads an integer. Returns `None` if the original has it.
    fn integer(self, field: &Field<'_>, int: Int, given: &Given<'_>) -> Read<Option<i128>> {
        let old = match field.value {
            FieldValue::Int(old) => old.into(),
            FieldValue::Uint(old) => old.into(),
            _ => 0,
        };
        // Programs keep 15 digits of a number in a sheet, and 53 bits of one in JSON.
        let is_kept = match given {
            Given::Cell(Cell { text, old: Some(was), has_commas }) => {
                old >= 10_i128.pow(15) && is_rounded(was, text, *has_commas)
            }
            Given::Json(Some(doc), _) => {
                doc.json().is_ok_and(|new| same(&json::scalar(&field.value, self.encoding), &new))
            }
            _ => false,
        };
        if is_kept && !self.is_new {
            return Ok(None);
        }
        let new = one_integer(field, int, given, self.is_new)?;
        let stored = i128::from(field.storage_bits);
        if (new ^ old) & stored == 0 || self.is_new_file {
            let new = if self.is_new_file { new & !stored | old & stored } else { new };
            return Ok((self.is_new || new != old).then_some(new));
        }
        Err("a bit of the flags says how the file is stored, which edits do not change".to_owned())
    }

    fn integers(self, field: &Field<'_>, int: Int, given: &Given<'_>, old: &[i128]) -> Read<Vec<i128>> {
        let read = |given: &Given<'_>| one_integer(field, int, given, self.is_new);
        match given {
            Given::Cells(cells) if cells.len() != old.len() => {
                Err(format!("expected {} integers, found {}: {}", old.len(), cells.len(), limit(field)))
            }
            Given::Cells(cells) => {
                let read = |((column, cell), old): (&(&str, Option<Cell<'_>>), &i128)| match cell {
                    Some(cell) if self.is_new || cell.old != Some(cell.text) => {
                        read(&Given::Cell(*cell)).map_err(|why| format!("`{column}`: {why}"))
                    }
                    _ => Ok(*old),
                };
                cells.iter().zip(old).map(read).collect()
            }
            Given::Cell(cell) => Ok(vec![read(&Given::Cell(*cell))?]),
            Given::Json(doc, _) => {
                let list = doc.and_then(|doc| doc.list().ok()).filter(|list| list.len() == old.len());
                let why = || format!("expected {} integers, found {}", old.len(), given.shown());
                list.ok_or_else(why)?.into_iter().map(|doc| read(&Given::Json(Some(doc), None))).collect()
            }
        }
    }

    fn float(self, field: &Field<'_>, given: &Given<'_>) -> Read<Option<f32>> {
        let old = if let FieldValue::Float(old) = field.value { Some(old) } else { None };
        let why = || format!("expected a number, found {}: {}", given.shown(), limit(field));
        let new = match given {
            Given::Cell(Cell { text: "", .. }) if self.is_new => return Ok(Some(0.0)),
            Given::Cell(Cell { text, old: was, has_commas }) => {
                let is_kept = !self.is_new && was.is_some_and(|was| is_rounded(was, text, *has_commas));
                // Spreadsheets lose the sign.
                let is_zero = !self.is_new && old.is_some_and(|old| old.to_bits() == 0x8000_0000) && *text == "0";
                if is_kept || is_zero {
                    return Ok(None);
                }
                cell::float(text, *has_commas).ok_or_else(why)?
            }
            _ => {
                let json = given.json()?;
                if !self.is_new && same(&json::scalar(&field.value, self.encoding), &json) {
                    return Ok(None);
                }
                single(&json).ok_or_else(why)?
            }
        };
        Ok((self.is_new || old.map(f32::to_bits) != Some(new.to_bits())).then_some(new))
    }
}

/// Reads an integer that fits. An empty cell of a new element is zero.
fn one_integer(field: &Field<'_>, int: Int, given: &Given<'_>, is_new: bool) -> Read<i128> {
    let number = match given {
        Given::Cell(Cell { text: "", .. }) if is_new => Some(0),
        Given::Cell(cell) => cell::integer(cell.text, cell.has_commas),
        _ => whole(&*given.json()?),
    };
    let number = number.ok_or_else(|| match given.json().as_deref() {
        Ok(serde_json::Value::Number(number)) if number.as_f64().is_none_or(|number| number.fract() == 0.0) => {
            format!("{number} does not fit: {}", limit(field))
        }
        _ => format!("expected an integer, found {}: {}", given.shown(), limit(field)),
    })?;
    let (min, max) = int.range();
    if (min..=max).contains(&number) { Ok(number) } else { Err(format!("{number} does not fit: {}", limit(field))) }
}

/// Reads a color.
fn color(given: &Given<'_>) -> Read<[u8; 3]> {
    let color = given.name();
    let digits = color.as_deref().and_then(|color| color.strip_prefix('#')).and_then(unhex);
    digits.and_then(|color| color.try_into().ok()).ok_or_else(|| format!("expected a color, found {}", given.shown()))
}

/// The elements of an array as a source gives them.
pub(crate) struct Grid {
    all: Items,
    /// The elements of a row, if the array has rows; those of the original if it has none here.
    pub(crate) columns: usize,
    /// The number of rows; `None` if they follow each other in one text.
    pub(crate) rows: Option<usize>,
    /// The elements that are no integers, and why.
    wrong: Vec<(usize, String)>,
}

enum Items {
    Bytes(Vec<u8>),
    Words(Vec<u32>),
    Floats(Vec<f32>),
    Colors(Vec<[u8; 3]>),
}

impl Grid {
    /// Reads the elements of an array.
    pub(crate) fn read(array: &Array<'_>, given: &Given<'_>) -> Read<Self> {
        let mut all = match array.elements {
            Elements::Bytes(_) => Items::Bytes(Vec::new()),
            Elements::StoredFloats(_) | Elements::Floats(_) => Items::Floats(Vec::new()),
            Elements::Colors(_) => Items::Colors(Vec::new()),
            _ => Items::Words(Vec::new()),
        };
        let rows = match given.doc().filter(|_| array.columns > 0) {
            Some(doc) if doc.text().is_none() => {
                doc.list()?.into_iter().map(|row| Given::Json(Some(row), None)).collect()
            }
            _ => Vec::new(),
        };
        let (is_signed, mut wrong) = (matches!(array.elements, Elements::Ints(_)), Vec::new());
        if rows.is_empty() && given.doc().is_none_or(|doc| array.columns == 0 || doc.text().is_some()) {
            all.extend(given, is_signed, &mut wrong)?;
            return Ok(Self { rows: None, all, columns: array.columns, wrong });
        }
        let mut columns = None;
        for row in &rows {
            let before = all.len();
            all.extend(row, is_signed, &mut wrong)?;
            let own = all.len().saturating_sub(before);
            if *columns.get_or_insert(own) != own {
                return Err(format!("expected rows of one length, found {} and {own} elements", columns.unwrap_or(0)));
            } else if array.rows_are_items && own != array.columns {
                return Err(format!("expected {} numbers, found {own}", array.columns));
            }
        }
        Ok(Self { all, columns: columns.unwrap_or(array.columns), rows: Some(rows.len()), wrong })
    }

    /// Returns the number of elements.
    pub(crate) const fn len(&self) -> usize {
        self.all.len()
    }

    /// Gives elements that are none those of the original, and passes on where they are, and why they are none.
    pub(crate) fn mend(&mut self, array: &Array<'_>, mut refuse: impl FnMut((usize, usize), String)) {
        for (index, why) in std::mem::take(&mut self.wrong) {
            let (x, y) = index.checked_rem(self.columns).zip(index.checked_div(self.columns)).unwrap_or((index, 0));
            let old = y.checked_mul(array.columns).and_then(|start| start.checked_add(x)).filter(|_| x < array.columns);
            let old = old.and_then(|old| array.elements.bits(old)).unwrap_or(array.blank);
            if let Items::Words(words) = &mut self.all {
                words.get_mut(index).into_iter().for_each(|word| *word = old);
            }
            refuse((x, y), why);
        }
    }

    /// Returns the numbers and the elements of rows of words.
    pub(crate) fn rows_of_words(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let words = if let Items::Words(words) = &self.all { words.as_slice() } else { &[] };
        words.chunks(self.columns.max(1)).enumerate()
    }

    /// Returns the elements as an array like another one.
    pub(crate) fn array<'g>(&'g self, like: &Array<'g>) -> Array<'g> {
        let elements = match &self.all {
            Items::Bytes(all) => Elements::Bytes(all),
            Items::Words(all) => Elements::Indices(all),
            Items::Floats(all) => Elements::Floats(all),
            Items::Colors(all) => Elements::Colors(all),
        };
        Array { elements, columns: self.columns, ..*like }
    }

    /// Returns the elements as files store them.
    pub(crate) fn stored(self) -> Read<Vec<u8>> {
        if let Some((_, why)) = self.wrong.into_iter().next() {
            return Err(why);
        }
        Ok(match self.all {
            Items::Bytes(all) => all,
            Items::Words(all) => all.into_iter().flat_map(u32::to_le_bytes).collect(),
            Items::Floats(all) => all.into_iter().flat_map(f32::to_le_bytes).collect(),
            Items::Colors(all) => all.into_flattened(),
        })
    }

    /// Reads bytes or colors of a document.
    pub(crate) fn json(json: &serde_json::Value, like: Elements<'_>, columns: usize) -> Read<Vec<u8>> {
        let array = Array { columns, ..Array::new("", "", like) };
        Self::read(&array, &Given::Json(Some(Doc::Tree(json)), None)).and_then(Self::stored)
    }

    /// Whether an array has these elements.
    pub(crate) fn is_in(&self, array: &Array<'_>) -> bool {
        let new = self.array(array).elements;
        let is_same = |index| match (new.bits(index), array.elements.bits(index)) {
            // Some floats are rounded twice, and the sign of a zero is lost where numbers have no type.
            (Some(new), Some(old)) if matches!(self.all, Items::Floats(_)) => {
                new == old || f32::from_bits(new) == 0.0 && f32::from_bits(old) == 0.0
            }
            (new, old) => new == old,
        };
        new.len() == array.elements.len()
            && (self.columns == array.columns || new.is_empty())
            && (0..new.len()).all(is_same)
    }
}

impl Items {
    const fn len(&self) -> usize {
        match self {
            Self::Bytes(all) => all.len(),
            Self::Words(all) => all.len(),
            Self::Floats(all) => all.len(),
            Self::Colors(all) => all.len(),
        }
    }

    /// Adds the elements of a row.
    fn extend(&mut self, row: &Given<'_>, is_signed: bool, wrong: &mut Vec<(usize, String)>) -> Read<()> {
        let list = || row.doc().map_or_else(|| Err("expected a list".to_owned()), Doc::list);
        match self {
            Self::Bytes(all) if row.name().is_some() => all.extend(row.hex()?),
            Self::Bytes(all) => {
                let why = || "expected rows of pairs of hexadecimal digits, or of numbers".to_owned();
                let bytes = |doc: Doc<'_>| u8::try_from(whole(&*doc.json().ok()?)?).ok();
                let one = row.doc().filter(|doc| doc.list().is_err());
                let list = one.map_or_else(list, |one| Ok(vec![one])).map_err(|_| why())?;
                let row: Option<Vec<u8>> = list.into_iter().map(bytes).collect();
                all.extend(row.ok_or_else(why)?);
            }
            Self::Words(all) => {
                if let Some(words) = row.doc().and_then(Doc::words) {
                    all.extend(words);
                    return Ok(());
                }
                let (min, max) = Int::word(4, is_signed).range();
                for doc in list()? {
                    let json = doc.json()?;
                    let word = whole(&json);
                    let fits = word.filter(|word| (min..=max).contains(word));
                    if fits.is_none() {
                        let shown = doc.shown();
                        let why = word.map_or_else(
                            || format!("expected an integer, found {shown}"),
                            |_| format!("{shown} does not fit"),
                        );
                        wrong.push((all.len(), format!("{why}: {min} to {max}")));
                    }
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "the range was checked"
                    )]
                    all.push(fits.unwrap_or(0) as u32);
                }
            }
            Self::Floats(all) => {
                for doc in list()? {
                    let json = doc.json()?;
                    all.push(single(&json).ok_or_else(|| format!("expected a 32-bit float, found {}", doc.shown()))?);
                }
            }
            Self::Colors(all) => {
                for doc in list()? {
                    all.push(color(&Given::Json(Some(doc), None))?);
                }
            }
        }
        Ok(())
    }
}
