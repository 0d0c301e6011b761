//! The output of the verbs, and the verbs of the command alone.

mod check;
mod diff;
mod edit;
mod export;
mod facts;
mod find;
mod pages;
#[cfg(feature = "view")]
mod view;

use worldview_verbs::options::{SchemaFormat, ShowFormat, ShowOptions};
use worldview_verbs::{Report, Result, Run, invert, merge, schema, show};

use crate::args::{ChangesArgs, ChangesVerb, Verb};
use crate::streams::Streams;
use crate::terminal::Summary;

/// The report of a verb, and its summary.
pub(crate) type Done = (Report, Option<Summary>);

/// Runs a verb, and prints what it was asked for.
pub(crate) fn run(verb: &Verb, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let plain = || streams.plain();
    let report = match verb {
        Verb::Info(args) => facts::info(args, run, streams)?,
        Verb::Show(args) => {
            let options = ShowOptions { width: streams.width(), ..args.options.0.clone() };
            let style = options.csv.style(options.format == ShowFormat::Csv);
            show(&args.input.paths, &options, run, &mut streams.styled(style, options.format == ShowFormat::Table))?
        }
        Verb::Schema(args) => {
            let is_text = args.options.format == SchemaFormat::Table;
            schema(&args.input.paths, &args.options, run, &mut streams.styled(Default::default(), is_text))?
        }
        Verb::Changes(ChangesArgs { verb: ChangesVerb::Invert { file, options, .. } }) => {
            invert(file, options, run, &mut plain())?
        }
        Verb::Changes(ChangesArgs { verb: ChangesVerb::Merge { files, options } }) => {
            merge(files, options, run, &mut plain())?
        }
        Verb::Completions { shell } => pages::completions(*shell, run, plain())?,
        Verb::Man { out } => pages::man(out.as_deref(), run, plain())?,
        #[cfg(feature = "view")]
        Verb::View(args) => view::view(args, run, streams)?,
        Verb::List(args) => return facts::list(args, run, streams),
        Verb::Check(args) => return check::check(args, run, streams),
        Verb::Find(args) => return find::find(args, run, streams),
        Verb::Diff(args) => return diff::diff(args, run, streams),
        Verb::Export(args) => return export::export(args, run, streams),
        Verb::Set(args) => return edit::set(args, run, streams),
        Verb::Apply(args) => return edit::apply(args, run, streams),
        Verb::Build(args) => return edit::build(args, run, streams),
        Verb::Repair(args) => return edit::repair(args, run, streams),
        Verb::Restore(args) => return Ok(edit::restore(args, run)),
    };
    Ok((report, None))
}
