//! The options of `export`.

use std::path::PathBuf;

use worldview_export::model::glb::LodChoice;
use worldview_export::outputs::OutputKind;

use super::{CsvOptions, Layout, MergeBy, OpenOptions, Overwrite, TextOptions, options};

options! {
    /// The options of `export`.
    pub struct ExportOptions {
        /// How files are opened.
        group open: OpenOptions;
        /// Output folder; created if missing.
        option out: PathBuf { value: "FOLDER" };
        /// Kinds of output.
        option to: Vec<OutputKind> { value: "KIND", split: true } =
            vec![OutputKind::Csv, OutputKind::Glb, OutputKind::Members, OutputKind::Tmx, OutputKind::Png];
        /// How outputs are arranged.
        option layout: Layout { value: "LAYOUT" } = Layout::Folders;
        /// When to overwrite existing files.
        option overwrite: Overwrite { value: "WHEN" } = Overwrite::Changed;
        /// Remove outputs of files that are gone from the folders that were searched, except those that were edited.
        option prune: bool;
        /// Print what would be written without writing it.
        option dry_run: bool;
        /// Pixels per tile in pictures [default: as many as fit into 4096 pixels; with the pictures of a game, their own size]
        option scale: Option<u32> { value: "PIXELS", range: 1..=4096 };
        /// Maximum pixels of a picture; all pictures of a level together may have four times as many.
        option max_pixels: u64 { value: "PIXELS" } = 1 << 28;
        /// Maximum number of files written per input [default: 16384, or 131072 for a REZ archive; fewer for small inputs]
        option max_files: Option<u64> { value: "COUNT" };
        /// Maximum number of bytes written per input.
        option max_output: u64 { value: "BYTES" } = 1 << 32;
        /// Game to take pictures from: its REZ archive, or a folder with it or with its unpacked files. Pictures in the folder
        /// `Assets` beside the archive come first. A level in a REZ archive takes its pictures from that archive.
        option game: Option<PathBuf> { value: "PATH", exists: true };
        /// Folder of PNG tiles to draw levels with: files named by frame number, optionally in a subfolder per image set; or a
        /// folder with such a folder for each level, by its tile directory, as in LEVEL1/TILES/ACTION/001.png.
        option tiles: Option<PathBuf> { value: "FOLDER", exists: true };
        /// Levels of detail of models: `best`, `all` (the best is visible, the others are kept hidden), or a number, where 0 is
        /// the lowest; objects with fewer levels use their best one.
        option lod: LodChoice { value: "LOD" };
        /// Omit what is initially hidden from models and worlds; three.js and Blender would draw it.
        option visible_only: bool;
        /// Do not mark objects in pictures.
        option no_marks: bool;
        /// Mark objects that have no picture in levels drawn with the pictures of their game; in other levels, all objects are
        /// marked anyway.
        option marks: bool;
        /// Omit objects from levels drawn with the pictures of their game.
        option no_objects: bool;
        /// Draw levels with a color for each tile number instead of the tile attributes, where --tiles has no pictures.
        option tile_colors: bool;
        /// Write every property of every object and tile to Tiled maps, and layers as plain numbers, instead of only what
        /// differs from the defaults in level.tiled-project.
        option full: bool;
        /// Add a column `sheet` with the name of the sheet to the records of tables.
        option sheet: bool;
        /// Write the records of all tables to one Parquet or Arrow file per sheet in the output folder, with a column `file`
        /// for the table that each comes from, or to one workbook.
        option merge: Option<MergeBy> { value: "BY" };
        /// Words for the keys that tables have instead of texts.
        group words: TextOptions;
        /// How CSV is written.
        group csv: CsvOptions;
        /// Whether the report lists the files that are written.
        plain lists: bool = true;
    }
}
