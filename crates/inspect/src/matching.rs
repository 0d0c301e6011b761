//! Finds the fields whose paths match a pattern.

use worldview_core::describe::{Field, Flow, Link, List, ListFlag, Part, PartList, Visit};
use worldview_core::{Error as FormatError, Path, Segment};

use crate::meter::Meter;
use crate::place::{self, Repeated};
use crate::{Result, Root};

/// Calls `each` for every field whose path has `len` segments that all match. `matches` is called with the number of a segment,
/// counted from 0, only if those before it match. Items of arrays are no fields. If some parts could not be read, returns the first
/// of their errors.
///
/// ```
/// use worldview_inspect::{Root, each_matching_field};
/// use worldview_wwd::{LevelDescription, Level, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let described = LevelDescription::new(&unpacked, &level);
/// let root = Root::new("wwd", level.image(), &described);
/// let mut paths = Vec::new();
/// each_matching_field(
///     &root,
///     2,
///     &mut |number, segment| if number == 0 { segment.kind == Some("plane") } else { *segment.key == *b"name" },
///     &mut |path, _| paths.push(path.to_string()),
/// )?;
/// assert_eq!(paths, ["plane:Background/name", "plane:Action/name", "plane:Front/name"]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if overlapping parts, or texts with many references, make the walk far longer than the file.
pub fn each_matching_field(
    root: &Root<'_>,
    len: usize,
    matches: &mut dyn FnMut(usize, &Segment<'_>) -> bool,
    each: &mut dyn FnMut(&Path, &Field<'_>),
) -> Result<Option<FormatError>> {
    let meter = Meter::new(&[root], "search of overlapping parts", "search of texts with many references");
    let mut search = Search { len, matches, each, path: Path::new(), meter, unread: None };
    let in_main = root.body.has_main_list();
    let _ = root.body.describe(&mut Fields { search: &mut search, is_scalar: false, in_main });
    let Search { meter, unread, .. } = search;
    meter.error().map_or(Ok(unread), |error| Err(error.into()))
}

struct Search<'s> {
    len: usize,
    matches: &'s mut dyn FnMut(usize, &Segment<'_>) -> bool,
    each: &'s mut dyn FnMut(&Path, &Field<'_>),
    path: Path,
    meter: Meter,
    /// The error of the first part that could not be read.
    unread: Option<FormatError>,
}

impl Search<'_> {
    /// Calls `then` with the segments that `push` appends, if there are more to match and the new one does.
    fn step(&mut self, push: impl FnOnce(&mut Path), then: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let (mark, number) = (self.path.mark(), self.path.len());
        push(&mut self.path);
        let is_match = self.path.len() <= self.len
            && self.path.segments().skip(number).all(|segment| (self.matches)(number, &segment));
        let flow = if is_match { then(self) } else { Flow::Continue(()) };
        self.path.truncate(mark);
        flow
    }
}

/// Visits one part.
struct Fields<'f, 's> {
    search: &'f mut Search<'s>,
    /// Whether the part is shown as its only field, which has no segment of its own.
    is_scalar: bool,
    in_main: bool,
}

impl Fields<'_, '_> {
    fn part(&mut self, list: &List, part: &Part<'_>, nth: Option<u32>) -> Flow {
        let in_main = self.in_main;
        self.search.step(
            |path| place::push_element(path, list, part, nth, in_main),
            |search| {
                if search.path.len() == search.len && !list.is(ListFlag::Scalar) {
                    return Flow::Continue(());
                }
                let Ok(entered) = search.meter.enter(list, part) else { return Flow::Break(()) };
                let (is_scalar, in_main) = (list.is(ListFlag::Scalar), part.body.has_main_list());
                part.body.describe(&mut Fields { search, is_scalar, in_main })?;
                search.meter.leave(entered);
                Flow::Continue(())
            },
        )
    }
}

impl Visit for Fields<'_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let (is_scalar, in_main) = (self.is_scalar, self.in_main);
        self.search.meter.field(field)?;
        let push = |path: &mut Path| match is_scalar {
            true => {}
            false => place::push_field(path, &field.name, in_main),
        };
        self.search.step(push, |search| {
            if search.path.len() == search.len {
                search.meter.path(&search.path)?;
                (search.each)(&search.path, field);
            }
            Flow::Continue(())
        })
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        if self.search.path.len() >= self.search.len {
            return Flow::Continue(());
        }
        let list = parts.list();
        let repeated = Repeated::default();
        parts.each(&mut |part| match part {
            Ok(part) => self.part(&list, part, repeated.nth(parts, &list, part)),
            Err(error) => self.broken(error),
        })
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let Some(target) = link.target.filter(|_| link.content) else { return Flow::Continue(()) };
        let in_main = self.in_main;
        self.search.step(
            |path| place::push_own(path, link.name.as_bytes(), in_main),
            |search| {
                let Ok(entered) = search.meter.enter(&List::new(link.name, link.kind), target) else {
                    return Flow::Break(());
                };
                let in_main = target.body.has_main_list();
                target.body.describe(&mut Fields { search, is_scalar: false, in_main })?;
                search.meter.leave(entered);
                Flow::Continue(())
            },
        )
    }

    fn broken(&mut self, error: &FormatError) -> Flow {
        self.search.unread.get_or_insert(*error);
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        false
    }
}
