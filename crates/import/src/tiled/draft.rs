//! The list of changes that is being planned.

use worldview_core::describe::FieldValue;
use worldview_core::{FieldInfo, Path};
use worldview_export::Encoding;

use super::fields::{changed, value};
use super::saved::Properties;
use worldview_edit::{Change, Changes, Result, Value};

/// Changes, and the path of the part that is being compared.
pub(super) struct Draft {
    pub(super) changes: Changes,
    pub(super) path: Path,
    /// The code page of the export's texts.
    pub(super) encoding: Encoding,
}

impl Draft {
    /// Returns the path of a field of the part.
    pub(super) fn field(&self, name: &str) -> Path {
        let mut path = self.path.clone();
        path.push_name(name.as_bytes());
        path
    }

    /// Adds the change of a field.
    pub(super) fn set(&mut self, name: &str, from: Value, to: Value) {
        let path = self.field(name);
        self.changes.push(Change::Set { path, from: Some(from), to });
    }

    /// Compares fields with the properties that the export writes for them. Those that follow from the content say nothing.
    pub(super) fn record<'r>(
        &mut self,
        fields: impl Iterator<Item = (&'static FieldInfo, FieldValue<'r>)>,
        properties: &Properties,
    ) -> Result<()> {
        for (info, old) in fields {
            let path = self.field(info.name);
            if let Some(new) = changed(info, old, properties, None, self.encoding, &path)? {
                self.set(info.name, value(info, old), new);
            }
        }
        Ok(())
    }
}
