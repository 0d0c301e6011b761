use std::collections::{HashMap, HashSet};

use worldview_core::Path;
use worldview_wpd::{Archive, Field, Member, Nesting, Row, Table, TableOptions};

use super::record::{equals, value};
use crate::{Change, Changes, EditError, Position, Result, Value};

/// Returns the changes that make one archive or table say what another says.
///
/// Records are compared by name, and by number where names repeat; members likewise. Offsets, padding and the order of the string
/// pool mean nothing.
///
/// # Errors
///
/// Returns an error if a file is not an archive, or if tables differ in what changes cannot express: their fields, or the order of
/// records that are not sorted.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Changes> {
    diff_with(left, right, TableOptions::new())
}

/// Returns the changes that make one archive or table say what another says, with fields named by the caller's options. Tables inside
/// an archive are named by their members.
///
/// # Errors
///
/// Returns an error as [`diff`] does.
pub fn diff_with(left: &[u8], right: &[u8], options: TableOptions<'_>) -> Result<Changes> {
    let mut walk = Walk { changes: Changes::new(), path: Path::new() };
    walk.archives(&Archive::parse(left)?, &Archive::parse(right)?, Nesting::MAX_DEPTH, options)?;
    Ok(walk.changes)
}

/// Returns the changes that make one table say what another says.
///
/// # Errors
///
/// Returns an error as [`diff`] does.
pub fn diff_tables(left: &Table<'_>, right: &Table<'_>) -> Result<Changes> {
    let mut walk = Walk { changes: Changes::new(), path: Path::new() };
    walk.tables(left, right)?;
    Ok(walk.changes)
}

struct Walk {
    changes: Changes,
    path: Path,
}

impl Walk {
    fn archives(
        &mut self,
        left: &Archive<'_>,
        right: &Archive<'_>,
        depth: u32,
        options: TableOptions<'_>,
    ) -> Result<()> {
        if left.is_table() != right.is_table() {
            return Err(EditError::unsupported(&self.path, "one side is a table and the other is not"));
        }
        if left.is_table() {
            return self.tables(&options.table(*left)?, &options.table(*right)?);
        }
        let names: (Vec<_>, Vec<_>) = (left.members().map(label).collect(), right.members().map(label).collect());
        let pairs = Pairs::of(&names.0, &names.1);
        let (is_sorted, mark) = (left.is_sorted() && right.is_sorted(), self.path.mark());
        self.order(&pairs, is_sorted)?;
        for (index, other) in pairs.left.iter().enumerate() {
            let Some(member) = left.get(index) else { continue };
            self.push(&pairs.names_left, &names.0, index);
            match other.and_then(|other| right.get(other)) {
                None => {
                    let data = Some(Value::Bytes(member.data().to_vec()));
                    let path = self.path.clone();
                    self.path.truncate(mark);
                    let was = self.was(index, is_sorted, &pairs, &names.0);
                    self.changes.push(Change::Remove { path, fields: Vec::new(), data, was });
                }
                Some(other) if other.data() == member.data() => {}
                Some(other) => self.members(&member, &other, depth, options)?,
            }
            self.path.truncate(mark);
        }
        for (index, position) in pairs.added(is_sorted) {
            let Some(member) = right.get(index) else { continue };
            let position = self.position(position, &pairs, &names.0);
            self.push(&pairs.names_right, &names.1, index);
            let data = Some(Value::Bytes(member.data().to_vec()));
            self.changes.push(Change::Add { path: self.path.clone(), like: None, position, fields: Vec::new(), data });
            self.path.truncate(mark);
        }
        Ok(())
    }

    fn members(&mut self, left: &Member<'_>, right: &Member<'_>, depth: u32, options: TableOptions<'_>) -> Result<()> {
        if let (Ok(one), Ok(other), Some(depth)) = (left.archive(), right.archive(), depth.checked_sub(1)) {
            let label = label(*left);
            let label = String::from_utf8_lossy(&label);
            return self.archives(&one, &other, depth, options.file_name(&label));
        }
        let [from, to] = [left, right].map(|member| Value::Bytes(member.data().to_vec()));
        self.changes.push(Change::Set { path: self.path.clone(), from: Some(from), to });
        Ok(())
    }

    fn tables(&mut self, left: &Table<'_>, right: &Table<'_>) -> Result<()> {
        let layout = |table: &Table<'_>| {
            table
                .fields()
                .iter()
                .map(|field| (field.name().to_owned(), field.kind(), field.word(), field.bit(), field.width()))
                .collect::<Vec<_>>()
        };
        if layout(left) != layout(right) || left.layout_version() != right.layout_version() {
            return Err(EditError::unsupported(&self.path, "the tables have different fields"));
        }
        let names: (Vec<_>, Vec<_>) = (
            left.rows().map(|row| row.name().to_vec()).collect(),
            right.rows().map(|row| row.name().to_vec()).collect(),
        );
        let pairs = Pairs::of(&names.0, &names.1);
        let is_sorted = left.archive().is_sorted() && right.archive().is_sorted();
        self.order(&pairs, is_sorted)?;
        // A sorted table stays sorted, wherever a change puts a record.
        if left.archive().is_sorted() && !is_sorted && pairs.right.contains(&None) {
            return Err(EditError::unsupported(&self.path, "the elements are in another order"));
        }
        let (mark, unowned) = (self.path.mark(), left.unowned_bits().collect::<Vec<_>>());
        for (index, other) in pairs.left.iter().enumerate() {
            let Some(row) = left.get(index) else { continue };
            self.push(&pairs.names_left, &names.0, index);
            match other.and_then(|other| right.get(other)) {
                None => {
                    let path = self.path.clone();
                    self.path.truncate(mark);
                    let was = self.was(index, is_sorted, &pairs, &names.0);
                    self.changes.push(Change::Remove { path, fields: fields(&row, &unowned), data: None, was });
                }
                Some(other) => self.rows(&row, &other, &unowned),
            }
            self.path.truncate(mark);
        }
        for (index, position) in pairs.added(is_sorted) {
            let Some(row) = right.get(index) else { continue };
            let position = self.position(position, &pairs, &names.0);
            self.push(&pairs.names_right, &names.1, index);
            self.changes.push(Change::Add {
                path: self.path.clone(),
                like: None,
                position,
                fields: fields(&row, &unowned),
                data: None,
            });
            self.path.truncate(mark);
        }
        Ok(())
    }

    fn rows(&mut self, left: &Row<'_, '_>, right: &Row<'_, '_>, unowned: &[Field<'_>]) {
        let mark = self.path.mark();
        let cells = left.values().zip(right.values()).map(|((field, old), (_, new))| (field.name(), old, new));
        let bits = unowned.iter().filter_map(|field| Some((field.name(), left.value(field)?, right.value(field)?)));
        for (name, old, new) in cells.chain(bits) {
            if let (from, Some(to)) = (value(&old), value(&new))
                && !equals(&old, &to)
            {
                self.path.push_name(name);
                self.changes.push(Change::Set { path: self.path.clone(), from, to });
                self.path.truncate(mark);
            }
        }
    }

    /// Refuses another order of what both sides have, unless names make the order.
    fn order(&self, pairs: &Pairs, is_sorted: bool) -> Result<()> {
        if is_sorted || pairs.left.iter().flatten().is_sorted() {
            return Ok(());
        }
        Err(EditError::unsupported(&self.path, "the elements are in another order"))
    }

    fn push(&mut self, numbers: &[Option<u32>], names: &[Vec<u8>], index: usize) {
        let Some(name) = names.get(index) else { return };
        match numbers.get(index).copied().flatten() {
            Some(nth) => self.path.push_nth(name, nth),
            None => self.path.push_name(name),
        }
    }

    /// Where an added element goes: behind an element of the left list, or before all that stay.
    fn position(&mut self, after: Option<Option<usize>>, pairs: &Pairs, names: &[Vec<u8>]) -> Position {
        match after {
            None => Position::Natural,
            Some(Some(index)) => Position::After(self.neighbor(index, pairs, names)),
            // Where nothing stays, the first of what goes is as good a neighbor.
            Some(None) => match pairs.left.iter().position(Option::is_some).or((!names.is_empty()).then_some(0)) {
                Some(first) => Position::Before(self.neighbor(first, pairs, names)),
                None => Position::Natural,
            },
        }
    }

    /// Where a removed element of the left list was.
    fn was(&mut self, index: usize, is_sorted: bool, pairs: &Pairs, names: &[Vec<u8>]) -> Position {
        match index.checked_sub(1) {
            _ if is_sorted => Position::Natural,
            Some(before) => Position::After(self.neighbor(before, pairs, names)),
            None => self.position(Some(None), pairs, names),
        }
    }

    /// The path of an element of the left list.
    fn neighbor(&mut self, index: usize, pairs: &Pairs, names: &[Vec<u8>]) -> Path {
        let mark = self.path.mark();
        self.push(&pairs.names_left, names, index);
        let path = self.path.clone();
        self.path.truncate(mark);
        path
    }
}

/// Elements of two lists, by name.
struct Pairs {
    /// The element of the right list for each of the left one.
    left: Vec<Option<usize>>,
    right: Vec<Option<usize>>,
    /// Which of several elements with one name each is, where names repeat.
    names_left: Vec<Option<u32>>,
    names_right: Vec<Option<u32>>,
}

impl Pairs {
    fn of(left: &[Vec<u8>], right: &[Vec<u8>]) -> Self {
        let (nth_left, nth_right) = (numbers(left), numbers(right));
        let by_name: HashMap<_, _> = right.iter().zip(&nth_right).zip(0_usize..).collect();
        let left_pairs: Vec<_> = left.iter().zip(&nth_left).map(|key| by_name.get(&key).copied()).collect();
        let mut right_pairs = vec![None; right.len()];
        for (index, other) in left_pairs.iter().enumerate().filter_map(|(index, other)| Some((index, (*other)?))) {
            right_pairs.get_mut(other).into_iter().for_each(|pair| *pair = Some(index));
        }
        Self {
            names_left: shown(left, &nth_left),
            names_right: shown(right, &nth_right),
            left: left_pairs,
            right: right_pairs,
        }
    }

    /// The elements that only the right list has, each with the element of the left list that it follows, unless names make the
    /// order.
    fn added(&self, is_sorted: bool) -> impl Iterator<Item = (usize, Option<Option<usize>>)> {
        let mut after = None;
        self.right.iter().enumerate().filter_map(move |(index, pair)| match pair {
            Some(pair) => {
                after = Some(*pair);
                None
            }
            None => Some((index, (!is_sorted).then_some(after))),
        })
    }
}

/// Which of the elements with its name each element is.
fn numbers(names: &[Vec<u8>]) -> Vec<u32> {
    let mut counts: HashMap<&[u8], u32> = HashMap::new();
    let number = |name| {
        let count = counts.entry(name).or_default();
        let nth = *count;
        *count = count.saturating_add(1);
        nth
    };
    names.iter().map(Vec::as_slice).map(number).collect()
}

/// The numbers that paths need: those of names that occur more than once.
fn shown(names: &[Vec<u8>], numbers: &[u32]) -> Vec<Option<u32>> {
    let repeated: HashSet<&[u8]> =
        names.iter().zip(numbers).filter(|(_, nth)| **nth > 0).map(|(name, _)| name.as_slice()).collect();
    names.iter().zip(numbers).map(|(name, nth)| repeated.contains(name.as_slice()).then_some(*nth)).collect()
}

/// All fields of a record with their values; bits that no field owns only where one is set.
pub(crate) fn fields(row: &Row<'_, '_>, unowned: &[Field<'_>]) -> Vec<(String, Value)> {
    let named = |field: &Field<'_>, cell| Some((String::from_utf8_lossy(field.name()).into_owned(), value(&cell)?));
    let owned = row.values().filter_map(|(field, cell)| named(field, cell));
    let bits = unowned.iter().filter_map(|field| named(field, row.value(field)?));
    owned.chain(bits.filter(|(_, value)| *value != Value::from(0))).collect()
}

fn label(member: Member<'_>) -> Vec<u8> {
    super::members::label(&member).into_owned()
}
