//! Everything that a file contains as JSON, or in any other format with a serde serializer.
//!
//! A part is an object with its fields, arrays and lists as members; `at` is its offset, if it has one. A list is an
//! array. A single part is an object, or null if it is missing. A reference is the number of its target element, or
//! null. Text that is not plain ASCII, or is stored in an unusual way, has a second member `<name>_bytes` with its
//! bytes in hexadecimal. Floats that are not finite are strings. Anything that could not be read becomes a member
//! `error`, or an object with that member at the end of a list.

mod lines;
mod value;

use std::cell::RefCell;
use std::fmt;
use std::io::Write;

use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use worldview_core::Error as FormatError;
use worldview_core::describe::{Array, Describe, Field, FieldValue, Flow, Link, List, Part, PartList, Visit};

use crate::bounded::Bounded;
use crate::meter::Meter;
use crate::{Options, Result, Root, form, hex};
use value::Rows;

pub(crate) use value::Scalar;

pub use lines::lines;

/// The version of the JSON outputs. It is raised when a member is removed or changes its meaning, but not when one
/// is added.
pub const VERSION: u32 = 3;

/// Writes the selected parts as one JSON object that starts with the members `format`, `version` and `full`.
///
/// # Errors
///
/// Returns an error if the output cannot be written, or if overlapping parts make the walk or the output far longer
/// than the file.
pub fn write(root: &Root<'_>, options: &Options<'_>, out: impl Write) -> Result<()> {
    let mut out = Bounded::new(out, root);
    let described = Described::new(root, options);
    let written = serde_json::to_writer(&mut out, &Document { root, options, described: &described });
    if let Some(error) = described.meter.borrow().error() {
        return Err(error.into());
    }
    written.map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

struct Document<'d> {
    root: &'d Root<'d>,
    options: &'d Options<'d>,
    described: &'d Described<'d>,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format", self.root.format)?;
        map.serialize_entry("version", &VERSION)?;
        map.serialize_entry("full", &self.options.full)?;
        let walk = JsonWalk { options: self.options, meter: &self.described.meter };
        walk.members(None, self.root.body, &mut map)?;
        map.end()
    }
}

/// A description as a value that implements `Serialize`.
///
/// ```
/// use worldview_inspect::json::Described;
/// use worldview_inspect::{Options, Root};
/// use worldview_wwd::{Level, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let plane = &level.planes()[1];
/// let options = Options::default();
/// let described = Described::new(&Root::new("plane", level.image(), plane), &options);
/// let value = serde_json::to_value(&described)?;
/// assert_eq!(value["name"], "Action");
/// assert_eq!(value["objects"][0]["object"], "1");
/// # Ok(())
/// # }
/// ```
pub struct Described<'d> {
    body: &'d dyn Describe,
    options: &'d Options<'d>,
    meter: RefCell<Meter>,
}

impl<'d> Described<'d> {
    /// Creates a serializable value from the selected parts of a description.
    pub fn new(root: &Root<'d>, options: &'d Options<'d>) -> Self {
        let meter = Meter::new(&[root], "JSON of overlapping parts", "JSON of texts with many references");
        Self { body: root.body, options, meter: RefCell::new(meter) }
    }
}

impl fmt::Debug for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Described").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Serialize for Described<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let walk = JsonWalk { options: self.options, meter: &self.meter };
        Object { walk, list: None, at: None, body: self.body }.serialize(serializer)
    }
}

#[derive(Clone, Copy)]
struct JsonWalk<'w> {
    options: &'w Options<'w>,
    meter: &'w RefCell<Meter>,
}

impl JsonWalk<'_> {
    /// Writes everything that a part contains.
    fn members<M: SerializeMap>(
        self,
        list: Option<List>,
        body: &dyn Describe,
        map: &mut M,
    ) -> std::result::Result<(), M::Error> {
        let mut members = Members { walk: self, list, map, failed: None };
        let _ = body.describe(&mut members);
        let failed = members.failed;
        failed.map_or(Ok(()), Err)?;
        self.within_bounds().map_err(M::Error::custom)
    }

    fn within_bounds(self) -> std::result::Result<(), FormatError> {
        self.meter.borrow().error().map_or(Ok(()), Err)
    }
}

/// A part as an object.
struct Object<'o> {
    walk: JsonWalk<'o>,
    list: Option<List>,
    /// The offset of the part, if it is to be written.
    at: Option<u64>,
    body: &'o dyn Describe,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(at) = self.at {
            map.serialize_entry("at", &at)?;
        }
        self.walk.members(self.list, self.body, &mut map)?;
        map.end()
    }
}

/// A visitor that writes what it visits as members of an object.
struct Members<'m, M: SerializeMap> {
    walk: JsonWalk<'m>,
    list: Option<List>,
    map: &'m mut M,
    failed: Option<M::Error>,
}

impl<M: SerializeMap> Members<'_, M> {
    fn entry(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Flow {
        match self.map.serialize_entry(name, value) {
            Ok(()) => Flow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                Flow::Break(())
            }
        }
    }
}

impl<M: SerializeMap> Visit for Members<'_, M> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if !self.walk.options.select.field(self.list.as_ref(), field) {
            return Flow::Continue(());
        }
        self.walk.meter.borrow_mut().field(field)?;
        let name = form::name(&field.name);
        self.entry(&name, &Scalar { value: &field.value, encoding: self.walk.options.encoding })?;
        match field.value {
            FieldValue::Text(text) if !form::is_plain(&text) => self.entry(&format!("{name}_bytes"), &hex(text.stored)),
            _ => Flow::Continue(()),
        }
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let options = self.walk.options;
        if (array.bulk && !options.full) || !options.select.array(array) {
            return Flow::Continue(());
        }
        self.walk.meter.borrow_mut().array(array)?;
        self.entry(array.name, &Rows(array))
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let (list, options) = (parts.list(), self.walk.options);
        if (list.bulk && !options.full) || !options.select.list(&list) {
            return Flow::Continue(());
        }
        let walk = self.walk;
        if list.single {
            self.entry(list.name, &One { walk, parts })
        } else {
            self.entry(list.name, &Many { walk, parts })
        }
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        self.entry(link.name, &link.target.map(|target| target.index))
    }

    fn broken(&mut self, error: &FormatError) -> Flow {
        self.entry("error", &error.to_string())
    }

    fn wants_bulk(&self) -> bool {
        self.walk.options.full
    }
}

/// Serializes an element, unless it is not selected or exceeds a limit.
fn element<S, E: serde::ser::Error>(
    walk: JsonWalk<'_>,
    list: List,
    part: &Part<'_>,
    put: impl FnOnce(&Object<'_>) -> std::result::Result<S, E>,
) -> Option<std::result::Result<S, E>> {
    if !walk.options.select.part(&list, part) {
        return None;
    }
    let entered = walk.meter.borrow_mut().enter(&list, part);
    let entered = match entered {
        Ok(entered) => entered,
        Err(error) => return Some(Err(E::custom(error))),
    };
    let put = put(&Object { walk, list: Some(list), at: part.at.map(|span| span.at), body: part.body });
    walk.meter.borrow_mut().leave(entered);
    Some(put)
}

/// A single part.
struct One<'o> {
    walk: JsonWalk<'o>,
    parts: &'o dyn PartList,
}

impl Serialize for One<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let (mut serializer, mut result) = (Some(serializer), None);
        let _ = self.parts.each(&mut |part| {
            let Some(serializer) = serializer.take() else { return Flow::Break(()) };
            result = Some(match part {
                Ok(part) => {
                    let mut unused = Some(serializer);
                    let written = element(self.walk, self.parts.list(), part, |object| match unused.take() {
                        Some(serializer) => object.serialize(serializer),
                        None => Err(S::Error::custom("an element was written twice")),
                    });
                    match (written, unused) {
                        (Some(written), _) => written,
                        (None, Some(serializer)) => serializer.serialize_none(),
                        (None, None) => Err(S::Error::custom("an element was lost")),
                    }
                }
                Err(error) => Object { walk: self.walk, list: None, at: None, body: error }.serialize(serializer),
            });
            Flow::Break(())
        });
        match (result, serializer) {
            (Some(result), _) => result,
            (None, Some(serializer)) => serializer.serialize_none(),
            (None, None) => Err(S::Error::custom("a part was lost")),
        }
    }
}

/// A list of parts.
struct Many<'o> {
    walk: JsonWalk<'o>,
    parts: &'o dyn PartList,
}

impl Serialize for Many<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        let (list, mut failed) = (self.parts.list(), None);
        let _ = self.parts.each(&mut |part| {
            let written = match part {
                Ok(part) => element(self.walk, list, part, |object| {
                    if list.scalar { seq.serialize_element(&Only(object)) } else { seq.serialize_element(object) }
                })
                .unwrap_or(Ok(())),
                Err(error) => seq.serialize_element(&Object { walk: self.walk, list: None, at: None, body: error }),
            };
            match written {
                Ok(()) => Flow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    Flow::Break(())
                }
            }
        });
        failed.map_or(Ok(()), Err)?;
        seq.end()
    }
}

/// An element that is represented by its only field.
struct Only<'o>(&'o Object<'o>);

impl Serialize for Only<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut only = OnlyField { walk: self.0.walk, serializer: Some(serializer), result: None };
        let _ = self.0.body.describe(&mut only);
        match (only.result, only.serializer) {
            (Some(result), _) => result,
            (None, Some(serializer)) => serializer.serialize_none(),
            (None, None) => Err(S::Error::custom("a field was lost")),
        }
    }
}

struct OnlyField<'o, S: Serializer> {
    walk: JsonWalk<'o>,
    serializer: Option<S>,
    result: Option<std::result::Result<S::Ok, S::Error>>,
}

impl<S: Serializer> Visit for OnlyField<'_, S> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        self.walk.meter.borrow_mut().field(field)?;
        if let Some(serializer) = self.serializer.take() {
            self.result =
                Some(Scalar { value: &field.value, encoding: self.walk.options.encoding }.serialize(serializer));
        }
        Flow::Break(())
    }

    fn array(&mut self, _: &Array<'_>) -> Flow {
        Flow::Continue(())
    }

    fn parts(&mut self, _: &dyn PartList) -> Flow {
        Flow::Continue(())
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        Flow::Continue(())
    }

    fn broken(&mut self, _: &FormatError) -> Flow {
        Flow::Continue(())
    }
}
