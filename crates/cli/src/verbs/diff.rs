use std::io::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use worldview_verbs::sheet::{self, Sheet};
use worldview_verbs::table::{self, counted, shown};
use worldview_verbs::{ChangeCounts, Compared, DiffCounts, Error, Result, Run, diff as compare, diff_changes};

use super::Done;
use crate::args::{DiffArgs, DiffFormat};
use crate::streams::Streams;
use crate::terminal::Summary;

#[derive(Serialize)]
struct Document {
    same: u64,
    files: Vec<Compared>,
}

/// A difference as a row of a CSV file.
#[derive(Default, Serialize)]
struct Row<'r, S> {
    left_path: Option<&'r str>,
    right_path: Option<&'r str>,
    change: &'r str,
    place: &'r str,
    field: Option<&'r str>,
    left: Option<S>,
    right: Option<S>,
    count: u64,
}

pub(crate) fn diff(args: &DiffArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let (left, right, options) = (&args.left, &args.right, &args.options);
    if args.format == DiffFormat::Changes {
        let (report, counts) = diff_changes(left, right, options, run, &mut streams.plain())?.split();
        let ChangeCounts { same, changed, changes } = counts;
        let what = format!(": {same} equal, {changed} changed, {}", counted(changes, "change"));
        return Ok((report, Some(Summary { done: "compared", what, always: true, ..Summary::default() })));
    }
    if options.out.is_some() {
        return Err(Error::option("--out", &"is only for --format changes; the other formats are printed"));
    }
    let style = args.csv.style(args.format == DiffFormat::Csv);
    let mut out = streams.styled(style, args.format == DiffFormat::Table);
    let (mut all, mut sheet) = (Vec::new(), Sheet::default());
    let is_in = |side: &Path| format!("in {}", table::path(side));
    let report = compare(left, right, options, run, &mut |compared| {
        match args.format {
            DiffFormat::Json if compared.change == "same" => {}
            DiffFormat::Changes => {}
            DiffFormat::Json => all.push(compared),
            DiffFormat::Ndjson => {
                return rows(&compared, |side| side).try_for_each(|row| sheet::json_line(&mut out, &row));
            }
            DiffFormat::Csv => return rows(&compared, cell).try_for_each(|row| sheet.write(&row, &mut out)),
            DiffFormat::Table => {
                // Files of one side are counted.
                let ("changed", Some(left), Some(right)) = (compared.change, &compared.left, &compared.right) else {
                    return Ok(());
                };
                writeln!(out, "{} -> {}", shown(left), shown(right))?;
                for difference in &compared.differences {
                    writeln!(out, "  {}", shown(&difference.text))?;
                }
                if compared.more > 0 {
                    writeln!(out, "  and {} more", compared.more)?;
                }
            }
        }
        Ok(())
    })?;
    let (report, DiffCounts { same, changed, added, removed }) = report.split();
    let one_sided = [('-', &removed, is_in(left)), ('+', &added, is_in(right))];
    if args.format == DiffFormat::Table {
        for (mark, files, place) in &one_sided {
            files.said(place).map_or(Ok(()), |said| writeln!(out, "{mark} {}", shown(&said)))?;
        }
    }
    if args.format == DiffFormat::Json {
        report.write_with(Document { same, files: all }, &mut out)?;
    }
    if args.format == DiffFormat::Csv {
        sheet.finish(&Row::<String>::default(), &mut out)?;
    }
    out.flush()?;
    let mut what = format!(": {same} equal, {changed} changed");
    for (_, files, place) in one_sided.iter().filter(|(_, files, _)| files.count > 0) {
        what.push_str(&format!(", {} only {place}", files.count));
    }
    Ok((report, Some(Summary { done: "compared", what, always: true, ..Summary::default() })))
}

/// Returns the differences as rows, with the sides converted by `side`.
fn rows<'r, S>(compared: &'r Compared, side: impl Fn(&'r Value) -> S) -> impl Iterator<Item = Row<'r, S>> {
    let (left_path, right_path) = (compared.left.as_deref(), compared.right.as_deref());
    let whole = compared.differences.is_empty() && compared.change != "same";
    let row = |change, count| {
        let (place, field, left, right) = ("", None, None, None);
        Row { left_path, right_path, change, place, field, left, right, count }
    };
    let whole = whole.then(|| row(compared.change, 1));
    // What is not listed is counted.
    let more = (compared.more > 0).then(|| row("not listed", compared.more));
    let listed = whole.into_iter().chain(compared.differences.iter().map(move |difference| Row {
        left_path,
        right_path,
        change: difference.change,
        place: &difference.place,
        field: difference.field.as_deref(),
        left: difference.left.as_ref().map(&side),
        right: difference.right.as_ref().map(&side),
        count: difference.count,
    }));
    listed.chain(more)
}

/// Returns a side as a CSV cell: text unchanged, everything else as JSON.
fn cell(side: &Value) -> String {
    side.as_str().map_or_else(|| side.to_string(), str::to_owned)
}
