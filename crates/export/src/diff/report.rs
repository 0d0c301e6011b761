use std::borrow::Cow;
use std::fmt;

use worldview_core::Value;
use worldview_wwd::flags;

use super::pairs::Pairs;
use super::{Change, Difference, Side};
use crate::Encoding;
use crate::place::{Quoted, Short, Way};
use crate::wdb::write;
use worldview_inspect::{hex, ints};

/// Where the walk is, and where differences go.
pub(super) struct Report<'n> {
    note: &'n mut dyn FnMut(&Difference<'_>),
    way: Way,
    pub(super) encoding: Encoding,
}

impl<'n> Report<'n> {
    pub(super) fn new(note: &'n mut dyn FnMut(&Difference<'_>), encoding: Encoding) -> Self {
        Self { note, way: Way::default(), encoding }
    }

    /// Does something within a part.
    pub(super) fn within<T>(&mut self, part: fmt::Arguments<'_>, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.way.enter(part);
        let result = look(self);
        self.way.leave(before);
        result
    }

    fn say(&mut self, change: Change, field: &str, left: Option<Side<'_>>, right: Option<Side<'_>>, count: u64) {
        (self.note)(&Difference { change, place: self.way.as_str(), field, left, right, count });
    }

    /// The part was added.
    pub(super) fn added(&mut self, part: fmt::Arguments<'_>, shown: Option<&str>) {
        self.within(part, |report| report.say(Change::Added, "", None, shown.map(Side::Value), 1));
    }

    /// The part was removed.
    pub(super) fn removed(&mut self, part: fmt::Arguments<'_>, shown: Option<&str>) {
        self.within(part, |report| report.say(Change::Removed, "", shown.map(Side::Value), None, 1));
    }

    /// A field has other values.
    pub(super) fn changed(&mut self, field: &str, left: Side<'_>, right: Side<'_>) {
        self.changed_elements(field, left, right, 1);
    }

    /// Several elements of a field have other values, and these are the first.
    pub(super) fn changed_elements(&mut self, field: &str, left: Side<'_>, right: Side<'_>, count: u64) {
        self.say(Change::Changed, field, Some(left), Some(right), count);
    }

    /// More elements of a field differ than were told.
    pub(super) fn more(&mut self, field: &str, count: u64) {
        self.say(Change::Changed, field, None, None, count);
    }

    /// Compares a field that can be written.
    pub(super) fn value<T: PartialEq + fmt::Display>(&mut self, field: &str, left: T, right: T) {
        if left != right {
            self.changed(field, Side::Value(&left.to_string()), Side::Value(&right.to_string()));
        }
    }

    /// Compares a field of text in the code page of the file.
    pub(super) fn text(&mut self, field: &str, left: &[u8], right: &[u8]) {
        if left != right {
            let encoding = self.encoding;
            self.decoded(field, (left, encoding.decode(left)), (right, encoding.decode(right)));
        }
    }

    /// Compares a field of text in UTF-8.
    pub(super) fn utf8(&mut self, field: &str, left: &[u8], right: &[u8]) {
        if left != right {
            self.decoded(field, (left, write::utf8(left)), (right, write::utf8(right)));
        }
    }

    fn decoded(&mut self, field: &str, left: (&[u8], Cow<'_, str>), right: (&[u8], Cow<'_, str>)) {
        if left.1 == right.1 {
            // Bytes that no longer show that they differ.
            self.changed(field, Side::Value(&hex(left.0)), Side::Value(&hex(right.0)));
        } else {
            self.changed(field, Side::Text(&left.1), Side::Text(&right.1));
        }
    }

    /// Compares floats, by their bits.
    pub(super) fn floats(&mut self, field: &str, left: &[f32], right: &[f32]) {
        if !same_floats(left, right) {
            self.changed(field, Side::Value(&floats(left)), Side::Value(&floats(right)));
        }
    }

    /// Compares two lists as far as both go, and tells the first elements that differ.
    pub(super) fn elements<T>(
        &mut self,
        field: &str,
        (left, right): (&[T], &[T]),
        same: impl Fn(&T, &T) -> bool,
        show: impl Fn(usize, &T) -> String,
    ) {
        let mut others = left.iter().zip(right).enumerate().filter(|(_, (left, right))| !same(left, right));
        if let Some((index, (first, second))) = others.next() {
            let count = 1 + others.count() as u64;
            let (first, second) = (show(index, first), show(index, second));
            self.changed_elements(field, Side::Value(&first), Side::Value(&second), count);
        }
    }

    /// Compares bytes: how many there are, and the first that differs.
    pub(super) fn bytes(&mut self, left: &[u8], right: &[u8]) {
        self.value("length", left.len(), right.len());
        self.elements("data", (left, right), PartialEq::eq, |index, byte| format!("{byte:#04x} at {index}"));
    }

    /// Tells if those that both files have stand in another order.
    pub(super) fn order(
        &mut self,
        list: &str,
        pairs: &Pairs,
        left: impl Fn(usize) -> String,
        right: impl Fn(usize) -> String,
    ) {
        if let Some((first, second)) = pairs.out_of_order() {
            let (first, second) = (left(first), right(second));
            self.within(format_args!("{list}"), |report| {
                report.changed("order", Side::Value(&first), Side::Value(&second));
            });
        }
    }

    /// Compares the fields of two records of one kind, but for some.
    pub(super) fn fields<'v>(
        &mut self,
        left: impl Iterator<Item = (&'static str, Value<'v>)>,
        right: impl Iterator<Item = (&'static str, Value<'v>)>,
        in_plane: bool,
        but: &[&str],
    ) {
        for ((name, left), (_, right)) in left.zip(right) {
            if left == right || but.contains(&name) {
                continue;
            }
            match (left, right) {
                (Value::Text(left), Value::Text(right)) => self.fixed_text(name, left, right),
                _ => {
                    let (left, right) = (number(name, left, in_plane), number(name, right, in_plane));
                    self.changed(name, Side::Value(&left), Side::Value(&right));
                }
            }
        }
    }

    /// A text field with all its bytes, those behind the NUL as well.
    fn fixed_text(&mut self, name: &str, left: &[u8], right: &[u8]) {
        let split = |bytes: &[u8]| bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        let ((left, left_tail), (right, right_tail)) = (left.split_at(split(left)), right.split_at(split(right)));
        let used = |tail: &[u8]| tail.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let (left_tail, right_tail) = (&left_tail[..used(left_tail)], &right_tail[..used(right_tail)]);
        if left_tail == right_tail {
            return self.text(name, left, right);
        }
        let encoding = self.encoding;
        let whole = |text: &[u8], tail: &[u8]| {
            let text = encoding.decode(text);
            let tail = tail.split_first().map(|(_, tail)| format!(" behind NUL {}", hex(tail)));
            format!("{}{}", Quoted(&text), tail.unwrap_or_default())
        };
        self.changed(name, Side::Value(&whole(left, left_tail)), Side::Value(&whole(right, right_tail)));
    }

    /// A name of the file as it stands in a place.
    pub(super) fn short(&self, bytes: &[u8]) -> String {
        Short(&self.encoding.decode(bytes)).to_string()
    }

    /// A text of the file in quotes.
    pub(super) fn shown(&self, bytes: &[u8]) -> String {
        Quoted(&self.encoding.decode(bytes)).to_string()
    }
}

/// A field that is no text.
fn number(name: &str, value: Value<'_>, in_plane: bool) -> String {
    match value {
        Value::Int(int) => int.to_string(),
        Value::Uint(word) => match flags::of_field(name, in_plane) {
            Some(names) => {
                let set = flags::set(word, names);
                set.fold(format!("{word:#x}"), |all, name| all + " " + name)
            }
            None if name.starts_with("reserved") => format!("{word:#x}"),
            None => word.to_string(),
        },
        Value::Ints(values) => ints(values),
        other => format!("{other:?}"),
    }
}

/// Whether floats have the same bits.
pub(super) fn same_floats(left: &[f32], right: &[f32]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.to_bits() == right.to_bits())
}

/// Floats with spaces between them.
pub(super) fn floats(values: &[f32]) -> String {
    let mut out = Vec::new();
    for (index, &value) in values.iter().enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        write::float(value, &mut out);
    }
    write::utf8(&out).into_owned()
}
