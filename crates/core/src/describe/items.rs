use core::fmt;
use core::hash::Hasher;

use super::{Describe, Each, Flow, List, MatchRule, Part, PartKey, PartList, Shortcuts, Span};
use crate::edit::EditableList;
use crate::{Error, Result as Read};

/// A rule by which the elements of two files are matched. See [`PartList::match_rule`].
pub type MatchBy<'l> = dyn Fn(&Part<'_>, u32, &mut dyn Hasher) -> MatchRule + 'l;

/// A list of parts that is made of closures: an iterator over what the elements are made of, how one of them is reached,
/// and how it is passed on as a [`Part`].
#[derive(Clone, Copy)]
pub struct Items<'l, I, G, P> {
    list: List,
    iter: I,
    get: G,
    part: P,
    match_rule: &'l MatchBy<'l>,
    identity: &'l MatchBy<'l>,
    shortcuts: &'l dyn Shortcuts,
    editable: &'l dyn EditableList,
}

impl<'l> Items<'l, (), (), ()> {
    /// Creates a list of variable-length items.
    ///
    /// `iter` returns the items in file order, and an error where the list is broken, which comes last. `get` returns the item at an
    /// index that [is stored at an offset](Part::offset). `part` passes an item on as a part with an index.
    pub fn walked<T, I, G, P>(list: List, iter: I, get: G, part: P) -> Items<'l, I, G, P>
    where
        I: Iterator<Item = Read<T>> + Clone,
        G: Fn(u32, u64) -> Option<T>,
        P: Fn(u32, T, Each<'_>) -> Flow,
    {
        Items { list, iter, get, part, match_rule: &by_key, identity: &by_key, shortcuts: &(), editable: &() }
    }

    /// Creates a list of elements that `part` passes on by index. It may leave elements out.
    #[expect(clippy::type_complexity, reason = "closures have no names")]
    pub fn indexed(
        list: List,
        len: usize,
        part: impl Fn(u32, Each<'_>) -> Flow,
    ) -> Items<
        'l,
        impl Iterator<Item = Read<u32>> + Clone,
        impl Fn(u32, u64) -> Option<u32>,
        impl Fn(u32, u32, Each<'_>) -> Flow,
    > {
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        let get = move |index, _| (index < len).then_some(index);
        Items::walked(list, (0..len).map(Ok), get, move |index, _, visit: Each<'_>| part(index, visit))
    }

    /// Creates a list of the elements of a slice.
    pub fn slice<'s, T, P: Fn(u32, &'s T, Each<'_>) -> Flow>(
        list: List,
        all: &'s [T],
        part: P,
    ) -> Items<'l, impl Iterator<Item = Read<&'s T>> + Clone, impl Fn(u32, u64) -> Option<&'s T>, P> {
        Items::walked(list, all.iter().map(Ok), move |index, _| all.get(index as usize), part)
    }

    /// Creates a list of one part, or of none if it is absent.
    pub fn single<'s>(
        name: &'static str,
        body: Option<&'s dyn Describe>,
        at: Option<Span>,
    ) -> impl PartList + use<'s, 'l> {
        Items::indexed(List::single(name), usize::from(body.is_some()), move |index, visit| {
            body.map_or(Flow::Continue(()), |body| visit(Ok(&Part::new(index, PartKey::Index, body).at(at))))
        })
    }
}

impl<'l, I, G, P> Items<'l, I, G, P> {
    crate::setters! {
        /// Sets by what elements are matched when files are compared. By default there is one round, by key.
        pub const fn matched(rule: &'l MatchBy<'l>) => match_rule = rule;

        /// Sets by what they are matched for changes, whose paths name elements by their keys. The default is the same.
        pub const fn identified(rule: &'l MatchBy<'l>) => identity = rule;

        /// Sets what is known of the bytes of elements.
        pub const fn shortcuts(shortcuts: &'l dyn Shortcuts) => shortcuts = shortcuts;

        /// Sets how the list is edited.
        pub const fn editable(editable: &'l dyn EditableList) => editable = editable;
    }
}

impl<T, I, G, P> PartList for Items<'_, I, G, P>
where
    I: Iterator<Item = Read<T>> + Clone,
    G: Fn(u32, u64) -> Option<T>,
    P: Fn(u32, T, Each<'_>) -> Flow,
{
    fn list(&self) -> List {
        self.list
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        for (index, item) in (0..).zip(self.iter.clone()) {
            match item {
                Ok(item) => (self.part)(index, item, visit)?,
                Err(error) => visit(Err(&error))?,
            }
        }
        Flow::Continue(())
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(item) = (self.get)(index, at) {
            let _ = (self.part)(index, item, &mut only(visit));
        }
    }

    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        (self.match_rule)(part, round, hasher)
    }

    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        (self.identity)(part, round, hasher)
    }

    fn shortcuts(&self) -> &dyn Shortcuts {
        self.shortcuts
    }

    fn editable(&self) -> &dyn EditableList {
        self.editable
    }
}

/// Returns a callback for the elements of a list that receives each of them, but no error.
pub fn only(visit: &mut dyn FnMut(&Part<'_>)) -> impl FnMut(Result<&Part<'_>, &Error>) -> Flow {
    |part| {
        part.into_iter().for_each(&mut *visit);
        Flow::Continue(())
    }
}

/// Feeds `hasher` the key of an element.
fn by_key(part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
    match part.key {
        PartKey::Name(name) if round == 0 => hasher.write(name),
        PartKey::Number(number) if round == 0 => hasher.write_i64(number),
        _ => return MatchRule::None,
    }
    MatchRule::Any
}

impl<I, G, P> fmt::Debug for Items<'_, I, G, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("list", &self.list).finish_non_exhaustive()
    }
}
