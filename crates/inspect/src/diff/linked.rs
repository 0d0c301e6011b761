//! The paths of the parts that links lead to.

use std::collections::HashMap;

use worldview_core::describe::{Array, Describe, Field, Flow, ListFlag, Part, PartList, Visit};
use worldview_core::{Error, Path};

use crate::place::{Repeated, push_element};

/// The lists of the left file that links lead to.
pub(super) struct Linked<'w> {
    root: &'w dyn Describe,
    repeated: HashMap<&'static str, Repeated>,
}

impl<'w> Linked<'w> {
    pub(super) fn new(root: &'w dyn Describe) -> Self {
        Self { root, repeated: HashMap::new() }
    }

    /// Returns the path of an element, or `None` if the file has no list of its kind.
    pub(super) fn path(&mut self, kind: &'static str, part: &Part<'_>) -> Option<Path> {
        let (repeated, in_main) = (self.repeated.entry(kind).or_default(), self.root.has_main_list());
        let mut finder = Finder { kind, part, repeated, in_main, path: None };
        // The visit is stopped on purpose once it has found the list.
        let _ = self.root.describe(&mut finder);
        finder.path
    }
}

worldview_core::debug_summary!("Linked", Linked<'_>, |this| repeated: this.repeated.len());

/// Visits the root, and makes the path of an element.
struct Finder<'f> {
    kind: &'static str,
    part: &'f Part<'f>,
    repeated: &'f Repeated,
    in_main: bool,
    path: Option<Path>,
}

impl Visit for Finder<'_> {
    fn field(&mut self, _: &Field<'_>) -> Flow {
        Flow::Continue(())
    }

    fn array(&mut self, _: &Array<'_>) -> Flow {
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if !list.is(ListFlag::Linked) || list.kind != self.kind {
            return Flow::Continue(());
        }
        let nth = self.repeated.nth(parts, &list, self.part);
        self.path = Some(Path::new().with(|path| push_element(path, &list, self.part, nth, self.in_main)));
        Flow::Break(())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }

    fn wants_bulk(&self) -> bool {
        false
    }
}
