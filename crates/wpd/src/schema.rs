use core::fmt;
use std::sync::LazyLock;

use worldview_core::quote;

use crate::is_field_name;

/// The field names of a table that does not include any. See [Schemas](crate::format#schemas).
#[derive(Clone, PartialEq, Eq)]
pub struct Schema {
    name: String,
    versions: Vec<u32>,
    files: Vec<String>,
    fields: Vec<String>,
}

worldview_core::debug_summary!("Schema", Schema, |this| name: this.name, fields: this.fields.len());

impl Schema {
    /// Creates a schema with these field names, in record order.
    pub fn new(name: impl Into<String>, fields: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            name: name.into(),
            versions: Vec::new(),
            files: Vec::new(),
            fields: fields.into_iter().map(Into::into).collect(),
        }
    }

    /// Returns the name of the sheet.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the `!!version` words of tables with this layout.
    pub fn versions(&self) -> &[u32] {
        &self.versions
    }

    /// Returns the names of files with this layout, without `.wdb`. A `*` at the end stands for digits.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Returns the field names, in record order.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    fn is_of_file(&self, stem: &str) -> bool {
        self.files.iter().any(|file| match file.strip_suffix('*') {
            Some(start) => stem.split_at_checked(start.len()).is_some_and(|(head, digits)| {
                head.eq_ignore_ascii_case(start) && digits.bytes().all(|byte| byte.is_ascii_digit())
            }),
            None => file.eq_ignore_ascii_case(stem),
        })
    }
}

/// A collection of schemas. See [Schema files](crate::format#schema-files).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Schemas {
    sheets: Vec<Schema>,
}

worldview_core::debug_summary!("Schemas", Schemas, |this| sheets: this.sheets().len());

impl Schemas {
    /// Returns the 36 public field lists of XIII-1.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Schemas> = LazyLock::new(|| {
            // A test parses the file. If it were broken anyway, tables would have generated names.
            Schemas::parse(include_str!("schemas.txt")).unwrap_or_default()
        });
        &BUILTIN
    }

    /// Parses a schema file.
    ///
    /// # Errors
    ///
    /// Returns an error for the first invalid line.
    ///
    /// ```
    /// use worldview_wpd::Schemas;
    ///
    /// let schemas = Schemas::parse("sheet Item\n  file item\n  iPrice u8Icon\n").unwrap();
    /// assert_eq!(schemas.sheets()[0].fields(), ["iPrice", "u8Icon"]);
    /// ```
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let mut sheets: Vec<Schema> = Vec::new();
        // The line where the last sheet began.
        let mut start = 0;
        for (number, line) in (1_usize..).zip(text.lines()) {
            let line = if number == 1 { line.trim_start_matches('\u{FEFF}') } else { line };
            let error = |problem| SchemaError { line: number, problem };
            let line = line.split('#').next().unwrap_or("");
            let mut words = line.split_whitespace();
            let Some(first) = words.next() else { continue };
            if first == "sheet" {
                let (Some(name), None) = (words.next(), words.next()) else {
                    return Err(error(SchemaProblem::Name(line.trim().into())));
                };
                none_empty(&sheets, start)?;
                start = number;
                sheets.push(Schema::new(name, [""; 0]));
                continue;
            }
            if sheets.is_empty() {
                // A file for a single table need not name its sheet.
                start = number;
                sheets.push(Schema::new("", [""; 0]));
            }
            let Some(sheet) = sheets.last_mut() else { continue };
            match first {
                "version" | "file" if words.clone().next().is_none() => {
                    return Err(error(SchemaProblem::Nothing(first.into())));
                }
                "version" => {
                    for word in words {
                        let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
                        let version = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                        sheet.versions.push(version.ok_or_else(|| error(SchemaProblem::Version(word.into())))?);
                    }
                }
                "file" => sheet.files.extend(words.map(str::to_owned)),
                _ => {
                    for name in core::iter::once(first).chain(words) {
                        // Separators of other file types are neither separators here nor part of a name.
                        if !is_field_name(name.as_bytes()) || name.contains([',', ';', '"', '=']) {
                            return Err(error(SchemaProblem::Field(name.into())));
                        }
                        sheet.fields.push(name.into());
                    }
                }
            }
        }
        none_empty(&sheets, start)?;
        Ok(Self { sheets })
    }

    /// Returns the schemas, in file order.
    pub fn sheets(&self) -> &[Schema] {
        &self.sheets
    }

    /// Returns the schemas that may apply to a table: first by version, then by file name, which may include folders
    /// and `.wdb`. A single schema without versions and files applies to every table.
    pub fn candidates(&self, version: Option<u32>, file: Option<&str>) -> impl Iterator<Item = &Schema> {
        let stem = file.and_then(|file| file.rsplit(['/', '\\']).next()).map(|name| {
            match name.len().checked_sub(4).and_then(|dot| name.split_at_checked(dot)) {
                Some((stem, end)) if end.eq_ignore_ascii_case(".wdb") => stem,
                _ => name,
            }
        });
        let by_version = move |sheet: &&Schema| version.is_some_and(|version| sheet.versions.contains(&version));
        let by_file = move |sheet: &&Schema| stem.is_some_and(|stem| sheet.is_of_file(stem));
        let only = match self.sheets.as_slice() {
            [only] if only.versions.is_empty() && only.files.is_empty() => Some(only),
            _ => None,
        };
        let rest = self.sheets.iter().filter(by_file).filter(move |sheet| !by_version(sheet));
        self.sheets.iter().filter(by_version).chain(rest).chain(only)
    }
}

/// Checks that the last sheet has fields.
fn none_empty(sheets: &[Schema], start: usize) -> Result<(), SchemaError> {
    match sheets.last() {
        Some(sheet) if sheet.fields.is_empty() => {
            Err(SchemaError { line: start, problem: SchemaProblem::Empty(sheet.name.clone()) })
        }
        _ => Ok(()),
    }
}

/// Error returned when a schema file is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    line: usize,
    problem: SchemaProblem,
}

impl SchemaError {
    /// Returns the number of the line, counted from 1.
    pub const fn line(&self) -> usize {
        self.line
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum SchemaProblem {
    Name(String),
    Version(String),
    Field(String),
    Empty(String),
    Nothing(String),
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            SchemaProblem::Name(line) => write!(f, "expected `sheet` and one name, found {}", quote(line)),
            SchemaProblem::Version(word) => {
                write!(f, "expected a version like 0x85e62c73, found {}", quote(word))
            }
            SchemaProblem::Field(name) => write!(
                f,
                "expected field names, which begin with i, u, f or s and are separated by spaces; found {}",
                quote(name)
            ),
            SchemaProblem::Nothing(keyword) => {
                write!(f, "expected something after `{keyword}`, found the end of the line")
            }
            SchemaProblem::Empty(name) => write!(f, "expected field names for the sheet {}, found none", quote(name)),
        }
    }
}

impl std::error::Error for SchemaError {}
