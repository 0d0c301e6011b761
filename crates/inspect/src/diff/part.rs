//! Comparison of parts. Each left part is described once, and the right part once for each of its lists and links.

use std::collections::HashSet;
use std::hash::RandomState;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use worldview_core::describe::{Array, Describe, Field, Flow, Link, List, PartList, Role, Span, Visit};
use worldview_core::{Error, Source};

use super::array;
use super::frame::{Frame, Index, compare_fields};
use super::kept::Kept;
use super::linked::Linked;
use super::matching::Matching;
use super::report::Report;
use super::{Change, DiffOptions, Difference};
use crate::Result;
use crate::meter::Meter;

/// A walk over both files.
pub(super) struct PairWalk<'w, 'r> {
    pub(super) options: &'w DiffOptions<'w>,
    pub(super) report: Report<'w>,
    pub(super) hasher: RandomState,
    /// The lists whose elements are currently being compared.
    pub(super) matching: Vec<Rc<Matching>>,
    /// The pairs of shared parts that were compared already: their kind and numbers.
    pub(super) seen: HashSet<(&'static str, u32, u32)>,
    pub(super) linked: Linked<'w>,
    kept: Kept<'r>,
}

/// A part of one side.
#[derive(Clone, Copy)]
pub(super) struct Of<'o> {
    pub(super) body: &'o dyn Describe,
    /// The span of the part. Nested parts inside it are not charged again.
    pub(super) here: Option<Span>,
}

impl<'w, 'r> PairWalk<'w, 'r> {
    pub(super) fn new(
        [left, right]: [Source<'r>; 2],
        root: &'w dyn Describe,
        options: &'w DiffOptions<'w>,
        meter: Meter,
        note: &'w mut dyn FnMut(&Difference<'_>),
        events: Option<super::OnEvent<'w>>,
    ) -> Self {
        Self {
            options,
            report: Report::new(note, events, meter, options.encoding),
            hasher: RandomState::new(),
            matching: Vec::new(),
            seen: HashSet::new(),
            linked: Linked::new(root),
            kept: Kept::new(left.bytes(), right.bytes()),
        }
    }

    pub(super) fn compare(mut self, left: &dyn Describe, right: &dyn Describe) -> Result<()> {
        let of = |body| Of { body, here: None };
        let _ = self.parts(of(left), of(right), None);
        match self.report.meter.error() {
            Some(error) => Err(error.into()),
            None if self.is_cancelled() => Err(crate::Error::Cancelled),
            None => Ok(()),
        }
    }

    /// Compares two parts that are elements of `list`.
    pub(super) fn parts(&mut self, left: Of<'_>, right: Of<'_>, list: Option<List>) -> Flow {
        let in_main = left.body.has_main_list() || right.body.has_main_list();
        let mut frame = Frame::new(list, in_main, self.kept.marks());
        let _ = left.body.describe(&mut Left { walk: self, frame: &mut frame, left, right });
        self.flow()?;
        if !frame.visited {
            self.right(&mut frame, left, right, &RightTarget::Nothing)?;
        }
        self.lone_members(&frame);
        let [of_left, of_right] = &frame.broken;
        self.report.broken(of_left.as_ref(), of_right.as_ref());
        if of_left.is_none() {
            let names: Vec<_> =
                frame.right_lists.iter().filter(|name| !frame.left_lists.contains(name)).copied().collect();
            for name in names {
                self.right(&mut frame, left, right, &RightTarget::Lone(name))?;
            }
        }
        self.kept.truncate(frame.start);
        Flow::Continue(())
    }

    pub(super) fn flow(&self) -> Flow {
        let is_over = self.report.meter.error().is_some() || self.is_cancelled();
        if is_over { Flow::Break(()) } else { Flow::Continue(()) }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.options.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Describes the right part. The first visit compares everything, later visits only what is wanted.
    fn right(
        &mut self,
        frame: &mut Frame,
        left: Of<'_>,
        right: Of<'_>,
        wanted: &RightTarget<'_>,
    ) -> std::ops::ControlFlow<(), bool> {
        let is_first = !frame.visited;
        frame.visited = true;
        let mut visitor = Right { walk: self, frame, left, right, wanted, is_first, found: false };
        // The visit is stopped on purpose once it has found what is wanted.
        let _ = right.body.describe(&mut visitor);
        let found = visitor.found;
        self.flow()?;
        std::ops::ControlFlow::Continue(found)
    }

    /// Compares a field with the left part's field, or keeps it until the left part is complete.
    fn right_field(&mut self, frame: &mut Frame, field: &Field<'_>) {
        let Kept { bytes, left, .. } = &self.kept;
        let fields = &left.fields[frame.start.left.fields..];
        match frame.index.find(fields, bytes, field.name, &self.hasher) {
            Some(place) => {
                let kept = &self.kept;
                let other = kept.left.fields[frame.start.left.fields + place];
                other.with(kept, |left| compare_fields(left, field, frame, &mut self.report));
                self.kept.left.fields[frame.start.left.fields + place].matched = true;
            }
            None => {
                let field = self.kept.field(field);
                self.kept.right.fields.push(field);
            }
        }
    }

    fn right_array(&mut self, frame: &Frame, array: &Array<'_>) {
        let start = frame.start.left.arrays;
        let place = self.kept.left.arrays[start..].iter().position(|kept| kept.name == array.name);
        match place {
            Some(place) => {
                let left = self.kept.left.arrays[start + place].get(&self.kept.bytes);
                array::compare(&left, array, frame.context(self.options), &mut self.report);
                self.kept.left.arrays[start + place].matched = true;
            }
            None => {
                let array = self.kept.array(array);
                self.kept.right.arrays.push(array);
            }
        }
    }

    /// Compares members that were visited too late for an immediate comparison, and reports those that only one side
    /// has. If one side is broken, members that only the other side has are not reported.
    fn lone_members(&mut self, frame: &Frame) {
        let Self { kept, report, hasher, options, .. } = self;
        let mut late = HashSet::new();
        let (starts, mut index) = (frame.start, Index::default());
        let right_fields = &kept.right.fields[starts.right.fields..];
        let right_arrays = &kept.right.arrays[starts.right.arrays..];
        let mut compared = frame.clone_numbers();
        for field in kept.left.fields[starts.left.fields..].iter().filter(|field| !field.matched) {
            match index.find(right_fields, &kept.bytes, field.name(&kept.bytes), hasher) {
                Some(place) => {
                    late.insert(place);
                    field.with(kept, |left| {
                        right_fields[place].with(kept, |right| compare_fields(left, right, &mut compared, report));
                    });
                }
                None if frame.broken[1].is_none() && field.role != Role::Storage => {
                    field.with(kept, |field| report.lone_field(field, true, frame));
                }
                None => {}
            }
        }
        let find = |name| right_arrays.iter().find(|array| array.name == name);
        for array in kept.left.arrays[starts.left.arrays..].iter().filter(|array| !array.matched) {
            let left = array.get(&kept.bytes);
            match find(array.name) {
                Some(right) => array::compare(&left, &right.get(&kept.bytes), compared.context(options), report),
                None if frame.broken[1].is_none() => array::lone(&left, Change::Removed, frame.in_main, report),
                None => {}
            }
        }
        if frame.broken[0].is_some() {
            return;
        }
        for (place, field) in right_fields.iter().enumerate() {
            if field.role != Role::Storage && !late.contains(&place) {
                field.with(kept, |field| report.lone_field(field, false, frame));
            }
        }
        let of_left = &kept.left.arrays[starts.left.arrays..];
        for array in right_arrays.iter().filter(|array| of_left.iter().all(|left| left.name != array.name)) {
            array::lone(&array.get(&kept.bytes), Change::Added, frame.in_main, report);
        }
    }
}

/// Visits the left part.
struct Left<'v, 'w, 'r> {
    walk: &'v mut PairWalk<'w, 'r>,
    frame: &'v mut Frame,
    left: Of<'v>,
    right: Of<'v>,
}

impl Visit for Left<'_, '_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if field.role == Role::Derived || !self.walk.options.select.field(self.frame.list.as_ref(), field) {
            return Flow::Continue(());
        }
        self.walk.report.meter.field(field)?;
        let kept = self.walk.kept.field(field);
        self.walk.kept.left.fields.push(kept);
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if !self.walk.options.select.array(array) {
            return Flow::Continue(());
        }
        self.walk.report.meter.array_of(array, self.left.here)?;
        let kept = self.walk.kept.array(array);
        self.walk.kept.left.arrays.push(kept);
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        self.frame.left_lists.push(list.name);
        if !self.walk.wants(&list) {
            return Flow::Continue(());
        }
        let found = self.walk.right(self.frame, self.left, self.right, &RightTarget::List(parts, list.name))?;
        if !found && self.frame.broken[1].is_none() {
            let in_main = self.frame.in_main;
            return self.walk.lone_list((parts, self.left.here), Change::Removed, in_main);
        }
        Flow::Continue(())
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        self.frame.left_lists.push(link.name);
        let found = self.walk.right(self.frame, self.left, self.right, &RightTarget::Link(link))?;
        if !found && self.frame.broken[1].is_none() {
            return self.walk.links(Some(link), None, self.frame.in_main);
        }
        Flow::Continue(())
    }

    fn broken(&mut self, error: &Error) -> Flow {
        self.frame.broken[0].get_or_insert(*error);
        Flow::Continue(())
    }

    fn wants_places(&self) -> bool {
        self.walk.report.events.is_some()
    }
}

/// What to compare in the right part with the item being visited in the left part.
enum RightTarget<'a> {
    Nothing,
    List(&'a dyn PartList, &'static str),
    Link(&'a Link<'a>),
    /// Lists and links that the left part does not have.
    Lone(&'static str),
}

/// Visits the right part.
struct Right<'v, 'w, 'r> {
    walk: &'v mut PairWalk<'w, 'r>,
    frame: &'v mut Frame,
    left: Of<'v>,
    right: Of<'v>,
    wanted: &'v RightTarget<'v>,
    is_first: bool,
    found: bool,
}

impl Right<'_, '_, '_> {
    /// Ends the visit with the result, unless the rest has to be compared as well.
    fn found(&mut self, flow: Flow) -> Flow {
        self.found = true;
        flow?;
        if self.is_first { Flow::Continue(()) } else { Flow::Break(()) }
    }
}

impl Visit for Right<'_, '_, '_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let is_wanted = self.is_first && field.role != Role::Derived;
        if !is_wanted || !self.walk.options.select.field(self.frame.list.as_ref(), field) {
            return Flow::Continue(());
        }
        self.walk.report.meter.field(field)?;
        self.walk.right_field(self.frame, field);
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if self.is_first && self.walk.options.select.array(array) {
            self.walk.report.meter.array_of(array, self.right.here)?;
            self.walk.right_array(self.frame, array);
        }
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        if self.is_first {
            self.frame.right_lists.push(list.name);
        }
        let in_main = self.frame.in_main;
        match *self.wanted {
            RightTarget::List(others, name) if name == list.name && !self.found => {
                let flow = self.walk.lists((others, self.left.here), (parts, self.right.here), in_main);
                self.found(flow)
            }
            RightTarget::Lone(name) if name == list.name => {
                let flow = if self.walk.wants(&list) {
                    self.walk.lone_list((parts, self.right.here), Change::Added, in_main)
                } else {
                    Flow::Continue(())
                };
                self.found(flow)
            }
            _ => Flow::Continue(()),
        }
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        if self.is_first {
            self.frame.right_lists.push(link.name);
        }
        let in_main = self.frame.in_main;
        match *self.wanted {
            RightTarget::Link(other) if other.name == link.name && !self.found => {
                let flow = self.walk.links(Some(other), Some(link), in_main);
                self.found(flow)
            }
            RightTarget::Lone(name) if name == link.name => {
                let flow = self.walk.links(None, Some(link), in_main);
                self.found(flow)
            }
            _ => Flow::Continue(()),
        }
    }

    fn broken(&mut self, error: &Error) -> Flow {
        if self.is_first {
            self.frame.broken[1].get_or_insert(*error);
        }
        Flow::Continue(())
    }

    fn wants_places(&self) -> bool {
        self.walk.report.events.is_some()
    }
}

worldview_core::debug_summary!("Walk", PairWalk<'_, '_>, |this| report: this.report);
