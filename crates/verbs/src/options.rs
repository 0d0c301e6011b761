//! The options of each verb: a struct with a table of its options.
//!
//! One declaration makes the struct and its table. The name, the help, the type and the default of an option are those of its field.
//! Options that several verbs share are groups: structs of their own. [`Options`] sets options from arguments of a command line and from
//! values of other languages through the table, so that unknown names and invalid values cause the same errors everywhere.
//!
//! ```
//! use worldview_verbs::options::{Options as _, ShowOptions};
//!
//! let mut options = ShowOptions::default();
//! options.set("full", &true.into())?;
//! options.set("max-depth", &2.into())?; // an option of the group `open`
//! assert_eq!((options.full, options.open.max_depth), (true, 2));
//!
//! let error = ShowOptions::default().set("max_depth", &100.into()).unwrap_err();
//! assert_eq!(error.to_string(), "option `max_depth`: 100 is not in 0..=64");
//! # Ok::<(), worldview_verbs::options::OptionError>(())
//! ```

mod choices;
mod edit;
mod export;
mod open;
mod read;
mod value;

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};
use worldview_import::nearest;

pub use choices::{
    Choice, FailOn, Layout, MergeBy, Mmap, Named, Objects, Overwrite, Replace, SchemaFormat, ShowFormat, Texts,
};
pub use edit::{ApplyOptions, BuildOptions, EditOptions, InvertOptions, MergeOptions, RepairOptions, RestoreOptions};
pub use export::{ExportOptions, Tiles};
#[cfg(test)]
pub(crate) use open::OPENING;
pub use open::{CsvOptions, DryRunOptions, OpenOptions, RunOptions, TextOptions};
pub use read::{CheckOptions, DiffOptions, FindOptions, ListOptions, SchemaOptions, ShowOptions, ViewOptions};
pub use value::{Form, Kind, Limits, OptionValue, Scalar, Slot};

/// The options of a verb, or a group of options that several verbs share.
pub trait Options: Default {
    /// Calls `visit` with each option of the table and its value, including those of groups.
    fn visit(&mut self, visit: &mut dyn FnMut(&'static Spec, &mut dyn Slot));

    /// Returns the table, with the defaults.
    fn rows() -> Vec<Row> {
        let mut rows = Vec::new();
        Self::default().visit(&mut |spec, value| rows.push(value.row(spec)));
        rows
    }

    /// Sets an option to a value of another language: a bool, a number, a string, or a list of them. `null` leaves the option unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if no option has this name, or if it cannot have this value.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), OptionError> {
        set_with(self, name, |spec, slot| slot.set_value(spec, value))
    }

    /// Sets an option to its arguments on a command line: none for a flag, any number for a list.
    ///
    /// # Errors
    ///
    /// Returns an error if no option has this name, or if it cannot have this value.
    fn set_texts(&mut self, name: &str, texts: &[OsString]) -> Result<(), OptionError> {
        set_with(self, name, |spec, slot| slot.set_texts(spec, texts))
    }

    /// Returns the defaults, overridden by the members of an object.
    ///
    /// # Errors
    ///
    /// Returns an error if an option does not exist, or cannot have its value.
    fn from_object(object: &Map<String, Value>) -> Result<Self, OptionError> {
        let mut options = Self::default();
        object.iter().try_for_each(|(name, value)| options.set(name, value))?;
        Ok(options)
    }
}

/// The options of both structs.
impl<A: Options, B: Options> Options for (A, B) {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static Spec, &mut dyn Slot)) {
        self.0.visit(visit);
        self.1.visit(visit);
    }
}

/// Finds an option by its name, in kebab case or in snake case, and passes it to `set`. The name may end with `_`, for languages that
/// reserve it, such as `in`.
fn set_with<O: Options>(
    options: &mut O,
    name: &str,
    set: impl Fn(&'static Spec, &mut dyn Slot) -> Result<(), String>,
) -> Result<(), OptionError> {
    let field = name.trim_end_matches('_').replace('-', "_");
    let (mut fields, mut result) = (Vec::new(), None);
    options.visit(&mut |spec, slot| {
        fields.push(spec.field);
        if spec.field == field {
            result = Some(set(spec, slot));
        }
    });
    let name = name.to_owned();
    match result {
        Some(result) => result.map_err(|why| OptionError::Invalid { name, why }),
        None => {
            let nearest = nearest::meant(&field, fields.iter().copied());
            let nearest =
                nearest.map(|field| if name.contains('-') { field.replace('_', "-") } else { field.to_owned() });
            Err(OptionError::Unknown { name, nearest })
        }
    }
}

/// The declaration of an option.
#[derive(Debug)]
pub struct Spec {
    /// The name of the field.
    pub field: &'static str,
    /// The lines of the documentation.
    docs: &'static [&'static str],
    /// The placeholder for the value in help; empty for a flag.
    pub value: &'static str,
    /// The heading of the option in help, if several verbs share it.
    pub heading: Option<&'static str>,
    /// Whether arguments of a command line are split at commas.
    pub split: bool,
    /// Whether the value is a path that must exist.
    pub exists: bool,
    /// The valid numbers.
    pub range: RangeInclusive<u64>,
    /// Whether the option is a number that command lines set indirectly, through another option.
    pub is_number: bool,
}

impl Spec {
    /// The declaration of an option without attributes.
    const DEFAULT: Self = Self {
        field: "",
        docs: &[],
        value: "",
        heading: None,
        split: false,
        exists: false,
        range: 0..=u64::MAX,
        is_number: false,
    };
}

/// A row of the table of options.
#[derive(Clone, Debug)]
pub struct Row {
    /// The declaration of the option.
    pub spec: &'static Spec,
    /// How many values it takes.
    pub kind: Kind,
    /// The form of its values.
    pub form: Form,
    /// The valid values, if they can be listed.
    pub choices: Vec<Choice>,
    /// The default as arguments of a command line; empty for a flag, and if there is none.
    pub default: Vec<String>,
    check: fn(&Spec, &OsStr) -> Result<(), String>,
}

impl Row {
    /// Returns the name of the option in kebab case.
    pub fn name(&self) -> String {
        self.spec.field.replace('_', "-")
    }

    /// Returns the first paragraph of the help text, without the period at its end.
    pub fn help(&self) -> String {
        summary(self.spec.docs)
    }

    /// Returns the whole help text if it has several paragraphs.
    pub fn long_help(&self) -> Option<String> {
        let paragraphs: Vec<_> = paragraphs(self.spec.docs).collect();
        (paragraphs.len() > 1).then(|| paragraphs.join("\n\n"))
    }

    /// Checks an argument of a command line.
    ///
    /// # Errors
    ///
    /// Returns an error if the option cannot have this value.
    pub fn check(&self, text: &OsStr) -> Result<(), String> {
        (self.check)(self.spec, text)
    }
}

/// Returns the paragraphs of documentation, each on one line.
fn paragraphs(docs: &[&str]) -> impl Iterator<Item = String> {
    docs.split(|line| line.is_empty()).map(|lines| lines.join(" "))
}

/// Returns the first paragraph of documentation, without the period at its end.
fn summary(docs: &[&str]) -> String {
    let text = paragraphs(docs).next().unwrap_or_default();
    text.strip_suffix('.').map_or(text.clone(), str::to_owned)
}

/// Error returned when an option is set.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option has this name.
    Unknown {
        /// The name.
        name: String,
        /// The most similar name that exists.
        nearest: Option<String>,
    },
    /// The option cannot have this value.
    Invalid {
        /// The name of the option, as it was given.
        name: String,
        /// Why it cannot have the value.
        why: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, nearest: Some(nearest) } => {
                write!(f, "unknown option `{name}`; did you mean `{nearest}`?")
            }
            Self::Unknown { name, nearest: None } => write!(f, "unknown option `{name}`"),
            Self::Invalid { name, why } => write!(f, "option `{name}`: {why}"),
        }
    }
}

impl Error for OptionError {}

/// Declares a struct of options with its table.
///
/// Each field is one of
/// - `option NAME: TYPE { value: "NAME IN HELP", … } = DEFAULT;`, where the block sets other members of [`Spec`]; the block and the
///   default can be omitted;
/// - `group NAME: TYPE;`, the options of another struct, or `group NAME: TYPE { without: &["NAME"] };`, which omits some of them;
/// - `plain NAME: TYPE = DEFAULT;`, which is not an option of the command line.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $sort:ident $field:ident: $type:ty $({ $($key:ident: $value:expr),+ $(,)? })? $(= $default:expr)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $crate::options::default_value!($($default)?),)* }
            }
        }

        impl $crate::options::Options for $name {
            fn visit(&mut self, visit: &mut dyn FnMut(&'static $crate::options::Spec, &mut dyn $crate::options::Slot)) {
                $($crate::options::visit_field!(
                    $sort, &mut self.$field, visit, field: $crate::options::plain(stringify!($field)), docs: &[$($doc.trim_ascii()),*] $($(, $key: $value)+)?
                );)*
            }
        }
    };
}

/// Returns the name of a field that may be a raw identifier.
const fn plain(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// The default of a field.
macro_rules! default_value {
    () => {
        Default::default()
    };
    ($default:expr) => {
        $default
    };
}

/// Visits a field of a struct of options.
macro_rules! visit_field {
    (option, $value:expr, $visit:ident, $($key:ident: $of:expr),+) => {
        $visit(const { &$crate::options::Spec { $($key: $of,)+ ..$crate::options::Spec::DEFAULT } }, $value)
    };
    (group, $value:expr, $visit:ident, field: $field:expr, docs: $docs:expr, without: $without:expr) => {
        $crate::options::Options::visit($value, &mut |spec, slot| {
            let without: &[&str] = $without;
            if !without.contains(&spec.field) {
                $visit(spec, slot);
            }
        })
    };
    (group, $value:expr, $visit:ident, $($rest:tt)*) => {
        $crate::options::Options::visit($value, $visit)
    };
    (plain, $($rest:tt)*) => {};
}

use {default_value, options, visit_field};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_unique_and_every_option_has_help() {
        fn table<O: Options>() {
            let rows = O::rows();
            let names: BTreeSet<_> = rows.iter().map(Row::name).collect();
            assert_eq!(names.len(), rows.len(), "{names:?}");
            assert!(rows.iter().all(|row| !row.help().is_empty()));
        }
        table::<RunOptions>();
        table::<OpenOptions>();
        table::<ListOptions>();
        table::<ShowOptions>();
        table::<SchemaOptions>();
        table::<CheckOptions>();
        table::<FindOptions>();
        table::<DiffOptions>();
        table::<ExportOptions>();
        table::<ViewOptions>();
        table::<EditOptions>();
        table::<ApplyOptions>();
        table::<RepairOptions>();
        table::<RestoreOptions>();
        table::<BuildOptions>();
        table::<InvertOptions>();
        table::<MergeOptions>();
    }

    #[test]
    fn the_defaults_of_the_table_are_those_of_the_struct() {
        let rows = ExportOptions::rows();
        let row = |name| rows.iter().find(|row| row.name() == name).unwrap();
        for (name, default) in [
            ("max-depth", "16"),
            ("limits", "1"),
            ("max-output", ""),
            ("to", "csv,glb,members,tmx,png"),
            ("lod", "all"),
            ("encoding", "windows-1252"),
            ("layout", "folders"),
            ("scale", ""),
            ("out", ""),
            ("full", ""),
        ] {
            assert_eq!(row(name).default.join(","), default, "{name}");
        }
        // Every default is a valid value.
        for row in &rows {
            row.default.iter().for_each(|text| row.check(OsStr::new(text)).unwrap());
        }
    }

    #[test]
    fn help_is_the_documentation() {
        let rows = OpenOptions::rows();
        let row = |name| rows.iter().find(|row| row.name() == name).unwrap();
        assert_eq!(row("max-depth").help(), "Maximum depth of nested archives");
        assert_eq!(row("max-depth").long_help(), None);
        assert_eq!(row("only").help(), "Process only what matches");
        let long = row("only").long_help().unwrap();
        assert!(long.starts_with(
            "Process only what matches.\n\nA name selects files, archive members and parts of WORLD.WDB; case"
        ));
        assert!(long.ends_with("that of the file: `FILE/…`."));
    }

    #[test]
    fn an_object_sets_options_and_groups() {
        let object = json!({
            "out": "new", "to": ["png", "glb"], "scale": 8, "lod": 2, "merge": "sheet", "visible-only": true,
            "only": ["kind=level", "textures"], "encoding": "1250", "csv_bom": true, "game": null,
        });
        let options = ExportOptions::from_object(object.as_object().unwrap()).unwrap();
        assert_eq!(options.out.to_str(), Some("new"));
        assert_eq!(format!("{:?}", options.to), "[Png, Glb]");
        assert_eq!(
            (options.scale, options.lod.to_string(), options.merge),
            (Some(8), "2".to_owned(), Some(MergeBy::Sheet))
        );
        assert!(options.visible_only && options.csv.csv_bom && !options.csv.csv_safe && options.game.is_none());
        assert_eq!(format!("{:?}", options.open.only), "[Kind(Level), Kind(Texture)]");
        assert_eq!(options.open.encoding.name(), "windows-1250");
    }

    #[test]
    fn unknown_names_and_wrong_values_are_errors() {
        let error = |name: &str, value: Value| ExportOptions::default().set(name, &value).unwrap_err().to_string();
        assert_eq!(error("max_deph", json!(1)), "unknown option `max_deph`; did you mean `max_depth`?");
        assert_eq!(error("max-deph", json!(1)), "unknown option `max-deph`; did you mean `max-depth`?");
        for (name, value, why) in [
            ("scale", json!("8"), "expected a number"),
            ("scale", json!(0), "0 is not in 1..=4096"),
            ("scale", json!(1.5), "invalid digit found in string"),
            ("full", json!("true"), "expected true or false"),
            ("full", json!([true]), "expected true or false"),
            ("merge", json!(["sheet"]), "expected a text"),
            ("merge", json!("page"), "expected sheet, layout, workbook"),
            ("tiles", json!(1), "expected a path"),
            ("lod", json!("some"), "expected best, all or a number"),
            (
                "only",
                json!(["kind=boat"]),
                "the kinds are level, table, archive, picture, world, model, part and texture",
            ),
        ] {
            assert_eq!(error(name, value), format!("option `{name}`: {why}"));
        }
    }

    #[test]
    fn texts_of_a_command_line_set_flags_and_lists() {
        let mut options = ShowOptions::default();
        options.set_texts("full", &[]).unwrap();
        options.set_texts("only", &["a".into(), "b".into()]).unwrap();
        assert!(options.full);
        assert_eq!(options.open.only.len(), 2);
        assert!(options.set_texts("format", &[]).is_err());
    }
}
