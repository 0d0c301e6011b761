//! The findings of a whole run, grouped for people: each file with fatal findings once, the others by code.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use worldview::Severity;
use worldview_verbs::table::{counted, fitted, shown};
use worldview_verbs::{FileReport, FindingReport};

use crate::causes::Causes;

/// How many places of a code are printed.
const PLACES: usize = 3;

/// The findings of all files so far.
#[derive(Default)]
pub(super) struct Groups {
    files: usize,
    clean: usize,
    totals: [usize; 3],
    /// The files with fatal findings: the first finding of each, and how many follow.
    fatal: Vec<(String, usize)>,
    /// The other findings, by severity and code.
    codes: BTreeMap<(Reverse<Severity>, &'static str), Group>,
    /// Of many files with one cause, the first are in `fatal`.
    causes: Causes,
    omitted: bool,
}

/// All findings of one code.
#[derive(Default)]
struct Group {
    count: usize,
    files: usize,
    places: Vec<String>,
}

impl Groups {
    pub(super) fn add(&mut self, report: &FileReport) {
        self.files += 1;
        self.clean += usize::from(report.worst().is_none());
        for (total, count) in self.totals.iter_mut().zip([report.fatal, report.suspicious, report.curious]) {
            *total += count;
        }
        let place = |line: &FindingReport| {
            let colon = if line.part.is_empty() { "" } else { ": " };
            format!("{}: {}{colon}{}", shown(&report.path), line.part, line.message)
        };
        let mut fatal = report.findings.iter().filter(|line| line.severity == Severity::Fatal.name());
        if let Some(first) = fatal.next() {
            // Most of the others follow from it, and are not worth a line each.
            let more = report.fatal + report.suspicious + report.curious - 1;
            if self.causes.add(&report.path, &format!("{} [{}]", first.message, first.code)) {
                self.fatal.push((format!("{} [{}]", place(first), first.code), more));
            }
            return;
        }
        let mut codes: BTreeMap<_, usize> = BTreeMap::new();
        for line in &report.findings {
            let severity = match line.severity {
                "suspicious" => Severity::Suspicious,
                "curious" => Severity::Curious,
                _ => continue,
            };
            *codes.entry((Reverse(severity), line.code)).or_default() += 1;
            let group = self.codes.entry((Reverse(severity), line.code)).or_default();
            if group.places.len() < PLACES {
                group.places.push(place(line));
            } else {
                self.omitted = true;
            }
        }
        for (key, count) in codes {
            let group = self.codes.entry(key).or_default();
            group.files += 1;
            group.count += count + report.omitted.get(key.1).copied().unwrap_or(0);
        }
    }

    pub(super) fn print(&self, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        let [fatal, suspicious, curious] = self.totals;
        let files = counted(self.files as u64, "file");
        if self.clean == self.files {
            return if self.files == 0 { Ok(()) } else { writeln!(out, "{files}: nothing found") };
        }
        for (place, more) in &self.fatal {
            let more = if *more > 0 { format!(" (and {more} more)") } else { String::new() };
            writeln!(out, "{}", fitted(&format!("fatal: {place}"), &more, width))?;
        }
        for line in self.causes.rest() {
            writeln!(out, "{}", fitted(&format!("fatal: {}", shown(&line)), "", width))?;
        }
        for ((Reverse(severity), code), Group { count, files, places }) in &self.codes {
            let files = if self.files > 1 { format!(" in {}", counted(*files as u64, "file")) } else { String::new() };
            writeln!(out, "{} [{code}]: {count}{files}", severity.name())?;
            for place in places {
                writeln!(out, "{}", fitted(&format!("  {place}"), "", width))?;
            }
        }
        let clean = if self.clean > 0 { format!(", {} of them clean", self.clean) } else { String::new() };
        writeln!(out, "{files}{clean}: {fatal} fatal, {suspicious} suspicious, {curious} curious")?;
        if self.omitted || self.fatal.iter().any(|(_, more)| *more > 0) {
            writeln!(out, "(--all prints every finding with its offset)")?;
        }
        Ok(())
    }
}
