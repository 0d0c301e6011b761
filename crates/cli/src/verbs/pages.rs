//! Shell completions and manual pages, generated from the command line definition.

use std::io::Write;
use std::path::Path;

use worldview_verbs::{Report, Result, Run, write_file};

use crate::args;

pub(crate) fn completions(shell: clap_complete::Shell, run: &mut Run<'_>, mut out: impl Write) -> Result<Report> {
    // Generated in memory first, because the generator panics if the pipe is closed.
    let mut page = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "worldview", &mut page);
    out.write_all(&page)?;
    out.flush()?;
    Ok(run.end("completions", ()))
}

pub(crate) fn man(folder: Option<&Path>, run: &mut Run<'_>, mut out: impl Write) -> Result<Report> {
    let command = args::command();
    let Some(folder) = folder.filter(|folder| folder.as_os_str() != "-") else {
        clap_mangen::Man::new(command).render(&mut out)?;
        out.flush()?;
        return Ok(run.end("man", ()));
    };
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().cloned());
        let page = clap_mangen::Man::new(command);
        let mut text = Vec::new();
        page.render(&mut text)?;
        write_file(folder, page.get_filename().as_ref(), &text)?;
    }
    Ok(run.end("man", ()))
}
