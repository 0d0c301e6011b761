//! The table of outputs: which outputs an asset has, what they are called, and what writes them.
//!
//! There is a function for each kind of asset. It passes the outputs of the kinds that are asked for to a [`Sink`], one after the
//! other, each with what writes it. The sink decides where an output goes. An output that it does not write is not made.
//!
//! A new output is a line in the function of its asset, and a new kind of output one in [`OutputKind`].
//!
//! ```
//! use worldview_export::outputs::{self, Fill, Note, Options, Origin, Output, OutputKind, Sink};
//! use worldview_wwd::{Level, unpack};
//!
//! struct Names(Vec<String>);
//!
//! impl Sink for Names {
//!     fn one(&mut self, output: Output<'_>, _: Fill<'_>) -> bool {
//!         self.0.push(output.name);
//!         true
//!     }
//!
//!     fn note(&mut self, _: Note<'_>) {}
//! }
//!
//! # let file = &worldview_corpus::sample("harbour.wwd");
//! let image = unpack(file)?;
//! let level = Level::parse(&image)?;
//! let mut names = Names(Vec::new());
//! outputs::level(&image, &level, &Origin::default(), &[OutputKind::Preview], &Options::default(), &mut names);
//! assert_eq!(names.0, ["preview.png"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(all(feature = "model", feature = "glb"))]
mod item;
#[cfg(feature = "game")]
mod level;
mod memory;
#[cfg(feature = "game")]
mod rez;
#[cfg(all(feature = "model", feature = "glb"))]
mod world;
#[cfg(feature = "table")]
mod wpd;

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use worldview_format::Kind;

use crate::{Error, Result};

use OutputKind::{Arrow, Bmp, Csv, Glb, Json, Members, Ndjson, Parquet, Png, Preview, Text, Tmj, Tmx, Xlsx};
#[cfg(all(feature = "model", feature = "glb"))]
pub use item::{Found, Item, contents, parts, textures as textures_of};
#[cfg(feature = "game")]
pub use level::level;
pub use memory::{InMemory, Made};
#[cfg(feature = "game")]
pub use rez::{directory, kind_of, picture};
#[cfg(all(feature = "model", feature = "glb"))]
pub use world::{textures, world};
#[cfg(feature = "table")]
pub use wpd::{archive, table};

/// The name of what the files of an archive lack.
pub const ARCHIVE: &str = "archive.json";

/// The folder of an archive's files.
pub const MEMBERS: &str = "members";

/// A kind of output.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputKind {
    /// The files of archives, unchanged.
    Members,
    /// Tiled maps as XML, with the pictures of their tilesets.
    Tmx,
    /// Tiled maps as JSON, with the same pictures.
    Tmj,
    /// Models, parts and worlds as GLB.
    Glb,
    /// Small pictures of levels.
    Preview,
    /// Pictures of levels, their planes and their tile attributes; pictures of archives; textures.
    Png,
    /// Textures as BMP.
    Bmp,
    /// Records and string arrays of tables, objects and tile attributes of levels.
    Csv,
    /// The same as workbooks.
    Xlsx,
    /// The same as NDJSON.
    Ndjson,
    /// The same as Parquet, and the planes of levels.
    Parquet,
    /// The same as Arrow IPC files.
    Arrow,
    /// Everything as JSON.
    Json,
    /// Everything as text.
    Text,
}

impl OutputKind {
    /// All kinds, in the order in which they are written.
    pub const ALL: [Self; 14] =
        [Members, Tmx, Tmj, Glb, Preview, Png, Bmp, Csv, Xlsx, Ndjson, Parquet, Arrow, Json, Text];

    /// Returns the name of the kind.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; OutputKind::ALL.len()] = [
            "members", "tmx", "tmj", "glb", "preview", "png", "bmp", "csv", "xlsx", "ndjson", "parquet", "arrow",
            "json", "text",
        ];
        NAMES[self as usize]
    }

    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns whether the features of this build can write the kind.
    pub const fn is_built(self) -> bool {
        const MODELS: bool = cfg!(all(feature = "model", feature = "glb"));
        match self {
            Members => cfg!(any(feature = "table", feature = "game")),
            Tmx | Tmj => cfg!(all(feature = "game", feature = "tiled")),
            Glb | Bmp => MODELS,
            Preview => cfg!(feature = "game"),
            Png => MODELS || cfg!(feature = "game"),
            Csv => cfg!(feature = "csv"),
            Xlsx => cfg!(feature = "xlsx"),
            Ndjson => cfg!(any(feature = "json", feature = "game")),
            Parquet => cfg!(feature = "parquet"),
            Arrow => cfg!(feature = "arrow"),
            Json | Text => true,
        }
    }

    /// Returns those of some kinds, in the order in which they are written.
    pub fn sorted(kinds: &[Self]) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| kinds.contains(kind))
    }

    /// Returns the kinds of output that files of a kind have.
    ///
    /// ```
    /// use worldview_export::outputs::OutputKind;
    /// use worldview_format::Kind;
    ///
    /// assert_eq!(OutputKind::of(Kind::Picture), [OutputKind::Png]);
    /// assert!(OutputKind::of(Kind::Data).is_empty());
    /// ```
    pub const fn of(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Archive => &[Members],
            Kind::Database => &[Glb, Png, Bmp, Json, Text],
            Kind::Level => &[Tmx, Tmj, Preview, Png, Csv, Xlsx, Ndjson, Parquet, Arrow, Json, Text],
            Kind::Picture => &[Png],
            Kind::Table => &[Csv, Xlsx, Ndjson, Parquet, Arrow, Json, Text],
            Kind::Textures => &[Png, Bmp, Json, Text],
            _ => &[],
        }
    }
}

/// Parses the name of a kind that this build can write.
///
/// ```
/// use worldview_export::outputs::OutputKind;
///
/// assert_eq!("png".parse(), Ok(OutputKind::Png));
/// let unknown = "psd".parse::<OutputKind>().unwrap_err();
/// assert!(unknown.to_string().starts_with("there is no output \"psd\"; there are members, "));
/// ```
impl FromStr for OutputKind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> std::result::Result<Self, UnknownKind> {
        Self::named(name).filter(|kind| kind.is_built()).ok_or_else(|| UnknownKind(name.to_owned()))
    }
}

/// The name of a kind of output that does not exist, or that this build cannot write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKind(String);

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = OutputKind::ALL.into_iter().filter(|kind| kind.is_built());
        let known: Vec<_> = known.map(OutputKind::name).collect();
        write!(f, "there is no output {:?}; there are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownKind {}

/// An output of an asset: its name, and what it is of.
#[derive(Clone, Debug)]
pub struct Output<'o> {
    /// The kind of the output.
    pub kind: OutputKind,
    /// The path relative to the folder of the asset, separated by `/`. It is unique there and valid on every system.
    pub name: String,
    /// What it is of: `level`, `plane`, `table`, `archive`, `member`, `world`, `model` and so on.
    pub of: &'static str,
    /// The name that the file has for it.
    pub raw: Cow<'o, [u8]>,
    /// The same as text.
    pub text: String,
    /// The origins; more than one if the file contains the same thing several times.
    pub from: Vec<Origin>,
    /// The number of bytes of the file that it is made from, or of pixels; 0 if that does not matter.
    pub size: u64,
}

impl<'o> Output<'o> {
    /// Returns an output of something without a name.
    pub fn new(kind: OutputKind, name: impl Into<String>, of: &'static str, from: Origin) -> Self {
        Self { kind, name: name.into(), of, raw: Cow::default(), text: String::new(), from: vec![from], size: 0 }
    }

    /// Sets the name that the file has for it, and the same as text.
    #[must_use]
    pub fn called(self, raw: impl Into<Cow<'o, [u8]>>, text: impl Into<String>) -> Self {
        Self { raw: raw.into(), text: text.into(), ..self }
    }
}

/// A range of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Of merged rows, the input that they come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Of merged rows, their number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// The names of the enclosing archives, joined by `/`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub inside: String,
    /// For WORLD.WDB: `directory`, `global textures`, `global parts` or `blob`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The index of the blob.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<usize>,
    /// The index in its list of worlds, parts, textures, planes or members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The offset in bytes from the start of the file, or of the image if `space` says so.
    pub offset: u64,
    /// The length in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Of a table, the schema that its field names come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// `image` if the offset refers to the unpacked level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
}

/// How outputs are written.
#[cfg(any(feature = "table", feature = "game", all(feature = "model", feature = "glb")))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// The code page of texts.
    pub encoding: crate::Encoding,
    /// Whether Tiled maps have every property.
    pub full: bool,
    /// How CSV is written for spreadsheets.
    #[cfg(feature = "csv")]
    pub csv: crate::csv::CsvStyle,
    /// The records of tables.
    #[cfg(feature = "table")]
    pub selection: crate::table::Selection<'o>,
    /// How levels are drawn, and how many pixels the pictures of archives may have.
    #[cfg(feature = "game")]
    pub pictures: crate::level::png::Options<'o>,
    /// How models are written.
    #[cfg(all(feature = "model", feature = "glb"))]
    pub models: crate::model::glb::Options<'o>,
}

/// Writes an output. It is called once at most.
pub type Fill<'f> = &'f mut dyn FnMut(&mut (dyn Write + Send)) -> Result<()>;

/// Writes the output with an index in a list, on any thread.
pub type FillOf<'f> = &'f (dyn Fn(usize, &mut dyn Write) -> Result<Report> + Sync);

/// What is missing from an output.
#[non_exhaustive]
#[derive(Debug, Default)]
pub struct Report {
    /// What is missing from a model.
    #[cfg(all(feature = "model", feature = "glb"))]
    pub model: crate::model::glb::Report,
    /// Why the pixels of a picture end early.
    pub cut: Option<worldview_core::Error>,
}

/// What there is to say about an asset besides its outputs.
#[derive(Debug)]
pub enum Note<'n> {
    /// Something has no output: the asset, or a file in it, by its path.
    Failed(&'n str, Error),
    /// There are more outputs than the sink has room for.
    Full,
    /// So many textures are not among those for the game, because an earlier one has the same name.
    Shadowed(u64),
}

/// The message about a number of [shadowed](Note::Shadowed) textures.
pub const SHADOWED: &str = "textures missing from the pack, because an earlier texture has the same name";

/// Takes the outputs of an asset.
pub trait Sink {
    /// Takes an output, and writes it if it is wanted. Returns whether more are wanted.
    fn one(&mut self, output: Output<'_>, fill: Fill<'_>) -> bool;

    /// Takes outputs that do not depend on each other, and take long to write. A sink can do that on several threads.
    fn many(&mut self, outputs: Vec<Output<'_>>, fill: FillOf<'_>) {
        for (index, output) in outputs.into_iter().enumerate() {
            if !self.one(output, &mut |out| fill(index, out).map(drop)) {
                return;
            }
        }
    }

    /// Takes what there is to say besides.
    fn note(&mut self, note: Note<'_>);

    /// Returns how many outputs are wanted.
    fn room(&self) -> usize {
        usize::MAX
    }
}
