use std::io;

use worldview::Loader;

use crate::args::FindArgs;
use crate::run::Run;

pub(crate) fn find(_: &FindArgs, _: Loader, _: &mut Run) -> io::Result<()> {
    Ok(())
}
