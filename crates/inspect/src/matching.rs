//! Finds the fields whose paths match a pattern.

use worldview_core::describe::{Describe as _, Field, Flow, Link, List, ListFlag, Part, PartList, Visit};
use worldview_core::{Error as FormatError, Path};

use crate::meter::Meter;
use crate::place::{self, Repeated};
use crate::selected::Selected;
use crate::selection::Selection;
use crate::{Result, Root};

/// Calls `each` with every field that a selection names, and its path. Items of arrays are not fields. If some parts cannot be read,
/// returns the first of their errors.
///
/// ```
/// use worldview_inspect::{PathPattern, Root, Selection, each_matching_field};
/// use worldview_wwd::{LevelDescription, Level, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let described = LevelDescription::new(&unpacked, &level);
/// let root = Root::new("wwd", level.image(), &described);
/// let (pattern, mut paths): (PathPattern, _) = ("plane:*/name".parse()?, Vec::new());
/// each_matching_field(&root, Selection::of([&pattern]), &mut |path, _| paths.push(path.to_string()))?;
/// assert_eq!(paths, ["plane:Background/name", "plane:Action/name", "plane:Front/name"]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if overlapping parts, or texts with many references, make the walk far longer than the file.
pub fn each_matching_field<'r>(
    root: &Root<'r>,
    selection: Selection<'r>,
    each: &mut dyn FnMut(&Path, &Field<'_>),
) -> Result<Option<FormatError>> {
    let selected = Selected::new(root, selection).only_fields();
    let meter = Meter::new(&[root], "search of overlapping parts", "search of texts with many references");
    let mut search = Search { each, path: Path::new(), meter, unread: None };
    let in_main = root.body.has_main_list();
    let _ = selected.describe(&mut Fields { search: &mut search, is_scalar: false, in_main });
    let error = search.meter.error().or_else(|| selected.ended_by());
    error.map_or(Ok(search.unread), |error| Err(error.into()))
}

struct Search<'s> {
    each: &'s mut dyn FnMut(&Path, &Field<'_>),
    path: Path,
    meter: Meter,
    /// The error of the first part that could not be read.
    unread: Option<FormatError>,
}

/// Visits one part.
struct Fields<'f, 's> {
    search: &'f mut Search<'s>,
    /// Whether the part is shown as its only field, which has no path segment of its own.
    is_scalar: bool,
    in_main: bool,
}

impl Fields<'_, '_> {
    /// Visits a part with the segments that `push` appends.
    fn part(&mut self, list: &List, part: &Part<'_>, push: impl FnOnce(&mut Path)) -> Flow {
        let search = &mut *self.search;
        let mark = search.path.mark();
        push(&mut search.path);
        let Ok(entered) = search.meter.enter(list, part) else { return Flow::Break(()) };
        let (is_scalar, in_main) = (list.is(ListFlag::Scalar), part.body.has_main_list());
        part.body.describe(&mut Fields { search, is_scalar, in_main })?;
        search.meter.leave(entered);
        search.path.truncate(mark);
        Flow::Continue(())
    }
}

impl Visit for Fields<'_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let search = &mut *self.search;
        let mark = search.path.mark();
        if !self.is_scalar {
            place::push_field(&mut search.path, &field.name, self.in_main);
        }
        search.meter.field(field)?;
        search.meter.path(&search.path)?;
        (search.each)(&search.path, field);
        search.path.truncate(mark);
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let (list, in_main) = (parts.list(), self.in_main);
        let repeated = Repeated::default();
        parts.each(&mut |part| match part {
            Ok(part) => {
                let nth = repeated.nth(parts, &list, part);
                self.part(&list, part, |path| place::push_element(path, &list, part, nth, in_main))
            }
            Err(error) => self.broken(error),
        })
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let (Some(target), in_main) = (link.target, self.in_main) else { return Flow::Continue(()) };
        let list = List::new(link.name, link.kind);
        self.part(&list, target, |path| place::push_own(path, link.name.as_bytes(), in_main))
    }

    fn broken(&mut self, error: &FormatError) -> Flow {
        self.search.unread.get_or_insert(*error);
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        false
    }
}
