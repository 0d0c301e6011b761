//! The help texts as clap prints them.

use std::ffi::OsString;

use clap::{Arg, Command, CommandFactory as _, Error, FromArgMatches as _};

use super::Args;

/// Parses a command line, and also returns the name of its verb. The order of options and the line breaks of help texts cost two
/// fifths of the instructions before a verb begins, so they are only made for help and errors.
pub(crate) fn parse(words: &[OsString]) -> Result<(Args, String), Error> {
    // A path inside of standard input, which is no option.
    let word = |word: &OsString| match word.to_str() {
        Some(inside) if inside.starts_with("-/") => format!("./{inside}").into(),
        _ => word.clone(),
    };
    let words: Vec<_> = words.iter().map(word).collect();
    let matches = Args::command().try_get_matches_from(&words);
    let matches = matches.or_else(|_| command().try_get_matches_from(words))?;
    let verb = matches.subcommand_name().unwrap_or_default().to_owned();
    Ok((Args::from_arg_matches(&matches)?, verb))
}

/// Returns the definition of the command line. Its texts below the options have lines of any length, so that they wrap where
/// the terminal ends.
pub(crate) fn command() -> Command {
    reflow(Args::command())
}

fn reflow(mut command: Command) -> Command {
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(joined(&text));
    }
    ordered(command).mut_subcommands(reflow)
}

/// Where options of the command itself are among those of the tables: after which one, and which.
fn places(verb: &str) -> &'static [(&'static str, &'static [&'static str])] {
    match verb {
        "worldview" => &[("threads", &["quiet", "verbose"])],
        "check" => &[("encoding", &["format", "csv_safe", "csv_bom"])],
        "find" => &[("regex", &["files_with_matches", "count", "format"]), ("text", &["csv_safe", "csv_bom"])],
        "diff" => &[("encoding", &["format"])],
        "set" | "apply" => &[("in_place", &["dry_run"]), ("skip_refused", &["format"])],
        "build" => &[("overwrite", &["format"])],
        "export" => &[("dry_run", &["format"])],
        _ => &[],
    }
}

/// Puts the options of the command itself between those of the tables.
fn ordered(command: Command) -> Command {
    let mut options: Vec<_> = command.get_arguments().filter(|arg| !arg.is_positional()).cloned().collect();
    // `mut_arg` moves an argument to the end.
    options.sort_by_key(Arg::get_display_order);
    let orders: Vec<_> = options.iter().map(Arg::get_display_order).collect();
    for (after, moved) in places(command.get_name()) {
        let (moved, others): (Vec<_>, _) = options.into_iter().partition(|arg| moved.contains(&arg.get_id().as_str()));
        options = others;
        let at = options.iter().position(|arg| arg.get_id() == after).map_or(0, |at| at + 1);
        options.splice(at..at, moved);
    }
    let mut options = options.into_iter().zip(orders).map(|(arg, order)| arg.display_order(order));
    command.mut_args(|arg| if arg.is_positional() { arg } else { options.next().unwrap_or(arg) })
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

#[cfg(test)]
mod tests {
    #[test]
    fn paragraphs_are_one_line() {
        let text = "One\ntwo.\n\nThree\nfour:\n  a\n  b\nFive\nExamples:\n  c";
        assert_eq!(super::joined(text), "One two.\n\nThree four:\n  a\n  b\nFive Examples:\n  c");
    }
}
