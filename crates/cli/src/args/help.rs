//! The help texts as clap prints them, and the pages that all verbs share.

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, CommandFactory as _, Error, FromArgMatches as _};
use worldview_verbs::leads;
use worldview_verbs::options::{CsvOptions, OpenOptions, TextOptions};

use super::{Args, Of, RunArgs};

/// Parses a command line, and also returns the name of its verb. Help texts are only made for help and errors, since most runs need none.
pub(crate) fn parse(given: &[OsString]) -> Result<(Args, String), Error> {
    if let [_, help, topic] = given
        && help == "help"
        && let Some(page) = page(topic.to_str().unwrap_or_default())
    {
        // Ends as other help does, with an error that prints it.
        page.try_get_matches_from(["worldview", "--help"])?;
    }
    // What leads into standard input (`-/…`) would be an option for clap, so paths are spelled in another way.
    let mut words = given.to_vec();
    let is_inside = |word: &&mut OsString| word.as_encoded_bytes().starts_with(b"-/");
    for word in words.iter_mut().take_while(|word| *word != "--").filter(is_inside) {
        *word = [OsStr::new("./"), word].into_iter().collect();
    }
    let mut definition = definition();
    if let Some(first) = words.get(1)
        && !definition.get_subcommands().any(|verb| *first == *verb.get_name())
        && first != "help"
        && leads(first.as_ref())
    {
        words.insert(1, "info".into());
    }
    let mut matches = definition.try_get_matches_from_mut(&words);
    let texts = matches.as_ref().map(|matches| texts(&definition, matches)).unwrap_or_default();
    let texts: Vec<_> = texts.into_iter().filter(|text| !given.contains(text)).collect();
    if !texts.is_empty() {
        let is_text = |word: &&mut OsString| texts.contains(word);
        words.iter_mut().filter(is_text).for_each(|word| *word = word.to_string_lossy().replacen("./", "", 1).into());
        matches = definition.try_get_matches_from_mut(&words);
    }
    let matches = matches.or_else(|_| {
        let mut help = described(self::definition(), true);
        help.try_get_matches_from_mut(&words).map_err(|error| advised(error, &help, &words))
    })?;
    let verb = matches.subcommand_name().unwrap_or_default().to_owned();
    let mut args = Args::from_arg_matches(&matches)?;
    let mut of_verb = &matches;
    while let Some((_, matches)) = of_verb.subcommand() {
        of_verb = matches;
    }
    args.run = RunArgs::of(of_verb)?;
    Ok((args, verb))
}

/// Returns the values that begin like a path inside standard input, but are no paths.
fn texts(definition: &Command, matches: &ArgMatches) -> Vec<OsString> {
    let (mut verb, mut matches) = (definition, matches);
    while let Some((name, inner)) = matches.subcommand()
        && let Some(inner_verb) = verb.find_subcommand(name)
    {
        (verb, matches) = (inner_verb, inner);
    }
    let is_first_path = |arg: &Arg| arg.get_id() == "pattern" && matches.contains_id("regex");
    let is_path = |arg: &Arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>() || is_first_path(arg);
    let texts =
        verb.get_arguments().filter(|arg| !is_path(arg)).filter_map(|arg| matches.get_raw(arg.get_id().as_str()));
    texts.flatten().filter(|text| text.as_encoded_bytes().starts_with(b"./-/")).map(OsStr::to_owned).collect()
}

/// Returns the command line with all help texts, for manual pages and completions.
pub(crate) fn command() -> Command {
    described(definition(), false)
}

/// Returns the definition of the command line.
fn definition() -> Command {
    fn with(command: Command, run: &[Arg]) -> Command {
        if command.has_subcommands() {
            return command.mut_subcommands(|verb| with(verb, run));
        }
        let lacks = lacks(command.get_name());
        command.args(run.iter().filter(|arg| !lacks.contains(&arg.get_id().as_str())))
    }
    let run: Vec<_> = RunArgs::augment_args(Command::new("")).get_arguments().cloned().collect();
    with(Args::command(), &run)
}

/// Returns the options of a run that mean nothing for a verb.
fn lacks(verb: &str) -> &'static [&'static str] {
    match verb {
        "completions" | "man" => &["threads", "allow", "quiet", "verbose", "report", "color"],
        "view" => &["threads", "allow", "verbose", "report"],
        "restore" => &["threads"],
        "build" | "invert" | "merge" => &["threads", "verbose"],
        _ => &[],
    }
}

/// Whether an option is one of several verbs, and explained on a page of its own.
fn is_shared(arg: &Arg) -> bool {
    arg.get_help_heading().is_some()
}

/// Completes the texts of a command and of its verbs. Texts below the options have lines of any length, so that they wrap where the
/// terminal ends; of these, short help has only examples. With `is_short`, options of several verbs are only named.
fn described(command: Command, is_short: bool) -> Command {
    let text = command.get_after_help().map(|text| joined(&text.to_string())).unwrap_or_default();
    let (text, examples) = text.split_at(text.find("Examples:").unwrap_or(0));
    let shared: Vec<_> = command.get_arguments().filter(|arg| is_short && is_shared(arg)).collect();
    let names: Vec<_> = shared.iter().filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    let shared = match &names[..] {
        [] => String::new(),
        names => format!("Shared options (see `worldview help options`): {}", names.join(", ")),
    };
    let below = |parts: &[&str]| {
        let parts: Vec<_> = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { Resettable::Reset } else { Resettable::Value(StyledStr::from(parts.join("\n\n"))) }
    };
    let [short, long] = [below(&[&shared, examples]), below(&[text, &shared, examples])];
    let command = command.after_help(short).after_long_help(long);
    let command = command.mut_args(|arg| if is_short && is_shared(&arg) { arg.hide(true) } else { arg });
    command.mut_subcommands(|verb| described(verb, is_short))
}

/// Joins the lines of each paragraph. Lines that begin with a space, such as examples, stay as they are.
fn joined(text: &str) -> String {
    let mut joined = String::new();
    let mut last = "";
    for line in text.lines() {
        let is_end = |line: &str| line.is_empty() || line.starts_with(' ') || line.ends_with(':');
        if !joined.is_empty() {
            joined.push(if is_end(last) || line.is_empty() || line.starts_with(' ') { '\n' } else { ' ' });
        }
        joined.push_str(line);
        last = line;
    }
    joined
}

/// Replaces tips that mislead: a value is hardly ever meant by an option that does not exist.
fn advised(mut error: Error, command: &Command, words: &[OsString]) -> Error {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else { return error };
    if error.kind() != ErrorKind::UnknownArgument || !wrong.starts_with("--") {
        return error;
    }
    let name = wrong.trim_start_matches('-').to_owned();
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| !tip.to_string().contains("as a value"));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    let verb = words.iter().skip(1).find_map(|word| command.find_subcommand(word.to_str()?));
    let option = |id: &str| verb.and_then(|verb| verb.get_arguments().find(|arg| arg.get_id() == id));
    let takes = |id: &str| {
        let values = option(id).map(Arg::get_possible_values).unwrap_or_default();
        values.iter().any(|value| value.get_name() == name)
    };
    let meant = match ["to", "format"].into_iter().find(|id| takes(id)) {
        Some(id) => Some(format!("--{id} {name}")),
        None => option("only").filter(|_| matches!(&*name, "kind" | "type")).map(|_| "--only kind=KIND".to_owned()),
    };
    if let Some(meant) = meant {
        error.remove(ContextKind::SuggestedArg);
        let tip = StyledStr::from(format!("the option is '{meant}'"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Returns a page of `worldview help` that is about no verb.
fn page(topic: &str) -> Option<Command> {
    let page = Command::new("worldview").disable_help_flag(true);
    let page = page.arg(Arg::new("help").long("help").action(ArgAction::HelpLong).hide(true));
    match topic {
        "options" => {
            let page =
                Of::<CsvOptions>::augment_args(Of::<TextOptions>::augment_args(Of::<OpenOptions>::augment_args(page)));
            let page = RunArgs::augment_args(page)
                .about("Options that several verbs have. The help of a verb names those that it has.");
            Some(page.after_help(joined(OPTIONS)).help_template("{about}\n\n{all-args}{after-help}"))
        }
        "paths" => {
            Some(page.after_help(joined(PATHS)).help_template("Paths of files and of what is in them{after-help}"))
        }
        _ => None,
    }
}

/// What the page about options says below them.
const OPTIONS: &str = "\
Limits, which --limits multiplies:
  size of an inflated level     64 MiB or 400 times the stored size, whichever
                                is larger, and at most 1 GiB
  files that `export` writes    16,384 per input, 131,072 for a REZ archive;
                                fewer for small inputs
  bytes that `export` writes    4 GiB per input
  pixels of a picture           268,435,456; four times as many for all pictures
                                of a level
Other limits are fixed; SECURITY.md lists them.

Exit codes:
  0    success
  1    `check` found something at or above --fail-on, `diff` found a difference,
       or `find` found nothing
  2    invalid command line, a path that does not exist, a folder without
       inputs, or a filter that matches nothing
  3    some inputs failed or were processed only in part, or something was
       refused; --allow names codes that do not count
  4    an output could not be written, or standard input could not be read
  130  interrupted by Ctrl-C (143: by SIGTERM)
If several apply, the order is 130, 2, 4, 3, 1.";

/// The page about paths.
const PATHS: &str = "\
A path names a file, a folder (searched recursively), or standard input (`-`). It can go on inside a file, and have
patterns at every level:
  worldview show 'item.wdb/it_*/u*Price'
  worldview show 'LEVEL1.WWD/plane:Action/object:*/{x,y,logic}'
  worldview export 'CLAW.REZ/LEVEL*' -o out
  worldview check 'WORLD.WDB/world:ACT1'
  worldview find potion 'db/**/*.wdb/*/sName*'
  worldview set db 'it_*/uPurchasePrice|=*2' -o out

The longest leading part that exists as it is written is taken literally. In the rest:
  *        any characters of one name
  ?        one character
  [a-z]    one of these characters (in folders)
  **       any folders; inside a file, any directories and nested archives
  {a,b}    `a` or `b`; expanded first, to at most 1,024 paths
  \\        escapes the next character; outside files only `{`, `}` and `,`,
           and on Windows nothing, since it separates folders there

Inside a file, `/` separates. A part is named by its key, such as that of a record, or by its kind and key, such as
plane:Action, object:17 or world:ACT1; `*:KEY` is any kind. `#1` names the second of several parts with the same key. A
part selects everything below it. `find`, `diff` and `check --all` print such paths.

ASCII case is ignored, but an exact match wins. A verb that writes refuses a name that matches several parts only because
case is ignored.

`set` and `apply` take one INPUT. If it is a folder or has patterns, OUT is a folder, and the PATH of a change begins
inside each file; for a folder, it may also begin with the name of a file in it. `diff` takes one path for each side, other
verbs take several.

Quote patterns, or the shell expands them: with '…' in sh and PowerShell, with \"…\" in cmd.exe.";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns a command and all its verbs.
    fn all(command: Command) -> Vec<Command> {
        let mut all = vec![command];
        let mut next = 0;
        while let Some(command) = all.get(next) {
            let verbs: Vec<_> = command.get_subcommands().cloned().collect();
            all.extend(verbs);
            next += 1;
        }
        all
    }

    /// Returns the long names of options.
    fn names<'c>(commands: impl IntoIterator<Item = &'c Command>, of: impl Fn(&Arg) -> bool) -> BTreeSet<String> {
        let options = commands.into_iter().flat_map(Command::get_arguments).filter(|arg| of(arg));
        options.filter_map(|arg| arg.get_long().map(str::to_owned)).collect()
    }

    #[test]
    fn paragraphs_are_one_line() {
        let text = "One\ntwo.\n\nThree\nfour:\n  a\n  b\nFive\nExamples:\n  c";
        assert_eq!(joined(text), "One two.\n\nThree four:\n  a\n  b\nFive Examples:\n  c");
    }

    #[test]
    fn there_are_few_options() {
        let mut command = definition();
        command.build();
        let names = names(&all(command), |_| true);
        assert!(names.len() <= 55, "{}: {names:?}", names.len());
    }

    #[test]
    fn short_help_fits_a_screen_and_no_table_is_wrapped() {
        for command in all(described(definition(), true)) {
            let (name, mut command) = (command.get_name().to_owned(), command.term_width(80));
            let short = command.render_help().to_string();
            let (lines, most) = (short.lines().count(), if name == "export" { 75 } else { 45 });
            assert!(lines <= most, "{name}: {lines}");
            let below = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            for line in below.lines().chain(OPTIONS.lines()).chain(PATHS.lines()).filter(|line| line.starts_with(' ')) {
                assert!(line.chars().count() <= 80, "{name}: {line}");
            }
        }
    }

    #[test]
    fn examples_are_command_lines() {
        let help =
            all(definition()).into_iter().skip(1).filter_map(|verb| verb.get_after_help().map(ToString::to_string));
        let mut count = 0;
        for text in help.chain([PATHS.to_owned()]) {
            for line in text.lines().filter_map(|line| line.strip_prefix("  worldview ")) {
                let end = ["  ", " <", " >", " |"].iter().filter_map(|end| line.find(end)).min().unwrap_or(line.len());
                let words = line[..end].split('\'').zip([false, true].into_iter().cycle());
                let words = words.flat_map(|(piece, is_quoted)| match is_quoted {
                    true => vec![piece],
                    false => piece.split_whitespace().collect(),
                });
                // The files are not there.
                let parsed = definition().try_get_matches_from(["worldview"].into_iter().chain(words));
                let parsed = parsed.map_err(|error| error.kind());
                assert!(matches!(parsed, Ok(_) | Err(ErrorKind::ValueValidation)), "{line}: {parsed:?}");
                count += 1;
            }
        }
        assert!(count > 60, "{count}");
    }

    #[test]
    fn the_page_about_options_has_the_shared_ones() {
        let page = page("options").unwrap();
        let own = names(&all(definition()), is_shared);
        assert_eq!(names([&page], |arg| arg.get_id() != "help"), own);
        assert!(all(command()).iter().flat_map(Command::get_arguments).all(|arg| !arg.is_hide_set()));
    }
}
