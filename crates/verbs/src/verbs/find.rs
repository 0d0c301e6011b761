use std::io;
use std::path::PathBuf;

use serde::Serialize;
use worldview::Asset;
use worldview_inspect::find::{self, Hit, HitRole, Pattern};
use worldview_inspect::{Encoding, Everything, Options, Select};

use crate::inputs::{self, Inputs, OpenInput};
use crate::open::{Files, Reach};
use crate::options::FindOptions;
use crate::report::{Error, Report, Result, Status};
use crate::run::Run;
use crate::selected::{Members, SEARCHED};
use crate::table;
use crate::texts;
use worldview_export::table::Words;

/// A text that was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Match {
    /// The path of the file, with the names inside it.
    pub path: String,
    /// The path of the field in it, as `set` takes it.
    pub place: String,
    /// What the text is: the name of an element, or the field that holds it.
    pub what: String,
    /// The text.
    pub text: String,
    /// The offset in `space`, in bytes.
    pub offset: u64,
    /// The space of the offset: `file` or `image`.
    pub space: &'static str,
    /// The words for a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// The matches in a file.
#[derive(Clone, Debug, Default)]
pub struct Matches {
    /// The first 100,000 matches.
    pub rows: Vec<Match>,
    /// The path of each part with matches, and how many it has.
    pub counts: Vec<(String, u64)>,
}

/// How many matches there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindCounts {
    /// All matches.
    pub matches: u64,
    /// Files with matches.
    pub files: u64,
}

/// Maximum number of hits reported per file. A pattern can match every text in a file.
const MAX_LISTED: usize = 100_000;

/// Searches names of records, fields, objects, textures and worlds, and all other text. `text` is found anywhere, or is a pattern with
/// `*` and `?` that matches a whole text; the option `regex` has regular expressions instead. Calls `take` with what was found in each
/// file. The report has the number of all matches, and is [negative](Report::is_negative) if there are none.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `take` returns one.
pub fn find(
    text: &str,
    paths: &[PathBuf],
    args: &FindOptions,
    run: &mut Run<'_>,
    take: &mut dyn FnMut(Matches) -> io::Result<()>,
) -> Result<Report<FindCounts>> {
    let inputs = Inputs { paths, open: &args.open };
    let files = Files::new(&args.open, inputs.threads_inside(run))?;
    let pattern = match &args.regex[..] {
        [] if args.case => Pattern::new(text).exact_case(),
        [] => Pattern::new(text),
        regex => Pattern::regex(regex, args.case).map_err(|error| Error::refused("--regex", &error))?,
    };
    // All numbers have to be looked at for the names of their fields.
    let pattern = if args.searches(HitRole::FieldName) { pattern.names() } else { pattern };
    let words = texts::read(&args.words, run)?;
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
    let mut counts = FindCounts::default();
    let take = |matches: Matches, run: &mut Run<'_>| {
        let is_searched = run.report.inputs.last().is_some_and(|input| input.status != Status::Failed);
        run.count_done(is_searched);
        counts.matches += matches.counts.iter().map(|(_, count)| count).sum::<u64>();
        counts.files += u64::from(!matches.counts.is_empty());
        take(matches)
    };
    inputs::each(inputs, run, |_| (), look, take)?;
    run.report.is_negative |= counts.matches == 0;
    Ok(run.end("find", counts))
}

fn one(
    args: &FindOptions,
    files: &Files<'_>,
    (pattern, words): (&Pattern, Option<&Words>),
    mut look: OpenInput<'_>,
) -> Matches {
    let open = &args.open;
    let encoding: Encoding = open.encoding;
    let (mut rows, mut more, mut counts) = (Vec::new(), 0_u64, Vec::<(String, u64)>::new());
    let is_listed = !args.counts_only;
    let mut keep = |path: &str, hit: &Hit<'_>| {
        let Hit { path: place, what, text, at, space, role } = *hit;
        if !args.searches(role) {
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
        rows.push(Match { path, place, what, text: text.to_owned(), offset: at, space: space.name(), words });
    };
    files.each(&mut look, Reach::FIND, &mut |visit, outcome| {
        let path = table::path(visit.path);
        if let Some(world) = visit.world()
            && !open.only.is_empty()
        {
            if visit.only(world, outcome).is_none() {
                return;
            }
            let why = "--only selects no parts of it; a path does, as in WORLD.WDB/world:ACT1";
            outcome.input_failed(visit.path, &why);
            return;
        }
        visit.say_left_out(outcome);
        let members;
        let select: &dyn Select = match visit.part {
            Asset::Archive(_) => {
                members = Members(visit);
                &members
            }
            Asset::Table(_) => &SEARCHED,
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
    });
    if more > 0 {
        look.outcome.note(&look.input.path, &format_args!("{more} more matches are not listed"));
    }
    Matches { rows, counts }
}
