//! The options of `export`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use worldview_export::model::glb::LodChoice;
use worldview_export::outputs::OutputKind;

use super::{
    CsvOptions, DryRunOptions, Form, Layout, MergeBy, Objects, OpenOptions, Overwrite, Scalar, Spec, TextOptions,
    options,
};

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
        /// Whether anything is written.
        group preview: DryRunOptions;
        /// Pixels per tile in pictures [default: as many as fit into 4096 pixels; with the pictures of a game, their own size]
        option scale: Option<u32> { value: "PIXELS", range: 1..=4096 };
        /// Maximum pixels of a picture, instead of 2^28; all pictures of a level together may have four times as many.
        option max_pixels: Option<u64> { value: "PIXELS", is_number: true };
        /// Maximum number of files written per input, instead of 16384, or 131072 for a REZ archive, and fewer for small inputs.
        option max_files: Option<u64> { value: "COUNT", is_number: true };
        /// Maximum number of bytes written per input, instead of 4 GiB.
        option max_output: Option<u64> { value: "BYTES", is_number: true };
        /// Game to take pictures from: its REZ archive, or a folder with it or with its unpacked files. Pictures in the folder
        /// `Assets` beside the archive come first. A level in a REZ archive takes its pictures from that archive.
        option game: Option<PathBuf> { value: "PATH", exists: true };
        /// What levels are drawn with instead of their tile attributes: `colors`, a color for each tile number; or a folder of PNG
        /// tiles, named by frame number, optionally in a subfolder per image set; or a folder with such a folder for each level, by
        /// its tile directory, as in LEVEL1/TILES/ACTION/001.png.
        option tiles: Option<Tiles> { value: "FOLDER|colors", exists: true };
        /// Levels of detail of models: `best`, `all` (the best is visible, the others are kept hidden), or a number, where 0 is
        /// the lowest; objects with fewer levels use their best one.
        option lod: LodChoice { value: "LOD" };
        /// Omit what is initially hidden from models and worlds; three.js and Blender would draw it.
        option visible_only: bool;
        /// How pictures of levels show objects [default: pictures, or marks in levels drawn without the pictures of their game]
        option objects: Option<Objects> { value: "HOW" };
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

impl ExportOptions {
    /// Returns whether objects are drawn with the pictures of a game.
    pub(crate) const fn draws_objects(&self) -> bool {
        !matches!(self.objects, Some(Objects::Marks | Objects::None))
    }

    /// Returns whether objects are marked where they have no picture.
    pub(crate) const fn marks_objects(&self, has_game: bool) -> bool {
        match self.objects {
            Some(objects) => matches!(objects, Objects::Marks | Objects::Both),
            None => !has_game,
        }
    }
}

/// The colors or pictures that tiles are drawn with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tiles {
    /// A color for each tile number.
    Colors,
    /// Pictures in a folder.
    Folder(PathBuf),
}

impl Tiles {
    /// Returns the folder, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Colors => None,
            Self::Folder(path) => Some(path),
        }
    }
}

impl Scalar for Tiles {
    const FORM: Form = Form::Path;

    fn parse(text: &OsStr, spec: &Spec) -> Result<Self, String> {
        if text == "colors" { Ok(Self::Colors) } else { PathBuf::parse(text, spec).map(Self::Folder) }
    }
}
