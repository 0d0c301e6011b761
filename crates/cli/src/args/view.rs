//! The arguments of `view`.

use std::path::PathBuf;

use worldview_verbs::options::ViewOptions;

use super::Of;

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// Files and folders to show; two files or two folders are also compared
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) options: Of<ViewOptions>,
}
