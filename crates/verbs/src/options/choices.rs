//! Options with a fixed set of values.

use std::ffi::OsStr;

use worldview::Severity;
use worldview::wpd::Generation;
use worldview_export::outputs::OutputKind;
use worldview_inspect::find::HitRole;

use super::value::utf8;
use super::{Form, Scalar, Spec, summary};

/// A possible value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name of the value.
    pub name: &'static str,
    docs: &'static [&'static str],
}

impl Choice {
    /// Returns the meaning of the value in one paragraph; empty if the name says it all.
    pub fn help(&self) -> String {
        summary(self.docs)
    }
}

/// A type whose values have names.
pub trait Named: Copy + PartialEq + 'static {
    /// Every value with its name.
    const VALUES: &'static [(Self, Choice)];
}

impl<T: Named> Scalar for T {
    const FORM: Form = Form::Text;

    fn choices() -> Vec<Choice> {
        T::VALUES.iter().map(|(_, choice)| *choice).collect()
    }

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        let text = utf8(text)?;
        let found = T::VALUES.iter().find(|(_, choice)| choice.name == text);
        found.map(|(value, _)| *value).ok_or_else(|| expected::<T>())
    }

    fn text(&self) -> String {
        let found = T::VALUES.iter().find(|(value, _)| value == self);
        found.map_or("", |(_, choice)| choice.name).to_owned()
    }
}

/// Returns the message about an invalid value.
fn expected<T: Scalar>() -> String {
    let names: Vec<_> = T::choices().iter().map(|choice| choice.name).collect();
    format!("expected {}", names.join(", "))
}

/// Gives the variants of an enumeration names, and their documentation as help. Also declares the enumeration, unless it belongs to
/// another crate.
macro_rules! choices {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident { $($(#[doc = $doc:literal])* $variant:ident = $text:literal,)+ }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $doc])* #[doc = concat!("\n\nThe name is `", $text, "`.")] $variant,)+
        }

        choices! { for $name { $($(#[doc = $doc])* $variant = $text,)+ } }
    };
    (for $name:ident { $($(#[doc = $doc:literal])* $variant:ident = $text:expr,)+ }) => {
        impl Named for $name {
            const VALUES: &'static [(Self, Choice)] =
                &[$((Self::$variant, Choice { name: $text, docs: &[$($doc.trim_ascii()),*] })),+];
        }
    };
}

choices! {
    /// When files are memory-mapped.
    pub enum Mmap {
        Auto = "auto",
        Always = "always",
        Never = "never",
    }
}

choices! {
    /// What `show` prints.
    pub enum ShowFormat {
        /// Everything, as text for people.
        Table = "table",
        /// Everything, as one line of JSON per input.
        Json = "json",
        /// Records of tables, objects of levels or members of archives, one JSON object per line.
        Ndjson = "ndjson",
        /// The same rows, as CSV.
        Csv = "csv",
    }
}

choices! {
    /// What `schema` prints.
    pub enum SchemaFormat {
        /// Human-readable text.
        Table = "table",
        /// JSON.
        Json = "json",
        /// A schema file for --schema.
        Schema = "schema",
    }
}

choices! {
    /// Whether an existing file is replaced.
    pub enum Replace {
        /// An existing file is an error.
        Never = "never",
        /// An existing file is replaced, unless it is an input or read-only.
        Always = "always",
    }
}

choices! {
    /// When existing outputs are overwritten.
    pub enum Overwrite {
        /// Keep all existing files.
        Never = "never",
        /// Replace files whose content changes; skip inputs whose outputs are up to date.
        Changed = "changed",
        /// Write every file again.
        Always = "always",
    }
}

choices! {
    /// Where outputs are written.
    pub enum Layout {
        /// A folder for each input: OUT/item.wdb/records.csv.
        Folders = "folders",
        /// Files beside those of other inputs, OUT/item.csv, and one manifest.ndjson. Members, models, textures and Tiled maps
        /// stay in folders.
        Flat = "flat",
    }
}

choices! {
    /// Texts that `find` searches.
    pub enum Texts {
        /// Names of parts: records, objects, members, worlds and so on.
        Names = "names",
        /// Names of fields.
        Fields = "fields",
        /// Values of fields.
        Values = "values",
    }
}

impl Texts {
    /// Returns the roles of the texts.
    pub(crate) const fn role(self) -> HitRole {
        match self {
            Self::Names => HitRole::Name,
            Self::Fields => HitRole::FieldName,
            Self::Values => HitRole::Value,
        }
    }
}

choices! {
    /// How pictures of levels show objects.
    pub enum Objects {
        /// As the game shows them; without its pictures, not at all.
        Pictures = "pictures",
        /// A mark for each.
        Marks = "marks",
        /// As the game shows them, and marks for those without a picture.
        Both = "both",
        /// Not at all.
        None = "none",
    }
}

choices! {
    /// The lowest severity of findings that count.
    pub enum FailOn {
        Curious = "curious",
        Suspicious = "suspicious",
        Fatal = "fatal",
        /// Findings never change the exit code.
        Never = "never",
    }
}

impl FailOn {
    /// Returns the lowest severity, or `None` if no finding counts.
    pub const fn bar(self) -> Option<Severity> {
        match self {
            Self::Curious => Some(Severity::Curious),
            Self::Suspicious => Some(Severity::Suspicious),
            Self::Fatal => Some(Severity::Fatal),
            Self::Never => None,
        }
    }
}

choices! {
    /// How the records of tables are merged.
    pub enum MergeBy {
        /// All tables of a sheet in one file, named after the sheet.
        Sheet = "sheet",
        /// The same, and the tables without a sheet in one file for each set of fields, `layout`.
        Layout = "layout",
        /// All tables in one workbook, tables.xlsx, with a worksheet for each; needs `--to xlsx`.
        Workbook = "workbook",
    }
}

choices! {
    for Severity {
        Curious = "curious",
        Suspicious = "suspicious",
        Fatal = "fatal",
    }
}

// No new tables are made in the obsolete generation.
choices! {
    for Generation {
        /// XIII-1: a word for each field.
        G1 = "g1",
        /// XIII-1: fields share words.
        G2 = "g2",
        /// XIII-2 and Lightning Returns: field names are stored.
        G3 = "g3",
        /// The same, with the lists of types of XIII-1.
        G3Prime = "g3-prime",
    }
}

choices! {
    for OutputKind {
        /// Levels: `map.tmx` for Tiled, `map-32x32.tmx` for planes with another tile size, `level.tiled-project` with default values,
        /// `tilesets/*.png`.
        Tmx = Self::Tmx.name(),
        /// As `tmx`, in JSON: `map.tmj`.
        Tmj = Self::Tmj.name(),
        /// WORLD.WDB: `worlds/NAME.glb` with every model in its place, `models/NAME.glb`, `parts/NAME.glb`.
        Glb = Self::Glb.name(),
        /// Levels: `preview.png`, a small picture.
        Preview = Self::Preview.name(),
        /// Levels: `level.png`, `planes/NN-NAME.png`, `attributes.png`. REZ archives: every PID, PCX and RID picture under its path.
        /// Picture files: `picture.png`. Textures: `textures/NAME.png`, and `NAME.low.png` for a low-quality variant.
        Png = Self::Png.name(),
        /// Textures: `textures/NAME.bmp`, a texture pack for isle-portable.
        Bmp = Self::Bmp.name(),
        /// Tables: `records.csv`, and `arrays.csv` if there are string arrays. Levels: `objects.csv`, `attributes.csv`.
        Csv = Self::Csv.name(),
        /// As `csv`, in a workbook: `table.xlsx`, `level.xlsx`.
        Xlsx = Self::Xlsx.name(),
        /// As `csv`, with a JSON object for each row: `records.ndjson` and so on.
        Ndjson = Self::Ndjson.name(),
        /// As `csv`, in Parquet: `records.parquet` and so on, and `planes.parquet` with all tiles of a level.
        Parquet = Self::Parquet.name(),
        /// As `parquet`, in Arrow IPC files.
        Arrow = Self::Arrow.name(),
        /// Everything: `table.json`, `level.json`, `world.json` or `textures.json`, from which `build` makes the file again.
        Json = Self::Json.name(),
        /// As `json`, in text: `table.txt` and so on.
        Text = Self::Text.name(),
        /// Archives: `members/*`, byte for byte, and `archive.json` with what the files lack, from which `build` makes the archive
        /// again.
        Members = Self::Members.name(),
    }
}
