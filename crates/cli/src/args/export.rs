//! The arguments of `export`.

use std::path::PathBuf;

use worldview_export::model::glb::LodChoice;

use super::{CsvArgs, InputArgs, Kind, Layout, MergeBy, Overwrite, SummaryFormat, TextArgs, existing, output_kind};

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output folder; created if missing
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// Kinds of output
    #[arg(long, value_parser = output_kind(), value_delimiter = ',', default_values = ["csv", "glb", "members", "tmx", "png"], value_name = "KIND")]
    pub(crate) to: Vec<Kind>,
    /// How outputs are arranged
    #[arg(long, value_enum, default_value_t = Layout::Folders, value_name = "LAYOUT")]
    pub(crate) layout: Layout,
    /// When to overwrite existing files
    #[arg(long, value_enum, default_value_t = Overwrite::Changed, value_name = "WHEN")]
    pub(crate) overwrite: Overwrite,
    /// Remove outputs of files that are gone from the folders that were searched, except those that were edited
    #[arg(long)]
    pub(crate) prune: bool,
    /// Print what would be written without writing it
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print a summary with all written files to standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<SummaryFormat>,
    /// Pixels per tile in pictures [default: as many as fit into 4096 pixels; with the pictures of a game, their own size]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=4096), value_name = "PIXELS")]
    pub(crate) scale: Option<u32>,
    /// Maximum pixels of a picture; all pictures of a level together may have four times as many
    #[arg(long, default_value_t = 1 << 28, value_name = "PIXELS")]
    pub(crate) max_pixels: u64,
    /// Maximum number of files written per input [default: 16384, or 131072 for a REZ archive; fewer for small inputs]
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_files: Option<u64>,
    /// Maximum number of bytes written per input
    #[arg(long, default_value_t = 1 << 32, value_name = "BYTES")]
    pub(crate) max_output: u64,
    /// Game to take pictures from: its REZ archive, or a folder with it or with its unpacked files. Pictures in the folder
    /// `Assets` beside the archive come first. A level in a REZ archive takes its pictures from that archive
    #[arg(long, value_name = "PATH", value_parser = existing())]
    pub(crate) game: Option<PathBuf>,
    /// Folder of PNG tiles to draw levels with: files named by frame number, optionally in a subfolder per image set; or a
    /// folder with such a folder for each level, by its tile directory, as in LEVEL1/TILES/ACTION/001.png
    #[arg(long, value_name = "FOLDER", value_parser = existing())]
    pub(crate) tiles: Option<PathBuf>,
    /// Levels of detail of models: `best`, `all` (the best is visible, the others are kept hidden), or a number, where 0 is
    /// the lowest; objects with fewer levels use their best one
    #[arg(long, default_value = "all", value_parser = lod_choice, value_name = "LOD")]
    pub(crate) lod: LodChoice,
    /// Omit what is initially hidden from models and worlds; three.js and Blender would draw it
    #[arg(long)]
    pub(crate) visible_only: bool,
    /// Do not mark objects in pictures
    #[arg(long, conflicts_with = "marks")]
    pub(crate) no_marks: bool,
    /// Mark objects that have no picture in levels drawn with the pictures of their game; in other levels, all objects are
    /// marked anyway
    #[arg(long)]
    pub(crate) marks: bool,
    /// Omit objects from levels drawn with the pictures of their game
    #[arg(long)]
    pub(crate) no_objects: bool,
    /// Draw levels with a color for each tile number instead of the tile attributes, where --tiles has no pictures
    #[arg(long)]
    pub(crate) tile_colors: bool,
    /// Write every property of every object and tile to Tiled maps, and layers as plain numbers, instead of only what
    /// differs from the defaults in level.tiled-project
    #[arg(long)]
    pub(crate) full: bool,
    /// Add a column `sheet` with the name of the sheet to the records of tables
    #[arg(long)]
    pub(crate) sheet: bool,
    /// Write the records of all tables to one Parquet or Arrow file per sheet in the output folder, with a column `file`
    /// for the table that each comes from, or to one workbook
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) merge: Option<MergeBy>,
    #[command(flatten)]
    pub(crate) words: TextArgs,
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
}

pub(crate) fn lod_choice(text: &str) -> Result<LodChoice, String> {
    match text {
        "all" => Ok(LodChoice::All),
        "best" => Ok(LodChoice::Best),
        number => number.parse().map(LodChoice::Level).map_err(|_| "expected best, all or a number".into()),
    }
}
