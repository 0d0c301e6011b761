use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Write as _};
use std::io;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use worldview_core::Path;
use worldview_inspect::hex;

use super::{Change, Changes, Position, parse_path as parse};
use crate::{EditError, Result, Value};

/// The version of the JSON form.
const VERSION: u32 = 1;

/// Binary values of more bytes are side files.
const LARGE: usize = 4096;

/// Files beside a changes file: their names relative to it, and their bytes.
pub type SideFiles = Vec<(String, Vec<u8>)>;

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
    was_before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    was_after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Stored>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Stored>,
    #[serde(skip_serializing_if = "Fields::is_empty")]
    fields: Fields,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Stored>,
}

impl Changes {
    /// Returns the changes as JSON: an object with the version of the form and the list, one change a line, so that text
    /// tools can compare and merge such files.
    ///
    /// | change | members |
    /// |---|---|
    /// | `set` | `from` (optional), `to` |
    /// | `add` | `like`, `before` or `after`, `fields`, `data` (all optional) |
    /// | `remove` | `fields`, `data` (optional: what the element must have), `was_before` or `was_after` (optional) |
    /// | `rename` | `to` |
    /// | `move` | `before` or `after`, `was_before` or `was_after` (optional) |
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
        self.write(&mut |value| Stored::Value(value.clone()))
    }

    /// Returns the changes as JSON, and side files for binary values of more than 4 KiB, as names and bytes.
    ///
    /// The names are `folder`, a slash and the digest of the bytes, so files of several lists can lie in one folder. In the JSON, such a
    /// value is `{"file": NAME, "sha256": DIGEST}`.
    ///
    /// # Errors
    ///
    /// Returns an error as [`to_json`](Self::to_json) does.
    pub fn to_json_with_files(&self, folder: &str) -> Result<(String, SideFiles)> {
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let json = self.write(&mut |value| match value {
            Value::Bytes(bytes) if bytes.len() > LARGE => {
                let sha256 = hex(&Sha256::digest(bytes));
                let file = format!("{folder}/{}.bin", sha256.get(..16).unwrap_or(&sha256));
                files.entry(file.clone()).or_insert_with(|| bytes.clone());
                Stored::File(SideFile { file, sha256 })
            }
            value => Stored::Value(value.clone()),
        })?;
        Ok((json, files.into_iter().collect()))
    }

    fn write(&self, store: &mut dyn FnMut(&Value) -> Stored) -> Result<String> {
        let mut out = format!("{{\"worldview_changes\":{VERSION},\"changes\":[");
        for (index, change) in self.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            let line = serde_json::to_string(&Line::of(change, store)).map_err(|error| malformed(&error))?;
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
    /// Returns an error, with the line where it is known, if the text is not JSON of that form, has another version, or refers to
    /// side files.
    pub fn from_json(json: &[u8]) -> Result<Self> {
        let why = "refers to a file beside it, which can only be read from a folder";
        Self::from_json_with_files(json, &mut |_| Err(io::Error::new(io::ErrorKind::NotFound, why)))
    }

    /// Reads the JSON form that [`to_json`](Self::to_json) describes, and side files with `read`, by their names in the JSON.
    ///
    /// The names are not trustworthy: `read` decides which of them it follows, and how much it reads.
    ///
    /// # Errors
    ///
    /// Returns an error as [`from_json`](Self::from_json) does, or if a side file cannot be read or has another digest.
    pub fn from_json_with_files(json: &[u8], read: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>) -> Result<Self> {
        let mut document = Document { read, failed: None };
        let mut json = serde_json::Deserializer::from_slice(json);
        let list = json.deserialize_map(&mut document).and_then(|list| json.end().map(|()| list));
        list.map(|list| Self { list }).map_err(|error| document.failed.unwrap_or_else(|| malformed(&error)))
    }
}

/// A document, whose changes are read one by one: as they are written, each takes several times the memory.
struct Document<'r> {
    read: &'r mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    /// What is wrong, if it is not the JSON.
    failed: Option<EditError>,
}

impl<'de> Visitor<'de> for &mut Document<'_> {
    type Value = Vec<Change>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("changes")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Vec<Change>, A::Error> {
        const MEMBERS: [&str; 2] = ["worldview_changes", "changes"];
        let (mut version, mut changes) = (None, None);
        while let Some(name) = map.next_key::<String>()? {
            let [first, second] = MEMBERS;
            match name.as_str() {
                name if name == first && version.is_none() => {
                    let found = *version.insert(map.next_value::<u32>()?);
                    if found != VERSION {
                        let why = format!("expected version {VERSION} of changes, found {found}");
                        self.failed = Some(EditError::malformed(None, why));
                        return Err(A::Error::custom("another version"));
                    }
                }
                name if name == second && changes.is_none() => changes = Some(map.next_value_seed(&mut *self)?),
                name => {
                    return Err(match MEMBERS.into_iter().find(|known| *known == name) {
                        Some(known) => A::Error::duplicate_field(known),
                        None => A::Error::unknown_field(name, &MEMBERS),
                    });
                }
            }
        }
        version.ok_or_else(|| A::Error::missing_field(MEMBERS[0]))?;
        changes.ok_or_else(|| A::Error::missing_field(MEMBERS[1]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Vec<Change>, A::Error> {
        let mut all = Vec::new();
        while let Some(line) = list.next_element::<Line>()? {
            all.push(line.change(self.read).map_err(|error| {
                self.failed = Some(error);
                A::Error::custom("not a change")
            })?);
        }
        all.shrink_to_fit();
        Ok(all)
    }
}

impl<'de> DeserializeSeed<'de> for &mut Document<'_> {
    type Value = Vec<Change>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<Vec<Change>, D::Error> {
        json.deserialize_seq(self)
    }
}

fn malformed(error: &serde_json::Error) -> EditError {
    let line = (error.line() > 0).then_some(error.line() as u64);
    EditError::malformed(line, error.to_string())
}

impl Line {
    fn of(change: &Change, store: &mut dyn FnMut(&Value) -> Stored) -> Self {
        let path = |path: &Path| Some(path.to_string());
        let mut line = Self::default();
        match change {
            Change::Set { path: at, from, to } => {
                (line.set, line.from, line.to) = (path(at), from.as_ref().map(&mut *store), Some(store(to)));
            }
            Change::Add { path: at, like, position, fields, data } => {
                (line.add, line.like, line.data) =
                    (path(at), like.as_ref().and_then(path), data.as_ref().map(&mut *store));
                line.fields = Fields::of(fields, store);
                (line.before, line.after) = place(position);
            }
            Change::Remove { path: at, fields, data, was } => {
                (line.remove, line.data) = (path(at), data.as_ref().map(&mut *store));
                line.fields = Fields::of(fields, store);
                (line.was_before, line.was_after) = place(was);
            }
            Change::Rename { path: at, to } => (line.rename, line.to) = (path(at), Some(store(to))),
            Change::Move { path: at, position, was } => {
                line.shift = path(at);
                (line.before, line.after) = place(position);
                (line.was_before, line.was_after) = place(was);
            }
        }
        line
    }

    fn change(self, read: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>) -> Result<Change> {
        let Self {
            set,
            add,
            remove,
            rename,
            shift,
            like,
            before,
            after,
            was_before,
            was_after,
            from,
            to,
            fields,
            data,
        } = self;
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
        let has_place = ("before or after", before.is_some() || after.is_some());
        let has_past = ("was_before or was_after", was_before.is_some() || was_after.is_some());
        let has_fields = ("fields", !fields.0.is_empty());
        let (has_like, has_data) = (("like", like.is_some()), ("data", data.is_some()));
        let position = position(before, after, "`before` or `after`", &path)?;
        let was = self::position(was_before, was_after, "`was_before` or `was_after`", &path)?;
        let missing = || EditError::malformed(None, format!("{path}: expected a member `to`"));
        let mut load = |stored: Option<Stored>| stored.map(|stored| stored.load(&path, read)).transpose();
        if set.is_some() {
            extra(&[has_like, has_place, has_past, has_fields, has_data])?;
            let (from, to) = (load(from)?, load(to)?.ok_or_else(missing)?);
            return Ok(Change::Set { path, from, to });
        }
        if rename.is_some() {
            extra(&[("from", from.is_some()), has_like, has_place, has_past, has_fields, has_data])?;
            let to = load(to)?.ok_or_else(missing)?;
            return Ok(Change::Rename { path, to });
        }
        extra(&[("from", from.is_some()), ("to", to.is_some())])?;
        let data = load(data)?;
        let fields = fields.0.into_iter().map(|(name, stored)| Ok((name, stored.load(&path, read)?)));
        let fields = fields.collect::<Result<Vec<_>>>()?;
        if add.is_some() {
            extra(&[has_past])?;
            let like = like.as_deref().map(parse).transpose()?;
            return Ok(Change::Add { path, like, position, fields, data });
        }
        extra(&[has_like])?;
        if remove.is_some() {
            extra(&[has_place])?;
            return Ok(Change::Remove { path, fields, data, was });
        }
        extra(&[has_fields, has_data])?;
        Ok(Change::Move { path, position, was })
    }
}

/// The two members that express a position.
fn place(position: &Position) -> (Option<String>, Option<String>) {
    match position {
        Position::Natural => (None, None),
        Position::Before(path) => (Some(path.to_string()), None),
        Position::After(path) => (None, Some(path.to_string())),
    }
}

fn position(before: Option<String>, after: Option<String>, members: &str, path: &Path) -> Result<Position> {
    Ok(match (before, after) {
        (None, None) => Position::Natural,
        (Some(other), None) => Position::Before(parse(&other)?),
        (None, Some(other)) => Position::After(parse(&other)?),
        _ => return Err(EditError::malformed(None, format!("{path}: expected {members}, found both"))),
    })
}

/// A value, or the file that holds it.
enum Stored {
    Value(Value),
    File(SideFile),
}

/// A file beside the changes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SideFile {
    file: String,
    sha256: String,
}

impl Stored {
    fn load(self, path: &Path, read: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>) -> Result<Value> {
        let SideFile { file, sha256 } = match self {
            Self::Value(value) => return Ok(value),
            Self::File(file) => file,
        };
        let failed = |why: String| EditError::wrong(path, why);
        let bytes = read(&file).map_err(|error| failed(format!("{file}: {error}")))?;
        let found = hex(&Sha256::digest(&bytes));
        if found != sha256 {
            return Err(failed(format!("{file}: expected the SHA-256 {sha256}, found {found}")));
        }
        Ok(Value::Bytes(bytes))
    }
}

impl Serialize for Stored {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::File(file) => file.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Stored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let stored = if value.get("file").is_some() {
            serde_json::from_value(value).map(Self::File)
        } else {
            serde_json::from_value(value).map(Self::Value)
        };
        stored.map_err(D::Error::custom)
    }
}

/// Fields by name, as an object whose members keep their order.
#[derive(Default)]
struct Fields(Vec<(String, Stored)>);

impl Fields {
    fn of(fields: &[(String, Value)], store: &mut dyn FnMut(&Value) -> Stored) -> Self {
        Self(fields.iter().map(|(name, value)| (name.clone(), store(value))).collect())
    }

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
                while let Some((name, value)) = map.next_entry::<String, Stored>()? {
                    if !names.insert(name.clone()) {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
