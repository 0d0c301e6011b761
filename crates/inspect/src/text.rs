//! A complete, stable dump of a description as lines of text.
//!
//! Each fact is on its own line, except that parts with many short fields share lines. Everything is in file order,
//! so dumps can be compared with any diff tool. Text is quoted, with control characters as `\x00`, and is followed
//! by its bytes if it is not plain. Each row of a grid is one line, in which `*n` repeats the preceding value.

use std::fmt::Write as _;
use std::io::Write;

use worldview_core::Error as FormatError;
use worldview_core::describe::{
    Array, Elements, Field, FieldName, FieldValue, Flow, Link, List, ListFlag, Part, PartKey, PartList, Role, Span,
    Visit,
};

use crate::bounded::Bounded;
use crate::form;
use crate::meter::Meter;
use crate::{Options, Result, Root, utf8};

/// Writes the selected parts.
///
/// # Errors
///
/// Returns an error if the output cannot be written, or if overlapping parts make the walk or the output far longer
/// than the file.
pub fn write(root: &Root<'_>, options: &Options<'_>, mut out: impl Write) -> Result<()> {
    let mut out = Bounded::new(&mut out as &mut dyn Write, root);
    let mut dump = Dump {
        options,
        meter: Meter::new(&[root], "dump of overlapping parts", "dump of texts with many references"),
        out: &mut out,
        line: String::new(),
        depth: 0,
        list: None,
        failed: None,
    };
    dump.line.push_str(root.format);
    let _ = dump.end_line();
    if !root.format.is_empty() {
        let _ = root.body.describe(&mut dump);
    }
    let _ = dump.end_line();
    let (error, failed) = (dump.meter.error().or_else(|| root.body.ended_by()), dump.failed.take());
    // Whatever ended the dump, its last line is whole.
    out.flush()?;
    if let Some(error) = error {
        return Err(error.into());
    }
    Ok(failed.map_or(Ok(()), Err)?)
}

/// The width after which a compact part continues on the next line.
const WIDTH: usize = 110;

/// The number of array values per line if the array has no rows.
const VALUES: usize = 32;

struct Dump<'d, 'w> {
    options: &'d Options<'d>,
    meter: Meter,
    out: &'d mut Bounded<&'w mut dyn Write>,
    /// The line being built.
    line: String,
    depth: usize,
    /// The list whose element is being written.
    list: Option<List>,
    failed: Option<std::io::Error>,
}

impl Dump<'_, '_> {
    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.line.push_str("  ");
        }
    }

    fn end_line(&mut self) -> Flow {
        if self.line.is_empty() {
            return Flow::Continue(());
        }
        self.line.push('\n');
        self.out.put(self.line.as_bytes());
        self.line.clear();
        match self.out.spill_if_full() {
            Ok(()) => Flow::Continue(()),
            Err(error) => {
                self.failed.get_or_insert(error);
                Flow::Break(())
            }
        }
    }

    fn is_compact(&self) -> bool {
        self.list.is_some_and(|list| list.is(ListFlag::Compact))
    }

    /// Starts the next fact, on its own line or on the current one.
    fn begin(&mut self) -> Flow {
        if !self.line.is_empty() && (!self.is_compact() || self.line.len() > WIDTH) {
            self.end_line()?;
        }
        if self.line.is_empty() {
            self.indent();
        } else {
            self.line.push_str("  ");
        }
        Flow::Continue(())
    }

    fn heading(&mut self, list: &List, part: &Part<'_>) {
        self.indent();
        self.line.push_str(list.kind);
        let index = part.index;
        if !list.is(ListFlag::Single) && !matches!(part.key, PartKey::Number(_)) {
            self.line.push(' ');
            self.line.push_str(itoa::Buffer::new().format(index));
        }
        match part.key {
            PartKey::Index => {}
            PartKey::Name(name) => {
                self.line.push(' ');
                form::put_quoted(&utf8(name), &mut self.line);
            }
            // Writing to a string cannot fail.
            PartKey::Number(number) => _ = write!(self.line, " {number} (row {index})"),
        }
        self.push_offset(part.at);
    }

    fn push_offset(&mut self, at: Option<Span>) {
        if let Some(at) = at {
            self.line.push_str(" at ");
            form::put_hex(at.at, &mut self.line);
        }
    }

    fn part(&mut self, list: List, part: &Part<'_>) -> Flow {
        if !self.options.select.part(&list, part) {
            return Flow::Continue(());
        }
        let Ok(entered) = self.meter.enter(&list, part) else { return Flow::Break(()) };
        let before = self.list.replace(list);
        if list.is(ListFlag::Scalar) {
            self.indent();
            let _ = write!(self.line, "{} {}", list.kind, part.index);
            self.push_offset(part.at);
        } else {
            self.heading(&list, part);
            if !list.is(ListFlag::Compact) {
                self.end_line()?;
            }
            self.depth += 1;
        }
        part.body.describe(self)?;
        self.end_line()?;
        if !list.is(ListFlag::Scalar) {
            self.depth -= 1;
        }
        self.list = before;
        self.meter.leave(entered);
        Flow::Continue(())
    }

    /// Writes the rows of an array, or its values if it has none.
    fn rows(&mut self, array: &Array<'_>) -> Flow {
        let (len, columns) = (array.elements.len(), array.columns);
        let width = if columns > 0 { columns } else { VALUES };
        let mut start = 0;
        let mut row = 0_usize;
        while start < len {
            let end = start.saturating_add(width).min(len);
            self.indent();
            let _ = write!(self.line, "{}", if columns > 0 { row } else { start });
            self.values(array, start, end);
            self.end_line()?;
            (start, row) = (end, row + 1);
        }
        Flow::Continue(())
    }

    fn values(&mut self, array: &Array<'_>, start: usize, end: usize) {
        if let Elements::Bytes(bytes) = array.elements {
            self.line.push(' ');
            self.line.push_str(&crate::hex(&bytes[start..end]));
            return;
        }
        let mut at = start;
        while at < end {
            let bits = array.elements.bits(at).unwrap_or(0);
            let mut run = 1;
            if !array.rows_are_items {
                while at + run < end && array.elements.bits(at + run) == Some(bits) {
                    run += 1;
                }
            }
            self.line.push(' ');
            form::element(array, bits, &mut self.line);
            if run > 1 {
                let _ = write!(self.line, "*{run}");
            }
            at += run;
        }
    }
}

/// Returns whether a name of a field needs no quotes.
fn is_word(name: &str) -> bool {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
    let has_gap = || name.contains(|char: char| char == '"' || char.is_whitespace() || char.is_control());
    !name.is_empty() && (is_plain || !has_gap())
}

impl Visit for Dump<'_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        // The heading shows the number of an element.
        let is_number = self.list.is_some_and(|list| {
            !list.is(ListFlag::Scalar) && field.role == Role::Derived && field.name == FieldName::Static(list.kind)
        });
        if is_number || !self.options.select.field(self.list.as_ref(), field) {
            return Flow::Continue(());
        }
        self.meter.field(field)?;
        let is_scalar = self.list.is_some_and(|list| list.is(ListFlag::Scalar));
        if is_scalar {
            self.line.push(' ');
        } else {
            self.begin()?;
            let name = form::name(&field.name);
            if is_word(&name) {
                self.line.push_str(&name);
            } else {
                form::put_quoted(&name, &mut self.line);
            }
            self.line.push(' ');
        }
        form::value(&field.value, field.notation, self.options.encoding, &mut self.line);
        if let (Some(reference), false) = (field.reference, matches!(field.value, FieldValue::Dangling(_))) {
            self.line.push_str(" by ");
            form::put_hex(reference, &mut self.line);
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if (array.bulk && !self.options.full) || !self.options.select.array(array) {
            return Flow::Continue(());
        }
        self.meter.array(array)?;
        self.end_line()?;
        self.indent();
        self.line.push_str(array.name);
        let len = array.elements.len();
        match len.checked_div(array.columns) {
            Some(rows) if !array.rows_are_items => _ = write!(self.line, " {}x{rows}", array.columns),
            Some(rows) => _ = write!(self.line, " {rows}"),
            None => _ = write!(self.line, " {len}"),
        }
        self.push_offset(array.at);
        self.end_line()?;
        self.depth += 1;
        self.rows(array)?;
        self.depth -= 1;
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if (list.is(ListFlag::Bulk) && !self.options.full) || !self.options.select.list(&list) {
            return Flow::Continue(());
        }
        self.end_line()?;
        parts.each(&mut |part| match part {
            Ok(part) => self.part(list, part),
            Err(error) => self.broken(error),
        })
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        self.begin()?;
        let _ = match link.target {
            Some(target) => write!(self.line, "{} {}", link.name, target.index),
            None => write!(self.line, "{} none", link.name),
        };
        Flow::Continue(())
    }

    fn broken(&mut self, error: &FormatError) -> Flow {
        self.end_line()?;
        self.indent();
        let _ = write!(self.line, "error: {error}");
        self.end_line()
    }

    fn wants_bulk(&self) -> bool {
        self.options.full
    }
}
