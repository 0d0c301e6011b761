//! Checks shared by the findings of all formats.

use std::fmt::{Display, Write as _};

use worldview_core::{Error, Finding, FindingCode, Severity};
use worldview_readers::golden;

/// A finding, in parts and as text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) severity: Severity,
    pub(crate) code: &'static str,
    pub(crate) place: String,
    pub(crate) at: u64,
    pub(crate) what: String,
    pub(crate) text: String,
}

impl Line {
    pub(crate) fn of<K: FindingCode + Display>(finding: &Finding<'_, K>) -> Self {
        Self {
            severity: finding.kind.severity(),
            code: finding.kind.code(),
            place: finding.place.to_string(),
            at: finding.at,
            what: finding.kind.to_string(),
            text: finding.to_string(),
        }
    }

    /// Creates the line for an error that ends the checks.
    pub(crate) fn end(code: &'static str, error: &Error) -> Self {
        let (place, what, text) = (error.what.into(), error.kind.to_string(), error.to_string());
        Self { severity: Severity::Fatal, code, place, at: error.at, what, text }
    }
}

/// Returns each code with the part of its first finding and the number of findings.
fn summary(lines: &[Line]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if lines.iter().take(index).any(|before| before.code == line.code) {
            continue;
        }
        let count = lines.iter().filter(|other| other.code == line.code).count();
        let times = if count > 1 { format!(", {count} times") } else { String::new() };
        writeln!(text, "  {} [{}] {}{times}", line.severity.name(), line.code, line.place).unwrap();
    }
    text
}

/// Compares the findings of files with the golden table.
#[track_caller]
pub(crate) fn hold(table: &str, files: impl Iterator<Item = (String, Vec<Line>)>) {
    let shape = |text: &str| text.replace(|char: char| char.is_ascii_digit(), "");
    let (mut printed, mut clean): (Vec<(String, String, u32)>, u32) = (Vec::new(), 0);
    for (name, lines) in files {
        let summary = summary(&lines);
        if summary.is_empty() {
            clean += 1;
            continue;
        }
        // Consecutive files whose names and findings differ only in numbers share one entry.
        match printed.last_mut() {
            Some((first, same, more)) if shape(first) == shape(&name) && shape(same) == shape(&summary) => *more += 1,
            _ => printed.push((name, summary, 0)),
        }
    }
    let mut text = String::new();
    for (name, summary, more) in printed {
        let more = if more > 0 { format!(", and {more} more like it") } else { String::new() };
        write!(text, "{name}{more}\n{summary}").unwrap();
    }
    writeln!(text, "and nothing of {clean} others").unwrap();
    golden::compare(table, &text).unwrap();
}

/// Returns the first file with each of the existing findings, and the text of that finding.
#[track_caller]
pub(crate) fn first_of_each(
    codes: &[(&'static str, Severity)],
    files: impl Iterator<Item = (String, Vec<Line>)>,
) -> Vec<String> {
    let mut first = vec![None; codes.len()];
    for (name, lines) in files {
        for line in lines {
            if let Some(index) = codes.iter().position(|code| *code == (line.code, line.severity)) {
                first[index].get_or_insert_with(|| format!("{name}\n  {}", line.text));
            }
        }
    }
    let missing: Vec<_> = codes.iter().zip(&first).filter(|(_, first)| first.is_none()).collect();
    assert!(missing.is_empty(), "missing findings: {missing:?}");
    first.into_iter().flatten().collect()
}
