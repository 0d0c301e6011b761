use std::io::{self, Write};
use std::sync::Arc;

use tempfile::{Builder, NamedTempFile};
use worldview::Loader;
use worldview_export::csv::CsvStyle;
use worldview_view::{Server, Settings};

use crate::args::ViewArgs;
use crate::open;
use crate::run::Run;
use crate::table;

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
pub(crate) fn view(args: &ViewArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let schemas = match &args.schema {
        Some(path) => match open::schemas(path, run) {
            Some(schemas) => Some(schemas),
            None => return Ok(()),
        },
        None => None,
    };
    let Some(words) = args.words.read(run) else { return Ok(()) };
    let settings = Settings::new(args.paths.iter().cloned(), loader)
        .port(args.port)
        .game(args.game.clone())
        .encoding(args.encoding)
        .schemas(schemas)
        .words(words);
    let server = match Server::bind(settings) {
        Ok(server) => server,
        Err(error) => {
            run.failed("view", &error);
            return Ok(());
        }
    };
    let address = server.address()?;
    let mut out = run.stdout(CsvStyle::default(), false);
    writeln!(out, "{}", table::shown(&address))?;
    out.flush()?;
    run.hint("serving until Ctrl-C; the address works once, in one browser on this machine");
    // Kept until the end: browsers take their time.
    let page = if args.no_open { None } else { Some(launcher(&server.address()?)?) };
    if let Some(page) = &page
        && let Err(error) = ::open::that_detached(page.path())
    {
        run.note("view", &format_args!("cannot open a browser ({error}); open the address above"));
    }
    let stop = Arc::clone(&run.stop);
    server.run(&stop)
}
