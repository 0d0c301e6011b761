//! Shell completions and manual pages, generated from the command line definition.

use std::io::{self, Write as _};
use std::path::Path;

use crate::args::{self, Replace};
use crate::output::Target;
use crate::run::Run;
use worldview_export::csv::CsvStyle;

pub(crate) fn completions(shell: clap_complete::Shell, run: &Run) -> io::Result<()> {
    // Generated in memory first, because the generator panics if the pipe is closed.
    let mut page = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "worldview", &mut page);
    print(&page, run)
}

pub(crate) fn man(folder: Option<&Path>, run: &Run) -> io::Result<()> {
    let command = args::command();
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return print(&page, run);
    };
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().filter(|verb| !verb.is_hide_set()).cloned());
        let page = clap_mangen::Man::new(command);
        let target = Target::of(&folder.join(page.get_filename()), folder, &[], Replace::Always)?;
        target.write(&mut io::stdout(), |mut out| page.render(&mut out))?;
    }
    Ok(())
}

fn print(page: &[u8], run: &Run) -> io::Result<()> {
    let mut out = run.stdout(CsvStyle::default(), false);
    out.write_all(page)?;
    out.flush()
}
