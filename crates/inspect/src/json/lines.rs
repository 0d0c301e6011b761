use std::io::Write;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use worldview_core::Error as FormatError;
use worldview_core::describe::{Array, Field, Flow, Link, List, Part, PartKey, PartList, Visit};

use super::{Described, JsonWalk, Object};
use crate::bounded::Bounded;
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
    let mut out = Bounded::new(out, root);
    let described = Described::new(root, options);
    let walk = JsonWalk { options, meter: &described.meter };
    let mut lines = Lines { walk, lists, around: Vec::new(), out: &mut out, failed: None };
    let _ = root.body.describe(&mut lines);
    let failed = lines.failed;
    if let Some(error) = described.meter.borrow().error() {
        return Err(error.into());
    }
    failed.map_or(Ok(()), Err)?;
    Ok(out.flush()?)
}

/// The number or name of an enclosing part.
enum Around {
    Number(u32),
    Name(String),
}

/// Searches for the next of the lists, and writes the elements of the last one as lines.
struct Lines<'l> {
    walk: JsonWalk<'l>,
    lists: &'l [&'l str],
    /// The members at the start of each line.
    around: Vec<(String, Around)>,
    out: &'l mut dyn Write,
    failed: Option<crate::Error>,
}

impl Lines<'_> {
    fn element(&mut self, list: List, part: &Part<'_>) -> Result<()> {
        let entered = self.walk.meter.borrow_mut().enter(&list, part)?;
        if let [_, inner @ ..] = self.lists
            && !inner.is_empty()
        {
            let before = self.around.len();
            if !list.single {
                self.around.push((list.kind.to_owned(), Around::Number(part.index)));
            }
            if let PartKey::Name(name) = part.key {
                let name = self.walk.options.encoding.decode(name).into_owned();
                self.around.push((format!("{}_name", list.kind), Around::Name(name)));
            }
            let lists = std::mem::replace(&mut self.lists, inner);
            let _ = part.body.describe(self);
            self.lists = lists;
            self.around.truncate(before);
        } else {
            let line = Line {
                object: Object { walk: self.walk, list: Some(list), at: None, body: part.body },
                around: &self.around,
            };
            serde_json::to_writer(&mut *self.out, &line).map_err(std::io::Error::from)?;
            self.out.write_all(b"\n")?;
        }
        self.walk.meter.borrow_mut().leave(entered);
        Ok(())
    }
}

impl Visit for Lines<'_> {
    fn field(&mut self, _: &Field<'_>) -> Flow {
        Flow::Continue(())
    }

    fn array(&mut self, _: &Array<'_>) -> Flow {
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if self.lists.first() != Some(&list.name) {
            return Flow::Continue(());
        }
        parts.each(&mut |part| {
            let written = match part {
                Ok(part) => self.element(list, part),
                Err(error) => Err((*error).into()),
            };
            match written {
                Ok(()) if self.failed.is_none() => Flow::Continue(()),
                Ok(()) => Flow::Break(()),
                Err(error) => {
                    self.failed.get_or_insert(error);
                    Flow::Break(())
                }
            }
        })
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        Flow::Continue(())
    }

    fn broken(&mut self, _: &FormatError) -> Flow {
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        self.walk.options.full
    }
}

/// An element, with the members for its enclosing parts.
struct Line<'l> {
    object: Object<'l>,
    around: &'l [(String, Around)],
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.around {
            match value {
                Around::Number(number) => map.serialize_entry(name, number)?,
                Around::Name(text) => map.serialize_entry(name, text)?,
            }
        }
        let Object { walk, list, body, .. } = self.object;
        walk.members(list, body, &mut map)?;
        map.end()
    }
}
