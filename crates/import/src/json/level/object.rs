//! Objects in JSON.

use serde_json::{Map, Value as Json};
use worldview_core::zerocopy::FromZeros as _;
use worldview_core::{describe::Role, quote};
use worldview_wwd::Object;
use worldview_wwd::raw::ObjectRecord;

use super::{LevelImport, edited, see};
use crate::json::{OLD_VERSION, Read, shown, unchanged, whole};
use crate::level::{ID, Objects, text, value};
use worldview_edit::{Result, Value, unhex};

impl LevelImport<'_, '_> {
    /// Takes an object of a plane.
    pub(super) fn object(
        &mut self,
        plane: usize,
        old: &[Json],
        object: &Json,
        objects: &mut Objects<'_>,
        is_seen: &mut Vec<bool>,
    ) -> Result<()> {
        let home = objects.plane(plane);
        let Json::Object(new) = object else {
            return Err(self.error(&home, format!("expected an object, found {}", shown(object))));
        };
        let number = match new.get("object") {
            None | Some(Json::Null) => None,
            Some(Json::String(key)) => {
                let found = key
                    .parse()
                    .map_err(|_| format!("expected the key of an object, as in paths, found {key}", key = quote(key)));
                let found = found.and_then(|key| objects.find(plane, key));
                Some(found.map_err(|why| self.member(&home, "object", why))?)
            }
            Some(row) => self.row(plane, row, new, objects).map_err(|why| self.member(&home, "object", why))?,
        };
        // A copy of an object is another one.
        let is_copy = number.is_some_and(|number| is_seen.get(number) == Some(&true));
        let number = number.filter(|_| !is_copy);
        if let Some(number) = number {
            see(is_seen, number);
        }
        let empty = Map::new();
        let found = number.and_then(|number| objects.get(number));
        let old = found.and_then(|(_, index, _)| old.get(index)).and_then(Json::as_object).unwrap_or(&empty);
        let found = found.map(|(_, _, object)| object);
        let path = number.map_or(home, |number| objects.path(number));
        let mut list = Vec::new();
        for (nth, name) in Object::STRINGS.into_iter().enumerate() {
            let to = self.taken(self.text(name, old, new), &path, name)?;
            let from = found.and_then(|object| object.strings().get(nth).map(|bytes| text(bytes)));
            list.extend(to.map(|to| (name, from, to)));
        }
        if let Some(json) = new.get("metadata").filter(|json| old.get("metadata") != Some(json)) {
            let bytes = json.as_str().and_then(unhex).ok_or_else(|| "expected pairs of hexadecimal digits".to_owned());
            let bytes = self.taken(bytes.map(Some), &path, "metadata")?;
            let from =
                found.and_then(|object| object.metadata()).map(|metadata| Value::Bytes(metadata.stored.to_vec()));
            list.extend(bytes.map(|bytes| ("metadata", from, Value::Bytes(bytes))));
        }
        let zero = ObjectRecord::new_zeroed();
        let record = found.map_or(&zero, |object| object.record);
        for (info, field) in record.fields() {
            let name = info.name;
            let Some(json) = new.get(name) else { continue };
            let is_derived = info.role == Role::Storage;
            if is_derived && number.is_none() {
                continue;
            }
            let from = number.map(|_| value(info, field));
            match self.taken(edited(info, old.get(name), json), &path, name)? {
                Some(_) if is_derived => {
                    return Err(self.member(&path, name, "the member follows from others and cannot be edited"));
                }
                to => list.extend(to.map(|to| (name, from, to))),
            }
        }
        let is_known = |name: &str| {
            let base = name.strip_suffix("_bytes").unwrap_or(name);
            Object::STRINGS.contains(&base)
                || matches!(name, "object" | "metadata")
                || ObjectRecord::FIELDS.iter().any(|info| info.name == name)
        };
        for (name, json) in new.iter().filter(|(name, _)| !is_known(name)) {
            if number.is_some() || name != "at" {
                self.taken(unchanged(name, old.get(name), json).map(Some), &path, name)?;
            }
        }
        match number {
            Some(number) => {
                for (name, from, to) in list {
                    objects.set(number, name, from, to);
                }
            }
            None => {
                let id = list.iter().position(|(name, ..)| *name == ID).map(|at| list.remove(at));
                let id = match id {
                    Some((_, _, Value::Integer(id))) => i32::try_from(id).ok(),
                    _ => None,
                };
                objects.count(new.len())?;
                let place = self.place();
                let fields = list.into_iter().map(|(name, _, to)| (name.to_owned(), to)).collect();
                objects.add(plane, (id, !is_copy), fields, place);
            }
        }
        Ok(())
    }

    /// Returns the number in the level of an object by its row in the plane, as older exports have it. A tool may also have taken the
    /// text of a key for a number, so without a version the `id` has to be that of the object.
    fn row(&self, plane: usize, row: &Json, members: &Map<String, Json>, objects: &Objects<'_>) -> Read<Option<usize>> {
        if self.version.is_some_and(|version| version != OLD_VERSION) {
            return Err(format!("expected the key of an object as text, found {}", shown(row)));
        }
        let index = usize::try_from(whole(row, (0, u32::MAX.into()))?).unwrap_or(usize::MAX);
        let number = objects.number(plane, index);
        let id = number.and_then(|number| objects.get(number)).map(|(_, _, object)| object.record.id.get());
        if self.version.is_some() || id.is_some() && members.get(ID).and_then(Json::as_i64) == id.map(i64::from) {
            return Ok(number);
        }
        Err(format!(
            "{row} is a number, as in exports of older versions, but the `id` is not that of this row; export again"
        ))
    }
}
