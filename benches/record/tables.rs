//! The tables in `docs/speed.md` and the README, between their markers.

use std::fmt::Write as _;

use worldview_benches::units::{duration, gigabytes};

use crate::figures::{Figure, of_table};
use crate::measured::Measured;

/// Documents that have tables, by their path in the repository.
pub(crate) const DOCUMENTS: [&str; 2] = ["README.md", "docs/speed.md"];

/// Returns `document` with its tables filled in.
pub(crate) fn fill(document: &str, all: &[Measured]) -> Result<String, String> {
    let tables = [
        ("headlines", headlines(all)),
        ("limits", limits(all)),
        ("waits", figures(all, &of_table("waits"))),
        ("figures", figures(all, &of_table("figures")) + &growths(all)),
        ("readers", readers(all)),
    ];
    let used: Vec<_> = tables.iter().filter(|(name, _)| document.contains(&begin(name))).collect();
    if used.is_empty() {
        return Err("the document has no markers".into());
    }
    used.iter().try_fold(document.to_owned(), |text, (name, table)| splice(&text, name, table))
}

fn begin(name: &str) -> String {
    format!("<!-- {name}: begin -->\n")
}

/// Puts a table between the markers of this name.
fn splice(text: &str, name: &str, table: &str) -> Result<String, String> {
    let (begin, end) = (begin(name), format!("<!-- {name}: end -->"));
    let missing = |marker: &str| format!("the document has no marker {}", marker.trim());
    let (before, rest) = text.split_once(&begin).ok_or_else(|| missing(&begin))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| missing(&end))?;
    Ok(format!("{before}{begin}{table}{end}{after}"))
}

/// The README's table: our time, and how many times as long another reader takes.
fn headlines(all: &[Measured]) -> String {
    let mut table = String::from("| task | worldview | others |\n|---|---|---|\n");
    for figure in of_table("headlines") {
        let (Figure { what, group, .. }, reader) = (&figure, figure.against());
        let (ours, other) = (ours_at(all, group), times_as_long(all, group, reader));
        _ = writeln!(table, "| {what} | {ours} | {reader} takes {other} as long |");
    }
    table
}

/// The first table of `docs/speed.md`: how many times as long as the limit we take, for the smallest and the largest of the inputs'
/// ratios.
fn limits(all: &[Measured]) -> String {
    let mut table = String::from("| task | × limit |\n|---|---|\n");
    for figure in of_table("limits") {
        let (what, pairs) = (&figure.what, pairs(all, &figure));
        let ratios = pairs.into_iter().map(|pair| figure.ratio(pair));
        let (least, most) =
            ratios.fold((f64::MAX, 0.0_f64), |(least, most), ratio| (least.min(ratio), most.max(ratio)));
        let range = if least < most { format!("{least:.2} to {most:.2}") } else { format!("{most:.2}") };
        _ = writeln!(table, "| {what} | {range} |");
    }
    table
}

/// The targets and the measured ratios; ratios that miss their target are bold.
pub(crate) fn figures(all: &[Measured], figures: &[Figure]) -> String {
    let mut table = String::from("| operation, and its limit | target | measured | our time |\n|---|---|---|---|\n");
    for figure in figures {
        let pairs = pairs(all, figure);
        let Some(&(last, limit)) = pairs.last() else { continue };
        let ours = throughput(last, figure.time(last)) + &usage(last, limit);
        let each: Vec<String> = pairs.iter().map(|&pair| shown(figure, pair, pairs.len())).collect();
        let of = if figure.target.starts_with("at least") { "speed" } else { "time" };
        _ = writeln!(table, "| {} | {}x the {of} | {} | {ours} |", figure.what, figure.target, each.join(", "));
    }
    table
}

/// The row of the figures that shows how ratios grow with the input.
fn growths(all: &[Measured]) -> String {
    let growth: Vec<String> = of_table("growth").iter().filter_map(|figure| growth(all, figure)).collect();
    let what = "growth: the largest of the ratios from 64 KiB to 256 MiB over the smallest";
    format!("| {what} | at most {GROWTH}x | {} | |\n", growth.join(", "))
}

/// Maximum quotient of the largest and smallest ratio of such a group.
const GROWTH: f64 = 1.3;

/// Returns the largest ratio of our time to the limit in a group, divided by the smallest.
fn growth(all: &[Measured], figure: &Figure) -> Option<String> {
    let ratios = pairs(all, figure).into_iter().map(|pair| figure.ratio(pair));
    let (least, most) = ratios.fold((f64::MAX, 0.0_f64), |(least, most), ratio| (least.min(ratio), most.max(ratio)));
    let growth = most / least;
    let number = format!("{growth:.2}x");
    (most > 0.0).then(|| format!("{} {}", figure.what, if growth <= GROWTH { number } else { format!("**{number}**") }))
}

/// Returns our measurement and the one to compare with, for each input that the figure applies to: from the run with the worse ratio.
pub(crate) fn pairs<'m>(all: &'m [Measured], figure: &Figure) -> Vec<(&'m Measured, &'m Measured)> {
    let limit =
        |ours: &Measured| all.iter().find(|one| is_same_work(one, ours) && one.reader.starts_with(figure.against()));
    let mut worse: Vec<(&Measured, &Measured)> = Vec::new();
    for pair in all.iter().filter(|one| figure.is_ours(one)).filter_map(|ours| Some((ours, limit(ours)?))) {
        match worse.iter_mut().find(|(ours, _)| ours.input == pair.0.input) {
            None => worse.push(pair),
            Some(other) if figure.ratio(pair) > figure.ratio(*other) => *other = pair,
            Some(_) => {}
        }
    }
    worse
}

fn is_same_work(one: &Measured, other: &Measured) -> bool {
    (one.run, &one.group, &one.input) == (other.run, &other.group, &other.input)
}

fn shown(figure: &Figure, pair: (&Measured, &Measured), of: usize) -> String {
    let (ratio, is_met) = figure.judged(pair);
    let digits = if ratio < 0.1 {
        3
    } else if ratio < 10.0 {
        2
    } else {
        0
    };
    let number = format!("{ratio:.digits$}x");
    let number = if is_met { number } else { format!("**{number}**") };
    if of == 1 { number } else { format!("{} {number}", plain(&pair.0.input)) }
}

/// Formats what two threads took of the processor, if that was measured.
fn usage(two: &Measured, one: &Measured) -> String {
    let (Some(ours), Some(limit), Some(preemptions)) = (two.cpu_ns, one.cpu_ns, two.preemptions) else {
        return String::new();
    };
    format!(", {:.2}x the processor time, {preemptions:.1} preemptions", ours / limit)
}

/// Formats a duration of our measurement, and its throughput.
fn throughput(ours: &Measured, ns: f64) -> String {
    let speed = gigabytes(ours.bytes, ns);
    let speed = if (0.1..=200.0).contains(&speed) { format!(", {speed:.1} GB/s") } else { String::new() };
    format!("{}{speed}", duration(ns))
}

/// Removes the seed from the name of an input, since it is always the same.
fn plain(input: &str) -> &str {
    input.split_once(", seed").map_or(input, |(input, _)| input)
}

/// Returns the table of readers: how many times as long as ours each takes for the same work, on the largest input that
/// both have read.
fn readers(all: &[Measured]) -> String {
    let mut columns = of_table("readers");
    columns.retain(|column| all.iter().any(|one| one.group == column.group));
    let mut names: Vec<&str> = Vec::new();
    for one in all.iter().filter(|one| columns.iter().any(|column| column.group == one.group)) {
        let is_other = one.reader != "worldview" && !one.reader.starts_with("limit: ");
        if is_other && !names.contains(&one.reader.as_str()) {
            names.push(&one.reader);
        }
    }
    let heads: Vec<&str> = columns.iter().map(|column| &*column.what).collect();
    let mut table = format!("| reader | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    let times: Vec<String> = columns.iter().map(|column| ours_at(all, &column.group)).collect();
    _ = writeln!(table, "| worldview | {} |", times.join(" | "));
    for name in names {
        let cells: Vec<String> = columns.iter().map(|column| times_as_long(all, &column.group, name)).collect();
        _ = writeln!(table, "| {name} | {} |", cells.join(" | "));
    }
    table
}

/// Returns what a reader took in the last run for an input, or for the largest that it has read.
fn found<'m>(all: &'m [Measured], group: &str, reader: &str, input: Option<&str>) -> Option<&'m Measured> {
    let is_it = |one: &Measured| one.run == 0 && one.group == group && one.reader == reader;
    all.iter().rfind(|one| is_it(one) && input.is_none_or(|input| one.input == input))
}

/// Returns the input used for the comparison: the largest that our reader and all peers have read.
fn compared<'m>(all: &'m [Measured], group: &str) -> Option<&'m str> {
    found(all, group, "naive reader", None).map(|one| &*one.input)
}

/// Returns our time on the input used for the comparison.
fn ours_at(all: &[Measured], group: &str) -> String {
    let ours = found(all, group, "worldview", compared(all, group));
    ours.map_or(String::new(), |ours| format!("{} ({})", duration(ours.median_ns), plain(&ours.input)))
}

fn times_as_long(all: &[Measured], group: &str, reader: &str) -> String {
    let naive = compared(all, group);
    // The input of the first line if this reader has read it, otherwise the largest that it has read.
    let of_naive = naive.and_then(|input| found(all, group, reader, Some(input)));
    let Some(of_reader) = of_naive.or_else(|| found(all, group, reader, None)) else { return String::new() };
    let in_run = |run: usize| {
        let is_it = |one: &&Measured, reader: &str| one.run == run && one.group == group && one.reader == reader;
        let took = |reader: &str| all.iter().find(|one| is_it(one, reader) && one.input == of_reader.input);
        Some(took(reader)?.median_ns / took("worldview")?.median_ns)
    };
    // Of two runs the lower figure counts.
    let Some(ratio) = (0..2).filter_map(in_run).min_by(f64::total_cmp) else { return String::new() };
    let digits = if ratio < 10.0 { 1 } else { 0 };
    let is_usual = naive.is_none_or(|naive| naive == of_reader.input);
    let at = if is_usual { String::new() } else { format!(" ({})", plain(&of_reader.input)) };
    format!("{ratio:.digits$}x{at}")
}
