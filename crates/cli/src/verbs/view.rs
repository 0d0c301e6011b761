use std::io::{self, Write};
use std::sync::Arc;

use worldview::Loader;
use worldview_export::csv::CsvStyle;
use worldview_view::{Server, Settings};

use crate::args::ViewArgs;
use crate::open;
use crate::run::Run;
use crate::table;

/// Serves the viewer until Ctrl-C.
pub(crate) fn view(args: &ViewArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let schemas = match &args.schema {
        Some(path) => match open::schemas(path, run) {
            Some(schemas) => Some(schemas),
            None => return Ok(()),
        },
        None => None,
    };
    let settings = Settings::new(args.paths.iter().cloned(), loader)
        .port(args.port)
        .game(args.game.clone())
        .encoding(args.encoding.into())
        .schemas(schemas);
    let server = match Server::bind(settings) {
        Ok(server) => server,
        Err(error) => {
            run.failed("view", &error);
            return Ok(());
        }
    };
    let address = server.address();
    let mut out = run.stdout(CsvStyle::default(), false);
    writeln!(out, "{}", table::shown(&address))?;
    out.flush()?;
    run.hint("serving until Ctrl-C; the address works in this machine's browsers only");
    if !args.no_open
        && let Err(error) = ::open::that_detached(&address)
    {
        run.note("view", &format_args!("cannot open a browser ({error}); open the address above"));
    }
    let stop = Arc::clone(&run.stop);
    server.run(&stop)
}
