//! Finds the path for an offset: the part or field of a file that a byte belongs to.

use worldview_core::describe::{Array, Field, Flow, List, ListFlag, Part, PartList, Span, Visit};
use worldview_core::{Error as FormatError, OffsetBase, Path};

use crate::meter::Meter;
use crate::place::{self, Repeated};
use crate::{Result, Root};

/// Returns, for each offset, the path of the smallest part or field that contains it. If several are equally small,
/// returns the path of their common parent. The path is empty if no part contains the offset.
///
/// ```
/// use worldview_core::OffsetBase;
/// use worldview_inspect::{Root, locate};
/// use worldview_wwd::{LevelDescription, Level, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let unpacked = unpack(file)?;
/// let level = Level::parse(&unpacked)?;
/// let described = LevelDescription::new(&unpacked, &level);
/// let root = Root::new("wwd", level.image(), &described);
/// // The name of a level is at offset 16.
/// let paths = locate(&root, &[(16, OffsetBase::File)])?;
/// assert_eq!(paths[0].to_string(), "header/name");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if overlapping parts, or texts with many references, make the walk far longer than the file.
pub fn locate(root: &Root<'_>, offsets: &[(u64, OffsetBase)]) -> Result<Vec<Path>> {
    let mut order: Vec<_> = (0..offsets.len()).collect();
    order.sort_unstable_by_key(|&index| offsets[index].0);
    let sought = order.iter().map(|&index| offsets[index]).collect();
    let found = offsets.iter().map(|_| SmallestPart { len: u64::MAX, path: Path::new() }).collect();
    let meter = Meter::new(&[root], "walk over overlapping parts", "walk over texts with many references");
    let mut walk = OffsetSearch { sought, found, path: Path::new(), meter };
    let in_main = root.body.has_main_list();
    let _ = root.body.describe(&mut Fields { walk: &mut walk, list: None, in_main });
    if let Some(error) = walk.meter.error() {
        return Err(error.into());
    }
    let mut paths = vec![Path::new(); offsets.len()];
    for (index, found) in order.into_iter().zip(walk.found) {
        paths[index] = found.path;
    }
    Ok(paths)
}

/// The smallest part found so far for an offset.
struct SmallestPart {
    len: u64,
    path: Path,
}

struct OffsetSearch {
    /// The offsets, in ascending order.
    sought: Vec<(u64, OffsetBase)>,
    /// The result for each offset.
    found: Vec<SmallestPart>,
    path: Path,
    meter: Meter,
}

impl OffsetSearch {
    /// Returns whether any offset is inside `span`.
    fn has(&self, span: Span) -> bool {
        let from = self.sought.partition_point(|&(at, _)| at < span.at);
        self.sought.get(from).is_some_and(|&(at, _)| at - span.at < span.len)
    }

    /// Records the part or field at the current path for the offsets inside `span`.
    fn note(&mut self, span: Span) {
        let from = self.sought.partition_point(|&(at, _)| at < span.at);
        let inside = |at: u64| at - span.at < span.len;
        for (&(_, space), found) in
            self.sought[from..].iter().zip(&mut self.found[from..]).take_while(|((at, _), _)| inside(*at))
        {
            if space != span.space || span.len > found.len {
                continue;
            }
            if span.len == found.len && !self.path.is_within(&found.path) {
                found.path = common(&found.path, &self.path);
            } else {
                *found = SmallestPart { len: span.len, path: self.path.clone() };
            }
        }
    }
}

/// Returns the longest common prefix of two paths.
fn common(left: &Path, right: &Path) -> Path {
    let mut path = Path::new();
    for (left, right) in left.segments().zip(right.segments()) {
        if left != right {
            break;
        }
        path.push_segment(&left);
    }
    path
}

/// Visits one part.
struct Fields<'f> {
    walk: &'f mut OffsetSearch,
    /// The list that contains the part.
    list: Option<&'f List>,
    in_main: bool,
}

impl Visit for Fields<'_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        self.walk.meter.field(field)?;
        let Some(span) = field.at.filter(|span| self.walk.has(*span)) else { return Flow::Continue(()) };
        let mark = self.walk.path.mark();
        if !self.list.is_some_and(|list| list.is(ListFlag::Scalar)) {
            place::push_field(&mut self.walk.path, &field.name, self.in_main);
        }
        self.walk.note(span);
        self.walk.path.truncate(mark);
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let Some(span) = array.at.filter(|span| self.walk.has(*span)) else { return Flow::Continue(()) };
        let mark = self.walk.path.mark();
        place::push_own(&mut self.walk.path, array.name.as_bytes(), self.in_main);
        self.walk.note(span);
        self.walk.path.truncate(mark);
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        let repeated = Repeated::default();
        parts.each(&mut |part| match part {
            Ok(part) => self.part(parts, (&list, &repeated), part),
            Err(_) => Flow::Continue(()),
        })
    }

    fn broken(&mut self, _: &FormatError) -> Flow {
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        false
    }
}

impl Fields<'_> {
    fn part(&mut self, parts: &dyn PartList, (list, repeated): (&List, &Repeated), part: &Part<'_>) -> Flow {
        let walk = &mut *self.walk;
        let Ok(entered) = walk.meter.enter(list, part) else { return Flow::Break(()) };
        if list.is(ListFlag::Enclosed) && part.at.is_some_and(|span| !walk.has(span)) {
            walk.meter.leave(entered);
            return Flow::Continue(());
        }
        let mark = walk.path.mark();
        place::push_element(&mut walk.path, list, part, repeated.nth(parts, list, part), self.in_main);
        if let Some(span) = part.at.filter(|span| walk.has(*span)) {
            walk.note(span);
        }
        let in_main = part.body.has_main_list();
        part.body.describe(&mut Fields { walk, list: Some(list), in_main })?;
        walk.path.truncate(mark);
        walk.meter.leave(entered);
        Flow::Continue(())
    }
}
