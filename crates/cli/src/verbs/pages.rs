//! What shells and `man` want to know, made from the command line itself.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use clap::CommandFactory as _;

use crate::args::Args;

pub(crate) fn completions(shell: clap_complete::Shell) -> io::Result<()> {
    // Into memory first: its writer panics where a pipe is closed.
    let mut page = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "worldview", &mut page);
    io::stdout().write_all(&page)
}

pub(crate) fn man(folder: Option<&Path>) -> io::Result<()> {
    let command = Args::command();
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return io::stdout().write_all(&page);
    };
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)
}
