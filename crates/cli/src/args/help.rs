//! The help texts as clap prints them.

use clap::CommandFactory as _;

use super::Args;

/// Returns the definition of the command line. Its texts below the options have lines of any length, so that they wrap where
/// the terminal ends.
pub(crate) fn command() -> clap::Command {
    reflow(Args::command())
}

fn reflow(mut command: clap::Command) -> clap::Command {
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(joined(&text));
    }
    command.mut_subcommands(reflow)
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
