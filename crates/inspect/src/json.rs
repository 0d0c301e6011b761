//! Everything that a file contains as JSON.
//!
//! A part is an object with its fields, arrays and lists as members; `at` is its offset, if it has one. A list is an
//! array. A single part is an object, or null if it is missing. A reference is the number of its target element, or
//! null. Text that is not plain ASCII, or is stored in an unusual way, has a second member `<name>_bytes` with its
//! bytes in hexadecimal. Floats that are not finite are strings. Anything that could not be read becomes a member
//! `error`, or an object with that member at the end of a list. So does the limit that ends a walk: the document is complete.

mod keys;
mod lines;
mod value;

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use worldview_core::Error as FormatError;
use worldview_core::describe::{
    Array, Describe, Field, FieldName, FieldValue, Flow, Link, List, ListFlag, Part, PartList, Visit,
};

use self::keys::Keys;
use self::value::Rows;
use crate::bounded::Bounded;
use crate::meter::Meter;
use crate::root::first_field;
use crate::{Encoding, Options, Result, Root, form, hex};

pub(crate) use value::Scalar;

pub use lines::lines;

/// The version of the JSON outputs. It is raised when a member is removed or changes its meaning, but not when one
/// is added.
pub const VERSION: u32 = 3;

/// Returns a value as the JSON outputs have it; `encoding` is the code page of texts.
pub fn scalar(value: &FieldValue<'_>, encoding: Encoding) -> serde_json::Value {
    // Scalars serialize without errors.
    serde_json::to_value(Scalar { value, encoding }).unwrap_or_default()
}

/// Writes the selected parts as one JSON object that starts with the members `format`, `version` and `full`, and
/// `parts` if not everything is selected.
///
/// ```
/// use worldview_inspect::{Options, Root, json};
/// use worldview_wwd::{Level, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let mut out = Vec::new();
/// json::write(&Root::new("plane", level.image(), &level.planes()[1]), &Options::default(), &mut out)?;
/// let value: serde_json::Value = serde_json::from_slice(&out)?;
/// assert_eq!(value["name"], "Action");
/// assert_eq!(value["objects"][0]["object"], "1");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if the output cannot be written, or if overlapping parts make the walk or the output far longer
/// than the file.
pub fn write(root: &Root<'_>, options: &Options<'_>, out: impl Write) -> Result<()> {
    let mut json = Json::new(root, options, out);
    json.out.put(b"{");
    let mut members = Members { json: &mut json, list: None, is_first: true };
    let _ = members.entry("format", root.format);
    let _ = members.entry("version", &VERSION);
    let _ = members.entry("full", &options.full);
    let parts = options.select.parts();
    if !parts.is_empty() {
        let _ = members.entry("parts", &parts);
    }
    let _ = root.body.describe(&mut members);
    members.json.check_end(root);
    members.end();
    json.out.put(b"}\n");
    json.finish()
}

/// Output in progress.
struct Json<'w, W> {
    options: &'w Options<'w>,
    meter: Meter,
    out: Bounded<W>,
    keys: Keys,
    failed: Option<crate::Error>,
    /// Whether the output says why the walk ended.
    has_said: bool,
}

impl<'w, W: Write> Json<'w, W> {
    fn new(root: &Root<'_>, options: &'w Options<'w>, out: W) -> Self {
        let meter = Meter::new(&[root], "JSON of overlapping parts", "JSON of texts with many references");
        Self { options, meter, out: Bounded::new(out, root), keys: Keys::default(), failed: None, has_said: false }
    }

    /// Fails if the description ended the walk.
    fn check_end(&mut self, root: &Root<'_>) {
        if let Some(error) = root.body.ended_by() {
            let _ = self.fail(error);
        }
    }

    /// Writes what is buffered.
    fn finish(mut self) -> Result<()> {
        self.out.flush()?;
        if let Some(error) = self.meter.error() {
            return Err(error.into());
        }
        self.failed.map_or(Ok(()), Err)
    }

    /// Returns once why the walk ended, for the innermost of the parts that it was in.
    fn unsaid(&mut self) -> Option<String> {
        let error = match (self.meter.error(), &self.failed) {
            (Some(error), _) => error,
            (None, Some(crate::Error::Format(error))) => *error,
            _ => return None,
        };
        (!std::mem::replace(&mut self.has_said, true)).then(|| error.to_string())
    }

    /// Writes an object with the reason why the walk ended, or else null.
    fn missing(&mut self) {
        match self.unsaid() {
            Some(why) => _ = self.value(&HashMap::from([("error", why)])),
            None => self.out.put(b"null"),
        }
    }

    /// Stops the walk if something failed. Lists and parts may have stopped for other reasons.
    fn proceed(&mut self) -> Flow {
        match self.out.spill_if_full() {
            Ok(()) if self.failed.is_none() && self.meter.error().is_none() => Flow::Continue(()),
            Ok(()) => Flow::Break(()),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: impl Into<crate::Error>) -> Flow {
        self.failed.get_or_insert(error.into());
        Flow::Break(())
    }

    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Flow {
        match serde_json::to_writer(&mut self.out, value) {
            Ok(()) => Flow::Continue(()),
            Err(error) => self.fail(io::Error::from(error)),
        }
    }

    fn scalar(&mut self, value: &FieldValue<'_>) -> Flow {
        self.value(&Scalar { value, encoding: self.options.encoding })
    }

    /// Writes a part as an object, after members that were written already.
    fn object(&mut self, before: &[u8], list: Option<List>, at: Option<u64>, body: &dyn Describe) -> Flow {
        self.out.put(b"{");
        self.out.put(before);
        self.keys.restart();
        let mut members = Members { json: self, list, is_first: before.is_empty() };
        if let Some(at) = at {
            members.entry("at", &at)?;
        }
        let _ = body.describe(&mut members);
        members.end();
        self.out.put(b"}");
        self.proceed()
    }

    /// Charges for an element, and calls `put` to write it.
    fn element(&mut self, list: &List, part: &Part<'_>, put: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let Ok(entered) = self.meter.enter(list, part) else {
            self.missing();
            return Flow::Break(());
        };
        put(self)?;
        self.meter.leave(entered);
        Flow::Continue(())
    }

    /// Writes an element of a list, or the error that ends the list.
    fn part(&mut self, list: List, part: std::result::Result<&Part<'_>, &FormatError>) -> Flow {
        match part {
            Ok(part) => self.element(&list, part, |json| match list.is(ListFlag::Scalar) {
                true => json.only_field(part.body),
                false => json.object(&[], Some(list), part.at.map(|span| span.at), part.body),
            }),
            Err(error) => self.object(&[], None, None, error),
        }
    }

    /// Writes an element that is represented by its only field.
    fn only_field(&mut self, body: &dyn Describe) -> Flow {
        let mut is_written = false;
        first_field(body, &mut |field| {
            if self.meter.field(field).is_continue() {
                let _ = self.scalar(&field.value);
                is_written = true;
            }
        });
        if !is_written {
            self.missing();
        }
        self.proceed()
    }
}

/// Returns whether a text is the same in JSON and in every code page.
#[inline]
fn needs_no_escapes(text: &[u8]) -> bool {
    // Without an early exit, the compiler can check many bytes at once.
    text.iter().fold(true, |all, byte| all & matches!(byte, b' '..=b'~') & !matches!(byte, b'"' | b'\\'))
}

/// A visitor that writes what it visits as members of an object.
struct Members<'m, 'w, W> {
    json: &'m mut Json<'w, W>,
    list: Option<List>,
    is_first: bool,
}

impl<W: Write> Members<'_, '_, W> {
    /// Writes a name that needs no escapes.
    fn name(&mut self, name: &str) {
        let out = &mut self.json.out;
        out.put(if self.is_first { b"\"" } else { b",\"" });
        out.put(name.as_bytes());
        out.put(b"\":");
        self.is_first = false;
    }

    fn entry(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Flow {
        self.name(name);
        self.json.value(value)
    }

    #[inline]
    fn field_name(&mut self, name: &FieldName<'_>) {
        match *name {
            FieldName::Static(name) => self.name(name),
            FieldName::Bytes(name) => {
                let key = self.json.keys.of(name);
                self.json.out.put(if self.is_first { key.get(1..).unwrap_or_default() } else { key });
                self.is_first = false;
            }
            FieldName::Bits { .. } => self.name(&form::name(name)),
        }
    }

    /// Writes a single part, or `null` if the file has none. Writes nothing if it is only not selected.
    fn single(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        let mut is_begun = !list.is(ListFlag::Selected);
        if is_begun {
            self.name(list.name);
        }
        let mut is_written = false;
        let _ = parts.each(&mut |part| {
            if part.is_ok_and(|part| !self.json.options.select.part(&list, part)) {
                return Flow::Break(());
            }
            if !std::mem::replace(&mut is_begun, true) {
                self.name(list.name);
            }
            let _ = self.json.part(list, part);
            is_written = true;
            Flow::Break(())
        });
        if is_begun && !is_written {
            self.json.missing();
        }
        self.json.proceed()
    }

    /// Writes a list of parts, unless it is empty and that only means that none is selected.
    fn list(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        let (mut is_begun, mut is_first) = (false, true);
        let mut begin = |members: &mut Self| {
            if !std::mem::replace(&mut is_begun, true) {
                members.name(list.name);
                members.json.out.put(b"[");
            }
        };
        if !list.is(ListFlag::Selected) {
            begin(self);
        }
        let mut next = |members: &mut Self| {
            begin(members);
            members.json.out.put(if std::mem::replace(&mut is_first, false) { b"" } else { b"," });
        };
        let _ = parts.each(&mut |part| {
            if part.is_ok_and(|part| !self.json.options.select.part(&list, part)) {
                return Flow::Continue(());
            }
            next(self);
            self.json.part(list, part)
        });
        // What ended the walk behind an element.
        if self.json.proceed().is_break() && !self.json.has_said {
            next(self);
            self.json.missing();
        }
        if is_begun {
            self.json.out.put(b"]");
        }
        self.json.proceed()
    }

    /// Says why the walk ended, if it did and nothing inside has said so.
    fn end(&mut self) {
        if let Some(why) = self.json.unsaid() {
            let _ = self.entry("error", &why);
        }
    }

    /// Writes the bytes of a text that does not determine them.
    #[cold]
    fn bytes(&mut self, field: &Field<'_>, stored: &[u8]) -> Flow {
        self.json.out.put(&keys::escaped(&format!("{}_bytes", form::name(&field.name))));
        self.json.value(&hex(stored))
    }
}

impl<W: Write> Visit for Members<'_, '_, W> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if !self.json.options.select.field(self.list.as_ref(), field) {
            return Flow::Continue(());
        }
        self.json.meter.field(field)?;
        self.field_name(&field.name);
        let (out, value) = (&mut self.json.out, &field.value);
        // Tables have millions of these.
        match *value {
            FieldValue::Int(int) => out.put(itoa::Buffer::new().format(int).as_bytes()),
            FieldValue::Uint(uint) => out.put(itoa::Buffer::new().format(uint).as_bytes()),
            FieldValue::Float(float) if float.is_finite() => {
                out.put(zmij::Buffer::new().format_finite(float).as_bytes());
            }
            FieldValue::Text(text) if text.usual && needs_no_escapes(text.text) => {
                out.put(b"\"");
                out.put(text.text);
                out.put(b"\"");
            }
            FieldValue::Text(text) if !form::is_plain(&text) => {
                self.json.scalar(value)?;
                return self.bytes(field, text.stored);
            }
            _ => return self.json.scalar(value),
        }
        // A record may have a million fields.
        match out.spill_if_full() {
            Ok(()) => Flow::Continue(()),
            Err(error) => self.json.fail(error),
        }
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let options = self.json.options;
        if (array.bulk && !options.full) || !options.select.array(array) {
            return Flow::Continue(());
        }
        self.json.meter.array(array)?;
        self.entry(array.name, &Rows(array))
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let (list, options) = (parts.list(), self.json.options);
        if (list.is(ListFlag::Bulk) && !options.full) || !options.select.list(&list) {
            return Flow::Continue(());
        }
        if list.is(ListFlag::Single) { self.single(parts) } else { self.list(parts) }
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        self.entry(link.name, &link.target.map(|target| target.index))
    }

    fn broken(&mut self, error: &FormatError) -> Flow {
        self.entry("error", &error.to_string())
    }

    fn wants_bulk(&self) -> bool {
        self.json.options.full
    }
}
