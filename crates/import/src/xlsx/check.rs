//! The resources that a workbook needs, which are checked before the library reads it.

use std::collections::HashSet;

use quick_xml::events::{BytesStart, Event};
use worldview_core::quote;

use crate::cell::trim;
use crate::zip;

/// Maximum size of all parts of a workbook together, unpacked.
const MAX_UNPACKED: u64 = 1 << 28;

/// Maximum size of the XML of a cell, or of a text that cells share.
const MAX_CELL: u64 = 1 << 20;

/// Maximum size of what the library copies for each style: the name of a font, and the format of a number.
const MAX_COPIED: usize = 1 << 10;

/// Maximum number of texts that cells share.
const MAX_TEXTS: usize = 1 << 21;

/// The elements that take memory or work, and how many of them the parts of a workbook may have together. Without names, all are meant.
const LIMITS: [(&str, &[&str], u64); 6] = [
    ("elements", &[], 1 << 25),
    ("cells", &["c"], 1 << 23),
    ("shared texts", &["si"], MAX_TEXTS as u64),
    ("styles", &["xf", "font", "fill", "border", "numFmt"], 1 << 16),
    ("relations and names", &["Relationship", "definedName"], 1 << 16),
    ("worksheets", &["sheet"], 1 << 12),
];

/// Returns an error if a workbook asks for too much, or has what the library does not check. Otherwise returns whether the program that
/// wrote it loses white space at the ends of texts.
pub(super) fn check(bytes: &[u8]) -> Result<bool, String> {
    let mut check = Check::default();
    zip::parts(bytes, MAX_UNPACKED, &mut |_| true, &mut |name, unpacked| {
        if is_xml(name) {
            // The library would decode UTF-16, also without a byte order mark.
            let text = std::str::from_utf8(&unpacked).ok().filter(|text| !text.contains('\0'));
            let text = text.ok_or_else(|| format!("the part {} is not in UTF-8", quote(name)))?;
            check.part(text).map_err(|(at, why)| format!("{}, byte {at}: {why}", quote(name)))?;
        }
        Ok(())
    })?;
    Ok(!check.keeps_space || check.loses_space)
}

/// Whether a part has XML. Others are not read.
fn is_xml(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".xml") || name.ends_with(".rels")
}

/// The properties of a workbook.
#[derive(Default)]
struct Check {
    counts: [u64; LIMITS.len()],
    /// The relations of worksheets, and their parts.
    taken: HashSet<String>,
    /// Whether a text says that white space at its ends is kept.
    keeps_space: bool,
    /// Whether a text has white space at its ends and does not say so.
    loses_space: bool,
}

/// Where in a part the next event is.
#[derive(Default)]
struct State {
    /// Where the last cell or shared text begins.
    start: u64,
    /// Whether the value of the cell is the number of a shared text.
    is_index: bool,
    /// Whether the library takes only the first piece of the value.
    is_single: bool,
    /// How many pieces of such a value were read, inside it.
    pieces: Option<u32>,
    /// Whether the last event began a text that does not say that white space is kept.
    is_unmarked: bool,
}

impl Check {
    /// Checks a part. An error has its offset.
    fn part(&mut self, text: &str) -> Result<(), (u64, String)> {
        let mut reader = quick_xml::Reader::from_str(text);
        let config = reader.config_mut();
        // As lenient as the library, so that it ends where this does.
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.expand_empty_elements = true;
        let mut state = State::default();
        loop {
            let event = match reader.read_event() {
                // What is malformed is found by the library.
                Ok(Event::Eof) | Err(_) => return Ok(()),
                Ok(event) => event,
            };
            let at = reader.buffer_position();
            self.event(&event, (text, at), &mut state).map_err(|why| (at, why))?;
        }
    }

    fn event(&mut self, event: &Event<'_>, (text, at): (&str, u64), state: &mut State) -> Result<(), String> {
        let is_unmarked = std::mem::take(&mut state.is_unmarked);
        if let Some(pieces) = &mut state.pieces
            && !matches!(event, Event::End(_))
        {
            let Event::Text(value) = event else { return Err("the value of a cell is not plain text".to_owned()) };
            *pieces = pieces.saturating_add(1);
            if *pieces > 1 {
                return Err("the value of a cell has several pieces".to_owned());
            }
            let is_number = !value.starts_with('+') && value.parse::<u32>().is_ok();
            if state.is_index && !is_number {
                return Err(format!("{} is not the number of a shared text", quote(value)));
            }
        }
        match event {
            Event::Start(element) => return self.start(element, (text, at), state),
            Event::End(element) => match element.local_name().as_ref() {
                "v" => state.pieces = None,
                "c" | "si" if at.saturating_sub(state.start) > MAX_CELL => {
                    return Err(format!("a cell or a shared text takes more than {MAX_CELL} bytes"));
                }
                "c" => state.is_single = false,
                _ => {}
            },
            Event::Text(value) if is_unmarked && trim(value).len() < value.len() => {
                let rest = usize::try_from(at).ok().and_then(|at| text.get(at..));
                self.loses_space |= rest.is_some_and(|rest| rest.starts_with("</"));
            }
            Event::Decl(declared) => {
                let encoding = declared.encoding().and_then(Result::ok);
                if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"UTF-8")) {
                    return Err("the part is not in UTF-8".to_owned());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn start(&mut self, element: &BytesStart<'_>, (text, at): (&str, u64), state: &mut State) -> Result<(), String> {
        let name = element.local_name();
        let name = name.as_ref();
        for (count, (what, names, most)) in self.counts.iter_mut().zip(LIMITS) {
            if names.is_empty() || names.contains(&name) {
                *count = count.saturating_add(1);
                if *count > most {
                    return Err(format!("the workbook has more than {most} {what}"));
                }
            }
        }
        match name {
            "c" => *state = State { start: at, is_single: true, ..State::default() },
            "si" => state.start = at,
            "v" if state.is_single => state.pieces = Some(0),
            "t" => state.is_unmarked = true,
            "row" | "f" | "dimension" | "sst" | "sheet" | "Relationship" | "numFmt" | "name" => {}
            _ => return Ok(()),
        }
        let (mut kind, mut target) = (String::new(), String::new());
        for attribute in element.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let (key, value) = (attribute.key.as_ref(), &*attribute.value);
            match (name, key) {
                // The library computes with these.
                ("row" | "c" | "f" | "dimension", "r" | "ref") if !is_reference(value) => {
                    return Err(format!("{} is not a reference to cells", quote(value)));
                }
                ("c", "s") if value.parse::<u32>().is_err() => {
                    return Err(format!("{} is not the number of a style", quote(value)));
                }
                ("c", "t") => {
                    state.is_index = value == "s";
                    state.is_single = matches!(value, "s" | "n" | "b" | "e");
                }
                ("t", "xml:space") => {
                    self.keeps_space = true;
                    state.is_unmarked = value != "preserve";
                }
                // The library allocates as many.
                ("sst", "uniqueCount")
                    if !value.parse().is_ok_and(|count: usize| count <= text.len().min(MAX_TEXTS)) =>
                {
                    let len = text.len();
                    return Err(format!("{} shared texts are more than the {len} bytes can have", quote(value)));
                }
                ("numFmt" | "name", _) if value.len() > MAX_COPIED => {
                    return Err(format!(
                        "the name of a font or the format of a number has more than {MAX_COPIED} bytes"
                    ));
                }
                ("sheet", key) if key.rsplit(':').next() == Some("id") && !self.taken.insert(value.to_owned()) => {
                    return Err(format!("two worksheets have the relation {}", quote(value)));
                }
                ("Relationship", "Type") => kind = last(value),
                ("Relationship", "Target") => target = last(value),
                _ => {}
            }
        }
        // The part of a worksheet is read once for each worksheet that it is of.
        let is_sheet = kind.ends_with("sheet");
        if is_sheet && !self.taken.insert(format!("{kind}/{target}")) {
            return Err(format!("two worksheets are in parts of the name {}", quote(&target)));
        }
        if (is_sheet || kind == "officedocument") && !is_xml(&target) {
            return Err(format!("a workbook in the part {} is not supported", quote(&target)));
        }
        Ok(())
    }
}

/// Returns the last name of a path, regardless of case.
fn last(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether a text is a cell, a row, or a range from one cell to a later one.
fn is_reference(text: &str) -> bool {
    let cell = |cell: &str| {
        let letters = cell.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (column, row) = cell.split_at_checked(letters)?;
        let column = column.bytes().fold(0_u32, |number, letter| {
            number.saturating_mul(26).saturating_add(u32::from(letter.to_ascii_uppercase().saturating_sub(b'@')))
        });
        let row: u32 = row.parse().ok()?;
        (letters <= 3 && (1..=1 << 20).contains(&row)).then_some((column, row))
    };
    match text.split_once(':') {
        None => cell(text).is_some(),
        Some((first, last)) => {
            cell(first).zip(cell(last)).is_some_and(|(first, last)| first.0 <= last.0 && first.1 <= last.1)
        }
    }
}
