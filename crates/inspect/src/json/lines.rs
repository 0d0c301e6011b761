use std::io::Write;

use worldview_core::Error as FormatError;
use worldview_core::describe::{Flow, List, ListFlag, Part, PartKey, PartList, Visit};

use super::Json;
use crate::{Options, Result, Root};

/// Writes the elements of a list as NDJSON, one JSON object per line. `lists` names the enclosing lists from the
/// outside in, and then the list itself.
///
/// Each line starts with the number of every enclosing part, and its name if it has one; an object of a level has
/// `plane` and `plane_name`.
///
/// # Errors
///
/// Returns an error under the same conditions as [`write()`](super::write()).
pub fn lines(root: &Root<'_>, lists: &[&str], options: &Options<'_>, out: impl Write) -> Result<()> {
    let mut json = Json::new(root, options, out);
    let _ = root.body.describe(&mut Lines { json: &mut json, lists, around: Vec::new() });
    json.check_end(root);
    json.finish()
}

/// Searches for the next of the lists, and writes the elements of the last one as lines.
struct Lines<'m, 'w, W> {
    json: &'m mut Json<'w, W>,
    lists: &'m [&'m str],
    /// The members at the start of each line, for the enclosing parts.
    around: Vec<u8>,
}

impl<W: Write> Lines<'_, '_, W> {
    fn element(&mut self, list: List, part: &Part<'_>) -> Flow {
        let inner = self.lists.get(1..).unwrap_or_default();
        if inner.is_empty() {
            let flow = self.json.object(&self.around, Some(list), None, part.body);
            // Whatever ended the walk, the line is complete.
            self.json.out.put(b"\n");
            return flow;
        }
        let before = self.around.len();
        if !list.is(ListFlag::Single) {
            self.member(list.kind, &part.index);
        }
        if let PartKey::Name(name) = part.key {
            self.member(&format!("{}_name", list.kind), &self.json.options.encoding.decode(name));
        }
        let lists = std::mem::replace(&mut self.lists, inner);
        let _ = part.body.describe(self);
        self.lists = lists;
        self.around.truncate(before);
        self.json.proceed()
    }

    fn member(&mut self, name: &str, value: &impl serde::Serialize) {
        let key = super::keys::escaped(name);
        self.around.extend_from_slice(key.get(usize::from(self.around.is_empty())..).unwrap_or_default());
        // Writing to a vector cannot fail.
        let _ = serde_json::to_writer(&mut self.around, value);
    }
}

impl<W: Write> Visit for Lines<'_, '_, W> {
    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if self.lists.first() != Some(&list.name) {
            return Flow::Continue(());
        }
        parts.each(&mut |part| match part {
            Ok(part) => {
                let Ok(entered) = self.json.meter.enter(&list, part) else { return Flow::Break(()) };
                self.element(list, part)?;
                self.json.meter.leave(entered);
                Flow::Continue(())
            }
            Err(error) => self.json.fail(*error),
        })
    }

    fn broken(&mut self, _: &FormatError) -> Flow {
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        self.json.options.full
    }
}
