//! The arguments of `export`.

use worldview_verbs::options::ExportOptions;

use super::{InputArgs, Of, SummaryFormat};

#[derive(Debug, clap::Args)]
#[command(mut_arg("out", |arg| arg.short('o').required(true)))]
#[command(mut_arg("no_marks", |arg| arg.conflicts_with("marks")))]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) options: Of<ExportOptions>,
    /// Print a summary with all written files to standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<SummaryFormat>,
}
