//! Options with a fixed set of values.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use worldview::Severity;
use worldview::describe::Stored;
use worldview::rez::raw::RezHeader;
use worldview::wpd::Generation;
use worldview::wwd::raw::{LevelHeader, PlaneHeader};
use worldview_export::outputs::OutputKind;

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
    /// Returns what the value means, in one paragraph; empty if the name says it.
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

/// Returns the message for another value.
fn expected<T: Scalar>() -> String {
    let names: Vec<_> = T::choices().iter().map(|choice| choice.name).collect();
    format!("expected {}", names.join(", "))
}

/// Gives values names and help texts, which are the documentation of the variants, and declares the enumeration unless it belongs to
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
        /// The same as CSV.
        Csv = "csv",
    }
}

choices! {
    /// What `schema` prints.
    pub enum SchemaFormat {
        /// Text for people.
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
    /// A part of a level.
    pub enum Part {
        Header = "header",
        Planes = "planes",
        Tiles = "tiles",
        Objects = "objects",
        Attributes = "attributes",
        Trailer = "trailer",
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

// Nobody makes new tables of the obsolete generation.
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
        /// Tiled maps (XML) with tileset pictures.
        Tmx = Self::Tmx.name(),
        /// Tiled maps (JSON) with tileset pictures.
        Tmj = Self::Tmj.name(),
        /// Models, parts and worlds as binary glTF.
        Glb = Self::Glb.name(),
        /// Small pictures of levels.
        Preview = Self::Preview.name(),
        /// Pictures of the level, its planes and its tile attributes; textures.
        Png = Self::Png.name(),
        /// Textures of WORLD.WDB and .tex files as BMP: a texture pack for isle-portable.
        Bmp = Self::Bmp.name(),
        /// Records of tables, and objects and tile attributes of levels, as CSV.
        Csv = Self::Csv.name(),
        /// The same as workbooks for spreadsheets.
        Xlsx = Self::Xlsx.name(),
        /// The same as NDJSON.
        Ndjson = Self::Ndjson.name(),
        /// Records of tables, objects, tile attributes and planes of levels as Parquet.
        Parquet = Self::Parquet.name(),
        /// The same as Arrow IPC files.
        Arrow = Self::Arrow.name(),
        /// Whole tables, levels and databases as JSON.
        Json = Self::Json.name(),
        /// The same as text, as printed by `show`.
        Text = Self::Text.name(),
        /// The members of archives, unchanged.
        Members = Self::Members.name(),
    }
}

/// The kind of a text that is searched: a field's name, a string, the name of an element, or a field that holds text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct What(pub &'static str);

impl Scalar for What {
    const FORM: Form = Form::Text;

    fn choices() -> Vec<Choice> {
        // The fields of fixed structures follow from their declarations.
        const OTHERS: &str = "actor animation author color_name comment description entry extension favourite field \
                              image_set logic map_version material member model name node object part plane presenter \
                              record roi sheet_name string texture wapmap_version world";
        let fields = [LevelHeader::FIELDS, PlaneHeader::FIELDS, RezHeader::FIELDS].into_iter().flatten();
        let texts = fields.filter(|field| matches!(field.stored, Stored::Text(_) | Stored::Padded(_)));
        let all: BTreeSet<_> = texts.map(|field| field.name).chain(OTHERS.split(' ')).collect();
        all.into_iter().map(|name| Choice { name, docs: &[] }).collect()
    }

    fn parse(text: &OsStr, _: &Spec) -> Result<Self, String> {
        let text = utf8(text)?;
        let found = Self::choices().into_iter().find(|choice| choice.name == text);
        found.map(|choice| Self(choice.name)).ok_or_else(expected::<Self>)
    }
}
