//! Comparison of arrays, which happens in place.

use worldview_core::Path;
use worldview_core::describe::{Array, FieldValue, Notation, Role};

use super::kept::little_endian;
use super::report::{Report, word};
use super::{Change, Event};
use crate::form::with_item;
use crate::place::{push_number, push_own};

/// The context in which arrays are compared.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    /// The integers of the part that changed, as pairs of old and new values. If a pair equals the two lengths of an
    /// array, the length is not reported again.
    pub(super) changed: &'c [(i128, i128)],
    pub(super) in_main: bool,
    /// The maximum number of cells that are reported individually.
    pub(super) cells: usize,
}

/// Returns the number of columns and rows. A list without rows has one column.
fn shape(array: &Array<'_>, is_grid: bool) -> (usize, usize) {
    let (len, columns) = (array.elements.len(), array.columns.max(1));
    if is_grid && len == 0 { (0, 0) } else { (columns, len / columns) }
}

/// Returns whether each element is an item of its own in rows and columns. It is enough if one side has columns.
fn is_grid(left: &Array<'_>, right: &Array<'_>) -> bool {
    left.columns.max(right.columns) > 0 && !left.rows_are_items
}

/// Compares an array that both sides have.
pub(super) fn compare(left: &Array<'_>, right: &Array<'_>, context: Context<'_>, report: &mut Report<'_>) {
    if left.role == Role::Storage || right.role == Role::Storage {
        return;
    }
    let in_main = context.in_main;
    if report.event(|part, events| events(&Event::Array { part, in_main, sides: [Some(left), Some(right)] })) {
        return;
    }
    sizes(left, right, context, report);
    let (columns, others) = (left.columns.max(1), right.columns.max(1));
    let is_grid = is_grid(left, right);
    if columns != others && (!is_grid || left.bulk) {
        // Every element has moved, so there is nothing to compare.
        return;
    }
    let rows = shape(left, is_grid).1.min(shape(right, is_grid).1);
    if is_grid { cells(left, right, rows, context, report) } else { items(left, right, rows, context, report) }
}

/// Compares the numbers of elements.
fn sizes(left: &Array<'_>, right: &Array<'_>, context: Context<'_>, report: &mut Report<'_>) {
    let is_grid = is_grid(left, right);
    let (of_left, of_right) = (shape(left, is_grid), shape(right, is_grid));
    // The length of a list without rows could match a changed integer by chance.
    let columns = left.columns.max(right.columns);
    let is_said = |left: usize, right: usize| {
        let became = (left as i128, right as i128);
        left == right || (columns > 0 && context.changed.contains(&became))
    };
    if is_said(of_left.0, of_right.0) && is_said(of_left.1, of_right.1) {
        return;
    }
    let push = |path: &mut Path| push_own(path, left.name.as_bytes(), context.in_main);
    report.within(push, |report| {
        if is_grid {
            let shown = |(columns, rows)| format!("{columns}x{rows}");
            let (left, right) = (shown(of_left), shown(of_right));
            report.changed(Some("size"), Some(word(&left)), Some(word(&right)));
        } else {
            let shown = |rows: usize| Some((FieldValue::Uint(rows as u64), Notation::Decimal));
            report.changed(Some("length"), shown(of_left.1), shown(of_right.1));
        }
    });
}

/// Compares the cells that both grids have.
fn cells(left: &Array<'_>, right: &Array<'_>, rows: usize, context: Context<'_>, report: &mut Report<'_>) {
    let (wide, other) = (left.columns, right.columns);
    let width = wide.min(other);
    let (mut count, mut first) = (0_u64, None);
    for y in 0..rows {
        let (start, start_right) = (y * wide, y * other);
        let row = little_endian(&left.elements, start..start + width);
        // Most rows are equal, and comparing whole rows is fast.
        if row == little_endian(&right.elements, start_right..start_right + width) {
            continue;
        }
        for x in 0..width {
            if left.elements.bits(start + x) == right.elements.bits(start_right + x) {
                continue;
            }
            count += 1;
            first.get_or_insert((x, y));
            if !left.bulk && count <= context.cells as u64 {
                cell(left, right, (x, y), 1, report);
            }
        }
    }
    match first {
        Some(at) if left.bulk => cell(left, right, at, count, report),
        _ if count > context.cells as u64 => report.more(left.name, count - context.cells as u64),
        _ => {}
    }
}

fn cell(left: &Array<'_>, right: &Array<'_>, (x, y): (usize, usize), count: u64, report: &mut Report<'_>) {
    let push = |path: &mut Path| path.push(left.item, format!("{x},{y}").as_bytes(), None);
    report.within(push, |report| {
        let (left_at, right_at) = (y * left.columns + x, y * right.columns + x);
        with_item(left, left_at..left_at + 1, |left| {
            with_item(right, right_at..right_at + 1, |right| report.element(left, right, count));
        });
    });
}

/// Compares the elements or rows that both arrays have.
fn items(left: &Array<'_>, right: &Array<'_>, rows: usize, context: Context<'_>, report: &mut Report<'_>) {
    let columns = left.columns.max(1);
    let all = 0..rows * columns;
    if little_endian(&left.elements, all.clone()) == little_endian(&right.elements, all) {
        return;
    }
    let is_other = |row: &usize| {
        (row * columns..(row + 1) * columns).any(|index| left.elements.bits(index) != right.elements.bits(index))
    };
    let mut others = (0..rows).filter(is_other);
    let Some(row) = others.next() else { return };
    let count = others.count() as u64 + 1;
    let number = u32::try_from(row).unwrap_or(u32::MAX);
    let push = |path: &mut Path| push_number(path, left.item, number, context.in_main);
    report.within(push, |report| {
        let item = row * columns..(row + 1) * columns;
        with_item(left, item.clone(), |left| with_item(right, item, |right| report.element(left, right, count)));
    });
}

/// Reports an array that only one side has.
pub(super) fn lone(array: &Array<'_>, change: Change, in_main: bool, report: &mut Report<'_>) {
    if array.role == Role::Storage {
        return;
    }
    let sides = if change == Change::Added { [None, Some(array)] } else { [Some(array), None] };
    if report.event(|part, events| events(&Event::Array { part, in_main, sides })) {
        return;
    }
    let (count, item) = (if array.rows_are_items { shape(array, false).1 } else { array.elements.len() }, array.item);
    let shown = format!("{count} {item}{}", if count == 1 { "" } else { "s" });
    let push = |path: &mut Path| push_own(path, array.name.as_bytes(), in_main);
    report.within(push, |report| report.lone(change, Some(word(&shown))));
}
