//! Comparison of lists and links: matching of elements, and reports about the unmatched ones.

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, Hasher as _};
use std::rc::Rc;

use worldview_core::Path;
use worldview_core::describe::{Flow, Link, List, ListFlag, MatchRule, Pairing, Part, PartKey, PartList, Role, Span};

use super::matching::{Elements, Matching};
use super::pairs::{Common, Pairs};
use super::part::{Of, PairWalk};
use super::report::word;
use super::{Change, Event, Matched};
use crate::place::{hash_key, push_element, push_key, push_own};
use crate::root::first_field;

/// A list, and the span of the part that owns it.
type Side<'s> = (&'s dyn PartList, Option<Span>);

impl PairWalk<'_, '_> {
    /// Returns whether a list is compared. Elements that links lead to are compared on their own if they are selected.
    pub(super) fn wants(&self, list: &List) -> bool {
        (!list.is(ListFlag::Linked) || list.is(ListFlag::Selected))
            && list.role != Role::Storage
            && self.options.select.list(list)
    }

    /// Compares two lists of the same name.
    pub(super) fn lists(&mut self, left: Side<'_>, right: Side<'_>, in_main: bool) -> Flow {
        let list = left.0.list();
        let (mut of_left, common, once) = self.gather(left, &list)?;
        let (of_right, other, other_once) = self.gather(right, &list)?;
        of_left.repeat_alike(&of_right);
        let own = |path: &mut Path| push_own(path, list.name.as_bytes(), in_main);
        self.report.within(own, |report| report.broken(of_left.broken.as_ref(), of_right.broken.as_ref()));
        let mut pairs = match list.pairing {
            Pairing::Index if !common.is_empty() && !other.is_empty() => Pairs::ends(&common, &other),
            Pairing::Index => Pairs::Placed(of_left.count, of_right.count),
            Pairing::Likeness => Pairs::none(of_left.count, of_right.count),
        };
        if list.pairing == Pairing::Likeness {
            pairs.pair(common, other, once || other_once);
            self.further_rounds(left.0, right.0, (&of_left, &of_right), &mut pairs);
        }
        let matching = Rc::new(Matching { kind: list.kind, left: of_left, right: of_right, pairs });
        let mut skipped = HashSet::new();
        if self.report.events.is_some() {
            skipped = self.matched(left.0, right.0, &list, &matching, in_main);
        }
        self.matching.push(Rc::clone(&matching));
        let flow = self.elements(left, right, (&list, &skipped), &matching, in_main);
        self.matching.pop();
        flow?;
        if self.report.events.is_some() || list.is(ListFlag::Linked) {
            return Flow::Continue(());
        }
        if let Some((first, second)) = matching.pairs.out_of_order() {
            let label = |parts: &dyn PartList, elements: &Elements, place: u32| {
                let (mut path, (index, offset)) = (Path::new(), elements.index_and_offset(place));
                parts.get(index, offset, &mut |part| {
                    push_element(&mut path, &list, part, elements.shown(place, part, &self.hasher), false)
                });
                path
            };
            let first = label(left.0, &matching.left, first);
            let second = label(right.0, &matching.right, second);
            self.report.within(own, |report| {
                report.changed(Some("order"), Some(word(first.as_str())), Some(word(second.as_str())));
            });
        }
        Flow::Continue(())
    }

    /// Passes on which elements of two lists match. Returns those of the left list that are not compared.
    fn matched(
        &mut self,
        left: &dyn PartList,
        right: &dyn PartList,
        list: &List,
        matching: &Matching,
        in_main: bool,
    ) -> HashSet<u32> {
        let hasher = &self.hasher;
        let owner = self.report.path.clone();
        let get = |side: usize, place: u32, visit: &mut dyn FnMut(&Part<'_>, &Path)| {
            let (parts, elements) = if side == 0 { (left, &matching.left) } else { (right, &matching.right) };
            let (index, offset) = elements.index_and_offset(place);
            parts.get(index, offset, &mut |part| {
                let mut path = owner.clone();
                push_exact(&mut path, list, part, matching, elements.nth(place), hasher, in_main);
                visit(part, &path);
            });
        };
        let counts = [matching.left.count, matching.right.count];
        let matched = Matched {
            part: &owner,
            list: *list,
            lists: [left, right],
            sorting: [list.sorting, right.list().sorting],
            counts,
            left_of: matching.pairs.left_of(),
            get: &get,
            skipped: RefCell::default(),
        };
        self.report.event(|_, events| events(&Event::List(&matched)));
        matched.skipped.into_inner()
    }

    /// Collects the locations of the elements, and the hashes by which the first round matches them.
    fn gather(
        &mut self,
        (parts, here): Side<'_>,
        list: &List,
    ) -> std::ops::ControlFlow<(), (Elements, Vec<Common>, bool)> {
        let (mut elements, mut keys, mut common, mut is_once) = (Elements::default(), Vec::new(), Vec::new(), false);
        let _ = parts.each(&mut |part| {
            let part = match part {
                Ok(part) if !self.options.select.part(list, part) => return Flow::Continue(()),
                Ok(part) => part,
                Err(error) => {
                    elements.broken = Some(*error);
                    return Flow::Break(());
                }
            };
            if self.report.meter.charge(list, part, here).is_err() || self.is_cancelled() {
                return Flow::Break(());
            }
            let place = elements.push(part);
            if !list.is(ListFlag::Unique)
                && let Some(hash) = hash_key(part.key, &self.hasher)
            {
                keys.push((hash, place));
                if let (PartKey::Name(name), true) = (part.key, list.is(ListFlag::IgnoresCase)) {
                    elements.folded.push((self.hasher.hash_one(name.to_ascii_uppercase()), hash));
                }
            }
            // Elements with numbers are compared by them, except for changes.
            if list.pairing == Pairing::Likeness || self.report.events.is_some() {
                is_once |= self.common(parts, part, place, 0, &mut common) == MatchRule::Once;
            }
            Flow::Continue(())
        });
        self.flow()?;
        elements.number(keys);
        std::ops::ControlFlow::Continue((elements, common, is_once))
    }

    /// Adds the hash by which an element is matched in a round.
    fn common(&self, parts: &dyn PartList, part: &Part<'_>, place: u32, round: u32, to: &mut Vec<Common>) -> MatchRule {
        let mut hasher = self.hasher.build_hasher();
        let likeness = match self.report.events {
            Some(_) => parts.identity(part, round, &mut hasher),
            None => parts.match_rule(part, round, &mut hasher),
        };
        if likeness != MatchRule::None {
            to.push((hasher.finish(), place));
        }
        likeness
    }

    fn further_rounds(
        &self,
        left: &dyn PartList,
        right: &dyn PartList,
        (of_left, of_right): (&Elements, &Elements),
        pairs: &mut Pairs,
    ) {
        // No format uses this many rounds.
        for round in 1..16 {
            let gather = |parts: &dyn PartList, elements: &Elements, places: &mut dyn Iterator<Item = u32>| {
                let (mut common, mut is_once, mut is_between) = (Vec::new(), false, false);
                for place in places {
                    let (index, offset) = elements.index_and_offset(place);
                    parts.get(index, offset, &mut |part| {
                        let rule = self.common(parts, part, place, round, &mut common);
                        is_once |= rule == MatchRule::Once;
                        is_between |= rule == MatchRule::Between;
                    });
                }
                (common, is_once, is_between)
            };
            if pairs.lone_left().next().is_none() || pairs.lone_right().next().is_none() {
                return;
            }
            let (common, once, is_between) = gather(left, of_left, &mut pairs.lone_left());
            let (other, other_once, _) = gather(right, of_right, &mut pairs.lone_right());
            if common.is_empty() && other.is_empty() {
                return;
            }
            match is_between {
                true => pairs.between(),
                false => pairs.pair(common, other, once || other_once),
            }
        }
    }

    /// Compares matched elements and reports the others. If a list ends early, its missing elements are not reported.
    fn elements(
        &mut self,
        left: Side<'_>,
        right: Side<'_>,
        (list, skipped): (&List, &HashSet<u32>),
        matching: &Matching,
        in_main: bool,
    ) -> Flow {
        let Matching { left: of_left, right: of_right, pairs, .. } = matching;
        let is_told = self.report.events.is_some();
        let is_alike = have_one_context(left.0, right.0);
        for place in (0..of_left.count).filter(|place| !skipped.contains(place)) {
            let (index, offset) = of_left.index_and_offset(place);
            let Some(other) = pairs.of_left(place) else {
                if of_right.broken.is_none() && !is_told {
                    self.lone(left.0, list, (of_left, place), Change::Removed, in_main);
                }
                continue;
            };
            let (other, other_offset) = of_right.index_and_offset(other);
            left.0.get(index, offset, &mut |part| {
                right.0.get(other, other_offset, &mut |other| {
                    if is_alike && left.0.shortcuts().own(part) == right.0.shortcuts().own(other) {
                        return;
                    }
                    if list.is(ListFlag::Linked) && !self.seen.insert((list.kind, part.index, other.index)) {
                        return;
                    }
                    let mark = self.report.path.mark();
                    if self.report.events.is_some() {
                        let path = &mut self.report.path;
                        push_exact(path, list, part, matching, of_left.nth(place), &self.hasher, in_main);
                    } else {
                        let nth = of_left.shown(place, part, &self.hasher);
                        push_element(&mut self.report.path, list, part, nth, in_main);
                    }
                    let of_left = Of { body: part.body, here: part.at.or(left.1) };
                    let of_right = Of { body: other.body, here: other.at.or(right.1) };
                    let _ = self.parts(of_left, of_right, Some(*list));
                    self.report.path.truncate(mark);
                });
            });
            self.flow()?;
        }
        if of_left.broken.is_none() && !is_told {
            for place in pairs.lone_right() {
                self.lone(right.0, list, (of_right, place), Change::Added, in_main);
            }
        }
        Flow::Continue(())
    }

    /// Reports all elements of a list that only one side has.
    pub(super) fn lone_list(&mut self, side: Side<'_>, change: Change, in_main: bool) -> Flow {
        let list = side.0.list();
        let (elements, ..) = self.gather(side, &list)?;
        for place in 0..elements.count {
            self.lone(side.0, &list, (&elements, place), change, in_main);
        }
        Flow::Continue(())
    }

    /// Reports an element that only one side has.
    fn lone(
        &mut self,
        parts: &dyn PartList,
        list: &List,
        (elements, place): (&Elements, u32),
        change: Change,
        in_main: bool,
    ) {
        let (index, offset) = elements.index_and_offset(place);
        parts.get(index, offset, &mut |part| {
            let nth = elements.shown(place, part, &self.hasher);
            // Such a part has no path segment of its own, but the report needs one.
            let push = |path: &mut Path| match part.body.has_main_list() && list.is(ListFlag::Single) {
                true => push_own(path, list.name.as_bytes(), in_main),
                false => push_element(path, list, part, nth, in_main),
            };
            self.report.within(push, |report| match part.summary {
                Some(summary) => report.lone(change, Some(word(&summary.to_string()))),
                None if list.is(ListFlag::Scalar) => first_field(part.body, &mut |field| {
                    report.lone(change, Some((field.value, field.notation)));
                }),
                None => report.lone(change, None),
            });
        });
    }

    /// Compares the targets of two links, one of which may be missing.
    pub(super) fn links(&mut self, left: Option<&Link<'_>>, right: Option<&Link<'_>>, in_main: bool) -> Flow {
        // Changes have their own form for references.
        let Some(link) = left.or(right).filter(|_| self.report.events.is_none()) else { return Flow::Continue(()) };
        let targets = (left.and_then(|link| link.target), right.and_then(|link| link.target));
        match targets {
            (Some(first), Some(second)) if link.content => return self.shared(link, first, second, in_main),
            (Some(first), Some(second)) if self.is_same(link, first, second) => return Flow::Continue(()),
            (None, None) => return Flow::Continue(()),
            _ => {}
        }
        let matching = self.matching.iter().rev().find(|matching| matching.kind == link.kind);
        let label = |part: Option<&Part<'_>>, elements: fn(&Matching) -> &Elements| {
            let part = part?;
            let nth = matching.map_or(0, |matching| elements(matching).nth(part.index));
            let mut path = Path::new();
            push_key(&mut path, false, (link.kind, part), (nth > 0).then_some(nth), false);
            Some(path)
        };
        let first = label(targets.0, |matching| &matching.left);
        let second = label(targets.1, |matching| &matching.right);
        let shown = |label: &'_ Option<Path>| label.as_ref().map(|path| path.as_str().to_owned());
        let (first, second) = (shown(&first), shown(&second));
        self.report.changed(Some(link.name), first.as_deref().map(word), second.as_deref().map(word));
        Flow::Continue(())
    }

    /// Compares shared parts, once for each pair.
    fn shared(&mut self, link: &Link<'_>, left: &Part<'_>, right: &Part<'_>, in_main: bool) -> Flow {
        if !self.seen.insert((link.kind, left.index, right.index)) {
            return Flow::Continue(());
        }
        let list = List::indexed(link.kind, link.kind);
        for part in [left, right] {
            if self.report.meter.charge(&list, part, None).is_err() {
                return Flow::Break(());
            }
        }
        // The part has a path of its own, if it is in a list of the file.
        let path = self
            .linked
            .path(link.kind, left)
            .unwrap_or_else(|| self.report.path.with(|path| push_own(path, link.name.as_bytes(), in_main)));
        let owner = std::mem::replace(&mut self.report.path, path);
        let of_right = Of { body: right.body, here: right.at };
        let flow = self.parts(Of { body: left.body, here: left.at }, of_right, Some(list));
        self.report.path = owner;
        flow
    }

    /// Returns whether two links have the same target: elements that are matched with each other or have equal keys.
    fn is_same(&self, link: &Link<'_>, left: &Part<'_>, right: &Part<'_>) -> bool {
        match self.matching.iter().rev().find(|matching| matching.kind == link.kind) {
            Some(matching) => matching.pairs.of_left(left.index) == Some(right.index),
            None if left.key == PartKey::Index => left.index == right.index,
            None => left.key == right.key,
        }
    }
}

/// Returns whether elements with equal bytes are equal.
fn have_one_context(left: &dyn PartList, right: &dyn PartList) -> bool {
    let (mut all, mut place, mut is_same) = (Vec::new(), 0, true);
    if !left.shortcuts().context(&mut |bytes| all.push(bytes.to_vec())) {
        return false;
    }
    let is_known = right.shortcuts().context(&mut |bytes| {
        is_same &= all.get(place).is_some_and(|other| other == bytes);
        place += 1;
    });
    is_known && is_same && place == all.len()
}

/// Appends an element, with its number if its key repeats in one of the lists, or if a name could be that of another element where
/// case is ignored.
fn push_exact(
    path: &mut Path,
    list: &List,
    part: &Part<'_>,
    matching: &Matching,
    nth: u32,
    hasher: &std::hash::RandomState,
    in_main: bool,
) {
    if list.is(ListFlag::Single) {
        return push_element(path, list, part, None, in_main);
    }
    let sides = [&matching.left, &matching.right].map(|side| &side.repeated);
    let is_repeated = sides.iter().any(|repeated| !repeated.is_empty())
        && hash_key(part.key, hasher).is_some_and(|hash| sides.iter().any(|repeated| repeated.contains(&hash)));
    push_key(path, list.is(ListFlag::Main), (list.kind, part), is_repeated.then_some(nth), in_main);
}
