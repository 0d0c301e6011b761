//! Findings, and handles as JSON and text.
#![expect(unsafe_code, reason = "exported functions")]

use formats::Note;
use formats::inspect::{self, Options};
use formats::{OffsetBase, Severity};

use crate::error::{Answer, Fault, WvSpace, WvStatus};
use crate::ffi::{self, ErrorOut, Grown, OwnedOut, WvSpan, answer, answer_owned};
use crate::file::{WvHandle, given};

/// How serious a finding is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvSeverity {
    /// Unusual but harmless.
    Curious = 0,
    /// Probably a mistake: the game ignores, drops or misreads the data.
    Suspicious = 1,
    /// The game's engine rejects the file, crashes on it or corrupts its memory.
    Fatal = 2,
}

/// A list of findings. It belongs to the caller, who frees it with `wv_findings_free`.
#[derive(Debug)]
pub struct WvFindings {
    notes: Vec<Note>,
    total: usize,
}

/// A finding. The texts are valid until the list is freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvFinding {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// How serious it is.
    pub severity: WvSeverity,
    /// What `offset` counts in.
    pub space: WvSpace,
    /// Offset of the byte that the finding is about.
    pub offset: u64,
    /// The stable code of the kind of finding, such as "object-outside".
    pub code: WvSpan,
    /// What was found, as a sentence with the severity, the code and the place.
    pub message: WvSpan,
}

/// Lists what was left out of a file that was opened with `WV_LOSSY`. For a database, this reads all blobs.
#[unsafe(no_mangle)]
pub extern "C" fn wv_findings(
    handle: Option<&WvHandle>,
    out: OwnedOut<'_, WvFindings>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        let handle = given(handle)?;
        let notes = handle.handle().findings();
        Ok(WvFindings { total: notes.len(), notes })
    })
}

/// Checks everything, and lists the first `most` findings: what is broken, suspicious or unusual. What was left out when
/// the file was opened is not listed again. An archive is checked without its members.
#[unsafe(no_mangle)]
pub extern "C" fn wv_check(
    handle: Option<&WvHandle>,
    most: usize,
    out: OwnedOut<'_, WvFindings>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        let mut found = WvFindings { notes: Vec::new(), total: 0 };
        given(handle)?.handle().check(&mut |note| {
            found.total = found.total.saturating_add(1);
            if found.notes.len() < most {
                found.notes.push(note);
            }
        });
        Ok(found)
    })
}

/// Returns the number of findings in a list; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn wv_findings_count(findings: Option<&WvFindings>) -> usize {
    findings.map_or(0, |findings| findings.notes.len())
}

/// Returns the number of findings, including those that the list has no room for; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn wv_findings_total(findings: Option<&WvFindings>) -> usize {
    findings.map_or(0, |findings| findings.total)
}

/// Returns a finding of a list.
#[unsafe(no_mangle)]
pub extern "C" fn wv_finding(
    findings: Option<&WvFindings>,
    index: usize,
    out: Grown<'_, WvFinding>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let findings = findings.ok_or_else(|| Fault::null("the list of findings"))?;
        let note = findings.notes.get(index).ok_or_else(|| Fault::index("finding", index, findings.notes.len()))?;
        Ok(WvFinding {
            size: size_of::<WvFinding>(),
            severity: match note.severity {
                Severity::Curious => WvSeverity::Curious,
                Severity::Suspicious => WvSeverity::Suspicious,
                Severity::Fatal => WvSeverity::Fatal,
            },
            space: OffsetBase::into(note.space),
            offset: note.offset,
            code: note.code.into(),
            message: note.message.as_str().into(),
        })
    })
}

/// Frees a list of findings. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn wv_findings_free(findings: Option<Box<WvFindings>>) {
    ffi::free(findings);
}

/// A text that belongs to the caller, who frees it with `wv_text_free`.
#[derive(Debug)]
pub struct WvText(Vec<u8>);

/// Writes the contents as JSON, in the shape of `worldview show --format json`; a record as its table. With `full`, bulk data is included: keys,
/// pixels and geometry. Data in no known format has no contents: `WV_STATUS_KIND`.
#[unsafe(no_mangle)]
pub extern "C" fn wv_json(
    handle: Option<&WvHandle>,
    full: bool,
    out: OwnedOut<'_, WvText>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        let handle = given(handle)?.handle();
        written(|options, text| handle.write_json(options, text), full)
    })
}

/// Writes the contents as text, as `worldview show` does; a record as its table.
#[unsafe(no_mangle)]
pub extern "C" fn wv_dump(
    handle: Option<&WvHandle>,
    full: bool,
    out: OwnedOut<'_, WvText>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        let handle = given(handle)?.handle();
        written(|options, text| handle.write_text(options, text), full)
    })
}

/// Returns the bytes of a text, UTF-8 without a final NUL; none for NULL. They are valid until the text is freed.
#[unsafe(no_mangle)]
pub extern "C" fn wv_text(text: Option<&WvText>) -> WvSpan {
    text.map_or(WvSpan::NONE, |text| text.0.as_slice().into())
}

/// Frees a text. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn wv_text_free(text: Option<Box<WvText>>) {
    ffi::free(text);
}

fn written(write: impl FnOnce(&Options<'_>, &mut Vec<u8>) -> inspect::Result<bool>, full: bool) -> Answer<WvText> {
    let mut text = Vec::new();
    let options = Options { full, ..Options::default() };
    match write(&options, &mut text) {
        Ok(true) => Ok(WvText(text)),
        Ok(false) => Err(Fault::kind("file in a known format", "data")),
        Err(inspect::Error::Format(error)) => Err(error.into()),
        Err(error) => Err(Fault::new(WvStatus::Limit, &error.to_string())),
    }
}
