//! The arguments of `view`.

use std::path::PathBuf;

use clap::Args;

use worldview_export::Encoding;

use super::{MmapChoice, OPENING, TextArgs, encoding, existing};

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Files and folders to show; two files or two folders are also compared
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub(crate) port: u16,
    /// Print the address without opening a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// REZ archive or folder of the game that has the pictures of levels
    #[arg(long, value_name = "PATH", value_parser = existing())]
    pub(crate) game: Option<PathBuf>,
    /// When to memory-map files: `auto` maps those of 1 MiB or more
    #[arg(long, help_heading = OPENING, value_enum, default_value_t = MmapChoice::Auto, value_name = "WHEN")]
    pub(crate) mmap: MmapChoice,
    /// Schema file with field names for tables that have none; takes precedence over the built-in schemas
    #[arg(long, help_heading = OPENING, value_name = "FILE", value_parser = existing())]
    pub(crate) schema: Option<PathBuf>,
    /// Code page of the text in levels and WORLD.WDB, which the files do not declare: any label of the Encoding Standard, such as
    /// windows-1251
    #[arg(long, help_heading = OPENING, value_parser = encoding, default_value = "windows-1252", value_name = "PAGE")]
    pub(crate) encoding: Encoding,
    #[command(flatten)]
    pub(crate) words: TextArgs,
}
