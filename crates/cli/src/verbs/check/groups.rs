//! The findings of a whole run, grouped for people: by file, or by code.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use worldview::Severity;
use worldview_verbs::table::{counted, fitted, shown};
use worldview_verbs::{FileReport, FindingReport};

use crate::args::GroupBy;

/// How many places of a code are printed, and how many files.
const PLACES: usize = 3;
const FILES: usize = 200;

/// The findings of all files so far.
pub(super) struct Groups {
    /// The lowest severity for which a file has a line of its own.
    min: Severity,
    files: usize,
    clean: usize,
    totals: [usize; 3],
    /// The folder that all files are in, with `/` at its end.
    folder: Option<String>,
    broken: Vec<Broken>,
    codes: BTreeMap<(Reverse<Severity>, &'static str), Group>,
}

/// A file with its worst finding.
struct Broken {
    severity: Severity,
    path: String,
    why: String,
    /// How many other findings it has.
    others: usize,
}

/// All findings of one code.
#[derive(Default)]
struct Group {
    count: usize,
    files: usize,
    /// The first places: the path of the file, and the rest.
    places: Vec<(String, String)>,
}

impl Groups {
    pub(super) fn new(min: Option<Severity>) -> Self {
        let (min, broken, codes) = (min.unwrap_or(Severity::Suspicious), Vec::new(), BTreeMap::new());
        Self { min, files: 0, clean: 0, totals: [0; 3], folder: None, broken, codes }
    }

    pub(super) fn add(&mut self, report: &FileReport) {
        let FileReport { path, title, fatal, suspicious, curious, findings, omitted, .. } = report;
        self.files += 1;
        let folder = path.rfind('/').map_or("", |end| &path[..=end]);
        let mut common = self.folder.take().unwrap_or_else(|| folder.to_owned());
        while !folder.starts_with(&common) {
            common.pop();
            common.truncate(common.rfind('/').map_or(0, |end| end + 1));
        }
        self.folder = Some(common);
        let counts = [*fatal, *suspicious, *curious];
        for (total, count) in self.totals.iter_mut().zip(counts) {
            *total += count;
        }
        let Some(worst) = report.worst() else {
            self.clean += 1;
            return;
        };
        let place = |line: &FindingReport| {
            let colon = if line.part.is_empty() { "" } else { ": " };
            format!("{}{colon}{}", line.part, line.message)
        };
        if worst >= self.min
            && let Some(first) = findings.iter().find(|line| line.severity == worst)
        {
            let title = if title.is_empty() { String::new() } else { format!(" \"{title}\"") };
            let why = format!("{title}: {} [{}]", place(first), first.code);
            let others = counts.iter().sum::<usize>() - 1;
            self.broken.push(Broken { severity: worst, path: path.clone(), why, others });
        }
        let mut codes: BTreeMap<_, usize> = BTreeMap::new();
        for line in findings {
            let key = (Reverse(line.severity), line.code);
            *codes.entry(key).or_default() += 1;
            let Group { places, .. } = self.codes.entry(key).or_default();
            if places.len() < PLACES {
                places.push((path.clone(), place(line)));
            }
        }
        for (key, count) in codes {
            let group = self.codes.entry(key).or_default();
            group.files += 1;
            group.count += count + omitted.get(key.1).copied().unwrap_or(0);
        }
    }

    pub(super) fn print(mut self, by: GroupBy, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        let ([fatal, suspicious, curious], folder) = (self.totals, self.folder.take().unwrap_or_default());
        let below = |path: &str| shown(path.strip_prefix(&*folder).unwrap_or(path));
        let files = counted(self.files as u64, "file");
        if self.clean == self.files {
            return if self.files == 0 { Ok(()) } else { writeln!(out, "{files}: nothing found") };
        }
        let mut is_all = true;
        if by == GroupBy::File {
            self.broken.sort_by_key(|file| Reverse(file.severity));
            for Broken { severity, path, why, others } in self.broken.iter().take(FILES) {
                is_all &= *others == 0;
                let others = match others {
                    0 => String::new(),
                    others => format!("; {}", counted(*others as u64, "other finding")),
                };
                let line = format!("{}: {}{}", severity.name(), below(path), shown(why));
                writeln!(out, "{}", fitted(&line, &others, width))?;
            }
            if let Some(more @ 1..) = self.broken.len().checked_sub(FILES) {
                is_all = false;
                writeln!(out, "… and {} with such findings", counted(more as u64, "more file"))?;
            }
            // The findings of the others are counted.
            self.codes.retain(|(Reverse(severity), _), _| *severity < self.min);
        }
        for ((Reverse(severity), code), Group { count, files, places }) in &self.codes {
            let of = if self.files > 1 { format!(" in {}", counted(*files as u64, "file")) } else { String::new() };
            writeln!(out, "{} [{code}]: {count}{of}", severity.name())?;
            let places = if by == GroupBy::Code { &places[..] } else { &[] };
            is_all &= places.len() == *count;
            for (path, place) in places {
                let path = if self.files > 1 { format!("{}: ", below(path)) } else { String::new() };
                writeln!(out, "{}", fitted(&format!("  {path}{}", shown(place)), "", width))?;
            }
        }
        let inside = match folder.strip_suffix('/') {
            Some(folder) if self.files > 1 => format!(" in {}", shown(folder)),
            _ => String::new(),
        };
        let clean = if self.clean > 0 { format!(", {} of them clean", self.clean) } else { String::new() };
        writeln!(out, "{files}{inside}{clean}: {fatal} fatal, {suspicious} suspicious, {curious} curious")?;
        if !is_all {
            writeln!(out, "(--all prints every finding with its offset)")?;
        }
        Ok(())
    }
}
