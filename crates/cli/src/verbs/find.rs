use std::io::{self, Write};

use serde::Serialize;
use worldview::{Asset, Loader, excerpt};
use worldview_inspect::find::{self, Hit, Pattern};
use worldview_inspect::{Encoding, Everything, Options, Select};

use crate::args::{FindArgs, FormatChoice};
use crate::inputs::{self, OpenInput};
use crate::open::{Files, NestingScope};
use crate::report::Head;
use crate::run::Run;
use crate::selected::{Members, Records, Searched};
use crate::sheet::{self, Sheet};
use crate::table::{self, shown};
use worldview_export::table::Words;

#[derive(Serialize)]
struct Document<'o> {
    #[serde(flatten)]
    head: Head<'o>,
    pattern: &'o str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    regex: &'o [String],
    hits: Vec<Row>,
}

/// A text that was found.
#[derive(Default, Serialize)]
struct Row {
    path: String,
    place: String,
    what: String,
    text: String,
    offset: u64,
    space: &'static str,
    /// The words for a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
}

/// The matches of a file.
struct Matches {
    rows: Vec<Row>,
    /// The path of each part with matches, and how many it has.
    counts: Vec<(String, u64)>,
}

/// Maximum number of hits reported per file. A pattern can match every text in a file.
const MAX_LISTED: usize = 100_000;

pub(crate) fn find(args: &FindArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let threads = inputs::threads_inside(&args.input, run);
    let Some(files) = Files::new(&args.input.open, threads, run) else { return Ok(()) };
    let text = args.pattern.as_deref().unwrap_or_default();
    let pattern = match &args.regex[..] {
        [] if args.case => Pattern::new(text).exact_case(),
        [] => Pattern::new(text),
        regex => match Pattern::regex(regex, args.case) {
            Ok(pattern) => pattern,
            Err(error) => {
                run.refused("--regex", &error);
                return Ok(());
            }
        },
    };
    // All numbers have to be looked at for the names of their fields.
    let is_wanted = args.what.is_empty() || args.what.iter().any(|what| what == "field");
    let pattern = if is_wanted { pattern.names() } else { pattern };
    let Some(words) = args.words.read(run) else { return Ok(()) };
    let pattern = match &words {
        Some(words) => {
            let keys = words.keys(|words| pattern.matches(words));
            pattern.or_any_of(keys)
        }
        None => pattern,
    };
    // Hits are held back until all earlier files are finished.
    run.window = Some(8);
    let look = |look: OpenInput<'_>, ()| one(args, &files, (&pattern, words.as_ref()), look);
    let mut out = run.rows_out(args.csv, args.format);
    let (mut all, mut count, mut sheet) = (Vec::new(), 0_u64, Sheet::new());
    let take = |Matches { rows: hits, counts }: Matches, _: &mut Run| {
        count += counts.iter().map(|(_, count)| count).sum::<u64>();
        if args.files_with_matches || args.count {
            return counts.iter().try_for_each(|(path, count)| match args.count {
                true => writeln!(out, "{}:{count}", shown(path)),
                false => writeln!(out, "{}", shown(path)),
            });
        }
        match args.format {
            FormatChoice::Table => hits.iter().try_for_each(|hit| print(hit, &mut out)),
            FormatChoice::Json => {
                all.extend(hits);
                Ok(())
            }
            FormatChoice::Ndjson => hits.iter().try_for_each(|hit| sheet::json_line(&mut out, hit)),
            FormatChoice::Csv => hits.iter().try_for_each(|hit| sheet.write(hit, &mut out)),
        }
    };
    inputs::each(&args.input, loader, run, |_| (), look, take)?;
    if args.format == FormatChoice::Json {
        let head = Head::of("find", run);
        sheet::json(&mut out, &Document { head, pattern: text, regex: &args.regex, hits: all })?;
    }
    if args.format == FormatChoice::Csv {
        sheet.finish(&Row::default(), &mut out)?;
    }
    out.flush()?;
    if count == 0 {
        run.found_nothing();
    }
    run.sum_up("searched", &format!(": {}", found(count)), count == 0);
    Ok(())
}

/// How many matches there are.
fn found(count: u64) -> String {
    if count == 1 { "1 match".to_owned() } else { format!("{count} matches") }
}

fn print(hit: &Row, out: &mut impl Write) -> io::Result<()> {
    let Row { path, place, what, text, offset, space, words } = hit;
    let of = table::space(space);
    let (text, place) = (excerpt(text), excerpt(place));
    let words = words.as_ref().map_or(String::new(), |words| format!(" ({})", excerpt(words)));
    let line = format!("{path}: {place}: {what} \"{text}\"{words} at offset {offset} ({offset:#x}) of the {of}");
    writeln!(out, "{}", shown(&line))
}

fn one(
    args: &FindArgs,
    files: &Files<'_>,
    (pattern, words): (&Pattern, Option<&Words>),
    mut look: OpenInput<'_>,
) -> Matches {
    let open = &args.input.open;
    let encoding: Encoding = open.encoding;
    let (mut rows, mut more, mut counts) = (Vec::new(), 0_u64, Vec::<(String, u64)>::new());
    let is_listed = !args.files_with_matches && !args.count;
    let mut keep = |path: &str, hit: &Hit<'_>| {
        let Hit { path: place, what, text, at, space } = *hit;
        if !args.what.is_empty() && !args.what.iter().any(|wanted| wanted == what) {
            return;
        }
        match counts.last_mut() {
            Some((last, count)) if last == path => *count += 1,
            _ => counts.push((path.to_owned(), 1)),
        }
        if !is_listed {
            return;
        }
        if rows.len() >= MAX_LISTED {
            more += 1;
            return;
        }
        let (path, place, what) = (path.to_owned(), place.to_string(), what.to_owned());
        let words = words.and_then(|words| words.get(text)).map(str::to_owned);
        rows.push(Row { path, place, what, text: text.to_owned(), offset: at, space: space.name(), words });
    };
    let looked = files.look(&mut look, NestingScope::Nested, &mut |visit, outcome| {
        let path = table::path(visit.path);
        if let Some(world) = visit.world()
            && !open.only.is_empty()
        {
            if visit.only(world, outcome).is_none() {
                return Ok(());
            }
            let why = "is always searched completely; use --what to select kinds of texts, and --only for files and archive members";
            outcome.input_failed(visit.path, &why);
            return Ok(());
        }
        visit.say_left_out(outcome);
        let (members, record);
        let select: &dyn Select = match (visit.part, visit.row()) {
            // The strings of a record are those of its table.
            (_, Some(row)) => {
                record = Records { index: Some(row.index()), ..Records::default() };
                &record
            }
            (Asset::Archive(_), _) => {
                members = Members(visit);
                &members
            }
            (Asset::Table(_), _) => &Searched,
            _ => &Everything,
        };
        let options = Options { encoding, select, ..Options::default() };
        let mut note = |hit: &Hit<'_>| keep(&path, hit);
        let found = visit.describe(|root| find::search(root, pattern, &options, &mut note));
        match found {
            // Parts that could not be read were reported when the file was opened.
            Some(Ok(_)) => {}
            Some(Err(error)) => outcome.input_failed(visit.path, &error),
            None => outcome.input_failed(visit.path, &"is a member that is not in a known format"),
        }
        Ok(())
    });
    // Nothing is written here, so no I/O error can occur.
    debug_assert!(looked.is_ok());
    if more > 0 {
        look.outcome.note(&look.input.path, &format_args!("{more} more matches are not listed"));
    }
    Matches { rows, counts }
}
