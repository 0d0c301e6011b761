//! Failures of many files that have one cause.

use std::collections::HashMap;

/// How many files with one cause are named one by one.
pub(crate) const MAX_NAMED: u64 = 3;

/// How many of the others are named together.
const MAX_TOGETHER: usize = 3;

/// The messages about each cause so far.
#[derive(Debug, Default)]
pub(crate) struct Causes {
    by_text: HashMap<String, usize>,
    list: Vec<Cause>,
}

#[derive(Debug)]
struct Cause {
    /// The first message.
    text: String,
    named: u64,
    /// How many failures were not named, and the first files with them.
    more: u64,
    names: Vec<String>,
}

impl Causes {
    /// Adds a failure, and returns whether it is to be named. Two messages have the same cause if they differ only in names, numbers and
    /// offsets.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> bool {
        let next = self.list.len();
        let index = *self.by_text.entry(cause(text)).or_insert(next);
        if index == next {
            self.list.push(Cause { text: text.to_owned(), named: 0, more: 0, names: Vec::new() });
        }
        let Some(cause) = self.list.get_mut(index) else { return true };
        if cause.named < MAX_NAMED {
            cause.named += 1;
            return true;
        }
        cause.more += 1;
        if cause.names.len() < MAX_TOGETHER && cause.names.last().is_none_or(|last| last != name) {
            cause.names.push(name.to_owned());
        }
        false
    }

    /// Returns what is to be said of the files that were not named.
    pub(crate) fn rest(&self) -> impl Iterator<Item = String> {
        self.list.iter().filter(|cause| cause.more > 0).map(|Cause { text, more, names, .. }| {
            let others = if names.len() == MAX_TOGETHER { ", …" } else { "" };
            format!("{more} more for the same reason ({}{others}), for example: {text}", names.join(", "))
        })
    }
}

/// Returns a message without what differs between files: numbers, and names in quotes.
fn cause(text: &str) -> String {
    let mut cause = String::with_capacity(text.len());
    let mut is_quoted = false;
    for sign in text.chars() {
        if sign == '"' {
            is_quoted = !is_quoted;
        }
        let is_hex = cause.ends_with("#x") || cause.ends_with("#x#");
        let is_number = sign.is_ascii_hexdigit() && is_hex || sign.is_ascii_digit();
        match (is_quoted, is_number) {
            (true, _) => {}
            (false, true) if cause.ends_with('#') => {}
            (false, true) => cause.push('#'),
            (false, false) => cause.push(sign),
        }
    }
    cause
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_differ_in_names_and_numbers_have_one_cause() {
        let same =
            ["plane 0 \"Action\" at offset 12 (0xc): needs 5 bytes", "plane 17 \"\" at offset 0 (0x0): needs 55 bytes"];
        assert_eq!(cause(same[0]), cause(same[1]));
        assert_ne!(cause("is empty"), cause("is not in a known format"));
        let mut causes = Causes::default();
        let named = (0..13).filter(|number| causes.add(&format!("f{number}"), "is empty")).count();
        assert_eq!(named, 3);
        assert_eq!(
            causes.rest().collect::<Vec<_>>(),
            ["10 more for the same reason (f3, f4, f5, …), for example: is empty"]
        );
    }
}
