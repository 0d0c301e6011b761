use std::collections::HashSet;
use std::fmt::{self, Write as _};

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use worldview_core::Path;

use super::{Change, Changes, Position};
use crate::{EditError, Result, Value};

/// The version of the JSON form.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    worldview_changes: u32,
    changes: Vec<Line>,
}

/// A change as it is written: exactly one of the first five members.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    add: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remove: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rename: Option<String>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    shift: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Value>,
    #[serde(skip_serializing_if = "Fields::is_empty")]
    fields: Fields,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl Changes {
    /// Returns the changes as JSON: an object with the version of the form and the list, one change a line, so that text
    /// tools can compare and merge such files.
    ///
    /// | change | members |
    /// |---|---|
    /// | `set` | `from` (optional), `to` |
    /// | `add` | `like`, `before` or `after`, `fields`, `data` (all optional) |
    /// | `remove` | `fields`, `data` (optional: what the element must have) |
    /// | `rename` | `to` |
    /// | `move` | `before` or `after` |
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use worldview_edit::{Change, Changes};
    ///
    /// let changes: Changes = [Change::set("it_potion/uPurchasePrice".parse()?, 10)].into_iter().collect();
    /// let json = changes.to_json()?;
    /// assert!(json.contains(r#"{"set":"it_potion/uPurchasePrice","to":10}"#));
    /// assert_eq!(Changes::from_json(json.as_bytes())?, changes);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if an integer does not fit into 64 bits.
    pub fn to_json(&self) -> Result<String> {
        let mut out = format!("{{\"worldview_changes\":{VERSION},\"changes\":[");
        for (index, change) in self.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            let line = serde_json::to_string(&Line::of(change)).map_err(|error| malformed(&error))?;
            out.push_str(&line);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}]}}", if self.is_empty() { "" } else { "\n" });
        Ok(out)
    }

    /// Reads the JSON form that [`to_json`](Self::to_json) describes.
    ///
    /// # Errors
    ///
    /// Returns an error, with the line where it is known, if the text is not JSON of that form or has another version.
    pub fn from_json(json: &[u8]) -> Result<Self> {
        let document: Document = serde_json::from_slice(json).map_err(|error| malformed(&error))?;
        if document.worldview_changes != VERSION {
            let why = format!("expected version {VERSION} of changes, found {}", document.worldview_changes);
            return Err(EditError::malformed(None, why));
        }
        document.changes.into_iter().map(Line::change).collect()
    }
}

fn malformed(error: &serde_json::Error) -> EditError {
    let line = (error.line() > 0).then_some(error.line() as u64);
    EditError::malformed(line, error.to_string())
}

impl Line {
    fn of(change: &Change) -> Self {
        let path = |path: &Path| Some(path.to_string());
        let mut line = Self::default();
        match change {
            Change::Set { path: at, from, to } => {
                (line.set, line.from, line.to) = (path(at), from.clone(), Some(to.clone()));
            }
            Change::Add { path: at, like, position, fields, data } => {
                (line.add, line.like, line.data) = (path(at), like.as_ref().and_then(path), data.clone());
                line.fields = Fields(fields.clone());
                line.place(position);
            }
            Change::Remove { path: at, fields, data } => {
                (line.remove, line.fields, line.data) = (path(at), Fields(fields.clone()), data.clone());
            }
            Change::Rename { path: at, to } => (line.rename, line.to) = (path(at), Some(to.clone())),
            Change::Move { path: at, position } => {
                line.shift = path(at);
                line.place(position);
            }
        }
        line
    }

    fn place(&mut self, position: &Position) {
        match position {
            Position::Natural => {}
            Position::Before(path) => self.before = Some(path.to_string()),
            Position::After(path) => self.after = Some(path.to_string()),
        }
    }

    fn change(self) -> Result<Change> {
        let Self { set, add, remove, rename, shift, like, before, after, from, to, fields, data } = self;
        let kinds = [&set, &add, &remove, &rename, &shift];
        let mut named = kinds.into_iter().flatten();
        let (Some(text), None) = (named.next(), named.next()) else {
            return Err(EditError::malformed(
                None,
                "expected exactly one of `set`, `add`, `remove`, `rename` and `move` in each change",
            ));
        };
        let path = parse(text)?;
        let extra = |unwanted: &[(&str, bool)]| match unwanted.iter().find(|(_, is_there)| *is_there) {
            Some((name, _)) => Err(EditError::malformed(None, format!("{path}: unexpected member `{name}`"))),
            None => Ok(()),
        };
        let (has_place, has_fields) = (before.is_some() || after.is_some(), !fields.is_empty());
        let position = match (before, after) {
            (None, None) => Position::Natural,
            (Some(other), None) => Position::Before(parse(&other)?),
            (None, Some(other)) => Position::After(parse(&other)?),
            _ => return Err(EditError::malformed(None, format!("{path}: expected `before` or `after`, found both"))),
        };
        let missing = || EditError::malformed(None, format!("{path}: expected a member `to`"));
        if set.is_some() {
            extra(&[
                ("like", like.is_some()),
                ("before or after", has_place),
                ("fields", has_fields),
                ("data", data.is_some()),
            ])?;
            let to = to.ok_or_else(missing)?;
            return Ok(Change::Set { path, from, to });
        }
        if rename.is_some() {
            extra(&[
                ("from", from.is_some()),
                ("like", like.is_some()),
                ("before or after", has_place),
                ("fields", has_fields),
            ])?;
            let to = to.ok_or_else(missing)?;
            return Ok(Change::Rename { path, to });
        }
        extra(&[("from", from.is_some()), ("to", to.is_some())])?;
        let Fields(fields) = fields;
        if add.is_some() {
            let like = like.as_deref().map(parse).transpose()?;
            return Ok(Change::Add { path, like, position, fields, data });
        }
        extra(&[("like", like.is_some())])?;
        if remove.is_some() {
            extra(&[("before or after", has_place)])?;
            return Ok(Change::Remove { path, fields, data });
        }
        extra(&[("fields", has_fields), ("data", data.is_some())])?;
        Ok(Change::Move { path, position })
    }
}

fn parse(text: &str) -> Result<Path> {
    text.parse().map_err(|error| EditError::malformed(None, format!("{text:?}: {error}")))
}

/// Fields by name, as an object whose members keep their order.
#[derive(Default)]
struct Fields(Vec<(String, Value)>);

impl Fields {
    const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Fields, A::Error> {
                let mut fields = Vec::new();
                let mut names = HashSet::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if !names.insert(name.clone()) {
                        return Err(de::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
