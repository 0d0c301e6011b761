//! Elements that only one of two files has, with everything inside them.

use std::collections::HashMap;

use worldview_core::describe::{
    Array, Describe, Elements, Field, Flow, List, ListFlag, Part, PartKey, PartList, Visit,
};
use worldview_core::{Error, Path, Segment};

use super::{Place, Rules, cells, set};
use crate::fields::whole_values;
use crate::list::paths;
use crate::{Change, Changes, Planned, Position, Result};

/// How many elements of each name there are, exactly and ignoring case.
#[derive(Clone, Default)]
pub(super) struct Names {
    exact: HashMap<Vec<u8>, u32>,
    folded: HashMap<Vec<u8>, u32>,
}

impl Names {
    /// Counts the name of an element, and returns how many had it before.
    pub(super) fn count(&mut self, part: &Part<'_>) -> u32 {
        let next = |names: &mut HashMap<Vec<u8>, u32>, name: Vec<u8>| {
            let count = names.entry(name).or_default();
            let before = *count;
            *count = count.saturating_add(1);
            before
        };
        let PartKey::Name(name) = part.key else { return 0 };
        next(&mut self.folded, name.to_ascii_uppercase());
        next(&mut self.exact, name.to_vec())
    }

    /// Returns the path of an element: with a number where its name could be that of another one among `all`.
    pub(super) fn path(&mut self, owner: &Path, part: &Part<'_>, all: &Self) -> Path {
        let PartKey::Name(name) = part.key else { return owner.clone() };
        let is_repeated = all.folded.get(&name.to_ascii_uppercase()).is_some_and(|count| *count > 1);
        let nth = self.count(part);
        let nth = is_repeated.then_some(nth);
        owner.with(|path| path.push_segment(&Segment { kind: None, key: name.into(), nth }))
    }
}

/// An element that only one side has, with everything inside it.
pub(super) fn lone(
    list: &List,
    parts: &dyn PartList,
    part: &Part<'_>,
    (path, side): (&Path, usize),
    position: Position,
    planned: &mut Planned,
    rules: &mut dyn Rules,
) -> Result<()> {
    if let Some((fields, data)) = rules.lone(list, path, part, side)? {
        let (path, is_whole) = (path.clone(), data.is_some());
        planned.changes.push(match side {
            0 => Change::Remove { path, fields, data, was: position },
            _ => Change::Add { path, like: None, position, fields, data },
        });
        if is_whole {
            return Ok(());
        }
    } else if !list.is(ListFlag::Single) {
        let key = parts.editable().slots().and_then(|slots| slots.key);
        element(part.body, list.is(ListFlag::Scalar), key, path, side, position, &mut planned.changes);
    }
    let mut walk = Lone { path, side, planned, rules, with_fields: list.is(ListFlag::Single), result: Ok(()) };
    let _ = part.body.describe(&mut walk);
    walk.result
}

fn element(
    body: &dyn Describe,
    is_scalar: bool,
    key: Option<&str>,
    path: &Path,
    side: usize,
    position: Position,
    changes: &mut Changes,
) {
    let (mut fields, mut data) = whole_values(body, key);
    if is_scalar {
        data = fields.pop().map(|(_, value)| value);
        fields.clear();
    }
    let path = path.clone();
    changes.push(match side {
        0 => Change::Remove { path, fields, data, was: position },
        _ => Change::Add { path, like: None, position, fields, data },
    });
}

/// The contents of an element that only one side has.
struct Lone<'l> {
    path: &'l Path,
    side: usize,
    planned: &'l mut Planned,
    rules: &'l mut dyn Rules,
    result: Result<()>,
    /// Whether fields are changes of their own.
    with_fields: bool,
}

impl Lone<'_> {
    fn sides<'s, T>(&self, one: &'s T) -> [Option<&'s T>; 2] {
        if self.side == 0 { [Some(one), None] } else { [None, Some(one)] }
    }

    /// The elements of a list that go by their names, with what is inside them.
    fn main(&mut self, parts: &dyn PartList, list: &List) -> Flow {
        let (mut all, mut names, mut before) = (Names::default(), Names::default(), None);
        parts.each(&mut |part| {
            part.into_iter().for_each(|part| _ = all.count(part));
            Flow::Continue(())
        })?;
        parts.each(&mut |part| {
            let part = match part {
                Ok(part) => part,
                Err(error) => return self.broken(error),
            };
            let path = names.path(self.path, part, &all);
            let was = before.replace(path.clone()).filter(|_| self.side == 0);
            let position = was.map_or(Position::Natural, Position::After);
            self.result = lone(list, parts, part, (&path, self.side), position, self.planned, self.rules);
            if self.result.is_ok() { Flow::Continue(()) } else { Flow::Break(()) }
        })
    }
}

impl Visit for Lone<'_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if self.with_fields {
            let place = Place { part: self.path, name: Some(false) };
            set(&place, self.sides(field), self.planned);
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        // The bytes of an element's own arrays are its data.
        if self.with_fields || !matches!(array.elements, Elements::Bytes(_)) {
            cells(&Place { part: self.path, name: Some(false) }, self.sides(array), &mut self.planned.changes);
        }
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if list.is(ListFlag::Main) {
            return self.main(parts, &list);
        }
        let key_field = parts.editable().slots().and_then(|slots| slots.key);
        let mut paths = paths(parts, self.path).into_iter();
        parts.each(&mut |part| {
            let part = match part {
                Ok(part) => part,
                Err(error) => return self.broken(error),
            };
            // There is one for each element.
            let Some(path) = paths.next() else { return Flow::Break(()) };
            element(
                part.body,
                list.is(ListFlag::Scalar),
                key_field,
                &path,
                self.side,
                Position::Natural,
                &mut self.planned.changes,
            );
            Flow::Continue(())
        })
    }

    /// Unreadable parts can be neither added nor removed.
    fn broken(&mut self, error: &Error) -> Flow {
        self.result = Err((*error).into());
        Flow::Break(())
    }
}
