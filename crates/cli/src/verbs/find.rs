use std::io::{self, Write};

use serde::Serialize;
use worldview::excerpt;
use worldview_verbs::options::FindOptions;
use worldview_verbs::sheet::{self, Sheet};
use worldview_verbs::table::{self, counted, shown};
use worldview_verbs::{FindCounts, Match, Matches, Result, Run, find as search};

use super::Done;
use crate::args::{FindArgs, FormatChoice};
use crate::streams::Streams;
use crate::terminal::Summary;

#[derive(Serialize)]
struct Document<'o> {
    pattern: &'o str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    regex: &'o [String],
    hits: Vec<Match>,
}

pub(crate) fn find(args: &FindArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let text = args.pattern.as_deref().unwrap_or_default();
    let options = FindOptions { counts_only: args.files_with_matches || args.count, ..args.options.0.clone() };
    let mut out = streams.rows(&args.csv, args.format);
    let (mut all, mut sheet) = (Vec::new(), Sheet::default());
    let report = search(text, &args.input.paths, &options, run, &mut |Matches { rows, counts }| {
        if options.counts_only {
            return counts.iter().try_for_each(|(path, count)| match args.count {
                true => writeln!(out, "{}:{count}", shown(path)),
                false => writeln!(out, "{}", shown(path)),
            });
        }
        match args.format {
            FormatChoice::Table => rows.iter().try_for_each(|hit| print(hit, &mut out)),
            FormatChoice::Json => {
                all.extend(rows);
                Ok(())
            }
            FormatChoice::Ndjson => rows.iter().try_for_each(|hit| sheet::json_line(&mut out, hit)),
            FormatChoice::Csv => rows.iter().try_for_each(|hit| sheet.write(hit, &mut out)),
        }
    })?;
    let (report, FindCounts { matches, files }) = report.split();
    if args.format == FormatChoice::Json {
        report.write_with(Document { pattern: text, regex: &options.regex, hits: all }, &mut out)?;
    }
    if args.format == FormatChoice::Csv {
        sheet.finish(&Match::default(), &mut out)?;
    }
    out.flush()?;
    let what = match matches {
        0 => ": no match".to_owned(),
        1 => ": 1 match".to_owned(),
        _ => format!(": {matches} matches in {}", counted(files, "file")),
    };
    Ok((report, Some(Summary { done: "searched", what, always: matches == 0, ..Summary::default() })))
}

fn print(hit: &Match, out: &mut impl Write) -> io::Result<()> {
    let Match { path, place, what, text, offset, space, words } = hit;
    let of = table::space(space);
    let text = excerpt(text);
    let words = words.as_ref().map_or(String::new(), |words| format!(" ({})", excerpt(words)));
    let slash = if place.is_empty() { "" } else { "/" };
    let line = format!("{path}{slash}{place}: {what} \"{text}\"{words} at offset {offset} ({offset:#x}) of the {of}");
    writeln!(out, "{}", shown(&line))
}
