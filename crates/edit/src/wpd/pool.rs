use std::collections::HashMap;

use worldview_core::Path;
use worldview_wpd::Table;

use crate::checked::Number as _;
use crate::{EditError, Result, Value};

/// The pool of strings of a table, and what edits append to it.
pub(super) struct Pool<'a> {
    old: &'a [u8],
    /// The strings of the pool, backwards and sorted, with the offset behind each: a text is the tail of one of them if it is,
    /// backwards, the beginning of one.
    tails: Option<Vec<(Vec<u8>, usize)>>,
    added: Vec<u8>,
    known: HashMap<Vec<u8>, u32>,
}

impl<'a> Pool<'a> {
    pub(super) fn of(table: &Table<'a>) -> Self {
        let old = table.sections().string().map_or(&[][..], |section| section.data());
        Self { old, tails: None, added: Vec::new(), known: HashMap::new() }
    }

    /// Returns the offset of a text, which is appended if the pool does not hold it.
    pub(super) fn offset(&mut self, text: &[u8], path: &Path) -> Result<u32> {
        if let Some(&offset) = self.known.get(text) {
            return Ok(offset);
        }
        let does_not_fit = |limit: &str| EditError::does_not_fit(path, Value::from_bytes(text), limit);
        if text.contains(&0) {
            return Err(does_not_fit("strings end at a NUL and cannot hold one"));
        }
        let at = match self.find(text) {
            Some(at) => at,
            None => {
                // Without a NUL at its end, the pool's last string would go on in the new one.
                if self.added.is_empty() && self.old.last().is_some_and(|&byte| byte != 0) {
                    self.added.push(0);
                }
                let at = self.old.len().plus(self.added.len())?;
                self.added.extend_from_slice(text);
                self.added.push(0);
                at
            }
        };
        let offset = u32::try_from(at).map_err(|_| does_not_fit("the pool of strings is full"))?;
        self.known.insert(text.to_owned(), offset);
        Ok(offset)
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "these are places in the pool, and a tail is no longer than its string"
    )]
    fn find(&mut self, text: &[u8]) -> Option<usize> {
        if text.is_empty() {
            return self.old.iter().position(|&byte| byte == 0);
        }
        let old = self.old;
        let tails = self.tails.get_or_insert_with(|| {
            let mut end = 0;
            let mut tails = Vec::new();
            // What follows the last NUL is no string that a reader would end there.
            for string in old.split_inclusive(|&byte| byte == 0).filter_map(|string| string.strip_suffix(b"\0")) {
                end += string.len();
                tails.push((string.iter().rev().copied().collect(), end));
                end += 1;
            }
            tails.sort_unstable();
            tails
        });
        let backwards: Vec<u8> = text.iter().rev().copied().collect();
        let first = tails.partition_point(|(tail, _)| tail < &backwards);
        let (tail, end) = tails.get(first)?;
        tail.starts_with(&backwards).then(|| end - text.len())
    }

    /// Returns the edited pool, or `None` if nothing was appended.
    pub(super) fn finish(self) -> Option<Vec<u8>> {
        (!self.added.is_empty()).then(|| [self.old, &self.added].concat())
    }
}
