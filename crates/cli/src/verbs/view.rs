use std::io::{self, Write};

use tempfile::{Builder, NamedTempFile};
use worldview_verbs::{Report, Result, Run, table};
use worldview_view::Server;

use crate::args::ViewArgs;
use crate::streams::Streams;

/// Writes a page that leads to an address. Other users can read the arguments of the command that opens a browser, but not this
/// file.
fn launcher(address: &str) -> io::Result<NamedTempFile> {
    let mut page = Builder::new().prefix("worldview-").suffix(".html").tempfile()?;
    writeln!(page, "<!doctype html><meta charset=\"utf-8\"><title>worldview</title>")?;
    writeln!(page, "<meta http-equiv=\"refresh\" content=\"0; url={address}\">")?;
    writeln!(page, "<p><a href=\"{address}\">Open the viewer</a></p>")?;
    page.flush()?;
    Ok(page)
}

/// Serves the viewer until Ctrl-C.
pub(crate) fn view(args: &ViewArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Report> {
    let options = &args.options.0;
    let server = Server::bind(args.paths.iter().cloned(), options, run)?;
    let address = server.address()?;
    let mut out = streams.plain();
    writeln!(out, "{}", table::shown(&address))?;
    out.flush()?;
    run.hint("serving until Ctrl-C; the address works once, in one browser on this machine");
    // Kept until the end: browsers take their time.
    let page = if options.no_open { None } else { Some(launcher(&server.address()?)?) };
    if let Some(page) = &page
        && let Err(error) = ::open::that_detached(page.path())
    {
        run.note("view", &format_args!("cannot open a browser ({error}); open the address above"));
    }
    server.run(&run.canceled())?;
    Ok(run.end("view", ()))
}
