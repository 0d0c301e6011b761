//! Lists made of closures.

use worldview_core::describe::{Each, Flow, Items, List, ListFlag, Part, PartKey, PartList, Span, Visit};
use worldview_core::{Error, ErrorKind, OffsetBase};

struct Nothing;

impl Visit for Nothing {
    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Break(())
    }
}

/// Returns the indexes and offsets of the elements, and whether an error follows.
fn all(parts: &dyn PartList) -> (Vec<(u32, u64)>, bool) {
    let (mut found, mut broken) = (Vec::new(), false);
    let flow = parts.each(&mut |part| {
        assert!(!broken, "nothing follows an error");
        match part {
            Ok(part) => found.push((part.index, part.offset())),
            Err(_) => broken = true,
        }
        Flow::Continue(())
    });
    assert_eq!(flow, Flow::Continue(()));
    (found, broken)
}

fn get(parts: &dyn PartList, index: u32, at: u64) -> Option<u64> {
    let mut found = None;
    parts.get(index, at, &mut |part| {
        assert_eq!(part.index, index);
        found = Some(part.offset());
    });
    found
}

#[test]
fn a_walked_list_ends_with_its_error_and_reaches_elements_by_their_offset() {
    let error = Error::new(ErrorKind::Outside { found: 40, end: 32 }, "item", 40, OffsetBase::File);
    let sizes = [4_u64, 8, 2];
    let iter = sizes.iter().scan(10, |next, size| {
        let at = *next;
        *next += size;
        Some(Ok(at))
    });
    let part = |index, at, visit: Each<'_>| {
        let body = |visitor: &mut dyn Visit| visitor.broken(&error);
        visit(Ok(&Part::new(index, PartKey::Index, &body).at(Span::new(at, 1, OffsetBase::File))))
    };
    let list = Items::walked(List::new("items", "item"), iter.chain([Err(error)]), |_, at| Some(at), part);
    assert_eq!(all(&list), (vec![(0, 10), (1, 14), (2, 22)], true));
    assert_eq!(get(&list, 1, 14), Some(14));
    // Twice the same, and bodies are what the closure says.
    assert_eq!(all(&list).0.len(), 3);
    let flow = list.each(&mut |part| part.map_or(Flow::Continue(()), |part| part.body.describe(&mut Nothing)));
    assert_eq!(flow, Flow::Break(()));
}

#[test]
fn a_list_has_no_elements_past_its_end() {
    let part =
        |index, visit: Each<'_>| visit(Ok(&Part::new(index, PartKey::Index, &|_: &mut dyn Visit| Flow::Continue(()))));
    let list = Items::indexed(List::indexed("items", "item"), 2, part);
    assert_eq!((get(&list, 1, 0), get(&list, 2, 0)), (Some(0), None));
    assert_eq!(all(&list), (vec![(0, 0), (1, 0)], false));
    let slice = Items::slice(List::new("items", "item"), &[7, 8], |index, _, visit| part(index, visit));
    assert_eq!((get(&slice, 1, 0), get(&slice, 2, 0)), (Some(0), None));
    assert_eq!(PartList::editable(&list).slots(), None);
}

#[test]
fn a_single_part_is_there_or_absent() {
    let body = |_: &mut dyn Visit| Flow::Continue(());
    let at = Span::new(3, 1, OffsetBase::File);
    let (some, none) = (Items::single("one", Some(&body), Some(at)), Items::single("one", None, None));
    assert_eq!((all(&some).0, all(&none).0), (vec![(0, 3)], vec![]));
    assert!(some.list().is(ListFlag::Single) && !some.list().is(ListFlag::Main));
}

#[test]
fn flags_are_independent() {
    let list = List::new("items", "item").with(&[ListFlag::Main, ListFlag::SameFields]).with_if(false, ListFlag::Bulk);
    let flags = [ListFlag::Single, ListFlag::Main, ListFlag::Unique, ListFlag::Bulk, ListFlag::SameFields];
    assert_eq!(flags.map(|flag| list.is(flag)), [false, true, false, false, true]);
}
