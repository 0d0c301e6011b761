use std::io;

use worldview::Loader;

use crate::args::DiffArgs;
use crate::run::Run;

pub(crate) fn diff(_: &DiffArgs, _: Loader, _: &mut Run) -> io::Result<()> {
    Ok(())
}
